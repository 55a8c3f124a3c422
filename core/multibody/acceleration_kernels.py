"""The right-hand side gamma of the acceleration constraints G u_dot = gamma, row by row.

Derived with the rows of constraint_kernels (departures from the print are listed there): what the rate of each
constraint changes by while the velocities stay.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner, kernel
from .arrays import (
    AL,
    AR,
    DOT,
    DS,
    FLEX,
    GAMMA,
    GD,
    PLAIN,
    PT,
    SL,
    SLOT,
    count,
    int_line,
    ints,
    reals,
)
from .constraint_kernels import _cross, _dot, _turn, separation, turned_direction
from .flexible_kernels import flexible_gamma
from .layout import TURN


@inner
def _centripetal(A, w, s, tmp, out):
    """out = A (w x (w x s))."""
    ws = _dot(w, s)
    ww = _dot(w, w)
    for c in range(3):
        tmp[c] = w[c] * ws - s[c] * ww
    _turn(A, tmp, out)


@inner
def _rate(A, w, s, tmp, out):
    """out = A (w x s)."""
    _cross(w, s, tmp)
    _turn(A, tmp, out)


@kernel
def acceleration_rhs(S, W, u):
    """gamma with G u_dot = gamma, at the pose of the last `constraints` call: fills W.row[GAMMA].

    Parameters
    ----------
    S, W
        Tables and memory.
    u
        (width,), a line of velocities.
    """
    at, gamma = int_line(S, SLOT), W.row[GAMMA]
    row = _point_gamma(ints(S, PT), reals(S, PT), W.A, u, at, W.tmp, gamma, 0)
    row = _dot_gamma(ints(S, DOT), reals(S, DOT), W.fn, W.A, u, at, W.tmp, gamma, row)
    row = _slide_gamma(ints(S, SL), reals(S, SL), W.fn, W.A, W.r, u, at, W.tmp, gamma, row)
    row = _distance_gamma(ints(S, DS), reals(S, DS), W.fn, W.A, W.r, u, at, W.tmp, gamma, row)
    row = _guide_gamma(S, W.path, W.A, u, at, W.tmp, gamma, row)
    arcs = ints(S, AR)
    for k in range(arcs.shape[0]):
        gamma[row] = W.fn[arcs[k, 1], 2]
        row += 1
    if count(S, FLEX) > 0:
        flexible_gamma(S, W, u, gamma, row)


@inner
def _point_gamma(index, what, A, u, at, tmp, gamma, row):
    x, y, w = tmp[0], tmp[1], tmp[2]
    for k in range(index.shape[0]):
        i, j = index[k, 0], index[k, 1]
        bi, bj = at[i], at[j]
        _centripetal(A[i], u[bi + TURN :], what[k, 0:3], w, x)
        _centripetal(A[j], u[bj + TURN :], what[k, 3:6], w, y)
        for c in range(3):
            gamma[row + c] = y[c] - x[c]
        row += 3
    return row


@inner
def _guide_gamma(S, path, A, u, at, tmp, gamma, row):
    x, y, z, w = tmp[0], tmp[1], tmp[2], tmp[3]
    index, what, along = ints(S, GD), reals(S, GD), int_line(S, PLAIN)
    for k in range(index.shape[0]):
        b = index[k, 0]
        speed = u[along[k]]
        _centripetal(A[b], u[at[b] + TURN :], what[k], w, x)
        for c in range(3):
            gamma[row + c] = path[k, 2, c] * speed**2 - x[c]
        row += 3
    parallel, numbers = ints(S, AL), reals(S, AL)
    for k in range(parallel.shape[0]):
        g = parallel[k, 0]
        b = index[g, 0]
        o = 3 + 3 * parallel[k, 1]
        s = numbers[k, 0:3]
        _turn(A[b], s, x)
        _rate(A[b], u[at[b] + TURN :], s, w, y)
        _centripetal(A[b], u[at[b] + TURN :], s, w, z)
        v = u[along[g]]
        gamma[row] = -(
            _dot(path[g, 0, o : o + 3], z)
            + 2.0 * v * _dot(path[g, 1, o : o + 3], y)
            + v * v * _dot(path[g, 2, o : o + 3], x)
        )
        row += 1
    return row


@inner
def _dot_gamma(index, what, fn, A, u, at, tmp, gamma, row):
    a, a1, a2, b, b1, b2 = tmp[4], tmp[5], tmp[6], tmp[7], tmp[8], tmp[9]
    f, w, g = tmp[10], tmp[11], tmp[12]
    for k in range(index.shape[0]):
        i, j = index[k, 0], index[k, 1]
        bi, bj = at[i], at[j]
        wi, wj = u[bi + TURN :], u[bj + TURN :]
        turned_direction(index[k], what[k], fn, f)
        _turn(A[i], f, a)
        _rate(A[i], wi, f, w, a1)
        _centripetal(A[i], wi, f, w, a2)
        if index[k, 2] >= 0 and not index[k, 3]:
            rate, second = fn[index[k, 2], 1], fn[index[k, 2], 2]
            c, s = math.cos(fn[index[k, 2], 0]), math.sin(fn[index[k, 2], 0])
            for q in range(3):  # da/dc
                g[q] = -s * what[k, q] - c * what[k, 3 + q]
            _rate(A[i], wi, g, w, b)
            for q in range(3):
                a2[q] += 2.0 * rate * b[q]
            _turn(A[i], g, b)
            for q in range(3):
                a1[q] += rate * b[q]
                a2[q] += second * b[q] - rate * rate * a[q]
        _turn(A[j], what[k, 6:9], b)
        _rate(A[j], wj, what[k, 6:9], w, b1)
        _centripetal(A[j], wj, what[k, 6:9], w, b2)
        gamma[row] = -(_dot(a2, b) + 2.0 * _dot(a1, b1) + _dot(a, b2))
        if index[k, 3]:
            value, rate, second = fn[index[k, 2], 0], fn[index[k, 2], 1], fn[index[k, 2], 2]
            gamma[row] += math.cos(value) * second - math.sin(value) * rate * rate
        row += 1
    return row


@inner
def _slide_gamma(index, what, fn, A, r, u, at, tmp, gamma, row):
    d, dd, ddd, a, a1, a2 = tmp[4], tmp[5], tmp[6], tmp[7], tmp[8], tmp[9]
    w = tmp[10]
    for k in range(index.shape[0]):
        i = index[k, 0]
        bi = at[i]
        _relative_motion(A, r, u, at, index[k], what[k, 3:9], tmp)
        _turn(A[i], what[k, 0:3], a)
        _rate(A[i], u[bi + TURN :], what[k, 0:3], w, a1)
        _centripetal(A[i], u[bi + TURN :], what[k, 0:3], w, a2)
        gamma[row] = -(_dot(a2, d) + 2.0 * _dot(a1, dd) + _dot(a, ddd))
        if index[k, 2] >= 0:
            gamma[row] += fn[index[k, 2], 2]
        row += 1
    return row


@inner
def _distance_gamma(index, what, fn, A, r, u, at, tmp, gamma, row):
    d, dd, ddd = tmp[4], tmp[5], tmp[6]
    for k in range(index.shape[0]):
        _relative_motion(A, r, u, at, index[k], what[k], tmp)
        length = math.sqrt(_dot(d, d))
        rate = _dot(d, dd) / length
        gamma[row] = fn[index[k, 2], 2] - (_dot(dd, dd) - rate * rate + _dot(d, ddd)) / length
        row += 1
    return row


@inner
def _relative_motion(A, r, u, at, index, points, tmp):
    """d, its rate and the velocity part of its second derivative, into tmp[4], tmp[5] and tmp[6]; points: s_i, s_j."""
    i, j, si, sj = index[0], index[1], points[0:3], points[3:6]
    bi, bj = at[i], at[j]
    d, dd, ddd, w, x = tmp[4], tmp[5], tmp[6], tmp[13], tmp[14]
    separation(A, r, i, j, si, sj, d)
    _rate(A[i], u[bi + TURN :], si, w, dd)
    _rate(A[j], u[bj + TURN :], sj, w, x)
    for c in range(3):
        dd[c] = u[bj + c] + x[c] - u[bi + c] - dd[c]
    _centripetal(A[i], u[bi + TURN :], si, w, ddd)
    _centripetal(A[j], u[bj + TURN :], sj, w, x)
    for c in range(3):
        ddd[c] = x[c] - ddd[c]
