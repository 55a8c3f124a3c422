"""A roll about a straight line above the rails."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ...base.fields import described
from ..programs.channel import channel, constant
from ..programs.entry import Entry
from ..programs.program import Program, seen_from
from .base import SIGN, Element, ElementKind, HeartHeight, Length, RollSide, Sized, tidy


class InlineRollSection(Element):
    """A roll about a straight line above the rails."""

    kind: Literal["inline_roll"] = "inline_roll"
    direction: RollSide = "left"
    length: Length = described(40.0, "Length", "Along the track.", unit="m")
    turns: Annotated[float, Field(gt=0.0, le=10.0)] = described(
        1.0, "Revolutions", "Full turns about the line.", unit="1"
    )
    line_height: HeartHeight = 1.1


def inline_roll(section: InlineRollSection, entry: Entry) -> Program:
    """A roll about a straight line; the pole is only there to measure the roll from."""
    view = seen_from(entry, entry.up)
    length = section.length
    rolled = view.bank - SIGN[section.direction] * 2.0 * np.pi * section.turns
    still = channel(view.latitude, [(length, view.latitude, "linear")])
    bank = channel(view.bank, [(length, rolled, "quintic")])
    return Program(constant(0.0, length), still, bank, entry.up, section.line_height)


def _roll(v: float) -> dict[str, Any]:
    return {"length": tidy(2.0 * v, 32.0, 120.0)}  # a roll in less has a cant rate to warn of


KIND = ElementKind(
    InlineRollSection,
    inline_roll,
    (
        Sized(
            "inline_roll",
            "In-line roll",
            "Inversions",
            "A roll about a straight line above the rails.",
            {},
            _roll,
            rank=8,
        ),
    ),
)
