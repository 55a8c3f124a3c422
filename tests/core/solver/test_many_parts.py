"""Thousands of bodies that nothing connects: as few clocks as can be kept, and places only of what is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.placement import PlacedModel
from ridewright.core.multibody.connections import MAX_CLOCKS, parts_of
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.run.simulate import simulate

COUNT, DURATION = 150, 0.1


@pytest.fixture(scope="module")
def crowd() -> Project:
    """Bodies thrown in all directions, each with a spin of its own about an axis of inertia."""
    bodies = tuple(
        Body(
            name=f"b{k}", mass=1.0 + 0.1 * k, inertia=(0.1, 0.2, 0.3), position=(2.0 * k, 0.3 * k, 1.0),
            velocity=(0.1 * k, -1.0, 0.02 * k), angular_velocity=(0.0, 0.0, 0.05 * k),
        )
        for k in range(COUNT)
    )  # fmt: skip
    top = Assembly(name="Rig", role="rig", bodies=bodies)
    return Project(name="Crowd", scenario=Rig(duration=DURATION, assembly=top))


def test_that_no_run_has_more_clocks_than_it_can_keep(crowd):
    parts = parts_of(crowd)
    assert len(parts) == MAX_CLOCKS
    assert parts[0] == {"b0"}  # the first keeps one of its own
    assert sorted(name for part in parts for name in part) == sorted(f"b{k}" for k in range(COUNT))


def test_that_bodies_that_share_a_clock_fall_as_they_do_alone(crowd):
    results = simulate(crowd)
    assert results.provenance["solver"]["clocks"] == MAX_CLOCKS
    top = crowd.assembly
    t = results.states.time[-1]
    assert t == pytest.approx(DURATION)
    for k, body in enumerate(top.bodies):
        fallen = np.asarray(body.position) + np.asarray(body.velocity) * t - [0.0, 0.0, 0.5 * 9.81 * t * t]
        np.testing.assert_allclose(results.states.position[-1, k], fallen, atol=1e-9)
        np.testing.assert_allclose(results.states.angular_velocity[-1, k], body.angular_velocity, atol=1e-12)


def test_that_only_what_is_asked_for_is_placed(crowd, monkeypatch):
    """A run asks for each of its parts; were all bodies placed each time, bodies would cost their number squared."""
    placed = []
    own = PlacedModel.placed
    monkeypatch.setattr(PlacedModel, "placed", lambda self, path: (placed.append(path), own(self, path))[1])
    simulate(crowd)
    assert len(placed) < 10 * COUNT
    assert set(placed) == set(crowd.assembly.every("body"))
