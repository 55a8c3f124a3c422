"""Turns in a plane and about the vertical: what arcs, banked turns, helices and railway curves have in common."""

from __future__ import annotations

import math
from typing import Annotated, Any, Protocol

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.fields import described
from ...base.sentence import say
from ..programs.channel import Channel, channel
from ..programs.entry import LEVEL, Entry
from ..programs.program import UP, PoleView, Program, seen_from
from .base import EASED, GRAVITY, SIGN, Turn, degrees, tidy

SAME_ANGLE = 1e-7  # rad; what two sections may differ where one goes on from the other

WholeTurn = Annotated[
    Turn, described(..., "Angle of turn", "Whole change of direction, transitions included.", unit="rad")
]


def right_of(entry: Entry) -> Array:
    """Horizontal unit vector (3,) to the right of the track; where it is vertical, its own right."""
    t = entry.tangent
    flat = np.array([t[1], -t[0], 0.0])
    size = float(np.linalg.norm(flat))
    return -entry.left if size < LEVEL else flat / size


def leaning(shape: str) -> str:
    return "cubic" if shape == "linear" else shape


def kept(value: float, slope: float, first: float, length: float) -> Channel:
    """An angle that stays, its rate at the start running out over the first stretch."""
    if first <= 0.0:
        return channel(value, [(length, value, "linear")])
    rest = [(length - first, value, "linear")] if length > first else []
    return channel(value, [(min(first, length), value, "linear"), *rest], slope=slope)


def bank_through(
    view: PoleView, target: float, stretches: list[tuple[float, float]], shape: str, where: str
) -> Channel:
    """Bank through (width, value) stretches from what the track has; a jump is refused.

    Beside a clothoid it runs in by a cubic, because a straight ramp would make the roll rate jump.
    """
    shape = leaning(shape)
    widths = [w for w, _ in stretches if w > 0.0]
    if stretches[0][0] <= 0.0 and abs(target - view.bank) > SAME_ANGLE:
        raise InputError(
            f"{where}: the cant changes and needs a transition to do so; give the transition a length."
        )
    value, pieces = view.bank, []
    for width, goal in stretches:
        pieces.append((width, goal, "linear" if goal == value else shape))
        value = goal
    return channel(view.bank, pieces, slope=view.roll if stretches[0][0] > 0.0 and widths else 0.0)


def held_length(angle: float, begin: float, bend: float, t_in: float, t_out: float, where: str) -> float:
    """Length (m) with the full curvature, so that the whole turn is `angle`; all transitions have mean one half."""
    held = (angle - 0.5 * t_in * (begin + bend) - 0.5 * t_out * bend) / bend
    if held < -1e-9:
        raise InputError(
            say(
                "{where}: the transitions alone turn by more than {angle:.1f deg}; shorten"
                " them, or raise the radius or the angle.",
                where=where,
                angle=abs(angle),
            )
        )
    return max(held, 0.0)


def about_the_vertical(
    entry: Entry,
    direction: str,
    angle: float,
    radius: float,
    slope: float | None,
    bank: float,
    ramps: tuple[float, float],
    shape: str,
) -> Program:
    """Turn with cant and, unless slope is None, a slope, that come and go over the transitions (m)."""
    view = seen_from(entry, UP)
    sign = SIGN[direction]
    steady = view.latitude if slope is None else slope
    bend = sign * np.cos(steady) / radius
    t_in, t_out = ramps
    begin = view.turn if t_in > 0.0 else bend
    held = held_length(sign * angle, begin, bend, t_in, t_out, entry.where)
    turn = channel(view.turn, [(t_in, bend, shape), (held, bend, "linear"), (t_out, 0.0, shape)])
    lean = -sign * bank
    cant = bank_through(
        view, lean, [(t_in, lean), (held, lean), (t_out, 0.0 if t_out > 0.0 else lean)], shape, entry.where
    )
    if slope is None:
        return Program(turn, kept(view.latitude, view.climb, t_in, turn.end), cant, UP)
    if t_in <= 0.0 and abs(slope - view.latitude) > SAME_ANGLE:
        raise InputError(
            f"{entry.where}: the slope changes and needs a transition to do so; give it a length."
        )
    pieces = [(t_in, slope, "quintic"), (held, slope, "linear"), (t_out, 0.0, "quintic")]
    return Program(turn, channel(view.latitude, pieces, slope=view.climb if t_in > 0.0 else 0.0), cant, UP)


class _TwoRamps(Protocol):
    @property
    def transition(self) -> float: ...
    @property
    def transition_in(self) -> float | None: ...
    @property
    def transition_out(self) -> float | None: ...


def ramps(section: _TwoRamps) -> tuple[float, float]:
    """Lengths (m) of the transition in and the transition out."""
    both = section.transition
    t_in, t_out = section.transition_in, section.transition_out
    return both if t_in is None else t_in, both if t_out is None else t_out


def level_turn(v: float, g: float) -> tuple[float, float]:
    """Radius (m) and bank (rad) of a level turn in which the riders feel g and nothing sideways."""
    radius = tidy(v * v / (GRAVITY * math.sqrt(g * g - 1.0)), 6.0, 200.0)
    return radius, degrees(round(math.degrees(math.atan(v * v / (GRAVITY * radius)))))


def ramp_to(radius: float, length: float, longest: float) -> float:
    """Length (m) of a transition to a radius (m), at least so long that the curvature changes by EASED within 1 m at
    its steepest (a cubic one: 3/2 of the mean)."""
    return tidy(max(length, math.ceil(15.0 / (radius * EASED)) / 10.0), 1.0, longest)


def signed_cant(section: Any) -> dict[str, Any]:
    """The cant of the mirror image."""
    return {} if section.cant is None else {"cant": -section.cant}
