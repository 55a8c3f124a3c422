"""Restraints as things: pads that close onto a rider, lock at the teeth of a ratchet and hold.

Bars turn about a hinge or slide, straps are tightened along a direction; pads stand as they are when the restraint is
open, in the frame of the seat. Pads push; where there is webbing, it pulls in their place. How far one closes follows
from who sits there, see `core.human.closing`.
"""

from __future__ import annotations

import math
import operator
from typing import Annotated, Final, Literal, NamedTuple

import numpy as np
from pydantic import Field, field_validator, model_validator

from ..base.arrays import Array
from ..base.fields import AXES, NonNegative, Positive, described
from ..base.frames import from_matrix, from_rotation_vector, rotation_matrix
from ..base.frozen import Named, Vec3
from .seats import SOLIDS, Padding, Share
from .surfaces import Surface, check_names
from .webbing import Webbing


class RestraintKind(NamedTuple):
    """A kind of restraint: its name in words, the segments that its pads are closed onto to hold them, and those beside
    them that come against a pad as well, such as the neck between two of them; sides left out."""

    word: str
    holds: tuple[str, ...]
    meets: tuple[str, ...] = ()

    @property
    def touches(self) -> tuple[str, ...]:
        """The segments that its pads may touch in a ride."""
        return (*self.holds, *self.meets)


BESIDE: Final = ("Neck", "Head", "Upper Arm")  # what is between and beside pads over the shoulders
RESTRAINTS: Final = {
    "lap_bar": RestraintKind("Lap bar", ("Pelvis", "Thigh", "Abdomen")),
    "over_shoulder": RestraintKind(
        "Over-the-shoulder restraint", ("Pelvis", "Thigh", "Abdomen", "Thorax"), BESIDE
    ),
    "vest": RestraintKind("Vest", ("Pelvis", "Abdomen", "Thorax"), BESIDE),
    "lap_belt": RestraintKind("Lap belt", ("Pelvis", "Thigh", "Abdomen")),
    "three_point_belt": RestraintKind("Three-point belt", ("Pelvis", "Thigh", "Abdomen", "Thorax")),
}
Kind = Literal["lap_bar", "over_shoulder", "vest", "lap_belt", "three_point_belt"]
TURNS, SLIDES = {"motion": ("turns",)}, {"motion": ("slides",)}


class Restraint(Named):
    """Pads with the way in which they close: as drawn open, then `turn` about a hinge or `slide` along an axis."""

    kind: Kind = described(
        ..., "Kind", "What it is.", words={name: kind.word for name, kind in RESTRAINTS.items()}
    )
    name: str = described(..., "Restraint", "What it is called.")
    source: str = described("", "Source", "Where its sizes come from.")
    pads: tuple[Surface, ...] = described(
        ..., "Pads", "Surfaces, open, in the axes of the seat.", min_length=1
    )
    padding: Padding = described(
        Padding(), "Padding", "How pads, lock and flesh yield together.", entry="group"
    )
    motion: Literal["turns", "slides"] = described(
        "turns",
        "Closes by",
        "Turning about a hinge, or sliding.",
        words={"turns": "Turning", "slides": "Sliding"},
    )
    hinge: Vec3 = described(
        (0.0, 0.0, 0.0), "Hinge", "A point of the axis it turns about.", unit="m", axes=AXES, when=TURNS
    )
    axis: Vec3 = described(
        (0.0, 1.0, 0.0), "Axis", "About which it turns, or along which it slides.", unit="1", axes=AXES
    )
    turn: Annotated[float, Field(ge=0.0, le=math.pi)] = described(
        0.0, "Turn", "From open to its stop.", unit="rad", when=TURNS
    )
    slide: NonNegative = described(0.0, "Slide", "From open to its stop.", unit="m", when=SLIDES)
    teeth: Annotated[int, Field(ge=0, le=1000)] = described(
        0, "Teeth", "Of the ratchet between open and stop, evenly; none: it locks anywhere.", unit="1"
    )
    latch: Share = described(0.0, "First lock", "The share of its way from which on it locks.", unit="1")
    play: NonNegative = described(0.0, "Play", "Left between pad and body when it is closed.", unit="m")
    holds: Positive | None = described(
        None,
        "Holds",
        "The force on its pads from which on its lock is not trusted.",
        unit="N",
        empty="not given",
    )
    restraint_class: Annotated[int, Field(ge=1, le=5)] | None = described(
        None, "Class", "Of restraint, 1 to 5, as standards count them.", unit="1", empty="not given"
    )
    devices: Annotated[int, Field(ge=1, le=9)] | None = described(
        None,
        "Devices",
        "How many restraints each rider has, this one counted: asked for by classes of some standards.",
        unit="1",
        empty="one",
        exclude_if=operator.not_,
    )
    locks: Annotated[int, Field(ge=1, le=9)] | None = described(
        None,
        "Locks",
        "How many locks hold it, each enough by itself: asked for by classes of some standards.",
        unit="1",
        empty="one",
        exclude_if=operator.not_,
    )
    monitored: bool = described(
        False,
        "Monitored lock",
        "Whether the ride knows that it is locked: asked for by classes of some standards.",
        exclude_if=operator.not_,
    )
    webbing: Webbing | None = described(
        None, "Webbing", "Holds in place of pads, which say where it lies.", entry="group", empty="none"
    )
    shared: str = described("", "Shared bar", "Seats that name the same one have one bar in common.")

    _named = field_validator("pads")(check_names)

    @model_validator(mode="after")
    def _moves(self) -> Restraint:
        if math.hypot(*self.axis) < 1e-9:
            raise ValueError(f"the axis of restraint '{self.name}' has no direction")
        if (self.turn if self.motion == "turns" else self.slide) <= 0.0:
            raise ValueError(f"restraint '{self.name}' has no way to close; give it a turn or a slide")
        if not all(isinstance(pad, SOLIDS) for pad in self.pads):
            raise ValueError(f"pads of restraint '{self.name}' are solids, such as capsules and boxes")
        pads = {pad.name for pad in self.pads}
        missing = (
            [one.pad for one in self.webbing.stops if one.pad not in {None, *pads}] if self.webbing else []
        )
        if missing:
            raise ValueError(
                f"webbing of restraint '{self.name}' lies along a pad '{missing[0]}' that it does not have"
            )
        return self

    @property
    def word(self) -> str:
        """What it is, in words."""
        return RESTRAINTS[self.kind].word

    def closed(self, share: float) -> tuple[Surface, ...]:
        """Its pads when it has gone a share of its way."""
        way = np.array(self.axis) / math.hypot(*self.axis)
        if self.motion == "slides":
            return tuple(_moved(pad, np.eye(3), share * self.slide * way, np.zeros(3)) for pad in self.pads)
        turned = rotation_matrix(from_rotation_vector(share * self.turn * way))
        return tuple(_moved(pad, turned, np.zeros(3), np.array(self.hinge)) for pad in self.pads)

    def locked(self, share: float) -> float:
        """The share of the last tooth before one of its way, from which it can close no further."""
        return share if not self.teeth else math.floor(share * self.teeth + 1e-9) / self.teeth


def _moved(pad: Surface, turned: Array, shift: Array, about: Array) -> Surface:
    x, y, z = (about + turned @ (np.array(pad.position) - about) + shift).tolist()
    a, b, c, d = from_matrix(turned @ rotation_matrix(pad.orientation)).tolist()
    return pad.model_copy(update={"position": (x, y, z), "orientation": (a, b, c, d)})
