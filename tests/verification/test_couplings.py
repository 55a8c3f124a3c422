"""Couplings against closed forms: bars under devices and on a circle, angles, impacts, slack, momentum, losses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.couplings import Coupling
from ridewright.core.model.couplings.bar import Bar
from ridewright.core.model.couplings.spring_bar import SpringBar
from ridewright.core.model.guides import Guide
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.devices.block_brake import BlockBrake
from ridewright.core.track.devices.chain_lift import ChainLift
from ridewright.core.track.devices.launch import Launch
from ridewright.core.track.devices.trim_brake import TrimBrake
from ridewright.core.track.elements.arc import ArcSection

MASSES = (900.0, 1400.0, 700.0)
APART = 4.0
OVER = 1.2  # m, from the centre of a car to its coupling


def cars(masses: tuple[float, ...], apart: float = APART) -> tuple[Assembly, ...]:
    return tuple(
        Assembly(
            name=f"Car {k + 1}", role="car", offset=k * apart,
            bodies=(Body(name="Frame", mass=mass, inertia=(50.0, 300.0, 320.0), position=(0.0, 0.0, 0.0)),),
            guides=(Guide(name="Wheels", kind="full", body="Frame"),),
        )
        for k, mass in enumerate(masses)
    )  # fmt: skip


def coupled(
    masses: tuple[float, ...] = MASSES, over: float = OVER, kind: type = Bar, **more: object
) -> Assembly:
    """Cars in a row, each joined to the one ahead by a coupling between points `over` (m) from their centres."""
    couplings: tuple[Coupling, ...] = tuple(
        kind(
            name=f"Coupling {k + 1}", body_i=f"Car {k + 2}/Frame", point_i=(over, 0.0, 0.0),
            body_j=f"Car {k + 1}/Frame", point_j=(-over, 0.0, 0.0), **more,
        )
        for k in range(len(masses) - 1)
    )  # fmt: skip
    return Assembly(name="Train", role="train", children=cars(masses), couplings=couplings)


def level(*devices: object, length: float = 400.0) -> Track:
    section = StraightSection(name="Straight", start=(0.0, 0.0, 0.0), end=(length, 0.0, 0.0), cant=0.0)
    return Track(name="Level", sections=(section,), devices=devices)  # type: ignore[arg-type]


def ridden(train: Assembly, track: Track, ride: Ride, **settings: object) -> Results:
    gravity = settings.pop("gravity", (0.0, 0.0, -9.81))
    project = Project(
        name="couplings", track=track, train=train, scenario=ride, gravity=gravity,  # type: ignore[arg-type]
        settings=SolverSettings(**settings),  # type: ignore[arg-type]
    )  # fmt: skip
    return simulate(project)


def force(run: Results, k: int) -> np.ndarray:
    return run.channels[f"coupling/Coupling {k}/force"].values


PUSHES = {
    "brake": (TrimBrake(name="d", section="Straight", speed=1.0, deceleration=2.0), 20.0, -2.0),
    "chain": (ChainLift(name="d", section="Straight", speed=40.0, acceleration=3.0), 2.0, 3.0),
    "launch": (
        Launch(name="d", section="Straight", mode="force", value=6000.0, top_speed=80.0), 2.0, 6000.0 / sum(MASSES),
    ),
}  # fmt: skip


@pytest.mark.parametrize("which", [1, 2, 3])
@pytest.mark.parametrize("device", PUSHES)
def test_that_a_device_on_one_car_moves_the_whole_train_through_its_bars(device: str, which: int) -> None:
    """Rigid train: its acceleration is the device's, over the mass of all cars; a bar carries what lies behind it."""
    made, speed, wanted = PUSHES[device]
    made = made.model_copy(update={"cars": (f"Car {which}",)})
    run = ridden(coupled(), level(made), Ride(start=30.0, speed=speed, duration=1.0))
    middle = len(run.states.time) // 2
    a = run.states.acceleration[middle, :, 0]
    assert a == pytest.approx(wanted, rel=1e-4)
    total = sum(MASSES)
    for k in (1, 2):
        behind = sum(MASSES[k:]) * wanted
        expected = behind - (total * wanted if which > k else 0.0)
        got = force(run, k)[len(run.sample_time) // 2]
        assert got == pytest.approx(expected, rel=1e-3)


def test_that_all_cars_in_a_device_share_it_by_their_masses() -> None:
    made, speed, wanted = PUSHES["brake"]
    run = ridden(coupled(), level(made), Ride(start=30.0, speed=speed, duration=1.0))
    assert run.states.acceleration[-1, :, 0] == pytest.approx(wanted, rel=1e-4)
    assert np.abs(force(run, 1)).max() < 1e-2 * sum(MASSES) * 2.0


def test_that_a_block_brake_holds_a_train_by_one_car_and_lets_it_go() -> None:
    brake = BlockBrake(
        name="Block", section="Straight", start=30.0, end=60.0, cars=("Car 2",), deceleration=4.0, hold=1.5,
        release_speed=2.0,
    )  # fmt: skip
    run = ridden(coupled(), level(brake), Ride(start=29.0, speed=6.0, duration=9.0))
    speed = run.channels["car/Car 1/speed"].values
    still = run.sample_time[speed < 0.005]
    assert len(still) > 100
    # once the second car stands, the whole train stands for the hold time
    assert still[-1] - still[0] == pytest.approx(1.5, abs=0.1)
    assert speed[-1] == pytest.approx(2.0, abs=0.01)


def test_that_a_train_held_by_one_car_for_good_ends_the_ride() -> None:
    brake = BlockBrake(name="Block", section="Straight", start=30.0, end=60.0, cars="last", hold=None)
    run = ridden(coupled(), level(brake), Ride(start=32.0, speed=6.0, end_place=300.0))
    assert run.status.name == "done"
    assert "held" in run.status.message


def test_that_bars_hold_cars_of_different_weight_together_on_a_circle() -> None:
    """Gravity in the plane of the circle: all cars have one acceleration along it, and a bar, which leaves the path by
    half the angle it spans, gives the cars behind what their own weight does not."""
    radius, g, speed = 30.0, 9.81, 18.0
    arc = ArcSection(
        name="Circle", radius=radius, angle=4.0, transition_in=0.0, transition_out=0.0, smoothness="linear"
    )
    run = ridden(
        coupled(over=0.0), Track(name="Circle", sections=(arc,)), Ride(start=20.0, speed=speed, duration=1.5),
        gravity=(-g, 0.0, 0.0), tolerance=1e-7,
    )  # fmt: skip
    s = run.states
    k = len(s.time) // 2
    half = math.asin(0.5 * APART / radius)
    # tangent of every car and what gravity does along it
    along = s.velocity[k] / np.linalg.norm(s.velocity[k], axis=1)[:, None]
    pull = along @ np.array([-g, 0.0, 0.0])
    mass = np.array(MASSES)
    common = float(mass @ pull) / mass.sum()
    # the bar of length APART between centres: T_k cos(half) = what the cars behind need beside their own gravity
    for bar in (1, 2):
        behind = slice(bar, None)
        expected = float(mass[behind] @ (common - pull[behind])) / math.cos(half)
        at = np.searchsorted(run.sample_time, s.time[k])
        assert force(run, bar)[at] == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("over", [0.0, OVER])
def test_that_a_bar_on_a_circle_stands_at_the_angle_of_its_chord(over: float) -> None:
    """Ends `over` behind or ahead of centres on a circle of radius R lie at radius rho = sqrt(R^2 + over^2); a bar of
    length L between two of them leaves the axis of its car by asin(L / 2 rho) and the angle of the overhang."""
    radius = 25.0
    arc = ArcSection(
        name="Circle", radius=radius, angle=3.0, transition_in=0.0, transition_out=0.0, smoothness="linear"
    )
    track = Track(name="Circle", sections=(arc,))
    run = ridden(
        coupled(over=over), track, Ride(start=20.0, speed=5.0, duration=0.5), gravity=(0.0, 0.0, 0.0)
    )
    length, rho = APART - 2.0 * over, math.hypot(radius, over)
    expected = math.asin(0.5 * length / rho) + math.atan(over / radius)
    for side, sign in (("i", 1.0), ("j", -1.0)):
        yaw = run.channels[f"coupling/Coupling 1/yaw_{side}"].values
        assert yaw[-1] == pytest.approx(sign * expected, abs=1e-6)
    assert np.abs(run.channels["coupling/Coupling 1/extension"].values).max() < 1e-7
    # the cars are put on the track so that the bars are closed: assembling moves nothing
    assert run.provenance["assembly"]["translation"] < 1e-9
    slid = run.provenance["assembly"]["slid"]
    assert max(abs(far) for far in slid.values()) > 1e-4
    chord = math.sqrt(rho * rho - 0.25 * length * length)  # the bars' own ends stand on a circle of rho
    turned = 2.0 * (math.atan2(0.5 * length, chord) + math.atan(over / radius))
    for k, far in enumerate(np.diff([slid.get(f"Car {n}", 0.0) for n in (1, 2, 3)])):
        assert far == pytest.approx(APART - radius * turned, abs=1e-6), k


def test_that_two_consists_ride_one_track_each_for_itself() -> None:
    """Four cars, the middle two not coupled: a chain on the third one pulls the rear consist alone."""
    train = coupled((*MASSES, 500.0))
    made = train.model_copy(update={"couplings": (train.couplings[0], train.couplings[2])})
    chain = ChainLift(name="d", section="Straight", speed=5.5, acceleration=2.0, cars=("Car 3",))
    run = ridden(made, level(chain), Ride(start=60.0, speed=5.0, duration=0.2), gravity=(0.0, 0.0, 0.0))
    gained = run.states.velocity[-1, :, 0] - 5.0
    assert gained[:2] == pytest.approx(0.0, abs=1e-9)
    assert gained[2] == pytest.approx(gained[3], abs=1e-9)
    assert gained[2] > 0.05


STIFF = {"stiffness": 2e6, "damping": 0.0}


def collision(speed: float, slack: float = 0.05, **more: object) -> Results:
    """The second car, coming from behind by `speed` faster, closes the gap of a sprung bar."""
    made = coupled((900.0, 1400.0), kind=SpringBar, slack=slack, **{**STIFF, **more})
    rear = made.children[1]
    body = rear.bodies[0].model_copy(update={"velocity": (speed, 0.0, 0.0)})
    made = made.model_copy(
        update={"children": (made.children[0], rear.model_copy(update={"bodies": (body,)}))}
    )
    return ridden(made, level(), Ride(start=30.0, speed=3.0, duration=0.5), gravity=(0.0, 0.0, 0.0))


def test_that_an_impact_peaks_at_v_root_mu_k_and_keeps_momentum() -> None:
    v, mu = 0.7, 900.0 * 1400.0 / 2300.0
    run = collision(v)
    assert -run.states.spring_force.min() == pytest.approx(v * math.sqrt(mu * 2e6), rel=1e-3)
    momentum = run.states.velocity[:, :, 0] @ np.array([900.0, 1400.0])
    assert np.ptp(momentum) < 1e-10 * momentum[0]
    kinds = [event.kind for event in run.events if event.kind.startswith("gap")]
    assert kinds[:2] == ["gap closed", "gap opened"]
    first = next(event.time for event in run.events if event.kind == "gap closed")
    assert first == pytest.approx(0.05 / v, abs=1e-6)


def test_that_a_gap_taken_up_plastically_loses_the_energy_of_the_difference() -> None:
    """An overdamped end takes all of mu v^2 / 2 but a share (k mu / c^2)^2."""
    v, mu = 0.7, 900.0 * 1400.0 / 2300.0
    run = collision(v, slack=0.02, damping=4e5)
    lost = run.energy.dissipated[-1] - run.energy.dissipated[0]
    left = np.diff(run.states.velocity[-1, :, 0])[0]
    assert abs(left) < 0.02 * v
    assert lost == pytest.approx(0.5 * mu * v * v, rel=2e-2)
    assert np.abs(run.energy.residual).max() < 3e-3 * lost


def test_that_wedges_lose_what_lies_between_their_curves() -> None:
    """One stroke in and out: loading k x, unloading x k / 4; the change of branches at transition_rate is quick."""
    v, mu, k = 0.9, 900.0 * 1400.0 / 2300.0, 2e6
    run = collision(
        v,
        slack=0.2,
        curve=((0.0, 0.0), (0.1, 0.1 * k)),
        unloading=((0.0, 0.0), (0.1, 0.025 * k)),
        transition_rate=1e-3,
    )
    before = 0.5 * mu * v * v
    after = 0.5 * mu * np.diff(run.states.velocity[-1, :, 0])[0] ** 2
    assert -run.states.spring_force.min() == pytest.approx(v * math.sqrt(mu * k), rel=1e-2)
    assert after == pytest.approx(0.25 * before, rel=1e-2)
