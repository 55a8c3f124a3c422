"""How long the steps of the implicit integrator are: error estimate, next step, and steps that follow from their own
two ends (see genalpha).
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner
from ..multibody.arrays import BLOCK, BODY, EL, FLEX, FORCE, SIZE, SLOT, int_line, ints, reals
from ..multibody.layout import RIGID, TURN
from .integration import U1, U

LOAD_SHARE = 0.07  # of the tolerance, for the forces of elements
LEVER = 1e-3  # m, at which the largest force counts as a moment, and the largest moment as a force: either may be none
BEND_SHARE = 8.0  # times the tolerance, for the energy norm of elastic coordinates
MIN_BENT = 0.01  # of the softest mode under the largest force, which counts as bent from the start
LEFT_OVER, LEAST = 0.002, 1e-15  # of the tolerance, that iterations may leave over; m or rad
# s; where iterations leave a pose off by x, its velocity is off by x g/(b h), and steps of h add 1/h of these up: with
# steps shorter than this they go on until x falls with h^4, so that all of it stays of order h^2, as the steps are
SHORT = 1e-2
AIM = 0.6  # share of the tolerance that a step uses which follows from its two ends


@inner
def left_over(tolerance, h):
    """What iterations of a step of h (s) may leave a pose off by (m or rad)."""
    return max(LEFT_OVER * tolerance * min(1.0, h / SHORT), LEAST)


@inner
def _change_size(S, weight, change):
    """Size of the change of the accelerations over a step, from that of the forces; path coordinates left out."""
    body, at, x = reals(S, BODY), int_line(S, SLOT), 0.0
    for b in range(body.shape[0]):
        q, w = at[b], at[b] + TURN
        for c in range(3):
            x += (weight[q] * change[q + c] / body[b, 0]) ** 2 + (
                weight[q] * change[w + c] / body[b, 1 + c]
            ) ** 2
    who, what, size = ints(S, BLOCK), reals(S, BLOCK), int_line(S, SIZE)
    for k in range(who.shape[0]):
        b = who[k, 0]
        n = size[b] - TURN
        for i in range(TURN, n):
            x += (change[at[b] + TURN + i] / what[k, i * n + i]) ** 2
    return math.sqrt(x)


@inner
def own_step(S, P, weight, change, h):
    """The next guess of a step that follows from its two ends."""
    aim = AIM * P.tolerance
    error = math.sqrt((h * h * _change_size(S, weight, change) / 12.0) ** 2 + (aim * (h / P.h_max) ** 3) ** 2)
    return h * min(2.0, max(0.5, (aim / error) ** (1.0 / 3.0)))


@inner
def step_error(S, P, weight, udot, udot1, change, h, nu):
    """Estimated local error (m, rad) of a step, with what it counts in each slot."""
    if P.am == P.af:
        return h * h * _change_size(S, weight, change) / 12.0
    x = 0.0
    for k in range(nu):
        x = max(x, weight[k] * abs(udot1[k] - udot[k]))
    return abs(0.5 * (P.am - P.af) + P.b - 1.0 / 6.0) * h * h * x


@inner
def _largest(S, force):
    """The largest force (N) and moment (N m) on a body."""
    at, most, hardest = int_line(S, SLOT), 0.0, 0.0
    for b in range(at.shape[0] - 1):
        for c in range(TURN):
            most, hardest = max(most, abs(force[at[b] + c])), max(hardest, abs(force[at[b] + TURN + c]))
    return most, hardest


@inner
def element_error(S, W, Y, P, h, before):
    """What a step h (s) may have missed of the force elements, as an error (m, rad) of places would count; before (s):
    the step before.

    Of a travel it misses as much as of a place, c h^3 times its third derivative (see step_error); times the slope of
    the force that is an error of the force, of which LOAD_SHARE of the tolerance is allowed, relative to the largest
    force, or moment, on any body so far. The third derivative is seen in the rates at the ends of this step and of the
    one before.
    """
    if P.am == P.af or before == 0.0:
        return 0.0
    angles, worst = int_line(S, EL), 0.0
    force, moment = allowed_loads(S, W, Y)
    x = abs(0.5 * (P.am - P.af) + P.b - 1.0 / 6.0) * h * h * 2.0 * h / (h + before)
    for k in range(angles.shape[0]):
        change = abs((W.el[k, 1] - Y.el[k, 1]) / h - Y.slope[k])
        slope = max(abs(W.el[k, 4]), abs(Y.el[k, 4]))
        allowed = moment if angles[k] == 1 else force
        if allowed > 0.0:
            worst = max(worst, Y.el_weight[k] * x * change * slope / allowed)
    return worst


@inner
def allowed_loads(S, W, Y):
    """What forces (N) and moments (N m) of elements may be wrong by, the tolerance being 1; see `element_error`."""
    force, moment = _largest(S, W.vel[FORCE])
    force, moment = max(force, Y.load[0]), max(moment, Y.load[1])
    return LOAD_SHARE * max(force, LEVER * moment), LOAD_SHARE * max(moment, LEVER * force)


@inner
def _bent(S, W, e):
    """Size of the elastic coordinates of a flexible body in the norm of their energy, sqrt(sum k q^2)."""
    flex, numbers, x = ints(S, FLEX), reals(S, FLEX), 0.0
    for i in range(flex[e, 1]):
        x += numbers[e, i] * W.place[flex[e, 2] + i] ** 2
    return math.sqrt(x)


@inner
def elastic_error(S, W, Y, P, h, before):
    """What a step h (s) may have missed of the elastic coordinates of flexible bodies, as an error (m, rad) of places
    would count; before (s): the step before.

    In metres alone a stiff body may be off by much of its stress. An error of its coordinates is therefore also one of
    its stress: sqrt(sum k e^2), of which BEND_SHARE times the tolerance is allowed, relative to the largest sqrt(sum k
    q^2) so far (the norm of the elastic energy, which bounds what all spots are off in the mean). Third derivatives as
    in `element_error`, from the rates at the ends of this step and of the one before.
    """
    if P.am == P.af or before == 0.0:
        return 0.0
    flex, numbers, at = ints(S, FLEX), reals(S, FLEX), int_line(S, SLOT)
    c, worst, k = (
        abs(0.5 * (P.am - P.af) + P.b - 1.0 / 6.0) * h * h * 2.0 * h / (h + before),
        0.0,
        W.el.shape[0],
    )
    force, _ = _largest(S, W.vel[FORCE])
    force = MIN_BENT * max(force, Y.load[0])
    for e in range(flex.shape[0]):
        missed, first = 0.0, at[flex[e, 0]] + RIGID
        for i in range(flex[e, 1]):
            rise = (Y.v[U1, first + i] - Y.v[U, first + i]) / h - Y.slope[k]
            missed += numbers[e, i] * rise * rise
            k += 1
        known = max(_bent(S, W, e), Y.load[2 + e])
        allowed = BEND_SHARE * max(known, force / math.sqrt(numbers[e, 0]))
        if allowed > 0.0:
            worst = max(worst, c * math.sqrt(missed) / allowed)
    return worst


@inner
def keep_loads(S, W, Y, h):
    """Remember what `element_error` and `elastic_error` need of an accepted step, whose rates are in Y.v[U1] still."""
    force, moment = _largest(S, W.vel[FORCE])
    Y.load[0], Y.load[1] = max(Y.load[0], force), max(Y.load[1], moment)
    for k in range(W.el.shape[0]):
        Y.slope[k] = (W.el[k, 1] - Y.el[k, 1]) / h
    flex, at, k = ints(S, FLEX), int_line(S, SLOT), W.el.shape[0]
    for e in range(flex.shape[0]):
        Y.load[2 + e] = max(Y.load[2 + e], _bent(S, W, e))
        first = at[flex[e, 0]] + RIGID
        for i in range(flex[e, 1]):
            Y.slope[k] = (Y.v[U1, first + i] - Y.v[U, first + i]) / h
            k += 1


@inner
def next_step(P, h, error, fourth):
    """Step for the next attempt, of order 2 or 4; kept when the gain is small, so that the factorisation can be reused.
    Formulas of order 4 bear steps that grow slowly."""
    power, worth, most = (1.0 / 5.0, 1.1, 1.25) if fourth else (1.0 / 3.0, 1.2, 1.6)
    ratio = 0.85 * (P.tolerance / max(error, 1e-300)) ** power
    if ratio > 1.0:
        if ratio < worth:
            return h
        return min(h * min(ratio, most), P.h_max)
    return h * max(ratio, 0.6) if ratio < 0.95 else h
