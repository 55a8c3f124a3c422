"""Maxwell element, friction damper, bushing and curves with corners against closed forms."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import Force
from ridewright.core.model.forces.bushing import Bushing
from ridewright.core.model.forces.friction_damper import FrictionDamper
from ridewright.core.model.forces.maxwell import Maxwell
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

MASS = 2.0
EXPLICIT = {"method": "rk4", "fixed_step": 1e-3}
PARTITIONED = {"method": "rk4", "fixed_step": 1e-3, "formulation": "partitioning"}
ADAPTIVE = {"method": "adaptive_dop853", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-12}


def slider(
    *forces: Force, speed: float, duration: float, gravity: float = 0.0, **settings: object
) -> Results:
    """A mass on a slide along x, at x = 1 m and moving with a speed (m/s); elements from the origin to it."""
    rail = Joint(
        name="Rail", kind="prismatic", body_i="ground", body_j="Mass",
        axis_i=(1.0, 0.0, 0.0), axis_j=(1.0, 0.0, 0.0), point_j=(-1.0, 0.0, 0.0),
    )  # fmt: skip
    mass = Body(
        name="Mass", mass=MASS, inertia=(0.1, 0.1, 0.1), position=(1.0, 0.0, 0.0), velocity=(speed, 0.0, 0.0)
    )
    project = Project(
        name="slider", gravity=(gravity, 0.0, 0.0),
        scenario=Rig(
            assembly=Assembly(name="Rig", role="rig", bodies=(mass,), joints=(rail,), forces=forces),
            duration=duration,
        ),
        settings=SolverSettings(**settings),  # type: ignore[arg-type]
    )  # fmt: skip
    return simulate(project)


def ledger_error(run: Results) -> float:
    """Largest residual of the energy, over the kinetic energy at the start."""
    return float(np.abs(run.energy.residual).max() / run.energy.kinetic[0])


MAXWELL = Maxwell(
    name="m",
    body_i="ground",
    body_j="Mass",
    stiffness=300.0,
    damping=20.0,
    parallel_stiffness=50.0,
    free_length=1.0,
)


def maxwell_answer(time: np.ndarray) -> np.ndarray:
    """Displacement, speed and extension of the dashpot (n, 3): x'' = -(k (x - z) + kp x) / m, c z' = k (x - z)."""
    k, c, kp = MAXWELL.stiffness, MAXWELL.damping, MAXWELL.parallel_stiffness
    A = np.array([[0.0, 1.0, 0.0], [-(k + kp) / MASS, 0.0, k / MASS], [k / c, 0.0, -k / c]])
    return np.array([expm(A * t) @ [0.0, 1.5, 0.0] for t in time])


@pytest.mark.parametrize(
    "settings",
    [{"tolerance": 1e-8}, {"tolerance": 1e-8, "rho_infinity": 1.0}, EXPLICIT, PARTITIONED, ADAPTIVE],
)
def test_that_a_maxwell_element_follows_the_matrix_exponential(settings: dict[str, object]) -> None:
    run = slider(MAXWELL, speed=1.5, duration=1.0, **settings)
    answer = maxwell_answer(run.states.time)
    np.testing.assert_allclose(run.states.position[:, 0, 0] - 1.0, answer[:, 0], atol=3e-6)
    np.testing.assert_allclose(run.states.internal[:, 0], answer[:, 2], atol=3e-6)
    assert ledger_error(run) < (
        5e-4 if settings is ADAPTIVE else 1e-4
    )  # whose long steps sample the loss coarsely


@pytest.mark.parametrize("rho", [0.0, 0.8, 1.0])
def test_that_internal_unknowns_keep_the_second_order(rho: float) -> None:
    errors = []
    for step in (0.01, 0.005, 0.0025):
        run = slider(MAXWELL, speed=1.5, duration=1.0, fixed_step=step, rho_infinity=rho)
        ends = run.states.position[-1, 0, 0] - 1.0, run.states.velocity[-1, 0, 0], run.states.internal[-1, 0]
        errors.append(np.abs(np.array(ends) - maxwell_answer(run.states.time[-1:])[0]))
    sizes = [float(np.linalg.norm(e)) for e in errors]
    for coarse, fine in pairwise(sizes):
        assert 1.8 < math.log2(coarse / fine) < 2.4


def test_that_a_maxwell_element_under_constant_force_creeps_as_its_dashpot_says() -> None:
    """Alone and loaded it gives at once and then creeps with load / damping."""
    free = MAXWELL.model_copy(update={"parallel_stiffness": 0.0, "damping": 40.0})
    run = slider(free, speed=0.0, duration=20.0, gravity=3.0)
    speed = (
        run.states.position[-1, 0, 0] - np.interp(15.0, run.states.time, run.states.position[:, 0, 0])
    ) / 5.0
    assert speed == pytest.approx(MASS * 3.0 / 40.0, rel=1e-4)


FRICTION = FrictionDamper(name="f", body_i="ground", body_j="Mass", force=6.0, stiffness=3e4, free_length=1.0)


@pytest.mark.parametrize(
    "settings", [{"tolerance": 1e-7}, {"tolerance": 1e-7, "rho_infinity": 1.0}, EXPLICIT, ADAPTIVE]
)
def test_that_a_friction_damper_stops_a_mass_where_and_when_coulomb_says(settings: dict[str, object]) -> None:
    """It gives F/k until it slides; v^2 m / 2 = F (travel - F / 2k). Then it swings on the sticking spring."""
    v, F, k = 1.2, FRICTION.force, FRICTION.stiffness
    run = slider(FRICTION, speed=v, duration=1.0, **settings)
    stretch = F / k
    travel = (0.5 * MASS * v * v - 0.5 * F * stretch) / F + stretch
    at_slide = math.sqrt(v * v - k / MASS * stretch * stretch)
    stop = math.asin(stretch * math.sqrt(k / MASS) / v) / math.sqrt(k / MASS) + at_slide * MASS / F
    place, speed = run.states.position[:, 0, 0] - 1.0, run.states.velocity[:, 0, 0]
    last = int(np.argmax(speed < 0.0))
    last -= int(place[last - 1] > place[last])  # a step may end at standstill or a rounding behind it
    assert place[last] == pytest.approx(travel, rel=1e-5)
    around = [last + 1, last, last - 1]
    turned = float(np.interp(0.0, speed[around], run.states.time[around]))
    assert turned == pytest.approx(stop, abs=2e-5)
    residual = np.abs(run.energy.residual) / run.energy.kinetic[0]
    assert residual[: last + 1].max() < 1e-4
    assert residual.max() < 6e-4  # what the sticking spring holds may be damped by the method
    assert np.abs(place[last:] - travel).max() < 2.1 * stretch


def test_that_a_friction_damper_holds_below_its_force() -> None:
    """No creep under 0.45 of it, put on at once (0.9 at the overshoot), where a smoothed law would creep."""
    run = slider(FRICTION, speed=0.0, duration=20.0, gravity=0.45 * FRICTION.force / MASS)
    place = run.states.position[:, 0, 0] - 1.0
    assert np.abs(place).max() < FRICTION.force / FRICTION.stiffness
    assert run.energy.dissipated[-1] == 0.0


def test_that_a_slack_spring_given_by_corners_gives_what_its_corners_say() -> None:
    """10 mm of play either way, then 2e5 N/m: a weight hangs 10 mm and load / stiffness low."""
    spring = SpringDamper(
        name="s", body_i="ground", body_j="Mass", free_length=1.0, damping=300.0, curve_kind="corners",
        curve=((-0.02, -2000.0), (-0.01, 0.0), (0.01, 0.0), (0.02, 2000.0)),
    )  # fmt: skip
    run = slider(spring, speed=0.0, duration=6.0, gravity=670.0)
    assert run.states.position[-1, 0, 0] - 1.0 == pytest.approx(0.01 + MASS * 670.0 / 2e5, abs=1e-6)


def free_pair(**bushing: object) -> Results:
    """Two free bodies that turn against one another, joined by a bushing off their centres."""
    bodies = (
        Body(name="A", mass=3.0, inertia=(0.2, 0.3, 0.4), position=(0.0, 0.0, 0.0), angular_velocity=(1.0, -2.0, 0.5)),
        Body(name="B", mass=2.0, inertia=(0.3, 0.2, 0.25), position=(0.5, 0.1, 0.0), velocity=(0.3, 0.4, -0.2)),
    )  # fmt: skip
    joined = Bushing(
        name="b", body_i="A", body_j="B", point_i=(0.3, 0.0, 0.1), point_j=(-0.2, -0.1, 0.1), **bushing
    )  # type: ignore[arg-type]
    project = Project(
        name="pair", gravity=(0.0, 0.0, 0.0),
        scenario=Rig(assembly=Assembly(name="Rig", role="rig", bodies=bodies, forces=(joined,)), duration=2.0),
        settings=SolverSettings(tolerance=1e-8, rho_infinity=1.0),
    )  # fmt: skip
    return simulate(project)


def full_matrix(scale: tuple[float, ...], seed: int) -> tuple[tuple[float, ...], ...]:
    rng = np.random.default_rng(seed)
    root = np.diag(np.sqrt(scale)) @ (np.eye(6) + 0.2 * rng.standard_normal((6, 6)))
    return tuple(tuple(row) for row in (root @ root.T).tolist())


STIFF = full_matrix((2e3, 3e3, 1e3, 20.0, 30.0, 15.0), 3)


def momenta(run: Results) -> np.ndarray:
    """Linear and angular momentum about the origin (n, 6)."""
    from ridewright.core.base.frames import rotation_matrix

    s, total = run.states, np.zeros((len(run.states.time), 6))
    for b, (mass, inertia) in enumerate(((3.0, (0.2, 0.3, 0.4)), (2.0, (0.3, 0.2, 0.25)))):
        spin = np.einsum(
            "nij,nj->ni", rotation_matrix(s.orientation[:, b]), inertia * s.angular_velocity[:, b]
        )
        total[:, :3] += mass * s.velocity[:, b]
        total[:, 3:] += spin + mass * np.cross(s.position[:, b], s.velocity[:, b])
    return total


def test_that_a_bushing_with_full_matrices_keeps_energy_and_momentum() -> None:
    """Large rotations: the rotation vector's load is the gradient of its energy."""
    run = free_pair(stiffness=STIFF)
    assert ledger_error(run) < 2e-5
    turned = momenta(run)
    np.testing.assert_allclose(turned, np.broadcast_to(turned[0], turned.shape), atol=3e-6)


def test_that_a_damped_bushing_loses_what_the_ledger_says() -> None:
    run = free_pair(stiffness=STIFF, damping=full_matrix((20.0, 30.0, 10.0, 0.2, 0.3, 0.2), 4))
    assert run.energy.dissipated[-1] > 0.2 * run.energy.kinetic[0]
    assert ledger_error(run) < 1e-4


def test_that_a_bushing_swings_a_clamped_body_with_the_frequencies_of_its_matrices() -> None:
    """About its centre, small: eigenvalues of K against M."""
    body = Body(
        name="Mass", mass=MASS, inertia=(0.1, 0.2, 0.3), position=(0.0, 0.0, 0.0), velocity=(1e-4, 2e-4, 0.0)
    )
    joined = Bushing(name="b", body_i="ground", body_j="Mass", stiffness=STIFF)
    project = Project(
        name="clamped", gravity=(0.0, 0.0, 0.0),
        scenario=Rig(assembly=Assembly(name="Rig", role="rig", bodies=(body,), forces=(joined,)), duration=0.5),
        settings=SolverSettings(fixed_step=1e-4, rho_infinity=1.0),
    )  # fmt: skip
    run = simulate(project)
    M, K = np.diag([MASS, MASS, MASS, 0.1, 0.2, 0.3]), np.array(STIFF)
    A = np.block([[np.zeros((6, 6)), np.eye(6)], [-np.linalg.solve(M, K), np.zeros((6, 6))]])
    start = np.zeros(12)
    start[6:9] = body.velocity
    answer = np.array([expm(A * t) @ start for t in run.states.time])
    np.testing.assert_allclose(run.states.position[:, 0], answer[:, :3], atol=2e-9)
