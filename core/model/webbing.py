"""Webbing of a restraint: from an anchor of the seat over the body, through rings of the seat, to another anchor."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from ..base.fields import AXES, DIMENSIONLESS, NonNegative, Positive, described
from ..base.frozen import Frozen, Vec3


class Stop(Frozen):
    """Where webbing runs: along a pad of the restraint, on the body under it, or through a place of the seat."""

    pad: str | None = described(None, "Pad", "Along which it lies on the body.", empty="a place of the seat")
    place: Vec3 = described(
        (0.0, 0.0, 0.0), "Place", "Anchor or ring, in the axes of the seat.", unit="m", axes=AXES
    )
    friction: NonNegative = described(0.2, "Friction", "Coefficient of sliding at it.", unit=DIMENSIONLESS)


class Webbing(Frozen):
    """A belt between two anchors: pulls only, lies where pads meet the body, slips there. `core.human.belts` draws it
    over who sits there, as a force element of its own."""

    stops: tuple[Stop, ...] = described(..., "Stops", "From anchor to anchor.", min_length=2)
    stiffness: Positive = described(1e5, "Stiffness", "Force at which it would be twice as long.", unit="N")
    damping: NonNegative = described(
        0.0, "Damping", "Force for a strain of 1 in each second, while it is taut.", unit="N s"
    )
    slack: float = described(0.0, "Slack", "What it is longer than the way over the body.", unit="m")
    slip_resistance: Positive = described(
        50.0, "Resistance to slip", "Force beyond friction for each metre a second of slip.", unit="N s/m"
    )

    @model_validator(mode="after")
    def _anchored(self) -> Webbing:
        if self.stops[0].pad is not None or self.stops[-1].pad is not None:
            raise ValueError("webbing begins and ends at an anchor, a place of the seat")
        return self

    @property
    def as_element(self) -> dict[str, Any]:
        """The fields that the force element made of it takes over."""
        return {name: getattr(self, name) for name in ("stiffness", "damping", "slack", "slip_resistance")}


def belt_name(seat: str, word: str, rider: str) -> str:
    """What the belt is called that a restraint makes over who sits on a seat.

    Parameters
    ----------
    seat, rider
        Their names.
    word
        What the restraint is called.

    Returns
    -------
    The name, which no other seat makes.
    """
    return f"{seat} {word.lower()}, {rider}"
