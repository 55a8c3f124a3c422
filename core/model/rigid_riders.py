"""Riders as one rigid body each, fixed to their seats: what a train's speed needs of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .assembly import Assembly
from .bodies import SEAT, Body
from .carried import vec
from .joints import Joint
from .placement import placed_model
from .references import LISTS, references

RIDER = "Rider"


def with_rigid_riders(top: Assembly) -> Assembly:
    """A copy whose riders are a rigid body each, of their mass, centre and inertia as drawn, fixed to the seat.

    Mass, weight and where they act are those of the riders; what their joints and muscles take of the ride's energy is
    left out. A rider to whom something outside of it refers (a restraint from the car for instance), or who has guides
    or flexible bodies of its own, stays as it is. The copy is not checked again.
    """
    held = {
        prefix + path
        for prefix, at in top.walk()
        if at.role != "rider"
        for kind, attribute in LISTS.items()
        if kind not in ("body", "assembly")
        for element in getattr(at, attribute)
        for _, _, path in references(element)
    }

    def change(prefix: str, at: Assembly) -> Assembly:
        if at.role == "rider":
            alone = not any(path.startswith(prefix) for path in held)
            return _rigid(at) if alone and not at.every("guide") and not at.every("flexible") else at
        children = tuple(change(f"{prefix}{child.name}/", child) for child in at.children)
        return at.model_copy(update={"children": children})

    return change("", top)


def _rigid(rider: Assembly) -> Assembly:
    """A rider on its own, whose frame is that of the seat."""
    drawn = placed_model(rider)
    mass, centre = 0.0, np.zeros(3)
    for path, body in drawn.bodies.items():
        mass += body.mass
        centre += body.mass * drawn.position[path]
    centre /= mass
    tensor = np.zeros((3, 3))
    for path, body in drawn.bodies.items():
        R, d = drawn.frame(path).rotation, drawn.position[path] - centre
        tensor += R @ body.inertia_tensor() @ R.T + body.mass * (d @ d * np.eye(3) - np.outer(d, d))
    one = Body(
        name=RIDER,
        mass=mass,
        inertia=vec(np.diag(tensor)),
        products=vec(-tensor[[0, 0, 1], [1, 2, 2]]),
        position=vec(centre),
        part=f"{rider.name} as a rigid body",
    )
    fixed = Joint(name=RIDER, kind="rigid", body_i=RIDER, body_j=SEAT, point_j=vec(centre))
    empty: dict[str, Any] = dict.fromkeys(LISTS.values(), ())
    judged = dict.fromkeys(("head", "upper_torso", "pelvis"), RIDER)
    return rider.model_copy(update={**empty, **judged, "bodies": (one,), "joints": (fixed,)})
