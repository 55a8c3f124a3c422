"""Elements drawn for a speed follow the speed of the ride: then their loads are what they were drawn for."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.design.entry_speeds import follow_ride, match_entry_speeds, speed_at
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track
from ridewright.core.track.elements import StartPose
from ridewright.core.track.elements.arc import ArcSection
from ridewright.core.track.elements.camelback import CamelbackSection
from ridewright.core.track.elements.force import ForceSection, Key
from ridewright.core.track.elements.zero_g_roll import ZeroGRollSection

GIVEN = {"start_from": "given", "losses_from": "given"}


def hills(speed: float) -> Project:
    """A drop of 30 m and two camelbacks at 0.2 g, drawn for the wrong speeds."""
    drop = tuple(
        ControlPoint(x=x, y=0.0, z=2.0 + 30.0 * 0.5 * (1.0 + np.cos(np.pi * x / 70.0)), cant=0.0)
        for x in np.linspace(0.0, 70.0, 9).tolist()
    )
    level = StraightSection(name="level", length=15.0, cant=0.0)
    first = CamelbackSection(name="first", entry_speed=15.0, height=10.0, gz=0.2)
    second = CamelbackSection(name="second", entry_speed=30.0, height=6.0, gz=0.2)
    track = Track(name="t", sections=(SplineSection(name="drop", points=drop), level, first, second))
    project = Project(name="p", track=track)
    settings = project.point_ride.model_copy(update={"speed": speed, "mu": 0.01} | GIVEN)
    return project.model_copy(update={"point_ride": settings})


def test_that_the_hills_give_their_load_at_the_speed_of_the_ride() -> None:
    project, changes = match_entry_speeds(hills(4.0))
    assert [change.section for change in changes] == ["first", "second"]
    assert changes[0].now == pytest.approx(np.sqrt(16.0 + 2.0 * 9.81 * 30.0 * 0.97), rel=0.05)
    assert project.track is not None
    built = build_track(project.track, ride=False)
    ride = ride_point(built, project.point_ride)
    for name in ("first", "second"):
        span = next(s for s in built.sections if s.name == name)
        middle = 0.5 * (span.s0 + span.s1)
        on_top = np.abs(ride.place - middle) < 2.0
        assert ride.g[on_top, 2] == pytest.approx(0.2, abs=0.005)
    again, none = match_entry_speeds(project)
    assert none == ()
    assert again == project


LOSSES = {
    "none": {"mu": 0.0, "drag": 0.0},
    "constant": {"mu": 0.03, "drag": 2e-4},
    "load": {"mu": 0.03, "drag": 2e-4, "friction": "load"},
}


def gz_on(project: Project, name: str, height: float = 1.1) -> tuple[np.ndarray, np.ndarray]:
    """Arc length from the start of a section and Gz felt there in the precise ride."""
    assert project.track is not None
    built = build_track(project.track, ride=False)
    assert built.track.heartline.height == height
    ride = ride_point(built, project.point_ride, gravity=project.gravity)
    span = next(s for s in built.sections if s.name == name)
    there = (ride.place > span.s0) & (ride.place < span.s1)
    return ride.place[there] - span.s0, ride.g[there, 2]


@pytest.mark.parametrize("losses", LOSSES)
@pytest.mark.parametrize("gravity", [9.81, 3.7])
def test_that_a_camelback_for_0_g_gives_0_g_with_the_losses_of_the_ride(losses: str, gravity: float) -> None:
    project = hills(4.0)
    settings = project.point_ride.model_copy(update=LOSSES[losses])
    hill = CamelbackSection(name="hill", height=9.0, gz=0.0, speed_from="ride")
    sections = (*project.track.sections[:2], hill, StraightSection(name="out", length=10.0))
    track = project.track.model_copy(update={"sections": sections})
    update = {"track": track, "point_ride": settings, "gravity": (0.0, 0.0, -gravity)}
    project = follow_ride(project.model_copy(update=update))
    drawn = project.track.sections[2]
    assert (drawn.gravity, drawn.friction, drawn.drag) == (gravity, settings.mu, settings.drag)
    _, gz = gz_on(project, "hill")
    floating = np.flatnonzero(np.abs(gz) < 0.3)
    middle = slice(floating[0] + 12, floating[-1] - 12)  # the changes of g end within 3 m
    assert floating[-1] - floating[0] > 60
    assert np.abs(gz[middle]).max() < 0.005  # asked for: 0.02 g
    built = build_track(project.track, ride=False)
    end = built.centreline.state(built.sections[3].s0 - 1e-6)
    begin = built.centreline.state(built.sections[2].s0 + 1e-6)
    assert end.tangent[0, 2] == pytest.approx(-begin.tangent[0, 2], abs=1e-6)
    assert gz.max() == pytest.approx(3.0, abs=0.01)


@pytest.mark.parametrize("length", [4.0, 18.0])
def test_that_a_camelback_keeps_its_0_g_under_a_train(length: float) -> None:
    project = hills(4.0)
    train = {"masses": 14, "train_length": length, "points_from": "given", "mu": 0.02}
    hill = CamelbackSection(name="hill", height=14.0, gz=0.0, speed_from="ride")
    sections = (*project.track.sections[:2], hill, StraightSection(name="out", length=10.0))
    track = project.track.model_copy(update={"sections": sections})
    settings = project.point_ride.model_copy(update=train)
    project = follow_ride(project.model_copy(update={"track": track, "point_ride": settings}))
    run, gz = gz_on(project, "hill")
    floating = run[np.abs(gz) < 0.3]
    inside = (run > floating[0] + 3.0) & (run < floating[-1] - 3.0)
    assert inside.sum() > 100
    assert np.abs(gz[inside]).max() < 0.02


@pytest.mark.parametrize("losses", ["constant", "load"])
def test_that_a_zero_g_roll_gives_0_g_along_and_across_the_riders_with_losses(losses: str) -> None:
    project = hills(4.0)
    settings = project.point_ride.model_copy(update=LOSSES[losses])
    roll = ZeroGRollSection(name="roll", height=9.0, speed_from="ride", direction="right")
    sections = (*project.track.sections[:2], roll, StraightSection(name="out", length=10.0))
    track = project.track.model_copy(update={"sections": sections})
    project = follow_ride(project.model_copy(update={"track": track, "point_ride": settings}))
    built = build_track(project.track, ride=False)
    ride = ride_point(built, settings)
    span = built.sections[2]
    felt = ride.g[np.abs(ride.place - 0.5 * (span.s0 + span.s1)) < 6.0]
    assert len(felt) > 40
    assert np.abs(felt[:, 2]).max() < 1e-4
    # the loads are counted along the axes of the rails, which the roll turns out of the line that is slowed by friction
    assert np.abs(felt[:, 1]).max() < 0.02
    ends = built.centreline.state([span.s0 + 1e-6, span.s1 - 1e-6])
    assert ends.tangent[1, 2] == pytest.approx(-ends.tangent[0, 2], abs=1e-6)
    assert ends.up[1, 2] == pytest.approx(ends.up[0, 2], abs=1e-6)


@pytest.mark.parametrize("losses", LOSSES)
def test_that_a_force_section_of_3_5_g_holds_it_in_a_ride_with_losses(losses: str) -> None:
    project = hills(4.0)
    settings = project.point_ride.model_copy(update=LOSSES[losses])
    keys = (Key(at=0.5, value=3.5), Key(at=1.6, value=3.5))
    pull = ForceSection(name="pull", extent=1.6, normal_g=keys, roll_rate=(Key(at=1.6, value=0.4),))
    sections = (*project.track.sections[:2], pull)
    track = project.track.model_copy(update={"sections": sections})
    project, changes = match_entry_speeds(project.model_copy(update={"track": track, "point_ride": settings}))
    assert changes[0].losses == (losses != "none")
    run, gz = gz_on(project, "pull")
    held = run > project.track.sections[2].entry_speed * 0.52
    assert held.sum() > 60
    assert np.abs(gz[held] - 3.5).max() < 0.002  # asked for: 0.01 g


def test_that_only_linked_elements_follow_the_ride_and_keep_losses_of_their_own_otherwise() -> None:
    project = hills(4.0)
    assert follow_ride(project) is project
    linked = tuple(
        s.model_copy(update={"speed_from": "ride"}) if s.name == "second" else s
        for s in project.track.sections
    )
    project = project.model_copy(update={"track": project.track.model_copy(update={"sections": linked})})
    made = follow_ride(project)
    assert made.track.sections[2] == project.track.sections[2]
    assert made.track.sections[3].friction == project.point_ride.mu
    assert made.track.sections[3].entry_speed < 28.0
    assert follow_ride(made) == made
    speeds_only, _ = match_entry_speeds(project, ["first"], losses=False)
    assert speeds_only.track.sections[2].friction == 0.0
    assert speeds_only.track.sections[2].entry_speed != 15.0
    stuck = project.point_ride.model_copy(update={"mu": 0.9} | GIVEN)
    project = project.model_copy(update={"point_ride": stuck})
    assert follow_ride(project) is project


def test_that_the_speed_is_that_of_the_line_the_element_is_drawn_for() -> None:
    """On a circle of radius R the line h above the rails inside it runs (R - h) / R as fast as the rails."""
    pose = StartPose(position=(0.0, 0.0, 2.0))
    valley = ArcSection(name="valley", direction="up", radius=25.0, angle=0.9, transition_out=0.0, pose=pose)
    track = Track(name="t", sections=(valley, StraightSection(name="out", length=9.0)))
    settings = Project(name="p").point_ride.model_copy(update={"speed": 24.0} | GIVEN)
    built = build_track(track, ride=False)
    ride = ride_point(built, settings)
    s = built.sections[1].s0 - 1e-4
    rails = speed_at(ride, built, s, 0.0)
    assert speed_at(ride, built, s, 1.3) == pytest.approx(rails * (25.0 - 1.3) / 25.0, rel=1e-6)
    s = 0.4 * built.sections[0].s1
    assert speed_at(ride, built, s, 1.1) == pytest.approx(
        float(np.interp(s, ride.place, ride.line_speed)), rel=1e-5
    )
    assert speed_at(ride, built, built.length + 5.0, 0.0) is None


def test_that_an_element_the_ride_does_not_reach_is_named() -> None:
    project = hills(4.0)
    settings = project.point_ride.model_copy(update={"mu": 0.9} | GIVEN)
    with pytest.raises(InputError, match="does not reach section 'first'"):
        match_entry_speeds(project.model_copy(update={"point_ride": settings}))
    with pytest.raises(InputError, match="no track"):
        match_entry_speeds(Project(name="p"))
    with pytest.raises(InputError, match="straight down"):
        match_entry_speeds(hills(4.0).model_copy(update={"gravity": (1.0, 0.0, -9.0)}))
