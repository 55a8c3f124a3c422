"""The limit tables as a list and one of them as text, for people who want to know what they are judged by."""

from __future__ import annotations

import json
import textwrap

from pydantic import BaseModel, ConfigDict, ValidationError

from ...base.errors import InputError
from ...base.frozen import Frozen
from ...base.text_table import text_table
from ...base.wording import worded
from ..limit_files import (
    LimitFile,
    bundled_file,
    keep_fault,
    limit_file,
    limit_files,
    read_limit_file,
)
from ..limits import Confidence
from .files import CURVE_SETS, KIND, load_table
from .table import AccelerationTable

WIDTH = 110


class TableEntry(Frozen):
    """A table in the list: id, title as shown (with its doubts), source, confidence, remark, and whose it is."""

    id: str
    title: str
    source: str
    confidence: Confidence
    note: str
    user: bool


class _Header(BaseModel):
    """What every limit file says about itself; the rest is checked where the table is used."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)
    title: str
    source: str
    confidence: Confidence
    note: str = ""
    kind: str = ""


def list_tables() -> tuple[TableEntry, ...]:
    """All limit tables in alphabetical order, without those of the user's that cannot be used (`table_faults`)."""
    found = []
    for file in limit_files().values():
        try:
            found.append(_entry(file))
        except InputError as error:
            if not file.user:
                raise
            keep_fault(file, str(error))
            own = bundled_file(file.id)
            found += [] if own is None else [_entry(own)]
    return tuple(found)


def _entry(file: LimitFile) -> TableEntry:
    try:
        header = _Header.model_validate_json(read_limit_file(file))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(f"Limit table {file.path}, {field}: {worded(first)}.") from None
    title, source = header.title, header.source
    if header.kind == KIND or file.id in CURVE_SETS:
        table = load_table(file.id)
        title, source = table.shown_title, table.source
    elif file.user:
        source = f"user table {file.path.name}: {source}"
    return TableEntry(
        id=file.id, title=title, source=source, confidence=header.confidence, note=header.note, user=file.user
    )


def table_text(name: str) -> str:
    """One table as text: what it is, then its curves and rules, or its data as they stand in the file.

    Raises InputError when there is no such table or it does not fit.
    """
    file = limit_file(name)
    entry = _entry(file)
    lines = [entry.title, ""]
    facts = {
        "file": str(file.path),
        "confidence": entry.confidence,
        "source": entry.source,
        "remark": entry.note,
    }
    data = json.loads(read_limit_file(file))
    if data.get("kind") == KIND or name in CURVE_SETS:
        table = load_table(name)
        facts |= {"edition": table.edition, "applies to": table.applicability, "filter": table.filter}
        lines += [line for key, value in facts.items() if value for line in _fact(key, value)]
        return "\n".join([*lines, "", *_curve_lines(table), *_rule_lines(table)])
    lines += [line for key, value in facts.items() if value for line in _fact(key, value)]
    rest = {key: value for key, value in data.items() if key not in _Header.model_fields}
    return "\n".join([*lines, "", json.dumps(rest, indent=1, ensure_ascii=False)])


def _fact(key: str, value: str) -> list[str]:
    return textwrap.wrap(f"{key}: {value}", WIDTH, subsequent_indent=" " * (len(key) + 2))


def _curve_lines(table: AccelerationTable) -> list[str]:
    lines = [
        f"edition {name}: {one.title}" + (f" ({one.note})" if one.note else "")
        for name, one in table.editions.items()
    ]
    rows = [("curve", "directions", "for", "confidence", "g (s)")]
    for curve in table.curves:
        conditions = [", ".join(curve.restraints).replace("_", " ")]
        if curve.extended is not None:
            conditions.append("extended restraint" if curve.extended else "no extended restraint")
        if curve.headrest is not None:
            conditions.append("headrest" if curve.headrest else "no headrest")
        if curve.onset_below is not None:
            conditions.append(f"onset below {curve.onset_below:g} g/s")
        points = ", ".join(f"{g:g} ({d:g})" for d, g in curve.points)
        rows.append(
            (
                curve.name,
                " ".join(curve.directions),
                "; ".join(filter(None, conditions)) or "everybody",
                curve.confidence or table.confidence,
                points,
            )
        )
    return [*lines, *([""] if lines else []), text_table(rows, indent="")]


def _rule_lines(table: AccelerationTable) -> list[str]:
    rules = (
        table.combined,
        table.reversal,
        table.vertical_onset,
        table.after_negative,
        table.onset,
        table.zones,
    )
    found = [rule.rule + (f" ({rule.note})" if rule.note else "") for rule in rules if rule is not None]
    if not found:
        return []
    lines = ["", "Rules"]
    for text in found:
        lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines
