"""Control points as text for the clipboard: one row a point, columns with units in a heading."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from pydantic import ValidationError

from ..base.errors import InputError
from ..project.project import sentence
from ..track.description import ControlPoint

LENGTHS = {"m": 1.0, "ft": 0.3048, "mm": 0.001, "cm": 0.01, "in": 0.0254}
ANGLES = {"deg": math.pi / 180.0, "°": math.pi / 180.0, "rad": 1.0}
MAX_ROWS = 20_000
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
    lines = [(n + 1, line.strip(" \r\n")) for n, line in enumerate(text.splitlines()) if line.strip()]
    if len(lines) > MAX_ROWS:
        raise InputError(f"The text has {len(lines)} rows; at most {MAX_ROWS} points can be pasted at once.")
    scale = [LENGTHS[length_unit]] * 3 + [ANGLES[angle_unit]]
    if lines and not _is_row(lines[0][1]):
        scale = _heading(lines[0][1], scale)
        lines = lines[1:]
    if not lines:
        raise InputError("The text holds no points; copy rows of x, y, z and, if you like, cant.")
    return tuple(_point(number, line, scale) for number, line in lines)


def _cells(line: str) -> list[str]:
    for separator in ("\t", ";"):
        if separator in line:
            return [cell.strip().replace(",", ".") for cell in line.split(separator)]
    if "," in line:
        return [cell.strip() for cell in line.split(",")]
    return line.split()


def _is_row(line: str) -> bool:
    try:
        float(_cells(line)[0])
    except ValueError:
        return False
    return True


def _heading(line: str, scale: list[float]) -> list[float]:
    out = list(scale)
    units = re.findall(r"\[\s*([^\]\s]+)\s*\]", line)
    for k, unit in enumerate(units[:4]):
        known = LENGTHS if k < 3 else ANGLES
        if unit not in known:
            raise InputError(f"Line 1: the unit [{unit}] is unknown; use {', '.join(known)}.")
        out[k] = known[unit]
    return out


def _point(number: int, line: str, scale: Sequence[float]) -> ControlPoint:
    cells = _cells(line)
    if len(cells) < 3:
        raise InputError(f"Line {number}: expected x, y and z, found '{line[:40]}'.")
    values: list[float] = []
    for cell, factor in zip(cells[:3], scale[:3], strict=True):
        values.append(_number(number, cell) * factor)
    cant: float | None = None
    if len(cells) > 3 and cells[3].lower() not in FREE:
        cant = _number(number, cells[3]) * scale[3]
    straight = len(cells) > 4 and cells[4].lower() in STRAIGHT
    try:
        x, y, z = values[:3]
        return ControlPoint.model_validate({"x": x, "y": y, "z": z, "cant": cant, "straight": straight})
    except ValidationError as error:
        raise InputError(sentence(error, f"Line {number}")) from None


def _number(line: int, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise InputError(f"Line {line}: '{cell[:30]}' is not a number.") from None
