"""Elements that roll: in-line roll, corkscrew, cobra roll, zero-g roll; and the camelback they are kin to."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import described
from .common import (
    Element,
    EntrySpeed,
    HeartHeight,
    Height,
    Length,
    RiddenElement,
    RollSide,
    Side,
    TopHeight,
)

PullUp = Annotated[
    float,
    described(
        ...,
        "Normal g in the valleys",
        "What the riders feel before and behind the hill.",
        unit="g",
        ge=1.1,
        le=8.0,
    ),
]


class InlineRollSection(Element):
    """A roll about a straight line above the rails."""

    kind: Literal["inline_roll"] = "inline_roll"
    direction: RollSide = "left"
    length: Length = described(40.0, "Length", "Along the track.", unit="m")
    turns: Annotated[float, Field(gt=0.0, le=10.0)] = described(
        1.0, "Revolutions", "Full turns about the line.", unit="1"
    )
    line_height: HeartHeight = 1.1


class CorkscrewSection(Element):
    """A screw: the track pulls up and rolls over in equal measure, one whole turn about an axis between the two, and
    leaves to one side exactly in the direction, slope and cant it came with.
    """

    kind: Literal["corkscrew"] = "corkscrew"
    direction: Side = "left"
    height: TopHeight = 12.0


class CobraRollSection(Element):
    """Half a loop and half a corkscrew, then their mirror image: two inversions, exit opposite to the entry.

    Bend and roll are solved so that the middle is level and square to the entry.
    """

    kind: Literal["cobra_roll"] = "cobra_roll"
    direction: Side = "left"
    height: TopHeight = 20.0


class CamelbackSection(RiddenElement):
    """A hill on which the riders feel one g-value `gz` from transition to transition at the design speed.

    The hill ends at the pitch it began with, turned down. The g's hold along the line of the riders; without friction
    and drag no losses are counted.
    """

    kind: Literal["camelback"] = "camelback"
    entry_speed: EntrySpeed = 22.0
    height: Height = described(12.0, "Height", "From the entry to the top.", unit="m")
    gz: Annotated[float, Field(ge=-2.0, le=0.9)] = described(
        0.0, "Normal g on the hill", "What the riders feel on the hill; 0 is weightless.", unit="g"
    )
    pull_up: PullUp = 3.0
    transition: Annotated[float, Field(ge=1.0, le=100.0)] = described(
        8.0, "Length of each change of g", "From the pull-up to the hill and back.", unit="m"
    )


class ZeroGRollSection(RiddenElement):
    """A camelback at 0 g over which the track rolls about the riders' line."""

    kind: Literal["zero_g_roll"] = "zero_g_roll"
    direction: RollSide = "left"
    turns: Annotated[float, Field(ge=0.5, le=3.0, multiple_of=0.5)] = described(
        1.0, "Revolutions", "About the riders' line, in halves.", unit="1"
    )
    entry_speed: EntrySpeed = 24.0
    height: Height = described(14.0, "Height", "From the entry to the top of the riders' line.", unit="m")
    pull_up: PullUp = 3.0
    transition: Annotated[float, Field(ge=1.0, le=100.0)] = described(
        10.0, "Length of each change of g", "From the pull-up to weightlessness and back.", unit="m"
    )
