"""Functions of time that drive joints and forces."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.base.frozen import Frozen


class AnalyticFunction(Frozen):
    """f(t) = offset + rate t + half_acceleration t^2 + sum of amplitude sin(omega t + phase).

    Units are those of what the function drives (m, rad, N, N m); omega in rad/s, phase in rad.
    """

    kind: Literal["analytic"] = "analytic"
    offset: float = 0.0
    rate: float = 0.0
    half_acceleration: float = 0.0
    harmonics: tuple[Harmonic, ...] = ()


class Harmonic(Frozen):
    """One term amplitude sin(omega t + phase)."""

    amplitude: float
    omega: float
    phase: float = 0.0


class TableFunction(Frozen):
    """f(t) from samples, joined by a cubic spline (C2) with zero slope outside the table."""

    kind: Literal["table"] = "table"
    times: tuple[float, ...] = Field(min_length=2)
    values: tuple[float, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _matching_and_rising(self) -> TableFunction:
        if len(self.times) != len(self.values):
            raise ValueError(
                f"has {len(self.times)} times but {len(self.values)} values; give one value a time"
            )
        if any(b <= a for a, b in pairwise(self.times)):
            raise ValueError("times must rise from one entry to the next")
        return self


AnalyticFunction.model_rebuild()
TimeFunction = Annotated[AnalyticFunction | TableFunction, Field(discriminator="kind")]


def constant(value: float) -> AnalyticFunction:
    """The function that is `value` at all times."""
    return AnalyticFunction(offset=value)
