"""Control points as text for the clipboard: one row a point, columns with units in a heading."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import ValidationError

from ..base.delimited import Row, TextTable, table_of
from ..base.errors import InputError
from ..project.project import sentence
from ..track.description import ControlPoint

LENGTHS = {"m": 1.0, "ft": 0.3048, "mm": 0.001, "cm": 0.01, "in": 0.0254}
ANGLES = {"deg": math.pi / 180.0, "°": math.pi / 180.0, "rad": 1.0}
MAX_ROWS, MAX_COLUMNS = 20_000, 20
FREE = ("", "free", "-", "none")
STRAIGHT = ("1", "true", "yes", "x", "straight")


def points_as_text(points: Sequence[ControlPoint], length_unit: str = "m", angle_unit: str = "deg") -> str:
    """Points as tab-separated text with a heading that names the units; a free cant is the word "free"."""
    length, angle = LENGTHS[length_unit], ANGLES[angle_unit]
    head = [f"{axis} [{length_unit}]" for axis in "xyz"] + [f"cant [{angle_unit}]", "straight"]
    rows = ["\t".join(head)]
    for p in points:
        cells = [f"{value / length:.9g}" for value in p.position]
        cells.append("free" if p.cant is None else f"{p.cant / angle:.9g}")
        cells.append("yes" if p.straight else "no")
        rows.append("\t".join(cells))
    return "\n".join(rows) + "\n"


def points_from_text(text: str, length_unit: str = "m", angle_unit: str = "deg") -> tuple[ControlPoint, ...]:
    """Points from rows of x, y, z and, when there, cant and straight; separated by tabs, semicolons, commas or
    blanks.

    A heading may name the columns' units in brackets, otherwise length_unit and angle_unit hold. A decimal comma
    is understood when commas do not separate. Raises InputError naming the line that cannot be read.
    """
    table = table_of(text, blanks=True, comment="", most=MAX_ROWS)
    scale = [LENGTHS[length_unit]] * 3 + [ANGLES[angle_unit]]
    if table.header is not None:
        scale = _heading(table, table.header, scale)
    if not table.rows:
        raise InputError("The text holds no points; copy rows of x, y, z and, if you like, cant.")
    return tuple(_point(table, row, scale) for row in table.rows)


def _heading(table: TextTable, header: Row, scale: list[float]) -> list[float]:
    out = list(scale)
    for k, unit in enumerate(header.units[:4]):
        known = LENGTHS if k < 3 else ANGLES
        if unit not in known:
            raise InputError(f"{table.place(header)}: the unit [{unit}] is unknown; use {', '.join(known)}.")
        out[k] = known[unit]
    return out


def _point(table: TextTable, row: Row, scale: Sequence[float]) -> ControlPoint:
    table.check_width(row, 3, MAX_COLUMNS, of="x, y and z")
    x, y, z = (table.number(row, k, "xyz"[k]) * scale[k] for k in range(3))
    cells = [*(cell.lower() for cell in row.cells), "", ""]
    cant = None if cells[3] in FREE else table.number(row, 3, "cant") * scale[3]
    try:
        return ControlPoint.model_validate(
            {"x": x, "y": y, "z": z, "cant": cant, "straight": cells[4] in STRAIGHT}
        )
    except ValidationError as error:
        raise InputError(sentence(error, table.place(row))) from None
