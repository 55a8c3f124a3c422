"""Modes about steady motions against their textbook poles, and of very light and very heavy bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from ridewright.core.base.errors import InputError
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.model.functions import constant
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.solver.assemble import assemble
from ridewright.core.solver.engine import start_acceleration
from ridewright.core.solver.kkt import new_factor
from ridewright.core.solver.modes import Mode, modes_at, modes_at_rest, modes_dict, modes_of

GRAVITY = 9.81


def _hung(body: Body, kind: str, joint: tuple[float, float, float]) -> Project:
    """A body on a joint (its place in the body) at the origin."""
    axes = {} if kind == "spherical" else {"axis_i": (0.0, 1.0, 0.0), "axis_j": (0.0, 1.0, 0.0)}
    own = Joint(name="joint", kind=kind, body_i="ground", body_j=body.name, point_j=joint, **axes)
    return Project(
        name="hung", scenario=Rig(assembly=Assembly(name="Rig", role="rig", bodies=(body,), joints=(own,)))
    )


def _modes_at_start(project: Project) -> tuple[Mode, ...]:
    system = compile_system(project)
    factor = new_factor(system)
    state, _ = assemble(system, factor)
    _, lam = start_acceleration(system, system.new_work(), factor, state)
    return modes_of(system, factor, state, lam)


@pytest.mark.parametrize("spin", [5.0, 9.0, 60.0])
def test_that_a_sleeping_top_has_its_textbook_poles(spin: float) -> None:
    """I z'' - i C w z' - m g l z = 0 seen from the ground (Goldstein); seen from the top its poles less i w. It stands
    from w = 2 sqrt(m g l I) / C on, here 7.5 rad/s."""
    mass, arm, transverse, axial = 1.0, 0.5, 0.1, 0.35
    top = Body(
        name="top", mass=mass, inertia=(transverse, transverse, axial), position=(0.0, 0.0, arm),
        angular_velocity=(0.0, 0.0, spin),
    )  # fmt: skip
    about = transverse + mass * arm**2
    exact = np.roots([about, -1j * axial * spin, -mass * GRAVITY * arm]) - 1j * spin
    found = [m for m in _modes_at_start(_hung(top, "spherical", (0.0, 0.0, -arm))) if m.kind != "free"]
    poles = [complex(p.real, abs(p.imag)) for p in exact]
    for pole in poles:
        assert min(abs(m.pole - pole) for m in found) < 1e-5 * abs(pole)
    assert len(found) == 2
    assert any(m.kind == "unstable" for m in found) == (spin < 7.5)


def test_that_a_bob_on_its_round_swings_about_it_as_a_conical_pendulum() -> None:
    """Small motions about a steady round at an angle a to the vertical: w^2 = g (1 + 3 cos^2 a) / (l cos a)."""
    length, angle = 0.8, 0.7
    turn = math.sqrt(GRAVITY / (length * math.cos(angle)))
    bob = Body(
        name="bob", mass=2.0, inertia=(1e-7, 1e-7, 1e-7),
        position=(length * math.sin(angle), 0.0, -length * math.cos(angle)),
        velocity=(0.0, turn * length * math.sin(angle), 0.0), angular_velocity=(0.0, 0.0, turn),
    )  # fmt: skip
    joint = (-length * math.sin(angle), 0.0, length * math.cos(angle))
    modes = _modes_at_start(_hung(bob, "spherical", joint))
    exact = math.sqrt(GRAVITY * (1.0 + 3.0 * math.cos(angle) ** 2) / (length * math.cos(angle)))
    assert min(abs(m.pole - 1j * exact) for m in modes) < 1e-4 * exact


@pytest.mark.parametrize("mass", [1e-9, 1e-6, 1.0, 1e9])
def test_that_the_frequency_of_a_pendulum_does_not_depend_on_its_mass(mass: float) -> None:
    """Hung out sideways: what weighs next to nothing comes to rest below its hinge, too."""
    arm = 0.5
    moment = max(1e-3 * mass * arm**2, 1e-15)
    body = Body(name="bob", mass=mass, inertia=(moment,) * 3, position=(arm, 0.0, 0.0))
    _, rest, (mode,) = modes_at_rest(_hung(body, "revolute", (-arm, 0.0, 0.0)))
    assert rest.state.r[0] == pytest.approx([0.0, 0.0, -arm], abs=1e-6)
    assert mode.pole.imag == pytest.approx(
        math.sqrt(mass * GRAVITY * arm / (moment + mass * arm**2)), rel=1e-7
    )


def test_that_modes_in_the_middle_of_a_run_are_those_of_its_state() -> None:
    """A pendulum let go sideways, at 0.2 s: w^2 = m g l cos(angle) / I about its hinge."""
    mass, arm, moment = 2.0, 0.7, 0.3
    about = moment + mass * arm**2
    body = Body(name="bob", mass=mass, inertia=(moment,) * 3, position=(arm, 0.0, 0.0))
    stiffness = mass * GRAVITY * arm / about
    fall = solve_ivp(
        lambda _, y: [y[1], -stiffness * math.sin(y[0])],
        (0.0, 0.2),
        [math.pi / 2, 0.0],
        rtol=1e-10,
        atol=1e-12,
    )
    system, state, modes = modes_at(_hung(body, "revolute", (-arm, 0.0, 0.0)), 0.2)
    assert state.time == pytest.approx(0.2)
    assert modes[0].pole.imag == pytest.approx(math.sqrt(stiffness * math.cos(fall.y[0, -1])), rel=1e-3)
    found = modes_dict(system, state, modes)
    assert found["time"] == state.time
    assert len(found["modes"]) == 1


def test_that_modes_after_the_end_of_a_run_are_refused_with_the_time_of_its_end() -> None:
    with pytest.raises(InputError, match="no state at t = 1000 s, the run ends at t = "):
        modes_at(load_example("bead_helix"), 1000.0)


@pytest.mark.parametrize("push", [0.0, 60.0, 150.0])
def test_that_modes_of_what_is_pushed_steadily_are_those_about_its_steady_motion(push: float) -> None:
    """A bob on a cart under a constant push F hangs at tan b = F / ((M + m) g) and swings about that:
    w^2 = g' (M + m) / (l (M + m - m cos^2 b)) with g' = g / cos b, as the cart gives way."""
    cart_mass, mass, arm, damping = 8.0, 2.0, 0.7, 3.0
    lean = math.atan2(push, (cart_mass + mass) * GRAVITY)
    cart = Body(name="cart", mass=cart_mass, inertia=(1.0, 1.0, 1.0), position=(0.0, 0.0, 0.0))
    bob = Body(name="bob", mass=mass, inertia=(1e-6,) * 3, position=(0.0, 0.0, -arm))
    along, across = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    joints = (
        Joint(name="rail", kind="prismatic", body_i="ground", body_j="cart", axis_i=along, axis_j=along),
        Joint(name="pin", kind="revolute", body_i="cart", body_j="bob", axis_i=across, axis_j=across,
              point_j=(0.0, 0.0, arm)),
    )  # fmt: skip
    forces = (
        AppliedForce(
            name="push", body="cart", components=(constant(push), constant(0.0), constant(0.0))
        ),
        RotationalSpring(name="oil", joint="pin", stiffness=0.0, damping=damping),
    )  # fmt: skip
    own = Assembly(name="Rig", role="rig", bodies=(cart, bob), joints=joints, forces=forces)
    project = Project(name="pushed", scenario=Rig(assembly=own, duration=30.0))
    _, state, modes = modes_at(project, 12.0)
    whole = cart_mass + mass
    (swing,) = [mode for mode in modes if mode.kind != "free"]
    moment = mass * arm**2 * (whole - mass * math.cos(lean) ** 2) / whole
    exact = np.roots([moment, damping, mass * GRAVITY * arm / math.cos(lean)])
    assert swing.pole.real == pytest.approx(exact[0].real, rel=2e-4)
    assert swing.pole.imag == pytest.approx(abs(exact[0].imag), rel=2e-4)
    hung = state.r[1] - state.r[0]
    assert math.atan2(-hung[0], -hung[2]) == pytest.approx(lean, abs=1e-4)


@pytest.mark.parametrize("time", [0.0, 0.2478])
def test_that_a_ball_swings_on_what_it_touches_and_on_nothing_in_the_air(time: float) -> None:
    """Of Hertz's law, F = K d^1.5, the slope at the depth it has then; what pairs remember is known at any instant."""
    project = load_example("bouncing_ball")
    rig = project.scenario.assembly  # type: ignore[union-attr]
    elastic = tuple(force.model_copy(update={"restitution": 1.0}) for force in rig.forces)
    changed = project.scenario.model_copy(update={"assembly": rig.model_copy(update={"forces": elastic})})
    _, state, modes = modes_at(project.model_copy(update={"scenario": changed}), time)
    depth = max(0.0, 0.2 - state.r[0, 2])
    assert (depth > 1e-4) == (time > 0.0)
    own = [mode for mode in modes if abs(mode.pole) > 1.0]
    expected = math.sqrt(1.5 * 3.2e6 * math.sqrt(depth))
    assert [mode.pole.imag for mode in own] == pytest.approx([expected] if depth else [], rel=1e-6)
