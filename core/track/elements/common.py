"""What the element sections share: limits of their numbers, start pose, directions and transitions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.base.frozen import Frozen, Name

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

Smoothness = Literal["linear", "cubic", "quintic", "sine"]
Side = Literal["left", "right"]


class StartPose(Frozen):
    """Where a track begins that begins with an element: position (m, world), heading from the x axis, pitch, cant
    (rad, see ControlPoint)."""

    position: Place = (0.0, 0.0, 1.0)
    heading: Angle = 0.0
    pitch: Annotated[float, Field(ge=-1.5, le=1.5)] = 0.0
    cant: Bank = 0.0


class Element(Frozen):
    """What every element section has: its name, and where it begins when it is the first section."""

    name: Name
    pose: StartPose | None = None


class RiddenElement(Element):
    """An element drawn for the speed of a ride along it.

    entry_speed (m/s): at the entry, on the line of the riders line_height (m) above the rails. The speed along it
    follows from v^2 = v0^2 - 2 gravity (dz + friction ds) - 2 drag int v^2 ds, with s along that line; gravity
    (m/s^2), friction (-), drag (1/m). friction_law "load": friction counts times the load on the wheels over the
    weight, as in `PointRideSettings`. speed_from "ride": entry speed, gravity and losses are kept at those of the
    point ride; "given": they stay as typed.
    """

    speed_from: Literal["given", "ride"] = "given"
    entry_speed: Speed = 20.0
    gravity: Gravity = 9.81
    friction: Annotated[float, Field(ge=0.0, le=0.5)] = 0.0
    friction_law: Literal["constant", "load"] = "constant"
    drag: Annotated[float, Field(ge=0.0, le=0.01)] = 0.0
    line_height: LineHeight = 1.1
