"""What every kind of driver declares; each has one file in this folder.

The file of a kind holds TYPE, a `DriverType`: what it drives and which coordinates of that, each with its word, its
unit and the constraint it makes (see `core.model.drivers`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ...base.frame import Frame
from ..joints.base import Coordinate, PairRows

Target = Literal["joint", "guide", "body"]
#: In this order kinds and their coordinates are told.
TARGETS: tuple[Target, ...] = ("joint", "guide", "body")


@dataclass(frozen=True)
class DriverType:
    """A kind of driver: what it drives and the coordinates it knows there.

    A coordinate's function takes the driver, its target as drawn - of a joint its `JointGeometry`, of a guide its arc
    length (m), of a body the `Frame` of
    its centre of mass in the world - and what makes the row: between the joint's bodies, on the guide, or between
    the ground, i, and the body, j, with points at the origin and at the centre of mass.
    """

    target: Target
    coordinates: Mapping[str, Coordinate]


__all__ = ["TARGETS", "Coordinate", "DriverType", "Frame", "PairRows", "Target"]
