"""Half a roll, then half a loop down."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...base.fields import described
from ..programs.channel import channel
from ..programs.entry import Entry
from ..programs.program import Program, seen_from
from .base import SIGN, Element, ElementKind, HeartHeight, Height, Ramp, RollSide, Sized, TopRadius, tidy
from .over_top import Overlap, RollLength, half_loop_lengths, loop_axis


class DiveLoopSection(Element):
    """Half a roll, then half a loop downwards: the mirror image in time of the Immelmann."""

    kind: Literal["dive_loop"] = "dive_loop"
    direction: RollSide = "left"
    height: Height = described(22.0, "Depth", "From the entry down to the exit.", unit="m")
    top_radius: TopRadius = 9.0
    run_in: Ramp = described(12.0, "Run-in", "Length over which the curvature begins.", unit="m")
    roll_length: RollLength = 28.0
    overlap: Overlap = 10.0
    line_height: HeartHeight = 1.1


def dive_loop(section: DiveLoopSection, entry: Entry) -> Program:
    """Half a roll about a straight line, half a loop down."""
    pole = loop_axis(entry, 0.0)
    view = seen_from(entry, pole)
    clothoid, arc = half_loop_lengths(section.height, section.top_radius, section.run_in, entry.where)
    half = clothoid + arc + section.run_in
    overlap = min(section.overlap, section.roll_length, half)
    bend = -1.0 / section.top_radius
    rest = section.roll_length - overlap
    pieces = [(section.run_in, bend, "cubic"), (arc, bend, "linear"), (clothoid, 0.0, "cubic")]
    turn = channel(0.0, [(rest, 0.0, "linear"), *pieces])
    rolled = view.bank - SIGN[section.direction] * np.pi
    bank = channel(view.bank, [(section.roll_length, rolled, "quintic"), (half - overlap, rolled, "linear")])
    return Program(
        turn, channel(view.latitude, [(turn.end, view.latitude, "linear")]), bank, pole, section.line_height
    )


def _dive(v: float) -> dict[str, Any]:
    return {"height": 18.0, "top_radius": 7.5, "roll_length": tidy(1.2 * v, 20.0, 60.0)}


KIND = ElementKind(
    DiveLoopSection,
    dive_loop,
    (
        Sized(
            "dive_loop", "Dive loop", "Inversions", "Half a roll, then half a loop down.", {}, _dive, rank=4
        ),
    ),
)
