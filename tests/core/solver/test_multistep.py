"""Steps of order 4: their formula, their order, where they are taken and where not."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import genalpha, integration, multistep
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.written_step import new_log

Y = (0.0, 1.0, 0.0)
EMPTY = np.zeros((0, 5)), np.zeros((2, 0))  # outputs of elements, and their internal unknowns


@pytest.fixture
def uneven() -> tuple[multistep.Past, np.ndarray, float]:
    """Four instants, the newest first, a formula to the fifth and its g."""
    past = multistep.no_past(0, 0, 1, internal=1)
    times = np.cumsum(np.random.default_rng(4).uniform(0.6, 1.4, 5))
    for t in times[:-1]:
        multistep.remember(
            past, t, np.zeros((1, 3)), np.zeros((1, 4)), np.zeros(0), *np.zeros((3, 1)), EMPTY[0],
            np.array([[t**5], [5.0 * t**4]]),
        )  # fmt: skip
    g = multistep.weights(past, times[-1] - times[-2])
    return past, times[::-1], g


def test_that_the_formula_is_exact_for_polynomials_of_degree_four(uneven) -> None:
    past, times, g = uneven
    x = np.polynomial.Polynomial([0.3, -1.2, 0.7, 0.4, -0.2])
    kept = np.array([x(past.t[multistep.line(past, age)]) for age in range(4)])
    assert past.c @ kept + (times[0] - times[1]) * g * x.deriv()(times[0]) == pytest.approx(x(times[0]))
    assert past.divided @ [x(times[0]), *kept] == pytest.approx(x.coef[4])
    for n, weights in ((3, past.on[0, :3]), (4, past.on[1])):
        y = np.polynomial.Polynomial(x.coef[:n])
        assert weights @ y(times[1 : n + 1]) == pytest.approx(y(times[0]))


def test_that_both_estimates_are_the_error_of_a_motion_of_degree_five(uneven) -> None:
    past, times, g = uneven
    x = np.polynomial.Polynomial([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    u, udot = x.deriv(), x.deriv(2)
    error = x(times[0]) - past.c @ x(times[1:]) - (times[0] - times[1]) * g * u(times[0])
    assert past.errors[0] * (udot(times[0]) - past.on[0, :3] @ udot(times[1:4])) == pytest.approx(-error)
    assert past.errors[1] * (past.divided @ u(times)) == pytest.approx(-error)
    assert multistep.internal_error(past, u(times[:1])) == pytest.approx(abs(error))
    base = np.zeros(1)
    multistep.internal_base(past, base)
    assert base + (times[0] - times[1]) * g * u(times[0]) == pytest.approx(x(times[0]) - error)


def test_that_steps_of_even_size_have_the_known_coefficients() -> None:
    past = multistep.no_past(0, 0, 1)
    for t in range(4):
        multistep.remember(
            past,
            0.1 * t,
            np.zeros((1, 3)),
            np.zeros((1, 4)),
            np.zeros(0),
            *np.zeros((3, 1)),
            *EMPTY,
        )
    assert multistep.weights(past, 0.1) == pytest.approx(12.0 / 25.0)
    assert past.c == pytest.approx(np.array([48.0, -36.0, 16.0, -3.0]) / 25.0)


def _top(**settings: object) -> Project:
    """A heavy top of three different moments on a ball joint: rotation about changing axes, and a constraint."""
    body = Body(
        name="Top",
        mass=2.0,
        inertia=(0.03, 0.05, 0.02),
        position=(0.1, 0.0, 0.2),
        angular_velocity=(2.0, -1.0, 9.0),
    )
    foot = Joint(
        name="Foot",
        kind="spherical",
        body_i=GROUND,
        body_j="Top",
        point_i=(0.0, 0.0, 0.0),
        point_j=(-0.1, 0.0, -0.2),
    )
    return _rig((body,), (foot,), (), 0.8, **settings)  # fmt: skip


def _rig(bodies, joints, forces, duration: float, **settings: object) -> Project:
    rig = Assembly(name="Rig", role="rig", bodies=bodies, joints=joints, forces=forces)
    return Project(
        name="Rig", scenario=Rig(assembly=rig, duration=duration), settings=SolverSettings(**settings)
    )


def _apart(one, other) -> float:
    """Largest distance (m) of the first body in two runs."""
    times = np.linspace(0.05, 0.8, 60)
    a, b = (Sampler(run.states, times).body(0).position for run in (one, other))
    return float(np.abs(a - b).max())


def test_that_the_error_falls_with_the_fourth_power_of_the_step() -> None:
    """Steps as long as they may be, after a start by small ones of order 2; of which no step of half the size does
    as well."""
    exact = simulate(_top(tolerance=1e-10, max_step=2.5e-4))
    errors = [_apart(simulate(_top(tolerance=1e-7, max_step=h)), exact) for h in (4e-3, 2e-3)]
    second = simulate(_top(tolerance=1e-7, max_step=1e-3, fourth_order=False))
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.3)
    assert errors[1] < 0.05 * _apart(second, exact)


def test_that_a_run_costs_less_than_half_the_steps_at_a_smaller_error() -> None:
    exact = simulate(_top(tolerance=1e-10, max_step=2.5e-4))
    second, fourth = (simulate(_top(tolerance=1e-7, fourth_order=high)) for high in (False, True))
    assert len(fourth.states.time) < 0.5 * len(second.states.time)
    assert _apart(fourth, exact) < _apart(second, exact)


def _trembling(**settings: object) -> Project:
    """A pendulum of a metre, and one of half a millimetre beside it, 140 rad/s, without damping, a microradian off."""
    angle, length = 1e-6, 5e-4
    arm = Body(name="Arm", mass=10.0, inertia=(1.0, 1.0, 1.0), position=(1.0, 0.0, 0.0))
    light = Body(name="Light", mass=1.0, inertia=(1e-9, 1e-9, 1e-9), position=(angle * length, 3.0, -length))
    pins = (
        Joint(name="Pin", kind="revolute", body_i=GROUND, body_j="Arm", point_i=(0.0, 0.0, 0.0),
              point_j=(-1.0, 0.0, 0.0), axis_i=Y, axis_j=Y),
        Joint(name="Short", kind="revolute", body_i=GROUND, body_j="Light", point_i=(0.0, 3.0, 0.0),
              point_j=(-angle * length, 0.0, length), axis_i=Y, axis_j=Y),
    )  # fmt: skip
    return _rig((arm, light), pins, (), 4.0, **settings)


def test_that_what_is_not_damped_does_not_grow() -> None:
    """By the formula alone it would grow by a sixth a step of 10 ms."""
    run = simulate(_trembling(tolerance=1e-5))
    turned = np.abs(2.0 * run.states.orientation[:, run.names.bodies.index("Light"), 2])
    assert turned.max() < 4e-5
    assert np.median(np.diff(run.states.time)) > 5e-3


@pytest.mark.parametrize(
    ("example", "changes", "taken"),
    [
        ("double_pendulum", {}, True),
        ("looping_star", {}, True),
        ("double_pendulum", {"fourth_order": False}, False),
        ("double_pendulum", {"fixed_step": 1e-3}, False),
        ("double_pendulum", {"rho_infinity": 1.0}, False),
        ("human_fall", {}, True),  # surfaces that touch, where they stay as they are
        ("swing_beam", {}, False),  # a body that bends
    ],
)
def test_where_steps_of_order_four_are_taken(example: str, changes: dict[str, object], taken: bool) -> None:
    project = load_example(example)
    settings = project.settings.model_copy(update=changes)
    engine = Engine.prepare(compile_system(project), settings)
    assert engine.limits(1.0).fourth is taken


def test_that_a_stop_that_is_met_ends_what_steps_go_on_from() -> None:
    """At 0.5916 and 1.9612 s (test_events) by a step that is cut short; behind it four instants come together again."""
    project = load_example("stopped_pendulum")
    system = compile_system(project)
    engine = Engine.prepare(system, project.settings)
    Y, P, log = engine.memory(), engine.limits(2.5), new_log(system, 4000)
    never, forgot, before = np.full(len(system.guides), np.inf), [], 1
    code = integration.RUNNING
    while code == integration.RUNNING:
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, never, 0, 1)
        known = int(Y.past.who[multistep.KNOWN])
        if known < before:
            assert known == 1
            forgot.append(float(Y.clock[integration.TIME]))
        before = known
    assert before == multistep.KEPT
    assert all(min(abs(one - met) for one in forgot) < 1e-3 for met in (0.5916, 1.9612))


def test_that_nothing_of_before_is_known_behind_what_is_forgotten() -> None:
    past = multistep.no_past(0, 0, 1)
    for t in (0.0, 0.1, 0.2, 0.3, 0.45, 0.6):
        multistep.remember(
            past, t, np.zeros((1, 3)), np.zeros((1, 4)), np.zeros(0), *np.zeros((3, 1)), *EMPTY
        )
    assert multistep.ready(past, 0.2)
    assert not multistep.ready(past, 0.4)  # twice the step before
    multistep.forget(past)
    assert not multistep.ready(past, 0.2)
