"""The forces of devices at single states: their bounds, their power, their tangent, and where they act."""

from __future__ import annotations

import math

import numpy as np
import pytest
from device_rides import DEVICES, full_car, hill, ride, stiff_car

from ridewright.core.multibody.arrays import DC, FORCE, GD, ints, reals
from ridewright.core.multibody.compile import State, System, compile_system
from ridewright.core.multibody.constraint_kernels import constraints
from ridewright.core.multibody.device_kernels import (
    ACTIVE,
    FORCE_ON_CAR,
    OPENED,
    SINCE,
    STANDS_ON,
    keep_devices,
)
from ridewright.core.multibody.force_kernels import forces
from ridewright.core.multibody.tangent_kernels import tangent
from ridewright.core.solver.kkt import move
from ridewright.core.track.devices import Device, device_force, device_row
from ridewright.core.track.devices.block_brake import BlockBrake
from ridewright.core.track.devices.chain_lift import ChainLift
from ridewright.core.track.devices.drive_tyres import DriveTyres
from ridewright.core.track.devices.launch import Launch
from ridewright.core.track.devices.law import CATCH, LAW, RESPONSE, ROUND
from ridewright.core.track.devices.trim_brake import TrimBrake

MASS = 2000.0
LIFT = ChainLift(name="d", section="s", speed=2.5, acceleration=3.0)
LAWS: tuple[Device, ...] = (
    LIFT,
    LIFT.model_copy(update={"grip": 4.0}),
    Launch(name="d", section="s", value=6.0, top_speed=20.0),
    Launch(name="d", section="s", mode="force", value=9000.0, top_speed=20.0),
    Launch(name="d", section="s", mode="power", value=60_000.0, top_speed=20.0, grip=5.0),
    TrimBrake(name="d", section="s", speed=8.0, deceleration=4.0),
    BlockBrake(name="d", section="s", speed=0.0, deceleration=4.0),
    DriveTyres(name="d", section="s", speed=3.0, acceleration=2.0),
)


def law(device: Device, keep: float, v: float, opened: bool = False) -> tuple[float, float]:
    p = np.array(device_row(device, MASS))
    force, slope = device_force(int(p[LAW]), p, opened, keep, v, 1.0, 0.0)
    return float(force), float(slope)


@pytest.mark.parametrize(
    "device", LAWS, ids=lambda d: f"{d.kind}-{getattr(d, 'mode', getattr(d, 'grip', ''))}"
)
def test_that_the_slope_of_a_law_is_that_of_its_force(device: Device) -> None:
    """But where a launch by power is limited by it, whose force falls slowly, by P / v^2, besides."""
    for v in (-1.0, -1e-4, 0.0, 1e-3, 2.4995, 2.6, 7.9999, 8.001, 19.9999, 25.0):
        for keep in (-3.0, 0.0, 0.4, 4.6):
            h = 1e-7
            slope = -(law(device, keep, v + h)[0] - law(device, keep, v - h)[0]) / (2.0 * h)
            by_power = isinstance(device, Launch) and device.mode == "power" and v > 5.0
            assert law(device, keep, v)[1] == pytest.approx(slope, rel=1e-4, abs=0.5 if by_power else 1e-4)
            assert law(device, keep, v)[1] >= -1e-12, "no device drives itself on"


def test_that_pushes_are_those_of_the_point_ride_away_from_the_wanted_speed() -> None:
    """Acceleration with what keeps the speed on top, force and power over the mass, nothing beyond the top speed."""
    for keep in (-2.0, 0.0, 4.6):
        assert law(LIFT, keep, 1.0)[0] == pytest.approx(max(keep + 3.0, 0.0), abs=1e-6)
        assert law(LIFT, keep, 2.5)[0] == pytest.approx(max(keep, 0.0), abs=ROUND)
        assert law(LIFT, keep, 3.0)[0] == 0.0
        assert law(LAWS[1], keep, 1.0)[0] == pytest.approx(min(max(keep + 3.0, 0.0), 4.0), abs=1e-6)
        assert law(LAWS[2], keep, 11.0)[0] == pytest.approx(keep + 6.0, abs=1e-6)
        assert law(LAWS[3], keep, 11.0)[0] == pytest.approx(4.5, abs=1e-6)
        assert law(LAWS[4], keep, 15.0)[0] == pytest.approx(30.0 / 15.0, abs=1e-6)
        assert law(LAWS[4], keep, 1.0)[0] == pytest.approx(5.0, abs=1e-6)
        assert law(LAWS[7], keep, 1.0)[0] == pytest.approx(2.0, abs=1e-6)
        assert law(LAWS[7], keep, 5.0)[0] == pytest.approx(-2.0, abs=1e-6)


def test_that_a_brake_never_pushes() -> None:
    """Its force is against the motion or nothing, within its bound; only below keep RESPONSE it carries the weight."""
    for device in (LAWS[5], LAWS[6], LAWS[6].model_copy(update={"speed": 0.3})):
        for keep in (-4.6, -0.3, 0.0, 0.3, 4.6):
            slow = abs(keep) * RESPONSE + 45.0 * ROUND * RESPONSE
            for v in np.concatenate([np.geomspace(slow, 40.0, 60), -np.geomspace(slow, 40.0, 60)]):
                force = law(device, keep, float(v))[0]
                assert force * v <= 1e-12
                assert abs(force) <= 4.0 + 1e-12
    assert law(LAWS[6], 3.0, 0.0)[0] == pytest.approx(3.0, abs=1e-9), "a stopped train is held on a slope"
    assert law(LAWS[6], 5.0, 0.0)[0] == pytest.approx(4.0, abs=1e-9), "as far as the brake can"
    assert law(LAWS[5], 3.0, 7.0)[0] == pytest.approx(0.0, abs=1e-9)
    assert law(LAWS[5], -1.0, 8.0)[0] == pytest.approx(-1.0, abs=1e-9)
    assert law(LAWS[6], 0.0, 1.0, True)[0] == pytest.approx(1.0, abs=1e-6), "opened, tyres take the train on"
    assert law(LAWS[6].model_copy(update={"release_speed": 0.0}), 0.7, 1.0, True)[0] == 0.0


def test_that_an_anti_rollback_carries_what_the_chain_cannot() -> None:
    weak, without = LAWS[1], LAWS[1].model_copy(update={"anti_rollback": False})
    assert law(weak, 4.6, 0.0)[0] == pytest.approx(4.6, abs=1e-6)
    assert law(without, 4.6, 0.0)[0] == pytest.approx(4.0, abs=1e-6)
    assert law(weak, 4.6, -3.0)[0] == pytest.approx(4.6 + CATCH, abs=1e-6)
    assert law(weak, 4.6, 1.0)[0] == pytest.approx(4.0, abs=1e-6)


def state_at(start: float, speed: float = 4.0) -> tuple[System, State]:
    """The full car at a place (m), guided off the centres of its wheels and turned a little at random, so that nothing
    is symmetric."""
    car = full_car()
    guides = tuple(g.model_copy(update={"point": (0.03 * k, -0.1, 0.2)}) for k, g in enumerate(car.guides))
    system = compile_system(ride(hill(), car.model_copy(update={"guides": guides}), start=start, speed=speed))
    s, noise = system.start, np.random.default_rng(4)
    nu = system.coordinates
    d = np.zeros(nu + 6)
    d[: 6 * system.bodies] = 0.02 * noise.standard_normal(6 * system.bodies)
    r, p, L = s.r.copy(), s.p.copy(), s.path.copy()
    move(system.arrays, s.r, s.p, s.path, d, r, p, L)
    u = s.u.copy()
    u[:nu] += 0.05 * noise.standard_normal(nu)
    return system, State(0.0, r, p, L, u)


def evaluate(
    system: System, state: State, u: np.ndarray, active: float = 1.0
) -> tuple[np.ndarray, float, float]:
    """Generalised forces, power of what is applied, force on the car."""
    W = system.new_work()
    W.device[:, ACTIVE] = active
    constraints(system.arrays, W, 0.0, state.r, state.p, state.path)
    forces(system.arrays, W, u, np.zeros(system.rows))
    return W.vel[FORCE].copy(), float(W.power[2]), float(W.device[0, FORCE_ON_CAR])


@pytest.mark.parametrize(("start", "speed"), [(30.0, 1.0), (50.0, 1.0), (145.0, 9.0), (190.0, 20.0)])
def test_that_the_power_of_devices_is_that_of_their_forces(start: float, speed: float) -> None:
    system, state = state_at(start, speed)
    on, power, along = evaluate(system, state, state.u)
    off, nothing, _ = evaluate(system, state, state.u, active=0.0)
    assert nothing == 0.0
    assert abs(along) > 1000.0
    assert (along < 0.0) == (start == 190.0), "the last one is a brake"
    push = on - off
    # a quarter of the force at each guided point, along its path
    expected, W = np.zeros_like(push), system.new_work()
    constraints(system.arrays, W, 0.0, state.r, state.p, state.path)
    for guide, point, curve in zip(ints(system.arrays, GD), reals(system.arrays, GD), W.path, strict=True):
        force, q = 0.25 * along * curve[1, :3], 6 * guide[0]
        expected[q : q + 3] += force
        expected[q + 3 : q + 6] += np.cross(point, W.A[guide[0]].T @ force)
    np.testing.assert_allclose(push, expected, atol=1e-9 * abs(along))
    assert push @ state.u == pytest.approx(power, rel=1e-12)
    total = push[: 6 * system.bodies].reshape(-1, 6)[:, :3].sum(axis=0)
    assert np.linalg.norm(total) == pytest.approx(abs(along), rel=2e-3), (
        "the wheels' directions differ a little"
    )


def test_that_the_tangent_of_devices_is_their_damping_for_motion_along_the_track() -> None:
    """Against differences, for the motion in which all guided points go along their paths together."""
    system, state = state_at(60.0)
    nb, nu = system.bodies, system.coordinates
    u = state.u.copy()
    u[6 * nb : nu] = 2.4999
    W = system.new_work()
    constraints(system.arrays, W, 0.0, state.r, state.p, state.path)
    guides, points = ints(system.arrays, GD), reals(system.arrays, GD)
    along = np.zeros(nu + 6)
    for g in range(len(guides)):
        along[6 * guides[g, 0] : 6 * guides[g, 0] + 3] = W.path[g, 1, :3]
        along[6 * nb + g] = 1.0
    h = 1e-6
    push = [
        evaluate(system, state, u + x * along)[0] - evaluate(system, state, u + x * along, 0.0)[0]
        for x in (-h, h)
    ]
    expected = -(push[1] - push[0]) @ along / (2.0 * h)
    found = []
    for active in (1.0, 0.0):
        W.device[:, ACTIVE] = active
        forces(system.arrays, W, u, np.zeros(system.rows))
        tangent(system.arrays, W, u, np.zeros(system.rows), 0.0, 1.0, 0.0, np.zeros(len(guides)))
        H = np.tril(W.Hd[:nb]) + np.transpose(np.tril(W.Hd[:nb], -1), (0, 2, 1))
        x = along[: 6 * nb].reshape(nb, 6)
        found.append(float(np.einsum("br,brc,bc->", x, H, x)))
    mass = reals(system.arrays, DC)[0, 0]
    assert expected == pytest.approx(mass / RESPONSE, rel=1e-3)
    assert found[0] - found[1] == pytest.approx(expected, rel=1e-6)
    assert points.shape == (4, 3)


def test_that_a_launch_by_force_is_shared_by_the_masses_of_the_cars() -> None:
    launch = Launch(name="launch", section="run", mode="force", value=6000.0, top_speed=60.0)
    project = ride(hill((launch,)), full_car(), start=155.0, speed=10.0)
    empty = stiff_car().model_copy(update={"name": "empty", "offset": 6.0})
    assert project.train is not None
    train = project.train.model_copy(update={"children": (project.train.children[0], empty)})
    system = compile_system(project.model_copy(update={"train": train}))
    s, W = system.start, system.new_work()
    constraints(system.arrays, W, 0.0, s.r, s.p, s.path)
    forces(system.arrays, W, s.u, np.zeros(system.rows))
    mass = reals(system.arrays, DC)[:, 0]
    assert mass[0] > mass[1] + 50.0, "one carries a rider"
    np.testing.assert_allclose(W.device[:, FORCE_ON_CAR], 6000.0 * mass / mass.sum(), rtol=1e-9)
    assert system.device_cars == ("Car", "empty")


def test_that_devices_that_touch_hand_over_without_a_gap() -> None:
    """Chains of one speed on three sections: the force on a car between them is as steady as inside."""
    spans = [d for d in DEVICES if isinstance(d, ChainLift)]
    joined = tuple(d.model_copy(update={"acceleration": 3.0}) for d in spans)
    alone = joined[1].model_copy(update={"section": "climb"})
    for devices, dips in ((joined, False), ((alone,), True)):
        system = compile_system(ride(hill(devices), full_car(), start=39.0, speed=1.0))
        force = []
        for ahead in np.linspace(0.0, 1.2, 25):
            start = system.start
            force.append(
                evaluate(system, State(0.0, start.r, start.p, start.path + ahead, start.u), start.u)[2]
            )
        assert min(force) > 1.0 if not dips else min(force) == 0.0
        assert (np.ptp(force) < 0.2 * max(force)) != dips


def test_that_a_stand_is_remembered_and_a_block_brake_opens_after_its_pause() -> None:
    block = BlockBrake(name="block", section="climb", hold=3.0)
    system = compile_system(
        ride(hill((LIFT.model_copy(update={"section": "foot"}), block)), full_car(), start=50.0, speed=0.0)
    )
    W, s = system.new_work(), system.start
    constraints(system.arrays, W, 0.0, s.r, s.p, s.path)
    held, still = W.device[0], np.zeros_like(s.u)
    for time, on, since, opened in (
        (1.0, 1, 1.0, -1),
        (2.0, 1, 1.0, -1),
        (3.9, 1, 1.0, -1),
        (4.0, 1, 4.0, 1),
        (5.0, 1, 4.0, 1),
    ):
        keep_devices(system.arrays, W, time, still)
        assert (held[STANDS_ON], held[SINCE], held[OPENED]) == (on, since, opened)
    moving = still.copy()
    moving[6 * system.bodies :] = 1.0
    keep_devices(system.arrays, W, 6.0, moving)
    assert (held[STANDS_ON], held[OPENED]) == (-1, 1), "open until the car has left it"
    constraints(system.arrays, W, 0.0, s.r, s.p, s.path + 30.0)
    keep_devices(system.arrays, W, 7.0, moving)
    assert held[OPENED] == -1
    assert math.isfinite(held[SINCE])
