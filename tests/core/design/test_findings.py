"""What a proposal changes in Problems: new, gone, worse."""

from __future__ import annotations

from ridewright.core.base.finding import Finding
from ridewright.core.base.where import Where
from ridewright.core.design.findings import (
    design_findings,
    finding_change,
    ride_findings,
    track_findings,
)
from ridewright.core.edits.train import insert_vehicle
from ridewright.core.pointmass.ride import preview_ride
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.track.build import build_track
from ridewright.core.track.check import check_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track


def found(kind: str, severity: str, s: float, section: str) -> Finding:
    where = Where(s=s, section=section)
    return Finding(kind=kind, severity=severity, message=f"{kind} at {s:g} m", where=where)  # type: ignore[arg-type]


def test_that_findings_are_matched_by_kind_and_place() -> None:
    before = [
        found("kink", "warning", 10.0, "a"),
        found("kink", "warning", 40.0, "b"),
        found("ground", "warning", 90.0, "c"),
        found("fit", "note", 5.0, "a"),
    ]
    after = [
        found("kink", "warning", 14.0, "a"),  # moved inside its section: the same
        found("kink", "warning", 41.0, "renamed"),  # near where it was: the same
        found("ground", "warning", 300.0, "d"),  # elsewhere: another one
        found("cant_rate", "note", 20.0, "a"),  # notes do not count
    ]
    change = finding_change(before, after)
    assert [one.message for one in change.new] == ["ground at 300 m"]
    assert [one.message for one in change.gone] == ["ground at 90 m"]
    assert change.left == 2
    assert change.sentences == ("New in Problems: ground at 300 m",)
    assert change.relief == "Gone from Problems: ground at 90 m"


def test_that_a_second_one_in_a_section_and_a_worse_one_are_new() -> None:
    before = [found("kink", "warning", 10.0, "a"), found("stalled", "warning", 50.0, "b")]
    after = [
        found("kink", "warning", 10.5, "a"),
        found("kink", "warning", 30.0, "a"),
        found("stalled", "error", 70.0, "c"),
    ]
    change = finding_change(before, after)
    assert [one.message for one in change.new] == ["stalled at 70 m", "kink at 30 m"]  # errors first
    assert not change.gone


def over_a_hill(height: float) -> Project:
    """A level run at 12 m/s into a hill, 7.3 m high at most for a train without losses."""
    run = StraightSection(name="run", start=(0.0, 0.0, 2.0), end=(30.0, 0.0, 2.0), cant=0.0)
    shape = ((20.0, 0.0), (40.0, 0.5), (60.0, 1.0), (80.0, 0.5), (100.0, 0.0), (120.0, 0.0))
    hill = tuple(ControlPoint(x=30.0 + x, y=0.0, z=2.0 + height * share, cant=0.0) for x, share in shape)
    settings = PointRideSettings(start_from="given", losses_from="given", speed=12.0, mu=0.0, drag=0.0)
    track = Track(name="t", sections=(run, SplineSection(name="hill", points=hill)))
    return Project(name="p", track=track, point_ride=settings)


def test_that_a_stall_of_the_preview_is_a_finding_of_the_design() -> None:
    low, high = design_findings(over_a_hill(6.0)), design_findings(over_a_hill(9.0))
    assert not [one for one in low if one.kind in ("turned", "stalled")]
    change = finding_change(low, high)
    assert any(one.kind == "turned" and one.severity == "error" for one in change.new)
    assert any("reverses" in sentence for sentence in change.sentences)


def test_that_the_findings_are_those_of_the_check_and_of_the_ride() -> None:
    project = over_a_hill(9.0)
    built = build_track(project.track, ride=False)  # type: ignore[arg-type]
    said = [one.message for one in check_track(built.track, built).findings]
    ride = preview_ride(built, ridden_settings(project), gravity=project.gravity)
    assert [one.message for one in track_findings(built)] == said
    both = [one.message for one in (*track_findings(built), *ride_findings(ride))]
    assert [one.message for one in design_findings(project)] == both


def test_that_a_track_that_cannot_be_built_is_an_error() -> None:
    points = tuple(ControlPoint(x=x, y=0.0, z=2.0, cant=0.0) for x in (0.0, 20.0, 20.0, 40.0))
    broken = Project(name="p", track=Track(name="t", sections=(SplineSection(name="a", points=points),)))
    (only,) = design_findings(broken)
    assert only.severity == "error"
    assert "same place" in only.message
    assert finding_change((), (only,)).new == (only,)


def test_that_a_first_car_on_its_straight_is_no_error_and_is_one_on_a_longer_track() -> None:
    project, _ = insert_vehicle(Project(name="p", scenario=Ride(settled=True)), "")
    (only,) = design_findings(project)
    assert (only.kind, only.severity) == ("stalled", "note")
    assert "only a level straight" in only.message
    (pushed,) = design_findings(load_example("two_cars_empty"))  # on one level straight as well
    assert (pushed.kind, pushed.severity) == ("stalled", "note")
    assert "without 'Push'" in pushed.message
    (straight,) = project.track.sections  # type: ignore[union-attr]
    more = (straight, StraightSection(name="more", length=20.0))
    longer = project.model_copy(update={"track": Track(name="t", sections=more)})
    assert [one.severity for one in design_findings(longer)] == ["error"]
