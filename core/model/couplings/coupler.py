"""Railway coupler between two cars, without the mass of its parts or with it.

Without: one coupler element with internal unknowns. With: a block and a shank in each car, prismatic and pin joints,
gears, pin springs and a knuckle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from pydantic import model_validator

from ...base.arrays import Array
from ...base.fields import described
from ..bodies import Body, Mass, Moment
from ..forces import Force
from ..forces.bushing import Bushing
from ..forces.coupler import Coupler, CouplerEnd, CouplerParts, Rates, buckling_push
from ..forces.draft_gear import DraftGear
from ..forces.gear import Gear
from ..forces.rotational_spring import RotationalSpring
from ..joints import Joint
from ..law_curves import LawCurve, gear_curves, row_curve
from ..shapes import Piece, Shape, Standing, Stretched
from .base import (
    SIDES,
    WIDE,
    CarPart,
    CouplingBase,
    CouplingType,
    DrawnEnd,
    EndPose,
    Inner,
    Parts,
    Play,
    Readings,
    fields_of,
    vector,
)

LINE = 1.0  # m, by which the line of a draft gear is drawn longer, so that it has a direction at any travel
BLOCK, SHANK = "Block", "Shank"
HEAD = 0.09  # m, half the length of a head


class CarCoupler(CouplingBase, CouplerParts):
    """A railway coupler after Massa et al. 2012: blocks that slide in the cars, pinned shanks, a knuckle.

    inertia: with four more bodies, block and shank of either end, in prismatic and pin joints; without it the parts
    have no mass (see `core.model.forces.coupler`). block_mass and shank_mass kg; shank_inertia kg m^2 about the
    vertical through the shank's centre of mass, half way between pin and knuckle (the paper does not say about which
    point; a slender rod of 140 kg and 0.8 m has 7.5). The block cannot turn against its car; it has the moments of a
    cube.
    """

    kind: Literal["coupler"] = "coupler"
    inertia: bool = described(
        False, "Mass of the parts", "With the mass of blocks and shanks, as four more bodies, or without."
    )
    block_mass: Mass = described(
        50.0, "Mass of a block", "Of each sliding block.", unit="kg", when={"inertia": (True,)}
    )
    shank_mass: Mass = described(
        140.0, "Mass of a shank", "Of each shank.", unit="kg", when={"inertia": (True,)}
    )
    shank_inertia: Moment = described(
        8.0, "Moment of inertia of a shank", "About the vertical through its centre of mass.", unit="kg m^2",
        when={"inertia": (True,)},
    )  # fmt: skip
    rates: Rates = "equilibrium"

    @model_validator(mode="after")
    def _holds(self) -> CarCoupler:
        for what, end in (("first", self.end_i), ("second", self.end_j)):
            if not end.yields:
                raise ValueError(
                    f"coupling '{self.name}': the gear of its {what} end has zero stiffness everywhere and holds"
                    " nothing; give it one"
                )
        return self

    @property
    def own_length(self) -> float:
        return self.free_length

    @property
    def _ends(self) -> tuple[CouplerEnd, CouplerEnd]:
        return self.end_i, self.end_j

    # -- what it is made of

    def parts(self, ends: tuple[DrawnEnd, DrawnEnd], length: float) -> Parts:
        if self.inertia:
            return self._with_mass(ends)
        own = fields_of(self, CouplerParts)
        axes: dict[str, Any] = {"orientation": ends[0].axes, "orientation_j": ends[1].axes}
        return Parts(forces=(Coupler(**self.between, **axes, rates=self.rates, **own),))

    def _springs(self) -> Iterator[tuple[str, str]]:
        """Names of the gear and of the pin's spring of each end."""
        for side in SIDES:
            yield f"{self.name} gear {side}", f"{self.name} shank {side}"

    def _with_mass(self, ends: tuple[DrawnEnd, DrawnEnd]) -> Parts:
        joints: list[Joint] = []
        forces: list[Force] = []
        for tag, at, end, (gear, spring) in zip(SIDES, ends, self._ends, self._springs(), strict=True):
            # towards the other car, in the axes of the body
            to = vector(at.rotation.T @ at.towards)
            prefix, half = f"{at.car}/{self.name}", 0.5 * end.shank_length
            block, shank = f"{prefix}/{BLOCK}", f"{prefix}/{SHANK}"
            joints += [
                Joint(
                    name=f"{self.name} slide {tag}", kind="prismatic", body_i=at.body, point_i=at.point, axis_i=to,
                    body_j=block, axis_j=(1.0, 0.0, 0.0),
                ),
                Joint(
                    name=f"{self.name} pin {tag}", kind="revolute", body_i=block, axis_i=(0.0, 0.0, 1.0),
                    body_j=shank, point_j=(-half, 0.0, 0.0), axis_j=(0.0, 0.0, 1.0),
                ),
            ]  # fmt: skip
            behind = vector(np.array(at.point) - LINE * np.array(to))
            forces += [
                DraftGear(
                    name=gear, body_i=at.body, point_i=behind, body_j=block, free_length=LINE + end.rest_length,
                    **fields_of(end, Gear),
                ),
                RotationalSpring(
                    name=spring, joint=f"{self.name} pin {tag}", stiffness=end.shank_stiffness,
                    damping=end.shank_damping,
                ),
            ]  # fmt: skip
        forces.append(self._knuckle(ends))
        bodies = tuple(self._bodies(at, end) for at, end in zip(ends, self._ends, strict=True))
        return Parts(tuple(joints), tuple(forces), bodies)

    def _knuckle(self, ends: tuple[DrawnEnd, DrawnEnd]) -> Force:
        at: dict[str, Any] = {}
        for tag, there, end in zip(SIDES, ends, self._ends, strict=True):
            at[f"body_{tag}"] = f"{there.car}/{self.name}/{SHANK}"
            at[f"point_{tag}"] = (0.5 * end.shank_length, 0.0, 0.0)
        if self.knuckle_length > 0.0 or self.knuckle_slack > 0.0:
            gear = fields_of(self.knuckle, Gear)
            return DraftGear(name=self.name, free_length=self.knuckle_length, **at, **gear)
        k, c = self.knuckle_stiffness, self.knuckle_damping
        matrices: dict[str, Any] = {
            field: tuple(tuple(value * (r == s) * (r < 3) for s in range(6)) for r in range(6))
            for field, value in (("stiffness", k), ("damping", c))
        }
        return Bushing(name=self.name, **matrices, **at)

    def _bodies(self, at: DrawnEnd, end: CouplerEnd) -> CarPart:
        """Block and shank of an end, at its attachment, x towards the other car."""
        a, cube = end.shank_angle, self.block_mass * 0.02
        middle = 0.5 * end.shank_length
        shank = Body(
            name=SHANK, mass=self.shank_mass, inertia=(0.05 * self.shank_inertia, *(self.shank_inertia,) * 2),
            position=(end.rest_length + middle * np.cos(a), middle * np.sin(a), 0.0),
            orientation=(np.cos(0.5 * a), 0.0, 0.0, np.sin(0.5 * a)),
        )  # fmt: skip
        block = Body(
            name=BLOCK, mass=self.block_mass, inertia=(cube,) * 3, position=(end.rest_length, 0.0, 0.0)
        )
        return CarPart(at.car, vector(at.in_car), at.forward, (block, shank))

    # -- what a run tells

    def force(self, run: Readings, line: Array) -> Array:
        """That of its knuckle."""
        if run.has(self.name):
            return run.load(self.name)
        pull = np.stack([run.load(f"{self.name} {axis}") for axis in "xyz"], axis=1)
        return np.asarray(np.copysign(np.linalg.norm(pull, axis=1), pull[:, 0]))

    def inner(self, run: Readings) -> Array:
        """Travel (m) and angle (rad) of block and shank at the first end, then at the second."""
        if not self.inertia:
            return run.internal(self.name)
        out = []
        for (gear, spring), end in zip(self._springs(), self._ends, strict=True):
            out += [run.coordinate(gear), run.coordinate(spring) + end.shank_angle]
        return np.stack(out, axis=1)

    def plays(self, extension: Array, ends: tuple[EndPose, EndPose], inner: Array | None) -> list[Play]:
        assert inner is not None
        found = []
        if self.knuckle_slack > 0.0:
            found.append(Play(self.knuckle_slack, self._gap(ends, inner)))
        own = enumerate(self._ends)
        return [*found, *(Play(end.slack, inner[:, 2 * k]) for k, end in own if end.slack > 0.0)]

    def folded(self, ends: tuple[EndPose, EndPose], inner: Array | None) -> Array | None:
        """The knuckle is a bar between the tips of the shanks: one that stands across a shank has folded."""
        if not self.knuckle_length > self.knuckle_slack:
            return None
        assert inner is not None
        (first, one), (second, other) = self._tips(ends, inner)
        line = second - first
        along = np.einsum("ni,ni->n", line, one), -np.einsum("ni,ni->n", line, other)
        return np.asarray(-np.minimum(*along))

    def _gap(self, ends: tuple[EndPose, EndPose], inner: Array) -> Array:
        """How far the heads are apart (n,) m beyond the knuckle's length."""
        (first, _), (second, _) = self._tips(ends, inner)
        return np.asarray(np.linalg.norm(second - first, axis=1) - self.knuckle_length)

    def _tips(self, ends: tuple[EndPose, EndPose], inner: Array) -> list[tuple[Array, Array]]:
        """Where the tip of the shank of each end is (n, 3) m, and the direction (n, 3) of that shank."""
        return [self._shank(k, pose, inner[:, 2 * k], inner[:, 2 * k + 1])[1:] for k, pose in enumerate(ends)]

    def _shank(self, k: int, pose: EndPose, travel: Any, angle: Any) -> tuple[Array, Array, Array]:
        """Where block and tip of the shank of an end are (..., 3) m, and the direction of the shank."""
        end, axes = self._ends[k], pose.outwards if k else pose.axes
        x, y = axes[..., 0], axes[..., 1]
        block = pose.point + np.asarray(end.rest_length + travel)[..., None] * x
        along = np.cos(angle)[..., None] * x + np.sin(angle)[..., None] * y
        return block, block + end.shank_length * along, along

    @property
    def buckling_push(self) -> float | None:
        """With mass and nothing that pushes it aside it stands straight at any load."""
        return buckling_push(self) if self.inertia else None

    # -- how it is drawn

    def law_curves(self) -> tuple[LawCurve, ...]:
        """Its ends, its knuckle, and all of it, the parts one behind the other at rest."""
        ends = self._ends
        same = ends[0] == ends[1]
        parts = [(ends[0], "Ends" if same else "First end"), *([] if same else [(ends[1], "Second end")])]
        curves = [curve for gear, name in parts for curve in gear_curves(gear, name)]
        maximum = max(float(np.abs(curve.force).max()) for curve in curves)
        reach = self.knuckle.slack + 1.05 * maximum / self.knuckle.stiffness
        gears = ((ends[0], None), (ends[1], None), (self.knuckle, reach))
        return (*curves, *gear_curves(self.knuckle, "Knuckle", reach), row_curve("All of it", gears, maximum))

    def side_view(self, a: Array, b: Array) -> list[Shape]:
        along = (b - a) / float(np.linalg.norm(b - a))
        shapes = []
        for end, foot, way in ((self.end_i, a, along), (self.end_j, b, -along)):
            pin = foot + end.rest_length * way
            tip = pin + end.shank_length * np.cos(end.shank_angle) * way
            across = np.array([-way[1], way[0]])
            corners = [foot + 0.12 * across, pin + 0.12 * across, pin - 0.12 * across, foot - 0.12 * across]
            shapes.append(Shape("block", self.name, np.array(corners), closed=True))
            shapes.append(Shape("shank", self.name, np.array([pin, tip])))
            shapes.append(Shape("head", self.name, tip[None], HEAD))
        return shapes

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Of either end the guide of the block, the block, the shank and the head."""
        return (
            Piece("rod", "steel", (1.0, 0.8, 0.8)), Piece("box", "steel", (0.12, 0.11, 0.11)), Piece("rod", "yellow"),
            Piece("box", "yellow", (HEAD, 0.1, 0.12)),
        ) * 2  # fmt: skip

    def places(self, ends: tuple[EndPose, EndPose], inner: Array | None) -> tuple[Stretched | Standing, ...]:
        if inner is None:
            inner = np.array([0.0, self.end_i.shank_angle, 0.0, self.end_j.shank_angle])
        made: list[Stretched | Standing] = []
        for k, pose in enumerate(ends):
            block, tip, along = self._shank(k, pose, inner[2 * k], inner[2 * k + 1])
            axes = pose.outwards if k else pose.axes
            turned = np.stack([along, np.cross(axes[:, 2], along), axes[:, 2]], axis=1)
            made += [
                Stretched(pose.point, block, WIDE), Standing(block, axes), Stretched(block, tip, WIDE),
                Standing(tip - HEAD * along, turned),
            ]  # fmt: skip
        return tuple(made)


TYPE = CouplingType(
    CarCoupler,
    "coupler",
    tuple(
        Inner(f"{what}_{side}", unit, said)
        for side in SIDES
        for what, unit, said in (
            ("travel", "m", "travel of the block, out of its car"),
            ("shank", "rad", "angle of the shank against its car"),
        )
    ),
)
