"""From the description of a track to what is ridden on: centreline, frames, rails, path tables."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where, section_where
from .assemble import FitReport, assemble
from .centreline import Centreline
from .description import FrameKind, Track
from .deviation import deviation
from .frames import Blends, canted_derivatives, frame_turn, frenet_blends, path_functions
from .path import PathTable
from .point_places import places_of_points
from .rails import RailMap, TooTightError, build_paths
from .sections import lay_sections


@dataclass(frozen=True)
class SectionSpan:
    """A section and the arc lengths (m) of the centreline it covers."""

    name: str
    s0: float
    s1: float


@dataclass(frozen=True)
class Station:
    """A control point (or end of a straight or table) on the finished centreline: label, s (m), given cant."""

    label: str
    s: float
    cant: float | None


@dataclass(frozen=True)
class BuiltTrack:
    """A track ready to be ridden.

    centreline: exact curve; sections: spans in order; stations: the points; fits: reports of table sections.
    """

    track: Track
    centreline: Centreline
    sections: tuple[SectionSpan, ...]
    stations: tuple[Station, ...]
    fits: tuple[FitReport, ...]
    blends: Blends | None

    @cached_property
    def _riding(self) -> tuple[dict[str, PathTable], dict[str, RailMap]]:
        try:
            track = self.track
            away = deviation(track.as_built, self.length, track.closed)
            return build_paths(self.centreline, track.frame, track.gauge, self.blends, away)
        except TooTightError as error:
            section = self.section_at(error.s)
            text = say("Section '{section}': {fault}", section=section, fault=error.said)
            raise InputError(text, section_where(section).filled(Where(s=error.s))) from None

    @cached_property
    def point_places(self) -> dict[str, tuple[float, ...]]:
        """Arc length s (m) of every control point on the centreline: name of its section -> one value a point."""
        s = np.array([station.s for station in self.stations])
        return places_of_points(self.track.sections, s, self.centreline.position(s))

    @property
    def paths(self) -> dict[str, PathTable]:
        """Path tables "centreline", "left_rail", "right_rail" to ride on; built when first asked for."""
        return self._riding[0]

    @property
    def rails(self) -> dict[str, RailMap]:
        """Maps between the centreline and "left_rail", "right_rail"; built with the paths."""
        return self._riding[1]

    @property
    def length(self) -> float:
        """Arc length of the centreline (m)."""
        return self.centreline.length

    def frame_at(self, s: ArrayLike) -> tuple[Array, Array, Array]:
        """Canted track frame at s (n,) m: t, left, up, each (n, 3)."""
        state = self.centreline.state(s)
        return state.tangent, state.left, state.up

    def moving_frame(self, s: ArrayLike, kind: FrameKind | None = None) -> tuple[Array, Array, Array]:
        """A moving frame of the centreline with derivatives: t, n, b, each (k, 3, 3), axis 1 the order 0..2 by s.

        kind: "canted", "frenet", "rotation_minimising"; None takes the frame of the track.
        """
        chosen = self.track.frame if kind is None else kind
        blends = self.blends
        if chosen == "frenet" and blends is None:
            blends = frenet_blends(self.centreline)
        state = self.centreline.state(s)
        turn = frame_turn(self.centreline, chosen, state, blends)
        values, _, _ = path_functions(state, canted_derivatives(state), 0.0, turn)
        return state.curve[:, 1:4], values[:, :, 3:6], values[:, :, 6:9]

    def rail_of_centreline(self, s: ArrayLike) -> tuple[Array, Array]:
        """Arc lengths (m) of the left and the right rail at s (m) of the centreline."""
        return self.rails["left_rail"].to_rail(s), self.rails["right_rail"].to_rail(s)

    def section_at(self, s: float) -> str:
        """Name of the section at arc length s (m) of the centreline."""
        inside = float(self.centreline.wrap(s)[0])
        for span in self.sections:
            if inside < span.s1:
                return span.name
        return self.sections[-1].name


def build_track(track: Track, *, ride: bool = True) -> BuiltTrack:
    """Build the centreline, the roll, the rails and the path tables of a track.

    Parameters
    ----------
    track
        As described.
    ride
        False leaves rails and path tables for later: they take three quarters of the time, and drawing a track while
        it is dragged needs neither.

    Returns
    -------
    The built track. Those asked for last are kept, and why others could not be built: whoever asks for one again gets
    the same, so that nobody needs to hand a built track about.

    Raises
    ------
    InputError
        Naming the point or place, for tracks that cannot be built: too few or coincident points, points that reverse,
        straights with a kink, tracks longer than 20 km, curves too tight for the gauge, rows that cannot be fitted.
    """
    kept = _known(track)
    if kept is None:
        try:
            kept = _Kept(track, _built(track))
        except InputError as error:
            kept = _Kept(track, fault=error.again())
        with _LOOKING:
            _KEPT.append(kept)
    if kept.built is None:
        assert kept.fault is not None
        raise kept.fault.again()
    if ride:
        kept.built.paths  # noqa: B018 - a curve too tight for the gauge is to be refused now
    return kept.built


def built_or_fault(track: Track | None) -> tuple[BuiltTrack | None, InputError | None]:
    """A track as `build_track` has it, its rails for later, or what it raises; neither without a track."""
    if track is None:
        return None, None
    try:
        return build_track(track, ride=False), None
    except InputError as error:
        return None, error


@dataclass(frozen=True, eq=False)
class _Kept:
    track: Track
    built: BuiltTrack | None = None
    fault: InputError | None = None


#: By identity: a project, what it was before some edits, and those beside it; the one asked for last stands last.
_KEPT: deque[_Kept] = deque(maxlen=8)
_LOOKING = Lock()


def _known(track: Track) -> _Kept | None:
    with _LOOKING:
        found = next((one for one in _KEPT if one.track is track), None)
        if found is not None and found is not _KEPT[-1]:
            _KEPT.remove(found)
            _KEPT.append(found)
    return found


def _built(track: Track) -> BuiltTrack:
    laying = lay_sections(track)
    made = assemble(laying, closed=track.closed)
    line, nodes = made.line, laying.course.nodes
    blends = frenet_blends(line) if track.frame == "frenet" else None
    spans = tuple(
        SectionSpan(sec.name, made.borders[i], made.borders[i + 1]) for i, sec in enumerate(track.sections)
    )
    stations = tuple(Station(node.label, float(made.node_s[k]), node.cant) for k, node in enumerate(nodes))
    return BuiltTrack(track, line, spans, stations, made.fits, blends)
