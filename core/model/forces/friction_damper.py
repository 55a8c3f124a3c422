"""Friction damper with stick between two points."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Literal

from ...base.fields import NonNegative, Positive, described
from ...jit.decorators import inner
from ..laws import OF_COORDINATE, OF_RATE, Law
from .base import LENGTH, ElementType, Geometry, Mark, Sizing, Use
from .ends import TwoPoints

# What is remembered: where the slider rests (m from the origin), the way it slides, -1, 1, or 0 where it sticks, and
# the energy it has lost (J).
RESTS, WAY, LOST = range(3)


class FrictionDamper(TwoPoints):
    """Dry friction that sticks: a slider of constant friction force behind a stiff spring, between two points.

    force N of the slider, stiffness N/m of the spring it hangs on while it sticks. It starts unloaded at free_length m.
    Source: Jenkins 1962 (elastic-slip element); the return to the slider's force is that of plasticity with one branch.
    Standstill and the onset of sliding are borders: steps end there, so that neither is smeared.
    """

    kind: Literal["friction_damper"] = "friction_damper"
    force: NonNegative = described(..., "Friction force", "Force at which the slider moves.", unit="N")
    stiffness: Positive = described(
        ..., "Sticking stiffness", "Of the spring the slider hangs on; it sets how far it gives while it sticks.",
        unit="N/m",
    )  # fmt: skip
    free_length: NonNegative = described(
        0.0, "Free length", "Length at which it starts without force.", unit="m"
    )


@inner
def _slider(p, x, v, m, s):
    trial = p[1] * (x - m[RESTS])
    if m[WAY] != 0.0 and m[WAY] * v >= 0.0:  # it slides on
        load = m[WAY] * p[0]
        return load, 0.0, 0.0, 0.5 * p[0] * p[0] / p[1], 0.0
    if abs(trial) > p[0]:
        load = math.copysign(p[0], trial)
        return load, 0.0, 0.0, 0.5 * p[0] * p[0] / p[1], 0.0
    return trial, p[1], 0.0, 0.5 * trial * trial / p[1], 0.0


@inner
def _settle(p, x, v, m, s):
    trial = p[1] * (x - m[RESTS])
    slides = m[WAY] != 0.0 and m[WAY] * v > 0.0
    if slides or abs(trial) >= p[0] * (1.0 - 1e-9):
        way = m[WAY] if slides else math.copysign(1.0, trial)
        rests = x - way * p[0] / p[1]
        m[LOST] += p[0] * abs(rests - m[RESTS])
        m[RESTS] = rests
        m[WAY] = way if way * v > 0.0 else 0.0
    else:
        m[WAY] = 0.0
    return False


@inner
def _border(p, m, k):
    if m[WAY] != 0.0:
        return 0.0, OF_RATE
    return m[RESTS] + (2 * k - 1) * p[0] / p[1], OF_COORDINATE


SLIDER = Law(
    "friction damper", _slider, memory=3, work=LOST, remember=_settle, level=_border
)  # force, stiffness


def law(element: FrictionDamper, geometry: Geometry) -> Use:
    """A slider that remembers where it rests."""
    return Use(SLIDER, (element.force, element.stiffness), origin=element.free_length, levels=2)


def _sized(by: Sizing) -> dict[str, float]:
    """It slides at a tenth of the weight, and gives 1 mm before."""
    slides = 0.1 * by.weight
    return {"force": slides, "stiffness": slides / 0.001, "free_length": by.length}


TYPE = ElementType(
    FrictionDamper, "friction damper", "points", law, "force-friction", Mark("damper"), LENGTH,
    sized=_sized,
)  # fmt: skip
