"""Seats as things: pan, back, sides, bolsters, headrest, foot rest and grips as padded surfaces, in the axes of a seat.

The frame of a seat has xi forward, eta left, zeta up. A seat of the library or of its own stands in the field `shape`
of a place to sit; `core.human.seated` makes surfaces and contacts of it for who sits there and is held by nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Final, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from ..base.arrays import Array
from ..base.fields import AXES, DIMENSIONLESS, NonNegative, Positive, described
from ..base.frames import from_rotation_vector, multiply, rotation_matrix
from ..base.frozen import Frozen, Named, Vec3
from .surfaces import Box, Capsule, Cylinder, Ellipsoid, Sphere, Surface

Share = Annotated[float, Field(ge=0.0, le=1.0)]
SOLIDS: Final = (Ellipsoid, Sphere, Capsule, Cylinder, Box)


class PartKind(NamedTuple):
    """What a part of a seat is for: its name in words, and the segments that may touch it, sides left out."""

    word: str
    touches: tuple[str, ...]


PARTS: Final = {
    "pan": PartKind("Pan", ("Pelvis", "Thigh", "Calf")),
    "back": PartKind("Back", ("Pelvis", "Abdomen", "Thorax")),
    "side": PartKind("Side", ("Pelvis", "Thigh", "Thorax")),
    "pommel": PartKind("Pommel", ("Pelvis",)),
    "bolster": PartKind("Bolster", ("Thorax",)),
    "headrest": PartKind("Headrest", ("Head",)),
    "leg_rest": PartKind("Leg rest", ("Calf",)),
    "foot_rest": PartKind("Foot rest", ("Foot",)),
    "hand_grip": PartKind("Hand grip", ("Hand",)),
}
PartName = Literal[
    "pan", "back", "side", "pommel", "bolster", "headrest", "leg_rest", "foot_rest", "hand_grip"
]


class Padding(Frozen):
    """How a padded surface and the body on it push one another: k d^n, less on the way back, with friction.

    What is lost follows from `restitution`, at every speed the same share; or from `damping` where it is given:
    k d^n (1 + damping * rate), which loses the more the faster the touch is, and comes back with the share e of the
    speed v for which damping v (1 + e) = ln((1 + damping v)/(1 - damping v e)), `rebound` of `core.model.contact_laws`.
    """

    stiffness: Positive = described(
        2e5, "Stiffness k", "Of pad and flesh together: force at a depth of one metre.", unit="N/m^exponent"
    )
    exponent: Annotated[float, Field(ge=1.0, le=4.0)] = described(
        1.5, "Exponent n", "1.5 of round bodies.", unit=DIMENSIONLESS
    )
    restitution: Share = described(
        0.3,
        "Restitution",
        "Asked of the law of Hunt and Crossley, at every speed; 0.3 asked for gives back 0.58, none 0.49.",
        unit=DIMENSIONLESS,
    )
    damping: NonNegative | None = described(
        None,
        "Damping",
        "Share by which it pushes more for each metre a second of its compression.",
        unit="s/m",
        empty="after the restitution",
    )
    friction: NonNegative = described(0.4, "Friction", "Coefficient of sliding.", unit=DIMENSIONLESS)

    @property
    def as_contact(self) -> dict[str, Any]:
        """Its law, as fields of a contact."""
        fields: dict[str, Any] = {"stiffness": self.stiffness, "exponent": self.exponent}
        if self.damping is None:
            return fields | {"law": "hunt_crossley", "restitution": self.restitution}
        lossy = {
            "damping": self.damping * self.stiffness,
            "damping_depth": self.exponent,
            "damping_rate": 1.0,
        }
        return fields | {"law": "general"} | lossy


class SeatPart(Frozen):
    """A padded surface of a seat, and how far it may be shifted to fit somebody."""

    kind: PartName = described(
        ..., "Part", "What it is for.", words={name: kind.word for name, kind in PARTS.items()}
    )
    surface: Surface = described(..., "Surface", "In the axes of the seat, outside of the padding.")
    padding: Padding = described(Padding(), "Padding", "How it yields.")
    travel: Vec3 = described(
        (0.0, 0.0, 0.0), "Travel", "From one end of its adjustment to the other.", unit="m", axes=AXES
    )
    turn: Annotated[float, Field(ge=-1.0, le=1.0)] = described(
        0.0, "Turn", "From one end of its adjustment to the other, leaning back.", unit="rad"
    )
    pivot: Vec3 = described(
        (0.0, 0.0, 0.0), "Pivot", "About which it leans back, across the seat.", unit="m", axes=AXES
    )
    setting: Share = described(
        0.0, "Setting", "How much of its travel and turn it is moved.", unit=DIMENSIONLESS
    )

    @model_validator(mode="after")
    def _solid(self) -> SeatPart:
        if not isinstance(self.surface, SOLIDS):
            raise ValueError(
                f"part '{self.surface.name}' of a seat is a plane, beside which one falls; make it a box"
            )
        return self

    @property
    def name(self) -> str:
        """The name of its surface."""
        return self.surface.name

    @property
    def placed(self) -> Surface:
        """Its surface as it is set."""
        if not self.adjustable or self.setting == 0.0:
            return self.surface
        about, leant = np.array(self.pivot), from_rotation_vector((0.0, -self.setting * self.turn, 0.0))
        place = about + rotation_matrix(leant) @ (np.array(self.surface.position) - about)
        x, y, z = (place + self.setting * np.array(self.travel)).tolist()
        a, b, c, d = multiply(leant, self.surface.orientation).tolist()
        return self.surface.model_copy(update={"position": (x, y, z), "orientation": (a, b, c, d)})

    @property
    def adjustable(self) -> bool:
        """Whether it can be moved."""
        return self.turn != 0.0 or any(self.travel)


class SeatShape(Named):
    """What a seat is made of, in its frame. It needs a pan, for one sits on it, and a back."""

    name: str = described(..., "Seat", "What it is called.")
    source: str = described("", "Source", "Where its sizes come from.")
    h_point: Vec3 = described(
        (0.0, 0.0, 0.0), "H-point", "Where the middle between the hips is meant to be.", unit="m", axes=AXES
    )
    parts: tuple[SeatPart, ...] = described(..., "Parts", "Padded surfaces.")
    to_fit: bool = described(
        True,
        "Adjusted to the rider",
        "What can be adjusted is set for who sits there; else it stays as it is set.",
    )

    @model_validator(mode="after")
    def _whole(self) -> SeatShape:
        names = [part.name for part in self.parts]
        twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
        if twice is not None:
            raise ValueError(f"two parts of the seat are named '{twice}'; give each its own name")
        for kind in ("pan", "back"):
            count = len(self.of(kind))
            if count != 1:
                raise ValueError(f"a seat has one {kind}, this one has {count or 'none'}")
            if not isinstance(self.of(kind)[0].surface, Box):
                raise ValueError(f"the {kind} of a seat is a box, by whose axes a body is turned")
        return self

    def of(self, kind: str) -> tuple[SeatPart, ...]:
        """Its parts of a kind."""
        return tuple(part for part in self.parts if part.kind == kind)

    @property
    def pan_turn(self) -> Array:
        """The axes (3, 3) of the pan: forward along it, left, away from it."""
        return rotation_matrix(self.of("pan")[0].placed.orientation)

    @property
    def back_turn(self) -> Array:
        """The axes (3, 3) of the back: away from it, left, up along it."""
        return rotation_matrix(self.of("back")[0].placed.orientation)

    def set_to(self, setting: float, names: Collection[str]) -> SeatShape:
        """The same with the parts of some names set so."""
        parts = tuple(
            part.model_copy(update={"setting": setting}) if part.name in names else part
            for part in self.parts
        )
        return self.model_copy(update={"parts": parts})
