"""Where in a step something happens that the step should end at: a joint stop met or left, a guide at its end place.

Between the ends of a step a quantity follows the cubic through its values and rates there (Hermite); its error is of
fourth order of the step, two above that of the integrator.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from core.jit.decorators import inner
from core.multibody.arrays import BS, RS, SP, ST, ints, reals

HALVINGS = 45


@inner
def _between(x, x0, v0, x1, v1):
    """Value at the share x of a step of the cubic with end values x0, x1 and changes at their rates v0, v1."""
    rise = x1 - x0
    return x0 + x * (v0 + x * (3.0 * rise - 2.0 * v0 - v1 + x * (v0 + v1 - 2.0 * rise)))


@inner
def _crossing(level, x0, v0, x1, v1):
    """Share of a step after which a level is crossed, 1 when both ends lie on the same side of it."""
    if (x0 > level) == (x1 > level):
        return 1.0
    a, b = 0.0, 1.0
    for _ in range(HALVINGS):
        x = 0.5 * (a + b)
        if (_between(x, x0, v0, x1, v1) > level) == (x0 > level):
            a = x
        else:
            b = x
    return b


@inner
def _first(who, what, lower, n, el0, el1, h, margin, found, axis):
    """The least of `found` and the shares at which stops of one kind are met or left; limits from column `lower`."""
    for k in range(who.shape[0]):
        if axis and who[k, 3] == 0:
            continue
        q = n + k
        for side in range(2):
            level = what[k, lower + side]
            x = _crossing(level, el0[q, 0], h * el0[q, 1], el1[q, 0], h * el1[q, 1])
            if margin < x < found:
                found = x
    return found


@inner
def first_stop(S, el0, el1, h, margin):
    """Share of a step at which the first joint stop is met or left, 1 when none is.

    el0, el1 (elements, >= 2): value and rate of all force elements at both ends of the step h (s). Crossings within
    `margin` of either end are passed over.
    """
    n = ints(S, SP).shape[0]
    found = _first(ints(S, RS), reals(S, RS), 15, n, el0, el1, h, margin, 1.0 - margin, True)
    n += ints(S, RS).shape[0] + ints(S, BS).shape[0]
    found = _first(ints(S, ST), reals(S, ST), 12, n, el0, el1, h, margin, found, False)
    return found if found < 1.0 - margin else 1.0


@inner
def first_event(S, el0, el1, ends, count, L0, v0, L1, v1, h, margin):
    """Share of a step after which something happens in it, 1 when nothing does, and whether that is the end of the run.

    As `first_stop` and `arrival`; count 0: nothing ends the run. An arrival at once counts after a thousandth of the
    step.
    """
    share = first_stop(S, el0, el1, h, margin)
    past = 0
    for g in range(ends.shape[0]):
        if L1[g] >= ends[g]:
            past += 1
    if count == 0 or past < count:
        return share, False
    x = arrival(ends, count, L0, v0, L1, v1, h)
    if share < x:
        return share, False
    return max(x, 1e-3), True


@inner
def arrival(ends, count, L0, v0, L1, v1, h):
    """Share of a step after which `count` guides are at or past their end places, 1 when fewer arrive.

    ends, L0, L1 (ng,) m; v0, v1 (ng,) m/s at both ends of the step h (s).
    """
    a, b = 0.0, 1.0
    for halving in range(HALVINGS + 1):
        x = b if halving == 0 else 0.5 * (a + b)
        past = 0
        for g in range(ends.shape[0]):
            if _between(x, L0[g], h * v0[g], L1[g], h * v1[g]) >= ends[g]:
                past += 1
        if past >= count:
            b = x
        elif halving == 0:
            return 1.0
        else:
            a = x
    return b
