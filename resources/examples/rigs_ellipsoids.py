"""The ellipsoid pendulums: for comparing stabilisation methods, and with a range of motion in the joint."""

from __future__ import annotations

import numpy as np
from rig_tools import DOWN_Z, joint_at, quat, rig, vec

from ridewright.core.base.frames import from_rotation_vector, multiply, rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.range_of_motion import RangeOfMotion
from ridewright.core.project.project import Project

LENGTH, WIDTH, HEIGHT, MASS = 0.6, 0.4, 0.2, 1.0  # m, kg
# Matlab's ode45 as it comes: Dormand and Prince's pair, its tolerances, at most a tenth of five seconds a step
SOLVER: dict[str, object] = {
    "method": "adaptive_rk45",
    "relative_tolerance": 1e-3,
    "absolute_tolerance": 1e-6,
    "max_step": 0.5,
    "stabilisation": "baumgarte",
    "baumgarte_alpha": 1.0,
    "baumgarte_beta": 1.41,
}


def _ellipsoid(name: str, start: float) -> Body:
    """An ellipsoid along x whose long axis begins at x = start (m)."""
    a, b, c = LENGTH / 2.0, WIDTH / 2.0, HEIGHT / 2.0
    moments = np.array([b * b + c * c, a * a + c * c, a * a + b * b]) * MASS / 5.0
    return Body(name=name, mass=MASS, inertia=vec(moments), position=(start + a, 0.0, 0.0))


def ellipsoid_pendulum() -> Project:
    """One ellipsoid on a ball joint at the end of its long axis."""
    body = _ellipsoid("Body 1", 0.0)
    notes = (
        "Ellipsoid pendulum (Spicka 2020, section 3.4.1, table 3.2): 1 kg, axes 0.6, 0.4, 0.2 m, let go horizontally.\n"
        "For comparing stabilisation methods; see 'Methods for teaching' in the guide."
    )
    assembly = Assembly(
        name="Rig",
        role="rig",
        bodies=(body,),
        joints=(joint_at("Joint 1", "spherical", None, body, (0, 0, 0)),),
    )
    return rig("Ellipsoid pendulum", notes, assembly, 5.0, DOWN_Z, **SOLVER)


def ellipsoid_double_pendulum() -> Project:
    """Two of them in a chain, stretched out horizontally."""
    first, second = _ellipsoid("Body 1", 0.0), _ellipsoid("Body 2", LENGTH)
    joints = (
        joint_at("Joint 1", "spherical", None, first, (0, 0, 0)),
        joint_at("Joint 2", "spherical", first, second, (LENGTH, 0, 0)),
    )
    notes = (
        "Ellipsoid double pendulum (Spicka 2020, section 3.4.2, table 3.6): two ellipsoids of 1 kg in a chain, let go\n"
        "horizontally. For comparing stabilisation methods; see 'Methods for teaching' in the guide."
    )
    return rig(
        "Ellipsoid double pendulum",
        notes,
        Assembly(name="Rig", role="rig", bodies=(first, second), joints=joints),
        5.0,
        DOWN_Z,
        **SOLVER,
    )


def _limited(
    title: str,
    section: str,
    what: str,
    limit: float | None,
    turned: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Project:
    """The pendulum on its narrow side, with a limit (degrees) about every axis and 1 N m/rad beyond, or without.

    turned: rotation vector (rad) of its start, counted from lying along x.
    """
    drawn = _ellipsoid("Body 1", 0.0)
    narrow = from_rotation_vector(np.array([0.5 * np.pi, 0.0, 0.0]))  # swings about its shortest axis
    turn = from_rotation_vector(np.array(turned))
    body = drawn.model_copy(
        update={
            "position": vec(rotation_matrix(turn) @ drawn.position),
            "orientation": quat(multiply(turn, narrow)),
        }
    )
    forces: tuple[RangeOfMotion, ...] = ()
    more = ""
    if limit is not None:
        reach = np.full(3, np.radians(limit))
        forces = (
            RangeOfMotion(
                name="Range of motion", joint="Joint 1", lower=vec(-reach), upper=vec(reach), corner=0.05,
                stiffness_beyond=(1.0, 1.0, 1.0), zero=quat(narrow),
            ),
        )  # fmt: skip
        more = (
            "\nThe source prints no stiffness: 1 N m/rad beyond the limit, coming in over 0.05 rad, is chosen so that"
            " it turns\nabout where the figures of the source do."
        )
    notes = f"{title} (Spicka 2020, section {section}): 1 kg, half axes 0.3, 0.2, 0.1 m, {what}.{more}"
    assembly = Assembly(
        name="Rig",
        role="rig",
        bodies=(body,),
        joints=(joint_at("Joint 1", "spherical", None, body, (0, 0, 0)),),
        forces=forces,
    )
    return rig(title, notes, assembly, 3.0, DOWN_Z)


def unlimited_pendulum() -> Project:
    """Let go horizontally, no limit."""
    return _limited("Pendulum without a limit", "6.4.1", "let go horizontally", None)


def limited_pendulum_20() -> Project:
    """Let go horizontally, a limit at 20 degrees."""
    what = "let go horizontally, a limit at 20 degrees"
    return _limited("Pendulum with a limit at 20 degrees", "6.4.2", what, 20.0)


def limited_pendulum_70() -> Project:
    """Let go horizontally, a limit at 70 degrees."""
    what = "let go horizontally, a limit at 70 degrees"
    return _limited("Pendulum with a limit at 70 degrees", "6.4.3", what, 70.0)


def limited_pendulum_spatial() -> Project:
    """First turned about (1, 1, 1), so that all three components take part."""
    x = float(np.pi / 6.0 / np.sqrt(3.0))
    what = "first turned by 30 degrees about (1, 1, 1), limits of 20 degrees"
    return _limited("Pendulum with limits in space", "6.4.4", what, 20.0, (x, x, x))


RIGS = {
    "ellipsoid_pendulum": ellipsoid_pendulum,
    "ellipsoid_double_pendulum": ellipsoid_double_pendulum,
    "unlimited_pendulum": unlimited_pendulum,
    "limited_pendulum_20": limited_pendulum_20,
    "limited_pendulum_70": limited_pendulum_70,
    "limited_pendulum_spatial": limited_pendulum_spatial,
}
