"""Samples of a run in progress against what the finished run stores."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import LiveSample, simulate


def test_that_live_samples_are_those_of_the_finished_ride() -> None:
    project = load_example("looping_star")
    short = project.scenario.model_copy(update={"duration": 1.2})
    seen: list[LiveSample] = []
    polls: list[int] = []
    results = simulate(
        project.model_copy(update={"scenario": short}),
        on_progress=lambda *_: polls.append(len(seen)),
        on_sample=seen.append,
    )
    states, channels = results.states, results.channels
    time = np.array([s.time for s in seen])
    assert time[0] == states.time[0]
    assert np.min(np.diff(time)) >= 0.005 * (1.0 - 1e-6)
    assert len(seen) > 1.1 / 0.015, "none of the instants is left out for long"
    assert any(0 < n < len(seen) for n in polls), "samples come while the run goes on"
    rows = np.searchsorted(states.time, time)
    assert np.array_equal(states.time[rows], time)
    (rider,) = results.names.riders
    head = results.names.bodies.index(results.names.riders[rider]["head"])
    felt = np.array([s.rider_g[rider] for s in seen])
    pull = states.acceleration[rows, head] + np.array([0.0, 0.0, 9.81])
    axes = rotation_matrix(states.orientation[rows, head])
    assert felt == pytest.approx(np.einsum("nji,nj->ni", axes, pull) / 9.81, abs=1e-12)
    car = next(name.split("/")[1] for name in channels if name.endswith("/arc_length"))
    for key, values in (("arc_length", [s.arc_length for s in seen]), ("speed", [s.speed for s in seen])):
        channel = np.interp(time, results.sample_time, channels[f"car/{car}/{key}"].values)
        inside = time <= results.sample_time[-1]
        assert np.array(values)[inside] == pytest.approx(channel[inside], abs=2e-4)


def test_that_a_rig_shows_time_and_no_place() -> None:
    project = load_example("double_pendulum")
    rig = project.scenario.model_copy(update={"duration": 0.2})
    seen: list[LiveSample] = []
    simulate(project.model_copy(update={"scenario": rig}), on_sample=seen.append)
    assert len(seen) > 10
    assert all(math.isnan(s.arc_length) and math.isnan(s.speed) and s.rider_g == {} for s in seen)
