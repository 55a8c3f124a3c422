"""Swinging rides: the frisbee of Blaauw's paper in kind, and a pirate ship; from the templates of the program."""

from __future__ import annotations

import math
from collections.abc import Callable

from ridewright.core.edits.templates import ride_from
from ridewright.core.project.project import Project

BEYOND = (
    "It swings as far as the published ride, 120 degrees to each side, at 15 rpm: with this ring every seat is beyond"
    " the limits of ASTM F2291 for Gx and Gz together, by 17 %. The template Frisbee, which swings 90 degrees to each"
    " side, is within them."
)


def frisbee() -> Project:
    """From rest up to 120 degrees to each side, seats at 15 rpm by prescribed motion (Blaauw, sections 2 and 7.1)."""
    made = ride_from("frisbee", amplitude=math.radians(120.0), prescribed=True)
    return made.model_copy(update={"notes": f"{made.notes} {BEYOND}"})


def pirate_ship() -> Project:
    """A boat with a friction wheel under its keel, 65 degrees to each side."""
    return ride_from("pirate_ship")


EXAMPLES: dict[str, Callable[[], Project]] = {"frisbee": frisbee, "pirate_ship": pirate_ship}
