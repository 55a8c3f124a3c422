"""The same ride with flexible bodies rigid: the run whose interface forces static load cases are made of in practice.

A rigid body of the same mass, centre and inertia as drawn takes the place of a flexible one, with rigid joints where
its interfaces were (Blaauw, section 2). What bends no more can be held by more than holds it still; then the motion
does not say how the joints share what they carry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..model.assembly import Assembly
from ..model.bodies import GROUND, Body
from ..model.flexible import FlexibleBody
from ..model.joints import Joint
from ..model.placement import PlacedModel, joined, placed_model
from ..multibody.compile import compile_system
from ..project.project import Project, parse_project
from ..project.scenario import Ride
from ..results.results import Results
from ..run.simulate import simulate
from ..structure.floating import Floating


class InterfaceLoad(NamedTuple):
    """Force (n, 3) N and moment (n, 3) N m at the point of a joint that act on a body, in its axes, at times (n,) s;
    torque (n,) N m of the drives about the axis of the joint, which the moment contains."""

    time: Array
    force: Array
    moment: Array
    torque: Array


def interface_load(results: Results, joint: str, body: str) -> InterfaceLoad:
    """What acts on a body at a joint, at the stored instants, in the axes of that body.

    joint, body: paths; the body is one of the joint's two. What force elements do in the joint is contained, so that
    its axis carries the torque of motors and brakes; that of a driver is not stored and is left out. Raises InputError
    where the run has no such joint or the body is none of its.
    """
    description, holder = _joint(results, joint)
    ends = [_joined(holder, description[f"body_{side}"]) for side in "ij"]
    if body not in ends:
        raise InputError(f"joint '{joint}' joins '{ends[0]}' and '{ends[1]}', not '{body}'.")
    names = results.names
    sign = 1.0 if body == ends[0] else -1.0
    row = names.joints.index(joint)
    b = names.bodies.index(body)
    A = rotation_matrix(results.states.orientation[:, b])
    reaction = sign * results.states.reactions[:, row]
    force = np.einsum("nji,nj->ni", A, reaction[:, :3])
    moment = np.einsum("nji,nj->ni", A, reaction[:, 3:])
    axis = description.get("axis_i" if sign > 0.0 else "axis_j")
    torque = np.zeros(len(A))
    for name in _acting(results, joint):
        torque += results.states.spring_force[:, names.springs.index(name)]
    if axis is not None:
        a = np.asarray(axis, dtype=np.float64)
        moment = moment + sign * torque[:, None] * (a / np.linalg.norm(a))
    return InterfaceLoad(results.states.time, force, moment, -torque)


def _top(results: Results) -> dict[str, Any]:
    data = results.provenance.get("project") or {}
    return (data.get("scenario") or {}).get("assembly") or data.get("train") or {}


def _walk(assembly: dict[str, Any], prefix: str = "") -> Any:
    yield prefix, assembly
    for child in assembly.get("children", ()):
        yield from _walk(child, f"{prefix}{child['name']}/")


def _joint(results: Results, joint: str) -> tuple[dict[str, Any], str]:
    for prefix, assembly in _walk(_top(results)):
        for one in assembly.get("joints", ()):
            if prefix + one["name"] == joint and joint in results.names.joints:
                return one, prefix
    raise InputError(f"the run has no joint '{joint}'; there are {', '.join(results.names.joints)}.")


def _acting(results: Results, joint: str) -> list[str]:
    """Names of the force elements that act about the axis of a joint."""
    return [
        prefix + force["name"]
        for prefix, assembly in _walk(_top(results))
        for force in assembly.get("forces", ())
        if prefix + str(force.get("joint")) == joint and prefix + force["name"] in results.names.springs
    ]


def _joined(prefix: str, name: str) -> str:
    return name if name == "ground" else prefix + name


@dataclass(frozen=True)
class RigidRun:
    """A run with flexible bodies rigid. joints: of every interface, by body and node, the joint in its place; shared:
    names of constraint rows whose forces the motion leaves open, because bodies that do not bend are held by more than
    holds them."""

    results: Results
    joints: dict[tuple[str, str], str]
    shared: tuple[str, ...]

    def loads(self, body: str, node: str) -> Array:
        """Forces (N) and moments (N m) on a body at an interface (n, 6), in the body's axes. Raises InputError for one
        that was not rigid, or has no such interface."""
        if (body, node) not in self.joints:
            raise InputError(f"'{body}' was not rigid in this run, or has no interface at node '{node}'.")
        found = interface_load(self.results, self.joints[body, node], body)
        return np.hstack([found.force, found.moment])

    @property
    def words(self) -> str:
        """What there is to say against its forces, as one sentence; empty for nothing."""
        if not self.shared:
            return ""
        return (
            f"With its flexible bodies rigid the ride is held by {len(self.shared)} constraints more than hold it:"
            " how the interfaces share the forces is not known from the motion, and the load cases of the rigid run are"
            " one choice of many."
        )


def with_rigid(project: Project, bodies: Collection[str] | None = None) -> Project:
    """The project with flexible bodies (paths; by default all) as rigid ones of the same name, mass, centre and
    inertia, fixed to the bodies at their interfaces.

    Raises InputError where there is none of that name, and for what cannot be reduced.
    """
    known = _flexibles(project)
    wanted = list(known) if bodies is None else list(bodies)
    for name in wanted:
        if name not in known:
            there = ", ".join(f"'{one}'" for one in known) or "none"
            raise InputError(f"The project has no flexible body '{name}'; it has {there}.")
    if not wanted:
        raise InputError("The project has no flexible body that could be rigid.")
    top = project.assembly
    assert top is not None  # as it has flexible bodies
    made = {one.name: one.floating for one in compile_system(project).flexible}
    drawn = placed_model(top)

    def change(path: str, at: Assembly) -> Assembly:
        children = tuple(change(joined(path, child.name), child) for child in at.children)
        own = [one for one in at.flexibles if joined(path, one.name) in wanted]
        rigid = [_body(drawn, path, one, made[joined(path, one.name)]) for one in own]
        joints = [
            joint for one, body in zip(own, rigid, strict=True) for joint in _joints(drawn, path, one, body)
        ]
        return at.model_copy(
            update={
                "children": children,
                "bodies": (*at.bodies, *rigid),
                "joints": (*at.joints, *joints),
                "flexibles": tuple(one for one in at.flexibles if one not in own),
            }
        )

    whole = change("", top)
    if isinstance(project.scenario, Ride):
        data = {**dict(project), "train": whole}
    else:
        data = {**dict(project), "scenario": project.scenario.model_copy(update={"assembly": whole})}
    return Project.model_validate(data)


def rigid_run(
    results: Results,
    bodies: Collection[str] | None = None,
    *,
    should_stop: Callable[[], bool] | None = None,
) -> RigidRun:
    """Run the ride of some results again with flexible bodies rigid.

    Parameters
    ----------
    results
        Of a project with flexible bodies.
    bodies
        Their paths; by default all.
    should_stop
        Polled while it runs.

    Returns
    -------
    The run, and what the loads at the interfaces of the bodies that are rigid now are taken from.

    Raises
    ------
    InputError
        As `with_rigid`, and when that run ends early.
    """
    project = parse_project(results.provenance.get("project"), "the project stored with the run")
    known = _flexibles(project)
    try:
        rigid = simulate(with_rigid(project, bodies), should_stop=should_stop)
    except InputError as error:
        raise InputError(f"With its flexible bodies rigid the ride cannot be run: {error}") from None
    if not rigid.status.complete and rigid.status.name != results.status.name:
        raise InputError(
            f"With its flexible bodies rigid the ride ended early: {rigid.status.message} {rigid.status.advice}".strip()
        )
    joints = {
        (name, end.node): joined(path, _name(at, one, end.node))
        for name, (path, at, one) in known.items()
        if bodies is None or name in bodies
        for end in one.interfaces
    }
    before = results.size.redundant if results.size is not None else ()
    after = rigid.size.redundant if rigid.size is not None else ()
    return RigidRun(rigid, joints, after if len(after) > len(before) else ())


def _flexibles(project: Project) -> dict[str, tuple[str, Assembly, FlexibleBody]]:
    """By their paths: where each is, and in which assembly."""
    top = project.assembly
    walked = () if top is None else top.walk()
    return {prefix + one.name: (prefix[:-1], at, one) for prefix, at in walked for one in at.flexibles}


def _name(at: Assembly, one: FlexibleBody, node: str) -> str:
    """Of the joint in the place of an interface: one that no joint of the assembly has."""
    name = f"{one.name}, {node}"
    while any(joint.name == name for joint in at.joints):
        name += "'"
    return name


def _body(drawn: PlacedModel, path: str, one: FlexibleBody, made: Floating) -> Body:
    """Rigid as drawn, along the axes of its assembly, moving as one with the body at its first interface."""
    J, here = made.J0, drawn.origin(path)
    velocity, spin = np.zeros(3), np.zeros(3)
    first = drawn.anchor(path, one.interfaces[0].body).body
    if first != GROUND:
        body, frame = drawn.bodies[first], drawn.frame(first)
        spin = frame.rotation @ np.array(body.angular_velocity)
        own = drawn.origin(first.rpartition("/")[0]).direction(body.velocity)
        velocity = own + np.cross(spin, here.point(made.centre) - frame.position)
    return Body(
        name=one.name,
        mass=made.mass,
        inertia=tuple(np.diag(J).tolist()),
        products=(-J[0, 1], -J[0, 2], -J[1, 2]),
        position=tuple(made.centre.tolist()),
        velocity=tuple((here.rotation.T @ velocity).tolist()),
        angular_velocity=tuple((here.rotation.T @ spin).tolist()),
        part=f"{one.name} as a rigid body",
    )


def _joints(drawn: PlacedModel, path: str, one: FlexibleBody, body: Body) -> list[Joint]:
    """In the place of its interfaces; their first body is the rigid one, so that reactions are what acts on it."""
    positions = {node.name: np.array(node.position) for node in one.nodes}
    holder = drawn.assemblies[path]
    out = []
    for end in one.interfaces:
        there = drawn.at(path, end.body)
        point = there.rotation.T @ (drawn.origin(path).point(positions[end.node]) - there.position)
        out.append(
            Joint(
                name=_name(holder, one, end.node), kind="rigid", body_i=one.name, body_j=end.body,
                point_i=tuple((positions[end.node] - np.array(body.position)).tolist()),
                point_j=tuple(point.tolist()),
            )
        )  # fmt: skip
    return out
