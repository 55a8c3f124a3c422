"""Rigid bar between two cars, a ball joint at either end: a distance joint."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from ...base.arrays import Array
from ...base.fields import Positive, described
from ..joints import Joint
from .base import CouplingBase, CouplingType, DrawnEnd, Parts, Readings

LENGTH = described(
    None, "Free length", "Between the two points, unloaded.", unit="m", empty="as drawn on straight level track"
)  # fmt: skip


class Bar(CouplingBase):
    """A rigid bar with ball joints at both ends; length m between them."""

    RIGID: ClassVar[bool] = True

    kind: Literal["bar"] = "bar"
    length: Positive | None = LENGTH

    def parts(self, ends: tuple[DrawnEnd, DrawnEnd], length: float) -> Parts:
        rod: dict[str, Any] = {"kind": "distance", "length": length}
        return Parts(joints=(Joint(**self.between, **rod),))

    def force(self, run: Readings, line: Array) -> Array:
        """What the joint pulls with along the bar."""
        length = np.linalg.norm(line, axis=1)
        return np.asarray(np.sum(run.reaction(self.name) * line, axis=1) / length)


TYPE = CouplingType(Bar, "rigid bar")
