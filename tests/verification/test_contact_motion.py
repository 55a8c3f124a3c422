"""Bodies in contact: examples of Spicka 2020, friction, what is kept, order, and that methods agree."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np
import pytest
from contact_rigs import ball, contact, on_floor
from impacts import Free, impact

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.model.bodies import Body
from ridewright.core.model.joints import Joint
from ridewright.core.model.surfaces import Ellipsoid, Plane, Sphere
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Method, Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate

DOWN = (0.0, 0.0, -9.81)
OTHER = {"method": "adaptive_dop853", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}


def _run(name: str, **settings: object) -> Results:
    project = load_example(name)
    return simulate(project.model_copy(update={"settings": project.settings.model_copy(update=settings)}))


def _until_second_touch(run: Results) -> float:
    touches = [event.time for event in run.events if event.kind == "touch"]
    return touches[1]


@pytest.mark.parametrize("name", ["bouncing_ball", "ellipsoid_on_slope"])
def test_that_two_solvers_agree_up_to_the_second_contact(name: str) -> None:
    one, other = _run(name), _run(name, **OTHER)
    end = _until_second_touch(one)
    assert end == pytest.approx(_until_second_touch(other), abs=1e-4)
    time = np.linspace(0.0, end, 200)
    a, b = (Sampler(run.states, time).body(0) for run in (one, other))
    np.testing.assert_allclose(a.position, b.position, atol=1e-4)
    np.testing.assert_allclose(a.orientation, b.orientation, atol=1e-4)


def test_that_the_ball_touches_when_and_as_fast_as_it_fell() -> None:
    run = _run("bouncing_ball")
    touch = next(event for event in run.events if event.kind == "touch")
    assert touch.time == pytest.approx(math.sqrt(2.0 * 0.3 / 9.81), abs=1e-7)
    k = int(np.searchsorted(run.states.time, touch.time - 1e-9))
    assert run.states.velocity[k, 0, 2] == pytest.approx(-math.sqrt(2.0 * 9.81 * 0.3), abs=1e-5)
    assert abs(run.states.velocity[-1, 0, 2]) < 1e-9


def test_that_no_stiffness_and_restitution_give_the_whole_printed_table() -> None:
    """Table 6.1 of Spicka 2020: by Hertz 1320.6 N set k; with it Hunt and Crossley's 2.9 mm would need more than the
    largest loss their law has (c = 0)."""
    v0 = math.sqrt(2.0 * 9.81 * 0.3)
    depth = 1.25 * v0**2 / 1320.6  # F d = (n + 1)/2 m v0^2 at the turn
    k = 1320.6 / depth**1.5
    factor = 1.5
    least = (2.5 * v0**2 * (factor - math.log(1.0 + factor)) / (k * factor**2)) ** 0.4
    assert least > 0.0029 * 1.3


def test_that_the_ellipsoid_keeps_its_energy_and_is_turned() -> None:
    run = _run("ellipsoid_on_slope")
    fallen = float(run.energy.kinetic.max())
    assert np.abs(run.energy.residual).max() < 1e-6 * fallen
    assert np.all(run.energy.contact_loss == 0.0)
    assert abs(run.states.angular_velocity[-1, 0, 1]) > 1.0
    # along the slope nothing acts but gravity
    along = np.array([1.0, 0.0, -1.0]) / math.sqrt(2.0)
    speed = run.states.velocity[:, 0] @ along
    np.testing.assert_allclose(speed, 9.81 / math.sqrt(2.0) * run.states.time, atol=1e-6)


def _tumbling(**more: object) -> Project:
    skin = Ellipsoid(
        name="Skin",
        semi_axes=(0.3, 0.2, 0.12),
        position=(0.02, -0.03, 0.01),
        orientation=(0.9, 0.2, 0.3, 0.1),
    )
    body = ball(
        position=(0.1, 0.2, 0.6), velocity=(0.7, -0.4, -2.0), angular_velocity=(2.0, -3.0, 1.5),
        inertia=(0.011, 0.021, 0.026), surfaces=(skin,),
    )  # fmt: skip
    return on_floor(body, contact(law="gonthier", restitution=0.6, stiffness=2e5), gravity=DOWN, **more)  # type: ignore[arg-type]


def test_that_a_body_on_frictionless_ground_keeps_what_the_ground_cannot_give() -> None:
    """The force is vertical at the contact point: horizontal momentum and the moment of momentum about the vertical
    through the centre stay."""
    run = simulate(_tumbling(duration=0.8))
    states = run.states
    assert states.spring_force[:, 0].max() > 100.0
    np.testing.assert_allclose(
        states.velocity[:, 0, :2], states.velocity[:1, 0, :2].repeat(len(states.time), 0), atol=1e-9
    )
    J = np.array([0.011, 0.021, 0.026])
    spin = np.einsum(
        "nij,nj->ni", rotation_matrix(states.orientation[:, 0]), J * states.angular_velocity[:, 0]
    )
    # the contact's lever is horizontal against a vertical force: no moment about the vertical
    np.testing.assert_allclose(spin[:, 2], spin[0, 2], atol=1e-9)
    assert np.abs(run.energy.residual).max() < 1e-6


def test_that_methods_agree_on_a_tumbling_ellipsoid() -> None:
    ends = []
    for settings in (
        {"tolerance": 1e-8}, {"method": "adaptive_radau", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11},
        {"method": "dopri5", "fixed_step": 2e-4}, {"method": "adaptive_adams", "relative_tolerance": 1e-9}, None,
    ):  # fmt: skip
        ends.append(simulate(_tumbling(duration=0.5, settings=settings)).states.position[-1, 0])
    for end in ends[:-1]:
        np.testing.assert_allclose(end, ends[-1], atol=2e-5)


def test_that_the_implicit_method_keeps_its_order_through_touch_and_release() -> None:
    law = {"law": "gonthier", "restitution": 0.5, "stiffness": 1e5}
    errors = []
    exact = simulate(on_floor(ball(), contact(**law), duration=0.05, gravity=DOWN)).states
    for h in (4e-4, 2e-4, 1e-4):
        run = simulate(
            on_floor(ball(), contact(**law), duration=0.05, gravity=DOWN, settings={"fixed_step": h})
        )
        assert any(event.kind == "release" for event in run.events)
        errors.append(abs(run.states.velocity[-1, 0, 2] - exact.velocity[-1, 0, 2]))
    assert errors[0] / errors[2] > 10.0


def test_that_friction_stops_a_block_where_it_should() -> None:
    run = _run("sliding_block")
    stop = 1.0 / (2.0 * 0.4 * 9.81)
    np.testing.assert_allclose(run.states.position[-1, :, 0], stop, atol=3e-5)
    assert run.energy.friction_loss[-1] == pytest.approx(1.0, abs=1e-4)  # two blocks of 1 kg with 1 m/s
    assert np.abs(run.energy.residual).max() < 1e-5


@pytest.mark.parametrize("settings", [{"tolerance": 1e-6}, OTHER])
def test_that_bristles_hold_on_a_slope_where_smoothed_friction_creeps(settings: dict[str, object]) -> None:
    angle, friction, slip = 0.3, 0.5, 1e-3
    gravity = (9.81 * math.sin(angle), 0.0, -9.81 * math.cos(angle))
    law = {
        "law": "spring_dashpot",
        "exponent": 1.0,
        "stiffness": 1e5,
        "damping": 1000.0,
        "friction_coefficient": friction,
    }
    found = {}
    for kind in ("smooth", "bristle"):
        project = load_example("sliding_block").scenario.assembly  # type: ignore[union-attr]
        block = project.bodies[0].model_copy(update={"name": "Ball", "velocity": (0.0, 0.0, 0.0)})
        grip = contact(friction=kind, slip_speed=slip, tangential_damping=200.0, **law)
        run = simulate(on_floor(block, grip, duration=1.0, gravity=gravity, settings=settings))
        x, time = run.states.position[:, 0, 0], run.states.time
        half = int(np.searchsorted(time, 0.6))
        found[kind] = (x[-1] - x[half]) / (time[-1] - time[half])
    assert found["smooth"] == pytest.approx(slip * math.atanh(math.tan(angle) / friction), rel=0.01)
    assert abs(found["bristle"]) < 1e-9


def test_that_two_free_balls_keep_momentum_and_return_what_is_asked() -> None:
    """The effective mass is m1 m2/(m1 + m2); an oblique hit without friction leaves the speed along the surfaces."""
    second = ball(
        name="Other",
        mass=2.5,
        position=(0.25, 0.1, 0.5),
        velocity=(-0.3, 0.1, 0.0),
        surfaces=(Sphere(name="S", radius=0.1),),
    )
    first = ball(position=(-0.1, 0.0, 0.4), velocity=(1.0, 0.2, 0.3))
    project = on_floor(
        first,
        contact(body_j="Other", law="exact", restitution=0.6, stiffness=1e9),
        duration=0.3,
        ground=(),
        more=(second,),
    )
    run = simulate(project)
    v, p = run.states.velocity, run.states.position
    momentum = v[:, 0] + 2.5 * v[:, 1]
    np.testing.assert_allclose(momentum, momentum[:1].repeat(len(momentum), 0), atol=1e-9)
    touch = int(
        np.searchsorted(run.states.time, next(e.time for e in run.events if e.kind == "touch") - 1e-9)
    )
    assert run.states.spring_force[-1, 0] == 0.0
    n = p[touch, 1] - p[touch, 0]
    n /= np.linalg.norm(n)
    before, after = float((v[0, 0] - v[0, 1]) @ n), float((v[-1, 0] - v[-1, 1]) @ n)
    assert -after / before == pytest.approx(0.6, abs=3e-4)  # the normal turns a little while they touch
    assert np.abs(run.energy.residual).max() < 1e-8


def test_that_points_weighted_by_area_do_not_count_themselves() -> None:
    """The force of points in equal numbers per area does not grow with their number; that of bare points does."""
    most = {}
    for method in ("points", "weighted_points"):
        for count in (400, 1600):
            grip = contact(
                method=method, points=count, law="hertz", stiffness=1e5 if method == "points" else 2e7
            )
            run = simulate(
                on_floor(ball(), grip, duration=0.02, settings={"method": "rk4", "fixed_step": 1e-4})
            )
            most[method, count] = run.states.spring_force[:, 0].max() * run.states.spring_length[:, 0].max()
            assert np.abs(run.energy.residual).max() < 1e-2
    depth = {}
    for count in (400, 1600):
        grip = contact(method="weighted_points", points=count, law="hertz", stiffness=2e7)
        run = simulate(on_floor(ball(), grip, duration=0.02, settings={"method": "rk4", "fixed_step": 1e-4}))
        depth[count] = run.states.spring_length[:, 0].max()
    assert depth[1600] == pytest.approx(depth[400], rel=0.06)


def test_that_a_finite_plane_ends() -> None:
    """A ball that falls beside a plate falls on."""
    plate = Plane(name="Plate", half_length=0.5, half_width=0.4)
    beside = ball(position=(0.0, 0.45, 0.25))
    run = simulate(
        on_floor(beside, contact(law="hertz"), ground=(plate,), duration=0.1, settings={"method": "rk4"})
    )
    assert run.states.velocity[-1, 0, 2] == pytest.approx(-1.0)
    assert not any(event.kind == "touch" for event in run.events)


def test_that_a_stiff_contact_is_an_impact_in_no_time() -> None:
    """An ellipsoid hits the floor off its centre: velocities as by Poisson, Newton and Stronge, which agree."""
    skin = Ellipsoid(name="Skin", semi_axes=(0.3, 0.2, 0.12))
    body = ball(
        position=(0.0, 0.0, 0.35), velocity=(0.7, -0.4, -2.0), angular_velocity=(2.0, -3.0, 1.5), surfaces=(skin,),
        inertia=(0.011, 0.021, 0.026), orientation=(0.9, 0.2, 0.35, 0.1),
    )  # fmt: skip
    settings = OTHER | {"max_step": 1e-4}
    grip = contact(law="exact", restitution=0.7, stiffness=1e13)
    run = simulate(on_floor(body, grip, duration=0.12, settings=settings))
    touch, release = (next(e.time for e in run.events if e.kind == kind) for kind in ("touch", "release"))
    assert release - touch < 2e-5
    at = int(np.argmin(np.abs(run.states.time - touch)))
    A = rotation_matrix(run.states.orientation[at, 0])
    inertia, n = A @ np.diag([0.011, 0.021, 0.026]) @ A.T, np.array([0.0, 0.0, 1.0])
    D = np.diag(np.array(skin.semi_axes) ** 2)
    centre = run.states.position[at, 0]
    point = centre - A @ D @ A.T @ n / math.sqrt(n @ A @ D @ A.T @ n)
    before = Free(1.0, inertia, centre, run.states.velocity[at, 0], A @ run.states.angular_velocity[at, 0])
    after, _, (p1, p2, w1, w2) = impact(before, None, point, n, 0.7)
    assert -float(after.at(point) @ n) / float(before.at(point) @ n) == pytest.approx(
        0.7, abs=1e-12
    )  # Newton
    assert p2 / p1 == pytest.approx(0.7)  # Poisson
    assert w2 / -w1 == pytest.approx(0.49)  # Stronge
    then = int(np.argmin(np.abs(run.states.time - release)))
    np.testing.assert_allclose(run.states.velocity[then, 0], after.velocity, atol=1e-4)
    turned = rotation_matrix(run.states.orientation[then, 0]) @ run.states.angular_velocity[then, 0]
    np.testing.assert_allclose(turned, after.spin, atol=2e-3)


def test_that_a_body_born_in_the_ground_is_refused_with_depth_and_names() -> None:
    with pytest.raises(
        InputError, match=r"'Contact: Ball/Skin on ground/Floor': the surfaces begin 0\.05 m deep"
    ):
        simulate(on_floor(ball(position=(0.0, 0.0, 0.15)), contact()))
    run = simulate(on_floor(ball(position=(0.0, 0.0, 0.15)), contact(start_depth=0.06), duration=1e-3))
    assert run.status.name == "done"


@pytest.mark.parametrize(("settings", "off"), [(None, 2e-7), ({"tolerance": 1e-9}, 1e-6)])
def test_that_a_tangential_spring_swings_a_block_that_cannot_turn(settings, off: float) -> None:
    """Eq. 5.29 of Spicka 2020: along the surface x = v/w sin w t, w^2 = k/m, whatever the normal force."""
    k, stiffness, v = 4e4, 1e6, 0.05
    depth = (9.81 / stiffness) ** (1.0 / 1.5)
    block = ball(position=(0.0, 0.0, 0.2 - depth), velocity=(v, 0.0, 0.0), inertia=(1e5, 1e5, 1e5))
    held = contact(law="hertz", stiffness=stiffness, friction="tangential_spring", tangential_stiffness=k)
    run = simulate(on_floor(block, held, gravity=DOWN, duration=0.2, settings=settings))
    w = math.sqrt(k)
    np.testing.assert_allclose(run.states.position[:, 0, 0], v / w * np.sin(w * run.states.time), atol=off)
    np.testing.assert_allclose(run.states.position[:, 0, 2], 0.2 - depth, atol=1e-9)


def test_that_a_thickness_is_as_good_as_a_larger_ball() -> None:
    thick = simulate(on_floor(ball(position=(0, 0, 0.25)), contact(thickness=0.02), duration=0.06))
    surfaces = (Sphere(name="Skin", radius=0.22),)
    large = simulate(on_floor(ball(position=(0, 0, 0.25), surfaces=surfaces), contact(), duration=0.06))
    times = [[event.time for event in run.events if event.kind == "touch"] for run in (thick, large)]
    assert times[0] == pytest.approx([0.03], abs=1e-9)  # 30 mm at 1 m/s
    assert times[0] == pytest.approx(times[1], abs=1e-12)
    np.testing.assert_allclose(thick.states.position[-1], large.states.position[-1], atol=1e-12)
    assert thick.states.velocity[-1, 0, 2] > 0.3


def test_that_a_contact_too_stiff_for_any_step_is_named() -> None:
    project = on_floor(ball(), contact(stiffness=1e30), settings={})
    status = simulate(project).status
    assert status.name == "failed"
    assert "Contact: Ball/Skin on ground/Floor" in status.message + status.advice


def _hinged(settings: dict[str, Any] | None = None) -> Project:
    """A ball with a bar hinged to it askew, which falls on the floor and bounces off: a joint, a touch, a release."""
    bar = Body(
        name="Bar",
        mass=0.5,
        inertia=(0.002, 0.02, 0.02),
        position=(0.3, 0.0, 0.25),
        velocity=(0.0, 0.0, -1.0),
    )
    hinge = Joint(name="Hinge", kind="spherical", body_i="Ball", body_j="Bar", point_j=(-0.3, 0.0, 0.0))
    more = contact(stiffness=2e4, restitution=0.5, friction="smooth", friction_coefficient=0.3)
    made = on_floor(
        ball(position=(0.0, 0.0, 0.25)), more, duration=0.2, gravity=DOWN, more=(bar,), settings=settings
    )
    assert isinstance(made.scenario, Rig)
    rig = made.scenario.assembly.model_copy(update={"joints": (hinge,)})
    return made.model_copy(update={"scenario": made.scenario.model_copy(update={"assembly": rig})})


@pytest.mark.nightly
@pytest.mark.parametrize("method", get_args(Method))
def test_that_every_method_rides_through_a_touch_and_a_release(method: str) -> None:
    first_order = method in ("euler", "adaptive_trapezoid", "adaptive_rosenbrock23")
    _compare({"method": method}, 2e-3 if first_order else 2e-4)


STABILISATIONS = get_args(SolverSettings.model_fields["stabilisation"].annotation)
# one of them needs a fixed step
HELD = [("rk4", s) for s in STABILISATIONS] + [
    ("adaptive_rk45", s) for s in STABILISATIONS if s != "baumgarte_step"
]


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "stabilisation"), HELD)
def test_that_every_stabilisation_holds_through_a_touch_and_a_release(
    method: str, stabilisation: str
) -> None:
    _compare({"method": method, "stabilisation": stabilisation}, 2e-4)


@pytest.mark.nightly
@pytest.mark.parametrize("formulation", get_args(SolverSettings.model_fields["formulation"].annotation))
@pytest.mark.parametrize("method", ["rk4", "adaptive_rk45"])
def test_that_every_formulation_holds_through_a_touch_and_a_release(method: str, formulation: str) -> None:
    _compare({"method": method, "formulation": formulation}, 5e-4)


def _compare(settings: dict[str, Any], off: float) -> None:
    run, exact = simulate(_hinged(settings)), simulate(_hinged())
    assert run.status.name == "done"
    assert [e.kind for e in run.events if e.kind in ("touch", "release")] == ["touch", "release"]
    np.testing.assert_allclose(run.states.position[-1], exact.states.position[-1], atol=off)
    assert np.abs(run.energy.residual).max() < 20.0 * off
    assert run.violations.joints.max() < off
