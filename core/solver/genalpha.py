"""The implicit integrator: generalised-alpha on the rotation manifold, index-2 stabilised, error controlled.

Scheme (Chung & Hulbert 1993; on Lie groups: Bruls, Cardona & Arnold 2012), with an acceleration-like variable a:
  (1 - am) a1 + am a0 = (1 - af) u_dot1 + af u_dot0
  u1 = u0 + h (1 - g) a0 + h g a1
  pose1 = pose0 o exp(h u0 + h^2 (1/2 - b) a0 + h^2 b a1 + dp)
and the equations of motion, the velocity constraints and the position constraints all hold at the end of the
step. The position correction dp, in the metric of the tangent H and found with the same factorisation, takes the
role of the second multiplier in the stabilised index-2 form of Gear, Gupta & Leimkuhler (1985). One spectral radius
at infinity rho sets am, af, g, b. What is kept from step to step is the deviation d = a - u_dot = (am - af) h u_ddot +
O(h^2); it is scaled with h when h changes, and the first step is trapezoidal (rho = 1), which needs none, so that
positions, velocities and accelerations are of order 2 for every rho, from the first step and with changing steps.

For rotation the first two lines are those of the momentum A J w in world axes instead of the rates w in body axes, so
that free bodies keep it to rounding (see momentum): u_dot stands for s in A J s = d(A J w)/dt, without gyroscopic
moment, and J w1 = Q^T J (w0 + h (1 - g) a0) + h g J a1 with Q = A0^T A1. Logs and error estimates have w_dot.

Error estimate: the leading term of the step's defect against the Taylor series, |(am - af)/2 + b - 1/6| h^2
|u_dot1 - u_dot0|, in m and rad, and that of what force elements measure, by how far their forces change with it
(`step_size.element_error`). Newton iterations reuse H's factorisation until they converge slowly.

Without numerical damping (rho = 1) forces enter as the mean of both ends of the step (moments in world axes) and every
constraint with one multiplier for the whole step, in the mean of its directions at both ends:
  M (u1 - u0) = h (f0 + f1) / 2 + h (G0 + G1)^T lam / 2,  pose1 = pose0 o exp(h (u0 + u1) / 2 + dp)
A step is then its own mirror image in time and keeps nothing but pose and velocity (carried multipliers would zigzag
and feed on the energy), so that reversible systems keep their energy for good at a fixed step. At a variable one
they do if the steps are chosen alike forwards and backwards: each follows from its own two ends (Stoffer 1995). h
solves h^2 sqrt(|c|^2 + (j h)^2) / 12 = 0.6 tolerance together with the Newton iterations; c is the change M^-1 (f1 - f0
+ (G1 - G0)^T lam) of the accelerations and the constant j keeps h below max_step. Accelerations and multipliers at
the ends of steps, which the scheme does not need, are extrapolated from the means of the last two steps.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner, kernel, part
from ..multibody.arrays import (
    BLOCK,
    BODY,
    FORCE,
    GCOL,
    GROW,
    PHI,
    PHIDOT,
    PLAIN,
    SLOT,
    VEL_A,
    count,
    int_line,
    path_slot,
    reals,
    sizes,
)
from ..multibody.constraint_kernels import constraints, velocity_residual
from ..multibody.device_kernels import device_error
from ..multibody.event_kernels import TOO_FAR, Instant, closer, first_event, meets_before
from ..multibody.force_kernels import Z_BASE, Z_NOW, Z_RATE, forces
from ..multibody.mass_kernels import subtract_blocks, subtract_inertia, subtract_mean_blocks
from ..multibody.tangent_kernels import tangent
from .accepted_step import accept
from .integration import (
    ACC,
    ACC1,
    ACC_BEFORE,
    AT_START,
    BASE,
    CHANGE,
    CLOSE,
    DEV,
    DLAM,
    DP,
    DU,
    DX,
    ERROR,
    FACTOR_STEP,
    FACTORS,
    FINISHED,
    FORCE0,
    FREE,
    FULL,
    HAS_FACTOR,
    IN_FACTOR,
    ITERATIONS,
    JUMPED,
    KEPT,
    LAM,
    LAM1,
    LANDINGS,
    LOGGED,
    MARGIN,
    MOMENTUM,
    MU,
    PASSED,
    PAST,
    PATH_END,
    PUSH,
    REG,
    REJECTED,
    RES,
    REST,
    ROW,
    RUNNING,
    START,
    STEP,
    STEP_BEFORE,
    STEP_TOO_SMALL,
    TAKEN,
    TIME,
    TOUCHES,
    TURN,
    U1,
    UDOT,
    UDOT1,
    Z_DEV,
    Z_RATE_BEFORE,
    U,
    copy,
)
from .kkt import add_constraint_force, move
from .ldl import factorise, scatter, solve_pair
from .momentum import (
    add_gyroscopic,
    axes,
    increment,
    increment_base,
    leave_gyroscopic,
    mean_changes,
    mean_of_ends,
    rates,
    to_world,
    turn_rates,
)
from .redundant_constraints import (
    CLOSE_EPSILON,
    along_secants,
    close_size,
    follow,
    holds,
    pose_alone,
)
from .scheme import C0, C1, CM, GAIN, LEAD, B, G, choose
from .step_size import elastic_error, element_error, left_over, next_step, own_step, step_error

MAX_ITERATIONS = 12
MAX_CLOSE, MAX_FREE = 24, 40  # of close iterations, and of those that find the step along with its end
SLOW = 0.4  # contraction beyond which an old tangent is renewed
HOPELESS = 0.9  # and a fresh one too
ROUNDING = 1e-8  # m or rad
# of scatter: larger than elsewhere, because where rows depend on each other the iterations amplify by 1 / epsilon what
# the Jacobian has changed since the factorisation; its own error goes down by this factor in every iteration
NEWTON_EPSILON = 1e-7
FROZEN = 4  # iteration from which the direction of dp stays as it is
TIGHT = 1e-12  # m or rad, where iterations may not be felt
STUCK = 0.5  # contraction beyond which corrections below ROUNDING count as rounding
STEADY = 1e-9  # relative change of a step that has found its size
PATIENCE = 3  # iterations that an old tangent may still cost


@part
def _residual(S, W, Y, h, mean):
    """Equations of motion and constraints at the end of the step: v[RES], W.row[PHI], W.row[PHIDOT]; mean: with the
    mean of the forces at both ends, and their change in v[CHANGE]. Returns by how much (rad) bodies turn on."""
    body, at, v, form, res = reals(S, BODY), int_line(S, SLOT), Y.v, Y.form, Y.v[RES]
    constraints(S, W, Y.clock[TIME] + h, Y.r[1], Y.p[1], Y.L[1])
    more = turn_rates(Y.euler, at, W.A, Y.held, v[START], h * form[GAIN], h, form[G], form[B], v[ACC1], v[U1])
    velocity_residual(S, W, v[U1], W.row[PHIDOT])
    forces(S, W, v[U1], Y.l[LAM1])
    g_row, g_col = int_line(S, GROW), int_line(S, GCOL)
    copy(W.vel[FORCE], res)
    add_constraint_force(g_row, g_col, W.gx, Y.l[LAM1], res)
    if mean:
        change = v[CHANGE]
        copy(v[FORCE0], change)
        add_constraint_force(g_row, g_col, Y.g[AT_START], Y.l[LAM1], change)
        mean_of_ends(body, at, int_line(S, PLAIN), Y.A, W.A, v[U], v[U1], change, res)
    else:
        leave_gyroscopic(body, at, v[U1], res)
    subtract_inertia(body, at, v[ACC1], res)
    if count(S, BLOCK) > 0:
        x = W.vel[VEL_A]
        if mean:
            mean_changes(at, h, v[U], v[U1], v[ACC1], x)
            subtract_mean_blocks(S, Y.block, W.block, Y.A, W.A, x, res)
        else:
            copy(v[ACC1], x)
            add_gyroscopic(Y.euler, at, 1.0, v[U1], x)
            subtract_blocks(S, W.block, x, res)
    return more


@part
def _renew_factor(S, W, X, Y, h, share, epsilon):
    """Factorise the tangent, of forces that enter with a share of what they are at the end of the step."""
    form = Y.form
    cM, cC = form[CM] / (h * h), form[G] / (form[B] * h)
    tangent(S, W, Y.v[U1], Y.l[LAM1], cM, share * cC, share, Y.Hs)
    g_row, g_col = int_line(S, GROW), int_line(S, GCOL)
    scatter(X, g_row, g_col, W.gx, W.Hd, W.Ho, Y.Hs, Y.l[REG], epsilon)
    copy(W.gx, Y.g[IN_FACTOR])
    Y.counts[FACTORS] += 1
    Y.clock[FACTOR_STEP] = h
    Y.counts[HAS_FACTOR] = 1
    return factorise(X)


@kernel
def newton_step(S, X, W, Y, h, mean, turn, near):
    """One correction of the step's unknowns; returns its size (m, rad). The factorisation may be of another h; turn:
    let the direction of dp follow; near: number of the close iteration (see dependent), 0: an ordinary one."""
    _, _, nu, m = sizes(S)
    v, row, form = Y.v, Y.l[ROW], Y.form
    made = Y.clock[FACTOR_STEP]
    cM, per_rate, share = form[CM] / (made * made), form[B] * made * made / (form[G] * h), (h / made) ** 2
    # The velocity correction moves the pose by G du = -row already; dp closes what is left of Phi. Without damping its
    # direction is the mean of the constraint directions at both ends, H dp = (G0 + G1)^T mu / 2, so that the step is
    # its own mirror image in time; what the factorisation has in its place, G_f^T mu, goes to the right-hand side.
    g_row, g_col = int_line(S, GROW), int_line(S, GCOL)
    push, mu, turned, close = v[PUSH], Y.l[MU], Y.l[TURN], Y.l[CLOSE]
    if near > 0 and near % 2 == 0:
        pose_alone(W.row, v[RES])
    for k in range(nu):
        push[k] = 0.0
    for q in range(m):
        row[q] = W.row[PHIDOT, q] * per_rate
        x = W.row[PHI, q] - share * row[q] - Y.l[REG, q] * mu[q]
        for e in range(g_row[q], g_row[q + 1]):
            c = g_col[e]
            x -= Y.g[IN_FACTOR, e] * v[DP, c]
            if mean:
                push[c] += (0.5 * (Y.g[AT_START, e] + W.gx[e]) - Y.g[IN_FACTOR, e]) * turned[q]
        close[q] = x
    solve_pair(X, nu, v[RES], row, v[DU], Y.l[DLAM], push, close, push, mu)
    if turn:
        follow(mu, turned)
    if mean and near % 2 == 1:
        along_secants(Y.l[REG], Y.l[DLAM], near // 2, Y.l[PAST:])
    size = close_size(S, W.Hd, v[RES], v[DU], share, push, v[DP]) if near > 0 else 0.0
    for k in range(nu):
        v[ACC1, k] += cM * v[DU, k]
        v[U1, k] += h * form[GAIN] * cM * v[DU, k]
        size = max(size, abs(share * v[DU, k] + push[k] - v[DP, k]))
        v[DP, k] = push[k]
    for q in range(m):
        Y.l[LAM1, q] += Y.l[DLAM, q]
    return size


@inner
def _internal_base(W, Y, h, mean):
    """What internal unknowns have at the end of a step of size h from its start: they follow the first two lines of the
    scheme as velocities do, and the trapezoidal rule where forces enter as the mean of both ends."""
    form, before = Y.form, Y.clock[STEP_BEFORE]
    ratio = h / before if before > 0.0 else 0.0
    W.z_step[0] = 0.5 * h if mean else h * form[GAIN]
    for k in range(W.z.shape[1]):
        rate, deviation = Y.z[Z_RATE, k], ratio * Y.z[Z_DEV, k]
        kept = form[C1] * deviation - form[C0] * rate
        slope = 0.5 * rate if mean else (1.0 - form[G]) * (rate + deviation) + form[G] * kept
        W.z[Z_BASE, k] = Y.z[Z_NOW, k] + h * slope


@inner
def _predict(S, W, Y, h):
    """First guess of the end of the step: accelerations go on as they went."""
    _, _, nu, m = sizes(S)
    v, form, before, body, at = Y.v, Y.form, Y.clock[STEP_BEFORE], reals(S, BODY), int_line(S, SLOT)
    ratio = h / before if before > 0.0 else 0.0
    for k in range(nu):
        d0, a0 = ratio * v[DEV, k], v[ACC, k] + ratio * v[DEV, k]
        v[ACC1, k] = v[ACC, k] + ratio * (v[ACC, k] - v[ACC_BEFORE, k])
        v[KEPT, k] = form[C1] * d0 - form[C0] * v[ACC, k]
        v[START, k] = h * ((1.0 - form[G]) * a0 + form[G] * v[KEPT, k])
        v[REST, k] = v[KEPT, k] - a0
        v[RES, k] = v[U, k] + 0.5 * h * v[UDOT, k]
        v[DP, k] = 0.0
    for row in range(m):
        Y.l[LAM1, row] = Y.l[LAM, row]
        Y.l[MU, row], Y.l[TURN, row] = 0.0, 0.0
    for k in range(W.z.shape[1]):
        W.z[Z_NOW, k] = Y.z[Z_NOW, k] + h * Y.z[Z_RATE, k]
    axes(Y.p[0], Y.A)
    to_world(body, at, Y.A, v[KEPT])
    to_world(body, at, Y.A, v[START])
    for k in range(nu):
        v[START, k] += v[MOMENTUM, k]
    rates(body, at, Y.A, v[START], h * form[GAIN], v[ACC1], v[U1])
    add_gyroscopic(Y.euler, at, h, v[RES], v[U1])


@part
def _solve_step(S, W, X, Y, P, h):
    """Newton iterations for one step of size h or, if Y.counts[FREE] is set, about h; where they fail for a step whose
    size is given, close ones (see dependent). Returns True when converged; the size is in Y.clock[TAKEN]."""
    for attempt in range(1 if P.fixed == 0.0 and P.am == P.af else 2):  # a loop: _iterate is compiled once
        closed = _iterate(S, W, X, Y, P, h, attempt == 1)
        Y.counts[HAS_FACTOR] *= 1 - attempt  # that of close iterations is not to be kept
        if closed:
            return True
    return False


@part
def _iterate(S, W, X, Y, P, h, closely):
    """One attempt of _solve_step."""
    _, _, nu, m = sizes(S)
    mean, v, at = P.af == P.am, Y.v, int_line(S, SLOT)
    exact, free, patient = P.fixed > 0.0 or mean, Y.counts[FREE] == 1, closely or Y.counts[FREE] == 1
    accept = TIGHT if exact else left_over(P.tolerance, h)
    rough = ROUNDING * (100.0 if closely and P.fixed > 0.0 else 1.0) if closely or mean else TIGHT
    epsilon = CLOSE_EPSILON if closely else NEWTON_EPSILON
    most = MAX_CLOSE if closely else MAX_FREE if free else MAX_ITERATIONS
    choose(P, Y.clock[STEP_BEFORE] == 0.0, Y.form)
    _predict(S, W, Y, h)
    fresh, size, before, left, change = False, math.inf, 0.0, math.inf, 0.0
    for iteration in range(most + 1):
        Y.clock[TAKEN] = h
        if iteration == 0 or free:
            _internal_base(W, Y, h, mean)
            increment_base(Y.euler, at, h, h * h * (Y.form[B] - 0.5 * Y.form[G]), v[U], v[REST], v[BASE])
        for sweep in range(2 if iteration == 0 and not mean else 1):
            if sweep == 1:  # the rates of where the guess has turned to, or the whole correction would be s
                axes(Y.p[1], W.A)
                rates(reals(S, BODY), at, W.A, v[START], h * Y.form[GAIN], v[ACC1], v[U1])
            increment(Y.euler, at, h, h * h * Y.form[LEAD], v[BASE], v[U], v[U1], v[ACC1], v[DP], v[DX])
            move(S, Y.r[0], Y.p[0], Y.L[0], v[DX], Y.r[1], Y.p[1], Y.L[1])
        more = _residual(S, W, Y, h, mean)
        if W.z_step[1] > 0.0:
            return False
        off = abs(h / Y.clock[FACTOR_STEP] - 1.0)
        alone = closely and iteration % 2 == 1
        if iteration == 0:
            renew = Y.counts[HAS_FACTOR] == 0 or P.fixed > 0.0 or off > (0.1 if free else 0.0)
        elif not alone:
            rate = size / before if before > 0.0 else 1.0
            left = size if iteration == 1 or rate >= 1.0 or closely else size * rate / (1.0 - rate)
            if left <= accept and change <= STEADY and holds(W.row, P, m):
                return True
            # where rows depend on each other, rounding ends the progress above the tight level
            stuck = iteration > 2 and rate > STUCK and (closely or P.fixed == 0.0)
            if stuck and size <= rough and change <= 100.0 * STEADY and holds(W.row, P, m):
                return True
            if iteration > 3 and rate > 2.0 and size > max(100.0 * accept, ROUNDING) and not patient:
                return False
            # a fresh tangent is kept unless the iterations hardly converge: changing it also changes dp's metric
            poor = not fresh and (rate > SLOW or size * rate**PATIENCE > accept)
            renew = (iteration > 1 and (poor or rate > HOPELESS)) or off > 0.2
            before = size
        if iteration == most:
            break
        if renew or closely:
            if not _renew_factor(S, W, X, Y, h, 0.5 if mean else 1.0, epsilon):
                return False
            fresh = True
        turn = mean and iteration < (1 if closely else FROZEN)
        found = max(more, newton_step(S, X, W, Y, h, mean, turn, iteration + 1 if closely else 0))
        size = max(size, found) if alone else found
        Y.counts[ITERATIONS] += 1
        if not math.isfinite(size) or size > 10.0:
            return False
        if free:
            new = own_step(S, P, Y.weight, v[CHANGE], h)
            for k in range(nu):
                v[U1, k] += (new - h) * v[ACC1, k]
            add_gyroscopic(Y.euler, at, new - h, v[U1], v[U1])  # with axes of before it grew
            change, h = abs(new / h - 1.0), new
    return False


@inner
def _internal_error(W, Y, P, h):
    """Estimated local error of the internal unknowns, in their own units: the leading term of the scheme's, with the
    third derivative from their rates at three instants."""
    before = Y.clock[STEP_BEFORE]
    if before == 0.0:
        return 0.0
    size = 0.0
    for k in range(W.z.shape[1]):
        rise = (W.z[Z_RATE, k] - Y.z[Z_RATE, k]) / h - (Y.z[Z_RATE, k] - Y.z[Z_RATE_BEFORE, k]) / before
        size = max(size, abs(rise))
    return (1.0 / 12.0 + 0.5 * abs(P.am - P.af)) * 2.0 * size * h * h * h / (h + before)


@inner
def _ends(S, W, Y, h):
    """Both ends of the converged step."""
    along, now = path_slot(S), Y.clock[TIME]
    v, r, p = Y.v, Y.r, Y.p
    start = Instant(Y.el, Y.z[Z_NOW], Y.z[Z_RATE], Y.L[0], v[U, along:], now, r[0], p[0], v[U])
    return start, Instant(W.el, W.z[Z_NOW], W.z[Z_RATE], Y.L[1], v[U1, along:], now + h, r[1], p[1], v[U1])


@part
def _step(S, W, X, Y, P, end_paths, end_path, h):
    """One step of size h, or about h if it is free, cut short where something happens in it.

    Returns whether it can be accepted, whether the run ends with it, the size of the whole step and its error; the
    size of what was taken of it is in Y.clock[TAKEN].
    """
    _, _, nu, _ = sizes(S)
    trial, error, over, landing = h, math.inf, False, 0
    border, low, high, left, touches = -1, 0.0, h, LANDINGS, TOUCHES
    while True:
        converged = _solve_step(S, W, X, Y, P, trial)
        if landing > 0:
            if converged and landing == 1 and border >= 0 and left > 0:
                start, there = _ends(S, W, Y, trial)
                better, low, high = closer(S, W, start, there, border, trial, low, high)
                if better != trial:
                    trial, left = better, left - 1
                    continue
            if converged:
                start, there = _ends(S, W, Y, trial)
                share = meets_before(S, W, start, there, trial)
                if share < 1.0 and (landing == 2 or touches == 0):
                    return False, False, h, math.inf
                if share < 1.0:
                    trial, touches = share * trial, touches - 1
                    continue
            if converged or landing == 2:
                return converged, over and landing == 1, h, error if converged else math.inf
            trial, landing = h, 2  # the short step fails: the whole one
            continue
        h = Y.clock[TAKEN]
        if not converged:
            return False, False, h, math.inf
        copy(Y.v[ACC1], Y.v[UDOT1])
        add_gyroscopic(Y.euler, int_line(S, SLOT), 1.0, Y.v[U1], Y.v[UDOT1])
        error = step_error(S, P, Y.weight, Y.v[UDOT], Y.v[UDOT1], Y.v[CHANGE], h, nu)
        error = max(error, device_error(S, W, h), _internal_error(W, Y, P, h))
        error = max(error, element_error(S, W, Y, P, h, Y.clock[STEP_BEFORE]))
        error = max(error, elastic_error(S, W, Y, P, h, Y.clock[STEP_BEFORE]))
        if P.fixed == 0.0 and error > P.tolerance:
            return False, False, h, error
        start, end = _ends(S, W, Y, h)
        share, over, border = first_event(S, W, start, end, end_paths, end_path, h, MARGIN)
        if share >= 1.0:
            return True, over, h, error
        if border == TOO_FAR and P.fixed == 0.0:
            return False, False, h, math.inf
        Y.counts[FREE] = 0
        trial, landing, low, high, left = share * h, 1, 0.0, h, LANDINGS


@kernel
def advance(S, W, X, Y, P, log, end_paths, end_path, max_steps):
    """Take up to max_steps accepted steps; returns RUNNING, FINISHED, STEP_TOO_SMALL, FULL, PATH_END
    JUMPED: the load of an element jumps at this instant, and accelerations are to be found anew; or PASSED: surfaces in
    contact have passed the middle of one another. After a step with an element that may buckle it returns at once.

    end_paths (ng,): arc length at which each guide ends the run (inf: never); end_path: count of guides that
    must be past it. A step that would lead over the place where the run ends, or over a joint stop, ends there. The
    log must have room; FULL is returned when it has not.
    """
    steps, free = 0, P.fixed == 0.0 and P.am == P.af
    while steps < max_steps:
        left = P.t_end - Y.clock[TIME]
        if left <= 1e-12 * max(1.0, P.t_end):
            return FINISHED
        if Y.counts[LOGGED] >= log.t.shape[0]:
            return FULL
        h = Y.clock[STEP]
        n_left = math.ceil(left / h - 1e-9)
        last = n_left <= 1 or (n_left <= 3 and P.fixed == 0.0)
        if last:
            h = left / n_left
        Y.counts[FREE] = 1 if free and not last else 0
        good, over, h, error = _step(S, W, X, Y, P, end_paths, end_path, h)
        Y.clock[ERROR] = error
        if good:
            free = P.fixed == 0.0 and P.am == P.af
            taken = Y.clock[TAKEN]
            accept(S, W, Y, P, log, taken)
            if P.fixed > 0.0:  # after an event back to the even steps
                Y.clock[STEP] = h - taken if taken < h else P.fixed
            elif taken < h or free:
                Y.clock[STEP] = h
            else:
                Y.clock[STEP] = next_step(P, h, error)
            steps += 1
            if over:
                return PATH_END
            if W.z_step[3] > 0.0:
                return PASSED
            if W.z_step[2] > 0.0:
                return JUMPED
            if W.z_step[4] > 0.0:
                return RUNNING
        else:
            Y.counts[REJECTED] += 1
            Y.counts[HAS_FACTOR] = 0
            free = False
            new = h * (max(0.2, 0.85 * (P.tolerance / error) ** (1.0 / 3.0)) if error < math.inf else 0.25)
            if P.fixed > 0.0:  # half a step after a whole one, so that those to come end elsewhere
                new = 0.5 * h if Y.clock[STEP_BEFORE] >= h >= P.fixed else 0.0
            if new < P.h_min:
                return STEP_TOO_SMALL
            Y.clock[STEP] = new
    return RUNNING
