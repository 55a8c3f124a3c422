"""Translational spring-damper between two points."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from pydantic import field_validator

from ...base.fields import NonNegative, described
from ..laws import CORNERS, CURVE, LINEAR, pieces
from .base import LENGTH, ElementType, Geometry, Mark, Sizing, Use
from .ends import TwoPoints

Points = tuple[tuple[float, float], ...]


def rising(value: Points) -> Points:
    """Pairs as they are; raises ValueError unless there are none or two and more of rising first number."""
    if len(value) == 1 or any(b[0] <= a[0] for a, b in pairwise(value)):
        raise ValueError("needs two or more pairs (extension, force) with rising extension")
    return value


class SpringDamper(TwoPoints):
    """Translational spring-damper: pulls with k (l - l0) + c dl/dt along the line of its two points.

    stiffness N/m, damping N s/m, free_length m. `curve` replaces k (l - l0) by a curve through pairs (extension m,
    force N) in rising order, "smooth" or with "corners" and straight in between; outside, it goes on with the end
    slopes.
    """

    kind: Literal["spring"] = "spring"
    stiffness: NonNegative = described(0.0, "Stiffness", "Force for each metre of extension.", unit="N/m")
    damping: NonNegative = described(
        0.0, "Damping", "Force for each metre a second of lengthening.", unit="N s/m"
    )
    free_length: NonNegative = described(
        0.0, "Free length", "Length at which the spring pulls with no force.", unit="m"
    )
    curve: Points = described(
        (), "Force curve", "Replaces the stiffness by a curve through two or more rows; empty for a linear spring.",
        entry="rows", columns=(("Extension", "m"), ("Force", "N")),
    )  # fmt: skip
    curve_kind: Literal["smooth", "corners"] = described(
        "smooth", "Between the rows", "How the force curve runs from row to row. Smooth: its slope does not jump and it"
        " goes nowhere beyond the rows. Straight: the stiffness jumps at each row, and steps of a run end there.",
        words={"smooth": "Smooth", "corners": "Straight, with corners"},
    )  # fmt: skip

    _rising = field_validator("curve")(rising)


def law(spring: SpringDamper, geometry: Geometry) -> Use:
    """Linear, or the curve."""
    if not spring.curve:
        return Use(LINEAR, (spring.stiffness, spring.damping), origin=spring.free_length)
    smooth = spring.curve_kind == "smooth"
    parameters = (spring.damping, *pieces(spring.curve, smooth=smooth))
    if smooth:
        return Use(CURVE, parameters, origin=spring.free_length)
    return Use(CORNERS, parameters, origin=spring.free_length, levels=len(spring.curve))


def _sized(by: Sizing) -> dict[str, float]:
    """Without load as drawn: it gives 50 mm under the weight it carries."""
    return {"stiffness": by.stiffness(), "damping": by.damping(), "free_length": by.length}


TYPE = ElementType(
    SpringDamper, "spring-damper", "points", law, "force", Mark("coil"), LENGTH, sized=_sized
)  # fmt: skip
