"""Force elements in the report: a table for each type, its columns from the fields of the description."""

from __future__ import annotations

import math
from typing import Any

from ...base.fields import DIMENSIONLESS, FieldSpec, specs_of
from ...model.assembly import Assembly
from ...model.forces import TYPES, Force
from ...model.references import references
from ..cells import figures, left, text
from ..document import Cell, Column, Table

SKIPPED = ("name", "enabled")
LEFT_OUT = ("vector", "direction", "angles", "group")  # places and directions are drawn
WIDE, FEW = 10, 4  # columns and elements of a table that is turned
NUMBERS = ("number", "optional")


def force_tables(table_id: str, title: str, holder: Assembly) -> list[Table]:
    """The force elements of an assembly without those of riders inside; elements with the same units share a table."""
    joints = {path: str(joint.type.acts_in) for path, joint in holder.every("joint").items()}
    groups: dict[tuple[str, ...], tuple[tuple[FieldSpec, ...], dict[str, Force]]] = {}
    for path, force in holder.own("force").items():
        specs = _columns(force, joints)
        alike = (force.kind, *(f"{spec.name} {spec.unit}" for spec in specs))
        groups.setdefault(alike, (specs, {}))[1][path] = force
    tables: list[Table] = []
    for specs, forces in groups.values():
        kind = next(iter(forces.values())).kind
        same = sum(table.id.startswith(f"{table_id}_{kind}") for table in tables)
        tables.append(
            _table(f"{table_id}_{kind}{f'_{same + 1}' if same else ''}", title, kind, specs, forces)
        )
    return tables


def _columns(force: Force, joints: dict[str, str]) -> tuple[FieldSpec, ...]:
    named = {field: path for field, kind, path in references(force) if kind == "joint"}

    def value_of(name: str) -> str:
        return joints[named[name]] if name in named else str(getattr(force, name))

    every = specs_of(type(force))
    return tuple(
        spec.fitted(value_of) for spec in every if spec.name not in SKIPPED and spec.entry not in LEFT_OUT
    )


def _table(
    table_id: str, title: str, kind: str, specs: tuple[FieldSpec, ...], forces: dict[str, Force]
) -> Table:
    # what nobody changed from its default needs no column, but a number does
    def told(spec: FieldSpec) -> bool:
        default = type(next(iter(forces.values()))).model_fields[spec.name].default
        return spec.entry in NUMBERS or any(getattr(f, spec.name) != default for f in forces.values())

    shown = [spec for spec in specs if told(spec)]
    columns = [left("name", "Element", 1.0)]
    columns += [
        Column(key=s.name, title=s.title, unit=_unit(s)) if s.entry in NUMBERS else left(s.name, s.title)
        for s in shown
    ]
    rows = tuple(
        (
            text(path if force.enabled else f"{path} (disabled)"),
            *(_cell(spec, getattr(force, spec.name)) for spec in shown),
        )
        for path, force in forces.items()
    )
    title = f"{title}: {TYPES[kind].word}"
    if len(columns) > WIDE and len(rows) <= FEW:
        return _turned(table_id, title, columns, rows)
    return Table(id=table_id, title=title, columns=tuple(columns), rows=rows)


def _turned(table_id: str, title: str, columns: list[Column], rows: tuple[tuple[Cell, ...], ...]) -> Table:
    """A table of a few elements with many fields, a field a row."""
    names = [Column(key=f"element_{k}", title=row[0].text) for k, row in enumerate(rows, 1)]
    fields = [
        (text(column.title), text(column.unit), *(row[k] for row in rows))
        for k, column in enumerate(columns[1:], 1)
    ]
    return Table(
        id=table_id,
        title=title,
        columns=(left("field", "Field", 1.0), left("unit", "Unit"), *names),
        rows=tuple(fields),
    )


def _unit(spec: FieldSpec) -> str:
    return {"rad": "°", DIMENSIONLESS: ""}.get(spec.unit, spec.unit.replace("^2", "²").replace("^3", "³"))


def _cell(spec: FieldSpec, value: Any) -> Cell:
    if spec.entry in NUMBERS:
        return figures(math.degrees(value) if spec.unit == "rad" and value is not None else value)
    if spec.entry == "choice":
        return text(str(spec.words.get(value, value)))
    if spec.entry == "programme":
        return text(f"{len(value)} phases" if len(value) > 1 else "1 phase")
    if spec.entry == "rows":
        return text(f"{len(value)} row{'s' if len(value) > 1 else ''}" if value else "")
    return text("given" if value else "")
