"""Auto-bank: closed form in a level curve, no lateral load on a real circuit, limits obeyed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.design.bank import LEAD, BankWish, auto_bank
from ridewright.core.design.by_ride import bank_by_ride
from ridewright.core.design.loads import heartline_loads
from ridewright.core.edits.points import set_cants
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.project.project import Project
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track
from ridewright.core.track.heartline import Heartline, HeartlinePoint

GIVEN = {"start_from": "given", "losses_from": "given"}

Array = np.ndarray
GRAVITY = np.array([0.0, 0.0, -9.81])


def level_ring(radius: float, points: int = 24) -> Project:
    angles = 2.0 * np.pi * np.arange(points) / points
    ring = tuple(ControlPoint(x=radius * np.cos(a), y=radius * np.sin(a), z=5.0, cant=0.0) for a in angles)
    track = Track(name="ring", closed=True, sections=(SplineSection(name="ring", points=ring),))
    return Project(name="ring", track=track)


def steady(speed: float) -> Callable[[BuiltTrack, Array], tuple[Array, Array]]:
    return lambda built, s: (np.full(len(s), speed), np.zeros(len(s)))


@pytest.mark.parametrize("ahead", [False, True])
def test_that_a_curve_beside_elements_is_banked_and_they_stay(ahead: bool) -> None:
    """A level curve of 40 m at 15 m/s between or before straights: arctan(v^2 / R g) in its middle."""
    around = np.linspace(0.0, 1.8, 10)
    places = [(-40.0, 0.0), (-20.0, 0.0), *((40.0 * np.sin(a), 40.0 - 40.0 * np.cos(a)) for a in around)]
    points = tuple(
        ControlPoint(x=x, y=y, z=5.0, cant=0.0 if k == 0 else None) for k, (x, y) in enumerate(places)
    )
    straight = StraightSection(name="in", start=(-90.0, 0.0, 5.0), end=(-40.0, 0.0, 5.0), cant=0.0)
    curve = SplineSection(name="curve", points=points[1:] if ahead else points)
    sections = (*((straight,) if ahead else ()), curve, StraightSection(name="out", length=18.0))
    project = Project(name="p", track=Track(name="t", sections=sections))
    banked, _ = auto_bank(project, ["curve"], steady(15.0), height=0.0)
    assert [s for s in banked.track.sections if s.name != "curve"] == [
        s for s in sections if s.name != "curve"
    ]
    built = build_track(banked.track, ride=False)
    span = next(s for s in built.sections if s.name == "curve")
    middle = built.centreline.state([0.5 * (span.s0 + span.s1) + 8.0])
    radius = 1.0 / np.linalg.norm(middle.curve[0, 2])
    there = np.array([0.5 * (span.s0 + span.s1) + 8.0])
    felt = heartline_loads(built, there, np.full(1, 15.0), np.zeros(1), 0.0, GRAVITY)
    assert radius == pytest.approx(40.0, rel=0.05)
    assert abs(felt[0, 1]) < 0.02


def falling(project: Project, speed: float) -> Callable[[BuiltTrack, Array], tuple[Array, Array]]:
    assert project.track is not None
    z0 = build_track(project.track, ride=False).centreline.position([0.0])[0, 2]

    def speed_of(built: BuiltTrack, s: Array) -> tuple[Array, Array]:
        curve = built.centreline.state(s).curve
        return np.sqrt(speed**2 + 2.0 * 9.81 * (z0 - curve[:, 0, 2])), -9.81 * curve[:, 1, 2]

    return speed_of


def lateral(
    project: Project, name: str, speed_of: Callable[..., tuple[Array, Array]], height: float
) -> Array:
    assert project.track is not None
    built = build_track(project.track, ride=False)
    span = next(s for s in built.sections if s.name == name)
    s = np.linspace(span.s0 + 0.02, span.s1 - 0.02, 1500)
    return heartline_loads(built, s, *speed_of(built, s), height, GRAVITY)[:, 1]


def unbanked(names: list[str]) -> Project:
    project = load_example("looping_star")
    assert project.track is not None
    for section in project.track.sections:
        if section.name in names and isinstance(section, SplineSection):
            project = set_cants(project, section.name, dict.fromkeys(range(len(section.points)), 0.0))
    return project


@pytest.mark.parametrize(
    ("radius", "speed", "height"), [(30.0, 15.0, 1.1), (18.0, 13.0, 0.0), (25.0, 9.0, 2.0)]
)
def test_that_the_cant_of_a_level_curve_is_that_of_the_balanced_load(
    radius: float, speed: float, height: float
) -> None:
    banked, report = auto_bank(level_ring(radius), ["ring"], steady(speed), height=height)
    built = build_track(banked.track, ride=False)
    middle = 0.5 * built.length
    cant = float(built.centreline.cant([middle])[0])
    # a left turn banks to the left, which is a negative cant; the heartline runs inside of the centreline
    inner = radius - height * np.sin(-cant)
    assert np.tan(-cant) == pytest.approx((speed * inner / radius) ** 2 / (9.81 * inner), rel=2e-4)
    assert abs(lateral(banked, "ring", steady(speed), height)).max() < 2e-3
    assert report.after < 2e-3 < report.before


def test_that_a_wanted_lateral_load_is_met() -> None:
    banked, _ = auto_bank(level_ring(30.0), ["ring"], steady(14.0), wish=BankWish(lateral=0.2))
    assert lateral(banked, "ring", steady(14.0), 1.1) == pytest.approx(0.2, abs=2e-3)


def test_that_banked_curves_of_the_looping_star_lose_their_lateral_load() -> None:
    names = [f"curve {k}" for k in range(1, 6)]
    project = unbanked(names)
    speed_of = falling(project, 26.0)
    banked, report = auto_bank(project, names, speed_of)
    assert report.before > 2.0
    assert report.after < 0.01
    for name in names:
        assert np.abs(lateral(banked, name, speed_of, 1.1)).max() < 0.05
    # the curve itself and what lies far from the banked sections stay as they were
    before, after = build_track(project.track, ride=False), build_track(banked.track, ride=False)
    s = np.linspace(0.0, before.length, 900)
    assert np.array_equal(before.centreline.position(s), after.centreline.position(s))
    loop = np.linspace(240.0, 290.0, 40)
    assert before.centreline.state(loop).left == pytest.approx(after.centreline.state(loop).left, abs=1e-12)


def test_that_a_whole_circuit_with_a_steep_place_is_banked_once_round_from_there() -> None:
    project = load_example("looping_star")
    assert project.track is not None
    speed_of = falling(project, 26.0)
    names = [section.name for section in project.track.sections]
    banked, report = auto_bank(project, names, speed_of)
    assert report.after < report.before
    for name in ("station", "curve 6", "curve 4"):  # both sides of the seam, and far from it
        assert np.abs(lateral(banked, name, speed_of, 1.1)).max() < 0.05
    line = build_track(banked.track, ride=False).centreline
    ends = line.state([0.0, line.length], from_left=True).left
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def test_that_the_roll_speed_and_the_largest_cant_are_kept() -> None:
    names = ["curve 1"]
    project = unbanked(names)
    speed_of = falling(project, 26.0)
    _, free = auto_bank(project, names, speed_of)
    limit = 0.6 * free.largest_roll_speed
    _, slow = auto_bank(project, names, speed_of, wish=BankWish(roll_speed=limit))
    assert slow.largest_roll_speed < 1.02 * limit
    assert slow.after > free.after
    assert any("deg/s" in note for note in slow.notes)
    _, flat = auto_bank(project, names, speed_of, wish=BankWish(max_cant=0.5 * free.largest_cant))
    assert flat.largest_cant < 0.501 * free.largest_cant
    assert any("limit" in note for note in flat.notes)


def test_that_the_roll_stays_smooth_where_the_found_cant_meets_that_of_the_neighbour() -> None:
    project = unbanked(["curve 1"])
    banked, _ = auto_bank(project, ["curve 1"], falling(project, 26.0))
    line = build_track(banked.track, ride=False).centreline
    for joint in line.roll_law.s[1:-1]:
        left, right = line.state([joint], from_left=True).twist, line.state([joint]).twist
        assert left[0, :2] == pytest.approx(right[0, :2], abs=1e-6)


def test_that_the_neighbours_keep_their_cant_beyond_the_lead() -> None:
    project = unbanked([f"curve {k}" for k in range(1, 8)])  # the neighbours of curve 4 have no balanced cant
    banked, _ = auto_bank(project, ["curve 4"], falling(project, 26.0))
    old, new = build_track(project.track, ride=False), build_track(banked.track, ride=False)
    span = next(s for s in old.sections if s.name == "curve 4")
    outside = np.array([span.s0 - LEAD, span.s0 - LEAD - 4.0, span.s1 + LEAD, span.s1 + LEAD + 4.0])
    assert new.centreline.cant(outside) == pytest.approx(old.centreline.cant(outside), abs=1e-6)
    middle = np.array([0.5 * (span.s0 + span.s1)])
    assert abs(new.centreline.cant(middle) - old.centreline.cant(middle)) > 0.3


def test_that_what_cannot_be_banked_is_refused() -> None:
    project = level_ring(30.0)
    with pytest.raises(InputError, match="comes to rest at"):
        auto_bank(project, ["ring"], steady(0.0))
    straight = Track(name="t", sections=(StraightSection(name="run", start=(0, 0, 0), end=(30, 0, 0)),))
    with pytest.raises(InputError, match="'run' is a straight"):
        auto_bank(Project(name="p", track=straight), ["run"], steady(9.0))
    with pytest.raises(InputError, match="Without gravity"):
        auto_bank(project.model_copy(update={"gravity": (0.0, 0.0, 0.0)}), ["ring"], steady(9.0))
    with pytest.raises(InputError, match="no track"):
        auto_bank(Project(name="p"), ["ring"], steady(9.0))
    with pytest.raises(InputError, match="no section 'x'"):
        auto_bank(project, ["x"], steady(9.0))


def test_that_the_point_ride_feels_no_lateral_load_where_its_own_speed_banked_the_track() -> None:
    names = [f"curve {k}" for k in range(1, 6)]
    project = unbanked(names)
    settings = project.point_ride.model_copy(update={"speed": 26.0} | GIVEN)
    project = project.model_copy(update={"point_ride": settings})
    banked, report = bank_by_ride(project, names)
    assert report.after < 0.02
    assert banked.track is not None
    built = build_track(banked.track)
    ride = ride_point(built, ridden_settings(banked))
    assert ride.arrived
    for name in names:
        span = next(s for s in built.sections if s.name == name)
        inside = (ride.place > span.s0) & (ride.place < span.s1)
        assert inside.sum() > 50
        assert np.abs(ride.g[inside, 1]).max() < 0.05


def test_that_a_heartline_that_rises_is_followed() -> None:
    ring = level_ring(30.0)
    assert ring.track is not None
    rising = Heartline(
        points=(
            HeartlinePoint(section="ring", offset=20.0, height=0.4),
            HeartlinePoint(section="ring", offset=90.0, height=1.6),
        )
    )
    project = ring.model_copy(update={"track": ring.track.model_copy(update={"heartline": rising})})
    banked, report = auto_bank(project, ["ring"], steady(15.0))
    assert report.after < 0.02
    assert banked.track is not None
    built = build_track(banked.track)
    ride = ride_point(
        built, project.point_ride.model_copy(update={"speed": 15.0, "mu": 0.0, "drag": 0.0} | GIVEN)
    )
    # the point keeps its energy, not its speed on the centreline: a little lateral load remains
    assert np.abs(ride.g[:, 1]).max() < 0.06
