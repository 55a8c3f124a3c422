"""Pull up and roll over at once, out to one side."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...base.errors import InputError
from ..programs.channel import Channel, channel, constant
from ..programs.entry import Entry
from ..programs.program import Program, follow
from .base import SIGN, Element, ElementKind, Side, Sized, TopHeight, head, tidy
from .screws import stretched, summit


class CorkscrewSection(Element):
    """A screw: the track pulls up and rolls over in equal measure, one whole turn about an axis between the two, and
    leaves to one side exactly in the direction, slope and cant it came with.
    """

    kind: Literal["corkscrew"] = "corkscrew"
    direction: Side = "left"
    height: TopHeight = 12.0


def _screw(bend: float, roll: float) -> Program:
    """Corkscrew of unit length: bend and roll come over the first fifth and go over the last."""

    def bump(value: float) -> Channel:
        return channel(0.0, [(0.2, value, "quintic"), (0.6, value, "linear"), (0.2, 0.0, "quintic")])

    return Program(constant(0.0, 1.0), bump(bend), bump(roll))


def corkscrew(section: CorkscrewSection, entry: Entry) -> Program:
    """Bend and roll in equal measure: the frame turns about one axis of its own, and after a whole turn it is what it
    was. The length follows from the height.

    Raises InputError from entries so steep that the screw does not climb.
    """
    sign = SIGN[section.direction]
    strength = 2.0 * np.pi / (np.sqrt(2.0) * 0.8)  # the ends of the bump count half
    unit = _screw(strength, -sign * strength)
    start = Entry(np.zeros(3), entry.tangent, entry.up)
    rise = summit(follow(unit, start))
    if rise <= 0.02:
        raise InputError(f"{entry.where}: a corkscrew cannot climb from here; enter it more level.")
    length = section.height / rise
    return stretched(_screw(strength / length, -sign * strength / length), length)


def _corkscrew(v: float) -> dict[str, Any]:
    return {"height": tidy(0.4 * head(v), 5.0, 40.0)}


KIND = ElementKind(
    CorkscrewSection,
    corkscrew,
    (
        Sized(
            "corkscrew",
            "Corkscrew",
            "Inversions",
            "Pull up and roll over at once, out to one side.",
            {},
            _corkscrew,
            rank=5,
            slowest=18.0,
        ),
    ),
)
