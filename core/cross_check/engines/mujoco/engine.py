"""A model as MuJoCo has it, and its ride."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from ....base.arrays import Array
from ....base.errors import InputError
from ....base.frames import rotation_matrix
from ...acting import Acting, Actor, Moving, acting_element, acting_load, why_not
from ...model import Element, Link, Model, Steered
from ...touching import Touching
from ..base import Masses, OtherRun
from .mjcf import KINDS, Branch, joints_of, mjcf, tree


class Mujoco:
    """The engine; see `..base.Engine`."""

    name = "mujoco"
    bends = False

    def available(self) -> bool:
        return find_spec("mujoco") is not None

    def why_not_element(self, element: Element) -> str:
        return why_not(element)

    def why_not_link(self, link: Link) -> str:
        if link.kind not in KINDS:
            return "MuJoCo has no such joint that does not give way"
        return "MuJoCo holds a prescribed motion only softly" if link.driven else ""

    def why_not_steered(self, steered: Steered) -> str:
        return "MuJoCo holds a prescribed motion only softly"

    def why_not_model(self, model: Model) -> str:
        if model.guided:
            return "it follows a curve, for which MuJoCo has no joint"
        closing = tree(model)
        if isinstance(closing, Link):
            return f"its joint '{closing.name}' closes a loop, which MuJoCo holds only softly"
        return ""

    def ride(self, model: Model, step: float, instants: Array) -> OtherRun:
        import mujoco as module

        mujoco: Any = module  # its stubs are as new as itself
        branches = tree(model)
        assert isinstance(branches, tuple)
        try:
            made: Any = mujoco.MjModel.from_xml_string(mjcf(model, branches, step))
        except ValueError as error:
            raise InputError(f"MuJoCo cannot have this model: {error}") from error
        ride = _Ride(mujoco, model, made, branches)
        parts = max(1, round(float(instants[1] - instants[0]) / step))
        try:
            mujoco.set_mjcb_passive(ride.act)
            ride.begin()
            ride.keep()
            for _ in instants[1:]:
                for _ in range(parts):
                    mujoco.mj_step(made, ride.data)
                    ride.accept()
                ride.keep()
        finally:
            mujoco.set_mjcb_passive(None)
        if not all(np.isfinite(one).all() for one in ride.kept[-1]):
            raise InputError(f"MuJoCo does not get through this ride with steps of {step:.3g} s.")
        position, axes, velocity, omega, acceleration, alpha, forces = (
            np.array(one) for one in zip(*ride.kept, strict=True)
        )
        return OtherRun(
            time=instants, position=position, axes=axes, velocity=velocity, angular_velocity=omega,
            masses=_masses(model, made, ride.numbers), step=step, version=f"MuJoCo {mujoco.__version__}",
            acceleration=acceleration, angular_acceleration=alpha,
            forces={link.name: forces[:, k] for k, link in enumerate(ride.links)},
            loads={name: np.array(ride.loads)[:, k] for k, name in enumerate(ride.rows)},
        )  # fmt: skip


class _Ride:
    """A ride as it goes on: MuJoCo's data, and what is kept at the instants."""

    def __init__(self, mujoco: Any, model: Model, made: Any, branches: tuple[Branch, ...]) -> None:
        self.mujoco, self.model, self.made, self.branches = mujoco, model, made, branches
        self.data: Any = mujoco.MjData(made)
        self.numbers = [mujoco.mj_name2id(made, mujoco.mjtObj.mjOBJ_BODY, b.name) for b in model.bodies]
        self.actors: list[Actor] = [acting_element(element) for element in model.elements]
        self.actors += [Touching(touch) for touch in model.touching]
        self.actors += [acting_load(load) for load in model.loads]
        self.rows = [row for actor in self.actors for row in actor.rows]
        self.remembering = [actor for actor in self.actors if actor.remembers]
        self.links = [branch.link for branch in branches if branch.link is not None]
        self.kept: list[tuple[Array, ...]] = []
        self.loads: list[list[float]] = []
        self.last: list[float] = []

    def begin(self) -> None:
        """Set the speeds of the joints to those of the bodies at the start."""
        bodies = self.model.bodies
        for branch in self.branches:
            body = bodies[branch.body]
            spin = body.axes @ body.angular_velocity
            at = int(self.made.body_dofadr[self.numbers[branch.body]])
            if branch.link is None:
                self.data.qvel[at : at + 6] = [*body.velocity, *body.angular_velocity]
                continue
            base = None if branch.parent < 0 else bodies[branch.parent]
            carried = np.zeros(3) if base is None else base.axes @ base.angular_velocity
            relative = spin - carried
            joints = list(joints_of(branch))
            turning = [axis for kind, _, axis in joints if kind == "hinge"]
            if turning:
                lines = np.stack([body.axes @ axis for axis in turning], axis=1)
                rates = iter(np.linalg.lstsq(lines, relative, rcond=None)[0])
            for kind, point, axis in joints:
                if kind == "ball":
                    self.data.qvel[at : at + 3] = body.axes.T @ relative
                    at += 3
                    continue
                if kind == "hinge":
                    self.data.qvel[at] = next(rates)
                else:
                    here = body.position + body.axes @ point
                    moved = body.velocity + np.cross(spin, here - body.position)
                    if base is not None:
                        moved = moved - base.velocity - np.cross(carried, here - base.position)
                    self.data.qvel[at] = moved @ (body.axes @ axis)
                at += 1
        self.mujoco.mj_forward(self.made, self.data)

    def moving(self, data: Any) -> Moving:
        """Where bodies are and how they move, the ground last."""
        n = len(self.numbers)
        r, A = np.zeros((n + 1, 3)), np.zeros((n + 1, 3, 3))
        v, w = np.zeros((n + 1, 3)), np.zeros((n + 1, 3))
        A[n] = np.eye(3)
        r[:n], A[:n] = data.xpos[self.numbers], data.xmat[self.numbers].reshape(n, 3, 3)
        both, frame = np.zeros(6), self.mujoco.mjtObj.mjOBJ_XBODY
        for k, number in enumerate(self.numbers):
            self.mujoco.mj_objectVelocity(self.made, data, frame, number, both, 0)
            w[k], v[k] = both[:3], both[3:]
        return Moving(r, A, v, w)

    def _accelerations(self, data: Any) -> tuple[Array, Array]:
        """Of the bodies (n, 3) m/s^2, to which MuJoCo adds what gravity seems to be, and (n, 3) rad/s^2; in the
        world."""
        both, frame = np.zeros(6), self.mujoco.mjtObj.mjOBJ_XBODY
        linear, angular = (np.zeros((len(self.numbers), 3)) for _ in range(2))
        for k, number in enumerate(self.numbers):
            self.mujoco.mj_objectAcceleration(self.made, data, frame, number, both, 0)
            angular[k], linear[k] = both[:3], both[3:] + self.model.gravity
        return linear, angular

    def act(self, made: Any, data: Any) -> None:
        """What MuJoCo calls at every evaluation: put the forces of elements and loads on the bodies."""
        at = self.moving(data)
        n = len(self.numbers)
        out = Acting(np.zeros((n + 1, 3)), np.zeros((n + 1, 3)))
        self.last = [load for actor in self.actors for load in actor(at, out, data.time)]
        data.xfrc_applied[self.numbers, :3] = out.force[:n]
        data.xfrc_applied[self.numbers, 3:] = out.moment[:n]

    def accept(self) -> None:
        """Tell laws that remember accepted steps of the one that was made."""
        if self.remembering:
            self.mujoco.mj_forward(self.made, self.data)
            for actor in self.remembering:
                actor.accept()

    def keep(self) -> None:
        """Store the state of this instant, with accelerations and forces found anew for it."""
        data = self.data
        self.mujoco.mj_forward(self.made, data)
        self.mujoco.mj_rnePostConstraint(self.made, data)
        at = self.moving(data)
        forces = np.zeros((len(self.links), 3))
        inner = [branch for branch in self.branches if branch.link is not None]
        for k, branch in enumerate(inner):
            assert branch.link is not None
            by_parent = data.cfrc_int[self.numbers[branch.body], 3:]
            forces[k] = by_parent if branch.link.at.i == branch.body else -by_parent
        A = np.asarray(at.A)[:-1]
        omega = np.einsum("bji,bj->bi", A, np.asarray(at.w)[:-1])
        linear, angular = self._accelerations(data)
        alpha = np.einsum("bji,bj->bi", A, angular)
        self.kept.append((np.asarray(at.r)[:-1], A, np.asarray(at.v)[:-1], omega, linear, alpha, forces))
        self.loads.append(list(self.last))


def _masses(model: Model, made: Any, numbers: list[int]) -> Masses:
    """As MuJoCo has compiled them."""
    mass, inertia = {}, {}
    for body, number in zip(model.bodies, numbers, strict=True):
        R = rotation_matrix(made.body_iquat[number])
        mass[body.name] = float(made.body_mass[number])
        inertia[body.name] = R @ np.diag(made.body_inertia[number]) @ R.T
    return Masses(mass, inertia)


ENGINE = Mujoco()
