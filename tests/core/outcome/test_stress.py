"""Stress over a run, and static load cases beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.outcome.fatigue import Detail, fatigue
from ridewright.core.outcome.rider_view import judge_riders
from ridewright.core.outcome.run_check import check_run
from ridewright.core.outcome.stress import BodyStress, stress_of
from ridewright.core.outcome.summary import summarise
from ridewright.core.project.examples import load_example
from ridewright.core.results.file import read_results, write_results
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver.modes import modes_at_rest
from ridewright.core.structure.sections import box
from tests.core.solver.flexible_rigs import bent

LENGTH, WIDTH, WALL = 3.0, 0.1, 0.005


@cache
def swing() -> Results:
    project = load_example("swing_beam")
    scenario = project.scenario.model_copy(update={"duration": 3.0})
    return simulate(project.model_copy(update={"scenario": scenario}))


def body() -> BodyStress:
    (one,) = stress_of(swing())
    return one


def test_that_the_example_is_the_beam_that_it_says_it_is() -> None:
    """8.80 Hz clamped at its top, nothing at its end; the whole ride swings to 120 degrees."""
    from ridewright.core.multibody.flexible import built_of
    from ridewright.core.structure.reduction import lowest_modes

    (flexible,) = load_example("swing_beam").assembly.flexibles  # type: ignore[union-attr]
    structure, _ = built_of(flexible)
    first = lowest_modes(structure, 2, structure.of_frame("top"))[0][0] / (2 * np.pi)
    assert first == pytest.approx(8.80, abs=5e-3)
    seats = swing().states.position[:, 2]
    swung = np.unwrap(np.arctan2(seats[:, 0], -seats[:, 2]))
    assert np.degrees(np.abs(swung).max()) == pytest.approx(120.0, abs=0.6)


@pytest.mark.parametrize(("node", "along", "side"), [("top", 0.0, 1.0), ("bottom", 8.0, -1.0)])
def test_that_stress_at_the_interfaces_is_that_of_the_forces_there(
    node: str, along: float, side: float
) -> None:
    """Pull and the moment of the swing by superposition against the multipliers, once the start has rung down. Half of
    what the last element weighs and pulls by its inertia is not in its stress: 60 kg of 3,550 at the lower end."""
    one, section, late = body(), box(0.52, 0.4891, 0.012), swing().states.time > 1.5
    spots = [k for k, spot in enumerate(one.superposition.spots) if abs(spot.along - along) < 1e-9]
    normal = np.array([one.superposition.at(k, one.modal[late])[0] for k in spots])
    loads = one.loads(node)[late]
    pull = normal.mean(axis=0) * section.area
    np.testing.assert_allclose(pull, side * loads[:, 2], atol=0.04 * np.abs(loads[:, 2]).max())
    # z of the section is x of the world as drawn, in which the ride swings about y
    across = np.array([one.superposition.spots[k].corner[1] for k in spots])
    moment = (across @ normal) / 4.0 * section.Iy / section.reach[1]
    size = np.abs(one.loads("bottom")[late, 4]).max()
    assert np.abs(np.abs(moment) - np.abs(loads[:, 4])).max() < 0.01 * size


def test_that_load_cases_exceed_the_transient() -> None:
    one = body()
    worst = one.superposition.envelope(one.modal).worst.max()
    cases = one.cases("bottom", "top")
    assert np.all(cases.low <= cases.high)
    assert 1.0 < cases.worst.max() / worst < 3.0
    assert one.cases("bottom", "top", 1.2).worst == pytest.approx(1.2 * cases.worst)
    with pytest.raises(InputError, match="loaded and clamped"):
        one.cases("top", "top")
    with pytest.raises(InputError, match="no interface at node 'middle'; it has some at 'top', 'bottom'"):
        one.cases("middle", "top")


def test_that_files_keep_modes_and_the_command_shows_the_same_stress(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.h5"
    write_results(swing(), file)
    read = read_results(file)
    assert read.names.flexible == swing().names.flexible
    np.testing.assert_array_equal(read.states.modal, swing().states.modal)
    np.testing.assert_array_equal(read.states.modal_speed, swing().states.modal_speed)
    assert main(["stress", str(file), "--cases", "bottom", "top", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    envelope = body().superposition.envelope(body().modal)
    assert told["largest_Pa"] == pytest.approx(envelope.worst.max(), rel=1e-12)
    assert told["spots"][0]["largest_Pa"] == told["largest_Pa"]
    assert main(["stress", str(file), "--spots", "3"]) == 0
    assert "Main beam" in capsys.readouterr().out


def test_that_a_run_without_flexible_bodies_has_no_stress() -> None:
    project = load_example("free_body")
    run = simulate(
        project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.01})})
    )
    with pytest.raises(InputError, match="no flexible body"):
        stress_of(run)


def test_that_a_body_far_beyond_small_bending_is_a_finding_of_run_and_judgement() -> None:
    """Turns of 1 mrad are none; 200 times as much are said with the instant and the way out, and so is what the riders
    are told. A run whose project is damaged has no such finding, and no stress."""
    run, settings = swing(), load_example("swing_beam").settings
    assert [one for one in check_run(run, settings) if one.kind == "bending"] == []
    far = replace(run, states=replace(run.states, modal=200.0 * run.states.modal))
    (finding,) = (one for one in check_run(far, settings) if one.kind == "bending")
    assert finding.message.startswith("'Main beam' bends by up to 0.")
    assert "loads of all it carries are wrong. Divide it into several bodies" in finding.message
    assert 0.0 <= finding.time < run.states.time[-1]
    assert finding.message in judge_riders(far).notes
    assert finding.message in {one.message for one in summarise(load_example("swing_beam"), far).findings}
    damaged = replace(far, provenance={**far.provenance, "project": {"name": "cut off"}})
    assert not any(one.kind == "bending" for one in check_run(damaged, settings))
    with pytest.raises(InputError, match="project stored with the run"):
        stress_of(damaged)
    modal = far.states.modal.copy()
    modal[3, 0] = np.nan
    with pytest.raises(InputError, match="no finite numbers; it is damaged"):
        stress_of(replace(far, states=replace(far.states, modal=modal)))
    with pytest.raises(InputError, match="by 0 modal coordinates"):
        stress_of(replace(run, states=replace(run.states, modal=run.states.modal[:, :0])))


def test_that_deflection_at_rest_is_that_of_the_weight_at_the_end() -> None:
    """A free arm has no rest; hung from the ground it has."""
    with pytest.raises(InputError, match="does not come to rest"):
        modes_at_rest(bent(gravity=(0.0, 0.0, -9.81)), 1)


def test_that_flexible_bodies_are_judged_by_fatigue_as_the_steel_of_a_track_is() -> None:
    pytest.importorskip("rainflow")
    run = swing()
    (body,) = stress_of(run)
    weak, strong = (rw.stress_life(run, category=of, partial=1.0, rides=1e5) for of in (1e6, 7.1e7))
    first = weak[0]
    history = body.superposition.at(first.spot, body.modal)[0]
    assert first.fatigue.largest == pytest.approx(np.ptp(history))
    assert first.fatigue.damage > 0.0
    assert first.fatigue.damage == pytest.approx(fatigue(history, Detail(1e6, 1.0)).damage)
    assert first.share == pytest.approx(1e5 * first.fatigue.damage)
    found = body.superposition.envelope(body.modal)
    assert max(one.fatigue.largest for one in weak) == pytest.approx((found.high - found.low).max())
    assert strong[0].share < 1e-3 * first.share
    rules = rw.Project.model_validate(run.provenance["project"]).steelwork
    usual = rw.stress_life(run, rules.spine_detail, rules.partial, rules.rides)
    assert [one.share for one in rw.stress_life(run)] == [one.share for one in usual]
    with pytest.raises(InputError, match="must be above zero"):
        rw.stress_life(run, rides=0.0)


def test_that_the_command_prints_the_lives_of_flexible_bodies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rainflow")
    write_results(swing(), tmp_path / "r.h5")
    line = [
        "stress",
        str(tmp_path / "r.h5"),
        "--life",
        "--category",
        "10",
        "--partial",
        "1",
        "--rides",
        "1e5",
    ]
    assert main([*line, "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    own = rw.stress_life(swing(), 1e7, 1.0, 1e5)
    assert told["lives"][0]["life_used"] == pytest.approx(own[0].share)
    assert main(line) == 0
    assert "fatigue, shortest life first (EN 1993-1-9)" in capsys.readouterr().out
    assert main(["stress", str(tmp_path / "r.h5"), "--rides", "3"]) == 2
    assert "ask for it by --life" in capsys.readouterr().err
