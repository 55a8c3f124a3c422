"""The launch calculator as an edit: the ride then has the wanted speed."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.design.launch import add_launch, speed_at
from ridewright.core.pointmass.ride import preview_ride, ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track

GIVEN = {"start_from": "given", "losses_from": "given"}


def level(rise: float = 0.0) -> Project:
    run = StraightSection(name="run", start=(0.0, 0.0, 1.0), end=(40.0, 0.0, 1.0), cant=0.0)
    launch = StraightSection(name="launch", end=(100.0, 0.0, 1.0), cant=0.0)
    hill = tuple(
        ControlPoint(x=100.0 + x, y=0.0, z=1.0 + rise * np.sin(np.pi * x / 120.0) ** 2, cant=0.0)
        for x in np.linspace(15.0, 120.0, 9).tolist()
    )
    track = Track(name="t", sections=(run, launch, SplineSection(name="hill", points=hill)))
    project = Project(name="p", track=track)
    return project.model_copy(
        update={"point_ride": project.point_ride.model_copy(update={"speed": 8.0} | GIVEN)}
    )


def test_that_a_level_launch_without_losses_needs_the_acceleration_of_the_closed_form() -> None:
    project = level()
    free = project.point_ride.model_copy(update={"mu": 0.0, "drag": 0.0, "speed": 5.0} | GIVEN)
    project = project.model_copy(update={"point_ride": free})
    launched, plan = add_launch(project, "launch", 25.0, start=10.0, end=50.0)
    assert plan.acceleration == pytest.approx((25.0**2 - 5.0**2) / (2.0 * 40.0), rel=1e-9)
    assert plan.time == pytest.approx(40.0 / 15.0, rel=1e-6)
    assert plan.warning == ""
    assert launched.track is not None
    (device,) = launched.track.devices
    assert (device.section, device.start, device.end) == ("launch", 10.0, 50.0)


def test_that_the_ride_over_the_new_launch_has_the_speed_with_losses_too() -> None:
    launched, plan = add_launch(level(8.0), "launch", 22.0)
    assert launched.track is not None
    built = build_track(launched.track, ride=False)
    ride = ride_point(built, launched.point_ride)
    at_end = float(np.interp(100.0, ride.place, ride.speed))
    assert at_end == pytest.approx(22.0, abs=0.05)
    assert plan.speed_out == pytest.approx(22.0, abs=0.05)


def test_that_a_hard_launch_is_warned_of_and_an_impossible_one_refused() -> None:
    _, plan = add_launch(level(), "launch", 60.0)
    assert "Gx reaches" in plan.warning
    with pytest.raises(InputError, match="is not needed"):
        add_launch(level(), "launch", 1.0)
    with pytest.raises(InputError, match="no section 'x'"):
        add_launch(level(), "x", 20.0)


def speed_in_run(project: Project, s: float) -> float:
    """Speed (m/s) of the first car of a multibody run at s (m), from its arc length."""
    results = simulate(project)
    channel = next(values for name, values in results.channels.items() if name.endswith("/arc_length"))
    speed = np.gradient(channel.values, results.sample_time)
    return float(np.interp(s, channel.values, speed))


def test_that_the_point_ride_and_a_run_of_one_car_have_the_speed_at_the_end_of_the_launch() -> None:
    straight = load_example("straight")
    scenario = straight.scenario.model_copy(update={"end_place": 95.0})
    launched, plan = add_launch(
        straight.model_copy(update={"scenario": scenario}), "Straight", 25.0, start=20.0, end=80.0
    )
    assert plan.speed_out == pytest.approx(25.0, abs=0.002)
    built = build_track(launched.track, ride=False)  # type: ignore[arg-type]
    ride = preview_ride(built, ridden_settings(launched), gravity=launched.gravity)
    assert speed_at(built, ride, 80.0) == pytest.approx(25.0, abs=0.002)
    assert speed_in_run(launched, 81.0) == pytest.approx(25.0, abs=0.02)


def test_that_a_launch_downhill_that_is_faster_anyhow_is_refused() -> None:
    project = level(-12.0)
    slow = project.point_ride.model_copy(update={"mu": 0.0, "drag": 0.0, "speed": 5.0} | GIVEN)
    with pytest.raises(InputError, match="a launch only pushes"):
        add_launch(project.model_copy(update={"point_ride": slow}), "hill", 8.0, start=0.0, end=60.0)
