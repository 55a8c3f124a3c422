"""The Python door hands over to the rooms, quickly and unchanged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.outcome.rider_view import judge_riders
from ridewright.core.results.results import Results

LOADED = """
import json, sys
import ridewright
ridewright.example, dir(ridewright)
heavy = (
    "ridewright.core.solver.engine", "ridewright.core.pointmass.ride", "h5py", "matplotlib", "distributed", "SALib",
    "pymoo", "pandas",
)
print(json.dumps([name for name in heavy if name in sys.modules]))
"""


def test_that_the_door_opens_without_engine_and_without_libraries_of_studies() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_that_every_name_of_the_door_is_there_and_says_what_it_does() -> None:
    for name in rw.__all__:
        thing = getattr(rw, name)
        assert name == "__version__" or (thing.__doc__ or "").strip(), name
    for name in rw.edits.__all__:
        assert getattr(rw.edits, name).__doc__, name
    assert {name for name in vars(rw.edits) if name[0] != "_"} - {"annotations"} == set(rw.edits.__all__)


def test_that_a_project_is_opened_edited_saved_and_opened_again(tmp_path: Path) -> None:
    project = rw.example("straight")
    faster = rw.edits.set_field(project, "scenario.speed", 12.5)
    rw.save(faster, tmp_path / "faster.ridewright")
    assert rw.open(tmp_path / "faster.ridewright") == faster != project


def test_that_a_faster_start_ends_faster_by_the_balance_of_energy() -> None:
    slow = rw.edits.set_losses(rw.example("looping_star"), (), {"rolling": 0.0, "drag_area": 0.0})
    fast = rw.edits.set_field(slow, "scenario.speed", 28.0)
    ends = [rw.ride_point(project) for project in (slow, fast)]
    gained = [ride.speed[-1] ** 2 - ride.speed[0] ** 2 for ride in ends]
    assert gained[0] == pytest.approx(gained[1], abs=1e-6)
    assert ends[1].speed[0] == pytest.approx(28.0)


def test_that_a_ride_without_riders_is_judged_at_its_assessed_seats() -> None:
    """Not "no limit applies" of a swinging ride, whatever its seats say."""
    project = rw.edits.set_field(rw.example("frisbee"), "scenario.duration", 1.0)
    judged = rw.judge(rw.simulate(project))
    assert {row.rider for row in judged.rows} == {f"Seat {k}" for k in range(1, 25)}
    assert judged.governing is not None
    assert judged.governing.part == "seat"


def test_that_a_run_is_judged_as_its_project_says(make_results: Callable[..., Results]) -> None:
    run = make_results(duration=6.0)
    run.provenance["project"]["evaluation"] = {"restraint": "prone", "standards": ["astm_f2291"]}
    try:
        there = rw.judge(run)
        same = judge_riders(run, EvaluationOptions(restraint="prone", standards=("astm_f2291",)))
        assert [row.result for row in there.rows] == [row.result for row in same.rows]
        assert there.rows != judge_riders(run).rows
    finally:
        del run.provenance["project"]["evaluation"]


def test_that_modes_about_no_time_are_refused() -> None:
    with pytest.raises(rw.InputError, match="modes: a time of -1 s: must be from 0"):
        rw.modes(rw.example("torsion_chain"), time=-1.0)


def test_that_modes_of_a_swing_have_the_frequency_of_the_textbook() -> None:
    # two discs on an inclined shaft: the door gives what the engine gives, slowest first
    found = rw.modes(rw.example("torsion_chain"))
    pace = [mode.frequency for mode in found.modes]
    assert pace == sorted(pace)
    discs = {body.name: body for body in rw.example("torsion_chain").assembly.bodies}
    one, two = (disc.inertia[0] for disc in discs.values())
    square = np.linalg.eigvals(np.array([[(40.0 + 25.0) / one, -25.0 / one], [-25.0 / two, 25.0 / two]]))
    assert pace == pytest.approx(np.sort(np.sqrt(square.real)) / (2.0 * np.pi), rel=1e-5)


def test_that_a_check_says_what_the_track_is_and_what_is_odd() -> None:
    found = rw.check(rw.example("looping_star"))
    assert found.track is not None
    assert 760.0 < found.track.length < 770.0
    assert found.model.keys() == {"car car 1"} or all(name.startswith("car ") for name in found.model)
    assert found.effort == ""


def test_that_a_report_without_a_form_is_refused(make_results: Callable[..., Results]) -> None:
    with pytest.raises(rw.InputError, match="nothing to write; give a file by pdf="):
        rw.report(rw.example("straight"), make_results())
