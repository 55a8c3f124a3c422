"""Elements that lie in a plane or turn about the vertical: arc, transition, banked turn, helix."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import described
from .common import (
    SIDES,
    Bank,
    Element,
    LeanInto,
    Length,
    PlanRadius,
    Ramp,
    Side,
    Smoothness,
    TransitionIn,
    TransitionOut,
    Turn,
)

WholeTurn = Annotated[
    Turn, described(..., "Angle of turn", "Whole change of direction, transitions included.", unit="rad")
]


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


class TransitionSection(Element):
    """A transition from the curvature the track has to a given one; with linear smoothness a clothoid."""

    kind: Literal["transition"] = "transition"
    plane: Literal["plan", "vertical"] = described(
        "plan",
        "Plane",
        "In plan, keeping the slope, or up and down.",
        words={"plan": "In plan", "vertical": "In the vertical plane"},
    )
    length: Length = described(10.0, "Length", "Along the track.", unit="m")
    curvature: Annotated[float, Field(ge=-1.0, le=1.0)] = described(
        0.05, "Curvature at the end", "One over the radius; positive to the left or upwards.", unit="1/m"
    )
    smoothness: Smoothness = "linear"
    cant: Bank | None = described(
        None,
        "Cant at the end",
        "Positive lifts the left rail. Empty keeps what the track has.",
        unit="rad",
        empty="as the track has",
    )


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
