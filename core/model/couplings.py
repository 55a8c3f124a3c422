"""Couplings between neighbouring cars of a train: rigid bars, sprung bars and couplers.

A coupling is lowered to joints, force elements and bodies of the train, see `core.model.coupled`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..base.fields import AXES, Positive, described
from ..base.frozen import Frozen, Name, Vec3
from .bodies import Mass, Moment
from .forces.coupler import CouplerParts, Rates
from .forces.gear import Gear

_LENGTH = described(
    None, "Free length", "Between the two points, unloaded.", unit="m", empty="as drawn on straight level track"
)  # fmt: skip


class _Coupling(Frozen):
    """What all couplings have: a point on a body of each of two neighbouring cars, in either order."""

    name: Name = described(..., "Name", "What the coupling is called.")
    body_i: str = described(..., "Body of one car", "Where one end is fixed.", refers_to="body")
    point_i: Vec3 = described(
        (0.0, 0.0, 0.0), "Point on it", "In the axes of that body, from its centre of mass.", unit="m", axes=AXES
    )  # fmt: skip
    body_j: str = described(..., "Body of the other car", "Where the other end is fixed.", refers_to="body")
    point_j: Vec3 = described(
        (0.0, 0.0, 0.0), "Point on it", "In the axes of that body, from its centre of mass.", unit="m", axes=AXES
    )  # fmt: skip
    rating: Positive | None = described(
        None, "Rated force", "The most it is built for, in tension and compression.", unit="N", empty="not known"
    )  # fmt: skip
    swing: Positive | None = described(
        None, "Free swing", "Angle to either side against the car up to which it is free.", unit="rad",
        empty="not known",
    )  # fmt: skip

    @property
    def cars(self) -> tuple[str, str]:
        """The names of its two cars."""
        return self.body_i.partition("/")[0], self.body_j.partition("/")[0]


class Bar(_Coupling):
    """A rigid bar with ball joints at both ends; length m between them."""

    kind: Literal["bar"] = "bar"
    length: Positive | None = _LENGTH


class SpringBar(_Coupling, Gear):
    """A bar that gives along its own line, with ball joints at both ends; length m at which it pulls with no force."""

    kind: Literal["spring_bar"] = "spring_bar"
    length: Positive | None = _LENGTH

    @model_validator(mode="after")
    def _holds(self) -> SpringBar:
        if not self.yields:
            raise ValueError(
                f"coupling '{self.name}' has zero stiffness everywhere and holds nothing; give it one"
            )
        return self


class CarCoupler(_Coupling, CouplerParts):
    """A railway coupler after Massa et al. 2012: blocks that slide in the cars, pinned shanks, a knuckle.

    inertia: with four more bodies, block and shank of either end, in prismatic and pin joints; without it the parts
    have no mass (see `core.model.forces.coupler`). block_mass and shank_mass kg; shank_inertia kg m^2 about the
    vertical through the shank's centre of mass, half way between pin and knuckle (the paper does not say about which
    point; a slender rod of 140 kg and 0.8 m has 7.5). The block cannot turn against its car; it has the moments of a
    cube.
    """

    kind: Literal["coupler"] = "coupler"
    inertia: bool = described(
        False, "Mass of the parts", "With the mass of blocks and shanks, as four more bodies, or without."
    )
    block_mass: Mass = described(
        50.0, "Mass of a block", "Of each sliding block.", unit="kg", when={"inertia": (True,)}
    )
    shank_mass: Mass = described(
        140.0, "Mass of a shank", "Of each shank.", unit="kg", when={"inertia": (True,)}
    )
    shank_inertia: Moment = described(
        8.0, "Moment of inertia of a shank", "About the vertical through its centre of mass.", unit="kg m^2",
        when={"inertia": (True,)},
    )  # fmt: skip
    rates: Rates = "equilibrium"

    @model_validator(mode="after")
    def _holds(self) -> CarCoupler:
        for what, end in (("first", self.end_i), ("second", self.end_j)):
            if not end.yields:
                raise ValueError(
                    f"coupling '{self.name}': the gear of its {what} end has zero stiffness everywhere and holds"
                    " nothing; give it one"
                )
        return self


Coupling = Annotated[Bar | SpringBar | CarCoupler, Field(discriminator="kind")]
#: What each model is called.
COUPLING_WORDS = {"bar": "rigid bar", "spring_bar": "sprung bar", "coupler": "coupler"}
