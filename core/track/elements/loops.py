"""Elements that go over the top: loop, Immelmann, dive loop, wing-over."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import described
from .common import (
    Bank,
    Element,
    HeartHeight,
    Height,
    Ramp,
    RollSide,
    Side,
    Smoothness,
    TopHeight,
    TopRadius,
)

RollLength = Annotated[
    float,
    described(
        ...,
        "Length of the roll",
        "Stretch over which the track rolls half a turn.",
        unit="m",
        gt=1.0,
        le=500.0,
    ),
]
Overlap = Annotated[
    Ramp, described(..., "Overlap", "How much of the roll already lies on the half loop.", unit="m")
]


class LoopSection(Element):
    """A loop of clothoid, arc and clothoid that leaves in the direction it was entered."""

    kind: Literal["loop"] = "loop"
    height: Height = described(
        20.0, "Height", "From the entry to the top, in the plane of the loop.", unit="m"
    )
    top_radius: TopRadius = 7.5
    offset: Annotated[float, Field(ge=-50.0, le=50.0)] = described(
        4.0,
        "Lateral offset",
        "How far the exit lies to the left of the entry, so that the loop does not meet itself; negative to the right.",
        unit="m",
    )
    inclination: Annotated[float, Field(ge=-1.4, le=1.4)] = described(
        0.0,
        "Inclination",
        "Lean of the plane of the loop from upright, positive to the left.",
        unit="rad",
    )
    smoothness: Smoothness = "linear"


class ImmelmannSection(Element):
    """Half a loop upwards, then half a roll about the riders' line: the track leaves upright, opposite to the way it
    came."""

    kind: Literal["immelmann"] = "immelmann"
    direction: RollSide = "left"
    height: Height = described(22.0, "Height", "From the entry to the exit.", unit="m")
    top_radius: TopRadius = 9.0
    run_out: Ramp = described(12.0, "Run-out", "Length over which the curvature ends.", unit="m")
    roll_length: RollLength = 28.0
    overlap: Overlap = 10.0
    line_height: HeartHeight = 1.1


class DiveLoopSection(Element):
    """Half a roll, then half a loop downwards: the mirror image in time of the Immelmann."""

    kind: Literal["dive_loop"] = "dive_loop"
    direction: RollSide = "left"
    height: Height = described(22.0, "Depth", "From the entry down to the exit.", unit="m")
    top_radius: TopRadius = 9.0
    run_in: Ramp = described(12.0, "Run-in", "Length over which the curvature begins.", unit="m")
    roll_length: RollLength = 28.0
    overlap: Overlap = 10.0
    line_height: HeartHeight = 1.1


class WingOverSection(Element):
    """A turn that climbs, leans over beyond the vertical at the top and comes down again at the height of the entry."""

    kind: Literal["wing_over"] = "wing_over"
    direction: Side = "left"
    angle: Annotated[float, Field(gt=0.1, le=6.3)] = described(
        3.141592653589793, "Angle of turn", "Whole change of heading.", unit="rad"
    )
    height: TopHeight = 15.0
    length: Annotated[float, Field(ge=5.0, le=2000.0)] = described(
        80.0, "Length", "Along the track.", unit="m"
    )
    bank: Bank = described(
        2.0, "Bank at the top", "How far the track leans into the turn at the top.", unit="rad"
    )
