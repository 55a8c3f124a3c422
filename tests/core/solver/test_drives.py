"""Motors, friction wheels, brakes and wind, against energy balances and closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.carried import with_rotors
from ridewright.core.model.forces import Force
from ridewright.core.model.forces.drive_law import COMMAND, GIVEN, LOST, PHASE, REACHED, WAY
from ridewright.core.model.forces.friction_wheel import FrictionWheel
from ridewright.core.model.forces.motor import Motor
from ridewright.core.model.forces.wind import Wind
from ridewright.core.model.functions import TableFunction, constant
from ridewright.core.model.joints import Joint
from ridewright.core.model.programme import Phase
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import AT_ONCE, Results
from ridewright.core.results.sampler import Sampler
from ridewright.core.run.simulate import simulate

M, LENGTH, J, G = 800.0, 6.0, 9000.0, 9.81
ABOUT_HINGE = J + M * LENGTH**2
WEIGHT = M * G * LENGTH
NONE = (0.0, 0.0, 0.0)


def pendulum(
    *forces: Force, angle: float = 0.0, spin: float = 0.0, duration: float = 6.0, **more: Any
) -> Results:
    """A run of a pendulum that swings about -y, its hinge in the origin; angle: of the start; spin (rad/s)."""
    gravity = more.pop("gravity", (0.0, 0.0, -G))
    at = (LENGTH * math.sin(angle), 0.0, -LENGTH * math.cos(angle))
    arm = Body(
        name="Arm", mass=M, inertia=(J, J, 500.0), position=at,
        orientation=(math.cos(angle / 2), 0.0, -math.sin(angle / 2), 0.0), angular_velocity=(0.0, -spin, 0.0),
        velocity=(LENGTH * spin * math.cos(angle), 0.0, LENGTH * spin * math.sin(angle)),
    )  # fmt: skip
    hinge = Joint(
        name="Hinge", kind="revolute", body_i="ground", axis_i=(0.0, -1.0, 0.0), body_j="Arm",
        point_j=(0.0, 0.0, LENGTH), axis_j=(0.0, -1.0, 0.0),
    )  # fmt: skip
    rig = Assembly(name="Rig", role="rig", bodies=(arm,), joints=(hinge,), forces=forces)
    settings = SolverSettings(**{"max_step": 2e-3, "tolerance": 1e-7, "sample_rate": 100.0, **more})
    return simulate(
        Project(name="P", gravity=gravity, scenario=Rig(assembly=rig, duration=duration), settings=settings)
    )


def motor(torque: float, *programme: Phase, **more: Any) -> Motor:
    return Motor(
        name="Drive", joint="Hinge", torque_curve=((0.0, torque),), programme=programme or (Phase(),), **more
    )


def turns(run: Results) -> np.ndarray:
    """Rows of the stored instants at which the flip-flop turns about."""
    return np.flatnonzero(np.diff(run.states.memory[:, WAY])) + 1


def closes(run: Results, share: float = 2e-5) -> bool:
    ledger = run.energy
    return bool(np.abs(ledger.residual).max() < share * (ledger.kinetic.max() + np.abs(ledger.driven).max()))


@pytest.mark.parametrize("method", [{}, {"method": "rk4", "fixed_step": 2e-3}, {"rho_infinity": 1.0}])
def test_that_every_half_swing_ends_where_the_energy_balance_says(method: dict[str, Any]) -> None:
    """G (cos a - cos b) = tau (a + b), from rest, both ways; the torque turns about where the arm does."""
    tau = 9000.0
    run = pendulum(motor(tau, first_push="backward"), duration=14.0, **method)
    found = run.states.spring_length[turns(run), 0]
    assert len(found) == 4
    assert np.all(np.sign(found) == (-1.0, 1.0, -1.0, 1.0))
    before = 0.0
    for reached in np.abs(found):
        wanted = brentq(
            lambda b, a=before: WEIGHT * (math.cos(a) - math.cos(b)) - tau * (a + b), before + 1e-3, 3.1
        )
        assert reached == pytest.approx(wanted, abs=2e-5)
        before = reached
    assert closes(run)
    assert run.energy.driven[-1] == pytest.approx(run.states.memory[-1, GIVEN], rel=1e-12)


def test_that_the_dead_band_delays_the_turn_to_its_speed() -> None:
    band = 0.05
    run = pendulum(motor(9000.0, dead_band=band), duration=8.0)
    k = turns(run)
    speed = -run.states.angular_velocity[k, 0, 1]
    assert len(k) == 2
    assert np.abs(speed) == pytest.approx(band, abs=2e-4)
    assert np.all(speed * run.states.spring_length[k, 0] < 0.0)  # on the way back


def test_that_the_amplitude_is_held_and_wound_down() -> None:
    wanted = math.radians(40.0)
    phases = (
        Phase(amplitude=wanted, duration=60.0),
        Phase(amplitude=0.0, duration=30.0),
        Phase(mode="brake"),
    )
    run = pendulum(motor(9000.0, *phases, brake_moment=20e3), duration=115.0, max_step=0.01, tolerance=1e-5)
    memory, time, k = run.states.memory, run.states.time, turns(run)
    held = np.abs(run.states.spring_length[k[(time[k] > 45.0) & (time[k] < 60.0)], 0])
    assert len(held) >= 4
    assert held == pytest.approx(wanted, abs=math.radians(0.3))
    assert np.all(np.abs(memory[:, COMMAND]) <= 1.0)
    assert memory[-1, REACHED] < math.radians(3.0)
    assert abs(run.states.angular_velocity[-1, 0, 1]) < 0.003


def test_that_an_emergency_stop_is_an_instant_of_its_own_and_stops_by_the_brake() -> None:
    """Without gravity a brake of constant moment turns as far as its work: J w^2 / 2 = M angle."""
    at, spin, moment = 1.23456, 0.8, 9000.0
    run = pendulum(
        motor(0.0, Phase(mode="off"), brake_moment=moment, brake_rise=0.0, emergency_stop=at),
        spin=spin, gravity=NONE, duration=6.0,
    )  # fmt: skip
    time, phase = run.states.time, run.states.memory[:, PHASE]
    assert np.min(np.abs(time - at)) < 1e-9
    assert np.all(phase[time < at - 1e-9] == 0.0)
    assert np.all(phase[time > at - 1e-9] == -1.0)
    stopped = run.states.spring_length[-1, 0] - spin * at
    assert stopped == pytest.approx(0.5 * ABOUT_HINGE * spin**2 / moment, rel=2e-3)  # it creeps at last
    assert run.energy.dissipated[-1] == pytest.approx(0.5 * ABOUT_HINGE * spin**2, rel=1e-4)
    assert run.energy.driven[-1] == 0.0
    assert closes(run, 1e-4)


@pytest.mark.parametrize("off", [-1e-4, 1e-4, 3.4e-3])
def test_that_a_load_jumps_at_its_instant_and_nowhere_else(off: float) -> None:
    """However near the end of a step it is: its instant has a row with what acts until then and one with what acts from
    then on, and a signal of even instants jumps by the part of a sample that is left."""
    moment, every = 9000.0, 2e-3

    def stopped(at: float) -> Results:
        return pendulum(
            motor(0.0, Phase(mode="off"), brake_moment=moment, brake_rise=0.0, emergency_stop=at),
            spin=0.8, gravity=NONE, duration=1.6, max_step=0.01, tolerance=1e-5, sample_rate=1.0 / every,
        )  # fmt: skip

    ends = stopped(1.5).states.time
    assert np.diff(ends)[100] == pytest.approx(0.01)
    at = float(ends[101]) + off  # 1 % of a step before an end of one, and behind it
    run = stopped(at)
    time, braked = run.states.time, moment / ABOUT_HINGE
    angular = run.states.angular_acceleration[:, 0, 1]
    (k,) = np.flatnonzero(np.diff(time) < 2.0 * AT_ONCE)
    assert time[k + 1] == pytest.approx(at, abs=2e-9)
    assert angular[: k + 1] == pytest.approx(0.0, abs=1e-4 * braked)
    assert angular[k + 1 :] == pytest.approx(braked, rel=1e-3)  # of constant moment as long as it turns
    read = Sampler(run.states, run.sample_time, every).body(0).angular_acceleration[:, 1]
    gone = np.clip((run.sample_time - at) / every + 0.5, 0.0, 1.0)
    assert np.any((gone > 0.0) & (gone < 1.0))
    assert read == pytest.approx(gone * braked, abs=2e-3 * braked)
    plain = Sampler(run.states, run.sample_time).body(0).angular_acceleration[:, 1]
    assert plain == pytest.approx(np.where(run.sample_time >= time[k + 1], braked, 0.0), abs=2e-3 * braked)
    assert closes(run)


def test_that_a_power_failure_lets_the_ride_run_free_or_brakes_it() -> None:
    free = pendulum(
        motor(9000.0, power_failure=2.0, brakes_without_power=False, brake_moment=1e4), duration=8.0
    )
    after = free.states.time >= 2.0
    total = (free.energy.kinetic + free.energy.potential)[after]
    assert np.ptp(total) < 2e-5 * np.ptp(free.energy.kinetic)
    assert np.all(free.states.spring_force[after, 0] == 0.0)
    braked = pendulum(motor(9000.0, power_failure=2.0, brake_moment=1e4), duration=8.0)
    assert braked.energy.dissipated[-1] > 0.9 * braked.energy.driven[-1] > 0.0


def test_that_the_motor_gives_no_more_than_its_curve_and_its_power() -> None:
    curve, ratio, power = ((0.0, 400.0), (20.0, 300.0), (40.0, 100.0)), 20.0, 4000.0
    drive = Motor(
        name="Drive", joint="Hinge", torque_curve=curve, ratio=ratio, power=power, rotor_inertia=30.0,
        programme=(Phase(mode="speed", speed=1.8, acceleration=50.0),),
    )  # fmt: skip
    run = pendulum(drive, gravity=NONE, duration=24.0)
    speed = -run.states.angular_velocity[:, 0, 1]
    torque = -run.states.spring_force[:, 0]
    motor_speed = ratio * speed
    most = ratio * np.minimum(
        np.interp(motor_speed, *zip(*curve, strict=True)), power / np.maximum(motor_speed, 1e-9)
    )
    full = (speed < 1.8 - 0.02) & (run.states.time > 0.1)  # once the wanted speed has gone ahead
    assert np.count_nonzero(full) > 1000
    assert torque[full] == pytest.approx(most[full], rel=1e-9)
    assert np.any(most[full] < 0.9 * ratio * np.interp(motor_speed[full], *zip(*curve, strict=True)))
    assert speed[-1] == pytest.approx(1.8, abs=1e-3)
    # rotor and arm move as two bodies geared to each other: (J + n^2 Jr) w' = torque
    inertia = ABOUT_HINGE + ratio**2 * 30.0
    impulse = np.concatenate([[0.0], np.cumsum(np.diff(run.states.time) * (torque[1:] + torque[:-1]) / 2.0)])
    assert speed == pytest.approx(impulse / inertia, abs=2e-5)
    assert closes(run)


def test_that_rotor_inertia_goes_to_the_body_that_turns() -> None:
    drive = motor(1.0, ratio=10.0, rotor_inertia=2.0)
    arm = Body(name="Arm", mass=1.0, inertia=(3.0, 4.0, 5.0), position=NONE)
    axis = (0.6, 0.0, 0.8)
    hinge = Joint(name="Hinge", kind="revolute", body_i="ground", axis_i=axis, body_j="Arm", axis_j=axis)
    top = Assembly(name="Rig", role="rig", bodies=(arm,), joints=(hinge,), forces=(drive,))
    added = with_rotors(top).bodies[0].inertia_tensor() - arm.inertia_tensor()
    assert added == pytest.approx(200.0 * np.outer(axis, axis), abs=1e-12)


def test_that_a_friction_wheel_drives_where_it_touches_and_loses_its_slip() -> None:
    wheel = FrictionWheel(
        name="Wheel", joint="Hinge", radius=8.0, normal_force=9000.0, rim_speed=6.0, lower=-0.2, upper=0.3,
        hanging=-0.25,
    )  # fmt: skip
    run = pendulum(wheel, angle=0.25, duration=14.0)
    states, memory = run.states, run.states.memory
    angle, speed = states.spring_length[:, 0] + 0.25, -states.angular_velocity[:, 0, 1]
    torque = -states.spring_force[:, 0]
    outside = (angle < -0.2 - 1e-3) | (angle > 0.3 + 1e-3)
    assert np.count_nonzero(outside) > 100
    assert np.all(torque[outside] == 0.0)
    inside = (angle > -0.19) & (angle < 0.29)
    assert np.all(torque[inside] != 0.0)
    rim = 6.0 * memory[:, WAY]
    power = torque / 8.0 * (rim - 8.0 * speed)  # of the slip
    jumps = np.abs(np.diff(torque)) > 0.2 * np.abs(torque).max()
    parts = np.where(jumps, 0.0, np.diff(states.time) * (power[1:] + power[:-1]) / 2.0)
    assert memory[-1, LOST] == pytest.approx(parts.sum(), rel=5e-3)
    assert run.energy.dissipated[-1] == pytest.approx(memory[-1, LOST], rel=1e-12)
    assert run.energy.driven[-1] > run.energy.dissipated[-1] > 0.0
    assert closes(run, 1e-4)


def test_that_phases_end_by_their_time_or_by_their_swings() -> None:
    run = pendulum(
        motor(9000.0, Phase(swings=2), Phase(mode="off", duration=0.75), Phase(mode="brake"), brake_moment=9e3),
        duration=8.0,
    )  # fmt: skip
    time, phase = run.states.time, run.states.memory[:, PHASE]
    first, second = (time[np.flatnonzero(phase == k)[0]] for k in (1.0, 2.0))
    assert first == pytest.approx(time[turns(run)[1]], abs=1e-12)
    assert second == pytest.approx(first + 0.75, abs=1e-9)


def test_that_a_body_in_the_wind_follows_its_closed_form() -> None:
    """m v' = k (w - v)^2 from rest: v = w - w / (1 + k w t / m)."""
    ball = Body(name="Ball", mass=3.0, inertia=(1.0, 1.0, 1.0), position=NONE)
    wind = Wind(name="Wind", body="Ball", drag_area=0.8, direction=(3.0, -4.0, 0.0), speed=constant(20.0))
    rig = Assembly(name="Rig", role="rig", bodies=(ball,), forces=(wind,))
    run = simulate(
        Project(
            name="P", gravity=NONE, scenario=Rig(assembly=rig, duration=3.0), settings=SolverSettings(tolerance=1e-8)
        )
    )  # fmt: skip
    k = 0.5 * 1.225 * 0.8
    speed = 20.0 - 20.0 / (1.0 + k * 20.0 * run.states.time / 3.0)
    wanted = speed[:, None] * np.array([0.6, -0.8, 0.0])
    assert run.states.velocity[:, 0] == pytest.approx(wanted, abs=2e-4)
    assert run.energy.driven[-1] == pytest.approx(run.energy.kinetic[-1], rel=1e-4)


def test_that_static_wind_with_gusts_pushes_what_stands_by_its_history() -> None:
    gusts = TableFunction(times=(0.0, 1.0, 2.0, 3.0), values=(5.0, 5.0, 25.0, 10.0))
    wind = Wind(name="Wind", body="Arm", drag_area=2.0, direction=(0.0, 1.0, 0.0), speed=gusts, static=True)
    run = pendulum(wind, spin=0.5, duration=2.0)
    pushed = run.states.reactions[:, 0, 1]  # on the ground, which is the joint's first body
    assert pushed[0] == pytest.approx(0.5 * 1.225 * 2.0 * 25.0, rel=1e-6)
    assert pushed[-1] == pytest.approx(0.5 * 1.225 * 2.0 * 625.0, rel=1e-6)


@pytest.mark.parametrize(
    ("kind", "fields", "word"),
    [
        (Motor, {"torque_curve": ((1.0, 5.0), (0.5, 2.0))}, "rising"),
        (Motor, {"brake_curve": ((0.0, -1.0),)}, "negative"),
        (FrictionWheel, {"friction_curve": ((0.0, 0.5), (1.0, 0.4))}, "first of them"),
        (FrictionWheel, {"lower": 0.4, "upper": 0.3}, "larger than lower"),
    ],
)
def test_that_curves_that_make_no_sense_are_refused_in_words(
    kind: Any, fields: dict[str, Any], word: str
) -> None:
    with pytest.raises(ValueError, match=word):
        kind(name="D", joint="Hinge", **fields)
