"""Chain lifts, launches, brakes and tyres: forces of the track's devices on the cars.

Every car has a place on the track, the middle of its guides, and is in a device's hands while that place lies on it.
Over `RAMP` metres about each border the force grows and fades, in such a way that two devices that touch add up to one.
The laws are those of the ride of points (`core.track.devices.law`), over the mass of the consist: all cars that are
coupled, with their riders; an uncoupled car is a consist of its own. Of its force each car that the device acts on has
the share of its mass among these, so that a chain under one car pulls the whole train. What would keep the speed v is
taken from the forces on the consist that are already known: weight, drag and rolling resistance along the track. The
force is shared evenly by the guided points of the car and acts along their paths, so that it is no part of the guides'
reactions.

What a device has to remember is kept in `Work.device`, a row a car, alike for the cars of a consist: the device it
stands on or -1, the time since when, and the block brake that has opened for it or -1. It changes at accepted instants
only and can be followed again from the log.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

from ..jit.decorators import inner, kernel
from ..track.devices import device_force
from ..track.devices.law import HOLD, LAW
from .arrays import DC, DV, DW, FORCE, GD, PLAIN, SLOT, int_line, ints, reals
from .constraint_kernels import _dot
from .layout import RIGID, TURN

RAMP = 0.2  # m, over which a device takes hold of a car and lets go of it, half of it on either side of its border
# s: a force over mass that changes by x (m/s^2) in a step h (s) counts as an error of BEFORE_ERROR h x (m)
BEFORE_ERROR = 0.03
REST = 0.005  # m/s, a slower car stands
# columns of Work.device. ACTIVE: 0 switches the devices off; FORCE_ON_CAR (N) and DAMPING (N s/m) of the last forces;
# BEFORE (N): the force at the last accepted instant; KEEP (m/s^2): what keeps the speed of the consist
STANDS_ON, SINCE, OPENED, ACTIVE, FORCE_ON_CAR, DAMPING, BEFORE, KEEP = range(8)
# columns of the tables DC: integers, and the car's mass before its share of each device, over the consist's mass
BODIES, GUIDES, CONSIST, SHARES = 0, 2, 4, 1


@inner
def _ramp(x):
    """0 below -1/2, 1 above 1/2, with two continuous derivatives in between."""
    y = min(max(x + 0.5, 0.0), 1.0)
    return y * y * y * (10.0 + y * (6.0 * y - 15.0))


@inner
def _share(L, first, end, period):
    """How far a place L (m) is in the hands of a device from `first` to `end` (m); period: of a circuit, or 0."""
    if period > 0.0:
        L -= period * math.floor((L - first + RAMP) / period)
        return (
            _ramp((L - first) / RAMP)
            - _ramp((L - end) / RAMP)
            + _ramp((L + period - first) / RAMP)
            - _ramp((L + period - end) / RAMP)
        )
    return _ramp((L - first) / RAMP) - _ramp((L - end) / RAMP)


@inner
def _speed_and_share(S, W, u, k, d):
    """Mean speed (m/s) of the guides of car k along their paths, and how far the car is in the hands of device d."""
    cars, windows, along = ints(S, DC), reals(S, DW), int_line(S, PLAIN)
    v, share, first, end = 0.0, 0.0, cars[k, 2], cars[k, 3]
    for g in range(first, end):
        v += u[along[g]]
        share += _share(W.place[g], windows[g, 1 + 2 * d], windows[g, 2 + 2 * d], windows[g, 0])
    return v / (end - first), share / (end - first)


@inner
def _keeping(W, at, bodies, guides, mass):
    """Force over mass (m/s^2) that balances the forces known so far on the bodies of a car along its paths."""
    force = W.vel[FORCE]
    keep = 0.0
    for c in range(3):
        total, along = 0.0, 0.0
        for b in range(bodies[0], bodies[1]):
            total += force[at[b] + c]
        for g in range(guides[0], guides[1]):
            along += W.path[g, 1, c]
        keep -= total * along
    return keep / (mass * (guides[1] - guides[0]))


@inner
def _keep_consist(W, at, cars, mass, first):
    """Set KEEP of the first car of a consist: the mean of its cars' by their masses."""
    end = cars[first, CONSIST + 1]
    if end == first + 1:
        W.device[first, KEEP] = _keeping(W, at, cars[first, 0:2], cars[first, 2:4], mass[first, 0])
        return
    total = whole = 0.0
    for k in range(first, end):
        total += mass[k, 0] * _keeping(W, at, cars[k, 0:2], cars[k, 2:4], mass[k, 0])
        whole += mass[k, 0]
    W.device[first, KEEP] = total / whole


@inner
def _lever(A, s, t, out):
    """out (6,): rates of the point s of a body along the direction t, for its velocities."""
    b0 = A[0, 0] * t[0] + A[1, 0] * t[1] + A[2, 0] * t[2]
    b1 = A[0, 1] * t[0] + A[1, 1] * t[1] + A[2, 1] * t[2]
    b2 = A[0, 2] * t[0] + A[1, 2] * t[1] + A[2, 2] * t[2]
    out[0], out[1], out[2] = t[0], t[1], t[2]
    out[3] = s[1] * b2 - s[2] * b1
    out[4] = s[2] * b0 - s[0] * b2
    out[5] = s[0] * b1 - s[1] * b0


@kernel
def device_forces(S, W, u):
    """Add the forces of the devices to W.vel[FORCE] and their power (W) to W.power[2]; W.device: force and damping on
    every car. Must come behind all other forces. u: a line of velocities."""
    cars, devices, mass, at = ints(S, DC), reals(S, DV), reals(S, DC), int_line(S, SLOT)
    guides, points, force, lever = ints(S, GD), reals(S, GD), W.vel[FORCE], W.lever[0, 0]
    for k in range(cars.shape[0]):
        W.device[k, FORCE_ON_CAR] = W.device[k, DAMPING] = 0.0
        if W.device[k, ACTIVE] == 0.0:
            continue
        total, damping = 0.0, 0.0
        if k == cars[k, CONSIST]:
            _keep_consist(W, at, cars, mass, k)
        keep = W.device[cars[k, CONSIST], KEEP]
        for d in range(devices.shape[0]):
            if mass[k, SHARES + d] == 0.0:
                continue
            v, share = _speed_and_share(S, W, u, k, d)
            if share > 0.0:
                p, opened = devices[d], W.device[k, OPENED] == d
                f, slope = device_force(int(p[LAW]), p, opened, keep, v, 1.0, 0.0)
                share *= mass[k, SHARES + d]
                total += share * f
                damping += share * slope
        W.device[k, FORCE_ON_CAR], W.device[k, DAMPING] = mass[k, 0] * total, mass[k, 0] * damping
        if total == 0.0:
            continue
        part = W.device[k, FORCE_ON_CAR] / (cars[k, 3] - cars[k, 2])
        for g in range(cars[k, 2], cars[k, 3]):
            slot = at[guides[g, 0]]
            _lever(W.A[guides[g, 0]], points[g], W.path[g, 1], lever)
            for c in range(RIGID):
                force[slot + c] += part * lever[c]
            W.power[2] += part * _dot(lever, u[slot:])
            W.power[2] += part * _dot(lever[TURN:], u[slot + TURN :])


@kernel
def device_tangents(S, W, cC, Hd):
    """Add the damping of the devices at the last `device_forces` to the blocks Hd of the guided bodies.

    Speeds are controlled by the mean over the guides; as these move together along the track, each with its own share
    of the damping comes to the same and leaves the blocks of other bodies alone.
    """
    cars, guides, points, lever = ints(S, DC), ints(S, GD), reals(S, GD), W.lever[0, 0]
    for k in range(cars.shape[0]):
        x = cC * W.device[k, DAMPING] / (cars[k, 3] - cars[k, 2])
        if x == 0.0:
            continue
        for g in range(cars[k, 2], cars[k, 3]):
            b = guides[g, 0]
            _lever(W.A[b], points[g], W.path[g, 1], lever)
            for r in range(RIGID):
                for c in range(r + 1):
                    Hd[b, r, c] += x * lever[r] * lever[c]


@kernel
def device_error(S, W, h):
    """What a step h (s) may have missed (m) of the devices, from how much their forces change over it.

    Takes care that the steps are short where a device takes hold, lets go, or reaches its speed.
    """
    mass, worst = reals(S, DC), 0.0
    for k in range(mass.shape[0]):
        change = abs(W.device[k, FORCE_ON_CAR] - W.device[k, BEFORE]) / mass[k, 0]
        worst = max(worst, BEFORE_ERROR * h * change)
    return worst


@inner
def keep_device_loads(W):
    """Remember in W.device the forces of an accepted instant."""
    for k in range(W.device.shape[0]):
        W.device[k, BEFORE] = W.device[k, FORCE_ON_CAR]


@kernel
def keep_devices(S, W, time, u):
    """Remember in W.device where cars stand at an accepted instant and which block brakes have opened for them.

    Must come behind the forces of that instant. time (s); u: velocities at the pose of the last `constraints`
    call.
    """
    keep_device_loads(W)
    keep_standing(S, W, time, u)


@inner
def keep_standing(S, W, time, u):
    """The part of `keep_devices` by which their forces may change."""
    cars, devices, mass = ints(S, DC), reals(S, DV), reals(S, DC)
    for k in range(cars.shape[0]):
        if k == cars[k, CONSIST]:
            _keep_standing(S, W, time, u, cars, devices, mass, k)


@inner
def _keep_standing(S, W, time, u, cars, devices, mass, first):
    """The same for a consist, by its first car; a consist stands where a car of it stands on what acts on that car."""
    held, on, strongest, opened_on = W.device[first], -1, 0.0, False
    for k in range(first, cars[first, CONSIST + 1]):
        for d in range(devices.shape[0]):
            if mass[k, SHARES + d] == 0.0:
                continue
            v, share = _speed_and_share(S, W, u, k, d)
            if share > strongest and abs(v) < REST:
                on, strongest = d, share
            if held[OPENED] == d and share > 0.0:
                opened_on = True
    if held[OPENED] >= 0.0 and not opened_on:
        held[OPENED] = -1.0
    if held[STANDS_ON] != on:
        held[STANDS_ON], held[SINCE] = on, time
    if on >= 0 and held[OPENED] != on:
        dev = devices[on]
        if dev[HOLD] >= 0.0 and time - held[SINCE] >= dev[HOLD]:
            held[OPENED], held[SINCE] = on, time
    for k in range(first + 1, cars[first, CONSIST + 1]):
        for c in range(STANDS_ON, OPENED + 1):
            W.device[k, c] = held[c]
