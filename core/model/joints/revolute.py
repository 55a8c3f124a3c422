"""Revolute joint: a hinge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import ANGLE, JointGeometry, JointType, PairRows, coincident, parallel

if TYPE_CHECKING:
    from . import Joint


def rows(joint: Joint, at: JointGeometry, rows: PairRows) -> None:
    """One point, one axis."""
    coincident(joint, at, rows)
    parallel(at, rows)


TYPE = JointType(
    "revolute", "Revolute (turns about an axis)", rows, axes="parallel", turns="axis", acts_in="angle",
    driven={"angle": ANGLE},
)  # fmt: skip
