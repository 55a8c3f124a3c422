"""A model as MJCF, the files of MuJoCo: bodies nested as their joints make a tree, with masses and full inertias.

Every body's frame is ours, at its centre of mass; what a joint has moved is counted from the start. The tree is grown
from the ground; bodies that nothing joins to it are free, one of each loose piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import SubElement, indent, tostring

import numpy as np

from ....base.arrays import Array
from ....base.frames import from_matrix
from ...model import Link, Model, RigidBody

#: Lower and upper limit.
Limits = tuple[float, float]
#: Stiffness (N m/rad), damping (N m s/rad) and free angle (rad).
Spring = tuple[float, float, float]
#: Joints of MuJoCo for each kind of ours: the type, and along or about which of our two axes.
KINDS = {
    "revolute": (("hinge", "a"),), "prismatic": (("slide", "a"),), "cylindrical": (("slide", "a"), ("hinge", "a")),
    "spherical": (("ball", ""),), "universal": (("hinge", "parent"), ("hinge", "child")), "rigid": (),
}  # fmt: skip


@dataclass(frozen=True)
class Branch:
    """A body of the tree: its number, that of its parent (-1: the ground), and the joint between, None for a free
    body."""

    body: int
    parent: int
    link: Link | None


def tree(model: Model) -> tuple[Branch, ...] | Link:
    """The bodies from the ground outwards, parents first; a joint that closes a loop when there is one."""
    ground = len(model.bodies)
    out: list[Branch] = []
    known, left = {ground}, list(model.links)
    while len(out) < len(model.bodies):
        link = next((one for one in left if (one.at.i in known) != (one.at.j in known)), None)
        if link is None:
            free = _lightly_held(model, known)
            out.append(Branch(free, -1, None))
            known.add(free)
            continue
        left.remove(link)
        parent, child = (link.at.i, link.at.j) if link.at.i in known else (link.at.j, link.at.i)
        out.append(Branch(child, -1 if parent == ground else parent, link))
        known.add(child)
    return left[0] if left else tuple(out)


def _lightly_held(model: Model, known: set[int]) -> int:
    """The heaviest of the bodies that are not known."""
    return max((b for b in range(len(model.bodies)) if b not in known), key=lambda b: model.bodies[b].mass)


def mjcf(
    model: Model,
    branches: tuple[Branch, ...],
    step: float,
    ranges: Mapping[str, Limits] | None = None,
    springs: Mapping[str, Spring] | None = None,
) -> str:
    """The text of the file; step (s) of its integrator; ranges: limits of joints, by their names, as far as what MuJoCo
    takes: of hinges and slides (rad or m from the drawn pose); springs: in hinges and balls."""
    given_ranges, given_springs = ranges or {}, springs or {}
    top = Node("mujoco", model=model.name)
    SubElement(top, "compiler", angle="radian", autolimits="true")
    option = SubElement(top, "option", timestep=repr(step), gravity=_numbers(model.gravity), integrator="RK4")
    SubElement(option, "flag", contact="disable")
    world = SubElement(top, "worldbody")
    nodes: dict[int, Node] = {-1: world}
    for branch in branches:
        body = model.bodies[branch.body]
        position, axes = _in_parent(model, branch)
        node = SubElement(
            nodes[branch.parent], "body", name=body.name, pos=_numbers(position), quat=_numbers(from_matrix(axes))
        )  # fmt: skip
        nodes[branch.body] = node
        _add_mass(node, body)
        if branch.link is None:
            SubElement(node, "freejoint", name=body.name)
            continue
        joints = list(joints_of(branch))
        for k, (kind, point, axis) in enumerate(joints):
            name = branch.link.name if len(joints) == 1 else f"{branch.link.name} {k + 1}"
            given = {"name": name, "type": kind, "pos": _numbers(point)}
            if kind != "ball":
                given["axis"] = _numbers(axis)
                limits = given_ranges.get(branch.link.name)
                if limits is not None and branch.link.kind in ("revolute", "prismatic"):
                    given["range"] = _numbers(np.array(limits))
            if branch.link.kind in ("revolute", "spherical") and branch.link.name in given_springs:
                stiffness, damping, rest = given_springs[branch.link.name]
                given |= {"stiffness": repr(stiffness), "damping": repr(damping)}
                given |= {"springref": repr(rest)} if kind == "hinge" else {}
            SubElement(node, "joint", given)
    indent(top)
    return tostring(top, encoding="unicode")


def joints_of(branch: Branch) -> Iterator[tuple[str, Array, Array]]:
    """Type, point (3,) m and axis (3,) of every joint of MuJoCo between a body and its parent, in the body's axes."""
    link = branch.link
    assert link is not None
    at, second = link.at, link.at.j == branch.body
    point, own = (at.point_j, at.a_j) if second else (at.point_i, at.a)
    for kind, which in KINDS[link.kind]:
        if which == "parent":  # the arm that turns in the parent, in the axes of the body at the start
            parents = at.a if second else at.a_j
            turn = at.relative.T if second else at.relative
            axis = turn @ parents
        else:
            # a coordinate of MuJoCo is of the child against its parent: ours is of the second body against the first
            axis = own if second else -own
        yield kind, point, axis


def _in_parent(model: Model, branch: Branch) -> tuple[Array, Array]:
    body = model.bodies[branch.body]
    if branch.parent < 0:
        return body.position, body.axes
    parent = model.bodies[branch.parent]
    return parent.axes.T @ (body.position - parent.position), parent.axes.T @ body.axes


def _add_mass(node: Node, body: RigidBody) -> None:
    t = body.inertia
    full = t[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    diagonal = not np.any(full[3:])
    given = {"pos": "0 0 0", "mass": repr(float(body.mass))}
    given |= {"diaginertia": _numbers(full[:3])} if diagonal else {"fullinertia": _numbers(full)}
    SubElement(node, "inertial", given)


def _numbers(values: Array) -> str:
    return " ".join(repr(float(v)) for v in values)
