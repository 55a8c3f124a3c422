"""The ellipsoid pendulums on which stabilisation methods are compared: one and two bodies, let go horizontally."""

from __future__ import annotations

import numpy as np
from rig_tools import DOWN_Z, joint_at, rig, vec

from core.model.assembly import Assembly
from core.model.bodies import Body
from core.project.project import Project

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


RIGS = {"ellipsoid_pendulum": ellipsoid_pendulum, "ellipsoid_double_pendulum": ellipsoid_double_pendulum}
