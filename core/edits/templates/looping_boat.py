"""A boat on an arm with a counterweight that swings up until it goes over the top, then turns at a speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from ...base.fields import Positive, described
from ...model.bodies import Body
from ...model.programme import Phase
from ...model.seating import rows
from ...project.project import Project
from ...track.elements.base import GRAVITY
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

MAX_SWINGS = 200
GRID = 721  # angles of a half swing


def way_over(moment: float, inertia: float, torque: float) -> tuple[int, float] | None:
    """How a pendulum at rest is driven over the top: turning points before the swing that goes over, and the time (s)
    that this one takes to the top; None where it does not within `MAX_SWINGS`.

    By its energy, without losses: from a turning point -a to an angle b the torque T gives T (a + b), the weight takes
    W (cos a - cos b). moment: of the weight about the hinge with the arm level, W (N m); inertia about it (kg m^2).
    """
    turned = 0.0
    for swings in range(MAX_SWINGS):
        angle = np.linspace(-turned, math.pi, GRID)
        energy = torque * (angle + turned) - moment * (math.cos(turned) - np.cos(angle))
        short = np.flatnonzero(energy[1:] < 0.0)
        if not len(short):
            speed = np.sqrt(2.0 * energy / inertia)
            return swings, float(np.sum(2.0 * np.diff(angle) / (speed[1:] + speed[:-1])))
        turned = float(angle[short[0] + 1])
    return None


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
        programme = self._programme((arm, boat, weight), top[2])
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

    def _programme(self, bodies: Sequence[Body], height: float) -> tuple[Phase, ...]:
        """Swing just over the top, turn at the speed, wind down, brake: driven on with all it has, the boat would turn
        faster and faster, beyond what riders stand. bodies: of the pendulum, hinged at a height (m), its boat
        without passengers."""
        third = self.duration / 3.0
        load = self.rows * self.across * self.passenger
        below = [height - one.position[2] for one in bodies]
        masses = [one.mass + load * (one.name == "Boat") for one in bodies]
        moment = GRAVITY * sum(m * z for m, z in zip(masses, below, strict=True))
        about = sum(one.inertia[1] + m * z * z for one, m, z in zip(bodies, masses, below, strict=True))
        found = way_over(moment, about, self.torque)
        swings, last = (0, third) if found is None else found
        up = (Phase(mode="swing", swings=swings, duration=third),) if swings else ()
        return (
            *up,
            Phase(mode="swing", duration=last),
            Phase(mode="speed", speed=abs(self.speed) * (-1) ** swings, acceleration=0.2, duration=third),
            Phase(mode="off", duration=0.0),
            Phase(mode="swing", amplitude=0.0, duration=0.8 * third),
            Phase(mode="brake"),
        )


TEMPLATE = Template(
    "looping_boat", "Looping boat", "Boat with a counterweight that goes over the top", LoopingBoat
)
