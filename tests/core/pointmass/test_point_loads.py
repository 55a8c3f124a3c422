"""What the rider of the point ride feels, and the energy on the heartline, against differences of the curve itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from point_tools import G, helix, loop, straight, track_through

from ridewright.core.base.errors import InputError
from ridewright.core.pointmass.launch import launch_needed, speed_over_top, start_speed_for_top
from ridewright.core.pointmass.ride import preview_ride, ride_point
from ridewright.core.pointmass.sections import section_figures
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track
from ridewright.core.track.devices.chain_lift import ChainLift
from ridewright.core.track.devices.launch import Launch
from ridewright.core.track.devices.station import Station
from ridewright.core.track.heartline import Heartline, HeartlinePoint, heartline_heights, heartline_law

VARYING = Heartline(
    height=1.1,
    points=(
        HeartlinePoint(section="a", offset=5.0, height=0.6),
        HeartlinePoint(section="a", offset=60.0, height=1.5),
        HeartlinePoint(section="b", offset=20.0, height=0.9),
    ),
)


@pytest.fixture(scope="module")
def twisted() -> BuiltTrack:
    """A closed, twisted, hilly course of two sections with cant and a varying heartline."""
    a = 2.0 * np.pi * np.arange(24) / 24
    points = np.stack([40.0 * np.cos(a), 27.0 * np.sin(a + 0.3), 12.0 + 5.0 * np.sin(2.0 * a + 0.5)], axis=-1)
    cants = 0.5 * np.sin(3.0 * a + 0.2)
    nodes = tuple(
        ControlPoint(x=float(p[0]), y=float(p[1]), z=float(p[2]), cant=float(c))
        for p, c in zip(points, cants, strict=True)
    )
    sections = (SplineSection(name="a", points=nodes[:14]), SplineSection(name="b", points=nodes[14:]))
    return build_track(Track(name="t", closed=True, sections=sections, heartline=VARYING), ride=False)


def heartline_places(built: BuiltTrack, s: np.ndarray) -> np.ndarray:
    """The heartline as drawn: centreline plus height times up, (n, 3) m."""
    line = built.centreline
    law = heartline_law(built.track.heartline, built.sections, line.length, line.closed)
    state = line.state(s)
    return state.curve[:, 0] + heartline_heights(law, state.s)[:, :1] * state.up


def test_that_the_rider_feels_the_acceleration_of_the_heartline(twisted: BuiltTrack) -> None:
    """(a - gravity)/g in the track frame, with a from differences of the heartline's places in time."""
    settings = PointRideSettings(speed=17.0, mu=0.03, drag=1e-3)
    ride = ride_point(twisted, settings)
    pick = np.arange(9, len(ride.s) - 9, 23)
    s, v, rate = ride.s[pick], ride.speed[pick], ride.acceleration[pick]
    h = 2e-3
    offsets, weights = np.array([-2.0, -1.0, 0.0, 1.0, 2.0]), np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / 12.0
    acceleration = (
        sum(
            w * heartline_places(twisted, s + v * k * h + 0.5 * rate * (k * h) ** 2)
            for k, w in zip(offsets, weights, strict=True)
        )
        / h**2
    )
    t, left, up = twisted.frame_at(s)
    felt = (acceleration + np.array([0.0, 0.0, G])) / G
    expected = np.stack([np.sum(felt * axis, axis=1) for axis in (t, left, up)], axis=1)
    np.testing.assert_allclose(ride.g[pick], expected, atol=2e-6)
    assert np.ptp(ride.g[:, 1]) > 0.5
    pace = (heartline_places(twisted, s + 1e-4) - heartline_places(twisted, s - 1e-4)) / 2e-4
    np.testing.assert_allclose(ride.line_speed[pick], v * np.linalg.norm(pace, axis=1), rtol=1e-7)


def test_that_the_rails_carry_what_the_curve_asks_for(twisted: BuiltTrack) -> None:
    ride = ride_point(twisted, PointRideSettings(speed=17.0))
    state = twisted.centreline.state(ride.place)
    a = state.curve[:, 2] * ride.speed[:, None] ** 2 + state.tangent * ride.acceleration[:, None]
    felt = (a + np.array([0.0, 0.0, G])) / G
    for c, axis in enumerate((state.tangent, state.left, state.up)):
        np.testing.assert_allclose(ride.rail_g[:, c], np.sum(felt * axis, axis=1), atol=1e-10)
    np.testing.assert_allclose(ride.roll_rate, state.twist[:, 0] * ride.speed, atol=1e-10)


def test_that_the_heartline_balances_its_own_heights(twisted: BuiltTrack) -> None:
    """Without losses v^2/2 + g z of the heartline stays; on the rails that of the rails."""
    ride = ride_point(twisted, PointRideSettings(speed=17.0, mu=0.0, drag=0.0, laps=2))
    energy = 0.5 * ride.line_speed**2 + G * heartline_places(twisted, ride.place)[:, 2]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-11)
    assert ride.s[-1] == pytest.approx(2.0 * twisted.length, rel=1e-12)
    rail = ride_point(twisted, PointRideSettings(speed=17.0, mu=0.0, drag=0.0, line="rail"))
    energy = 0.5 * rail.speed**2 + G * twisted.centreline.position(rail.place)[:, 2]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-11)


def test_that_friction_on_the_heartline_counts_its_own_length(twisted: BuiltTrack) -> None:
    ride = ride_point(twisted, PointRideSettings(speed=18.0, mu=0.02, drag=0.0, mass=1.0))
    way = np.linalg.norm(
        np.diff(heartline_places(twisted, np.linspace(0.0, ride.s[-1], 200_001)), axis=0), axis=1
    ).sum()
    assert ride.energy.friction[-1] == pytest.approx(0.02 * G * way, rel=1e-8)


def test_that_a_train_balances_the_mean_of_its_points(twisted: BuiltTrack) -> None:
    """Five masses over 30 m, each on its own place of the heartline."""
    n, length = 5, 30.0
    settings = PointRideSettings(speed=16.0, mu=0.0, drag=0.0, train_length=length, masses=n, mass=n * 400.0)
    offsets = length * ((np.arange(n) + 0.5) / n - 0.5)
    for make, rtol in ((ride_point, 1e-10), (preview_ride, 1e-5)):
        ride = make(twisted, settings)
        total = np.zeros(len(ride.s))
        for offset in offsets:
            at = ride.s + offset
            pace = (heartline_places(twisted, at + 1e-4) - heartline_places(twisted, at - 1e-4)) / 2e-4
            speed = ride.speed * np.linalg.norm(pace, axis=1)
            total += 400.0 * (0.5 * speed**2 + G * heartline_places(twisted, at)[:, 2])
        np.testing.assert_allclose(total, total[0], rtol=max(rtol, 1e-8))
    one = ride_point(twisted, settings.model_copy(update={"train_length": 0.0}))
    assert abs(one.time[-1] / ride.time[-1] - 1.0) > 1e-4


def test_that_a_long_train_hangs_over_an_open_end_as_on_a_straight() -> None:
    built = straight(60.0, -0.2)
    ride = ride_point(
        built, PointRideSettings(speed=20.0, mu=0.0, drag=0.0, train_length=20.0, masses=4, line="rail")
    )
    np.testing.assert_allclose(ride.speed**2, 400.0 - 2.0 * G * math.sin(0.2) * ride.s, rtol=1e-11)


def test_that_a_seat_ahead_feels_the_place_ahead(twisted: BuiltTrack) -> None:
    """Without friction and gravity the speed stays: a seat feels what the middle feels as far on."""
    settings = PointRideSettings(speed=17.0, mu=0.0, drag=0.0, line="rail")
    middle, front, back = (
        ride_point(twisted, settings.model_copy(update={"seat": seat}), gravity=(0.0, 0.0, 0.0))
        for seat in (0.0, 4.9, -4.9)
    )
    for ride, seat in ((front, 4.9), (back, -4.9)):
        inside = (ride.s + seat > 1.0) & (ride.s + seat < middle.s[-1] - 1.0)
        wanted = np.stack([np.interp(ride.s + seat, middle.s, middle.g[:, k]) for k in range(3)], axis=1)
        assert np.abs(ride.g - wanted)[inside].max() < 0.01 * np.abs(middle.g).max()
        np.testing.assert_array_equal(ride.speed, middle.speed)
    assert np.abs(front.g - middle.g).max() > 0.1


def test_that_jerk_is_the_rate_of_what_is_felt() -> None:
    """Level circle banked nowhere, entered fast: Gy constant; on the loop Gz falls as -3 sin(a) v / r."""
    radius, v0 = 9.0, 24.0
    built = loop(radius, 500)
    bottom = built.length / 2.0 - radius * math.pi
    settings = PointRideSettings(start=bottom, speed=v0, mu=0.0, drag=0.0, line="rail")
    track = built.track.model_copy(update={"heartline": Heartline(height=0.0)})
    ride = ride_point(build_track(track, ride=False), settings)
    a = (ride.s - bottom) / radius
    inside = (a > 0.2) & (a < 6.0)
    expected = -3.0 * np.sin(a) * ride.speed / radius
    np.testing.assert_allclose(ride.jerk[inside, 2], expected[inside], atol=2e-2)


def test_that_the_preview_shows_the_same_ride(twisted: BuiltTrack) -> None:
    settings = PointRideSettings(speed=17.0, friction="load")
    devices = (Launch(name="l", section="b", start=3.0, end=20.0, value=3.0, top_speed=19.0),)
    exact, quick = ride_point(twisted, settings, devices), preview_ride(twisted, settings, devices)
    assert quick.time[-1] == pytest.approx(exact.time[-1], rel=3e-5)
    for c in range(3):
        assert quick.g[:, c].max() == pytest.approx(exact.g[:, c].max(), abs=0.02)
    np.testing.assert_allclose(np.interp(exact.s, quick.s, quick.speed), exact.speed, rtol=1e-3)
    assert np.median(np.diff(quick.s)) == pytest.approx(1.0, rel=0.1)
    assert [i.device for i in quick.intervals] == ["l"]


def test_that_sections_tell_what_happened_in_them(twisted: BuiltTrack) -> None:
    ride = ride_point(twisted, PointRideSettings(speed=17.0, start=33.0))
    first, second = section_figures(twisted, ride)
    assert first.exit_speed == pytest.approx(second.entry_speed, rel=1e-12)
    assert first.time is not None
    assert second.time is not None
    assert first.time + second.time == pytest.approx(ride.time[-1], rel=1e-9)
    high = max(first.max_gz.value, second.max_gz.value)
    assert high == ride.g[:, 2].max()
    place = first.max_gz.s if first.max_gz.value == high else second.max_gz.s
    assert place == ride.place[np.argmax(ride.g[:, 2])]
    assert first.worst is not None
    slow = section_figures(twisted, ride_point(twisted, PointRideSettings(speed=0.5, mu=0.5)))
    assert slow[1].entry_speed is None
    assert slow[1].max_gz is None


def test_that_a_launch_is_planned_through_slope_and_losses() -> None:
    """a = (v1^2 - v0^2) / 2d; thrust m (a + g sin + mu g); the warning names the limit."""
    track = Track(
        name="t",
        sections=(
            StraightSection(name="flat", start=(0.0, 0.0, 5.0), end=(40.0, 0.0, 5.0), cant=0.0),
            StraightSection(name="more", end=(120.0, 0.0, 5.0), cant=0.0),
        ),
    )
    built = build_track(track, ride=False)
    settings = PointRideSettings(speed=5.0, mu=0.02, drag=0.0, mass=2000.0)
    plan = launch_needed(built, 10.0, 70.0, 25.0, settings)
    came = math.sqrt(25.0 - 2.0 * 0.02 * G * 10.0)
    assert plan.speed_in == pytest.approx(came, rel=1e-9)
    assert plan.acceleration == pytest.approx((625.0 - came**2) / 120.0, rel=1e-9)
    assert plan.speed_out == pytest.approx(25.0, rel=1e-9)
    assert plan.time == pytest.approx(2.0 * 60.0 / (25.0 + came), rel=1e-9)
    assert plan.force == pytest.approx(2000.0 * (plan.acceleration + 0.02 * G), rel=1e-6)
    assert plan.power == pytest.approx(plan.force * 25.0, rel=1e-6)
    assert plan.g[1] == pytest.approx(plan.acceleration / G, rel=1e-9)
    assert plan.warning == ""
    hard = launch_needed(built, 10.0, 20.0, 30.0, settings)
    assert "2.5 g" in hard.warning
    with pytest.raises(InputError, match="not needed"):
        launch_needed(built, 10.0, 20.0, 2.0, settings)
    with pytest.raises(InputError, match="does not come"):
        launch_needed(built, 100.0, 110.0, 9.0, settings.model_copy(update={"mu": 0.3}))


def test_that_the_highest_place_and_its_speed_are_found(twisted: BuiltTrack) -> None:
    ride = ride_point(twisted, PointRideSettings(speed=17.0, mu=0.0, drag=0.0, mass=123.0))
    top = speed_over_top(ride, 123.0)
    s = np.linspace(0.0, twisted.length, 5000)
    heights = heartline_places(twisted, s)[:, 2]
    assert top.height == pytest.approx(heights.max(), abs=1e-3)
    assert top.s == pytest.approx(s[np.argmax(heights)], abs=0.3)
    assert top.speed == pytest.approx(ride.speed.min(), rel=0.02)


def test_that_the_start_speed_for_the_top_is_found(twisted: BuiltTrack) -> None:
    """Ridden with it, the train is that fast at the highest place; on a slope by v0^2 = v^2 + 2 g (sin a + mu) d."""
    built = straight(50.0, -0.3)
    speed = start_speed_for_top(built, 4.0, PointRideSettings(start=7.0, mu=0.03, drag=0.0))
    # friction on the heartline of a straight is that of the rails
    expected = math.sqrt(16.0 + 2.0 * G * (math.sin(0.3) + 0.03) * (50.0 - 7.0))
    assert speed == pytest.approx(expected, rel=1e-9)
    settings = PointRideSettings(start=20.0, friction="load", train_length=15.0, masses=3)
    speed = start_speed_for_top(twisted, 3.0, settings)
    ride = ride_point(twisted, settings.model_copy(update={"speed": speed}))
    assert speed_over_top(ride, settings.mass).speed == pytest.approx(3.0, rel=1e-6)


def test_that_a_start_before_a_lift_brings_the_train_to_the_lift_however_high_that_is() -> None:
    """v0^2 = v^2 + 2 g (sin a + mu) d up to where it begins."""
    lift = ChainLift(name="lift", section="all", start=25.0, speed=3.0)
    settings = PointRideSettings(start=7.0, speed=None, top_speed=2.0, mu=0.03, drag=0.0)
    expected = math.sqrt(4.0 + 2.0 * G * (math.sin(0.3) + 0.03) * (25.0 - 7.0))
    for length in (30.0, 90.0):
        ride = ride_point(straight(length, -0.3), settings, devices=(lift,))
        assert (ride.start.speed, ride.speed[0]) == pytest.approx((expected, expected), rel=1e-9)
        assert ride.arrived
        assert ride.start.sentence() == (
            f"Starts at {expected:.1f} m/s, solved so that the train passes the highest place before 'lift' takes it on"
            " (s = 25 m) at 2.0 m/s."
        )
    level = preview_ride(straight(300.0), settings, devices=(lift.model_copy(update={"start": 200.0}),))
    assert level.speed[0] > 10.0  # 0.03 of the weight over 193 m: 10.8 m/s to come there
    assert level.arrived


def test_that_the_sentence_of_the_start_says_what_it_was_solved_for() -> None:
    settings = PointRideSettings(start=7.0, speed=None, top_speed=2.0, mu=0.03, drag=0.0)
    up, down = (ride_point(straight(50.0, slope), settings).start for slope in (-0.3, 0.3))
    assert up.sentence(before=16.2) == (
        f"Starts at {up.speed:.1f} m/s (was 16.2 m/s), solved so that the train passes the top (s = 50 m) at 2.0 m/s."
    )
    assert down.sentence() == "Starts at 2.0 m/s, the speed over the top: nothing ahead is higher."
    given = ride_point(straight(50.0, 0.3), settings.model_copy(update={"speed": 4.0})).start
    assert given.sentence() == "Starts at 4.0 m/s, as given."
    station = Station(name="station", section="all", end=20.0, speed=1.5)
    on = ride_point(straight(50.0, 0.3), settings, devices=(station,)).start
    assert on.sentence() == "Starts at 1.5 m/s, on 'station'."


def test_that_heartlines_vary_smoothly_and_never_beyond_their_points(twisted: BuiltTrack) -> None:
    law = heartline_law(VARYING, twisted.sections, twisted.length, True)
    s = np.linspace(0.0, twisted.length, 20_001)
    h = heartline_heights(law, s)
    assert h[:, 0].min() == pytest.approx(0.6)
    assert h[:, 0].max() == pytest.approx(1.5)
    step = s[1]
    np.testing.assert_allclose(np.gradient(h[:, 0], step)[1:-1], h[1:-1, 1], atol=1e-5)
    np.testing.assert_allclose(np.gradient(h[:, 1], step)[1:-1], h[1:-1, 2], atol=1e-4)
    np.testing.assert_allclose(h[0], h[-1], atol=1e-12)
    b = twisted.sections[1]
    assert heartline_heights(law, b.s0 + 20.0)[0, 0] == pytest.approx(0.9, abs=1e-12)
    with pytest.raises(InputError, match=r"Point 1 of the heartline.*'x'"):
        heartline_law(
            Heartline(points=(HeartlinePoint(section="x", height=1.0),)), twisted.sections, 10.0, True
        )
    open_law = heartline_law(VARYING, twisted.sections, twisted.length, False)
    assert heartline_heights(open_law, 0.0)[0, 0] == 0.6


def test_that_a_rollback_over_the_seam_goes_on_and_is_caught_by_the_lift(twisted: BuiltTrack) -> None:
    settings = PointRideSettings(speed=2.0, start=1.0, mu=0.001, drag=0.0)
    ride = ride_point(twisted, settings)
    turned = [event for event in ride.events if event.kind == "turned"]
    assert turned
    assert ride.s.min() < 0.0, "counts on below the start"
    assert np.all((ride.place >= 0.0) & (ride.place <= twisted.length))
    behind = float(np.mod(ride.s.min() + 1.0, twisted.length))
    section = twisted.section_at(behind)
    span = next(x for x in twisted.sections if x.name == section)
    lift = ChainLift(name="lift", section=section, start=behind - span.s0 - 5.0, end=behind - span.s0)
    caught = ride_point(twisted, settings, (lift,))
    assert caught.status == "caught"
    assert caught.place[-1] == pytest.approx(behind, abs=1e-6)
    assert caught.events[-1].device == "lift"


def test_that_nonsense_is_refused_in_a_sentence() -> None:
    built = straight(50.0)
    with pytest.raises(InputError, match="starts at s = 60 m"):
        ride_point(built, PointRideSettings(start=60.0))
    doubled = Heartline(
        points=(
            HeartlinePoint(section="all", offset=3.0, height=1.0),
            HeartlinePoint(section="all", offset=3.0, height=2.0),
        )
    )
    track = built.track.model_copy(update={"heartline": doubled})
    with pytest.raises(InputError, match="Two points of the heartline"):
        ride_point(build_track(track, ride=False))


def test_that_a_world_without_gravity_is_ridden_too() -> None:
    built = helix(10.0, 2.0, 1.5, 120)
    ride = ride_point(built, PointRideSettings(speed=9.0, drag=0.0, mu=0.5), gravity=(0.0, 0.0, 0.0))
    np.testing.assert_allclose(ride.line_speed, ride.line_speed[0], rtol=1e-10)
    assert track_through(np.array([[0.0, 0, 0], [5.0, 1, 0], [9.0, 4, 1]])).length > 9.0


@pytest.mark.parametrize("ride", [preview_ride, ride_point])
def test_that_a_heartline_that_folds_back_is_refused_with_its_place(ride) -> None:
    # a valley of 3 m radius: a heartline 3.2 m up runs backwards over its middle, one 1.1 m up does not
    angle = np.linspace(-0.9, 0.9, 13)
    nodes = tuple(ControlPoint(x=float(3.0 * np.sin(a)), y=0.0, z=float(-3.0 * np.cos(a))) for a in angle)

    def built(height: float) -> BuiltTrack:
        spline = SplineSection(name="valley", points=nodes)
        return build_track(Track(name="valley", sections=(spline,), heartline=Heartline(height=height)))

    settings = PointRideSettings(speed=8.0, mu=0.0, drag=0.0)
    assert ride(built(1.1), settings).arrived
    with pytest.raises(InputError, match=r"folds back at s = \d+\.\d m in section 'valley'"):
        ride(built(3.2), settings)
