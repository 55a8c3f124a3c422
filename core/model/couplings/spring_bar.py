"""Sprung bar between two cars: a draft gear along its own line, a ball joint at either end."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import model_validator

from ...base.arrays import Array
from ...base.fields import Positive
from ..forces.draft_gear import DraftGear
from ..forces.gear import Gear
from ..law_curves import LawCurve, gear_curves
from ..shapes import Piece, Shape, Standing, Stretched
from .bar import LENGTH
from .base import BALL, WIDE, CouplingBase, CouplingType, DrawnEnd, EndPose, Parts, Play, fields_of

TURNS = 5  # of the coil in a side view


class SpringBar(CouplingBase, Gear):
    """A bar that gives along its own line, with ball joints at both ends; length m at which it pulls with no force."""

    kind: Literal["spring_bar"] = "spring_bar"
    length: Positive | None = LENGTH

    @model_validator(mode="after")
    def _holds(self) -> SpringBar:
        if not self.yields:
            raise ValueError(
                f"coupling '{self.name}' has zero stiffness everywhere and holds nothing; give it one"
            )
        return self

    def parts(self, ends: tuple[DrawnEnd, DrawnEnd], length: float) -> Parts:
        return Parts(forces=(DraftGear(**self.between, free_length=length, **fields_of(self, Gear)),))

    def plays(self, extension: Array, ends: tuple[EndPose, EndPose], inner: Array | None) -> list[Play]:
        return [Play(self.slack, extension)] if self.slack > 0.0 else []

    def law_curves(self) -> tuple[LawCurve, ...]:
        return gear_curves(self)

    def side_view(self, a: Array, b: Array) -> list[Shape]:
        along = (b - a) / float(np.linalg.norm(b - a))
        share = np.linspace(0.2, 0.8, 4 * TURNS + 1)
        across = np.array([-along[1], along[0]])
        wave = 0.07 * np.sin(np.pi * np.arange(len(share)) / 2.0)
        coil = a + np.outer(share, b - a) + np.outer(wave, across)
        return [Shape("coil", self.name, np.array([a, *coil, b])), *self.pins(a, b)]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return (Piece("coil", "yellow"), BALL, BALL)

    def places(self, ends: tuple[EndPose, EndPose], inner: Array | None) -> tuple[Stretched | Standing, ...]:
        line, *balls = super().places(ends, inner)
        assert isinstance(line, Stretched)
        return line._replace(wide=1.6 * WIDE), *balls


TYPE = CouplingType(SpringBar, "sprung bar")
