"""Moving frames with two derivatives: canted, Frenet, rotation-minimising; and the rails that follow the cant.

Every frame here is the canted frame (t, left, up) turned about the tangent by an angle `turn(s)`:
n = cos(turn) left + sin(turn) up and b = t x n. The canted frame has n = left, b = up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from ..base.arrays import Array
from .centreline import Centreline, FrameState
from .description import FrameKind
from .path import hermite_coefficients

BENT = 2e-3  # 1/m, curvature (radius 500 m) below which the principal normal is not used
BLEND_LENGTH = (
    2.0  # m, stretch over which the Frenet frame turns where its normal flips; nearer ones are merged
)
FLIP_COSINE = 0.98  # neighbouring principal normals 0.25 m apart with a smaller cosine count as a flip


@dataclass(frozen=True)
class Vectors:
    """Frame vectors at k places with derivatives of order 0, 1, 2, 3 along axis 1: (k, 4, 3) each."""

    left: Array
    up: Array


def _dot(a: Array, b: Array) -> Array:
    product: Array = np.sum(a * b, axis=-1, keepdims=True)
    return product


def canted_derivatives(state: FrameState) -> Vectors:
    """Left and up vectors with derivatives 1..3 by arc length of the centreline.

    From t' = a l + b u, l' = -a t + w u, u' = -b t - w l with a = t'.l, b = t'.u and the turn rate w: the frame
    turns with Omega = t x t' + w t.
    """
    t, t1, t2, t3 = (state.curve[:, k] for k in range(1, 5))
    left, up = state.left, state.up
    w, w1, w2 = (state.twist[:, k : k + 1] for k in range(3))
    a, b = _dot(t1, left), _dot(t1, up)
    left_1 = -a * t + w * up
    up_1 = -b * t - w * left
    a1, b1 = _dot(t2, left) + w * b, _dot(t2, up) - w * a
    left_2 = -a1 * t - a * t1 + w1 * up + w * up_1
    up_2 = -b1 * t - b * t1 - w1 * left - w * left_1
    a2 = _dot(t3, left) + _dot(t2, left_1) + w1 * b + w * b1
    b2 = _dot(t3, up) + _dot(t2, up_1) - w1 * a - w * a1
    left_3 = -a2 * t - 2.0 * a1 * t1 - a * t2 + w2 * up + 2.0 * w1 * up_1 + w * up_2
    up_3 = -b2 * t - 2.0 * b1 * t1 - b * t2 - w2 * left - 2.0 * w1 * left_1 - w * left_2
    return Vectors(np.stack([left, left_1, left_2, left_3], 1), np.stack([up, up_1, up_2, up_3], 1))


def turned(n: Array, b: Array, turn: Array) -> tuple[Array, Array]:
    """n and b (k, 3, 3: order, component) turned about the tangent by turn (k, 3: angle and two derivatives)."""
    angle, rate, bend = (turn[:, k : k + 1] for k in range(3))
    c, s = np.cos(angle), np.sin(angle)
    c1, s1 = -s * rate, c * rate
    c2, s2 = -s * bend - c * rate**2, c * bend - s * rate**2
    new = [
        c * n[:, 0] + s * b[:, 0],
        c1 * n[:, 0] + s1 * b[:, 0] + c * n[:, 1] + s * b[:, 1],
        c2 * n[:, 0] + s2 * b[:, 0] + 2.0 * (c1 * n[:, 1] + s1 * b[:, 1]) + c * n[:, 2] + s * b[:, 2],
    ]
    side = [
        c * b[:, 0] - s * n[:, 0],
        c1 * b[:, 0] - s1 * n[:, 0] + c * b[:, 1] - s * n[:, 1],
        c2 * b[:, 0] - s2 * n[:, 0] + 2.0 * (c1 * b[:, 1] - s1 * n[:, 1]) + c * b[:, 2] - s * n[:, 2],
    ]
    return np.stack(new, axis=1), np.stack(side, axis=1)


@dataclass(frozen=True)
class Blends:
    """Stretches [start, end] (m) where the Frenet frame is carried over, with coef (k, 6) of the turn there."""

    start: Array
    end: Array
    coef: Array


def _principal_turn(state: FrameState) -> Array:
    """Angle from left to the principal normal with two derivatives, (k, 3); meaningless where straight."""
    t1, t2, t3 = (state.curve[:, k] for k in range(2, 5))
    t = state.tangent
    square = np.maximum(np.sum(t1 * t1, -1), 1e-30)
    normal = np.cross(t, t1)
    triple = np.sum(normal * t2, -1)
    torsion = triple / square
    slope = (np.sum(normal * t3, -1) - torsion * 2.0 * np.sum(t1 * t2, -1)) / square
    angle = np.arctan2(np.sum(t1 * state.up, -1), np.sum(t1 * state.left, -1))
    return np.stack([angle, torsion - state.twist[:, 0], slope - state.twist[:, 1]], axis=-1)


def _weak_stretches(line: Centreline, grid: Array) -> list[tuple[float, float]]:
    """Stretches without a usable principal normal, (from, to) with to > length when they go over the seam."""
    state = line.state(grid)
    t1 = state.curve[:, 2]
    size = np.linalg.norm(t1, axis=-1)
    weak = size < BENT
    unit = t1 / np.maximum(size, 1e-30)[:, None]
    flip = np.sum(unit[1:] * unit[:-1], axis=-1) < FLIP_COSINE
    for i in np.flatnonzero(flip & ~weak[1:] & ~weak[:-1]):
        middle = 0.5 * (grid[i] + grid[i + 1])
        weak |= np.abs(grid - middle) <= 0.5 * BLEND_LENGTH
    edges = np.diff(np.concatenate([[0], weak.astype(int), [0]]))
    firsts, lasts = np.flatnonzero(edges == 1) - 1, np.flatnonzero(edges == -1)
    from_s, to_s = grid[firsts.clip(0)].tolist(), grid[lasts.clip(None, len(grid) - 1)].tolist()
    stretches: list[tuple[float, float]] = []
    for a, b in zip(from_s, to_s, strict=True):
        if stretches and a - stretches[-1][1] < BLEND_LENGTH:
            stretches[-1] = (stretches[-1][0], b)
        else:
            stretches.append((a, b))
    over = line.closed and len(stretches) > 1 and weak[0] and weak[-1]
    if over:
        first, last = stretches[0], stretches[-1]
        stretches = [*stretches[1:-1], (last[0], line.length + first[1])]
    return stretches


def frenet_blends(line: Centreline, spacing: float = 0.25) -> Blends:
    """Where and how the Frenet frame is carried over straights and inflections.

    On a stretch without a usable principal normal the angle between the canted left vector and n runs from its
    value and rates at the curve before to those at the curve after, the shorter way, by a quintic; at an open
    end it is held; a track without any curve takes the canted frame. Treatment of straights after Pombo and
    Ambrosio (Viegas 2016, section 2.2.1), where n and b on a straight are taken over from the curves beside it.
    """
    grid = np.linspace(0.0, line.length, int(line.length / spacing) + 2)
    starts, ends, coefs = [], [], []
    for a, b in _weak_stretches(line, grid):
        at = _principal_turn(line.state([a, b]))
        open_start = a <= 0.0 and not line.closed
        open_end = b >= line.length and not line.closed
        whole = b - a >= line.length * (1.0 - 1e-12)
        if open_start or whole:
            at[0] = [at[1, 0], 0.0, 0.0]
        if open_end or whole:
            at[1] = [at[0, 0], 0.0, 0.0]
        if (open_start and open_end) or whole:
            at[:] = 0.0
        at[1, 0] -= 2.0 * np.pi * np.round((at[1, 0] - at[0, 0]) / (2.0 * np.pi))
        coef = hermite_coefficients(np.array([b - a]), at[:1, :, None], at[1:, :, None])[0, 0]
        starts.append(a)
        ends.append(b)
        coefs.append(coef)
        if b > line.length:
            starts.append(a - line.length)
            ends.append(b - line.length)
            coefs.append(coef)
    return Blends(np.array(starts), np.array(ends), np.array(coefs).reshape(-1, 6))


def frame_turn(line: Centreline, kind: FrameKind, state: FrameState, blends: Blends | None) -> Array:
    """Angle from the canted to the chosen frame with two derivatives by arc length, (k, 3)."""
    if kind == "canted":
        return np.zeros((len(state.s), 3))
    if kind == "rotation_minimising":
        start = line.state([0.0]).roll[0]
        rate = -line.holonomy / line.length
        angle = start + rate * state.s - state.roll
        return np.stack([angle, rate - state.twist[:, 0], -state.twist[:, 1]], axis=-1)
    turn = _principal_turn(state)
    if blends is None:
        return turn
    for a, b, coef in zip(blends.start, blends.end, blends.coef, strict=True):
        inside = (state.s >= a) & (state.s <= b)
        poly = np.polynomial.Polynomial(coef)
        x = state.s[inside] - a
        turn[inside] = np.stack([poly(x), poly.deriv()(x), poly.deriv(2)(x)], axis=-1)
    return turn


def moved(vectors: Vectors, away: Array) -> list[Array]:
    """What displacements (k, 4, 2) to the left and up, with three derivatives, move a curve by: (k, 3) an order."""
    out = []
    for order in range(4):
        terms = [
            comb(order, j)
            * (away[:, j, :1] * vectors.left[:, order - j] + away[:, j, 1:] * vectors.up[:, order - j])
            for j in range(order + 1)
        ]
        out.append(np.sum(terms, axis=0))
    return out


def path_functions(
    state: FrameState, vectors: Vectors, offset: float, turn: Array, away: Array | None = None
) -> tuple[Array, Array, Array]:
    """The nine path functions of the curve at `offset` (m) to the left of the centreline.

    Returns values (k, 3, 9): order 0..2 by the arc length L of that curve, functions x y z n b; the speed
    dL/ds (k,) and its derivative by s (k,). n of the canted frame is the left vector, which is perpendicular
    to the rail; b = T x n with the tangent T of the rail itself; other frames are turned from these. away (k, 4, 2):
    how far it lies further to the left and up (m), with three derivatives by s; n stays the left vector.
    """
    d = [state.curve[:, k] + offset * vectors.left[:, k] for k in range(4)]
    if away is not None:
        d = [one + further for one, further in zip(d, moved(vectors, away), strict=True)]
    speed2 = np.sum(d[1] * d[1], -1, keepdims=True)
    v = np.sqrt(speed2)
    v1 = _dot(d[1], d[2]) / v
    v2 = (_dot(d[2], d[2]) + _dot(d[1], d[3]) - v1 * v1) / v
    u1, u2 = 1.0 / v, -v1 / v**3
    u3 = -v2 / v**4 + 3.0 * v1 * v1 / v**5

    def by_length(first: Array, second: Array) -> tuple[Array, Array]:
        return first * u1, second * u1 * u1 + first * u2

    tangent, tangent_1 = by_length(d[1], d[2])
    tangent_2 = d[3] * u1**3 + 3.0 * d[2] * u1 * u2 + d[1] * u3
    n = [vectors.left[:, 0], *by_length(vectors.left[:, 1], vectors.left[:, 2])]
    b = [
        np.cross(tangent, n[0]),
        np.cross(tangent_1, n[0]) + np.cross(tangent, n[1]),
        np.cross(tangent_2, n[0]) + 2.0 * np.cross(tangent_1, n[1]) + np.cross(tangent, n[2]),
    ]
    rate, bend = by_length(turn[:, 1:2], turn[:, 2:3])
    n_all, b_all = turned(np.stack(n, 1), np.stack(b, 1), np.concatenate([turn[:, :1], rate, bend], axis=1))
    position = np.stack([d[0], tangent, tangent_1], axis=1)
    return np.concatenate([position, n_all, b_all], axis=-1), v[:, 0], v1[:, 0]
