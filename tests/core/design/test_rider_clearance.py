"""What riders reach along a track: on a straight over the ground, beside another track, beside supports."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from ridewright.core.base.bundled import example_path
from ridewright.core.base.frames import from_matrix, rotation_matrix
from ridewright.core.design.rider_clearance import (
    OBSTACLES,
    Intrusion,
    RiderClearance,
    _of_points,
    _Points,
    asks_for_reach,
    chosen_body,
    margins_of,
    reach_findings,
    rider_clearance,
)
from ridewright.core.design.seat_tilts import tilts_of
from ridewright.core.edits.changes import set_evaluation
from ridewright.core.human.reach import BESIDE, reach_from
from ridewright.core.model.forces.rotational_spring import RotationalSpring
from ridewright.core.model.placement import placed_model
from ridewright.core.project.project import Project, load_project
from ridewright.core.results.results import Results
from ridewright.core.track.build import build_track
from ridewright.core.track.clearance import self_approaches
from ridewright.core.track.description import Clearance, ControlPoint, SplineSection, StraightSection, Track
from ridewright.core.track.site import Site

COARSE = 0.12  # of the usual number of postures
LOW = -0.5  # m, of the rails over the ground
ASKED = Clearance(room="reach", margin="none")


def on(track: Track) -> Project:
    return load_project(example_path("veloci2")).model_copy(update={"track": track})


def there_and_back(gap: float, level: float | None = None) -> Track:
    """A straight along x, a bow, and back beside it, 1 m higher, at a distance (m) between the centrelines."""
    bow = [[60.0 + 12.0 * np.sin(a), 12.0 - 12.0 * np.cos(a), 0.0] for a in np.linspace(0.2, 4.2, 13)]
    way = [[4.0 * k, 0.0, 0.0] for k in range(15)]
    back = [[30.0 - 4.0 * k, gap, 1.0] for k in range(8)]
    points = tuple(ControlPoint(x=x, y=y, z=z, cant=0.0) for x, y, z in (*way, *bow, *back))
    return Track(
        name="t", sections=(SplineSection(name="a", points=points),), clearance=ASKED, site=Site(level=level)
    )


@cache
def straight(height: float, margin: str = "none") -> RiderClearance:
    """On `level`."""
    return rider_clearance(on(level(height, margin)), fineness=COARSE)


def level(height: float, margin: str = "none") -> Track:
    """A level straight so high (m) above the ground."""
    run = StraightSection(name="run", start=(0.0, 0.0, height), end=(12.0, 0.0, height))
    room = ASKED.model_copy(update={"margin": margin})
    return Track(name="t", sections=(run,), site=Site(level=0.0), clearance=room)


def test_that_the_box_of_before_is_what_counts_unless_reach_is_asked_for() -> None:
    project = load_project(example_path("veloci2"))
    assert not asks_for_reach(project)
    assert reach_findings(project) == ()
    assert "room" not in Clearance().model_dump()  # files of before are written as they were


def test_that_the_heaviest_who_reach_out_are_those_whom_the_project_admits() -> None:
    track = level(5.0)
    asked = on(track.model_copy(update={"clearance": ASKED.model_copy(update={"body": "heaviest"})}))
    assert chosen_body(asked).person.mass == 136.0
    assert chosen_body(set_evaluation(asked, {"largest_mass": 110.0})).person.mass == 110.0


def test_that_a_track_beside_is_reached_as_far_as_an_arm() -> None:
    """At 1.9 m the box of 1.1 m is free of the other track; hands of who sits 0.4 m aside are not."""
    track = there_and_back(1.9)
    assert not self_approaches(build_track(track))
    near = rider_clearance(on(track), fineness=COARSE)
    beside = [one for one in near.intrusions if one.obstacle == "track"]
    arms = [one for one in beside if one.limb.endswith("arm")]
    assert all(one.reached for one in beside)
    assert {one.seat for one in arms} >= {"Car/Left seat"}
    first = min(arms, key=lambda one: one.s0)
    assert first.other_s is not None
    there = build_track(track).centreline.position([first.s, first.other_s])
    assert abs(there[0, 0] - there[1, 0]) < 2.0  # what is told of lies beside
    found = [one for one in near.findings if "the track at s" in one.message]
    assert found[0].severity == "error"
    assert "arm of the 95th percentile man on 'Car/" in found[0].message
    far = rider_clearance(on(there_and_back(6.0)), fineness=COARSE)
    assert not [one for one in far.intrusions if one.obstacle in ("track", "train")]


def test_how_deep_the_ground_lies_within_reach() -> None:
    """On a level straight: the level less the lowest place that is reached, the same all along."""
    found = straight(LOW)
    ground = {
        one.limb: one
        for one in found.intrusions
        if one.obstacle == "ground" and one.seat == "Car/Left seat" and not one.tilt
    }
    seat = found.seats[0]
    assert seat.seat == "Car/Left seat"
    for name, one in ground.items():
        surface = seat.room.surface(seat.room.names.index(name))
        lowest = (seat.positions[3] + surface.reshape(-1, 3) @ seat.axes[3].T)[:, 2].min()
        assert one.deep == pytest.approx(-lowest, abs=1e-6)
        assert (one.s0, one.s1) == pytest.approx((0.0, 12.0))
        assert one.position[2] == pytest.approx(lowest, abs=1e-6)
    assert "left leg" in ground
    assert not [one for one in straight(5.0).intrusions if one.obstacle == "ground"]


def test_that_seats_are_looked_at_at_every_tilt() -> None:
    """The body of the car rolls by 10 degrees against its frame: seats go round the hinge, and reach deeper there."""
    found = straight(LOW)
    drawn, left, right = (one for one in found.seats if one.seat == "Car/Left seat")
    assert [str(one.tilt) for one in (drawn, left, right)] == [
        "",
        "'Roll joint' at -10 deg",
        "'Roll joint' at 10 deg",
    ]
    turned = [one.axes[0] @ drawn.axes[0].T for one in (left, right)]
    assert turned[0] == pytest.approx(turned[1].T, abs=1e-12)
    assert np.trace(turned[0]) == pytest.approx(1.0 + 2.0 * np.cos(np.radians(10.0)))
    axis = drawn.axes[0][:, 0]  # about which the body rolls
    assert turned[0] @ axis == pytest.approx(axis, abs=1e-6)
    ground = [one for one in found.intrusions if one.obstacle == "ground" and one.seat == "Car/Left seat"]
    deepest = {
        tilt: max(one.deep for one in ground if one.tilt == tilt) for tilt in {one.tilt for one in ground}
    }
    assert max(deepest.values()) > deepest[""] + 0.05
    (encounter,) = [one for one in found.encounters if one.worst.obstacle == "ground"]
    assert "seat' ('Roll joint' at " in encounter.sentence("man")


def test_that_a_hinge_without_stops_goes_all_the_way_round() -> None:
    train = on(level(5.0)).train
    (car,) = train.children
    free = tuple(force for force in car.forces if force.name != "Roll stop")
    swung = train.model_copy(update={"children": (car.model_copy(update={"forces": free}),)})
    tilts = tilts_of(placed_model(swung), "Car", "Car/Carbody")
    assert len(tilts) == 24
    sprung = RotationalSpring(name="Hold", joint="Roll joint", stiffness=1e5, damping=10.0)
    held = train.model_copy(update={"children": (car.model_copy(update={"forces": (*free, sprung)}),)})
    assert len(tilts_of(placed_model(held), "Car", "Car/Carbody")) == 1
    assert len(tilts_of(placed_model(train), "Car", "Car/Frame")) == 1  # what is guided does not tilt


def beyond_reach(one: Intrusion) -> float:
    """How far (m) the place of an intrusion of the straight at LOW lies from what its limb reaches: from the nearest of
    its balls, or along the line from the joint from one that lies beside that line."""
    project = on(level(LOW))
    own = next(
        seat
        for car in project.train.children
        for name, seat in car.every("seat").items()
        if f"{car.name}/{name}" == one.seat
    )
    limbs = reach_from(chosen_body(project).person, own, fineness=COARSE).limbs
    limb = next(limb for limb in limbs if limb.name == one.limb)
    path = next(path for path in straight(LOW).seats if (path.seat, path.tilt) == (one.seat, one.tilt))
    k = int(np.argmin(np.abs(path.s - one.s)))
    place = (np.array(one.position) - path.positions[k]) @ path.axes[k]
    away, centres = place - limb.origin, limb.centres - limb.origin
    far, ball = float(np.linalg.norm(away)), np.linalg.norm(centres, axis=1)
    beside = centres @ away >= far * ball * np.cos(BESIDE)
    nearest = np.min(np.linalg.norm(centres - away, axis=1) - limb.radii)
    return float(min(nearest, np.min((far - ball - limb.radii)[beside], initial=np.inf)))


def test_that_a_margin_is_told_as_such() -> None:
    """What only the margin touches is a warning that says what is left."""
    bare, wide = (
        {
            (one.seat, one.tilt, one.limb): one
            for one in straight(LOW, margin).intrusions
            if one.obstacle == "ground"
        }
        for margin in ("none", "astm_f2291")
    )
    assert margins_of(Clearance(margin="astm_f2291"))["arm"] == pytest.approx(0.0762, abs=1e-3)
    for key, one in bare.items():
        assert wide[key].deep > one.deep
        assert wide[key].margin == 0.076
        assert beyond_reach(one) == pytest.approx(0.0, abs=1e-9)
        assert beyond_reach(wide[key]) == pytest.approx(0.076, abs=1e-9)
    height = LOW + max(one.deep for one in bare.values()) + 0.02  # now the ground is 20 mm beyond reach
    (encounter,) = [
        one for one in straight(height, "astm_f2291").encounters if one.worst.obstacle == "ground"
    ]
    assert not encounter.worst.reached
    assert encounter.worst.beyond == pytest.approx(-0.02, abs=0.02)
    assert "the margin is 0.08 m" in encounter.sentence("man")


def test_how_deep_a_column_is_within_reach() -> None:
    """A column of 0.2 m a metre beside the shoulder: the length of what is reached that way, less its surface."""
    (seat, *_), built = straight(5.0).seats, build_track(level(5.0))
    limb = seat.room.names.index("left arm")
    beside = seat.room.origins[limb] + np.array([0.0, 1.0, 1e-3])
    place = seat.positions[4] + seat.axes[4] @ beside
    column = _Points(
        place[None], np.array([0.2]), np.array([list(OBSTACLES).index("supports")]), np.array([np.nan])
    )
    found = [one for one in _of_points(seat, built, column, {"arm": 0.1}) if one.limb == "left arm"]
    (one,) = found
    assert one.obstacle == "supports"
    assert one.other_s is None
    assert one.margin == 0.1
    # the worst place may lie a little before or behind the one the column stands beside
    away = (place - seat.positions) @ seat.axes[0] - seat.room.origins[limb]
    depths = seat.room.depth(away + seat.room.origins[limb])[limb] + 0.2
    assert one.deep == pytest.approx(depths.max())
    assert one.deep >= seat.room.depth(beside[None])[limb, 0] + 0.2 - 1e-6
    assert "a support" in one.result


def test_that_a_run_carries_the_space_as_it_swung() -> None:
    """Seats moved as they stand come to the same; a car that hangs aside reaches what lies there."""
    track, project = level(5.0), on(level(5.0))
    built = build_track(track)
    still = straight(5.0)
    own = next(seat for seat in project.train.every("seat").values() if seat.name == "Left seat")
    frames = still.seats[0].axes @ rotation_matrix(own.orientation).T
    bodies = still.seats[0].positions - frames @ np.asarray(own.position)

    def run(turned: np.ndarray) -> Results:
        states = SimpleNamespace(
            time=still.seats[0].s,
            position=bodies[:, None],
            orientation=np.array([[from_matrix(one @ turned)] for one in frames]),
        )
        way = SimpleNamespace(values=still.seats[0].s)
        names = SimpleNamespace(bodies=(f"Car/{own.body}",))
        return cast(
            Results,
            SimpleNamespace(
                states=states, sample_time=still.seats[0].s, channels={"car/Car/arc_length": way}, names=names
            ),
        )

    ridden = rider_clearance(project, built, run(np.eye(3)), COARSE)
    seat = next(one for one in ridden.seats if one.seat == "Car/Left seat")
    assert seat.positions == pytest.approx(still.seats[0].positions[: len(seat.positions)], abs=0.6)
    assert seat.axes[0] == pytest.approx(still.seats[0].axes[0])
    tilt = rotation_matrix(
        np.array([np.cos(0.6), np.sin(0.6), 0.0, 0.0])
    )  # to the right, about the way of travel
    swung = next(
        one for one in rider_clearance(project, built, run(tilt), COARSE).seats if one.seat == "Car/Left seat"
    )
    assert swung.axes[0] == pytest.approx(frames[0] @ tilt @ rotation_matrix(own.orientation))
    moved = bodies[0] + frames[0] @ tilt @ np.asarray(own.position)
    assert swung.positions[0] == pytest.approx(moved)
