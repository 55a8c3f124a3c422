"""Spring with a loading and an unloading curve between two points."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import field_validator, model_validator

from ...base.fields import NonNegative, Positive, described
from ...base.sentence import say
from .base import LENGTH, ElementType, Geometry, Mark, Sizing, Use
from .ends import TwoPoints
from .gear import GEAR, HEADER, spans
from .spring import Points, rising

CURVE = (("Extension", "m"), ("Force", "N"))


class TwoBranchSpring(TwoPoints):
    """Hysteretic spring: one force while its two points part, another while they close, as in draft gears and rubber.

    loading and unloading: pairs (extension m, force N) over the same extensions, straight in between; the loading force
    is nowhere below the unloading one. The change from one to the other goes with tanh(rate / transition_rate), rate of
    lengthening in m/s: the mean of both is stored, half their difference is lost.
    """

    kind: Literal["two_branch_spring"] = "two_branch_spring"
    loading: Points = described(
        ..., "Loading curve", "Force while it lengthens.", entry="rows", columns=CURVE, min_length=2
    )
    unloading: Points = described(
        ..., "Unloading curve", "Force while it shortens, over the same extensions.", entry="rows", columns=CURVE,
        min_length=2,
    )  # fmt: skip
    transition_rate: Positive = described(
        0.01, "Transition rate", "Rate at which three quarters of the change are made.", unit="m/s"
    )
    free_length: NonNegative = described(0.0, "Free length", "Length from which extensions count.", unit="m")

    _rising = field_validator("loading", "unloading")(rising)

    @model_validator(mode="after")
    def _ordered(self) -> TwoBranchSpring:
        if [x for x, _ in self.loading] != [x for x, _ in self.unloading]:
            raise ValueError("loading and unloading need the same extensions, so that they can be compared")
        for (x, up), (_, down) in zip(self.loading, self.unloading, strict=True):
            if down > up:
                raise ValueError(
                    say(
                        "at {x:g m} the unloading force ({down:g N}) is above the loading force ({up:g N}):"
                        " the spring would give energy away; exchange them",
                        x=x,
                        down=down,
                        up=up,
                    )
                )
        return self


def law(spring: TwoBranchSpring, geometry: Geometry) -> Use:
    """Mean and half difference of both curves."""
    pairs = list(zip(spring.loading, spring.unloading, strict=True))
    mean = [(x, 0.5 * (up + down)) for (x, up), (_, down) in pairs]
    half = [(x, 0.5 * (up - down)) for (x, up), (_, down) in pairs]
    header, curves = spans(spring.transition_rate, 0.0, (mean, half, ()), HEADER)
    return Use(GEAR, (*header, *curves), origin=spring.free_length)


def _sized(by: Sizing) -> dict[str, Any]:
    """50 mm under the weight by the mean of both branches, which lie a fifth of the load apart from it at 0.1 m."""
    ends = 0.1 * by.stiffness()
    return {
        "loading": ((-0.1, -0.8 * ends), (0.1, 1.2 * ends)), "unloading": ((-0.1, -1.2 * ends), (0.1, 0.8 * ends)),
        "free_length": by.length,
    }  # fmt: skip


TYPE = ElementType(
    TwoBranchSpring, "two-branch spring", "points", law, "force", Mark("coil"), LENGTH,
    sized=_sized,
)  # fmt: skip
