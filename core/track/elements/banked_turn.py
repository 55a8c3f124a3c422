"""A turn in which cant and curvature come together."""

from __future__ import annotations

from typing import Any, Literal

from ...base.fields import described
from ..programs.entry import Entry
from ..programs.program import Program
from .base import (
    CutPlace,
    Element,
    ElementKind,
    Halves,
    LeanInto,
    PlanRadius,
    Ramp,
    Side,
    Sized,
    Smoothness,
    TransitionIn,
    TransitionOut,
    degrees,
    sided,
)
from .turns import WholeTurn, about_the_vertical, level_turn, ramp_to, ramps


class BankedTurnSection(Element):
    """A level or sloping turn about the vertical with cant: transition, arc, transition."""

    kind: Literal["banked_turn"] = "banked_turn"
    direction: Side = "left"
    radius: PlanRadius = 20.0
    angle: WholeTurn = 1.5707963267948966
    bank: LeanInto = 0.8
    transition: Ramp = described(
        12.0, "Transition", "Length over which curvature and cant come, and over which they go.", unit="m"
    )
    transition_in: TransitionIn = None
    transition_out: TransitionOut = None
    smoothness: Smoothness = "quintic"


def banked_turn(section: BankedTurnSection, entry: Entry) -> Program:
    """Transition, arc, transition in plan, curvature and cant together."""
    s = section
    return about_the_vertical(entry, s.direction, s.angle, s.radius, None, s.bank, ramps(s), s.smoothness)


def _cut(section: BankedTurnSection, position: CutPlace) -> Halves | None:
    t_in, t_out = ramps(section)
    if not t_in <= position.offset <= position.length - t_out:
        return None
    angle = abs(position.turned())
    first = section.model_copy(update={"angle": angle, "transition_out": 0.0})
    behind = {"angle": section.angle - angle, "transition_in": 0.0, "pose": None}
    return first, section.model_copy(update=behind)


def _banked(v: float) -> dict[str, Any]:
    radius, bank = level_turn(v, 2.5)
    return {"radius": radius, "bank": bank, "transition": ramp_to(radius, max(0.7 * v, 6.4), 40.0)}


KIND = ElementKind(
    BankedTurnSection,
    banked_turn,
    (
        Sized(
            "banked_turn",
            "Banked turn",
            "Curves",
            "A turn in which cant and curvature come together.",
            {"bank": degrees(45)},
            _banked,
            sided("banked turn"),
            rank=4,
        ),
    ),
    goes_on=True,
    cut=_cut,
)
