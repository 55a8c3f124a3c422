"""Losses along the path against closed forms: air drag, rolling resistance proportional to the wheel force."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import Force
from ridewright.core.model.forces.air_drag import AirDrag
from ridewright.core.model.forces.rolling_resistance import RollingResistance
from ridewright.core.model.guides import Guide
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride, SolverSettings
from ridewright.core.run.simulate import simulate
from ridewright.core.track.description import ControlPoint, SplineSection, Track

MASS, SPEED, GRAVITY = 7.0, 20.0, 9.81


def coasting(slope: float, force: Force, duration: float = 4.0) -> Project:
    """A body guided with its frame along a straight track that falls with a slope (rad)."""
    ends = [(0.0, 0.0, 0.0), (400.0 * math.cos(slope), 0.0, -400.0 * math.sin(slope))]
    points = tuple(ControlPoint(x=x, y=y, z=z, cant=0.0, straight=True) for x, y, z in ends)
    body = Body(name="sled", mass=MASS, inertia=(0.5, 0.6, 0.7), position=(0.0, 0.0, 0.0))
    guide = Guide(name="runner", kind="full", body="sled")
    return Project(
        name="coasting",
        track=Track(
            name="straight", closed=False, sections=(SplineSection(kind="spline", name="all", points=points),)
        ),
        train=Assembly(
            name="Train",
            role="train",
            children=(Assembly(role="car", name="Car", bodies=(body,), guides=(guide,), forces=(force,)),),
        ),
        scenario=Ride(start=5.0, speed=SPEED, duration=duration),
        settings=SolverSettings(tolerance=1e-8, max_step=0.005),
    )


def test_that_air_drag_slows_as_one_over_time() -> None:
    """m dv/dt = -k v^2 with k = rho Cd A / 2: v = v0 / (1 + k v0 t / m)."""
    drag = AirDrag(kind="air_drag", name="air", body="sled", drag_area=0.9, density=1.2)
    results = simulate(coasting(0.0, drag))
    k = 0.5 * 1.2 * 0.9
    s = results.states
    np.testing.assert_allclose(s.path_speed[:, 0], SPEED / (1.0 + k * SPEED * s.time / MASS), rtol=1e-6)
    lost = 0.5 * MASS * (SPEED**2 - s.path_speed[-1, 0] ** 2)
    assert results.energy.drag[-1] == pytest.approx(lost, rel=1e-6)


@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_that_rolling_resistance_takes_its_share_of_the_weight_on_the_path(slope: float) -> None:
    """dv/dt = g sin a - mu g cos a, as the path carries m g cos a."""
    mu = 0.03
    roll = RollingResistance(kind="rolling_resistance", name="roll", guide="runner", coefficient=mu)
    s = simulate(coasting(slope, roll)).states
    rate = GRAVITY * (math.sin(slope) - mu * math.cos(slope))
    np.testing.assert_allclose(s.path_speed[:, 0], SPEED + rate * s.time, rtol=1e-6)


def test_that_losses_are_zero_unless_asked_for() -> None:
    roll = RollingResistance(kind="rolling_resistance", name="roll", guide="runner")
    results = simulate(coasting(0.0, roll))
    np.testing.assert_allclose(results.states.path_speed[:, 0], SPEED, rtol=1e-12)
    assert np.abs(results.energy.drag).max() == 0.0
