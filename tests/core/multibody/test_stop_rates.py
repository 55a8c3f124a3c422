"""Rates of the coordinates of joint stops, from stored states: what the coordinates of the kernels change by."""

from __future__ import annotations

import numpy as np
import pytest
from rigs import every_force
from test_forces import consistent, evaluate

from ridewright.core.multibody.compile import State, System, compile_system
from ridewright.core.results.results import States
from ridewright.core.run.events import watched_elements


def _one_instant(system: System, state: State, length: np.ndarray) -> States:
    nb = system.bodies
    u = state.u[: 6 * nb].reshape(1, nb, 6)
    none = np.zeros((1, 0))
    return States(
        time=np.zeros(1), position=state.r[None, :nb], orientation=state.p[None, :nb], velocity=u[:, :, :3],
        angular_velocity=u[:, :, 3:], acceleration=0.0 * u[:, :, :3], angular_acceleration=0.0 * u[:, :, :3],
        path_coordinate=none, path_speed=none, path_acceleration=none, reactions=np.zeros((1, 0, 6)),
        spring_force=0.0 * length[None], spring_length=length[None],
    )  # fmt: skip


@pytest.mark.parametrize("seed", [2, 6, 17])
def test_that_rates_of_stops_are_the_change_of_their_coordinates(seed: int) -> None:
    system, state = consistent(compile_system(every_force()), seed)
    h = 1e-6
    at = {k: evaluate(system, state, k * h * state.u, state.u)[1][:, 0] for k in (-1, 0, 1)}
    stops = watched_elements(system, _one_instant(system, state, at[0]))
    assert [stop.name for stop in stops] == ["t1", "t2"]
    for stop in stops:
        k = system.elements.index(stop.name)
        change = (at[1][k] - at[-1][k]) / (2.0 * h)
        assert stop.value[0] == at[0][k]
        assert abs(change) > 0.01
        assert stop.rate(np.array([0]))[0] == pytest.approx(change, rel=1e-6, abs=1e-8)
