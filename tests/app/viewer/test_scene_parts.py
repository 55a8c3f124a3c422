"""Poses over time, cameras, and colours along the track, each against something known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ridewright.app.view3d import colouring
from ridewright.app.view3d.cameras import CameraRig, Target, track_place
from ridewright.app.view3d.colouring import BY_KEY
from ridewright.app.view3d.off_screen import OffScreen
from ridewright.app.view3d.poses import Poses
from ridewright.app.view3d.readings import Readings
from ridewright.app.view3d.scene import Scene
from ridewright.app.view3d.timeline import tick_spacing
from ridewright.app.widgets import theme
from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.track.build import build_track


def helix(n: int) -> Poses:
    """A body that flies along a helix and turns about a skew axis."""
    t = np.sort(np.random.default_rng(3).uniform(0.0, 4.0, n))
    position = np.stack([np.cos(t), np.sin(t), 0.3 * t], axis=1)[:, None]
    velocity = np.stack([-np.sin(t), np.cos(t), 0.3 + 0.0 * t], axis=1)[:, None]
    turn = from_rotation_vector(t[:, None] * np.array([0.7, -1.1, 0.4]))[:, None]
    turn[::2] *= -1.0  # both signs mean the same orientation
    return Poses(("body",), t, position, velocity, turn)


def test_that_poses_between_the_stored_instants_are_right() -> None:
    poses = helix(220)
    for time in (0.31, 1.7, 2.2345, 3.6):
        position, rotation = poses.at(time)
        np.testing.assert_allclose(position[0], [math.cos(time), math.sin(time), 0.3 * time], atol=1e-6)
        exact = rotation_matrix(from_rotation_vector(time * np.array([0.7, -1.1, 0.4])))
        np.testing.assert_allclose(rotation[0], exact, atol=2e-4)


def test_that_poses_are_held_before_the_start_and_after_the_end() -> None:
    poses = helix(50)
    for outside in (-5.0, 99.0):
        position, rotation = poses.at(outside)
        assert np.hypot(*position[0, :2]) == pytest.approx(1.0, abs=1e-9)
        np.testing.assert_allclose(rotation[0] @ rotation[0].T, np.eye(3), atol=1e-9)


def test_that_poses_of_a_run_are_those_of_its_states(short_results: Results) -> None:
    poses = Poses.of_run(short_results)
    k = len(short_results.states.time) // 3
    position, rotation = poses.at(float(short_results.states.time[k]))
    np.testing.assert_allclose(position, short_results.states.position[k], atol=1e-9)
    np.testing.assert_allclose(rotation, rotation_matrix(short_results.states.orientation[k]), atol=1e-9)


def test_that_a_framed_ball_fits_the_picture_exactly() -> None:
    rig = CameraRig()
    centre = np.array([12.0, -7.0, 3.0])
    rig.frame(centre, 4.0)
    eye = rig.eye(None)
    away = np.linalg.norm(eye.position - centre)
    assert math.asin(4.0 / away) == pytest.approx(math.radians(eye.angle / 2))
    np.testing.assert_allclose(eye.focus, centre)


def test_that_orbiting_keeps_distance_and_focus() -> None:
    rig = CameraRig()
    rig.frame([1.0, 2.0, 3.0], 5.0)
    before = rig.eye(None)
    rig.rotate(0.9, 0.4)
    after = rig.eye(None)
    np.testing.assert_allclose(after.focus, before.focus)
    assert np.linalg.norm(after.position - after.focus) == pytest.approx(
        np.linalg.norm(before.position - before.focus)
    )
    assert not np.allclose(after.position, before.position)
    rig.rotate(0.0, 99.0)
    assert rig.eye(None).position[2] > 0.0  # stops before it tips over


def test_that_moving_cameras_look_where_they_should() -> None:
    turn = rotation_matrix(from_rotation_vector([0.2, -0.5, 0.8]))
    target = Target(np.array([5.0, 6.0, 7.0]), turn, (np.array([5.0, 6.0, 8.2]), turn))
    rig = CameraRig()
    rig.mode = "follow"
    eye = rig.eye(target)
    assert (target.place - eye.position) @ turn[:, 0] > 5.0  # behind the car
    assert (eye.position - target.place) @ turn[:, 2] > 1.0  # and above it
    last = rig.eye(replace(target, reach=90.0))
    assert (target.place - last.position) @ turn[:, 0] > 90.0  # behind the last car of a long train
    rig.mode = "ride"
    eye = rig.eye(target)
    assert np.linalg.norm(eye.position - target.head[0]) < 0.15
    view = (eye.focus - eye.position) / np.linalg.norm(eye.focus - eye.position)
    assert view @ turn[:, 0] > 0.92  # ahead, and somewhat down to hands and restraint
    assert view @ turn[:, 2] < 0.0
    rig.mode = "side"
    eye = rig.eye(target)
    assert abs((eye.position - target.place) @ turn[:, 0]) < 4.0
    assert np.linalg.norm(eye.position - target.place) > 6.0


def fake_ride(results: Results, start: float, laps_over: float, length: float) -> Results:
    """The run with another course: uniform motion from `start` m over `laps_over` m, speed growing with place."""
    n = len(results.sample_time)
    place = start + np.linspace(0.0, laps_over, n)
    channels = dict(results.channels)
    channels["car/Car/arc_length"] = replace(channels["car/Car/arc_length"], values=place)
    channels["car/Car/speed"] = replace(channels["car/Car/speed"], values=10.0 + np.mod(place, length))
    return replace(results, channels=channels)


def test_that_a_run_colours_the_places_it_came_to(short_ride: Project, short_results: Results) -> None:
    built = build_track(short_ride.track)
    results = fake_ride(short_results, built.length - 50.0, 80.0, built.length)
    s = np.array([10.0, 29.0, 31.0, 400.0, built.length - 51.0, built.length - 49.0, built.length - 1.0])
    values = colouring.along_track(BY_KEY["speed"], s, built, results)
    expected = [20.0, 39.0, np.nan, np.nan, np.nan, built.length - 39.0, built.length + 9.0]
    np.testing.assert_allclose(values, expected, atol=0.2)


def test_that_signed_quantities_are_white_at_zero_and_missing_ones_take_their_colour() -> None:
    values = np.array([-2.0, 0.0, 4.0, np.nan])
    colours, scale = colouring.paint_values(BY_KEY["gz"], values, (9, 8, 7))
    assert (scale.low, scale.high) == (-4.0, 4.0)
    assert colours[1].min() > 240
    assert tuple(colours[3]) == (9, 8, 7)
    assert colours[2][0] > colours[2][2]  # red for positive
    assert colours[0][2] > colours[0][0]  # blue for negative


@pytest.mark.parametrize("others", [(), (0.9,), (-3.0, 7.0)])
def test_that_the_colour_of_a_margin_is_its_verdict_whatever_else_the_ride_does(
    others: tuple[float, ...],
) -> None:
    values = np.array([-0.004, 0.004, 0.095, 0.105, *others])
    colours, scale = colouring.paint_values(BY_KEY["margin"], values, (0, 0, 0))
    outside, near, nearly, inside = colours[:4].astype(int)
    assert outside[0] > 2 * outside[1]  # red
    for amber in (near, nearly):
        assert amber[0] > amber[1] > amber[2]
        assert amber[1] > 0.6 * amber[0]
    assert inside[2] > inside[0]  # blue
    assert (0.0 in scale.named, 0.1 in scale.named) == (True, True)


def test_that_geometry_colours_without_a_run() -> None:
    built = build_track(load_example("curve50").track)
    s = np.linspace(0.0, built.length, 50)
    bend = colouring.along_track(BY_KEY["curvature"], s, built, None)
    assert bend.max() == pytest.approx(1.0 / 50.0, rel=0.05)  # the curve of 50 m radius
    assert colouring.along_track(BY_KEY["gz"], s, built, None) is None


def test_that_readings_are_the_channels_at_that_time(short_results: Results) -> None:
    readings = Readings(short_results)
    k = len(readings.time) // 2
    shown = {r.name: r.text for r in readings.at(float(readings.time[k]))}
    speed = float(short_results.channels["car/Car/speed"].values[k])
    assert shown["v"] == f"{speed:.1f} m/s"
    assert shown["Gz"].endswith(" g")


@pytest.mark.parametrize(
    ("duration", "width", "step"), [(39.0, 600.0, 5.0), (3.0, 600.0, 0.5), (100.0, 200.0, 50.0)]
)
def test_that_ticks_have_round_times_and_room(duration: float, width: float, step: float) -> None:
    assert tick_spacing(duration, width) == pytest.approx(step)
    assert step / duration * width >= 64.0


def test_that_the_follow_camera_comes_through_a_loop_inside_the_track() -> None:
    built = build_track(load_example("looping_star").track)
    loop = next(span for span in built.sections if span.name == "loop")
    rig = CameraRig()
    rig.mode = "follow"
    line = built.centreline.position(np.arange(0.0, built.length, 0.25))
    for s in np.linspace(loop.s0, loop.s1, 30):
        place, frame = track_place(built, float(s))
        target = Target(place, frame, None, lambda d, s=s: track_place(built, float(s) + d))
        eye = rig.eye(target)
        assert np.linalg.norm(line - eye.position, axis=1).min() > 1.5  # the head of a person on the track
        base, base_frame = track_place(built, float(s) - 8.5)
        assert (eye.position - base) @ base_frame[:, 2] > 1.0


def test_that_couplings_stand_between_their_cars_as_soon_as_a_train_is_drawn() -> None:
    project = load_example("two_cars_loaded")
    screen = OffScreen(200, 150)
    try:
        scene = Scene(screen.plotter, theme.current())
        scene.set_track(None if project.track is None else build_track(project.track), project)
        scene.set_train(project, None)
        (one,) = scene.couplings._drawn
        placed = [[matrix.GetElement(row, 3) for row in range(3)] for matrix in one.matrices]
        cars = [scene.train.frame_of(name) for name in (one.coupling.body_i, one.coupling.body_j)]
        apart = np.linalg.norm(cars[0].position - cars[1].position)
        assert all(np.linalg.norm(np.array(place) - car.position) < apart for place in placed for car in cars)
    finally:
        screen.close()
