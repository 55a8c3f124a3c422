"""What Problems says of a design, its track and its ride of points, and what a proposal changes in that.

One place for the studio's problems, for every tool and for the command line: what a tool proposes is looked at by what
looks at the design after it is applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.errors import InputError
from ..base.finding import RANK, Finding, Severity, of_error
from ..base.sentence import say
from ..base.where import Where
from ..pointmass.result import PointRide
from ..pointmass.ride import preview_ride
from ..project.point_train import left_out, ridden_settings
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.check import check_track
from ..track.description import StraightSection, Track

TROUBLE = ("turned", "stalled", "left", "caught")
STALLS = ("turned", "stalled")  # errors where the train does not come home
NEAR = 5.0  # m between findings of one kind that are the same one although sections have got other names
MAX_LISTED = 3


@dataclass(frozen=True)
class FindingChange:
    """What a proposal changes: new findings (or ones that have become worse) and those that are gone; left: how many
    stay. Warnings and errors only."""

    new: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    left: int = 0

    @property
    def sentences(self) -> tuple[str, ...]:
        """The new findings in words, with how many more there are."""
        messages: list[str] = [say("New in Problems: {it}", it=one.message) for one in self.new[:MAX_LISTED]]
        more = len(self.new) - len(messages)
        return (*messages, f"New in Problems: {more} more.") if more else tuple(messages)

    @property
    def relief(self) -> str:
        """What is gone, in words; "" for nothing."""
        if not self.gone:
            return ""
        if len(self.gone) == 1:
            return say("Gone from Problems: {it}", it=self.gone[0].message)
        left = f", {self.left} stay" if self.left else ""
        return f"Gone from Problems: {len(self.gone)} findings{left}."


def ride_findings(ride: PointRide, project: Project | None = None) -> tuple[Finding, ...]:
    """What goes wrong on a ride of points; that the train turns or stalls is an error unless it comes home.

    project: whose ride it is. A stall is a note where something drives the train in the run alone
    (`point_train.left_out`), and on the level straight that a first car stands on.
    """
    lost = () if ride.arrived else STALLS
    unridden = () if project is None else left_out(project)
    first = project is not None and project.track is not None and _only_stands(project.track)
    found = []
    for event in (one for one in ride.events if one.kind in TROUBLE):
        severity: Severity = "error" if event.kind in lost else "warning"
        message = event.message
        if event.kind in lost and unridden:
            severity = "note"
            message = say(
                "{message} The preview rides without '{device}', which drives the train: the run says how far.",
                message=message, device=unridden[0],
            )  # fmt: skip
        elif event.kind in lost and first:
            severity = "note"
            message = say("{message} There is only a level straight under it yet.", message=message)
        where = Where(s=event.place, section=event.section)
        found.append(Finding(kind=event.kind, severity=severity, message=message, where=where))
    return tuple(found)


def _only_stands(track: Track) -> bool:
    """Whether a track is one level straight with nothing on it."""
    if track.closed or track.devices or len(track.sections) != 1:
        return False
    (one,) = track.sections
    return isinstance(one, StraightSection) and (
        one.length is not None or one.start is None or one.end is None or one.start[2] == one.end[2]
    )


def track_findings(built: BuiltTrack) -> tuple[Finding, ...]:
    """Findings of `check_track`; a curve too tight for the gauge is one."""
    try:
        return check_track(built.track, built).findings
    except InputError as error:
        return (of_error("gauge", error),)


def design_findings(project: Project, built: BuiltTrack | None = None) -> tuple[Finding, ...]:
    """Findings of a project's track and of its ride of points.

    Parameters
    ----------
    project
        As it is.
    built
        Its track, built here if it is not at hand.

    Returns
    -------
    The findings; a track that cannot be built or ridden is an error among them.
    """
    if project.track is None:
        return ()
    try:
        built = build_track(project.track, ride=False) if built is None else built
    except InputError as error:
        return (of_error("unbuilt", error),)
    found = track_findings(built)
    try:
        ride = preview_ride(built, ridden_settings(project), gravity=project.gravity)
        return (*found, *ride_findings(ride, project))
    except InputError as error:
        return (*found, of_error("no_ride", error))


def finding_change(before: Sequence[Finding], after: Sequence[Finding]) -> FindingChange:
    """Which findings are new and which are gone.

    Parameters
    ----------
    before, after
        Findings of a design and of the changed one.

    Returns
    -------
    One of the same kind stays when it is in the same section, or near the same s; what happens to the ride is the
    same wherever it happens. One that has become an error is new. Notes do not count.
    """
    old = [one for one in before if RANK[one.severity] > 0]
    free = list(range(len(old)))
    new: list[Finding] = []
    left = 0
    for one in (found for found in after if RANK[found.severity] > 0):
        same = [k for k in free if old[k].kind == one.kind and _same_place(old[k], one)]
        if not same:
            new.append(one)
            continue
        k = min(same, key=lambda k: _apart(old[k], one))
        free.remove(k)
        left += 1
        if RANK[one.severity] > RANK[old[k].severity]:
            new.append(one)
    new.sort(key=lambda one: -RANK[one.severity])
    return FindingChange(tuple(new), tuple(old[k] for k in free), left)


def _apart(one: Finding, other: Finding) -> float:
    if one.s is None or other.s is None:
        return 0.0 if one.s is other.s else np.inf
    return abs(one.s - other.s)


def _same_place(one: Finding, other: Finding) -> bool:
    return one.kind in TROUBLE or one.section == other.section or _apart(one, other) < NEAR
