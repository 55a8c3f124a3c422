"""Rows of cells as aligned text for a terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from .sentence import short_power

#: What spreadsheets calculate; directions (+Gz) and numbers are none of it.
FORMULA = re.compile(r"[=@\t\r]|[+-](?!G[xyz]|[.\d]|$)")


def text_table(rows: Iterable[Sequence[str]], indent: str = "  ") -> str:
    """Rows of cells with the columns flush left, two spaces apart; rows may have different numbers of cells."""
    cells = [tuple(row) for row in rows]
    if not cells:
        return ""
    widths = [max(len(row[k]) for row in cells if k < len(row)) for k in range(max(map(len, cells)))]
    lines = []
    for row in cells:
        text = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        lines.append((indent + text).rstrip())
    return "\n".join(lines)


def significant(value: float, digits: int = 3) -> str:
    """A number with so many significant digits and none behind them: 12400, 0.0371, 1.2e-7."""
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g}"
    size = math.floor(math.log10(abs(value)))
    if -4 <= size < 7:
        return f"{round(value, digits - 1 - size):.{max(0, digits - 1 - size)}f}"
    return short_power(f"{value:.{digits - 1}e}")


def plain_cell(text: str) -> str:
    """A text for a cell of a CSV file that no spreadsheet takes for a formula: a name may begin with "="."""
    return f"'{text}" if FORMULA.match(text) else text
