"""Couplings in the scene: bars, springs, blocks, shanks and heads, in the colour of the force they carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from ...core.base.frames import rotation_matrix
from ...core.model.coupled import drawn_ends
from ...core.model.couplings import Coupling, coupling_type
from ...core.model.couplings.base import EndPose
from ...core.model.placement import placed_model
from ...core.model.shapes import Piece, Standing, Stretched
from ...core.project.project import Project
from ...core.results.results import Results
from ..widgets import units
from ..widgets.theme import Colours
from .actors import add, make_actor, put, remove, tint
from .element_marks import STEEL, YELLOW, between, coil
from .mesh import Part, box, ellipsoid, merged, mixed, rod, solid
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv

WHITE = "#ffffff"
KINDS = 64  # of pieces whose meshes are kept
NO_FORCE = 1e-6  # of the largest force of the train: less is none
TONES = {"steel": STEEL, "yellow": YELLOW}


@dataclass
class _End:
    """An end: body, point on it (m), and the axes of the coupling in those of the body."""

    body: str
    point: Array
    axes: Array


@dataclass
class _Drawn:
    """A coupling on screen: actors with the matrices that move them, in the order of its pieces."""

    coupling: Coupling
    ends: tuple[_End, _End]
    actors: list[pv.Actor]
    matrices: list[vtkMatrix4x4] = field(default_factory=list)
    force: Array | None = None
    inner: Array | None = None  # (k, n), what moves inside


class CouplingLayer:
    """Actors of all couplings of a train; they follow the poses of its bodies and the channels of the shown run."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._drawn: list[_Drawn] = []
        self._time = np.zeros(0)
        self._most = 0.0
        self._train: TrainLayer | None = None
        self._colours: Colours | None = None
        self._marked: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the couplings that are drawn."""
        return tuple(one.coupling.name for one in self._drawn)

    def rebuild(self, project: Project, results: Results | None, train: TrainLayer, colours: Colours) -> None:
        """Draw the couplings of a project with the forces of a run, or as drawn without one."""
        remove(self._plotter, *(actor for one in self._drawn for actor in one.actors))
        self._drawn, self._train, self._colours, self._most = [], train, colours, 0.0
        top = project.train
        if top is None or not top.couplings or train.flat is None or top is not project.assembly:
            return
        self._time = np.zeros(0) if results is None else results.sample_time
        drawn = placed_model(top)
        for coupling in top.couplings:
            if coupling.body_i not in train.members or coupling.body_j not in train.members:
                continue
            first, second = (
                _End(end.body, np.asarray(end.point), rotation_matrix(np.asarray(end.axes)))
                for end in drawn_ends(drawn, coupling)
            )
            one = _Drawn(coupling, (first, second), [])
            for piece in coupling.pieces:
                actor, matrix = make_actor(_mesh(piece), pickable=True, rigid=True), vtkMatrix4x4()
                actor.SetUserMatrix(matrix)
                add(self._plotter, actor)
                one.actors.append(actor)
                one.matrices.append(matrix)
            self._read(one, results)
            self._drawn.append(one)

    def _read(self, one: _Drawn, results: Results | None) -> None:
        channels = {} if results is None else results.channels
        prefix = f"coupling/{one.coupling.name}/"
        if prefix + "force" in channels:
            one.force = channels[prefix + "force"].values
            self._most = max(self._most, float(np.abs(one.force).max(initial=0.0)))
        inner = [prefix + each.name for each in coupling_type(one.coupling).inner]
        if inner and all(name in channels for name in inner):
            one.inner = np.stack([channels[name].values for name in inner])

    def show_time(self, time: float) -> None:
        """Move and colour every coupling as it is at a time (s)."""
        train = self._train
        if train is None or self._colours is None:
            return
        for one in self._drawn:
            frames = [train.frame_of(end.body) for end in one.ends]
            known = [(frame, end) for frame, end in zip(frames, one.ends, strict=True) if frame is not None]
            if len(known) < len(frames):
                continue
            first, second = (
                EndPose(frame.point(end.point), frame.direction(end.axes)) for frame, end in known
            )
            inner = None if one.inner is None else self._at(time, one.inner)
            places = one.coupling.places((first, second), inner)
            for matrix, place in zip(one.matrices, places, strict=True):
                put(matrix, *_matrix(place))
            self._colour(one, time)

    def _at(self, time: float, values: Array) -> Array:
        """Values (..., n) at a time, straight between the samples."""
        k = int(np.clip(np.searchsorted(self._time, time) - 1, 0, max(len(self._time) - 2, 0)))
        if len(self._time) < 2:
            return np.asarray(values[..., 0])
        share = np.clip((time - self._time[k]) / (self._time[k + 1] - self._time[k]), 0.0, 1.0)
        return np.asarray((1.0 - share) * values[..., k] + share * values[..., k + 1])

    def _colour(self, one: _Drawn, time: float) -> None:
        c = self._colours
        assert c is not None
        colour: str | None = None
        if one.coupling.name in self._marked:
            colour = c.highlight
        elif one.force is not None and self._most > 0.0:
            colour = force_colour(float(self._at(time, one.force)), self._most, c)
        for actor in one.actors:
            tint(actor, colour)

    def mark(self, names: tuple[str, ...], time: float) -> None:
        """Show couplings in the colour of the selection."""
        self._marked = names
        self.show_time(time)

    def of_actor(self, actor: object) -> str | None:
        """The coupling an actor belongs to."""
        return next((one.coupling.name for one in self._drawn if any(a is actor for a in one.actors)), None)

    def bounds(self, name: str) -> tuple[Array, float] | None:
        """Centre (m) and radius (m) of a coupling; None when it is not drawn."""
        one = next((d for d in self._drawn if d.coupling.name == name), None)
        if one is None or self._train is None:
            return None
        ends = []
        for end in one.ends:
            frame = self._train.frame_of(end.body)
            if frame is not None:
                ends.append(frame.point(end.point))
        if len(ends) < 2:
            return None
        return 0.5 * (ends[0] + ends[1]), max(0.6, float(np.linalg.norm(ends[1] - ends[0])))

    def keys(self, colours: Colours) -> list[tuple[str, str]]:
        """What the colours of the couplings mean; nothing without a run."""
        if self._most == 0.0 or all(one.force is None for one in self._drawn):
            return []
        ends = np.array([(one.force.max(), one.force.min()) for one in self._drawn if one.force is not None])
        kinds = (
            ("tension", max(0.0, float(ends[:, 0].max()))),
            ("compression", min(0.0, float(ends[:, 1].min()))),
        )
        found = [
            (force_colour(sign * self._most, self._most, colours), f"Coupling in {kind}{self._up_to(most)}")
            for sign, (kind, most) in zip((1.0, -1.0), kinds, strict=True)
        ]
        return [*found, (force_colour(0.0, self._most, colours), "Coupling without force")]

    def _up_to(self, force: float) -> str:
        """The largest force (N) of a kind in words; "" where there is none worth a colour."""
        none = abs(force) <= NO_FORCE * self._most
        return "" if none else f", up to {units.text(abs(force), 'kN', decimals=1)}"


def force_colour(force: float, most: float, colours: Colours) -> str:
    """The colour of a force (N, tension positive): the first two of series for tension and compression, deeper with its
    size; grey without force. Neither is a verdict. most: the largest force of the train."""
    if abs(force) <= NO_FORCE * most:
        return colours.muted
    deep = colours.series[0] if force > 0.0 else colours.series[1]
    return mixed(deep, WHITE, 0.65 * (1.0 - min(1.0, abs(force) / most) ** 0.5))


@lru_cache(maxsize=KINDS)
def _mesh(piece: Piece) -> pv.PolyData:
    return solid(_solid(piece))


def _solid(piece: Piece) -> Part:
    """A piece of a coupling; what is stretched along x, of length and width 1."""
    colour = TONES[piece.tone]
    if piece.solid == "ball":
        return ellipsoid([0, 0, 0], piece.size, colour)
    if piece.solid == "box":
        return box([0, 0, 0], piece.size, colour)
    made = coil() if piece.solid == "coil" else [rod([0, 0, 0], [1, 0, 0], 1.0, colour)]
    whole = merged(made)
    return whole._replace(points=whole.points * piece.size)


def _matrix(place: Stretched | Standing) -> tuple[Array, Array]:
    """Origin and matrix of a piece."""
    if isinstance(place, Standing):
        return place.origin, place.axes
    return place.start, between(place.start, place.end, place.wide)
