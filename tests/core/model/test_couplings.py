"""What couplings refuse, what they are made of, and how they follow edits of the train."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.couplings import couple_cars, make_train
from ridewright.core.edits.elements import delete_element, rename_element
from ridewright.core.edits.train import add_car, load_cars
from ridewright.core.model.couplings.bar import Bar
from ridewright.core.model.library import list_library, load_vehicle
from ridewright.core.multibody.compile import compile_system, track_of
from ridewright.core.multibody.on_track import cars_on_track
from ridewright.core.outcome.summary import summarise
from ridewright.core.outcome.summary_text import summary_text
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import parse_project
from ridewright.core.project.scenario import Ride
from ridewright.core.run.simulate import simulate


def data(name: str = "ten_cars") -> dict[str, Any]:
    made: dict[str, Any] = load_example(name).model_dump(mode="json")
    return made


def first(change: dict[str, Any], name: str = "ten_cars") -> dict[str, Any]:
    """A project's data with fields of its first coupling changed."""
    made = data(name)
    made["train"]["couplings"][0].update(change)
    return made


END = data()["train"]["couplings"][0]["end_i"]
SENTENCES = {
    "not neighbours": (first({"body_i": "Car 4/Car body"}), "joins 'Car 4' and 'Car 1', which are not neighbours"),
    "itself": (first({"body_i": "Car 1/Car body"}), "joins 'Car 1/Car body' to itself"),
    "missing body": (first({"body_i": "Car 2/Roof"}), "refers to body 'Car 2/Roof', which does not exist"),
    "ground": (first({"body_i": "ground"}), "is fixed to 'ground', which is no body of a car"),
    "slack": (first({"knuckle_slack": -0.01}), "knuckle_slack: Input should be greater than or equal to 0"),
    "table": (
        first({"end_i": {**END, "curve": [[0.0, 0.0], [0.0, 1e5]]}}),
        "needs two or more pairs (extension, force) with rising extension",
    ),
    "branches": (
        first({"end_i": {**END, "curve": [[0, 0], [0.1, 1e5]], "unloading": [[0, 0], [0.1, 2e5]]}}),
        "at 0.1 m the unloading force (200000 N) is above the loading force",
    ),
    "no stiffness": (first({"end_i": {**END, "stiffness": 0.0}}), "has zero stiffness everywhere"),
    "stop in slack": (
        first({"end_i": {**END, "slack": 0.1, "stop_in": 0.05}}), "stop_in (0.05 m) must lie beyond the slack"
    ),
    "name": (first({"name": "Push"}), "need names of their own"),
}  # fmt: skip


@pytest.mark.parametrize("what", SENTENCES)
def test_that_a_coupling_that_cannot_be_is_refused_in_one_sentence(what: str) -> None:
    broken, words = SENTENCES[what]
    with pytest.raises(InputError) as refused:
        parse_project(broken, "train.ridewright")
    text = str(refused.value)
    assert words in text or what == "slack"
    assert "\n" not in text
    assert text.startswith("train.ridewright: ")


def test_that_two_couplings_between_the_same_points_are_refused() -> None:
    broken = data()
    twin = {**broken["train"]["couplings"][0], "name": "Twin"}
    broken["train"]["couplings"].append(twin)
    with pytest.raises(InputError, match="couplings 'Coupling 1' and 'Twin' join the same two points"):
        parse_project(broken, "x")


def test_that_only_a_train_has_couplings() -> None:
    broken = data()
    broken["train"]["children"][0]["couplings"] = broken["train"]["couplings"][:1]
    with pytest.raises(InputError, match="is a car and has no couplings; only a train has"):
        parse_project(broken, "x")


def test_that_a_car_takes_its_couplings_away_and_a_name_is_followed() -> None:
    project = load_example("ten_cars")
    shorter = delete_element(project, "assembly", ("Car 4",))
    assert shorter.train is not None
    assert [c.name for c in shorter.train.couplings if c.name in ("Coupling 3", "Coupling 4")] == []
    renamed, _ = rename_element(project, "assembly", ("Car 4",), "Fourth")
    assert renamed.train is not None
    assert renamed.train.couplings[2].body_i == "Fourth/Car body"


def test_that_a_bar_that_does_not_fit_names_itself() -> None:
    """A bar twice as long as its cars allow: on a straight the second one stands further back, and the report
    says how far."""
    project = load_example("two_cars_loaded")
    assert project.train is not None
    old = project.train.couplings[0]
    fields = {f: getattr(old, f) for f in ("name", "body_i", "point_i", "body_j", "point_j")}
    train = project.train.model_copy(update={"couplings": (Bar(**fields, length=2.882),)})
    short = project.scenario.model_copy(update={"duration": 0.05})
    run = simulate(project.model_copy(update={"train": train, "scenario": short}))
    assert run.provenance["assembly"]["slid"] == pytest.approx({"Car 2": -0.5}, abs=2e-3)


@pytest.mark.parametrize(("length", "word"), [(1.0, "1 m too short"), (None, "")])
def test_that_a_bar_its_cars_cannot_meet_names_car_and_place(length: float | None, word: str) -> None:
    """Fixed 2 m apart across the cars, a bar of 1 m cannot be closed wherever they stand; as drawn it can."""
    project = load_example("two_cars_loaded")
    assert project.train is not None
    old = project.train.couplings[0]
    bar = Bar(
        name="Drawbar", body_i=old.body_i, point_i=(5.8, 1.0, 0.0), body_j=old.body_j, point_j=(-5.8, -1.0, 0.0),
        length=length,
    )  # fmt: skip
    made = project.model_copy(update={"train": project.train.model_copy(update={"couplings": (bar,)})})
    made = made.model_copy(update={"scenario": made.scenario.model_copy(update={"duration": 0.01})})
    if not word:
        assert simulate(made).status.complete
        return
    with pytest.raises(InputError) as refused:
        simulate(made)
    text = str(refused.value)
    assert f"Bar 'Drawbar' is {word}" in text
    assert "'Car 2' at s = " in text


def test_that_cars_on_sprung_bars_stand_where_these_are_free() -> None:
    """Half of the train stands in a bend: as drawn on straight track its bars were strained by 43 mm and 1.2 MN."""
    base = load_example("looping_star")
    train = make_train(base, load_vehicle(), 12, 3.0, "sprung_bar_slack").train
    assert train is not None
    ride = Ride(start=62.0, speed=26.0, duration=0.02)
    project = base.model_copy(update={"train": train, "scenario": ride})
    built = track_of(project)
    places = {name: car.place for name, car in cars_on_track(project, built).items()}
    apart = -np.diff([places[car.name] for car in train.children])
    assert apart[0] == pytest.approx(3.0, abs=1e-6)  # on the straight
    assert np.abs(apart - 3.0).max() > 0.01
    run = simulate(project)
    forces = [run.channels[f"coupling/{c.name}/force"].values[0] for c in train.couplings]
    assert np.abs(forces).max() < 1.0
    slid = run.provenance["assembly"]["slid"]
    moved = {car.name: places[car.name] - (62.0 - car.offset) for car in train.children}
    assert slid == pytest.approx(
        {name: moved[name] for name in slid}, abs=3e-4
    )  # wheels meet their rails besides
    assert max(abs(far) for far in slid.values()) > 0.01
    summary = summarise(project, run)
    assert summary.slid == slid
    assert "cars slid along the track until their couplings fit" in summary_text(summary)
    flat = load_example("ten_cars")
    assert flat.train is not None
    drawn = [flat.scenario.start - car.offset for car in flat.train.children]
    assert [car.place for car in cars_on_track(flat, track_of(flat)).values()] == drawn


def test_that_a_train_longer_than_its_circuit_is_refused() -> None:
    project = load_example("looping_star")
    assert project.train is not None
    first = project.train.children[0]
    cars = (first, first.model_copy(update={"name": "Car 2", "offset": 800.0}))
    train = project.train.model_copy(update={"children": cars})
    with pytest.raises(InputError, match=r"the train is 80\d\.\d m long and its circuit 76\d"):
        compile_system(project.model_copy(update={"train": train}))


def test_that_a_device_that_names_a_missing_car_is_refused() -> None:
    made = data("two_cars_loaded")
    made["track"]["devices"] = [
        {"kind": "trim_brake", "name": "Trim", "section": "Straight", "speed": 1.0, "cars": ["Car 9"]}
    ]
    with pytest.raises(InputError, match="Device 'Trim' acts on car 'Car 9', which the train does not have"):
        simulate(parse_project(made, "x"))


def _damaged(node: Any, rng: random.Random) -> Any:
    """A copy with one value somewhere inside replaced by something that does not belong there."""
    copy = json.loads(json.dumps(node))
    at, key = copy, None
    for _ in range(12):
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            break
        key = rng.choice(keys)
        if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.9:
            at = at[key]
            continue
        break
    if key is not None:
        junk = [None, -1.0, 0.0, 1e12, "x", [], {}, "Car 1/Car body", True, [[0, 0], [0, 1]]]
        at[key] = rng.choice(junk)
    return copy


def test_that_two_hundred_damaged_trains_are_read_or_refused_in_a_sentence() -> None:
    rng = random.Random(13)
    good, told, kept = data("two_cars_loaded"), [], 0
    built = track_of(parse_project(good, "x"))
    for k in range(200):
        couplings = {**good["train"], "couplings": _damaged(good["train"]["couplings"], rng)}
        broken = {**good, "train": couplings if k % 2 else _damaged(good["train"], rng)}
        try:
            compile_system(parse_project(broken, "train.ridewright"), speed=0.0, built=built)
            kept += 1
        except InputError as error:
            told.append(str(error))
    assert len(told) > 60
    assert kept > 20
    assert not [text for text in told if "\n" in text or len(text) < 20]


def test_that_a_train_is_loaded_and_coupled_by_one_edit_each() -> None:
    project = load_example("straight")
    for _ in range(2):
        project, _ = add_car(project)
    full = load_cars(project, "full")
    assert full.train is not None
    assert [len(car.riders) for car in full.train.children] == [len(car.seats) for car in full.train.children]
    last = full.train.children[-1]
    part = load_cars(full, [last.seats[0].name], [last.name])
    assert part.train is not None
    assert [rider.seat for rider in part.train.children[-1].riders] == [last.seats[0].name]
    empty = load_cars(full, "empty")
    assert empty.train is not None
    assert empty.train.mass() < full.train.mass()
    with pytest.raises(InputError, match="has no seat 'Roof'"):
        load_cars(full, ["Roof"])
    for entry in list_library(("coupling",)):
        assert entry.source
        joined = couple_cars(empty, entry.key)
        assert joined.train is not None
        assert len(joined.train.couplings) == 2
        assert couple_cars(joined, entry.key) == joined
