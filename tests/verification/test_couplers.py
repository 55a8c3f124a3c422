"""The coupler without mass: two freight cars pushed along the track, couplers in curves, unequal ends.

Data and expected numbers: Massa et al. 2012, Tables 1 and 2 in SI; the linear reference is made here with matrix
exponentials, independent of the program.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.coupler import Coupler, CouplerEnd
from ridewright.core.model.forces.force import AppliedForce
from ridewright.core.model.functions import constant
from ridewright.core.model.joints import Joint
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

LOADED, EMPTY, APART = 93800.0, 23800.0, 13.976
PUSH = 3e5
RAIL = {"kind": "prismatic", "body_i": "ground", "axis_i": (1.0, 0.0, 0.0), "axis_j": (1.0, 0.0, 0.0)}


def coupler(**more: object) -> Coupler:
    """The paper's coupler between points 2 (0.289 + 0.8) + 0.204 m apart, car "Front" ahead of car "Rear"."""
    half = 0.5 * (APART - 2.0 * (0.289 + 0.8) - 0.204)
    return Coupler(
        name="Coupler",
        body_i="Rear",
        body_j="Front",
        point_i=(half, 0.0, 0.0),
        point_j=(-half, 0.0, 0.0),
        **more,
    )  # type: ignore[arg-type]


def pushed(mass: float, element: Coupler, duration: float, **settings: object) -> Results:
    bodies = tuple(
        Body(name=name, mass=mass, inertia=(1e5, 1e6, 1e6), position=(x, 0.0, 0.0))
        for name, x in (("Rear", 0.0), ("Front", APART))
    )
    rails = tuple(
        Joint(name=f"Rail {b.name}", body_j=b.name, point_j=(-b.position[0], 0.0, 0.0), **RAIL)  # type: ignore[arg-type]
        for b in bodies
    )
    push = AppliedForce(name="Push", body="Rear", components=(constant(PUSH), constant(0), constant(0)))
    project = Project(
        name="cars", gravity=(0.0, 0.0, 0.0),
        scenario=Rig(
            assembly=Assembly(name="Rig", role="rig", bodies=bodies, joints=rails, forces=(element, push)),
            duration=duration,
        ),
        settings=SolverSettings(**settings),  # type: ignore[arg-type]
    )  # fmt: skip
    return simulate(project)


def linear(mass: float, time: np.ndarray) -> np.ndarray:
    """Travel of both blocks (n, 2): state (relative place and speed of the cars, travel of both blocks out of them)."""
    kB, cB, kr, cr = 3e7, 2.5e5, 5e8, 5e5
    # knuckle force N = kr (s - a - b) + cr (s' - a' - b'); kB a + cB a' = N = kB b + cB b'; s'' = -2 N / m - push / m
    coupled = [-2 * cr / mass, -2 * cr / mass]
    M = np.array(
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, *coupled], [0.0, 0.0, cB + cr, cr], [0.0, 0.0, cr, cB + cr]]
    )
    cars = [-2 * kr / mass, -2 * cr / mass, 2 * kr / mass, 2 * kr / mass]
    K = np.array([[0.0, 1.0, 0.0, 0.0], cars, [kr, cr, -kB - kr, -kr], [kr, cr, -kr, -kB - kr]])
    A, b = np.linalg.solve(M, K), np.linalg.solve(M, [0.0, -PUSH / mass, 0.0, 0.0])
    rest = -np.linalg.solve(A, b)
    return np.array([(rest - expm(A * t) @ rest)[2:] for t in time])


@pytest.mark.parametrize(("mass", "peak"), [(LOADED, 8.9908e-3), (EMPTY, 8.1838e-3)])
def test_that_two_pushed_cars_follow_the_linear_answer(mass: float, peak: float) -> None:
    """Peak travel as the reference has it, and the whole history, at the default tolerance."""
    run = pushed(mass, coupler(), 3.0)
    travel = run.states.internal[:, [0, 2]]
    answer = linear(mass, run.states.time)
    np.testing.assert_allclose(travel, answer, atol=5e-6)
    assert -travel[:, 0].min() == pytest.approx(peak, rel=1e-3)
    np.testing.assert_allclose(run.states.internal[:, [1, 3]], 0.0, atol=1e-9)


@pytest.mark.parametrize(
    "settings", [{"rho_infinity": 1.0, "tolerance": 1e-8}, {"method": "rk4", "fixed_step": 1e-3}]
)
def test_that_other_methods_find_the_same_travel(settings: dict[str, object]) -> None:
    run = pushed(LOADED, coupler(), 1.0, **settings)
    np.testing.assert_allclose(run.states.internal[:, [0, 2]], linear(LOADED, run.states.time), atol=3e-6)


def test_that_the_steady_push_stands_between_the_cars() -> None:
    """Half the push goes on to the front car: every spring gives what half the push says."""
    run = pushed(LOADED, coupler(), 30.0)
    rest = run.states.internal[-1]
    assert rest[[0, 2]] == pytest.approx(-0.5 * PUSH / 3e7, rel=1e-3)
    at = run.names.springs.index("Coupler x")
    assert run.states.spring_force[-1, at] == pytest.approx(-0.5 * PUSH, rel=1e-3)


def free_cars(element: Coupler) -> Results:
    """Two free cars, the second askew and moving across, without gravity."""
    bodies = (
        Body(name="Rear", mass=400.0, inertia=(100.0, 300.0, 350.0), position=(0.0, 0.0, 0.0)),
        Body(
            name="Front", mass=300.0, inertia=(80.0, 250.0, 270.0), position=(APART, 0.05, 0.02),
            velocity=(0.3, 0.4, 0.05), angular_velocity=(0.02, 0.01, -0.05),
        ),
    )  # fmt: skip
    project = Project(
        name="free", gravity=(0.0, 0.0, 0.0),
        scenario=Rig(assembly=Assembly(name="Rig", role="rig", bodies=bodies, forces=(element,)), duration=1.5),
        settings=SolverSettings(tolerance=1e-8, rho_infinity=1.0),
    )  # fmt: skip
    return simulate(project)


UNEQUAL = {
    "end_i": CouplerEnd(stiffness=3e5, damping=2e3, shank_stiffness=4e4, shank_damping=5e2),
    "end_j": CouplerEnd(
        stiffness=1e5, damping=5e2, shank_stiffness=2e4, shank_damping=3e2, shank_length=0.6, rest_length=0.489
    ),
    "knuckle_stiffness": 8e5, "knuckle_damping": 1e3,
}  # fmt: skip


@pytest.mark.parametrize("length", [0.204, 0.0])
def test_that_momentum_and_energy_are_kept_for_unequal_ends(length: float) -> None:
    from ridewright.core.base.frames import rotation_matrix

    ends = (
        UNEQUAL if length else UNEQUAL | {"end_i": UNEQUAL["end_i"].model_copy(update={"rest_length": 0.493})}
    )  # type: ignore[attr-defined]
    run = free_cars(coupler(**ends, knuckle_length=length))
    s, total = run.states, np.zeros((len(run.states.time), 6))
    for b, (mass, inertia) in enumerate(((400.0, (100.0, 300.0, 350.0)), (300.0, (80.0, 250.0, 270.0)))):
        spin = np.einsum(
            "nij,nj->ni", rotation_matrix(s.orientation[:, b]), inertia * s.angular_velocity[:, b]
        )
        total[:, :3] += mass * s.velocity[:, b]
        total[:, 3:] += spin + mass * np.cross(s.position[:, b], s.velocity[:, b])
    scale = np.abs(total).max()
    np.testing.assert_allclose(total[:, :3] - total[0, :3], 0.0, atol=1e-10 * scale)
    np.testing.assert_allclose(total[:, 3:] - total[0, 3:], 0.0, atol=1e-6 * scale)
    assert np.abs(s.internal[:, [1, 3]]).max() > 0.005  # the shanks turn
    held = (
        run.energy.kinetic[0] + run.energy.elastic[0]
    )  # the askew cars load a knuckle that is a vector spring
    assert np.abs(run.energy.residual).max() < 5e-4 * held
    assert run.energy.dissipated[-1] > 0.01 * run.energy.kinetic[0]
