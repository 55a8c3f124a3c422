"""Rigid joint: holds the relative pose in which the assembly is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .base import Ends, JointGeometry, JointType, Oddity, PairRows

if TYPE_CHECKING:
    from . import Joint


def rows(joint: Joint, at: JointGeometry, rows: PairRows) -> None:
    """The second joint point, wherever it is drawn, stays put in the first body, and the axes as they are drawn."""
    rows.point(at.drawn, at.point_j)
    turn = at.relative.T
    for u, v in ((0, 1), (1, 2), (2, 0)):
        rows.perpendicular(np.eye(3)[u], turn @ np.eye(3)[v])


def odd(joint: Joint, ends: Ends) -> Iterator[Oddity]:
    """Nothing: it holds whatever is drawn."""
    return iter(())


TYPE = JointType("rigid", "Rigid", rows, odd=odd)
