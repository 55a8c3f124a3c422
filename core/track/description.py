"""What a person describes when drawing a track: a list of named sections over one centreline.

A section kind is a frozen model with a `kind` field plus one function that lays it in `sections.py`. Splines,
straights and tables are here; the elements (arcs, loops, force-vector sections ...) in `core.track.elements`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.base.frozen import Frozen, Name, Vec3
from core.track import elements
from core.track.devices import Device
from core.track.heartline import Heartline
from core.track.site import Site

FrameKind = Literal["canted", "frenet", "rotation_minimising"]
Coordinate = Annotated[float, Field(ge=-1e6, le=1e6)]
Angle = Annotated[float, Field(ge=-1000.0, le=1000.0)]
Place = tuple[Coordinate, Coordinate, Coordinate]

#: More control points or rows than this in one section are no track.
MOST_POINTS = 100_000


class Clearance(Frozen):
    """The space a train with its riders needs, in the canted track frame (m).

    half_width to the left and to the right, height_above the rail plane, depth_below it.
    """

    half_width: Annotated[float, Field(gt=0.0, le=20.0)] = 1.1
    height_above: Annotated[float, Field(gt=0.0, le=20.0)] = 2.2
    depth_below: Annotated[float, Field(ge=0.0, le=20.0)] = 0.6


class ControlPoint(Frozen):
    """A point the centreline passes through (m, world) with the cant there.

    cant (rad): angle about the tangent from the horizontal left vector to the left vector of the track;
    positive lifts the left rail (l = cos(cant) l0 + sin(cant) u0), so a bank into a left turn is negative.
    None leaves the roll free: right for points where the track is near vertical, inside loops for example.
    straight: the piece from this point to the next one is exactly straight.
    """

    x: Coordinate
    y: Coordinate
    z: Coordinate
    cant: Angle | None = None
    straight: bool = False

    @property
    def position(self) -> Vec3:
        return (self.x, self.y, self.z)


class RollPoint(Frozen):
    """A cant (rad, see ControlPoint) prescribed `at` a distance (m) along the track from where its section begins.

    rates: its first three derivatives along the track (rad/m, rad/m^2, rad/m^3); None lets them follow from the
    neighbours without overshoot.
    """

    at: Annotated[float, Field(ge=0.0, le=20000.0)]
    cant: Angle
    rates: tuple[Angle, Angle, Angle] | None = None


class SplineSection(Frozen):
    """A quintic spline through control points; it runs on to where the next section begins.

    roll_points: cants between the control points, for a roll that changes faster than the curve; in running order.
    Those beyond the end of the section are left out; at a control point theirs holds.
    """

    kind: Literal["spline"] = "spline"
    name: Name
    points: Annotated[tuple[ControlPoint, ...], Field(min_length=1, max_length=MOST_POINTS)]
    roll_points: tuple[RollPoint, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> SplineSection:
        for k in range(1, len(self.roll_points)):
            if self.roll_points[k].at <= self.roll_points[k - 1].at:
                raise ValueError(
                    f"roll point {k + 1} at {self.roll_points[k].at:g} m does not lie behind the one before; sort them"
                )
        return self


class StraightSection(Frozen):
    """An exactly straight piece from where the track has come to `end` (m, world), or `length` (m) on in the
    direction the track has there. Exactly one of the two is given.

    start is given only when this is the first section. cant (rad, see ControlPoint) is reached at the start,
    unless the previous section prescribes its own cant at that point, and held to the end; None leaves it free.
    """

    kind: Literal["straight"] = "straight"
    name: Name
    start: Place | None = None
    end: Place | None = None
    length: Annotated[float, Field(gt=0.0, le=20000.0)] | None = None
    cant: Angle | None = None

    @model_validator(mode="after")
    def _one_end(self) -> StraightSection:
        if (self.end is None) == (self.length is None):
            raise ValueError("give either end or length of a straight, not both and not neither")
        return self


class TableSection(Frozen):
    """Rows of measured or imported positions, fitted by a smoothing spline within `tolerance` (m).

    positions: at least 6 rows (m, world). left or up: one vector a row, need not be unit length or exactly
    perpendicular; or cant: one angle a row (rad, None where the track is near vertical). At most one of the
    three; without any the roll is free. source: where the rows come from. continues: the rows go on from those of
    the table section before and are fitted together with them as one curve, which the border only names.
    """

    kind: Literal["table"] = "table"
    name: Name
    positions: Annotated[tuple[Place, ...], Field(min_length=6, max_length=MOST_POINTS)]
    left: tuple[Place, ...] | None = None
    up: tuple[Place, ...] | None = None
    cant: tuple[Angle | None, ...] | None = None
    tolerance: Annotated[float, Field(gt=0.0, le=1.0)] = 0.005
    source: str = ""
    continues: bool = False

    @model_validator(mode="after")
    def _rows_match(self) -> TableSection:
        given = [name for name in ("left", "up", "cant") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"give only one of left, up and cant, not {' and '.join(given)}")
        for name in given:
            rows = len(getattr(self, name))
            if rows != len(self.positions):
                raise ValueError(
                    f"{name} has {rows} rows but positions has {len(self.positions)}; make them equal"
                )
        return self


Section = Annotated[
    SplineSection
    | StraightSection
    | TableSection
    | elements.ArcSection
    | elements.TransitionSection
    | elements.BankedTurnSection
    | elements.HelixSection
    | elements.RailwayCurveSection
    | elements.LoopSection
    | elements.ImmelmannSection
    | elements.DiveLoopSection
    | elements.WingOverSection
    | elements.InlineRollSection
    | elements.CorkscrewSection
    | elements.CobraRollSection
    | elements.CamelbackSection
    | elements.ZeroGRollSection
    | elements.ForceSection,
    Field(discriminator="kind"),
]


class Track(Frozen):
    """A track: named sections in running order over one centreline, gauge (m) and frame.

    closed: the last section runs back to the first point. frame: which moving frame the paths carry as n and
    b (canted: n left and b up of the track; frenet; rotation_minimising); the rails always follow the cant.
    table_step (m): spacing of the exported 37-column table and of the linear lookup. devices: lifts, launches and
    brakes along the track; heartline: the line above the rails on which riders are thought of; site: the ground.
    """

    name: Name
    closed: bool = False
    gauge: Annotated[float, Field(gt=0.0, le=10.0)] = 1.0
    frame: FrameKind = "canted"
    clearance: Clearance = Clearance()
    table_step: Annotated[float, Field(ge=0.001, le=10.0)] = 0.2
    heartline: Heartline = Heartline()
    devices: tuple[Device, ...] = ()
    site: Site = Site()
    sections: Annotated[tuple[Section, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_are_unique(self) -> Track:
        seen: set[str] = set()
        for section in self.sections:
            if section.name in seen:
                raise ValueError(f"two sections are named '{section.name}'; give every section its own name")
            seen.add(section.name)
        placed: set[str] = set()
        for device in self.devices:
            if device.name in placed:
                raise ValueError(f"two devices are named '{device.name}'; give every device its own name")
            placed.add(device.name)
        return self
