"""Elements that lie in a plane or turn about the vertical: arc, transition, banked turn, helix."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.track.elements.common import Bank, Element, Length, Radius, Ramp, Side, Smoothness, Turn


class ArcSection(Element):
    """A circular arc, left or right about the vertical (the slope is kept), or up or down in the vertical plane.

    radius (m): in plan for left and right, in space for up and down. angle (rad): whole change of direction,
    transitions included. transition_in, transition_out (m): stretches over which the curvature comes from what the
    track has and goes to nothing; 0 begins or ends with the full curvature. cant (rad) in the arc, reached over
    transition_in; None keeps what the track has.
    """

    kind: Literal["arc"] = "arc"
    direction: Literal["left", "right", "up", "down"] = "left"
    radius: Radius = 20.0
    angle: Turn = 1.5707963267948966
    transition_in: Ramp = 5.0
    transition_out: Ramp = 5.0
    smoothness: Smoothness = "cubic"
    cant: Bank | None = None


class TransitionSection(Element):
    """A transition from the curvature the track has to a given one; with linear smoothness a clothoid.

    plane: in plan (the slope is kept) or in the vertical plane of the track. curvature (1/m) at the end, positive to
    the left or upwards. length (m). cant (rad) at the end; None keeps what the track has.
    """

    kind: Literal["transition"] = "transition"
    plane: Literal["plan", "vertical"] = "plan"
    length: Length = 10.0
    curvature: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.05
    smoothness: Smoothness = "linear"
    cant: Bank | None = None


class BankedTurnSection(Element):
    """A level or sloping turn about the vertical with cant: transition, arc, transition.

    radius (m) in plan; angle (rad): whole change of heading; bank (rad): how far the track leans into the turn;
    transition (m): length of each transition, over which curvature and cant change together; transition_in,
    transition_out (m) where one of them differs, 0 begins or ends with the full curvature and cant.
    """

    kind: Literal["banked_turn"] = "banked_turn"
    direction: Side = "left"
    radius: Radius = 20.0
    angle: Turn = 1.5707963267948966
    bank: Bank = 0.8
    transition: Ramp = 12.0
    transition_in: Ramp | None = None
    transition_out: Ramp | None = None
    smoothness: Smoothness = "quintic"


class HelixSection(Element):
    """Turns about a vertical axis on a steady slope.

    radius (m) in plan; turns: full turns, transitions included; pitch (m): rise in one turn, negative goes down;
    bank (rad): lean into the turn; transition (m): length over which curvature, slope and cant come and go;
    transition_in, transition_out (m) where one of them differs, 0 begins or ends with all of them.
    """

    kind: Literal["helix"] = "helix"
    direction: Side = "left"
    radius: Radius = 15.0
    turns: Annotated[float, Field(gt=0.0, le=30.0)] = 1.5
    pitch: Annotated[float, Field(ge=-200.0, le=200.0)] = -6.0
    bank: Bank = 0.9
    transition: Ramp = 15.0
    transition_in: Ramp | None = None
    transition_out: Ramp | None = None
    smoothness: Smoothness = "quintic"
