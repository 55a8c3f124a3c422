"""A force applied to a point of a body."""

from __future__ import annotations

from typing import Literal

from ...base.fields import AXES, described
from ...base.frozen import Vec3
from ..functions import TimeFunction, constant
from .base import ElementType, Mark
from .ends import OnBody

ZERO = (constant(0), constant(0), constant(0))
WHOSE = {"world": "The world", "body": "The body"}


class AppliedForce(OnBody):
    """A force (N) on a point of a body, each component a function of time, in world or body axes."""

    kind: Literal["force"] = "force"
    point: Vec3 = described(
        (0.0, 0.0, 0.0), "Acts at", "In the axes of the body, from its centre of mass.", unit="m", axes=AXES
    )
    axes: Literal["world", "body"] = described(
        "world", "Directions of", "Whose axes the components belong to.", words=WHOSE
    )
    components: tuple[TimeFunction, TimeFunction, TimeFunction] = described(
        ZERO,
        "Force over time",
        "Newtons over seconds, one component after the other.",
        unit="N",
        entry="functions",
    )


TYPE = ElementType(AppliedForce, "applied force", "load", None, "force-arrow", Mark("arrow"))
