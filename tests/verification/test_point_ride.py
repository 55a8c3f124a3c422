"""The ride of points against closed forms and against the multibody vehicle."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from verification_tools import changed, complete

from ridewright.core.model.library import with_secondary_locked
from ridewright.core.pointmass.ride import preview_ride, ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track

sys.path.insert(0, str(Path(__file__).parents[1] / "core" / "pointmass"))

from point_tools import G, cycloid, helix, loop, straight

FREE = PointRideSettings(speed=4.0, mu=0.0, drag=0.0, line="rail")


def free(**fields: object) -> PointRideSettings:
    """Without losses, on the rails, unless said otherwise."""
    return FREE.model_copy(update=fields)


def test_that_a_drop_without_losses_turns_height_into_speed():
    """v^2 = v0^2 + 2 g (z0 - z) all along the Looping Star, seen from the heights of its centreline."""
    built = build_track(load_example("looping_star").track, ride=False)
    ride = ride_point(built, free(speed=26.5, start=33.3))
    height = built.centreline.position(ride.s)[:, 2]
    np.testing.assert_allclose(ride.speed**2, 26.5**2 + 2.0 * G * (height[0] - height), rtol=1e-11)
    assert ride.arrived


def test_that_the_rails_of_a_loop_press_as_in_the_textbook():
    """Contact force over weight in a circle entered at v0: Gz = v0^2 / (g r) - 2 + 3 cos(a)."""
    radius, v0 = 9.0, 22.0
    built = loop(radius, 500)
    bottom = built.length / 2.0 - radius * math.pi
    ride = ride_point(built, free(start=bottom, speed=v0))
    a = (ride.s - bottom) / radius
    inside = (a < 2.0 * np.pi) & (ride.s < built.length - 2.0)
    felt = ride.rail_g[inside, 2]
    np.testing.assert_allclose(
        felt, v0**2 / (G * radius) - 2.0 + 3.0 * np.cos(a[inside]), atol=1e-8 * felt.max()
    )
    assert np.max(np.abs(ride.rail_g[inside, :2])) < 1e-8


@pytest.mark.parametrize("released", [0.9, 2.0, 3.0])
def test_that_a_cycloid_swings_in_the_same_time_from_everywhere(released: float):
    """Huygens: from rest to rest and back in 4 pi sqrt(r / g), whatever the height."""
    radius = 6.0
    built = cycloid(radius, 0.6, 400)
    start = 4.0 * radius * (math.cos(0.3) - math.cos(released / 2.0))
    ride = ride_point(built, free(start=start, speed=0.0))
    turns = [event for event in ride.events if event.kind == "turned"]
    period = 4.0 * math.pi * math.sqrt(radius / G)
    assert turns[0].time == pytest.approx(period / 2.0, rel=1e-8)
    assert turns[1].time == pytest.approx(period, rel=1e-8)
    assert turns[1].s == pytest.approx(start, abs=1e-7)
    assert turns[19].time == pytest.approx(10.0 * period, rel=1e-8)


@pytest.mark.parametrize("v0", [5.0, 70.0])
def test_that_drag_leads_to_the_terminal_speed(v0: float):
    """v^2 = vt^2 + (v0^2 - vt^2) exp(-2 R s) with vt^2 = g sin(fall) / R; t by artanh or arcoth."""
    fall, R = 0.5, 3e-3
    built = straight(900.0, fall)
    ride = ride_point(built, free(speed=v0, drag=R))
    end2 = G * math.sin(fall) / R
    v2 = end2 + (v0**2 - end2) * np.exp(-2.0 * R * ride.s)
    np.testing.assert_allclose(ride.speed, np.sqrt(v2), rtol=1e-9)
    end = math.sqrt(end2)
    u, u0 = ride.speed / end, v0 / end
    turned = (lambda x: np.arctanh(x)) if v0 < end else (lambda x: np.arctanh(1.0 / x))
    np.testing.assert_allclose(
        ride.time[:-1], ((turned(u) - turned(u0)) / (R * end))[:-1], rtol=1e-8, atol=1e-10
    )
    assert ride.speed[-1] == pytest.approx(end, rel=0.1)


def test_that_constant_friction_takes_the_same_from_every_metre():
    """E = v^2/2 + g (y + mu s) stays, on a loop as well."""
    built = loop(8.0, 400)
    ride = ride_point(built, free(start=3.0, speed=21.0, mu=0.027))
    height = built.centreline.position(ride.s)[:, 2]
    balance = 0.5 * ride.speed**2 + G * (height + 0.027 * ride.s)
    np.testing.assert_allclose(balance, balance[0], rtol=1e-11)


def test_that_friction_by_load_slows_a_train_on_a_level_circle():
    """dw/ds = -mu sqrt(g^2 + v^4/r^2): asinh(v^2 / (g r)) falls evenly by 2 mu / r a metre."""
    radius, mu, v0 = 11.0, 0.03, 18.0
    built = helix(radius, 0.0, 2.3, 700)
    start = 6.0
    ride = ride_point(built, free(start=start, speed=v0, mu=mu, friction="load"))
    inside = ride.s < built.length - 6.0
    y = math.asinh(v0**2 / (G * radius)) - 2.0 * mu / radius * (ride.s[inside] - start)
    np.testing.assert_allclose(ride.speed[inside] ** 2, G * radius * np.sinh(y), rtol=1e-8)
    assert ride.speed[inside][-1] < 0.7 * v0


def test_that_friction_by_load_slows_a_train_on_a_falling_helix():
    """u = v^2 k / (g cos f): du/ds = 2 k (tan f - mu sqrt(1 + u^2)); s(u) by u = sinh y and t = tanh(y/2)."""
    radius, rise, mu, v0 = 12.0, -9.0, 0.04, 17.0
    built = helix(radius, rise, 2.5, 900)
    fall = math.atan2(-rise, 2.0 * math.pi * radius)
    k = math.cos(fall) ** 2 / radius
    start = 8.0
    ride = ride_point(built, free(start=start, speed=v0, mu=mu, friction="load"))
    inside = ride.s < built.length - 8.0
    a = math.tan(fall)

    def primitive(v: np.ndarray | float) -> np.ndarray:
        y = np.arcsinh(np.square(v) * k / (G * math.cos(fall)))
        t = np.tanh(y / 2.0)
        root = math.sqrt((a - mu) * (a + mu))
        part = 2.0 / root * np.arctanh(t * math.sqrt((a + mu) / (a - mu)))
        return (-y / mu + a / mu * part) / (2.0 * k)

    gone = primitive(ride.speed[inside]) - primitive(v0)
    np.testing.assert_allclose(gone, ride.s[inside] - start, atol=3e-7 * built.length)
    # the same in terms of the speed: ds times its slope there
    slope = np.abs(G * (math.sin(fall) - mu * np.hypot(math.cos(fall), ride.speed[inside] ** 2 * k / G)))
    missed = np.abs(gone - (ride.s[inside] - start)) * slope / ride.speed[inside] ** 2
    assert missed.max() < 1e-8


def test_that_the_preview_converges_to_the_precise_ride():
    """Order 4: a quarter of the spacing, a hundredth of the error in time and speed, with friction by load and drag."""
    built = build_track(load_example("looping_star").track, ride=False)
    settings = PointRideSettings(speed=27.5, start=10.0, mu=0.01, friction="load")
    exact = ride_point(built, settings)
    errors = []
    for spacing in (2.0, 1.0, 0.5):
        ride = preview_ride(built, settings, spacing=spacing)
        errors.append(abs(ride.time[-1] - exact.time[-1]) + abs(ride.speed[-1] - exact.speed[-1]))
    assert errors[1] < 1e-3
    assert errors[2] < errors[0] / 60.0


def test_that_the_multibody_vehicle_with_locked_suspension_runs_as_fast():
    """Looping Star, empty car, roll joint locked: speeds of equal kinetic energy, 0.1 % (asked for: 0.5 %).

    The points are those a project with this vehicle is ridden with unless it says otherwise, two masses over the axles,
    2 m apart: the car cuts curves with its wheelbase, and its pitching in the loop takes 1.4 % of the energy. A single
    point misses by up to 0.65 % for that.
    """
    project = load_example("looping_star")
    car = with_secondary_locked(project.train.children[0].model_copy(update={"children": ()}))
    project = project.model_copy(update={"train": project.train.model_copy(update={"children": (car,)})})
    results = complete(simulate(changed(project, tolerance=1e-6)))
    share = np.array([body.mass for body in car.bodies])
    mass = share.sum()
    share /= mass
    height = float(share @ np.array([body.position[2] for body in car.bodies]))
    line = project.track.heartline.model_copy(update={"height": height})
    built = build_track(project.track.model_copy(update={"heartline": line}))
    s = results.states
    pick = slice(None, None, 25)
    centre = np.einsum("b,nbi->ni", share, s.position[pick])
    place = np.array([built.paths["centreline"].nearest(c) for c in centre])
    speed = np.sqrt(2.0 * results.energy.kinetic[pick] / mass)
    update = {"start": float(place[0]), "speed": float(speed[0]), "mu": 0.0, "drag": 0.0}
    settings = ridden_settings(project).model_copy(update=update)
    assert (settings.masses, settings.train_length, settings.mass) == pytest.approx((2, 4.0, mass))
    ride = ride_point(built, settings)
    ahead = np.mod(place - place[0], built.length)
    lap = ahead < built.length - 1.0
    expected = np.interp(ahead, ride.s - place[0], np.sqrt(2.0 * ride.energy.kinetic / mass))
    assert np.abs(speed / expected - 1.0)[lap].max() < 0.001
    assert ahead[lap].max() > 0.99 * built.length
    assert speed.min() < 0.3 * speed.max()
