"""Roll of a table section: from left or up vectors or cants of its rows to one smooth function."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.where import section_where
from .centreline import Centreline
from .laying import FittedTable
from .roll import TableRoll, reference_cant, usable

WEAKEST = 0.1  # part of an orientation vector perpendicular to the track that is needed to tell the roll


def _row_rolls(line: Centreline, fitted: FittedTable, s: Array) -> tuple[Array, Array]:
    """Roll (rad, continuous) against the rotation-minimising vector and place of the rows that tell it."""
    section, kept = fitted.section, fitted.kept
    state = line.state(s)
    if section.cant is not None:
        cants = np.array([np.nan if section.cant[i] is None else section.cant[i] for i in kept], dtype=float)
        good = np.isfinite(cants) & usable(line, s)
        rolls = cants[good] - reference_cant(line, s[good])
        return s[good], np.unwrap(rolls)
    vectors = np.array(section.left if section.left is not None else section.up)[kept]
    size = np.linalg.norm(vectors, axis=-1)
    if np.any(size < 1e-6):
        row = int(kept[int(np.argmin(size))]) + 1
        raise InputError(
            f"Section '{section.name}', row {row}: the orientation vector is zero; give its direction.",
            section_where(section.name),
        )
    t = state.tangent
    left = vectors if section.left is not None else np.cross(vectors, t)
    left = left - np.sum(left * t, axis=-1, keepdims=True) * t
    part = np.linalg.norm(left, axis=-1) / size
    if np.any(part < WEAKEST):
        row = int(kept[int(np.argmin(part))]) + 1
        raise InputError(
            f"Section '{section.name}', row {row}: the orientation vector points along the track; give left or up.",
            section_where(section.name),
        )
    side = np.cross(t, state.reference)
    rolls = np.arctan2(np.sum(left * side, -1), np.sum(left * state.reference, -1))
    return s, np.unwrap(rolls)


def table_rolls(
    line: Centreline, placed: Sequence[tuple[FittedTable, Array]], gauge: float, *, whole: bool
) -> list[TableRoll]:
    """Smoothed rolls of all table sections that tell their roll, one for every run that continues.

    placed: table sections in running order, each with the arc lengths (k,) m of its kept rows. whole: the tables
    are the entire closed track and the frame has to close.
    Raises InputError naming the row whose vector is zero or along the track.
    """
    runs: list[list[tuple[FittedTable, Array]]] = []
    for fitted, s in placed:
        joined = fitted.section.continues and runs and fitted.leg == runs[-1][-1][0].leg + 1
        if joined:
            runs[-1].append((fitted, s))
        else:
            runs.append([(fitted, s)])
    rolls = [_run_roll(line, run, gauge, whole) for run in runs]
    return [roll for roll in rolls if roll is not None]


def _run_roll(
    line: Centreline, run: list[tuple[FittedTable, Array]], gauge: float, whole: bool
) -> TableRoll | None:
    """Smoothed roll of a run of tables, or None when its rows say nothing about it.

    The angle tolerance is the one that moves a rail by the tolerance of the run: tolerance / (gauge / 2).
    """
    from .table_fit import smooth  # brings scipy along, which other tracks do without

    messages = [
        _row_rolls(line, fitted, s)
        for fitted, s in run
        if (fitted.section.left, fitted.section.up, fitted.section.cant) != (None, None, None)
    ]
    if sum(len(s) for s, _ in messages) < 6:
        return None
    positions = np.concatenate([s for s, _ in messages])
    rolls = np.unwrap(np.concatenate([roll for _, roll in messages]))
    tolerance = min(fitted.section.tolerance for fitted, _ in run) / (0.5 * gauge)
    if whole:
        closing = 2.0 * np.pi * np.round((rolls[-1] - rolls[0] + line.holonomy) / (2.0 * np.pi))
        rate = (closing - line.holonomy) / line.length
        loop = np.append(positions, positions[0] + line.length)
        fit = smooth(loop, (rolls - rate * positions)[:, None], tolerance, closed=True)
        drift = rate
    else:
        fit = smooth(positions, rolls[:, None], tolerance, closed=False)
        drift = 0.0
    coef = np.zeros((len(fit.coef), 8))
    coef[:, :6] = fit.coef[:, :, 0]
    coef[:, 0] += drift * fit.breaks[:-1]
    coef[:, 1] += drift
    breaks = fit.breaks.copy()
    if whole:
        breaks[[0, -1]] = 0.0, line.length
    return TableRoll(breaks, coef)
