"""Path constraints: bodies that follow a curve of the track."""

from __future__ import annotations

from typing import Literal

from core.base.frozen import Frozen, Name, Vec3


class Guide(Frozen):
    """A path constraint: a point of a body follows a curve of the track with its own arc length.

    kind "point" prescribes the translation only, "cylindrical" also pitch and yaw (the body's xi axis keeps
    its place in the moving frame), "full" all rotations (Viegas 2016, 2.2.2-2.2.4).
    """

    name: Name
    kind: Literal["point", "cylindrical", "full"] = "point"
    body: str
    point: Vec3 = (0.0, 0.0, 0.0)
    path: Literal["left_rail", "right_rail", "centreline"] = "centreline"
