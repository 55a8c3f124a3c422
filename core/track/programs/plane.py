"""Programs of the elements that lie in a plane or turn about the vertical, and of the railway curve."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ..elements.plane import (
    ArcSection,
    BankedTurnSection,
    HelixSection,
    TransitionSection,
)
from ..elements.railway import CHORD, RailwayCurveSection
from .channel import Channel, channel
from .entry import LEVEL, Entry
from .program import UP, PoleView, Program, seen_from

SAME_ANGLE = 1e-7  # rad; what two sections may differ where one goes on from the other
SIGN = {"left": 1.0, "up": 1.0, "right": -1.0, "down": -1.0}


def right_of(entry: Entry) -> Array:
    """Horizontal unit vector (3,) to the right of the track; where it is vertical, its own right."""
    t = entry.tangent
    flat = np.array([t[1], -t[0], 0.0])
    size = float(np.linalg.norm(flat))
    return -entry.left if size < LEVEL else flat / size


def _leaning(shape: str) -> str:
    return "cubic" if shape == "linear" else shape


def _kept(value: float, slope: float, first: float, length: float) -> Channel:
    """An angle that stays, its rate at the start running out over the first stretch."""
    if first <= 0.0:
        return channel(value, [(length, value, "linear")])
    rest = [(length - first, value, "linear")] if length > first else []
    return channel(value, [(min(first, length), value, "linear"), *rest], slope=slope)


def _bank(
    view: PoleView, target: float, stretches: list[tuple[float, float]], shape: str, where: str
) -> Channel:
    """Bank through (width, value) stretches from what the track has; a jump is refused.

    Beside a clothoid it runs in by a cubic, because a straight ramp would make the roll rate jump.
    """
    shape = _leaning(shape)
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


def _arc_length(angle: float, begin: float, bend: float, t_in: float, t_out: float, where: str) -> float:
    """Length (m) with the full curvature, so that the whole turn is `angle`; all transitions have mean one half."""
    held = (angle - 0.5 * t_in * (begin + bend) - 0.5 * t_out * bend) / bend
    if held < -1e-9:
        raise InputError(
            f"{where}: the transitions alone turn by more than {np.degrees(abs(angle)):.1f} deg; shorten them, or"
            " raise the radius or the angle."
        )
    return max(held, 0.0)


def arc(section: ArcSection, entry: Entry) -> Program:
    """Transition, arc, transition in plan or in the vertical plane."""
    plan = section.direction in ("left", "right")
    pole = UP if plan else right_of(entry)
    view = seen_from(entry, pole)
    bend = SIGN[section.direction] * (np.cos(view.latitude) if plan else 1.0) / section.radius
    angle = SIGN[section.direction] * section.angle
    t_in, t_out = section.transition_in, section.transition_out
    held = _arc_length(angle, view.turn if t_in > 0.0 else bend, bend, t_in, t_out, entry.where)
    shape = section.smoothness
    turn = channel(view.turn, [(t_in, bend, shape), (held, bend, "linear"), (t_out, 0.0, shape)])
    target = view.bank + (0.0 if section.cant is None else section.cant - entry.cant)
    if abs(target - view.bank) < 1e-12:
        bank = _kept(view.bank, view.roll, t_in, turn.end)
    else:
        bank = _bank(view, target, [(t_in, target), (turn.end - t_in, target)], shape, entry.where)
    return Program(turn, _kept(view.latitude, view.climb, t_in, turn.end), bank, pole)


def transition(section: TransitionSection, entry: Entry) -> Program:
    """From the curvature of the track to a given one."""
    plan = section.plane == "plan"
    pole = UP if plan else right_of(entry)
    view = seen_from(entry, pole)
    bend = section.curvature * (np.cos(view.latitude) if plan else 1.0)
    length = section.length
    turn = channel(view.turn, [(length, bend, section.smoothness)])
    target = view.bank + (0.0 if section.cant is None else section.cant - entry.cant)
    bank = _bank(view, target, [(length, target)], section.smoothness, entry.where)
    return Program(turn, _kept(view.latitude, view.climb, length, length), bank, pole)


def _about_the_vertical(
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
    held = _arc_length(sign * angle, begin, bend, t_in, t_out, entry.where)
    turn = channel(view.turn, [(t_in, bend, shape), (held, bend, "linear"), (t_out, 0.0, shape)])
    lean = -sign * bank
    cant = _bank(
        view, lean, [(t_in, lean), (held, lean), (t_out, 0.0 if t_out > 0.0 else lean)], shape, entry.where
    )
    if slope is None:
        return Program(turn, _kept(view.latitude, view.climb, t_in, turn.end), cant, UP)
    if t_in <= 0.0 and abs(slope - view.latitude) > SAME_ANGLE:
        raise InputError(
            f"{entry.where}: the slope changes and needs a transition to do so; give it a length."
        )
    pieces = [(t_in, slope, "quintic"), (held, slope, "linear"), (t_out, 0.0, "quintic")]
    return Program(turn, channel(view.latitude, pieces, slope=view.climb if t_in > 0.0 else 0.0), cant, UP)


def _ramps(section: BankedTurnSection | HelixSection) -> tuple[float, float]:
    """Lengths (m) of the transition in and the transition out."""
    both = section.transition
    t_in, t_out = section.transition_in, section.transition_out
    return both if t_in is None else t_in, both if t_out is None else t_out


def banked_turn(section: BankedTurnSection, entry: Entry) -> Program:
    """Transition, arc, transition in plan, curvature and cant together."""
    s = section
    return _about_the_vertical(entry, s.direction, s.angle, s.radius, None, s.bank, _ramps(s), s.smoothness)


def helix(section: HelixSection, entry: Entry) -> Program:
    """Turns about a vertical axis on the slope that gives the pitch."""
    s = section
    slope = float(np.arctan2(s.pitch, 2.0 * np.pi * s.radius))
    angle = 2.0 * np.pi * s.turns
    return _about_the_vertical(entry, s.direction, angle, s.radius, slope, s.bank, _ramps(s), s.smoothness)


def railway_curve(section: RailwayCurveSection, entry: Entry) -> Program:
    """Tangent, spiral, circular curve, spiral, tangent; the cant is that of the superelevation over the gauge.

    Raises InputError when the superelevation is more than the gauge.
    """
    if section.superelevation >= 0.9 * entry.gauge:
        raise InputError(
            f"{entry.where}: a superelevation of {section.superelevation:g} m is too much for a gauge of"
            f" {entry.gauge:g} m."
        )
    radius = section.curve_radius if section.curve_radius is not None else CHORD / (section.degree or 1.0)
    view = seen_from(entry, UP)
    sign = SIGN[section.direction]
    bend = sign * np.cos(view.latitude) / radius
    shape, ramp = section.smoothness, section.spiral
    off = ramp if section.spiral_out is None else section.spiral_out
    before, after, held = section.tangent_in, section.tangent_out, section.curve_length
    parts = [(before, 0.0, "linear"), (ramp, bend, shape), (held, bend, "linear"), (off, 0.0, shape)]
    turn = channel(0.0, [*parts, (after, 0.0, "linear")])
    lean = -sign * float(np.arcsin(section.superelevation / entry.gauge))
    if min(ramp, off) <= 0.0 and section.superelevation > 0.0:
        raise InputError(
            f"{entry.where}: the superelevation needs spirals to run in and out; give both a length."
        )
    run_in = _leaning(shape)
    cant = [(before, view.bank, "linear"), (ramp, lean, run_in), (held, lean, "linear"), (off, 0.0, run_in)]
    bank = channel(view.bank, [*cant, (after, 0.0, "linear")])
    return Program(turn, _kept(view.latitude, 0.0, 0.0, turn.end), bank, UP)
