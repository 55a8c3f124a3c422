"""What every template of a ride declares, and what templates build of; each has one file in this folder.

A template's file holds its parameters (a pydantic class with `project`, a pure function of them) and TEMPLATE, a
`Template`. The menu New and the start page follow from it (see `core.edits.templates`). All dimensions are chosen, none
is a maker's.

World axes of swinging rides: z up, the axis of the hinge along y; a ride swings in the plane of x and z. Angles count
from hanging, forward (towards +x at the bottom) negative about +y, so that the axis of the hinge is -y: growing angles
swing forward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from ...base.fields import described
from ...base.frozen import Frozen, Vec3
from ...model.assembly import Assembly
from ...model.bodies import GROUND, Body
from ...model.forces import TYPES, Force
from ...model.functions import TableFunction
from ...model.joints import Joint
from ...model.programme import Phase
from ...project.project import Project
from ...project.scenario import Rig, SolverSettings

E_STEEL, RHO_STEEL = 2.1e11, 7850.0  # Pa, kg/m^3
FIRST_ROOT = 1.8751040687119611  # of cos x cosh x = -1: clamped beam
Passenger = Annotated[float, Field(ge=0.0, le=1000.0)]
SWING_AXIS: Vec3 = (0.0, -1.0, 0.0)
UP: Vec3 = (0.0, 0.0, 1.0)


def square_tube(length: float, wall: float, frequency: float) -> tuple[float, float, float]:
    """Outer width (m), area (m^2) and second moment of area (m^4) of a square tube of steel whose beam of a length (m),
    clamped at one end, has its first bending at a frequency (Hz).

    Euler and Bernoulli: 2 pi f = x^2 sqrt(E I / (rho A L^4)), x = 1.8751; wall m thick.
    """
    radius2 = (2.0 * math.pi * frequency * length**2 / FIRST_ROOT**2) ** 2 * RHO_STEEL / E_STEEL
    width = wall + math.sqrt(6.0 * radius2 - wall**2)
    area = width**2 - (width - 2.0 * wall) ** 2
    return width, area, area * radius2


def tube(name: str, length: float, wall: float, frequency: float, top: Vec3) -> Body:
    """A tube that hangs from `top`, its zeta axis up along it."""
    width, area, _ = square_tube(length, wall, frequency)
    mass = RHO_STEEL * area * length
    inner = width - 2.0 * wall
    about = mass * (width**4 - inner**4) / (6.0 * (width**2 - inner**2))
    across = mass * length**2 / 12.0 + about / 2.0
    part = f"Square tube {1e3 * width:.0f} x {1e3 * wall:.0f} mm, {length:g} m, steel; chosen"
    x, y, z = top
    return Body(
        name=name, mass=mass, inertia=(across, across, about), position=(x, y, z - 0.5 * length), part=part
    )


def spin_function(speed: float, ramp: float, end: float) -> TableFunction:
    """Angle (rad) over time of what is brought up to a speed (rad/s) in `ramp` seconds and down again before `end` (s).

    The speed rises as (1 - cos) / 2.
    """
    slow = np.linspace(0.0, ramp, 33)
    up = speed * (0.5 * slow - 0.5 * ramp / math.pi * np.sin(math.pi * slow / ramp))
    hold = np.linspace(ramp, end - ramp, max(9, int(end / 2.0)))
    at_hold = up[-1] + speed * (hold - ramp)
    down = end - slow[::-1]
    at_down = at_hold[-1] + up[-1] - up[::-1]
    times = np.concatenate([slow, hold[1:], down[1:]])
    values = np.concatenate([up, at_hold[1:], at_down[1:]])
    return TableFunction(times=tuple(times.tolist()), values=tuple(values.tolist()))


def force(kind: str, **fields: Any) -> Force:
    return TYPES[kind].model.model_validate({"name": kind.replace("_", " ").capitalize(), **fields})


def hinge(name: str, i: Body | None, j: Body, at: Vec3, axis: Vec3 = SWING_AXIS) -> Joint:
    """A revolute joint at a point (m) of what is drawn; all bodies are drawn unturned."""

    def local(body: Body | None) -> Vec3:
        if body is None:
            return at
        x, y, z = (float(a - b) for a, b in zip(at, body.position, strict=True))
        return (x, y, z)

    return Joint(
        name=name, kind="revolute", body_i=GROUND if i is None else i.name, point_i=local(i), axis_i=axis,
        body_j=j.name, point_j=local(j), axis_j=axis,
    )  # fmt: skip


def turntable(name: str, mass: float, radius: float, at: Vec3) -> Body:
    """A hub with a ring of seats round zeta: radius of gyration 0.8 of the ring's about the axis, chosen."""
    about = mass * (0.8 * radius) ** 2
    return Body(name=name, mass=mass, inertia=(0.5 * about, 0.5 * about, about), position=at, part="chosen")


def rig_project(name: str, notes: str, duration: float, **parts: Any) -> Project:
    """A project of a rig; parts: its bodies, joints, seats, forces and drivers."""
    rig = Assembly(name=name, role="rig", **parts)
    return Project(
        name=name,
        notes=notes,
        scenario=Rig(assembly=rig, duration=duration),
        settings=SolverSettings(sample_rate=250.0),
    )


def weight_block(mass: float, at: Vec3) -> Body:
    """A counterweight: as a block of 1.5 m."""
    about = mass * 1.5**2 / 6.0
    return Body(name="Counterweight", mass=mass, inertia=(about, about, about), position=at, part="chosen")


def fixed(name: str, i: Body, j: Body) -> Joint:
    x, y, z = (float(a - b) for a, b in zip(j.position, i.position, strict=True))
    return Joint(name=name, kind="rigid", body_i=i.name, point_i=(x, y, z), body_j=j.name)


def swing_programme(amplitude: float, duration: float) -> tuple[Phase, ...]:
    """Start and hold for 0.6 of the ride, wind down for 0.35, brake."""
    return (
        Phase(mode="swing", amplitude=amplitude, duration=0.6 * duration),
        Phase(mode="swing", amplitude=0.0, duration=0.35 * duration),
        Phase(mode="brake"),
    )


def speed_programme(speed: float, ramp: float, duration: float) -> tuple[Phase, ...]:
    """Up to a speed, down to none by 0.95 of the ride, brake."""
    stop = min(0.3 * duration, abs(speed) / ramp + 2.0)
    return (
        Phase(mode="speed", speed=speed, acceleration=ramp, duration=0.95 * duration - stop),
        Phase(mode="speed", speed=0.0, acceleration=ramp, duration=stop),
        Phase(mode="brake"),
    )


Duration = Annotated[float, Field(gt=10.0, le=600.0)]


def lasting(seconds: float) -> Any:
    """The field of how long a ride takes, with its default (s)."""
    return described(seconds, "Duration", "Of the ride.", unit="s")


class Parameters(Frozen):
    """What templates share; every one says what its project is."""

    passenger: Passenger = described(75.0, "Passenger", "Mass on every seat.", unit="kg")
    duration: Duration = lasting(180.0)

    def project(self) -> Project:
        """The ride, from rest."""
        raise NotImplementedError


@dataclass(frozen=True)
class Template:
    """A template: id, what it is called, one line about it, its parameters, and its icon."""

    id: str
    title: str
    about: str
    model: type[Parameters]
    icon: str = "driver"
