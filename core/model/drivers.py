"""Driving constraints."""

from __future__ import annotations

from typing import Literal

from ..base.fields import described
from ..base.frozen import Frozen, Name
from .functions import TimeFunction

ANGLES = ("angle", "angle_j", "roll", "pitch", "yaw")


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
        refers_to=("joint", "guide", "body"),
    )
    coordinate: Literal[
        "angle", "angle_j", "slide", "length", "arc_length", "x", "y", "z", "roll", "pitch", "yaw"
    ] = described(
        ...,
        "Coordinate",
        "Which of its motions is prescribed.",
        words={
            "angle": "Angle",
            "angle_j": "Angle of the second arm",
            "slide": "Slide",
            "length": "Length",
            "arc_length": "Arc length",
            "x": "x of the centre of mass",
            "y": "y of the centre of mass",
            "z": "z of the centre of mass",
            "roll": "Roll",
            "pitch": "Pitch",
            "yaw": "Yaw",
        },
    )
    function: TimeFunction = described(
        ...,
        "Motion over time",
        "Radians or metres over seconds.",
        unit="m",
        unit_by=("coordinate", dict.fromkeys(ANGLES, "rad")),
        entry="function",
    )
    relative: bool = described(True, "Relative to the drawn pose", "Otherwise counted from zero.")
