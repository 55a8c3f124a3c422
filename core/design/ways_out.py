"""What a way out of a finding of the track achieves, measured on the track that it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.finding import RANK, Finding
from ..base.sentence import say, together
from ..edits.closing import closing_spans
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.centreline import FrameState
from ..track.check import shape_along
from .findings import NEAR, FindingChange, finding_change, track_findings
from .smooth import LITTLE

JOIN = 1e-6  # m from a border of sections that a finding belongs to


class Measure(NamedTuple):
    """What a kind of finding is about: values (SI) at places of a track (m), and the unit that they are said in."""

    along: Callable[[BuiltTrack], tuple[Array, Array]]
    unit: str


def _of_shape(name: str) -> Callable[[BuiltTrack], tuple[Array, Array]]:
    def along(built: BuiltTrack) -> tuple[Array, Array]:
        shape = shape_along(built)
        return shape["s"], shape[name]

    return along


def _at_joins(built: BuiltTrack) -> tuple[Array, FrameState, FrameState]:
    """Where sections meet (m), and the track on both sides of that."""
    spans = built.sections if built.track.closed else built.sections[1:]
    borders = np.array([span.s0 for span in spans])
    line = built.centreline
    before = line.state(np.where(borders == 0.0, line.length, borders), from_left=True)
    return borders, before, line.state(borders)


def _join_bend(built: BuiltTrack) -> tuple[Array, Array]:
    borders, before, after = _at_joins(built)
    return borders, np.linalg.norm(after.curve[:, 2] - before.curve[:, 2], axis=1)


def _join_roll(built: BuiltTrack) -> tuple[Array, Array]:
    borders, before, after = _at_joins(built)
    return borders, np.abs(after.twist[:, 0] - before.twist[:, 0])


PER_METRE = "deg a metre"
MEASURES: Final = {
    "curvature_spike": Measure(_of_shape("curvature"), "1/m"),
    "tight_curve": Measure(_of_shape("curvature"), "1/m"),
    "curvature_jump": Measure(_of_shape("jump"), "1/m"),
    "cant_rate": Measure(_of_shape("cant_rate"), PER_METRE),
}
AT_JOINS: Final = {
    "curvature_jump": Measure(_join_bend, "1/m"),
    "cant_rate_jump": Measure(_join_roll, PER_METRE),
}


@dataclass(frozen=True)
class Achieved:
    """What becomes of a finding: its measure before and after (SI, said in `unit`), None where it has none; gone:
    whether it is no finding any more; change: what else changes in Problems, of the track alone."""

    before: float | None
    after: float | None
    unit: str
    gone: bool
    change: FindingChange

    @property
    def worth_it(self) -> bool:
        """Whether it takes at least a tenth of the measure away, or all of what has none, and brings no new error."""
        if any(RANK[one.severity] > RANK["warning"] for one in self.change.new):
            return False
        if self.before is None or self.after is None:
            return self.gone
        return self.before - self.after >= LITTLE * self.before

    @property
    def words(self) -> str:
        """The measure before and after, with its unit: "0.352 to 0.120 1/m"; "" where it has none."""
        if self.before is None or self.after is None:
            return ""
        form = "{before:.3f (unit)} to {after:.3f unit}".replace("unit", self.unit)
        return say(form, before=self.before, after=self.after)

    @property
    def sentence(self) -> str:
        """What else there is to know of it."""
        own = "It is no problem then." if self.gone else "It stays a problem, a smaller one."
        return together(" ", (own, *self.change.sentences))


def achieved(finding: Finding, project: Project, made: Project) -> Achieved:
    """What an edit of a project does for a finding of its track (with its place s), by the tracks before and after.

    The measure is the largest one within NEAR of the finding, or along the closing piece of a circuit where it lies on
    that and the piece has been drawn anew. Raises InputError where `made` has no track that can be built.
    """
    assert project.track is not None
    assert made.track is not None
    assert finding.s is not None
    old, new = (build_track(one.track, ride=False) for one in (project, made))  # type: ignore[arg-type]
    found = track_findings(new)
    change = finding_change(track_findings(old), found)
    gone = any(one.kind == finding.kind and one.s == finding.s for one in change.gone)
    measure = _measure(finding, old)
    if measure is None:
        return Achieved(None, None, "", gone, change)
    on_piece = any(span.s0 - NEAR <= finding.s <= span.s1 + NEAR for span in closing_spans(old))
    anew = on_piece and old.track.sections[-1] != new.track.sections[-1]
    before, after = (
        _most(*measure.along(one), _stretch(one, finding.s, whole_piece=anew), one) for one in (old, new)
    )
    return Achieved(before, after, measure.unit, gone, change)


def _measure(finding: Finding, built: BuiltTrack) -> Measure | None:
    assert finding.s is not None
    at_join = any(abs(span.s0 - finding.s) < JOIN for span in built.sections)
    return (AT_JOINS if at_join and finding.kind in AT_JOINS else MEASURES).get(finding.kind)


def _stretch(built: BuiltTrack, s: float, *, whole_piece: bool) -> tuple[float, float]:
    """From where to where (m) around s, or along the closing piece and what it joins."""
    if not whole_piece:
        return s - NEAR, s + NEAR
    spans = closing_spans(built)  # none where it is too short to be a section of its own
    return (spans[0].s0 if spans else built.length) - NEAR, built.length + NEAR


def _most(at: Array, values: Array, stretch: tuple[float, float], built: BuiltTrack) -> float:
    """Largest value at places on a stretch, which may run over the start of a circuit; 0 where there are none."""
    ahead = np.mod(at - stretch[0], built.length) if built.track.closed else at - stretch[0]
    inside = (ahead >= 0.0) & (ahead <= stretch[1] - stretch[0])
    return float(np.max(values[inside], initial=0.0))
