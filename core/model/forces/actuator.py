"""Force over time between two points."""

from __future__ import annotations

from typing import Literal

from ...base.fields import described
from ..functions import TimeFunction, constant
from ..laws import GIVEN
from .base import LENGTH, ElementType, Geometry, Mark, Use
from .ends import TwoPoints


class Actuator(TwoPoints):
    """A force given over time along the line of two points, positive where it pulls them together (N)."""

    kind: Literal["actuator"] = "actuator"
    pull: TimeFunction = described(
        constant(0),
        "Pull over time",
        "Newtons over seconds; negative values push.",
        unit="N",
        entry="function",
    )


def law(actuator: Actuator, geometry: Geometry) -> Use:
    """The function of time."""
    return Use(GIVEN, function=actuator.pull)


TYPE = ElementType(Actuator, "actuator", "points", law, "force-arrow", Mark("arrow"), LENGTH)
