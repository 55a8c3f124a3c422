"""Drivers of joints: which coordinates a joint has, and how they are driven, its kind says (`core.model.joints`)."""

from __future__ import annotations

from typing import Any

from ..joints import TYPES
from ..joints.base import JointGeometry
from .base import Coordinate, DriverType, PairRows


def _drive(driver: Any, at: JointGeometry, rows: PairRows) -> None:
    TYPES[at.kind].driven[driver.coordinate].drive(driver, at, rows)


TYPE = DriverType(
    "joint",
    {
        name: Coordinate(one.word, one.unit, _drive)
        for made in TYPES.values()
        for name, one in made.driven.items()
    },
)
