"""The rails as independent curves with their own arc length, and the path tables of rails and centreline."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from .centreline import Centreline, FrameState
from .description import FrameKind
from .deviation import LEFT, RIGHT, Deviation
from .frames import Blends, Vectors, canted_derivatives, frame_turn, moved, path_functions
from .path import PathTable, hermite_coefficients, path_table

SPACING = 0.25  # m, first spacing of the knots of the path tables
POSITION_ERROR = 2e-10  # m, interpolation error in the middle of an interval that is not refined further
SPEED_ERROR = 5e-10  # | |dc/dL| - 1 | likewise
UNIT_ERROR = 1e-8  # | |n| - 1 | likewise
REFINEMENTS = 6
GAUSS = 4  # Gauss places in half an interval for the length of a rail
SHORTEST = 0.01  # m, intervals are not cut below this
BATCH = 512  # intervals looked at together: the memory that takes is freed for the next ones
MIN_RAIL_SPEED = 0.05  # dL_rail/ds below this: the inner rail stands still or runs backward


@dataclass(frozen=True)
class RailMap:
    """Arc length of a rail against arc length of the centreline, quintic in both directions.

    s, L (k+1,) m at common knots; forward, backward (k, 6) ascending in (s - s[i]) and (L - L[i]).
    """

    closed: bool
    s: Array
    L: Array
    forward: Array
    backward: Array

    def to_rail(self, s: ArrayLike) -> Array:
        """Arc length (m) of the rail at arc length s (m) of the centreline."""
        return _follow(self.s, self.L[-1], self.forward, np.asarray(s, dtype=float), self.closed)

    def to_centreline(self, L: ArrayLike) -> Array:
        """Arc length (m) of the centreline at arc length L (m) of the rail."""
        return _follow(self.L, self.s[-1], self.backward, np.asarray(L, dtype=float), self.closed)


def _follow(knots: Array, period: float, coef: Array, x: Array, closed: bool) -> Array:
    laps = np.floor(x / knots[-1]) if closed else np.zeros_like(x)
    inside = x - laps * knots[-1]
    k = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, len(coef) - 1)
    held = np.clip(inside, 0.0, knots[-1])
    h = held - knots[k]
    value = np.zeros_like(h)
    for power in range(5, -1, -1):
        value = value * h + coef[k, power]
    # beyond an open end the path goes on straight and so at the same pace as the centreline
    result: Array = value + laps * period + (inside - held)
    return result


def _first_knots(line: Centreline, blends: Blends | None) -> Array:
    """Knots at every border of pieces and roll intervals and about every SPACING in between."""
    borders = [line.piece_s, line.roll_law.s]
    if blends is not None:
        borders += [blends.start, blends.end]
    edges = np.unique(np.clip(np.concatenate(borders), 0.0, line.length))
    near = np.diff(edges, prepend=-1.0) < 1e-9
    edges = edges[~near]
    edges[-1] = line.length
    parts = np.ceil(np.diff(edges) / SPACING - 1e-9).astype(int).clip(1)
    pieces = [np.linspace(edges[k], edges[k + 1], parts[k] + 1)[:-1] for k in range(len(parts))]
    return np.append(np.concatenate(pieces), line.length)


@dataclass(frozen=True)
class _End:
    """Everything known at one end of the intervals: frame state, vectors and turn of the chosen frame."""

    state: FrameState
    vectors: Vectors
    turn: Array


@dataclass(frozen=True)
class _States:
    """What the three paths share: states at the starts, ends and middles of the intervals [a, b] (k) and at the
    Gauss places of both halves (k * 2 * GAUSS)."""

    width: Array
    start: _End
    end: _End
    middle: FrameState
    gauss: FrameState


def _states(line: Centreline, kind: FrameKind, blends: Blends | None, a: Array, b: Array) -> _States:
    def end(positions: Array, from_left: bool) -> _End:
        state = line.state(positions, from_left=from_left)
        return _End(state, canted_derivatives(state), frame_turn(line, kind, state, blends))

    quarter = 0.25 * (b - a)
    node, _ = np.polynomial.legendre.leggauss(GAUSS)
    offsets = quarter[:, None] * np.concatenate([1.0 + node, 3.0 + node])
    return _States(
        b - a,
        end(a, False),
        end(b, True),
        line.state(a + 2.0 * quarter),
        line.state((a[:, None] + offsets).ravel()),
    )


@dataclass(frozen=True)
class _Sampled:
    """Exact values at the ends of intervals for one path: start, end (k, 3, 9), dL/ds and d2L/ds2 there (k, 2),
    length of every interval (k,), exact position in the middle (k, 3) and length up to there (k,)."""

    start: Array
    end: Array
    speed_start: Array
    speed_end: Array
    length: Array
    middle: Array
    middle_length: Array

    def only(self, which: NDArray[np.bool_]) -> _Sampled:
        """Some of the intervals."""
        return _Sampled(*(getattr(self, f.name)[which] for f in fields(self)))


class TooTightError(InputError):
    """A curve too tight for the gauge, at s (m) of the centreline."""

    def __init__(self, s: float, text: str) -> None:
        super().__init__(text)
        self.s = s


def _half_lengths(states: _States, offset: float, deviation: Deviation | None) -> Array:
    """Length of both halves of every interval of the curve `offset` to the left, (k, 2): integral of
    |t + offset left'|, and of what it deviates by."""
    width = states.width
    if offset == 0.0:
        return np.stack([0.5 * width, 0.5 * width], axis=-1)
    state = states.gauss
    bend = np.sum(state.curve[:, 2] * state.left, axis=-1)
    along = 1.0 - offset * bend
    if np.any(along < MIN_RAIL_SPEED):
        k = int(np.argmin(along))
        raise TooTightError(
            float(state.s[k]),
            say(
                "At s = {s:.2f m} the track turns with a radius of {radius:.2f m}, too tight for a gauge of"
                " {gauge:.2f m}; widen the curve or reduce the gauge.",
                s=state.s[k], radius=1.0 / abs(bend[k]), gauge=2.0 * abs(offset),
            ),
        )  # fmt: skip
    speed = np.hypot(along, offset * state.twist[:, 0])
    if deviation is not None:
        vectors = canted_derivatives(state)
        further = moved(vectors, deviation.of(LEFT if offset > 0.0 else RIGHT, state.s))[1]
        speed = np.linalg.norm(state.tangent + offset * vectors.left[:, 1] + further, axis=1)
    speed = speed.reshape(len(width), 2, GAUSS)
    _, weight = np.polynomial.legendre.leggauss(GAUSS)
    halves: Array = 0.25 * width[:, None] * (speed @ weight)
    return halves


def _sample(states: _States, offset: float, deviation: Deviation | None) -> _Sampled:
    if offset == 0.0:
        deviation = None  # the centreline is where it was drawn

    def away(state: FrameState) -> Array | None:
        return None if deviation is None else deviation.of(LEFT if offset > 0.0 else RIGHT, state.s)

    halves = _half_lengths(states, offset, deviation)
    ends = [
        path_functions(e.state, e.vectors, offset, e.turn, away(e.state)) for e in (states.start, states.end)
    ]
    position = states.middle.curve[:, 0] + offset * states.middle.left
    if (middle := away(states.middle)) is not None:
        position = position + middle[:, 0, :1] * states.middle.left + middle[:, 0, 1:] * states.middle.up
    speeds = [np.stack([e[1], e[2]], axis=-1) for e in ends]
    return _Sampled(ends[0][0], ends[1][0], speeds[0], speeds[1], halves.sum(axis=-1), position, halves[:, 0])


def _rough(sampled: _Sampled) -> NDArray[np.bool_]:
    """Intervals whose quintic misses the exact curve, unit speed or a unit frame vector by too much.

    The error of the slope is zero in the middle and largest at 0.276 of the interval.
    """
    h = sampled.length
    coef = hermite_coefficients(h, sampled.start[:, :, :6], sampled.end[:, :, :6])
    x, y = sampled.middle_length[:, None], 0.276 * h[:, None]
    value, slope, beside = np.zeros((len(h), 6)), np.zeros((len(h), 3)), np.zeros((len(h), 3))
    for power in range(5, -1, -1):
        value = value * x + coef[:, :, power]
        slope = slope * y + beside
        beside = beside * y + coef[:, :3, power]
    miss = np.linalg.norm(value[:, :3] - sampled.middle, axis=-1)
    uneven = np.abs(np.linalg.norm(slope, axis=-1) - 1.0)
    off_unit = np.abs(np.linalg.norm(value[:, 3:], axis=-1) - 1.0)
    missed = (miss > POSITION_ERROR) | (uneven > SPEED_ERROR) | (off_unit > UNIT_ERROR)
    rough: NDArray[np.bool_] = missed & (h > 2.0 * SHORTEST)
    return rough


def build_paths(
    line: Centreline, kind: FrameKind, gauge: float, blends: Blends | None, deviation: Deviation | None = None
) -> tuple[dict[str, PathTable], dict[str, RailMap]]:
    """Path tables of the centreline and both rails, and the maps of arc length between them.

    The three share their knots (as places on the centreline); intervals are halved until the quintic misses the
    exact curve by less than POSITION_ERROR, its speed differs from one by less than SPEED_ERROR and the length of n by
    less than UNIT_ERROR.
    Raises InputError where a curve is too tight for the gauge (m).
    """
    offsets = {"centreline": 0.0, "left_rail": 0.5 * gauge, "right_rail": -0.5 * gauge}
    edges = _first_knots(line, blends)
    a, b = edges[:-1], edges[1:]
    positions: list[Array] = []
    batches: dict[str, list[_Sampled]] = {name: [] for name in offsets}
    for level in range(REFINEMENTS):
        again = []
        for first in range(0, len(a), BATCH):
            some = slice(first, first + BATCH)
            states = _states(line, kind, blends, a[some], b[some])
            samples = {name: _sample(states, offset, deviation) for name, offset in offsets.items()}
            rough = np.any([_rough(sampled) for sampled in samples.values()], axis=0)
            if level == REFINEMENTS - 1:
                rough[:] = False
            positions.append(a[some][~rough])
            for name, sampled in samples.items():
                batches[name].append(sampled.only(~rough))
            again.append(rough)
        rough = np.concatenate(again)
        if not np.any(rough):
            break
        middle = 0.5 * (a + b)
        a, b = np.concatenate([a[rough], middle[rough]]), np.concatenate([middle[rough], b[rough]])
    starts = np.concatenate(positions)
    order = np.argsort(starts)
    knots = np.append(starts[order], line.length)
    paths, rails = {}, {}
    for name, batch in batches.items():
        sampled = _Sampled(
            *(np.concatenate([getattr(one, f.name) for one in batch])[order] for f in fields(_Sampled))
        )
        own = np.concatenate([[0.0], np.cumsum(sampled.length)])
        if name == "centreline":
            own = knots
        else:
            rails[name] = _rail_map(line.closed, knots, own, sampled)
        paths[name] = path_table(name, line.closed, own, sampled.start, sampled.end)
    return paths, rails


def _rail_map(closed: bool, s: Array, L: Array, sampled: _Sampled) -> RailMap:
    def ends(known: Array, own: Array, rates: Array) -> Array:
        return np.stack([known, rates[:, 0], rates[:, 1]], axis=1)[:, :, None]

    def inverse(rates: Array) -> Array:
        return np.stack([1.0 / rates[:, 0], -rates[:, 1] / rates[:, 0] ** 3], axis=-1)

    forward = hermite_coefficients(
        np.diff(s), ends(L[:-1], s, sampled.speed_start), ends(L[1:], s, sampled.speed_end)
    )[:, 0]
    backward = hermite_coefficients(
        np.diff(L), ends(s[:-1], L, inverse(sampled.speed_start)), ends(s[1:], L, inverse(sampled.speed_end))
    )[:, 0]
    return RailMap(closed, s, L, forward, backward)
