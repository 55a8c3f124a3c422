"""How the explicit methods keep constraints: feedback, correction, penalties, partitioning."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import null_space

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import (
    conjugate,
    from_rotation_vector,
    multiply,
    rotation_matrix,
    rotation_vector,
)
from ridewright.core.multibody.arrays import PHI, PHIDOT
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.constraint_kernels import constraints, velocity_residual
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.kkt import SWEEPS, Form, dense_jacobian
from ridewright.core.solver.methods.correction import CORRECTED, LOST, NOTHING, Change, Correction, correct
from ridewright.core.solver.methods.partition import angular_velocity_matrix, rate_of_rotation_vector, split
from ridewright.core.solver.methods.rates import Moving, Rates, Spare, form_of, rates

CHAIN = "spatial_double_pendulum"


def _project(name: str, duration: float | None = None, **settings: object) -> Project:
    project = load_example(name)
    new = SolverSettings.model_validate({**dict(project.settings), **settings})
    rig = project.scenario
    if duration is not None:
        rig = rig.model_copy(update={"duration": duration})
    return project.model_copy(update={"scenario": rig, "settings": new})


def _run(name: str, duration: float | None = None, **settings: object) -> Results:
    results = simulate(_project(name, duration, **settings))
    assert results.status.complete, results.status
    return results


def _pushed(project: Project, velocities: list[tuple[float, float, float]]) -> Project:
    """The rig with other initial velocities of its bodies, whatever its joints say."""
    assembly = project.scenario.assembly
    bodies = tuple(
        b.model_copy(update={"velocity": v}) for b, v in zip(assembly.bodies, velocities, strict=True)
    )
    rig = project.scenario.model_copy(update={"assembly": assembly.model_copy(update={"bodies": bodies})})
    return project.model_copy(update={"scenario": rig})


def _gap(results: Results) -> np.ndarray:
    """Place of the first body's joint point against the origin over time (n, 3), the Phi of its ball joint."""
    s = results.states
    return s.position[:, 0] + rotation_matrix(s.orientation[:, 0]) @ [-0.3, 0.0, 0.0]


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.0), (1.0, 1.41), (5.0, 3.0), (4.0, 4.0)])
def test_that_a_violation_dies_out_as_the_feedback_says(alpha, beta):
    """Phi'' + 2 alpha Phi' + beta^2 Phi = 0 whatever the mechanism does, from a velocity that violates Phi' = 0."""
    push = (0.1, -0.2, 0.3)
    settings = {"method": "dopri5", "fixed_step": 2e-3, "initial_velocities": "keep"}
    project = _project(
        "ellipsoid_double_pendulum", 2.0, **settings, baumgarte_alpha=alpha, baumgarte_beta=beta
    )
    results = simulate(_pushed(project, [push, (0.4, 0.0, -0.1)]))
    law = solve_ivp(
        lambda _, z: [z[1], -2.0 * alpha * z[1] - beta**2 * z[0]],
        (0.0, 2.0), [0.0, 1.0], "DOP853", t_eval=results.states.time, rtol=1e-11, atol=1e-13,
    )  # fmt: skip
    assert np.max(np.abs(_gap(results) - law.y[0][:, None] * push)) < 1e-8
    assert results.violations.velocity[0] > 0.3


def test_that_the_one_over_h_rule_is_the_feedback_with_those_numbers():
    h = 4e-3
    settings = {"method": "rk4", "fixed_step": h, "duration": 0.4}
    rule = _run(CHAIN, **settings, stabilisation="baumgarte_step")
    numbers = _run(CHAIN, **settings, baumgarte_alpha=1.0 / h, baumgarte_beta=np.sqrt(2.0) / h)
    assert np.array_equal(rule.states.position, numbers.states.position)
    none = _run(CHAIN, **settings, stabilisation="none")
    assert not np.array_equal(rule.states.position, none.states.position)


@pytest.mark.parametrize("weight", ["mass", "none"])
@pytest.mark.parametrize("method", ["rk2", "adaptive_rk45", "adaptive_adams"])
def test_that_correction_keeps_violations_within_its_tolerances(method, weight):
    loose = {"relative_tolerance": 1e-4, "absolute_tolerance": 1e-6, "max_step": 0.5}
    settings = {"method": method, "fixed_step": 2e-3, **loose}
    free = _run(CHAIN, 1.0, **settings, stabilisation="none")
    eps = {"correction_tolerance": 1e-7, "correction_velocity_tolerance": 1e-6, "correction_weight": weight}
    held = _run(CHAIN, 1.0, **settings, **eps, stabilisation="correction")
    assert np.max(free.violations.joints) > 1e-6
    assert np.max(free.violations.velocity) > 1e-5
    assert np.max(held.violations.joints) <= 1e-7
    assert np.max(held.violations.velocity) <= 1e-6


@pytest.mark.parametrize("method", ["adaptive_bdf", "adaptive_adams"])
def test_that_a_solver_goes_on_from_the_corrected_state(method):
    """After a correction the drift starts again near zero and grows: it is not corrected at every step."""
    eps = {"correction_tolerance": 5e-4, "correction_velocity_tolerance": 1.0}
    drift = _run(
        "ellipsoid_pendulum", 5.0, method=method, stabilisation="correction", **eps
    ).violations.joints
    falls = np.flatnonzero(np.diff(drift) < -2e-4)
    assert 10 < len(falls) < 0.5 * len(drift)


def test_that_penalty_settings_are_the_feedback_they_stand_for():
    settings = {"penalty": 1e5, "penalty_omega": 20.0, "penalty_damping": 0.5, "lagrangian_iterations": 7}
    assert form_of(SolverSettings(formulation="penalty", **settings), 0.1) == Form(10.0, 20.0, 1e5, 1)
    assert form_of(SolverSettings(formulation="augmented_lagrangian", **settings), 0.1).passes == 8


def _violating(name: str) -> tuple[Engine, tuple[np.ndarray, ...]]:
    """An engine and a state near its start at which positions and velocities violate the joints."""
    engine = Engine.prepare(compile_system(load_example(name)), SolverSettings())
    rng = np.random.default_rng(5)
    s, nb = engine.state, engine.system.bodies
    r, p, u = s.r.copy(), s.p.copy(), s.u.copy()
    r[:nb] += 1e-4 * rng.standard_normal((nb, 3))
    p[:nb] = multiply(p[:nb], from_rotation_vector(1e-4 * rng.standard_normal((nb, 3))))
    u[: 6 * nb] += 1e-2 * rng.standard_normal(6 * nb)
    return engine, (r, p, s.path.copy(), u)


def _corrected(
    engine: Engine, state: tuple[np.ndarray, ...], how: Correction
) -> tuple[int, tuple[np.ndarray, ...]]:
    system, (r, p, L, u) = engine.system, tuple(x.copy() for x in state)
    m, ng, nu = system.rows, len(system.guides), system.coordinates
    code = correct(
        system.arrays, engine.work, engine.factor, Spare(np.zeros(m), np.zeros(ng)), how, 0.0,
        Moving(r, p, L, u), Change(np.zeros(nu + 6), np.zeros(m)),
    )  # fmt: skip
    return code, (r, p, L, u)


@pytest.mark.parametrize("name", [CHAIN, "bricard", "four_bar"])
@pytest.mark.parametrize("by_mass", [1, 0])
def test_that_a_correction_is_the_smallest_of_its_weight(name, by_mass):
    """The change is M^-1 times (or just) a combination of constraint rows: nothing along the free motion."""
    engine, state = _violating(name)
    code, (_, _, _, u) = _corrected(engine, state, Correction(1, 1e-12, 1e-13, by_mass))
    assert code == CORRECTED
    system, W = engine.system, engine.work
    G = dense_jacobian(system, W)
    velocity_residual(system.arrays, W, u, W.row[PHIDOT])
    assert np.max(np.abs(W.row[PHIDOT])) < 1e-11
    change = (u - state[3])[: system.coordinates]
    bodies = load_example(name).scenario.assembly.bodies
    weight = np.concatenate([[b.mass] * 3 + list(b.inertia) for b in bodies]) if by_mass else 1.0
    assert np.max(np.abs(change)) > 1e-4
    assert np.max(np.abs(null_space(G, rcond=1e-9).T @ (weight * change))) < 1e-10


def test_that_positions_are_corrected_by_turning_and_moving_bodies():
    engine, state = _violating("four_bar")
    code, (r, p, L, _) = _corrected(engine, state, Correction(1, 1e-12, 10.0, 1))
    constraints(engine.system.arrays, engine.work, 0.0, r, p, L)
    assert code == CORRECTED
    assert np.max(np.abs(engine.work.row[PHI])) <= 1e-12
    turn = rotation_vector(multiply(conjugate(state[1][:-1]), p[:-1]))
    assert 1e-6 < np.max(np.abs(turn)) < 1e-2
    assert np.linalg.norm(p[:-1], axis=1) == pytest.approx(1.0, abs=1e-14)


def test_that_a_state_within_tolerance_is_left_alone_and_a_hopeless_one_given_up():
    engine, state = _violating("four_bar")
    code, same = _corrected(engine, state, Correction(1, 1.0, 1.0, 1))
    assert code == NOTHING
    assert all(np.array_equal(a, b) for a, b in zip(same, state, strict=True))
    state[0][0] = np.nan
    assert _corrected(engine, state, Correction(1, 1e-6, 1e-6, 1))[0] == LOST


def _accelerations(form: Form) -> tuple[np.ndarray, np.ndarray]:
    engine, (r, p, L, u) = _violating(CHAIN)
    system = engine.system
    m, nb, nu = system.rows, system.bodies, system.coordinates
    udot, lam = np.zeros(nu + 6), np.zeros(m)
    assert rates(
        system.arrays, engine.work, engine.factor, Spare(np.zeros(m), np.zeros(0)), form, 0.0,
        Moving(r, p, L, u), Rates(np.zeros((nb, 4)), udot, lam),
    )  # fmt: skip
    return udot[:nu], dense_jacobian(system, engine.work).T @ lam


def test_that_the_augmented_lagrangian_ends_at_the_augmented_equations_and_the_penalty_near_them():
    """Both with Omega = 8 1/s and mu = 0.7, where positions and velocities violate the constraints."""
    omega, mu = 8.0, 0.7
    exact, force = _accelerations(Form(omega * mu, omega, 0.0, SWEEPS))
    lagrangian, its_force = _accelerations(Form(omega * mu, omega, 1e4, 40))
    size = np.max(np.abs(exact))
    assert np.max(np.abs(lagrangian - exact)) < 1e-8 * size
    assert np.max(np.abs(its_force - force)) < 1e-8 * np.max(np.abs(force))
    gaps = [np.max(np.abs(_accelerations(Form(omega * mu, omega, P, 1))[0] - exact)) for P in (1e5, 1e6)]
    assert gaps[0] / gaps[1] == pytest.approx(10.0, rel=0.05)
    assert gaps[1] > 1e-7 * size


def test_that_settings_reach_the_penalty_forms():
    """The drift of a penalty run is that of its factor; iterations of the multipliers remove it."""
    settings = {"method": "rk4", "fixed_step": 1e-3, "duration": 0.5, "penalty_omega": 20.0}
    drift = [
        np.max(_run("four_bar", **settings, formulation="penalty", penalty=P).violations.joints)
        for P in (1e4, 1e5)
    ]
    assert drift[0] / drift[1] == pytest.approx(10.0, rel=0.2)
    exact = _run("four_bar", **settings, formulation="augmented_lagrangian", penalty=1e5)
    assert np.max(exact.violations.joints) < 0.01 * drift[1]


def test_that_rates_of_rotation_vectors_are_those_of_the_rotation():
    """Against differences of p0 o exp(x), at small and large vectors, and as each other's inverse."""
    rng = np.random.default_rng(2)
    x = np.array([0.003, 0.6, 2.5])[:, None] * rng.standard_normal((3, 3)) / np.sqrt(3.0)
    omega, dt = rng.standard_normal((3, 3)), 1e-5
    ahead, behind = (
        rotation_vector(multiply(from_rotation_vector(x), from_rotation_vector(sign * dt * omega)))
        for sign in (1.0, -1.0)
    )
    rate = rate_of_rotation_vector(x, omega)
    assert np.max(np.abs(rate - (ahead - behind) / (2.0 * dt))) < 1e-9
    assert np.einsum("nij,nj->ni", angular_velocity_matrix(x), rate) == pytest.approx(omega, abs=1e-10)


def test_that_coordinates_split_into_free_ones_and_those_they_determine():
    rng = np.random.default_rng(8)
    G = rng.standard_normal((4, 9))
    G = np.vstack([G, G[1] - 2.0 * G[3]])  # a row that others imply
    free, bound, rows = split(G)
    assert sorted([*free, *bound]) == list(range(9))
    assert (len(free), len(bound), len(rows)) == (5, 4, 4)
    assert np.linalg.cond(G[np.ix_(rows, bound)]) < 30.0
    free, bound, rows = split(np.zeros((0, 6)))
    assert (len(free), len(bound), len(rows)) == (6, 0, 0)


@pytest.mark.parametrize(
    ("name", "step", "duration"),
    [
        ("four_bar", 4e-3, 0.6),
        ("bricard", 4e-3, 0.6),
        ("driven_crank", 4e-3, 0.4),
        ("free_body", 4e-3, 0.4),
        ("heavy_top", 4e-4, 0.1),
    ],
)
def test_that_partitioning_neither_drifts_nor_leaves_the_other_methods(name, step, duration):
    """Loops, redundant rows, drivers, no constraint at all, fast spin."""
    settings = {"method": "dopri5", "fixed_step": step, "duration": duration}
    parted = _run(name, **settings, formulation="partitioning")
    other = _run(name, **settings)
    assert np.max(parted.violations.joints) < 1e-10
    assert np.max(parted.violations.velocity) < 1e-9
    assert np.max(np.abs(parted.states.position - other.states.position)) < 2e-7


def test_that_a_run_that_loses_its_dependent_coordinates_ends_with_advice():
    """Ellipsoids that spin several turns a step cannot be followed."""
    settings = {"method": "rk4", "fixed_step": 0.05, "formulation": "partitioning"}
    results = simulate(_pushed(_project(CHAIN, 1.0, **settings), [(0.0, 900.0, 0.0), (0.0, -900.0, 700.0)]))
    assert results.status.name == "failed"
    assert "smaller" in results.status.advice


@pytest.mark.parametrize("method", ["rk4", "adaptive_rk45"])
def test_that_violating_velocities_are_projected_refused_or_kept_as_asked(method):
    project = _pushed(_project("ellipsoid_pendulum", 0.05, method=method), [(0.1, 0.1, 0.1)])

    def start(choice: str) -> Results:
        settings = project.settings.model_copy(update={"initial_velocities": choice})
        return simulate(project.model_copy(update={"settings": settings}))

    projected, kept = start("project"), start("keep")
    assert projected.violations.velocity[0] < 1e-12
    assert projected.provenance["assembly"]["velocity_change"] > 0.05
    assert kept.states.velocity[0, 0] == pytest.approx([0.1, 0.1, 0.1])
    assert kept.violations.velocity[0] == pytest.approx(0.1)
    with pytest.raises(InputError, match=r"'Body 1' would have to change"):
        start("refuse")


def test_that_fitting_velocities_are_not_refused_and_the_implicit_method_keeps_none():
    _run(CHAIN, 0.02, method="rk4", initial_velocities="refuse")
    with pytest.raises(InputError, match="generalized_alpha"):
        _run(CHAIN, 0.02, method="generalized_alpha", initial_velocities="keep")
    with pytest.raises(InputError, match="'partitioning'"):
        _run(CHAIN, 0.02, method="rk4", formulation="partitioning", initial_velocities="keep")
