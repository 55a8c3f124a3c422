"""From samples of a moving frame to a leg of the course: quintic pieces in arc length and a roll law."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from ...base.arrays import Array
from ..course import FittedLeg
from .entry import Entry

# Gauss-Lobatto places of degree 5 in [0, 1]: samples in each piece, both ends among them
_P = np.polynomial.legendre.Legendre.basis(5).deriv().roots().real
NODES = np.concatenate([[0.0], 0.5 * (1.0 + np.sort(_P)), [1.0]])
_POWERS = NODES[:, None] ** np.arange(6)
_FROM_VALUES = np.linalg.inv(_POWERS)
DERIVATIVE = (np.arange(1, 6) * NODES[:, None] ** np.arange(5)) @ _FROM_VALUES[1:]
INTEGRAL = (NODES[:, None] ** np.arange(1, 7) / np.arange(1, 7)) @ _FROM_VALUES


@dataclass(frozen=True)
class Samples:
    """A frame moving along a line, at the places NODES of every piece.

    widths (p,): length of the pieces in the argument; speed (p, 6): arc length of the line per argument; position,
    tangent, up (p, 6, 3); left_bend, up_bend, roll_rate (p, 6) as in `Entry`; v2 (p, 6): square of the speed of the
    ride (m^2/s^2) where forces are prescribed.
    """

    widths: Array
    speed: Array
    position: Array
    tangent: Array
    up: Array
    left_bend: Array
    up_bend: Array
    roll_rate: Array
    v2: Array | None = None


@dataclass
class ElementLeg(FittedLeg):
    """A laid element: its pieces, its roll and the state of the track at its end.

    Splines beside it take over tangent and curvature only: a third derivative would make widely spaced points swing,
    and without it a spline in front stays as it was before the element came behind it.
    roll (p, 8): angle about the tangent since the start, ascending powers of the arc length from the start of each
    piece; left (3,): left vector at the start; exit: the track at the end; exit_speed (m/s) where known.
    """

    roll: Array = field(default_factory=lambda: np.zeros((0, 8)))
    left: Array = field(default_factory=lambda: np.zeros(3))
    exit: Entry | None = None
    exit_speed: float | None = None
    matched: int = 2


def offset_samples(line: Samples, height: float) -> Samples:
    """The rail of a line `height` (m) above it, with the line's own frame turned about up; see `Entry.offset`."""
    if height == 0.0:
        return line
    left = np.cross(line.up, line.tangent)
    per = line.widths[:, None] * line.speed
    up_slope = line.up_bend @ DERIVATIVE.T / per
    roll_slope = line.roll_rate @ DERIVATIVE.T / per
    a, b = 1.0 + height * line.up_bend, height * line.roll_rate
    a1, b1 = height * up_slope, height * roll_slope
    v = np.hypot(a, b)
    return replace(
        line,
        speed=line.speed * v,
        position=line.position - height * line.up,
        tangent=(a[..., None] * line.tangent + b[..., None] * left) / v[..., None],
        left_bend=(a * b1 - b * a1 + line.left_bend * v * v) / v**3,
        up_bend=(a * line.up_bend + b * line.roll_rate) / v**2,
        roll_rate=line.roll_rate / v**2,
    )


def _hermite(h: Array, value: Array, first: Array, second: Array) -> Array:
    """Quintic pieces (p, 6, 3) from position, tangent and curvature vector at both ends: (p, 2, 3) each."""
    w = h[:, None]
    rest = value[:, 1] - value[:, 0] - w * first[:, 0] - 0.5 * w**2 * second[:, 0]
    slope = (first[:, 1] - first[:, 0] - w * second[:, 0]) * w
    bend = (second[:, 1] - second[:, 0]) * w**2
    c3 = 10.0 * rest - 4.0 * slope + 0.5 * bend
    c4 = -15.0 * rest + 7.0 * slope - bend
    c5 = 6.0 * rest - 3.0 * slope + 0.5 * bend
    return np.stack([value[:, 0], first[:, 0], 0.5 * second[:, 0], c3 / w**3, c4 / w**4, c5 / w**5], axis=1)


def _roll_pieces(h: Array, run: Array, rate: Array) -> Array:
    """Angle turned since the start, (p, 8), from the rate (p, 6) at arc lengths run (p, 6) of each piece."""
    x = run / h[:, None]
    powers = x[:, :, None] ** np.arange(6)
    fit = np.linalg.solve(powers, rate[:, :, None])[:, :, 0]
    out = np.zeros((len(h), 8))
    out[:, 1:7] = fit / np.arange(1, 7) / h[:, None] ** np.arange(6)
    turned = np.sum(fit / np.arange(1, 7), axis=1) * h
    out[:, 0] = np.concatenate([[0.0], np.cumsum(turned)[:-1]])
    return out


def make_leg(rail: Samples, entry: Entry) -> ElementLeg:
    """Leg of a rail's samples; entry gives gauge and gravity to the exit.

    Positions, tangents and curvatures of the borders of the pieces are kept exactly, so pieces meet with continuous
    second derivative; inside a piece of length h the error is h^6 / 46080 times the sixth derivative.
    """
    run = (rail.speed * rail.widths[:, None]) @ INTEGRAL.T
    h = run[:, -1]
    left = np.cross(rail.up, rail.tangent)
    bend = rail.left_bend[..., None] * left + rail.up_bend[..., None] * rail.up
    ends = [0, -1]
    coef = _hermite(h, rail.position[:, ends], rail.tangent[:, ends], bend[:, ends])
    slopes = [
        float((row[-1] @ DERIVATIVE[-1]) / (rail.widths[-1] * rail.speed[-1, -1]))
        for row in (rail.left_bend, rail.up_bend, rail.roll_rate)
    ]
    at_exit = Entry(
        rail.position[-1, -1],
        rail.tangent[-1, -1],
        rail.up[-1, -1],
        float(rail.left_bend[-1, -1]),
        float(rail.up_bend[-1, -1]),
        float(rail.roll_rate[-1, -1]),
        slopes[0],
        slopes[1],
        slopes[2],
        gauge=entry.gauge,
        gravity=entry.gravity,
    )
    u = np.concatenate([[0.0], np.cumsum(h)])
    speed = None if rail.v2 is None else float(np.sqrt(rail.v2[-1, -1]))
    roll = _roll_pieces(h, run, rail.roll_rate)
    return ElementLeg(u, coef, roll=roll, left=left[0, 0], exit=at_exit, exit_speed=speed)


def joined_legs(legs: list[ElementLeg]) -> ElementLeg:
    """Legs that follow one another as one leg."""
    if len(legs) == 1:
        return legs[0]
    u, turned, breaks, rolls = 0.0, 0.0, [np.zeros(1)], []
    for leg in legs:
        breaks.append(u + leg.u[1:])
        roll = leg.roll.copy()
        roll[:, 0] += turned
        rolls.append(roll)
        h = leg.u[-1] - leg.u[-2]
        turned = float(roll[-1] @ h ** np.arange(8))
        u = float(breaks[-1][-1])
    coef = np.concatenate([leg.coef for leg in legs])
    return ElementLeg(
        np.concatenate(breaks),
        coef,
        roll=np.concatenate(rolls),
        left=legs[0].left,
        exit=legs[-1].exit,
        exit_speed=legs[-1].exit_speed,
    )
