"""Mechanisms as files of MuJoCo: rigs and human bodies out as MJCF, mechanisms in from MJCF and URDF as read by it.

Out go names, masses, inertias, places, joints and the limits of hinges and slides; in come the same. What the other
side does not have is listed by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from ....base.arrays import Array
from ....base.errors import InputError
from ....base.frames import from_matrix, rotation_matrix
from ....base.frozen import Quat, Vec3
from ....model.assembly import Assembly
from ....model.bodies import GROUND, MIN_MASS, MIN_MOMENT, Body
from ....model.forces import Force
from ....model.forces.joint_stop import JointStop
from ....model.forces.rotational_spring import RotationalSpring
from ....model.joints import Joint
from ....project.project import Project
from ....project.scenario import Rig
from ...model import Link, Model, read_model
from ..base import EXTRA
from .mjcf import KINDS, Limits, Spring, mjcf, tree

STEP: Final = 1e-3  # s, that a file written here asks for
#: Of an end stop for a limit that came without a stiffness, N m/rad^1.5 or N/m^1.5: chosen.
STOP: Final = 1e4
ROUNDING: Final = 1e-12  # of the largest moment of inertia
SQUARE: Final = 1e-6  # rad


@dataclass(frozen=True)
class Exchanged:
    """A text or project that was made, and the names of what it does not hold, with why."""

    made: str | Project
    left_out: tuple[str, ...]


def export_mjcf(project: Project) -> Exchanged:
    """The mechanism of a project as an MJCF file, as drawn. Raises InputError for joints that MuJoCo does not have."""
    model = read_model(project)
    out: list[str] = []
    for link in model.links:
        if link.kind not in KINDS:
            raise InputError(f"Joint '{link.name}' is a {link.kind} joint, which MuJoCo does not have.")
    branches = tree(model)
    while isinstance(branches, Link):
        closing = branches
        out.append(f"joint '{closing.name}', which closes a loop")
        model = _without(model, closing)
        branches = tree(model)
    mechanism = project.mechanism
    assert mechanism is not None
    ranges: dict[str, Limits] = {}
    springs: dict[str, Spring] = {}
    for path, force in mechanism.every("force").items():
        joint = path.rpartition("/")[0]
        joint = f"{joint}/{force.joint}" if joint and hasattr(force, "joint") else getattr(force, "joint", "")
        if isinstance(force, JointStop) and force.enabled:
            ranges[joint] = (force.lower, force.upper)
        elif isinstance(force, RotationalSpring) and force.enabled and joint not in springs:
            springs[joint] = (force.stiffness, force.damping, force.free_angle)
        elif force.enabled:
            out.append(f"force element '{path}'")
    out += [f"guide '{one.name}'" for one in model.guided]
    out += [f"driver of '{link.name}'" for link in model.links if link.driven]
    out += [f"driver '{one.name}'" for one in model.steered]
    return Exchanged(mjcf(model, branches, STEP, ranges, springs), tuple(out))


def _without(model: Model, link: Link) -> Model:
    return replace(model, links=tuple(one for one in model.links if one is not link))


def import_mechanism(path: str | Path, key: str = "") -> Exchanged:
    """A mechanism from an MJCF or URDF file as a project with a test rig; key: the keyframe of the file whose pose it
    is drawn in.

    Raises InputError when MuJoCo is missing or cannot read the file, and for bodies and joints that a rig cannot have.
    """
    if find_spec("mujoco") is None:
        raise InputError(f"MuJoCo reads these files and is not installed; `{EXTRA}` installs it.")
    import mujoco as module

    mujoco: Any = module
    try:
        made: Any = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, OSError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: cannot be read as MJCF or URDF ({reason}).") from None
    pose = made.qpos0
    if key:
        number = mujoco.mj_name2id(made, mujoco.mjtObj.mjOBJ_KEY, key)
        if number < 0:
            keys = (mujoco.mj_id2name(made, mujoco.mjtObj.mjOBJ_KEY, k) for k in range(made.nkey))
            there = ", ".join(filter(None, keys)) or "none"
            raise InputError(f"{path}: has no keyframe '{key}'; those of the file: {there}.")
        pose = made.key_qpos[number]
    return _Reader(mujoco, made, pose, Path(path)).project()


def _posed(mujoco: Any, made: Any, pose: Array) -> Any:
    data = mujoco.MjData(made)
    data.qpos[:] = pose
    mujoco.mj_kinematics(made, data)
    mujoco.mj_comPos(made, data)
    return data


class _Reader:
    """A compiled model of MuJoCo on its way to a test rig."""

    def __init__(self, mujoco: Any, made: Any, pose: Array, path: Path) -> None:
        self.mujoco, self.made, self.path = mujoco, made, path
        self.data, self.zero = (_posed(mujoco, made, one) for one in (pose, made.qpos0))
        self.names: dict[int, str] = {0: GROUND}
        self.holders: dict[int, int] = {0: 0}
        self.left_out: list[str] = []

    def project(self) -> Exchanged:
        bodies: list[Body] = []
        joints: list[Joint] = []
        forces: list[Force] = []
        for number in range(1, self.made.nbody):
            holder = self.holders[int(self.made.body_parentid[number])]
            if self.made.body_mass[number] < MIN_MASS:
                if self.made.body_jntnum[number]:
                    raise InputError(
                        f"{self.path}: body '{self._name(number)}' moves and has no mass; give it an inertial."
                    )
                self.holders[number] = holder  # a frame on its parent
                continue
            self.names[number], self.holders[number] = self._free(self._name(number)), number
            bodies.append(self._body(number))
            self._join(number, holder, joints, forces)
        if not bodies:
            raise InputError(f"{self.path}: has no body with a mass.")
        counts = {"equality constraint": "neq", "tendon": "ntendon", "actuator": "nu"}
        self.left_out += [
            f"{getattr(self.made, n)} {what}{'s' if getattr(self.made, n) > 1 else ''}"
            for what, n in counts.items()
            if getattr(self.made, n)
        ]
        top = Assembly(
            name="Rig", role="rig", description=f"From {self.path.name}.", bodies=tuple(bodies),
            joints=tuple(joints), forces=tuple(forces),
        )  # fmt: skip
        gravity = _vec(self.made.opt.gravity)
        project = Project(name=self.path.stem, gravity=gravity, scenario=Rig(assembly=top))
        return Exchanged(project, tuple(self.left_out))

    def _name(self, number: int) -> str:
        found = self.mujoco.mj_id2name(self.made, self.mujoco.mjtObj.mjOBJ_BODY, number) or f"Body {number}"
        return str(found).replace("/", " ")[:100]

    def _free(self, name: str) -> str:
        """The name, or with a mark behind it where a body before has it."""
        while name in self.names.values():
            name += "'"
        return name

    def _axes(self, number: int) -> Array:
        out: Array = np.array(self.data.xmat[number]).reshape(3, 3)
        return out

    def _body(self, number: int) -> Body:
        turn = rotation_matrix(self.made.body_iquat[number])
        tensor = turn @ np.diag(self.made.body_inertia[number]) @ turn.T
        products = np.array([-tensor[0, 1], -tensor[0, 2], -tensor[1, 2]])
        products[np.abs(products) < ROUNDING * np.abs(tensor).max()] = 0.0
        moments = np.maximum(np.diag(tensor), MIN_MOMENT)
        return Body(
            name=self.names[number], mass=float(self.made.body_mass[number]), inertia=_vec(moments),
            products=_vec(products), position=_vec(self.data.xipos[number]),
            orientation=_quat(self._axes(number)), part=f"body '{self._name(number)}' of {self.path.name}",
        )  # fmt: skip

    def _join(self, number: int, holder: int, joints: list[Joint], forces: list[Force]) -> None:
        first, count = int(self.made.body_jntadr[number]), int(self.made.body_jntnum[number])
        own = list(range(first, first + count))
        kinds = [int(self.made.jnt_type[k]) for k in own]
        free, ball, slide, hinge = (int(getattr(self.mujoco.mjtJoint, f"mjJNT_{k}")) for k in
                                    ("FREE", "BALL", "SLIDE", "HINGE"))  # fmt: skip
        if kinds == [free]:
            return
        name = self.names[number]
        given: dict[str, Any] = {"body_i": self.names[holder], "body_j": name}
        axes = [np.array(self.data.xaxis[k]) for k in own]
        at = np.array(self.data.xanchor[own[0]]) if own else np.array(self.data.xipos[number])
        together = all(np.linalg.norm(self.data.xanchor[k] - at) < 1e-9 for k in own)
        square = [
            np.array(self.zero.xaxis[k]) for k in own
        ]  # turned, the axes of three hinges are square no more
        across = np.array([[abs(float(a @ b)) for a in square] for b in square]) - np.eye(len(axes))
        if not kinds:
            kind = "rigid"
        elif kinds in ([hinge], [slide]):
            kind = "revolute" if kinds == [hinge] else "prismatic"
        elif kinds == [ball] or (kinds == [hinge] * 3 and together and across.max() < SQUARE):
            kind = "spherical"
        elif kinds == [hinge] * 2 and together and across.max() < SQUARE:
            kind = "universal"
        elif sorted(kinds) == sorted([slide, hinge]) and together and across.max() > 1.0 - SQUARE**2:
            kind = "cylindrical"
        else:
            raise InputError(
                f"{self.path}: the {count} joints of body '{self._name(number)}' are no joint that a rig has; take a"
                " hinge, a slide, both along one axis, two or three hinges square in one point, or a ball."
            )
        if kind == "spherical" and kinds != [ball]:
            self.left_out.append(f"the three hinges of '{name}', which are one ball")
        if kind in ("revolute", "prismatic", "cylindrical", "universal"):
            given |= {
                "axis_i": self._seen(holder, axes[0]), "axis_j": self._seen(number, axes[-1])
            }  # fmt: skip
        joint = self._joint_name(own, name, joints)
        joints.append(
            Joint(
                name=joint, kind=kind, point_i=self._place(holder, at), point_j=self._place(number, at), **given
            )
        )  # fmt: skip
        for k in own:
            self._limit(k, joint, kind, forces)

    def _joint_name(self, own: list[int], body: str, joints: list[Joint]) -> str:
        """That of the one joint in the file, else the body's; with a mark where a joint before has it."""
        found = None
        if len(own) == 1:
            found = self.mujoco.mj_id2name(self.made, self.mujoco.mjtObj.mjOBJ_JOINT, own[0])
        name = str(found or body).replace("/", " ")[:100]
        while any(one.name == name for one in joints):
            name += "'"
        return name

    def _limit(self, k: int, joint: str, kind: str, forces: list[Force]) -> None:
        """The range, stiffness and damping of a joint as force elements, where a rig has them for its kind."""
        single, at = kind in ("revolute", "prismatic"), self.made.jnt_qposadr[k]
        drawn = float(self.data.qpos[at] - self.made.qpos0[at]) if single else 0.0
        if self.made.jnt_limited[k]:
            low, high = (float(v) - drawn for v in self.made.jnt_range[k])
            if single and low < high:
                forces.append(
                    JointStop(name=f"{joint} limit", joint=joint, lower=low, upper=high, stiffness=STOP)
                )
            else:
                self.left_out.append(f"the range of '{joint}', a {kind} joint")
        stiffness = float(np.max(self.made.jnt_stiffness[k]))
        damping = float(np.max(self.made.dof_damping[self.made.jnt_dofadr[k]]))
        if stiffness == 0.0 and damping == 0.0:
            return
        ball = int(self.made.jnt_type[k]) == int(self.mujoco.mjtJoint.mjJNT_BALL)
        if kind == "revolute" or ball:
            rest = 0.0 if ball else float(self.made.qpos_spring[at] - self.made.qpos0[at]) - drawn
            if ball and np.any(self.data.qpos[at : at + 4] != self.made.qpos0[at : at + 4]):
                self.left_out.append(f"where the spring in '{joint}' is at rest: it is as the body is drawn")
            forces.append(
                RotationalSpring(
                    name=f"{joint} spring", joint=joint, stiffness=stiffness, damping=damping, free_angle=rest
                )
            )
        else:
            self.left_out.append(f"stiffness and damping of '{joint}', a {kind} joint")

    def _place(self, number: int, point: Array) -> Vec3:
        """A point of the world (m) from the centre of a body, in its axes."""
        return _vec(self._axes(number).T @ (point - self.data.xipos[number]) if number else point)

    def _seen(self, number: int, axis: Array) -> Vec3:
        return _vec(self._axes(number).T @ axis if number else axis)


def _vec(values: Any) -> Vec3:
    a, b, c = (float(v) + 0.0 for v in values)
    return a, b, c


def _quat(axes: Array) -> Quat:
    a, b, c, d = (float(v) for v in from_matrix(axes))
    return a, b, c, d
