"""The masses of a train above its rails: where they are, how fast, and that the multibody ride agrees."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.outcome.two_rides import two_rides
from ridewright.core.pointmass.ride import preview_ride
from ridewright.core.pointmass.tables import _point_fields
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track
from ridewright.core.track.heartline import heartline_law


def test_that_height_pace_and_their_slopes_are_those_of_the_line_that_the_masses_draw() -> None:
    """Against differences of the points c + h u of a track with loops, cant and twist."""
    project = load_example("looping_star")
    built = build_track(project.track)
    h, step = 0.7, 1e-4
    settings = ridden_settings(project).model_copy(update={"points": (), "masses": 1, "centre": h})
    law = heartline_law(built.track.heartline, built.sections, built.length, built.centreline.closed)
    s = np.linspace(40.0, built.length - 40.0, 57)

    def drawn(at: np.ndarray) -> np.ndarray:
        state = built.centreline.state(at)
        up = np.cross(state.curve[:, 1], state.left)
        return np.asarray(state.curve[:, 0] + h * up)

    def pace(at: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(drawn(at + step) - drawn(at - step), axis=1) / (2.0 * step))

    motion, _ = _point_fields(built, law, s, np.array([0.0, 0.0, 1.0]), settings, False)
    slope = (drawn(s + step) - drawn(s - step))[:, 2] / (2.0 * step)
    assert motion[:, 0] == pytest.approx(drawn(s)[:, 2], abs=1e-9)
    assert motion[:, 1] == pytest.approx(slope, abs=1e-6)
    assert motion[:, 4] == pytest.approx(pace(s), abs=1e-6)
    change = (pace(s + 0.01) ** 2 - pace(s - 0.01) ** 2) / 0.02
    assert motion[:, 3] == pytest.approx(change, abs=1e-3)
    assert np.abs(motion[:, 4] - 1.0).max() > 0.05  # the line is another one than the rails'


def test_that_preview_and_run_of_a_car_have_the_same_energy_everywhere() -> None:
    """Within 0.6 % of the largest: with the masses on the heartline it was 4.2 %."""
    project = load_example("looping_star")
    built = build_track(project.track)
    results = simulate(project)
    rides = two_rides(results, project, built)
    assert rides is not None
    apart = 0.5 * ridden_settings(project).mass * abs(rides.run_speed**2 - rides.point_speed**2)
    assert apart < 0.006 * results.energy.kinetic.max()


def test_that_the_loads_of_the_preview_are_still_those_on_the_heartline() -> None:
    project = load_example("looping_star")
    built = build_track(project.track)
    settings = ridden_settings(project)
    ride = preview_ride(built, settings)
    there = preview_ride(built, settings.model_copy(update={"centre": 1.1}))
    still = ride.g[0] - there.g[0]
    assert np.abs(still).max() < 0.05
