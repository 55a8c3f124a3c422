"""Force elements: forces are the gradient of what they store, powers add up, tangents match differences."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from rigs import every_force, random_velocity

from ridewright.core.model.forces.joint_stop import STOP
from ridewright.core.multibody.arrays import FORCE, PAIR, ints
from ridewright.core.multibody.compile import State, System, compile_system
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.force_kernels import forces
from ridewright.core.multibody.tangent_kernels import tangent
from ridewright.core.project.scenario import Rig
from ridewright.core.solver.assemble import assemble
from ridewright.core.solver.kkt import move, new_factor

TIME = 0.37


def consistent(system: System, seed: int = 2) -> tuple[System, State]:
    """A general pose and velocity in which all joints hold, far from the drawn one."""
    s = system.start
    d = np.zeros(system.coordinates + 6)
    d[: system.coordinates] = 0.3 * np.random.default_rng(seed).standard_normal(system.coordinates)
    r, p, L = s.r.copy(), s.p.copy(), s.path.copy()
    move(system.arrays, s.r, s.p, s.path, d, r, p, L)
    moved = dataclasses.replace(system, start=State(0.0, r, p, L, random_velocity(system, seed + 1)))
    state, _ = assemble(moved, new_factor(moved))
    return moved, state


def evaluate(
    system: System, state: State, dx: np.ndarray, u: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forces, element outputs and powers after moving a state's pose by dx."""
    r, p, L = state.r.copy(), state.p.copy(), state.path.copy()
    move(system.arrays, state.r, state.p, state.path, dx, r, p, L)
    W = system.new_work()
    constraints(system.arrays, W, TIME, r, p, L)
    forces(system.arrays, W, u, np.zeros(system.rows))
    return W.vel[FORCE].copy(), W.el.copy(), W.power.copy()


@pytest.mark.parametrize("seed", [2, 6, 17])
@pytest.mark.parametrize("damping", [False, True])
def test_that_forces_do_what_the_energies_and_powers_say(seed: int, damping: bool) -> None:
    """F.u = gravity's power - rate of stored energy - dissipated - drag + applied, for motions the joints allow."""
    project = every_force(damping=damping)
    system, state = consistent(compile_system(project), seed)
    u, h = state.u, 1e-6
    force, elements, (dissipated, drag, applied) = evaluate(system, state, 0 * u, u)
    stored_rate = (evaluate(system, state, h * u, u)[1] - evaluate(system, state, -h * u, u)[1])[
        :, 3
    ].sum() / (2 * h)
    masses = [b.mass for b in project.scenario.assembly.bodies]  # type: ignore[union-attr]
    weight = sum(-9.81 * m * u[6 * b + 2] for b, m in enumerate(masses))
    loaded = dict(zip(system.elements, np.abs(elements[:, 2]), strict=True))
    belts = [f"{name} segment {k}" for name in ("b1", "b2") for k in range(1, 5)]
    assert all(loaded[name] > 1e-3 for name in ("s1", "s2", "r1", "r2", "r3", *belts))
    assert (dissipated > 0.01) == damping
    assert (drag > 1e-3) == damping
    assert force @ u == pytest.approx(weight - stored_rate - dissipated - drag + applied, rel=2e-6)


def test_that_stops_push_in_some_tested_pose() -> None:
    closed = []
    for seed in (2, 6, 17):
        system, state = consistent(compile_system(every_force()), seed)
        elements = evaluate(system, state, 0 * state.u, state.u)[1]
        named = dict(zip(system.elements, elements[:, 2], strict=True))
        closed += [name for name in ("t1", "t2") if abs(named[name]) > 1e-3]
    assert {"t1", "t2"} <= set(closed)


def test_that_internal_forces_leave_momentum_alone() -> None:
    """Springs between free bodies: total force and total moment about the origin vanish."""
    project = every_force(damping=False)
    system = compile_system(project.model_copy(update={"gravity": (0.0, 0.0, 0.0)}))
    system, state = consistent(system)
    u, r = state.u, state.r
    W = system.new_work()
    constraints(system.arrays, W, TIME, r, state.p, state.path)
    total_before = np.zeros(6)
    ground = W.vel[FORCE]
    forces(system.arrays, W, u, np.zeros(system.rows))
    n = system.coordinates
    inertia = np.array([b.inertia for b in project.scenario.assembly.bodies])  # type: ignore[union-attr]
    for b in range(system.bodies):
        f = ground[6 * b : 6 * b + 3]
        w = u[6 * b + 3 : 6 * b + 6]
        gyroscopic = -np.cross(w, inertia[b] * w)
        m = W.A[b] @ (ground[6 * b + 3 : 6 * b + 6] - gyroscopic)
        total_before[:3] += f
        total_before[3:] += np.cross(r[b], f) + m
    # the ground's slots receive what the bodies do not
    total_before[:3] += ground[n : n + 3]
    total_before[3:] += ground[n + 3 : n + 6]
    np.testing.assert_allclose(total_before, 0.0, atol=1e-10)


@pytest.mark.parametrize(
    "changes",
    [
        {"s1": {"free_length": 0.05, "damping": 2.0}, "s2": {"free_length": 0.05, "damping": 2.0}},
        {"b1": {"damping": 2.0}},
        {"b2": {"damping": 2.0}},
    ],
)
def test_that_the_tangent_is_the_symmetric_part_of_the_force_derivatives(
    changes: dict[str, dict[str, float]],
) -> None:
    """K and C of loaded spring-dampers, and of belts, at a general pose."""
    project = every_force().model_copy(update={"gravity": (0.0, 0.0, 0.0)})
    assembly = project.scenario.assembly  # type: ignore[union-attr]
    pulled = tuple(f.model_copy(update=changes[f.name]) for f in assembly.forces if f.name in changes)
    project = project.model_copy(
        update={"scenario": Rig(assembly=assembly.model_copy(update={"forces": pulled}))}
    )
    system = compile_system(project)
    n, h = system.coordinates, 1e-6
    zero = np.zeros(n + 6)
    K, C = np.zeros((n, n)), np.zeros((n, n))
    for k in range(n):
        e = zero.copy()
        e[k] = h
        K[:, k] = -(evaluate(system, system.start, e, zero)[0] - evaluate(system, system.start, -e, zero)[0])[
            :n
        ] / (2 * h)
        C[:, k] = -(evaluate(system, system.start, zero, e)[0] - evaluate(system, system.start, zero, -e)[0])[
            :n
        ] / (2 * h)
    for cC, cK, numeric in ((0.0, 1.0, K), (1.0, 0.0, C)):
        W = system.new_work()
        s = system.start
        constraints(system.arrays, W, TIME, s.r, s.p, s.path)
        forces(system.arrays, W, zero, np.zeros(system.rows))
        tangent(system.arrays, W, zero, np.zeros(system.rows), 0.0, cC, cK, np.zeros(0))
        H = np.zeros((n, n))
        for b in range(system.bodies):
            low = np.tril(W.Hd[b])
            H[6 * b : 6 * b + 6, 6 * b : 6 * b + 6] = low + np.tril(low, -1).T
        for q, (i, j) in enumerate(ints(system.arrays, PAIR)):
            if max(i, j) < system.bodies:
                H[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] += W.Ho[q]
                H[6 * j : 6 * j + 6, 6 * i : 6 * i + 6] += W.Ho[q].T
        np.testing.assert_allclose(H, (numeric + numeric.T) / 2, atol=2e-6)


@pytest.mark.parametrize(("x", "rate"), [(0.3, 0.2), (-0.5, -0.1), (0.25, -3.0), (0.0, 1.0)])
def test_that_a_stop_never_pulls_and_stores_the_integral_of_its_force(x: float, rate: float) -> None:
    law = np.array([40.0, 1.5, 0.4, -0.2, 0.1])
    f, _, _, energy, _ = STOP.evaluate(law, x, rate, np.zeros(0), 0.0)
    assert f * x >= 0.0
    depth = max(0.0, x - 0.1, -0.2 - x)
    assert energy == pytest.approx(40.0 * depth**2.5 / 2.5, rel=1e-12)
