"""Control points and sampled curves of a track as arrays, for the panels that draw them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...core.base.arrays import Array
from ...core.edits.places import section_named
from ...core.edits.points import move_points
from ...core.edits.sections import set_section
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ...core.track.description import Section, SplineSection, StraightSection
from ...core.track.point_places import section_points
from ..document.selection import Selection

STEEP = 0.985  # vertical part of the tangent beyond which a cant rate against the horizontal says nothing


@dataclass(frozen=True)
class TrackPoints:
    """All control points in running order; k counts over the whole track.

    section, index: names (n,) and index within the section; position (n, 3) m; cant (n,) rad, nan where free;
    straight (n,); s (n,) m, nan while the track cannot be built; selectable: whether the point belongs to a
    spline and can be selected by itself; word: "point 3", or "start" or "end" of a straight; along (n, 3): the
    direction in which the end of a straight of given length can be moved, nan for points that are free.
    """

    section: tuple[str, ...] = ()
    index: tuple[int, ...] = ()
    position: Array = field(default_factory=lambda: np.zeros((0, 3)))
    cant: Array = field(default_factory=lambda: np.zeros(0))
    straight: tuple[bool, ...] = ()
    s: Array = field(default_factory=lambda: np.zeros(0))
    selectable: tuple[bool, ...] = ()
    word: tuple[str, ...] = ()
    along: Array = field(default_factory=lambda: np.zeros((0, 3)))

    def __len__(self) -> int:
        return len(self.section)

    def number(self, section: str, index: int) -> int | None:
        """Number over the whole track of a point of a section."""
        for k, (name, i) in enumerate(zip(self.section, self.index, strict=True)):
            if name == section and i == index:
                return k
        return None

    def selected(self, selection: Selection) -> tuple[int, ...]:
        """Numbers of the selected points."""
        return self.numbers(selection.path[0], selection.indices) if selection.kind == "points" else ()

    def numbers(self, section: str, indices: Sequence[int]) -> tuple[int, ...]:
        """Numbers over the whole track of points of a section."""
        chosen = set(indices)
        return tuple(k for k, name in enumerate(self.section) if name == section and self.index[k] in chosen)

    def selection_of(self, numbers: Sequence[int]) -> Selection | None:
        """The selection of points by number: those that share the section most of them are in."""
        names = [self.section[k] for k in numbers if self.selectable[k]]
        if not names:
            return None
        name = max(dict.fromkeys(names), key=names.count)
        chosen = sorted({self.index[k] for k in numbers if self.section[k] == name})
        return Selection("points", (name,), tuple(chosen))

    def toggled(self, selection: Selection, k: int) -> Selection | None:
        """The selection with one point more, or less when it was in; another section begins anew."""
        name, index = self.section[k], self.index[k]
        if selection.kind != "points" or selection.path != (name,):
            return self.selection_of((k,))
        chosen = set(selection.indices) ^ {index}
        return Selection("points", (name,), tuple(sorted(chosen))) if chosen else Selection()

    def moved(
        self, number: int, chosen: tuple[int, ...], by: Sequence[float]
    ) -> Callable[[Project], Project]:
        """The edit that moves points by a displacement (3,) m: those with the indices `chosen` of the section of a
        point; a straight of given length becomes longer or shorter instead."""
        section, along = self.section[number], self.along[number]
        x, y, z = (float(v) for v in by)
        if np.isnan(along).any():
            return lambda project: move_points(project, section, chosen, (x, y, z))
        further = float(along @ [x, y, z])
        return lambda project: _lengthened(project, section, further)


def _lengthened(project: Project, name: str, further: float) -> Project:
    assert project.track is not None
    section = section_named(project.track, name)
    assert isinstance(section, StraightSection)
    return set_section(project, name, {"length": (section.length or 0.0) + further})


def _length_end(name: str, built: BuiltTrack | None) -> tuple[Array, Array]:
    """Where the straight called `name` ends (3,) m and its direction there; nan while that is not known."""
    span = None if built is None else next((span for span in built.sections if span.name == name), None)
    if built is None or span is None:
        return np.full(3, np.nan), np.full(3, np.nan)
    state = built.centreline.state(min(span.s1, built.length))
    return state.curve[0, 0], state.tangent[0]


def track_points(project: Project, built: BuiltTrack | None, ends: BuiltTrack | None = None) -> TrackPoints:
    """The control points of a project; built: its track, for their places along it.

    ends: the track too, when the ends of straights of given length are to be among the points.
    """
    if project.track is None:
        return TrackPoints()
    positions = built.point_places if built is not None and built.track is project.track else {}
    names: list[str] = []
    index: list[int] = []
    position: list[tuple[float, float, float]] = []
    cant: list[float] = []
    straight: list[bool] = []
    s: list[float] = []
    selectable: list[bool] = []
    words: list[str] = []
    along: list[Array] = []
    free = np.full(3, np.nan)
    for section in project.track.sections:
        spline = isinstance(section, SplineSection)
        for i, point in enumerate(section_points(section)):
            names.append(section.name)
            index.append(i)
            position.append(point.position)
            cant.append(np.nan if point.cant is None else point.cant)
            straight.append(point.straight)
            s.append(positions[section.name][i] if section.name in positions else np.nan)
            selectable.append(spline)
            words.append(f"point {i + 1}" if spline else _straight_word(section, i))
            along.append(free)
        if ends is not None and isinstance(section, StraightSection) and section.length is not None:
            location, direction = _length_end(section.name, ends if ends.track is project.track else None)
            names.append(section.name)
            index.append(len(section_points(section)))
            position.append((float(location[0]), float(location[1]), float(location[2])))
            cant.append(np.nan if section.cant is None else section.cant)
            straight.append(True)
            s.append(np.nan)
            selectable.append(False)
            words.append("end")
            along.append(direction)
    return TrackPoints(
        tuple(names),
        tuple(index),
        np.asarray(position, dtype=float).reshape(-1, 3),
        np.asarray(cant, dtype=float),
        tuple(straight),
        np.asarray(s, dtype=float),
        tuple(selectable),
        tuple(words),
        np.asarray(along, dtype=float).reshape(-1, 3),
    )


def _straight_word(section: Section, index: int) -> str:
    return "start" if isinstance(section, StraightSection) and section.start and index == 0 else "end"


@dataclass(frozen=True)
class TrackCurves:
    """A track sampled about every half metre: s (n,) m, position (n, 3) m, and in SI (n,) height, cant,
    curvature, torsion, cant_rate; nan where a quantity has no meaning. sections: name and first arc length."""

    s: Array
    position: Array
    height: Array
    cant: Array
    curvature: Array
    torsion: Array
    cant_rate: Array
    sections: tuple[tuple[str, float], ...]
    length: float

    def at(self, name: str, s: float) -> float:
        """A quantity at arc length s (m)."""
        values: Array = getattr(self, name)
        k = int(np.clip(np.searchsorted(self.s, s), 1, len(self.s) - 1))
        near = k if abs(self.s[k] - s) < abs(self.s[k - 1] - s) else k - 1
        value = float(np.interp(s, self.s[k - 1 : k + 1], values[k - 1 : k + 1]))
        return value if np.isfinite(value) else float(values[near])


def track_curves(built: BuiltTrack) -> TrackCurves:
    """Sample a built track."""
    line = built.centreline
    s = np.linspace(0.0, line.length, int(np.clip(line.length / 0.5, 400, 4000)))
    state = line.state(s)
    d = state.curve
    bend2 = np.sum(d[:, 2] ** 2, axis=-1)
    triple = np.sum(np.cross(d[:, 1], d[:, 2]) * d[:, 3], axis=-1)
    # on a nearly straight piece the direction of bending, and so the torsion, is noise
    torsion = np.divide(triple, bend2, out=np.full_like(bend2, np.nan), where=bend2 > 1e-7)
    steep = np.abs(d[:, 1, 2]) > STEEP
    cant = state.cant.copy()
    flips = np.flatnonzero(np.abs(np.diff(cant)) > 0.5 * np.pi)
    cant[flips] = np.nan  # the cant turns over at the vertical: no line across the plot
    return TrackCurves(
        s,
        d[:, 0],
        d[:, 0, 2],
        cant,
        np.sqrt(bend2),
        torsion,
        np.where(steep, np.nan, state.cant_rate),
        tuple((span.name, span.s0) for span in built.sections),
        line.length,
    )


def frame_at(built: BuiltTrack | None, points: Selection) -> Array:
    """Rows t, n, b (3, 3) of the track at the first of the selected points; nan where there is no track."""
    if built is None or points.path[0] not in (positions := built.point_places):
        return np.full((3, 3), np.nan)
    found = positions[points.path[0]]
    s = np.array([found[min(points.indices[0], len(found) - 1)]])
    return np.stack([axis[0] for axis in built.frame_at(s)])
