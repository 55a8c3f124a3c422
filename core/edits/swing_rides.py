"""Templates of swinging rides: pure functions of a few parameters. All dimensions are chosen, none is a maker's.

World axes: z up, the hinge at the origin's height `hinge_height`, its axis along y; a ride swings in the plane of x and
z. Angles count from hanging, forward (towards +x at the bottom) negative about +y, so that the axis of the hinge is -y:
growing angles swing forward.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, NamedTuple

import numpy as np
from pydantic import Field

from ..base.fields import Positive, described
from ..base.frozen import Frozen, Vec3
from ..model.assembly import Assembly
from ..model.bodies import GROUND, Body
from ..model.drivers import Driver
from ..model.forces import TYPES, Force
from ..model.functions import TableFunction
from ..model.joints import Joint
from ..model.programme import Phase
from ..model.seating import ring, rows
from ..project.project import Project
from ..project.scenario import Rig, SolverSettings

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


def _tube(name: str, length: float, wall: float, frequency: float, top: Vec3) -> Body:
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


def _force(kind: str, **fields: Any) -> Force:
    return TYPES[kind].model.model_validate({"name": kind.replace("_", " ").capitalize(), **fields})


def _hinge(name: str, i: Body | None, j: Body, at: Vec3, axis: Vec3 = SWING_AXIS) -> Joint:
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


def _turntable(name: str, mass: float, radius: float, at: Vec3) -> Body:
    """A hub with a ring of seats round zeta: radius of gyration 0.8 of the ring's about the axis, chosen."""
    about = mass * (0.8 * radius) ** 2
    return Body(name=name, mass=mass, inertia=(0.5 * about, 0.5 * about, about), position=at, part="chosen")


def _project(name: str, notes: str, duration: float, **parts: Any) -> Project:
    """A project of a rig; parts: its bodies, joints, seats, forces and drivers."""
    rig = Assembly(name=name, role="rig", **parts)
    return Project(
        name=name,
        notes=notes,
        scenario=Rig(assembly=rig, duration=duration),
        settings=SolverSettings(sample_rate=250.0),
    )


def _weight(mass: float, at: Vec3) -> Body:
    """A counterweight: as a block of 1.5 m."""
    about = mass * 1.5**2 / 6.0
    return Body(name="Counterweight", mass=mass, inertia=(about, about, about), position=at, part="chosen")


class Template(Frozen):
    """What templates share."""

    passenger: Passenger = described(75.0, "Passenger", "Mass on every seat.", unit="kg")
    duration: Annotated[float, Field(gt=10.0, le=600.0)] = described(
        180.0, "Duration", "Of the ride.", unit="s"
    )


class Frisbee(Template):
    """A pendulum with a turning ring of seats at its lower end (frisbee, discovery, afterburner).

    The arm is a square tube whose width follows from its length, wall and first bending when clamped at the top.
    """

    arm_length: Positive = described(9.0, "Arm", "From the hinge to the ring.", unit="m")
    wall: Positive = described(0.012, "Wall of the arm", "Of its square tube.", unit="m")
    frequency: Positive = described(8.8, "First bending", "Of the arm clamped at its top.", unit="Hz")
    ring_mass: Positive = described(3000.0, "Ring", "Mass without passengers.", unit="kg")
    radius: Positive = described(3.2, "Radius of the seats", "From the axis of the ring.", unit="m")
    seats: Annotated[int, Field(ge=1, le=120)] = described(24, "Seats", "In the ring.", unit="1")
    facing: Literal["outwards", "inwards"] = described("outwards", "Riders look", "Which way.")
    amplitude: Annotated[float, Field(gt=0.0, le=3.0)] = described(
        math.radians(120.0), "Amplitude", "To each side.", unit="rad"
    )
    torque: Positive = described(30e3, "Swing torque", "Of the motors at the hinge.", unit="N m")
    spin: float = described(15.0 * math.pi / 30.0, "Speed of the ring", "About the arm.", unit="rad/s")
    prescribed: bool = described(
        False, "Prescribed rotation", "The ring follows a function of time, not a motor."
    )

    def project(self) -> Project:
        """The ride, from rest: swing up and hold, wind down, brake."""
        top = (0.0, 0.0, self.arm_length + self.radius + 1.5)
        foot = (0.0, 0.0, self.radius + 1.5)
        arm = _tube("Arm", self.arm_length, self.wall, self.frequency, top)
        table = _turntable("Gondola", self.ring_mass, self.radius, (0.0, 0.0, foot[2] - 0.4))
        joints = (_hinge("Top hinge", None, arm, top), _hinge("Ring bearing", arm, table, foot, UP))
        swing = _force(
            "motor", name="Swing drive", joint="Top hinge", torque_curve=((0.0, self.torque),),
            brake_moment=2.0 * self.torque, programme=_swing_programme(self.amplitude, self.duration),
        )  # fmt: skip
        forces: tuple[Force, ...] = (swing,)
        drivers: tuple[Driver, ...] = ()
        if self.prescribed:
            turn = spin_function(self.spin, min(15.0, 0.2 * self.duration), self.duration)
            drivers = (Driver(name="Rotation", target="Ring bearing", coordinate="angle", function=turn),)
        else:
            spin = _force(
                "motor", name="Ring drive", joint="Ring bearing", torque_curve=((0.0, 15e3),), brake_moment=10e3,
                programme=_speed_programme(self.spin, 0.12, self.duration),
            )  # fmt: skip
            forces = (swing, spin)
        notes = (
            f"Pendulum of {self.arm_length:g} m with a ring of {self.seats} seats. {arm.part}; first"
            f" bending, clamped at its top, {self.frequency:g} Hz. All dimensions are chosen."
        )
        seats = ring("Gondola", self.seats, self.radius, facing=self.facing, passenger=self.passenger)
        return _project(
            "Frisbee", notes, self.duration, bodies=(arm, table), joints=joints, seats=seats, forces=forces,
            drivers=drivers,
        )  # fmt: skip


class PirateShip(Template):
    """A boat that hangs from a hinge and is driven by a friction wheel below, benches looking at the middle."""

    duration: Annotated[float, Field(gt=10.0, le=600.0)] = described(
        120.0, "Duration", "Of the ride.", unit="s"
    )
    keel: Positive = described(
        11.0, "Radius of the keel", "From the hinge to where the wheel touches.", unit="m"
    )
    mass: Positive = described(6500.0, "Boat", "Mass without passengers.", unit="kg")
    centre: Positive = described(8.2, "Centre of mass", "Below the hinge.", unit="m")
    rows: Annotated[int, Field(ge=1, le=12)] = described(
        4, "Benches", "On each side of the middle.", unit="1"
    )
    across: Annotated[int, Field(ge=1, le=8)] = described(4, "Seats a bench", "Side by side.", unit="1")
    amplitude: Annotated[float, Field(gt=0.0, le=1.6)] = described(
        math.radians(65.0), "Amplitude", "To each side.", unit="rad"
    )
    normal_force: Positive = described(12e3, "Normal force", "Of the wheel on the keel.", unit="N")
    rim_speed: Positive = described(14.0, "Rim speed", "Of the wheel.", unit="m/s")

    def project(self) -> Project:
        """The ride, from rest: swing up and hold, wind down, brake."""
        top = (0.0, 0.0, self.keel + 1.0)
        length = 0.9 * self.keel
        inertia = (
            self.mass * 1.6**2, self.mass * (length**2 / 12.0 + 1.5**2), self.mass * (length**2 / 12.0 + 1.2**2)
        )  # fmt: skip
        at = (0.0, 0.0, top[2] - self.centre)
        boat = Body(name="Boat", mass=self.mass, inertia=inertia, position=at, part="chosen")
        places = []
        for k in range(2 * self.rows):
            side = (k - self.rows + 0.5) / self.rows
            x = 0.45 * length * side
            deck = self.centre - math.sqrt((self.keel - 1.6) ** 2 - x * x)  # above the centre of mass: an arc
            places.append((x, deck))
        seats = rows("Boat", places, self.across, 0.6, towards=0.0, passenger=self.passenger)
        wheel = _force(
            "friction_wheel", name="Friction wheel", joint="Hinge", radius=self.keel, normal_force=self.normal_force,
            rim_speed=self.rim_speed, programme=_swing_programme(self.amplitude, self.duration),
        )  # fmt: skip
        notes = (
            f"Boat of {self.mass:g} kg, {self.centre:g} m below its hinge, driven by a wheel under its keel at"
            f" {self.keel:g} m. All dimensions are chosen."
        )
        joints = (_hinge("Hinge", None, boat, top),)
        return _project(
            "Pirate ship", notes, self.duration, bodies=(boat,), joints=joints, seats=seats, forces=(wheel,)
        )  # fmt: skip


class LoopingBoat(Template):
    """A boat on an arm with a counterweight that swings up until it goes over the top, then turns at a speed."""

    duration: Annotated[float, Field(gt=10.0, le=600.0)] = described(
        120.0, "Duration", "Of the ride.", unit="s"
    )
    arm_length: Positive = described(8.0, "Arm", "From the hinge to the boat.", unit="m")
    boat_mass: Positive = described(4000.0, "Boat", "Mass without passengers.", unit="kg")
    counterweight: Positive = described(8000.0, "Counterweight", "On the other side of the hinge.", unit="kg")
    counter_length: Positive = described(4.0, "Arm of the counterweight", "From the hinge.", unit="m")
    torque: Positive = described(60e3, "Torque", "Of the motors at the hinge.", unit="N m")
    speed: float = described(0.9, "Turning speed", "Once it goes over the top.", unit="rad/s")
    rows: Annotated[int, Field(ge=1, le=10)] = described(5, "Rows", "Of seats.", unit="1")
    across: Annotated[int, Field(ge=1, le=8)] = described(4, "Seats a row", "Side by side.", unit="1")

    def project(self) -> Project:
        """The ride, from rest: swing up, turn over, slow down and brake."""
        top = (0.0, 0.0, self.arm_length + 3.0)
        boat = Body(
            name="Boat", mass=self.boat_mass, position=(0.0, 0.0, 3.0), part="chosen",
            inertia=(self.boat_mass * 1.2**2, self.boat_mass * 2.2**2, self.boat_mass * 2.3**2),
        )  # fmt: skip
        weight = _weight(self.counterweight, (0.0, 0.0, top[2] + self.counter_length))
        arm = _tube("Arm", self.arm_length + self.counter_length, 0.012, 5.0, weight.position)
        joints = (
            _hinge("Hinge", None, arm, top), _fixed("Boat mount", arm, boat), _fixed("Weight mount", arm, weight)
        )  # fmt: skip
        third = self.duration / 3.0
        programme = (
            Phase(mode="swing", duration=third),
            Phase(mode="speed", speed=self.speed, acceleration=0.2, duration=third),
            Phase(mode="off", duration=0.0),
            Phase(mode="swing", amplitude=0.0, duration=0.8 * third),
            Phase(mode="brake"),
        )
        motor = _force(
            "motor", name="Drive", joint="Hinge", torque_curve=((0.0, self.torque),), brake_moment=self.torque,
            programme=programme,
        )  # fmt: skip
        places = [(1.1 * (k - 0.5 * (self.rows - 1)), 0.0) for k in range(self.rows)]
        seats = rows("Boat", places, self.across, 0.6, passenger=self.passenger)
        notes = (
            f"Boat on an arm of {self.arm_length:g} m with a counterweight of {self.counterweight:g} kg. All dimensions"
            " are chosen."
        )
        bodies = (arm, boat, weight)
        return _project(
            "Looping boat", notes, self.duration, bodies=bodies, joints=joints, seats=seats, forces=(motor,)
        )  # fmt: skip


class DoubleArm(Template):
    """Two arms: the main arm with a counterweight turns at a speed, the arm at its end swings, a ring turns at that."""

    duration: Annotated[float, Field(gt=10.0, le=600.0)] = described(
        90.0, "Duration", "Of the ride.", unit="s"
    )
    main_length: Positive = described(8.0, "Main arm", "From its bearing to the second hinge.", unit="m")
    second_length: Positive = described(5.0, "Second arm", "From the second hinge to the ring.", unit="m")
    counterweight: Positive = described(
        9000.0, "Counterweight", "On the other side of the bearing.", unit="kg"
    )
    counter_length: Positive = described(5.0, "Arm of the counterweight", "From the bearing.", unit="m")
    main_speed: float = described(0.6, "Speed of the main arm", "About its bearing.", unit="rad/s")
    spin: float = described(0.8, "Speed of the ring", "About the second arm.", unit="rad/s")
    seats: Annotated[int, Field(ge=1, le=120)] = described(16, "Seats", "In the ring.", unit="1")
    radius: Positive = described(2.2, "Radius of the seats", "From the axis of the ring.", unit="m")
    ring_mass: Positive = described(1800.0, "Ring", "Mass without passengers.", unit="kg")

    def project(self) -> Project:
        """The ride, from rest: main arm up to its speed while the second arm swings, then down and brake."""
        foot = self.radius + 1.5
        second_top = (0.0, 0.0, foot + self.second_length)
        top = (0.0, 0.0, second_top[2] + self.main_length)
        weight = _weight(self.counterweight, (0.0, 0.0, top[2] + self.counter_length))
        main = _tube("Main arm", self.main_length + self.counter_length, 0.016, 4.5, weight.position)
        second = _tube("Second arm", self.second_length, 0.01, 15.0, second_top)
        table = _turntable("Gondola", self.ring_mass, self.radius, (0.0, 0.0, foot - 0.4))
        joints = (
            _hinge("Main bearing", None, main, top), _fixed("Weight mount", main, weight),
            _hinge("Second hinge", main, second, second_top),
            _hinge("Ring bearing", second, table, (0.0, 0.0, foot), UP),
        )  # fmt: skip
        forces = (
            _force(
                "motor", name="Main drive", joint="Main bearing", torque_curve=((0.0, 150e3),), brake_moment=150e3,
                programme=_speed_programme(self.main_speed, 0.05, self.duration),
            ),
            _force(
                "motor", name="Swing drive", joint="Second hinge", torque_curve=((0.0, 8e3),), brake_moment=15e3,
                programme=_swing_programme(1.0, self.duration),
            ),
            _force(
                "motor", name="Ring drive", joint="Ring bearing", torque_curve=((0.0, 8e3),), brake_moment=5e3,
                programme=_speed_programme(self.spin, 0.1, self.duration),
            ),
        )  # fmt: skip
        notes = "Main arm with counterweight, second arm at its end, ring of seats at that. All dimensions are chosen."
        seats = ring("Gondola", self.seats, self.radius, passenger=self.passenger)
        bodies = (main, weight, second, table)
        return _project(
            "Double arm", notes, self.duration, bodies=bodies, joints=joints, seats=seats, forces=forces
        )  # fmt: skip


def _fixed(name: str, i: Body, j: Body) -> Joint:
    x, y, z = (float(a - b) for a, b in zip(j.position, i.position, strict=True))
    return Joint(name=name, kind="rigid", body_i=i.name, point_i=(x, y, z), body_j=j.name)


def _swing_programme(amplitude: float, duration: float) -> tuple[Phase, ...]:
    """Start and hold for 0.6 of the ride, wind down for 0.35, brake."""
    return (
        Phase(mode="swing", amplitude=amplitude, duration=0.6 * duration),
        Phase(mode="swing", amplitude=0.0, duration=0.35 * duration),
        Phase(mode="brake"),
    )


def _speed_programme(speed: float, ramp: float, duration: float) -> tuple[Phase, ...]:
    """Up to a speed, down to none by 0.95 of the ride, brake."""
    stop = min(0.3 * duration, abs(speed) / ramp + 2.0)
    return (
        Phase(mode="speed", speed=speed, acceleration=ramp, duration=0.95 * duration - stop),
        Phase(mode="speed", speed=0.0, acceleration=ramp, duration=stop),
        Phase(mode="brake"),
    )


class Choice(NamedTuple):
    """A template: what it is called, one line about it, and its parameters."""

    title: str
    about: str
    model: Callable[..., Template]


TEMPLATES: Final[dict[str, Choice]] = {
    "frisbee": Choice("Frisbee", "Pendulum with a turning ring of seats", Frisbee),
    "pirate_ship": Choice("Pirate ship", "Boat driven by a friction wheel below", PirateShip),
    "looping_boat": Choice("Looping boat", "Boat with a counterweight that goes over the top", LoopingBoat),
    "double_arm": Choice("Double arm", "Main arm with counterweight, swinging second arm, ring", DoubleArm),
}


def swing_ride(name: str, **parameters: Any) -> Project:
    """The project of a template; parameters: fields of its model."""
    project: Project = TEMPLATES[name].model(**parameters).project()  # type: ignore[attr-defined]
    return project
