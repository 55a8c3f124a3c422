"""The implicit integrator: generalised-alpha on the rotation manifold, index-2 stabilised, error controlled; where the
motion is smooth its steps are of order 4 (see multistep).

Scheme (Chung & Hulbert 1993; on Lie groups: Bruls, Cardona & Arnold 2012), with an acceleration-like variable a:
  (1 - am) a1 + am a0 = (1 - af) u_dot1 + af u_dot0
  u1 = u0 + h (1 - g) a0 + h g a1
  pose1 = pose0 o exp(h u0 + h^2 (1/2 - b) a0 + h^2 b a1 + dp)
and the equations of motion, the velocity constraints and the position constraints all hold at the end of the
step. The position correction dp, in the metric of the tangent H and found with the same factorisation, takes the
role of the second multiplier in the stabilised index-2 form of Gear, Gupta & Leimkuhler (1985). One spectral radius
at infinity rho sets am, af, g, b. What is kept from step to step is the deviation d = a - u_dot = (am - af) h u_ddot +
O(h^2); it is scaled with h when h changes, kept through steps that an event makes very short (see `accepted_step`), and
the first step is trapezoidal (rho = 1), which needs none, so that positions, velocities and accelerations are of order
2 for every rho, from the first step and with changing steps. So is, where steps may be of order 4, the first one behind
an event: with the deviation of before velocities go to and fro by |am - af| h times what the accelerations' rate has
jumped, for a dozen steps; the mean is right, but not what four of them go on to.

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
    SLOT,
    int_line,
    path_slot,
    sizes,
)
from ..multibody.contact_sums import ways_changed
from ..multibody.device_kernels import device_error
from ..multibody.event_kernels import TOO_FAR, Instant, closer, first_event, meets_before
from ..multibody.force_kernels import Z_NOW, Z_RATE
from . import multistep
from .accepted_step import accept
from .integration import (
    ACC1,
    BY_FOUR,
    BY_TWO,
    CHANGE,
    ERROR,
    FINISHED,
    FOURTH,
    FREE,
    FULL,
    HAS_FACTOR,
    JUMPED,
    LANDINGS,
    LOGGED,
    MARGIN,
    PASSED,
    PATH_END,
    REJECTED,
    RUNNING,
    STEP,
    STEP_BEFORE,
    STEP_TOO_SMALL,
    TAKEN,
    TIME,
    TOUCHES,
    U1,
    UDOT,
    UDOT1,
    WAIT,
    Z_RATE_BEFORE,
    U,
    copy,
)
from .momentum import (
    add_gyroscopic,
)
from .newton import solve_step
from .step_size import (
    allowed_loads,
    elastic_error,
    element_error,
    next_step,
    step_error,
)

CALM, AFTER = 6, 2  # steps of second order behind a rough one, and behind a rejected one of order 4


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


@inner
def _error(S, W, Y, P, h, nu):
    """Estimated error (m, rad) of the step under way; and in Y.clock what it would be by a step of either order."""
    v, before = Y.v, Y.clock[STEP_BEFORE]
    of_all = device_error(S, W, h)
    second = max(of_all, step_error(S, P, Y.weight, v[UDOT], v[UDOT1], v[CHANGE], h, nu))
    second = max(second, element_error(S, W, Y, P, h, before), _internal_error(W, Y, P, h))
    second = max(second, elastic_error(S, W, Y, P, h, before))
    Y.clock[BY_TWO], Y.clock[BY_FOUR] = second, math.inf
    if P.fourth and multistep.ready(Y.past, h):
        if Y.counts[FOURTH] == 0:
            multistep.weights(Y.past, h)
        force, moment = allowed_loads(S, W, Y)
        c = abs(0.5 * (P.am - P.af) + P.b - 1.0 / 6.0) * h * h
        four, rough = multistep.motion_error(Y.past, Y.weight, v[UDOT1], P.tolerance, c, nu)
        four = max(four, multistep.elements_error(S, W, Y.past, Y.el_weight, Y.el, force, moment))
        Y.clock[BY_FOUR] = max(of_all, four, multistep.internal_error(Y.past, W.z[Z_RATE]))
        Y.past.who[multistep.ROUGH] = 1 if rough else 0
    return Y.clock[BY_FOUR] if Y.counts[FOURTH] == 1 else second


@inner
def _shorter(P, h, error):
    """Step of second order in place of one of size h with an error that is too large."""
    return h * max(0.2, 0.85 * (P.tolerance / max(error, 1e-300)) ** (1.0 / 3.0))


@inner
def _onwards(Y, P, h):
    """The next step after one of size h, and of which order it is to be."""
    two, four = next_step(P, h, Y.clock[BY_TWO], False), next_step(P, h, Y.clock[BY_FOUR], True)
    if Y.counts[WAIT] > 0:
        Y.counts[WAIT] -= 1
    if Y.past.who[multistep.ROUGH] == 1:
        Y.counts[WAIT] = CALM
        Y.past.who[multistep.ROUGH] = 0
    # of steps alike in size those of order 4 are taken only where they are better: not where something at rest trembles
    better = four > two or (four == two and Y.clock[BY_FOUR] < multistep.ALTERNATES * Y.clock[BY_TWO])
    if Y.counts[WAIT] > 0 or not better:
        if Y.counts[FOURTH] == 1:
            two = min(two, _shorter(P, h, Y.clock[BY_TWO]))
        Y.counts[FOURTH] = 0
        return two
    Y.counts[FOURTH] = 1
    return four


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
        converged = solve_step(S, W, X, Y, P, trial)
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
        error = _error(S, W, Y, P, h, nu)
        fourth = Y.counts[FOURTH] == 1 and W.touch.shape[0] > 0
        if fourth and ways_changed(W.touch, W.contact, W.el, Y.past.held, False):
            return False, False, h, error
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
        Y.counts[FOURTH] = 0


@kernel
def advance(S, W, X, Y, P, log, end_paths, end_path, max_steps):
    """Take up to max_steps accepted steps; returns RUNNING, FINISHED, STEP_TOO_SMALL, FULL, PATH_END
    JUMPED: the load of an element jumps at this instant, and accelerations are to be found anew; or PASSED: surfaces in
    contact have passed the middle of one another. After a step with an element that may buckle it returns at once.

    end_paths (ng,): arc length at which each guide ends the run (inf: never); end_path: count of guides that
    must be past it. A step that would lead over the place where the run ends, or over a joint stop, ends there. The
    log must have room for a row, where loads may jump for two; FULL is returned when it has not.
    """
    steps, free = 0, P.fixed == 0.0 and P.am == P.af
    while steps < max_steps:
        left = P.t_end - Y.clock[TIME]
        if left <= 1e-12 * max(1.0, P.t_end):
            return FINISHED
        if Y.counts[LOGGED] + Y.places.jumps >= log.t.shape[0]:
            return FULL
        h = Y.clock[STEP]
        n_left = math.ceil(left / h - 1e-9)
        last = n_left <= 1 or (n_left <= 3 and P.fixed == 0.0)
        if last:
            h = left / n_left
        Y.counts[FREE] = 1 if free and not last else 0
        if Y.counts[FOURTH] == 1 and not multistep.ready(Y.past, h):
            Y.counts[FOURTH] = 0
        good, over, h, error = _step(S, W, X, Y, P, end_paths, end_path, h)
        Y.clock[ERROR] = error
        if good:
            free = P.fixed == 0.0 and P.am == P.af
            taken = Y.clock[TAKEN]
            accept(S, W, Y, P, log, taken, taken < h)
            if P.fixed > 0.0:  # after an event back to the even steps
                Y.clock[STEP] = h - taken if taken < h else P.fixed
            elif taken < h or free:
                Y.clock[STEP] = h
            else:
                Y.clock[STEP] = _onwards(Y, P, h)
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
            if (
                Y.counts[FOURTH] == 1 and error < math.inf
            ):  # what jumps is met by steps of second order as well
                error = max(Y.clock[BY_TWO], P.tolerance)
                Y.counts[WAIT] = AFTER
            Y.counts[FOURTH] = 0
            new = _shorter(P, h, error) if error < math.inf else 0.25 * h
            if P.fixed > 0.0:  # half a step after a whole one, so that those to come end elsewhere
                new = 0.5 * h if Y.clock[STEP_BEFORE] >= h >= P.fixed else 0.0
            if new < P.h_min:
                return STEP_TOO_SMALL
            Y.clock[STEP] = new
    return RUNNING
