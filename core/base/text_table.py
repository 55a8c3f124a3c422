"""Rows of cells as aligned text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
