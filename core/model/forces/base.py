"""What every type of force element declares; each has one file in this folder.

A type's file holds its description (a pydantic class whose fields say their title, unit, help and limits), its law if
no common one fits, and TYPE, an `ElementType`. Everything else of the program - checks, editors, plots, report,
schema - follows from these; no other file needs to know the type (see `core.model.forces`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ...base.fields import described, references
from ...base.frozen import Frozen, Name
from ..functions import TimeFunction
from ..joints import TYPES as JOINTS
from ..joints.base import ActsIn
from ..laws import COLUMNS, ROWS, F, Law

# Where a type acts, and the coordinates it has there (see core.multibody.force_kernels):
#   points  two points of bodies; their distance
#   joint   the coordinate of a joint: about its axis, along it, or all three of a ball
#   line    points of bodies in a row; their distances from one another, and angles by which the line turns at them
#   frames  two frames of bodies; displacement and rotation vector of the second against the first, six in all
#   body    the speed of a body's centre of mass
#   load    a point of a body; no coordinate: three functions of time are force or torque
#   guide   the force between body and path, and the speed along the path as its rate
#   surfaces  those of bodies, of groups of bodies or of the ground, pair by pair; depth along their common normal
Place = Literal["points", "line", "joint", "frames", "body", "load", "guide", "surfaces"]
Geometry = Literal["distance", "angle", "slide", "turn", "frame", "line", "speed", "load", "path", "gap"]
ALONE: dict[Place, Geometry] = {
    "points": "distance", "line": "line", "frames": "frame", "body": "speed", "load": "load", "guide": "path",
    "surfaces": "gap",
}  # fmt: skip


class ForceElement(Frozen):
    """The base of all force elements; `kind` is a literal of every type."""

    kind: str
    name: Name = described(..., "Name", "What the element is called.")
    enabled: bool = described(True, "Enabled", "Disabled, it stays in the model without effect.")

    @property
    def axial_inertia(self) -> float:
        """What turns with the joint it acts in, kg m^2 about the axis."""
        return 0.0

    @property
    def air(self) -> tuple[float, bool] | None:
        """Of a "load" whose functions of time are the velocity of the air: half of density times drag area (kg/m), and
        whether the motion of the body is left out."""
        return None


@dataclass(frozen=True)
class Use:
    """A law as one element uses it: parameters, where its coordinate counts from (`origin`), number of borders at which
    steps end, function of time, what memory starts with (zeros unless given), and whether the rates of its internal
    unknowns do not occur although the law's may; bears: push (N) at
    which its internal parts buckle, and safe: the one from which on this is looked at;
    guess: from its coordinates where to look for internal unknowns at rest; internal: how many of the unknowns that
    its law may have; drawn: of a line, its parameters from the lengths (m) of its segments as drawn."""

    law: Law
    parameters: tuple[float, ...] = ()
    origin: float = 0.0
    levels: int = 0
    function: TimeFunction | None = None
    memory: tuple[float, ...] = ()
    algebraic: bool = False
    safe: float = 0.0
    bears: float = 0.0
    guess: Callable[[Sequence[float]], Sequence[float]] | None = None
    internal: int | None = None
    drawn: Callable[[Sequence[float]], tuple[float, ...]] | None = None

    @property
    def unknowns(self) -> int:
        """How many internal unknowns the element has."""
        return self.law.internal if self.internal is None else self.internal


def drawn_load(use: Use, x: Sequence[float]) -> tuple[float, ...]:
    """The load (N or N m) of a law at rest at the coordinates x (m or rad, from the element's origin), at the start.

    For checks of what is drawn. Empty where internal unknowns or a function of time have a say.
    """
    law = use.law
    if law.internal or law.active:
        return ()
    p = np.array(use.parameters, dtype=np.float64)
    m = np.array(use.memory or (0.0,) * law.memory, dtype=np.float64)
    if not law.wide:
        return (float(law.evaluate(p, x[0], 0.0, m, 0.0)[0]),)
    out, none = np.zeros((ROWS, COLUMNS)), np.zeros(0)
    law.evaluate(p, np.array(x), np.zeros(len(x)), none, none, m, 0.0, out)
    return tuple(out[: len(x), F].tolist())


@dataclass(frozen=True)
class Output:
    """A result of an element: its word and SI unit."""

    word: str
    unit: str


@dataclass(frozen=True)
class Mark:
    """How an element is drawn: "coil", "damper", "stop", "arrow", "turn", "wind", "wheel", "strap" or "block"."""

    kind: str
    tone: str = "force"


SAG = 0.05  # m, what a new spring gives under the weight that it carries: chosen
CRITICAL = 0.3  # share of critical damping of a new damper: chosen
FIRST_GRAVITY = 9.81  # m/s^2, with which new elements are sized


@dataclass(frozen=True)
class Sizing:
    """What a new element is sized for.

    resists: mass (kg) that its coordinate moves, or moment of inertia (kg m^2) where that is an angle; turning: moment
    of inertia (kg m^2) that turns between its two bodies; length: between its points (m) as drawn.
    """

    resists: float
    turning: float = 0.0
    length: float = 0.0

    def stiffness(self, sag: float = SAG, *, turning: bool = False) -> float:
        """Of a spring that gives `sag` (m) under the weight (N/m); about an axis of the same frequency (N m/rad)."""
        return _rounded((self.turning if turning else self.resists) * FIRST_GRAVITY / sag)

    def damping(self, sag: float = SAG, *, turning: bool = False) -> float:
        """Beside such a spring, 0.3 of critical: N s/m, N m s/rad about an axis."""
        what = self.turning if turning else self.resists
        return _rounded(2.0 * CRITICAL * what * math.sqrt(FIRST_GRAVITY / sag))

    @property
    def weight(self) -> float:
        """N."""
        return _rounded(self.resists * FIRST_GRAVITY)


def _rounded(value: float) -> float:
    """To three figures: nobody takes a first value for one that was reckoned further."""
    return float(f"{value:.3g}")


@dataclass(frozen=True)
class ElementType:
    """A type of force element.

    word: what it is called; place: where it acts; law: (element, geometry) -> `Use`, None for loads; acts_in: in joints
    with which of these coordinates (`JointType.acts_in`); outputs: coordinate and load (in a joint that slides:
    `sliding`); events: what the crossing of a level is called upwards and downwards, empty when it is none; added:
    fields of a new element beside its name and what it acts on; sized: those that follow from what it is between, made
    of a `Sizing`. leaves: how far (rad or m, from the drawn pose) it lets the joint that it acts in go, both ends the
    same where it only draws it back there. slows: the field by which it slows a vehicle on its way, a share of the
    force on a guide or a drag area, with the first parameter of its law as the factor. A "load" has three functions of
    time, `components`, in `axes`; it is a force if it has a `point`.
    """

    model: type[ForceElement]
    word: str
    place: Place
    law: Callable[[Any, Geometry], Use] | None
    icon: str
    mark: Mark
    outputs: tuple[Output, Output] | tuple[()] = ()
    sliding: tuple[Output, Output] | None = None
    acts_in: tuple[ActsIn, ...] = ()
    events: tuple[str, str] | tuple[()] = ()
    added: dict[str, Any] = field(default_factory=dict)
    sized: Callable[[Sizing], dict[str, Any]] | None = None
    leaves: Callable[[Any], tuple[float, float]] | None = None
    slows: str = ""

    @property
    def kind(self) -> str:
        """The literal that stands for the type in files."""
        return str(self.model.model_fields["kind"].default)

    def geometry(self, joint: str = "") -> Geometry:
        """The geometry of an element of the type, in a joint of a kind where it acts in one."""
        if self.place != "joint":
            return ALONE[self.place]
        found = JOINTS[joint].acts_in
        assert found is not None
        return found

    def fits(self, joint: str) -> bool:
        """Whether an element of the type can act in a joint of a kind."""
        return JOINTS[joint].acts_in in self.acts_in

    def shown(self, geometry: Geometry) -> tuple[Output, ...]:
        """Coordinate and load of an element in a geometry; none where it has no outputs."""
        return self.sliding if geometry == "slide" and self.sliding is not None else self.outputs

    def bodies(self) -> tuple[str, ...]:
        """Fields that name bodies."""
        return references(self.model, "body")


LENGTH = (Output("length", "m"), Output("force", "N"))
ANGLE = (Output("angle", "rad"), Output("moment", "N m"))
TRAVEL = (Output("travel", "m"), Output("force", "N"))
SEGMENT = "segment {}"  # behind the name of what acts along a line: its rows, from 1
# The rows of two frames: displacements along the axes of the first, then rotations about them.
COMPONENTS: dict[str, tuple[Output, Output]] = {
    **{axis: (Output("displacement", "m"), Output("force", "N")) for axis in "xyz"},
    **{f"about {axis}": (Output("rotation", "rad"), Output("moment", "N m")) for axis in "xyz"},
}
