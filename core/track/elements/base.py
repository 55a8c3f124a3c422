"""What the element sections share: limits of their numbers, start pose, directions and transitions, and what a kind of
element declares. Each kind has one file in this folder."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Protocol

import numpy as np
from pydantic import Field

from ...base.fields import described, specs_of
from ...base.frozen import Frozen, Name
from ..programs.entry import Entry, frame_from_angles
from ..programs.forces import Forces
from ..programs.leg import ElementLeg
from ..programs.program import Program

GRAVITY: Final = 9.81  # m/s^2, elements are sized for
EASED: Final = 0.045  # 1/m within 1 m; a tenth below what the checks of the track warn of
CRAWL: Final = 5.0  # m/s, below which nothing gets smaller
SIGN: Final = {"left": 1.0, "up": 1.0, "right": -1.0, "down": -1.0}

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

    if TYPE_CHECKING:  # a literal of every kind
        kind: str

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


def entry_of_pose(pose: StartPose) -> Entry:
    """Entry of a first section with its own start."""
    tangent, up = frame_from_angles(pose.heading, pose.pitch, pose.cant)
    return Entry(np.array(pose.position), tangent, up)


def line_entry(section: RiddenElement, entry: Entry) -> Entry:
    """An entry on the rail as the line of the riders sees it, with the gravity the element is drawn for."""
    return replace(entry.offset(section.line_height), gravity=section.gravity)


def losing_as(forces: Forces, section: RiddenElement) -> Forces:
    """The same forces with friction and drag of an element."""
    by_load = section.friction_law == "load"
    return replace(forces, friction=section.friction, drag=section.drag, load_friction=by_load)


class CutPlace(Protocol):
    """A place inside a laid element where it is to be cut in two: offset (m) from its start, length (m) of the element;
    turned: change of heading up to there (rad, + to the left); tilted: angle (rad) between the directions at the places
    of a curve in a plane, added up; ahead: how far the horizontal direction there goes with that at the start, negative
    against it;
    curvature (1/m) there, in plan or in the vertical plane; entry: the track where the element begins."""

    @property
    def offset(self) -> float: ...
    @property
    def length(self) -> float: ...
    def turned(self) -> float: ...
    def tilted(self) -> float: ...
    def ahead(self) -> float: ...
    def curvature(self, plan: bool) -> float: ...
    def entry(self) -> Entry: ...
    def lay(self, section: Element, entry: Entry) -> ElementLeg: ...


Halves = tuple["Element", "Element"]


def _not_mirrored(section: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Sized:
    """An element as the Insert menu shows it; a kind may have several.

    id; title; group; line: one sentence; fields: what differs from the model's defaults; scaled: fields that fit a
    speed (m/s); called: what a section is named by its direction, where the title does not say it; icon: name of a
    picture of resources/icons, or the text of an SVG, "element-<id>" unless given; rank: its place in the group;
    slowest: the speed (m/s) that it needs, below which it would be tighter than the checks of the track allow.
    """

    id: str
    title: str
    group: str
    line: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    scaled: Callable[[float], dict[str, Any]] | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    icon: str = ""
    rank: int = 100
    slowest: float = 0.0


@dataclass(frozen=True)
class ElementKind:
    """A kind of element: one file of this folder declares it as KIND.

    model: its description; program: (section, `Entry`) -> the curve as a `Program`, or the laid leg itself; menu: how
    it is offered; goes_on: it begins with the curvature and roll rate the track has - the others begin straight, after
    an ease where one is needed. about: what it is, for the inspector.
    mirrored: fields of its mirror image beside direction and pose. sized: it has a size that can be scaled: all fields
    in m but those `kept`, and those `over_size`, which go down as the size goes up.
    cut: the two halves at a `CutPlace` that are what it was; without one, or where it gives None, it becomes control
    points first.
    """

    model: type[Element]
    program: Callable[[Any, Entry], Program | ElementLeg]
    menu: tuple[Sized, ...]
    goes_on: bool = False
    about: str = "It begins where the track has come to and goes on as its numbers say."
    mirrored: Callable[[Any], dict[str, Any]] = _not_mirrored
    sized: bool = True
    kept: tuple[str, ...] = ()
    over_size: tuple[str, ...] = ()
    cut: Callable[[Any, CutPlace], Halves | None] | None = None

    @property
    def kind(self) -> str:
        """The literal that stands for the kind in files."""
        return str(self.model.model_fields["kind"].default)

    @property
    def word(self) -> str:
        """What it is called: "banked turn"."""
        return self.menu[0].title.lower()

    def scaled(self, section: Element, scale: float) -> dict[str, Any]:
        """Fields of the section with its size times `scale`."""
        by = dict.fromkeys(self.over_size, 1.0 / scale)
        for spec in specs_of(self.model):
            if spec.unit == "m" and spec.name not in (*self.kept, "line_height"):
                by[spec.name] = scale
        values = {name: getattr(section, name) for name in by}
        return {name: value * by[name] for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class ElementEntry:
    """An entry of the Insert menu: how an element is offered, and the description it makes."""

    sized: Sized
    model: type[Element]

    @property
    def id(self) -> str:
        return self.sized.id

    @property
    def title(self) -> str:
        return self.sized.title

    @property
    def group(self) -> str:
        return self.sized.group

    @property
    def line(self) -> str:
        return self.sized.line

    @property
    def slowest(self) -> float:
        return self.sized.slowest

    @property
    def icon(self) -> str:
        return self.sized.icon or f"element-{self.id}".replace("_", "-")

    def make(self, name: str, speed: float | None = None) -> Element:
        """The element under a name, sized for a ride that enters it at speed (m/s), at `slowest` for a slower one; None
        takes the defaults."""
        fields = dict(self.sized.fields)
        if speed is not None and self.sized.scaled is not None:
            fields |= self.sized.scaled(min(max(speed, CRAWL, self.slowest), 60.0))
        return self.model.model_validate({"name": name, **fields})


# -- sizes by the speed of the ride


def tidy(value: float, low: float, high: float) -> float:
    return round(min(max(value, low), high), 1)


def degrees(angle: int) -> float:
    """A whole number of degrees, as people write angles, in rad."""
    return math.radians(angle)


def head(v: float) -> float:
    """Height a ride at speed v climbs (m)."""
    return v * v / (2.0 * GRAVITY)


def sided(what: str) -> dict[str, str]:
    return {"left": f"Left {what}", "right": f"Right {what}"}
