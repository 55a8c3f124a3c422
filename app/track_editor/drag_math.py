"""How far a drag in the 3D view moves a point: in the plane of the view, upright, along an axis, in a plane; roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.edits.points import place_points, set_cants
from ...core.project.project import Project
from ..document.selection import Selection
from ..widgets import units
from ..widgets.number_text import read_number
from .dragging import ANGLE_STEP, snapped
from .move_gizmo import Grip
from .track_points import TrackPoints

FLATTEST: Final = (
    0.25  # sine of the angle between ray and plane, or ray and axis, below which the way would run away
)
TYPED: Final = "0123456789.,-+*/"  # what begins or continues a number during a drag


class Eye(Protocol):
    """What the view knows of rays and pixels."""

    def world_to_screen(self, points: ArrayLike) -> Array: ...
    def ray(self, x: float, y: float) -> tuple[Array, Array]: ...


def on_plane(eye: Eye, position: tuple[float, float], origin: Array, normal: Array) -> Array:
    """The point (3,) m under a pixel on the plane through `origin`; one seen nearly edge-on gives way to that which
    faces the eye, so that no small way on the screen is a long one in space."""
    start, ahead = eye.ray(*position)
    slope = float(ahead @ normal)
    if abs(slope) < FLATTEST:
        normal, slope = ahead, 1.0
    reach = float((origin - start) @ normal) / slope
    out: Array = start + ahead * max(reach, 0.0)
    return out


def in_view(eye: Eye, position: tuple[float, float], origin: Array) -> Array:
    """The point (3,) m under a pixel in the plane through `origin` that faces the eye."""
    flat = eye.world_to_screen(origin)[0]
    _, ahead = eye.ray(float(flat[0]), float(flat[1]))
    return on_plane(eye, position, origin, ahead)


def on_line(eye: Eye, position: tuple[float, float], origin: Array, along: Array) -> float:
    """How far (m) along a line through `origin` lies what is nearest to the ray under a pixel."""
    start, ahead = eye.ray(*position)
    away, lean = origin - start, float(along @ ahead)
    return float(lean * (ahead @ away) - along @ away) / max(1.0 - lean * lean, FLATTEST**2)


def line_way(
    eye: Eye, begin: tuple[float, float], end: tuple[float, float], origin: Array, along: Array
) -> float:
    """Way (m) along a line through `origin` from one pixel to another."""
    return on_line(eye, end, origin, along) - on_line(eye, begin, origin, along)


def way(eye: Eye, grip: Grip, begin: tuple[float, float], end: tuple[float, float], origin: Array) -> Array:
    """The move (3,) m of a grip from one pixel to another; nan where `origin` is behind the eye."""
    normal = np.array(grip.vector)
    if grip.kind == "axis":
        along: Array = line_way(eye, begin, end, origin, normal) * normal
        return along
    if grip.kind == "view":
        return in_view(eye, end, origin) - in_view(eye, begin, origin)
    if grip.kind == "upright":
        _, ahead = eye.ray(*end)
        flat = np.array([ahead[0], ahead[1], 0.0])
        size = float(np.linalg.norm(flat))
        normal = flat / size if size > FLATTEST else np.array([1.0, 0.0, 0.0])
    move = on_plane(eye, end, origin, normal) - on_plane(eye, begin, origin, normal)
    return np.array([0.0, 0.0, move[2]]) if grip.kind == "upright" else move - (move @ normal) * normal


def turned(
    eye: Eye, position: tuple[float, float], pressed: tuple[float, float], origin: Array, axis: Array
) -> float:
    """Angle (rad), right-handed about a unit axis (3,), from one pixel to another around `origin`: in the plane across
    the axis, or on the screen where that plane is seen nearly edge-on."""
    middle = eye.world_to_screen(origin)[0]
    _, ahead = eye.ray(float(middle[0]), float(middle[1]))
    if abs(float(axis @ ahead)) >= FLATTEST:
        begin, end = (on_plane(eye, at, origin, axis) - origin for at in (pressed, position))
        return float(np.arctan2(axis @ np.cross(begin, end), begin @ end))
    first, last = (np.arctan2(middle[1] - y, x - middle[0]) for x, y in (pressed, position))
    by = (last - first + np.pi) % (2.0 * np.pi) - np.pi
    return float(by if axis @ ahead < 0.0 else -by)  # an axis towards the eye turns against the clock


def typed_value(text: str, unit: str) -> float | None:
    """What was typed during a drag in SI, None while it is no number."""
    try:
        return read_number(text, unit, "Distance") if text else None
    except InputError:
        return None


def with_step(move: Array, origin: Array, grip: Grip, step: float) -> Array:
    """A move (3,) m brought to the grid: world directions to places of the grid, others to whole steps."""
    if step <= 0.0:
        return move
    if grip.kind == "axis" and grip.name not in ("x", "y", "z"):
        along = np.array(grip.vector)
        return snapped(float(move @ along), step) * along
    target = origin + move
    return np.array([
        snapped(float(target[k]), step) - origin[k] if abs(move[k]) > 1e-12 else 0.0 for k in range(3)
    ])  # fmt: skip


def with_typed(move: Array, grip: Grip, number: float) -> Array:
    """A move of a typed length (m): along the axis, else in the direction it has."""
    if grip.kind == "axis":
        return number * np.array(grip.vector)
    if grip.kind == "upright":
        return np.array([0.0, 0.0, number])
    size = float(np.linalg.norm(move))
    return move * (number / size) if size > 1e-9 else move


def move_text(move: Array, grip: Grip, typed: str) -> str:
    """What a drag does now: "along x: 1.20 m", with what is being typed."""
    if typed:
        return f"{grip.words}: {typed} {units.label('m')}"
    if grip.kind == "axis":
        return f"{grip.words}: {units.text(float(move @ np.array(grip.vector)), 'm')}"
    parts = [
        f"{axis} {units.text(float(v), 'm')}" for axis, v in zip("xyz", move, strict=True) if abs(v) > 5e-4
    ]
    return f"{grip.words}: {', '.join(parts) or 'no way yet'}"


def soft_weights(points: TrackPoints, section: str, held: Sequence[int], radius: float) -> dict[int, float]:
    """How much of a move each point of a section takes, by index: 1 for those held, (1 - (d/R)²)² at a distance d (m)
    from the nearest of them, nothing beyond the radius R (m)."""
    numbers = [k for k, name in enumerate(points.section) if name == section and points.selectable[k]]
    own = [points.position[k] for k in numbers if points.index[k] in held]
    weights = {}
    for k in numbers:
        away = min(float(np.linalg.norm(points.position[k] - position)) for position in own)
        if points.index[k] in held:
            weights[points.index[k]] = 1.0
        elif away < radius:
            weights[points.index[k]] = (1.0 - (away / radius) ** 2) ** 2
    return weights


def soft_move(
    points: TrackPoints, section: str, weights: dict[int, float], by: Array
) -> Callable[[Project], Project]:
    """The edit that moves points of a section by their part of a move (3,) m."""
    positions = {}
    for k, (name, index) in enumerate(zip(points.section, points.index, strict=True)):
        if name == section and index in weights:
            x, y, z = (float(v) for v in points.position[k] + weights[index] * by)
            positions[index] = (x, y, z)
    return lambda project: place_points(project, section, positions)


def roll_edit(section: str, cants: dict[int, float], by: float, step: float) -> Callable[[Project], Project]:
    """The edit that turns cants (rad) by index; with snapping to whole degrees."""
    grid = ANGLE_STEP if step > 0.0 else 0.0
    turned_by: dict[int, float | None] = {i: snapped(cant + by, grid) for i, cant in cants.items()}
    return lambda project: set_cants(project, section, turned_by)


def in_band(points: TrackPoints, flat: Array, corners: Array, before: Selection) -> Selection | None:
    """The points whose pixels (n, 2) lie in a rectangle (2, 2), with those selected before in the same section."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    inside = np.all((flat >= low) & (flat <= high), axis=1)
    return points.selection_of([*np.flatnonzero(inside).tolist(), *points.selected(before)])
