"""z-x-z Euler angles: right away from theta = 0, lost near it, where Euler parameters do not notice."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import from_rotation_vector, multiply, rotation_matrix
from ridewright.core.project.examples import load_example
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.methods.euler_angles import (
    angle_rates,
    angles_of_matrix,
    hung_on_joint,
    matrix_of_angles,
    turn_body,
)

ANGLES = np.array([0.7, 1.2, -2.1])


def test_that_angles_and_matrices_belong_together():
    assert matrix_of_angles(ANGLES) == pytest.approx(
        Rotation.from_euler("ZXZ", ANGLES).as_matrix(), abs=1e-14
    )
    assert angles_of_matrix(matrix_of_angles(ANGLES)) == pytest.approx(ANGLES, abs=1e-14)
    with pytest.raises(InputError, match="Euler parameters"):
        angles_of_matrix(np.eye(3))


def test_that_rates_of_the_angles_are_those_of_the_turning_body():
    omega, dt = np.array([0.4, -1.1, 0.8]), 1e-5
    A = matrix_of_angles(ANGLES)
    ahead, behind = (
        angles_of_matrix(A @ Rotation.from_rotvec(s * dt * omega).as_matrix()) for s in (1.0, -1.0)
    )
    assert angle_rates(ANGLES, omega) == pytest.approx((ahead - behind) / (2.0 * dt), abs=1e-9)


def _passing(delta: float) -> np.ndarray:
    """A start from which a turn about xi takes zeta past the world's z at an angle delta (rad)."""
    return rotation_matrix(
        multiply(from_rotation_vector([0.0, delta, 0.0]), from_rotation_vector([-1.0, 0.0, 0.0]))
    )


def _error(delta: float, coordinates: str, step: float = 2e-3) -> float:
    """Error of the orientation after a turn by 2 rad about a principal axis, which is known exactly."""
    omega = np.array([2.0, 0.0, 0.0])
    A, w = turn_body([0.3, 0.5, 0.7], _passing(delta), omega, 1.0, step, coordinates)
    assert w == pytest.approx(np.broadcast_to(omega, w.shape), abs=1e-14)
    assert np.min(np.arccos(np.clip(A[:, 2, 2], -1.0, 1.0))) < delta + step
    return float(np.max(np.abs(A[-1] - _passing(delta) @ Rotation.from_rotvec(omega).as_matrix())))


def test_that_euler_angles_lose_all_accuracy_near_theta_zero_and_euler_parameters_none():
    deltas = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003)
    angles = [_error(d, "euler_angles") for d in deltas]
    parameters = [_error(d, "euler_parameters") for d in deltas]
    assert max(parameters) < 1e-12
    assert max(parameters) < 1.2 * min(parameters)
    assert all(near > 5.0 * far for far, near in pairwise(angles))
    assert angles[0] < 1e-11
    assert angles[-1] > 1e-5
    # away from the singular place both are of fourth order
    halves = [_error(0.3, c, 4e-2) / _error(0.3, c, 2e-2) for c in ("euler_angles", "euler_parameters")]
    assert np.log2(halves) == pytest.approx(4.0, abs=0.3)


@pytest.mark.parametrize("coordinates", ["euler_angles", "euler_parameters"])
def test_that_a_body_on_a_ball_joint_moves_as_the_solver_says(coordinates):
    """The spatial pendulum from its joint, against the equations with constraints and multipliers."""
    project = load_example("spatial_pendulum")
    (body,) = project.scenario.assembly.bodies
    (joint,) = project.scenario.assembly.joints
    about, moment = hung_on_joint(body.mass, body.inertia, joint.point_j, project.gravity)
    A, w = turn_body(
        about,
        rotation_matrix(body.orientation),
        body.angular_velocity,
        0.5,
        1e-3,
        coordinates,
        moment,
        "dopri5",
    )
    settings = SolverSettings(method="dopri5", fixed_step=1e-3)
    rig = project.scenario.model_copy(update={"duration": 0.5})
    states = simulate(project.model_copy(update={"scenario": rig, "settings": settings})).states
    assert np.max(np.abs(A @ -np.array(joint.point_j) - states.position[:, 0])) < 1e-8
    assert np.max(np.abs(w - states.angular_velocity[:, 0])) < 1e-7


@pytest.mark.parametrize("coordinates", ["euler_angles", "euler_parameters"])
def test_that_a_free_body_keeps_its_angular_momentum(coordinates):
    inertia, omega = np.array([0.3, 0.5, 0.7]), np.array([0.9, 1.4, -0.6])
    A, w = turn_body(inertia, matrix_of_angles(ANGLES), omega, 1.0, 1e-3, coordinates)
    momentum = np.einsum("nij,nj->ni", A, inertia * w)
    assert np.max(np.abs(momentum - momentum[0])) < 1e-8
    assert np.max(np.abs(w[-1] - w[0])) > 0.1
