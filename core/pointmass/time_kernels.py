"""Kernels of the ride of points in time: for stretches where the train is slow, turns round or sets off."""
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..jit.decorators import inner
from .ride_kernels import (
    DEVICE,
    DRAG,
    FRICTION,
    HEIGHT,
    HOLD,
    MASS,
    MASS_RATE,
    PACE,
    PACE3,
    SLOPE,
    E,
    G,
    Interval,
    R,
    T,
    V,
    Work,
    X,
    beyond,
    copy,
    force_at,
    friction,
    place,
)

NOTHING, BORDER_REACHED, AT_REST, SPEED_PASSED = range(4)
LONGEST = 1.0  # s, of a step
SHORTEST = 1e-9  # s
BISECTIONS = 60
MAX_STEPS = 50_000  # of one stretch; more are only asked for where the line has no sense, and would never end
ROLLING = 1e-4  # m^2/s^2, kinetic energy over mass from which v is taken from the energy

# Dormand & Prince 1980 (A family of embedded Runge-Kutta formulae), order 5 with an error estimate of order 4
DP_A = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
DP_E = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


@inner
def rates(line: Interval, y: Array, phase: int, direction: int, work: Work, out: Array) -> None:
    """Time derivatives (7,) of the state of a ride at y, which may lie a little outside its interval; the fields there
    are left in work.f1."""
    ride, f = line.ride, work.f1
    place(line.motion, line.rule, y[X], 0, f, work.weights1)
    v = y[V]
    lost = friction(line.load, ride, f[0, PACE], 0, work.weights1, v * v)
    drag = ride[R] * v * v * f[0, PACE3]
    loss = direction * (lost + drag)
    force = force_at(line, work, phase, f[0, SLOPE], f[0, MASS], f[0, MASS_RATE], v, loss)
    total = force - loss
    out[X], out[T], out[E] = v / line.width, 1.0, total * v
    out[V] = (total - ride[G] * f[0, SLOPE] - 0.5 * f[0, MASS_RATE] * v * v) / f[0, MASS]
    if phase == HOLD:
        out[V] = 0.0
    out[FRICTION], out[DRAG], out[DEVICE] = lost * abs(v), drag * abs(v), force * v


@inner
def time_step(line: Interval, y: Array, h: float, phase: int, direction: int, work: Work) -> float:
    """One step of h seconds from y to work.new; returns the error estimate (m, m/s)."""
    part, stages = work.part, work.stages
    for i in range(7):
        for n in range(7):
            total = y[n]
            for k in range(i):
                total += h * DP_A[i, k] * stages[k, n]
            part[n] = total
        rates(line, part, phase, direction, work, stages[i])
    error_x, error_v = 0.0, 0.0
    for i in range(7):
        error_x += h * DP_E[i] * stages[i, X] * line.width
        error_v += h * DP_E[i] * stages[i, V]
    copy(part, work.new)
    return float(max(abs(error_x), abs(error_v)))


@inner
def happened(line: Interval, new: Array, phase: int, direction: int, work: Work) -> int:
    """What a step in time went past."""
    if new[V] * direction < 0.0:
        return AT_REST
    if new[X] > 1.0 or new[X] < 0.0:
        return BORDER_REACHED
    if line.who[0] >= 0 and phase != HOLD and beyond(new[V], work):
        return SPEED_PASSED
    return NOTHING


@inner
def time_ride(
    line: Interval,
    y: Array,
    pace: float,
    until: float,
    phase: int,
    direction: int,
    tolerance: float,
    work: Work,
) -> tuple[int, float]:
    """Ride in time until something happens or the time `until` is reached (NOTHING); y in place.

    pace (s): first step; tolerance: local error (m, m/s). Returns what happened and a step for the next call.
    """
    new, h, event, steps = work.new, pace, NOTHING, 0
    while y[T] < until:
        steps += 1
        if steps > MAX_STEPS:
            y[T] = until
            break
        # no further than one width beyond the interval: its polynomials have no sense far outside
        h = min(h, line.width / max(abs(y[V]), 1e-9))
        error = time_step(line, y, h, phase, direction, work)
        if error > tolerance and h > SHORTEST:
            h *= max(0.2, 0.9 * (tolerance / error) ** 0.2)
            continue
        event = happened(line, new, phase, direction, work)
        if event != NOTHING:
            before, after, c = 0.0, h, h
            for _ in range(BISECTIONS):
                c = 0.5 * (before + after)
                time_step(line, y, c, phase, direction, work)
                found = happened(line, new, phase, direction, work)
                if found != NOTHING:
                    after, event = c, found
                else:
                    before = c
            if c != after:
                time_step(line, y, after, phase, direction, work)
        place(line.motion, line.rule, new[X], 0, work.f1, work.weights1)
        w = new[E] - line.ride[G] * work.f1[0, HEIGHT]
        if w > ROLLING and phase != HOLD:
            new[V] = direction * np.sqrt(2.0 * w / work.f1[0, MASS])
        copy(new, y)
        if event != NOTHING:
            break
        h = min(h * min(3.0, 0.9 * (tolerance / max(error, 1e-30)) ** 0.2), LONGEST)
    return event, h
