"""Fatigue of members: a train of ten axles over a girder, its ranges counted again by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.cli.program import main
from ridewright.core.edits.changes import set_scenario
from ridewright.core.outcome.fatigue import Detail, cycles_to_failure
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import save_project
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.steelwork.life import lives, most_changed
from ridewright.core.steelwork.members import fibres, normal_stress
from ridewright.core.steelwork.ride import ride_over
from ridewright.core.steelwork.tables import steelwork_of
from ridewright.core.structure.sections import Material, tube
from ridewright.core.track.build import build_track
from ridewright.core.track.steelwork import SpineRule, Steelwork
from tests.core.steelwork.girder import STIFF, girder, passing

pytest.importorskip("rainflow")
LENGTH, FORCE, AXLES, APART = 12.0, 4e4, 10, 6.0


def by_hand(values: list[float]) -> list[float]:
    """Ranges of whole cycles of turning points that begin and end at the highest: innermost pairs taken out one by one
    (Downing & Socie 1982)."""
    stack: list[float] = []
    found = []
    for value in values:
        stack.append(value)
        while len(stack) >= 4 and abs(stack[-2] - stack[-3]) <= min(
            abs(stack[-1] - stack[-2]), abs(stack[-3] - stack[-4])
        ):
            found.append(abs(stack[-2] - stack[-3]))
            del stack[-3:-1]
    while len(stack) >= 3:  # what is left falls and rises once
        found.append(max(stack) - min(stack))
        stack = []
    return found


def test_that_ten_axles_over_a_girder_do_the_damage_that_counting_by_hand_gives() -> None:
    section, rules = tube(0.3556, 0.0125), Steelwork(spine_detail=36e6, partial=1.0)
    held = (STIFF, STIFF, STIFF, STIFF, 0.0, STIFF)
    frame = girder(section, Material(), LENGTH, 12, (0, 12), held, 0.02)
    loads = passing(FORCE, 18.0, LENGTH, 1.0, [k * APART for k in range(AXLES)])
    watch = most_changed(frame, ride_over(frame, loads), rules, 3)
    assert {frame.members[frame.pieces[k].beam] for k in watch} & {"bay 6", "bay 7"}
    ride = ride_over(frame, loads, watch=watch)
    worst = lives(frame, ride, rules)[0]
    k = next(k for k, piece in enumerate(watch) if frame.members[frame.pieces[piece].beam] == worst.name)
    places = fibres(frame, watch[k])
    damage = 0.0
    for end in range(2):
        histories = normal_stress(frame, watch[k], ride.watched[k][end], places[0])
        stress = histories[:, int(np.argmax(np.ptp(histories, axis=0)))]
        top = int(np.argmax(stress))
        loop = [*stress[top:], *stress[: top + 1]]
        inner = (b for a, b, c in zip(loop, loop[1:], loop[2:], strict=False) if (b - a) * (c - b) < 0.0)
        lasting = cycles_to_failure(np.array(by_hand([loop[0], *inner, loop[-1]])), Detail(36e6, 1.0))
        damage = max(damage, float(np.sum(1.0 / lasting)))
    assert damage > 0.0
    assert worst.fatigue.damage == pytest.approx(damage, rel=1e-9)
    assert worst.share == pytest.approx(damage * rules.rides, rel=1e-9)


def test_that_fatpack_counts_the_same_ranges() -> None:
    """Another program's rainflow of the same ten axles (package fatpack), whose classes are 1/65536 of the whole."""
    fatpack = pytest.importorskip("fatpack")
    section, held = tube(0.3556, 0.0125), (STIFF, STIFF, STIFF, STIFF, 0.0, STIFF)
    frame = girder(section, Material(), LENGTH, 12, (0, 12), held, 0.02)
    loads = passing(FORCE, 18.0, LENGTH, 1.0, [k * APART for k in range(AXLES)])
    one = lives(frame, ride_over(frame, loads, watch=(5,)), Steelwork(spine_detail=36e6, partial=1.0))[0]
    top = int(np.argmax(one.stress))
    loop = np.concatenate([one.stress[top:], one.stress[: top + 1]])
    cycles, _ = fatpack.find_rainflow_cycles(fatpack.find_reversals(loop, k=2**16)[0])
    ranges = np.append(
        np.abs(np.diff(cycles, axis=1)), np.ptp(one.stress)
    )  # what is left falls and rises once
    damage = float(np.sum(1.0 / cycles_to_failure(ranges, Detail(36e6, 1.0))))
    assert one.fatigue.damage == pytest.approx(damage, rel=1e-4)
    largest = np.sort(np.repeat(one.fatigue.ranges, np.round(2.0 * one.fatigue.cycles).astype(int)))[::-2]
    assert largest[:12] == pytest.approx(np.sort(ranges)[::-1][:12], rel=1e-3)


def test_that_a_weaker_detail_lasts_shorter_and_the_answer_names_the_worst_first() -> None:
    project = load_example("looping_star")
    rides = [
        project.model_copy(
            update={
                "steelwork": Steelwork(column_detail=detail),
                "point_ride": project.point_ride.model_copy(update={"duration": 2.0}),
            }
        )
        for detail in (45e6, 36e6)
    ]
    strong, weak = (steelwork_of(one, 100.0, life=True).lives for one in rides)
    frame = steel_frame(build_track(project.track), Steelwork())
    columns = {name for name in frame.members if name.startswith("column")}
    assert columns <= {one.name for one in weak}
    assert [one.share for one in weak] == sorted((one.share for one in weak), reverse=True)
    both = {one.name: one for one in strong if one.name.startswith("column")}
    for one in weak:
        if one.name in both:
            assert one.fatigue.largest == pytest.approx(both[one.name].fatigue.largest)
            assert one.share >= both[one.name].share


def test_that_a_named_member_is_judged_and_its_stress_written_over_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_project(set_scenario(load_example("straight"), {"duration": 0.5}), tmp_path / "p.ridewright")
    line = ["steelwork", str(tmp_path / "p.ridewright"), "--rate", "50", "--life", "--watch", "bay 3"]
    assert main([*line, "--histories", str(tmp_path / "h.csv"), "--json"]) == 0
    told = {one["name"]: one for one in json.loads(capsys.readouterr().out)["lives"]}
    rows = [
        row.split(",")
        for row in (tmp_path / "h.csv").read_text().replace('"bay 3, ', '"bay 3; ').splitlines()[1:]
    ]
    assert {row[0] for row in rows} >= {"bay 3", '"bay 3; left rail at a tie"'}
    own = [float(row[2]) for row in rows if row[0] == "bay 3"]
    assert max(own) - min(own) == pytest.approx(told["bay 3"]["range_Pa"], rel=1e-5)
    assert main([*line[:-1], "bay 3000"]) == 2
    assert "no member 'bay 3000'" in capsys.readouterr().err
    assert main([*line[:4], "--watch", "bay 3"]) == 2
    assert "give --life as well" in capsys.readouterr().err


def test_that_braces_are_judged_by_combinations_and_last() -> None:
    project = load_example("straight")
    scenario = project.scenario.model_copy(update={"duration": 1.0})
    rules = Steelwork(depth=0.9, spines=(SpineRule(kind="triangle", diameter=0.1683, wall=0.01, panel=0.8),))
    project = project.model_copy(update={"scenario": scenario, "steelwork": rules})
    found = steelwork_of(project, 50.0, life=True, checks=True)
    assert found.checks is not None
    shares = {one.name: one for one in found.checks.members}
    diagonals = [one for one in shares.values() if one.name.endswith("left diagonals")]
    assert len(diagonals) == len(found.frame.stations) - 1
    assert max(one.share for one in diagonals) > 0.01
    ranges = {one.name: one.fatigue.largest for one in found.lives if "diagonals" in one.name}
    assert max(ranges.values()) > 1e6
