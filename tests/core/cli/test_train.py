"""`ridewright train`: what the studio does with a train, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ridewright.core.cli.program import BAD_INPUT, DONE, main
from ridewright.core.edits.couplings import couple_cars, make_train
from ridewright.core.edits.train import add_car
from ridewright.core.model.connections import uncoupled, uncoupled_sentence
from ridewright.core.model.consistency import check_assembly
from ridewright.core.outcome.summary import summarise
from ridewright.core.outcome.summary_text import summary_text
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import load_project, save_project
from ridewright.core.run.simulate import simulate


@pytest.fixture
def project(tmp_path: Path) -> Path:
    save_project(load_example("straight"), tmp_path / "p.ridewright")
    return tmp_path / "p.ridewright"


def _shown(file: Path, capsys: pytest.CaptureFixture[str]) -> dict:
    capsys.readouterr()
    assert main(["train", "show", "--json", str(file)]) == DONE
    return json.loads(capsys.readouterr().out)


def test_that_a_train_is_made_coupled_loaded_and_moved(project: Path, capsys) -> None:
    new = project.with_name("new.ridewright")
    make = ["train", "make", str(project), "--out", str(new), "--cars", "4", "--coupling", "none"]
    assert main(make) == DONE
    assert "ride as 4 trains" in capsys.readouterr().out
    assert main(["check", str(new)]) == DONE
    assert "Nothing joins the cars 'Car 1' and 'Car 2' (and 2 more places)" in capsys.readouterr().out
    assert main(["train", "couple", str(new), "--out", str(new), "--coupling", "sprung_bar_slack"]) == DONE
    found = _shown(new, capsys)
    assert [one["kind"] for one in found["couplings"]] == ["spring_bar"] * 3
    assert found["finding"] == ""
    load = ["train", "load", str(new), "--out", str(new), "--seats", "Left seat", "--cars", "Car 2", "Car 3"]
    assert main(load) == DONE
    assert [list(car["riders"]) for car in _shown(new, capsys)["cars"]] == [
        [], ["Left seat"], ["Left seat"], [],
    ]  # fmt: skip
    assert main(["train", "move", str(new), "--out", str(new), "--car", "Car 3", "--to", "1"]) == DONE
    assert main(["train", "delete", str(new), "--out", str(new), "--car", "Car 2"]) == DONE
    found = _shown(new, capsys)
    assert [car["name"] for car in found["cars"]] == ["Car 3", "Car 1", "Car 4"]
    assert [set(one["cars"]) for one in found["couplings"]] == [{"Car 3", "Car 1"}, {"Car 1", "Car 4"}]
    # the command line's train is the one that the studio makes
    again = ["train", "make", str(project), "--out", str(new), "--cars", "3", "--seats", "full"]
    assert main(again) == DONE
    assert load_project(new) == make_train(load_project(project), "viegas2016", 3, riders="full")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["make", "{p}", "--out", "{o}", "--car", "nothing"], "no vehicle 'nothing'"),
        (["make", "{p}", "--out", "{o}", "--cars", "0"], "1 to 200 cars"),
        (["make", "{p}", "--out", "{o}", "--spacing", "0.1"], "larger spacing"),
        (["make", "{p}", "--out", "{o}", "--coupling", "rope"], "rope"),
        (["load", "{p}", "--out", "{o}", "--seats", "Roof"], "no seat 'Roof'"),
        (["load", "{p}", "--out", "{o}", "--seats", "full", "--cars", "Car 9"], "no car 'Car 9'"),
        (["load", "{p}", "--out", "{o}", "--seats", "full", "--rider", "nobody"], "nobody"),
        (["move", "{p}", "--out", "{o}", "--car", "Car", "--to", "7"], "cannot be number 7"),
        (["move", "{p}", "--out", "{o}", "--car", "Car", "--to", "0"], "cannot be number 0"),
        (["delete", "{p}", "--out", "{o}", "--car", "Car 9"], "Car 9"),
        (["wheels", "{p}", "--out", "{o}", "--car", "Car"], "has wheels already"),
    ],
)
def test_that_what_a_train_cannot_be_is_refused(arguments, words, project: Path, capsys) -> None:
    out = project.with_name("out.ridewright")
    assert main(["train", *(a.format(p=project, o=out) for a in arguments)]) == BAD_INPUT
    assert words in capsys.readouterr().err
    assert not out.exists()


def test_that_cars_that_nothing_joins_are_found_before_and_after_the_run() -> None:
    ride = load_example("straight")
    alone = ride.model_copy(update={"scenario": ride.scenario.model_copy(update={"duration": 0.2})})
    apart, _ = add_car(alone)
    assert uncoupled(alone.train) == ()
    assert uncoupled(apart.train) == (("Car", "Car 2"),)
    assert [one.kind for one in check_assembly(apart.train)] == ["uncoupled cars"]
    assert uncoupled_sentence(apart.train) in summary_text(summarise(apart, simulate(apart)))
    whole = couple_cars(apart, "ball_drawbar")
    assert check_assembly(whole.train) == ()
    assert uncoupled(whole.train) == ()
