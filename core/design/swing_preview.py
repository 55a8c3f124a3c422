"""What a programme does to a swinging ride, in a fraction of a second: the ride as one pendulum.

All that turns with the joint of the drive counts as one rigid body about the joint's axis, whose first body stands
still: J x'' = gravity(x) + torque. Law and controller are those of the run (`core.model.forces.drive_law`); only what
moves on the pendulum - a turning ring, a second arm - is left out. For the editor of the programme.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..model.forces import type_of
from ..model.placement import joined, placed_model
from ..project.project import Project
from ..project.scenario import Rig

STEP, MAX_STEPS = 0.05, 4000  # s; steps


class Preview(NamedTuple):
    """Angle (n,) rad from hanging at times (n,) s; phase (n,) of the programme, negative after an emergency stop."""

    time: Array
    angle: Array
    phase: Array


class _Pendulum(NamedTuple):
    inertia: float  # kg m^2 about the axis
    sine: float  # N m: gravity's moment is cosine cos x + sine sin x at the angle x from the drawn pose
    cosine: float


def swing_preview(project: Project, path: Sequence[str]) -> Preview:
    """The angle over the ride that the drive at a path would give a pendulum.

    Raises InputError where there is no such drive, or where nothing moves with its joint.
    """
    if not isinstance(project.scenario, Rig):
        raise InputError("A programme is previewed on a rig only.")
    top = project.mechanism
    assert top is not None
    holder = top.at(path[:-1])
    drive = next((f for f in (holder.forces if holder else ()) if f.name == path[-1]), None)
    found = None if drive is None else type_of(drive)
    if drive is None or found is None or found.law is None or not hasattr(drive, "programme"):
        raise InputError(f"There is no drive '{'/'.join(path)}'.")
    use = found.law(drive, "angle")
    bodies = _pendulum(project, "/".join(path[:-1]), str(drive.joint))  # type: ignore[attr-defined]
    duration = project.scenario.duration
    h = max(STEP, duration / MAX_STEPS)
    n = math.floor(duration / h + 1e-9) + 1
    p, m = np.array(use.parameters), np.array(use.memory)
    angle, phase = np.zeros(n), np.zeros(n)
    x, v, q = 0.0, 0.0, 0.0
    law = use.law
    for k in range(n):
        t, origin = k * h, use.origin
        law.remember(p, x - origin, v, m, t)
        angle[k], phase[k] = x - origin, m[0]
        for _ in range(2):  # an implicit step of the speed, twice where the load has a slope with it
            load, _, fall, _, _ = law.evaluate(p, x - origin, v + q, m, t)
            gravity = bodies.cosine * np.cos(x) + bodies.sine * np.sin(x)
            q += (h * (gravity - load) - bodies.inertia * q) / (bodies.inertia + h * fall)
            if fall == 0.0:
                break
        v, q = v + q, 0.0
        x += h * v
    return Preview(np.linspace(0.0, (n - 1) * h, n), angle, phase)


def _pendulum(project: Project, holder: str, joint_path: str) -> _Pendulum:
    """What turns with a joint, about its axis."""
    top = project.mechanism
    assert top is not None
    drawn = placed_model(top)
    owner, _, name = joined(holder, joint_path).rpartition("/")
    joint = next(j for j in drawn.assemblies[owner].joints if j.name == name)
    moved = drawn.beyond(owner, joint, joint.body_j)
    if not moved:
        raise InputError(f"Nothing moves with joint '{joint_path}'.")
    on = drawn.at(owner, joint.body_j)
    assert joint.axis_j is not None  # as all joints that drives act in
    axis = on.direction(joint.axis_j)
    axis /= np.linalg.norm(axis)
    at, gravity = on.point(joint.point_j), np.asarray(project.gravity)
    inertia, first = 0.0, np.zeros(3)
    for path in moved:
        body, r = drawn.bodies[path], drawn.position[path] - at
        own = rotation_matrix(drawn.orientation[path]).T @ axis
        across = r - axis * (r @ axis)
        inertia += float(own @ body.inertia_tensor() @ own + body.mass * across @ across)
        first += body.mass * across
    return _Pendulum(
        inertia,
        float(axis @ np.cross(np.cross(axis, first), gravity)),
        float(axis @ np.cross(first, gravity)),
    )
