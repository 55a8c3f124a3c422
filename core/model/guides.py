"""Path constraints: bodies that follow a curve of the track."""

from __future__ import annotations

from typing import Literal

from ..base.fields import AXES, described
from ..base.frozen import Frozen, Name, Vec3


class Guide(Frozen):
    """A path constraint: a point of a body follows a curve of the track with its own arc length.

    kind "point" prescribes the translation only, "cylindrical" also pitch and yaw (the body's xi axis keeps
    its place in the moving frame), "full" all rotations (Viegas 2016, 2.2.2-2.2.4).
    """

    name: Name = described(..., "Name", "What the guide is called; references to it follow.")
    kind: Literal["point", "cylindrical", "full"] = described(
        "point",
        "Constrains",
        "What the track prescribes for the body.",
        words={
            "point": "The point only",
            "cylindrical": "Point, pitch and yaw",
            "full": "Point and all rotations",
        },
    )
    body: str = described(..., "Body", "The guided body.", refers_to="body")
    point: Vec3 = described(
        (0.0, 0.0, 0.0),
        "Guided point",
        "In the axes of the body, from its centre of mass.",
        unit="m",
        axes=AXES,
    )
    path: Literal["left_rail", "right_rail", "centreline"] = described(
        "centreline",
        "Path",
        "The curve the point follows.",
        words={"left_rail": "Left rail", "right_rail": "Right rail", "centreline": "Centreline"},
    )
