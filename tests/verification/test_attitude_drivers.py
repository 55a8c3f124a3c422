"""Drivers of a body's roll, pitch and yaw against the rotation they prescribe, and the moments it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.functions import AnalyticFunction, Harmonic, TableFunction
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

INERTIA = np.array([0.4, 0.7, 0.9])
SWINGS = {"yaw": (2.0, 1.3), "pitch": (0.6, 2.1), "roll": (0.8, 1.7)}  # amplitude (rad) and frequency (rad/s)


def swing(name: str) -> AnalyticFunction:
    amplitude, omega = SWINGS[name]
    return AnalyticFunction(harmonics=(Harmonic(amplitude=amplitude, omega=omega),))


def table(drivers: dict[str, AnalyticFunction], *, fixed: bool = True, **body) -> Project:
    """A body on a ball joint at its centre, or in the air, with drivers of its attitude."""
    top = Body(name="Table", mass=3.0, inertia=tuple(INERTIA), position=(0.0, 0.0, 1.0), **body)
    ball = Joint(name="Ball", kind="spherical", body_i="ground", body_j="Table", point_i=(0.0, 0.0, 1.0))
    made = tuple(
        Driver(name=name, target="Table", coordinate=name, function=f) for name, f in drivers.items()
    )
    rig = Assembly(name="Rig", role="rig", bodies=(top,), joints=(ball,) if fixed else (), drivers=made)
    settings = SolverSettings(tolerance=1e-8, rho_infinity=1.0, max_step=2e-3)
    return Project(name="Table", scenario=Rig(assembly=rig, duration=3.0), settings=settings)


def turned(yaw: np.ndarray, pitch: np.ndarray, roll: np.ndarray) -> np.ndarray:
    """Rz(yaw) Ry(pitch) Rx(roll), written out (Diebel 2006, sequence 3-2-1, transposed)."""
    cz, sz, cy, sy, cx, sx = (
        np.cos(yaw),
        np.sin(yaw),
        np.cos(pitch),
        np.sin(pitch),
        np.cos(roll),
        np.sin(roll),
    )
    rows = [
        [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
        [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
        [-sy, cy * sx, cy * cx],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def angles(t: np.ndarray) -> list[np.ndarray]:
    return [SWINGS[name][0] * np.sin(SWINGS[name][1] * t) for name in ("yaw", "pitch", "roll")]


def run(project: Project) -> Results:
    results = simulate(project)
    assert results.status.name == "done"
    return results


def test_that_all_three_together_prescribe_the_rotation() -> None:
    results = run(table({name: swing(name) for name in SWINGS}))
    t, s = results.states.time, results.states
    assert rotation_matrix(s.orientation[:, 0]) == pytest.approx(turned(*angles(t)), abs=1e-7)
    _, pitch, roll = angles(t)
    dyaw, dpitch, droll = (
        SWINGS[n][0] * SWINGS[n][1] * np.cos(SWINGS[n][1] * t) for n in ("yaw", "pitch", "roll")
    )
    spin = np.stack(
        [
            droll - dyaw * np.sin(pitch),
            dpitch * np.cos(roll) + dyaw * np.cos(pitch) * np.sin(roll),
            dyaw * np.cos(pitch) * np.cos(roll) - dpitch * np.sin(roll),
        ],
        axis=1,
    )
    assert s.angular_velocity[:, 0] == pytest.approx(spin, abs=1e-6)
    kinetic = 0.5 * np.sum(INERTIA * spin**2, axis=1)
    assert results.energy.kinetic == pytest.approx(kinetic, abs=1e-5)
    # the work of the drivers is what the body has gained
    assert results.energy.driven - results.energy.driven[0] == pytest.approx(kinetic - kinetic[0], abs=2e-4)


@pytest.mark.parametrize("method", ["rk4", "generalized_alpha"])
def test_that_one_angle_alone_leaves_the_others_free(method: str) -> None:
    """A driven yaw with free roll and pitch: the driver holds the longitudinal axis in an upright plane, so that its
    moment, the change of the angular momentum, has no part about that axis, nor about the normal of that plane."""
    driven = table({"yaw": swing("yaw")}, angular_velocity=(0.3, 0.0, 2.6))
    settings = {"method": method, "fixed_step": 1e-3}
    driven = driven.model_copy(update={"settings": driven.settings.model_copy(update=settings)})
    results = run(driven)
    t, s = results.states.time, results.states
    A = rotation_matrix(s.orientation[:, 0])
    yaw = np.unwrap(np.arctan2(A[:, 1, 0], A[:, 0, 0]))
    assert yaw == pytest.approx(SWINGS["yaw"][0] * np.sin(SWINGS["yaw"][1] * t), abs=1e-6)
    momentum = np.einsum("nij,nj->ni", A, INERTIA * s.angular_velocity[:, 0])
    moment = np.gradient(momentum, t, axis=0)[5:-5]
    normal = np.stack([-np.sin(yaw), np.cos(yaw), np.zeros_like(yaw)], axis=1)
    for free in (A[:, :, 0], normal):
        assert np.abs(np.einsum("ni,ni->n", moment, free[5:-5])).max() < 2e-3 * np.abs(moment).max()


def test_that_a_body_turns_on_and_on_and_from_where_it_is_drawn() -> None:
    """Three turns of yaw, and a table of roll counted from the drawn pose."""
    quarter = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    spun = run(
        table(
            {"yaw": AnalyticFunction(rate=2.0 * math.pi)}, orientation=quarter, angular_velocity=(0, 0, 6.28)
        )
    )
    A, t = rotation_matrix(spun.states.orientation[:, 0]), spun.states.time
    assert A[:, 0, 0] == pytest.approx(np.cos(0.5 * math.pi + 2.0 * math.pi * t), abs=1e-6)
    tilt = TableFunction(times=(0.0, 1.0, 2.0, 3.0), values=(0.0, 0.5, 0.2, 0.2))
    held = {"roll": tilt, "pitch": AnalyticFunction(), "yaw": AnalyticFunction()}
    drawn = (math.cos(0.15), math.sin(0.15), 0.0, 0.0)  # a roll of 0.3 rad
    rolled = run(table(held, orientation=drawn))
    A = rotation_matrix(rolled.states.orientation[:, 0])
    k = np.searchsorted(rolled.states.time, 1.0)
    assert math.atan2(A[k, 2, 1], A[k, 2, 2]) == pytest.approx(0.8, abs=1e-4)
    assert A[:, 0, 0] == pytest.approx(1.0, abs=1e-8)


def test_that_a_pitch_over_the_vertical_is_refused() -> None:
    steep = AnalyticFunction(harmonics=(Harmonic(amplitude=1.6, omega=1.0),))
    for function in (steep, AnalyticFunction(rate=0.1)):
        with pytest.raises(InputError, match=r"Driver 'pitch' pitches a body by more than 1\.5 rad"):
            compile_system(table({"pitch": function}))
