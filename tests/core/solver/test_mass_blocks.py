"""Bodies whose mass is more than a diagonal: products of inertia, and modal coordinates that couple with rotation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import ValidationError

from ridewright.core.base.arrays import Array
from ridewright.core.base.frames import from_matrix, multiply, rotation_matrix
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.integration import FINISHED, FULL, RUNNING
from ridewright.core.solver.march import March
from ridewright.core.solver.modes import modes_at_rest

MOMENTS = np.array([0.31, 0.52, 0.44])
#: Axes of the body of the tests against its principal ones.
ASKEW = rotation_matrix(np.array([0.8, 0.3, -0.4, math.sqrt(1.0 - 0.64 - 0.09 - 0.16)]))
HUNG = (0.15, -0.4, 0.35)
METHODS = (
    {"tolerance": 1e-8},
    {"tolerance": 1e-8, "rho_infinity": 1.0},
    {"method": "adaptive_dop853", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-12},
    {"method": "rk4", "fixed_step": 5e-4, "stabilisation": "correction"},
)


def _project(
    bodies: tuple[Body, ...],
    joints: tuple[Joint, ...] = (),
    forces: tuple[SpringDamper, ...] = (),
    **settings: object,
) -> Project:
    top = Assembly(name="Rig", role="rig", bodies=bodies, joints=joints, forces=forces)
    scenario = Rig(assembly=top, duration=1.0)
    return Project(name="rig", scenario=scenario, settings=SolverSettings.model_validate(settings))


def _pair() -> tuple[Body, Body, Array]:
    """The same body on principal axes and on others, and the turn from these to those."""
    spin, place = np.array([1.4, -2.2, 3.1]), (0.2, 0.1, -0.3)
    own = Body(name="body", mass=2.5, inertia=tuple(MOMENTS), position=place, angular_velocity=tuple(spin))
    tensor = ASKEW @ np.diag(MOMENTS) @ ASKEW.T
    products = (-tensor[0, 1], -tensor[0, 2], -tensor[1, 2])
    other = own.model_copy(
        update={
            "inertia": tuple(np.diag(tensor)),
            "products": products,
            "orientation": tuple(from_matrix(ASKEW.T)),
            "angular_velocity": tuple(ASKEW @ spin),
        }
    )
    return own, Body.model_validate(other.model_dump()), ASKEW


def _hung(body: Body, turn: Array) -> tuple[tuple[Body, ...], tuple[Joint, ...], tuple[SpringDamper, ...]]:
    """A body on a ball joint away from its centre, and a spring at another point of it."""
    at, hold = turn @ np.array(HUNG), turn @ np.array([-0.2, 0.3, 0.1])
    place = np.array(body.position) + np.array(HUNG)
    joint = Joint(
        name="joint",
        kind="spherical",
        body_i="ground",
        body_j="body",
        point_i=tuple(place),
        point_j=tuple(at),
    )
    spring = SpringDamper(
        name="spring", body_i="ground", body_j="body", point_i=(1.0, 0.4, -0.6), point_j=tuple(hold),
        stiffness=60.0, damping=0.7, free_length=0.9,
    )  # fmt: skip
    return (body,), (joint,), (spring,)


@pytest.mark.parametrize("settings", METHODS)
def test_that_a_body_moves_alike_on_principal_axes_and_on_any_others(settings: dict[str, object]) -> None:
    """Hung from a ball joint and pulled by a damped spring; places and axes in the world, energies and the ledger."""
    own, other, turn = _pair()
    one = simulate(_project(*_hung(own, np.eye(3)), **settings))
    two = simulate(_project(*_hung(other, turn), **settings))
    assert one.status.complete
    assert two.status.complete
    np.testing.assert_allclose(two.states.position[-1], one.states.position[-1], atol=2e-6)
    axes = rotation_matrix(one.states.orientation[-1, 0])
    np.testing.assert_allclose(rotation_matrix(two.states.orientation[-1, 0]) @ turn, axes, atol=1e-5)
    assert two.energy.kinetic[-1] == pytest.approx(one.energy.kinetic[-1], abs=1e-4)
    assert np.max(np.abs(two.energy.residual)) < 1e-4


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_a_free_body_with_products_of_inertia_keeps_energy_and_momentum_to_second_order(
    rho: float,
) -> None:
    _, body, _ = _pair()
    tensor, drifts = body.inertia_tensor(), []
    for step in (4e-3, 2e-3):
        run = simulate(_project((body,), fixed_step=step, rho_infinity=rho)).states
        w = run.angular_velocity[:, 0]
        momentum = np.einsum("nij,nj->ni", rotation_matrix(run.orientation[:, 0]), w @ tensor)
        kept = np.max(np.abs(momentum - momentum[0])) / np.linalg.norm(momentum[0])
        energy = np.einsum("ni,ij,nj->n", w, tensor, w)
        drifts.append((kept, np.max(np.abs(energy / energy[0] - 1.0))))
    (coarse, coarse_energy), (fine, fine_energy) = drifts
    assert fine < 2e-4
    assert fine_energy < 2e-4
    assert 3.3 < coarse / fine < 4.7
    assert 3.3 < coarse_energy / fine_energy < 4.7


def test_that_a_body_with_products_of_inertia_swings_about_any_axis_as_a_compound_pendulum() -> None:
    _, body, _ = _pair()
    body = body.model_copy(update={"position": (0.0, 0.0, -0.5), "angular_velocity": (0.0, 0.0, 0.0)})
    axis = np.array([0.6, 0.8, 0.0])
    to_body = rotation_matrix(np.array(body.orientation)).T
    hinge = Joint(
        name="hinge", kind="revolute", body_i="ground", body_j="body",
        point_j=tuple(to_body @ np.array([0.0, 0.0, 0.5])), axis_i=tuple(axis), axis_j=tuple(to_body @ axis),
    )  # fmt: skip
    about = (to_body @ axis) @ body.inertia_tensor() @ (to_body @ axis) + body.mass * 0.5**2
    _, _, (mode,) = modes_at_rest(_project((body,), (hinge,)))
    assert mode.pole.imag == pytest.approx(math.sqrt(body.mass * 9.81 * 0.5 / about), rel=1e-6)


def test_that_products_larger_than_the_moments_allow_are_refused() -> None:
    with pytest.raises(ValidationError, match="products of inertia of 'body' are larger"):
        Body(
            name="body",
            mass=1.0,
            inertia=(0.1, 0.2, 0.2),
            products=(0.15, 0.0, 0.0),
            position=(0.0, 0.0, 0.0),
        )


ROTOR, ABOUT, SPEED = 0.09, np.array([0.48, -0.6, 0.64]), 40.0


def _gyrostat() -> tuple[Project, dict[str, Array], Project]:
    """A body on a ball joint with a rotor at its centre: as a body with one modal coordinate, the turn of the rotor
    against it, with its mass block, and as two bodies on a revolute joint."""
    own, _, _ = _pair()
    own = own.model_copy(
        update={"orientation": tuple(from_matrix(ASKEW)), "angular_velocity": (0.3, -0.2, 0.4)}
    )
    bodies, joints, _ = _hung(own, ASKEW.T)
    joints = (joints[0].model_copy(update={"point_j": tuple(ASKEW.T @ np.array(HUNG))}),)
    across = np.array([1.0, 0.2, 0.3])
    across -= across @ ABOUT * ABOUT
    across /= np.linalg.norm(across)
    axes = np.column_stack([across, np.cross(ABOUT, across), ABOUT])  # of the rotor in the body's
    mass, transverse = 0.7, 0.05
    wheel = Body(
        name="wheel", mass=mass, inertia=(transverse, transverse, ROTOR), position=own.position,
        orientation=tuple(multiply(from_matrix(ASKEW), from_matrix(axes))),
        angular_velocity=tuple(axes.T @ np.array(own.angular_velocity) + [0.0, 0.0, SPEED]),
    )  # fmt: skip
    bearing = Joint(
        name="bearing",
        kind="revolute",
        body_i="body",
        body_j="wheel",
        axis_i=tuple(ABOUT),
        axis_j=(0.0, 0.0, 1.0),
    )
    two = _project((*bodies, wheel), (*joints, bearing), tolerance=1e-9)
    block = np.zeros((7, 7))
    block[:3, :3] = (own.mass + mass) * np.eye(3)
    block[3:6, 3:6] = np.diag(MOMENTS) + axes @ np.diag([transverse, transverse, ROTOR]) @ axes.T
    block[3:6, 6] = block[6, 3:6] = ROTOR * ABOUT
    block[6, 6] = ROTOR
    return _project(bodies, joints), {"body": block}, two


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_a_modal_coordinate_moves_with_its_body_as_a_rotor_in_it_does(rho: float) -> None:
    project, masses, reference = _gyrostat()
    system = compile_system(project, masses=masses)
    assert system.layout.modes == (1,)
    slot = system.layout.block(0).stop - 1
    system.start.u[slot] = SPEED
    expected = simulate(reference).states
    ends, energies = [], []
    for step in (2e-3, 1e-3):
        march = March.begin(
            Engine.prepare(system, SolverSettings(fixed_step=step, rho_infinity=rho)), np.zeros(0), 0, 1.0
        )
        while march.behind(1.0):
            assert march.advance(1.0) in (RUNNING, FINISHED, FULL)
        log, last = march.log, march.rows - 1
        ends.append(rotation_matrix(log.p[last, 0]) - rotation_matrix(expected.orientation[-1, 0]))
        u = log.u[[0, last], : system.coordinates]
        height = log.r[[0, last], 0, 2]
        mass = system.inertia[0]
        energies.append(
            np.ptp([0.5 * u[k] @ system.mass_times(u[k]) + mass * 9.81 * height[k] for k in range(2)])
        )
        # what turns the rotor is a force along its coordinate alone: its own momentum stays
        spins = log.u[: last + 1, system.layout.block(0)]
        own = ROTOR * (spins[:, 3:6] @ ABOUT + spins[:, 6])
        np.testing.assert_allclose(own, own[0], rtol=2e-5)
    coarse, fine = (float(np.max(np.abs(end))) for end in ends)
    assert fine < 2e-4
    assert 3.0 < coarse / fine < 5.0
    assert energies[1] < 0.35 * energies[0] + 1e-9


def test_that_a_mass_that_couples_translation_is_no_mass_about_the_centre() -> None:
    project, masses, _ = _gyrostat()
    masses["body"][0, 4] = masses["body"][4, 0] = 0.1
    with pytest.raises(ValueError, match="about its centre of mass"):
        compile_system(project, masses=masses)
