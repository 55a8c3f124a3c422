"""Load cases: who sits where, kept with the project, run one after the other, side by side."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.edits.load_cases import set_load_cases, usual_cases, with_load_case
from ridewright.core.edits.train import load_cars
from ridewright.core.model.load_cases import LoadCase
from ridewright.core.model.loading import worst_pattern
from ridewright.core.model.masses import mass_budget
from ridewright.core.outcome.envelopes import extremes_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.studies.named_edits import EDITS

DURATION = 0.4


@pytest.fixture(scope="module")
def frisbee() -> Project:
    project = load_example("frisbee")
    scenario = project.scenario.model_copy(update={"duration": DURATION})
    return set_load_cases(project.model_copy(update={"scenario": scenario}), usual_cases())


def _masses(project: Project, name: str) -> tuple[float, ...]:
    return mass_budget(with_load_case(project, name).assembly).aboard


def test_that_the_usual_cases_take_the_seats_that_their_names_say(frisbee):
    assert _masses(frisbee, "Full") == (75.0,) * 24
    assert _masses(frisbee, "Empty") == ()
    assert _masses(frisbee, "Half") == (75.0,) * 12
    mixed = _masses(frisbee, "Women and children")
    assert len(mixed) == 24
    assert len({*mixed}) == 2
    assert 60.0 < max(mixed) < 85.0
    assert 20.0 < min(mixed) < 35.0
    worst = with_load_case(frisbee, "Worst eccentric")
    taken = [seat.name for seat in worst.assembly.seats if seat.passenger > 0.0]
    assert taken == [*worst_pattern(frisbee.assembly, "Gondola").taken]
    assert worst.load_cases == frisbee.load_cases


def test_that_riders_stay_where_their_seats_are_taken_and_are_scaled_to_the_mass():
    star = load_cars(load_example("looping_star"), "full")
    cases = (
        LoadCase(name="Left", pattern="seats", seats=("Car/Left seat",)),
        LoadCase(name="Light", masses=(50.0, 30.0)),
        LoadCase(name="Aside", pattern="eccentric"),
    )
    project = set_load_cases(star, cases)
    left = with_load_case(project, "Left").train.children[0]
    assert [rider.seat for rider in left.riders] == ["Left seat"]
    assert left.riders[0] == next(r for r in star.train.children[0].riders if r.seat == "Left seat")
    light = with_load_case(project, "Light").train
    assert mass_budget(light).aboard == pytest.approx((50.0, 30.0))
    assert mass_budget(light).empty == pytest.approx(mass_budget(star.train).empty)
    assert len(with_load_case(project, "Aside").train.children[0].riders) == 1


def test_that_cases_are_kept_in_the_file_and_files_without_any_stay_as_they_were(frisbee, tmp_path):
    file = tmp_path / "cases.ridewright"
    save_project(frisbee, file)
    assert load_project(file).load_cases == frisbee.load_cases
    save_project(load_example("frisbee"), file)
    assert "load_cases" not in json.loads(file.read_text(encoding="utf-8"))


def test_that_the_envelopes_are_those_of_single_runs_and_the_governing_case_is_marked(frisbee):
    found = rw.run_load_cases(frisbee, ("Full", "Empty", "Worst eccentric"))
    assert [run.name for run in found.runs] == ["Full", "Empty", "Worst eccentric"]
    assert [run.ended for run in found.runs] == ["", "", ""]
    results = rw.simulate(with_load_case(frisbee, "Full"))
    row = results.names.joints.index("Top hinge")
    alone = np.linalg.norm(results.states.reactions[:, row, :3], axis=1).max()
    hinge = next(one for one in found.rows if one.name == "Top hinge")
    assert hinge.kind == "footing"
    assert hinge.values[0] == pytest.approx(float(alone), rel=1e-9)
    assert found.runs[hinge.governs].name == "Full"
    weight = [9.81 * run.masses.total for run in found.runs]
    assert np.array(hinge.values) == pytest.approx(
        weight, rel=0.05
    )  # it hangs there and has hardly begun to swing
    assert {one.kind for one in extremes_of(results)} == {"footing", "joint"}


def test_that_the_command_prints_them_and_makes_the_usual_ones(frisbee, tmp_path, capsys):
    file, made = tmp_path / "a.ridewright", tmp_path / "b.ridewright"
    save_project(set_load_cases(frisbee, ()), file)
    assert main(["load-cases", str(file), "--usual", "--out", str(made)]) == 0
    assert [case.name for case in load_project(made).load_cases][:2] == ["Full", "Empty"]
    capsys.readouterr()
    assert main(["load-cases", str(made), "--case", "Full", "Empty", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told["cases"]] == ["Full", "Empty"]
    assert {row["name"] for row in told["envelopes"]} == {"Top hinge", "Ring bearing"}
    assert main(["load-cases", str(file)]) != 0
    assert "no load cases" in capsys.readouterr().err


def test_that_what_is_not_there_is_refused(frisbee):
    with pytest.raises(InputError, match="no load case 'Nobody'; it has Full, Empty"):
        rw.run_load_cases(frisbee, ("Nobody",))
    with pytest.raises(InputError, match="no seat 'Roof'"):
        set_load_cases(frisbee, (LoadCase(name="x", pattern="seats", seats=("Roof",)),))
    with pytest.raises(InputError, match="two load cases have one name"):
        set_load_cases(frisbee, (LoadCase(name="x"), LoadCase(name="x")))
    with pytest.raises(InputError, match="has no seat"):
        set_load_cases(load_example("slider_crank"), usual_cases())


def test_that_a_study_may_vary_the_load_case(frisbee):
    assert EDITS["load case"].apply(frisbee, "", "Half") == with_load_case(frisbee, "Half")
