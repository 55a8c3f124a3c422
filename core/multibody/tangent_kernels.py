"""The symmetric tangent H = cM M + cC C + cK K of the equations of motion, body block by body block.

C and K come from springs, dampers, stops and devices, and from the constraint and element forces turning with their
bodies (geometric stiffness). Only the symmetric part is kept: the Newton iterations of the integrator use H
with an LDL^T factorisation, and what is left out (gyroscopic terms, the turning of dampers) is of first order
in the step size and costs iterations, not accuracy.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner, kernel
from ..model.laws import D, F, V, X
from .arrays import (
    AR,
    BODY,
    DC,
    DOT,
    DS,
    E_ANGLE,
    E_DISTANCE,
    E_FRAME,
    E_LINE,
    E_PATH,
    E_SLIDE,
    E_SPEED,
    E_TURN,
    FLEX,
    GD,
    PAIR_AT,
    PT,
    SL,
    VIA,
    WIDE,
    I,
    J,
    count,
    ints,
    reals,
    sizes,
)
from .constraint_kernels import _back, _dot, _turn, separation
from .contact_tangent import contact_tangent
from .device_kernels import device_tangents
from .flexible_kernels import flexible_tangent
from .layout import RIGID
from .mass_kernels import block_tangent
from .measure_kernels import DAMPING, LOAD, RATE, SLOPE


@kernel
def tangent(S, W, u, lam, cM, cC, cK, Hs):
    """Fill the blocks W.Hd and W.Ho and Hs at the state of the last `forces` call.

    Only lower parts of the diagonal blocks are filled; an off-diagonal block has the larger body number as rows.

    Parameters
    ----------
    S, W
        Tables and memory.
    u
        Line of velocities.
    lam
        (m,), multipliers of that state.
    cM, cC, cK
        What masses, dampings and stiffnesses are multiplied by.
    Hs
        (ng,), written: the diagonal of the path coordinates.
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
    block_tangent(S, W.block, cM, Hd)
    guides, arcs = ints(S, GD), ints(S, AR)
    for k in range(arcs.shape[0]):
        if arcs[k, 2]:  # a course: time has something to lean on where the body stands still
            Hs[arcs[k, 0]] = cM * body[guides[arcs[k, 0], 0], 0]
    if cC == 0.0 and cK == 0.0:
        return
    rows = ints(S, E_SPEED)
    e = W.law.shape[0] - rows.shape[0] - ints(S, E_PATH).shape[0]
    for k in range(rows.shape[0]):
        for c in range(3):
            Hd[rows[k, 0], c, c] += cC * W.law[e + k, LOAD] / max(W.law[e + k, RATE], 1e-12)
    if count(S, DC) > 0:
        device_tangents(S, W, cC, Hd)
    _distance_element_tangents(S, W, cC, cK)
    e = ints(S, E_DISTANCE).shape[0]
    e = _angle_tangents(S, W, cC, cK, e)
    e = _turn_tangents(S, W, cC, cK, e)
    e = _slide_tangents(S, W, cC, cK, e)
    e = _frame_tangents(S, W, cC, cK, e)
    _line_tangents(S, W, cC, cK, e)
    row = _point_tangents(ints(S, PT), reals(S, PT), W.A, W.tmp, lam, cK, Hd)
    row = _dot_tangents(ints(S, DOT), reals(S, DOT), W.A, W.tmp, lam, row, cK, Hd)
    row += ints(S, SL).shape[0]
    row = _distance_tangents(ints(S, DS), reals(S, DS), W.A, W.r, W.tmp, W.lever, lam, row, cK, Hd, Ho)
    points = reals(S, GD)
    for g in range(guides.shape[0]):
        b = guides[g, 0]
        f = lam[row : row + 3]
        _geometric(Hd[b], W.A[b], points[g], f, cK, W.tmp[0])
        Hs[g] += cK * _dot(W.path[g, 2, 0:3], f)
        row += 3
    if count(S, FLEX) > 0:
        flexible_tangent(S, W, lam, cC, cK)
    if W.touch.shape[0] > 0:
        contact_tangent(W.touch, W.contact, W.A, W.r, Hd, Ho, cC, cK)


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
            for c in range(RIGID):
                MB[r, c] = M[r, 0] * B[0, c] + M[r, 1] * B[1, c] + M[r, 2] * B[2, c]
        for r in range(RIGID):
            for c in range(r + 1):
                H[r, c] += B[0, r] * MB[0, c] + B[1, r] * MB[1, c] + B[2, r] * MB[2, c]
    # MB now holds M B_j
    for r in range(RIGID):
        for c in range(RIGID):
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
def _slope(law, cC, cK):
    """What an element adds to H along its coordinate. A falling law adds nothing: H stays definite."""
    return cK * max(law[SLOPE], 0.0) + cC * max(law[DAMPING], 0.0)


@inner
def _distance_element_tangents(S, W, cC, cK):
    rows, what, A, tmp, lever = ints(S, E_DISTANCE), reals(S, E_DISTANCE), W.A, W.tmp, W.lever
    Hd, Ho, M = W.Hd, W.Ho, tmp[21:24]
    for e in range(rows.shape[0]):
        i, j = rows[e, 0], rows[e, 1]
        si, sj, d = what[e, 0:3], what[e, 3:6], W.way[e, 0:3]
        length, f = W.el[e, 0], W.law[e, LOAD]
        along = _slope(W.law[e], cC, cK)
        across = cK * max(f, 0.0) / length
        for q in range(3):
            for c in range(3):
                M[q, c] = (along - across) * d[q] * d[c]
            M[q, q] += across
        _lever(A[i], si, lever[0])
        _lever(A[j], sj, lever[1])
        _add_coupling(lever, Hd[i], Hd[j], Ho[rows[e, PAIR_AT]], i > j, M)
        _geometric(Hd[i], A[i], si, d, cK * f, tmp[1])
        _geometric(Hd[j], A[j], sj, d, -cK * f, tmp[1])


@inner
def _angle_tangents(S, W, cC, cK, first):
    rows, A, ai, aj = ints(S, E_ANGLE), W.A, W.tmp[1], W.tmp[2]
    for k in range(rows.shape[0]):
        x = _slope(W.law[first + k], cC, cK)
        if x == 0.0:
            continue
        i, j = rows[k, 0], rows[k, 1]
        _back(A[i], W.way[first + k], ai)
        _back(A[j], W.way[first + k], aj)
        Hi, Hj, Hij = W.Hd[i], W.Hd[j], W.Ho[rows[k, PAIR_AT]]
        for r in range(3):
            for c in range(r + 1):
                Hi[3 + r, 3 + c] += x * ai[r] * ai[c]
                Hj[3 + r, 3 + c] += x * aj[r] * aj[c]
            for c in range(3):
                Hij[3 + r, 3 + c] -= x * (ai[r] * aj[c] if i > j else aj[r] * ai[c])
    return first + rows.shape[0]


@inner
def _wide_slopes(out, M, n, cC, cK):
    """The symmetric part of what a wide law adds to H in its n coordinates, into M."""
    for r in range(n):
        for c in range(n):
            stiffness = 0.5 * (out[r, X + c] + out[c, X + r])
            damping = 0.5 * (out[r, V + c] + out[c, V + r])
            M[r, c] = cK * stiffness + cC * damping


@inner
def _add_wide(B, Hi, Hj, Hij, i_first, M, n, MB):
    """Add [B_i; -B_j]^T M [B_i; -B_j] to the blocks of bodies i and j; B (2, n, 6), M (n, n), MB (n, 6) scratch."""
    for side in range(2):
        H = Hi if side == 0 else Hj
        for r in range(n):
            for c in range(RIGID):
                x = 0.0
                for e in range(n):
                    x += M[r, e] * B[side, e, c]
                MB[r, c] = x
        for r in range(RIGID):
            for c in range(r + 1):
                for e in range(n):
                    H[r, c] += B[side, e, r] * MB[e, c]
    # MB now holds M B_j
    for r in range(RIGID):
        for c in range(RIGID):
            x = 0.0
            for e in range(n):
                x += B[0, e, r] * MB[e, c]
            if i_first:
                Hij[r, c] -= x
            else:
                Hij[c, r] -= x


@inner
def _turn_tangents(S, W, cC, cK, first):
    rows, A, B = ints(S, E_TURN), W.A, W.levers
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        _wide_slopes(W.wide[rows[k, WIDE]], W.slopes, 3, cC, cK)
        B[:] = 0.0
        for r in range(3):
            B[0, r, 3 + r] = 1.0
            for c in range(3):
                B[1, r, 3 + c] = A[i, 0, r] * A[j, 0, c] + A[i, 1, r] * A[j, 1, c] + A[i, 2, r] * A[j, 2, c]
        _add_wide(B, W.Hd[i], W.Hd[j], W.Ho[rows[k, PAIR_AT]], i > j, W.slopes, 3, W.products)
    return first + rows.shape[0]


@inner
def _slide_tangents(S, W, cC, cK, first):
    rows, what, A, lever, M = ints(S, E_SLIDE), reals(S, E_SLIDE), W.A, W.lever, W.tmp[21:24]
    for k in range(rows.shape[0]):
        x, a = _slope(W.law[first + k], cC, cK), W.way[first + k]
        if x == 0.0:
            continue
        i, j = rows[k, 0], rows[k, 1]
        for r in range(3):
            for c in range(3):
                M[r, c] = x * a[r] * a[c]
        _lever(A[i], what[k, 3:6], lever[0])
        _lever(A[j], what[k, 6:9], lever[1])
        _add_coupling(lever, W.Hd[i], W.Hd[j], W.Ho[rows[k, PAIR_AT]], i > j, M)
    return first + rows.shape[0]


@inner
def _frame_tangents(S, W, cC, cK, first):
    rows, what, A, B = ints(S, E_FRAME), reals(S, E_FRAME), W.A, W.levers
    lever, world = W.lever, W.tmp[5]
    for k in range(rows.shape[0]):
        i, j = rows[k, 0], rows[k, 1]
        out, point, P = W.wide[rows[k, WIDE]], W.way[first + k, 0:3], W.way[first + k, 3:12]
        _wide_slopes(out, W.slopes, 6, cC, cK)
        _lever(A[i], point, lever[0])
        _lever(A[j], what[k, 3:6], lever[1])
        B[:] = 0.0
        for r in range(3):
            for c in range(RIGID):
                for e in range(3):
                    B[0, r, c] += P[3 * r + e] * lever[0, e, c]
                    B[1, r, c] += P[3 * r + e] * lever[1, e, c]
            for c in range(3):
                for e in range(3):
                    B[0, 3 + r, 3 + c] += P[3 * r + e] * A[i, e, c]
                    B[1, 3 + r, 3 + c] += P[3 * r + e] * A[j, e, c]
            world[r] = 0.0
        for r in range(3):
            for c in range(3):
                world[r] += P[3 * c + r] * (out[c, F] + out[c, D])
        _add_wide(B, W.Hd[i], W.Hd[j], W.Ho[rows[k, PAIR_AT]], i > j, W.slopes, 6, W.products)
        _geometric(W.Hd[i], A[i], point, world, cK, W.tmp[1])
        _geometric(W.Hd[j], A[j], what[k, 3:6], world, -cK, W.tmp[1])
    return first + rows.shape[0]


@inner
def _line_tangents(S, W, cC, cK, first):
    rows, via, what, A, M, Hd, Ho = ints(S, E_LINE), ints(S, VIA), reals(S, VIA), W.A, W.slopes, W.Hd, W.Ho
    lever, across = W.lever, W.tmp[21:24]
    for k in range(rows.shape[0]):
        at, n, out = rows[k, I], rows[k, J] - 1, W.wide[rows[k, WIDE]]
        _wide_slopes(out, M, n, cC, cK)
        for a in range(n):
            for b in range(n):
                _add_segments(W.way[first + k], via, what, A, W.products, at, a, b, M[a, b], Hd, Ho)
            i, j = via[at + a, 0], via[at + a + 1, 0]
            pull, d = out[a, F], W.way[first + k, 3 * a : 3 * a + 3]
            if i == j or pull <= 0.0:
                continue
            size = cK * pull / W.coordinates[rows[k, WIDE], 0, a]
            for r in range(3):
                for c in range(3):
                    across[r, c] = size * ((1.0 if r == c else 0.0) - d[r] * d[c])
            _lever(A[i], what[at + a], lever[0])
            _lever(A[j], what[at + a + 1], lever[1])
            _add_coupling(lever, Hd[i], Hd[j], Ho[via[at + a + 1, 1 + a]], i > j, across)
            _geometric(Hd[i], A[i], what[at + a], d, cK * pull, W.tmp[1])
            _geometric(Hd[j], A[j], what[at + a + 1], d, -cK * pull, W.tmp[1])


@inner
def _add_segments(way, via, what, A, moves, at, a, b, slope, Hd, Ho):
    """Add how the pull of segment a follows the length of segment b of a line that begins at row `at` of `via`."""
    if slope == 0.0:
        return
    for first in range(2):
        for second in range(2):
            p, q = a + first, b + second
            i, j = via[at + p, 0], via[at + q, 0]
            if i < j:  # stands there for the other way round
                continue
            _moves(A[i], what[at + p], way[3 * a : 3 * a + 3], moves[0])
            _moves(A[j], what[at + q], way[3 * b : 3 * b + 3], moves[1])
            scale = slope if first == second else -slope
            if i == j:
                for r in range(RIGID):
                    for c in range(r + 1):
                        Hd[i, r, c] += scale * moves[0, r] * moves[1, c]
            else:
                pair = via[at + max(p, q), 1 + min(p, q)]
                for r in range(RIGID):
                    for c in range(RIGID):
                        Ho[pair, r, c] += scale * moves[0, r] * moves[1, c]


@inner
def _moves(A, s, d, out):
    """How a point of a body moves along a direction d with the velocities of the body, out (6,)."""
    x = A[0, 0] * d[0] + A[1, 0] * d[1] + A[2, 0] * d[2]
    y = A[0, 1] * d[0] + A[1, 1] * d[1] + A[2, 1] * d[2]
    z = A[0, 2] * d[0] + A[1, 2] * d[1] + A[2, 2] * d[2]
    out[0], out[1], out[2] = d[0], d[1], d[2]
    out[3], out[4], out[5] = s[1] * z - s[2] * y, s[2] * x - s[0] * z, s[0] * y - s[1] * x


@inner
def _point_tangents(index, what, A, tmp, lam, cK, Hd):
    row = 0
    for k in range(index.shape[0]):
        i, j = index[k, 0], index[k, 1]
        f = lam[row : row + 3]
        _geometric(Hd[i], A[i], what[k, 0:3], f, cK, tmp[0])
        _geometric(Hd[j], A[j], what[k, 3:6], f, -cK, tmp[0])
        row += 3
    return row


@inner
def _distance_tangents(index, what, A, r, tmp, lever, lam, row, cK, Hd, Ho):
    d, M = tmp[0], tmp[21:24]
    for k in range(index.shape[0]):
        i, j = index[k, 0], index[k, 1]
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
        _add_coupling(lever, Hd[i], Hd[j], Ho[index[k, 3]], i > j, M)
        _geometric(Hd[i], A[i], si, d, cK * tension, tmp[1])
        _geometric(Hd[j], A[j], sj, d, -cK * tension, tmp[1])
        row += 1
    return row


@inner
def _dot_tangents(index, what, A, tmp, lam, row, cK, Hd):
    x, y = tmp[1], tmp[2]
    for k in range(index.shape[0]):
        i, j = index[k, 0], index[k, 1]
        _turn(A[i], what[k, 0:3], x)
        _turn(A[j], what[k, 6:9], y)
        _geometric(Hd[i], A[i], what[k, 0:3], y, cK * lam[row], tmp[0])
        _geometric(Hd[j], A[j], what[k, 6:9], x, cK * lam[row], tmp[0])
        row += 1
    return row
