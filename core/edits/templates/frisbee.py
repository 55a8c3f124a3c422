"""A pendulum with a turning ring of seats at its lower end (frisbee, discovery, afterburner)."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import Positive, described
from ...model.drivers import Driver
from ...model.forces import Force
from ...model.seating import ring
from ...project.project import Project
from .base import (
    UP,
    Parameters,
    Template,
    force,
    hinge,
    rig_project,
    speed_programme,
    spin_function,
    swing_programme,
    tube,
    turntable,
)


class Frisbee(Parameters):
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
    # at 120 degrees and 15 rpm the loads at this ring are beyond ASTM F2291
    amplitude: Annotated[float, Field(gt=0.0, le=3.0)] = described(
        math.radians(90.0), "Amplitude", "To each side.", unit="rad"
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
        arm = tube("Arm", self.arm_length, self.wall, self.frequency, top)
        table = turntable("Gondola", self.ring_mass, self.radius, (0.0, 0.0, foot[2] - 0.4))
        joints = (hinge("Top hinge", None, arm, top), hinge("Ring bearing", arm, table, foot, UP))
        swing = force(
            "motor", name="Swing drive", joint="Top hinge", torque_curve=((0.0, self.torque),),
            brake_moment=2.0 * self.torque, programme=swing_programme(self.amplitude, self.duration),
        )  # fmt: skip
        forces: tuple[Force, ...] = (swing,)
        drivers: tuple[Driver, ...] = ()
        if self.prescribed:
            turn = spin_function(self.spin, min(15.0, 0.2 * self.duration), self.duration)
            drivers = (Driver(name="Rotation", target="Ring bearing", coordinate="angle", function=turn),)
        else:
            spin = force(
                "motor", name="Ring drive", joint="Ring bearing", torque_curve=((0.0, 15e3),), brake_moment=10e3,
                programme=speed_programme(self.spin, 0.12, self.duration),
            )  # fmt: skip
            forces = (swing, spin)
        notes = (
            f"Pendulum of {self.arm_length:g} m with a ring of {self.seats} seats. {arm.part}; first"
            f" bending, clamped at its top, {self.frequency:g} Hz. All dimensions are chosen."
        )
        seats = ring("Gondola", self.seats, self.radius, facing=self.facing, passenger=self.passenger)
        return rig_project(
            "Frisbee", notes, self.duration, bodies=(arm, table), joints=joints, seats=seats, forces=forces,
            drivers=drivers,
        )  # fmt: skip


TEMPLATE = Template("frisbee", "Frisbee", "Pendulum with a turning ring of seats", Frisbee)
