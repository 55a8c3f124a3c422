"""Table sections that continue one another: one smooth curve through all their rows, shared out by section.

A table section with `continues` set is fitted together with the table section before it, so that the border
between them is a place on one curve and not a join of two. A run is a table section with those that continue it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import section_where
from .course import SAME_PLACE, FittedLeg
from .description import Section, TableSection

WIDEST_GAP = 1.0  # m, between two sections of a run, and so many steps of their rows on top
MAX_STEPS = 3.0


@dataclass(frozen=True)
class TableShare:
    """What one section gets of the fit of its run.

    leg: its part of the curve; first, last (3,) m: where that begins and ends; kept: rows used (from 0);
    u: their parameter from the start of the leg; deviation (m): distance of each of them from the curve;
    dropped: numbers (from 1) of the rows left out.
    """

    leg: FittedLeg
    first: Array
    last: Array
    kept: Integers
    u: Array
    deviation: Array
    dropped: tuple[int, ...]


def usable_rows(positions: Array) -> Integers:
    """Rows (k,) of a table to fit: without those at the same place as, or running backward from, the one before."""
    kept = [0]
    heading = None
    for i in range(1, len(positions)):
        step = positions[i] - positions[kept[-1]]
        width = float(np.linalg.norm(step))
        if width < SAME_PLACE or (heading is not None and float(step @ heading) <= 0.0):
            continue
        heading = step / width
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def table_runs(sections: Sequence[Section]) -> list[list[TableSection]]:
    """The runs of table sections in running order."""
    runs: list[list[TableSection]] = []
    before: Section | None = None
    for section in sections:
        if isinstance(section, TableSection):
            if section.continues and isinstance(before, TableSection):
                runs[-1].append(section)
            else:
                runs.append([section])
        before = section
    return runs


def one_run(sections: Sequence[Section]) -> bool:
    """Whether all sections together are one run of tables."""
    runs = table_runs(sections)
    return len(runs) == 1 and len(runs[0]) == len(sections)


def _kept_rows(run: list[TableSection], rows: Array, closed: bool) -> Integers:
    kept = usable_rows(rows)
    if closed and len(kept) > 3:  # the closing row repeats the first one
        step = rows[kept[0]] - rows[kept[-1]]
        forward = rows[kept[-1]] - rows[kept[-2]]
        if np.linalg.norm(step) < SAME_PLACE or float(step @ forward) <= 0.0:
            kept = kept[:-1]
    if len(kept) < 6:
        raise InputError(
            f"Section '{run[0].name}' has only {len(kept)} usable rows (the others coincide or run backward);"
            " at least 6 are needed.",
            section_where(run[0].name),
        )
    return kept


def _refuse_gaps(run: list[TableSection]) -> None:
    """A section that continues must go on where the one before ends: refuse gaps of many rows."""
    for before, after in pairwise(run):
        a, b = np.array(before.positions[-2:]), np.array(after.positions[:2])
        steps = [float(np.linalg.norm(rows[1] - rows[0])) for rows in (a, b)]
        gap = float(np.linalg.norm(b[0] - a[1]))
        if gap > WIDEST_GAP + MAX_STEPS * max(steps):
            raise InputError(
                say(
                    "Section '{after}' is to continue '{before}' but begins {gap:.1f m} from its end; switch"
                    " 'continues' off or put the sections in order.",
                    after=after.name, before=before.name, gap=gap,
                ),
                section_where(after.name),
            )  # fmt: skip


def _cut(breaks: Array, coef: Array, positions: Array) -> tuple[Array, Array]:
    """The same pieces, cut at places as well (parameters inside the range)."""
    cuts = np.union1d(breaks, positions)
    owner = np.clip(np.searchsorted(breaks, cuts[:-1], side="right") - 1, 0, len(coef) - 1)
    shift = cuts[:-1] - breaks[owner]
    moved = np.zeros((len(owner), *coef.shape[1:]))
    for order in range(coef.shape[1]):  # Taylor shift, one ascending power at a time
        term = np.ones_like(shift)
        for power in range(order, coef.shape[1]):
            moved[:, order] += (term * _choose(power, order))[:, None] * coef[owner, power]
            term = term * shift
    return cuts, moved


def _choose(n: int, k: int) -> float:
    value = 1.0
    for i in range(k):
        value *= (n - i) / (i + 1)
    return value


def fit_run(run: list[TableSection], closed: bool) -> dict[str, TableShare]:
    """Fit the rows of a run by one smoothing spline and give every section its part.

    closed: the run is the whole of a closed track. A section reaches to the first row of the one that continues
    it, the last section to its last row (or back to the start). The tightest tolerance of the run is held.
    Raises InputError naming section and row for rows that cannot be fitted.
    """
    from .table_fit import smooth  # brings scipy along, which other tracks do without

    _refuse_gaps(run)
    rows = np.concatenate([np.array(section.positions) for section in run])
    counts = [len(section.positions) for section in run]
    offsets = np.concatenate([[0], np.cumsum(counts)])
    kept = _kept_rows(run, rows, closed)
    points = rows[kept]
    loop = np.vstack([points, points[:1]]) if closed else points
    u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(loop, axis=0), axis=1))])
    tolerance = min(section.tolerance for section in run)
    fit = smooth(u, points, tolerance, closed)
    owner = np.searchsorted(offsets, kept, side="right") - 1
    if fit.deviation.max() > tolerance:
        worst = int(np.argmax(fit.deviation))
        k = int(owner[worst])
        raise InputError(
            say(
                "Section '{section}', row {row}: the fit misses the row by {miss:.2f mm} (tolerance"
                " {tolerance:.2f mm}); raise the tolerance.",
                section=run[k].name, row=int(kept[worst] - offsets[k]) + 1, miss=fit.deviation[worst],
                tolerance=tolerance,
            ),
            section_where(run[k].name),
        )  # fmt: skip
    own = [np.flatnonzero(owner == k) for k in range(len(run))]
    for section, rows_of in zip(run, own, strict=True):
        if not len(rows_of) or (not closed and rows_of[0] == len(kept) - 1):
            raise InputError(
                f"Section '{section.name}' has no usable row of its own; join it with the one before.",
                section_where(section.name),
            )
    starts = np.array([u[rows_of[0]] for rows_of in own])
    breaks, coef = _cut(fit.breaks, fit.coef, starts[1:])
    edges = np.searchsorted(breaks, np.append(starts, breaks[-1]))
    shares: dict[str, TableShare] = {}
    for k, section in enumerate(run):
        a, b = int(edges[k]), int(edges[k + 1])
        width = breaks[b] - breaks[b - 1]
        last = np.sum(coef[b - 1] * width ** np.arange(coef.shape[1])[:, None], axis=0)
        mine = kept[own[k]] - offsets[k]
        shares[section.name] = TableShare(
            FittedLeg(breaks[a : b + 1] - breaks[a], coef[a:b]),
            coef[a, 0],
            coef[0, 0] if closed and k == len(run) - 1 else last,
            mine,
            u[own[k]] - starts[k],
            fit.deviation[own[k]],
            tuple(int(i) + 1 for i in np.setdiff1d(np.arange(counts[k]), mine)),
        )
    return shares
