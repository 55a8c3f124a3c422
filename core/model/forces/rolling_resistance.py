"""Rolling resistance of a guide."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Literal

from ...base.fields import NonNegative, Positive, described
from ...jit.decorators import inner
from ..laws import Law
from .base import ElementType, ForceElement, Geometry, Mark, Use


class RollingResistance(ForceElement):
    """Rolling resistance of a guide: coefficient times the force between body and path, against the motion.

    Between standstill and `transition_speed` (m/s) the force grows smoothly, so that a stop is no kink.
    """

    kind: Literal["rolling_resistance"] = "rolling_resistance"
    guide: str = described(..., "Guide", "The guide whose wheel it slows.", refers_to="guide")
    coefficient: NonNegative = described(
        0.0, "Coefficient", "Resistance divided by the force on the rail.", unit="1"
    )
    transition_speed: Positive = described(
        0.05, "Transition speed", "Below it the resistance fades out, so that a stop is no jerk.", unit="m/s"
    )


@inner
def _rolling(p, x, v, m, s):
    share = math.tanh(v / p[1])
    return p[0] * x * share, 0.0, p[0] * x / p[1] * (1.0 - share * share), 0.0, p[0] * x * share * v


ROLLING = Law("rolling resistance", _rolling)  # coefficient, transition speed


def law(resistance: RollingResistance, geometry: Geometry) -> Use:
    """A share of the force between body and path."""
    return Use(ROLLING, (resistance.coefficient, resistance.transition_speed))


TYPE = ElementType(
    RollingResistance, "rolling resistance", "guide", law, "force-wheel", Mark("wheel"), slows="coefficient"
)
