"""Which modes the panel lists and in which order: filtered by kind, body and frequency, a car's own first."""

from __future__ import annotations

import math
from typing import Final, Literal, NamedTuple

from ...core.solver.modes import Mode
from .shapes import Found

Kind = Literal["all", "swing", "car", "decay", "unstable"]
KINDS: Final[dict[Kind, str]] = {
    "all": "All modes",
    "swing": "Oscillating",
    "car": "Of a car as a whole",
    "decay": "Without swing",
    "unstable": "Unstable",
}


class ModeRow(NamedTuple):
    """A mode of the table: its number, slowest first and counted from 1, and what a car does as a whole in it."""

    number: int
    mode: Mode
    motion: str


def rows_of(found: Found) -> tuple[ModeRow, ...]:
    """All modes but free motions: what is unstable first, then how cars swing as a whole, then the others, each slowest
    first."""
    motions = found.motions or ("",) * len(found.modes)
    every = [(mode, motion) for mode, motion in zip(found.modes, motions, strict=True) if mode.kind != "free"]
    rows = [ModeRow(k, mode, motion) for k, (mode, motion) in enumerate(every, start=1)]
    return tuple(sorted(rows, key=_rank))


def _rank(row: ModeRow) -> tuple[int, int]:
    if row.mode.kind == "unstable":
        return 0, row.number
    return (1 if row.motion and row.mode.kind == "swing" else 2), row.number


def shown(
    rows: tuple[ModeRow, ...], kind: Kind, body: str, low: float | None, high: float | None
) -> tuple[ModeRow, ...]:
    """The rows of a kind in which bodies whose names contain a text move most, from `low` to `high` (Hz)."""
    words = body.lower().split()
    return tuple(
        row
        for row in rows
        if _is(row, kind)
        and all(any(word in name.lower() for name in (*row.mode.where, row.motion)) for word in words)
        and (-math.inf if low is None else low) <= row.mode.frequency <= (math.inf if high is None else high)
    )


def _is(row: ModeRow, kind: Kind) -> bool:
    if kind == "car":
        return bool(row.motion)
    if kind == "swing":
        return row.mode.pole.imag > 0.0 and row.mode.kind not in ("decay", "static")
    return kind == "all" or row.mode.kind == kind
