"""Cylindrical joint: turns about an axis and slides along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import ANGLE, SLIDE, JointGeometry, JointType, PairRows, on_axis, parallel

if TYPE_CHECKING:
    from . import Joint


def rows(joint: Joint, at: JointGeometry, rows: PairRows) -> None:
    """One axis."""
    parallel(at, rows)
    on_axis(at, rows)


TYPE = JointType(
    "cylindrical", "Cylindrical (turns and slides)", rows, axes="parallel", turns="axis", moves="axis",
    acts_in="angle", driven={"angle": ANGLE, "slide": SLIDE},
)  # fmt: skip
