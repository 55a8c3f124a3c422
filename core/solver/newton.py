"""Newton iterations of one step of the implicit integrator (see genalpha, whose docstring has the scheme)."""
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
    reals,
    sizes,
)
from ..multibody.constraint_kernels import constraints, velocity_residual
from ..multibody.force_kernels import Z_BASE, Z_NOW, Z_RATE, forces
from ..multibody.layout import TURN as SPIN
from ..multibody.mass_kernels import subtract_blocks, subtract_inertia, subtract_mean_blocks
from ..multibody.tangent_kernels import tangent
from . import multistep
from .integration import (
    ACC,
    ACC1,
    ACC_BEFORE,
    AFRESH,
    AT_START,
    BASE,
    CHANGE,
    CLOSE,
    DEV,
    DLAM,
    DP,
    DU,
    DX,
    FACTOR_STEP,
    FACTORS,
    FORCE0,
    FOURTH,
    FREE,
    HAS_FACTOR,
    IN_FACTOR,
    ITERATIONS,
    KEPT,
    LAM,
    LAM1,
    MOMENTUM,
    MU,
    PAST,
    PUSH,
    REG,
    RES,
    REST,
    ROW,
    START,
    STEP_BEFORE,
    TAKEN,
    TIME,
    TURN,
    U1,
    UDOT,
    WORN,
    Z_DEV,
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
from .scheme import BACK, C0, C1, CM, GAIN, LEAD, B, G, choose, choose_multistep
from .step_size import left_over, own_step

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
# times the tolerance: what forces on a body may lack of their balance, as a share of what acts on it. Where drivers and
# guides tell bodies how to move, the pose is right long before the multipliers are
BALANCE, BALANCED = 10.0, 2  # and how many iterations may be spent on that
WEARS = 2  # steps in a row in which an old tangent was too old: the next ones begin with new ones
TRIED = 12  # such steps, after which an old one is tried again
RENEWED = 3  # tangents of a step in which surfaces may come to touch
CLOSELY = 1e-3  # s, beyond which a step that may be shorter is made so before close iterations are tried


@part
def _residual(S, W, Y, h, mean):
    """Equations of motion and constraints at the end of the step: v[RES], W.row[PHI], W.row[PHIDOT]; mean: with the
    mean of the forces at both ends, and their change in v[CHANGE]. Returns by how much (rad) bodies turn on."""
    body, at, v, form, res = reals(S, BODY), int_line(S, SLOT), Y.v, Y.form, Y.v[RES]
    constraints(S, W, Y.clock[TIME] + h, Y.r[1], Y.p[1], Y.L[1])
    more = turn_rates(Y.euler, at, W.A, Y.held, v[START], h * form[GAIN], h, form[BACK], v[ACC1], v[U1])
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


@inner
def _balanced(S, W, lam, res, share, accept, most):
    """Whether forces and moments on every body are in balance but for a share of the largest part of them, and what
    would move it by no more than is accepted (m or rad); most (width,) is overwritten."""
    at, g_row, g_col = int_line(S, SLOT), int_line(S, GROW), int_line(S, GCOL)
    for k in range(most.shape[0]):
        most[k] = abs(W.vel[FORCE, k])
    for row in range(g_row.shape[0] - 1):
        x = lam[row]
        for q in range(g_row[row], g_row[row + 1]):
            k = g_col[q]
            most[k] = max(most[k], abs(W.gx[q] * x))
    for b in range(at.shape[0] - 1):
        for q in range(at[b], at[b] + 2 * SPIN, SPIN):
            limit, c = share * max(most[q], most[q + 1], most[q + 2]), q - at[b]
            for i in range(SPIN):
                if abs(res[q + i]) > limit + accept * W.Hd[b, c + i, c + i]:
                    return False
    return True


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
    if Y.counts[FOURTH] == 1:
        multistep.internal_base(Y.past, W.z[Z_BASE])
        return
    for k in range(W.z.shape[1]):
        rate, deviation = Y.z[Z_RATE, k], ratio * Y.z[Z_DEV, k]
        kept = form[C1] * deviation - form[C0] * rate
        slope = 0.5 * rate if mean else (1.0 - form[G]) * (rate + deviation) + form[G] * kept
        W.z[Z_BASE, k] = Y.z[Z_NOW, k] + h * slope


@inner
def _go_on(S, W, Y, h):
    """First guess of the accelerations, which go on as they went, and what the end of a step has from its start."""
    _, _, nu, _ = sizes(S)
    v, form, before, body, at = Y.v, Y.form, Y.clock[STEP_BEFORE], reals(S, BODY), int_line(S, SLOT)
    ratio = h / before if before > 0.0 else 0.0
    for k in range(nu):
        d0, a0 = ratio * v[DEV, k], v[ACC, k] + ratio * v[DEV, k]
        v[ACC1, k] = v[ACC, k] + ratio * (v[ACC, k] - v[ACC_BEFORE, k])
        v[KEPT, k] = form[C1] * d0 - form[C0] * v[ACC, k]
        v[START, k] = h * ((1.0 - form[G]) * a0 + form[G] * v[KEPT, k])
        v[REST, k] = v[KEPT, k] - a0
    to_world(body, at, Y.A, v[KEPT])
    to_world(body, at, Y.A, v[START])
    for k in range(nu):
        v[START, k] += v[MOMENTUM, k]


@inner
def _predict(S, W, Y, P, h):
    """Formula and first guess of a step of size h."""
    _, _, nu, m = sizes(S)
    v, body, at, mass = Y.v, reals(S, BODY), int_line(S, SLOT), Y.form[CM]
    axes(Y.p[0], Y.A)
    for k in range(nu):
        v[RES, k] = v[U, k] + 0.5 * h * v[UDOT, k]
        v[DP, k] = 0.0
    for k in range(W.z.shape[1]):
        W.z[Z_NOW, k] = Y.z[Z_NOW, k] + h * Y.z[Z_RATE, k]
    if Y.counts[FOURTH] == 1:
        choose_multistep(multistep.weights(Y.past, h), Y.form)
        multistep.begin(S, Y.past, v[ACC1], v[START], v[BASE])
        for k in range(nu):
            v[DX, k] = h * v[RES, k]
    else:
        choose(P, Y.clock[STEP_BEFORE] == 0.0 or Y.counts[AFRESH] == 1, Y.form)
        _go_on(S, W, Y, h)
    for row in range(m):
        Y.l[LAM1, row] = Y.l[LAM, row]
        Y.l[MU, row], Y.l[TURN, row] = 0.0, 0.0
    rates(body, at, Y.A, v[START], h * Y.form[GAIN], v[ACC1], v[U1])
    add_gyroscopic(Y.euler, at, h, v[RES], v[U1])
    if mass > 0.0:  # a factorisation is one of the mass over the square of a step
        Y.clock[FACTOR_STEP] *= math.sqrt(Y.form[CM] / mass)


@part
def solve_step(S, W, X, Y, P, h):
    """Newton iterations for one step of size h or, if Y.counts[FREE] is set, about h; where they fail for a step whose
    size is given, or is short already, close ones (see redundant_constraints), each with a factorisation of its own.
    Returns True when converged; the size is in Y.clock[TAKEN]."""
    shorter = P.fixed == 0.0 and (P.am == P.af or h > CLOSELY)
    for attempt in range(1 if shorter else 2):  # a loop: _iterate is compiled once
        closed = _iterate(S, W, X, Y, P, h, attempt == 1)
        Y.counts[HAS_FACTOR] *= 1 - attempt  # that of close iterations is not to be kept
        if closed:
            return True
    return False


@inner
def _move(S, Y, h):
    """The pose at the end of the step."""
    v, form, at = Y.v, Y.form, int_line(S, SLOT)
    if Y.counts[FOURTH] == 1:
        multistep.increment(at, int_line(S, PLAIN), h * form[GAIN], v[BASE], v[U1], v[DP], v[DX])
    else:
        increment(Y.euler, at, h, h * h * form[LEAD], v[BASE], v[U], v[U1], v[ACC1], v[DP], v[DX])
    move(S, Y.r[0], Y.p[0], Y.L[0], v[DX], Y.r[1], Y.p[1], Y.L[1])


@part
def _iterate(S, W, X, Y, P, h, closely):
    """One attempt of _solve_step."""
    _, _, nu, m = sizes(S)
    mean, v, at, fourth = P.af == P.am, Y.v, int_line(S, SLOT), Y.counts[FOURTH] == 1
    exact, free, patient = P.fixed > 0.0 or mean, Y.counts[FREE] == 1, closely or Y.counts[FREE] == 1
    accept = TIGHT if exact else left_over(P.tolerance, h)
    rough = ROUNDING * (100.0 if closely and P.fixed > 0.0 else 1.0) if closely or mean else TIGHT
    epsilon = CLOSE_EPSILON if closely else NEWTON_EPSILON
    # accelerations go on from those of the last instants, and so would what a single iteration leaves over
    least = 2 if fourth else 1
    most = MAX_CLOSE if closely else MAX_FREE if free else MAX_ITERATIONS
    _predict(S, W, Y, P, h)
    balance, spent = BALANCE * P.tolerance, 0
    fresh, renewed, size, before, left, change = False, 0, math.inf, 0.0, math.inf, 0.0
    for iteration in range(most + 1):
        Y.clock[TAKEN] = h
        if iteration == 0 or free:
            _internal_base(W, Y, h, mean)
        if (iteration == 0 and not fourth) or free:
            increment_base(Y.euler, at, h, h * h * (Y.form[B] - 0.5 * Y.form[G]), v[U], v[REST], v[BASE])
        for sweep in range(2 if iteration == 0 and not mean else 1):
            if sweep == 1:  # the rates of where the guess has turned to, or the whole correction would be s
                axes(Y.p[1], W.A)
                rates(reals(S, BODY), at, W.A, v[START], h * Y.form[GAIN], v[ACC1], v[U1])
            _move(S, Y, h)
        more = _residual(S, W, Y, h, mean)
        if W.z_step[1] > 0.0:
            return False
        off = abs(h / Y.clock[FACTOR_STEP] - 1.0)
        alone = closely and iteration % 2 == 1
        if iteration == 0:
            worn = not free and Y.counts[WORN] >= WEARS
            renew = Y.counts[HAS_FACTOR] == 0 or P.fixed > 0.0 or off > (0.1 if free else 0.0) or worn
            if worn:
                Y.counts[WORN] = Y.counts[WORN] + 1 if Y.counts[WORN] < WEARS + TRIED else WEARS - 1
        elif not alone:
            rate = size / before if before > 0.0 else 1.0
            left = size if iteration == 1 or rate >= 1.0 or closely else size * rate / (1.0 - rate)
            closed = iteration >= least and left <= accept and change <= STEADY and holds(W.row, P, m)
            done = exact or spent == BALANCED or iteration == most
            if closed and (done or _balanced(S, W, Y.l[LAM1], v[RES], balance, accept, W.vel[VEL_A])):
                Y.counts[WORN] *= 1 if fresh else 0
                return True
            spent += 1 if closed else 0
            # where rows depend on each other, rounding ends the progress above the tight level
            stuck = iteration > 2 and rate > STUCK and (closely or P.fixed == 0.0)
            if stuck and size <= rough and change <= 100.0 * STEADY and holds(W.row, P, m):
                return True
            if iteration > 3 and rate > 2.0 and size > max(100.0 * accept, ROUNDING) and not patient:
                return False
            # a fresh tangent is kept unless the iterations hardly converge: changing it also changes dp's metric; or
            # surfaces touch that did not, or slide, where the guess was, which it knows nothing of
            known = fresh and (renewed >= RENEWED or W.touch.shape[0] == 0)
            poor = not known and (rate > SLOW or size * rate**PATIENCE > accept)
            renew = (iteration > 1 and (poor or rate > HOPELESS)) or off > 0.2 or (closed and not fresh)
            before = size
        if iteration == most:
            break
        if renew or closely:
            if not _renew_factor(S, W, X, Y, h, 0.5 if mean else 1.0, epsilon):
                return False
            fresh, renewed = True, renewed + 1
            Y.counts[WORN] += 1 if iteration > 0 else 0
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
