"""Kernels of the ride of points: the forces, and a step along an interval.

State of a ride (`y`): place x in [0, 1] on its interval, time t, energy E per mass, rate v = ds/dt (signed), and the
works per mass of friction, drag and devices up to now. While the train rolls it is stepped along the track, where
without losses E is constant and v = sqrt(2 (E - g z) / M) is exact; near standstill, where 1/v cannot be integrated,
in time (`time_kernels.py`). `phase` says how a device acts: BELOW or ABOVE its speed, HOLD at it.
"""
# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..jit.decorators import inner
from ..track.device_law import (
    ACCELERATION,
    BRAKE,
    KIND,
    MODE,
    NO_DEVICE,
    PULL,
    PUSH,
    SPEED,
    TYRES,
    most,
)

X, T, E, V, FRICTION, DRAG, DEVICE = range(7)
HEIGHT, SLOPE, MASS, MASS_RATE, PACE, PACE3 = range(6)
BELOW, HOLD, ABOVE = -1, 0, 1
# columns of the table of devices behind those of `core.track.device_law`: the same in all rows, they belong to the ride
G, MU, R, BY_LOAD = range(8, 12)
# rows of the table of the rule: places, weights of the rough rule, barycentric weights, then `Rule.a`
NODES, ROUGH, BARY, INTEGRAL = range(4)
DONE, SLOW, CROSSED = range(3)
ROUNDS = 12  # of the collocation's iteration; each gains three digits or more


class Interval(NamedTuple):
    """One interval of the line and what acts on it.

    motion (J, 6), load (J, n, 7): as `LineTables`; dev (12,): the device and the ride; rule (J + 3, J); width (m).
    """

    motion: Array
    load: Array
    dev: Array
    rule: Array
    width: float


class Work(NamedTuple):
    """Memory of the kernels. f (J, 6), weights (J, J), at (J, 5): energy, rate, friction, drag, device force at the
    nodes of a step; middle (J, 3): E, t, v there; f1 (1, 6), weights1 (1, J) for one place; stages (7, 7), part, new,
    rate (7,) for steps in time; y, start, trial, sample (7,): states; k (10,): the whole numbers of a ride; given
    (d + 1, 12): the devices as they are at the start; eye (J, J): zeros and ones."""

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
    given: Array
    eye: Array


def new_work(nodes: int, devices: Array) -> Work:
    """Memory for rules of so many nodes and a table of devices."""
    part, new, rate, y, start, trial, sample = np.zeros((7, 7))
    return Work(
        np.zeros((nodes, 6)), np.zeros((nodes, nodes)), np.zeros((nodes, 5)), np.zeros((nodes, 3)), np.zeros((1, 6)),
        np.zeros((1, nodes)), np.zeros((7, 7)), part, new, rate, y, start, trial, sample,
        np.zeros(10, dtype=np.int64), devices.copy(), np.eye(nodes),
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
def friction(load: Array, dev: Array, pace: float, row: int, weights: Array, q: float) -> float:
    """Friction over mass (m/s^2) against the motion, by the arc length of the centreline."""
    if dev[MU] == 0.0:
        return 0.0
    if dev[BY_LOAD] != 0.0:
        return float(dev[MU] * wheel_load(load, row, weights, q, dev[G]))
    return float(dev[MU] * dev[G] * pace)


@inner
def held_force(dev: Array, slope: float, mass_rate: float, v: float, loss: float) -> float:
    """Force of a device over mass that keeps the speed v; loss against the motion."""
    return float(dev[G] * slope + 0.5 * mass_rate * v * v + np.sign(v) * loss)


@inner
def device_force(
    dev: Array, phase: int, slope: float, mass: float, mass_rate: float, v: float, direction: int, loss: float
) -> float:
    """Force of a device over mass (m/s^2), along growing s; slope, mass, mass_rate: the fields there."""
    kind = dev[KIND]
    if kind == NO_DEVICE:
        return 0.0
    if phase == HOLD:
        return held_force(dev, slope, mass_rate, v, loss)
    if kind == BRAKE:
        return float(-direction * dev[PULL]) if phase == ABOVE else 0.0
    keep = dev[G] * slope + 0.5 * mass_rate * v * v + direction * loss
    if kind == TYRES and dev[MODE] == ACCELERATION:
        return float(keep - phase * mass * dev[PULL])
    if phase == ABOVE:
        return float(-dev[PULL]) if kind == TYRES else 0.0
    if kind == PUSH and dev[MODE] == ACCELERATION:
        return float(min(max(keep + mass * dev[PULL], 0.0), most(dev, v)))
    return most(dev, v)


@inner
def holds(line: Interval, x: float, v: float, work: Work) -> int:
    """HOLD when a device can keep the speed v at x of its interval, else the side the speed will go to."""
    f, dev = work.f1, line.dev
    place(line.motion, line.rule, x, 0, f, work.weights1)
    loss = friction(line.load, dev, f[0, PACE], 0, work.weights1, v * v) + dev[R] * v * v * f[0, PACE3]
    need = held_force(dev, f[0, SLOPE], f[0, MASS_RATE], v, loss)
    low, high = 0.0, most(dev, v)
    if dev[KIND] == TYRES:
        low = -most(dev, v)
    elif dev[KIND] == BRAKE:
        low, high = -dev[PULL], 0.0
        need *= np.sign(v)
    if need < low:
        return ABOVE
    return BELOW if need > high else HOLD


@inner
def side(dev: Array, v: float) -> int:
    """Whether v is below, at or above the speed of a device; a brake looks at the amount only."""
    seen = abs(v) if dev[KIND] == BRAKE else v
    if abs(seen - dev[SPEED]) <= 1e-12 * max(dev[SPEED], 1.0):
        return HOLD
    return BELOW if seen < dev[SPEED] else ABOVE


@inner
def collocate(
    f: Array, weights: Array, load: Array, dev: Array, rule: Array, y: Array, run: float, phase: int,
    direction: int, at: Array,
) -> bool:  # fmt: skip
    """Energies and forces `at` (J, 5) the nodes of a step of length run (m) from y; False when the train does not get
    through. f (J, 6), weights (J, J): fields and weights at the nodes."""
    J = rule.shape[1]
    energy, speed = y[E], y[V]
    for j in range(J):
        at[j, 0] = energy
    scale = 4e-16 * abs(energy) + 1e-15
    for _ in range(ROUNDS):
        for j in range(J):
            v = speed
            if phase != HOLD:
                w = at[j, 0] - dev[G] * f[j, HEIGHT]
                if w <= 0.0:
                    return False
                v = direction * np.sqrt(2.0 * w / f[j, MASS])
            at[j, 1] = v
            at[j, 2] = friction(load, dev, f[j, PACE], j, weights, v * v)
            at[j, 3] = dev[R] * v * v * f[j, PACE3]
            at[j, 4] = device_force(
                dev, phase, f[j, SLOPE], f[j, MASS], f[j, MASS_RATE], v, direction, at[j, 2] + at[j, 3]
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
            at[j, 0] = dev[G] * f[j, HEIGHT] + 0.5 * f[j, MASS] * speed * speed
    return bool(at[J - 1, 0] > dev[G] * f[J - 1, HEIGHT])


@inner
def track_step(
    line: Interval, y: Array, x1: float, phase: int, direction: int, rough: float, work: Work
) -> int:
    """Step along the track from y[X] to x1 of one interval in one phase, y in place; work.middle: E, t, v on the way.

    Returns DONE; SLOW (y untouched) when the speed changes too much for the rule, by the relative difference `rough`
    from one of lower order; CROSSED (y untouched) when the speed of the device is passed on the way. Collocation at
    the nodes of the rule: order 8 or 4.
    """
    motion, rule, dev, at, f, weights = line.motion, line.rule, line.dev, work.at, work.f, work.weights
    J = rule.shape[1]
    end = J - 1
    x0 = y[X]
    run = abs(x1 - x0) * line.width
    for j in range(J):
        place(motion, rule, x0 + (x1 - x0) * rule[NODES, j], j, f, weights)
    if not collocate(f, weights, line.load, dev, rule, y, run, phase, direction, at):
        return SLOW
    inverse, rougher = 0.0, 0.0
    for j in range(J):
        inverse += rule[INTEGRAL + end, j] / abs(at[j, 1])
        rougher += rule[ROUGH, j] / abs(at[j, 1])
    if abs(rougher - inverse) > rough * inverse:
        return SLOW
    if phase != HOLD and dev[KIND] != NO_DEVICE:
        for j in range(1, J):
            if side(dev, at[j, 1]) == -phase:
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
        w = at[end, 0] - dev[G] * f[end, HEIGHT]
        y[V] = direction * np.sqrt(2.0 * w / f[end, MASS])
    y[X], y[T], y[E] = x1, middle[end, 1], at[end, 0]
    y[FRICTION] += lost
    y[DRAG] += drag
    y[DEVICE] += driven
    return DONE
