"""Drivers of the angles that turn the world's axes into a body's: yaw about z, pitch about y, roll about x.

With the body's axes xi, eta, zeta in the world: tan yaw = xi_y / xi_x, sin pitch = -xi_z, tan roll = eta_z / zeta_z.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...base.errors import InputError
from ..functions import AnalyticFunction, TimeFunction, shifted
from .base import Coordinate, DriverType, Frame, PairRows

if TYPE_CHECKING:
    from . import Driver

STEEPEST = 1.5  # rad, of a driven pitch
X, Y, Z = np.eye(3)


def _roll(driver: Driver, at: Frame, rows: PairRows) -> None:
    angle = _from(driver, float(np.arctan2(at.rotation[2, 1], at.rotation[2, 2])))
    rows.turned(Y, Z, Z, angle, back=True)


def _pitch(driver: Driver, at: Frame, rows: PairRows) -> None:
    angle = _from(driver, float(np.arcsin(np.clip(-at.rotation[2, 0], -1.0, 1.0))))
    if _reach(angle) > STEEPEST:
        raise InputError(
            f"Driver '{rows.name}' pitches a body by more than {STEEPEST} rad, where roll and yaw are one; give smaller"
            " values, or turn the body about another axis."
        )
    rows.component(-Z, X, angle)


def _yaw(driver: Driver, at: Frame, rows: PairRows) -> None:
    rows.turned(Y, X, X, _from(driver, float(np.arctan2(at.rotation[1, 0], at.rotation[0, 0]))))


def _from(driver: Driver, drawn: float) -> TimeFunction:
    return shifted(driver.function, drawn if driver.relative else 0.0)


def _reach(f: TimeFunction) -> float:
    """What the size of f stays below at all times."""
    if not isinstance(f, AnalyticFunction):
        return max(abs(value) for value in f.values)
    endless = f.rate != 0.0 or f.half_acceleration != 0.0
    return np.inf if endless else abs(f.offset) + sum(abs(h.amplitude) for h in f.harmonics)


TYPE = DriverType(
    "body",
    {
        "roll": Coordinate("Roll", "rad", _roll),
        "pitch": Coordinate("Pitch", "rad", _pitch),
        "yaw": Coordinate("Yaw", "rad", _yaw),
    },
)
