"""Kernels of the ride of points: the forces, and a step along an interval.

State of a ride (`y`): place x in [0, 1] on its interval, time t, energy E per mass, rate v = ds/dt (signed), and the
works per mass of friction, drag and devices up to now. While the train rolls it is stepped along the track, where
without losses E is constant and v = sqrt(2 (E - g z) / M) is exact; near standstill, where 1/v cannot be integrated,
in time (`time_kernels.py`).

A device has hold of a car while the middle of the car is on it, and gives it the force of its law
(`core.track.devices.law`) over the mass of the train, in the share of the car's mass: as in the run. The law is
followed without delay: `phase` FREE says that the speed stays within `Work.band`, between two speeds that a device
wants, over which all forces are smooth; HOLD that a device keeps it.
"""
# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..jit.decorators import inner, shared
from ..track.devices import device_force
from ..track.devices.law import LAW, RELEASE, SAME_SPEED, SPEED

X, T, E, V, FRICTION, DRAG, DEVICE = range(7)
HEIGHT, SLOPE, MASS, MASS_RATE, PACE, PACE3 = range(6)
BELOW, HOLD, ABOVE = -1, 0, 1
FREE = 1
G, MU, R, BY_LOAD = range(4)  # of the ride
# rows of the table of the rule: places, weights of the rough rule, barycentric weights, then `Rule.a`
NODES, ROUGH, BARY, INTEGRAL = range(4)
DONE, SLOW, CROSSED = range(3)
ROUNDS = 12  # of the collocation's iteration; each gains three digits or more


class Interval(NamedTuple):
    """One interval of the line and what acts on it.

    motion (J, 6), load (J, n, 7): as `LineTables`; ride (4,): gravity and losses; devices (d, WIDTH): the rows of all;
    who (a,): numbers of those that have hold of cars, then -1; share (a,): of the mass of the train; rule (J + 3, J);
    width (m).
    """

    motion: Array
    load: Array
    ride: Array
    devices: Array
    who: Integers
    share: Array
    rule: Array
    width: float


class Work(NamedTuple):
    """Memory of the kernels. f (J, 6), weights (J, J), at (J, 5): energy, rate, friction, drag, device force at the
    nodes of a step; middle (J, 3): E, t, v there; f1 (1, 6), weights1 (1, J) for one place; stages (7, 7), part, new,
    rate (7,) for steps in time; y, start, trial, sample (7,): states; k (11,): the whole numbers of a ride; opened
    (d,): 1 for devices that have let the train go; band (2,): speeds (m/s) between which no device changes its mind;
    eye (J, J): zeros and ones."""

    f: Array
    weights: Array
    at: Array
    middle: Array
    f1: Array
    weights1: Array
    stages: Array
    part: Array
    new: Array
    rate: Array
    y: Array
    start: Array
    trial: Array
    sample: Array
    k: Integers
    opened: Array
    band: Array
    eye: Array


def new_work(nodes: int, devices: int) -> Work:
    """Memory for rules of so many nodes and so many devices."""
    part, new, rate, y, start, trial, sample = np.zeros((7, 7))
    return Work(
        np.zeros((nodes, 6)), np.zeros((nodes, nodes)), np.zeros((nodes, 5)), np.zeros((nodes, 3)), np.zeros((1, 6)),
        np.zeros((1, nodes)), np.zeros((7, 7)), part, new, rate, y, start, trial, sample,
        np.zeros(11, dtype=np.int64), np.zeros(devices), np.zeros(2), np.eye(nodes),
    )  # fmt: skip


@inner
def copy(source: Array, target: Array) -> None:
    """target <- source, both one-dimensional."""
    for n in range(source.shape[0]):
        target[n] = source[n]


@inner
def place(motion: Array, rule: Array, x: float, row: int, f: Array, weights: Array) -> None:
    """Fields at x of an interval into a row of f (m, 6), and the weights of its nodes there into one of weights (m, J).

    motion (J, 6), rule (J + 3, J). Whole arrays with a row, as a view costs more than what is done with it.
    """
    J = rule.shape[1]
    for j in range(J):
        if x == rule[NODES, j]:
            for k in range(J):
                weights[row, k] = 0.0
            weights[row, j] = 1.0
            for c in range(6):
                f[row, c] = motion[j, c]
            return
    total = 0.0
    for j in range(J):
        weights[row, j] = rule[BARY, j] / (x - rule[NODES, j])
        total += weights[row, j]
    for j in range(J):
        weights[row, j] /= total
    for c in range(6):
        value = 0.0
        for j in range(J):
            value += weights[row, j] * motion[j, c]
        f[row, c] = value


@inner
def wheel_load(load: Array, row: int, weights: Array, q: float, g: float) -> float:
    """Mean over the points of the force on their wheels per mass times pace at q = (ds/dt)^2; load (J, n, 7).

    Of the force U upwards and S to the left that the rails give an axle, each wheel has half, and beside it the couple
    d = arm S + aside U (both over the gauge) that keeps the car from rolling over: the wheels bear
    sqrt((U/2 + d)^2 + (S/2)^2) + sqrt((U/2 - d)^2 + (S/2)^2), with d = 0 the length of the force.
    """
    total = 0.0
    n = load.shape[1]
    for k in range(n):
        side2 = side0 = up2 = up0 = pace = 0.0
        for j in range(load.shape[0]):
            w = weights[row, j]
            if w != 0.0:
                side2 += w * load[j, k, 0]
                side0 += w * load[j, k, 1]
                up2 += w * load[j, k, 2]
                up0 += w * load[j, k, 3]
                pace += w * load[j, k, 4]
        side, up = side2 * q + side0 * g, up2 * q + up0 * g
        arm, aside = load[0, k, 5], load[0, k, 6]
        if arm == 0.0 and aside == 0.0:
            total += pace * np.sqrt(side * side + up * up)
        else:
            d = arm * side + aside * up
            left, right, across = 0.5 * up + d, 0.5 * up - d, 0.25 * side * side
            total += pace * (np.sqrt(left * left + across) + np.sqrt(right * right + across))
    return float(total / n)


@inner
def friction(load: Array, ride: Array, pace: float, row: int, weights: Array, q: float) -> float:
    """Friction over mass (m/s^2) against the motion, by the arc length of the centreline."""
    if ride[MU] == 0.0:
        return 0.0
    if ride[BY_LOAD] != 0.0:
        return float(ride[MU] * wheel_load(load, row, weights, q, ride[G]))
    return float(ride[MU] * ride[G] * pace)


@shared
def acting_force(
    devices: Array,
    index: Integers,
    share: Array,
    opened: Array,
    keep: float,
    v: float,
    inertia: float,
    near: float,
) -> float:
    """Force over the mass of the train (m/s^2) of the devices that have hold of cars; keep, v, inertia, near as in
    `core.track.devices.law`."""
    total = 0.0
    for n in range(index.shape[0]):
        d = index[n]
        if d < 0:
            break
        p = devices[d]
        force, _ = device_force(int(p[LAW]), p, opened[d] != 0.0, keep, v, inertia, near)
        total += share[n] * force
    return total


@inner
def keeping(ride: Array, slope: float, mass_rate: float, v: float, loss: float) -> float:
    """Force over mass that keeps the speed v; loss along growing s."""
    return float(ride[G] * slope + 0.5 * mass_rate * v * v + loss)


@inner
def force_at(
    line: Interval, work: Work, phase: int, slope: float, mass: float, mass_rate: float, v: float, loss: float
) -> float:
    """Force of the devices over mass (m/s^2), along growing s; slope, mass, mass_rate: the fields there; loss along
    growing s. A speed a little beyond the band is taken for its border, so that a step that ends there is smooth."""
    if line.who[0] < 0:
        return 0.0
    keep = keeping(line.ride, slope, mass_rate, v, loss)
    if phase == HOLD:
        return keep
    low, high, near = work.band[0], work.band[1], 1.0
    if v <= low:
        v = low
    elif v >= high - SAME_SPEED * max(abs(high), 1.0):
        v, near = high, -1.0
    return float(acting_force(line.devices, line.who, line.share, work.opened, keep, v, mass, near))


@inner
def wanted(line: Interval, n: int, work: Work) -> float:
    """Speed (m/s) that device number n of an interval wants; negative: none."""
    p = line.devices[line.who[n]]
    if work.opened[line.who[n]] != 0.0:
        return float(p[RELEASE]) if p[RELEASE] > 0.0 else -1.0
    return float(p[SPEED])


@inner
def loss_at(line: Interval, v: float, work: Work) -> float:
    """Friction and drag (m/s^2) against the motion at the place of the last `place`."""
    f, ride = work.f1, line.ride
    lost = friction(line.load, ride, f[0, PACE], 0, work.weights1, v * v)
    return float(lost + ride[R] * v * v * f[0, PACE3])


@inner
def holds(line: Interval, x: float, v: float, work: Work) -> int:
    """HOLD when the devices can keep the speed v, that one of them wants, at x of the interval, else the side it will
    go to."""
    f = work.f1
    place(line.motion, line.rule, x, 0, f, work.weights1)
    keep = keeping(line.ride, f[0, SLOPE], f[0, MASS_RATE], v, np.sign(v) * loss_at(line, v, work))
    mass, given = f[0, MASS], (line.devices, line.who, line.share, work.opened)
    if acting_force(given[0], given[1], given[2], given[3], keep, v, mass, 1.0) > keep:
        return ABOVE
    if acting_force(given[0], given[1], given[2], given[3], keep, v, mass, -1.0) < keep:
        return BELOW
    return HOLD


@inner
def beyond(v: float, work: Work) -> bool:
    """Whether a speed lies outside the band."""
    low, high = work.band[0], work.band[1]
    return bool(v < low - SAME_SPEED * max(abs(low), 1.0) or v > high + SAME_SPEED * max(abs(high), 1.0))


@inner
def choose_phase(line: Interval, y: Array, way: int, work: Work) -> int:
    """Phase of the ride at the state y, and its band; way: the direction of a train that sets off."""
    v, band, phase = y[V], work.band, FREE
    band[0], band[1] = -np.inf, np.inf
    if line.who[0] < 0:
        return FREE
    for n in range(-1, line.who.shape[0]):
        if n >= 0 and line.who[n] < 0:
            break
        speed = 0.0 if n < 0 else wanted(line, n, work)
        if speed < 0.0:
            continue
        for sign in (-1.0, 1.0):
            c = sign * speed
            if abs(v - c) > SAME_SPEED * max(speed, 1.0):
                if c < v:
                    band[0] = max(band[0], c)
                else:
                    band[1] = min(band[1], c)
                continue
            side = way if c == 0.0 else holds(line, y[X], c, work)
            if side == HOLD:
                y[V], phase = c, HOLD
            elif side > 0:
                band[0] = max(band[0], c)
            else:
                band[1] = min(band[1], c)
    return phase


@inner
def collocate(
    line: Interval, f: Array, weights: Array, y: Array, run: float, phase: int, direction: int, work: Work
) -> bool:
    """Energies and forces `at` (J, 5) the nodes of a step of length run (m) from y; False when the train does not get
    through. f (J, 6), weights (J, J): fields and weights at the nodes."""
    rule, load, ride, at = line.rule, line.load, line.ride, work.at
    J = rule.shape[1]
    energy, speed = y[E], y[V]
    for j in range(J):
        at[j, 0] = energy
    scale = 4e-16 * abs(energy) + 1e-15
    for _ in range(ROUNDS):
        for j in range(J):
            v = speed
            if phase != HOLD:
                w = at[j, 0] - ride[G] * f[j, HEIGHT]
                if w <= 0.0:
                    return False
                v = direction * np.sqrt(2.0 * w / f[j, MASS])
            at[j, 1] = v
            at[j, 2] = friction(load, ride, f[j, PACE], j, weights, v * v)
            at[j, 3] = ride[R] * v * v * f[j, PACE3]
            at[j, 4] = force_at(
                line,
                work,
                phase,
                f[j, SLOPE],
                f[j, MASS],
                f[j, MASS_RATE],
                v,
                direction * (at[j, 2] + at[j, 3]),
            )
        change = 0.0
        for j in range(J):
            gain = 0.0
            for k in range(J):
                gain += rule[INTEGRAL + j, k] * (direction * at[k, 4] - at[k, 2] - at[k, 3])
            new = energy + run * gain
            change = max(change, abs(new - at[j, 0]))
            at[j, 0] = new
        if phase == HOLD or change <= scale:
            break
    if phase == HOLD:
        for j in range(J):
            at[j, 0] = ride[G] * f[j, HEIGHT] + 0.5 * f[j, MASS] * speed * speed
    return bool(at[J - 1, 0] > ride[G] * f[J - 1, HEIGHT])


@inner
def track_step(
    line: Interval, y: Array, x1: float, phase: int, direction: int, rough: float, work: Work
) -> int:
    """Step along the track from y[X] to x1 of one interval in one phase, y in place; work.middle: E, t, v on the way.

    Returns DONE; SLOW (y untouched) when the speed changes too much for the rule, by the relative difference `rough`
    from one of lower order; CROSSED (y untouched) when a speed that a device wants is passed on the way. Collocation at
    the nodes of the rule: order 8 or 4.
    """
    motion, rule, ride, at, f, weights = line.motion, line.rule, line.ride, work.at, work.f, work.weights
    J = rule.shape[1]
    end = J - 1
    x0 = y[X]
    run = abs(x1 - x0) * line.width
    for j in range(J):
        place(motion, rule, x0 + (x1 - x0) * rule[NODES, j], j, f, weights)
    if not collocate(line, f, weights, y, run, phase, direction, work):
        return SLOW
    inverse, rougher = 0.0, 0.0
    for j in range(J):
        inverse += rule[INTEGRAL + end, j] / abs(at[j, 1])
        rougher += rule[ROUGH, j] / abs(at[j, 1])
    if abs(rougher - inverse) > rough * inverse:
        return SLOW
    if phase != HOLD and line.who[0] >= 0:
        for j in range(1, J):
            if beyond(at[j, 1], work):
                return CROSSED
    lost, drag, driven, middle = 0.0, 0.0, 0.0, work.middle
    for j in range(J):
        time = 0.0
        for k in range(J):
            time += rule[INTEGRAL + j, k] / abs(at[k, 1])
        middle[j, 0], middle[j, 1], middle[j, 2] = at[j, 0], y[T] + run * time, at[j, 1]
        lost += run * rule[INTEGRAL + end, j] * at[j, 2]
        drag += run * rule[INTEGRAL + end, j] * at[j, 3]
        driven += run * rule[INTEGRAL + end, j] * direction * at[j, 4]
    if phase == HOLD:
        driven = at[end, 0] - y[E] + lost + drag
    else:
        w = at[end, 0] - ride[G] * f[end, HEIGHT]
        y[V] = direction * np.sqrt(2.0 * w / f[end, MASS])
    y[X], y[T], y[E] = x1, middle[end, 1], at[end, 0]
    y[FRICTION] += lost
    y[DRAG] += drag
    y[DEVICE] += driven
    return DONE
