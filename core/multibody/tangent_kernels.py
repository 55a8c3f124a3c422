"""The symmetric tangent H = cM M + cC C + cK K of the equations of motion, body block by body block.

C and K come from springs, dampers, stops and devices, and from the constraint and element forces turning with their
bodies (geometric stiffness). Only the symmetric part is kept: the Newton iterations of the integrator use H
with an LDL^T factorisation, and what is left out (gyroscopic terms, the turning of dampers) is of first order
in the step size and costs iterations, not accuracy.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from core.jit.decorators import inner, kernel
from core.multibody.arrays import (
    AD,
    BODY,
    BS,
    CURVE,
    DC,
    DOT,
    DS,
    GD,
    PT,
    RS,
    SL,
    SP,
    ST,
    count,
    ints,
    reals,
    sizes,
)
from core.multibody.constraint_kernels import _back, _dot, _turn, separation
from core.multibody.device_kernels import device_tangents
from core.multibody.force_kernels import spring_law, stop_law


@kernel
def tangent(S, W, u, lam, cM, cC, cK, Hs):
    """Fill W.Hd (nb + 1, 6, 6), W.Ho (pairs, 6, 6) and Hs (ng,) at the state of the last `forces` call.

    Hs is the diagonal of the path coordinates. lam (m,): multipliers of that state. Only lower parts of the
    diagonal blocks are filled; an off-diagonal block has the larger body number as rows.
    """
    nb, _, _, _ = sizes(S)
    Hd, Ho = W.Hd, W.Ho
    Hd[:] = 0.0
    Ho[:] = 0.0
    Hs[:] = 0.0
    body = reals(S, BODY)
    for b in range(nb):
        for c in range(3):
            Hd[b, c, c] = cM * body[b, 0]
            Hd[b, 3 + c, 3 + c] = cM * body[b, 1 + c]
    if cC == 0.0 and cK == 0.0:
        return
    air, area = ints(S, AD), reals(S, AD)
    for k in range(air.shape[0]):
        q = 6 * air[k, 0]
        speed = math.sqrt(u[q] ** 2 + u[q + 1] ** 2 + u[q + 2] ** 2)
        for c in range(3):
            Hd[air[k, 0], c, c] += cC * area[k, 0] * speed
    if count(S, DC) > 0:
        device_tangents(S, W, cC, Hd)
    n = _spring_tangents(
        ints(S, SP), reals(S, SP), reals(S, CURVE), W.A, W.r, W.tmp, W.lever, W.el, cC, cK, Hd, Ho
    )
    n = _axis_tangents(ints(S, RS), reals(S, RS), W.A, W.tmp, W.el, n, cC, cK, Hd, Ho)
    n = _ball_tangents(ints(S, BS), reals(S, BS), W.A, n, cC, cK, Hd, Ho)
    _stop_tangents(ints(S, ST), reals(S, ST), W.A, W.tmp, W.lever, W.el, n, cC, cK, Hd, Ho)
    row = _point_tangents(ints(S, PT), reals(S, PT), W.A, W.tmp, lam, cK, Hd)
    row = _dot_tangents(ints(S, DOT), reals(S, DOT), W.A, W.tmp, lam, row, cK, Hd)
    row += ints(S, SL).shape[0]
    row = _distance_tangents(ints(S, DS), reals(S, DS), W.A, W.r, W.tmp, W.lever, lam, row, cK, Hd, Ho)
    guides, points = ints(S, GD), reals(S, GD)
    for g in range(guides.shape[0]):
        b = guides[g, 0]
        f = lam[row : row + 3]
        _geometric(Hd[b], W.A[b], points[g], f, cK, W.tmp[0])
        Hs[g] = cK * _dot(W.path[g, 2, 0:3], f)
        row += 3


@inner
def _lever(A, s, B):
    """B (3, 6) = [1, -A s~]: how a point of a body moves with its body."""
    for r in range(3):
        for c in range(3):
            B[r, c] = 1.0 if r == c else 0.0
        B[r, 3] = s[1] * A[r, 2] - s[2] * A[r, 1]
        B[r, 4] = s[2] * A[r, 0] - s[0] * A[r, 2]
        B[r, 5] = s[0] * A[r, 1] - s[1] * A[r, 0]


@inner
def _add_coupling(lever, Hi, Hj, Hij, i_first, M):
    """Add [B_i; -B_j]^T M [B_i; -B_j] to the blocks of bodies i and j; levers B in lever[0], lever[1].

    Hij has body i as rows when i_first, else body j.
    """
    Bi, Bj, MB = lever[0], lever[1], lever[2]
    for side in range(2):
        B = Bi if side == 0 else Bj
        H = Hi if side == 0 else Hj
        for r in range(3):
            for c in range(6):
                MB[r, c] = M[r, 0] * B[0, c] + M[r, 1] * B[1, c] + M[r, 2] * B[2, c]
        for r in range(6):
            for c in range(r + 1):
                H[r, c] += B[0, r] * MB[0, c] + B[1, r] * MB[1, c] + B[2, r] * MB[2, c]
    # MB now holds M B_j
    for r in range(6):
        for c in range(6):
            x = Bi[0, r] * MB[0, c] + Bi[1, r] * MB[1, c] + Bi[2, r] * MB[2, c]
            if i_first:
                Hij[r, c] -= x
            else:
                Hij[c, r] -= x


@inner
def _geometric(H, A, s, f, factor, tmp):
    """Stiffness of a world-fixed force f at the body point s: (s.F) 1 - sym(F s^T), F = A^T f, lower part."""
    _back(A, f, tmp)
    x = factor * _dot(s, tmp)
    for r in range(3):
        for c in range(r + 1):
            H[3 + r, 3 + c] -= 0.5 * factor * (tmp[r] * s[c] + s[r] * tmp[c])
        H[3 + r, 3 + r] += x


@inner
def _spring_tangents(who, what, curve, A, r, tmp, lever, el, cC, cK, Hd, Ho):
    d, M = tmp[0], tmp[21:24]
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        si, sj = what[k, 0:3], what[k, 3:6]
        separation(A, r, i, j, si, sj, d)
        length = max(math.sqrt(_dot(d, d)), 1e-12)
        _, stiffness, _ = spring_law(who[k], what[k], curve, length)
        f = el[k, 2]
        along = cK * max(stiffness, 0.0) + cC * what[k, 7]
        across = cK * max(f, 0.0) / length
        for c in range(3):
            d[c] /= length
        for q in range(3):
            for c in range(3):
                M[q, c] = (along - across) * d[q] * d[c]
            M[q, q] += across
        _lever(A[i], si, lever[0])
        _lever(A[j], sj, lever[1])
        _add_coupling(lever, Hd[i], Hd[j], Ho[who[k, 2]], i > j, M)
        _geometric(Hd[i], A[i], si, d, cK * f, tmp[1])
        _geometric(Hd[j], A[j], sj, d, -cK * f, tmp[1])
    return who.shape[0]


@inner
def _axis_tangents(who, what, A, tmp, el, n, cC, cK, Hd, Ho):
    a, ai, aj = tmp[0], tmp[1], tmp[2]
    for k in range(who.shape[0]):
        par = what[k, 12:18]
        if who[k, 3] == 0:
            x = cK * par[0] + cC * par[1]
        else:
            _, slope, damping, _, _ = stop_law(
                par[0], par[1], par[2], par[3], par[4], el[n + k, 0], el[n + k, 1]
            )
            x = cK * slope + cC * damping
        if x == 0.0:
            continue
        i, j = who[k, 0], who[k, 1]
        _turn(A[i], what[k, 6:9], a)
        _back(A[i], a, ai)
        _back(A[j], a, aj)
        Hi, Hj, Hij = Hd[i], Hd[j], Ho[who[k, 2]]
        for r in range(3):
            for c in range(r + 1):
                Hi[3 + r, 3 + c] += x * ai[r] * ai[c]
                Hj[3 + r, 3 + c] += x * aj[r] * aj[c]
            for c in range(3):
                Hij[3 + r, 3 + c] -= x * (ai[r] * aj[c] if i > j else aj[r] * ai[c])
    return n + who.shape[0]


@inner
def _ball_tangents(who, what, A, n, cC, cK, Hd, Ho):
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        x = cK * what[k, 9] + cC * what[k, 10]
        Hi, Hj, Hij = Hd[i], Hd[j], Ho[who[k, 2]]
        P, Q = (A[i], A[j]) if i > j else (A[j], A[i])
        for r in range(3):
            Hi[3 + r, 3 + r] += x
            Hj[3 + r, 3 + r] += x
            for c in range(3):
                Hij[3 + r, 3 + c] -= x * (P[0, r] * Q[0, c] + P[1, r] * Q[1, c] + P[2, r] * Q[2, c])
    return n + who.shape[0]


@inner
def _stop_tangents(who, what, A, tmp, lever, el, n, cC, cK, Hd, Ho):
    a, M = tmp[0], tmp[21:24]
    for k in range(who.shape[0]):
        par = what[k, 9:14]
        _, slope, damping, _, _ = stop_law(par[0], par[1], par[2], par[3], par[4], el[n + k, 0], el[n + k, 1])
        x = cK * slope + cC * damping
        if x == 0.0:
            continue
        i, j = who[k, 0], who[k, 1]
        _turn(A[i], what[k, 0:3], a)
        for r in range(3):
            for c in range(3):
                M[r, c] = x * a[r] * a[c]
        _lever(A[i], what[k, 3:6], lever[0])
        _lever(A[j], what[k, 6:9], lever[1])
        _add_coupling(lever, Hd[i], Hd[j], Ho[who[k, 2]], i > j, M)


@inner
def _point_tangents(who, what, A, tmp, lam, cK, Hd):
    row = 0
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        f = lam[row : row + 3]
        _geometric(Hd[i], A[i], what[k, 0:3], f, cK, tmp[0])
        _geometric(Hd[j], A[j], what[k, 3:6], f, -cK, tmp[0])
        row += 3
    return row


@inner
def _distance_tangents(who, what, A, r, tmp, lever, lam, row, cK, Hd, Ho):
    d, M = tmp[0], tmp[21:24]
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        si, sj = what[k, 0:3], what[k, 3:6]
        separation(A, r, i, j, si, sj, d)
        length = math.sqrt(_dot(d, d))
        tension = -lam[row]
        across = cK * max(tension, 0.0) / length
        for c in range(3):
            d[c] /= length
        for q in range(3):
            for c in range(3):
                M[q, c] = -across * d[q] * d[c]
            M[q, q] += across
        _lever(A[i], si, lever[0])
        _lever(A[j], sj, lever[1])
        _add_coupling(lever, Hd[i], Hd[j], Ho[who[k, 3]], i > j, M)
        _geometric(Hd[i], A[i], si, d, cK * tension, tmp[1])
        _geometric(Hd[j], A[j], sj, d, -cK * tension, tmp[1])
        row += 1
    return row


@inner
def _dot_tangents(who, what, A, tmp, lam, row, cK, Hd):
    x, y = tmp[1], tmp[2]
    for k in range(who.shape[0]):
        i, j = who[k, 0], who[k, 1]
        _turn(A[i], what[k, 0:3], x)
        _turn(A[j], what[k, 6:9], y)
        _geometric(Hd[i], A[i], what[k, 0:3], y, cK * lam[row], tmp[0])
        _geometric(Hd[j], A[j], what[k, 6:9], x, cK * lam[row], tmp[0])
        row += 1
    return row
