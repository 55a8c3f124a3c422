"""Two freight cars joined by their couplers and pushed from behind (Massa, Stronati, Aboubakr, Shabana & Bosso 2012,
"Numerical study of the noninertial systems: application to train coupler systems"), with the couplers' own masses: as a
rig, and along the track as a linear system solved by matrix exponentials."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.functions import constant
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings

Array = np.ndarray
PUSH = 3e5  # N
BLOCK, SHANK, SHANK_INERTIA, SHANK_LENGTH = 50.0, 140.0, 8.0, 0.8  # kg, kg m^2, m
LINE = {"stiffness": 3e7, "damping": 2.5e5, "free_length": 0.289}  # end of car to block
TURN = {"stiffness": 3e7, "damping": 1e5}  # shank on block
KNUCKLE = {"stiffness": 5e8, "damping": 5e5, "free_length": 0.204}
CARS = {"loaded": (93800.0, (1.17e5, 1.37e6, 1.38e6)), "empty": (23800.0, (2.09e4, 2.37e5, 2.43e5))}
ALONG, UP = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
START = LINE["free_length"] + SHANK_LENGTH + KNUCKLE["free_length"] / 2.0  # m, end of a car from the middle


def freight_cars(load: str, duration: float, **settings: float) -> Project:
    """The rig: cars slide along x, a block on each car, a shank turns on each block, a spring between the shanks."""
    mass, inertia = CARS[load]
    bodies: list[Body] = []
    joints: list[Joint] = []
    forces: list[SpringDamper | RotationalSpring | AppliedForce] = []
    for side, name in ((-1.0, "rear"), (1.0, "front")):
        block = side * (START - LINE["free_length"])
        bodies += [
            Body(name=f"{name} car", mass=mass, inertia=inertia, position=(side * (START + 6.0), 0.0, 0.0)),
            Body(name=f"{name} block", mass=BLOCK, inertia=(1.0, 1.0, 1.0), position=(block, 0.0, 0.0)),
            Body(
                name=f"{name} shank", mass=SHANK, inertia=(1.0, SHANK_INERTIA, SHANK_INERTIA),
                position=(block - side * SHANK_LENGTH / 2.0, 0.0, 0.0),
            ),
        ]  # fmt: skip
        slide = {"kind": "prismatic", "axis_i": ALONG, "axis_j": ALONG}
        joints += [
            Joint(name=f"{name} rails", body_i="ground", body_j=f"{name} car", **slide),  # type: ignore[arg-type]
            Joint(name=f"{name} pocket", body_i=f"{name} car", body_j=f"{name} block", **slide),  # type: ignore[arg-type]
            Joint(
                name=f"{name} pin", kind="revolute", body_i=f"{name} block", body_j=f"{name} shank",
                point_j=(side * SHANK_LENGTH / 2.0, 0.0, 0.0), axis_i=UP, axis_j=UP,
            ),
        ]  # fmt: skip
        forces += [
            SpringDamper(
                name=f"{name} line", body_i=f"{name} car", body_j=f"{name} block", point_i=(-side * 6.0, 0.0, 0.0),
                **LINE,
            ),
            RotationalSpring(name=f"{name} centring", joint=f"{name} pin", **TURN),
        ]  # fmt: skip
    tip = SHANK_LENGTH / 2.0
    forces.append(
        SpringDamper(
            name="knuckle", body_i="rear shank", body_j="front shank", point_i=(tip, 0.0, 0.0),
            point_j=(-tip, 0.0, 0.0), **KNUCKLE,
        )
    )  # fmt: skip
    push = tuple(constant(x) for x in (PUSH, 0.0, 0.0))
    forces.append(AppliedForce(name="push", body="rear car", components=push))  # type: ignore[arg-type]
    assembly = Assembly(
        name="Rig", role="rig", bodies=tuple(bodies), joints=tuple(joints), forces=tuple(forces)
    )
    return Project(
        name="freight cars",
        gravity=(0.0, 0.0, 0.0),
        scenario=Rig(assembly=assembly, duration=duration),
        settings=SolverSettings(**settings),  # type: ignore[arg-type]
    )


def travel_along_track(load: str, times: Array) -> Array:
    """Compression (m) of the rear line, the knuckle and the front line (n, 3) at times (s): no rig, no integrator."""
    coupler = BLOCK + SHANK
    mass = np.array([CARS[load][0], coupler, coupler, CARS[load][0]])
    shorter = np.array([[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0], [0.0, 0.0, 1.0, -1.0]])
    springs = (LINE, KNUCKLE, LINE)
    K, C = (shorter.T @ np.diag([s[key] for s in springs]) @ shorter for key in ("stiffness", "damping"))
    A = np.zeros((9, 9))  # places, speeds, and one that stays 1 for the push
    A[:4, 4:8] = np.eye(4)
    A[4:8, :4], A[4:8, 4:8] = -K / mass[:, None], -C / mass[:, None]
    A[4, 8] = PUSH / mass[0]
    start = np.zeros(9)
    start[8] = 1.0
    return np.array([shorter @ (expm(A * t) @ start)[:4] for t in times])
