"""A boat that hangs from a hinge and is driven by a friction wheel below, benches looking at the middle."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from ...base.fields import Positive, described
from ...model.bodies import Body
from ...model.seating import rows
from ...project.project import Project
from .base import Duration, Parameters, Template, force, hinge, lasting, rig_project, swing_programme


class PirateShip(Parameters):
    """A boat that hangs from a hinge and is driven by a friction wheel below, benches looking at the middle."""

    duration: Duration = lasting(120.0)
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
        positions = []
        for k in range(2 * self.rows):
            side = (k - self.rows + 0.5) / self.rows
            x = 0.45 * length * side
            deck = self.centre - math.sqrt((self.keel - 1.6) ** 2 - x * x)  # above the centre of mass: an arc
            positions.append((x, deck))
        seats = rows("Boat", positions, self.across, 0.6, towards=0.0, passenger=self.passenger)
        wheel = force(
            "friction_wheel", name="Friction wheel", joint="Hinge", radius=self.keel, normal_force=self.normal_force,
            rim_speed=self.rim_speed, programme=swing_programme(self.amplitude, self.duration),
        )  # fmt: skip
        notes = (
            f"Boat of {self.mass:g} kg, {self.centre:g} m below its hinge, driven by a wheel under its keel at"
            f" {self.keel:g} m. All dimensions are chosen."
        )
        joints = (hinge("Hinge", None, boat, top),)
        return rig_project(
            "Pirate ship", notes, self.duration, bodies=(boat,), joints=joints, seats=seats, forces=(wheel,)
        )  # fmt: skip


TEMPLATE = Template("pirate_ship", "Pirate ship", "Boat driven by a friction wheel below", PirateShip)
