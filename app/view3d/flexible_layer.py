"""Flexible bodies in the scene: beams and imported structures as drawn, or bent as in the shown run and in the colours
of their stress; a structure of which only matrices are known is its nodes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...core.base.arrays import Array, Array32, Integers
from ...core.base.errors import InputError
from ...core.model.assembly import Assembly
from ...core.model.flexible import FlexibleBody
from ...core.model.placement import PlacedModel, placed_model
from ...core.project.project import Project
from ...core.results.results import Results
from ..widgets import units
from ..widgets.theme import Colours
from .actors import add, make_actor, remove
from .colouring import colour_map
from .mesh import COLOUR, dots, overwrite, rewritten, rgb, surface
from .poses import Poses
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv

    from ...core.structure.skin import Skin
    from ...core.structure.surface import Surface

BLOCK: Final = 512  # instants that are looked through at once
LOOKED_AT: Final = 40_000_000  # points times instants of which the largest stress is looked for
WORST: Final = 500  # points that are looked at over all instants where there are more
NEAR: Final = 0.1  # of the size of a body: how far from a point a click still means it
MARK, WIDE_DOT = "#ff3bd4", 11.0  # a colour that no map of stress has; pixels
DOT: Final = 4.0  # pixels of a node
FACTORS: Final = (1.0, 10.0, 100.0)  # by which bending is drawn larger


@dataclass(eq=False)
class _Bent:
    """A body that is drawn. size: m across; column: its row among the poses of the run; centre (3,) m of its mass as
    described; modal (n, modes) m over the instants of the run. Without a run it stands at `drawn`: rotation and place
    (m) of the axes it is described in, between the corners of `box`."""

    name: str
    description: FlexibleBody
    skin: Skin | Surface
    size: float
    mesh: pv.PolyData
    actor: pv.Actor
    column: int = -1
    centre: Array = field(default_factory=lambda: np.zeros(3))
    modal: Array = field(default_factory=lambda: np.zeros((0, 0)))
    drawn: tuple[Array, Array] | None = None
    box: tuple[Array, Array] | None = None


class FlexibleLayer:
    """Draws the flexible bodies of a project; `most`: the largest stress (Pa) in the shown run."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._bodies: list[_Bent] = []
        self._train: TrainLayer | None = None
        self._instants = np.zeros(0)
        self._drawn: tuple[Assembly | None, Results | None, str] | None = None  # what is drawn, and the theme
        self._light, self._steel = False, "#808890"
        self._time = 0.0
        self._marked: tuple[str, Array] | None = None
        self._dot: tuple[pv.PolyData, pv.Actor] | None = None
        self._worst: Mapping[str, Array | None] | None = None  # largest stress of every point, by body
        self._cases = 0.0  # the largest of load cases, where these are shown
        self._swung: Poses | None = None  # the poses of a mode that are shown
        self._far: dict[str, Array] = {}  # how far every point moves in it, by body
        self._chosen: tuple[str, tuple[int, ...], str] = (
            "",
            (),
            "#000000",
        )  # beams of a body, and their colour
        self.factor = 1.0
        self.most = 0.0

    def of_actor(self, actor: object) -> str | None:
        """The flexible body an actor is."""
        return next((one.name for one in self._bodies if one.actor is actor), None)

    @property
    def meshes(self) -> tuple[pv.PolyData, ...]:
        """What is drawn, a mesh a body."""
        return tuple(body.mesh for body in self._bodies)

    @property
    def drawn(self) -> tuple[Array, Array] | None:
        """Lowest and highest corner (m) of the bodies that stand as described; None where there are none."""
        boxes = np.array([body.box for body in self._bodies if body.box is not None])
        return (boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)) if len(boxes) else None

    @property
    def points(self) -> Array:
        """Points (n, 3) m of all bodies as they are shown."""
        return self.points_of({body.name for body in self._bodies})

    def points_of(self, names: Collection[str]) -> Array:
        """Points (n, 3) m of bodies by their full names, as they are shown."""
        shown = [
            np.asarray(body.mesh.points, dtype=np.float64) for body in self._bodies if body.name in names
        ]
        return np.concatenate([*shown, np.zeros((0, 3))])

    @property
    def reach(self) -> float:
        """How far (m) the largest body goes from its middle."""
        return max((0.5 * body.size for body in self._bodies), default=0.0)

    def rebuild(self, project: Project, results: Results | None, train: TrainLayer, colours: Colours) -> None:
        """Draw the flexible bodies of a project, bent as in a run, or as they are described. What is drawn already
        stays: an edit does not look through a run again."""
        top, self._train = project.assembly, train
        known, self._drawn = self._drawn, (top, results, colours.name)
        bent = top is not None and results is not None and bool(results.names.flexible)
        same = known is not None and known[2] == colours.name
        if same and known is not None and known[1] is results and (bent or known[0] is top):
            self.show_time(self._time)
            return
        before, self._bodies, self._instants, self.most = self._bodies, [], np.zeros(0), 0.0
        if known is None or known[1] is not results:
            self._worst, self._cases = None, 0.0
        if self._marked is not None and not _has(top, self._marked[0]):
            self._marked = None
        self._light, self._steel = colours.name == "light", colours.steel
        try:
            if top is None or not any(assembly.flexibles for _, assembly in top.walk()):
                pass
            elif bent and results is not None:
                self._take_run(results, train, colours)
            else:
                self._take_drawing(
                    placed_model(top), colours, [b for b in before if same and b.drawn is not None]
                )
        except InputError:  # said where it is described
            self._bodies = []
        remove(self._plotter, *(body.actor for body in before if body not in self._bodies))
        add(self._plotter, *(body.actor for body in self._bodies if body not in before))
        self.show_time(self._time)
        self._place_mark()

    def exaggerate(self, factor: float) -> None:
        """Draw bending larger than it is by a factor."""
        self.factor = factor
        self.show_time(self._time)

    def mark(self, name: str, place: Array | None) -> None:
        """Mark the point of a body nearest to a place (3,) m as drawn; None: no mark."""
        self._marked = None if place is None else (name, place)
        self._place_mark()

    def point_at(self, place: Array) -> tuple[str, Array] | None:
        """Body and place (3,) m as drawn of the point that is shown nearest to a place (3,) m of the world; None where
        there is no body."""
        best, found = np.inf, None
        for body in self._bodies:
            away = np.linalg.norm(body.mesh.points - place, axis=1)
            k = int(away.argmin())
            if away[k] < min(best, NEAR * body.size):
                best, found = away[k], (body.name, np.array(body.skin.points[k], dtype=np.float64))
        return found

    def choose(self, name: str, beams: tuple[int, ...], colour: str) -> None:
        """Show beams of a body in a colour of their own, and no others, where colours tell nothing else."""
        old, self._chosen = self._chosen[0], (name, beams, colour)
        for body in self._bodies:
            if body.name == old:
                paint(body.mesh, slice(None), self._steel)
        self.show_time(self._time)

    def place_of(self, name: str, place: Array) -> Array | None:
        """Where a place (3,) m of a body as drawn is now, in the world; None where the body is not drawn."""
        body = next((body for body in self._bodies if body.name == name), None)
        if body is None:
            return None
        k = int(np.linalg.norm(body.skin.points - place, axis=1).argmin())
        A = np.eye(3) if body.drawn is None else body.drawn[0]
        if self._swung is not None and name in self._swung.index:
            A = self._swung.at(self._time)[1][self._swung.index[name]]
        elif self._train is not None and 0 <= body.column < len(self._train.rotation):
            A = self._train.rotation[body.column]
        return np.asarray(body.mesh.points[k] + A @ (place - body.skin.points[k]))

    def _tint(self) -> None:
        """The beams that are chosen."""
        name, chosen, colour = self._chosen
        for body in self._bodies:
            beams = getattr(body.skin, "beams", None)
            if body.name == name and beams is not None:
                paint(body.mesh, np.isin(beams, chosen), colour)
                rewritten(body.mesh)

    def show_worst(self, on: bool, known: Mapping[str, Array | None], cases: float = 0.0) -> None:
        """Colour by the largest stress of the run, or by that of the shown instant; known: largest stress (Pa) of every
        point by body, None for none; cases: the largest, where it is that of load cases."""
        self._worst, self._cases = known if on else None, cases if on else 0.0
        self.show_time(self._time)

    def show_time(self, time: float) -> None:
        """Bend the bodies as they are at a time (s) and put them where they are."""
        self._time = time
        self._bend(time)
        if self._chosen[1] and not self.coloured:
            self._tint()

    @property
    def coloured(self) -> bool:
        """Whether colours tell stress, or how far points move in a mode."""
        return self.most > 0.0 or bool(self._far)

    def _bend(self, time: float) -> None:
        if self._train is None:
            return
        if self._train.held is not None:
            self._swing(*self._train.held)
            return
        if self._swung:
            self._put_back()
        if not len(self._instants):
            return
        for body in self._bodies:
            if body.column < 0 or body.column >= len(self._train.position):
                continue
            q = _between(self._instants, body.modal, time)
            A, r = self._train.rotation[body.column], self._train.position[body.column]
            put_points(body.mesh, body.skin.moved(q, self.factor), A, r - A @ body.centre)
            _turn(body, A)
            if self.most > 0.0 and body.skin.stressed:
                worst = None if self._worst is None else self._worst.get(body.name)
                if self._worst is None or (worst is not None and len(worst) != len(body.skin.points)):
                    shown = body.skin.von_mises(q)  # what is known is of a run with other beams
                else:
                    shown = np.zeros(len(body.skin.points)) if worst is None else worst
                put_colours(body.mesh, shown, self._cases or self.most, self._colours())
            rewritten(body.mesh)
        self._place_mark()

    def _swing(self, poses: Poses, time: float) -> None:
        """Bend the bodies as poses of a mode have them, in the colours of how far they move in it."""
        if poses is not self._swung:
            if self._swung is not None:
                self._put_back()
            self._swung = poses
            self._far = {body.name: self._reach_of(body, poses) for body in self._swinging(poses)}
        most = max((float(far.max(initial=0.0)) for far in self._far.values()), default=0.0)
        for body in self._swinging(poses):
            points, A = self._posed(body, poses, time)
            overwrite(body.mesh.points, points)
            _turn(body, A)
            put_colours(body.mesh, self._far[body.name], max(most, 1e-12), self._colours())
            rewritten(body.mesh)
        self._place_mark()

    def _swinging(self, poses: Poses) -> list[_Bent]:
        """The bodies that poses bend, as they are drawn."""
        return [
            body
            for body in self._bodies
            if body.name in poses.bends and len(poses.bends[body.name].skin.points) == len(body.skin.points)
        ]

    def _posed(self, body: _Bent, poses: Poses, time: float) -> tuple[Array, Array]:
        """The points (v, 3) m of a body and its rotation in poses of their own."""
        bending, k = poses.bends[body.name], poses.index[body.name]
        position, rotation = poses.at(time)
        moved = bending.skin.moved(poses.bent(body.name, time)) - bending.centre
        return moved @ rotation[k].T + position[k], rotation[k]

    def _reach_of(self, body: _Bent, poses: Poses) -> Array:
        """How far (m) every point moves: half of the way there and back in half a swing, which begins at its end."""
        there, back = (self._posed(body, poses, time)[0] for time in (0.0, 0.5))
        return np.asarray(0.5 * np.linalg.norm(there - back, axis=1))

    def _put_back(self) -> None:
        """No mode is shown any more: bodies stand as drawn, or are put as in the run by `show_time`."""
        self._swung, self._far = None, {}
        for body in self._bodies:
            paint(body.mesh, slice(None), self._steel)
            if body.drawn is not None:
                put_points(body.mesh, body.skin.points, *body.drawn)
                _turn(body, body.drawn[0])
            rewritten(body.mesh)

    def _place_mark(self) -> None:
        """Put the dot where the marked point is shown."""
        body = next((b for b in self._bodies if self._marked is not None and b.name == self._marked[0]), None)
        if body is None or self._marked is None:
            if self._dot is not None:
                self._dot[1].visibility = False
            return
        if self._dot is None:
            mesh = dots(np.zeros((1, 3)), [rgb(MARK)])
            self._dot = mesh, make_actor(mesh, lit=False, width=WIDE_DOT)
            add(self._plotter, self._dot[1])
        k = int(np.linalg.norm(body.skin.points - self._marked[1], axis=1).argmin())
        self._dot[0].points[0] = body.mesh.points[k]
        self._dot[1].visibility = True
        rewritten(self._dot[0])

    def keys(self) -> list[tuple[str, str]]:
        """What the colours of beams mean; nothing where there are none."""
        if self._far:
            ends = [self._colours()[k] for k in (0, 255)]
            words = ("stands still in the mode", "moves most in the mode")
            return [(f"#{r:02x}{g:02x}{b:02x}", word) for (r, g, b), word in zip(ends, words, strict=True)]
        if self.most <= 0.0:
            return []
        shown = [self._colours()[k] for k in (0, 128, 255)]
        values = [units.text(share * (self._cases or self.most), "MPa") for share in (0.0, 0.5, 1.0)]
        of = "load cases" if self._cases else "run"
        named = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in shown]
        size = "" if self.factor == 1.0 else f"; bending drawn {self.factor:g} times"
        texts = (f"Von Mises stress {values[0]}", values[1], f"{values[2]}, the largest of the {of}{size}")
        return list(zip(named, texts, strict=True))

    def _colours(self) -> NDArray[np.uint8]:
        return colour_map(signed=False, light=self._light)

    def _take_run(self, results: Results, train: TrainLayer, colours: Colours) -> None:
        from ...core.outcome.stress import stress_of  # compiled kernels, slow to load

        self._instants = results.states.time
        for one in stress_of(results):
            made = one.flexible.floating
            skin = one.outside
            if skin is None or one.flexible.name not in (() if train.poses is None else train.poses.index):
                continue
            column = train.poses.index[one.flexible.name]  # type: ignore[union-attr]
            body = _bent(one.flexible.name, one.flexible.description, skin, colours)
            body.column, body.centre, body.modal = column, made.centre, one.modal
            self._bodies.append(body)
            if skin.stressed:
                self.most = max(self.most, _largest(skin, one.modal))

    def _take_drawing(self, drawn: PlacedModel, colours: Colours, before: list[_Bent]) -> None:
        """The bodies as described; those that are drawn already, in the same colours, are only put in their place."""
        from ...core.outcome.stress import outside  # by those who have a flexible body

        for path, assembly in drawn.assemblies.items():
            at = drawn.origin(path)
            for description in assembly.flexibles:
                name = "/".join((*path, description.name))
                kept = (body for body in before if body.name == name and body.description is description)
                body = next(kept, None)
                if body is None:
                    skin = outside(description, None)
                    if skin is None:
                        continue
                    body = _bent(name, description, skin, colours)
                place = at.rotation, at.position
                if body.drawn is None or not all(map(np.array_equal, place, body.drawn)):
                    body.drawn = place
                    put_points(body.mesh, body.skin.points, *place)
                    there = np.array(body.mesh.points, dtype=np.float64)
                    body.box = there.min(axis=0), there.max(axis=0)
                    _turn(body, at.rotation)
                    rewritten(body.mesh)
                self._bodies.append(body)


def _has(top: Assembly | None, name: str) -> bool:
    """Whether there is a flexible body by its full name."""
    return top is not None and any(
        prefix + flexible.name == name for prefix, one in top.walk() for flexible in one.flexibles
    )


def _bent(name: str, description: FlexibleBody, skin: Skin | Surface, colours: Colours) -> _Bent:
    """A body with the mesh that is drawn of it."""
    paint = np.tile(np.array(rgb(colours.steel), dtype=np.uint8), (len(skin.points), 1))
    points = np.array(skin.points)  # the mesh is written in place
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    if not len(skin.faces):
        mesh = dots(points, paint)
        return _Bent(
            name, description, skin, size, mesh, make_actor(mesh, lit=False, width=DOT, pickable=True)
        )
    # a surface without normals is lit face by face, however it is deformed
    mesh = surface(points, skin.faces, normals=getattr(skin, "normals", None), colours=paint)
    return _Bent(name, description, skin, size, mesh, make_actor(mesh, pickable=True))


def _between(instants: Array, values: Array, time: float) -> Array:
    """A row of values (n, columns) at a time (s), straight between instants (n,), the first or last outside them."""
    k = (
        int(np.clip(np.searchsorted(instants, time, side="right"), 1, len(instants) - 1))
        if len(instants) > 1
        else 0
    )
    if k == 0:
        return np.array(values[0])
    share = np.clip((time - instants[k - 1]) / max(instants[k] - instants[k - 1], 1e-300), 0.0, 1.0)
    out: Array = values[k - 1] + share * (values[k] - values[k - 1])
    return out


def put_points(mesh: pv.PolyData, points: Array | Array32, rotation: Array, shift: Array) -> None:
    """Write points (n, 3) m, turned and then shifted, into a mesh; in single precision, as the mesh has them."""
    np.matmul(points, rotation.T.astype(points.dtype), out=mesh.points, casting="same_kind")
    there: Any = mesh.points
    there[:] += shift.astype(np.float32)


def put_colours(mesh: pv.PolyData, values: Array | Array32, most: float, colours: NDArray[np.uint8]) -> None:
    """Write the colours of values (n,), from none to the most, into a mesh."""
    share = np.minimum(values * (255.0 / most) + 0.5, 255.0).astype(np.uint8)  # the nearest colour
    painted: Any = mesh.point_data[COLOUR]
    overwrite(painted, colours[share])
    painted.VTKObject.Modified()


def paint(mesh: pv.PolyData, of: NDArray[np.bool_] | slice, colour: str) -> None:
    """Write one colour into points of a mesh."""
    painted: Any = mesh.point_data[COLOUR]
    painted[of] = rgb(colour)
    painted.VTKObject.Modified()


def _turn(body: _Bent, rotation: Array) -> None:
    """Turn the normals of a body that has some."""
    normals = getattr(body.skin, "normals", None)
    if normals is not None:
        overwrite(body.mesh.point_data.active_normals, normals @ rotation.T)


def _largest(skin: Skin | Surface, modal: Array) -> float:
    """The largest stress (Pa) over instants (n, modes). Of a large surface over a long run some instants choose the
    points that are then followed over all of them."""
    of: Integers | slice = slice(None)
    every = len(skin.points) * len(modal) // LOOKED_AT
    if every > 1:
        worst = np.max([skin.von_mises(q) for q in modal[::every]], axis=0)
        of = np.argsort(-worst)[:WORST]
    blocks = range(0, len(modal), BLOCK)
    return max(
        (float(skin.von_mises(modal[k : k + BLOCK].T, of).max(initial=0.0)) for k in blocks), default=0.0
    )
