"""Assembling: the smallest move that closes the joints, refusals by name, trains set anywhere on a track."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.drivers import Driver
from ridewright.core.model.functions import AnalyticFunction
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.arrays import PHI, PHIDOT
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.constraint_kernels import constraints, velocity_residual
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.solver.assemble import assemble, model_size
from ridewright.core.solver.kkt import new_factor
from ridewright.core.track.build import build_track


def body(name: str, x: float, mass: float = 1.0) -> Body:
    return Body(
        name=name, mass=mass, inertia=(0.1, 0.1, 0.1), position=(x, 0.2, -0.1), velocity=(0.0, 1.0, 0.0)
    )


def rig(*parts: Body | Joint | Driver) -> Project:
    assembly = Assembly(
        name="Rig",
        role="rig",
        bodies=tuple(p for p in parts if isinstance(p, Body)),
        joints=tuple(p for p in parts if isinstance(p, Joint)),
        drivers=tuple(p for p in parts if isinstance(p, Driver)),
    )
    return Project(name="rig", scenario=Rig(assembly=assembly))


def ball(name: str, i: str, j: str, at_i: float, at_j: float) -> Joint:
    return Joint(
        name=name, kind="spherical", body_i=i, body_j=j, point_i=(at_i, 0.0, 0.0), point_j=(at_j, 0.0, 0.0)
    )


def test_that_masses_share_a_gap_by_their_weight() -> None:
    """Two bodies pulled together at their centres meet at the point that divides the gap by mass."""
    project = rig(body("light", 0.0, 1.0), body("heavy", 0.4, 3.0), ball("pin", "light", "heavy", 0.0, 0.0))
    system = compile_system(project)
    state, report = assemble(system, new_factor(system))
    assert state.r[0] == pytest.approx([0.3, 0.2, -0.1], abs=1e-12)
    assert state.r[1] == pytest.approx([0.3, 0.2, -0.1], abs=1e-12)
    assert report.violation_before == pytest.approx(0.4)
    assert (report.translation, report.translated) == (pytest.approx(0.3), "light")
    assert report.worst_before == "joint 'pin'"


def test_that_a_joint_that_cannot_close_is_named() -> None:
    project = rig(
        body("link", 0.5),
        ball("near", "ground", "link", 0.0, -0.5),
        ball("far away", "ground", "link", 3.0, 0.5),
    )
    system = compile_system(project)
    with pytest.raises(InputError, match=r"cannot be assembled: joint '(near|far away)' stays open by"):
        assemble(system, new_factor(system))


def test_that_start_velocities_are_projected_and_the_change_reported() -> None:
    project = rig(body("bob", 0.5), ball("hinge", "ground", "bob", 0.0, -0.5))
    system = compile_system(project)
    state, report = assemble(system, new_factor(system))
    W = system.new_work()
    constraints(system.arrays, W, 0.0, state.r, state.p, state.path)
    velocity_residual(system.arrays, W, state.u, W.row[PHIDOT])
    assert np.abs(W.row[PHIDOT]).max() < 1e-12
    # m = 1, J = 0.1, arm 0.5: the least kinetic change leaves v = 1 / (1 + J / (m arm^2)) along y
    assert np.linalg.norm(state.u[:3]) == pytest.approx(1.0 / 1.4, rel=0.2)
    assert report.velocity_change > 0.1


def test_that_a_driver_against_the_joints_is_refused_by_name() -> None:
    project = rig(
        body("bob", 0.5),
        Joint(name="weld", kind="rigid", body_i="ground", body_j="bob"),
        Driver(name="shove", target="bob", coordinate="x", function=AnalyticFunction(rate=2.0)),
    )
    system = compile_system(project)
    with pytest.raises(InputError, match="No start velocity fits the constraints"):
        assemble(system, new_factor(system))


def test_that_implied_rows_are_named() -> None:
    project = rig(
        body("plate", 0.5),
        Joint(name="first hinge", kind="revolute", body_i="ground", body_j="plate", point_j=(-0.5, -0.2, 0.1),
              axis_i=(0.0, 1.0, 0.0), axis_j=(0.0, 1.0, 0.0)),
        Joint(name="second hinge", kind="revolute", body_i="ground", body_j="plate", point_i=(0.0, 1.0, 0.0),
              point_j=(-0.5, 0.8, 0.1), axis_i=(0.0, 1.0, 0.0), axis_j=(0.0, 1.0, 0.0)),
    )  # fmt: skip
    system = compile_system(project)
    state, _ = assemble(system, new_factor(system))
    size = model_size(system, state)
    assert (size.rows, size.rank, size.degrees_of_freedom) == (10, 5, 1)
    assert len(size.redundant) == 5
    assert all(name.startswith("second hinge (row") for name in size.redundant)


@pytest.mark.parametrize("name", ["looping_star", "gatekeeper"])
def test_that_a_train_stands_consistently_anywhere_on_a_track(name: str) -> None:
    project = load_example(name)
    assert project.track is not None
    built = build_track(project.track)
    factor = None
    for s in np.arange(3.0, built.length, 53.7):
        scenario = project.scenario.model_copy(
            update={"start": float(s), "speed": 15.0, "end_place": None, "duration": 1.0}
        )
        system = compile_system(project.model_copy(update={"scenario": scenario}), built=built)
        factor = factor or new_factor(system)
        state, _ = assemble(system, factor)
        W = system.new_work()
        constraints(system.arrays, W, 0.0, state.r, state.p, state.path)
        velocity_residual(system.arrays, W, state.u, W.row[PHIDOT])
        assert np.abs(W.row[PHI]).max() < 1e-9, s
        assert np.abs(W.row[PHIDOT]).max() < 1e-8, s
        # in the tightest curves the rails differ by half a gauge over 6 m of radius
        wheels = state.u[6 * system.bodies : 6 * system.bodies + 4]
        assert np.abs(wheels - 15.0).max() < 2.0, s
        assert float(np.mean(wheels)) == pytest.approx(15.0, rel=0.03), s
