"""Elements that go over the top: loop, Immelmann, dive loop, wing-over."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.track.elements.common import Bank, Element, Height, LineHeight, Radius, Ramp, Side, Smoothness


class LoopSection(Element):
    """A loop of clothoid, arc and clothoid that leaves in the direction it was entered.

    height (m): from entry to top, measured in the plane of the loop. top_radius (m): of the arc at the top.
    offset (m): how far the exit lies to the left of the entry (negative: to the right), so that the loop does not
    meet itself. inclination (rad): lean of the plane of the loop from upright, positive to the left.
    """

    kind: Literal["loop"] = "loop"
    height: Height = 20.0
    top_radius: Radius = 7.5
    offset: Annotated[float, Field(ge=-50.0, le=50.0)] = 4.0
    inclination: Annotated[float, Field(ge=-1.4, le=1.4)] = 0.0
    smoothness: Smoothness = "linear"


class ImmelmannSection(Element):
    """Half a loop upwards, then half a roll: the track leaves upright, opposite to the way it came.

    height (m): from entry to exit. top_radius (m): of the arc at the top. run_out (m): over which the curvature
    ends. roll_length (m): stretch of the half roll, its first `overlap` (m) already on the half loop.
    direction: way the track rolls. line_height (m): height of the line the track rolls about above the rails.
    """

    kind: Literal["immelmann"] = "immelmann"
    direction: Side = "left"
    height: Height = 22.0
    top_radius: Radius = 9.0
    run_out: Ramp = 12.0
    roll_length: Annotated[float, Field(gt=1.0, le=500.0)] = 28.0
    overlap: Ramp = 10.0
    line_height: LineHeight = 1.1


class DiveLoopSection(Element):
    """Half a roll, then half a loop downwards: the mirror image in time of the Immelmann; height (m) is the depth."""

    kind: Literal["dive_loop"] = "dive_loop"
    direction: Side = "left"
    height: Height = 22.0
    top_radius: Radius = 9.0
    run_in: Ramp = 12.0
    roll_length: Annotated[float, Field(gt=1.0, le=500.0)] = 28.0
    overlap: Ramp = 10.0
    line_height: LineHeight = 1.1


class WingOverSection(Element):
    """A turn that climbs, leans over beyond the vertical at the top and comes down again at the height of the entry.

    angle (rad): whole change of heading; height (m): rise to the top; length (m) along the track; bank (rad): lean
    into the turn at the top.
    """

    kind: Literal["wing_over"] = "wing_over"
    direction: Side = "left"
    angle: Annotated[float, Field(gt=0.1, le=6.3)] = 3.141592653589793
    height: Height = 15.0
    length: Annotated[float, Field(ge=5.0, le=2000.0)] = 80.0
    bank: Bank = 2.0
