"""Smoothing: control points moved within a tube so that the track's jerk is least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from .box_step import box_step
from .probing import (
    Point,
    free_points,
    placed,
    position_of,
    probed_jacobian,
    strayed_from,
)

GAUSS, WEIGHT = np.polynomial.legendre.leggauss(5)
ITERATIONS = 4
LITTLE, HARDLY = 0.1, 0.005  # relative fall that is next to nothing; rise that is none
ENOUGH = 1e-3  # relative fall of the jerk below which another iteration is not worth it


@dataclass(frozen=True)
class SmoothReport:
    """What smoothing did. before, after: integral of the squared change of curvature along the chosen sections (1/m^3);
    sharpest_before, sharpest_after: its largest value |dk/ds| there (1/m^2); moved: largest displacement
    of a point, strayed: largest distance of the new curve from the old one (m); points: how many were free."""

    before: float
    after: float
    sharpest_before: float
    sharpest_after: float
    moved: float
    strayed: float
    points: int

    @property
    def sentence(self) -> str:
        """What it achieved, in words."""
        whole, peak = (
            1.0 - after / before if before > 0.0 else 0.0
            for before, after in ((self.before, self.after), (self.sharpest_before, self.sharpest_after))
        )
        if max(whole, peak) < LITTLE:
            return (
                "That achieves next to nothing: the curvature changes as gently as points so close to where they are"
                " let it. Choose a wider tube, tick the sections around as well, or set fewer points."
            )
        worse = f"rises by {-peak:.0%}" if peak < -HARDLY else f"falls by {max(peak, 0.0):.0%}"
        return f"The sum falls by {whole:.0%}, the sharpest change {worse}."


def smooth(
    project: Project,
    sections: Sequence[str],
    tube: float,
    *,
    on_progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Project, SmoothReport]:
    """Move the control points of spline sections so that curvature changes as gently as the tube allows.

    The integral of |dk/ds|^2, k the curvature vector seen in a frame that does not turn about the tangent, is made
    small by bounded Gauss-Newton steps over the points. End points of straight pieces stay.

    Parameters
    ----------
    project
        With a track.
    sections
        Names of those to smooth.
    tube
        m; no point and no place of the curve moves further.
    on_progress, should_stop
        Called with the part that is done, and asked, before and after each of at most four steps; when stopped,
        what was reached so far is returned.

    Returns
    -------
    The project, and what was reached.

    Raises
    ------
    InputError
        For a tube that is not 1 mm to 5 m and for sections without free points.
    """
    if not 1e-3 <= tube <= 5.0:
        raise InputError(say("A tube of {tube:g m} is out of range; choose 0.001 to 5 m.", tube=tube))
    if project.track is None:
        raise InputError("This project has no track to smooth; add one.")
    built = build_track(project.track, ride=False)
    free = free_points(project, built, sections)
    if not free:
        raise InputError("The chosen sections have no control points that may move; choose spline sections.")
    origin = np.array([position_of(project, point) for point in free])
    residual = _jerk(built)
    offset = np.zeros_like(origin)
    for iteration in range(ITERATIONS):
        if on_progress is not None:
            on_progress(iteration / ITERATIONS)
        jacobian = probed_jacobian(project, free, lambda at: (_jerk(at), _places(at)), residual)
        bound = tube / np.sqrt(3.0)
        room = (-bound - offset.ravel() - 1e-12, bound - offset.ravel() + 1e-12)
        step = box_step(jacobian, -residual, *room).reshape(-1, 3)
        tried, value = _best_along(project, free, origin, offset, step, residual)
        if tried is None or float(residual @ residual) - float(value @ value) < ENOUGH * float(
            residual @ residual
        ):
            break
        offset, residual = tried, value
        project = placed(project, free, origin + offset)
        if should_stop is not None and should_stop():
            break
    project, strayed = _inside_tube(project, built, free, origin, offset, tube)
    assert project.track is not None
    made = build_track(project.track, ride=False)
    (before, sharpest_before), (after, sharpest_after) = (_over(one, sections) for one in (built, made))
    moved = np.array([position_of(project, point) for point in free]) - origin
    report = SmoothReport(
        before=before,
        after=after,
        sharpest_before=sharpest_before,
        sharpest_after=sharpest_after,
        moved=float(np.linalg.norm(moved, axis=1).max()),
        strayed=strayed,
        points=len(free),
    )
    return project, report


def _jerk(built: BuiltTrack) -> Array:
    """Weighted change of the curvature vector at Gauss points between all stations, (3 n,): its square is the
    integral."""
    border = _borders(built)
    width = np.diff(border)
    s = (border[:-1, None] + 0.5 * width[:, None] * (GAUSS + 1.0)).ravel()
    weight = np.sqrt((0.5 * width[:, None] * WEIGHT).ravel())
    weighted: Array = (weight[:, None] * _across(built, s)).ravel()
    return weighted


def _borders(built: BuiltTrack) -> Array:
    return np.unique(np.concatenate([[0.0], [station.s for station in built.stations], [built.length]]))


def _places(built: BuiltTrack) -> Array:
    """Where on the track each entry of `_jerk` belongs (m)."""
    border = _borders(built)
    middle: Array = np.repeat(0.5 * (border[:-1] + border[1:]), GAUSS.size * 3)
    return middle


def _across(built: BuiltTrack, s: Array) -> Array:
    """Change of the curvature vector by arc length seen in a frame that does not turn about the tangent, (n, 3)."""
    d = built.centreline.derivatives(s)
    tangent, third = d[:, 1], d[:, 3]
    across: Array = third - np.sum(third * tangent, axis=1, keepdims=True) * tangent
    return across


def _over(built: BuiltTrack, sections: Sequence[str]) -> tuple[float, float]:
    """Integral of the squared change of curvature over sections (1/m^3), and its largest value (1/m^2)."""
    spans = [span for span in built.sections if span.name in sections]
    at, jerk = _places(built), _jerk(built)
    inside = np.any([(at > span.s0) & (at < span.s1) for span in spans], axis=0)
    fine = [np.linspace(span.s0, span.s1, max(50, int(2.0 * (span.s1 - span.s0)))) for span in spans]
    sharpest = np.linalg.norm(_across(built, np.concatenate(fine)), axis=1).max()
    return float(np.sum(jerk[inside] ** 2)), float(sharpest)


def _best_along(
    project: Project, free: list[Point], origin: Array, offset: Array, step: Array, residual: Array
) -> tuple[Array | None, Array]:
    """The first of the step and its halves that lowers the jerk; None when none does."""
    for share in (1.0, 0.5, 0.25, 0.1):
        tried = offset + share * step
        moved = placed(project, free, origin + tried)
        assert moved.track is not None
        value = _jerk(build_track(moved.track, ride=False))
        if float(value @ value) < float(residual @ residual):
            return tried, value
    return None, residual


def _inside_tube(
    project: Project, built: BuiltTrack, free: list[Point], origin: Array, offset: Array, tube: float
) -> tuple[Project, float]:
    """The project with displacements shortened until the whole curve stays in the tube, and how far it strays."""
    share = 1.0
    while True:
        moved = placed(project, free, origin + share * offset)
        assert moved.track is not None
        strayed = strayed_from(built, build_track(moved.track, ride=False))
        if strayed <= tube:
            return moved, strayed
        share *= min(0.98, tube / strayed)
