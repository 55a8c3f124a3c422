"""What every kind of joint declares; each has one file in this folder.

The file of a kind holds the constraints it makes, fields of its own if it has any, and TYPE, a `JointType`. Checks,
drivers, force elements that act in it, menus, the inspector, marks in the scene and the report follow from these; no
other file needs to know the kind (see `core.model.joints`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

import numpy as np

from ...base.arrays import Array
from ...base.frames import perpendicular
from ...base.frozen import Frozen, Vec3
from ...base.sentence import say
from ..functions import TimeFunction, shifted

if TYPE_CHECKING:
    from ..drivers import Driver
    from . import Joint

#: How the two axes of a joint stand, and whether it has any.
Axes = Literal["none", "parallel", "square"]
#: What it lets turn: about its axis, about both of its axes, or all ways.
Turns = Literal["none", "axis", "axes", "all"]
#: Where its second point may go from the first: along the axis, across it, or anywhere.
Moves = Literal["none", "axis", "plane", "all"]
#: The coordinate that a force element has in it: an angle, a travel or a rotation vector.
ActsIn = Literal["angle", "slide", "turn"]
#: The axes of a new joint, by how they stand.
NEW_AXES: Final[dict[Axes, tuple[Vec3, Vec3]]] = {
    "parallel": ((0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
    "square": ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
}


@dataclass(frozen=True)
class JointGeometry:
    """A joint in the axes of its bodies: their numbers, points (3,) m, and a triad (f, g, a) on i with f_j on j as
    drawn; a and a_j are the axes.

    relative (3, 3): drawn A_i^T A_j; drawn (3,) m: where the second point is drawn, in body i; gap (3,) m: from the
    first point to the second as drawn, and turn (3, 3): drawn A_i, both in the axes of the world; axes_i and axes_j
    (3, 3): of what the joint's bodies name in the axes of these, as a seat may be turned.
    """

    name: str
    kind: str
    i: int
    j: int
    point_i: Array
    point_j: Array
    f: Array
    g: Array
    a: Array
    f_j: Array
    a_j: Array
    relative: Array
    axes_i: Array
    axes_j: Array
    drawn: Array
    gap: Array
    turn: Array

    @property
    def travel(self) -> float:
        """How far (m) the second point is drawn along the axis from the first."""
        return float(self.a @ (self.turn.T @ self.gap))


class PairRows(Protocol):
    """Takes the constraint rows between two bodies, i and j; directions (3,) on i or j in their own axes.

    name: of the joint or driver the rows are of, for messages.
    """

    name: str

    def point(self, on_i: Array, on_j: Array) -> None:
        """Three rows: a point (3,) m of i and one of j coincide."""

    def perpendicular(self, on_i: Array, on_j: Array) -> None:
        """A direction of i and one of j stand at right angles."""

    def component(self, on_i: Array, on_j: Array, angle: TimeFunction) -> None:
        """The product of a direction of i and one of j is the sine of an angle (rad)."""

    def turned(
        self, sine: Array, cosine: Array, on_j: Array, angle: TimeFunction, *, back: bool = False
    ) -> None:
        """A direction of j stands at an angle (rad) between two directions of i, from `cosine` on towards `sine`; back:
        i and j change places."""

    def slide(self, along_i: Array, travel: TimeFunction | None = None) -> None:
        """The second point stays a travel (m, 0 without) ahead of the first one along a direction of i."""

    def distance(self, length: TimeFunction) -> None:
        """The two points are a length (m) apart."""

    def follow(self, length: TimeFunction) -> None:
        """The length between the two points follows another function (m)."""

    def arc(self, travel: TimeFunction) -> None:
        """A guide is at an arc length (m) of its curve."""


Drive = Callable[[Any, Any, PairRows], None]


@dataclass(frozen=True)
class Coordinate:
    """A motion that a driver can prescribe: its word, its SI unit, and the function that makes its row, of the driver,
    what it drives as drawn (of a joint its `JointGeometry`) and a `PairRows`."""

    word: str
    unit: str
    drive: Drive


class Ends(NamedTuple):
    """A joint as drawn, in the axes of the world: from the first point to the second (3,) m, and both axes."""

    gap: Array
    axis_i: Array | None
    axis_j: Array | None


class Oddity(NamedTuple):
    """What is odd about a joint as drawn: which check, how large (m or rad), its unit, and what is said of it."""

    check: Literal["joint gap", "joint angle", "universal axes"]
    value: float
    unit: str
    said: str


def meets(joint: Joint, ends: Ends, moves: Moves, axes: Axes) -> Iterator[Oddity]:
    """How far a joint misses what it holds: points that do not meet, axes that are not parallel or not square."""
    distance = float(np.linalg.norm(ends.gap))
    angle = 0.0
    if ends.axis_i is not None and ends.axis_j is not None:
        angle = _between(ends.axis_i, ends.axis_j)
        f, g, a = perpendicular(ends.axis_i)
        if moves == "axis":
            distance = math.hypot(float(f @ ends.gap), float(g @ ends.gap))
        elif moves == "plane":
            distance = abs(float(a @ ends.gap))
    if moves != "all":
        text = say("its points are {gap:.3g mm} apart as drawn.", gap=distance)
        yield Oddity("joint gap", distance, "m", text)
    if axes == "square":
        off = abs(math.pi / 2.0 - angle)
        text = say("the arms of the cross are {off:.3g degrees} off a right angle.", off=off)
        yield Oddity("universal axes", off, "rad", text)
    else:
        text = say("its axes are {angle:.3g degrees} apart as drawn.", angle=angle)
        yield Oddity("joint angle", angle, "rad", text)


def _between(a: Array, b: Array) -> float:
    """The angle between two lines (rad, 0 to pi/2), exact for small angles too."""
    return math.atan2(float(np.linalg.norm(np.cross(a, b))), abs(float(a @ b)))


@dataclass(frozen=True)
class JointType:
    """A kind of joint.

    kind: its literal in files and what it is called; title: its choice in the inspector, with what it lets free; rows:
    (joint, geometry, `PairRows`) makes its constraints; axes, turns, moves: what it needs and lets free; acts_in: the
    coordinate of force elements in it, None when none can act there; driven: what drivers can prescribe; own: fields of
    this kind alone; locks: whether "locked as drawn" makes it rigid; odd: (joint, ends) -> what is odd about it as
    drawn, by default what `axes` and `moves` say.
    """

    kind: str
    title: str
    rows: Callable[[Any, JointGeometry, PairRows], None]
    axes: Axes = "none"
    turns: Turns = "none"
    moves: Moves = "none"
    acts_in: ActsIn | None = None
    driven: Mapping[str, Coordinate] = field(default_factory=dict)
    own: type[Frozen] | None = None
    locks: bool = True
    odd: Callable[[Any, Ends], Iterator[Oddity]] | None = None
    icon: str = "joint"

    @property
    def rigid(self) -> bool:
        """Whether it lets nothing free."""
        return self.turns == "none" and self.moves == "none"

    def oddities(self, joint: Joint, ends: Ends) -> Iterator[Oddity]:
        """What is odd about a joint of the kind as drawn, whatever its size."""
        return meets(joint, ends, self.moves, self.axes) if self.odd is None else self.odd(joint, ends)


# -- what several kinds have in common


def coincident(joint: Joint, at: JointGeometry, rows: PairRows) -> None:
    """The two points are one."""
    rows.point(at.point_i, at.point_j)


def parallel(at: JointGeometry, rows: PairRows) -> None:
    """The axes are parallel."""
    rows.perpendicular(at.f, at.a_j)
    rows.perpendicular(at.g, at.a_j)


def on_axis(at: JointGeometry, rows: PairRows) -> None:
    """The second point stays on the axis."""
    rows.slide(at.f)
    rows.slide(at.g)


def _angle(driver: Driver, at: JointGeometry, rows: PairRows) -> None:
    rows.turned(at.g, at.f, at.f_j, driver.function)


def _slide(driver: Driver, at: JointGeometry, rows: PairRows) -> None:
    rows.slide(at.a, shifted(driver.function, at.travel if driver.relative else 0.0))


ANGLE = Coordinate("Angle", "rad", _angle)
SLIDE = Coordinate("Slide", "m", _slide)
