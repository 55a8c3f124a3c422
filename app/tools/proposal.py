"""What a tool works out beside the window: a proposal with its figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ...core.base.errors import InputError
from ...core.base.finding import Finding
from ...core.design.findings import FindingChange, design_findings, finding_change
from ...core.pointmass.ride import preview_ride
from ...core.project.point_train import ridden_settings
from ...core.project.project import Project
from ...core.track.build import BuiltTrack, build_track
from ..widgets import units
from ..work.task import ProgressReporter


@dataclass(frozen=True)
class BeforeAfter:
    """A quantity before and after, as texts; one of them may be empty."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Proposal:
    """What a tool would do. project: the changed one, None when nothing is changed; figures; notes: sentences;
    warnings: sentences to be seen; promise: a sentence that holds unless Problems gets something new; fault: why there
    is no proposal; extra: what the tool draws itself; change: what the proposal changes in Problems."""

    project: Project | None = None
    figures: tuple[BeforeAfter, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    promise: str = ""
    fault: str = ""
    extra: Any = None
    change: FindingChange | None = None

    @property
    def said(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Sentences to be seen, and others: what the tool says and what its proposal changes in Problems."""
        if self.change is None:
            return self.warnings, self.notes
        held = () if self.change.new else (self.promise,)
        notes = (*self.notes, *held, self.change.relief)
        return (*self.warnings, *self.change.sentences), tuple(filter(None, notes))


class Workshop:
    """Carries out the work of one tool, and looks at every proposal as Problems will after Apply."""

    def __init__(self) -> None:
        self._known: tuple[Project, tuple[Finding, ...]] | None = None

    def carry_out(
        self, asked: tuple[Project, Callable[[ProgressReporter], Proposal]], reporter: ProgressReporter
    ) -> Proposal:
        """The proposal of a request (the project as it is, the work); trouble with input becomes its fault."""
        project, work = asked
        if reporter.stopped():
            return Proposal(fault="Stopped.")
        try:
            proposal = work(reporter)
        except InputError as error:
            return Proposal(fault=units.told(error))
        if proposal.project is None or proposal.fault or reporter.stopped():
            return proposal
        if self._known is None or self._known[0] is not project:
            self._known = project, design_findings(project)
        return replace(proposal, change=finding_change(self._known[1], design_findings(proposal.project)))


@dataclass(frozen=True)
class RideFigures:
    """Extremes of a point ride: length (m), speed (m/s), loads (g)."""

    length: float
    speed: float
    gz_max: float
    gz_min: float
    gy_max: float
    message: str


def ride_figures(project: Project, built: BuiltTrack | None = None) -> RideFigures | None:
    """Extremes of the point ride over a project's track; None when there is no ride."""
    if project.track is None:
        return None
    built = built or build_track(project.track, ride=False)
    try:
        ride = preview_ride(built, ridden_settings(project), gravity=project.gravity)
    except InputError:
        return None
    g = ride.g
    return RideFigures(
        built.length,
        float(abs(ride.speed).max()),
        float(g[:, 2].max()),
        float(g[:, 2].min()),
        float(abs(g[:, 1]).max()),
        ride.message,
    )


def compared(before: RideFigures | None, after: RideFigures | None) -> tuple[BeforeAfter, ...]:
    """Length, speed and loads of two rides side by side."""

    def pair(name: str, field_name: str, unit: str) -> BeforeAfter:
        texts = [
            "–" if ride is None else units.text(getattr(ride, field_name), unit) for ride in (before, after)
        ]
        return BeforeAfter(name, texts[0], texts[1])

    return (
        pair("Length of the track", "length", "m"),
        pair("Highest speed", "speed", "m/s"),
        pair("Largest Gz", "gz_max", "g"),
        pair("Smallest Gz", "gz_min", "g"),
        pair("Largest |Gy|", "gy_max", "g"),
    )
