"""Kernels of the centreline: polynomial pieces, arc length, rotation-minimising reference, canted frame.

The numpy-level functions that document shapes and meaning are in `centreline.py`.
"""
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..jit.decorators import allocating, inner, kernel

GAUSS_X, GAUSS_W = np.polynomial.legendre.leggauss(8)


@kernel
def polynomial(coef: Array, x: float, out: Array) -> None:
    """Value and derivatives 1..4 of three degree-5 polynomials; coef (6, 3) ascending, out (5, 3)."""
    for c in range(3):
        a0, a1, a2 = coef[0, c], coef[1, c], coef[2, c]
        a3, a4, a5 = coef[3, c], coef[4, c], coef[5, c]
        out[0, c] = a0 + x * (a1 + x * (a2 + x * (a3 + x * (a4 + x * a5))))
        out[1, c] = a1 + x * (2 * a2 + x * (3 * a3 + x * (4 * a4 + x * 5 * a5)))
        out[2, c] = 2 * a2 + x * (6 * a3 + x * (12 * a4 + x * 20 * a5))
        out[3, c] = 6 * a3 + x * (24 * a4 + x * 60 * a5)
        out[4, c] = 24 * a4 + x * 120 * a5


@inner
def dot(a: Array, b: Array) -> float:
    product: float = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


@inner
def cross(a: Array, b: Array, out: Array) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@kernel
def chain_to_unit_speed(d: Array) -> None:
    """Replace derivatives by any parameter with derivatives by arc length, in place; d (5, 3)."""
    v2 = dot(d[1], d[1])
    v = math.sqrt(v2)
    v_1 = dot(d[1], d[2]) / v
    v_2 = (dot(d[2], d[2]) + dot(d[1], d[3]) - v_1 * v_1) / v
    v_3 = (3.0 * dot(d[2], d[3]) + dot(d[1], d[4]) - 3.0 * v_1 * v_2) / v
    u1 = 1.0 / v
    u2 = -v_1 * u1**3
    u3 = -v_2 * u1**4 + 3.0 * v_1 * v_1 * u1**5
    u4 = -v_3 * u1**5 + 10.0 * v_1 * v_2 * u1**6 - 15.0 * v_1**3 * u1**7
    for c in range(3):
        c1, c2, c3, c4 = d[1, c], d[2, c], d[3, c], d[4, c]
        d[1, c] = c1 * u1
        d[2, c] = c2 * u1 * u1 + c1 * u2
        d[3, c] = c3 * u1**3 + 3.0 * c2 * u1 * u2 + c1 * u3
        d[4, c] = c4 * u1**4 + 6.0 * c3 * u1 * u1 * u2 + c2 * (3.0 * u2 * u2 + 4.0 * u1 * u3) + c1 * u4


@inner
def run_length_and_twist(coef: Array, x0: float, x1: float, t0: Array) -> tuple[float, float]:
    """Arc length from x0 to x1 of one polynomial piece, and the turn of the rotation-minimising vector
    against the shortest rotation from t0 over the same stretch.

    The twist is the area the tangent sweeps on the unit sphere as seen from t0:
    t0 . (t x dt) / (1 + t0 . t); for the shortest rotation see Wang et al. 2008 (Computation of rotation
    minimizing frames, ACM TOG 27), for the area Todhunter's formula of the thin spherical triangle.
    """
    half = 0.5 * (x1 - x0)
    middle = 0.5 * (x1 + x0)
    length = 0.0
    twist = 0.0
    for i in range(GAUSS_X.size):
        x = middle + half * GAUSS_X[i]
        a0 = coef[1, 0] + x * (
            2 * coef[2, 0] + x * (3 * coef[3, 0] + x * (4 * coef[4, 0] + x * 5 * coef[5, 0]))
        )
        a1 = coef[1, 1] + x * (
            2 * coef[2, 1] + x * (3 * coef[3, 1] + x * (4 * coef[4, 1] + x * 5 * coef[5, 1]))
        )
        a2 = coef[1, 2] + x * (
            2 * coef[2, 2] + x * (3 * coef[3, 2] + x * (4 * coef[4, 2] + x * 5 * coef[5, 2]))
        )
        b0 = 2 * coef[2, 0] + x * (6 * coef[3, 0] + x * (12 * coef[4, 0] + x * 20 * coef[5, 0]))
        b1 = 2 * coef[2, 1] + x * (6 * coef[3, 1] + x * (12 * coef[4, 1] + x * 20 * coef[5, 1]))
        b2 = 2 * coef[2, 2] + x * (6 * coef[3, 2] + x * (12 * coef[4, 2] + x * 20 * coef[5, 2]))
        v = math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        area = t0[0] * (a1 * b2 - a2 * b1) + t0[1] * (a2 * b0 - a0 * b2) + t0[2] * (a0 * b1 - a1 * b0)
        length += GAUSS_W[i] * v
        twist += GAUSS_W[i] * area / (v * (v + t0[0] * a0 + t0[1] * a1 + t0[2] * a2))
    return half * length, half * twist


@inner
def run_length(coef: Array, x0: float, x1: float) -> float:
    """Arc length from x0 to x1 of one polynomial piece."""
    half = 0.5 * (x1 - x0)
    middle = 0.5 * (x1 + x0)
    length = 0.0
    for i in range(GAUSS_X.size):
        x = middle + half * GAUSS_X[i]
        speed2 = 0.0
        for c in range(3):
            d = coef[1, c] + x * (
                2 * coef[2, c] + x * (3 * coef[3, c] + x * (4 * coef[4, c] + x * 5 * coef[5, c]))
            )
            speed2 += d * d
        length += GAUSS_W[i] * math.sqrt(speed2)
    return half * length


@kernel
def run_lengths(coef: Array, piece: Integers, x0: Array, x1: Array, out: Array) -> None:
    """`run_length` of many stretches: piece, x0, x1, out (n,)."""
    for k in range(x0.size):
        out[k] = run_length(coef[piece[k]], x0[k], x1[k])


@inner
def carry(t0: Array, r0: Array, t: Array, twist: float, out: Array) -> None:
    """Turn r0 (perpendicular to t0) with the shortest rotation from t0 to t, then by twist about t."""
    f = dot(r0, t) / (1.0 + dot(t0, t))
    a0, a1, a2 = r0[0] - f * (t0[0] + t[0]), r0[1] - f * (t0[1] + t[1]), r0[2] - f * (t0[2] + t[2])
    cosine, sine = math.cos(twist), math.sin(twist)
    b0, b1, b2 = t[1] * a2 - t[2] * a1, t[2] * a0 - t[0] * a2, t[0] * a1 - t[1] * a0
    out[0], out[1], out[2] = cosine * a0 + sine * b0, cosine * a1 + sine * b1, cosine * a2 + sine * b2


@allocating
def cell_figures(
    coef: Array, piece: Integers, x0: Array, x1: Array
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Length of each cell by one and by two Gauss rules, tangents at both ends, smallest speed, twist.

    coef (p, 6, 3) pieces; piece (n,) of each cell, x0, x1 (n,) its parameter range on the piece. Returns whole (n,),
    halves (n,), start and end tangents (n, 3), slowest |dc/du| (n,), twist (n,) as in `run_length_and_twist`.
    """
    n = x0.size
    twist = np.zeros(n)
    whole, halves, slowest = np.empty(n), np.empty(n), np.empty(n)
    start, end = np.empty((n, 3)), np.empty((n, 3))
    work = np.empty((5, 3))
    for k in range(n):
        own = coef[piece[k]]
        middle = 0.5 * (x0[k] + x1[k])
        low = np.inf
        for i in range(9):
            polynomial(own, x0[k] + (x1[k] - x0[k]) * i / 8.0, work)
            v = math.sqrt(dot(work[1], work[1]))
            low = min(low, v)
            for c in range(3):
                if i == 0:
                    start[k, c] = work[1, c] / max(v, 1e-300)
                if i == 8:
                    end[k, c] = work[1, c] / max(v, 1e-300)
        slowest[k] = low
        if low > 1e-6:
            whole[k], twist[k] = run_length_and_twist(own, x0[k], x1[k], start[k])
            first = run_length(own, x0[k], middle)
            second = run_length(own, middle, x1[k])
            halves[k] = first + second
        else:
            whole[k] = halves[k] = 0.0
    return whole, halves, start, end, slowest, twist


@allocating
def reference_vectors(tangent: Array, end: Array, twist: Array, first: Array, out: Array) -> None:
    """Carry the rotation-minimising vector from cell to cell.

    tangent (n+1, 3): tangent at the start of every cell (after a kink) and at the end of the last one; end, twist
    (n, 3), (n,): tangent at the end of every cell and twist over it. first (3,): the vector at the start.
    out (n+1, 3).
    """
    r = np.empty(3)
    for c in range(3):
        out[0, c] = first[c]
    for k in range(twist.size):
        carry(tangent[k], out[k], end[k], twist[k], r)
        carry(end[k], r, tangent[k + 1], 0.0, out[k + 1])


@inner
def find_cell(edges: Array, s: float, from_left: bool) -> int:
    """Index of the interval that holds s; at an edge the one before it when from_left, else the one after."""
    lo, hi = 0, edges.size - 1
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if s > edges[mid] or (s == edges[mid] and not from_left):
            lo = mid
        else:
            hi = mid
    return lo


@inner
def solve_parameter(
    coef: Array, x0: float, x1: float, length: float, target: float, t0: Array
) -> tuple[float, float]:
    """Parameter on a piece at arc length `target` from x0 (Newton), and the twist up to there."""
    x = x0 + (x1 - x0) * target / length
    for _ in range(30):
        speed2 = 0.0
        for c in range(3):
            d = coef[1, c] + x * (
                2 * coef[2, c] + x * (3 * coef[3, c] + x * (4 * coef[4, c] + x * 5 * coef[5, c]))
            )
            speed2 += d * d
        step = (run_length(coef, x0, x) - target) / math.sqrt(speed2)
        x -= step
        if abs(step) <= 1e-14 * (abs(x) + (x1 - x0)):
            break
    _, twist = run_length_and_twist(coef, x0, x, t0)
    return x, twist


@inner
def horizontal_twist(d: Array, out: Array) -> None:
    """Turn rate of the horizontal reference frame about the tangent and its first two derivatives; out (3,).

    l0 = (z x t)/|z x t|; its rate about t is t_z times the rate of the heading.
    """
    t, t1, t2, t3 = d[1], d[2], d[3], d[4]
    p = t[0] * t1[1] - t[1] * t1[0]
    p1 = t[0] * t2[1] - t[1] * t2[0]
    p2 = t1[0] * t2[1] - t1[1] * t2[0] + t[0] * t3[1] - t[1] * t3[0]
    q = t[0] * t[0] + t[1] * t[1]
    q1 = 2.0 * (t[0] * t1[0] + t[1] * t1[1])
    q2 = 2.0 * (t1[0] * t1[0] + t1[1] * t1[1] + t[0] * t2[0] + t[1] * t2[1])
    h = p / q
    h1 = (p1 - h * q1) / q
    h2 = (p2 - 2.0 * h1 * q1 - h * q2) / q
    out[0] = t[2] * h
    out[1] = t1[2] * h + t[2] * h1
    out[2] = t2[2] * h + 2.0 * t1[2] * h1 + t[2] * h2


@inner
def law(coef: Array, x: float, out: Array) -> None:
    """Value and derivatives 1..3 of one degree-7 polynomial; coef (8,) ascending, out (4,)."""
    for k in range(4):
        total = 0.0
        for i in range(7, k - 1, -1):
            factor = 1.0
            for j in range(k):
                factor *= i - j
            total = total * x + factor * coef[i]
        out[k] = total


class Cells(NamedTuple):
    """Pieces of a curve: coefficients (p, 6, 3); and their cells: piece (c,), its parameter at both ends, arc lengths s
    (c + 1,), tangent t and rotation-minimising vector r (c, 3) at the start."""

    coef: Array
    piece: Integers
    x0: Array
    x1: Array
    s: Array
    t: Array
    r: Array


class Roll(NamedTuple):
    """Pieces of the roll: where they start (q,), mode 0: against the rotation-minimising vector, 1: cant against the
    horizontal; coefficients."""

    s: Array
    mode: Integers
    coef: Array


class Frames(NamedTuple):
    """The curve and its canted frame at n places: curve (n, 5, 3) position and four derivatives by s; left (n, 3) left
    vector; twist (n, 3) turn rate of the canted frame about the tangent with two derivatives; ref (n, 3)
    rotation-minimising vector."""

    curve: Array
    left: Array
    twist: Array
    ref: Array


@allocating
def evaluate(s: Array, from_left: bool, cells: Cells, roll: Roll, out: Frames) -> None:
    """Curve and canted frame at arc lengths s (n,) inside [0, length], into out."""
    coef, piece, x0, x1 = cells.coef, cells.piece, cells.x0, cells.x1
    cell_s, cell_t, cell_r = cells.s, cells.t, cells.r
    curve, left, twist, ref = out.curve, out.left, out.twist, out.ref
    t = np.empty(3)
    base, side, own, rates = np.empty(3), np.empty(3), np.empty(4), np.empty(3)
    for i in range(s.size):
        k = find_cell(cell_s, s[i], from_left)
        length = cell_s[k + 1] - cell_s[k]
        c = coef[piece[k]]
        x, turned = solve_parameter(c, x0[k], x1[k], length, s[i] - cell_s[k], cell_t[k])
        d = curve[i]
        polynomial(c, x, d)
        chain_to_unit_speed(d)
        for j in range(3):
            t[j] = d[1, j]
        carry(cell_t[k], cell_r[k], t, turned, ref[i])
        m = find_cell(roll.s, s[i], from_left)
        law(roll.coef[m], s[i] - roll.s[m], own)
        if roll.mode[m] == 1:
            horizontal_twist(d, rates)
            flat = math.sqrt(t[0] * t[0] + t[1] * t[1])
            base[0], base[1], base[2] = -t[1] / flat, t[0] / flat, 0.0
        else:
            for j in range(3):
                rates[j], base[j] = 0.0, ref[i, j]
        cross(t, base, side)
        cosine, sine = math.cos(own[0]), math.sin(own[0])
        for j in range(3):
            left[i, j] = cosine * base[j] + sine * side[j]
            twist[i, j] = rates[j] + own[j + 1]
