"""The occupant of the thesis on a seat that moves by prescribed accelerations: one set of data for all codes.

The seat only translates, so that the motion relative to it is the motion on a resting seat under the gravity
g - a(t). Ridewright gets the driven seat as a user would build it; the peers get the resting seat with the
changing gravity, which spares them the seat, its drivers and its constraints: any error of fairness is theirs
to gain. All codes start from the same assembled pose at rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridewright.core.base.arrays import Array
from ridewright.core.base.frames import conjugate, multiply, rotation_matrix
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import GROUND, SEAT, Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.functions import AnalyticFunction, Harmonic
from ridewright.core.model.joints import Joint
from ridewright.core.model.library import load_occupant
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.solver.engine import Engine

AMPLITUDE = (5.0, 3.0, 15.0)  # m/s^2
FREQUENCY = (1.0, 0.7, 0.5)  # Hz
GRAVITY = (0.0, 0.0, -9.81)
DURATION = 10.0  # s
REST = 1.0  # s, how long the codes are compared with the seat at rest
ROOT = "Lower Torso"
WATCHED = ("Head", "Right Hand", "Left Hand")
OMEGA = tuple(2.0 * np.pi * f for f in FREQUENCY)


def seat_acceleration(t: Array) -> Array:
    """Acceleration (n, 3) m/s^2 of the seat at times t (n,)."""
    return np.stack([a * np.sin(w * t) for a, w in zip(AMPLITUDE, OMEGA, strict=True)], axis=-1)


def seat_position(t: Array) -> Array:
    """Position (n, 3) m: the exact double integral of the acceleration from rest at the origin."""
    return np.stack(
        [a / w * t - a / w**2 * np.sin(w * t) for a, w in zip(AMPLITUDE, OMEGA, strict=True)], axis=-1
    )


def _motion(axis: int) -> AnalyticFunction:
    a, w = AMPLITUDE[axis], float(OMEGA[axis])
    return AnalyticFunction(rate=a / w, harmonics=(Harmonic(amplitude=-a / w**2, omega=w),))


def _slide(name: str, below: str, body: str, axis: tuple[float, float, float]) -> Joint:
    return Joint(name=name, kind="prismatic", body_i=below, body_j=body, axis_i=axis, axis_j=axis)


def driven_seat(settings: SolverSettings) -> Project:
    """The seat at the end of three driven slides (fore and aft, sideways, up), the rider on it."""
    names, axes = ("Sled", "Cross sled", "Seat"), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    bodies = tuple(Body(name=n, mass=10.0, inertia=(1.0, 1.0, 1.0), position=(0.0, 0.0, 0.0)) for n in names)
    slides = tuple(
        _slide(f"{n} slide", below, n, axis)
        for n, below, axis in zip(names, (GROUND, *names[:2]), axes, strict=True)
    )
    drivers = tuple(
        Driver(name=f"{n} driver", target=f"{n} slide", coordinate="slide", function=_motion(k))
        for k, n in enumerate(names)
    )
    assembly = Assembly(
        name="Rig",
        role="rig",
        bodies=bodies,
        joints=slides,
        drivers=drivers,
        seats=(Seat(name="Left seat", body="Seat", position=(0.0, 0.0, 0.0)),),
        children=(load_occupant(),),
    )
    return _project("Rider on a driven seat", assembly, settings)


def resting_seat(settings: SolverSettings, moving: bool = True) -> Project:
    """The same in the frame of the seat: it rests, every body of the rider feels the force -m a(t).

    moving: False leaves gravity alone.
    """
    rider = load_occupant()
    share = 1.0 if moving else 0.0
    loads = tuple(
        AppliedForce(
            name=f"{b.name} inertia force",
            body=b.name,
            components=tuple(
                AnalyticFunction(harmonics=(Harmonic(amplitude=-share * b.mass * a, omega=float(w)),))
                for a, w in zip(AMPLITUDE, OMEGA, strict=True)
            ),
        )
        for b in rider.bodies
    )
    rider = rider.model_copy(update={"forces": (*rider.forces, *loads)})
    # an assembly holds at least one body of its own: a free one far away, without weight in the figures
    spare = Body(name="Post", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(5.0, 0.0, 0.0))
    hold = Joint(name="Post foot", kind="rigid", body_i=GROUND, body_j="Post")
    assembly = Assembly(
        name="Rig",
        role="rig",
        bodies=(spare,),
        joints=(hold,),
        seats=(Seat(name="Left seat", body=GROUND, position=(0.0, 0.0, 0.0)),),
        children=(rider,),
    )
    return _project("Rider on a resting seat", assembly, settings)


def _project(name: str, assembly: Assembly, settings: SolverSettings) -> Project:
    scenario = Rig(assembly=assembly, duration=DURATION)
    return Project(name=name, gravity=GRAVITY, scenario=scenario, settings=settings)


@dataclass(frozen=True)
class Segment:
    """A body of the rider in the assembled pose: position (m) and orientation in the frame of the seat."""

    name: str
    mass: float
    inertia: tuple[float, float, float]
    position: Array
    orientation: Array

    @property
    def matrix(self) -> Array:
        return rotation_matrix(self.orientation)


@dataclass(frozen=True)
class SeatedRider:
    """What the peers are built from: segments, joints (without the seat joint), springs."""

    segments: dict[str, Segment]
    joints: tuple[Joint, ...]
    springs: tuple[SpringDamper, ...]

    def tree(self) -> list[tuple[str, str, Joint]]:
        """(parent, child, joint) from the pelvis outwards."""
        out: list[tuple[str, str, Joint]] = []
        known, left = {ROOT}, list(self.joints)
        while left:
            joint = next(j for j in left if (j.body_i in known) != (j.body_j in known))
            left.remove(joint)
            parent, child = joint.body_i, joint.body_j
            if parent not in known:
                parent, child = child, parent
            known.add(child)
            out.append((parent, child, joint))
        return out

    def relative(self, parent: str, child: str) -> tuple[Array, Array]:
        """Position (m) and orientation of a segment in the frame of another."""
        p, c = self.segments[parent], self.segments[child]
        return p.matrix.T @ (c.position - p.position), np.asarray(
            multiply(conjugate(p.orientation), c.orientation)
        )


def seated_rider() -> SeatedRider:
    """The rider assembled by Ridewright on the driven seat, as plain data."""
    system = compile_system(driven_seat(SolverSettings()))
    state = Engine.prepare(system, SolverSettings()).state
    rider = load_occupant()
    index = {name.rpartition("/")[2]: k for k, name in enumerate(system.names)}
    segments = {
        b.name: Segment(b.name, b.mass, b.inertia, state.r[index[b.name]], state.p[index[b.name]])
        for b in rider.bodies
    }
    joints = tuple(j for j in rider.joints if SEAT not in (j.body_i, j.body_j))
    springs = tuple(f for f in rider.forces if isinstance(f, SpringDamper) and f.enabled)
    return SeatedRider(segments, joints, springs)
