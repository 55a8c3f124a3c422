"""Where the segments are in a posture: standing on the floor, or seated on a seat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..base.arrays import Array
from ..base.frames import from_rotation_vector, multiply, rotation_matrix
from .shape import Segment
from .tables import rows

#: The seat that the library's vehicles have, in its frame (m): height of the pan, and the back behind the origin.
PAN: Final = -0.147
BACK: Final = -0.12


@dataclass(frozen=True)
class Placing:
    """Centre of mass (m) and orientation (Euler parameters) of a segment, and its joint to the parent (m), None for the
    pelvis, in the frame of the seat or of the place it stands on."""

    position: Array
    orientation: Array
    joint: Array | None


def mirrored(vector: tuple[float, float, float], name: str) -> tuple[float, float, float]:
    """A rotation given for the left side, for a joint or segment of a name: the mirror keeps y and turns x and z."""
    x, y, z = vector
    return (-x, y, -z) if name.startswith("Right ") else vector


def base_name(name: str) -> str:
    """The name without its side."""
    return name.removeprefix("Left ").removeprefix("Right ")


def rotations(
    posture: str, segments: tuple[Segment, ...], pose: tuple[tuple[str, tuple[float, float, float]], ...] = ()
) -> dict[str, tuple[float, float, float]]:
    """Rotation vectors (rad) of all joints by name, child against parent in the parent's axes; pose: those of joints
    that are turned otherwise than the posture does."""
    own = dict(pose)
    table = {
        r["joint"]: tuple(math.radians(float(r[c])) for c in "xyz")
        for r in rows("postures")
        if r["posture"] == posture
    }
    straight = (0.0, 0.0, 0.0)
    return {
        s.joint_name: own.get(s.joint_name) or mirrored(table.get(base_name(s.joint_name), straight), s.joint_name)  # type: ignore[arg-type]
        for s in segments
        if s.parent is not None
    }  # fmt: skip


def chain(
    segments: tuple[Segment, ...], turned: dict[str, tuple[float, float, float]], at: Array, turn: Array
) -> dict[str, Placing]:
    """Every segment by name, the pelvis with its centre of mass at a place (3,) m, turned by Euler parameters (4,)."""
    by_name = {s.name: s for s in segments}
    found: dict[str, Placing] = {}
    for s in segments:
        if s.parent is None:
            found[s.name] = Placing(at, turn, None)
            continue
        assert s.joint is not None
        over, parent = found[s.parent], by_name[s.parent]
        orientation = multiply(over.orientation, from_rotation_vector(np.array(turned[s.joint_name])))
        joint = over.position + rotation_matrix(over.orientation) @ (s.joint - parent.centre)
        position = joint + rotation_matrix(orientation) @ (s.centre - s.joint)
        found[s.name] = Placing(position, orientation, joint)
    return found


def placed(
    segments: tuple[Segment, ...], turned: dict[str, tuple[float, float, float]], posture: str
) -> dict[str, Placing]:
    """Every segment by name, its parents turned before it; the pelvis stays upright.

    Standing: the floor at z = 0. Seated: the lowest point of pelvis and thighs on the pan, its rearmost at the back.
    """
    by_name = {s.name: s for s in segments}
    root = next(s for s in segments if s.parent is None)
    found = chain(segments, turned, root.centre, np.array([1.0, 0.0, 0.0, 0.0]))
    if posture != "seated":
        return found
    on_seat = ("Pelvis", "Left Thigh", "Right Thigh")
    low = min(_reach(by_name[n], found[n], (0.0, 0.0, -1.0)) for n in on_seat)
    rear = _reach(by_name["Pelvis"], found["Pelvis"], (-1.0, 0.0, 0.0))
    shift = np.array([BACK - rear, 0.0, PAN - low])
    return {
        n: Placing(p.position + shift, p.orientation, None if p.joint is None else p.joint + shift)
        for n, p in found.items()
    }


def _reach(segment: Segment, position: Placing, way: tuple[float, float, float]) -> float:
    """Coordinate along the axis of `way` of the point of a segment's ellipsoid that lies farthest that way."""
    n, A = np.array(way), rotation_matrix(position.orientation)
    middle = position.position + A @ (segment.middle - segment.centre)
    end = float(n @ middle) + float(np.linalg.norm(segment.half * (A.T @ n)))
    return end * float(n.sum())
