"""Whatever a script hands to the door: what it takes, or InputError with one sentence, and nothing else."""

from __future__ import annotations

import inspect
import os
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.api.door import _fits, _hint, door

VALUES: tuple[Any, ...] = (
    None, True, 0, 1, -1, 3, 10**30, 1e300, float("nan"), float("inf"), "", "x", "a/b", "..", "full", "\0", "Car",
    "body", "joint", "force", "guide", "seat", "assembly", "Straight", "scenario.speed", "train.children.0.name",
    (), ("x",), ("Car",), ("Car", "\0"), [1, 2], {}, {"name": "x"}, {"mass": -1.0}, {"zzz": 1}, {1: 2}, b"x", object(),
    np.zeros(3), lambda *_: None,
)  # fmt: skip
FEW, MANY = 1500, 40_000


def _paths(project: rw.Project) -> list[tuple[str, ...]]:
    top = project.assembly
    assert top is not None
    found = [tuple(part for part in path.split("/") if part) for path, _ in top.walk()]
    return found + [tuple(path.split("/")) for kind in ("body", "joint", "force") for path in top.every(kind)]


def _tried(seed: int, count: int) -> None:
    """Calls of all edits with arguments of any kind."""
    rng = random.Random(seed)
    projects = [rw.example(name) for name in ("straight", "looping_star", "four_bar", "two_cars_loaded")]
    paths = [_paths(project) for project in projects]
    done = 0
    said: list[str] = []
    for k in range(count):
        edit = getattr(rw.edits, rng.choice(rw.edits.__all__))
        which = rng.randrange(len(projects))
        arguments = [projects[which] if rng.random() < 0.97 else rng.choice(VALUES)]
        for parameter in list(inspect.signature(edit).parameters.values())[1:]:
            if parameter.default is not parameter.empty and rng.random() < 0.1:
                break
            every = (*VALUES, *paths[which]) if rng.random() < 0.5 else VALUES
            hint = _hint(edit.__wrapped__, parameter.name)
            fitting = [value for value in every if _fits(value, hint)] if rng.random() < 0.9 else []
            arguments.append(rng.choice(fitting or every))
        try:
            edit(*arguments)
            done += 1
        except rw.InputError as error:
            said.append(str(error))
        except Exception as error:
            told = f"seed {seed}, call {k}: {edit.__name__}{tuple(arguments[1:])!r:.300}"
            raise AssertionError(f"{told}: {type(error).__name__}: {error}") from error
    assert not [one for one in said if "\n" in one or len(one) > 1000]
    assert done > count / 100  # some of it makes sense


def test_that_edits_refuse_in_a_sentence_whatever_they_are_given() -> None:
    _tried(int(os.environ.get("RIDEWRIGHT_FUZZ", random.SystemRandom().getrandbits(32))), FEW)


@pytest.mark.nightly
def test_that_forty_thousand_calls_of_edits_end_well() -> None:
    _tried(int(os.environ.get("RIDEWRIGHT_FUZZ", random.SystemRandom().getrandbits(32))), MANY)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda p: rw.simulate("x"), "simulate: project must be Project, found 'x'"),
        (lambda p: rw.simulate(), "missing a required argument: 'project'"),
        (lambda p: rw.simulate(p, speed=3.0), "unexpected keyword argument 'speed'; it takes project, on_progress"),
        (lambda p: rw.judge(p), "judge: run must be Results, found a Project"),
        (lambda p: rw.stress(p), "stress: run must be Results"),
        (lambda p: rw.report(p, p, pdf="x.pdf"), "report: run must be Results"),
        (lambda p: rw.Project(), "Project: name: this field is missing"),
        (lambda p: rw.example(3), "example: name must be a text, found 3"),
        (lambda p: rw.example("\0"), "null character"),
        (lambda p: rw.example("none"), "no example is called"),
        (lambda p: rw.Results(), "Results: missing a required argument: 'status'; it takes status, size, names"),
        (lambda p: rw.Judgement((), speed=3), "unexpected keyword argument 'speed'"),
        (lambda p: rw.Judgement(), "Judgement: missing a required argument: 'rows'; it takes rows, notes"),
        (lambda p: rw.Project("x"), "takes its fields by name"),
        (lambda p: rw.Track(name="t", sections=()), "Track: sections"),
        (lambda p: rw.open(3), "open: path must be a text or Path, found 3"),
        (lambda p: rw.results("x" * 5000), "cannot be read (the name is too long)"),
        (lambda p: rw.results("none.h5"), "does not exist; give the results.h5 of a run"),
        (lambda p: rw.open("a\0b"), "null character"),
        (lambda p: rw.open({"a": np.zeros(3)}), "must be a text or Path, found a dict"),
        (lambda p: rw.open([1, "x"]), "must be a text or Path, found [1, 'x']"),
        (lambda p: rw.EvaluationOptions(restraint="x"), "EvaluationOptions: restraint: must be 'base'"),
        (lambda p: rw.modes(p, time="1"), "time must be a number or None, found '1'"),
        (lambda p: rw.plot(3), "what must be Project or Results"),
        (lambda p: rw.edits.delete_element(p, "body", ()), "cannot be deleted"),
        (lambda p: rw.edits.set_element(p, "nothing", ("Car",), {}), "there is no 'nothing'"),
        (lambda p: rw.edits.set_element(p, "force", (), {}), "fields {} (there is nothing there)"),
        (lambda p: rw.modes(p, lowest=-1), "the lowest -1: must be at least 1"),
        (lambda p: rw.edits.add_rider(p, "Car"), "owner must be a tuple, each part a text, found 'Car'"),
        (lambda p: rw.edits.rename_element(p, "assembly", ("Car",), "a\0"), "null character"),
        (lambda p: rw.edits.move_car(p, "Car", "1"), "to must be a whole number, found '1'"),
        (lambda p: rw.edits.load_cars(p, "some"), "'empty' or 'full' or a list"),
        (lambda p: rw.steelwork(p, "fast"), "rate must be a number, found 'fast'"),
        (lambda p: rw.steelwork(p, float("inf")), "rate must be a number, found inf"),
    ],
)  # fmt: skip
def test_that_wrong_arguments_are_told_by_their_name(call: Callable[[rw.Project], Any], words: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        call(rw.example("straight"))
    assert words in str(caught.value)


def test_that_peaks_that_are_none_are_told_by_their_name(make_results: Callable[..., rw.Results]) -> None:
    with pytest.raises(rw.InputError, match=r"peaks must be a list, each part Peak or None, found 3\.0"):
        rw.half_and_twice(make_results(), 3.0)  # type: ignore[arg-type]


def test_that_the_door_knows_every_type_that_it_names() -> None:
    door = import_module("ridewright.core.api.door")
    for function in (getattr(rw, name) for name in rw.__all__):
        inner = getattr(function, "__wrapped__", None)
        for argument in () if inner is None else inspect.signature(inner).parameters:
            assert door._hint(inner, argument) is not Any, f"{inner.__name__}: {argument}"


def test_that_what_the_system_refuses_is_told_in_words() -> None:
    def reach(path: str) -> None:
        os.stat(path)

    with pytest.raises(rw.InputError, match=r"reach: cannot be done \(the name is too long\)") as caught:
        door(reach)("x" * 5000)
    assert isinstance(caught.value.__cause__, OSError)


def test_that_a_project_is_saved_into_folders_that_are_made_or_is_refused(tmp_path) -> None:
    project = rw.example("straight")
    rw.save(project, tmp_path / "rides" / "new" / "a.ridewright")
    assert rw.open(tmp_path / "rides" / "new" / "a.ridewright") == project
    (tmp_path / "file").write_text("somebody's")
    with pytest.raises(rw.InputError, match="a part of the path is a file and no folder"):
        rw.save(project, tmp_path / "file" / "b.ridewright")
    assert (tmp_path / "file").read_text() == "somebody's"


def test_that_tracks_are_made_of_arrays() -> None:
    x = np.linspace(0.0, 100.0, 11)
    rows = np.column_stack([x, 0.0 * x, 5.0 * np.cos(x / 20.0), np.r_[0.1, np.full(10, np.nan)]])
    spline = rw.SplineSection(name="s", points=rows)
    assert [point.cant for point in spline.points] == [0.1] + [None] * 10
    assert [(p.x, p.y, p.z) for p in spline.points] == [tuple(row) for row in rows[:, :3].tolist()]
    assert rw.SplineSection(name="s", points=rows[:, :3]).points[0].cant is None
    table = rw.TableSection(name="s", positions=rows[:, :3])
    for section in (spline, table):
        track = rw.Track(name="t", sections=[section])
        checked = rw.check(rw.Project(name="p", track=track)).track
        assert checked.length == pytest.approx(rw.check(rw.Project(name="p", track=track)).track.length)
        assert 100.0 < checked.length < 120.0
    for wrong in (rows[:, :2], rows[:, [3, 3, 3]], "rows", 3, np.zeros((0, 3))):
        with pytest.raises(rw.InputError, match="SplineSection: points"):
            rw.SplineSection(name="s", points=wrong)


def test_that_results_are_made_of_arrays_judged_kept_and_shown_as_a_table(tmp_path) -> None:
    t = np.arange(0.0, 6.0, 1e-3)
    felt = np.column_stack([0.0 * t, 0.0 * t, 1.0 + 3.0 * np.sin(t)])
    run = rw.Results.of_signals(t, {"rider/Car/Me/head/acceleration": felt, "car/Car/arc_length": 10.0 * t})
    judged = rw.judge(run)
    rw.save_results(run, tmp_path / "r.h5")
    assert rw.judge(rw.results(tmp_path / "r.h5")).rows == judged.rows
    table = judged.table()
    assert {len(column) for column in table.values()} == {len(judged.rows)}
    peak = table["criterion"].index("peak_+Gz")
    assert table["value"][peak] == pytest.approx(4.0, abs=1e-6)
    assert table["position"][peak] == pytest.approx(5.0 * np.pi, abs=0.01)
    assert set(table["rider"]) == {"Car/Me"}
    for time, values in (
        ([0.0, 0.0], [1.0, 1.0]),
        ([0.0, 1.0], [1.0]),
        ([0.0, 1.0], [np.nan, 1.0]),
        ("x", "y"),
    ):
        with pytest.raises(rw.InputError):
            rw.Results.of_signals(time, {"rider/Car/Me/head/acceleration": values})
    for signals in ("x", 3, None, [1.0, 2.0], {1: [0.0, 1.0]}):
        with pytest.raises(rw.InputError, match="signals: must be a dict"):
            rw.Results.of_signals([0.0, 1.0], signals)


def test_that_what_a_script_prints_is_short(make_results: Callable[..., rw.Results]) -> None:
    project, run = rw.example("looping_star"), make_results()
    shown = [project, project.track, project.track.sections[0], run, run.states, rw.judge(run)]
    modes, judgement = rw.modes(rw.example("torsion_chain")), rw.judge(run)
    shown += [*run.channels.values(), rw.ride_point(project), modes, modes.modes[0], judgement.rows[0]]
    shown += [judgement.rows[0].result, project.train, project.train.children[0], rw.check(project)]
    shown += [rw.check(project).track]
    for one in shown:
        assert len(repr(one)) < 200, repr(one)[:300]
        assert len(str(one)) < 200
    assert repr(project) == "Project('Looping Star', track='Looping Star', train='Train')"
    assert "least margin" in repr(judgement)
    assert repr(rw.check(rw.example("straight"))) == "Check(0 findings, 0 of them errors, of car Car)"


@pytest.mark.parametrize("name", ["Check", "Contacts", "Judgement", "Modes"])
def test_that_what_is_made_by_hand_of_anything_can_be_shown(name: str) -> None:
    from ridewright.core.api import analyses

    made = getattr(rw, name, None) or getattr(analyses, name)
    parts = {
        part: value for part, value in zip(inspect.signature(made).parameters, ("x", True, 3), strict=False)
    }
    assert repr(made(**parts)).startswith(f"{name}(")


def test_that_a_list_stands_for_a_tuple() -> None:
    project = rw.example("two_cars_loaded")
    car = project.train.children[1].name
    listed = rw.edits.set_assembly(project, [car], {"description": "here"})
    assert listed == rw.edits.set_assembly(project, (car,), {"description": "here"}) != project
