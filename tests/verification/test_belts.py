"""Belts against closed forms: pull over points, what friction holds and lets go, going taut and slack, the ledger."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from verification_tools import GRAVITY, complete, observed_orders

from ridewright.core.base.errors import InputError
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.engine import start_internal
from ridewright.core.solver.rest import at_rest

APART = 0.5  # m, of the two drums over which a belt hangs


def mass(name: str, kg: float, at: tuple[float, float, float], up: float = 0.0) -> Body:
    """A body that starts at a place with a speed upwards."""
    return Body(name=name, mass=kg, inertia=(0.1,) * 3, position=at, velocity=(0.0, 0.0, up))


def rig(bodies: tuple[Body, ...], *belts: Any, duration: float = 1.0, **settings: Any) -> Project:
    """Bodies that go up and down only, with belts."""
    slides = tuple(
        Joint(name=f"Slide {body.name}", kind="prismatic", body_i="ground", body_j=body.name,
              point_i=body.position, axis_i=(0.0, 0.0, 1.0), axis_j=(0.0, 0.0, 1.0))
        for body in bodies
    )  # fmt: skip
    top = Assembly(name="Rig", role="rig", bodies=bodies, joints=slides, forces=belts)
    return Project(
        name="Belts", scenario=Rig(assembly=top, duration=duration), settings=SolverSettings(**settings)
    )


def belt(start: tuple[str, Any], end: tuple[str, Any], *over: tuple[str, Any, float], **more: Any) -> Any:
    """A belt between two anchors over points with their friction."""
    return TYPES["belt"].model(
        name="Belt", body_i=start[0], point_i=start[1], body_j=end[0], point_j=end[1],
        over=tuple({"body": body, "point": point, "friction": mu} for body, point, mu in over), **more,
    )  # fmt: skip


def over_drums(heavy: float, light: float, friction: float, duration: float, **more: Any) -> Project:
    """Two masses on a belt over two drums, each a quarter of a turn."""
    left, right = (-0.5 * APART, 0.0, 2.0), (0.5 * APART, 0.0, 2.0)
    bodies = (mass("Heavy", heavy, (left[0], 0.0, 1.0)), mass("Light", light, (right[0], 0.0, 0.0)))
    centre = (0.0, 0.0, 0.0)
    fields = {"stiffness": 1e5, "damping": 2e3, "slip_resistance": 1.0} | {
        k: more.pop(k) for k in tuple(more) if k in TYPES["belt"].model.model_fields
    }
    drums = (("ground", left, friction), ("ground", right, friction))
    return rig(
        bodies, belt(("Heavy", centre), ("Light", centre), *drums, **fields), duration=duration, **more
    )


def pulls(results: Results) -> np.ndarray:
    """Pull of each segment (n, segments) N over time."""
    rows = [k for k, name in enumerate(results.names.springs) if name.startswith("Belt segment")]
    return results.states.spring_force[:, rows]


def test_that_a_belt_over_two_points_bears_a_weight_as_its_geometry_says() -> None:
    """2 T sin(a) = W with T = stiffness * strain of the whole length: anchors 0.5 m out, points 0.2 m out."""
    out, wide, kg, stiffness = 0.5, 0.2, 70.0, 2e4
    ends = (("ground", (-out, 0.0, 1.0)), ("ground", (out, 0.0, 1.0)))
    lies = (("Body", (-wide, 0.0, 0.0), 0.0), ("Body", (wide, 0.0, 0.0), 0.0))
    strap = belt(*ends, *lies, stiffness=stiffness, slack=0.01)
    project = rig((mass("Body", kg, (0.0, 0.0, 0.9)),), strap)
    free = 2.0 * math.hypot(out - wide, 0.1) + 2.0 * wide + 0.01

    def pull(drop: float) -> float:
        return stiffness * ((2.0 * math.hypot(out - wide, drop) + 2.0 * wide) / free - 1.0)

    def missing(drop: float) -> float:
        return 2.0 * pull(drop) * drop / math.hypot(out - wide, drop) - kg * GRAVITY

    drop = brentq(missing, 0.1, 0.5, xtol=1e-14)
    system, _, rest = at_rest(project)
    assert 1.0 - rest.state.r[0, 2] == pytest.approx(drop, abs=1e-8)
    W = system.new_work()
    constraints(system.arrays, W, 0.0, rest.state.r, rest.state.p, rest.state.path)
    start_internal(system, W, rest.state, rest.lam)
    assert W.el[:3, 2] == pytest.approx([pull(drop)] * 3, rel=1e-6)
    assert W.el[:3, 0] == pytest.approx(
        [math.hypot(out - wide, drop), 2 * wide, math.hypot(out - wide, drop)]
    )


def test_that_friction_holds_up_to_the_ratio_of_a_capstan() -> None:
    """exp(mu pi) = 2.193 over half a turn: 2.1 to 1 hangs still, whatever swings before it does."""
    mu, ratio = 0.25, 2.1
    results = complete(simulate(over_drums(10.0 * ratio, 10.0, mu, 2.0, tolerance=1e-7)))
    late = results.states.time > 1.5
    assert np.abs(results.states.velocity[late]).max() < 1e-4
    held = pulls(results)[-1]
    assert held[[0, 2]] == pytest.approx([10.0 * ratio * GRAVITY, 10.0 * GRAVITY], rel=1e-4)
    drum = math.exp(0.5 * mu * math.pi)
    assert 1.0 / drum - 1e-9 <= held[1] / held[0] <= drum
    assert 1.0 / drum - 1e-9 <= held[2] / held[1] <= drum


@pytest.mark.parametrize("mu", [0.0, 0.25])
def test_that_what_slips_pulls_in_the_ratio_of_a_capstan(mu: float) -> None:
    """Heavier than that, the masses go with g (m1 - m2 E) / (m1 + m2 E), E = exp(mu pi)."""
    heavy, light, E = 30.0, 10.0, math.exp(mu * math.pi)
    results = complete(simulate(over_drums(heavy, light, mu, 0.4, tolerance=1e-8, slip_resistance=1e-3)))
    expected = GRAVITY * (heavy - light * E) / (heavy + light * E)
    moved = results.states.velocity[:, 0, 2]
    late = results.states.time > 0.3
    fitted = np.polyfit(results.states.time[late], moved[late], 1)[0]
    assert -fitted == pytest.approx(expected, rel=2e-3)
    pull = pulls(results)[late]
    assert pull[:, 0] / pull[:, 1] == pytest.approx(math.exp(0.5 * mu * math.pi), rel=1e-4)
    assert pull[:, 1] / pull[:, 2] == pytest.approx(math.exp(0.5 * mu * math.pi), rel=1e-4)


def test_that_the_ledger_closes_with_what_friction_and_webbing_lose() -> None:
    results = complete(simulate(over_drums(30.0, 10.0, 0.25, 0.4, tolerance=1e-8)))
    ledger = results.energy
    lost = ledger.dissipated[-1]
    # over two drums, each with the share of the higher pull that its friction takes
    slid = results.states.position[0, 0, 2] - results.states.position[-1, 0, 2]
    assert lost > 0.3 * 10.0 * GRAVITY * slid
    assert np.abs(ledger.residual).max() < 2e-6 * lost


def _thrown(t: float) -> np.ndarray:
    """Height (m) and speed of the mass of `_caught` at an instant, from its single equation."""
    out, kg, stiffness, damping, free = 0.4, 5.0, 4e3, 60.0, 2.0 * math.hypot(0.4, 0.3)

    def rhs(_: float, y: np.ndarray) -> list[float]:
        side = math.hypot(out, y[0])
        strain, rate = 2.0 * side / free - 1.0, 2.0 * y[0] * y[1] / side / free
        pull = 0.0
        if strain > 0.0:
            pull = max(0.0, stiffness * strain + min(1.0, strain / 1e-3) * damping * rate)
        return [y[1], -GRAVITY - 2.0 * pull * y[0] / side / kg]

    found = solve_ivp(rhs, (0.0, t), [-0.3, 1.5], "DOP853", rtol=1e-11, atol=1e-13, max_step=2e-4)
    return found.y[:, -1]


def test_that_the_order_is_two_across_going_slack_and_taut() -> None:
    """A mass thrown up from a taut belt, caught, and thrown up by it again: steps end where it goes taut and slack."""
    ends = (("ground", (-0.4, 0.0, 0.0)), ("ground", (0.4, 0.0, 0.0)))
    strap = belt(*ends, ("Body", (0.0, 0.0, 0.0), 0.0), stiffness=4e3, damping=60.0)
    project = rig((mass("Body", 5.0, (0.0, 0.0, -0.3), 1.5),), strap, duration=0.8)
    expected, errors = _thrown(0.8), []
    for step in (2e-3, 1e-3, 5e-4):
        fixed = {"fixed_step": step, "position_tolerance": 1e-12, "velocity_tolerance": 1e-11}
        settings = SolverSettings(**fixed)
        results = complete(simulate(project.model_copy(update={"settings": settings})))
        went = pulls(results)[:, 0] > 0.0
        assert np.count_nonzero(np.diff(went.astype(int))) >= 3
        end = results.states.position[-1, 0, 2], results.states.velocity[-1, 0, 2]
        errors.append(np.abs(np.array(end) - expected))
    assert errors[-1][0] < 1e-6
    for seen in np.transpose(errors):
        assert observed_orders(seen) == pytest.approx([2.0, 2.0], abs=0.2)


def test_that_a_belt_needs_a_length_and_points_that_differ() -> None:
    here = ("ground", (0.0, 0.0, 2.0))
    with pytest.raises(ValueError, match="two points of belt 'Belt' are one"):
        belt(here, here)
    short = belt(here, ("Body", (0.0, 0.0, 0.0)), slack=-1.0)
    with pytest.raises(InputError, match="'Belt' is 1 m long as drawn and its slack is -1 m"):
        simulate(rig((mass("Body", 1.0, (0.0, 0.0, 1.0)),), short))
