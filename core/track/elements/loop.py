"""Loop of clothoid, arc and clothoid, upright or leaning."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.fields import described
from ...base.sentence import say
from ..programs.channel import Channel, channel
from ..programs.entry import Entry
from ..programs.program import Program, seen_from
from ..programs.solve import newton, root_between
from .base import Element, ElementKind, Height, Sized, Smoothness, TopRadius, degrees, head, tidy
from .over_top import MAX_LEAN, integral_over, leaning_rise, loop_axis, rise


class LoopSection(Element):
    """A loop of clothoid, arc and clothoid that leaves in the direction it was entered."""

    kind: Literal["loop"] = "loop"
    height: Height = described(
        20.0, "Height", "From the entry to the top, in the plane of the loop.", unit="m"
    )
    top_radius: TopRadius = 7.5
    offset: Annotated[float, Field(ge=-50.0, le=50.0)] = described(
        4.0,
        "Lateral offset",
        "How far the exit lies to the left of the entry, so that the loop does not meet itself; negative to the right.",
        unit="m",
    )
    inclination: Annotated[float, Field(ge=-1.4, le=1.4)] = described(
        0.0,
        "Inclination",
        "Lean of the plane of the loop from upright, positive to the left.",
        unit="rad",
    )
    smoothness: Smoothness = "linear"


def _full_loop(clothoid: float, shape: str) -> Channel:
    """Turn rate of clothoid, arc, clothoid over a whole turn with top radius 1."""
    arc = 2.0 * np.pi - clothoid
    return channel(0.0, [(clothoid, 1.0, shape), (arc, 1.0, "linear"), (clothoid, 0.0, shape)])


@lru_cache(maxsize=256)
def _clothoid_length(ratio: float, shape: str) -> float | None:
    """Length of each clothoid of a loop whose height is `ratio` times its top radius, in top radii."""

    def miss(clothoid: float) -> float:
        turn = _full_loop(clothoid, shape)
        return rise(turn, 0.5 * turn.end) - ratio

    return root_between(miss, 0.01, 2.0 * np.pi - 1e-9)


@lru_cache(maxsize=256)
def _loop_limit(shape: str) -> float:
    """Largest height of a loop in top radii: clothoids only."""
    turn = _full_loop(2.0 * np.pi - 1e-9, shape)
    return rise(turn, 0.5 * turn.end)


def _towards(angle: float, near: float) -> float:
    return angle - 2.0 * np.pi * round((angle - near) / (2.0 * np.pi))


def loop(section: LoopSection, entry: Entry) -> Program:
    """Clothoid, arc, clothoid about the axis of the loop; the latitude leans out of the plane for the offset.

    Raises InputError when height and top radius do not go together.
    """
    pole = loop_axis(entry, section.inclination)
    view = seen_from(entry, pole)
    clothoid = _clothoid_length(section.height / section.top_radius, section.smoothness)
    if clothoid is None:
        minimum, maximum = section.height / _loop_limit(section.smoothness), section.height / 2.01
        raise InputError(
            say(
                "{where}: a loop {height:g m} high needs a top radius of {minimum:.2f (m)} to"
                " {maximum:.2f m}, not {top_radius:g m}.",
                where=entry.where,
                height=section.height,
                minimum=minimum,
                maximum=maximum,
                top_radius=section.top_radius,
            )
        )

    def made(values: Array) -> tuple[Channel, Channel]:
        radius, lean = values
        unit = _full_loop(clothoid, section.smoothness)
        pieces = [
            (float(w) * radius, float(a + b) / radius, section.smoothness if b else "linear")
            for w, a, b in zip(np.diff(unit.edges), unit.start, unit.step, strict=True)
        ]
        turn = channel(0.0, pieces)
        half = 0.5 * turn.end
        return turn, channel(0.0, [(half, lean, "quintic"), (turn.end - half, 0.0, "quintic")])

    def miss(values: Array) -> Array:
        turn, lean = made(values)
        height = leaning_rise(turn, lean, 0.5 * turn.end)
        side = -integral_over(lean, lambda row: np.sin(row[:, 0]), 0.0, lean.end)
        return np.array([height / section.height - 1.0, (side - section.offset) / section.height])

    guess = np.array([section.top_radius, -section.offset / (3.2 * section.height)])
    radius, lean_max = newton(miss, guess, entry.where, "loop")
    if abs(lean_max) > MAX_LEAN:
        raise InputError(
            say(
                "{where}: an offset of {offset:g m} is too much for a loop {height:g m} high.",
                where=entry.where,
                offset=section.offset,
                height=section.height,
            )
        )
    turn, lean = made(np.array([radius, lean_max]))
    upright = _towards(-0.5 * np.pi, view.bank)
    ends = float(turn.edges[1])
    bank_shape = "quintic"
    bank = channel(
        view.bank,
        [
            (ends, upright, bank_shape),
            (turn.end - 2.0 * ends, upright, "linear"),
            (ends, view.bank, bank_shape),
        ],
    )
    return Program(turn, lean, bank, pole)


def _loop(v: float) -> dict[str, Any]:
    height = tidy(0.62 * head(v), 6.0, 60.0)
    return {"height": height, "top_radius": tidy(0.375 * height, 2.0, 30.0)}


def _mirrored(section: LoopSection) -> dict[str, Any]:
    return {"offset": -section.offset, "inclination": -section.inclination}


KIND = ElementKind(
    LoopSection,
    loop,
    (
        Sized(
            "loop",
            "Vertical loop",
            "Inversions",
            "Clothoid, arc and clothoid, set off sideways.",
            {},
            _loop,
            rank=1,
            slowest=20.0,
        ),
        Sized(
            "inclined_loop",
            "Inclined loop",
            "Inversions",
            "A loop in a plane that leans to one side.",
            {"inclination": degrees(40), "offset": 6.0},
            _loop,
            rank=2,
            slowest=20.0,
        ),
    ),
    mirrored=_mirrored,
)
