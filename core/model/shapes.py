"""Plain shapes of which drawings of the model are made: flat ones of a side view, solid ones of the scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..base.arrays import Array

What = Literal["hull", "wheel", "rider", "seat", "bar", "coil", "block", "shank", "head", "rail"]
Solid = Literal["rod", "coil", "ball", "box"]


@dataclass(frozen=True)
class Shape:
    """A closed polygon (n, 2), a line (n, 2), or a circle (centre (1, 2) and radius), m: x forward, z up.

    of: name of the car or coupling it belongs to.
    """

    what: What
    of: str
    points: Array
    radius: float = 0.0
    closed: bool = False


class Piece(NamedTuple):
    """A solid piece of the scene: a rod or a coil between two places, or a ball or a box at one.

    size (3,) m: half axes of a ball, half sizes of a box; of a rod or coil the share of the width it is stretched to.
    """

    solid: Solid
    tone: Literal["steel", "yellow"]
    size: tuple[float, float, float] = (1.0, 1.0, 1.0)


class Stretched(NamedTuple):
    """Where a piece between two places is now: from start to end (3,) m, `wide` m across."""

    start: Array
    end: Array
    wide: float


class Standing(NamedTuple):
    """Where a piece at a place is now: origin (3,) m and axes (3, 3), its columns."""

    origin: Array
    axes: Array
