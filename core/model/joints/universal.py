"""Universal joint: a cross whose two arms turn in the two bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .base import Coordinate, JointGeometry, JointType, PairRows, coincident

if TYPE_CHECKING:
    from ..drivers import Driver
    from . import Joint


def rows(joint: Joint, at: JointGeometry, rows: PairRows) -> None:
    """One point, the arms at right angles."""
    coincident(joint, at, rows)
    rows.perpendicular(at.a, at.a_j)


def _cross(driver: Driver, at: JointGeometry, rows: PairRows) -> None:
    """The turn of the cross about the arm on i: the arm on j is always perpendicular to that and turns about it."""
    drawn = at.relative @ at.a_j
    f = drawn - (drawn @ at.a) * at.a
    f /= np.linalg.norm(f)
    rows.turned(np.cross(at.a, f), f, at.a_j, driver.function)


def _second_arm(driver: Driver, at: JointGeometry, rows: PairRows) -> None:
    """The turn of the arm on i about the arm on j."""
    drawn = at.relative.T @ at.a
    f = drawn - (drawn @ at.a_j) * at.a_j
    f /= np.linalg.norm(f)
    rows.turned(np.cross(at.a_j, f), f, at.a, driver.function, back=True)


TYPE = JointType(
    "universal", "Universal (cross of two arms)", rows, axes="square", turns="axes", acts_in="turn",
    driven={
        "angle": Coordinate("Angle", "rad", _cross),
        "angle_j": Coordinate("Angle of the second arm", "rad", _second_arm),
    },
)  # fmt: skip
