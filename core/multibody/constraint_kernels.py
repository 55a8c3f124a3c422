"""Constraint equations Phi, their velocities and Jacobian, row by row.

Derived for centroidal bodies with velocities (v world, omega body): d(A a)/dt = A (omega x a),
d(r + A s)/dt = v + A (omega x s). The Jacobian multiplies (v, omega, path speed); gamma = G u_dot. Checked
against finite differences at general poses in tests/core/multibody.

Departures from the print of Viegas 2016: in eqs. 2.22, 2.29, 2.40 the rotation block is -A s~ (the tilde over
the body-fixed s, after A; printed s~ A); the third row of the full guide pairs n with u_zeta as eq. 2.45 does
(n with u_eta, printed in 2.37, has a vanishing derivative when the body is aligned); in 2.45 its second row
pairs b with u_xi and all terms of d/dt (n . A u) are kept.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..base.frames import rotation_matrix_kernel
from ..jit.decorators import inner, kernel
from ..track.path_kernels import path_eval, path_eval_linear
from .arrays import (
    AL,
    AR,
    COEF,
    DOT,
    DS,
    FLEX,
    FN,
    GCOL,
    GD,
    GROW,
    HINT,
    KNOT,
    LINEAR,
    META,
    PATH,
    PHI,
    PT,
    SL,
    TABLE,
    TERM,
    count,
    int_line,
    ints,
    real_line,
    reals,
)
from .flexible_kernels import flexible_rows
from .layout import RIGID, TURN


@inner
def eval_functions(S, t, out):
    """Values, first and second derivatives of all functions of time at t: out (nf, 3)."""
    span, poly, terms = ints(S, FN), reals(S, FN), reals(S, TERM)
    for k in range(span.shape[0]):
        first, end, table = span[k, 0], span[k, 1], span[k, 2]
        if table:
            _eval_table(terms, first, end, t, out[k])
            continue
        c0, c1, c2 = poly[k, 0], poly[k, 1], poly[k, 2]
        f, d, dd = c0 + t * (c1 + t * c2), c1 + 2.0 * t * c2, 2.0 * c2
        for q in range(first, end):
            a, w = terms[q, 0], terms[q, 1]
            x = w * t + terms[q, 2]
            f += a * math.sin(x)
            d += a * w * math.cos(x)
            dd -= a * w * w * math.sin(x)
        out[k, 0], out[k, 1], out[k, 2] = f, d, dd


@inner
def _eval_table(terms, first, end, t, out):
    """Cubic spline pieces (knot, c0..c3); the last row holds the end value with zero slope."""
    lo, hi = first, end - 1
    if t <= terms[first, 0]:
        out[0], out[1], out[2] = terms[first, 1], 0.0, 0.0
        return
    if t >= terms[hi, 0]:
        out[0], out[1], out[2] = terms[hi, 1], 0.0, 0.0
        return
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if terms[mid, 0] <= t:
            lo = mid
        else:
            hi = mid
    x = t - terms[lo, 0]
    c0, c1, c2, c3 = terms[lo, 1], terms[lo, 2], terms[lo, 3], terms[lo, 4]
    out[0] = c0 + x * (c1 + x * (c2 + x * c3))
    out[1] = c1 + x * (2.0 * c2 + 3.0 * x * c3)
    out[2] = 2.0 * c2 + 6.0 * x * c3


@inner
def eval_paths(S, L, out):
    """Path position, n, b with first and second arc-length derivatives at each guide: out (ng, 3, 9)."""
    guides, positions, sizes_f = ints(S, GD), ints(S, PATH), reals(S, PATH)
    linear = ints(S, META)[0, LINEAR]
    knots, hint = real_line(S, KNOT), int_line(S, HINT)
    coef = reals(S, COEF)
    pieces = coef.reshape(coef.shape[0], 9, 6)
    table = reals(S, TABLE)
    for k in range(guides.shape[0]):
        p = guides[k, 1]
        closed = positions[p, 6] != 0
        length, bin_width, step = sizes_f[p, 0], sizes_f[p, 1], sizes_f[p, 2]
        if linear:
            path_eval_linear(table[positions[p, 4] : positions[p, 5]], step, length, closed, L[k], out[k])
        else:
            a, b = positions[p, 0], positions[p, 1]
            path_eval(
                knots[a + p : b + p + 1],
                pieces[a:b],
                hint[positions[p, 2] : positions[p, 3]],
                bin_width,
                length,
                closed,
                L[k],
                out[k],
            )


@inner
def _turn(A, s, out):
    """out = A s."""
    for r in range(3):
        out[r] = A[r, 0] * s[0] + A[r, 1] * s[1] + A[r, 2] * s[2]


@inner
def _back(A, x, out):
    """out = A^T x."""
    for r in range(3):
        out[r] = A[0, r] * x[0] + A[1, r] * x[1] + A[2, r] * x[2]


@inner
def _cross(a, b, out):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@inner
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def constraints(S, W, t, r, p, L):
    """Phi and Jacobian values at a pose: fills W.A, W.r, W.fn, W.path, W.place, W.row[PHI], W.gx.

    Parameters
    ----------
    S, W
        Tables and memory.
    t
        s.
    r
        (nb + 1, 3) m, the last body is the ground.
    p
        (nb + 1, 4).
    L
        (plain,) m.
    """
    nb = r.shape[0] - 1
    for b in range(nb):
        rotation_matrix_kernel(p[b], W.A[b])
        for c in range(3):
            W.r[b, c] = r[b, c]
    eval_functions(S, t, W.fn)
    eval_paths(S, L, W.path)
    for g in range(L.shape[0]):
        W.place[g] = L[g]
    phi, g_row = W.row[PHI], int_line(S, GROW)
    row = _points(ints(S, PT), reals(S, PT), W.A, W.r, g_row, W.gx, phi, 0)
    row = _dots(ints(S, DOT), reals(S, DOT), W.fn, W.A, g_row, W.gx, phi, row)
    row = _slides(ints(S, SL), reals(S, SL), W.fn, W.A, W.r, W.tmp, g_row, W.gx, phi, row)
    row = _distances(ints(S, DS), reals(S, DS), W.fn, W.A, W.r, W.tmp, g_row, W.gx, phi, row)
    row = _guides(ints(S, GD), reals(S, GD), W.path, W.A, W.r, g_row, W.gx, phi, row)
    row = _alignments(ints(S, AL), reals(S, AL), ints(S, GD), W.path, W.A, W.tmp, g_row, W.gx, phi, row)
    arcs = ints(S, AR)
    for k in range(arcs.shape[0]):
        phi[row] = L[arcs[k, 0]] - W.fn[arcs[k, 1], 0]
        W.gx[g_row[row]] = 1.0
        row += 1
    if count(S, FLEX) > 0:
        flexible_rows(S, W, row)


@inner
def _points(index, what, AA, r, g_row, gx, phi, row):
    for k in range(index.shape[0]):
        for side in range(2):
            body = index[k, side]
            sign = 1.0 if side == 0 else -1.0
            s0, s1, s2 = what[k, 3 * side], what[k, 3 * side + 1], what[k, 3 * side + 2]
            A = AA[body]
            for c in range(3):
                q = g_row[row + c] + 4 * side
                gx[q] = sign
                gx[q + 1] = sign * (s1 * A[c, 2] - s2 * A[c, 1])
                gx[q + 2] = sign * (s2 * A[c, 0] - s0 * A[c, 2])
                gx[q + 3] = sign * (s0 * A[c, 1] - s1 * A[c, 0])
                x = r[body, c] + A[c, 0] * s0 + A[c, 1] * s1 + A[c, 2] * s2
                phi[row + c] = x if side == 0 else phi[row + c] - x
        row += 3
    return row


@inner
def turned_direction(index, what, fn, a):
    """The direction a (3,) of one perpendicularity row in body i, turned by its driver: out."""
    f = index[2]
    if f < 0 or index[3]:
        a[0], a[1], a[2] = what[0], what[1], what[2]
    else:
        c, s = math.cos(fn[f, 0]), math.sin(fn[f, 0])
        for q in range(3):
            a[q] = c * what[q] - s * what[3 + q]


@inner
def _dots(index, what, fn, AA, g_row, gx, phi, row):
    for k in range(index.shape[0]):
        A, B = AA[index[k, 0]], AA[index[k, 1]]
        f, sine = index[k, 2], index[k, 3]
        a0, a1, a2 = what[k, 0], what[k, 1], what[k, 2]
        if f >= 0 and not sine:
            c, s = math.cos(fn[f, 0]), math.sin(fn[f, 0])
            a0 = c * a0 - s * what[k, 3]
            a1 = c * a1 - s * what[k, 4]
            a2 = c * a2 - s * what[k, 5]
        b0, b1, b2 = what[k, 6], what[k, 7], what[k, 8]
        ax = A[0, 0] * a0 + A[0, 1] * a1 + A[0, 2] * a2
        ay = A[1, 0] * a0 + A[1, 1] * a1 + A[1, 2] * a2
        az = A[2, 0] * a0 + A[2, 1] * a1 + A[2, 2] * a2
        bx = B[0, 0] * b0 + B[0, 1] * b1 + B[0, 2] * b2
        by = B[1, 0] * b0 + B[1, 1] * b1 + B[1, 2] * b2
        bz = B[2, 0] * b0 + B[2, 1] * b1 + B[2, 2] * b2
        phi[row] = ax * bx + ay * by + az * bz
        if sine:
            phi[row] -= math.sin(fn[f, 0])
        # a x (A_i^T b) and b x (A_j^T a)
        u0 = A[0, 0] * bx + A[1, 0] * by + A[2, 0] * bz
        u1 = A[0, 1] * bx + A[1, 1] * by + A[2, 1] * bz
        u2 = A[0, 2] * bx + A[1, 2] * by + A[2, 2] * bz
        v0 = B[0, 0] * ax + B[1, 0] * ay + B[2, 0] * az
        v1 = B[0, 1] * ax + B[1, 1] * ay + B[2, 1] * az
        v2 = B[0, 2] * ax + B[1, 2] * ay + B[2, 2] * az
        q = g_row[row]
        gx[q] = a1 * u2 - a2 * u1
        gx[q + 1] = a2 * u0 - a0 * u2
        gx[q + 2] = a0 * u1 - a1 * u0
        gx[q + 3] = b1 * v2 - b2 * v1
        gx[q + 4] = b2 * v0 - b0 * v2
        gx[q + 5] = b0 * v1 - b1 * v0
        row += 1
    return row


@inner
def separation(AA, r, i, j, si, sj, d):
    """d = r_j + A_j s_j - r_i - A_i s_i (world)."""
    A, B = AA[i], AA[j]
    for c in range(3):
        d[c] = (
            r[j, c]
            + B[c, 0] * sj[0]
            + B[c, 1] * sj[1]
            + B[c, 2] * sj[2]
            - r[i, c]
            - A[c, 0] * si[0]
            - A[c, 1] * si[1]
            - A[c, 2] * si[2]
        )


@inner
def _slides(index, what, fn, A, r, tmp, g_row, gx, phi, row):
    d, n, di, nj = tmp[0], tmp[1], tmp[2], tmp[3]
    for k in range(index.shape[0]):
        i, j, f = index[k, 0], index[k, 1], index[k, 2]
        a, si, sj = what[k, 0:3], what[k, 3:6], what[k, 6:9]
        separation(A, r, i, j, si, sj, d)
        _turn(A[i], a, n)
        target = fn[f, 0] if f >= 0 else 0.0
        phi[row] = _dot(n, d) - target
        _back(A[i], d, di)
        _back(A[j], n, nj)
        q = g_row[row]
        other = q + RIGID
        for c in range(3):
            gx[q + c] = -n[c]
            gx[other + c] = n[c]
            di[c] += si[c]
        _cross(a, di, gx[q + TURN :])
        _cross(sj, nj, gx[other + TURN :])
        row += 1
    return row


@inner
def _distances(index, what, fn, A, r, tmp, g_row, gx, phi, row):
    d, ni, nj = tmp[0], tmp[1], tmp[2]
    for k in range(index.shape[0]):
        i, j, f = index[k, 0], index[k, 1], index[k, 2]
        si, sj = what[k, 0:3], what[k, 3:6]
        separation(A, r, i, j, si, sj, d)
        length = math.sqrt(_dot(d, d))
        phi[row] = length - fn[f, 0]
        q = g_row[row]
        other = q + RIGID
        for c in range(3):
            d[c] /= length
            gx[q + c] = -d[c]
            gx[other + c] = d[c]
        _back(A[i], d, ni)
        _back(A[j], d, nj)
        _cross(ni, si, gx[q + TURN :])
        _cross(sj, nj, gx[other + TURN :])
        row += 1
    return row


@inner
def _guides(index, what, path, AA, r, g_row, gx, phi, row):
    for k in range(index.shape[0]):
        b = index[k, 0]
        s0, s1, s2 = what[k, 0], what[k, 1], what[k, 2]
        A = AA[b]
        for c in range(3):
            q = g_row[row + c]
            gx[q] = 1.0
            gx[q + 1] = s1 * A[c, 2] - s2 * A[c, 1]
            gx[q + 2] = s2 * A[c, 0] - s0 * A[c, 2]
            gx[q + 3] = s0 * A[c, 1] - s1 * A[c, 0]
            gx[q + 4] = -path[k, 1, c]
            x = r[b, c] + A[c, 0] * s0 + A[c, 1] * s1 + A[c, 2] * s2
            phi[row + c] = x - path[k, 0, c]
        row += 3
    return row


@inner
def _alignments(index, what, guides, path, AA, tmp, g_row, gx, phi, row):
    w, mb = tmp[0], tmp[1]
    for k in range(index.shape[0]):
        g = index[k, 0]
        o = 3 + 3 * index[k, 1]
        A, u = AA[guides[g, 0]], what[k, 0:3]
        _turn(A, u, w)
        m = path[g, 0, o : o + 3]
        phi[row] = _dot(m, w) - what[k, 3]
        _back(A, m, mb)
        q = g_row[row]
        _cross(u, mb, gx[q : q + 3])
        gx[q + 3] = _dot(path[g, 1, o : o + 3], w)
        row += 1
    return row


@inner
def jacobian_times(g_row, g_col, gx, u, out):
    """out (m,) = G u for a line u."""
    for row in range(g_row.shape[0] - 1):
        x = 0.0
        for q in range(g_row[row], g_row[row + 1]):
            x += gx[q] * u[g_col[q]]
        out[row] = x


@kernel
def velocity_residual(S, W, u, out):
    """out = dPhi/dt = G u + dPhi/dt at fixed pose.

    Parameters
    ----------
    S, W
        Tables and memory.
    u
        A line of velocities with zeros for the ground.
    out
        (m,), written.
    """
    jacobian_times(int_line(S, GROW), int_line(S, GCOL), W.gx, u, out)
    dots, numbers = ints(S, DOT), reals(S, DOT)
    row = 3 * ints(S, PT).shape[0]
    for k in range(dots.shape[0]):
        if dots[k, 2] >= 0:
            out[row] += W.fn[dots[k, 2], 1] * _driven_dot_rate(dots[k], numbers[k], W.fn, W.A)
        row += 1
    slides = ints(S, SL)
    for k in range(slides.shape[0]):
        if slides[k, 2] >= 0:
            out[row] -= W.fn[slides[k, 2], 1]
        row += 1
    distances = ints(S, DS)
    for k in range(distances.shape[0]):
        out[row] -= W.fn[distances[k, 2], 1]
        row += 1
    row += 3 * ints(S, GD).shape[0] + ints(S, AL).shape[0]
    arcs = ints(S, AR)
    for k in range(arcs.shape[0]):
        out[row] -= W.fn[arcs[k, 1], 1]
        row += 1


@inner
def _driven_dot_rate(index, what, fn, AA):
    """d/dc of (A_i a(c)).(A_j b) for a(c) = cos c a - sin c g, or of -sin c."""
    c, s = math.cos(fn[index[2], 0]), math.sin(fn[index[2], 0])
    if index[3]:
        return -c
    A, B = AA[index[0]], AA[index[1]]
    x = 0.0
    for q in range(3):
        y = 0.0
        z = 0.0
        for e in range(3):
            y += A[q, e] * (-s * what[e] - c * what[3 + e])
            z += B[q, e] * what[6 + e]
        x += y * z
    return x
