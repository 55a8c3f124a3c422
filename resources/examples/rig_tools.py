"""Small helpers to write rigs down: bars, turned bodies, joints at world points, projects."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ridewright.core.base.frames import from_matrix, rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings

DOWN_Y = (0.0, -9.81, 0.0)
DOWN_Z = (0.0, 0.0, -9.81)
NO_GRAVITY = (0.0, 0.0, 0.0)
Z = (0.0, 0.0, 1.0)


def vec(values: ArrayLike) -> tuple[float, float, float]:
    """Three plain floats, without negative zeros."""
    x, y, z = (float(v) + 0.0 for v in np.asarray(values, dtype=float))
    return (x, y, z)


def quat(values: ArrayLike) -> tuple[float, float, float, float]:
    """Four plain floats, without negative zeros."""
    a, b, c, d = (float(v) + 0.0 for v in np.asarray(values, dtype=float))
    return (a, b, c, d)


def about_z(angle: float) -> tuple[float, float, float, float]:
    """Euler parameters of a turn about the world z axis (rad)."""
    return quat([np.cos(angle / 2.0), 0.0, 0.0, np.sin(angle / 2.0)])


def bar(
    name: str,
    start: ArrayLike,
    end: ArrayLike,
    mass: float,
    axial: float | None = None,
    across: float | None = None,
) -> Body:
    """A uniform bar from start to end (m, world) with xi along it.

    Moments (kg m^2) about its length and across it: those of a slender bar unless given; the axial one, zero
    for a slender bar but refused by the file format, is then a thousandth of the other and takes no part in
    planar motion.
    """
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(b - a))
    xi = (b - a) / length
    seed = np.array([0.0, 0.0, 1.0]) if abs(xi[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    eta = np.cross(seed, xi)
    eta /= np.linalg.norm(eta)
    turn = from_matrix(np.column_stack([xi, eta, np.cross(xi, eta)]))
    transverse = mass * length**2 / 12.0 if across is None else across
    moments = (1e-3 * transverse if axial is None else axial, transverse, transverse)
    return Body(name=name, mass=mass, inertia=moments, position=vec((a + b) / 2.0), orientation=quat(turn))


def moving(body: Body, velocity: ArrayLike, angular_velocity: ArrayLike) -> Body:
    """The body with initial velocity (m/s, world) and angular velocity (rad/s, given in world axes)."""
    turned = rotation_matrix(body.orientation).T @ np.asarray(angular_velocity, dtype=float)
    return body.model_copy(update={"velocity": vec(velocity), "angular_velocity": vec(turned)})


def in_body(body: Body | None, point: ArrayLike) -> tuple[float, float, float]:
    """A world point (m) in the axes of a body; the ground when None."""
    if body is None:
        return vec(point)
    return vec(rotation_matrix(body.orientation).T @ (np.asarray(point, dtype=float) - body.position))


def joint_at(
    name: str, kind: str, i: Body | None, j: Body | None, point: ArrayLike, axis: ArrayLike | None = None
) -> Joint:
    """A joint drawn closed at a world point (m), with one world direction for both axes."""

    def turned(body: Body | None) -> tuple[float, float, float] | None:
        if axis is None:
            return None
        return (
            vec(axis)
            if body is None
            else vec(rotation_matrix(body.orientation).T @ np.asarray(axis, dtype=float))
        )

    return Joint(
        name=name,
        kind=kind,
        body_i=GROUND if i is None else i.name,
        body_j=GROUND if j is None else j.name,
        point_i=in_body(i, point),
        point_j=in_body(j, point),
        axis_i=turned(i),
        axis_j=turned(j),
    )


def rig(
    name: str,
    notes: str,
    assembly: Assembly,
    duration: float,
    gravity: tuple[float, float, float] = DOWN_Y,
    **settings: object,
) -> Project:
    """A project that holds a rig."""
    return Project(
        name=name,
        notes=notes,
        gravity=gravity,
        scenario=Rig(assembly=assembly, duration=duration),
        settings=SolverSettings(**settings),
    )
