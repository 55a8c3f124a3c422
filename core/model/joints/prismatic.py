"""Prismatic joint: a slide, its rotation held as drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .base import SLIDE, JointGeometry, JointType, PairRows, on_axis, parallel

if TYPE_CHECKING:
    from . import Joint


def rows(joint: Joint, at: JointGeometry, rows: PairRows) -> None:
    """One axis, and no turning about it."""
    parallel(at, rows)
    rows.perpendicular(at.f, np.cross(at.a_j, at.f_j))
    on_axis(at, rows)


TYPE = JointType(
    "prismatic", "Prismatic (slides along an axis)", rows, axes="parallel", moves="axis", acts_in="slide",
    driven={"slide": SLIDE},
)  # fmt: skip
