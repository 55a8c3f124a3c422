"""The track as the ride of points needs it: intervals with nodes, and on them height, pace, wheel load, rider loads.

Everything is a function of the arc length s (m) of the centreline, also when the points ride on the heartline: a train
is held together by the rails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where, section_where
from ..project.point_settings import PointRideSettings, RiddenSettings
from ..track.build import BuiltTrack
from ..track.centreline import FrameState
from ..track.device_spans import DeviceSpan
from ..track.heartline import HeartlineLaw, heartline_heights, heartline_law
from .grips import Grips, grip_borders, grips
from .line_kernels import (
    ABOVE_RAILS,
    BEND_SIDE,
    BEND_UP,
    MASS,
    MASS_RATE,
    ON_HEARTLINE,
    ON_RAILS,
    PACE,
    SIDE_2,
    SLOPE,
    UP_0,
    line_fields,
)

SAME_PLACE = 1e-9  # m, knots closer than this are one
UNIT_G = 9.81  # m/s^2, the unit of loads where a project has no gravity
MIN_PACE2 = 0.05  # mean squared pace below which the line is taken as folded back


@dataclass(frozen=True)
class Rule:
    """Nodes of an interval and how to integrate over them.

    x (J,) places from 0 to 1. table (J + 3, J): x; weights of a rule of lower order; barycentric weights; then the
    integrals of the nodes' interpolant from 0 to x[j]. rough: relative difference of the two rules beyond which the
    interval is ridden in time; tolerance: local error allowed then (m, m/s). exact: Gauss' rule, else Simpson's.
    """

    x: Array
    table: Array
    rough: float
    tolerance: float
    exact: bool


@dataclass(frozen=True)
class LineTables:
    """Intervals of the line with their nodes.

    s (I, J) m; motion (I, J, 6): height (m) against gravity, its slope, mean of the squared pace |dh/ds|^2, its
    derivative, mean pace, mean cube of the pace, over the points of the train. load (I, J, n, 7): for every point
    the wheels' force per mass to the left and upwards, each its part by q = (ds/dt)^2 and its part by g; its pace; and
    how far a couple moves it from wheel to wheel (`_loads`); n = 0 when the friction does not ask for it. rider (m,
    12): see `line_kernels`, at places rider_s (m,), row (I, J) its place. grips: what has hold of the train. law: the
    heartline; upward (3,), g (m/s^2): gravity.
    """

    s: Array
    motion: Array
    load: Array
    rider: Array
    row: Integers
    grips: Grips
    rule: Rule
    law: HeartlineLaw
    upward: Array
    g: float


def _interpolatory(x: Array, use: Integers, upto: float) -> Array:
    """Weights (J,) of the integral from 0 to `upto` of the polynomial through the nodes `use`."""
    powers = np.arange(len(use))
    weights = np.zeros(len(x))
    weights[use] = np.linalg.solve(np.vander(x[use], increasing=True).T, upto ** (powers + 1) / (powers + 1))
    return weights


@cache
def rule(exact: bool) -> Rule:
    """Gauss' rule of four nodes between the ends (order 8), or Simpson's (order 4) for a preview."""
    if exact:
        node, _ = np.polynomial.legendre.leggauss(4)
        x = np.concatenate([[0.0], 0.5 * (1.0 + node), [1.0]])
        use, below = np.arange(1, 5), np.array([0, 2, 3, 5])
    else:
        x = np.array([0.0, 0.5, 1.0])
        use, below = np.arange(3), np.array([0, 2])
    a = np.stack([_interpolatory(x, use, float(end)) for end in x])
    bary = np.array([1.0 / np.prod(x[j] - np.delete(x, j)) for j in range(len(x))])
    table = np.vstack([x, _interpolatory(x, below, 1.0), bary, a])
    return Rule(x, table, 3e-5 if exact else 0.02, 1e-12 if exact else 1e-6, exact)


def point_offsets(settings: PointRideSettings) -> Array:
    """Places (n,) m of the points of the train from its middle, forward positive."""
    if isinstance(settings, RiddenSettings) and settings.points:
        return np.array([point.ahead for point in settings.points])
    n = settings.masses
    return settings.train_length * ((np.arange(n) + 0.5) / n - 0.5)


def point_shares(settings: PointRideSettings) -> Array:
    """Shares (n,) of the mass of the train that its points have."""
    if isinstance(settings, RiddenSettings) and settings.points:
        return np.array([point.share for point in settings.points])
    return np.full(settings.masses, 1.0 / settings.masses)


def upward_and_g(gravity: Sequence[float]) -> tuple[Array, float]:
    """Unit vector against gravity (3,) and its size (m/s^2); without gravity the world's z and 0."""
    vector = np.asarray(gravity, dtype=float)
    g = float(np.linalg.norm(vector))
    return (np.array([0.0, 0.0, 1.0]), 0.0) if g == 0.0 else (-vector / g, g)


def _knots(edges: Array, length: float, widest: float) -> Array:
    inside = np.unique(np.concatenate([[0.0, length], edges[(edges > 0.0) & (edges < length)]]))
    kept = inside[np.concatenate([[True], np.diff(inside) > SAME_PLACE])]
    kept[-1] = length
    parts = np.ceil(np.diff(kept) / widest - 1e-9).astype(np.int64).clip(1)
    first = np.repeat(kept[:-1], parts)
    width = np.repeat(np.diff(kept) / parts, parts)
    order = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    return np.append(first + order * width, length)


def _point_fields(
    built: BuiltTrack,
    law: HeartlineLaw,
    at: Array,
    upward: Array,
    settings: PointRideSettings,
    from_left: bool,
) -> tuple[Array, Array]:
    """Motion (n, 12) and rider (n, 12) of single points at s (n,) m, which may lie outside an open track."""
    line = built.centreline
    state: FrameState = line.state(at, from_left=from_left)
    beyond = np.zeros(len(at)) if line.closed else at - np.clip(at, 0.0, line.length)
    motion, rider = np.empty((len(at), 12)), np.empty((len(at), 12))
    heights = heartline_heights(law, state.s)
    carried = ON_HEARTLINE if settings.line == "heartline" else ON_RAILS
    above = settings.mass_height
    if isinstance(settings, RiddenSettings) and settings.centre is not None:
        carried, above = ABOVE_RAILS, settings.centre
    line_fields(
        state.curve, state.left, state.twist, heights, beyond, upward, carried, above, motion, rider,
    )  # fmt: skip
    return motion, rider


def rider_rows(built: BuiltTrack, law: HeartlineLaw, at: Array, upward: Array) -> Array:
    """Rider's table (n, 12) at places s (n,) m of the centreline."""
    return _point_fields(
        built, law, np.ascontiguousarray(at, dtype=float), upward, PointRideSettings(), False
    )[1]


def _averaged(parts: Sequence[Array], settings: PointRideSettings, gauge: float) -> tuple[Array, Array]:
    """Motion (m, 6) of a train from that (m, 12) of its n points, and their loads (m, n, 7), whose mean is taken
    later: paces are weighted here. gauge: of the track (m)."""
    shares = point_shares(settings)
    stacked = np.stack(parts, axis=1)
    equal = bool(np.ptp(shares) <= 1e-12)
    motion = stacked[:, :, :6].mean(axis=1) if equal else np.einsum("mnc,n->mc", stacked[:, :, :6], shares)
    if settings.friction != "load":
        return np.ascontiguousarray(motion), np.empty((len(motion), 0, 7))
    return np.ascontiguousarray(motion), _loads(stacked, motion, settings, shares, gauge)


def _loads(stacked: Array, motion: Array, settings: PointRideSettings, shares: Array, gauge: float) -> Array:
    """Loads (m, n, 7) of n points at m places: side by q and by g, up by q and by g, weighted pace, arm, aside.

    stacked (m, n, 12) of the points, motion (m, 6) their mean. A point k of share w needs w (M s'' + M' q / 2 + g z')
    along the track, with M its squared pace; all have one s'', that of the train, so that those before it pull with a
    tension T = -(sum over them of w (g (z' - M z'_mean / M_mean) + q (M' - M M'_mean / M_mean) / 2)). Where the track
    bends by the curvature (a, b) the two neighbours, half of d away on either side, draw it inwards with
    (a, b) (T_ahead d_ahead + T_behind d_behind) / 2, which its wheels bear as well. On a crest and in a valley that
    presses the train on the rails, most its middle.
    """
    load = np.empty((*stacked.shape[:2], 7))
    load[:, :, :4] = stacked[:, :, SIDE_2 : UP_0 + 1]
    load[:, :, 4] = stacked[:, :, PACE] * shares * len(shares)
    load[:, :, 5:] = 0.0
    if isinstance(settings, RiddenSettings) and settings.points:
        load[:, :, 5] = [-point.arm / gauge for point in settings.points]
        load[:, :, 6] = [point.aside / gauge for point in settings.points]
    offsets = point_offsets(settings)
    if len(offsets) > 1:
        ratio = stacked[:, :, MASS] / motion[:, None, MASS]
        order = np.argsort(-offsets, kind="stable")
        half = -0.5 * np.diff(offsets[order])
        for column, factor, by in ((SLOPE, 1.0, 1), (MASS_RATE, 0.5, 0)):
            needed = factor * shares * (stacked[:, :, column] - ratio * motion[:, None, column])
            moment = -np.cumsum(needed[:, order], axis=1)[:, :-1] * half
            inwards = np.zeros_like(needed)
            inwards[:, order[1:]] += moment
            inwards[:, order[:-1]] += moment
            load[:, :, by] -= stacked[:, :, BEND_SIDE] * inwards / shares
            load[:, :, by + 2] -= stacked[:, :, BEND_UP] * inwards / shares
    return load


def _exact_nodes(
    built: BuiltTrack, law: HeartlineLaw, s: Array, settings: PointRideSettings, upward: Array
) -> tuple[Array, Array, Array, Integers]:
    """Motion, load and rider at every node, the last node of an interval taken from the left."""
    count, nodes = s.shape
    positions = [(s[:, :-1].ravel(), False), (s[:, -1], True)]
    offsets = point_offsets(settings)

    def gather(values: list[Array]) -> Array:
        inner, last = (v.reshape(count, -1, *v.shape[1:]) for v in values)
        return np.concatenate([inner, last], axis=1).reshape(count * nodes, *values[0].shape[1:])

    parts = []
    for offset in offsets:
        single = [_point_fields(built, law, p + offset, upward, settings, left) for p, left in positions]
        parts.append(gather([motion for motion, _ in single]))
    rider = gather([_point_fields(built, law, p, upward, settings, left)[1] for p, left in positions])
    motion, load = _averaged(parts, settings, built.track.gauge)
    return motion, load, rider, np.arange(count * nodes).reshape(count, nodes)


def _preview_nodes(
    built: BuiltTrack, law: HeartlineLaw, s: Array, settings: PointRideSettings, upward: Array
) -> tuple[Array, Array, Array, Integers]:
    """As `_exact_nodes` with shared ends; the points of a train from splines through the middle's values."""
    row = np.arange(len(s))[:, None] * (s.shape[1] - 1) + np.arange(s.shape[1])
    positions = np.append(s[:, :-1].ravel(), s[-1, -1])
    single, rider = _point_fields(built, law, positions, upward, settings, False)
    parts = [single]
    offsets = point_offsets(settings)
    if len(offsets) > 1:
        from scipy.interpolate import CubicSpline  # not needed to show the window

        smooth = CubicSpline(positions, single)
        parts = []
        for offset in offsets:
            at = positions + offset
            inside = built.centreline.wrap(at)
            shifted = smooth(inside)
            if not built.centreline.closed:
                shifted[:, 0] += (at - inside) * shifted[:, 1]
            parts.append(shifted)
    motion, load = _averaged(parts, settings, built.track.gauge)
    return motion, load, rider, row


@cache
def _between(exact: bool) -> Array:
    """Weights (9, J) of the nodes' interpolant at nine places of an interval, ends included."""
    x = rule(exact).x
    return np.vander(np.linspace(0.0, 1.0, 9), len(x)) @ np.linalg.inv(np.vander(x, len(x)))


def _refuse_folds(built: BuiltTrack, pace2: Array, s: Array, exact: bool) -> None:
    """InputError where the line stands nearly still, or runs back, while s (m) goes on; pace2 as s (I, J)."""
    inside = pace2 @ _between(exact).T
    lowest = int(np.argmin(inside.min(axis=1)))
    if float(inside[lowest].min()) >= MIN_PACE2:
        return
    position = float(s[lowest, 0] + (s[lowest, -1] - s[lowest, 0]) * int(np.argmin(inside[lowest])) / 8.0)
    bend = float(built.centreline.curvature([min(position, built.length)])[0])
    section = built.section_at(float(built.centreline.wrap(position)[0]))
    raise InputError(
        say(
            "The heartline folds back at s = {s:.1f m} in section '{section}', where the track bends with a radius of"
            " {radius:.1f m}, too tight for the height of the heartline above the rails; make the bend wider, or lower"
            " the heartline.",
            s=position, section=section, radius=1.0 / max(bend, 1e-9),
        ),
        section_where(section).filled(Where(s=position)),
    )  # fmt: skip


def line_tables(
    built: BuiltTrack,
    settings: PointRideSettings,
    spans: Sequence[DeviceSpan],
    gravity: Sequence[float],
    widest: float,
    exact: bool,
) -> LineTables:
    """Tables of the line of a built track for a train, with knots where devices take hold of cars and let go, at
    sections and the start position.

    spans: the devices; gravity (3,) m/s^2; widest: longest interval (m). exact: knots also at every border of the
    curve's and the roll's polynomials, for every point of the train, and Gauss' nodes; else Simpson's. Raises
    InputError for a heartline on a missing section, and for one that folds back in a bend.
    """
    line = built.centreline
    law = heartline_law(built.track.heartline, built.sections, line.length, line.closed)
    edges = [
        grip_borders(spans, settings, line.length, line.closed),
        np.array([section.s0 for section in built.sections]),
        line.wrap(settings.start),
    ]
    if exact:
        joins = np.concatenate([line.piece_s, line.roll_law.s, law.s])
        edges += [line.wrap(joins - offset) for offset in point_offsets(settings)]
    knots = _knots(np.concatenate(edges), line.length, widest)
    chosen = rule(exact)
    s = knots[:-1, None] + np.diff(knots)[:, None] * chosen.x
    s[:, -1] = knots[1:]
    upward, g = upward_and_g(gravity)
    make = _exact_nodes if exact else _preview_nodes
    motion, load, rider, row = make(built, law, s, settings, upward)
    pace2 = motion[row, 2]
    if (
        settings.line == "heartline" and len(point_offsets(settings)) > 1
    ):  # the rider's own line, between the points of the train
        pace2 = np.minimum(pace2, np.sum(rider[row, 0:3] ** 2, axis=-1))
    _refuse_folds(built, pace2, s, exact)
    held = grips(spans, settings, knots, line.closed)
    return LineTables(s, motion[row], load[row], rider, row, held, chosen, law, upward, g)
