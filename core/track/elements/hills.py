"""Hills drawn by what the riders feel: what camelback and zero-g roll have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.fields import described
from ...base.sentence import say
from ..programs.channel import channel, constant
from ..programs.entry import Entry
from ..programs.forces import Forces, felt, follow_forces
from ..programs.solve import newton, root_between
from .base import RiddenElement, head, losing_as, tidy

Piece = tuple[float, float, str]  # width, value at its end, transition
LONGEST_HOLD = 400.0  # m, of one g

PullUp = Annotated[
    float,
    described(
        ...,
        "Normal g in the valleys",
        "What the riders feel before and behind the hill.",
        unit="g",
        ge=1.1,
        le=8.0,
    ),
]


class Hill(RiddenElement):
    """What the hills have in common: their height, the pull-up and the length of each change of g."""

    if TYPE_CHECKING:  # described by each
        height: float
        pull_up: float
        transition: float


def _pulled_up(section: Hill, gz: float, holds: tuple[float, float]) -> list[Piece]:
    """Normal g up to the top: to the pull-up, held, to the hill, held."""
    ramp, pull = section.transition, section.pull_up
    return [
        (ramp, pull, "quintic"),
        (holds[0], pull, "linear"),
        (ramp, gz, "quintic"),
        (holds[1], gz, "linear"),
    ]


def _ridden(section: Hill, entry: Entry, pieces: list[Piece], free: bool) -> tuple[Array, Array, Array]:
    """Distance, slope and height (n,) along the line that feels the pieces of normal g, without roll."""
    normal = channel(felt(entry, section.entry_speed)[0], pieces)
    still = constant(0.0, normal.end)
    forces = losing_as(Forces(normal, still, still, section.entry_speed, lateral_free=free), section)
    line = follow_forces(forces, entry)
    run = np.concatenate([[0.0], np.cumsum(line.widths)])
    slope = np.append(line.tangent[:, 0, 2], line.tangent[-1, -1, 2])
    height = np.append(line.position[:, 0, 2], line.position[-1, -1, 2]) - entry.position[2]
    return run, slope, height


def _ride_up(
    section: Hill, entry: Entry, gz: float, holds: tuple[float, float], free: bool
) -> tuple[Array, Array, Array]:
    """Distance, slope and height (n,) along the way to the top."""
    return _ridden(section, entry, _pulled_up(section, gz, holds), free)


def _hold_to_the_top(
    section: Hill, entry: Entry, gz: float, pulled: float, free: bool
) -> tuple[float, float] | None:
    """Length of hill from the last transition to where it is level, and the height there; None when it is level
    before. The riding speed must last: a hill that stalls raises InputError."""
    begin = 2.0 * section.transition + pulled
    _, slope, height = _ride_up(section, entry, gz, (pulled, 1e-3), free)
    if slope[-1] <= 0.0:
        return None
    # along a hill of constant g the slope falls at least as fast as at its foot; a little more than that is enough
    v2 = section.entry_speed**2 - 2.0 * entry.gravity * height[-1]
    fall = entry.gravity * (1.0 - gz) / max(v2, 1.0)
    reach = 1.3 * float(np.arcsin(min(slope[-1], 1.0))) / (fall * 0.9)

    def level(length: float) -> float:
        return float(_ride_up(section, entry, gz, (pulled, length), free)[1][-1])

    length = root_between(level, 1e-3, min(reach, LONGEST_HOLD))
    if length is None:
        return None
    run, _, height = _ride_up(section, entry, gz, (pulled, length), free)
    return float(run[-1] - begin), float(height[-1])


def solved_hill(section: Hill, entry: Entry, gz: float, free: bool) -> tuple[float, float]:
    """Lengths (m) of the pull-up and of the hill up to its top for the height of the section."""
    speed = section.entry_speed
    reachable = speed**2 / (2.0 * entry.gravity)
    if section.height >= 0.95 * reachable:
        raise InputError(
            say(
                "{where}: at {speed:.1f m/s} the ride reaches at most {reachable:.1f m}; a"
                " hill of {height:g m} needs more speed.",
                where=entry.where,
                speed=speed,
                reachable=reachable,
                height=section.height,
            )
        )

    quick = _quick_hill(section, entry, gz, free)
    if quick is not None:
        return quick

    def miss(pulled: float) -> float:
        try:
            found = _hold_to_the_top(section, entry, gz, pulled, free)
        except InputError:
            return section.height  # it stalls: far too high
        return (0.0 if found is None else found[1]) - section.height

    pulled = _pull_up(miss, section, entry)
    found = _hold_to_the_top(section, entry, gz, pulled, free)
    if found is None:
        raise InputError(f"{entry.where}: the hill is level before it begins; shorten the transition.")
    return pulled, found[0]


def _quick_hill(section: Hill, entry: Entry, gz: float, free: bool) -> tuple[float, float] | None:
    """Both lengths at once by Newton's method from an estimate with circular arcs; None when that fails."""
    speed, ramp, g = section.entry_speed, section.transition, entry.gravity
    radius = speed**2 / (g * (section.pull_up - 1.0))
    fall = g * (1.0 - gz)
    start = entry.pitch

    def climbed(angle: float) -> tuple[float, float]:
        low = radius * (np.cos(start) - np.cos(angle)) + ramp * np.sin(angle)
        v2 = speed**2 - 2.0 * g * low
        return float(low + v2 * np.sin(angle) ** 2 / (2.0 * fall)), float(v2)

    angle = root_between(lambda x: climbed(x)[0] - section.height, start, 1.5)
    if angle is None:
        return None
    half = climbed(angle)[1] * np.sin(angle) * np.cos(angle) / fall - 0.5 * ramp
    guess = np.array([max((angle - start) * radius - ramp, 0.1), max(half, 0.5)])

    def miss(x: Array) -> Array:
        holds = (float(x[0]), float(x[1]))
        if min(holds) < 1e-3:
            raise InputError("no hill")
        _, slope, height = _ride_up(section, entry, gz, holds, free)
        return np.array([slope[-1], height[-1] / section.height - 1.0])

    try:
        found = newton(miss, guess, entry.where, "hill")
    except InputError:
        return None
    return float(found[0]), float(found[1])


def _pull_up(miss: Callable[[float], float], section: Hill, entry: Entry) -> float:
    """Length of the pull-up (m) with which the hill gets its height: the first root from short to long."""
    low, value = 1e-3, miss(1e-3)
    if value > 0.0:
        raise InputError(
            say(
                "{where}: the transitions alone climb more than {height:g m};"
                " shorten them or lower the pull-up.",
                where=entry.where,
                height=section.height,
            )
        )
    step = 0.1 * section.height
    for _ in range(200):
        high = low + step
        if miss(high) > 0.0:
            found = root_between(miss, low, high)
            if found is not None:
                return found
        low = high
        if low * (section.pull_up - 1.0) * entry.gravity / section.entry_speed**2 > 2.2:
            break
    raise InputError(
        say(
            "{where}: no hill of {height:g m} can be reached from here; change the"
            " height, the pull-up or the speed.",
            where=entry.where,
            height=section.height,
        )
    )


def over_the_hill(
    section: Hill, entry: Entry, gz: float, holds: tuple[float, float], down: float
) -> list[Piece]:
    """Normal g over the whole hill: up to the top, `down` (m) of hill behind it, pull-out, and to what it was."""
    ramp, pull = section.transition, section.pull_up
    start, _ = felt(entry, section.entry_speed)
    up = _pulled_up(section, gz, (holds[0], holds[1] + down))
    return [*up, (ramp, pull, "quintic"), (holds[0], pull, "linear"), (ramp, start, "quintic")]


def way_down(section: Hill, entry: Entry, gz: float, holds: tuple[float, float], free: bool) -> float:
    """Length (m) of hill behind the top that lets the element end at the pitch it began with, turned down.

    Without losses that is the way up. A ride that has lost speed needs less of it.
    """
    if section.friction == 0.0 and section.drag == 0.0:
        return holds[1]

    def miss(down: float) -> float:
        try:
            _, slope, _ = _ridden(section, entry, over_the_hill(section, entry, gz, holds, down), free)
        except InputError:  # so steep that the line gets too tight
            return -2.0
        return float(slope[-1] + entry.tangent[2])

    found = root_between(miss, 0.3 * holds[1], 1.5 * holds[1])
    if found is None:
        raise InputError(
            f"{entry.where}: the losses leave no way down from the hill; lower the friction or the hill."
        )
    return found


def hill_for(v: float) -> dict[str, Any]:
    # the changes of g take a part of the way that does not depend on the speed, so that there is a hill between them
    return {
        "entry_speed": v,
        "height": tidy(0.5 * head(v), 1.0, 100.0),
        "transition": tidy(0.32 * head(v), 1.0, 60.0),
    }
