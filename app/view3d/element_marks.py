"""How elements of the model are marked in the scene: a shape for every kind of mark that stands between two points.

The kind and the place come from the type of the element (`core.model.forces`); a new type needs nothing here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike

from ...core.base.arrays import Array
from ...core.base.frozen import Vec3
from ...core.model.forces import type_of
from ..widgets.theme import Colours
from .actors import make_actor
from .mesh import Part, across, bent_tube, box, ellipsoid, merged, rod, solid

if TYPE_CHECKING:
    import pyvista as pv


BETWEEN: Final = ("points", "frames", "line")  # places of types that act between points
YELLOW, STEEL, WEBBING = "#d6a93a", "#9aa4ae", "#b3552e"
WIRE, TURNS = 0.22, 7.0  # share of the radius, turns of a coil
POINT = 2e-3  # m, two points nearer than this are one


def place_of(element: object) -> str:
    """Where an element of a type acts: "points", "frames", "joint", "guide", "load" or "body"; "" for none."""
    found = type_of(element)
    return "" if found is None else found.place


def stretches(element: Any) -> tuple[tuple[tuple[str, Vec3], tuple[str, Vec3]], ...]:
    """Between which places an element stands, each the name of a body and a point in its axes (m): two, or neighbours
    along a line."""
    ends = ((element.body_i, element.point_i), (element.body_j, element.point_j))
    return tuple(pairwise(getattr(element, "places", ends)))


def shape_of(element: object) -> pv.PolyData:
    """The shape, of length and radius 1 along x, of an element that stands between two points."""
    found = type_of(element)
    return solid(*SHAPES.get("" if found is None else found.mark.kind, coil)())


def between(a: Array, b: Array, wide: float) -> Array:
    """Matrix (3, 3) that stretches a shape of length and radius 1 along x from a to b (3,) m, `wide` m across."""
    if np.linalg.norm(b - a) < POINT:
        return wide * np.eye(3)
    u, v = across(b - a)
    return np.stack([b - a, wide * u, wide * v], axis=1)


def coil() -> list[Part]:
    """The wire of a spring, round in one that is about five times as long as wide."""
    share = np.linspace(0.0, 1.0, 71)
    angle = 2.0 * np.pi * TURNS * share
    wide = np.clip(np.minimum(share, 1.0 - share) / 0.06, 0.0, 1.0)
    wire = bent_tube(
        np.stack([5.0 * share, wide * np.cos(angle), wide * np.sin(angle)], axis=1), WIRE, YELLOW, sides=5
    )
    return [wire._replace(points=wire.points * [0.2, 1.0, 1.0])]


def _damper() -> list[Part]:
    """A cylinder and the rod that goes into it."""
    return [rod([0, 0, 0], [0.6, 0, 0], 0.8, STEEL), rod([0.6, 0, 0], [1, 0, 0], 0.35, YELLOW)]


def _arrows() -> list[Part]:
    """A rod with a tip at either end."""
    return [arrow([0.5, 0, 0], [end, 0, 0], 1.0, YELLOW) for end in (0.0, 1.0)]


def _strap() -> list[Part]:
    """A line, thick enough to be seen where it goes through what it lies on."""
    return [rod([0, 0, 0], [1, 0, 0], 0.7, WEBBING)]


def _block() -> list[Part]:
    """A block of rubber."""
    return [box([0.0, 0, 0], [0.5, 0.9, 0.9], "#3a424b")]


SHAPES: Final[dict[str, Callable[[], list[Part]]]] = {
    "coil": coil, "damper": _damper, "arrow": _arrows, "block": _block, "strap": _strap
}  # fmt: skip


def bar(colour: str) -> pv.PolyData:
    """A rod of length and radius 1 along x with thicker ends, for what acts between two points."""
    ends = [rod([x, 0, 0], [x + 0.03, 0, 0], 1.8, colour, sides=12) for x in (-0.015, 0.985)]
    return solid(rod([0, 0, 0], [1, 0, 0], 1.0, colour, sides=12), *ends)


def arrow(start: ArrayLike, end: ArrayLike, radius: float, colour: str) -> Part:
    """An arrow from start to end (3,) m whose tip has a radius (m)."""
    foot, tip = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    neck = foot + 0.8 * (tip - foot)
    head = rod(neck, tip, (radius, 0.02 * radius), colour, sides=12)
    return merged([rod(foot, neck, 0.4 * radius, colour), head])


def axis_mark(point: Array, axis: Array | None, size: float, thick: float, colour: str) -> pv.Actor:
    """A joint in one of its bodies: a ball at its point and an arrow along its axis, in the frame of the body (m).

    thick: share of the full width; the thinner one of a pair is longer, so that both are seen.
    """
    parts = [ellipsoid(point, [0.18 * size * thick] * 3, colour)]
    if axis is not None:
        reach = size * (1.9 - 0.9 * thick) * axis / np.linalg.norm(axis)
        parts.append(arrow(point - reach, point + reach, 0.15 * size * thick, colour))
    return make_actor(solid(*parts))


def inertia_marks(half: Array, size: float, colours: Colours) -> list[pv.Actor]:
    """Centre of mass with the body's axes and, see-through, the ellipsoid of its moments of inertia (half axes m)."""
    ball = ellipsoid([0, 0, 0], half, colours.highlight, rings=13, sides=24)
    shades = (colours.axis_x, colours.axis_y, colours.axis_z)
    axes = [arrow([0, 0, 0], size * axis, 0.055 * size, c) for axis, c in zip(np.eye(3), shades, strict=True)]
    middle = ellipsoid([0, 0, 0], [0.07 * size] * 3, colours.text)
    return [make_actor(solid(*axes, middle)), make_actor(solid(ball), opacity=0.3)]
