"""Momentum of free bodies: linear and angular, alone, under a torque, and joined to one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from verification_tools import changed, complete, largest, observed_orders, run

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.forces.torque import AppliedTorque
from ridewright.core.model.functions import constant
from ridewright.core.multibody.compile import State, compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import genalpha, integration
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.written_step import new_log


def _free_chain(forces: tuple[SpringDamper, ...] = (), **settings: object):
    """Two bodies on a ball joint, cut loose from the ground, without weight; with forces between them."""
    project = changed(load_example("spatial_double_pendulum"), duration=2.0, **settings)
    assembly = project.scenario.assembly
    inner = tuple(j for j in assembly.joints if "ground" not in (j.body_i, j.body_j))
    assert len(inner) == 1
    rig = project.scenario.model_copy(
        update={"assembly": assembly.model_copy(update={"joints": inner, "forces": forces})}
    )
    return complete(simulate(project.model_copy(update={"scenario": rig, "gravity": (0.0, 0.0, 0.0)})))


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_bodies_joined_to_one_another_keep_their_linear_momentum_to_rounding(rho):
    results = _free_chain(rho_infinity=rho)
    momentum = results.states.velocity.sum(axis=1)  # both weigh 1 kg
    assert largest(momentum[0]) > 0.05
    assert largest(momentum - momentum[0]) < 1e-10
    assert np.ptp(results.states.velocity[:, 0], axis=0).max() > 0.1, "each for itself does not"


def _angular_momentum(
    results: Results, inertia: list[tuple[float, float, float]], mass: list[float]
) -> np.ndarray:
    """About the common centre of mass, world axes, (n, 3) N m s."""
    states = results.states
    share = np.array(mass) / sum(mass)
    arm = states.position - np.einsum("b,nbi->ni", share, states.position)[:, None]
    speed = states.velocity - np.einsum("b,nbi->ni", share, states.velocity)[:, None]
    spin = np.einsum(
        "nbij,nbj->nbi", rotation_matrix(states.orientation), np.array(inertia) * states.angular_velocity
    )
    return (spin + np.array(mass)[:, None] * np.cross(arm, speed)).sum(axis=1)


def _loss(results: Results, inertia: list[tuple[float, float, float]], mass: list[float]) -> float:
    """Largest change of the angular momentum over a run, as a share of it."""
    momentum = _angular_momentum(results, inertia, mass)
    return largest(momentum - momentum[0]) / float(np.linalg.norm(momentum[0]))


INERTIA = np.array([0.3, 0.5, 0.7])
TUMBLING = ([(0.3, 0.5, 0.7)], [3.0])
DEFAULT = SolverSettings().rho_infinity
STEPS = (
    {"fixed_step": 4e-3},
    {"fixed_step": 1e-3},
    {"tolerance": 1e-7, "fourth_order": False},
    {"tolerance": 1e-10, "max_step": 0.05},
)
IDS = ("4 ms", "1 ms", "error control", "order 4")


def _tumbling(gravity: tuple[float, float, float], *forces: AppliedTorque, **settings: object) -> Results:
    """The free body, which turns over its unstable axis, for 6 s."""
    project = changed(load_example("free_body"), **settings)
    assembly = project.scenario.assembly.model_copy(update={"forces": forces})
    rig = project.scenario.model_copy(update={"assembly": assembly})
    return complete(simulate(project.model_copy(update={"scenario": rig, "gravity": gravity})))


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, 0.0, -9.81)], ids=["afloat", "in the air"])
@pytest.mark.parametrize("step", STEPS, ids=IDS)
@pytest.mark.parametrize("rho", sorted({0.0, 0.8, 1.0, DEFAULT}))
def test_that_a_tumbling_body_keeps_its_angular_momentum_to_rounding(rho, step, gravity):
    results = _tumbling(gravity, rho_infinity=rho, **step)
    assert len(results.states.time) > 1500
    assert np.ptp(results.states.angular_velocity[:, 0, 1]) > 10.0, "it turns over"
    assert _loss(results, *TUMBLING) < 1e-14


def test_that_a_loose_tolerance_of_the_iterations_costs_no_angular_momentum():
    results = _tumbling((0.0, 0.0, -9.81), tolerance=1e-3, max_step=0.05)
    assert np.diff(results.states.time).max() > 0.012
    assert _loss(results, *TUMBLING) < 1e-14


@pytest.mark.parametrize("rho", [0.5, 0.8, 1.0])
@pytest.mark.parametrize("step", STEPS, ids=IDS)
def test_that_a_constant_torque_in_the_world_adds_its_impulse_to_the_angular_momentum(step, rho):
    """Whatever the body turns to meanwhile, at any instant."""
    torque = np.array([0.7, -0.4, 1.1])
    push = AppliedTorque(name="Push", body="Body", components=tuple(constant(x) for x in torque))
    results = _tumbling((0.0, 0.0, -9.81), push, rho_infinity=rho, **step)
    momentum = _angular_momentum(results, *TUMBLING)
    gained = momentum - momentum[0] - torque * results.states.time[:, None]
    assert largest(gained) < 1e-9 * float(np.linalg.norm(momentum[-1]))


@pytest.mark.parametrize(
    "step", [{"tolerance": 1e-6, "fourth_order": False}, {"tolerance": 1e-8, "max_step": 0.05}]
)
@pytest.mark.parametrize("rho", [0.0, 0.8, 1.0])
def test_that_stored_angular_accelerations_are_those_of_euler_and_steer_the_step(rho, step):
    """Also of a body without any torque: J w_dot = J w x w, and steps follow from how fast that changes."""
    results = _tumbling((0.0, 0.0, -9.81), rho_infinity=rho, **step)
    w, rate = results.states.angular_velocity[:, 0], results.states.angular_acceleration[:, 0]
    euler = np.cross(INERTIA * w, w) / INERTIA
    assert largest(rate - euler) < 1e-14 * largest(rate)
    steps = np.diff(results.states.time)
    jerk = np.linalg.norm(np.diff(euler, axis=0), axis=1) / steps
    middle = slice(10, -3)  # without the first steps, which grow, and the last, which reach the end
    calm = steps[middle][jerk[middle] < 0.1 * jerk.max()]
    assert np.median(calm) > 1.5 * np.median(steps[middle][jerk[middle] > 0.5 * jerk.max()])


def test_that_without_damping_a_spinning_top_runs_back_to_where_it_came_from():
    """A step is its own mirror image in time, gyroscopic moments included."""
    system = compile_system(changed(load_example("heavy_top"), rho_infinity=1.0, fixed_step=1e-3))
    start = Engine.prepare(system, SolverSettings(rho_infinity=1.0, fixed_step=1e-3))
    there = _advanced(start, start.state, 300)
    back = _advanced(start, replace(there, u=-there.u), 300)
    assert largest(there.r - start.state.r) > 0.1
    assert largest(back.r - start.state.r) < 1e-9
    assert largest(back.u + start.state.u) < 1e-8


def _advanced(engine: Engine, state: State, steps: int) -> State:
    """The state that many steps on."""
    engine = replace(engine, state=state)
    Y, log = engine.memory(), new_log(engine.system, steps)
    never = np.full(len(engine.system.guides), np.inf)
    S, P = engine.system.arrays, engine.limits(1e3)
    assert genalpha.advance(S, engine.work, engine.factor, Y, P, log, never, 0, steps) == integration.RUNNING
    return State(0.0, Y.r[0], Y.p[0], Y.L[0], Y.v[integration.U])


def test_that_an_explicit_method_of_eighth_order_keeps_it_to_rounding():
    assert _loss(run("free_body", duration=2.0, method="dopri8", fixed_step=2e-3), *TUMBLING) < 1e-12


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_two_bodies_with_a_joint_and_a_spring_between_them_keep_it_to_second_order(rho):
    """Neither the forces of the joint nor those of the spring, which works hard, turn the pair as a whole."""
    first, second = load_example("spatial_double_pendulum").scenario.assembly.bodies
    spring = SpringDamper(
        name="Spring", body_i=first.name, body_j=second.name, point_i=(0.05, 0.02, 0.1), point_j=(0.1, -0.04, 0.03),
        stiffness=200.0, free_length=0.3,
    )  # fmt: skip
    losses = []
    for h in (2e-3, 1e-3, 5e-4):
        results = _free_chain((spring,), rho_infinity=rho, fixed_step=h)
        losses.append(_loss(results, [first.inertia, second.inertia], [first.mass, second.mass]))
    assert np.ptp(results.energy.elastic) > 0.1 * np.ptp(results.energy.kinetic)
    assert observed_orders(losses) == pytest.approx([2.0, 2.0], abs=0.25)
