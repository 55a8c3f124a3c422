"""The ride as points takes losses and start from the train and the run, unless a project says that they are given."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.changes import set_point_ride, set_scenario
from ridewright.core.edits.train import insert_vehicle, set_losses
from ridewright.core.model.library import load_vehicle
from ridewright.core.model.losses import Losses, drag_per_mass, library_losses, losses_of, with_losses
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.project.scenario import Ride
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, Track


def hill() -> Track:
    """A valley of 6 m between two levels, the end 1 m lower than the start, and bends to the left with cant."""
    x = np.linspace(0.0, 150.0, 16)
    points = tuple(
        ControlPoint(x=float(a), y=float(b), z=float(c), cant=float(d))
        for a, b, c, d in zip(
            x,
            12.0 * (1.0 - np.cos(np.pi * x / 150.0)),
            8.0 + 3.0 * np.cos(2.0 * np.pi * x / 150.0) - x / 150.0,
            -0.3 * np.sin(np.pi * x / 150.0) ** 2,
            strict=True,
        )
    )
    return Track(name="valley", sections=(SplineSection(name="valley", points=points),))


def ready() -> Project:
    """The library's vehicle as it is inserted, on the valley."""
    project = Project(
        name="p", track=hill(), scenario=Ride(start=6.0, speed=9.0, end_place=140.0, settled=True)
    )
    return insert_vehicle(project, "viegas2016")[0]


def test_that_preview_and_run_of_a_library_car_lose_the_same_on_their_way() -> None:
    """Two independent rides: energy along the track by collocation, and the whole mechanism in time. The losses are
    those of the train in both; what differs, lateral forces of the wheels against one another, is below 5 %."""
    project = ready()
    settings = ridden_settings(project)
    assert (settings.start, settings.speed, settings.friction) == (6.0, 9.0, "load")
    points = ride_point(build_track(project.track), settings)
    run = simulate(project)
    along = run.states.path_coordinate.mean(axis=1)
    lost = np.interp(130.0, along, run.energy.drag) - np.interp(20.0, along, run.energy.drag)
    both = points.energy.friction + points.energy.drag
    wanted = np.interp(130.0, points.s, both) - np.interp(20.0, points.s, both)
    assert lost == pytest.approx(wanted, rel=0.05)
    assert wanted > 0.1 * points.energy.kinetic[0]
    speed = np.interp(130.0, along, run.states.path_speed.mean(axis=1))
    assert speed == pytest.approx(np.interp(130.0, points.s, points.speed), rel=0.02)


def test_that_a_library_car_loses_what_two_real_rides_lose() -> None:
    """0.0163 to 0.0266 m of height per metre, as the rows of resistance.csv from public ride data say."""
    project = ready()
    built = build_track(project.track)
    ride = ride_point(built, ridden_settings(project))
    lost = (ride.energy.friction[-1] + ride.energy.drag[-1]) / (
        ridden_settings(project).mass * 9.81 * (ride.s[-1] - ride.s[0])
    )
    assert 0.0163 < lost < 0.0266


def test_that_losses_stand_on_the_train_and_are_read_back() -> None:
    car = with_losses(load_vehicle(), Losses(rolling=0.012, drag_area=0.8))
    assert losses_of(car).rolling == pytest.approx(0.012)
    assert losses_of(car).drag_area == pytest.approx(0.8)
    assert drag_per_mass(car) == pytest.approx(0.5 * 1.225 * 0.8 / car.mass())
    assert len(car.forces) == len(load_vehicle().forces) + len(car.guides) + 1
    assert with_losses(car, Losses()) == load_vehicle()  # none again: as if there had never been any


def test_that_the_cars_behind_roll_but_stand_in_the_slipstream() -> None:
    project = ready()
    for _ in range(2):
        project, _ = insert_vehicle(project, "viegas2016")
    assert losses_of(project.train).rolling == pytest.approx(library_losses().rolling)
    each = [losses_of(car).drag_area for car in project.train.children]
    assert each == [library_losses().drag_area, 0.0, 0.0]
    project = set_losses(project, (), {"rolling": 0.01})
    assert all(losses_of(car).rolling == pytest.approx(0.01) for car in project.train.children)
    project = set_losses(project, ("Car 2",), {"rolling": 0.04})
    assert losses_of(project.train).rolling == pytest.approx(0.02)
    assert ridden_settings(project).mu == pytest.approx(0.02)
    with pytest.raises(InputError, match="Losses of 'Train'"):
        set_losses(project, (), {"rolling": -0.1})


def test_that_examples_of_the_thesis_are_ridden_without_losses_from_where_they_start() -> None:
    for name in ("looping_star", "gatekeeper", "veloci2", "straight", "curve50"):
        project = load_example(name)
        settings = ridden_settings(project)
        assert (settings.mu, settings.drag) == (0.0, 0.0), name
        middle = -3.0 if name == "curve50" else 0.0  # of the wheels, ahead of the car's origin
        assert settings.start == pytest.approx(project.scenario.start + middle, abs=1e-9), name
        ride = project.scenario
        assert (settings.speed, settings.top_speed) == (ride.speed, ride.top_speed), name


def test_that_a_start_without_a_speed_leads_over_the_top_with_its_losses() -> None:
    project = set_scenario(ready(), {"speed": None, "top_speed": 3.0, "start": 75.0, "end_place": None})
    built = build_track(project.track)
    ride = ride_point(built, ridden_settings(project))
    height = ride.energy.potential / (project.train.mass() * 9.81)
    assert ride.speed[int(np.argmax(height))] == pytest.approx(3.0, abs=1e-6)
    assert ride.speed[0] > np.sqrt(
        9.0 + 2.0 * 9.81 * (height.max() - height[0])
    )  # losses are paid for as well


def test_that_a_project_keeps_the_friction_and_the_start_that_its_file_states(tmp_path) -> None:
    """A file from before the choice: every field spelled out, none of the new ones."""
    path = tmp_path / "old.ridewright"
    save_project(ready(), path)
    data = json.loads(path.read_text())
    for new in ("losses_from", "start_from", "top_speed"):
        del data["point_ride"][new]
    data["point_ride"] |= {"start": 2.0, "speed": 5.0, "mu": 0.031, "drag": 3e-5, "friction": "constant"}
    path.write_text(json.dumps(data))
    old = ridden_settings(load_project(path))
    assert (old.start, old.speed, old.mu, old.drag, old.friction) == (2.0, 5.0, 0.031, 3e-5, "constant")
    del data["point_ride"]
    path.write_text(json.dumps(data))
    assert ridden_settings(load_project(path)) == ridden_settings(ready())


def test_that_what_is_typed_holds_instead_and_can_be_given_back() -> None:
    project = ready()
    typed = set_point_ride(project, {"mu": 0.025})
    assert (typed.point_ride.losses_from, typed.point_ride.start_from) == ("given", "scenario")
    assert ridden_settings(typed).drag == pytest.approx(ridden_settings(project).drag)
    typed = set_point_ride(typed, {"speed": 4.0})
    assert (ridden_settings(typed).start, ridden_settings(typed).speed) == (6.0, 4.0)
    back = set_point_ride(typed, {"losses_from": "vehicle", "start_from": "scenario"})
    assert ridden_settings(back) == ridden_settings(project)
    held = set_point_ride(project, {"start_from": "given"})
    assert (held.point_ride.start, held.point_ride.speed) == (6.0, 9.0)  # what was shown, not what lay below
    assert ridden_settings(set_point_ride(project, {"laps": 2})) == ridden_settings(project).model_copy(
        update={"laps": 2}
    )
    assert PointRideSettings(mu=0.01).losses_from == "given"
