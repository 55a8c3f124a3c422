"""Rigs that move in space: tops, free bodies, spherical pendulums, Bricard's linkage, a universal joint."""

from __future__ import annotations

import numpy as np
from rig_tools import DOWN_Y, DOWN_Z, NO_GRAVITY, bar, joint_at, moving, quat, rig, vec

from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.functions import AnalyticFunction
from ridewright.core.project.project import Project

ORIGIN = (0.0, 0.0, 0.0)


def heavy_top() -> Project:
    """The standard heavy top of rotation integrators."""
    top = Body(
        name="Top",
        mass=15.0,
        inertia=(0.234375, 0.46875, 0.234375),
        position=(0.0, 1.0, 0.0),
        velocity=(4.61538, 0.0, 0.0),
        angular_velocity=(0.0, 150.0, -4.61538),
    )
    notes = (
        "Heavy top: 15 kg, centre of mass 1 m from the fixed point, spun with 150 rad/s (Geradin and Cardona 2001;"
        " Bruls and Cardona 2010)."
    )
    assembly = Assembly(
        name="Rig", role="rig", bodies=(top,), joints=(joint_at("Tip", "spherical", None, top, ORIGIN),)
    )
    return rig("Heavy top", notes, assembly, 2.0, DOWN_Z)


def free_body() -> Project:
    """A free asymmetric body, spun near its unstable axis while it flies."""
    body = Body(
        name="Body",
        mass=3.0,
        inertia=(0.3, 0.5, 0.7),
        position=(0.2, -0.4, 1.5),
        orientation=quat(from_rotation_vector([0.4, -0.8, 1.1])),
        velocity=(1.0, -2.0, 9.0),
        angular_velocity=(0.2, 8.0, 0.4),
    )
    notes = (
        "Free body: an asymmetric body thrown up and spun near its middle axis, over which it tumbles.\n"
        "Its centre flies a parabola; angular momentum about the centre and the energy stay as they are."
    )
    return rig("Free body", notes, Assembly(name="Rig", role="rig", bodies=(body,)), 6.0, DOWN_Z)


def _ellipsoid(
    name: str, top: np.ndarray, turn: np.ndarray, omega: np.ndarray, top_velocity: np.ndarray
) -> Body:
    """An ellipsoid of 1 kg with axes of 0.6, 0.4, 0.2 m whose long axis (xi) ends at `top` (m, world)."""
    a, b, c = 0.3, 0.2, 0.1
    moments = ((b * b + c * c) / 5.0, (a * a + c * c) / 5.0, (a * a + b * b) / 5.0)
    A = rotation_matrix(turn)
    arm = A @ np.array([a, 0.0, 0.0])
    return Body(
        name=name,
        mass=1.0,
        inertia=moments,
        position=vec(top + arm),
        orientation=quat(turn),
        velocity=vec(top_velocity + np.cross(A @ omega, arm)),
        angular_velocity=vec(omega),
    )


def spatial_pendulum() -> Project:
    """An ellipsoid hung at the end of its long axis, with all three rotations set going."""
    turn = from_rotation_vector(np.pi / 6.0 / np.sqrt(3.0) * np.ones(3))
    body = _ellipsoid("Body", np.zeros(3), turn, np.array([2.0, -0.7, 1.3]), np.zeros(3))
    notes = (
        "Spatial pendulum (Spicka 2020, section 3.4.1): ellipsoid of 1 kg with axes 0.6, 0.4, 0.2 m on a ball joint.\n"
        "Drawn turned by 30 degrees about (1, 1, 1) and spun, so that all rotations take part."
    )
    assembly = Assembly(
        name="Rig",
        role="rig",
        bodies=(body,),
        joints=(joint_at("Ball joint", "spherical", None, body, ORIGIN),),
    )
    return rig("Spatial pendulum", notes, assembly, 5.0, DOWN_Z)


def spatial_double_pendulum() -> Project:
    """Two such ellipsoids in a chain, both set going."""
    upper_turn, lower_turn = from_rotation_vector([0.3, 0.5, 0.2]), from_rotation_vector([-0.4, 0.9, 0.6])
    upper = _ellipsoid("Upper", np.zeros(3), upper_turn, np.array([1.0, -0.5, 0.8]), np.zeros(3))
    arm = rotation_matrix(upper_turn) @ np.array([0.6, 0.0, 0.0])
    speed = np.cross(rotation_matrix(upper_turn) @ np.array([1.0, -0.5, 0.8]), arm)
    lower = _ellipsoid("Lower", arm, lower_turn, np.array([-1.5, 0.4, 2.0]), speed)
    joints = (
        joint_at("Upper ball joint", "spherical", None, upper, ORIGIN),
        joint_at("Lower ball joint", "spherical", upper, lower, arm),
    )
    notes = (
        "Spatial double pendulum (Spicka 2020, section 3.4.2): two ellipsoids of 1 kg in a chain of ball joints, both"
        " with speed at the start."
    )
    return rig(
        "Spatial double pendulum",
        notes,
        Assembly(name="Rig", role="rig", bodies=(upper, lower), joints=joints),
        5.0,
        DOWN_Z,
    )


def bricard() -> Project:
    """Bricard's linkage: five rods and the ground in a closed chain of six hinges."""
    p = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
    x, y, z = np.eye(3)
    side, mass = 0.1, 1.0
    axial, across = mass * side**2 / 6.0, mass * (1.0 + side**2) / 12.0
    rods = tuple(bar(f"Rod {k + 1}", p[k], p[k + 1], mass, axial, across) for k in range(5))
    links = (None, *rods, None)
    joints = tuple(
        joint_at(f"P{k}", "revolute", links[k], links[k + 1], p[k], axis)
        for k, axis in enumerate((y, z, x, y, z, x))
    )
    notes = (
        "Bricard's linkage (IFToMM library of benchmark problems, A04): five rods of 1 m and 1 kg, square section of"
        " 0.1 m.\nSix hinges that would hold a general chain stiff; one of the thirty rows is redundant all the time."
    )
    return rig(
        "Bricard linkage", notes, Assembly(name="Rig", role="rig", bodies=rods, joints=joints), 1.0, DOWN_Y
    )


def universal_shaft() -> Project:
    """Two shafts at 0.6 rad joined by a universal joint; the first one is driven."""
    angle, rate = 0.6, 5.0
    first = np.array([1.0, 0.0, 0.0])
    second = np.array([np.cos(angle), np.sin(angle), 0.0])
    arm_2 = np.array([-np.sin(angle), np.cos(angle), 0.0])
    drive = Body(name="Drive shaft", mass=1.0, inertia=(0.02, 0.1, 0.1), position=vec(-0.5 * first))
    turn = from_rotation_vector([0.0, 0.0, angle])
    follow = Body(
        name="Driven shaft",
        mass=1.0,
        inertia=(0.03, 0.1, 0.1),
        position=vec(0.5 * second),
        orientation=quat(turn),
    )
    drive = moving(drive, ORIGIN, rate * first)
    cross = joint_at("Cross", "universal", drive, follow, ORIGIN, (0.0, 0.0, 1.0))
    cross = cross.model_copy(update={"axis_j": vec(rotation_matrix(turn).T @ arm_2)})
    joints = (
        joint_at("Drive bearing", "revolute", None, drive, -0.5 * first, first),
        cross,
        joint_at("Driven bearing", "cylindrical", None, follow, 0.5 * second, second),
    )
    motor = Driver(
        name="Motor",
        target="Drive bearing",
        coordinate="angle",
        function=AnalyticFunction(rate=rate),
        relative=True,
    )
    notes = (
        "Universal joint: two shafts at 0.6 rad, the first driven with 5 rad/s; the second turns unevenly,"
        " tan(out) = tan(in) cos(angle of the shafts)."
    )
    assembly = Assembly(name="Rig", role="rig", bodies=(drive, follow), joints=joints, drivers=(motor,))
    return rig("Universal joint", notes, assembly, 2.0, NO_GRAVITY)


RIGS = {
    "heavy_top": heavy_top,
    "free_body": free_body,
    "spatial_pendulum": spatial_pendulum,
    "spatial_double_pendulum": spatial_double_pendulum,
    "bricard": bricard,
    "universal_shaft": universal_shaft,
}
