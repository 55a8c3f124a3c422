"""What a device does in numbers: the columns of its row, and the pieces that the laws of the kinds are made of.

A law is a kernel in the file of its kind,
  law(p, opened, keep, v, inertia, near) -> (force, slope),
used by the multibody run and by the ride of points alike. p (WIDTH,): its row; opened: it has let a train go that it
stopped; keep (m/s^2): what would keep the speed v (m/s); inertia: force over mass that an acceleration of 1 m/s^2 takes
(1, but for points that go another way than the rails); force over the mass of the train (m/s^2) along the track, slope
(1/s): how fast it falls with the speed.

near = 0 is the law of the run, which knows no switch: the force is what would keep v + (wanted speed - v) / RESPONSE,
within the bounds of the device, rounded off over ROUND. near = -1 or 1 is the same with a response without delay, which
the ride of points follows from one wanted speed to the next: at a wanted speed v is taken to be just below or just
above it.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Final

from ...jit.decorators import inner

# columns of a row: number of the law; wanted speed (m/s, negative: none); how long a train is held that it stops (s;
# FOREVER, or PASSES where it stops none); wanted speed of an opened one (m/s); 1 where it catches a train that rolls
# back; then what the kind puts there
LAW, SPEED, HOLD, RELEASE, CATCHES, OWN = range(6)
WIDTH: Final = 8
FOREVER, PASSES = -1.0, -2.0
RESPONSE = 0.002  # s, in which a difference of speed dies away in the run
GAIN = 1.0 / RESPONSE
ROUND = 0.01  # m/s^2
CATCH = (
    20.0  # m/s^2, the most an anti-rollback slows a car that comes rolling back, beside holding its weight
)
SHARP = 1000.0  # m/s^2, beyond all bounds: a response without delay
SAME_SPEED = 1e-12  # of a wanted speed, or of 1 m/s


@inner
def lag(speed, v, near):
    """Acceleration (m/s^2) that would bring v to a wanted speed at once: over RESPONSE, or without delay."""
    if near == 0.0:
        return (speed - v) * GAIN
    if abs(v - speed) <= SAME_SPEED * max(abs(speed), 1.0):
        return -SHARP * near
    return SHARP if v < speed else -SHARP


@inner
def positive(x):
    """max(x, 0), rounded off, and its slope."""
    z = x / ROUND
    if z > 40.0:
        return x, 1.0
    if z < -40.0:
        return 0.0, 0.0
    e = math.exp(-abs(z))
    return max(x, 0.0) + ROUND * math.log1p(e), (1.0 if z >= 0.0 else e) / (1.0 + e)


@inner
def within(x, low, high):
    """x within [low, high], rounded off, and its slope; low is finite."""
    a, da = positive(x - low)
    b, db = positive(x - high)
    return low + a - b, da - db


@inner
def pushed(speed, keep, v, near, high):
    """A push of at most `high` that brings a slower train to a speed."""
    a, da = within(keep + lag(speed, v, near), 0.0, high)
    return a, da * GAIN


@inner
def accelerated(speed, pull, keep, v, near, high):
    """As `pushed`, with an acceleration of at most `pull`, whatever the slope."""
    x = lag(speed, v, near)
    over, turned = positive(x - pull)
    a, da = within(keep + (x - over), 0.0, high)
    return a, da * ((1.0 - turned) * GAIN)


@inner
def braked(speed, pull, keep, v, near):
    """A brake of at most `pull` against the motion either way; for one to standstill both parts are one."""
    a, da = within(keep + lag(speed, v, near), -pull, 0.0)
    b, db = within(keep + lag(-speed, v, near), 0.0, pull)
    return a + b, (da + db) * GAIN


@inner
def driven(speed, pull, keep, v, near):
    """Tyres that bring a train to a speed, faster or slower, with at most `pull`."""
    a, da = within(keep + lag(speed, v, near), -pull, pull)
    return a, da * GAIN


@inner
def caught(a, da, keep, v, near):
    """A force and its slope with that of an anti-rollback beside it."""
    back = lag(0.0, v, near)
    over, turned = positive(back - CATCH)
    more, share = positive(keep + back - over - a)
    return a + more, da + share * ((1.0 - turned) * GAIN - da)
