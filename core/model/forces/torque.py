"""A torque applied to a body."""

from __future__ import annotations

from typing import Literal

from ...base.fields import described
from ..functions import TimeFunction
from .base import ElementType, Mark
from .ends import OnBody
from .force import WHOSE, ZERO


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
