"""The axles of a car: where they are, which part of its mass they bear, and how the car's rolling is shared out.

Statics of a car on straight, level track, of its joints alone: springs neither lean nor settle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from .assembly import Assembly
from .joints import Joint
from .placement import PlacedModel, placed_model

SAME_AXLE = 0.3  # m along the track; guides nearer to one another are on one axle
ALONG = 0.85  # of the length; an axis of which so much points forward lets a body roll
BEARS = 0.5  # of the heaviest part on wheels; a part as heavy bears the car's rolling, a lighter one is an axle alone
CENTIMETRES = 2  # places are rounded to them: another stature of a rider is no other train


class Axle(NamedTuple):
    """ahead (m) of the car's origin; mass (kg) it bears; arm (m): moment that it bears against rolling over the side
    load on it; aside (m): the same over the load upwards, positive where the left wheel has more."""

    ahead: float
    mass: float
    arm: float
    aside: float


class _Wheel(NamedTuple):
    """A guide: its path on the track, the body it guides, and its point (3,) m in the frame of the car."""

    path: str
    body: str
    point: Array


def centre_of(car: Assembly, drawn: PlacedModel) -> Array:
    """Centre of mass (3,) m of a car with its riders, in its frame, to the centimetre."""
    own = np.array([[body.mass, *drawn.position[path]] for path, body in drawn.bodies.items()])
    centre: Array = np.round(own[:, 0] @ own[:, 1:] / own[:, 0].sum(), CENTIMETRES)
    return centre


def axles_of(car: Assembly) -> tuple[tuple[Axle, ...], float]:
    """The axles of a car, and the height (m) of its centre of mass with its riders above the points of its guides.

    The mass is shared equally over the axles. Without guides the car is one axle at its centre, as high above its
    origin; the centre is then that without riders.

    Rolling: with the side load S and the load U upwards the rails hold the moment S h - U y of the centre, h above the
    wheels and y aside. An axle that hangs by a pivot along the car bears only its own side load at the height of the
    pivot; the others share the rest equally. Left and right wheel have equal side loads.
    """
    drawn = placed_model(car)
    centre, mass = centre_of(car, drawn), car.mass()
    wheels = [
        _Wheel(guide.path, at.body, drawn.frame(at.body).inside(at.frame).point(guide.point))
        for name, guide in car.every("guide").items()
        for at in (drawn.anchor(name.rpartition("/")[0], guide.body),)
    ]
    if not wheels:
        own = np.array([[body.mass, drawn.position[path][0]] for path, body in car.own("body").items()])
        return (Axle(float(own[:, 0] @ own[:, 1] / own[:, 0].sum()), mass, 0.0, 0.0),), float(centre[2])
    wheels.sort(key=lambda wheel: float(wheel.point[0]))
    ahead = np.array([wheel.point[0] for wheel in wheels])
    cuts = (np.flatnonzero(np.diff(ahead) > SAME_AXLE) + 1).tolist()
    groups = [wheels[a:b] for a, b in zip([0, *cuts], [*cuts, len(wheels)], strict=True)]
    height = float(centre[2] - np.mean([wheel.point[2] for wheel in wheels]))
    positions = np.array([np.mean([wheel.point[0] for wheel in group]) for group in groups])
    masses = np.full(len(positions), mass / len(positions))
    arms, asides = _rolling(car, drawn, groups, masses, height, float(centre[1]))
    return tuple(Axle(*map(float, row)) for row in zip(positions, masses, arms, asides, strict=True)), height


def _rolling(
    car: Assembly,
    drawn: PlacedModel,
    groups: Sequence[Sequence[_Wheel]],
    masses: Array,
    height: float,
    side: float,
) -> tuple[Array, Array]:
    """Arm and aside (n,) m of the axles; zeros for a car whose wheels are not on two rails."""
    none = np.zeros(len(groups)), np.zeros(len(groups))
    both = [{"left_rail", "right_rail"} <= {wheel.path for wheel in group} for group in groups]
    if not all(both):
        return none
    bodies = car.own("body")
    joints = {path: joint for path, joint in car.own("joint").items() if not _on_ground(drawn, path, joint)}
    parts = _parts(bodies, joints, drawn)
    weight = {part: sum(bodies[b].mass for b in bodies if parts[b] == part) for part in set(parts.values())}
    of_axle = [parts[group[0].body] for group in groups]
    heaviest = max(weight[part] for part in of_axle)
    bears = np.array([weight[part] >= BEARS * heaviest for part in of_axle])
    pivots = np.zeros(len(groups))
    for k in np.flatnonzero(~bears).tolist():
        low = float(np.mean([wheel.point[2] for wheel in groups[k]]))
        pivots[k] = _pivot_height(of_axle[k], parts, joints, drawn) - low
    rest = masses.sum() * height - float(masses @ pivots)
    count = int(bears.sum())
    arms = np.where(bears, rest / (count * masses), pivots)
    asides = np.where(bears, masses.sum() * side / (count * masses), 0.0)
    return arms, asides


def _on_ground(drawn: PlacedModel, path: str, joint: Joint) -> bool:
    return any(body not in drawn.bodies for body in _ends(drawn, path, joint))


def _ends(drawn: PlacedModel, path: str, joint: Joint) -> tuple[str, str]:
    """The bodies a joint of a car connects, by their paths."""
    holder = path.rpartition("/")[0]
    return drawn.anchor(holder, joint.body_i).body, drawn.anchor(holder, joint.body_j).body


def _lets_roll(drawn: PlacedModel, path: str, joint: Joint) -> bool:
    """Whether a joint lets its bodies roll against one another, about an axis along the car."""
    turns = "none" if joint.locked else joint.type.turns
    if turns in ("none", "all"):
        return turns == "all"
    holder = path.rpartition("/")[0]
    axes = [(joint.body_i, joint.axis_i), (joint.body_j, joint.axis_j)]
    for body, axis in axes if turns == "axes" else axes[:1]:
        if axis is not None:
            along = drawn.at(holder, body).direction(axis)
            if abs(along[0]) > ALONG * float(np.linalg.norm(along)):
                return True
    return False


def _parts(bodies: Mapping[str, object], joints: Mapping[str, Joint], drawn: PlacedModel) -> dict[str, str]:
    """The part of the car that every body belongs to: bodies that cannot roll against one another, named by one."""
    part = {body: body for body in bodies}
    for path, joint in joints.items():
        one, other = _ends(drawn, path, joint)
        if one in part and other in part and not _lets_roll(drawn, path, joint):
            old, new = part[one], part[other]
            part = {body: new if name == old else name for body, name in part.items()}
    return part


def _pivot_height(
    part: str, parts: Mapping[str, str], joints: Mapping[str, Joint], drawn: PlacedModel
) -> float:
    """Height (m) in the car's frame of the joints that connect a part with others; 0 without any."""
    heights = []
    for path, joint in joints.items():
        one, other = _ends(drawn, path, joint)
        if one in parts and other in parts and (parts[one] == part) != (parts[other] == part):
            holder = path.rpartition("/")[0]
            heights.append(float(drawn.at(holder, joint.body_i).point(joint.point_i)[2]))
    return float(np.mean(heights)) if heights else 0.0
