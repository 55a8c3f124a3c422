"""Two arms: the main arm with a counterweight turns at a speed, the arm at its end swings, a ring turns at that."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ...base.fields import Positive, described
from ...model.seating import ring
from ...project.project import Project
from .base import (
    UP,
    Duration,
    Parameters,
    Template,
    fixed,
    force,
    hinge,
    lasting,
    rig_project,
    speed_programme,
    swing_programme,
    tube,
    turntable,
    weight_block,
)


class DoubleArm(Parameters):
    """Two arms: the main arm with a counterweight turns at a speed, the arm at its end swings, a ring turns at that."""

    duration: Duration = lasting(90.0)
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
        weight = weight_block(self.counterweight, (0.0, 0.0, top[2] + self.counter_length))
        main = tube("Main arm", self.main_length + self.counter_length, 0.016, 4.5, weight.position)
        second = tube("Second arm", self.second_length, 0.01, 15.0, second_top)
        table = turntable("Gondola", self.ring_mass, self.radius, (0.0, 0.0, foot - 0.4))
        joints = (
            hinge("Main bearing", None, main, top), fixed("Weight mount", main, weight),
            hinge("Second hinge", main, second, second_top),
            hinge("Ring bearing", second, table, (0.0, 0.0, foot), UP),
        )  # fmt: skip
        forces = (
            force(
                "motor", name="Main drive", joint="Main bearing", torque_curve=((0.0, 150e3),), brake_moment=150e3,
                programme=speed_programme(self.main_speed, 0.05, self.duration),
            ),
            force(
                "motor", name="Swing drive", joint="Second hinge", torque_curve=((0.0, 8e3),), brake_moment=15e3,
                programme=swing_programme(1.0, self.duration),
            ),
            force(
                "motor", name="Ring drive", joint="Ring bearing", torque_curve=((0.0, 8e3),), brake_moment=5e3,
                programme=speed_programme(self.spin, 0.1, self.duration),
            ),
        )  # fmt: skip
        notes = "Main arm with counterweight, second arm at its end, ring of seats at that. All dimensions are chosen."
        seats = ring("Gondola", self.seats, self.radius, passenger=self.passenger)
        bodies = (main, weight, second, table)
        return rig_project(
            "Double arm", notes, self.duration, bodies=bodies, joints=joints, seats=seats, forces=forces
        )  # fmt: skip


TEMPLATE = Template(
    "double_arm", "Double arm", "Main arm with counterweight, swinging second arm, ring", DoubleArm
)
