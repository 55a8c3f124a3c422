"""Flexible bodies: inertia that changes as they bend, elastic and damping forces, and their interface frames.

The equations of `core.structure.floating`, with q and v the modal coordinates and their rates, h = J(q) w + B(q) v the
angular momentum, B_j = sum q_i G_ij and D_j = J1_j + 2 sum q_i J2_ij the slope of J with q_j (derived here):
  J w' + B v' + w x h + (sum v_j D_j) w = moment
  mu_j v_j' + B_j . w' + 2 sum v_i G_ij . w - 1/2 w D_j w + k_j q_j + sum d_ji v_i = force along q_j
J and B are put into Work.block, the rest stands among the forces. An interface frame is at x = X + U q + 1/2 q H q and
turned by R q + 1/2 q H q in the axes of the flexible body; it is joined to another body by six constraint rows,
  r_f + A_f s - r - A x = 0 (world axes),   1/2 vee(E - E^T) = R q + 1/2 q H q,  E = A^T A_f C^T,
C the turn of that body's axes as drawn: what acts on interface frames acts on ordinary bodies, and the multipliers are
the forces and moments there. The vector on the left is sin(angle) times the axis of turn, as good as the small turns
of a linear structure are.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import inner, kernel
from .arrays import BLOCK, FLEX, FORCE, GROW, PHI, SLOT, TIE, int_line, ints, reals
from .layout import RIGID, TURN

POINT, AXES, MOVES = 3, 6, 15  # where these begin in a row of TIE; before them the place


@inner
def _bend(m, p, q, bent):
    """Place and columns U + H q, R + H q of an interface frame, into bent; its turn is returned."""
    turn0, turn1, turn2 = 0.0, 0.0, 0.0
    second = MOVES + RIGID * m
    for c in range(RIGID):
        total = 0.0
        for j in range(m):
            more = 0.0
            for i in range(m):
                more += p[second + (c * m + j) * m + i] * q[i]
            first = p[MOVES + c * m + j]
            bent[3 + c * m + j] = first + more
            total += q[j] * (first + 0.5 * more)
        if c < 3:
            bent[c] = p[c] + total
        elif c == 3:
            turn0 = total
        elif c == 4:
            turn1 = total
        else:
            turn2 = total
    return turn0, turn1, turn2


@inner
def _relative(A, F, C, E):
    """E = A^T F C^T; C (9,), row by row."""
    for a in range(3):
        for b in range(3):
            x = 0.0
            for e in range(3):
                y = A[0, a] * F[0, e] + A[1, a] * F[1, e] + A[2, a] * F[2, e]
                x += y * C[3 * b + e]
            E[a, b] = x


@inner
def _blocks(S, W):
    """Inertia of flexible bodies as they are bent, into W.block."""
    flex, numbers, fixed = ints(S, FLEX), reals(S, FLEX), reals(S, BLOCK)
    for e in range(flex.shape[0]):
        m, row, p = flex[e, 1], flex[e, 3], numbers[e]
        q, n = W.place[flex[e, 2] : flex[e, 2] + m], m + TURN
        one = m + m * m
        two = one + 9 * m
        couple = two + 9 * m * m
        block = W.block[row]
        for r in range(3):
            for c in range(3):
                x = fixed[row, r * n + c]
                for i in range(m):
                    y = p[one + 9 * i + 3 * r + c]
                    for j in range(m):
                        y += q[j] * p[two + 9 * (i * m + j) + 3 * r + c]
                    x += q[i] * y
                block[r * n + c] = x
            for j in range(m):
                x = 0.0
                for i in range(m):
                    x += q[i] * p[couple + 3 * (i * m + j) + r]
                block[r * n + TURN + j] = x
                block[(TURN + j) * n + r] = x


@kernel
def flexible_rows(S, W, row):
    """Inertia of all flexible bodies, and residuals and Jacobian of their interface frames from `row` on."""
    _blocks(S, W)
    flex, ties, numbers, g_row = ints(S, FLEX), ints(S, TIE), reals(S, TIE), int_line(S, GROW)
    phi, gx, E = W.row[PHI], W.gx, W.tmp[21:24]
    for k in range(ties.shape[0]):
        e, b, f = ties[k, 0], ties[k, 1], ties[k, 2]
        m, p, x, A, F = flex[e, 1], numbers[k], W.bent[k], W.A[b], W.A[f]
        t0, t1, t2 = _bend(m, p, W.place[flex[e, 2] : flex[e, 2] + m], x)
        for c in range(3):
            g, gap = g_row[row + c], 0.0
            for side in range(2):
                body = f if side == 0 else b
                sign = 1.0 if side == 0 else -1.0
                at = POINT if side == 0 else 0
                D, s = W.A[body], p if side == 0 else x
                gx[g] = sign
                gx[g + 1] = sign * (s[at + 1] * D[c, 2] - s[at + 2] * D[c, 1])
                gx[g + 2] = sign * (s[at + 2] * D[c, 0] - s[at] * D[c, 2])
                gx[g + 3] = sign * (s[at] * D[c, 1] - s[at + 1] * D[c, 0])
                gap += sign * (W.r[body, c] + D[c, 0] * s[at] + D[c, 1] * s[at + 1] + D[c, 2] * s[at + 2])
                g += 4
            for j in range(m):
                gx[g + j] = -(A[c, 0] * x[3 + j] + A[c, 1] * x[3 + m + j] + A[c, 2] * x[3 + 2 * m + j])
            phi[row + c] = gap
        C = p[AXES:MOVES]
        _relative(A, F, C, E)
        phi[row + 3] = 0.5 * (E[2, 1] - E[1, 2]) - t0
        phi[row + 4] = 0.5 * (E[0, 2] - E[2, 0]) - t1
        phi[row + 5] = 0.5 * (E[1, 0] - E[0, 1]) - t2
        trace = E[0, 0] + E[1, 1] + E[2, 2]
        for c in range(3):
            g = g_row[row + 3 + c]
            for d in range(3):
                gx[g + d] = 0.5 * E[c, d]
                y = 0.5 * trace * C[3 * c + d]
                for i in range(3):
                    y -= 0.5 * E[i, c] * C[3 * i + d]
                gx[g + 3 + d] = y
            gx[g + c] -= 0.5 * trace
            for j in range(m):
                gx[g + RIGID + j] = -x[3 + (3 + c) * m + j]
        row += RIGID


@inner
def _spin_twice(w, s0, s1, s2, out):
    """out = w x (w x s)."""
    ws = w[0] * s0 + w[1] * s1 + w[2] * s2
    ww = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    out[0], out[1], out[2] = w[0] * ws - s0 * ww, w[1] * ws - s1 * ww, w[2] * ws - s2 * ww


@inner
def _turning(w, a, E, out):
    """out = -w~ E + E a~: the rate of E where A turns with w and F with what is a in the same axes."""
    for c in range(3):
        out[0, c] = w[2] * E[1, c] - w[1] * E[2, c]
        out[1, c] = w[0] * E[2, c] - w[2] * E[0, c]
        out[2, c] = w[1] * E[0, c] - w[0] * E[1, c]
    for r in range(3):
        out[r, 0] += E[r, 1] * a[2] - E[r, 2] * a[1]
        out[r, 1] += E[r, 2] * a[0] - E[r, 0] * a[2]
        out[r, 2] += E[r, 0] * a[1] - E[r, 1] * a[0]


@kernel
def flexible_gamma(S, W, u, gamma, row):
    """The right-hand sides of interface frames from `row` on, at the pose of the last `constraints`."""
    flex, ties, numbers, at = ints(S, FLEX), ints(S, TIE), reals(S, TIE), int_line(S, SLOT)
    own, far, rate, second, a = W.tmp[0], W.tmp[1], W.tmp[2], W.tmp[3], W.tmp[4]
    E, E1, E2 = W.tmp[21:24], W.tmp[18:21], W.tmp[15:18]
    turned = W.tmp[5]
    for k in range(ties.shape[0]):
        e, b, f = ties[k, 0], ties[k, 1], ties[k, 2]
        m, p, x, A, F = flex[e, 1], numbers[k], W.bent[k], W.A[b], W.A[f]
        w, wf, v = u[at[b] + TURN :], u[at[f] + TURN :], u[at[b] + RIGID :]
        for c in range(RIGID):
            y, z = 0.0, 0.0
            for j in range(m):
                y += x[3 + c * m + j] * v[j]
                for i in range(m):
                    z += v[j] * p[MOVES + RIGID * m + (c * m + j) * m + i] * v[i]
            if c < 3:
                rate[c], second[c] = y, z
            else:
                turned[c - 3] = z
        _spin_twice(wf, p[POINT], p[POINT + 1], p[POINT + 2], far)
        _spin_twice(w, x[0], x[1], x[2], own)
        own[0] += 2.0 * (w[1] * rate[2] - w[2] * rate[1]) + second[0]
        own[1] += 2.0 * (w[2] * rate[0] - w[0] * rate[2]) + second[1]
        own[2] += 2.0 * (w[0] * rate[1] - w[1] * rate[0]) + second[2]
        C = p[AXES:MOVES]
        for c in range(3):
            y = A[c, 0] * own[0] + A[c, 1] * own[1] + A[c, 2] * own[2]
            gamma[row + c] = y - (F[c, 0] * far[0] + F[c, 1] * far[1] + F[c, 2] * far[2])
            a[c] = C[3 * c] * wf[0] + C[3 * c + 1] * wf[1] + C[3 * c + 2] * wf[2]
        _relative(A, F, C, E)
        _turning(w, a, E, E1)
        _turning(w, a, E1, E2)
        gamma[row + 3] = turned[0] - 0.5 * (E2[2, 1] - E2[1, 2])
        gamma[row + 4] = turned[1] - 0.5 * (E2[0, 2] - E2[2, 0])
        gamma[row + 5] = turned[2] - 0.5 * (E2[1, 0] - E2[0, 1])
        row += RIGID


@kernel
def flexible_forces(S, W, u):
    """Elastic and damping forces of flexible bodies and what comes of their changing inertia, onto W.vel[FORCE]; the
    power of their damping."""
    flex, numbers, at, force = ints(S, FLEX), reals(S, FLEX), int_line(S, SLOT), W.vel[FORCE]
    for e in range(flex.shape[0]):
        b, m, p = flex[e, 0], flex[e, 1], numbers[e]
        q, w, v = W.place[flex[e, 2] : flex[e, 2] + m], u[at[b] + TURN :], u[at[b] + RIGID :]
        one = m + m * m
        two = one + 9 * m
        couple = two + 9 * m * m
        for j in range(m):
            swung, slot = 0.0, at[b] + TURN
            for r in range(3):
                for c in range(3):
                    y = p[one + 9 * j + 3 * r + c]
                    for i in range(m):
                        y += 2.0 * q[i] * p[two + 9 * (i * m + j) + 3 * r + c]
                    force[slot + r] -= v[j] * y * w[c]
                    swung += 0.5 * w[r] * y * w[c]
            for i in range(m):
                g = couple + 3 * (i * m + j)
                swung -= 2.0 * v[i] * (p[g] * w[0] + p[g + 1] * w[1] + p[g + 2] * w[2])
            lost = 0.0
            for i in range(m):
                lost += p[m + m * j + i] * v[i]
            force[at[b] + RIGID + j] += swung - p[j] * q[j] - lost
            W.power[0] += lost * v[j]


@kernel
def flexible_energy(S, W):
    """Elastic energy (J) of all flexible bodies at the pose of the last `constraints`."""
    flex, numbers, out = ints(S, FLEX), reals(S, FLEX), 0.0
    for e in range(flex.shape[0]):
        for j in range(flex[e, 1]):
            out += 0.5 * numbers[e, j] * W.place[flex[e, 2] + j] ** 2
    return out


@kernel
def flexible_tangent(S, W, lam, cC, cK):
    """What flexible bodies add to the blocks of the tangent: stiffness, damping, and the forces at their interface
    frames turning and moving with them; lower parts."""
    flex, ties, numbers, p_tie = ints(S, FLEX), ints(S, TIE), reals(S, FLEX), reals(S, TIE)
    for e in range(flex.shape[0]):
        H, m = W.Hd[flex[e, 0]], flex[e, 1]
        for j in range(m):
            H[RIGID + j, RIGID + j] += cK * numbers[e, j]
            for i in range(j + 1):
                H[RIGID + j, RIGID + i] += cC * numbers[e, m + m * j + i]
    row, f = lam.shape[0] - RIGID * ties.shape[0], W.tmp[0]
    for k in range(ties.shape[0]):
        m, x, p = flex[ties[k, 0], 1], W.bent[k], p_tie[k]
        for side in range(2):
            body = ties[k, 1 + side]
            A, H, s = W.A[body], W.Hd[body], x if side == 0 else p[POINT:]
            sign = -cK if side == 0 else cK
            along = 0.0
            for c in range(3):
                f[c] = A[0, c] * lam[row] + A[1, c] * lam[row + 1] + A[2, c] * lam[row + 2]
                along += s[c] * f[c]
            for r in range(3):
                for c in range(r + 1):
                    H[TURN + r, TURN + c] -= 0.5 * sign * (f[r] * s[c] + s[r] * f[c])
                H[TURN + r, TURN + r] += sign * along
            if side == 1:
                continue
            for j in range(m):
                d0, d1, d2 = x[3 + j], x[3 + m + j], x[3 + 2 * m + j]
                H[RIGID + j, TURN] += cK * (d1 * f[2] - d2 * f[1])
                H[RIGID + j, TURN + 1] += cK * (d2 * f[0] - d0 * f[2])
                H[RIGID + j, TURN + 2] += cK * (d0 * f[1] - d1 * f[0])
                for i in range(j + 1):
                    y = 0.0
                    for c in range(RIGID):
                        load = f[c] if c < 3 else lam[row + c]
                        y += load * p[MOVES + RIGID * m + (c * m + j) * m + i]
                    H[RIGID + j, RIGID + i] += cK * y
        row += RIGID
