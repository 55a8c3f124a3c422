"""A boat on an arm with a counterweight that swings up until it goes over the top, then turns at a speed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ...base.fields import Positive, described
from ...model.bodies import Body
from ...model.programme import Phase
from ...model.seating import rows
from ...project.project import Project
from .base import (
    Duration,
    Parameters,
    Template,
    fixed,
    force,
    hinge,
    lasting,
    rig_project,
    tube,
    weight_block,
)


class LoopingBoat(Parameters):
    """A boat on an arm with a counterweight that swings up until it goes over the top, then turns at a speed."""

    duration: Duration = lasting(120.0)
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
        weight = weight_block(self.counterweight, (0.0, 0.0, top[2] + self.counter_length))
        arm = tube("Arm", self.arm_length + self.counter_length, 0.012, 5.0, weight.position)
        joints = (
            hinge("Hinge", None, arm, top), fixed("Boat mount", arm, boat), fixed("Weight mount", arm, weight)
        )  # fmt: skip
        third = self.duration / 3.0
        programme = (
            Phase(mode="swing", duration=third),
            Phase(mode="speed", speed=self.speed, acceleration=0.2, duration=third),
            Phase(mode="off", duration=0.0),
            Phase(mode="swing", amplitude=0.0, duration=0.8 * third),
            Phase(mode="brake"),
        )
        motor = force(
            "motor", name="Drive", joint="Hinge", torque_curve=((0.0, self.torque),), brake_moment=self.torque,
            programme=programme,
        )  # fmt: skip
        positions = [(1.1 * (k - 0.5 * (self.rows - 1)), 0.0) for k in range(self.rows)]
        seats = rows("Boat", positions, self.across, 0.6, passenger=self.passenger)
        notes = (
            f"Boat on an arm of {self.arm_length:g} m with a counterweight of {self.counterweight:g} kg. All dimensions"
            " are chosen."
        )
        bodies = (arm, boat, weight)
        return rig_project(
            "Looping boat", notes, self.duration, bodies=bodies, joints=joints, seats=seats, forces=(motor,)
        )  # fmt: skip


TEMPLATE = Template(
    "looping_boat", "Looping boat", "Boat with a counterweight that goes over the top", LoopingBoat
)
