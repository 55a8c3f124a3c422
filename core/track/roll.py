"""The roll law: how the cants prescribed along the track become one smooth rotation about the tangent.

Between two places with a prescribed cant the cant itself is interpolated where the track stays clear of the
vertical, so a constant cant stays constant; where it passes near the vertical (loops), and the horizontal
reference turns over, the roll against the rotation-minimising vector is interpolated instead. Both kinds meet
with matching roll, roll rate and two more derivatives. The rule of the interpolation is a polynomial of degree
7 in every interval with rates limited as in monotone cubic interpolation (Fritsch & Butland 1984; Huynh 1993).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from .centreline import Centreline, RollLaw

AGAINST_REFERENCE, AGAINST_HORIZONTAL = 0, 1
USABLE_FLAT = (
    0.1  # horizontal part of the tangent below which a cant is not a direction (5.7 deg of vertical)
)
STEEPEST = 0.9  # |t_z| up to which the cant itself is interpolated
# largest rate at a node over the smaller neighbouring slope; the degree-7 step is monotone up to this
RATE_LIMIT = 1.8

_END = np.array([[1.0, 1, 1, 1], [4, 5, 6, 7], [12, 20, 30, 42], [24, 60, 120, 210]])
_END_INVERSE = np.linalg.inv(_END)
TURN = 2.0 * np.pi
# k-th derivative of x^i: factor of x^(i-k), (4, 8); the part of the known low powers; their Taylor factors
_FACTORS = np.array([[np.prod(np.arange(i, i - k, -1.0)) for i in range(8)] for k in range(4)])
_LOW = _FACTORS[:, :4]
_TAYLOR = 1.0 / np.array([1.0, 1.0, 2.0, 6.0])


@dataclass
class Anchors:
    """Places where the roll is known, in running order.

    s (n,) m; roll (n,) rad against the rotation-minimising vector, modulo a turn; cant (n,) against the horizontal,
    NaN near the vertical; horizontal (n, 3): turn rate of the horizontal frame and two derivatives, 0 near the
    vertical; fixed (n, 3): derivatives 1..3 of the roll where they are prescribed, NaN elsewhere; steep (n,): size of
    the vertical part of the tangent.
    """

    s: Array
    roll: Array
    cant: Array
    horizontal: Array
    fixed: Array
    steep: Array

    def of(self, which: Integers | NDArray[np.bool_]) -> Anchors:
        """Some of the anchors."""
        return Anchors(*(getattr(self, name)[which] for name in ANCHOR_FIELDS))


ANCHOR_FIELDS = ("s", "roll", "cant", "horizontal", "fixed", "steep")


@dataclass(frozen=True)
class TableRoll:
    """Roll of a table section: breaks s (k+1,) and coef (k, 8) against the rotation-minimising vector. steady: the
    roll beside it takes over its rate but no higher derivative, which would swing over a long stretch."""

    s: Array
    coef: Array
    steady: bool = False


def septics(h: Array, start: Array, end: Array) -> Array:
    """Coefficients (n, 8) ascending of degree-7 polynomials over [0, h] (n,) with value and derivatives 1..3 (n, 4)
    at both ends."""
    low = start * _TAYLOR
    powers = h[:, None] ** np.arange(8)
    rest = end * powers[:, :4] - (low * powers[:, :4]) @ _LOW.T
    return np.concatenate([low, (rest @ _END_INVERSE.T) / powers[:, 4:]], axis=1)


def septic(h: float, start: Array, end: Array) -> Array:
    """One polynomial (8,) of `septics`."""
    one: Array = septics(np.array([h]), np.asarray(start)[None], np.asarray(end)[None])[0]
    return one


def _near(angle: Array, towards: Array) -> Array:
    """angle moved by whole turns to within half a turn of towards."""
    return np.asarray(angle - TURN * np.round((angle - towards) / TURN))


def _wrapped_steps(step: Array) -> Array:
    """Steps of cant brought to within half a turn; exactly half a turn keeps its sign."""
    wrapped = step - TURN * np.round(step / TURN)
    half = np.abs(np.abs(wrapped) - np.pi) < 1e-9
    return np.where(half, np.copysign(wrapped, step), wrapped)


def horizontal_rates(line: Centreline, s: Array) -> Array:
    """Turn rate of the horizontal frame about the tangent with two derivatives, (n, 3); not near the vertical."""
    flat = RollLaw(np.array([0.0, line.length]), np.array([AGAINST_HORIZONTAL]), np.zeros((1, 8)))
    return line.with_roll(flat).state(s).twist


def reference_cant(line: Centreline, s: Array) -> Array:
    """Cant (rad) the rotation-minimising vector has at s (n,)."""
    plain = RollLaw(np.array([0.0, line.length]), np.array([AGAINST_REFERENCE]), np.zeros((1, 8)))
    return line.with_roll(plain).state(s).cant


def usable(line: Centreline, s: Array) -> NDArray[np.bool_]:
    """Places (n,) far enough from the vertical for a cant to mean something."""
    t = line.derivatives(s)[:, 1]
    flat: NDArray[np.bool_] = np.hypot(t[:, 0], t[:, 1]) >= USABLE_FLAT
    return flat


def _anchors_at(line: Centreline, s: Array) -> tuple[Anchors, Array]:
    """Anchors at s (n,) without roll and rates yet, and the cant (n,) of the rotation-minimising vector there."""
    plain = RollLaw(np.array([0.0, line.length]), np.array([AGAINST_REFERENCE]), np.zeros((1, 8)))
    state = line.with_roll(plain).state(s)
    t = state.tangent
    good = np.hypot(t[:, 0], t[:, 1]) >= USABLE_FLAT
    horizontal = np.zeros((len(s), 3))
    horizontal[good] = horizontal_rates(line, s[good])
    free = np.full(len(s), np.nan)
    made = Anchors(s, free, free.copy(), horizontal, np.full((len(s), 3), np.nan), np.abs(t[:, 2]))
    return made, np.where(good, state.cant, np.nan)


def _cant_anchors(line: Centreline, s: Array, cants: Array, rates: Array) -> Anchors:
    """Anchors of prescribed cants (n,) at s (n,) with derivatives (n, 3), NaN where free; not near the vertical."""
    made, level = _anchors_at(line, s)
    made.cant, made.roll = cants, cants - level
    made.fixed = rates + made.horizontal
    return made.of(np.isfinite(level))


def _table_anchors(line: Centreline, tables: list[TableRoll]) -> Anchors:
    """Two anchors for every table, at its start and its end."""
    s = np.array([position for table in tables for position in (table.s[0], table.s[-1])])
    made, level = _anchors_at(line, s)
    ends = np.array([part for table in tables for part in (table.coef[0], table.coef[-1])])
    x = np.array([part for table in tables for part in (0.0, table.s[-1] - table.s[-2])])
    powers = x[:, None] ** np.arange(8)
    values = np.stack(
        [np.sum(ends[:, k:] * _FACTORS[k, k:] * powers[:, : 8 - k], axis=1) for k in range(4)], 1
    )
    made.roll, made.fixed = values[:, 0].copy(), values[:, 1:].copy()
    made.cant = values[:, 0] + level
    steady = np.repeat([table.steady for table in tables], 2)
    made.fixed[steady, 1:] = 0.0
    return made


@dataclass
class _Intervals:
    """Stretches from anchor a to anchor b (n,), h (m) long, with the kind of roll, its start and its step (rad)."""

    a: Integers
    b: Integers
    h: Array
    mode: Integers
    start: Array
    step: Array


def _steepest(line: Centreline, begin: Array, end: Array) -> Array:
    """Largest vertical part of the tangent at the borders of the cells in each [begin, end] (n,) of the line."""
    steep = np.append(np.abs(line.cell_t[:, 2]), 0.0)
    first = np.searchsorted(line.cell_s, begin, side="right")
    last = np.searchsorted(line.cell_s, end, side="left")
    maximum = np.maximum.reduceat(steep, np.stack([first, np.maximum(last, first)], axis=1).ravel())[::2]
    return np.where(last > first, maximum, 0.0)


def _make_intervals(line: Centreline, anchors: Anchors, a: Integers, b: Integers) -> _Intervals:
    """The stretches between anchors (over the seam where b comes before a)."""
    over_seam = anchors.s[b] <= anchors.s[a]
    h = anchors.s[b] - anchors.s[a] + np.where(over_seam, line.length, 0.0)
    end = anchors.s[a] + h
    steep = np.maximum(_steepest(line, anchors.s[a], np.minimum(end, line.length)), anchors.steep[a])
    steep = np.maximum(steep, anchors.steep[b])
    steep = np.maximum(steep, _steepest(line, np.zeros(len(a)), np.where(over_seam, anchors.s[b], 0.0)))
    free = (steep > STEEPEST) | ~np.isfinite(anchors.cant[a]) | ~np.isfinite(anchors.cant[b])
    target = anchors.roll[b] - np.where(over_seam, line.holonomy, 0.0)
    step = _near(target, anchors.roll[a]) - anchors.roll[a]
    level = _wrapped_steps(anchors.cant[b] - anchors.cant[a])
    return _Intervals(
        a,
        b,
        h,
        np.where(free, AGAINST_REFERENCE, AGAINST_HORIZONTAL),
        np.where(free, anchors.roll[a], anchors.cant[a]),
        np.where(free, step, level),
    )


def _limited(left: Array, right: Array, hl: Array, hr: Array) -> Array:
    """Rate and its two derivatives (n, 3) at nodes between slopes left and right: parabola, limited so as not to
    overshoot."""
    rate = (left * hr + right * hl) / (hl + hr)
    maximum = RATE_LIMIT * np.minimum(np.abs(left), np.abs(right))
    cut = np.abs(rate) > maximum
    rate = np.where(cut, np.copysign(maximum, rate), rate)
    bend = np.where(cut, 0.0, 2.0 * (right - left) / (hl + hr))
    same = left * right > 0.0
    return np.stack([np.where(same, rate, 0.0), np.where(same, bend, 0.0), np.zeros(len(rate))], axis=1)


def _node_rates(anchors: Anchors, spans: _Intervals) -> tuple[Array, Array]:
    """Derivatives 1..3 of cant and of roll at every anchor: (n, 3), (n, 3)."""
    n = len(anchors.s)
    before, after = np.full(n, -1), np.full(n, -1)
    before[spans.b], after[spans.a] = np.arange(len(spans.a)), np.arange(len(spans.a))
    horizontal = anchors.horizontal
    cant, roll = np.zeros((n, 3)), horizontal.copy()
    k = np.flatnonzero((before >= 0) & (after >= 0))
    left, right = before[k], after[k]
    free = [spans.mode[side] == AGAINST_REFERENCE for side in (left, right)]
    both = free[0] & free[1]
    slopes = [
        spans.step[side] / spans.h[side] - np.where(against & ~both, horizontal[k, 0], 0.0)
        for side, against in zip((left, right), free, strict=True)
    ]
    own = _limited(slopes[0], slopes[1], spans.h[left], spans.h[right])
    cant[k] = np.where(both[:, None], own - horizontal[k], own)
    roll[k] = np.where(both[:, None], own, own + horizontal[k])
    given = ~np.isnan(anchors.fixed).any(axis=1)
    roll[given] = anchors.fixed[given]
    cant[given] = anchors.fixed[given] - horizontal[given]
    return cant, roll


def _interval_coefficients(anchors: Anchors, spans: _Intervals) -> Array:
    """Polynomials (n, 8) of all intervals."""
    cant, roll = _node_rates(anchors, spans)
    level = (spans.mode == AGAINST_HORIZONTAL)[:, None]
    start = np.where(level, cant[spans.a], roll[spans.a])
    end = np.where(level, cant[spans.b], roll[spans.b])
    return septics(
        spans.h,
        np.column_stack([spans.start, start]),
        np.column_stack([spans.start + spans.step, end]),
    )


def _split_at_seam(
    line: Centreline, s: float, mode: int, coef: Array, h: float
) -> list[tuple[float, int, Array]]:
    """A stretch from s over h as pieces inside [0, length]."""
    if s + h <= line.length * (1.0 + 1e-12):
        return [(s, mode, coef)]
    shifted = np.polynomial.Polynomial(coef)(np.polynomial.Polynomial([line.length - s, 1.0])).coef
    rest: Array = np.zeros(8)
    rest[: len(shifted)] = np.real(shifted)
    if mode == AGAINST_REFERENCE:
        rest[0] += line.holonomy
    pieces = [(0.0, mode, rest)]
    return pieces if s >= line.length else [(s, mode, coef), *pieces]


def _constant(value: float) -> Array:
    return np.concatenate([[value], np.zeros(7)])


def _without_anchors(line: Centreline) -> RollLaw:
    """Level at the start and rotation-minimising; a closed track spreads the turn that closes it evenly."""
    level = _constant(0.0)
    if usable(line, np.array([0.0]))[0]:
        level[0] = -reference_cant(line, np.array([0.0]))[0]
    level[1] = -line.holonomy / line.length
    return RollLaw(np.array([0.0, line.length]), np.array([AGAINST_REFERENCE]), level[None])


def roll_law(
    line: Centreline, s: Array, cants: Array, tables: list[TableRoll], rates: Array | None = None
) -> RollLaw:
    """Roll law through prescribed cants and the fitted rolls of table sections.

    s (n,) increasing positions (m) with prescribed cants (n,) (rad, see ControlPoint); entries near the vertical are
    left out. rates (n, 3): derivatives 1..3 of the cant by s where prescribed, NaN where they follow from the
    neighbours; None: everywhere. tables in running order, not overlapping; cants within them give way. From one
    prescribed cant to the next the roll takes the shorter way; larger rolls need points in between. Before the first
    and after the last one of an open track the roll stays as it is.
    """
    rates = np.full((len(s), 3), np.nan) if rates is None else rates
    anchors, open_after = _all_anchors(line, _cant_anchors(line, s, cants, rates), tables)
    count = len(anchors.s)
    if not count:
        return _without_anchors(line)
    positions = [table.s[:-1] for table in tables]
    coefs = [table.coef for table in tables]
    modes = [np.full(len(table.coef), AGAINST_REFERENCE) for table in tables]
    whole = line.closed and tables and anchors.s[-1] - anchors.s[0] >= line.length * (1.0 - 1e-12)
    a = np.flatnonzero(open_after[:-1])
    b = a + 1
    if line.closed and not whole:
        a, b = np.append(a, count - 1), np.append(b, 0)
    held = [] if line.closed else _hold_outside(line, anchors)
    spans = _make_intervals(line, anchors, a, b)
    coef = _interval_coefficients(anchors, spans)
    begin = anchors.s[a]
    seam = begin + spans.h > line.length * (1.0 + 1e-12)
    positions.append(begin[~seam])
    coefs.append(coef[~seam])
    modes.append(spans.mode[~seam])
    for k in np.flatnonzero(seam):
        held += _split_at_seam(line, float(begin[k]), int(spans.mode[k]), coef[k], float(spans.h[k]))
    for position, mode, row in held:
        positions.append(np.array([position]))
        coefs.append(row[None])
        modes.append(np.array([mode]))
    every = np.concatenate(positions)
    order = np.argsort(every, kind="stable")
    return RollLaw(
        np.append(every[order], line.length),
        np.concatenate(modes)[order].astype(np.int64),
        np.ascontiguousarray(np.concatenate(coefs)[order]),
    )


def _all_anchors(
    line: Centreline, given: Anchors, tables: list[TableRoll]
) -> tuple[Anchors, NDArray[np.bool_]]:
    """Anchors of the prescribed cants and of the ends of the tables, sorted, and whether the roll from each of them
    to the next is still open. Where a table has its say, other anchors give way to it."""
    if not tables:
        return given.of(np.argsort(given.s, kind="stable")), np.ones(len(given.s), dtype=bool)
    ends = _table_anchors(line, tables)
    keep = np.ones(len(given.s), dtype=bool)
    stay = np.ones(len(ends.s), dtype=bool)
    for k in range(len(tables)):
        low, high = ends.s[2 * k] - 1e-9, ends.s[2 * k + 1] + 1e-9
        keep &= ~((given.s >= low) & (given.s <= high))
        if k and low <= ends.s[2 * k - 1]:  # tables that follow one another share the place
            stay[2 * k - 1] = False
    opens = np.concatenate([np.ones(int(keep.sum()), dtype=bool), np.tile([False, True], len(tables))[stay]])
    given, ends = given.of(keep), ends.of(stay)
    both = Anchors(*(np.concatenate([getattr(given, n), getattr(ends, n)]) for n in ANCHOR_FIELDS))
    order = np.argsort(both.s, kind="stable")
    return both.of(order), opens[order]


def _hold_outside(line: Centreline, anchors: Anchors) -> list[tuple[float, int, Array]]:
    """Stretches before the first and after the last anchor of an open track: constant roll, except next to a
    table, where the roll rate runs out over the stretch."""
    held: list[tuple[float, int, Array]] = []
    for k, outside in ((0, float(anchors.s[0])), (-1, line.length - float(anchors.s[-1]))):
        if outside <= 1e-9:
            continue
        if np.isnan(anchors.fixed[k]).any():
            anchors.fixed[k] = 0.0
        rates, roll = anchors.fixed[k], float(anchors.roll[k])
        known = np.concatenate([[roll], rates])
        drift = 0.5 * float(rates[0]) * outside
        if k == 0:
            held.append((0.0, AGAINST_REFERENCE, septic(outside, _constant(roll - drift)[:4], known)))
        else:
            coef = septic(outside, known, _constant(roll + drift)[:4])
            held.append((float(anchors.s[k]), AGAINST_REFERENCE, coef))
    return held
