"""The steel of a track and its supports: made by rules, under the wheels of a run and the axles of a ride as points."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.cli.program import main
from ridewright.core.edits.along_track import add_device
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.steelwork.actions import at_rest, weight
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.steelwork.loads import loads_of_points, loads_of_run
from ridewright.core.steelwork.ride import ride_over
from ridewright.core.steelwork.tables import FootingLoad, footings_csv, steelwork_of
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.steelwork import ColumnRule, SpineRule, Steelwork
from ridewright.core.track.supports import place_supports

G = 9.81


def project_of(name: str, seconds: float) -> Project:
    project = load_example(name)
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": seconds})})


@cache
def looping_star() -> tuple[Project, BuiltTrack, Results]:
    project = project_of("looping_star", 1.5)
    assert project.track is not None
    return project, build_track(project.track), simulate(project)


def test_that_the_first_rule_that_fits_counts_and_the_last_one_everywhere() -> None:
    rules = Steelwork(
        spines=(SpineRule(span=10.0, curvature=0.1, diameter=0.3), SpineRule(span=15.0, diameter=0.4)),
        columns=(ColumnRule(height=5.0, diameter=0.2), ColumnRule(height=9.0, diameter=0.3)),
    )
    assert [rules.spine_of(*at).diameter for at in ((9.0, 0.05), (9.0, 0.2), (40.0, 0.0))] == [0.3, 0.4, 0.4]
    assert [rules.column_of(length).diameter for length in (4.0, 6.0, 30.0)] == [0.2, 0.3, 0.3]


def test_that_a_footing_gives_as_a_disc_on_a_half_space() -> None:
    """Richart, Hall & Woods 1970: 4 G r / (1 - nu) upright; of twice the radius it rocks an eighth as much."""
    small, large = Steelwork(footing=1.0, soil=5e7), Steelwork(footing=2.0, soil=5e7)
    assert small.ground()[2] == pytest.approx(4.0 * 5e7 / 0.7)
    assert large.ground()[3] == pytest.approx(8.0 * small.ground()[3])


@pytest.mark.parametrize("name", ["looping_star", "straight"])
def test_that_the_frame_stands_on_a_footing_a_leg_and_bears_its_weight(name: str) -> None:
    track = load_example(name).track
    assert track is not None
    built = build_track(track)
    frame = steel_frame(built, Steelwork())
    plan = place_supports(built)
    legs = sum(len(one.legs) for one in plan.supports)
    assert sum(foot.support > 0 for foot in frame.footings) == legs
    assert len(frame.members) == legs + len(frame.stations) - 1
    assert frame.stations[-1] == pytest.approx(built.length)
    assert np.diff(frame.stations).max() <= 2.0 + 1e-9
    pressed = at_rest(frame, weight(frame)).reactions[:, :3].sum(axis=0)
    assert pressed == pytest.approx([0.0, 0.0, -frame.mass * G], abs=1e-6 * frame.mass * G)
    steel = 7850.0 * sum(piece.section.area * piece.length for piece in frame.pieces)
    assert frame.mass == pytest.approx(
        steel + 45.0 * built.length, rel=2e-3
    )  # chords are shorter than the curve


def test_that_the_wheels_of_a_run_load_the_track_as_its_axles_as_points_do() -> None:
    project, built, run = looping_star()
    assert project.train is not None
    wheels, axles = loads_of_run(project, run, built), loads_of_points(project, built)
    assert wheels.force[0].sum(axis=0) == pytest.approx(
        [0.0, 0.0, -project.train.mass() * G], rel=1e-3, abs=60.0
    )
    time = np.array([0.5, 1.0, 1.4])
    run_force, point_force = (loads.at(time).force.sum(axis=1) for loads in (wheels, axles))
    assert run_force[:, 2] == pytest.approx(point_force[:, 2], rel=0.03)


def test_that_a_brake_pushes_the_track_forward_in_both_rides() -> None:
    """What stops the train is borne by the track: its own weight times its deceleration, along it."""
    project = load_example("straight")
    assert project.track is not None
    assert project.train is not None
    name = project.track.sections[0].name
    brake = {"start": 20.0, "end": 60.0, "speed": 1.0, "deceleration": 4.0}
    project, _ = add_device(project, "trim_brake", name, brake)
    project = set_scenario(project, {"speed": 12.0, "duration": 4.0})
    assert project.track is not None
    built = build_track(project.track)
    wheels, axles = loads_of_run(project, simulate(project), built), loads_of_points(project, built)
    mass = project.train.mass()
    for loads in (wheels, axles):
        along = loads.force.sum(axis=1) @ built.frame_at([30.0])[0][0]
        assert float(along.max()) == pytest.approx(4.0 * mass, rel=0.05)


def test_that_the_ground_bears_what_is_on_it_at_every_instant() -> None:
    project, built, run = looping_star()
    frame = steel_frame(built, project.steelwork)
    ride = ride_over(frame, loads_of_run(project, run, built), 200.0)
    assert ride.balance < 1e-9 * frame.mass * G
    assert np.ptp(ride.reactions[:, :, 2].sum(axis=1)) > 100.0  # the train is felt


def test_that_slowly_means_without_inertia() -> None:
    """At rest each instant: the ground bears weight and wheels alone."""
    project, built, run = looping_star()
    frame, loads = steel_frame(built, project.steelwork), loads_of_run(project, run, built)
    ride = ride_over(frame, loads, 50.0, slowly=True)
    on_it = loads.at(ride.time).force.sum(axis=1)[:, 2] - frame.mass * G
    assert ride.reactions[:, :, 2].sum(axis=1) == pytest.approx(on_it, rel=1e-9)


def test_that_the_worst_member_and_footing_are_where_the_train_is() -> None:
    _, built, run = looping_star()
    found = steelwork_of(run, 200.0)
    stresses = [one.stress for one in found.members]
    assert stresses == sorted(stresses, reverse=True)
    assert len(found.members) == len(found.frame.members)
    near = max(found.members, key=lambda one: one.stress - one.dead)
    apart = abs(near.s - near.train)
    assert min(apart, built.length - apart) < 12.0
    for foot in found.footings:
        assert np.all(foot.least <= foot.most + 1e-9)
    rows = footings_csv(found.footings).splitlines()
    assert len(rows) == 1 + len(found.footings)
    assert rows[1].startswith(found.footings[0].name)


def test_that_thicker_columns_are_stressed_less(tmp_path: Path) -> None:
    project = project_of("looping_star", 1.5)
    thick = project.model_copy(
        update={"steelwork": Steelwork(columns=(ColumnRule(diameter=0.8, wall=0.03),))}
    )
    save_project(thick, tmp_path / "thick.ridewright")
    assert load_project(tmp_path / "thick.ridewright").steelwork == thick.steelwork
    assert "steelwork" not in project.model_dump()  # earlier versions read what has only what is usual
    run = looping_star()[2]
    usual = {
        one.name: one.stress for one in steelwork_of(run, 100.0).members if one.name.startswith("column")
    }
    again = simulate(thick)
    changed = {one.name: one.stress for one in steelwork_of(again, 100.0).members}
    low = [name for name in usual if usual[name] > 2e6]
    assert np.median([changed[name] / usual[name] for name in low]) < 0.8


def test_that_the_command_prints_and_writes_what_the_door_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_project(project_of("straight", 1.0), tmp_path / "p.ridewright")
    line = ["steelwork", str(tmp_path / "p.ridewright"), "--rate", "100", "--set", "steelwork.spacing=9"]
    line += ["--checks", "--reactions", str(tmp_path / "r.csv")]
    csv = ["--footings", str(tmp_path / "f.csv"), "--csv", str(tmp_path / "tables")]
    assert main([*line, "--json", *csv]) == 0
    told = json.loads(capsys.readouterr().out)
    project = rw.open(tmp_path / "p.ridewright")
    own = project.model_copy(update={"steelwork": Steelwork(spacing=9.0)})
    assert told["members"][0]["stress_Pa"] == pytest.approx(rw.steelwork(own, 100.0).members[0].stress)
    assert len((tmp_path / "f.csv").read_text().splitlines()) == 1 + len(told["footings"])
    combinations, used = told["checks"]["combinations"], [one["share"] for one in told["checks"]["members"]]
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 1 + len(combinations) * len(told["footings"])
    assert used == sorted(used, reverse=True)
    assert used[0] == pytest.approx(max(one["used"] for one in combinations))
    tables = {one.stem: one.read_text().splitlines() for one in (tmp_path / "tables").iterdir()}
    assert {"model", "sections", "factors", "combinations", "governing", "reactions"} <= set(tables)
    assert len(tables["reactions"]) == 1 + (1 + len(combinations)) * len(told["footings"])
    assert len(tables["governing"]) == 1 + len(used)
    assert main(line) == 0
    printed = capsys.readouterr().out
    assert "footings, largest load down first" in printed
    assert "Wind out of service" in printed
    assert "Confidence: low" in printed


def test_that_a_project_without_a_track_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_project(load_example("double_pendulum"), tmp_path / "p.ridewright")
    assert main(["steelwork", str(tmp_path / "p.ridewright")]) == 2
    assert "has no track" in capsys.readouterr().err


def test_that_what_bends_a_footing_is_bounded_whenever_its_extremes_come() -> None:
    least, most = np.array([-5.0, -1.0, 2.0, 3.0, -4.0, 0.0]), np.array([1.0, 6.0, 9.0, 2.0, 1.0, 0.0])
    foot = FootingLoad("column 1", (0.0, 0.0, 0.0), np.zeros(6), least, most, 0.0, 0.0)
    assert foot.aside == pytest.approx(math.hypot(5.0, 6.0))  # -5 may come with 6
    assert foot.moment == pytest.approx(5.0)
