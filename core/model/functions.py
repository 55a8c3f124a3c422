"""Functions of time that drive joints and forces."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..base.fields import described
from ..base.frozen import Frozen

DRIVEN = "unit of the quantity"


class AnalyticFunction(Frozen):
    """f(t) = offset + rate t + half_acceleration t^2 + sum of amplitude sin(omega t + phase).

    `DRIVEN` is the unit of what the function drives (m, rad, N, N m).
    """

    kind: Literal["analytic"] = "analytic"
    offset: float = described(0.0, "Constant", "Value at time zero, without harmonics.", unit=DRIVEN)
    rate: float = described(0.0, "Rate", "Change in a second.", unit=f"{DRIVEN}/s")
    half_acceleration: float = described(
        0.0, "Half the acceleration", "Factor of the time squared.", unit=f"{DRIVEN}/s^2"
    )
    harmonics: tuple[Harmonic, ...] = described((), "Harmonics", "Sine waves that are added.")


class Harmonic(Frozen):
    """One term amplitude sin(omega t + phase)."""

    amplitude: float = described(..., "Amplitude", "Half of the range of the wave.", unit=DRIVEN)
    omega: float = described(..., "Angular frequency", "Angle of the wave in a second.", unit="rad/s")
    phase: float = described(0.0, "Phase", "Angle of the wave at time zero.", unit="rad")


class TableFunction(Frozen):
    """f(t) from samples, joined by a cubic spline (C2) with zero slope outside the table."""

    kind: Literal["table"] = "table"
    times: tuple[float, ...] = described(
        ..., "Times", "Rising from sample to sample.", unit="s", min_length=2
    )
    values: tuple[float, ...] = described(..., "Values", "One a time.", unit=DRIVEN, min_length=2)

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


def shifted(f: TimeFunction, by: float) -> TimeFunction:
    """f + by."""
    if isinstance(f, AnalyticFunction):
        return f.model_copy(update={"offset": f.offset + by})
    return f.model_copy(update={"values": tuple(v + by for v in f.values)})
