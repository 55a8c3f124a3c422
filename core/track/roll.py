"""The roll law: how the cants prescribed along the track become one smooth rotation about the tangent.

Between two places with a prescribed cant the cant itself is interpolated where the track stays clear of the
vertical, so a constant cant stays constant; where it passes near the vertical (loops), and the horizontal
reference turns over, the roll against the rotation-minimising vector is interpolated instead. Both kinds meet
with matching roll, roll rate and two more derivatives. The rule of the interpolation is a polynomial of degree
7 in every interval with rates limited as in monotone cubic interpolation (Fritsch & Butland 1984; Huynh 1993).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.track.centreline import Centreline, RollLaw

Array = NDArray[np.float64]

AGAINST_REFERENCE, AGAINST_HORIZONTAL = 0, 1
USABLE_FLAT = (
    0.1  # horizontal part of the tangent below which a cant is not a direction (5.7 deg of vertical)
)
STEEPEST = 0.9  # |t_z| up to which the cant itself is interpolated
# largest rate at a node over the smaller neighbouring slope; the degree-7 step is monotone up to this
RATE_LIMIT = 1.8

_END = np.array([[1.0, 1, 1, 1], [4, 5, 6, 7], [12, 20, 30, 42], [24, 60, 120, 210]])
_END_INVERSE = np.linalg.inv(_END)


@dataclass(frozen=True)
class Anchor:
    """A place where the roll is known. s (m); roll (rad) against the rotation-minimising vector, modulo a turn;
    cant (rad) against the horizontal or None near the vertical; horizontal (3,): turn rate of the horizontal
    frame and two derivatives; fixed: derivatives 1..3 of the roll if they are prescribed."""

    s: float
    roll: float
    cant: float | None
    horizontal: Array
    fixed: Array | None = None


@dataclass(frozen=True)
class TableRoll:
    """Roll of a table section: breaks s (k+1,) and coef (k, 8) against the rotation-minimising vector."""

    s: Array
    coef: Array


def septic(h: float, start: Array, end: Array) -> Array:
    """Coefficients (8,) ascending of the degree-7 polynomial over [0, h] with value and derivatives 1..3 (4,) at
    both ends."""
    low = start / np.array([1.0, 1.0, 2.0, 6.0])
    powers = h ** np.arange(8)
    rest = np.empty(4)
    for k in range(4):
        taylor = sum(low[i] * h ** (i - k) * np.prod(np.arange(i, i - k, -1)) for i in range(k, 4))
        rest[k] = (end[k] - taylor) * h**k
    return np.concatenate([low, _END_INVERSE @ rest / powers[4:]])


def _derivatives(coef: Array, x: float) -> Array:
    poly = np.polynomial.Polynomial(coef)
    return np.array([poly.deriv(k)(x) if k else poly(x) for k in range(4)])


def _near(angle: float, towards: float) -> float:
    """angle moved by whole turns to within half a turn of towards."""
    return angle - 2.0 * np.pi * round((angle - towards) / (2.0 * np.pi))


def _wrapped_step(step: float) -> float:
    """A step of cant brought to within half a turn; exactly half a turn keeps its sign."""
    wrapped = step - 2.0 * np.pi * round(step / (2.0 * np.pi))
    if abs(abs(wrapped) - np.pi) < 1e-9:
        return float(np.copysign(wrapped, step))
    return wrapped


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


def anchors_of(line: Centreline, s: Array, cants: Array, rates: Array) -> list[Anchor]:
    """Anchors of prescribed cants (n,) at s (n,) with derivatives (n, 3), NaN where free; not near the vertical."""
    keep = usable(line, s) if len(s) else np.zeros(0, dtype=bool)
    s, cants, rates = s[keep], cants[keep], rates[keep]
    if not len(s):
        return []
    roll = cants - reference_cant(line, s)
    level = horizontal_rates(line, s)
    fixed = [None if np.isnan(own).any() else own + turn for own, turn in zip(rates, level, strict=True)]
    return [Anchor(float(s[i]), float(roll[i]), float(cants[i]), level[i], fixed[i]) for i in range(len(s))]


def _table_anchors(line: Centreline, table: TableRoll) -> tuple[Anchor, Anchor]:
    ends = []
    for s, value in (
        (table.s[0], _derivatives(table.coef[0], 0.0)),
        (table.s[-1], _derivatives(table.coef[-1], float(table.s[-1] - table.s[-2]))),
    ):
        place = np.array([s])
        if usable(line, place)[0]:
            cant = float(value[0] + reference_cant(line, place)[0])
            ends.append(Anchor(float(s), float(value[0]), cant, horizontal_rates(line, place)[0], value[1:]))
        else:
            ends.append(Anchor(float(s), float(value[0]), None, np.zeros(3), value[1:]))
    return ends[0], ends[1]


@dataclass
class _Interval:
    a: int
    b: int
    h: float
    mode: int
    start: float
    step: float

    @property
    def slope(self) -> float:
        return self.step / self.h


def _interval(line: Centreline, anchors: list[Anchor], a: int, b: int) -> _Interval:
    """The stretch from anchor a to anchor b (over the seam when b comes before a)."""
    first, second = anchors[a], anchors[b]
    over_seam = second.s <= first.s
    h = second.s - first.s + (line.length if over_seam else 0.0)
    places = line.wrap(first.s + h * np.linspace(0.0, 1.0, max(5, int(h / 0.5))))
    steep = np.abs(line.derivatives(places)[:, 1, 2]).max() > STEEPEST
    if first.cant is None or second.cant is None or steep:
        target = second.roll - (line.holonomy if over_seam else 0.0)
        step = _near(target, first.roll) - first.roll
        return _Interval(a, b, h, AGAINST_REFERENCE, first.roll, step)
    return _Interval(a, b, h, AGAINST_HORIZONTAL, first.cant, _wrapped_step(second.cant - first.cant))


def _limited(left: float, right: float, hl: float, hr: float) -> tuple[float, float]:
    """Rate and its derivative at a node between slopes left and right: parabola, limited so as not to overshoot."""
    if left * right <= 0.0:
        return 0.0, 0.0
    rate = (left * hr + right * hl) / (hl + hr)
    most = RATE_LIMIT * min(abs(left), abs(right))
    if abs(rate) > most:
        return float(np.copysign(most, rate)), 0.0
    return rate, 2.0 * (right - left) / (hl + hr)


def _node_rates(anchor: Anchor, left: _Interval | None, right: _Interval | None) -> tuple[Array, Array]:
    """Derivatives 1..3 of cant and of roll at an anchor: (3,), (3,)."""
    horizontal = anchor.horizontal
    if anchor.fixed is not None:
        return anchor.fixed - horizontal, anchor.fixed
    if left is None or right is None:
        return np.zeros(3), horizontal.copy()
    both_free = left.mode == right.mode == AGAINST_REFERENCE
    shift = 0.0 if both_free else horizontal[0]
    slopes = [side.slope - (shift if side.mode == AGAINST_REFERENCE else 0.0) for side in (left, right)]
    own = np.array([*_limited(slopes[0], slopes[1], left.h, right.h), 0.0])
    return (own - horizontal, own) if both_free else (own, own + horizontal)


def _interval_coefficients(anchors: list[Anchor], intervals: list[_Interval]) -> list[Array]:
    """Polynomials (8,) of all intervals."""
    before = {iv.b: iv for iv in intervals}
    after = {iv.a: iv for iv in intervals}
    rates = [_node_rates(anchor, before.get(k), after.get(k)) for k, anchor in enumerate(anchors)]
    result = []
    for iv in intervals:
        which = 0 if iv.mode == AGAINST_HORIZONTAL else 1
        start = np.concatenate([[iv.start], rates[iv.a][which]])
        end = np.concatenate([[iv.start + iv.step], rates[iv.b][which]])
        result.append(septic(iv.h, start, end))
    return result


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

    s (n,) increasing places (m) with prescribed cants (n,) (rad, see ControlPoint); entries near the vertical are
    left out. rates (n, 3): derivatives 1..3 of the cant by s where prescribed, NaN where they follow from the
    neighbours; None: everywhere. tables in running order, not overlapping the cants except at their ends. From one prescribed cant to
    the next the roll takes the shorter way; larger rolls need points in between. Before the first and after the
    last one of an open track the roll stays as it is.
    """
    rates = np.full((len(s), 3), np.nan) if rates is None else rates
    anchors = anchors_of(line, s, cants, rates)
    entries: list[tuple[Anchor, TableRoll | None]] = [(anchor, None) for anchor in anchors]
    stretches: list[tuple[float, int, Array]] = []
    for table in tables:
        first, last = _table_anchors(line, table)
        entries = [e for e in entries if not first.s - 1e-9 <= e[0].s <= last.s + 1e-9]
        entries += [(first, table), (last, None)]
        stretches += [(float(table.s[k]), AGAINST_REFERENCE, table.coef[k]) for k in range(len(table.coef))]
    if not entries:
        return _without_anchors(line)
    entries.sort(key=lambda e: e[0].s)
    anchors = [e[0] for e in entries]
    whole = line.closed and tables and anchors[-1].s - anchors[0].s >= line.length * (1.0 - 1e-12)
    count = len(anchors)
    pairs = [(k, k + 1) for k in range(count - 1) if entries[k][1] is None]
    if line.closed and not whole:
        pairs.append((count - 1, 0))
    if not line.closed:
        stretches += _hold_outside(line, anchors)
    intervals = [_interval(line, anchors, a, b) for a, b in pairs]
    for iv, coef in zip(intervals, _interval_coefficients(anchors, intervals), strict=True):
        stretches += _split_at_seam(line, anchors[iv.a].s, iv.mode, coef, iv.h)
    stretches.sort(key=lambda piece: piece[0])
    places = np.array([piece[0] for piece in stretches] + [line.length])
    return RollLaw(
        places,
        np.array([piece[1] for piece in stretches], dtype=np.int64),
        np.ascontiguousarray([piece[2] for piece in stretches]),
    )


def _hold_outside(line: Centreline, anchors: list[Anchor]) -> list[tuple[float, int, Array]]:
    """Stretches before the first and after the last anchor of an open track: constant roll, except next to a
    table, where the roll rate runs out over the stretch."""
    held: list[tuple[float, int, Array]] = []
    for k, outside in ((0, anchors[0].s), (-1, line.length - anchors[-1].s)):
        if outside <= 1e-9:
            continue
        anchor = anchors[k]
        rates = np.zeros(3) if anchor.fixed is None else anchor.fixed
        anchors[k] = replace(anchor, fixed=rates)
        known = np.concatenate([[anchor.roll], rates])
        drift = 0.5 * rates[0] * outside
        if k == 0:
            held.append((0.0, AGAINST_REFERENCE, septic(outside, _constant(anchor.roll - drift)[:4], known)))
        else:
            coef = septic(outside, known, _constant(anchor.roll + drift)[:4])
            held.append((anchor.s, AGAINST_REFERENCE, coef))
    return held
