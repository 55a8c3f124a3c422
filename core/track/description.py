"""What a person describes when drawing a track: a list of named sections over one centreline.

A section kind is a frozen model with a `kind` field plus one function that lays it in `sections.py`. Splines,
straights and tables are here; the elements (arcs, loops, force-vector sections ...) in `core.track.elements`.
"""

from __future__ import annotations

import operator
from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from ..base.fields import described
from ..base.frozen import Frozen, Name, Spoken, Vec3
from ..base.sentence import say
from .as_built import RailsAsBuilt
from .devices import AnyDevice
from .elements import AnyElement
from .heartline import Heartline
from .site import Site

FrameKind = Literal["canted", "frenet", "rotation_minimising"]
Coordinate = Annotated[float, Field(ge=-1e6, le=1e6)]
Angle = Annotated[float, Field(ge=-1000.0, le=1000.0)]
Place = tuple[Coordinate, Coordinate, Coordinate]
SectionName = Annotated[
    Name,
    described(..., "Name", "Sections name stretches of the track; the curve does not depend on them."),
]

#: More control points or rows than this in one section are no track.
MAX_POINTS = 100_000


REACH: Final = {"room": ("reach",)}


class Clearance(Frozen):
    """The space a train with its riders needs, in the canted track frame: a box, and what riders reach where asked."""

    half_width: Annotated[float, Field(gt=0.0, le=20.0)] = described(
        1.1,
        "To each side",
        "Room the train and its riders need left and right of the centreline.",
        unit="m",
    )
    height_above: Annotated[float, Field(gt=0.0, le=20.0)] = described(
        2.2, "Above the rails", "Room needed above the rail plane.", unit="m"
    )
    depth_below: Annotated[float, Field(ge=0.0, le=20.0)] = described(
        0.6, "Below the rails", "Room needed below the rail plane.", unit="m"
    )

    room: Literal["box", "reach"] = described(
        "box",
        "Riders",
        "What is kept free of track, supports, ground and other trains: the box alone, or besides what riders reach.",
        words={"box": "In the box", "reach": "What they reach"},
        exclude_if="box".__eq__,
    )
    body: Literal["woman_5", "man_50", "man_95", "child_120", "heaviest"] = described(
        "man_95",
        "Reach of",
        "Who reaches out on every seat.",
        words={
            "woman_5": "5th percentile woman",
            "man_50": "50th percentile man",
            "man_95": "95th percentile man",
            "child_120": "Child of 1.2 m",
            "heaviest": "Heaviest admitted",
        },
        when=REACH,
        exclude_if="man_95".__eq__,
    )
    margin: Literal["none", "astm_f2291", "en_13814"] = described(
        "en_13814",
        "Margin",
        "Kept free around what is reached.",
        words={"none": "None", "astm_f2291": "ASTM F2291", "en_13814": "EN 13814 (gaps of ISO 13854)"},
        when=REACH,
        exclude_if="en_13814".__eq__,
    )


class ControlPoint(Spoken):
    """A point the centreline passes through (world) with the cant there.

    cant: angle about the tangent from the horizontal left vector to the left vector of the track; positive lifts the
    left rail (l = cos(cant) l0 + sin(cant) u0), so a bank into a left turn is negative. None leaves the roll free:
    right for points where the track is near vertical, inside loops for example.
    """

    x: Coordinate = described(..., "x", "Position of the point in the world.", unit="m")
    y: Coordinate = described(..., "y", "Position of the point in the world.", unit="m")
    z: Coordinate = described(..., "z", "Height of the point.", unit="m")
    cant: Angle | None = described(
        None,
        "Cant",
        "Positive lifts the left rail, so a bank into a left turn is negative. Empty leaves the roll free, right inside"
        " loops.",
        unit="rad",
        empty="free",
    )
    straight: bool = described(
        False, "Straight to the next point", "The piece from this point to the next one is exactly straight."
    )

    @property
    def position(self) -> Vec3:
        return (self.x, self.y, self.z)


class RollPoint(Frozen):
    """A cant (see ControlPoint) prescribed between the control points."""

    at: Annotated[float, Field(ge=0.0, le=20000.0)] = described(
        ..., "At", "Distance along the track from where the section begins.", unit="m"
    )
    cant: Angle = described(..., "Cant", "Positive lifts the left rail.", unit="rad")
    rates: tuple[Angle, Angle, Angle] | None = described(
        None,
        "Rates",
        "First three derivatives of the cant along the track.",
        unit="rad/m, rad/m^2, rad/m^3",
        empty="from the neighbours, without overshoot",
    )


def _is_row(value: Any) -> bool:
    """Whether a point is given as three numbers, or four with its cant."""
    return isinstance(value, list | tuple) and len(value) in (3, 4)


class SplineSection(Spoken):
    """A quintic spline through control points; it runs on to where the next section begins.

    Roll points beyond the end of the section are left out; at a control point theirs holds.
    """

    kind: Literal["spline"] = "spline"
    name: SectionName
    points: Annotated[tuple[ControlPoint, ...], Field(min_length=1, max_length=MAX_POINTS)] = described(
        ..., "Control points", "Points the centreline passes through, in running order."
    )
    roll_points: tuple[RollPoint, ...] = described(
        (),
        "Roll points",
        "Cants between the control points, for a roll that changes faster than the curve; in running order.",
    )
    closing: bool = described(
        False,
        "Closing piece",
        "It leads the end of the track to its start, and is drawn anew where that has changed.",
        entry="hidden",
        exclude_if=operator.not_,
    )

    @classmethod
    def from_arrays(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Points may be rows of x, y, z (n, 3) m, or with the cant (n, 4) rad, not a number where it is free."""
        made = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in fields.items()}
        points = made.get("points")
        if isinstance(points, list | tuple) and points and all(_is_row(row) for row in points):
            made["points"] = [
                {
                    **dict(zip("xyz", row[:3], strict=False)),
                    "cant": row[3] if len(row) == 4 and row[3] == row[3] else None,
                }
                for row in points
            ]
        return made

    @model_validator(mode="after")
    def _in_order(self) -> SplineSection:
        for k in range(1, len(self.roll_points)):
            if self.roll_points[k].at <= self.roll_points[k - 1].at:
                raise ValueError(
                    say(
                        "roll point {k} at {at:g m} does not lie behind the one before; sort them",
                        k=k + 1,
                        at=self.roll_points[k].at,
                    )
                )
        return self


class StraightSection(Spoken):
    """An exactly straight piece from where the track has come to `end`, or `length` on in the direction the track has
    there. Exactly one of the two is given.

    The cant (see ControlPoint) is reached at the start, unless the previous section prescribes its own cant at that
    point, and held to the end.
    """

    kind: Literal["straight"] = "straight"
    name: SectionName
    start: Place | None = described(
        None, "Start", "Where the track begins; only for the first section.", unit="m", entry="vector"
    )
    end: Place | None = described(None, "End", "Where the straight ends.", unit="m", entry="vector")
    length: Annotated[float, Field(gt=0.0, le=20000.0)] | None = described(
        None,
        "Length",
        "Continues in the direction the track has. Empty when its end is given instead.",
        unit="m",
        empty="given by its end",
    )
    cant: Angle | None = described(
        None, "Cant", "Positive lifts the left rail. Empty leaves the roll free.", unit="rad", empty="free"
    )

    @model_validator(mode="after")
    def _one_end(self) -> StraightSection:
        if (self.end is None) == (self.length is None):
            raise ValueError("give either end or length of a straight, not both and not neither")
        return self


class TableSection(Spoken):
    """Rows of measured or imported positions, fitted by a smoothing spline.

    Vectors left or up need not be unit length or exactly perpendicular. At most one of left, up and cant is given;
    without any the roll is free. The border to a table section that continues this one only names a place of the curve.
    """

    kind: Literal["table"] = "table"
    name: SectionName
    positions: Annotated[tuple[Place, ...], Field(min_length=6, max_length=MAX_POINTS)] = described(
        ..., "Positions", "Rows of positions in the world, six or more.", unit="m"
    )
    left: tuple[Place, ...] | None = described(
        None, "Left vectors", "To the left of the track, one a row.", unit="1"
    )
    up: tuple[Place, ...] | None = described(None, "Up vectors", "Up from the track, one a row.", unit="1")
    cant: tuple[Angle | None, ...] | None = described(
        None, "Cants", "One a row, none where the track is near vertical.", unit="rad"
    )
    tolerance: Annotated[float, Field(gt=0.0, le=1.0)] = described(
        0.005, "Tolerance", "How far the fitted curve may miss a row.", unit="m", shown="mm"
    )
    source: str = described("", "Source", "Where the rows come from.")
    continues: bool = described(
        False,
        "Continues the table before",
        "The rows are fitted together with those of the table section before, as one smooth curve.",
    )

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
    SplineSection | StraightSection | TableSection | AnyElement,
    Field(discriminator="kind"),
]


class Track(Spoken):
    """A track: named sections in running order over one centreline.

    frame: which moving frame the paths carry as n and b (canted: n left and b up of the track).
    """

    name: Name = described(..., "Name", "What the track is called.")
    closed: bool = described(False, "Closed circuit", "The last section runs back to the first point.")
    gauge: Annotated[float, Field(gt=0.0, le=10.0)] = described(
        1.0, "Gauge", "Distance between the centre lines of the two rails.", unit="m"
    )
    frame: FrameKind = described(
        "canted",
        "Moving frame",
        "Which vectors the guides use. The rails always follow the cant.",
        words={
            "canted": "Canted track frame",
            "frenet": "Frenet frame",
            "rotation_minimising": "Rotation-minimising frame",
        },
    )
    clearance: Clearance = described(
        Clearance(), "Clearance envelope", "The space a train with its riders needs."
    )
    table_step: Annotated[float, Field(ge=0.001, le=10.0)] = described(
        0.2, "Table spacing", "Spacing of the rows of the exported track table.", unit="m"
    )
    heartline: Heartline = described(
        Heartline(), "Heartline", "The line above the rails along which the riders' loads are designed."
    )
    devices: tuple[AnyDevice, ...] = described((), "Devices", "Lifts, launches and brakes along the track.")
    site: Site = described(Site(), "Site", "The ground under the track.")
    as_built: RailsAsBuilt = described(
        RailsAsBuilt(), "Rails as built", "How far the rails lie from where they were drawn.",
        exclude_if=RailsAsBuilt().__eq__,
    )  # fmt: skip
    sections: Annotated[tuple[Section, ...], Field(min_length=1)] = described(
        ..., "Sections", "What the track is made of, in running order."
    )

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
