"""Drivers of a body's centre of mass along the axes of the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..functions import shifted
from .base import Coordinate, DriverType, Frame, PairRows

if TYPE_CHECKING:
    from . import Driver


def _drive(driver: Driver, at: Frame, rows: PairRows) -> None:
    axis = np.eye(3)["xyz".index(driver.coordinate)]
    rows.slide(axis, shifted(driver.function, float(axis @ at.position) if driver.relative else 0.0))


TYPE = DriverType("body", {axis: Coordinate(f"{axis} of the centre of mass", "m", _drive) for axis in "xyz"})
