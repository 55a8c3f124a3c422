"""Devices against their closed forms on straights, and how they are placed and refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from point_tools import G, straight

from ridewright.core.base.errors import InputError
from ridewright.core.pointmass.ride import preview_ride, ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, Track
from ridewright.core.track.device_spans import device_spans
from ridewright.core.track.devices.block_brake import BlockBrake
from ridewright.core.track.devices.chain_lift import ChainLift
from ridewright.core.track.devices.drive_tyres import DriveTyres
from ridewright.core.track.devices.launch import Launch
from ridewright.core.track.devices.station import Station
from ridewright.core.track.devices.trim_brake import TrimBrake

FREE = PointRideSettings(speed=4.0, mu=0.0, drag=0.0, mass=3000.0)
RISE = -0.3  # rad, straight() counts falls


def free(**fields: object) -> PointRideSettings:
    return FREE.model_copy(update=fields)


def test_that_a_chain_picks_the_train_up_and_lets_it_go() -> None:
    """From 1 m/s with 2 m/s^2 to 3 m/s, then steady uphill; the work is what was gained."""
    built = straight(80.0, RISE)
    chain = ChainLift(name="lift", section="all", start=5.0, end=70.0, speed=3.0, acceleration=2.0)
    entry = math.sqrt(7.0**2 - 2.0 * G * math.sin(-RISE) * 5.0)
    ride = ride_point(built, free(speed=7.0), (chain,))
    slows = 5.0 + (entry**2 - 9.0) / (2.0 * G * math.sin(-RISE))
    on = (ride.s > slows + 1e-6) & (ride.s < 70.0)
    np.testing.assert_allclose(ride.speed[on], 3.0, rtol=1e-12)
    stay = ride.intervals[0]
    assert stay.speed_in == pytest.approx(entry, rel=1e-12)
    assert stay.work == pytest.approx(3000.0 * G * math.sin(-RISE) * (70.0 - slows), rel=1e-9)
    assert ride.status == "caught", "it rolls back from beyond the chain"
    assert ride.s[-1] == pytest.approx(70.0, abs=1e-9)
    assert ride.s.max() == pytest.approx(70.0 + 9.0 / (2.0 * G * math.sin(-RISE)), rel=1e-9)
    slow = ride_point(built, free(speed=1.0, start=5.0), (chain,))
    picked = slow.time[np.argmax(slow.speed >= 3.0 - 1e-9)]
    assert picked == pytest.approx(1.0, rel=1e-9)
    assert slow.s[np.argmax(slow.speed >= 3.0 - 1e-9)] == pytest.approx(5.0 + 2.0, rel=1e-9)


def test_that_a_chain_with_a_limit_pulls_as_far_as_it_can() -> None:
    """Strong enough: its speed. Too weak: v^2 / 2 (g sin - grip) further it stands, caught or rolling back."""
    built = straight(80.0, RISE)
    chain = ChainLift(name="lift", section="all", speed=4.0, grip=3.1)
    strong = ride_point(built, free(), (chain,))
    np.testing.assert_allclose(strong.speed, 4.0, rtol=1e-12)
    assert strong.arrived
    weak = chain.model_copy(update={"grip": 2.5})
    caught = ride_point(built, free(), (weak,))
    assert caught.status == "caught"
    assert "caught by 'lift'" in caught.message
    stop = 16.0 / (2.0 * (G * math.sin(-RISE) - 2.5))
    assert caught.s[-1] == pytest.approx(stop, rel=1e-9)
    back = ride_point(built, free(), (weak.model_copy(update={"anti_rollback": False}),))
    assert back.status == "left"
    assert back.speed[-1] == pytest.approx(-4.0, rel=1e-9)
    # from rest the limit counts as well
    assert ride_point(built, free(speed=0.0, start=9.0), (weak,)).status == "caught"
    assert ride_point(built, free(speed=0.0, start=9.0), (chain,)).arrived


@pytest.mark.parametrize("fall", [0.0, -0.2, 0.1])
def test_that_a_launch_by_acceleration_holds_it_on_any_slope(fall: float) -> None:
    built = straight(90.0, fall)
    launch = Launch(name="launch", section="all", start=10.0, end=60.0, value=7.0, top_speed=100.0)
    ride = ride_point(built, free(start=10.0, mu=0.03, drag=1e-3), (launch,))
    on = ride.s <= 60.0
    np.testing.assert_allclose(ride.speed[on] ** 2, 16.0 + 14.0 * (ride.s[on] - 10.0), rtol=1e-11)
    np.testing.assert_allclose(ride.time[on], (ride.speed[on] - 4.0) / 7.0, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ride.g[on][:-1, 0], 7.0 / G - math.sin(fall), rtol=1e-9)


def test_that_a_launch_stops_pushing_at_its_top_speed_and_from_rest_too() -> None:
    built = straight(60.0)
    launch = Launch(name="launch", section="all", value=5.0, top_speed=12.0)
    ride = ride_point(built, free(speed=0.0), (launch,))
    reached = 144.0 / 10.0
    assert ride.speed[-1] == pytest.approx(12.0, rel=1e-12)
    at = np.interp(reached, ride.s, ride.time)
    assert at == pytest.approx(12.0 / 5.0, rel=1e-6)
    assert ride.time[-1] == pytest.approx(2.4 + (60.0 - reached) / 12.0, rel=1e-8)


def test_that_launches_by_force_and_power_do_their_work() -> None:
    """Force: v^2 = v0^2 + 2 F s / m. Power: v^3 = v0^3 + 3 P s / m, after the grip is no limit any more."""
    built = straight(100.0)
    force = Launch(name="f", section="all", mode="force", value=12_000.0, top_speed=140.0)
    ride = ride_point(built, free(), (force,))
    np.testing.assert_allclose(ride.speed**2, 16.0 + 2.0 * 4.0 * ride.s, rtol=1e-11)
    power = Launch(name="p", section="all", mode="power", value=90_000.0, top_speed=140.0, grip=50.0)
    ride = ride_point(built, free(), (power,))
    np.testing.assert_allclose(ride.speed**3, 64.0 + 3.0 * 30.0 * ride.s, rtol=1e-9)
    assert ride.energy.driven[-1] == pytest.approx(90_000.0 * ride.time[-1], rel=1e-9)
    gripped = power.model_copy(update={"grip": 2.0})
    ride = ride_point(built, free(speed=0.0), (gripped,))
    slow = ride.speed < 14.9
    np.testing.assert_allclose(ride.acceleration[slow], 2.0, rtol=1e-9)


def test_that_a_trim_brake_takes_the_speed_down_to_its_own() -> None:
    built = straight(100.0, 0.1)
    trim = TrimBrake(name="trim", section="all", start=20.0, end=80.0, speed=6.0, deceleration=3.0)
    ride = ride_point(built, free(speed=12.0), (trim,))
    entry2 = 144.0 + 2.0 * G * math.sin(0.1) * 20.0
    rate = 3.0 - G * math.sin(0.1)
    reached = 20.0 + (entry2 - 36.0) / (2.0 * rate)
    held = (ride.s > reached + 1e-9) & (ride.s <= 80.0)
    np.testing.assert_allclose(ride.speed[held], 6.0, rtol=1e-12)
    assert ride.speed[-1] ** 2 == pytest.approx(36.0 + 2.0 * G * math.sin(0.1) * 20.0, rel=1e-10)
    assert ride.intervals[0].work < 0.0


def test_that_a_brake_too_weak_for_the_slope_does_not_hold() -> None:
    built = straight(100.0, 0.5)
    weak = TrimBrake(name="trim", section="all", speed=6.0, deceleration=3.0)
    ride = ride_point(built, free(speed=6.0), (weak,))
    rate = G * math.sin(0.5) - 3.0
    np.testing.assert_allclose(ride.speed**2, 36.0 + 2.0 * rate * ride.s, rtol=1e-10)


def test_that_a_block_brake_stops_holds_and_releases() -> None:
    """Stops after v^2/2a, waits, and tyres take the train on at 1 m/s^2 to their speed."""
    built = straight(100.0)
    block = BlockBrake(
        name="block", section="all", start=10.0, end=60.0, deceleration=4.0, hold=7.0, release_speed=2.0
    )
    ride = ride_point(built, free(speed=10.0), (block,))
    released = next(event for event in ride.events if event.kind == "released")
    assert released.s == pytest.approx(10.0 + 100.0 / 8.0, rel=1e-9)
    assert released.time == pytest.approx(1.0 + 10.0 / 4.0 + 7.0, rel=1e-9)
    assert ride.speed[-1] == pytest.approx(2.0, rel=1e-12)
    rolled = 60.0 + 40.0 - released.s
    assert ride.time[-1] == pytest.approx(released.time + 2.0 + (rolled - 2.0) / 2.0, rel=1e-8)
    for_good = ride_point(built, free(speed=10.0), (block.model_copy(update={"hold": None}),))
    assert for_good.status == "stopped"
    assert "block" in for_good.message
    assert for_good.speed[-1] == 0.0


@pytest.mark.parametrize("kind", [DriveTyres, Station])
@pytest.mark.parametrize("entry", [1.0, 9.0])
def test_that_tyres_bring_any_train_to_their_speed(kind: type, entry: float) -> None:
    built = straight(100.0)
    tyres = kind(name="tyres", section="all", speed=3.0, acceleration=1.5)
    ride = ride_point(built, free(speed=entry), (tyres,))
    assert ride.speed[-1] == pytest.approx(3.0, rel=1e-12)
    far = abs(9.0 - entry**2) / 3.0
    assert ride.time[-1] == pytest.approx(abs(3.0 - entry) / 1.5 + (100.0 - far) / 3.0, rel=1e-8)


@pytest.mark.parametrize("entry", [1.0, 9.0])
@pytest.mark.parametrize("slope", [-0.6, 0.0, 0.6])
def test_that_tyres_by_acceleration_change_the_speed_evenly_on_any_slope(entry: float, slope: float) -> None:
    built = straight(100.0, slope)
    tyres = DriveTyres(name="t", section="all", speed=3.0, acceleration=0.5, mode="acceleration")
    for ride in (
        f(built, free(speed=entry, mu=0.02, drag=1e-4), (tyres,)) for f in (ride_point, preview_ride)
    ):
        assert ride.speed[-1] == pytest.approx(3.0, rel=1e-9)
        far = abs(9.0 - entry**2) / 1.0
        assert ride.time[-1] == pytest.approx(abs(3.0 - entry) / 0.5 + (100.0 - far) / 3.0, rel=1e-5)


def test_that_the_height_of_the_mass_counts_and_the_rails_keep_the_distance() -> None:
    """A twist of half a turn on the level lowers a mass above the rails by twice its height."""
    points = [
        {"x": 10.0 * k, "y": 0.0, "z": 0.0, "cant": c}
        for k, c in enumerate((0.0, 0.0, 1.5, 3.1415926, 3.1415926))
    ]
    track = Track.model_validate(
        {"name": "t", "sections": ({"kind": "spline", "name": "all", "points": points},)}
    )
    ride = ride_point(build_track(track), free(speed=6.0, line="rail", mass_height=0.8))
    assert ride.speed[-1] ** 2 == pytest.approx(36.0 + 4.0 * G * 0.8, rel=1e-6)
    assert np.abs(ride.energy.residual).max() < 1e-9 * ride.energy.kinetic.max()


def test_that_a_stall_and_a_rollback_are_told_with_place_and_time() -> None:
    """Up a slope with friction: up to v^2 / (2 g (sin a + mu)), and back or not, as tan a stands to mu."""
    for angle, mu, stays in ((0.3, 0.05, False), (0.02, 0.05, True)):
        built = straight(200.0, -angle)
        ride = ride_point(built, free(speed=9.0, mu=mu))
        top = 81.0 / (2.0 * G * (math.sin(angle) + mu))
        event = ride.events[0]
        assert event.s == pytest.approx(top, rel=1e-9)
        assert event.time == pytest.approx(2.0 * top / 9.0, rel=1e-9)
        assert event.section == "all"
        assert event.kind == ("stalled" if stays else "turned")
        assert ride.status == ("stalled" if stays else "left")
        if not stays:
            back = math.sqrt(2.0 * G * (math.sin(angle) - mu) * top)
            assert ride.speed[-1] == pytest.approx(-back, rel=1e-9)
            assert ride.s[-1] == 0.0
        scale = ride.energy.kinetic.max()
        assert np.abs(ride.energy.residual).max() < 1e-10 * scale


def test_that_the_ledger_is_closed_over_everything() -> None:
    """Chain, launch, brake, turning point: kinetic and potential change by what was driven and lost."""
    built = straight(200.0, -0.1)
    devices = (
        Launch(name="a", section="all", start=5.0, end=30.0, mode="power", value=60_000.0, top_speed=14.0),
        TrimBrake(name="b", section="all", start=40.0, end=60.0, speed=11.0, deceleration=2.0),
        DriveTyres(name="c", section="all", start=70.0, end=75.0, speed=12.0),
    )
    for ride in (f(built, free(speed=6.0, mu=0.02, drag=1e-3), devices) for f in (ride_point, preview_ride)):
        assert {"turned"} <= {event.kind for event in ride.events}
        e = ride.energy
        # the bookkeeping against height and speed themselves
        np.testing.assert_allclose(e.kinetic, 0.5 * 3000.0 * ride.speed**2, rtol=1e-9, atol=1e-2)
        rise = 3000.0 * G * math.sin(0.1) * (ride.s - ride.s[0])
        np.testing.assert_allclose(e.potential - e.potential[0], rise, atol=1e-5)
        assert np.abs(e.residual).max() < 1e-6 * e.kinetic.max()
        assert e.friction[-1] == pytest.approx(3000.0 * G * 0.02 * np.abs(np.diff(ride.s)).sum(), rel=1e-6)


def test_that_devices_are_refused_with_their_name() -> None:
    built = straight(50.0)
    with pytest.raises(InputError, match=r"'lift'.*'gone'"):
        device_spans((ChainLift(name="lift", section="gone"),), built.sections)
    with pytest.raises(InputError, match="'lift' starts 60 m"):
        device_spans((ChainLift(name="lift", section="all", start=60.0),), built.sections)
    with pytest.raises(InputError, match=r"'a' and 'b' overlap from s = 20\.00 m to 30\.00 m"):
        device_spans(
            (TrimBrake(name="b", section="all", start=20.0), TrimBrake(name="a", section="all", end=30.0)),
            built.sections,
        )
    (span,) = device_spans((Station(name="s", section="all", start=40.0, end=99.0),), built.sections)
    assert (span.s0, span.s1) == (40.0, built.length)
    with pytest.raises(ValueError, match="behind start"):
        Station(name="s", section="all", start=4.0, end=3.0)


def test_that_a_block_brake_that_has_opened_is_closed_again_in_the_next_lap() -> None:
    """A level circuit without losses: the train leaves at 4 m/s, brakes, waits and leaves again, twice."""
    angles = np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False)
    points = tuple(ControlPoint(x=30.0 * math.cos(a), y=30.0 * math.sin(a), z=5.0) for a in angles)
    section = SplineSection(name="all", points=points)
    built = build_track(Track(name="t", closed=True, sections=(section,)))
    block = BlockBrake(
        name="block", section="all", start=50.0, end=90.0, deceleration=2.0, hold=3.0, release_speed=4.0
    )
    ride = ride_point(built, free(speed=4.0, laps=2), (block,))
    assert ride.arrived
    first, second = (event for event in ride.events if event.kind == "released")
    assert first.s == pytest.approx(50.0 + 16.0 / 4.0, rel=1e-6)
    assert second.s == pytest.approx(first.s + built.length, rel=1e-6)
    assert second.time - first.time == pytest.approx(4.0 + (built.length - 12.0) / 4.0 + 2.0 + 3.0, rel=1e-6)
