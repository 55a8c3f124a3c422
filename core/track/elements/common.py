"""What the element sections share: limits of their numbers, start pose, directions and transitions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import described
from ...base.frozen import Frozen, Name

Coordinate = Annotated[float, Field(ge=-1e6, le=1e6)]
Place = tuple[Coordinate, Coordinate, Coordinate]
Angle = Annotated[float, Field(ge=-1000.0, le=1000.0)]
Length = Annotated[float, Field(gt=0.0, le=5000.0)]
Ramp = Annotated[float, Field(ge=0.0, le=1000.0)]
Radius = Annotated[float, Field(ge=1.0, le=100_000.0)]
Height = Annotated[float, Field(ge=1.0, le=300.0)]
Bank = Annotated[float, Field(ge=-3.2, le=3.2)]
Speed = Annotated[float, Field(ge=2.0, le=150.0)]
Turn = Annotated[float, Field(gt=0.0, le=200.0)]
Gravity = Annotated[float, Field(ge=0.1, le=100.0)]
LineHeight = Annotated[float, Field(ge=-3.0, le=5.0)]

Smoothness = Annotated[
    Literal["linear", "cubic", "quintic", "sine"],
    described(
        ...,
        "Smoothness",
        "How the curvature changes along a transition.",
        words={"linear": "Linear (clothoid)", "cubic": "Cubic", "quintic": "Quintic", "sine": "Sine"},
    ),
]
SIDES = {"left": "Left", "right": "Right"}
Side = Annotated[Literal["left", "right"], described(..., "Direction", "Which way it goes.", words=SIDES)]
RollSide = Annotated[
    Literal["left", "right"], described(..., "Direction of roll", "Which way the track rolls.", words=SIDES)
]
PlanRadius = Annotated[
    Radius,
    described(..., "Radius", "Radius of the circular part, in plan for turns about the vertical.", unit="m"),
]
TopRadius = Annotated[
    Radius, described(..., "Radius at the top", "Of the circular part at the top.", unit="m")
]
TopHeight = Annotated[Height, described(..., "Height", "From the entry to the highest point.", unit="m")]
LeanInto = Annotated[Bank, described(..., "Bank", "How far the track leans into the turn.", unit="rad")]
DESIGN_RIDE = "Ride it is designed for"
EntrySpeed = Annotated[
    Speed,
    described(
        ...,
        "Entry speed",
        "Speed of the ride at the entry, along the riders' line.",
        unit="m/s",
        group=DESIGN_RIDE,
    ),
]
RIDERS_LINE = ("Height of the riders' line", "Above the rails; the line the element is designed for.")
HeartHeight = Annotated[LineHeight, described(..., *RIDERS_LINE, unit="m")]


TransitionIn = Annotated[
    Ramp | None,
    described(
        ...,
        "Transition in",
        "Where the first transition differs; 0 begins with the full curvature the track has to have there.",
        unit="m",
        empty="the same",
    ),
]
TransitionOut = Annotated[
    Ramp | None,
    described(
        ...,
        "Transition out",
        "Where the last transition differs; 0 ends with the full curvature and cant.",
        unit="m",
        empty="the same",
    ),
]


class StartPose(Frozen):
    """Where a track begins that begins with an element."""

    position: Place = described((0.0, 0.0, 1.0), "Position", "Where the track begins.", unit="m")
    heading: Angle = described(0.0, "Heading", "From the x axis, positive to the left.", unit="rad")
    pitch: Annotated[float, Field(ge=-1.5, le=1.5)] = described(
        0.0, "Pitch", "Slope at the start, positive upwards.", unit="rad"
    )
    cant: Bank = described(0.0, "Cant", "Positive lifts the left rail.", unit="rad")


class Element(Frozen):
    """What every element section has: its name, and where it begins when it is the first section."""

    name: Name = described(..., "Name", "Sections name stretches of the track.")
    pose: StartPose | None = described(
        None, "Where the track begins", "Position and direction, when it is the first section."
    )


class RiddenElement(Element):
    """An element drawn for the speed of a ride along it.

    The speed along it follows from v^2 = v0^2 - 2 gravity (dz + friction ds) - 2 drag int v^2 ds, with v0 the
    entry_speed and s along the line of the riders. friction_law "load": friction counts times the load on the wheels
    over the weight, as in `PointRideSettings`. speed_from "ride": entry speed, gravity and losses are kept at those of
    the point ride; "given": they stay as typed.
    """

    speed_from: Literal["given", "ride"] = described(
        "given",
        "Speed and losses from",
        "As typed below, or those of the point ride, which it then follows.",
        words={"given": "The numbers below", "ride": "The point ride"},
        group=DESIGN_RIDE,
    )
    entry_speed: EntrySpeed = 20.0
    gravity: Gravity = described(
        9.81, "Gravity", "The gravity it is drawn for.", unit="m/s^2", group=DESIGN_RIDE
    )
    friction: Annotated[float, Field(ge=0.0, le=0.5)] = described(
        0.0, "Rolling resistance", "Slowing force over the weight.", unit="1", group=DESIGN_RIDE
    )
    friction_law: Literal["constant", "load"] = described(
        "constant",
        "Friction",
        "Constant, or by the force on the wheels.",
        words={"constant": "Constant", "load": "By wheel load"},
        group=DESIGN_RIDE,
    )
    drag: Annotated[float, Field(ge=0.0, le=0.01)] = described(
        0.0,
        "Air drag",
        "Slowing acceleration is this times the speed squared.",
        unit="1/m",
        group=DESIGN_RIDE,
    )
    line_height: LineHeight = described(1.1, *RIDERS_LINE, unit="m", group=DESIGN_RIDE)
