"""A torque applied to a body."""

from __future__ import annotations

from typing import Literal

from ridewright.core.base.fields import described
from ridewright.core.model.forces.base import ElementType, Mark
from ridewright.core.model.forces.ends import OnBody
from ridewright.core.model.forces.force import WHOSE, ZERO
from ridewright.core.model.functions import TimeFunction


class AppliedTorque(OnBody):
    """A torque (N m) on a body, each component a function of time, in world or body axes."""

    kind: Literal["torque"] = "torque"
    axes: Literal["world", "body"] = described(
        "world", "Directions of", "Whose axes the components belong to.", words=WHOSE
    )
    components: tuple[TimeFunction, TimeFunction, TimeFunction] = described(
        ZERO,
        "Torque over time",
        "Newton metres over seconds, one component after the other.",
        unit="N m",
        entry="functions",
    )


TYPE = ElementType(AppliedTorque, "applied torque", "load", None, "force-torque", Mark("turn"))
