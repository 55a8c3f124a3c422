"""Kernel that rides a whole track: from interval to interval, through devices, turning points and standstills."""
# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..jit.decorators import inner, kernel
from ..track.devices.law import CATCHES, PASSES
from ..track.devices.law import HOLD as HOLDS_FOR
from .ride_kernels import (
    CROSSED,
    DEVICE,
    DONE,
    DRAG,
    FREE,
    FRICTION,
    HEIGHT,
    HOLD,
    INTEGRAL,
    MASS,
    MASS_RATE,
    PACE,
    ROUGH,
    SLOPE,
    SLOW,
    E,
    G,
    Interval,
    T,
    V,
    Work,
    X,
    acting_force,
    choose_phase,
    collocate,
    copy,
    friction,
    holds,
    loss_at,
    place,
    track_step,
)
from .time_kernels import AT_REST, BORDER_REACHED, SPEED_PASSED, rates, time_ride

# how a ride ends; going on
ARRIVED, STALLED, LEFT, CAUGHT, STOPPED, TIME_OVER, SWINGS = range(7)
ON = -1
# what an event is about
TURNED, RELEASED = 100, 101
# columns of a sample: node in the tables or -1, s (m, running on over laps), then the state
NODE, PLACE, TIME, RATE, CHANGE, ENERGY, LOST, DRAGGED, DRIVEN, AT_DEVICE, KINETIC = range(11)
# the whole numbers of a ride
AT, LAP, WAY, PHASE, INSIDE, TURNS, FIRST, SAMPLES, EVENTS, FRESH, GRIPS = range(11)
NOWHERE = -2
WAITS, RATCHET = 2, 3  # of a train at rest
CREEP = 1e-12  # of g: a drive below this is no drive
FIRST_STEP = 0.01  # s
HALVINGS = 60


class Course(NamedTuple):
    """The whole line: s (I, J) m, motion (I, J, 6), load (I, J, n, 7), grips (I,), who, share (g + 1, a) as
    `LineTables`; ride (4,), devices (d, WIDTH) as `Interval`; rule (J + 3, J); start (m), laps, closed: where it goes;
    duration (s); turns: so many turning points; inner: also sample the nodes inside intervals; rough, tolerance."""

    s: Array
    motion: Array
    load: Array
    grips: Integers
    who: Integers
    share: Array
    ride: Array
    devices: Array
    rule: Array
    start: float
    laps: int
    closed: bool
    duration: float
    turns: int
    inner: bool
    rough: float
    tolerance: float


@inner
def interval(c: Course, i: int) -> Interval:
    """The interval i with what has hold of the train there."""
    last, grips = c.s.shape[1] - 1, c.grips[i]
    width = c.s[i, last] - c.s[i, 0]
    return Interval(c.motion[i], c.load[i], c.ride, c.devices, c.who[grips], c.share[grips], c.rule, width)


@inner
def base(c: Course, k: Integers) -> float:
    """Place s (m), running on over laps, where the interval of the train begins."""
    return float(c.s[k[AT], 0] + k[LAP] * c.s[-1, -1])


@inner
def keep(c: Course, line: Interval, y: Array, k: Integers, node: int, samples: Array, work: Work) -> None:
    """Write a sample; node: index of the node within its interval, or -1."""
    if k[SAMPLES] >= samples.shape[0]:
        return
    rates(line, y, k[PHASE], k[WAY], work, work.rate)
    row = samples[k[SAMPLES]]
    row[NODE] = k[AT] * c.rule.shape[1] + node if node >= 0 else -1
    row[PLACE], row[TIME], row[RATE] = base(c, k) + y[X] * line.width, y[T], y[V]
    row[CHANGE], row[ENERGY], row[LOST], row[DRAGGED] = work.rate[V], y[E], y[FRICTION], y[DRAG]
    row[DRIVEN], row[AT_DEVICE], row[KINETIC] = y[DEVICE], k[INSIDE], 0.5 * work.f1[0, MASS] * y[V] * y[V]
    k[SAMPLES] += 1


@inner
def note(c: Course, line: Interval, y: Array, k: Integers, what: int, device: int, events: Array) -> None:
    """Write an event."""
    if k[EVENTS] < events.shape[0]:
        row = events[k[EVENTS]]
        row[0], row[1], row[2], row[3] = what, base(c, k) + y[X] * line.width, y[T], device
        k[EVENTS] += 1


@inner
def way_from_rest(line: Interval, y: Array, work: Work) -> int:
    """Direction in which a train at rest sets off; 0: none; WAITS: a device that stops trains holds it; RATCHET: an
    anti-rollback."""
    f, ride = work.f1, line.ride
    place(line.motion, line.rule, y[X], 0, f, work.weights1)
    stuck = friction(line.load, ride, f[0, PACE], 0, work.weights1, 0.0) + CREEP * ride[G]
    pull, mass = ride[G] * f[0, SLOPE], f[0, MASS]
    ahead = back = freely = 0.0
    if line.who[0] >= 0:
        ahead = acting_force(line.devices, line.who, line.share, work.opened, pull + stuck, 0.0, mass, 1.0)
        back = acting_force(line.devices, line.who, line.share, work.opened, pull - stuck, 0.0, mass, -1.0)
        freely = acting_force(line.devices, line.who, line.share, work.opened, pull - stuck, 0.0, mass, 1.0)
    if ahead > pull + stuck:
        return 1
    if back < pull - stuck:
        return -1
    if holder(line, work) >= 0:
        return WAITS
    return RATCHET if freely < pull - stuck else 0


@inner
def holder(line: Interval, work: Work) -> int:
    """Number of the device that holds a train at rest; -1: none that stops trains has hold of it."""
    found, maximum = -1, 0.0
    for n in range(line.who.shape[0]):
        d = line.who[n]
        if d < 0:
            break
        if line.devices[d, HOLDS_FOR] != PASSES and work.opened[d] == 0.0 and line.share[n] > maximum:
            found, maximum = d, line.share[n]
    return found


@inner
def from_rest(
    c: Course, line: Interval, y: Array, k: Integers, samples: Array, events: Array, work: Work
) -> int:
    """What a train at rest does: set off, turn round, wait in a brake (ON), or the way the ride ends."""
    y[V] = 0.0
    way = way_from_rest(line, y, work)
    if way == RATCHET:
        return CAUGHT
    if way == 0 or way == WAITS:
        k[PHASE] = HOLD
        keep(c, line, y, k, -1, samples, work)
        if way == 0:
            return STALLED
        d = holder(line, work)
        if line.devices[d, HOLDS_FOR] < 0.0:
            return STOPPED
        y[T] += line.devices[d, HOLDS_FOR]
        work.opened[d] = 1.0
        note(c, line, y, k, RELEASED, d, events)
        return from_opened(line, y, k, work)
    if way != k[WAY]:
        k[WAY] = way
        if k[SAMPLES] == 0:
            k[FIRST] = way
        else:
            k[TURNS] += 1
            note(c, line, y, k, TURNED, k[INSIDE], events)
    k[FRESH] = 1
    return ON


@inner
def from_opened(line: Interval, y: Array, k: Integers, work: Work) -> int:
    """As `from_rest` in a block brake that has just opened."""
    way = way_from_rest(line, y, work)
    if way == 0 or way == WAITS:
        return STALLED
    if way == RATCHET:
        return CAUGHT
    k[WAY], k[FRESH] = way, 1
    return ON


@inner
def take_hold(c: Course, line: Interval, y: Array, k: Integers, work: Work) -> int:
    """Other devices have hold of the train: forget those that have let go; CAUGHT where an anti-rollback stops it."""
    k[GRIPS], k[FRESH], k[INSIDE] = c.grips[k[AT]], 1, -1
    maximum, catches = 0.0, False
    for d in range(work.opened.shape[0]):
        if work.opened[d] != 0.0:
            still = False
            for n in range(line.who.shape[0]):
                still = still or line.who[n] == d
            work.opened[d] = 1.0 if still else 0.0
    for n in range(line.who.shape[0]):
        d = line.who[n]
        if d < 0:
            break
        catches = catches or line.devices[d, CATCHES] != 0.0
        if line.share[n] > maximum + 1e-12:
            k[INSIDE], maximum = d, line.share[n]
    if y[V] >= 0.0 or not catches:
        return ON
    f = work.f1
    place(line.motion, line.rule, y[X], 0, f, work.weights1)
    need = line.ride[G] * f[0, SLOPE] + 0.5 * f[0, MASS_RATE] * y[V] * y[V] - loss_at(line, y[V], work)
    push = acting_force(line.devices, line.who, line.share, work.opened, need, y[V], f[0, MASS], 1.0)
    return CAUGHT if push > need else ON


@inner
def hold_until(line: Interval, y: Array, x1: float, work: Work) -> float:
    """Place up to which a device can keep the speed on the way from y[X] to x1, just beyond when it cannot."""
    a = y[X]
    for part in range(5):
        b = y[X] + (x1 - y[X]) * part / 4.0
        if holds(line, b, y[V], work) != HOLD:
            if part == 0:
                return float(b)
            for _ in range(HALVINGS):
                middle = 0.5 * (a + b)
                if holds(line, middle, y[V], work) == HOLD:
                    a = middle
                else:
                    b = middle
            return float(b)
        a = b
    return x1


@inner
def over_border(c: Course, line: Interval, y: Array, k: Integers, samples: Array, work: Work) -> int:
    """From the end of an interval into the next one (ON), or the end of the ride."""
    count, last = c.s.shape[0], c.rule.shape[1] - 1
    way = k[WAY]
    node = last if way > 0 else 0
    off = not c.closed and k[AT] == (count - 1 if way > 0 else 0)
    gone = (base(c, k) + (line.width if way > 0 else 0.0) - c.start) * k[FIRST]
    if off or (c.closed and gone >= c.laps * c.s[-1, -1] - 1e-9):
        keep(c, line, y, k, node, samples, work)
        return LEFT if off and way < 0 else ARRIVED
    k[AT] += way
    if k[AT] == count or k[AT] < 0:
        k[AT] = 0 if way > 0 else count - 1
        k[LAP] += way
    y[X] = 0.0 if way > 0 else 1.0
    return ON


@inner
def keep_inner(
    c: Course, line: Interval, y: Array, k: Integers, before: float, samples: Array, work: Work
) -> None:
    """Samples at the nodes inside an interval that was crossed from end to end; works are shared out by time."""
    last = c.rule.shape[1] - 1
    first = samples[k[SAMPLES] - 1]
    state = work.sample
    copy(y, state)
    for j in range(1, last):
        node = j if k[WAY] > 0 else last - j
        middle = work.middle[j]
        part = (middle[1] - before) / (y[T] - before)
        state[X], state[E], state[T], state[V] = c.rule[0, node], middle[0], middle[1], middle[2]
        state[FRICTION] = first[LOST] + part * (y[FRICTION] - first[LOST])
        state[DRAG] = first[DRAGGED] + part * (y[DRAG] - first[DRAGGED])
        state[DEVICE] = state[E] - first[ENERGY] + state[FRICTION] - first[LOST]
        state[DEVICE] += state[DRAG] - first[DRAGGED] + first[DRIVEN]
        keep(c, line, state, k, node, samples, work)


@inner
def advance(
    c: Course, line: Interval, y: Array, k: Integers, pace: float, samples: Array, work: Work
) -> float:
    """Ride on to the next border, turning point or change of phase; returns a step (s) for slow stretches."""
    goal = 1.0 if k[WAY] > 0 else 0.0
    aim, rough, x0, before = goal, c.rough, y[X], y[T]
    if k[PHASE] == HOLD:
        aim, rough = hold_until(line, y, goal, work), np.inf
    outcome = DONE
    if aim != x0:
        outcome = track_step(line, y, aim, k[PHASE], k[WAY], rough, work) if y[V] != 0.0 else SLOW
    if outcome == CROSSED:
        # the longest step that does not pass a speed that a device wants
        back, ahead, start, trial = x0, goal, work.start, work.trial
        copy(y, start)
        for _ in range(HALVINGS):
            middle = 0.5 * (back + ahead)
            copy(start, trial)
            if track_step(line, trial, middle, k[PHASE], k[WAY], np.inf, work) == DONE:
                back = middle
                copy(trial, y)
            else:
                ahead = middle
    event = SPEED_PASSED if outcome == CROSSED else BORDER_REACHED
    if outcome == SLOW:
        event, pace = time_ride(line, y, max(pace, 1e-6), c.duration, k[PHASE], k[WAY], c.tolerance, work)
        if event == BORDER_REACHED:
            y[X] = goal
    elif outcome == DONE:
        if c.inner and abs(y[X] - x0) == 1.0:
            keep_inner(c, line, y, k, before, samples, work)
        pace = min(0.05, max(y[T] - before, 1e-6))
    if event == AT_REST:
        y[V] = 0.0
    elif event == SPEED_PASSED:
        low, high = work.band[0], work.band[1]
        y[V] = low if y[V] - low < high - y[V] else high
        k[FRESH] = 1
    elif aim != goal:
        k[FRESH] = 1
    return pace


@inner
def roll_on(c: Course, y: Array, k: Integers, samples: Array, work: Work) -> None:
    """Roll forward over whole intervals without devices, sampled, for as long as it goes fast enough.

    What `advance` does as well, in one loop without the calls: most of a ride is this.
    """
    s, motion, ride, grips, rule, eye, at = c.s, c.motion, c.ride, c.grips, c.rule, work.eye, work.at
    start, goal, closed, inner, rough, duration = (
        c.start,
        c.laps * c.s[-1, -1],
        c.closed,
        c.inner,
        c.rough,
        c.duration,
    )
    count, J = s.shape
    end, length = J - 1, s[-1, -1]
    stop = samples.shape[0] - J - 1
    while grips[k[AT]] < 0 and k[SAMPLES] < stop and y[T] < duration:
        i = k[AT]
        width, origin = s[i, end] - s[i, 0], s[i, 0] + k[LAP] * length
        if not collocate(interval(c, i), motion[i], eye, y, width, FREE, 1, work):
            return
        inverse, rougher = 0.0, 0.0
        for j in range(J):
            inverse += rule[INTEGRAL + end, j] / at[j, 1]
            rougher += rule[ROUGH, j] / at[j, 1]
        if abs(rougher - inverse) > rough * inverse:
            return
        for j in range(end if inner else 1):
            row, v, m = k[SAMPLES] + j, at[j, 1], motion[i, j, MASS]
            time, lost, drag = 0.0, 0.0, 0.0
            for q in range(J):
                time += rule[INTEGRAL + j, q] / at[q, 1]
                lost += rule[INTEGRAL + j, q] * at[q, 2]
                drag += rule[INTEGRAL + j, q] * at[q, 3]
            force = (
                at[j, 2] + at[j, 3] + ride[G] * motion[i, j, SLOPE] + 0.5 * motion[i, j, MASS_RATE] * v * v
            )
            samples[row, NODE], samples[row, PLACE] = i * J + j, origin + rule[0, j] * width
            samples[row, TIME], samples[row, RATE], samples[row, CHANGE] = y[T] + width * time, v, -force / m
            samples[row, ENERGY], samples[row, LOST] = at[j, 0], y[FRICTION] + width * lost
            samples[row, DRAGGED], samples[row, DRIVEN] = y[DRAG] + width * drag, y[DEVICE]
            samples[row, AT_DEVICE], samples[row, KINETIC] = -1, 0.5 * m * v * v
        k[SAMPLES] += end if inner else 1
        for j in range(J):
            y[FRICTION] += width * rule[INTEGRAL + end, j] * at[j, 2]
            y[DRAG] += width * rule[INTEGRAL + end, j] * at[j, 3]
        y[T] += width * inverse
        y[E] = at[end, 0]
        y[V] = np.sqrt(2.0 * (y[E] - ride[G] * motion[i, end, HEIGHT]) / motion[i, end, MASS])
        if (closed and origin + width - start >= goal - 1e-9) or (not closed and i + 1 == count):
            y[X] = 1.0
            return
        k[AT] = i + 1
        if k[AT] == count:
            k[AT] = 0
            k[LAP] += 1


@inner
def set_on_track(c: Course, speed: float, y: Array, k: Integers, work: Work) -> None:
    """State at the start."""
    count, last = c.s.shape[0], c.s.shape[1] - 1
    k[WAY] = k[FIRST] = 1 if speed >= 0.0 else -1
    k[INSIDE], k[GRIPS], k[FRESH], k[PHASE] = -1, NOWHERE, 1, FREE
    i = 0
    while i < count - 1 and c.s[i, last] <= c.start + 1e-9:
        i += 1
    k[AT] = i
    line = interval(c, i)
    x = (c.start - c.s[i, 0]) / line.width
    y[X] = 0.0 if x < 1e-9 else 1.0 if x > 1.0 - 1e-9 else x
    y[V] = speed
    place(line.motion, line.rule, y[X], 0, work.f1, work.weights1)
    y[E] = line.ride[G] * work.f1[0, HEIGHT] + 0.5 * work.f1[0, MASS] * speed * speed


@kernel
def ride_course(c: Course, speed: float, samples: Array, events: Array, work: Work) -> tuple[int, int, int]:
    """Ride a course at `speed` (m/s) from its start and write samples (n, 11) and events (m, 4: what, s, t, device).

    work: fresh, for the rule and the devices of the course. Returns the way it ended and the numbers of samples and
    events.
    """
    last = c.rule.shape[1] - 1
    y, k = work.y, work.k
    set_on_track(c, speed, y, k, work)
    pace, count, end = FIRST_STEP, 0, ON
    while end == ON:
        count += 1
        line = interval(c, k[AT])
        if y[X] == (1.0 if k[WAY] > 0 else 0.0) and y[V] != 0.0:
            end = over_border(c, line, y, k, samples, work)
            continue
        if c.grips[k[AT]] != k[GRIPS]:
            end = take_hold(c, line, y, k, work)
        if abs(y[V]) < 1e-12 and end == ON:
            end = from_rest(c, line, y, k, samples, events, work)
            if end == ON and y[X] == (1.0 if k[WAY] > 0 else 0.0):
                end = over_border(c, line, y, k, samples, work)
                continue
        if k[FRESH] == 1:
            k[PHASE] = choose_phase(line, y, k[WAY], work)
            k[FRESH] = 0
        if end == ON and y[X] == 0.0 and y[V] > 0.0 and k[GRIPS] < 0 and k[FIRST] > 0 and k[TURNS] <= c.turns:
            roll_on(c, y, k, samples, work)
            if y[X] == 1.0 or c.grips[k[AT]] >= 0:
                continue
            line = interval(c, k[AT])
        node = 0 if y[X] == 0.0 else last if y[X] == 1.0 else -1
        if end != STALLED and end != STOPPED:
            keep(c, line, y, k, node, samples, work)
        if end == ON and k[TURNS] > c.turns:
            end = SWINGS
        elif end == ON and (
            y[T] >= c.duration or k[SAMPLES] == samples.shape[0] or count > 50 * samples.shape[0]
        ):
            end = TIME_OVER
        if end == ON:
            pace = advance(c, line, y, k, pace, samples, work)
    return end, k[SAMPLES], k[EVENTS]
