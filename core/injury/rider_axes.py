"""Rider axes and their six named directions.

+Gx is acceleration of the rider forward (eyeballs in), +Gy to the left, +Gz headward (eyeballs down); a rider sitting
still feels +1 Gz. Body axes (xi forward, eta left, zeta up) and rider axes are the same axes.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError

Direction = Literal["+Gx", "-Gx", "+Gy", "-Gy", "+Gz", "-Gz"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


def directional(acceleration: Array, direction: Direction) -> Array:
    """Signal that is positive when the rider is loaded in one direction.

    acceleration (n, 3) in g, rider axes; direction e.g. "-Gz". Returns (n,) in g: the component, or its negative for a
    direction with a minus sign. Raises InputError for an unknown direction.
    """
    if direction not in DIRECTIONS:
        raise InputError(f"Unknown direction {direction!r}; allowed are {', '.join(DIRECTIONS)}.")
    component = acceleration[:, "xyz".index(direction[2])]
    return np.ascontiguousarray(component if direction[0] == "+" else -component)
