"""Multibody rides over tracks with stations, lifts, launches, brakes and tyres, against the ride of points."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import h5py
import numpy as np
import pytest
from device_rides import DEVICES, full_car, hill, level, ride, stiff_car

from ridewright.core.base.errors import InputError
from ridewright.core.model.forces.air_drag import AirDrag
from ridewright.core.model.forces.rolling_resistance import RollingResistance
from ridewright.core.multibody.compile import compile_system
from ridewright.core.outcome.over_top import over_top
from ridewright.core.pointmass.ride import preview_ride, ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project
from ridewright.core.results.file import read_results, write_results
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.assemble import assemble
from ridewright.core.solver.equilibrium import static_equilibrium
from ridewright.core.solver.kkt import new_factor
from ridewright.core.track.build import build_track
from ridewright.core.track.description import Track
from ridewright.core.track.devices import Device
from ridewright.core.track.devices.block_brake import BlockBrake
from ridewright.core.track.devices.chain_lift import ChainLift
from ridewright.core.track.devices.drive_tyres import DriveTyres
from ridewright.core.track.devices.launch import Launch
from ridewright.core.track.devices.trim_brake import TrimBrake

G = 9.81
STOP = BlockBrake(name="block", section="all", start=20.0, end=60.0, deceleration=4.0, hold=3.0)


@lru_cache(maxsize=4)
def over_the_hill(full: bool) -> Results:
    return simulate(ride(hill(), full_car() if full else stiff_car()))


def path(results: Results) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time (s), place of the middle of the car (m) and its speed (m/s) at the stored instants, on tracks whose rails
    are as long as the centreline."""
    s = results.states
    return s.time, s.path_coordinate.mean(axis=1), s.path_speed.mean(axis=1)


def mass_of(project: Project) -> float:
    assert project.train is not None
    car = project.train.children[0]
    return sum(b.mass for b in (*car.bodies, *(b for o in car.riders for b in o.bodies)))


def test_that_a_stiff_car_follows_the_point_ride_through_station_lift_launch_and_brakes() -> None:
    """Speeds of equal kinetic energy within 0.5 %, from the station to the block; two points over the axles, at the
    height of the car's centre of mass. Left out: half a metre about borders, where one device hands over to
    the next, and the last metre before the stop."""
    results, project = over_the_hill(False), ride(hill(), stiff_car())
    assert project.train is not None
    bodies = project.train.children[0].bodies
    mass = mass_of(project)
    height = sum(b.mass * b.position[2] for b in bodies) / mass
    track = hill()
    line = track.heartline.model_copy(update={"height": height})
    _, place, _ = path(results)
    built = build_track(track.model_copy(update={"heartline": line}))
    points = PointRideSettings(
        start=place[0], speed=2.0, mu=0.0, drag=0.0, train_length=4.0, masses=2, mass=mass, line="heartline"
    )
    expected = ride_point(built, points)
    assert expected.status == "stopped"
    speed = np.sqrt(2.0 * results.energy.kinetic / mass)
    borders = np.array([x for span in expected.spans for x in (span.s0, span.s1)])
    rolling = (np.abs(place[:, None] - borders).min(axis=1) > 0.5) & (place < place[-1] - 1.0)
    assert rolling.mean() > 0.7
    wanted = np.interp(place, expected.s, np.sqrt(2.0 * expected.energy.kinetic / mass))
    assert np.max(np.abs(speed / wanted - 1.0)[rolling]) < 0.005
    assert place[-1] == pytest.approx(expected.s[-1], abs=0.05)
    assert results.energy.driven[-1] == pytest.approx(expected.energy.driven[-1], rel=1e-3)
    assert speed.max() > 25.0
    moves = np.interp(place[rolling][-1], place, results.states.time)
    assert moves == pytest.approx(np.interp(place[rolling][-1], expected.s, expected.time), rel=2e-3)


@pytest.mark.parametrize("full", [False, True])
def test_that_the_energy_balance_closes_with_the_work_of_devices(full: bool) -> None:
    """Within 1e-5 of the energy that devices give and take, at the default tolerance."""
    results = over_the_hill(full)
    exchanged = np.sum(np.abs(np.diff(results.energy.driven)))
    assert exchanged > 3e5
    assert np.max(np.abs(results.energy.residual)) < 1e-5 * exchanged
    work = results.channels["train/device_work"].values
    assert work[-1] == pytest.approx(results.energy.driven[-1], rel=1e-6)
    total = results.channels["train/device_force"].values
    np.testing.assert_array_equal(total, results.channels["car/Car/device_force"].values)


def test_that_the_ride_is_held_by_the_last_brake_and_says_where() -> None:
    results = over_the_hill(True)
    assert results.status.name == "done"
    assert "is held at s = 256.3 m in section 'end' by 'block'" in results.status.message
    time, place, speed = path(results)
    stands = time > time[-1] - 0.9
    assert np.max(np.abs(speed[stands])) < 1e-3
    assert np.ptp(place[stands]) < 1e-3
    assert np.min(speed) > -1e-3, "a brake does not push back"


def test_that_a_lift_holds_its_speed() -> None:
    """A full car with a rider: to 0.1 mm/s on the straight, to 0.5 mm/s in the bends at foot and top."""
    _, place, speed = path(over_the_hill(True))
    for first, last, within in ((42.0, 60.0, 1e-4), (28.0, 72.0, 5e-4)):
        on = (place > first) & (place < last)
        assert np.max(np.abs(speed[on] - 2.5)) < within


def test_that_a_chain_too_weak_leaves_the_train_to_the_anti_rollback() -> None:
    """Where the ride of points is caught as well; the train stays and does not roll back."""
    weak = tuple(d.model_copy(update={"grip": 4.0}) if isinstance(d, ChainLift) else d for d in DEVICES)
    results = simulate(ride(hill(weak), full_car()))
    assert results.status.name == "stalled"
    assert "in section 'climb'" in results.status.message
    assert "held by the anti-rollback of 'lift'" in results.status.message
    time, place, speed = path(results)
    assert place.max() - place[-1] < 1e-3
    stands = time > time[-1] - 0.8
    assert np.max(np.abs(speed[stands])) < 1e-3
    # the weight along the slope, of the car with its rider
    pull = mass_of(ride(hill(), full_car())) * G * math.sin(math.radians(28.0))
    assert results.states.device_force[-1, 0] == pytest.approx(pull, rel=5e-3)
    caught = ride_point(
        build_track(hill(weak)), PointRideSettings(start=place[0], speed=2.0, mu=0.0, drag=0.0, line="rail")
    )
    assert caught.status == "caught"
    assert place[-1] == pytest.approx(caught.s[-1], abs=0.3)


@pytest.mark.parametrize("rise", [0.0, 0.15, -0.15])
def test_that_a_block_brake_stops_holds_and_releases(rise: float) -> None:
    """Stops after v^2 / 2 (a + g sin), holds, and tyres take the train on at 1 m/s^2 after the pause."""
    results = simulate(ride(level(STOP, rise=rise), stiff_car(), start=15.0, speed=9.0, end_place=59.0))
    assert results.status.name == "done", results.status
    time, place, speed = path(results)
    pull = G * math.sin(rise)
    ahead = 20.0 - place[0]
    entry = math.sqrt(81.0 - 2.0 * pull * ahead)
    stop = 20.0 + entry**2 / (2.0 * (4.0 + pull))
    stands = np.abs(speed) < 0.004
    assert np.ptp(place[stands]) < 2e-3
    assert place[stands].mean() == pytest.approx(stop, abs=0.02)
    assert np.ptp(time[stands]) == pytest.approx(3.0, abs=0.05)
    assert speed.min() > -1e-3
    released = time[stands][-1]
    later = (time > released + 0.5) & (time < released + 1.5)
    # tyres push, they do not hold back
    np.testing.assert_allclose(speed[later], max(1.0, -pull) * (time[later] - released), atol=0.015)
    assert rise < 0.0 or speed[-1] == pytest.approx(2.0, abs=1e-3)
    weight = mass_of(ride(level(), stiff_car())) * pull
    assert np.median(results.states.device_force[stands, 0]) == pytest.approx(weight, abs=1.0)


def test_that_a_launch_from_standstill_does_its_work() -> None:
    """By force: v^2 = 2 F s / m, the force that of the launch."""
    launch = Launch(
        name="launch", section="all", start=2.0, end=80.0, mode="force", value=3000.0, top_speed=90.0
    )
    project = ride(level(launch), stiff_car(), start=20.0, end_place=70.0)
    results = simulate(project)
    assert results.provenance["start_speed"] == 0.0
    _, place, speed = path(results)
    expected = np.sqrt(2.0 * 3000.0 / mass_of(project) * (place - place[0]))
    np.testing.assert_allclose(speed[1:], expected[1:], rtol=1e-3, atol=1e-3)
    force = results.channels["train/device_force"].values
    np.testing.assert_allclose(force, 3000.0, rtol=1e-6)


def test_that_drag_and_rolling_resistance_are_made_up_for() -> None:
    """A launch by acceleration holds it and a lift its speed, uphill, with losses of up to 2 m/s^2."""
    car = stiff_car()
    losses = (
        AirDrag(name="air", body=car.bodies[0].name, density=1.2, drag_area=3.0),
        *(RollingResistance(name=f"roll {g.name}", guide=g.name, coefficient=0.03) for g in car.guides),
    )
    car = car.model_copy(update={"forces": (*car.forces, *losses)})
    launch = Launch(name="launch", section="all", value=6.0, top_speed=60.0)
    results = simulate(ride(level(launch, rise=0.1), car, start=10.0, speed=3.0, end_place=110.0))
    time, place, speed = path(results)
    later = time > 0.2
    rate = np.gradient(speed, time)[later]
    np.testing.assert_allclose(rate, 6.0, rtol=2e-3)
    assert results.energy.drag[-1] > 0.05 * results.energy.driven[-1]
    assert speed[-1] ** 2 - 9.0 == pytest.approx(12.0 * (place[-1] - place[0]), rel=2e-3)
    lift = ChainLift(name="lift", section="all", speed=3.0)
    _, _, speed = path(simulate(ride(level(lift, rise=0.3), car, start=10.0, speed=3.0, end_place=30.0)))
    assert np.max(np.abs(speed[len(speed) // 2 :] - 3.0)) < 1e-3


def test_that_the_order_is_two_where_a_device_acts_steadily() -> None:
    """A launch by power on a level track: v^2 = v0^2 + 2 P t / m; implicit with fixed steps."""
    launch = Launch(name="launch", section="all", mode="power", value=60_000.0, top_speed=140.0, grip=60.0)
    errors = []
    for step in (0.04, 0.02, 0.01):
        settings = {
            "fixed_step": step,
            "max_step": 0.1,
            "position_tolerance": 1e-12,
            "velocity_tolerance": 1e-11,
        }
        project = ride(level(launch), stiff_car(), settings, start=20.0, speed=6.0, duration=2.0)
        _, _, speed = path(simulate(project))
        errors.append(abs(speed[-1] - math.sqrt(36.0 + 2.0 * 60_000.0 * 2.0 / mass_of(project))))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx([2.0, 2.0], abs=0.1)


def test_that_an_explicit_method_rides_the_same_way() -> None:
    trim = TrimBrake(name="trim", section="all", start=20.0, end=45.0, speed=4.0, deceleration=3.0)
    rides = [
        simulate(ride(level(trim), stiff_car(), settings, start=15.0, speed=9.0, end_place=48.0))
        for settings in ({}, {"method": "rk4", "fixed_step": 5e-4})
    ]
    (_, place, speed), (_, other, by_rk4) = (path(r) for r in rides)
    assert np.max(np.abs(np.interp(other, place, speed) - by_rk4)) < 2e-3
    assert by_rk4[-1] == pytest.approx(4.0, abs=1e-3)


def test_that_tyres_go_on_over_the_seam_of_a_circuit() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    points = [{"x": 25.0 * math.cos(a), "y": 25.0 * math.sin(a), "z": 3.0, "cant": 0.0} for a in angle]
    sections = ({"kind": "spline", "name": "all", "points": points},)
    tyres = DriveTyres(name="tyres", section="all", speed=5.0, acceleration=2.0)
    track = Track.model_validate(
        {"name": "circle", "closed": True, "sections": sections, "devices": (tyres,)}
    )
    results = simulate(ride(track, stiff_car(), start=150.0, speed=5.0, end_place=165.0))
    assert results.status.name == "done"
    assert np.max(np.abs(path(results)[2] - 5.0)) < 2e-3
    slow = simulate(ride(track, stiff_car(), start=155.0, speed=2.0, end_place=159.0))
    push = 2.0 * mass_of(ride(track, stiff_car()))
    np.testing.assert_allclose(slow.states.device_force[:, 0], push, rtol=1e-6)


def test_that_tyres_by_acceleration_slow_a_car_evenly() -> None:
    tyres = DriveTyres(
        name="tyres", section="all", start=10.0, end=60.0, speed=4.0, acceleration=1.0, mode="acceleration"
    )
    _, place, speed = path(simulate(ride(level(tyres), stiff_car(), start=15.0, speed=9.0, end_place=45.0)))
    wanted = np.sqrt(np.maximum(81.0 - 2.0 * (place - place[0]), 16.0))
    assert np.abs(speed - wanted).max() < 0.02


@pytest.mark.parametrize(
    ("start", "speed"), [(3.0, 2.0), (30.0, 2.5), (80.0, 4.0), (150.0, 0.0)]
)  # station, lift, tyres, launch
def test_that_a_ride_without_a_speed_starts_with_that_of_its_device(start: float, speed: float) -> None:
    results = simulate(ride(hill(), stiff_car(), start=start, duration=0.05))
    assert results.provenance["start_speed"] == speed
    assert results.provenance["start_device"] in {device.name for device in DEVICES}
    assert path(results)[2][0] == pytest.approx(speed, abs=0.02)


def test_that_a_ride_that_starts_on_a_brake_is_refused() -> None:
    with pytest.raises(InputError, match="starts on the brake 'block', which gives the train no speed"):
        simulate(ride(level(STOP), stiff_car(), start=30.0))


def test_that_run_and_preview_start_alike_before_a_lift() -> None:
    """Both solve for the way to the lift, not for the top that it takes the train over."""
    devices = tuple(d for d in DEVICES if d.name != "station")
    project = ride(hill(devices), stiff_car(), start=3.0, duration=0.05)
    settings = ridden_settings(project)
    preview = preview_ride(build_track(project.track), settings, gravity=project.gravity)
    assert preview.start.why in ("top", "level")
    started = simulate(project).provenance["start_speed"]
    assert started == pytest.approx(preview.start.speed, rel=1e-3)
    assert started < 6.0  # 14 m/s over the top


def test_that_a_ride_that_a_lift_takes_over_the_top_does_not_claim_that_its_start_was_solved_for_that() -> (
    None
):
    devices = tuple(d for d in DEVICES if d.name != "station")
    project = ride(hill(devices), stiff_car(), start=3.0, duration=60.0)
    results = simulate(project)
    height = results.energy.potential
    assert 0 < np.argmax(height) < len(height) - 1  # it comes over
    assert over_top(project, results) is None


@pytest.mark.parametrize(
    ("device", "said"),
    [
        (
            DriveTyres(name="tyres", section="all", start=0.0, end=50.0, speed=2.0, acceleration=1.0),
            "rolled back",
        ),
        (
            BlockBrake(name="block", section="all", start=18.0, end=60.0, release_speed=0.0, hold=0.5),
            "on 'block'",
        ),
    ],
)
def test_that_a_train_that_never_arrives_ends_with_what_happened_where(device: Device, said: str) -> None:
    rise = 0.3 if isinstance(device, DriveTyres) else 0.0
    status = simulate(ride(level(device, rise=rise), stiff_car(), start=15.0, speed=4.0)).status
    assert status.name == "stalled"
    assert said in status.message
    assert "in section 'all'" in status.message
    assert status.advice


def test_that_a_settled_start_is_the_same_with_and_without_devices() -> None:
    poses = []
    for devices in (DEVICES, ()):
        system = compile_system(ride(hill(devices), full_car(), start=50.0, speed=1.0))
        factor = new_factor(system)
        poses.append(static_equilibrium(system, factor, assemble(system, factor)[0]).state)
    np.testing.assert_allclose(poses[0].r, poses[1].r, atol=1e-9)
    np.testing.assert_allclose(poses[0].p, poses[1].p, atol=1e-9)


def test_that_device_forces_are_kept_in_the_file_and_older_files_have_none(tmp_path: Path) -> None:
    results, file = over_the_hill(False), tmp_path / "results.h5"
    write_results(results, file)
    again = read_results(file)
    np.testing.assert_array_equal(again.states.device_force, results.states.device_force)
    assert again.channels["train/device_force"].unit == "N"
    with h5py.File(file, "a") as opened:
        del opened["states/device_force"]
    assert read_results(file).states.device_force.shape == (len(results.states.time), 0)


def test_that_a_track_without_devices_has_no_channels_of_them() -> None:
    results = simulate(ride(level(), stiff_car(), start=15.0, speed=9.0, end_place=20.0))
    assert not [name for name in results.channels if "device" in name]
    assert results.states.device_force.shape[1] == 0
