"""Muscle that holds the drawn posture of a joint; an addition, off unless enabled."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from ...base.fields import NonNegative, Positive, described
from ...jit.decorators import inner
from ..laws import INTERNAL, PUT_IN, ZD, D, F, Law, V, X, Z
from .base import ANGLE, ElementType, ForceElement, Geometry, Mark, Use


class PostureMuscle(ForceElement):
    """Moment towards the drawn pose: stiffness q + damping w, late by `delay`, never more than `largest` an axis.

    The delay is that of two equal lags in series, whose mean is `delay` and whose spread is delay / sqrt 2; largest
    bounds smoothly, b / sqrt(1 + (b/largest)^2). What it does is work of applied forces in the energy ledger.
    """

    kind: Literal["posture_muscle"] = "posture_muscle"
    enabled: bool = described(False, "Enabled", "Disabled, it stays in the model without effect.")
    joint: str = described(..., "Acts in joint", "A ball joint or a hinge.", refers_to="joint")
    stiffness: NonNegative = described(0.0, "Stiffness", "Moment for each unit of rotation.", unit="N m/rad")
    damping: NonNegative = described(
        0.0, "Damping", "Moment for each unit of rate of rotation.", unit="N m s/rad"
    )
    largest: Positive = described(50.0, "Largest moment", "About each axis.", unit="N m")
    delay: Annotated[float, Field(ge=0.0, le=1.0)] = described(
        0.06, "Delay", "Mean time from rotation to moment.", unit="s"
    )


@inner
def _bounded(b, largest):
    """Bounded moment and its slope."""
    y = b / largest
    root = math.sqrt(1.0 + y * y)
    return b / root, 1.0 / (root * root * root)


@inner
def _late(p, x, v, z, zdot, m, s, out):
    n, lag, put_in = x.shape[0], 0.5 * p[3], 0.0
    for c in range(n):
        a, b = 2 * c, 2 * c + 1
        row = INTERNAL + a
        out[row, F] = lag * zdot[a] + z[a] - p[0] * x[c] - p[1] * v[c]
        out[row, X + c], out[row, V + c], out[row, Z + a], out[row, ZD + a] = -p[0], -p[1], 1.0, lag
        row += 1
        out[row, F] = lag * zdot[b] + z[b] - z[a]
        out[row, Z + a], out[row, Z + b], out[row, ZD + b] = -1.0, 1.0, lag
        load, slope = _bounded(z[b], p[2])
        out[c, D], out[c, Z + b] = load, slope
        put_in -= load * v[c]
    out[PUT_IN, F] = put_in
    return 0.0, 0.0


@inner
def _at_once(p, x, v, z, zdot, m, s, out):
    put_in = 0.0
    for c in range(x.shape[0]):
        load, slope = _bounded(p[0] * x[c] + p[1] * v[c], p[2])
        out[c, D], out[c, X + c], out[c, V + c] = load, slope * p[0], slope * p[1]
        put_in -= load * v[c]
    out[PUT_IN, F] = put_in
    return 0.0, 0.0


BALL = Law(
    "late muscle of a ball", _late, wide=True, internal=6, active=True
)  # stiffness, damping, largest, delay
HINGED = Law("late muscle of a hinge", _late, wide=True, internal=2, active=True)  # the same
AT_ONCE = Law("muscle without delay", _at_once, wide=True, active=True)  # the same


def law(muscle: PostureMuscle, geometry: Geometry) -> Use:
    """Towards the drawn pose about all axes of a ball, or about that of a hinge."""
    made = AT_ONCE if muscle.delay < 1e-4 else BALL if geometry == "turn" else HINGED
    return Use(made, (muscle.stiffness, muscle.damping, muscle.largest, muscle.delay))


TYPE = ElementType(
    PostureMuscle, "posture muscle", "joint", law, "force-rotation", Mark("turn"), ANGLE,
    acts_in=("turn", "angle"), added={"enabled": True, "stiffness": 50.0, "damping": 5.0},
)  # fmt: skip
