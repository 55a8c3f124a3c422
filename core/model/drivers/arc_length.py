"""Drivers of guides: how far along its curve the guided point is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..functions import shifted
from .base import Coordinate, DriverType, PairRows

if TYPE_CHECKING:
    from . import Driver


def _drive(driver: Driver, at: float, rows: PairRows) -> None:
    rows.arc(shifted(driver.function, at if driver.relative else 0.0))


TYPE = DriverType("guide", {"arc_length": Coordinate("Arc length", "m", _drive)})
