"""A circular arc, left or right, up or down."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np

from ...base.fields import described
from ..programs.channel import channel
from ..programs.entry import Entry
from ..programs.program import UP, Program, seen_from
from .base import (
    GRAVITY,
    SIDES,
    SIGN,
    Bank,
    CutPlace,
    Element,
    ElementKind,
    Halves,
    PlanRadius,
    Ramp,
    Sized,
    Smoothness,
    degrees,
    sided,
    tidy,
)
from .turns import WholeTurn, bank_through, held_length, kept, ramp_to, right_of, signed_cant

OPPOSITE = {"up": "down", "down": "up"}


class ArcSection(Element):
    """A circular arc, left or right about the vertical (the slope is kept), or up or down in the vertical plane.

    radius: in plan for left and right, in space for up and down. cant is reached over transition_in.
    """

    kind: Literal["arc"] = "arc"
    direction: Literal["left", "right", "up", "down"] = described(
        "left", "Direction", "Which way it goes.", words={**SIDES, "up": "Up", "down": "Down"}
    )
    radius: PlanRadius = 20.0
    angle: WholeTurn = 1.5707963267948966
    transition_in: Ramp = described(
        5.0,
        "Transition in",
        "Length over which the curvature comes from what the track has; 0 begins with all of it.",
        unit="m",
    )
    transition_out: Ramp = described(
        5.0,
        "Transition out",
        "Length over which the curvature goes to zero; 0 ends with all of it.",
        unit="m",
    )
    smoothness: Smoothness = "cubic"
    cant: Bank | None = described(
        None,
        "Cant",
        "In the arc and behind it; positive lifts the left rail. Empty keeps what the track has.",
        unit="rad",
        empty="as the track has",
    )


def arc(section: ArcSection, entry: Entry) -> Program:
    """Transition, arc, transition in plan or in the vertical plane."""
    plan = section.direction in ("left", "right")
    pole = UP if plan else right_of(entry)
    view = seen_from(entry, pole)
    bend = SIGN[section.direction] * (np.cos(view.latitude) if plan else 1.0) / section.radius
    angle = SIGN[section.direction] * section.angle
    t_in, t_out = section.transition_in, section.transition_out
    held = held_length(angle, view.turn if t_in > 0.0 else bend, bend, t_in, t_out, entry.where)
    shape = section.smoothness
    turn = channel(view.turn, [(t_in, bend, shape), (held, bend, "linear"), (t_out, 0.0, shape)])
    target = view.bank + (0.0 if section.cant is None else section.cant - entry.cant)
    if abs(target - view.bank) < 1e-12:
        bank = kept(view.bank, view.roll, t_in, turn.end)
    else:
        bank = bank_through(view, target, [(t_in, target), (turn.end - t_in, target)], shape, entry.where)
    return Program(turn, kept(view.latitude, view.climb, t_in, turn.end), bank, pole)


def _cut(section: ArcSection, position: CutPlace) -> Halves | None:
    if not section.transition_in <= position.offset <= position.length - section.transition_out:
        return None
    upright = section.direction in OPPOSITE
    angle = position.tilted() if upright else abs(position.turned())
    if not 0.0 < angle < section.angle:
        return None
    first = section.model_copy(update={"angle": angle, "transition_out": 0.0})
    fields: dict[str, Any] = {
        "angle": section.angle - angle,
        "transition_in": 0.0,
        "cant": None,
        "pose": None,
    }
    # up and down are meant as seen by a track that runs on: over the top they change places
    if upright and position.ahead() < 0.0:
        fields["direction"] = OPPOSITE[section.direction]
    return first, section.model_copy(update=fields)


def _arc(v: float) -> dict[str, Any]:
    return {"radius": tidy(v * v / (0.8 * GRAVITY), 8.0, 300.0)}


def _hill_arc(v: float) -> dict[str, Any]:
    radius = tidy(v * v / (2.0 * GRAVITY), 10.0, 300.0)
    ramp = ramp_to(radius, 0.2 * radius, 20.0)
    return {"radius": radius, "transition_in": ramp, "transition_out": ramp}


_ARCS: Final = {**sided("turn"), "up": "Valley", "down": "Crest"}


KIND = ElementKind(
    ArcSection,
    arc,
    (
        Sized(
            "arc", "Arc", "Curves", "A circular arc left or right with eased ends.", {}, _arc, _ARCS, rank=1
        ),
        Sized(
            "vertical_arc",
            "Valley or crest",
            "Curves",
            "A circular arc up or down in the vertical plane.",
            {"direction": "up", "angle": degrees(30)},
            _hill_arc,
            _ARCS,
            rank=2,
        ),
    ),
    goes_on=True,
    mirrored=signed_cant,
    cut=_cut,
)
