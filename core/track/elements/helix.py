"""Turns about a vertical axis on a steady slope."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

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
    tidy,
)
from .turns import about_the_vertical, level_turn, ramp_to, ramps


class HelixSection(Element):
    """Turns about a vertical axis on a steady slope."""

    kind: Literal["helix"] = "helix"
    direction: Side = "left"
    radius: PlanRadius = 15.0
    turns: Annotated[float, Field(gt=0.0, le=30.0)] = described(
        1.5, "Revolutions", "About the vertical, transitions included.", unit="1"
    )
    pitch: Annotated[float, Field(ge=-200.0, le=200.0)] = described(
        -6.0, "Rise per revolution", "Negative goes down.", unit="m"
    )
    bank: LeanInto = 0.9
    transition: Ramp = described(
        15.0,
        "Transition",
        "Length over which curvature, slope and cant come, and over which they go.",
        unit="m",
    )
    transition_in: TransitionIn = None
    transition_out: TransitionOut = None
    smoothness: Smoothness = "quintic"


def helix(section: HelixSection, entry: Entry) -> Program:
    """Turns about a vertical axis on the slope that gives the pitch."""
    s = section
    slope = float(np.arctan2(s.pitch, 2.0 * np.pi * s.radius))
    angle = 2.0 * np.pi * s.turns
    return about_the_vertical(entry, s.direction, angle, s.radius, slope, s.bank, ramps(s), s.smoothness)


def _cut(section: HelixSection, position: CutPlace) -> Halves | None:
    t_in, t_out = ramps(section)
    if not t_in <= position.offset <= position.length - t_out:
        return None
    angle = abs(position.turned())
    turns = angle / (2.0 * np.pi)
    first = section.model_copy(update={"turns": turns, "transition_out": 0.0})
    behind = {"turns": section.turns - turns, "transition_in": 0.0, "pose": None}
    return first, section.model_copy(update=behind)


def _helix(v: float) -> dict[str, Any]:
    radius, bank = level_turn(v, 2.8)
    return {
        "radius": radius,
        "bank": bank,
        "transition": ramp_to(radius, max(0.8 * v, 6.4), 40.0),
        "pitch": -tidy(0.4 * radius, 3, 20),
    }


KIND = ElementKind(
    HelixSection,
    helix,
    (
        Sized(
            "helix",
            "Helix",
            "Curves",
            "Banked turns on a steady slope.",
            {"bank": degrees(50)},
            _helix,
            sided("helix"),
            rank=5,
        ),
    ),
    goes_on=True,
    cut=_cut,
)
