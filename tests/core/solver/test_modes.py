"""Static equilibrium and modes against closed forms and against poles computed elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.model.assembly import Assembly
from core.model.bodies import Body
from core.model.forces.spring import SpringDamper
from core.model.joints import Joint
from core.project.examples import load_example
from core.project.project import Project
from core.project.scenario import Rig
from core.solver.modes import modes_at_rest


def rig(
    bodies: tuple[Body, ...], joints: tuple[Joint, ...] = (), forces: tuple[SpringDamper, ...] = ()
) -> Project:
    return Project(
        name="rig",
        scenario=Rig(assembly=Assembly(name="Rig", role="rig", bodies=bodies, joints=joints, forces=forces)),
    )


def test_that_a_mass_on_a_spring_sags_by_its_weight_and_swings_at_its_own_frequency() -> None:
    m, k, c, l0 = 3.0, 700.0, 6.0, 0.8
    body = Body(name="mass", mass=m, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, -0.9))
    slot = Joint(
        name="slot",
        kind="prismatic",
        body_i="ground",
        body_j="mass",
        axis_i=(0.0, 0.0, 1.0),
        axis_j=(0.0, 0.0, 1.0),
    )
    spring = SpringDamper(
        name="spring", body_i="ground", body_j="mass", stiffness=k, damping=c, free_length=l0
    )
    _, rest, modes = modes_at_rest(rig((body,), (slot,), (spring,)))
    assert rest.state.r[0, 2] == pytest.approx(-l0 - m * 9.81 / k, abs=1e-8)
    (mode,) = modes
    assert mode.pole.real == pytest.approx(-c / (2 * m), rel=1e-6)
    assert mode.pole.imag == pytest.approx(math.sqrt(k / m - (c / (2 * m)) ** 2), rel=1e-6)


def test_that_a_body_hung_askew_settles_below_its_hinge_and_swings_as_a_compound_pendulum() -> None:
    m, J, arm = 2.0, 0.3, 0.7
    body = Body(name="bob", mass=m, inertia=(0.2, J, 0.25), position=(arm, 0.0, 0.0))
    hinge = Joint(
        name="hinge", kind="revolute", body_i="ground", body_j="bob", point_j=(-arm, 0.0, 0.0),
        axis_i=(0.0, 1.0, 0.0), axis_j=(0.0, 1.0, 0.0),
    )  # fmt: skip
    _, rest, (mode,) = modes_at_rest(rig((body,), (hinge,)))
    assert rest.state.r[0] == pytest.approx([0.0, 0.0, -arm], abs=1e-6)
    assert mode.frequency * 2 * math.pi == pytest.approx(
        math.sqrt(m * 9.81 * arm / (J + m * arm**2)), rel=1e-6
    )
    assert mode.kind == "swing"


def test_that_a_double_pendulum_has_the_frequencies_of_its_small_motions() -> None:
    """Two point-like masses m on arms l: omega^2 = g/l (2 -+ sqrt 2)."""

    def bob(name: str, z: float) -> Body:
        return Body(name=name, mass=1.0, inertia=(1e-9, 1e-9, 1e-9), position=(0.0, 0.0, z))

    axes = {"axis_i": (0.0, 1.0, 0.0), "axis_j": (0.0, 1.0, 0.0)}
    joints = (
        Joint(name="a", kind="revolute", body_i="ground", body_j="upper", point_j=(0.0, 0.0, 1.0), **axes),
        Joint(name="b", kind="revolute", body_i="upper", body_j="lower", point_j=(0.0, 0.0, 1.0), **axes),
    )
    _, _, modes = modes_at_rest(rig((bob("upper", -1.0), bob("lower", -2.0)), joints))
    found = sorted(m.pole.imag for m in modes)
    expected = [math.sqrt(9.81 * (2 - math.sqrt(2))), math.sqrt(9.81 * (2 + math.sqrt(2)))]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_that_the_seated_rider_has_the_poles_computed_elsewhere() -> None:
    """Fast real poles of the corrected model at rest, from an independent linearisation (model corrections, time
    scales): agreement to 0.3 %, the accuracy of the printed numbers and of the settled pose."""
    _, rest, modes = modes_at_rest(load_example("straight"))
    decays = np.array(sorted(m.pole.real for m in modes if m.kind == "decay"))
    for pole in (-12008.0, -6082.0, -4373.0, -3284.0, -3190.0, -1909.0, -1370.0, -1.97):
        assert np.min(np.abs(decays / pole - 1.0)) < 3e-3, pole
    # rolling forward, and hands and feet that spin about their own long axes, are free
    assert sum(m.kind == "free" for m in modes) >= 1
    assert not any(m.kind == "unstable" for m in modes)
    assert rest.unbalanced < 0.01
