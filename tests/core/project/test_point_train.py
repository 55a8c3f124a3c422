"""The points a vehicle is ridden as: mass over the axles, with the vehicle's own spread along the track."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.changes import set_point_ride
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.couplings.bar import Bar
from ridewright.core.model.guides import Guide
from ridewright.core.outcome.two_rides import two_rides
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.pointmass.tables import point_offsets
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.point_train import points_of, ridden_settings
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.project.scenario import Ride
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track


def car(name: str, offset: float, mass: float, *axles: float, turned: bool = False) -> Assembly:
    """A car of one body with guides left and right at every axle (m forward of the body's centre)."""
    orientation = (0.0, 0.0, 0.0, 1.0) if turned else (1.0, 0.0, 0.0, 0.0)
    body = Body(
        name="frame", mass=mass, inertia=(9.0, 9.0, 9.0), position=(0.2, 0.0, 0.4), orientation=orientation
    )
    guides = tuple(
        Guide(name=f"{path} {x}", body="frame", point=(x, y, -0.4), path=path)
        for x in axles
        for path, y in (("left_rail", 0.5), ("right_rail", -0.5))
    )
    return Assembly(role="car", name=name, offset=offset, bodies=(body,), guides=guides)


def test_that_the_points_have_the_spread_of_the_axles() -> None:
    train = Assembly(
        name="Train",
        role="train",
        children=(
            car("a", 0.0, 800.0, 1.1, -0.7),
            car("b", 3.3, 500.0, -0.7, turned=True),
            car("c", 5.9, 650.0, 0.9, -0.9),
        ),
    )
    places = np.array([0.2 + 1.1, 0.2 - 0.7, 0.2 + 0.7 - 3.3, 0.2 + 0.9 - 5.9, 0.2 - 0.9 - 5.9])
    share = np.array([400.0, 400.0, 500.0, 325.0, 325.0]) / 1950.0
    mass, length, count = points_of(train)
    assert (mass, count) == (pytest.approx(1950.0), 5)
    settings = PointRideSettings(train_length=length, masses=count)
    assert np.var(point_offsets(settings)) == pytest.approx(share @ (places - share @ places) ** 2, rel=1e-12)


def unequal(scale: float = 1.0) -> Project:
    """Three cars of different mass and length, each guided as a whole at the rails, over the hills of a track."""
    cars, links, offset = [], [], 0.0
    for k, (mass, apart) in enumerate(((900.0, 0.0), (350.0, 6.0), (2400.0, 11.0))):
        offset += apart * scale
        body = Body(name="frame", mass=mass, inertia=(1e-3, 1e-3, 1e-3), position=(0.0, 0.0, 0.0))
        guide = Guide(name="wheels", kind="full", body="frame")
        cars.append(Assembly(role="car", name=f"Car {k + 1}", offset=offset, bodies=(body,), guides=(guide,)))
    for k in range(2):
        links.append(Bar(name=f"Bar {k + 1}", body_i=f"Car {k + 2}/frame", body_j=f"Car {k + 1}/frame"))
    train = Assembly(name="Train", role="train", children=tuple(cars), couplings=tuple(links))
    base = load_example("looping_star")
    settings = base.settings.model_copy(update={"sample_rate": 50.0})
    point_ride = base.point_ride.model_copy(update={"line": "rail", "mass_height": 0.0})
    update = {
        "train": train, "scenario": Ride(start=62.0, speed=26.0, duration=3.0), "settings": settings,
        "point_ride": point_ride,
    }  # fmt: skip
    return base.model_copy(update=update)


def test_that_unequal_masses_ride_at_their_places_as_in_the_energy_balance() -> None:
    project = unequal()
    settings = ridden_settings(project)
    shares = np.array([900.0, 350.0, 2400.0]) / 3650.0
    places = np.array([0.0, -6.0, -17.0])
    places -= shares @ places
    assert np.array(settings.points)[:, :2] == pytest.approx(np.stack([places, shares], axis=1))
    built = build_track(project.track)
    ride = ride_point(built, settings, gravity=project.gravity)
    s = ride.s[ride.time < 3.0]
    heights = built.centreline.position((s[:, None] + places).ravel())[:, 2].reshape(len(s), 3) @ shares
    v2 = 26.0**2 + 2.0 * 9.81 * (heights[0] - heights)
    assert ride.speed[: len(s)] == pytest.approx(np.sqrt(v2), rel=1e-9)
    even = ride_point(built, settings.model_copy(update={"points": ()}), gravity=project.gravity)
    assert (
        np.abs(np.interp(s, even.s, even.speed) - np.sqrt(v2)).max() > 0.1
    )  # equal masses are another train


def test_that_preview_and_multibody_agree_on_a_train_of_unequal_cars() -> None:
    """Rigid bars are chords, so that the cars are not quite as far apart along a bend as on straight track."""
    project = unequal(0.3)
    results = simulate(project)
    assert results.status.complete, results.status
    ride = two_rides(results, project, build_track(project.track))
    assert abs(ride.run_speed - ride.point_speed) < 0.0003 * ride.run_speed


def test_that_a_car_with_one_axle_or_none_is_a_point() -> None:
    assert points_of(Assembly(name="Train", role="train", children=(car("a", 0.0, 300.0, 0.4),))) == (
        300.0,
        0.0,
        1,
    )
    two = Assembly(name="Train", role="train", children=(car("a", 0.0, 300.0), car("b", 2.5, 300.0)))
    assert points_of(two) == (600.0, pytest.approx(5.0), 2)


def test_that_a_project_with_a_vehicle_is_ridden_as_its_vehicle_unless_it_says_otherwise() -> None:
    project = load_example("looping_star")
    riders = sum(body.mass for rider in project.train.children[0].riders for body in rider.bodies)
    mass = sum(body.mass for body in project.train.children[0].bodies) + riders
    ridden = ridden_settings(project)
    assert (ridden.mass, ridden.train_length, ridden.masses) == pytest.approx((mass, 4.0, 2))
    bare = ridden_settings(project.model_copy(update={"train": None}))
    assert (bare.mass, bare.train_length, bare.masses, bare.mu) == (5000.0, 0.0, 1, 0.02)
    given = set_point_ride(project, {"masses": 7})
    assert ridden_settings(given) == ridden.model_copy(
        update={"points_from": "given", "masses": 7, "points": (), "centre": None, "cars": ()}
    )
    assert (given.point_ride.mass, given.point_ride.train_length) == (ridden.mass, ridden.train_length)
    assert set_point_ride(project, {"masses": 2}) == project
    assert set_point_ride(given, {"points_from": "vehicle"}).point_ride.points_from == "vehicle"
    assert math.isclose(set_point_ride(project, {"mu": 0.03}).point_ride.mu, 0.03)
    with pytest.raises(InputError, match="Point ride"):
        set_point_ride(project, {"masses": 0})


def test_that_files_from_before_the_choice_keep_the_points_typed_into_them(tmp_path) -> None:
    project = load_example("looping_star")
    for typed, expected in (
        ({}, "vehicle"),
        ({"masses": 3, "train_length": 5.0}, "given"),
        ({"mass": 900.0}, "given"),
    ):
        old = project.model_copy(update={"point_ride": project.point_ride.model_copy(update=typed)})
        save_project(old, tmp_path / "p.ridewright")
        data = json.loads((tmp_path / "p.ridewright").read_text(encoding="utf-8"))
        del data["point_ride"]["points_from"]
        (tmp_path / "p.ridewright").write_text(json.dumps(data), encoding="utf-8")
        assert load_project(tmp_path / "p.ridewright").point_ride.points_from == expected
    assert Project(name="p").point_ride.points_from == "vehicle"
