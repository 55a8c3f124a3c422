"""The implicit integrator: generalised-alpha on the rotation manifold, index-2 stabilised, error controlled.

Scheme (Chung & Hulbert 1993; on Lie groups: Bruls, Cardona & Arnold 2012), with an acceleration-like variable a:
  (1 - am) a1 + am a0 = (1 - af) u_dot1 + af u_dot0
  u1 = u0 + h (1 - g) a0 + h g a1
  pose1 = pose0 o exp(h u0 + h^2 (1/2 - b) a0 + h^2 b a1 + dp)
and the equations of motion, the velocity constraints and the position constraints all hold at the end of the
step. The position correction dp, in the metric of the tangent H and found with the same factorisation, takes the
role of the second multiplier in the stabilised index-2 form of Gear, Gupta & Leimkuhler (1985). One spectral radius
at infinity rho sets am, af, g, b; order 2 for every rho, also with changing steps, because a is re-centred to its
shifted instant t + (am - af) h whenever h changes.

Error estimate: the leading term of the step's defect against the Taylor series, |(am - af)/2 + b - 1/6| h^2
|u_dot1 - u_dot0|, in m and rad. Newton iterations reuse H's factorisation until they converge slowly.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.multibody.arrays import BODY, FORCE, GCOL, GROW, PHI, PHIDOT, int_line, reals, sizes
from core.multibody.constraint_kernels import constraints, velocity_residual
from core.multibody.force_kernels import forces, keep_angles
from core.multibody.tangent_kernels import tangent
from core.solver.kkt import add_constraint_force, move
from core.solver.ldl import factorise, scatter, solve_parts

F = NDArray[np.float64]

RUNNING, FINISHED, STEP_TOO_SMALL, FULL, PATH_END = 0, 1, 2, 3, 4
MAX_ITERATIONS = 12
SLOW = 0.4  # contraction beyond which an old tangent is renewed
HOPELESS = 0.9  # and a fresh one too
ROUNDING = 1e-8  # m or rad
PATIENCE = 3  # iterations that an old tangent may still cost


# lines of Memory.v (velocity-sized): present and end of step
U, UDOT, ACC, UDOT_BEFORE, U1, UDOT1, ACC1, DX, DP, RES, DU, PUSH = range(12)
# lines of Memory.l (row-sized)
LAM, LAM1, ROW, DLAM, REG, MU = range(6)
# lines of Memory.g (sized as the Jacobian)
AT_START, IN_FACTOR = range(2)
# lines of Memory.clock and Memory.counts
TIME, STEP, STEP_BEFORE, ERROR, FACTOR_STEP = range(5)
ACCEPTED, REJECTED, ITERATIONS, FACTORS, HAS_FACTOR, LOGGED = range(6)


class Memory(NamedTuple):
    """State of an integration between calls; all arrays change in place. Pairs (2, ...) hold the pose at the
    start and at the end of the step."""

    clock: F  # (5,) time, step, step before, error of the last step, step of the factorisation
    counts: NDArray[np.int64]  # (6,)
    r: F  # (2, nb + 1, 3)
    p: F  # (2, nb + 1, 4)
    L: F  # (2, ng)
    v: F  # (12, nu + 6)
    l: F  # (6, m)
    g: F  # (2, Jacobian entries) Jacobian at the start of the step, and that of the factorisation
    Hs: F  # (ng,)


class Log(NamedTuple):
    """Accepted steps, one row each."""

    t: F
    r: F
    p: F
    L: F
    u: F
    udot: F
    lam: F


class Limits(NamedTuple):
    """What stops or steers: end time, largest and smallest step, tolerance, fixed step or 0, position and
    velocity tolerances of the constraints, am, af, g, b."""

    t_end: float
    h_max: float
    h_min: float
    tolerance: float
    fixed: float
    position: float
    velocity: float
    am: float
    af: float
    g: float
    b: float


def parameters(rho: float) -> tuple[float, float, float, float]:
    """am, af, g (gamma), b (beta) of the scheme for a spectral radius at infinity rho in [0, 1]
    (Chung & Hulbert 1993, eqs. 25, 17, 20)."""
    am = (2.0 * rho - 1.0) / (rho + 1.0)
    af = rho / (rho + 1.0)
    g = 0.5 - am + af
    return am, af, g, 0.25 * (g + 0.5) ** 2


@njit(cache=True, nogil=True, inline="always")
def _end_of_step(v, P, h, nu):
    """a, u and the pose increment at the end of the step that belong to its u_dot."""
    for k in range(nu):
        a = ((1.0 - P.af) * v[UDOT1, k] + P.af * v[UDOT, k] - P.am * v[ACC, k]) / (1.0 - P.am)
        v[ACC1, k] = a
        v[U1, k] = v[U, k] + h * ((1.0 - P.g) * v[ACC, k] + P.g * a)
        v[DX, k] = h * v[U, k] + h * h * ((0.5 - P.b) * v[ACC, k] + P.b * a) + v[DP, k]


@njit(cache=True, nogil=True, inline="always")
def _residual(S, W, Y, t, nb, nu):
    """Equations of motion and constraints at the end of the step: v[RES], W.row[PHI], W.row[PHIDOT]."""
    constraints(S, W, t, Y.r[1], Y.p[1], Y.L[1])
    velocity_residual(S, W, Y.v[U1], W.row[PHIDOT])
    forces(S, W, Y.v[U1], Y.l[LAM1])
    res, force, udot = Y.v[RES], W.vel[FORCE], Y.v[UDOT1]
    for k in range(nu):
        res[k] = force[k]
    add_constraint_force(int_line(S, GROW), int_line(S, GCOL), W.gx, Y.l[LAM1], res)
    body = reals(S, BODY)
    for b in range(nb):
        for c in range(3):
            res[6 * b + c] -= body[b, 0] * udot[6 * b + c]
            res[6 * b + 3 + c] -= body[b, 1 + c] * udot[6 * b + 3 + c]


@njit(cache=True, nogil=True, inline="always")
def _renew_factor(S, W, X, Y, P, h):
    cM = (1.0 - P.am) / ((1.0 - P.af) * P.b * h * h)
    cC = P.g / (P.b * h)
    tangent(S, W, Y.v[U1], Y.l[LAM1], cM, cC, 1.0, Y.Hs)
    scatter(X, int_line(S, GROW), int_line(S, GCOL), W.gx, W.Hd, W.Ho, Y.Hs, Y.l[REG])
    Y.g[IN_FACTOR] = W.gx
    Y.counts[FACTORS] += 1
    Y.clock[FACTOR_STEP] = h
    return factorise(X)


@njit(cache=True, nogil=True, inline="always")
def _newton_step(S, X, W, Y, P, h, nu, m):
    """One correction of the step's unknowns; returns its size (m, rad)."""
    cM = (1.0 - P.am) / ((1.0 - P.af) * P.b * h * h)
    cC = P.g / (P.b * h)
    v, row, dlam = Y.v, Y.l[ROW], Y.l[DLAM]
    for q in range(m):
        row[q] = W.row[PHIDOT, q] / cC
    solve_parts(X, nu, v[RES], row, v[DU], dlam)
    size = 0.0
    for k in range(nu):
        v[UDOT1, k] += cM * v[DU, k]
    for q in range(m):
        Y.l[LAM1, q] += dlam[q]
    # the velocity correction moves the pose by G du = -row already; dp closes what is left of Phi. Its direction is
    # the mean of the constraint directions at both ends, H dp = (G0 + G1)^T mu / 2, so that the step is its own
    # mirror image in time; what the factorisation has in its place, G_f^T mu, goes to the right-hand side.
    g_row, g_col = int_line(S, GROW), int_line(S, GCOL)
    push, mu = v[PUSH], Y.l[MU]
    push[:] = 0.0
    for q in range(m):
        x = W.row[PHI, q] - row[q]
        for e in range(g_row[q], g_row[q + 1]):
            c = g_col[e]
            x -= Y.g[IN_FACTOR, e] * v[DP, c]
            push[c] += (0.5 * (Y.g[AT_START, e] + W.gx[e]) - Y.g[IN_FACTOR, e]) * mu[q]
        row[q] = x
    solve_parts(X, nu, push, row, push, mu)
    for k in range(nu):
        size = max(size, abs(v[DU, k] + push[k] - v[DP, k]))
        v[DP, k] = push[k]
    _end_of_step(v, P, h, nu)
    return size


@njit(cache=True, nogil=True, inline="always")
def _predict(Y, P, h, nu, m, nb, ng):
    """First guess of the end of the step: accelerations go on as they went."""
    v = Y.v
    ratio = h / Y.clock[STEP_BEFORE] if Y.clock[STEP_BEFORE] > 0.0 else 0.0
    for k in range(nu):
        v[UDOT1, k] = v[UDOT, k] + ratio * (v[UDOT, k] - v[UDOT_BEFORE, k])
        v[DP, k] = 0.0
    for row in range(m):
        Y.l[LAM1, row] = Y.l[LAM, row]
        Y.l[MU, row] = 0.0
    _end_of_step(v, P, h, nu)
    move(nb, ng, nu, Y.r[0], Y.p[0], Y.L[0], v[DX], Y.r[1], Y.p[1], Y.L[1])


@njit(cache=True, nogil=True, inline="always")
def _solve_step(S, W, X, Y, P, h, nb, ng, nu, m):
    """Newton iterations for one step of size h. Returns True when converged."""
    t1 = Y.clock[TIME] + h
    accept = max(0.002 * P.tolerance, 1e-12) if P.fixed == 0.0 else 1e-11
    fresh = False
    _predict(Y, P, h, nu, m, nb, ng)
    _residual(S, W, Y, t1, nb, nu)
    if Y.counts[HAS_FACTOR] == 0 or Y.clock[FACTOR_STEP] != h or P.fixed > 0.0:
        if not _renew_factor(S, W, X, Y, P, h):
            return False
        Y.counts[HAS_FACTOR] = 1
        fresh = True
    before, left = 0.0, math.inf
    for iteration in range(MAX_ITERATIONS):
        size = _newton_step(S, X, W, Y, P, h, nu, m)
        Y.counts[ITERATIONS] += 1
        if not math.isfinite(size) or size > 10.0:
            return False
        move(nb, ng, nu, Y.r[0], Y.p[0], Y.L[0], Y.v[DX], Y.r[1], Y.p[1], Y.L[1])
        _residual(S, W, Y, t1, nb, nu)
        rate = size / before if before > 0.0 else 1.0
        left = size if iteration == 0 or rate >= 1.0 else size * rate / (1.0 - rate)
        if left <= accept and _holds(W.row, P, m):
            return True
        if iteration > 2 and rate > 2.0 and size > 100.0 * accept:
            return False
        # a fresh tangent is kept unless the iterations hardly converge: changing it also changes the metric of dp
        poor = not fresh and (rate > SLOW or size * rate**PATIENCE > accept)
        if iteration > 0 and (poor or rate > HOPELESS):
            if not _renew_factor(S, W, X, Y, P, h):
                return False
            fresh = True
        before = size
    # at a fixed step rounding may keep the corrections above the tight level asked for there
    return P.fixed > 0.0 and left <= ROUNDING and _holds(W.row, P, m)


@njit(cache=True, nogil=True, inline="always")
def _holds(row, P, m):
    worst, fastest = 0.0, 0.0
    for q in range(m):
        worst = max(worst, abs(row[PHI, q]))
        fastest = max(fastest, abs(row[PHIDOT, q]))
    return worst <= P.position and fastest <= P.velocity


@njit(cache=True, nogil=True, inline="always")
def _error(v, P, h, nu):
    x = 0.0
    for k in range(nu):
        x = max(x, abs(v[UDOT1, k] - v[UDOT, k]))
    return abs(0.5 * (P.am - P.af) + P.b - 1.0 / 6.0) * h * h * x


@njit(cache=True, nogil=True, inline="always")
def _accept(S, W, Y, log, h):
    """Make the end of the step the present and write it down."""
    v = Y.v
    v[UDOT_BEFORE] = v[UDOT]
    v[UDOT] = v[UDOT1]
    v[ACC] = v[ACC1]
    v[U] = v[U1]
    Y.l[LAM] = Y.l[LAM1]
    Y.r[0], Y.p[0], Y.L[0] = Y.r[1], Y.p[1], Y.L[1]
    Y.clock[TIME] += h
    Y.clock[STEP_BEFORE] = h
    Y.counts[ACCEPTED] += 1
    Y.g[AT_START] = W.gx
    keep_angles(S, W)
    write_log(Y, log)


@njit(cache=True, nogil=True)
def write_log(Y, log):
    """Append the present state to the log."""
    q = Y.counts[LOGGED]
    log.t[q] = Y.clock[TIME]
    log.r[q], log.p[q], log.L[q] = Y.r[0], Y.p[0], Y.L[0]
    log.u[q], log.udot[q], log.lam[q] = Y.v[U], Y.v[UDOT], Y.l[LAM]
    Y.counts[LOGGED] += 1


@njit(cache=True, nogil=True, inline="always")
def _recentre(Y, P, h_old, h_new, nu):
    """Shift a to the instant t + (am - af) h of the new step size, along the measured rate of u_dot."""
    if h_new == h_old or Y.clock[STEP_BEFORE] <= 0.0:
        return
    factor = (P.am - P.af) * (h_new - h_old) / Y.clock[STEP_BEFORE]
    for k in range(nu):
        Y.v[ACC, k] += factor * (Y.v[UDOT, k] - Y.v[UDOT_BEFORE, k])


@njit(cache=True, nogil=True)
def advance(S, W, X, Y, P, log, end_paths, end_path, max_steps):
    """Take up to max_steps accepted steps; returns RUNNING, FINISHED, STEP_TOO_SMALL, FULL or PATH_END.

    end_paths (ng,): arc length at which each guide ends the run (inf: never); end_path: count of guides that
    must be past it. The log must have room; FULL is returned when it has not.
    """
    nb, ng, nu, m = sizes(S)
    steps = 0
    while steps < max_steps:
        left = P.t_end - Y.clock[TIME]
        if left <= 1e-12 * max(1.0, P.t_end):
            return FINISHED
        if Y.counts[LOGGED] >= log.t.shape[0]:
            return FULL
        planned = P.fixed if P.fixed > 0.0 else Y.clock[STEP]
        n_left = math.ceil(left / planned - 1e-9)
        h = planned
        if n_left <= 1 or (n_left <= 3 and P.fixed == 0.0):
            h = left / n_left
        _recentre(Y, P, planned, h, nu)
        converged = _solve_step(S, W, X, Y, P, h, nb, ng, nu, m)
        error = _error(Y.v, P, h, nu) if converged else math.inf
        Y.clock[ERROR] = error
        if converged and (P.fixed > 0.0 or error <= P.tolerance):
            _accept(S, W, Y, log, h)
            new = h if P.fixed > 0.0 else _next_step(P, h, error)
            _recentre(Y, P, h, new, nu)
            Y.clock[STEP] = new
        else:
            Y.counts[REJECTED] += 1
            Y.counts[HAS_FACTOR] = 0
            new = h * (max(0.2, 0.85 * (P.tolerance / error) ** (1.0 / 3.0)) if converged else 0.25)
            _recentre(Y, P, h, new, nu)
            Y.clock[STEP] = new
            if P.fixed > 0.0 or new < P.h_min:
                return STEP_TOO_SMALL
            continue
        steps += 1
        past = 0
        for g in range(ng):
            if Y.L[0, g] >= end_paths[g]:
                past += 1
        if end_path > 0 and past >= end_path:
            return PATH_END
    return RUNNING


@njit(cache=True, nogil=True, inline="always")
def _next_step(P, h, error):
    """Step for the next attempt; kept when the gain is small, so that the factorisation can be reused."""
    ratio = 0.85 * (P.tolerance / max(error, 1e-300)) ** (1.0 / 3.0)
    if ratio > 1.0:
        if ratio < 1.2:
            return h
        return min(h * min(ratio, 1.6), P.h_max)
    return h * max(ratio, 0.6) if ratio < 0.95 else h
