"""Points of what joins two bodies, taken from where the other end is drawn."""

from __future__ import annotations

from typing import Any, Literal

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frame import Frame
from ..base.frames import rotation_matrix
from ..base.frozen import Vec3
from ..edits.elements import element_at, set_element
from ..multibody.flatten import Flat, Local, Placed, flatten
from ..project.project import Project
from ..track.build import BuiltTrack

DIGITS = 7  # of a metre


def local_point(local: Local, body: Frame | None, position: Array) -> Vec3:
    """A position (3,) m of the world in the frame an element names on a body; body: its frame, None the ground."""
    x, y, z = (
        round(float(v), DIGITS) + 0.0 for v in local.local(position if body is None else body.local(position))
    )
    return x, y, z


def point_of_other_end(
    project: Project, built: BuiltTrack | None, kind: str, path: tuple[str, ...], end: Literal["i", "j"]
) -> Project:
    """Put the point of a joint or force element on body `end` where the model is drawn to have that of the other end.

    built: the track of a ride. Raises InputError for what does not join points of two bodies.
    """
    element = element_at(project, kind, path)
    other = "j" if end == "i" else "i"
    if not (hasattr(element, "point_i") and hasattr(element, "point_j")):
        raise InputError(f"'{path[-1]}' does not join points of two bodies.")
    flat = flatten(project, built, 0.0)
    placed = _placed(flat, "/".join(path))
    there = placed.bodies[getattr(element, f"body_{other}")]
    body, inside = _frame(flat, there.body), there.point(getattr(element, f"point_{other}"))
    position = inside if body is None else body.point(inside)
    here = placed.bodies[getattr(element, f"body_{end}")]
    return set_element(
        project, kind, path, {f"point_{end}": local_point(here, _frame(flat, here.body), position)}
    )


def _placed(flat: Flat, name: str) -> Placed[Any]:
    every: list[Placed[Any]] = [*flat.joints, *flat.forces]
    found = next((one for one in every if one.name == name), None)
    if found is None:
        raise InputError(f"'{name}' is not part of what moves.")
    return found


def _frame(flat: Flat, body: int) -> Frame | None:
    return None if body < 0 else Frame(flat.position[body], rotation_matrix(flat.orientation[body]))
