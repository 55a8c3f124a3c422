"""Elements that roll: in-line roll, corkscrew, cobra roll, zero-g roll; and the camelback they are kin to."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.track.elements.common import Element, Height, Length, LineHeight, RiddenElement, Side, Speed

PullUp = Annotated[float, Field(ge=1.1, le=8.0)]


class InlineRollSection(Element):
    """A roll about a straight line above the rails. length (m), turns: full turns, line_height (m)."""

    kind: Literal["inline_roll"] = "inline_roll"
    direction: Side = "left"
    length: Length = 40.0
    turns: Annotated[float, Field(gt=0.0, le=10.0)] = 1.0
    line_height: LineHeight = 1.1


class CorkscrewSection(Element):
    """A screw: the track pulls up and rolls over in equal measure, one whole turn about an axis between the two, and
    leaves to one side exactly in the direction, slope and cant it came with.

    height (m): from entry to the top.
    """

    kind: Literal["corkscrew"] = "corkscrew"
    direction: Side = "left"
    height: Height = 12.0


class CobraRollSection(Element):
    """Half a loop and half a corkscrew, then their mirror image: two inversions, exit opposite to the entry.

    height (m): highest point above the entry. Bend and roll are solved so that the middle is level and square to the
    entry.
    """

    kind: Literal["cobra_roll"] = "cobra_roll"
    direction: Side = "left"
    height: Height = 20.0


class CamelbackSection(RiddenElement):
    """A hill on which the riders feel one g-value `gz` from transition to transition at the design speed.

    height (m): rise of the top; gz: normal g on the hill; pull_up: normal g in the valleys before and after;
    transition (m): length of each change of g. The hill ends at the pitch it began with, turned down. The g's hold
    along the line of the riders; without friction and drag no losses are counted.
    """

    kind: Literal["camelback"] = "camelback"
    entry_speed: Speed = 22.0
    height: Height = 12.0
    gz: Annotated[float, Field(ge=-2.0, le=0.9)] = 0.0
    pull_up: PullUp = 3.0
    transition: Annotated[float, Field(ge=1.0, le=100.0)] = 8.0


class ZeroGRollSection(RiddenElement):
    """A camelback at 0 g over which the track rolls about the riders' line. Fields as in CamelbackSection; turns:
    full turns of the roll."""

    kind: Literal["zero_g_roll"] = "zero_g_roll"
    direction: Side = "left"
    turns: Annotated[float, Field(ge=0.5, le=3.0, multiple_of=0.5)] = 1.0
    entry_speed: Speed = 24.0
    height: Height = 14.0
    pull_up: PullUp = 3.0
    transition: Annotated[float, Field(ge=1.0, le=100.0)] = 10.0
