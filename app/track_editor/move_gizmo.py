"""The move gizmo on selected control points: arrows and planes of the world, arrows of the track, a ring for the roll.

It has one size on the screen. What it is made of is drawn by the scene and picked in screen space.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import ArrayLike
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from ..view3d.actors import make_actor, paint, put
from ..view3d.mesh import polyline, segments
from ..widgets import theme

if TYPE_CHECKING:
    import pyvista as pv

    from ..view3d.scene import Scene

Kind = Literal["view", "upright", "axis", "plane", "roll"]
GROUP: Final = "gizmo"
LONG = 78.0  # px of an arrow on the screen
NEAR = 7.0  # px within which an arrow or the ring is meant
INNER, TRACK, RING = (
    0.24,
    0.72,
    1.12,
)  # parts of an arrow: where it begins, arrows of the track, radius of the ring
PLANE = (0.34, 0.58)  # where the square of a plane begins and ends, parts of an arrow
END_ON = 0.2  # an arrow that looks shorter than this part of its length points at the eye and is not offered
IN_FRONT = -100_000.0  # in the depths the screen tells apart
AXES: Final = {"x": 0, "y": 1, "z": 2}
PLANES: Final = {"xy": 2, "yz": 0, "zx": 1}
OF_TRACK: Final = {"t": 0, "n": 1, "b": 2}
WORDS: Final = {
    "x": "along x", "y": "along y", "z": "along z, up and down",
    "xy": "in the horizontal plane", "yz": "in the plane of y and z", "zx": "in the plane of z and x",
    "t": "along the track", "n": "along the normal of the track, sideways", "b": "along the binormal of the track",
    "roll": "turn: the cant of the selected points",
}  # fmt: skip


@dataclass(frozen=True)
class Grip:
    """How a drag moves: in the plane of the view, upright, along an axis, in a plane, or as roll.

    vector (3,): the axis, the normal of the plane, or the tangent the roll turns about.
    """

    kind: Kind
    name: str = ""
    vector: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def words(self) -> str:
        """What a drag does."""
        return WORDS.get(self.name, "in the plane of the view")


IN_VIEW = Grip("view")


def axis_grip(k: int) -> Grip:
    """Along an axis of the world."""
    unit = np.eye(3)[k]
    return Grip("axis", "xyz"[k], (float(unit[0]), float(unit[1]), float(unit[2])))


@dataclass(frozen=True)
class Placed:
    """Where the gizmo stands: origin (3,) m, rows of `frame` (3, 3) t, n, b of the track (nan: not known), length of
    an arrow (m)."""

    origin: Array
    frame: Array
    size: float

    def lines(self) -> dict[str, Array]:
        """Every part as a line (k, 3) m in space."""
        found = {}
        for name, k in AXES.items():
            found[name] = self.origin + self.size * np.outer([INNER, 1.0], np.eye(3)[k])
        for name, k in PLANES.items():
            a, b = np.delete(np.eye(3), k, axis=0)
            low, high = PLANE
            corners = [low * a + low * b, high * a + low * b, high * a + high * b, low * a + high * b]
            found[name] = self.origin + self.size * np.array([*corners, corners[0]])
        if np.isfinite(self.frame).all():
            for name, k in OF_TRACK.items():
                found[name] = self.origin + self.size * np.outer([INNER, TRACK], self.frame[k])
            angle = np.linspace(0.0, 2.0 * np.pi, 49)
            circle = np.outer(np.cos(angle), self.frame[1]) + np.outer(np.sin(angle), self.frame[2])
            found["roll"] = self.origin + RING * self.size * circle
        return found

    def grip(self, name: str) -> Grip:
        """What a part does."""
        kind: Kind = "axis"
        if name in AXES:
            vector = np.eye(3)[AXES[name]]
        elif name in PLANES:
            kind, vector = "plane", np.eye(3)[PLANES[name]]
        elif name == "roll":
            kind, vector = "roll", self.frame[0]
        else:
            vector = self.frame[OF_TRACK[name]]
        return Grip(kind, name, (float(vector[0]), float(vector[1]), float(vector[2])))

    def part_at(self, project: Callable[[ArrayLike], Array], x: float, y: float) -> str | None:
        """The part under a pixel; project gives pixels (n, 2) of points (n, 3) m."""
        here, best, plane = np.array([x, y]), (NEAR, ""), None
        for name, line in self.lines().items():
            flat = project(line)
            if not np.isfinite(flat).all():
                continue
            if name in PLANES:
                plane = name if _inside(flat[:4], here) else plane
                continue
            reach = float(np.linalg.norm(flat[-1] - flat[0]))
            if name != "roll" and reach < END_ON * LONG * np.linalg.norm(line[-1] - line[0]) / self.size:
                continue
            away = _distance(flat, here)
            if away < best[0]:
                best = (away, name)
        return best[1] or plane  # an arrow over a plane goes before it


def _inside(corners: Array, here: Array) -> bool:
    edges = np.roll(corners, -1, axis=0) - corners
    to = here - corners
    turns = edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0]
    area = abs(
        float(np.sum(corners[:, 0] * np.roll(corners[:, 1], -1) - corners[:, 1] * np.roll(corners[:, 0], -1)))
    )
    return area > 60.0 and bool(np.all(turns > 0.0) or np.all(turns < 0.0))  # px^2: else it is seen edge-on


def _distance(line: Array, here: Array) -> float:
    """Distance (px) of a pixel from a line (k, 2) px."""
    a, b = line[:-1], line[1:]
    along = b - a
    size = np.maximum(np.sum(along * along, axis=1), 1e-12)
    share = np.clip(np.sum((here - a) * along, axis=1) / size, 0.0, 1.0)
    away: Array = np.linalg.norm(a + share[:, None] * along - here, axis=1)
    return float(away.min())


class MoveGizmo:
    """The gizmo in a scene; `place` puts it somewhere, `scale` keeps its size on the screen."""

    def __init__(self) -> None:
        self.placed: Placed | None = None
        self.hovered: str | None = None
        self._world, self._track = vtkMatrix4x4(), vtkMatrix4x4()
        self._actors: dict[str, pv.Actor] = {}
        self._shown_in: Scene | None = None
        self._look = ""

    def place(self, origin: Array | None, frame: Array, project: Callable[[ArrayLike], Array]) -> None:
        """Stand at an origin (3,) m with t, n, b in the rows of `frame` (3, 3); None takes it away."""
        if origin is None:
            self.placed = None
            return
        flat = project(np.concatenate([origin[None], origin + 0.5 * np.eye(3)]))
        # the three axes of a unit cube look as long together as two of them seen face-on
        scale = 2.0 * np.sqrt(0.5 * np.sum((flat[1:] - flat[0]) ** 2))
        if not np.isfinite(scale) or scale < 1e-6:
            self.placed = None
            return
        self.placed = Placed(np.asarray(origin, dtype=float), frame, float(LONG / scale))

    def draw(self, scene: Scene) -> None:
        """Draw it as it stands now."""
        placed, c = self.placed, theme.current()
        if placed is None:
            if self._shown_in is not None:
                scene.marks.clear(GROUP)
                self._shown_in = None
            return
        known = bool(np.isfinite(placed.frame).all())
        look = f"{c.name} {known}"
        if self._shown_in is not scene or self._look != look:
            self._make(known)
            scene.marks.set(GROUP, list(self._actors.values()))
            self._shown_in, self._look = scene, look
        put(self._world, placed.origin, placed.size * np.eye(3))
        if known:
            put(self._track, placed.origin, placed.size * placed.frame.T)
        for name, actor in self._actors.items():
            paint(actor, c.text if name == self.hovered else _colour(name))

    def _make(self, known: bool) -> None:
        unit = Placed(np.zeros(3), np.eye(3) if known else np.full((3, 3), np.nan), 1.0)
        self._actors = {}
        for name, line in unit.lines().items():
            of_world = name in AXES or name in PLANES
            mesh = segments(line[:1], line[1:]) if len(line) == 2 else polyline(line)
            width = 4.0 if name in AXES else 2.5
            actor = make_actor(mesh, colour=_colour(name), lit=False, cull=False, width=width)
            actor.mapper.SetResolveCoincidentTopologyToPolygonOffset()
            actor.mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, IN_FRONT)  # before the rails
            actor.SetUserMatrix(self._world if of_world else self._track)
            self._actors[name] = actor


def _colour(name: str) -> str:
    c = theme.current()
    axes = (c.axis_x, c.axis_y, c.axis_z)
    if name in AXES:
        return axes[AXES[name]]
    if name in PLANES:
        return axes[PLANES[name]]
    return c.series[4] if name == "roll" else c.series[0]
