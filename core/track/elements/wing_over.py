"""A climbing turn that leans beyond the vertical at its top."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ...base.errors import InputError
from ...base.fields import described
from ...base.sentence import say
from ..programs.channel import Channel, channel
from ..programs.entry import Entry
from ..programs.program import UP, Program, seen_from
from ..programs.solve import root_between
from .base import SIGN, Bank, Element, ElementKind, Side, Sized, TopHeight, degrees, head, tidy
from .over_top import MAX_LEAN, integral_over


class WingOverSection(Element):
    """A turn that climbs, leans over beyond the vertical at the top and comes down again at the height of the entry."""

    kind: Literal["wing_over"] = "wing_over"
    direction: Side = "left"
    angle: Annotated[float, Field(gt=0.1, le=6.3)] = described(
        3.141592653589793, "Angle of turn", "Whole change of heading.", unit="rad"
    )
    height: TopHeight = 15.0
    length: Annotated[float, Field(ge=5.0, le=2000.0)] = described(
        80.0, "Length", "Along the track.", unit="m"
    )
    bank: Bank = described(
        2.0, "Bank at the top", "How far the track leans into the turn at the top.", unit="rad"
    )


def wing_over(section: WingOverSection, entry: Entry) -> Program:
    """Heading, pitch and cant over the length; the largest pitch is solved for the height.

    Raises InputError when the length is too short for the height.
    """
    view = seen_from(entry, UP)
    length = section.length
    half, quarter = 0.5 * length, 0.25 * length
    sign = SIGN[section.direction]
    maximum = 2.0 * sign * section.angle / length
    turn = channel(0.0, [(half, maximum, "quintic"), (half, 0.0, "quintic")])

    def climb(steepest: float) -> Channel:
        pieces = [(quarter, steepest, "quintic"), (half, -steepest, "quintic"), (quarter, 0.0, "quintic")]
        return channel(view.latitude, pieces)

    def miss(steepest: float) -> float:
        return integral_over(climb(steepest), lambda row: np.sin(row[:, 0]), 0.0, half) - section.height

    steepest = root_between(miss, 0.0, MAX_LEAN)
    if steepest is None:
        raise InputError(
            say(
                "{where}: {length:g m} are too short to climb {height:g m} and come down"
                " again; at least {needed:.0f m} are needed.",
                where=entry.where,
                length=length,
                height=section.height,
                needed=3.0 * section.height,
            )
        )
    lean = -sign * section.bank
    bank = channel(view.bank, [(half, lean, "quintic"), (half, 0.0, "quintic")])
    return Program(turn, climb(steepest), bank, UP)


def _wing(v: float) -> dict[str, Any]:
    height = tidy(0.5 * head(v), 5.0, 60.0)
    return {"height": height, "length": tidy(max(5.0 * height, 3.2 * v), 30.0, 400.0)}


KIND = ElementKind(
    WingOverSection,
    wing_over,
    (
        Sized(
            "wing_over",
            "Wing-over",
            "Inversions",
            "A climbing turn that leans beyond the vertical at its top.",
            {"bank": degrees(115)},
            _wing,
            rank=9,
            slowest=10.0,
        ),
    ),
)
