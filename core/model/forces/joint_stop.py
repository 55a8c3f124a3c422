"""Progressive end stop of a joint."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ...base.fields import NonNegative, Positive, described
from ...jit.decorators import inner
from ..laws import OF_COORDINATE, Law
from .base import ANGLE, TRAVEL, ElementType, ForceElement, Geometry, Mark, Use

DEPTH = 0.001  # m under the weight, by which a new stop is sized: chosen


class JointStop(ForceElement):
    """Progressive end stop of a revolute, cylindrical or prismatic joint.

    lower and upper (rad or m) are counted from the drawn pose. Beyond them acts
    stiffness * depth^exponent * (1 + damping * rate of depth), never pulling; damping in s/rad or s/m.
    """

    kind: Literal["joint_stop"] = "joint_stop"
    joint: str = described(
        ..., "Acts in joint", "A revolute, cylindrical or prismatic joint.", refers_to="joint"
    )
    lower: float = described(
        ..., "Lower limit", "Counted from the drawn pose.", unit="rad", unit_by=("joint", {"slide": "m"})
    )
    upper: float = described(
        ..., "Upper limit", "Counted from the drawn pose.", unit="rad", unit_by=("joint", {"slide": "m"})
    )
    stiffness: Positive = described(
        ..., "Stiffness", "Moment or force at a depth of one radian or metre.",
        unit="N m/rad^exponent", unit_by=("joint", {"slide": "N/m^exponent"}),
    )  # fmt: skip
    exponent: Annotated[float, Field(ge=1.0, le=4.0)] = described(
        1.5, "Exponent", "How the stop stiffens with depth; 1.5 is Hertzian contact.", unit="1"
    )
    damping: NonNegative = described(
        0.0, "Damping", "Share of the stop's load for each radian or metre a second of approach.",
        unit="s/rad", unit_by=("joint", {"slide": "s/m"}),
    )  # fmt: skip

    @model_validator(mode="after")
    def _ordered(self) -> JointStop:
        if self.upper <= self.lower:
            raise ValueError(f"upper ({self.upper}) must be larger than lower ({self.lower})")
        return self


@inner
def _stop(p, x, v, m, s):
    if x > p[4]:
        depth, sign = x - p[4], 1.0
    elif x < p[3]:
        depth, sign = p[3] - x, -1.0
    else:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    f = p[0] * depth ** p[1]
    slope = p[0] * p[1] * depth ** (p[1] - 1.0)
    energy = f * depth / (p[1] + 1.0)
    grip = 1.0 + p[2] * sign * v
    if grip <= 0.0:  # it never pulls, and gives back nothing of what it stores
        return 0.0, 0.0, 0.0, energy, -sign * f * v
    load = sign * f * grip
    return load, slope * grip, f * p[2], energy, (load - sign * f) * v


@inner
def _limit(p, m, k):
    return p[3 + k], OF_COORDINATE


STOP = Law("stop", _stop, level=_limit)  # stiffness, exponent, damping, lower and upper limit


def law(stop: JointStop, geometry: Geometry) -> Use:
    """The stop, with its two limits as borders."""
    return Use(STOP, (stop.stiffness, stop.exponent, stop.damping, stop.lower, stop.upper), levels=2)


TYPE = ElementType(
    JointStop, "end stop", "joint", law, "force-stop", Mark("stop"), ANGLE, sliding=TRAVEL,
    acts_in=("angle", "slide"), events=("stop met", "stop left"),
    added={"lower": -0.5, "upper": 0.5}, sized=lambda by: {"stiffness": by.stiffness(DEPTH)},
    leaves=lambda stop: (stop.lower, stop.upper),
)  # fmt: skip
