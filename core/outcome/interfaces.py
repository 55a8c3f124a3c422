"""What a joint passes on: constraint force and moment with the torque of its drives, in the axes of one body."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..results.results import Results


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
