"""Coordinates of the force elements and their rates, geometry by geometry (see force_kernels for what each is)."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner
from .arrays import (
    E_ANGLE,
    E_DISTANCE,
    E_FRAME,
    E_LINE,
    E_PATH,
    E_SLIDE,
    E_SPEED,
    E_TURN,
    GUIDE_ROW,
    META,
    PLAIN,
    VIA,
    WIDE,
    I,
    J,
    int_line,
    ints,
    reals,
)
from .constraint_kernels import _back, _cross, _dot, _turn, separation
from .layout import TURN
from .levers import point_velocity

# columns of Work.law, a row an element: coordinate from its origin and rate; what its law says of them
AT, RATE, LOAD, SLOPE, DAMPING, STORED, LOST = range(7)


@inner
def measure(S, W, u, lam, at):
    """Coordinates and rates of all elements, into W.law and W.coordinates, and what they act along, into W.way."""
    A, r, law, way, el, tmp = W.A, W.r, W.law, W.way, W.el, W.tmp
    rows = ints(S, E_DISTANCE)
    _distances(rows, reals(S, E_DISTANCE), A, r, u, at, law, way, el, tmp)
    e = n = rows.shape[0]
    rows = ints(S, E_ANGLE)
    _angles(rows, reals(S, E_ANGLE), A, W.angle0, u, at, law[e:], way[e:], el[n:], tmp)
    e, n = e + rows.shape[0], n + rows.shape[0]
    rows = ints(S, E_TURN)
    _turns(rows, reals(S, E_TURN), A, u, at, W.coordinates, tmp)
    e, n = e + rows.shape[0], n + rows.shape[0]
    rows = ints(S, E_SLIDE)
    _slides(rows, reals(S, E_SLIDE), A, r, u, at, law[e:], way[e:], el[n:], tmp)
    e += rows.shape[0]
    rows = ints(S, E_FRAME)
    _frames(rows, reals(S, E_FRAME), A, r, u, at, W.coordinates, way[e:], tmp)
    e += rows.shape[0]
    rows = ints(S, E_LINE)
    _lines(rows, ints(S, VIA), reals(S, VIA), A, r, u, at, law[e:], W.coordinates, way[e:], tmp)
    e += rows.shape[0]
    rows = ints(S, E_SPEED)
    for k in range(rows.shape[0]):
        q = at[rows[k, 0]]
        law[e, AT], law[e, RATE] = 0.0, math.sqrt(u[q] ** 2 + u[q + 1] ** 2 + u[q + 2] ** 2)
        e += 1
    rows, along, first = ints(S, E_PATH), int_line(S, PLAIN), ints(S, META)[0, GUIDE_ROW]
    for k in range(rows.shape[0]):
        row = first + 3 * rows[k, 0]
        law[e, AT] = math.sqrt(lam[row] ** 2 + lam[row + 1] ** 2 + lam[row + 2] ** 2)
        law[e, RATE] = u[along[rows[k, 0]]]
        e += 1


@inner
def _distances(rows, what, A, r, u, at, law, way, el, tmp):
    d, vi, vj = tmp[0], tmp[1], tmp[2]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        separation(A, r, i, j, what[k, 0:3], what[k, 3:6], d)
        point_velocity(A[i], u, at[i], what[k, 0:3], vi)
        point_velocity(A[j], u, at[j], what[k, 3:6], vj)
        length = max(math.sqrt(_dot(d, d)), 1e-12)
        rate = 0.0
        for x in range(3):
            d[x] /= length
            rate += d[x] * (vj[x] - vi[x])
            way[k, x] = d[x]
        law[k, AT], law[k, RATE], el[k, 0], el[k, 1] = length - what[k, 6], rate, length, rate


@inner
def _axis_angle(index, what, A, angle0, tmp, a):
    """Angle of body j against i about an element's axis, unwrapped next to angle0; a (3,) out: world axis."""
    Ai, Aj = A[index[0]], A[index[1]]
    fj, x, y = tmp[15], tmp[16], tmp[17]
    _turn(Aj, what[9:12], fj)
    _turn(Ai, what[0:3], x)
    _turn(Ai, what[3:6], y)
    _turn(Ai, what[6:9], a)
    angle = math.atan2(_dot(y, fj), _dot(x, fj))
    return angle + 2.0 * math.pi * math.floor((angle0 - angle) / (2.0 * math.pi) + 0.5)


@inner
def _angles(rows, what, A, angle0, u, at, law, way, el, tmp):
    a, wi, wj = tmp[0], tmp[1], tmp[2]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        angle = _axis_angle(rows[k], what[k], A, angle0[k], tmp, a)
        _turn(A[i], u[at[i] + TURN :], wi)
        _turn(A[j], u[at[j] + TURN :], wj)
        rate = _dot(a, wj) - _dot(a, wi)
        for c in range(3):
            way[k, c] = a[c]
        law[k, AT], law[k, RATE], el[k, 0], el[k, 1] = angle - what[k, 12], rate, angle, rate


@inner
def _relative_rotation(Ai, Aj, drawn, m, out):
    """Rotation vector (axes of body i, out (3,)) of body j against i since the drawn pose; returns its length.

    drawn (9,): row-major A_i^T A_j as drawn; m (3, 3): scratch.
    """
    for r in range(3):
        for c in range(3):
            x = 0.0
            for e in range(3):
                y = Ai[0, r] * Aj[0, e] + Ai[1, r] * Aj[1, e] + Ai[2, r] * Aj[2, e]
                x += y * drawn[3 * c + e]
            m[r, c] = x
    return _log(m, out)


@inner
def _log(m, out):
    """Rotation vector (3,) of a rotation matrix m, shorter than pi; returns its length."""
    x, y, z = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (m[0, 0] + m[1, 1] + m[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    scale = 0.5 * (angle / sine if sine > 1e-9 else 1.0)
    out[0], out[1], out[2] = scale * x, scale * y, scale * z
    return angle


@inner
def _turns(rows, what, A, u, at, coordinates, tmp):
    """Rotation vectors and angular velocities (axes of body i) of bodies j against i."""
    m, w = tmp[21:24], tmp[18]
    for k in range(rows.shape[0]):
        i, j, q = rows[k, 0], rows[k, 1], rows[k, WIDE]
        x, v = coordinates[q, 0], coordinates[q, 1]
        _relative_rotation(A[i], A[j], what[k], m, x)
        _turn(A[j], u[at[j] + TURN :], w)
        _back(A[i], w, v)
        for c in range(3):
            v[c] -= u[at[i] + TURN + c]


@inner
def _slides(rows, what, A, r, u, at, law, way, el, tmp):
    d, a, vi, vj, x = tmp[0], tmp[1], tmp[2], tmp[3], tmp[4]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        separation(A, r, i, j, what[k, 3:6], what[k, 6:9], d)
        _turn(A[i], what[k, 0:3], a)
        point_velocity(A[i], u, at[i], what[k, 3:6], vi)
        point_velocity(A[j], u, at[j], what[k, 6:9], vj)
        slide = _dot(a, d)
        _turn(A[i], u[at[i] + TURN :], x)
        rate = _dot(a, vj) - _dot(a, vi)
        rate += x[0] * (a[1] * d[2] - a[2] * d[1])
        rate += x[1] * (a[2] * d[0] - a[0] * d[2]) + x[2] * (a[0] * d[1] - a[1] * d[0])
        for c in range(3):
            way[k, c], way[k, 3 + c] = a[c], d[c]
        law[k, AT], law[k, RATE], el[k, 0], el[k, 1] = slide - what[k, 9], rate, slide, rate


@inner
def _frames(rows, what, A, r, u, at, coordinates, way, tmp):
    """Displacement and rotation vector of the frame on j against that on i and their rates, in the axes of the latter.

    way: the point of the frame on j in the axes of body i, and the world axes of the frame on i.
    """
    d, vi, vj, w = tmp[1], tmp[2], tmp[3], tmp[4]
    Q, m = tmp[12:15], tmp[21:24]
    for k in range(rows.shape[0]):
        i, j, q = rows[k, 0], rows[k, 1], rows[k, WIDE]
        x, v, point = coordinates[q, 0], coordinates[q, 1], way[k, 0:3]
        P = tmp[9:12]
        separation(A, r, i, j, what[k, 0:3], what[k, 3:6], d)
        _back(A[i], d, point)
        for c in range(3):
            point[c] += what[k, c]
            _turn(A[i], what[k, 6 + 3 * c : 9 + 3 * c], P[c])
            _turn(A[j], what[k, 15 + 3 * c : 18 + 3 * c], Q[c])
        point_velocity(A[i], u, at[i], point, vi)
        point_velocity(A[j], u, at[j], what[k, 3:6], vj)
        for c in range(3):
            for e in range(3):
                m[c, e] = _dot(P[c], Q[e])
                way[k, 3 + 3 * c + e] = P[c, e]
            vj[c] -= vi[c]
        _log(m, x[3:6])
        _turn(A[i], u[at[i] + TURN :], vi)
        _turn(A[j], u[at[j] + TURN :], w)
        for c in range(3):
            w[c] -= vi[c]
        for c in range(3):
            x[c], v[c], v[3 + c] = _dot(P[c], d), _dot(P[c], vj), _dot(P[c], w)


@inner
def _lines(rows, via, what, A, r, u, at, law, coordinates, way, tmp):
    """Distances of neighbours along lines of points and their rates, and the angles by which the lines turn at the
    points between; way: the directions from each point to the next."""
    d, vi, vj = tmp[0], tmp[1], tmp[2]
    for k in range(rows.shape[0]):
        first, n, q = rows[k, I], rows[k, J] - 1, rows[k, WIDE]
        x, v, turns = coordinates[q, 0], coordinates[q, 1], coordinates[q, 2]
        for c in range(n):
            i, j, si, sj = via[first + c, 0], via[first + c + 1, 0], what[first + c], what[first + c + 1]
            separation(A, r, i, j, si, sj, d)
            point_velocity(A[i], u, at[i], si, vi)
            point_velocity(A[j], u, at[j], sj, vj)
            x[c], v[c] = max(math.sqrt(_dot(d, d)), 1e-12), 0.0
            for e in range(3):
                way[k, 3 * c + e] = d[e] / x[c]
                v[c] += d[e] / x[c] * (vj[e] - vi[e])
            if c > 0:
                before, after = way[k, 3 * c - 3 : 3 * c], way[k, 3 * c : 3 * c + 3]
                turns[c - 1] = _between(before, after, d)
        law[k, AT], law[k, RATE] = x[0], v[0]


@inner
def _between(a, b, tmp):
    """Angle between two directions, exact where it is small or near to half a turn."""
    _cross(a, b, tmp)
    return math.atan2(math.sqrt(_dot(tmp, tmp)), _dot(a, b))
