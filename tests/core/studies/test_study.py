"""Studies as data: read, checked, planned; no worker and no library of the extra is needed."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from ridewright.core.base.errors import InputError
from ridewright.core.edits.riders import MEDIAN, make_rider
from ridewright.core.model.losses import losses_of
from ridewright.core.model.seat_rows import seat_rows
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.studies.named_edits import EDITS, PATTERNS
from ridewright.core.studies.one_run import POINT_COLUMNS, Runner
from ridewright.core.studies.plan import planned, run_count
from ridewright.core.studies.study import (
    Bound,
    Change,
    Goal,
    Keep,
    Level,
    Optimisation,
    Parameter,
    Peak,
    Plan,
    Stop,
    Study,
    base_project,
    load_study,
    parse_study,
    study_schema,
)
from ridewright.core.studies.vary import check_study, with_values

STAR = load_example("looping_star")
SPEED = {"name": "start speed", "field": "scenario.speed", "unit": "km/h", "low": 90.0, "high": 100.0}
FRICTION = {"name": "friction", "edit": "rolling resistance", "low": 0.0, "high": 0.02}
LOAD = {
    "name": "load",
    "levels": [
        {"label": "full", "weight": 3.0},
        {"label": "empty", "changes": [{"edit": "riders on board", "value": "none"}]},
    ],
}


def study_of(**fields: Any) -> Study:
    """A study of the Looping Star with some fields."""
    data = {"format": "ridewright-study", "name": "s", "project": "example:looping_star", **fields}
    return parse_study(data, "s.study.json")


TOML = """
format = "ridewright-study"
name = "Speed and friction"
project = "mine.ridewright"

[[parameters]]
name = "start speed"
field = "scenario.speed"
unit = "km/h"
low = 90.0
high = 100.0

[plan]
kind = "sobol"
runs = 8
"""


def test_that_a_study_is_read_from_toml_and_from_json_alike(tmp_path: Path) -> None:
    (tmp_path / "a.study.toml").write_text(TOML)
    study = load_study(tmp_path / "a.study.toml")
    (tmp_path / "a.study.json").write_text(study.model_dump_json())
    assert load_study(tmp_path / "a.study.json") == study
    assert (study.parameters[0].high, study.plan.runs) == (100.0, 8)
    with pytest.raises(InputError, match=r"mine\.ridewright"):
        base_project(study, tmp_path)


def test_that_every_field_has_title_and_help_and_the_schema_has_them() -> None:
    for model in (Study, Parameter, Level, Change, Plan, Keep, Peak, Stop, Bound, Goal, Optimisation):
        for name, field in model.model_fields.items():
            assert name in ("format", "version") or (field.title and field.description), (model, name)
    told = study_schema()["$defs"]["Parameter"]["properties"]["low"]
    assert (told["title"], told["description"]) == ("Lower bound", "In the unit given.")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"parameters": [{**SPEED, "low": 120.0}]}, r"low \(120\) must lie below high \(100\)"),
        ({"parameters": [SPEED, SPEED]}, "two parameters are called 'start speed'"),
        ({"parameters": [{"name": "x", "low": 0.0, "high": 1.0}]}, "has neither field nor edit"),
        ({"parameters": [{"name": "x", "field": "scenario.speed"}]}, "give values, levels, or bounds"),
        ({"plan": {"kind": "grid", "step": 3}}, r"plan\.step: unknown field"),
        ({"plan": {"runs": "many"}}, r"plan\.runs: must be a whole number"),
        ({"ride": "function"}, "function goes with"),
    ],
)
def test_that_a_faulty_study_is_told_in_a_sentence(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        study_of(**fields)


def test_that_a_grid_has_every_combination_once_the_last_parameter_fastest() -> None:
    study = study_of(parameters=[SPEED, LOAD], plan={"kind": "grid", "steps": 3})
    values = planned(study)
    assert values.tolist() == [[v, k] for v in (90.0, 95.0, 100.0) for k in (0.0, 1.0)]
    assert run_count(study) == 6


def test_that_values_are_shown_rounded_and_never_cut() -> None:
    (speed,) = study_of(parameters=[SPEED], plan={"kind": "grid"}).parameters
    assert [speed.shown(1.23456789e-5), speed.shown(1.23456789e-5, 10)] == ["1.23457e-5", "1.23456789e-5"]


def test_that_a_list_takes_numbers_and_labels() -> None:
    rows = [[91.5, "empty"], [99.0, "full"]]
    assert planned(study_of(parameters=[SPEED, LOAD], plan={"kind": "list", "rows": rows})).tolist() == [
        [91.5, 1.0],
        [99.0, 0.0],
    ]
    for row, said in (([91.5], "has 1 entries"), ([91.5, "half"], "'half' is no level of 'load'")):
        with pytest.raises(InputError, match=said):
            planned(study_of(parameters=[SPEED, LOAD], plan={"kind": "list", "rows": [row]}))


@pytest.mark.parametrize("kind", ["latin_hypercube", "sobol", "monte_carlo"])
def test_that_a_sample_follows_the_distributions_and_its_seed(kind: str) -> None:
    bell = {"name": "n", "field": "scenario.speed", "distribution": "normal", "mean": 26.0, "deviation": 0.5}
    cut = {**bell, "name": "cut", "low": 25.75, "high": 27.0}
    log = {**bell, "name": "log", "distribution": "lognormal", "deviation": 0.1}
    hill = {**SPEED, "name": "hill", "distribution": "triangular", "mean": 92.0}
    study = study_of(
        parameters=[SPEED, bell, cut, log, hill, LOAD], plan={"kind": kind, "runs": 1024, "seed": 5}
    )
    values = planned(study)
    known = (
        stats.uniform(90.0, 10.0),
        stats.norm(26.0, 0.5),
        stats.truncnorm(-0.5, 2.0, 26.0, 0.5),
        stats.lognorm(0.1, scale=26.0),
        stats.triang(0.2, 90.0, 10.0),
    )
    for k, law in enumerate(known):
        assert stats.kstest(values[:, k], law.cdf).pvalue > 0.01, study.parameters[k].name
    assert np.mean(values[:, 5] == 0.0) == pytest.approx(0.75, abs=0.05)
    np.testing.assert_array_equal(values, planned(study))
    other = study.model_copy(update={"plan": study.plan.model_copy(update={"seed": 6})})
    assert not np.array_equal(values, planned(other))


def test_that_a_latin_hypercube_has_one_run_in_every_part() -> None:
    values = planned(study_of(parameters=[SPEED, FRICTION], plan={"kind": "latin_hypercube", "runs": 40}))
    for column, (low, high) in zip(values.T, ((90.0, 100.0), (0.0, 0.02)), strict=True):
        assert sorted(((column - low) / (high - low) * 40).astype(int).tolist()) == list(range(40))


def test_that_empty_and_endless_plans_are_refused() -> None:
    with pytest.raises(InputError, match="the plan is empty"):
        planned(study_of())
    many = study_of(parameters=[SPEED, FRICTION], plan={"kind": "grid", "steps": 1001})
    with pytest.raises(InputError, match=r"makes 1,002,001 runs, more than 1,000,000; .* say --yes"):
        planned(many)
    assert len(planned(many, yes=True)) == 1002001
    with pytest.raises(InputError, match="powers of two only; take 128 instead of 100"):
        planned(study_of(parameters=[SPEED], plan={"kind": "sobol", "runs": 100}))


def test_that_values_reach_the_project_in_their_units() -> None:
    study = study_of(parameters=[SPEED, FRICTION, LOAD])
    made = with_values(study, STAR, [90.0, 0.0125, 1.0])
    assert made.scenario.speed == pytest.approx(25.0)
    assert made.train is not None
    assert losses_of(made.train).rolling == pytest.approx(0.0125)
    assert not [path for path in made.train.with_role("rider") if path]
    assert made.track is STAR.track


def test_that_numbers_can_be_added_and_multiplied() -> None:
    study = study_of(
        parameters=[
            {
                "name": "m",
                "field": "train.children.*.bodies.*.mass",
                "how": "multiply",
                "low": 0.5,
                "high": 2.0,
            },
            {"name": "v", "field": "scenario.speed", "how": "add", "unit": "km/h", "low": -9.0, "high": 9.0},
        ]
    )
    made = with_values(study, STAR, [1.5, 3.6])
    assert made.train is not None
    assert STAR.train is not None
    assert made.train.children[0].bodies[0].mass == pytest.approx(1.5 * STAR.train.children[0].bodies[0].mass)
    assert made.scenario.speed == pytest.approx(27.0)


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        (
            {**SPEED, "field": "scenario.sped"},
            "'start speed' = 90 km/h: 'scenario.sped': scenario has no field",
        ),
        ({**SPEED, "high": 9000.0}, r"'start speed' = 9000 km/h: scenario: speed: .*found 2500"),
        ({**SPEED, "unit": "kg"}, "'kg' is no unit of this quantity"),
        ({**FRICTION, "edit": "frction"}, "there is no edit 'frction'; there are rolling resistance"),
        ({**FRICTION, "edit": "suspension damping", "unit": "m"}, "'m' is no unit"),
        ({**SPEED, "field": "name", "how": "add", "unit": ""}, "name: holds no number that could be changed"),
        ({**FRICTION, "edit": "bank", "target": "nowhere"}, "no section 'nowhere'"),
        (
            {"name": "w", "levels": [{"label": "a"}, {"label": "b"}]},
            "parameter 'w' changes nothing of the base project",
        ),
    ],
)
def test_that_a_parameter_that_reaches_nothing_is_told(parameter: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_study(study_of(parameters=[parameter]), STAR)


def _edited(name: str, value: Any, target: str = "", base: Project = STAR) -> Project:
    return EDITS[name].apply(base, target, value)


def test_that_named_edits_do_what_they_are_called() -> None:
    banked = _edited("bank", 0.05, "curve 1")
    assert banked.track is not None
    assert STAR.track is not None
    for before, after in zip(STAR.track.sections, banked.track.sections, strict=True):
        cants = [
            (a.cant, b.cant)
            for a, b in zip(getattr(before, "points", ()), getattr(after, "points", ()), strict=True)
            if a.cant is not None
        ]
        assert all(b - a == pytest.approx(0.05 * (before.name == "curve 1")) for a, b in cants)
    heavy = _edited("rider mass", 1.2)
    (path,) = [p for p in STAR.train.with_role("rider") if p]
    assert heavy.train.at(path.split("/")).mass() == pytest.approx(
        1.2 * STAR.train.at(path.split("/")).mass()
    )
    assert heavy.train.own("body") == STAR.train.own("body")
    assert _edited("riders on board", "all") == STAR
    with pytest.raises(InputError, match="no load pattern; write all, none"):
        _edited("riders on board", "some")
    with pytest.raises(InputError, match="no rider 'Car/Nobody'"):
        _edited("riders on board", ["Car/Nobody"])


def test_that_a_run_keeps_what_was_asked_for_and_tells_what_it_cannot() -> None:
    study = study_of(
        parameters=[SPEED],
        ride="preview",
        keep={"criteria": ["f2291_*"], "peaks": [{"name": "gz", "channel": "gz", "of": "max"}]},
    )
    runner = Runner(study, STAR)
    good = runner.run([95.0])
    assert good.state == "done"
    assert good.numbers["max_speed"] >= 95.0 / 3.6
    assert good.numbers["gz"] > 4.0
    margins = {name: x for name, x in good.numbers.items() if name.endswith(".margin")}
    assert good.numbers["margin"] == min(margins.values())
    assert runner.run([95.0]) == good == Runner(study, STAR).run([95.0])
    slow = runner.run([40.0])
    assert slow.state == "early"
    assert "at s =" in slow.message
    bad = runner.run([9000.0])
    assert (bad.state, bad.numbers) == ("failed", {})
    assert bad.message.startswith("'start speed' = 9000 km/h: scenario: speed")


def test_that_what_friction_takes_is_missing_at_the_end() -> None:
    study = study_of(parameters=[FRICTION], ride="points", keep={"criteria": []})
    little, much = (Runner(study, STAR).run([mu]).numbers for mu in (0.005, 0.012))
    # the balance of energy of one train between the same two heights
    missing = 0.5 * STAR.train.mass() * (little["end_speed"] ** 2 - much["end_speed"] ** 2)
    assert much["lost"] - little["lost"] == pytest.approx(missing, rel=1e-6)
    assert missing > 1e3


def test_that_the_study_of_the_guide_works_as_written() -> None:
    text = (Path(str(resources.files("ridewright.resources"))) / "guide" / "studies.md").read_text(
        encoding="utf-8"
    )
    first, peaks, search = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    study = parse_study(tomllib.loads(first + search), "guide")
    shown = study_of(keep={"criteria": [], **tomllib.loads(peaks)}, ride="preview")
    assert {peak.name for peak in shown.keep.peaks} <= Runner(shown, STAR).run([]).numbers.keys()
    check_study(study, STAR)
    assert planned(study).shape == (500, 3)
    numbers = Runner(study, STAR).run([95.0, 0.002, 0.0]).numbers
    assert study.optimise is not None
    asked = {goal.name for goal in study.optimise.goals} | {one.name for one in study.optimise.constraints}
    assert asked <= numbers.keys()
    words = set(re.findall(r"`([^`\n]+)`", text))
    assert set(EDITS) <= words
    assert set(POINT_COLUMNS) <= words
    assert set(PATTERNS) <= words


def test_that_load_patterns_leave_the_riders_they_name() -> None:
    base, path = make_rider(STAR, ("Car",), MEDIAN)
    both = {"Car/Rider", "/".join(path)}
    assert {p for p in base.train.with_role("rider") if p} == both
    (row,) = [row for row in seat_rows(base.train) if row.riders]
    left, right = row.riders
    for word, kept in (
        ("all", both),
        ("left side", {left}),
        ("right side", {right}),
        ("front row", both),
        ("none", set()),
    ):
        made = _edited("riders on board", word, base=base)
        assert {p for p in made.train.with_role("rider") if p} == kept, word
    stout = _edited("person mass", 110.0, "/".join(path), base)
    assert stout.train.at(path).mass() == pytest.approx(110.0, rel=0.01)
