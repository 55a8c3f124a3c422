"""Completing the circuit: the end of an open track led to its start within limits of load, jerk and clearance.

The curve comes from `core.design.closing_curve`. Where limits do not hold or Problems would get something new
(`core.design.findings`), points are moved by least squares, and the next curve is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.finding import RANK, Finding
from ..edits.changes import free_name, set_track
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.description import ControlPoint, SplineSection
from .bank import SpeedOf
from .closing_curve import MIN_RADIUS, End, closing_curves, design_radius, on_circle, point_spacing
from .closing_fit import CloseLimits, CloseReport, ClosingFit, plain_track, sharpest_change
from .findings import finding_change, track_findings
from .loads import refuse_weightless
from .probing import free_points

SPACING = 12.0  # m between the points of a piece that no curve of the plan describes
MAX_TRIED = 3  # curves, when the first does not keep everything
MAX_LISTED = 3
TIGHTER, MUCH_SHORTER = 0.6, 0.7  # of the radius, tried where the piece is so much shorter then
ABOUT_STRAIGHT = np.radians(120.0)  # that a piece turns in all, which a plain spline may be as good as
AROUND = 2.0 * SPACING  # m of a spline that ends freely, which the closing piece changes


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
        drawn = plain_track(set_track(self.project, {"closed": True}))
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
            problem = ClosingFit(
                region,
                ends,
                self.speed_of,
                self.limits,
                self.height,
                np.array(self.project.gravity),
                self.before,
            )
            first = self._looked_at(closed, problem, name, np.zeros((0, 3)), shape)
            free = free_points(closed, plain_track(closed), sorted(region))
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
        self, project: Project, problem: ClosingFit, name: str, offset: Array, shape: _Shape
    ) -> _Tried:
        built = plain_track(project)
        found = track_findings(built)
        new = finding_change(self.known, found).new
        span = next(span for span in built.sections if span.name == name)
        begin = span.s0 if shape.points else self.before.length
        report, excess = problem.report(built, self.gap, offset, len(shape.points), begin)
        elsewhere = not new and all(built.section_at(s) in self.sections for s in excess)
        if self.sections:  # which could have moved out of each other's way
            near = [f.message for f in found if f.kind == "self_approach" and f not in new]
            report = replace(report, kept=report.kept and not near, notes=(*report.notes, *near[:MAX_LISTED]))
        sharpest = sharpest_change(built, np.linspace(problem.ends[0], built.length + problem.ends[1], 400))
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
