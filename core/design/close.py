"""Completing the circuit: the end of an open track led to its start within limits of load, jerk and clearance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..base.errors import InputError
from ..edits.changes import free_name, set_track
from ..edits.points import paste_points
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.clearance import Approach, self_approaches
from ..track.description import ControlPoint, SplineSection
from .bank import SpeedOf
from .box_step import box_step
from .loads import heartline_loads, refuse_weightless
from .missing_turn import MissingTurn, face_each_other, missing_turn
from .probing import Point, free_points, placed, position_of, probed_jacobian

Array = NDArray[np.float64]
PLACES = 6  # looked at between two neighbouring stations
SPACING = 12.0  # m between the points set into the closing piece
ITERATIONS = 10
SHAPE = 0.05  # weight of a gentle curvature beside one g above a limit
STAY = 2e-3  # weight (1/m) of leaving points where they are
ENOUGH = 1e-4
APART = 0.5  # m more than the closest approach that two pieces in each other's way are pushed apart


@dataclass(frozen=True)
class CloseLimits:
    """What the closed circuit must keep: vertical load between gz_least and gz_most, lateral within gy_most (g), change
    of load within jerk_most (g/s); points move at most `reach` (m)."""

    gz_most: float = 4.5
    gz_least: float = -0.8
    gy_most: float = 1.2
    jerk_most: float = 15.0
    reach: float = 15.0


@dataclass(frozen=True)
class CloseReport:
    """What closing did. gap: distance (m) of end and start before; gz_most, gz_least, gy_most (g), jerk_most (g/s):
    extremes over the free sections and the closing piece; moved: largest displacement (m); points_added; approaches:
    places where the track enters its own clearance envelope; kept: whether all limits hold; notes: sentences that
    name the limits which do not, with their places; turn: the turn that was proposed, in words, "" when the ends face
    each other."""

    gap: float
    gz_most: float
    gz_least: float
    gy_most: float
    jerk_most: float
    moved: float
    points_added: int
    approaches: int
    kept: bool
    notes: tuple[str, ...]
    turn: str = ""


@dataclass(frozen=True)
class _Loads:
    """Loads at places s (n,) m: lateral and vertical (n,) g, change of both together (n,) g/s, curvature change (n, 3)
    1/m^2, weight (n,) of a place: the root of the metres it stands for."""

    s: Array
    gy: Array
    gz: Array
    jerk: Array
    bend: Array
    weight: Array


def close_circuit(
    project: Project,
    sections: Sequence[str],
    speed_of: SpeedOf,
    *,
    limits: CloseLimits | None = None,
    height: float | None = None,
    on_progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Project, CloseReport]:
    """Close an open track with a spline from its end to its start, and move free points so that limits are kept.

    sections: spline sections whose points may move, at most by `limits.reach`; speed_of(built, s) gives speed and its
    rate (m/s, m/s^2); height (m) of the riders
    above the track, None for its heartline. Position, direction and curvature join exactly at both ends because
    the closing piece is drawn with them; least squares of what exceeds the limits, with a little weight on gentle
    curvature and on staying, finds the points. Ends that do not face each other are led round by a turn
    (`core.design.missing_turn`) first. Loads count where the free sections and the closing piece are. Raises InputError
    for a track that is closed already and when the ends cannot be joined at all.
    """
    limits = CloseLimits() if limits is None else limits
    if project.track is None:
        raise InputError("This project has no track to close; add one.")
    refuse_weightless(project)
    if project.track.closed:
        raise InputError("The track is a closed circuit already.")
    before = build_track(project.track, ride=False)
    ends = before.centreline.position([0.0, before.length])
    gap = float(np.linalg.norm(ends[1] - ends[0]))
    tangents = before.centreline.state([0.0, before.length], from_left=True).tangent
    turn = None
    if face_each_other(ends, tangents):
        project, added, name = _with_closing_points(project, before, gap)
    else:
        turn = missing_turn(ends, tangents, _speed_at_end(before, speed_of), _g(project))
        project, name = _with_turn(project, turn)
        added = len(turn.points)
    free = free_points(project, [*sections, *([name] if name else [])])
    if not free:
        raise InputError("No control point is free to move; choose spline sections, or lengthen the gap.")
    region = {point[0] for point in free} | {project.track.sections[-1].name}  # type: ignore[union-attr]
    origin = np.array([position_of(project, point) for point in free])
    closed = _Closing(region, speed_of, limits, height, np.array(project.gravity))
    offset = np.zeros_like(origin)
    pushed: tuple[Approach, ...] = ()
    for iteration in range(ITERATIONS):
        if on_progress is not None:
            on_progress(iteration / ITERATIONS)
        if should_stop is not None and should_stop():
            break
        built = _built(project)
        pushed = (*pushed, *_new(self_approaches(built), pushed))
        step, gain = closed.step(project, free, origin, offset, pushed)
        if step is None:
            break
        offset = step
        project = placed(project, free, origin + offset)
        if gain < ENOUGH and not _new(self_approaches(_built(project)), pushed):
            break
    report = closed.report(_built(project), gap, offset, added)
    return project, replace(report, turn="" if turn is None else turn.words)


def _g(project: Project) -> float:
    return float(np.linalg.norm(project.gravity))


def _speed_at_end(built: BuiltTrack, speed_of: SpeedOf) -> float:
    """Speed (m/s) where the open track ends; raises InputError when the ride does not get there."""
    speed, _ = speed_of(built, np.array([built.length]))
    return float(speed[0])


def _with_turn(project: Project, turn: MissingTurn) -> tuple[Project, str]:
    """The closed project with the turn as a section of its own behind the last one, and its name."""
    assert project.track is not None
    sections = project.track.sections
    name = free_name("Closing turn", (section.name for section in sections))
    section = SplineSection(name=name, points=turn.points)
    return set_track(project, {"sections": (*sections, section), "closed": True}), name


def _built(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


def _with_closing_points(project: Project, built: BuiltTrack, gap: float) -> tuple[Project, int, str]:
    """The closed project with points set into the closing piece, how many, and the section they went to.

    A short gap gets none. They lie on the piece as the spline draws it between the two ends.
    """
    assert project.track is not None
    plain = set_track(project, {"closed": True})
    sections = project.track.sections
    count = round(gap / SPACING) - 1
    last = sections[-1]
    if count < 1:
        return plain, 0, last.name if isinstance(last, SplineSection) else ""
    drawn = _built(plain)
    s = np.linspace(built.length, drawn.length, count + 2)[1:-1]
    state = drawn.centreline.state(s)
    points = tuple(
        ControlPoint(x=x, y=y, z=z, cant=float(cant))
        for (x, y, z), cant in zip(state.curve[:, 0].tolist(), state.cant, strict=True)
    )
    if isinstance(last, SplineSection):
        name = last.name
        project, _ = paste_points(project, name, len(last.points) - 1, points)
    else:
        name = free_name("closing", (section.name for section in sections))
        project = set_track(project, {"sections": (*sections, SplineSection(name=name, points=points))})
    return set_track(project, {"closed": True}), count, name


def _new(found: list[Approach], known: tuple[Approach, ...]) -> list[Approach]:
    """Approaches not yet among the known ones, which lie within 5 m of them at both places."""
    return [
        one
        for one in found
        if not any(abs(one.s - k.s) < 5.0 and abs(one.other_s - k.other_s) < 5.0 for k in known)
    ]


@dataclass(frozen=True)
class _Closing:
    """The least squares problem: where it looks and what it wants."""

    region: set[str]
    speed_of: SpeedOf
    limits: CloseLimits
    height: float | None
    gravity: Array

    def loads(self, built: BuiltTrack) -> _Loads:
        """Loads at a fixed number of places between all neighbouring stations of the region."""
        border = np.unique(np.concatenate([[0.0], [st.s for st in built.stations], [built.length]]))
        inside = np.array(
            [built.section_at(0.5 * (a + b)) in self.region for a, b in pairwise(border.tolist())]
        )
        width = np.diff(border)[inside]
        s = (border[:-1][inside][:, None] + width[:, None] * (np.arange(PLACES) + 0.5) / PLACES).ravel()
        speed, rate = self.speed_of(built, s)
        felt = heartline_loads(built, s, speed, rate, self.height, self.gravity)
        d = built.centreline.derivatives(s)
        along = np.sum(d[:, 3] * d[:, 1], axis=1, keepdims=True)
        bend = d[:, 3] - along * d[:, 1]
        jerk = speed**3 * np.linalg.norm(bend, axis=1) / float(np.linalg.norm(self.gravity))
        return _Loads(s, felt[:, 1], felt[:, 2], jerk, bend, np.repeat(np.sqrt(width / PLACES), PLACES))

    def measure(self, built: BuiltTrack, pushed: tuple[Approach, ...]) -> tuple[Array, Array]:
        """What exceeds the limits and how sharply the track bends, weighted, and the place of each entry."""
        loads, limits = self.loads(built), self.limits
        above = [
            np.maximum(loads.gz - limits.gz_most, 0.0),
            np.maximum(limits.gz_least - loads.gz, 0.0),
            np.maximum(np.abs(loads.gy) - limits.gy_most, 0.0),
            np.maximum(loads.jerk - limits.jerk_most, 0.0) / limits.jerk_most,
        ]
        bend = SHAPE * np.mean(loads.jerk / (np.linalg.norm(loads.bend, axis=1) + 1e-12)) * loads.bend
        values = [loads.weight * part for part in above] + [
            loads.weight * part for part in bend.T / limits.jerk_most
        ]
        places = [loads.s] * len(values)
        if pushed:
            s = (
                np.array([[one.s, one.other_s] for one in pushed])
                * built.length
                / self._length_at(pushed, built)
            )
            position = built.centreline.position(s.ravel()).reshape(-1, 2, 3)
            apart = np.linalg.norm(position[:, 0] - position[:, 1], axis=1)
            wanted = np.array([one.distance for one in pushed]) + APART + _envelope(built)
            miss = 2.0 * np.maximum(wanted - apart, 0.0)
            values += [miss, miss]
            places += [s[:, 0], s[:, 1]]
        return np.concatenate(values), np.concatenate(places)

    @staticmethod
    def _length_at(pushed: tuple[Approach, ...], built: BuiltTrack) -> float:
        return max(built.length, *(max(one.s, one.other_s) for one in pushed))

    def step(
        self, project: Project, free: list[Point], origin: Array, offset: Array, pushed: tuple[Approach, ...]
    ) -> tuple[Array | None, float]:
        """The next displacements of the points and the share of the objective they save; None when nothing helps."""
        value, _ = self.measure(_built(project), pushed)
        jacobian = probed_jacobian(project, free, lambda at: self.measure(at, pushed), value)
        stay = STAY * np.eye(offset.size)
        reach = self.limits.reach / np.sqrt(3.0)
        room = (-reach - offset.ravel() - 1e-9, reach - offset.ravel() + 1e-9)
        right = np.concatenate([-value, -STAY * offset.ravel()])
        change = box_step(np.vstack([jacobian, stay]), right, *room).reshape(-1, 3)
        now = float(value @ value) + STAY**2 * float(np.sum(offset**2))
        for share in (1.0, 0.5, 0.25, 0.1, 0.03):
            tried = offset + share * change
            try:
                after, _ = self.measure(_built(placed(project, free, origin + tried)), pushed)
            except InputError:  # a step so long that the track folds
                continue
            cost = float(after @ after) + STAY**2 * float(np.sum(tried**2))
            if cost < now:
                return tried, (now - cost) / now
        return None, 0.0

    def report(self, built: BuiltTrack, gap: float, offset: Array, added: int) -> CloseReport:
        loads, limits = self.loads(built), self.limits
        approaches = self_approaches(built)
        notes = []
        for text, values, limit in (
            ("The vertical load is {:.2f} g, above {:.2f} g", loads.gz, limits.gz_most),
            ("The vertical load is {:.2f} g, below {:.2f} g", -loads.gz, -limits.gz_least),
            ("The lateral load is {:.2f} g, above {:.2f} g", np.abs(loads.gy), limits.gy_most),
            ("The load changes by {:.1f} g/s, above {:.1f} g/s", loads.jerk, limits.jerk_most),
        ):
            k = int(np.argmax(values))
            if values[k] > limit * (1.0 + 1e-3 * np.sign(limit)) + 1e-3:
                sign = -1.0 if "below" in text else 1.0
                where = f"at {loads.s[k]:.0f} m in section '{built.section_at(float(loads.s[k]))}'"
                notes.append(f"{text.format(sign * values[k], sign * limit)}, {where}.")
        for one in approaches[:3]:
            notes.append(
                f"The track comes into its own clearance at {one.s:.0f} m and {one.other_s:.0f} m ({one.distance:.1f} m"
                " apart)."
            )
        return CloseReport(
            gap=gap,
            gz_most=float(loads.gz.max()),
            gz_least=float(loads.gz.min()),
            gy_most=float(np.abs(loads.gy).max()),
            jerk_most=float(loads.jerk.max()),
            moved=float(np.linalg.norm(offset, axis=1).max(initial=0.0)),
            points_added=added,
            approaches=len(approaches),
            kept=not notes,
            notes=tuple(notes),
        )


def _envelope(built: BuiltTrack) -> float:
    """Half the height of the clearance envelope (m): how much further apart two pieces should come at once."""
    clearance = built.track.clearance
    return 0.5 * (clearance.height_above + clearance.depth_below)
