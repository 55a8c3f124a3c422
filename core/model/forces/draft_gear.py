"""Draft gear, or any sprung bar with slack, stops, branches and a dashpot, between two points."""

from __future__ import annotations

from typing import Literal

from ...base.fields import NonNegative, described
from ..laws import LINEAR
from .base import LENGTH, ElementType, Geometry, Mark, Use
from .ends import TwoPoints
from .gear import GEAR, HEADER, Gear, gear_borders, gear_numbers


class DraftGear(TwoPoints, Gear):
    """A draft gear along the line of two points; its travel is what the distance exceeds free_length (m) by."""

    kind: Literal["draft_gear"] = "draft_gear"
    free_length: NonNegative = described(0.0, "Free length", "Length from which travel counts.", unit="m")


def law(element: DraftGear, geometry: Geometry) -> Use:
    """A plain spring with its dashpot where it is no more than that; else the gear, whose borders end steps."""
    if element.linear:
        return Use(LINEAR, (element.stiffness, element.damping), origin=element.free_length)
    header, curves = gear_numbers(element, HEADER)
    borders = gear_borders(element)
    numbers = [number for border in borders for number in border]
    return Use(GEAR, (*header, *curves, *numbers), origin=element.free_length, levels=len(borders))


TYPE = ElementType(
    DraftGear, "draft gear", "points", law, "force", Mark("coil"), LENGTH,
    added={"slack": 0.01},
    sized=lambda by: {
        "stiffness": by.stiffness(0.01), "damping": by.damping(0.01), "free_length": by.length
    },
)  # fmt: skip
