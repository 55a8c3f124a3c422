"""Static equilibrium and modes against closed forms and against poles computed elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.motor import Motor
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.joints import Joint
from ridewright.core.model.programme import Phase
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.solver.modes import connected_slots, modes_at, modes_at_rest, modes_dict
from ridewright.core.solver.rest import drives_in


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


def _driven(start: float = 0.0) -> Project:
    """A pendulum drawn off its rest with a motor that pushes from the first instant on."""
    body = Body(
        name="bob",
        mass=2.0,
        inertia=(0.2, 0.3, 0.25),
        position=(0.7 * math.sin(start), 0.0, -0.7 * math.cos(start)),
    )
    hinge = Joint(
        name="hinge", kind="revolute", body_i="ground", body_j="bob", point_i=(0.0, 0.0, 0.0),
        point_j=(-0.7 * math.sin(start), 0.0, 0.7 * math.cos(start)), axis_i=(0.0, 1.0, 0.0), axis_j=(0.0, 1.0, 0.0),
    )  # fmt: skip
    swing = (Phase(mode="swing", amplitude=2.0),)
    motor = Motor(
        name="motor", joint="hinge", torque_curve=((0.0, 3.0),), ratio=4.0, rotor_inertia=0.02, programme=swing
    )  # fmt: skip
    return rig((body,), (hinge,), (motor,))  # type: ignore[arg-type]


def test_that_modes_at_rest_are_those_with_drives_off() -> None:
    """The pendulum hangs, and swings with its rotor, ratio^2 times its inertia; no push of the motor is in it."""
    project = _driven(0.4)
    _, rest, (mode,) = modes_at_rest(project)
    assert rest.state.r[0] == pytest.approx([0.0, 0.0, -0.7], abs=1e-6)
    inertia = 0.3 + 2.0 * 0.7**2 + 4.0**2 * 0.02
    assert mode.frequency * 2 * math.pi == pytest.approx(math.sqrt(2.0 * 9.81 * 0.7 / inertia), rel=1e-6)
    assert drives_in(project) == ("motor",)


def test_that_modes_at_the_start_are_those_of_the_state_that_is_drawn() -> None:
    """About a pendulum let go 0.4 rad off its rest, w^2 = m g l cos(0.4) / J."""
    plain = _driven(0.4)
    top = plain.assembly
    assert top is not None
    free = top.model_copy(update={"forces": ()})
    _, state, (mode,) = modes_at(rig(free.bodies, free.joints), 0.0)
    assert state.time == 0.0
    inertia = 0.3 + 2.0 * 0.7**2
    wanted = math.sqrt(2.0 * 9.81 * 0.7 * math.cos(0.4) / inertia)
    assert mode.frequency * 2 * math.pi == pytest.approx(wanted, rel=1e-5)


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


def _sliders(*masses: float, stiffness: tuple[float, ...]) -> Project:
    """Masses one above the other on springs, sliding upright."""
    bodies, joints, forces = [], [], []
    for k, (mass, spring) in enumerate(zip(masses, stiffness, strict=True)):
        bodies.append(Body(name=f"m{k}", mass=mass, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, 1.0 + k)))
        up = (0.0, 0.0, 1.0)
        joints.append(
            Joint(name=f"slot {k}", kind="prismatic", body_i="ground", body_j=f"m{k}", axis_i=up, axis_j=up)
        )
        below = f"m{k - 1}" if k else "ground"
        forces.append(
            SpringDamper(name=f"s{k}", body_i=below, body_j=f"m{k}", stiffness=spring, free_length=1.0)
        )
    return rig(tuple(bodies), tuple(joints), tuple(forces))


def test_that_bodies_are_named_by_their_energy_and_modes_by_their_direction() -> None:
    """A light body swings further than the heavy one that has most of the energy; shares, participation and their sums
    by numpy's eigenvectors of the two masses."""
    m, k = np.array([1000.0, 2.0]), np.array([4e5, 2000.0])
    _, _, modes = modes_at_rest(_sliders(*m, stiffness=tuple(k)))
    K = np.array([[k[0] + k[1], -k[1]], [-k[1], k[1]]])
    values, shapes = np.linalg.eig(K / m[:, None])
    for mode, q in zip(modes, np.argsort(values), strict=True):
        x = shapes[:, q]
        assert mode.pole.imag == pytest.approx(math.sqrt(values[q]), rel=1e-5)
        np.testing.assert_allclose(mode.energy, m * x**2 / (m @ x**2), rtol=1e-4)
        assert mode.participation[2] == pytest.approx((m @ x) ** 2 / (m @ x**2) / m.sum(), rel=1e-4)
        np.testing.assert_allclose(mode.participation[:2], 0.0, atol=1e-12)
    assert np.abs(modes[0].shape[1, 2]) > np.abs(modes[0].shape[0, 2])
    assert modes[0].where[0] == "m0"
    assert sum(mode.participation[2] for mode in modes) == pytest.approx(1.0)


def test_that_what_nothing_connects_has_modes_of_its_own() -> None:
    """Two cars on a straight have the poles of one, each twice, and no mode moves both; the lowest on request."""
    project = load_example("straight")
    assert project.train is not None
    car = project.train.children[0]
    cars = (car, car.model_copy(update={"name": "Other"}))
    two = project.model_copy(update={"train": project.train.model_copy(update={"children": cars})})
    _, _, alone = modes_at_rest(project)
    system, _, modes = modes_at_rest(two)
    of = [name.partition("/")[0] for name in system.names]
    for mode in modes:
        assert len({car for car, share in zip(of, mode.energy, strict=True) if share > 1e-12}) == 1
    one, both = (np.sort([abs(m.pole) for m in found if m.kind != "free"]) for found in (alone, modes))
    np.testing.assert_allclose(both, np.repeat(one, 2), rtol=1e-3)
    _, _, lowest = modes_at_rest(two, 7)
    assert [mode.pole for mode in lowest] == [mode.pole for mode in modes[:7]]


def test_that_parts_are_what_joints_and_springs_connect() -> None:
    """Two springs on the ground are two parts, a third between the masses makes them one."""
    apart = rig(*(sum(parts, ()) for parts in zip(*(_named(name) for name in "ab"), strict=True)))
    assert len(connected_slots(compile_system(apart))) == 2
    assembly = apart.scenario.assembly  # type: ignore[union-attr]
    joined = SpringDamper(name="both", body_i="a", body_j="b", point_i=(1.0, 0.0, 0.0), stiffness=1.0)
    together = rig(assembly.bodies, assembly.joints, (*assembly.forces, joined))
    assert len(connected_slots(compile_system(together))) == 1


def _named(name: str) -> tuple[tuple[Body, ...], tuple[Joint, ...], tuple[SpringDamper, ...]]:
    body = Body(name=name, mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0.0, 0.0, 1.0))
    spring = SpringDamper(
        name=f"spring {name}", body_i="ground", body_j=name, stiffness=10.0, free_length=0.5
    )
    return (body,), (), (spring,)


def test_that_the_rest_pose_and_the_shares_are_in_the_json() -> None:
    system, rest, modes = modes_at_rest(_sliders(2.0, stiffness=(500.0,)))
    told = modes_dict(system, rest, modes)
    assert told["pose"]["bodies"]["m0"]["position"][2] == pytest.approx(1.0 - 2.0 * 9.81 / 500.0)
    assert told["modes"][0]["energy"] == {"m0": pytest.approx(1.0)}
    assert told["modes"][0]["participation"] == {"x": 0.0, "y": 0.0, "z": pytest.approx(1.0)}
