"""Swinging rides: the frisbee of Blaauw's paper in kind, and a pirate ship; from the templates of the program."""

from __future__ import annotations

import math
from collections.abc import Callable

from ridewright.core.edits.templates import ride_from
from ridewright.core.project.project import Project


def frisbee() -> Project:
    """From rest up to 120 degrees to each side, seats at 15 rpm by prescribed motion (Blaauw, sections 2 and 7.1)."""
    return ride_from("frisbee", amplitude=math.radians(120.0), prescribed=True)


def pirate_ship() -> Project:
    """A boat with a friction wheel under its keel, 65 degrees to each side."""
    return ride_from("pirate_ship")


EXAMPLES: dict[str, Callable[[], Project]] = {"frisbee": frisbee, "pirate_ship": pirate_ship}
