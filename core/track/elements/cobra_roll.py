"""Half a loop and half a corkscrew, and their mirror image."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ..programs.channel import Channel, channel, constant
from ..programs.entry import Entry, frame_from_angles
from ..programs.leg import Samples
from ..programs.program import Program, follow
from ..programs.solve import newton
from .base import SIGN, Element, ElementKind, Side, Sized, TopHeight, head, tidy
from .screws import stretched, summit

LEAD_STEP = 0.15  # rad, from one entry to the next on the way from the level one
COBRA_RAMP = 0.18  # part of half a cobra roll over which the bend comes


class CobraRollSection(Element):
    """Half a loop and half a corkscrew, then their mirror image: two inversions, exit opposite to the entry.

    Bend and roll are solved so that the middle is level and square to the entry.
    """

    kind: Literal["cobra_roll"] = "cobra_roll"
    direction: Side = "left"
    height: TopHeight = 20.0


def _half(program: Program, length: float) -> Program:
    """The first part of a program without a pole whose channels have an edge or hold their value at `length`."""

    def cut(c: Channel) -> Channel:
        keep = c.edges[:-1] < length - 1e-12
        edges = np.append(c.edges[:-1][keep], length)
        return Channel(edges, c.start[keep], c.step[keep], c.kind[keep], c.slope[keep])

    return Program(cut(program.turn), cut(program.climb), cut(program.bank))


def _from_level(
    middle: Callable[[Array, Entry], Array], start: Array, pitch: float, cant: float, where: str, what: str
) -> Array:
    """Root of middle(x, entry) for an entry of given pitch and cant: found from the level entry and then led there,
    so that it is the one kin to the level element.

    Raises InputError when it gets lost on the way.
    """
    x = start
    steps = int(np.ceil(max(abs(pitch), abs(cant)) / LEAD_STEP))
    for k in range(steps + 1):
        part = k / max(steps, 1)
        tangent, up = frame_from_angles(0.0, part * pitch, part * cant)
        entry = Entry(np.zeros(3), tangent, up)
        x = newton(lambda y, entry=entry: middle(y, entry), x, where, what)  # type: ignore[misc]
    return x


def _cobra(bend: float, roll: float, begin: float) -> Program:
    """Cobra roll of length 2: bend all along, one roll from `begin` to the middle and its mirror image after it."""
    still, quarter = 1.0 - begin, 0.5 * (1.0 - begin)
    held = 2.0 - 2.0 * COBRA_RAMP
    bends = [(COBRA_RAMP, bend, "quintic"), (held, bend, "linear"), (COBRA_RAMP, 0.0, "quintic")]
    before = [(begin, 0.0, "linear"), (quarter, roll, "quintic"), (quarter, 0.0, "quintic")]
    after = [(quarter, -roll, "quintic"), (still - quarter, 0.0, "quintic"), (begin, 0.0, "linear")]
    return Program(constant(0.0, 2.0), channel(0.0, bends), channel(0.0, [*before, *after]))


def _cobra_middle(x: Array, entry: Entry) -> Samples:
    program = _cobra(float(x[0]), float(x[1]), float(np.clip(x[2], 0.2, 0.9)))
    return follow(_half(program, 1.0), entry)


@lru_cache(maxsize=256)
def _cobra_numbers(pitch: float, cant: float, where: str) -> tuple[float, float, float, float]:
    """Bend, roll rate, begin of the roll and rise of the cobra roll of length 2 from a given entry.

    The middle has to be level, square to the entry and upright. First guess: a half turn about an axis halfway
    between tangent and right turns the tangent exactly to the side, whatever has been pulled up before.
    """

    def miss(x: Array, entry: Entry) -> Array:
        line = _cobra_middle(x, entry)
        return np.array([line.tangent[-1, -1, 0], line.tangent[-1, -1, 2], line.up[-1, -1, 0]])

    found = _from_level(miss, np.array([5.9, 8.1, 0.57]), pitch, cant, where, "cobra roll")
    tangent, up = frame_from_angles(0.0, pitch, cant)
    line = _cobra_middle(found, Entry(np.zeros(3), tangent, up))
    if line.up[-1, -1, 2] < 0.0 or not 0.2 < found[2] < 0.9:
        raise InputError(f"{where}: no cobra roll can be found from here; enter it more level.")
    return float(found[0]), float(found[1]), float(found[2]), summit(line)


def cobra_roll(section: CobraRollSection, entry: Entry) -> Program:
    """Half a loop and half a corkscrew up to a level, upright middle square to the entry, then its mirror image.

    By the mirror plane through the middle the exit is opposite to the entry, at its height and as upright.
    """
    sign = SIGN[section.direction]
    cant = round(-sign * entry.cant, 12)
    bend, roll, begin, rise = _cobra_numbers(round(entry.pitch, 12), cant, entry.where)
    length = section.height / rise
    return stretched(_cobra(bend / length, -sign * roll / length, begin), length)


def _scaled(v: float) -> dict[str, Any]:
    return {"height": tidy(0.6 * head(v), 4.0, 60.0)}


KIND = ElementKind(
    CobraRollSection,
    cobra_roll,
    (
        Sized(
            "cobra_roll",
            "Cobra roll",
            "Inversions",
            "Half a loop and half a corkscrew, and their mirror image: two inversions, back the way it came.",
            {},
            _scaled,
            rank=6,
            slowest=20.0,
        ),
    ),
)
