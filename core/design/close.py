"""Completing the circuit: the end of an open track led to its start within limits of load, jerk and clearance.

The curve comes from `core.design.closing_curve`. Where limits do not hold or Problems would get something new
(`core.design.findings`), points are moved by least squares, and the next curve is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.finding import RANK, Finding
from ..edits.changes import free_name, set_track
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.clearance import Approach, self_approaches
from ..track.description import ControlPoint, SplineSection
from .bank import SpeedOf
from .box_step import box_step
from .closing_curve import MIN_RADIUS, End, closing_curves, design_radius, on_circle, point_spacing
from .findings import finding_change, track_findings
from .loads import heartline_loads, refuse_weightless
from .probing import Point, free_points, placed, position_of, probed_jacobian

PLACES = 6  # looked at between two neighbouring stations
SPACING = 12.0  # m between the points of a piece that no curve of the plan describes
MAX_TRIED = 3  # curves, when the first does not keep everything
MAX_LISTED = 3
TIGHTER, MUCH_SHORTER = 0.6, 0.7  # of the radius, tried where the piece is so much shorter then
REPORTED_TURN = np.radians(20.0)  # of the closing piece, that is worth words
ABOUT_STRAIGHT = np.radians(120.0)  # that a piece turns in all, which a plain spline may be as good as
AROUND = 2.0 * SPACING  # m of a spline that ends freely, which the closing piece changes
STRAIGHT = 1000.0  # m; a larger radius is none
ITERATIONS = 10
SHAPE = 0.05  # weight of a gentle curvature beside one g above a limit
STAY = 2e-3  # weight (1/m) of leaving points where they are
ENOUGH = 1e-4
APART = 0.5  # m more than the closest approach that two pieces in each other's way are pushed apart


@dataclass(frozen=True)
class CloseLimits:
    """What the closed circuit must keep: vertical load between gz_min and gz_max, lateral within gy_max (g), change
    of load within jerk_max (g/s); points move at most `reach` (m)."""

    gz_max: float = 4.5
    gz_min: float = -0.8
    gy_max: float = 1.2
    jerk_max: float = 15.0
    reach: float = 15.0


@dataclass(frozen=True)
class CloseReport:
    """What closing did. gap: distance (m) of end and start before; length, min_radius (m), sharpest (1/m^2): of the
    closing piece, its largest change of curvature; gz_max, gz_min, gy_max (g), jerk_max (g/s): extremes over the
    free sections and the closing piece; moved: largest displacement (m); points_added; approaches: places where the
    track enters its own clearance envelope; kept: whether all limits hold; notes: sentences that name the limits which
    do not, with their places, and ways out; curve: the closing piece in words."""

    gap: float
    length: float
    min_radius: float
    sharpest: float
    gz_max: float
    gz_min: float
    gy_max: float
    jerk_max: float
    moved: float
    points_added: int
    approaches: int
    kept: bool
    notes: tuple[str, ...]
    curve: str = ""


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
    the closing piece is drawn with them; it is a section of its own unless the gap is too short for a point. Where it
    does not keep the limits as it is drawn first, least squares of what exceeds them, with a little weight on gentle
    curvature and on staying, moves the free points. Loads count where the free sections and the closing piece are.
    Raises InputError for a track that is closed already and when the ends cannot be joined at all.
    """
    limits = CloseLimits() if limits is None else limits
    if project.track is None:
        raise InputError("This project has no track to close; add one.")
    refuse_weightless(project)
    if project.track.closed:
        raise InputError("The track is a closed circuit already.")
    before = build_track(project.track, ride=False)
    free_points(project, before, sections)  # a section that is not there is refused before any work
    closing = _Closer(project, before, tuple(sections), speed_of, limits, height)
    tried: list[_Tried] = []
    groups = closing.shapes()[:MAX_TRIED]
    for k, group in enumerate(groups):

        def told(share: float, k: int = k) -> None:
            if on_progress is not None:
                on_progress((k + share) / len(groups))

        found = [closing.carried_out(shape, told, should_stop) for shape in group]
        tried += [one for one in found if one is not None]
        if any(one.good for one in tried) or (should_stop is not None and should_stop()):
            break
    if not tried:
        raise InputError(
            "The end of the track cannot be led to its start; end it about 40 m before its start, pointing at it."
        )
    best = min(tried, key=lambda one: one.rank)
    return best.project, closing.with_ways_out(best)


@dataclass(frozen=True)
class _Shape:
    """A way to close: the points of a section of its own, none for a short gap."""

    points: tuple[ControlPoint, ...] = ()


@dataclass(frozen=True)
class _Tried:
    """A closed project with its report; new: what Problems would say of it and did not before; sharpest (1/m^2):
    largest change of curvature of the closing piece and of what it changes around."""

    project: Project
    report: CloseReport
    new: tuple[Finding, ...]
    sharpest: float
    elsewhere: bool  # only the ticked sections keep something not

    @property
    def good(self) -> bool:
        """Whether everything is kept."""
        return self.report.kept and not self.new

    @property
    def rank(self) -> tuple[int, int, float]:
        """Less is better: new errors, what else is not kept, change of curvature."""
        errors = sum(RANK[one.severity] > 1 for one in self.new)
        return errors, len(self.new) + len(self.report.notes), self.sharpest


@dataclass
class _Closer:
    """Closing one track: what is the same for every way to do it."""

    project: Project
    before: BuiltTrack
    sections: tuple[str, ...]
    speed_of: SpeedOf
    limits: CloseLimits
    height: float | None

    def __post_init__(self) -> None:
        line = self.before.centreline
        state = line.state([0.0, self.before.length], from_left=True)
        position, bend = state.curve[:, 0], state.curve[:, 2]
        self.start, self.end = (End(position[k], state.tangent[k], bend[k]) for k in (0, 1))
        self.gap = float(np.linalg.norm(position[1] - position[0]))
        self.gravity = float(np.linalg.norm(self.project.gravity))
        speed, _ = self.speed_of(self.before, np.array([self.before.length]))
        self.speed = float(speed[0])
        self.known = track_findings(self.before)
        first, last = self.before.track.sections[0], self.before.track.sections[-1]
        self.loose = isinstance(last, SplineSection), isinstance(first, SplineSection)
        if isinstance(last, SplineSection) and len(last.points) > 2 and not last.points[-2].straight:
            self.end = on_circle(np.array([point.position for point in last.points[-3:]]))
        if isinstance(first, SplineSection) and len(first.points) > 2 and not first.points[0].straight:
            back = on_circle(np.array([point.position for point in first.points[2::-1]]))
            self.start = replace(back, tangent=-back.tangent)

    def shapes(self) -> list[list[_Shape]]:
        """Ways to close, the shortest first; those of one group are compared with each other.

        A spline that ends freely has no direction of its own there: it takes that of the circle through its last three
        points or, where that is gentler, the one it has when it is simply closed.
        """
        fall = float(self.end.place[2] - self.start.place[2])
        middle = float(np.sqrt(max(self.speed**2 + self.gravity * fall, self.speed**2)))
        radius = design_radius(middle, self.gravity)
        curves = closing_curves(self.end, self.start, radius)
        longest = MUCH_SHORTER * curves[0].length if curves else np.inf
        tighter = closing_curves(self.end, self.start, max(TIGHTER * radius, MIN_RADIUS))
        curves = [*(curve for curve in tighter if curve.length < longest), *curves]
        found = [[_Shape(curve.points(self.speed, self.gravity, point_spacing(radius)))] for curve in curves]
        ahead = bool(curves) and sum(curves[0].turns()) < ABOUT_STRAIGHT
        if not curves or (ahead and any(self.loose)):
            found = [[*(found[0] if found else ()), _Shape(self._plain())], *found[1:]]
        return found

    def _plain(self) -> tuple[ControlPoint, ...]:
        """Points on the piece as the spline draws it between the two ends, where one of them is near vertical."""
        count = round(self.gap / SPACING) - 1
        if count < 1:
            return ()
        drawn = _built(set_track(self.project, {"closed": True}))
        state = drawn.centreline.state(np.linspace(self.before.length, drawn.length, count + 2)[1:-1])
        return tuple(
            ControlPoint(x=x, y=y, z=z, cant=float(cant))
            for (x, y, z), cant in zip(state.curve[:, 0].tolist(), state.cant, strict=True)
        )

    def carried_out(
        self, shape: _Shape, on_progress: Callable[[float], None], should_stop: Callable[[], bool] | None
    ) -> _Tried | None:
        """The track closed in one way, its points moved only where it is not good so; None when no track comes."""
        try:
            closed, name = self._closed(shape)
            region = {*self.sections, *([name] if shape.points else [])}
            around = tuple(AROUND if loose else 0.0 for loose in self.loose)
            ends = (self.before.length - around[0], around[1])
            problem = _Closing(
                region,
                ends,
                self.speed_of,
                self.limits,
                self.height,
                np.array(self.project.gravity),
                self.before,
            )
            first = self._looked_at(closed, problem, name, np.zeros((0, 3)), shape)
            free = free_points(closed, _built(closed), sorted(region))
        except InputError:
            return None
        if first.good or not free:
            return first
        moved, offset = problem.refined(closed, free, on_progress, should_stop)
        second = self._looked_at(moved, problem, name, offset, shape)
        return min(first, second, key=lambda one: one.rank)

    def _closed(self, shape: _Shape) -> tuple[Project, str]:
        """The closed project and the section the closing piece belongs to."""
        assert self.project.track is not None
        sections = self.project.track.sections
        if not shape.points:
            return set_track(self.project, {"closed": True}), sections[-1].name
        name = free_name("Closing", (section.name for section in sections))
        section = SplineSection(name=name, points=shape.points, closing=True)
        return set_track(self.project, {"sections": (*sections, section), "closed": True}), name

    def _looked_at(
        self, project: Project, problem: _Closing, name: str, offset: Array, shape: _Shape
    ) -> _Tried:
        built = _built(project)
        found = track_findings(built)
        new = finding_change(self.known, found).new
        span = next(span for span in built.sections if span.name == name)
        begin = span.s0 if shape.points else self.before.length
        report, excess = problem.report(built, self.gap, offset, len(shape.points), begin)
        elsewhere = not new and all(built.section_at(s) in self.sections for s in excess)
        if self.sections:  # which could have moved out of each other's way
            near = [f.message for f in found if f.kind == "self_approach" and f not in new]
            report = replace(report, kept=report.kept and not near, notes=(*report.notes, *near[:MAX_LISTED]))
        sharpest = _sharpest(built, np.linspace(problem.ends[0], built.length + problem.ends[1], 400))
        return _Tried(project, report, new, sharpest, elsewhere)

    def with_ways_out(self, tried: _Tried) -> CloseReport:
        """The report, with what a person can do where not everything is kept."""
        report, climb = tried.report, float(self.start.place[2] - self.end.place[2])
        notes = list(report.notes)
        reach = self.speed**2 / (2.0 * self.gravity)
        if self.speed <= 0.0:
            notes.append(
                "The ride as points does not reach the end of the track, so that the closing piece is drawn for a slow"
                " train and its loads are not known; let the train come through first (a lift, a launch, lower hills)."
            )
        elif climb > reach:
            notes.append(
                f"The train reaches the end at {self.speed:.1f} m/s, enough to climb {reach:.1f} m, and the start lies"
                f" {climb:.1f} m higher; put a lift or a launch before the end, or end the track higher."
            )
        elif not tried.good and not tried.elsewhere:
            room = max(self.gap, 2.0 * design_radius(self.speed, self.gravity))
            notes.append(
                "No closing piece that keeps everything was found here. Ways out: end the track"
                f" about {room:.0f} m before its start and pointing at it, tick sections whose points may move,"
                f" let points move further than {self.limits.reach:g} m, or slow the train down."
            )
        return replace(report, kept=report.kept and notes == [*report.notes], notes=tuple(notes))


def _built(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


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
    ends: tuple[float, float]  # m: where the closing piece begins, and where it has no influence any more
    speed_of: SpeedOf
    limits: CloseLimits
    height: float | None
    gravity: Array
    before: BuiltTrack

    @cached_property
    def borne(self) -> CloseLimits:
        """The limits around the closing piece, where the open track may have had more than them."""
        around = np.concatenate(
            [np.arange(self.ends[0], self.before.length, 0.5), np.arange(0.0, self.ends[1], 0.5)]
        )
        if not len(around):
            return self.limits
        had = self._at(self.before, np.clip(around, 0.0, self.before.length), np.ones(len(around)))
        return CloseLimits(
            max(self.limits.gz_max, float(had.gz.max())),
            min(self.limits.gz_min, float(had.gz.min())),
            max(self.limits.gy_max, float(np.abs(had.gy).max())),
            max(self.limits.jerk_max, float(had.jerk.max())),
            self.limits.reach,
        )

    def limits_at(self, built: BuiltTrack, s: Array) -> tuple[Array, Array, Array, Array]:
        """Largest and least Gz, largest |Gy| (g) and change of load (g/s) allowed at s (n,) m."""
        old = np.array(
            [
                built.section_at(one) not in self.region and (one < self.ends[1] or one < self.before.length)
                for one in s.tolist()
            ]
        )
        names = ("gz_max", "gz_min", "gy_max", "jerk_max")
        maximum, minimum, side, jerk = (
            np.where(old, getattr(self.borne, name), getattr(self.limits, name)) for name in names
        )
        return maximum, minimum, side, jerk

    def loads(self, built: BuiltTrack) -> _Loads:
        """Loads at a fixed number of places between all neighbouring stations of the region."""
        border = np.unique(np.concatenate([[0.0], [st.s for st in built.stations], [built.length]]))
        middle = [0.5 * (a + b) for a, b in pairwise(border.tolist())]
        inside = np.array(
            [s > self.ends[0] or s < self.ends[1] or built.section_at(s) in self.region for s in middle]
        )
        width = np.diff(border)[inside]
        s = (border[:-1][inside][:, None] + width[:, None] * (np.arange(PLACES) + 0.5) / PLACES).ravel()
        return self._at(built, s, np.repeat(np.sqrt(width / PLACES), PLACES))

    def _at(self, built: BuiltTrack, s: Array, weight: Array) -> _Loads:
        speed, rate = self.speed_of(built, s)
        felt = heartline_loads(built, s, speed, rate, self.height, self.gravity)
        d = built.centreline.derivatives(s)
        along = np.sum(d[:, 3] * d[:, 1], axis=1, keepdims=True)
        bend = d[:, 3] - along * d[:, 1]
        jerk = speed**3 * np.linalg.norm(bend, axis=1) / float(np.linalg.norm(self.gravity))
        return _Loads(s, felt[:, 1], felt[:, 2], jerk, bend, weight)

    def measure(self, built: BuiltTrack, pushed: tuple[Approach, ...]) -> tuple[Array, Array]:
        """What exceeds the limits and how sharply the track bends, weighted, and the place of each entry."""
        loads, limits = self.loads(built), self.limits
        maximum, minimum, side, jerk = self.limits_at(built, loads.s)
        above = [
            np.maximum(loads.gz - maximum, 0.0),
            np.maximum(minimum - loads.gz, 0.0),
            np.maximum(np.abs(loads.gy) - side, 0.0),
            np.maximum(loads.jerk - jerk, 0.0) / limits.jerk_max,
        ]
        bend = SHAPE * np.mean(loads.jerk / (np.linalg.norm(loads.bend, axis=1) + 1e-12)) * loads.bend
        values = [loads.weight * part for part in above] + [
            loads.weight * part for part in bend.T / limits.jerk_max
        ]
        positions = [loads.s] * len(values)
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
            positions += [s[:, 0], s[:, 1]]
        return np.concatenate(values), np.concatenate(positions)

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

    def refined(
        self,
        project: Project,
        free: list[Point],
        on_progress: Callable[[float], None],
        should_stop: Callable[[], bool] | None,
    ) -> tuple[Project, Array]:
        """The project with its free points moved until no step helps any more, and their displacements (k, 3) m."""
        origin = np.array([position_of(project, point) for point in free])
        offset = np.zeros_like(origin)
        pushed: tuple[Approach, ...] = ()
        for iteration in range(ITERATIONS):
            on_progress(iteration / ITERATIONS)
            if should_stop is not None and should_stop():
                break
            built = _built(project)
            pushed = (*pushed, *_new(self_approaches(built), pushed))
            step, gain = self.step(project, free, origin, offset, pushed)
            if step is None:
                break
            offset = step
            project = placed(project, free, origin + offset)
            if gain < ENOUGH and not _new(self_approaches(_built(project)), pushed):
                break
        return project, offset

    def report(
        self, built: BuiltTrack, gap: float, offset: Array, added: int, begin: float
    ) -> tuple[CloseReport, list[float]]:
        """What came out, and where (m) limits are exceeded; begin (m): where the closing piece begins."""
        loads = self.loads(built)
        maximum, minimum, side, change = self.limits_at(built, loads.s)
        approaches = self_approaches(built)
        notes, excess = [], []
        for text, values, allowed in (
            ("The vertical load is {:.2f} g, above {:.2f} g", loads.gz, maximum),
            ("The vertical load is {:.2f} g, below {:.2f} g", -loads.gz, -minimum),
            ("The lateral load is {:.2f} g, above {:.2f} g", np.abs(loads.gy), side),
            ("The load changes by {:.1f} g/s, above {:.1f} g/s", loads.jerk, change),
        ):
            k = int(np.argmax(values - allowed))
            limit = allowed[k]
            if values[k] > limit * (1.0 + 1e-3 * np.sign(limit)) + 1e-3:
                sign = -1.0 if "below" in text else 1.0
                where = f"at {loads.s[k]:.0f} m in section '{built.section_at(float(loads.s[k]))}'"
                notes.append(f"{text.format(sign * values[k], sign * limit)}, {where}.")
                excess.append(float(loads.s[k]))
        radius, sharpest, turned = _shape_of(built, begin)
        made = CloseReport(
            gap=gap,
            length=built.length - begin,
            min_radius=radius,
            sharpest=sharpest,
            gz_max=float(loads.gz.max()),
            gz_min=float(loads.gz.min()),
            gy_max=float(np.abs(loads.gy).max()),
            jerk_max=float(loads.jerk.max()),
            moved=float(np.linalg.norm(offset, axis=1).max(initial=0.0)),
            points_added=added,
            approaches=len(approaches),
            kept=not notes,
            notes=tuple(notes),
            curve=f"The closing piece is {built.length - begin:.0f} m long{turned}.",
        )
        return made, excess


def _shape_of(built: BuiltTrack, begin: float) -> tuple[float, float, str]:
    """Least radius (m) from `begin` (m) to the end of the circuit, largest change of curvature (1/m^2), and how far it
    turns in words."""
    s = np.linspace(begin, built.length, max(int(10.0 * (built.length - begin)), 20), endpoint=False)
    d = built.centreline.derivatives(s)
    bend = d[:, 2]
    flat = d[:, 1, 0] * bend[:, 1] - d[:, 1, 1] * bend[:, 0]
    level = np.maximum(np.sum(d[:, 1, :2] ** 2, axis=1), 1e-6)
    rate = flat / level * (s[1] - s[0])
    turns = {"left": float(np.maximum(rate, 0.0).sum()), "right": float(np.maximum(-rate, 0.0).sum())}
    words = [f"{np.degrees(a):.0f} degrees to the {side}" for side, a in turns.items() if a > REPORTED_TURN]
    curvature = float(np.linalg.norm(bend, axis=1).max())
    radius = 1.0 / max(curvature, 1e-6)
    message = f" and turns {' and '.join(words)}" if words else ""
    message += f", least radius {radius:.1f} m" if radius < STRAIGHT else ""
    return radius, _sharpest(built, s), message


def _sharpest(built: BuiltTrack, s: Array) -> float:
    """Largest change of curvature (1/m^2) at s (n,) m, which may run on over the start."""
    d = built.centreline.derivatives(built.centreline.wrap(s))
    across = d[:, 3] - np.sum(d[:, 3] * d[:, 1], axis=1, keepdims=True) * d[:, 1]
    return float(np.linalg.norm(across, axis=1).max())


def _envelope(built: BuiltTrack) -> float:
    """Half the height of the clearance envelope (m): how much further apart two pieces should come at once."""
    clearance = built.track.clearance
    return 0.5 * (clearance.height_above + clearance.depth_below)
