"""A roll about the riders' line over a hill at 0 g."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from ...base.errors import InputError
from ...base.fields import described
from ...base.sentence import say
from ..programs.channel import channel, constant
from ..programs.entry import Entry
from ..programs.forces import Forces, felt, lay_forces
from ..programs.leg import ElementLeg
from .base import SIGN, ElementKind, EntrySpeed, Height, RollSide, Sized, line_entry, losing_as
from .hills import Hill, PullUp, hill_for, over_the_hill, solved_hill, way_down

MAX_CANT = 0.1  # rad, of the entry of a zero-g roll


class ZeroGRollSection(Hill):
    """A camelback at 0 g over which the track rolls about the riders' line."""

    kind: Literal["zero_g_roll"] = "zero_g_roll"
    direction: RollSide = "left"
    turns: Annotated[float, Field(ge=0.5, le=3.0, multiple_of=0.5)] = described(
        1.0, "Revolutions", "About the riders' line, in halves.", unit="1"
    )
    entry_speed: EntrySpeed = 24.0
    height: Height = described(14.0, "Height", "From the entry to the top of the riders' line.", unit="m")
    pull_up: PullUp = 3.0
    transition: Annotated[float, Field(ge=1.0, le=100.0)] = described(
        10.0, "Length of each change of g", "From the pull-up to weightlessness and back.", unit="m"
    )


def zero_g_roll(section: ZeroGRollSection, entry: Entry) -> ElementLeg:
    """Hill at 0 g on which the track rolls about the line of the riders.

    Raises InputError when the track is canted at the entry: the way up would lead aside.
    """
    if abs(entry.cant) > MAX_CANT:
        raise InputError(
            say(
                "{where}: a zero-g roll has to be entered level, the cant here is {cant:.1f deg}.",
                where=entry.where,
                cant=entry.cant,
            )
        )
    line = line_entry(section, entry)
    holds = solved_hill(section, line, 0.0, False)
    upright = float(
        section.turns
    ).is_integer()  # half a turn more leads down upside down, where no pull-out is
    down = way_down(section, line, 0.0, holds, False) if upright else holds[1]
    normal = channel(felt(line, section.entry_speed)[0], over_the_hill(section, line, 0.0, holds, down))
    before, whole = 2.0 * section.transition + holds[0], holds[1] + down
    turned = -SIGN[section.direction] * 2.0 * np.pi * section.turns
    edge = 0.25 * whole  # the roll rate comes over the first quarter of the hill and goes over the last
    maximum = turned / (whole - edge)
    pieces = [(before, 0.0, "linear"), (edge, maximum, "quintic"), (whole - 2.0 * edge, maximum, "linear")]
    roll = channel(0.0, [*pieces, (edge, 0.0, "quintic"), (before, 0.0, "linear")])
    forces = losing_as(Forces(normal, constant(0.0, normal.end), roll, section.entry_speed), section)
    return lay_forces(forces, line, section.line_height)


KIND = ElementKind(
    ZeroGRollSection,
    zero_g_roll,
    (
        Sized(
            "zero_g_roll",
            "Zero-g roll",
            "Inversions",
            "A roll about the riders' line over a hill at 0 g.",
            {},
            hill_for,
            rank=7,
            slowest=22.0,
        ),
    ),
)
