"""Where a peak comes from: on a level chicane ridden by a point, place, cant and every effect have closed forms."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.cli import main
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.joint_stop import JointStop
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.guides import Guide
from ridewright.core.model.joints import Joint
from ridewright.core.outcome.origin import explain, sensitivity
from ridewright.core.outcome.origin.changes import (
    Bump,
    moved_state,
    places_of,
    scaled,
    with_cant,
    with_suspension,
)
from ridewright.core.outcome.origin.sensitivity import at_limit, ride_on, state_at
from ridewright.core.outcome.rider_view import judge_riders
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.results.file import write_results
from ridewright.core.run.simulate import simulate
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, Track

SPEED, SWAY, WIDTH = 15.0, 4.0, 12.0


def chicane() -> Project:
    x = np.arange(0.0, 181.0, 3.0)
    y = SWAY * np.exp(-0.5 * ((x - 80.0) / WIDTH) ** 2)
    points = tuple(ControlPoint(x=float(a), y=float(b), z=5.0, cant=0.0) for a, b in zip(x, y, strict=True))
    bodies = (Body(name="Wagon", mass=500.0, inertia=(80.0, 300.0, 300.0), position=(0.0, 0.0, 0.0)),)
    rider = Assembly(
        role="rider",
        name="Rider",
        seat="Seat",
        bodies=(Body(name="Dummy", mass=80.0, inertia=(5.0, 5.0, 2.0), position=(0.0, 0.0, 0.0)),),
        joints=(Joint(name="Belt", kind="rigid", body_i="seat", body_j="Dummy"),),
        head="Dummy",
        upper_torso="Dummy",
        pelvis="Dummy",
    )
    car = Assembly(
        role="car",
        name="Car",
        bodies=bodies,
        guides=(Guide(name="Wheels", kind="full", body="Wagon"),),
        seats=(Seat(name="Seat", body="Wagon", position=(0.0, 0.0, 0.0)),),
        children=(rider,),
    )
    return Project(
        name="Chicane",
        track=Track(name="Chicane", sections=(SplineSection(name="Sway", points=points),)),
        train=Assembly(name="Train", role="train", children=(car,)),
        scenario=Ride(start=5.0, speed=SPEED, duration=9.0),
    )


@pytest.fixture(scope="module")
def ridden():
    project = chicane()
    results = simulate(project)
    rows = {row.key: row for row in judge_riders(results).rows}
    return project, results, rows


def peak(rows, criterion="peak_-Gy", part="pelvis"):
    return rows["Car/Rider", part, criterion]


def test_that_the_moment_of_a_peak_is_described(ridden):
    project, results, rows = ridden
    row = peak(rows)
    found = explain(project, results, row)
    bend = SWAY / WIDTH**2
    assert row.result.value == pytest.approx(SPEED**2 * bend / 9.81, rel=2e-3)
    assert found.section == "Sway"
    assert found.position == pytest.approx((80.0, SWAY, 5.0), abs=0.05)
    assert found.speed == pytest.approx(SPEED, rel=1e-3)
    assert found.curvature_lateral == pytest.approx(-bend, rel=2e-3)
    assert found.curvature_normal == pytest.approx(0.0, abs=1e-9)
    assert found.radius == pytest.approx(1.0 / bend, rel=2e-3)
    assert (found.cant, found.gradient) == (pytest.approx(0.0, abs=1e-9), pytest.approx(0.0, abs=1e-9))
    assert found.felt == pytest.approx((0.0, -row.result.value, 1.0), abs=2e-3)
    assert found.nca == pytest.approx(-9.81 * row.result.value, rel=1e-3)
    assert found.nca_rails == pytest.approx(found.nca, rel=1e-6)
    assert found.springs == ()
    assert found.notes == ()


def test_that_the_delay_of_the_ride_filter_is_taken_off_the_place(ridden):
    project, results, rows = ridden
    late, sharp = explain(project, results, peak(rows, "peak_-Gy_5hz")), explain(project, results, peak(rows))
    assert late.arc_length == pytest.approx(sharp.arc_length, abs=0.2)
    assert peak(rows, "peak_-Gy_5hz").moment - peak(rows).moment == pytest.approx(0.083, abs=0.015)
    assert any("83 ms" in note for note in late.notes)


def test_that_no_origin_lies_before_the_run(ridden):
    """The ride filter is late; a value found in its first moments still comes from the run."""
    project, results, rows = ridden
    first = float(results.sample_time[0])
    row = peak(rows, "peak_-Gy_5hz")
    early = replace(row, result=row.result.model_copy(update={"time": (first, first + 0.02)}))
    found = explain(project, results, early)
    assert found.time == first
    assert found.arc_length == pytest.approx(results.channels[f"car/{found.car}/arc_length"].values[0])


def test_that_every_effect_on_a_chicane_is_its_closed_form(ridden):
    """At the crest -Gy = (v^2 k cos(cant) - g sin(cant)) / g: 2 % for 1 % of speed, -1 % for 1 % of radius."""
    project, results, rows = ridden
    row = peak(rows)
    parts = []
    found = sensitivity(project, results, row, on_progress=parts.append)
    value = row.result.value
    effects = {e.parameter: e for e in found.effects}
    assert found.reproduced
    assert found.again == pytest.approx(value, rel=1e-4)
    assert effects["speed"].change == pytest.approx(0.02 * value, rel=5e-3)
    assert effects["radius"].change == pytest.approx(-0.01 * value, rel=2e-2)
    assert effects["cant"].change == pytest.approx(-math.radians(1.0), rel=2e-2)
    assert effects["cant"].relative == pytest.approx(effects["cant"].change / found.again)
    assert effects["speed"].less < value < effects["speed"].more
    for effect in found.effects:  # the sides are those of the change: at one speed and one step away
        assert 0.5 * (effect.more - effect.less) == pytest.approx(effect.change, rel=1e-9)
        assert 0.5 * (effect.more + effect.less) == pytest.approx(found.again, abs=0.1 * abs(effect.change))
    assert [e.parameter for e in found.effects] == ["cant", "speed", "radius"]
    assert any("no springs" in note for note in found.notes)
    assert found.complete
    assert parts == sorted(parts)


def test_that_a_level_at_another_duration_is_compared_through_the_part_of_its_limit():
    # A short peak uses a hair more of the limit than a long shoulder; 1 % less of the peak, and the shoulder counts.
    t = np.arange(0.0, 12.0, 0.002)
    shoulder, values, levels = 5.3, [], []
    for factor in (0.99, 1.0, 1.01):
        corners = [1.0, 8.0 * factor, 8.0 * factor, shoulder, shoulder, 1.0]
        gz = np.interp(t, [3.0, 3.0, 3.3, 3.302, 5.3, 5.3], corners)
        felt = History(t, np.column_stack([0.0 * t, 0.0 * t, gz]))
        options = EvaluationOptions(standard_filter="none")
        (found,) = evaluate_history(felt, ["f2291_+Gz"], options)
        values.append(found.value)
        levels.append(at_limit(found, 6.0))
    assert values[0] == pytest.approx(shoulder)
    assert values[1:] == pytest.approx([8.0, 8.08])
    assert levels == pytest.approx([6.0 * shoulder / 4.0, 8.0, 8.08])
    assert at_limit(found, None) == found.value


def test_that_it_can_be_stopped_and_keeps_what_it_has(ridden):
    project, results, rows = ridden
    seen = []
    found = sensitivity(
        project, results, peak(rows), on_progress=seen.append, should_stop=lambda: len(seen) >= 3
    )
    assert not found.complete
    assert [e.parameter for e in found.effects] == ["speed"]
    assert any("Stopped" in note for note in found.notes)


def test_that_a_value_of_the_whole_ride_or_of_a_rig_is_refused(ridden):
    project, results, rows = ridden
    with pytest.raises(InputError, match="not to a moment"):
        sensitivity(project, results, peak(rows, "iso2631_awy"))
    with pytest.raises(InputError, match="has no value"):
        explain(project, results, peak(rows, "nij", "head"))
    with pytest.raises(InputError, match="rig"):
        sensitivity(load_example("planar_pendulum"), results, peak(rows))


def test_that_a_piece_from_a_stored_state_is_the_ride_itself():
    project = load_example("looping_star")
    scenario = project.scenario.model_copy(update={"start": 225.0, "speed": 22.0, "duration": 2.0})
    project = project.model_copy(update={"scenario": scenario})
    results = simulate(project)
    built = build_track(project.track)
    start = state_at(results, 0.9)
    assert 0.8 < start.time <= 0.9
    piece = ride_on(project, built, start, 2.0, tolerance=1e-6, start_speed=22.0)
    for name in ("rider/Car/Rider/head/acceleration", "car/Car/speed", "car/Car/arc_length", "car/Car/roll"):
        whole, again = results.channels[name].values, piece.channels[name].values
        for a, b in zip(np.atleast_2d(whole.T), np.atleast_2d(again.T), strict=True):
            expected = np.interp(piece.time, results.sample_time, a)
            assert b == pytest.approx(expected, abs=3e-3 * (1.0 + np.abs(a).max() * (name[-6:] != "length")))


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("looping_star", 300.0),
        ("looping_star", 4.0),
        pytest.param("veloci2", 200.0, marks=pytest.mark.nightly),
    ],
)
def test_that_a_bump_of_cant_rolls_the_track_there_and_nowhere_else(name, place):
    built = build_track(load_example(name).track)
    bump = Bump(place - 22.0, place - 8.0, place + 6.0, place + 20.0)
    angle = math.radians(2.0)
    changed = with_cant(built, bump, angle)
    length = built.length
    s = np.linspace(bump.s0 - 30.0, bump.s3 + 30.0, 801)
    wrapped = np.mod(s, length) if built.track.closed else s
    before, after = built.centreline.state(wrapped), changed.centreline.state(wrapped)
    assert np.array_equal(before.curve, after.curve)
    turn = np.arctan2(np.sum(after.left * before.up, -1), np.sum(after.left * before.left, -1))
    full = (s > bump.s1) & (s < bump.s2)
    outside = (s < bump.s0 - 1e-6) | (s > bump.s3 + 1e-6)
    if not built.track.closed:
        outside &= s > 0.0
    assert turn[full] == pytest.approx(angle, abs=1e-9)
    assert turn[outside] == pytest.approx(0.0, abs=1e-9)
    rates = after.twist[:, 0] - before.twist[:, 0]
    inside = ~(np.abs(np.diff(wrapped)) > 1.0)
    slope = np.diff(turn)[inside] / np.diff(s)[inside]
    assert slope == pytest.approx((0.5 * (rates[1:] + rates[:-1]))[inside], abs=2e-5)
    assert np.abs(after.twist[:, 1] - before.twist[:, 1]).max() < 0.01


def test_that_a_scaled_track_has_wider_curves_and_the_same_gauge_and_cant():
    built = build_track(load_example("looping_star").track)
    centre = np.array([3.0, -2.0, 1.0])
    larger = scaled(built, 1.01, centre)
    s = np.linspace(0.0, built.length * 0.999, 400)
    a, b = built.centreline.state(s), larger.centreline.state(1.01 * s)
    assert larger.length == pytest.approx(1.01 * built.length)
    assert b.curve[:, 0] == pytest.approx(centre + 1.01 * (a.curve[:, 0] - centre), abs=1e-8)
    assert b.curve[:, 1] == pytest.approx(a.curve[:, 1], abs=1e-9)
    assert 1.01 * b.curve[:, 2] == pytest.approx(a.curve[:, 2], abs=1e-8)
    assert b.left == pytest.approx(a.left, abs=1e-7)
    assert 1.01 * b.twist[:, 0] == pytest.approx(a.twist[:, 0], abs=1e-7)
    assert larger.section_at(1.01 * 250.0) == built.section_at(250.0)
    left, right = (
        larger.paths[p].sample(larger.rails[p].to_rail([101.0])[0])[0, 0, :3]
        for p in ("left_rail", "right_rail")
    )
    assert np.linalg.norm(left - right) == pytest.approx(built.track.gauge, abs=1e-6)


def test_that_a_state_keeps_its_place_on_another_track(ridden):
    project, results, _ = ridden
    built = build_track(project.track)
    state = state_at(results, 3.0)
    centre = built.centreline.position(state.path)[0]
    larger = scaled(built, 1.02, centre)
    there = moved_state(state, ("centreline",), built, larger, 0.02 * state.path[0])
    assert larger.centreline.position(there.path)[0] == pytest.approx(centre, abs=1e-9)
    # A second wheel 4 m behind, on the left rail, stays 4 m behind.
    both = replace(
        state, path=np.array([state.path[0], built.rails["left_rail"].to_rail([state.path[0] - 4.0])[0]])
    )
    there = moved_state(both, ("centreline", "left_rail"), built, larger, 0.02 * state.path[0])
    behind = larger.rails["left_rail"].to_centreline(there.path[1:])[0]
    assert there.path[0] - behind == pytest.approx(4.0, abs=1e-6)
    assert places_of(both, ("centreline", "left_rail"), built) == pytest.approx(
        state.path[0] - np.array([0.0, 4.0])
    )


def test_that_the_suspension_is_the_springs_of_the_cars_alone():
    project = load_example("looping_star")
    changed = with_suspension(project, stiffness=1.1, damping=0.9)
    for old, new in zip(project.train.children[0].forces, changed.train.children[0].forces, strict=True):
        if isinstance(old, SpringDamper):
            assert (new.stiffness, new.damping) == (1.1 * old.stiffness, 0.9 * old.damping)
            assert new.free_length == old.free_length
        elif isinstance(old, JointStop):
            assert new == old
    assert changed.train.children[0].riders == project.train.children[0].riders
    assert with_suspension(project) == project


def test_that_the_command_says_the_same(ridden, tmp_path, capsys):
    project, results, rows = ridden
    write_results(results, tmp_path / "run.h5")
    assert (
        main(["origin", str(tmp_path / "run.h5"), "--criterion", "peak_-Gy", "--part", "pelvis", "--json"])
        == 0
    )
    printed = json.loads(capsys.readouterr().out)["origin"]
    found = explain(project, results, peak(rows))
    assert printed["value"] == pytest.approx(found.value, rel=1e-6)
    assert printed["arc_length"] == pytest.approx(found.arc_length, abs=1e-3)
    assert main(["origin", str(tmp_path / "run.h5")]) == 0
    text = capsys.readouterr().out
    assert "Sway" in text
    assert "m/s" in text
    assert main(["origin", str(tmp_path / "run.h5"), "--criterion", "no_such"]) == 2
    assert "has no value no_such" in capsys.readouterr().err
