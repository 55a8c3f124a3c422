"""Half a loop up, then half a roll."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...base.fields import described
from ..programs.channel import channel
from ..programs.entry import Entry
from ..programs.program import Program, seen_from
from .base import (
    SIGN,
    Element,
    ElementKind,
    HeartHeight,
    Height,
    Ramp,
    RollSide,
    Sized,
    TopRadius,
    head,
    tidy,
)
from .over_top import Overlap, RollLength, half_loop_lengths, loop_axis


class ImmelmannSection(Element):
    """Half a loop upwards, then half a roll about the riders' line: the track leaves upright, opposite to the way it
    came."""

    kind: Literal["immelmann"] = "immelmann"
    direction: RollSide = "left"
    height: Height = described(22.0, "Height", "From the entry to the exit.", unit="m")
    top_radius: TopRadius = 9.0
    run_out: Ramp = described(12.0, "Run-out", "Length over which the curvature ends.", unit="m")
    roll_length: RollLength = 28.0
    overlap: Overlap = 10.0
    line_height: HeartHeight = 1.1


def immelmann(section: ImmelmannSection, entry: Entry) -> Program:
    """Half a loop up, half a roll about the straight line it ends in."""
    pole = loop_axis(entry, 0.0)
    view = seen_from(entry, pole)
    clothoid, arc = half_loop_lengths(section.height, section.top_radius, section.run_out, entry.where)
    half = clothoid + arc + section.run_out
    overlap = min(section.overlap, section.roll_length, half)
    bend = 1.0 / section.top_radius
    rest = section.roll_length - overlap
    pieces = [(clothoid, bend, "cubic"), (arc, bend, "linear"), (section.run_out, 0.0, "cubic")]
    turn = channel(0.0, [*pieces, (rest, 0.0, "linear")])
    rolled = view.bank - SIGN[section.direction] * np.pi
    bank = channel(
        view.bank, [(half - overlap, view.bank, "linear"), (section.roll_length, rolled, "quintic")]
    )
    return Program(
        turn, channel(view.latitude, [(turn.end, view.latitude, "linear")]), bank, pole, section.line_height
    )


def _scaled(v: float) -> dict[str, Any]:
    height = tidy(0.62 * head(v), 3.5, 60.0)
    return {
        "height": height,
        "top_radius": tidy(0.41 * height, 1.0, 30.0),
        "run_out": tidy(0.54 * height, 1.0, 60.0),
        "roll_length": tidy(1.2 * v, 12.0, 60.0),
        "overlap": tidy(0.4 * height, 1.0, 12.0),
    }


KIND = ElementKind(
    ImmelmannSection,
    immelmann,
    (
        Sized(
            "immelmann",
            "Immelmann",
            "Inversions",
            "Half a loop up, then half a roll: back the way it came, higher up.",
            {},
            _scaled,
            rank=3,
            slowest=18.0,
        ),
    ),
)
