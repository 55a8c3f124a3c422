"""Driving constraints: one file a kind. Every file of this folder that has a TYPE is one (see
`core.model.drivers.base`)."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal

from ...base.fields import described
from ...base.frozen import Frozen, Name
from ..functions import TimeFunction
from .base import TARGETS, Coordinate, DriverType, Target


def _found() -> tuple[DriverType, ...]:
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    types: list[DriverType] = [m.TYPE for m in modules if hasattr(m, "TYPE")]
    return tuple(sorted(types, key=lambda made: TARGETS.index(made.target)))


TYPES = _found()
#: Every coordinate by its name, and whose it is.
COORDINATES: dict[str, Coordinate] = {name: one for made in TYPES for name, one in made.coordinates.items()}
DRIVEN: dict[str, Target] = {name: made.target for made in TYPES for name in made.coordinates}
if TYPE_CHECKING:
    CoordinateName = str
else:
    CoordinateName = Literal[tuple(COORDINATES)]


def coordinates_of(target: Target) -> tuple[str, ...]:
    """The coordinates that a driver can prescribe of guides or bodies; of joints those of all kinds."""
    return tuple(name for name, whose in DRIVEN.items() if whose == target)


class Driver(Frozen):
    """A driving constraint: one coordinate follows a function of time (or starts at its drawn value).

    target is the name of a joint (coordinate "angle" about its axis, "angle_j" about the second arm of a
    universal joint, "slide" along it, "length" of a distance joint), of a guide ("arc_length"), or of a body
    ("x", "y", "z" of its centre of mass, "yaw", "pitch", "roll" of its axes: those of the world turned by yaw about z,
    then by pitch about the lateral axis, nose down positive, then by roll about the longitudinal one). Angles, slides,
    arc lengths and body coordinates are counted from the drawn pose when `relative`, else from zero; lengths are
    absolute.
    """

    name: Name = described(..., "Name", "What the driver is called.")
    target: str = described(
        ...,
        "Target",
        "The joint, guide or body whose motion is prescribed.",
        refers_to=TARGETS,
    )
    coordinate: CoordinateName = described(
        ...,
        "Coordinate",
        "Which of its motions is prescribed.",
        words={name: one.word for name, one in COORDINATES.items()},
    )
    function: TimeFunction = described(
        ...,
        "Motion over time",
        "Radians or metres over seconds.",
        unit="m",
        unit_by=("coordinate", {name: one.unit for name, one in COORDINATES.items() if one.unit != "m"}),
        entry="function",
    )
    relative: bool = described(True, "Relative to the drawn pose", "Otherwise counted from zero.")

    @property
    def drives(self) -> Target:
        """What its target is: a joint, a guide or a body."""
        return DRIVEN[self.coordinate]


__all__ = ["COORDINATES", "DRIVEN", "TYPES", "Driver", "DriverType", "coordinates_of"]
