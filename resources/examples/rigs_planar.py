"""Rigs that move in the plane x, y: pendulums, linkages, oscillators. All revolute axes are z."""

from __future__ import annotations

import math

import numpy as np
from rig_tools import NO_GRAVITY, Z, about_z, bar, in_body, joint_at, moving, rig, vec

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.forces.joint_stop import JointStop
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.forces.torque import AppliedTorque
from ridewright.core.model.functions import AnalyticFunction, Harmonic, constant
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project

ORIGIN = (0.0, 0.0, 0.0)


def planar_pendulum() -> Project:
    """Point mass on a massless rod, released horizontally."""
    bob = Body(name="Bob", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1.0, 0.0, 0.0))
    rod = Joint(name="Rod", kind="distance", body_i=GROUND, body_j="Bob", length=1.0)
    notes = (
        "Planar pendulum: 1 kg on a massless rod of 1 m, released horizontally.\n"
        "The rod is a distance joint at the centre of mass, so the moments of the bob take no part."
        " Period 2.367841947576 s for g = 9.81 m/s^2."
    )
    return rig("Planar pendulum", notes, Assembly(name="Rig", role="rig", bodies=(bob,), joints=(rod,)), 10.0)


def bar_pendulum() -> Project:
    """Uniform bar on a hinge, with a speed at the start."""
    start = 1.2 * np.array([math.cos(0.4), math.sin(0.4), 0.0])
    body = bar("Bar", ORIGIN, start, 2.0)
    body = moving(body, np.cross([0.0, 0.0, -1.5], body.position), [0.0, 0.0, -1.5])
    hinge = joint_at("Hinge", "revolute", None, body, ORIGIN, Z)
    notes = "Bar pendulum: a uniform bar of 1.2 m and 2 kg on a hinge, thrown from above the horizontal."
    return rig("Bar pendulum", notes, Assembly(name="Rig", role="rig", bodies=(body,), joints=(hinge,)), 6.0)


def stopped_pendulum() -> Project:
    """Damped bar pendulum that swings into a progressive stop."""
    body = bar("Bar", ORIGIN, (1.0, 0.0, 0.0), 3.0)
    hinge = joint_at("Hinge", "revolute", None, body, ORIGIN, Z)
    forces = (
        RotationalSpring(name="Hinge damping", joint="Hinge", damping=0.4),
        JointStop(
            name="Stop", joint="Hinge", lower=-2.0, upper=0.5, stiffness=400.0, exponent=1.5, damping=0.2
        ),
    )
    notes = (
        "Pendulum with a stop: a damped bar released horizontally swings 2 rad down and meets a progressive stop.\n"
        "The hinge angle is counted from the drawn, horizontal pose."
    )
    assembly = Assembly(name="Rig", role="rig", bodies=(body,), joints=(hinge,), forces=forces)
    return rig("Pendulum with a stop", notes, assembly, 5.0)


def double_pendulum() -> Project:
    """Two different bars in a chain, released far from equilibrium."""
    elbow = np.array([math.cos(0.3), math.sin(0.3), 0.0])
    tip = elbow + 0.7 * np.array([math.cos(1.1), math.sin(1.1), 0.0])
    upper, lower = bar("Upper bar", ORIGIN, elbow, 1.5), bar("Lower bar", elbow, tip, 0.8)
    joints = (
        joint_at("Shoulder", "revolute", None, upper, ORIGIN, Z),
        joint_at("Elbow", "revolute", upper, lower, elbow, Z),
    )
    notes = "Double pendulum: bars of 1 m, 1.5 kg and 0.7 m, 0.8 kg, released above the horizontal."
    return rig(
        "Double pendulum", notes, Assembly(name="Rig", role="rig", bodies=(upper, lower), joints=joints), 3.0
    )


def four_bar() -> Project:
    """N-four-bar with N = 2: three upright rods and two couplers, all 1 m and 1 kg."""
    uprights = [
        moving(bar(f"Upright {k}", (k, 0.0, 0.0), (k, 1.0, 0.0), 1.0), (0.5, 0.0, 0.0), (0.0, 0.0, -1.0))
        for k in range(3)
    ]
    couplers = [
        moving(bar(f"Coupler {k}", (k, 1.0, 0.0), (k + 1, 1.0, 0.0), 1.0), (1.0, 0.0, 0.0), ORIGIN)
        for k in range(2)
    ]
    joints = [joint_at(f"A{k}", "revolute", None, u, (k, 0.0, 0.0), Z) for k, u in enumerate(uprights)]
    for k, coupler in enumerate(couplers):
        joints.append(joint_at(f"B{k} right", "revolute", uprights[k], coupler, (k, 1.0, 0.0), Z))
        joints.append(joint_at(f"B{k + 1} left", "revolute", coupler, uprights[k + 1], (k + 1, 1.0, 0.0), Z))
    notes = (
        "N-four-bar, N = 2 (IFToMM library of benchmark problems, A02): rods of 1 m and 1 kg, B0 starts with 1 m/s.\n"
        "All rods line up twice a turn, where the mechanism gains a degree of freedom for an instant."
        " Seven hinges in space leave six redundant rows."
    )
    return rig(
        "Four-bar",
        notes,
        Assembly(name="Rig", role="rig", bodies=(*uprights, *couplers), joints=tuple(joints)),
        10.0,
    )


def slider_crank() -> Project:
    """Slider-crank that coasts, its crank thrown round."""
    pin = np.array([0.15 * math.cos(0.8), 0.15 * math.sin(0.8), 0.0])
    slider_at = pin[0] + math.sqrt(0.4**2 - pin[1] ** 2)
    omega = 12.0
    crank = bar("Crank", ORIGIN, pin, 1.2)
    rod = bar("Connecting rod", pin, (slider_at, 0.0, 0.0), 0.6)
    slider = Body(name="Slider", mass=0.9, inertia=(2e-4, 3e-4, 3e-4), position=(slider_at, 0.0, 0.0))
    pin_speed = omega * np.array([-pin[1], pin[0], 0.0])
    rod_omega = -pin_speed[1] / (slider_at - pin[0])
    slider_speed = pin_speed[0] + rod_omega * pin[1]
    crank = moving(crank, pin_speed / 2.0, (0.0, 0.0, omega))
    rod = moving(rod, (pin_speed + np.array([slider_speed, 0.0, 0.0])) / 2.0, (0.0, 0.0, rod_omega))
    slider = moving(slider, (slider_speed, 0.0, 0.0), ORIGIN)
    joints = (
        joint_at("Crankshaft", "revolute", None, crank, ORIGIN, Z),
        joint_at("Crank pin", "revolute", crank, rod, pin, Z),
        joint_at("Piston pin", "spherical", rod, slider, (slider_at, 0.0, 0.0)),
        joint_at("Bore", "prismatic", None, slider, (slider_at, 0.0, 0.0), (1.0, 0.0, 0.0)),
    )
    notes = "Slider-crank: crank 0.15 m, rod 0.4 m, thrown round with 12 rad/s and left alone."
    return rig(
        "Slider-crank",
        notes,
        Assembly(name="Rig", role="rig", bodies=(crank, rod, slider), joints=joints),
        2.0,
    )


def driven_crank() -> Project:
    """The same slider-crank turned at constant speed."""
    base = slider_crank()
    drive = Driver(
        name="Motor",
        target="Crankshaft",
        coordinate="angle",
        function=AnalyticFunction(rate=12.0),
        relative=True,
    )
    assembly = base.scenario.assembly.model_copy(update={"drivers": (drive,)})
    notes = "Driven slider-crank: the crank turns with 12 rad/s; the slider follows in closed form."
    return rig("Driven crank", notes, Assembly.model_validate(dict(assembly)), 2.0)


def torsion_chain() -> Project:
    """Two discs on one shaft with torsion springs: ground, disc, disc."""
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    discs = tuple(
        Body(name=name, mass=m, inertia=(j, j, j), position=vec(at * axis), angular_velocity=vec(w * axis))
        for name, m, j, at, w in (("Disc 1", 2.0, 0.5, 0.3, 2.0), ("Disc 2", 1.0, 0.2, 0.7, -3.0))
    )
    joints = (
        joint_at("Bearing 1", "revolute", None, discs[0], 0.3 * axis, axis),
        joint_at("Bearing 2", "revolute", discs[0], discs[1], 0.7 * axis, axis),
    )
    forces = (
        RotationalSpring(name="Shaft 1", joint="Bearing 1", stiffness=40.0, free_angle=0.1),
        RotationalSpring(name="Shaft 2", joint="Bearing 2", stiffness=25.0),
    )
    notes = (
        "Torsion chain: two discs on an inclined shaft with springs of 40 and 25 N m/rad; a linear system of two"
        " degrees of freedom, the first spring 0.1 rad away from rest."
    )
    return rig(
        "Torsion chain",
        notes,
        Assembly(name="Rig", role="rig", bodies=discs, joints=joints, forces=forces),
        4.0,
        NO_GRAVITY,
    )


def driven_oscillator() -> Project:
    """Mass on a slide with spring and damper under a harmonic force."""
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    mass = Body(name="Mass", mass=2.0, inertia=(0.1, 0.2, 0.2), position=vec(0.6 * axis))
    slide = joint_at("Slide", "prismatic", None, mass, 0.6 * axis, axis)
    wave = [AnalyticFunction(harmonics=(Harmonic(amplitude=6.0 * a, omega=11.0, phase=0.4),)) for a in axis]
    forces = (
        SpringDamper(
            name="Spring", body_i=GROUND, body_j="Mass", stiffness=300.0, damping=4.0, free_length=0.5
        ),
        AppliedForce(name="Shaker", body="Mass", components=tuple(wave)),
    )
    notes = (
        "Driven oscillator: 2 kg on an inclined slide with 300 N/m and 4 N s/m, drawn 0.1 m stretched, shaken with"
        " 6 N at 11 rad/s; closed form of the damped driven oscillator."
    )
    assembly = Assembly(name="Rig", role="rig", bodies=(mass,), joints=(slide,), forces=forces)
    return rig("Driven oscillator", notes, assembly, 3.0, NO_GRAVITY)


# Andrews' squeezer: lengths in m, masses in kg, moments in kg m^2 (Schiehlen 1990; Hairer and Wanner 1996, ch. VII.7;
# IVP test set of Bari) with xb and m3 of the IFToMM library of benchmark problems, A03.
ANDREWS = {
    "d": 28e-3, "da": 115e-4, "e": 2e-2, "ea": 1421e-5, "rr": 7e-3, "ra": 92e-5, "ss": 35e-3, "sa": 1874e-5,
    "sb": 1043e-5, "sc": 18e-3, "sd": 2e-2, "ta": 2308e-5, "tb": 916e-5, "u": 4e-2, "ua": 1228e-5, "ub": 449e-5,
    "zf": 2e-2, "zt": 4e-2, "fa": 1421e-5, "xa": -0.06934, "ya": -0.00227, "xb": -0.03635, "yb": 0.03273,
    "xc": 0.014, "yc": 0.072, "c0": 4530.0, "l0": 0.07785, "mom": 0.033,
}  # fmt: skip
ANDREWS_MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
ANDREWS_MOMENT = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
# beta, Theta, gamma, Phi, delta, Omega, epsilon (rad) at the start; the constraints fix all but Theta = 0
ANDREWS_START = (
    -0.0617138900142764, 0.0, 0.4552798191630704, 0.2226683901658859, 0.4873649795438425, -0.2226683901658859,
    1.2305474445498212,
)  # fmt: skip


def _polar(length: float, angle: float) -> np.ndarray:
    return length * np.array([math.cos(angle), math.sin(angle), 0.0])


def andrews_squeezer() -> Project:
    """Andrews' squeezer mechanism: seven bodies, ten hinges, one spring, driven by a constant torque."""
    c = ANDREWS
    beta, theta, gamma, phi, delta, omega, epsilon = ANDREWS_START
    A, B, C = (np.array([c[f"x{k}"], c[f"y{k}"], 0.0]) for k in "abc")
    F = _polar(c["rr"], beta)
    E = F - _polar(c["d"], beta + theta)
    G = A + _polar(c["zt"], delta)
    H = A + _polar(c["u"], epsilon - math.pi / 2.0)
    D = B + _polar(c["sd"], gamma) + _polar(c["sc"], gamma - math.pi / 2.0)
    centres = (
        _polar(c["ra"], beta),
        F - _polar(c["da"], beta + theta),
        B + _polar(c["sb"], gamma) + _polar(c["sa"], gamma - math.pi / 2.0),
        G + _polar(c["e"] - c["ea"], phi + delta - math.pi / 2.0),
        A + _polar(c["ta"], delta) + _polar(c["tb"], delta + math.pi / 2.0),
        H + _polar(c["zf"] - c["fa"], omega + epsilon),
        A + _polar(c["ua"], epsilon - math.pi / 2.0) - _polar(c["ub"], epsilon),
    )
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)
    k = tuple(
        Body(
            name=f"K{n + 1}",
            mass=m,
            inertia=(j / 2.0, j / 2.0, j),
            position=vec(at),
            orientation=about_z(angle),
        )
        for n, (m, j, at, angle) in enumerate(zip(ANDREWS_MASS, ANDREWS_MOMENT, centres, angles, strict=True))
    )
    hinges = (
        ("O", None, k[0], ORIGIN), ("F", k[0], k[1], F), ("E3", k[1], k[2], E), ("E4", k[1], k[3], E),
        ("E6", k[1], k[5], E), ("G", k[3], k[4], G), ("H", k[5], k[6], H), ("B", None, k[2], B),
        ("A5", None, k[4], A), ("A7", None, k[6], A),
    )  # fmt: skip
    joints = tuple(joint_at(name, "revolute", i, j, at, Z) for name, i, j, at in hinges)
    forces = (
        SpringDamper(
            name="Spring", body_i=GROUND, body_j="K3", point_i=vec(C), point_j=in_body(k[2], D),
            stiffness=c["c0"], free_length=c["l0"],
        ),
        AppliedTorque(name="Motor", body="K1", components=(constant(0.0), constant(0.0), constant(c["mom"]))),
    )  # fmt: skip
    notes = (
        "Andrews' squeezer (IFToMM library of benchmark problems, A03; IVP test set): seven bodies driven by 0.033 N m."
        "\nThe crank turns two and a half times in 0.03 s. Ten hinges in space leave nine redundant rows."
    )
    assembly = Assembly(name="Rig", role="rig", bodies=k, joints=joints, forces=forces)
    return rig("Andrews squeezer", notes, assembly, 0.03, NO_GRAVITY, max_step=1e-4, sample_rate=20000.0)


RIGS = {
    "planar_pendulum": planar_pendulum,
    "bar_pendulum": bar_pendulum,
    "stopped_pendulum": stopped_pendulum,
    "double_pendulum": double_pendulum,
    "four_bar": four_bar,
    "slider_crank": slider_crank,
    "driven_crank": driven_crank,
    "torsion_chain": torsion_chain,
    "driven_oscillator": driven_oscillator,
    "andrews_squeezer": andrews_squeezer,
}
