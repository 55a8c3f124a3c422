"""Phi, its rate, its Jacobian and gamma against finite differences of each other at general poses."""

from __future__ import annotations

import numpy as np
import pytest
from rigs import every_guide, every_joint, random_velocity

from ridewright.core.multibody.acceleration_kernels import acceleration_rhs
from ridewright.core.multibody.arrays import GAMMA, PHI, PHIDOT
from ridewright.core.multibody.compile import System, compile_system
from ridewright.core.multibody.constraint_kernels import constraints, velocity_residual
from ridewright.core.project.project import Project
from ridewright.core.solver.kkt import dense_jacobian, move

TIME = 0.37
STEP = 1e-5


def pose_after(system: System, dx: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    s = system.start
    r, p, L = s.r.copy(), s.p.copy(), s.path.copy()
    move(system.arrays, s.r, s.p, s.path, dx, r, p, L)
    return r, p, L


def phi(system: System, dx: np.ndarray, t: float = TIME) -> np.ndarray:
    W = system.new_work()
    constraints(system.arrays, W, t, *pose_after(system, dx))
    return W.row[PHI].copy()


def rate(system: System, dx: np.ndarray, u: np.ndarray, t: float) -> np.ndarray:
    W = system.new_work()
    constraints(system.arrays, W, t, *pose_after(system, dx))
    velocity_residual(system.arrays, W, u, W.row[PHIDOT])
    return W.row[PHIDOT].copy()


PROJECTS = {
    "joints": every_joint(),
    "joints, other pose": every_joint(21),
    "guides": every_guide(),
    "guides, frenet": every_guide("frenet"),
    "guides, rotation-minimising": every_guide("rotation_minimising"),
}


@pytest.fixture(params=list(PROJECTS), ids=list(PROJECTS))
def system(request: pytest.FixtureRequest) -> System:
    project: Project = PROJECTS[request.param]
    return compile_system(project)


def test_that_the_jacobian_is_the_derivative_of_phi_by_the_pose(system: System) -> None:
    W = system.new_work()
    constraints(system.arrays, W, TIME, system.start.r, system.start.p, system.start.path)
    G = dense_jacobian(system, W)
    numeric = np.empty_like(G)
    for k in range(system.coordinates):
        d = np.zeros(system.coordinates + 6)
        d[k] = STEP
        numeric[:, k] = (phi(system, d) - phi(system, -d)) / (2 * STEP)
    # central differences with step 1e-5: truncation and rounding both near 1e-9
    np.testing.assert_allclose(G, numeric, atol=2e-8)


def test_that_the_velocity_residual_is_the_rate_of_phi_along_the_motion(system: System) -> None:
    u = random_velocity(system)
    h = 1e-5
    numeric = (phi(system, h * u, TIME + h) - phi(system, -h * u, TIME - h)) / (2 * h)
    np.testing.assert_allclose(rate(system, 0 * u, u, TIME), numeric, atol=5e-8)


def test_that_gamma_is_what_the_rate_of_phi_changes_by_without_acceleration(system: System) -> None:
    u = random_velocity(system)
    W = system.new_work()
    constraints(system.arrays, W, TIME, system.start.r, system.start.p, system.start.path)
    acceleration_rhs(system.arrays, W, u)
    h = 1e-5
    numeric = -(rate(system, h * u, u, TIME + h) - rate(system, -h * u, u, TIME - h)) / (2 * h)
    np.testing.assert_allclose(W.row[GAMMA], numeric, rtol=1e-6, atol=2e-6)


def test_that_the_linear_table_gives_the_smooth_rows_at_its_own_places() -> None:
    smooth, table = compile_system(every_guide()), compile_system(every_guide(path="table"))
    gap = []
    for s in (smooth, table):
        W = s.new_work()
        constraints(s.arrays, W, TIME, s.start.r, s.start.p, np.array([25.0, 25.2, 25.4]))
        gap.append((W.row[PHI].copy(), W.gx.copy()))
    # 25.0, 25.2 and 25.4 m are rows of a 0.2 m table, where lookup and curve agree; the other rows hold constants
    # measured at the start pose, which lies between rows
    np.testing.assert_allclose(gap[0][0][:9], gap[1][0][:9], atol=1e-9)
    np.testing.assert_allclose(gap[0][1], gap[1][1], atol=1e-9)
