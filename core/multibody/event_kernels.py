"""Where in a step something happens that the step should end at: a border of a
law is passed (a stop met or left, a curve's corner, standstill), a guide at its end place.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

from ..jit.decorators import inner, kernel
from ..model.laws import COORDINATES, OF_RATE, OF_TIME, SHARP
from .arrays import (
    E_ANGLE,
    E_DISTANCE,
    E_FRAME,
    E_LINE,
    E_SLIDE,
    E_TURN,
    LAW,
    LEVELS,
    M0,
    M1,
    P0,
    P1,
    PAR,
    TOUCH,
    Z0,
    Z1,
    J,
    count,
    ints,
    real_line,
    reals,
)
from .contact_events import contact_event
from .crossings import HALVINGS, between_ends, crossing, turning
from .law_kernels import border, level

SHARPLY = 1e-6  # share of a step, within which of its ends a step need not end where a load jumps
NEAR = 1e-3  # share of a step, how near to a border of an internal unknown it should end
MAX_BORDERS = 4096  # borders of an element
TOO_FAR = -2  # in place of the number of a border
SETTLED = 1e-9  # m or rad; what stands on a border does not pass it


class Instant(NamedTuple):
    """One end of a step: values and rates of the force elements (elements, >= 2), internal unknowns and their rates,
    places (ng,) m and speeds (ng,) m/s of the guides along their paths, time (s); places, Euler parameters and
    velocities of the bodies."""

    el: Any
    z: Any
    zdot: Any
    place: Any
    speed: Any
    time: Any
    r: Any
    p: Any
    u: Any


@inner
def _first(S, W, rows, what, origin, n, start, end, h, margin, found):
    """The least of `found` and the shares at which elements of one geometry pass a border of their law."""
    el0, el1 = start.el, end.el
    for k in range(rows.shape[0]):
        index, q = rows[k], n + k
        for which in range(index[LEVELS]):
            p, m = real_line(S, PAR)[index[P0] : index[P1]], W.memory[index[M0] : index[M1]]
            value, what_of = level(index[LAW], p, m, which)
            near = margin
            if what_of >= SHARP:
                near, what_of = SHARPLY, what_of - SHARP
            if what_of == OF_TIME:
                x = (value - start.time) / h
            elif what_of == OF_RATE:  # where the coordinate less value * time turns
                gone = h * value
                x = turning(el0[q, 0], h * el0[q, 1] - gone, el1[q, 0] - gone, h * el1[q, 1] - gone)
            else:
                x = crossing(value + what[k, origin], el0[q, 0], h * el0[q, 1], el1[q, 0], h * el1[q, 1])
            if near < x < min(found, 1.0 - near):
                found = x
    return found


@inner
def _measured(S, W, at, k, which):
    """Number and rate at an instant, value and kind of a border of the k-th element between two frames, those along
    lines behind them."""
    rows = ints(S, E_FRAME)
    frames, n = rows.shape[0], COORDINATES
    q = _first_frame(S) + COORDINATES * min(k, frames)
    if k >= frames:
        rows = ints(S, E_LINE)
        k -= frames
        for before in range(k):
            q += rows[before, J] - 1
        n = rows[k, J] - 1
    index, a, b = rows[k], rows[k, Z0], rows[k, Z1]
    p, x, v = real_line(S, PAR)[index[P0] : index[P1]], at.el[q : q + n, 0], at.el[q : q + n, 1]
    return border(index[LAW], p, x, v, at.z[a:b], at.zdot[a:b], which, W.gauss)


@inner
def _first_frame(S):
    """The first output row of elements between two frames."""
    n = ints(S, E_DISTANCE).shape[0] + ints(S, E_ANGLE).shape[0]
    return n + ints(S, E_TURN).shape[0] + ints(S, E_SLIDE).shape[0]


@inner
def _first_internal(S, W, start, end, h, margin, found):
    """As `_first` of elements between two frames and along lines, whose laws measure what has borders; and number the
    border has, -1 for none or one of a rate."""
    rows, lines, number = ints(S, E_FRAME), ints(S, E_LINE), -1
    frames = rows.shape[0]
    for k in range(frames + lines.shape[0]):
        levels = rows[k, LEVELS] if k < frames else lines[k - frames, LEVELS]
        for which in range(levels):
            x0, v0, value, what_of = _measured(S, W, start, k, which)
            x1, v1, _, _ = _measured(S, W, end, k, which)
            if what_of == OF_RATE:
                gone = h * value
                x = turning(x0, h * v0 - gone, x1 - gone, h * v1 - gone)
            elif abs(x0 - value) + abs(x1 - value) > SETTLED:
                x = crossing(value, x0, h * v0, x1, h * v1)
            else:
                x = 1.0
            if margin < x < min(found, 1.0 - margin):
                found = x
                number = -1 if what_of == OF_RATE else MAX_BORDERS * k + which
    return found, number


@inner
def closer(S, W, start, there, number, guess, low, high):
    """A better guess of when (s after the start of the step) the border of a number is reached than `guess`, where the
    step ends `there`; the guess itself where it will do. And the span in which it lies.

    Newton, kept in that span. Rates of internal unknowns may jump at a border, so that the cubic through both ends of
    the step misses it: from beyond it goes by what the start of the step says."""
    k, which, h = number // MAX_BORDERS, number % MAX_BORDERS, high
    before, rate, value, _ = _measured(S, W, start, k, which)
    now, there_rate, _, _ = _measured(S, W, there, k, which)
    straight = (value - before) / rate if rate != 0.0 else 0.0
    if (now > value) == (before > value):
        low, rate = guess, there_rate
    else:
        high = guess
    better = guess + (value - now) / rate if rate != 0.0 else low
    if abs(better - guess) <= NEAR * h:
        return guess, low, high
    if high == guess and low < straight < guess:
        better = straight
    return better if low < better < high else 0.5 * (low + high), low, high


@kernel
def has_borders(S):
    """Whether any element has a border at which steps should end, or memory, to be kept at the end of each step."""
    if count(S, TOUCH) > 0:
        return True
    for kind in (E_DISTANCE, E_ANGLE, E_SLIDE, E_FRAME, E_LINE):
        rows = ints(S, kind)
        for k in range(rows.shape[0]):
            if rows[k, LEVELS] > 0 or rows[k, M1] > rows[k, M0]:
                return True
    return False


@inner
def first_border(S, W, start, end, h, margin):
    """Share of a step at which the first element passes a border of its law, 1 when none does, and the number of a
    border that is an element's between two frames, which `closer` takes; -1 for any other, TOO_FAR where bodies in
    contact may have passed one another within the step, which is to be taken shorter.

    start, end: the instants at both ends of the step h (s). Crossings within `margin` of either end are passed over,
    those at which a load jumps within SHARPLY.
    W.memory: as of the start of the step.
    """
    rows = ints(S, E_DISTANCE)
    found = _first(S, W, rows, reals(S, E_DISTANCE), 6, 0, start, end, h, margin, 1.0)
    n = rows.shape[0]
    rows = ints(S, E_ANGLE)
    found = _first(S, W, rows, reals(S, E_ANGLE), 12, n, start, end, h, margin, found)
    n += rows.shape[0] + ints(S, E_TURN).shape[0]
    found = _first(S, W, ints(S, E_SLIDE), reals(S, E_SLIDE), 9, n, start, end, h, margin, found)
    found, number = _first_internal(S, W, start, end, h, margin, found)
    if W.touch.shape[0] > 0:
        share, long = contact_event(W.touch, W.contact, W.memory, start, end, h, found, False)
        if long:
            return share, TOO_FAR
        found, number = share, number if share == found else -1
    return found, number


@kernel
def meets_before(S, W, start, end, h):
    """Share of a step that has been cut short after which surfaces meet, or a quarter where they move too far; 1 where
    neither happens clearly before its end. Arguments as of `first_border`."""
    if W.touch.shape[0] == 0:
        return 1.0
    share, long = contact_event(W.touch, W.contact, W.memory, start, end, h, 1.0, True)
    return 0.25 if long else share


@inner
def first_event(S, W, start, end, ends, count, h, margin):
    """Share of a step h (s) from one instant to another after which something happens in it, 1 when nothing does,
    whether that is the end of the run, and the number of the border as `first_border` tells it.

    As `first_border` and `arrival`; count 0: nothing ends the run. An arrival at once counts after a thousandth of the
    step.
    """
    share, number = first_border(S, W, start, end, h, margin)
    past = 0
    for g in range(ends.shape[0]):
        if end.place[g] >= ends[g]:
            past += 1
    if count == 0 or past < count:
        return share, False, number
    x = arrival(ends, count, start, end, h)
    if share < x:
        return share, False, number
    return max(x, 1e-3), True, -1


@inner
def arrival(ends, count, start, end, h):
    """Share of a step after which `count` guides are at or past their end places, 1 when fewer arrive.

    ends (ng,) m; start, end: the instants at both ends of the step h (s).
    """
    L0, v0, L1, v1 = start.place, start.speed, end.place, end.speed
    a, b = 0.0, 1.0
    for halving in range(HALVINGS + 1):
        x = b if halving == 0 else 0.5 * (a + b)
        past = 0
        for g in range(ends.shape[0]):
            if between_ends(x, L0[g], h * v0[g], L1[g], h * v1[g]) >= ends[g]:
                past += 1
        if past >= count:
            b = x
        elif halving == 0:
            return 1.0
        else:
            a = x
    return b
