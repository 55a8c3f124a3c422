"""Joints in exudyn: its generic joint with frames along the joint's triad, its ball, its rod."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....base.arrays import Array
from ...curves import evaluator
from ...model import Link
from ..base import OtherRun
from .system import System

#: Locked axes of the generic joint: x, y, z of the frame on the first body, then the turns about them; the joint's axis
#: is z, and the arms of a cross are x of the first and y of the second body.
LOCKED: Final = {
    "revolute": (1, 1, 1, 1, 1, 0), "cylindrical": (1, 1, 0, 1, 1, 0), "prismatic": (1, 1, 0, 1, 1, 1),
    "rigid": (1, 1, 1, 1, 1, 1), "universal": (1, 1, 1, 0, 0, 1),
}  # fmt: skip
#: The axes that drivers prescribe.
DRIVEN: Final = {"slide": 2, "angle": 5}


def add_link(system: System, link: Link) -> None:
    """Add a joint, with what drives it."""
    at, items = link.at, system.items
    if link.kind in ("spherical", "distance"):
        ends = [system.place(at.i, at.point_i), system.place(at.j, at.point_j)]
        if link.kind == "distance":
            made = items.ObjectConnectorDistance(markerNumbers=ends, distance=link.length)
        else:
            made = items.ObjectJointSpherical(markerNumbers=ends)
        number = system.mbs.AddObject(made)
        system.watch_object(("force", link.name), number, system.exu.OutputVariableType.Force)
        return
    first, second, point_i = frames(link)
    locked = list(LOCKED[link.kind])
    ends = [system.frame(at.i, point_i, first), system.frame(at.j, at.point_j, second)]
    given: dict[str, Any] = {}
    if link.driven:
        motions = [(DRIVEN[name], evaluator(function)) for name, function in link.driven.items()]
        for axis, _ in motions:
            locked[axis] = 1

        def offset(mbs: Any, t: float, item: int, parameters: Any) -> list[float]:
            out = [0.0] * 6
            for axis, value in motions:
                out[axis] = value(t)
            return out

        given["offsetUserFunction"] = offset
    number = system.mbs.AddObject(
        items.ObjectJointGeneric(markerNumbers=ends, constrainedAxes=locked, **given)
    )
    system.watch_object(("force", link.name), number, system.exu.OutputVariableType.ForceLocal)


def frames(link: Link) -> tuple[Array, Array, Array]:
    """The frames (3, 3) on both bodies that coincide as drawn, columns their axes, and the point on the first (m)."""
    at = link.at
    if link.kind == "rigid":
        return at.relative, np.eye(3), at.drawn
    if link.kind == "universal":
        second = at.relative @ at.a_j
        second = second - (second @ at.a) * at.a
        second /= np.linalg.norm(second)
        # each arm in its own body, exactly: what is drawn off a right angle is the constraint's to mend
        first = np.column_stack([at.a, second, np.cross(at.a, second)])
        arm = at.relative.T @ at.a
        arm = arm - (arm @ at.a_j) * at.a_j
        arm /= np.linalg.norm(arm)
        return first, np.column_stack([arm, at.a_j, np.cross(arm, at.a_j)]), at.point_i
    first = np.column_stack([at.f, at.g, at.a])
    return first, np.column_stack([at.f_j, np.cross(at.a_j, at.f_j), at.a_j]), at.point_i


def link_force(system: System, link: Link, run: OtherRun) -> Array:
    """Force (n, 3) N that the first body feels, in the axes of the world."""
    stored = system.values(("force", link.name))
    if link.kind == "spherical":
        return stored
    if link.kind == "distance":  # one number, positive in tension
        line = _point(run, link.at.j, link.at.point_j) - _point(run, link.at.i, link.at.point_i)
        pull: Array = stored * line / np.linalg.norm(line, axis=1, keepdims=True)
        return pull
    turned = run.axes[:, link.at.i] if link.at.i < run.axes.shape[1] else np.eye(3)[None]
    out: Array = np.einsum(
        "nij,jk,nk->ni", np.broadcast_to(turned, (len(stored), 3, 3)), frames(link)[0], stored
    )
    return out


def _point(run: OtherRun, body: int, point: Array) -> Array:
    """Where a point (3,) m of a body is at all instants; the ground is the body after the last."""
    if body == run.position.shape[1]:
        return np.tile(point, (len(run.time), 1))
    out: Array = run.position[:, body] + run.axes[:, body] @ point
    return out
