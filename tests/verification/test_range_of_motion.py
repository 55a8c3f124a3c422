"""Joints that end: the torque of a potential, the printed law and its error, turning angles of limited pendulums."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from verification_tools import accurate, body, changed, complete, largest, run

from ridewright.core.base.frames import (
    from_matrix,
    from_rotation_vector,
    multiply,
    rotation_matrix,
    rotation_vector,
    skew,
)
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.posture_muscle import PostureMuscle
from ridewright.core.model.forces.range_of_motion import RangeOfMotion, component
from ridewright.core.model.joints import Joint
from ridewright.core.multibody.arrays import FORCE
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.force_kernels import forces
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

WIDE = ((-3.1, -3.1, -3.1), (3.1, 3.1, 3.1))
TIGHT = {"method": "adaptive_dop853", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-11}
IMPLICIT = {"method": "generalized_alpha", "tolerance": 1e-6}
MGA = 9.81 * 0.3  # N m
NARROW = from_rotation_vector(np.array([0.5 * np.pi, 0.0, 0.0]))  # zero pose of the pendulums
ACROSS, ACROSS_OWN = (0.0, 1.0, 0.0), (0.0, 0.0, -1.0)  # the world's y, in the axes of the drawn body


def free_body(forces: tuple[object, ...], duration: float = 2.0, **settings: object) -> Project:
    """A body on a ball joint at its centre without gravity, turned and spinning."""
    made = Body(
        name="B", mass=1.0, inertia=(0.3, 0.5, 0.2), position=(0.0, 0.0, 0.0),
        orientation=tuple(from_rotation_vector(np.array([0.5, 0.4, -0.3]))), angular_velocity=(2.0, -3.0, 1.0),
    )  # fmt: skip
    joint = Joint(name="J", kind="spherical", body_i="ground", body_j="B")
    rig = Assembly(name="Rig", role="rig", bodies=(made,), joints=(joint,), forces=forces)
    return Project(
        name="free", gravity=(0.0, 0.0, 0.0), scenario=Rig(assembly=rig, duration=duration),
        settings=SolverSettings(**settings),
    )  # fmt: skip


def spring(moment: str, **more: object) -> RangeOfMotion:
    fields = {"stiffness_inside": (20.0, 5.0, 60.0), "lower": WIDE[0], "upper": WIDE[1], **more}
    return RangeOfMotion(name="R", joint="J", moment=moment, zero=(1.0, 0.0, 0.0, 0.0), **fields)


def stored_and_moving(results: Results) -> np.ndarray:
    return np.asarray(results.energy.kinetic + results.energy.elastic)


@pytest.mark.parametrize(
    ("moment", "end"), [("potential", 8.55), ("printed", 9.2242), ("printed_own", 13.8190)]
)
def test_that_a_free_body_ends_with_the_energy_of_the_reference(moment: str, end: float) -> None:
    """Reference computed independently; the printed law is no gradient, and the ledger books what it puts in."""
    results = complete(simulate(free_body((spring(moment),), **TIGHT, max_step=2e-3)))
    energy = stored_and_moving(results)
    assert energy[0] == pytest.approx(8.55, abs=1e-9)
    assert energy[-1] == pytest.approx(end, abs=6e-5)
    assert results.energy.driven[-1] == pytest.approx(energy[-1] - energy[0], abs=2e-4)
    assert largest(results.energy.residual) < 2e-4


def law_torque(element: RangeOfMotion, q: np.ndarray) -> tuple[np.ndarray, float]:
    """Torque (3,) on the body in its own axes at a rotation vector, as the program makes it, and stored energy."""
    system = compile_system(free_body((element,)))
    W = system.new_work()
    p = np.vstack([from_rotation_vector(q), [1.0, 0.0, 0.0, 0.0]])  # the body, the ground
    constraints(system.arrays, W, 0.0, np.zeros((2, 3)), p, np.zeros(0))
    forces(system.arrays, W, np.zeros(system.coordinates + 6), np.zeros(system.rows))
    return W.vel[FORCE][3:6].copy(), float(W.el[0, 3])


def path(s: float) -> tuple[np.ndarray, np.ndarray]:
    """A closed path of rotation vectors and its derivative."""
    q = np.array([0.9 * np.cos(s), 0.7 * np.sin(s), 0.5 * np.sin(s) + 0.3])
    return q, np.array([-0.9 * np.sin(s), 0.7 * np.cos(s), 0.5 * np.cos(s)])


def rate_in_own_axes(q: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """T(q) q', the angular velocity in the axes of the body, T = 1 - (1 - cos)/q^2 q~ + (q - sin)/q^3 q~ q~."""
    a, Q = float(np.linalg.norm(q)), skew(q)
    T = np.eye(3) - (1 - np.cos(a)) / a**2 * Q + (a - np.sin(a)) / a**3 * Q @ Q
    return np.asarray(T @ dq)


@pytest.mark.parametrize(
    ("moment", "work"), [("potential", 0.0), ("printed", -25.5954), ("printed_own", 25.5954)]
)
def test_that_a_closed_path_costs_nothing_with_the_potential_and_25_6_joules_as_printed(
    moment: str, work: float
) -> None:
    element = spring(moment)
    s = np.linspace(0.0, 2.0 * np.pi, 97)[:-1]  # periodic and smooth: converges exponentially
    power = []
    for at in s:
        q, dq = path(float(at))
        power.append(float(law_torque(element, q)[0] @ rate_in_own_axes(q, dq)))
    found = 2.0 * np.pi * float(np.mean(power))
    # the work of the reference is that of -K q, whose sign goes with the axes it is applied in
    assert found == pytest.approx(work, abs=1e-9 if moment == "potential" else 5e-5)


def test_that_the_torque_is_minus_the_slope_of_the_energy_at_general_poses() -> None:
    element = spring(
        "potential", stiffness_beyond=(80.0, 150.0, 40.0), lower=(-0.2, -0.7, -0.1), upper=(0.3, 0.1, 0.5),
        rest=(0.1, -0.2, 0.05), corner=0.15,
        curve_y=((-1.5, -4.0), (-0.5, -1.0), (0.2, 0.3), (0.9, 2.0), (1.6, 9.0)),
    )  # fmt: skip
    rng = np.random.default_rng(7)
    for _ in range(20):
        q = rng.standard_normal(3)
        q *= rng.uniform(0.1, 3.0) / np.linalg.norm(q)
        torque, energy = law_torque(element, q)
        assert energy == pytest.approx(sum(component(element, k, float(q[k]))[1] for k in range(3)))
        for k in range(3):
            turned = []
            for side in (1e-5, -1e-5):
                A = rotation_matrix(from_rotation_vector(q)) @ rotation_matrix(
                    from_rotation_vector(side * np.eye(3)[k])
                )
                turned.append(law_torque(element, rotation_vector(from_matrix(A)))[1])
            slope = (turned[0] - turned[1]) / 2e-5
            assert torque[k] == pytest.approx(-slope, abs=2e-6 * max(1.0, abs(slope)) + 1e-5)


def test_that_nothing_is_singular_at_rest_or_next_to_a_half_turn_and_angles_wrap() -> None:
    element = spring("potential")
    assert law_torque(element, np.zeros(3))[0] == pytest.approx(np.zeros(3), abs=1e-12)
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    near, past = (law_torque(element, a * axis) for a in (np.pi - 1e-4, np.pi + 1e-4))
    assert np.isfinite(near[0]).all()
    # beyond a half turn it is the same pose as from the other side
    assert past[1] == pytest.approx(law_torque(element, -(np.pi - 1e-4) * axis)[1], rel=1e-9)


def soft(x: float, w: float = 0.05) -> float:
    """S(x) with slope x^2/(2 w) up to w, x - w/2 beyond."""
    if x <= 0.0:
        return 0.0
    return x**3 / (6 * w) if x < w else w * w / 6 + 0.5 * (x - w) * x


def turning_angle(limit: float) -> float:
    """Where m g a sin q = U(q), of a pendulum let go horizontally."""
    return float(brentq(lambda q: MGA * np.sin(q) - soft(q - limit), 1.6, np.pi - 1e-6))


def swing(results: Results) -> tuple[float, float]:
    """Largest angle about y (rad) and when it is reached, from the direction of the body's long axis."""
    k = body(results, "Body 1")
    A, t = rotation_matrix(results.states.orientation[:, k]), results.states.time
    angle = np.unwrap(np.arctan2(-A[:, 2, 0], A[:, 0, 0]))
    w = np.einsum("nc,nc->n", A[:, 1], results.states.angular_velocity[:, k])  # about the world's y
    n = int(np.argmax((w[:-1] > 0.0) & (w[1:] <= 0.0)))
    share = w[n] / (w[n] - w[n + 1])
    h = t[n + 1] - t[n]
    slope = (w[n + 1] - w[n]) / h
    return float(angle[n] + w[n] * share * h + 0.5 * slope * (share * h) ** 2), float(t[n] + share * h)


@pytest.mark.parametrize("settings", [TIGHT, IMPLICIT], ids=["explicit", "implicit"])
@pytest.mark.parametrize(
    ("name", "limit", "degrees", "seconds"),
    [("limited_pendulum_20", 20.0, 136.62535, 0.603906), ("limited_pendulum_70", 70.0, 157.47130, 0.642485)],
)
def test_that_limited_pendulums_turn_where_their_energy_says(
    name: str, limit: float, degrees: float, seconds: float, settings: dict[str, object]
) -> None:
    results = run(name, duration=0.8, sample_rate=2000.0, **settings)
    angle, time = swing(results)
    assert np.degrees(turning_angle(np.radians(limit))) == pytest.approx(degrees, abs=1e-5)
    tight = settings is TIGHT
    assert np.degrees(angle) == pytest.approx(degrees, abs=1e-4 if tight else 2e-2)
    assert time == pytest.approx(seconds, abs=2e-6 if tight else 1e-4)


def test_that_the_pendulum_without_limit_swings_by_a_half_turn() -> None:
    results = accurate("unlimited_pendulum", duration=1.0, sample_rate=2000.0)
    angle, time = swing(results)
    assert np.degrees(angle) == pytest.approx(180.0, abs=1e-3)
    assert time == pytest.approx(0.736192, abs=2e-6)


def test_that_the_pendulum_in_space_keeps_its_energy_in_two_solvers_that_agree() -> None:
    tight = run("limited_pendulum_spatial", **TIGHT)
    implicit = run("limited_pendulum_spatial", **{**IMPLICIT, "tolerance": 1e-7})
    for results, bound in ((tight, 1e-7), (implicit, 1e-3)):
        energy = stored_and_moving(results) + results.energy.potential
        assert largest(energy - energy[0]) < bound
    turned = rotation_matrix(tight.states.orientation[:, 0]) @ rotation_matrix(NARROW).T
    q = rotation_vector(np.array([from_matrix(A) for A in turned]))
    assert (
        2.0 < np.linalg.norm(q, axis=1).max() < np.pi - 0.1
    )  # all that happens is well short of a half turn
    assert (np.abs(q).max(axis=0) > np.radians(20.0)).all()  # every component met its limit
    assert largest(tight.states.position[-1] - implicit.states.position[-1]) < 1e-4


def test_that_damping_inside_and_beyond_loses_what_the_ledger_says() -> None:
    element = spring(
        "potential", lower=(-0.3, -0.2, -0.1), upper=(0.1, 0.2, 0.3), stiffness_beyond=(50.0, 50.0, 50.0),
        damping_inside=(0.1, 0.2, 0.05), damping_beyond=(0.5, 0.3, 0.4),
    )  # fmt: skip
    results = complete(simulate(free_body((element,), **TIGHT)))
    energy = stored_and_moving(results)
    assert results.energy.dissipated[-1] > 1.0
    assert largest(results.energy.residual) < 1e-3 * energy[0]


@pytest.mark.parametrize("settings", [TIGHT, IMPLICIT], ids=["explicit", "implicit"])
def test_that_a_hinge_ends_as_a_ball_does_about_its_axis(settings: dict[str, object]) -> None:
    """The pendulum of 6.4.2 on a hinge about y, its zero pose given as before."""
    project = changed(load_example("limited_pendulum_20"), duration=0.8, sample_rate=2000.0, **settings)
    rig = project.scenario.assembly
    hinge = rig.joints[0].model_copy(update={"kind": "revolute", "axis_i": ACROSS, "axis_j": ACROSS_OWN})
    made = rig.model_copy(update={"joints": (hinge,)})
    project = project.model_copy(update={"scenario": project.scenario.model_copy(update={"assembly": made})})
    angle, _ = swing(complete(simulate(project)))
    assert np.degrees(angle) == pytest.approx(136.62535, abs=1e-4 if settings is TIGHT else 2e-2)


def test_that_a_zero_pose_moves_the_limits_of_a_hinge() -> None:
    """Drawn 30 degrees past its zero about y, it turns where the energy from there says."""
    project = changed(load_example("limited_pendulum_20"), duration=0.8, sample_rate=2000.0, **TIGHT)
    rig = project.scenario.assembly
    start = np.radians(30.0)
    zero = tuple(multiply(from_rotation_vector(np.array([0.0, -start, 0.0])), NARROW))
    wanted = brentq(
        lambda q: MGA * np.sin(q) - soft(q + start - np.radians(20.0)) + soft(start - np.radians(20.0)),
        1.0,
        3.0,
    )
    for kind in ("spherical", "revolute"):
        joint = rig.joints[0].model_copy(update={"kind": kind, "axis_i": ACROSS, "axis_j": ACROSS_OWN})
        made = rig.model_copy(
            update={"joints": (joint,), "forces": (rig.forces[0].model_copy(update={"zero": zero}),)}
        )
        scenario = project.scenario.model_copy(update={"assembly": made})
        angle, _ = swing(complete(simulate(project.model_copy(update={"scenario": scenario}))))
        assert angle == pytest.approx(wanted, abs=1e-6)


def test_that_a_muscle_swings_as_its_delay_equation_says_and_never_exceeds_its_largest_moment() -> None:
    """A small rotation about one principal axis: J x'' = -b, two lags of half the delay; eigenvalues by numpy."""
    J, k, c, delay = 0.5, 40.0, 3.0, 0.05
    made = Body(
        name="B", mass=1.0, inertia=(0.3, J, 0.2), position=(0.0, 0.0, 0.0), angular_velocity=(0.0, 1e-3, 0.0)
    )
    joint = Joint(name="J", kind="spherical", body_i="ground", body_j="B")
    muscle = PostureMuscle(
        name="M", joint="J", enabled=True, stiffness=k, damping=c, largest=30.0, delay=delay
    )
    rig = Assembly(name="Rig", role="rig", bodies=(made,), joints=(joint,), forces=(muscle,))
    project = Project(
        name="m",
        gravity=(0.0, 0.0, 0.0),
        scenario=Rig(assembly=rig, duration=1.0),
        settings=SolverSettings(**TIGHT),
    )
    results = complete(simulate(project))
    lag = delay / 2.0
    # states x, v, a, b
    A = np.array(
        [[0, 1, 0, 0], [0, 0, 0, -1 / J], [k / lag, c / lag, -1 / lag, 0], [0, 0, 1 / lag, -1 / lag]]
    )
    values, vectors = np.linalg.eig(A)
    start = np.linalg.solve(vectors, np.array([0.0, 1e-3, 0.0, 0.0]))
    exact = np.real(vectors @ (start * np.exp(values * results.states.time[-1])))
    assert results.states.angular_velocity[-1, 0, 1] == pytest.approx(exact[1], rel=1e-4)
    assert abs(results.energy.residual).max() < 1e-9
    fast = made.model_copy(update={"angular_velocity": (0.0, 40.0, 0.0)})
    strong = project.model_copy(
        update={"scenario": Rig(assembly=rig.model_copy(update={"bodies": (fast,)}), duration=0.04)}
    )
    results = complete(simulate(strong))
    assert 5.0 < largest(results.states.spring_force[:, 0]) < 30.0


def test_that_limits_on_the_wrong_side_are_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"about y are -20 and -10 degrees; the \+ limit must be 0 or more"):
        RangeOfMotion(
            name="R", joint="J", lower=(0.0, -np.radians(20.0), 0.0), upper=(0.0, -np.radians(10.0), 0.0)
        )
