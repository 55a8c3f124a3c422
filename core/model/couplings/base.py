"""What every kind of coupling declares; each has one file in this folder.

A coupling joins two neighbouring cars of a train. It is a connector made of bodies, joints and force elements of the
train (`parts`), and says itself what it is: its length, how it is drawn, the curves of its law, what a run tells of it.
The file of a kind holds its description, a class of `CouplingBase`, and TYPE, a `CouplingType` (see
`core.model.couplings`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np

from ...base.arrays import Array
from ...base.fields import AXES, Positive, described
from ...base.frozen import Frozen, Name, Quat, Vec3
from ..bodies import Body
from ..forces import Force
from ..joints import Joint
from ..law_curves import LawCurve
from ..shapes import Piece, Shape, Standing, Stretched

WIDE = 0.05  # m, half the width of a bar and a shank
SIDES = ("i", "j")


class DrawnEnd(NamedTuple):
    """An end of a coupling on straight level track: body and point (m) as described, the place (3,) m of that in the
    train and in its car, the unit vector (3,) along the train to the other car, the rotation (3, 3) of the body, and
    the axes of the coupling against the body: x along the cars, from the first car of the coupling to the second, z up.
    """

    body: str
    point: Vec3
    car: str
    place: Array
    in_car: Array
    towards: Array
    rotation: Array
    axes: Quat

    @property
    def forward(self) -> bool:
        """Whether the other car is ahead."""
        return bool(self.towards[0] > 0.0)


class CarPart(NamedTuple):
    """Bodies that a coupling adds to a car, in an assembly of the coupling's name at a place (m) of the car, its x
    forward or backward."""

    car: str
    position: Vec3
    forward: bool
    bodies: tuple[Body, ...]


class Parts(NamedTuple):
    """What a coupling is made of. Its main joint or force element has its name, others that with an addition."""

    joints: tuple[Joint, ...] = ()
    forces: tuple[Force, ...] = ()
    bodies: tuple[CarPart, ...] = ()


class EndPose(NamedTuple):
    """Where an end is, at n instants or at one: its point (..., 3) m and axes (..., 3, 3), their columns along the cars
    from the first car of the coupling to the second, to the left, and up; all in the world."""

    point: Array
    axes: Array

    @property
    def outwards(self) -> Array:
        """The axes of the second end, turned about: x towards the first car."""
        return np.asarray(self.axes * (-1.0, -1.0, 1.0))


class Readings(Protocol):
    """What the stored states of a run tell of the parts of a train, by their names; n instants."""

    def reaction(self, joint: str) -> Array:
        """Force (n, 3) N of a joint on its first body, axes of the world."""

    def has(self, row: str) -> bool:
        """Whether there is such a row of outputs of force elements."""

    def load(self, row: str) -> Array:
        """The load (n,) N or N m of a row of outputs of a force element."""

    def coordinate(self, element: str) -> Array:
        """The coordinate (n,) m or rad of a force element, from its origin."""

    def internal(self, element: str) -> Array:
        """The internal unknowns (n, k) of a force element."""


class Inner(NamedTuple):
    """Something that moves inside a coupling: name of its channel, unit, and what it is."""

    name: str
    unit: str
    said: str


class Play(NamedTuple):
    """A free play: how far it goes either way (m), and the travel (n,) m in it."""

    slack: float
    travel: Array


class CouplingBase(Frozen):
    """What all couplings have: a point on a body of each of two neighbouring cars, in either order."""

    #: Whether it keeps its length whatever pulls, so that the cars stand on the track as it has them.
    RIGID: ClassVar[bool] = False

    if TYPE_CHECKING:  # every kind's own literal, behind the fields that all have
        kind: str

    name: Name = described(..., "Name", "What the coupling is called.")
    body_i: str = described(..., "Body of one car", "Where one end is fixed.", refers_to="body")
    point_i: Vec3 = described(
        (0.0, 0.0, 0.0), "Point on it", "In the axes of that body, from its centre of mass.", unit="m", axes=AXES
    )  # fmt: skip
    body_j: str = described(..., "Body of the other car", "Where the other end is fixed.", refers_to="body")
    point_j: Vec3 = described(
        (0.0, 0.0, 0.0), "Point on it", "In the axes of that body, from its centre of mass.", unit="m", axes=AXES
    )  # fmt: skip
    rating: Positive | None = described(
        None, "Rated force", "The most it is built for, in tension and compression.", unit="N", empty="not known"
    )  # fmt: skip
    swing: Positive | None = described(
        None, "Free swing", "Angle to either side against the car up to which it is free.", unit="rad",
        empty="not known",
    )  # fmt: skip

    @property
    def cars(self) -> tuple[str, str]:
        """The names of its two cars."""
        return self.body_i.partition("/")[0], self.body_j.partition("/")[0]

    @property
    def ends(self) -> tuple[tuple[str, Vec3], tuple[str, Vec3]]:
        """Body and point (m) of both ends."""
        return (self.body_i, self.point_i), (self.body_j, self.point_j)

    @property
    def between(self) -> dict[str, Any]:
        """The fields of a joint or force element of its name between its two points."""
        return {field: getattr(self, field) for field in ("name", "body_i", "point_i", "body_j", "point_j")}

    @property
    def own_length(self) -> float | None:
        """The distance of its points (m) at which it has no force, when its fields say; None for that on straight level
        track."""
        return getattr(self, "length", None)

    def parts(self, ends: tuple[DrawnEnd, DrawnEnd], length: float) -> Parts:
        """What it is made of; length (m): the distance of its points at which it has no force."""
        raise NotImplementedError

    def force(self, run: Readings, line: Array) -> Array:
        """Its force (n,) N in a run, tension positive; line (n, 3) m: from its first point to the second."""
        return run.load(self.name)

    def inner(self, run: Readings) -> Array | None:
        """What moves inside in a run (n, k), the columns as its type names them; None when nothing does."""
        return None

    def plays(self, extension: Array, ends: tuple[EndPose, EndPose], inner: Array | None) -> list[Play]:
        """Its free plays in a run; extension (n,) m: of the distance of its points, beyond its length."""
        return []

    def folded(self, ends: tuple[EndPose, EndPose], inner: Array | None) -> Array | None:
        """How far its ends have passed one another (n,) m in a run, negative as long as they have not; None where
        nothing can."""
        return None

    @property
    def buckling_push(self) -> float | None:
        """The push (N) at which it buckles where its equations alone do not show that; None when they do."""
        return None

    def law_curves(self) -> tuple[LawCurve, ...]:
        """Force over travel, tension positive; empty where there is no such thing."""
        return ()

    def side_view(self, a: Array, b: Array) -> list[Shape]:
        """How it is drawn from the side between its points a and b (2,) m, which are apart."""
        return [Shape("bar", self.name, np.array([a, b])), *self.pins(a, b)]

    def pins(self, *places: Array) -> list[Shape]:
        """Balls at places (2,) m of a side view."""
        return [Shape("bar", self.name, position[None], 0.06) for position in places]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What it is made of in the scene."""
        return (Piece("rod", "steel"), BALL, BALL)

    def places(self, ends: tuple[EndPose, EndPose], inner: Array | None) -> tuple[Stretched | Standing, ...]:
        """Where its `pieces` are at an instant; inner (k,): what moves inside, as drawn without."""
        a, b = (end.point for end in ends)
        return Stretched(a, b, WIDE), Standing(a, np.eye(3)), Standing(b, np.eye(3))


BALL = Piece("ball", "steel", (1.6 * WIDE,) * 3)


@dataclass(frozen=True)
class CouplingType:
    """A kind of coupling: its model, what it is called, what moves inside it, and fields of a new one where the library
    has none of the kind."""

    model: type[CouplingBase]
    word: str
    inner: tuple[Inner, ...] = ()
    added: Mapping[str, Any] = field(default_factory=dict)
    icon: str = "force-coupler"

    @property
    def kind(self) -> str:
        """The literal that stands for the kind in files."""
        return str(self.model.model_fields["kind"].default)


def fields_of(coupling: Any, model: type[Frozen]) -> dict[str, Any]:
    """The fields of a part that a coupling has itself, such as those of a gear."""
    return {name: getattr(coupling, name) for name in model.model_fields}


def vector(value: Array) -> Vec3:
    """An array (3,) as a field of a description."""
    x, y, z = (float(v) + 0.0 for v in value)
    return (x, y, z)
