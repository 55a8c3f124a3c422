"""The end of a step of the implicit integrator becomes the present one, and is written down."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..jit.decorators import inner, kernel
from ..multibody.arrays import BODY, E_PATH, FORCE, SLOT, count, int_line, reals
from ..multibody.contact_sums import contacts_again, ways_changed
from ..multibody.device_kernels import keep_device_loads, keep_standing
from ..multibody.force_kernels import Z_NOW, Z_RATE, keep_elements
from ..results.results import AT_ONCE
from .integration import (
    ACC,
    ACC1,
    ACC_BEFORE,
    ACCEPTED,
    AFRESH,
    AT_START,
    DEV,
    DU,
    FORCE0,
    FOURTH,
    KEPT,
    LAM,
    LAM1,
    LAM_BEFORE,
    LOGGED,
    MOMENTUM,
    START,
    STEP_BEFORE,
    TIME,
    U1,
    UDOT,
    Z_DEV,
    Z_RATE_BEFORE,
    U,
    copy,
    copy_rows,
)
from .momentum import add_gyroscopic, carry, momentum_after, rates
from .multistep import forget, remember
from .scheme import C0, C1, GAIN, extrapolate
from .step_size import keep_loads
from .written_step import write_log

# s. Iterations leave places off by 1e-15 m, so that accelerations, multipliers and deviations (see genalpha) are known
# from a step as short as the first of these worse than from the steps before, and the next long step makes much more
# of it; so are those of a step that is shorter than the second, and than half the one before: landing on events takes
# rows of them, each a part of the one before. Where loads jump, accelerations are found anew (engine.restart).
NOTHING, LITTLE = 1e-7, 3e-6


@inner
def _hardly(P, h, before):
    """Whether a step is too short to tell how the motion goes on: it goes on as it went."""
    return P.fixed == 0.0 and before > 0.0 and (h < NOTHING or (h < LITTLE and h < 0.5 * before))


@inner
def _accept_rates(body, at, W, Y, P, h, short, anew):
    """Velocities, momentum, accelerations and multipliers at the end of the step become the present ones; short: of
    one that is too short to tell how they go on, anew: that needed no deviation."""
    v, before = Y.v, Y.clock[STEP_BEFORE]
    momentum_after(body, at, W.A, v[START], h * Y.form[GAIN], v[ACC1], v[MOMENTUM])
    if short:
        for k in range(v.shape[1]):
            v[DEV, k] *= h / before
    elif Y.counts[FOURTH] == 0:
        rates(body, at, W.A, v[KEPT], Y.form[C0], v[ACC1], v[DEV])
    if P.am == P.af:
        carry(body, at, W.A, Y.A, v[ACC1], v[DU])
        for k in range(v.shape[1]):  # in the axes of the middle
            v[ACC1, k] = 0.5 * (v[ACC1, k] + v[DU, k])
        extrapolate(v[ACC1], v[ACC], v[ACC_BEFORE], h, before)
        extrapolate(Y.l[LAM1], Y.l[LAM], Y.l[LAM_BEFORE], h, before)
        copy(W.vel[FORCE], v[FORCE0])
    else:
        if anew:  # from here on with the deviation of the settings' scheme
            carry(body, at, Y.A, W.A, v[ACC], v[DU])
            for k in range(v.shape[1]):
                v[DEV, k] = (P.am - P.af) * (v[ACC1, k] - v[DU, k])
        elif short:
            for k in range(v.shape[1]):
                v[ACC1, k] = v[ACC, k] + h / before * (v[ACC, k] - v[ACC_BEFORE, k])
            copy(Y.l[LAM], Y.l[LAM1])
        copy(v[ACC], v[ACC_BEFORE])
        copy(v[ACC1], v[ACC])
        copy(Y.l[LAM1], Y.l[LAM])
    copy(v[U1], v[U])
    copy(v[ACC], v[UDOT])
    add_gyroscopic(Y.euler, at, 1.0, v[U], v[UDOT])


@inner
def _accept_internal(W, Y, P, h, short, anew):
    """Internal unknowns at the end of the step become the present ones; see `_accept_rates`."""
    form, before = Y.form, Y.clock[STEP_BEFORE]
    for k in range(W.z.shape[1]):
        rate, end, deviation = Y.z[Z_RATE, k], W.z[Z_RATE, k], Y.z[Z_DEV, k]
        if P.am == P.af or end == 0.0:  # nothing goes on in it any more, as in a contact that is left
            deviation = 0.0
        elif anew:
            deviation = (P.am - P.af) * (end - rate)
        elif short:
            deviation *= h / before
        else:
            deviation = form[C0] * (end - rate) + form[C1] * h / before * deviation
        Y.z[Z_NOW, k], Y.z[Z_RATE, k], Y.z[Z_DEV, k] = W.z[Z_NOW, k], end, deviation
        Y.z[Z_RATE_BEFORE, k] = rate


@inner
def _others(S, Y):
    """Whether forces may be others from now on than those that the step was found with: laws other than those of
    contacts remember or have unknowns of their own, or resistances go by multipliers that are not those of the step."""
    if Y.places.others > 0:
        return True
    if count(S, E_PATH) > 0:
        for k in range(Y.l.shape[1]):
            if Y.l[LAM, k] != Y.l[LAM1, k]:
                return True
    return False


@kernel
def accept(S, W, Y, P, log, h, cut):
    """Make the end of the step the present and write it down; cut: something happens there. Where a load jumps the log
    gets two rows, with what acted until then and with what acts from then on (see engine.restart)."""
    before = Y.clock[STEP_BEFORE]
    short = _hardly(P, h, before)
    anew = before == 0.0 or Y.counts[FOURTH] == 1 or (Y.counts[AFRESH] == 1 and not short)
    keep_loads(S, W, Y, h)
    _accept_rates(reals(S, BODY), int_line(S, SLOT), W, Y, P, h, short, anew)
    _accept_internal(W, Y, P, h, short, anew)
    copy_rows(Y.r[1], Y.r[0])
    copy_rows(Y.p[1], Y.p[0])
    copy(Y.L[1], Y.L[0])
    Y.clock[TIME] += h
    Y.clock[STEP_BEFORE] = h
    Y.counts[ACCEPTED] += 1
    copy(W.gx, Y.g[AT_START])
    copy_rows(W.block, Y.block)
    copy_rows(W.el, Y.el)
    row = Y.counts[LOGGED]
    if Y.places.jumps > 0:  # as the step was found: by what is remembered from now on a load may be another
        write_log(S, W, Y, log, False)
    keep_elements(S, W)
    if row > 0 and W.z_step[2] > 0.0 and W.z_step[3] == 0.0:
        log.t[row] = max(Y.clock[TIME] - AT_ONCE, 0.5 * (log.t[row - 1] + Y.clock[TIME]))
    else:
        Y.counts[LOGGED] = row
    keep_device_loads(W)
    others = _others(S, Y)
    if not others and W.touch.shape[0] > 0:
        contacts_again(W.touch, W.contact, W.A, W.r, Y.v[U], W.vel[FORCE], W.el, W.memory)
    if P.fourth:
        other = W.touch.shape[0] > 0 and ways_changed(W.touch, W.contact, W.el, Y.past.held, True)
        v = Y.v
        if anew:
            Y.counts[AFRESH] = 0
        if cut:
            Y.counts[AFRESH], v[DEV, :], Y.z[Z_DEV, :] = 1, 0.0, 0.0
        if cut or other:
            forget(Y.past)
        remember(Y.past, Y.clock[TIME], Y.r[0], Y.p[0], Y.L[0], v[MOMENTUM], v[ACC], v[UDOT], Y.el, Y.z)
    write_log(S, W, Y, log, others)
    keep_standing(S, W, Y.clock[TIME], Y.v[U])
