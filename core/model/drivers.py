"""Driving constraints."""

from __future__ import annotations

from typing import Literal

from core.base.frozen import Frozen, Name
from core.model.functions import TimeFunction


class Driver(Frozen):
    """A driving constraint: one coordinate follows a function of time (or starts at its drawn value).

    target is the name of a joint (coordinate "angle" about its axis, "angle_j" about the second arm of a
    universal joint, "slide" along it, "length" of a distance joint), of a guide ("arc_length"), or of a body
    ("x", "y", "z" of its centre of mass). Angles, slides, arc lengths and body coordinates are counted from
    the drawn pose when `relative`, else from zero; lengths are absolute.
    """

    name: Name
    target: str
    coordinate: Literal["angle", "angle_j", "slide", "length", "arc_length", "x", "y", "z"]
    function: TimeFunction
    relative: bool = True
