"""What the force elements of an assembly put out: the rows of a run's results, with words and units."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .assembly import Assembly
from .forces import TYPES
from .forces.base import COMPONENTS, SEGMENT, ElementType, ForceElement, Output
from .placement import joined, placed_model

SLIPS = " slip"  # behind the name of a pair of surfaces: its row of friction


@dataclass(frozen=True)
class OutputRow:
    """One row of outputs of a force element: its path, description and type, coordinate and load with their units.

    origin: what the coordinate counts from where the element is without load (m or rad).
    """

    path: str
    element: ForceElement
    type: ElementType
    coordinate: Output
    load: Output
    origin: float


def row_of(rows: dict[str, OutputRow], name: str) -> OutputRow | None:
    """The row of a name in the results.

    Parameters
    ----------
    rows
        By element.
    name
        Of an element; of what acts between surfaces each pair has two, the second along them.

    Returns
    -------
    The row, None where there is none.
    """
    path, _, pair = name.partition(": ")
    row = rows.get(name) or rows.get(path)
    if row is None or row.type.sliding is None or not pair.endswith(SLIPS):
        return row
    coordinate, load = row.type.sliding
    return replace(row, coordinate=coordinate, load=load)


def output_rows(top: Assembly) -> dict[str, OutputRow]:
    """The rows of outputs of all enabled force elements by their names in the results (`Names.springs`)."""
    drawn, found = placed_model(top), {}
    for path, part in drawn.assemblies.items():
        for force in part.forces:
            made = TYPES[force.kind]
            geometry = made.geometry(next((joint.kind for joint in drawn.joints(path, force)), ""))
            shown = made.shown(geometry)
            if not shown or made.law is None or not force.enabled:
                continue
            name, origin = joined(path, force.name), made.law(force, geometry).origin
            rows = COMPONENTS if geometry == "frame" else {"": shown}
            if geometry == "line":
                count = len(force.places) - 1  # type: ignore[attr-defined]
                rows = {SEGMENT.format(k + 1): shown for k in range(count)}
            for suffix, (coordinate, load) in rows.items():
                found[f"{name} {suffix}".strip()] = OutputRow(name, force, made, coordinate, load, origin)
    return found
