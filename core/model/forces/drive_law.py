"""The law of drives with feedback: motor or friction wheel, controller, programme, brake, emergency stop.

A drive acts about the axis of a joint; x (rad) counts from the hanging position. What it does follows from its memory,
which changes at accepted steps only: phase of the programme, direction of the swing, command of the amplitude
controller. Every change is a border, so that a step ends there; where the torque jumps, accelerations are found anew.

Flip-flop: the torque has the direction `WAY`, which turns about when the speed has passed minus the dead band; a
dead band of zero turns it at the turning point itself. Amplitude: at every turning point a command U in [-1, 1] is set,
  U = (A - a) / d + I,  I += (A - a) / (4 d) while |U| < 1,  d = max(band, 1.4 K),  U >= -a / (2 K),
from the amplitude a just reached, the wanted one A and what a whole command changes the amplitude by in a swing, K, as
the last swing has shown. The bound keeps a drive that winds down from holding the ride off its rest. Speed: torque =
gain (wanted - v), within what the motor has.
Brake: moment against the motion, share of a curve over speed, rising linearly over its rise time; it holds by
creeping, moment * tanh(v / CREEP). Friction wheel: F = N mu(|slip|) sign(slip), slip = rim speed less R v.

Energies are counted in the memory: `GIVEN` what motor or wheel put in, `LOST` what brake and slip lose, by the
trapezoidal rule over the angle; a torque that is constant from switch to switch is counted without error.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ...jit.decorators import inner, shared
from ..laws import OF_COORDINATE, OF_RATE, OF_TIME, SHARP, Law, on_curve, pieces
from ..programme import MODES, Phase

# Parameters: a head, phases, curve of motor or friction, curve of the brake.
(
    WHEEL, DEAD, EMERGENCY, FAILURE, HOLDS, BRAKE, RISE, RATIO, POWER, GAIN, RADIUS, NORMAL, RIM, LOWER, UPPER, BAND,
    PHASES, CURVE0, CURVE1, CURVE2,
) = range(20)  # fmt: skip
HEAD = 20
MODE, TARGET, SHARE, RAMP, DURATION, SWINGS, WIDTH = 0, 1, 2, 3, 4, 5, 6
OFF, SWING, SPEED, BRAKING = range(4)
# Memory
(
    PHASE, SINCE, COUNT, WAY, ARMED, COMMAND, INTEGRAL, SPEED0, INSIDE, TURNS, TIME, ANGLE, TORQUE, DRAWN, GIVEN, LOST,
    REACHED, CHANGE,
) = range(18)  # fmt: skip
KEPT = 18
STOPPED, UNPOWERED = -1.0, -2.0  # phases beyond the programme: emergency stop, power failure
NEVER = math.inf
CREEP = 0.002  # rad/s, at which three quarters of the brake's moment are reached
TURNED = 1e-6  # rad/s, speed that counts as none
SOON = 1e-9  # s, a time as near as this has come
LITTLE = 0.002  # rad, a change of amplitude that tells nothing
EDGE = 1e-6  # rad, nearer to the edge of its window a wheel is at it


@inner
def _mode(p, m):
    if m[PHASE] >= 0.0:
        return p[HEAD + WIDTH * int(m[PHASE]) + MODE]
    if m[PHASE] == STOPPED or p[HOLDS] != 0.0:
        return float(BRAKING)
    return float(OFF)


@inner
def _phase(p, m, what, otherwise):
    return p[HEAD + WIDTH * int(m[PHASE]) + what] if m[PHASE] >= 0.0 else otherwise


@inner
def _wanted(p, m, t):
    """Wanted speed (rad/s) of the joint in a phase at a speed."""
    target, change = _phase(p, m, TARGET, 0.0), _phase(p, m, RAMP, 0.0) * (t - m[SINCE])
    rise = target - m[SPEED0]
    return target if abs(rise) <= change else m[SPEED0] + math.copysign(change, rise)


@shared
def says(p, v, m, t):
    """Torque (N m) in the direction of growing angles, its fall with the speed, power (W) put in by motor or wheel."""
    mode, share = _mode(p, m), _phase(p, m, SHARE, 1.0)
    torque = fall = drawn = 0.0
    if mode == BRAKING:
        rise = min(1.0, (t - m[SINCE]) / p[RISE]) if p[RISE] > 0.0 else 1.0
        maximum = share * rise * p[BRAKE] * on_curve(p, int(p[CURVE1]), int(p[CURVE2]), abs(v))[0]
        grip = math.tanh(v / CREEP)
        torque, fall = -maximum * grip, maximum / CREEP * (1.0 - grip * grip)
    if p[WHEEL] != 0.0:
        if m[INSIDE] == 0.0 or mode == OFF:
            return torque, fall, 0.0
        rim, normal = 0.0, share * p[NORMAL]
        if mode == SWING:
            rim, normal = math.copysign(p[RIM], m[WAY] * m[COMMAND]), normal * abs(m[COMMAND])
        elif mode == SPEED:
            rim = p[RADIUS] * _wanted(p, m, t)
        slip = rim - p[RADIUS] * v
        mu, slope, _ = on_curve(p, int(p[CURVE0]), int(p[CURVE1]), abs(slip))
        force = math.copysign(normal * mu, slip)
        return torque + p[RADIUS] * force, fall + max(0.0, normal * slope) * p[RADIUS] ** 2, force * rim
    if mode in (OFF, BRAKING):
        return torque, fall, 0.0
    speed = p[RATIO] * abs(v)
    maximum = on_curve(p, int(p[CURVE0]), int(p[CURVE1]), speed)[0]
    if maximum * speed > p[POWER]:
        maximum = p[POWER] / speed
    maximum *= share * p[RATIO]
    if mode == SWING:
        torque = m[WAY] * m[COMMAND] * maximum
    else:
        torque, fall = p[GAIN] * (_wanted(p, m, t) - v), p[GAIN]
        if abs(torque) > maximum:
            torque, fall = math.copysign(maximum, torque), 0.0
    drawn = torque * v
    return torque, fall, drawn


@inner
def _drive(p, x, v, m, s):
    torque, fall, _ = says(p, v, m, s)
    return -torque, 0.0, fall, 0.0, 0.0


@inner
def _set_command(p, m):
    target = _phase(p, m, TARGET, NEVER)
    if _mode(p, m) != SWING or target == NEVER:
        m[COMMAND] = 1.0
        return
    missing = (target - m[REACHED]) / max(p[BAND], 1.4 * m[CHANGE])
    command = missing + m[INTEGRAL]
    minimum = -1.0
    if m[CHANGE] > 0.0:
        minimum = max(minimum, -0.5 * m[REACHED] / m[CHANGE])
    if minimum < command < 1.0:
        m[INTEGRAL] = min(1.0, max(-1.0, m[INTEGRAL] + 0.25 * missing))
    m[COMMAND] = min(1.0, max(minimum, command))


@inner
def _enter(p, m, phase, v, t):
    m[PHASE], m[SINCE], m[COUNT], m[SPEED0], m[INTEGRAL] = phase, t, 0.0, v, 0.0
    _set_command(p, m)


@inner
def _switch(p, x, v, m, t):
    """Phase, direction, command and contact as they are from this instant on."""
    if m[ARMED] == 0.0:
        if m[WAY] * v > max(2.0 * TURNED, p[DEAD]):
            m[ARMED] = 1.0
    elif m[WAY] * v <= TURNED - p[DEAD]:
        m[WAY], m[ARMED] = -m[WAY], 0.0
        m[COUNT] += 1.0
        reached = abs(x - 2.0 * math.pi * m[TURNS])
        change = (reached - m[REACHED]) * m[COMMAND]
        if _mode(p, m) == SWING and m[COUNT] > 1.0 and change > LITTLE * abs(m[COMMAND]):
            m[CHANGE] = (reached - m[REACHED]) / m[COMMAND]
        m[REACHED] = reached
        _set_command(p, m)
    m[TURNS] = math.floor(x / (2.0 * math.pi) + 0.5)
    if p[WHEEL] != 0.0:
        at = x - 2.0 * math.pi * m[TURNS]
        if abs(at - p[UPPER]) < EDGE:
            m[INSIDE] = 1.0 if v < 0.0 else 0.0
        elif abs(at - p[LOWER]) < EDGE:
            m[INSIDE] = 1.0 if v > 0.0 else 0.0
        else:
            m[INSIDE] = 1.0 if p[LOWER] < at < p[UPPER] else 0.0
    if m[PHASE] != STOPPED and t >= p[EMERGENCY] - SOON:
        _enter(p, m, STOPPED, v, t)
    elif m[PHASE] >= 0.0 and t >= p[FAILURE] - SOON:
        _enter(p, m, UNPOWERED, v, t)
    elif 0.0 <= m[PHASE] < p[PHASES] - 1.0:
        over = t >= m[SINCE] + _phase(p, m, DURATION, NEVER) - SOON
        if over or m[COUNT] >= _phase(p, m, SWINGS, NEVER):
            _enter(p, m, m[PHASE] + 1.0, v, t)


@inner
def _keep(p, x, v, m, s):
    torque, _, drawn = says(p, v, m, s)
    if m[TIME] > -NEVER:
        work = 0.5 * (m[TORQUE] + torque) * (x - m[ANGLE])
        given = 0.0 if _mode(p, m) == BRAKING else work
        if p[WHEEL] != 0.0:
            given = 0.5 * (m[DRAWN] + drawn) * (s - m[TIME])
        m[GIVEN] += given
        m[LOST] += given - work
    phase, way, inside = m[PHASE], m[WAY], m[INSIDE]
    _switch(p, x, v, m, s)
    after, _, drawn = says(p, v, m, s)
    m[TIME], m[ANGLE], m[TORQUE], m[DRAWN] = s, x, after, drawn
    # what switched may have ended a step that is too short to tell accelerations
    switched = m[PHASE] != phase or m[WAY] != way or m[INSIDE] != inside
    return switched or abs(after - torque) > 1e-9 * (abs(after) + abs(torque))


@inner
def _level(p, m, k):
    if k == 0:
        if 0.0 <= m[PHASE] < p[PHASES] - 1.0:
            return m[SINCE] + _phase(p, m, DURATION, NEVER), OF_TIME + SHARP
    elif k == 1:
        if m[PHASE] != STOPPED:
            return p[EMERGENCY], OF_TIME + SHARP
    elif k == 2:
        if m[PHASE] >= 0.0:
            return p[FAILURE], OF_TIME + SHARP
    elif k == 3:
        if m[ARMED] != 0.0:
            return -m[WAY] * p[DEAD], OF_RATE + SHARP
    else:
        return p[LOWER + k - 4] + 2.0 * math.pi * m[TURNS], OF_COORDINATE + SHARP
    return NEVER, OF_TIME


DRIVE = Law("drive", _drive, memory=KEPT, remember=_keep, level=_level, work=LOST, given=GIVEN)


def curve(points: Sequence[tuple[float, float]], *, smooth: bool) -> tuple[float, ...]:
    """Pieces of a curve over a speed of either sign that keeps its last value beyond its last point."""
    last = max(1.0, 0.1 * points[-1][0])
    return pieces((*points, (points[-1][0] + last, points[-1][1])), smooth=smooth)


def rows(programme: Sequence[Phase]) -> tuple[float, ...]:
    """The parameters of a programme, WIDTH a phase."""
    out: list[float] = []
    for phase in programme:
        swings = phase.mode == "swing"
        target = phase.speed if not swings else NEVER if phase.amplitude is None else phase.amplitude
        duration = NEVER if phase.duration is None else phase.duration
        count = NEVER if phase.swings is None else float(phase.swings)
        out += [float(MODES.index(phase.mode)), target, phase.share, phase.acceleration, duration, count]
    return tuple(out)


def check_rising(points: Sequence[tuple[float, float]], what: str) -> None:
    """Raises ValueError unless the points begin at 0 or above, rise in their first number, and none is negative."""
    if not points or points[0][0] < 0.0 or any(b[0] <= a[0] for a, b in pairwise(points)):
        raise ValueError(f"{what} needs one or more pairs with rising first number, from 0 on")
    if any(y < 0.0 for _, y in points):
        raise ValueError(f"{what} has a negative value; it acts by its size alone")
