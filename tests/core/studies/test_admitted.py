"""Who is admitted by the ride: the ends are found of what is known exactly, what is not monotone is said, and a search
that was stopped goes on to the same answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("distributed")

from ridewright.core.base.errors import InputError
from ridewright.core.human.population import Admitted, usual
from ridewright.core.model.person import Person
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project
from ridewright.core.report.document import Table as ReportTable
from ridewright.core.studies import engine, who_closes
from ridewright.core.studies.admitted import (
    find_admitted,
    most_rides,
    seen,
    study_of_sizes,
    whole_answer,
)
from ridewright.core.studies.by_ride import AT, masses, statures
from ridewright.core.studies.ends import EVERY, Ends, find_ends
from ridewright.core.studies.engine import Progress
from ridewright.core.studies.one_run import Outcome, Runner
from ridewright.core.studies.plan import planned
from ridewright.core.studies.store import Row, Store, table_of
from ridewright.core.studies.study import parse_study
from ridewright.core.studies.who_fits import Fits
from ridewright.core.studies.who_may_ride import study_of
from ridewright.core.studies.who_section import who_section

SEAT = "Car/Left seat"


def ask(holds: Callable[[int], bool], first: int, last: int, count: int) -> tuple[Ends, int]:
    """The ends of something, and how often it was asked; nothing is asked twice."""
    known: dict[int, bool] = {}
    most = find_ends(first, last, count, known).most
    while (found := find_ends(first, last, count, known)).asked:
        assert not set(found.asked) & known.keys()
        known |= {k: holds(k) for k in found.asked}
    assert len(known) <= most
    return found, len(known)


def test_that_the_ends_of_any_stretch_are_found() -> None:
    draws = np.random.default_rng(3)
    for _ in range(300):
        count = int(draws.integers(2, 150))
        first = int(draws.integers(0, count))
        last = int(draws.integers(first, count))
        low = int(draws.integers(first, last + 1))
        high = int(draws.integers(low, last + 1))
        found, asked = ask(lambda k, low=low, high=high: low <= k <= high, first, last, count)  # type: ignore[misc]
        if high - low >= EVERY:  # never missed between two that are asked first
            assert (found.low, found.high, found.again) == (low, high, ())
        elif found.low is not None:
            assert (found.low, found.high) == (low, high)
        assert asked <= 2 + (last - first) / EVERY + 2 + 2 * math.ceil(math.log2(EVERY))
    assert ask(lambda k: False, 3, 60, 100)[0] == Ends()
    assert find_ends(0, -1, 20, {}) == Ends()


def test_that_what_is_not_monotone_is_said_and_the_longest_stretch_is_taken() -> None:
    found, _ = ask(lambda k: 12 <= k <= 33 or 44 <= k <= 98, 0, 110, 111)
    assert (found.low, found.high) == (44, 98)
    assert set(found.again) == {20, 30}  # of those asked first


def test_that_everybody_asked_is_made_and_numbered_as_the_plan_does() -> None:
    study = study_of("x", [SEAT], usual(tone="limp"), shapes=("sit_down", "child"), by_ride=True)
    inner = study_of_sizes(study)
    assert not inner.admitted
    people = [Person.model_validate_json(str(one.changes[0].value)) for one in inner.parameters[-1].levels]
    assert [one.stature for one in people[:3]] == [0.95, 0.96, 0.97]
    assert (people[len(statures())].mass, people[-1].mass) == (masses()[0], 140.0)
    assert {one.trunk for one in people} == {"limp"}
    assert not any(one.held for one in people)
    plan = planned(inner)
    assert len(plan) == 2 * len(people)
    assert tuple(plan[len(people) + 7]) == (1.0, 7.0)
    assert most_rides() == 12 + 7 + 4 * 4 * 2
    assert most_rides(3) == 3 * most_rides()
    with pytest.raises(InputError, match="admitted goes with a study of who may ride"):
        parse_study({"format": "ridewright-study", "name": "x", "project": "y", "admitted": True}, "x")


class Rides:
    """Rides made up: who is smaller than 1.2344 m leaves the seat, the mass decides on +Gz, everybody exceeds the jerk,
    and the man whose pelvis is fixed exceeds -Gy."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[tuple[str, int]] = []
        self.left = math.inf  # rides that are made before it is stopped
        monkeypatch.setattr(engine, "Pool", self.pool)
        monkeypatch.setattr(engine, "make_runs", self.make)
        monkeypatch.setattr(who_closes, "who_fits", self.fits)

    @staticmethod
    @contextmanager
    def pool(_client: object, store: Store) -> Iterator[Store]:
        yield store

    @staticmethod
    def fits(_project: Project, _seat: str, _shape: str, _restraint: str) -> Fits:
        return Fits(1.0, 1.9312, ((AT, 140.0), (1.882, 130.0)), False, False)

    def make(self, store: Store, values: Any, *, numbers: Sequence[int], **_: object) -> dict[int, Row]:
        done = {}
        for run, row in zip(numbers, values, strict=True):
            if self.left <= 0:
                break
            self.left -= 1
            level = store.study.parameters[-1].levels[int(row[-1])]
            person = Person.model_validate_json(str(level.changes[0].value))
            done[run] = Row(run, tuple(row), self.outcome(person.stature or 0.0, person.mass or 70.0))
            self.made.append((level.label, run))
        store.append(list(done.values()))
        return done

    @staticmethod
    def outcome(stature: float, mass: float) -> Outcome:
        if not 1.0 <= stature <= 1.9312:
            return Outcome("screened", "", {"unfit": 1.0}, {"fit": "the bar cannot close"})
        if stature < 1.2344:
            return Outcome("early", "", {"left_the_seat": 1.0}, {"left": "at t = 2.0 s, s = 42 m in 'hill'"})
        numbers = {"f2291_+Gz": mass, "f2291_+Gz.margin": (118.5 - mass) / 118.5, "f2291_+Gz.s": 12.0}
        numbers |= {"f2291_jerk_x.margin": -0.5, "en13814_-Gy.margin": -0.1}
        return Outcome("done", "", numbers, {"f2291_+Gz": "head of Car/Rider"})


def store_of(folder: Path) -> Store:
    """A study whose own runs are done: a woman who stays, a man who leaves, and the man who is held."""
    study = study_of("x", [SEAT], usual()[:2], by_ride=True)
    store = Store.create(folder, study, load_example("looping_star"))
    fine = {
        "margin": 0.1,
        "f2291_+Gz": 3.0,
        "f2291_+Gz.margin": 0.1,
        "f2291_jerk_x": 3.0,
        "f2291_jerk_x.margin": 0.3,
    }
    gone = Outcome("early", "", {"left_the_seat": 1.0}, {"left": "at t = 3.0 s"})
    with store.writing():
        store.append(
            [
                Row(0, (0.0,), Outcome("done", "", fine)), Row(1, (1.0,), gone),
                Row(2, (2.0,), Outcome("done", "", {**fine, "en13814_-Gy": 2.0, "en13814_-Gy.margin": -0.2})),
            ]
        )  # fmt: skip
    return store


def test_that_fit_and_ride_decide_and_both_say_through_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rides = Rides(monkeypatch)
    store = store_of(tmp_path / "runs")
    told: list[str] = []
    (found,) = find_admitted(store, None, on_cost=told.append)
    assert told == ["who is admitted by the ride: 20 to 52 rides more"]
    assert found.rides == len(rides.made) == len({run for _, run in rides.made}) < 52
    assert found.stays.smallest == (1.24, "ride", "leaves the seat at t = 2.0 s, s = 42 m in 'hill'")
    assert found.stays.tallest == (1.93, "fit", "does not fit, the bar cannot close")
    assert found.stays.heaviest == (140.0, "nothing looked at", "")
    assert found.stays.but == ("the 50th percentile man (1.76 m, 86 kg) leaves the seat at t = 3.0 s",)
    assert found.keeps.smallest == found.stays.smallest
    heaviest = found.keeps.heaviest
    assert heaviest is not None
    assert (heaviest.value, heaviest.decides) == (118.0, "ride")
    assert heaviest.why.startswith("exceeds F2291 +Gz (head) at s = 12 m in '")
    assert found.of_the_ride == ("EN 13814 -Gy",)
    assert found.of_everybody == ("Design onset (jerk) along x",)
    lines = found.sentences(Admitted(1.1))
    assert lines[0] == (
        "By the ride, people fit and stay in the seat from 1.24 m (the ride decides; smaller: leaves the seat at"
        " t = 2.0 s, s = 42 m in 'hill') to 1.93 m (the fit decides; taller: does not fit, the bar cannot close); at"
        " 1.755 m up to 140 kg (the heaviest looked at); but the 50th percentile man (1.76 m, 86 kg) leaves the seat at"
        " t = 3.0 s."
    )
    assert "up to 118 kg (the ride decides; heavier: exceeds F2291 +Gz" in lines[1]
    assert "admitted although they may not ride: from 1.10 m to 1.24 m, of 1.755 m above 118 kg" in lines[1]
    assert lines[2] == "Not counted, exceeded with the pelvis fixed too: EN 13814 -Gy."
    assert lines[3] == "Not counted, exceeded whatever the size: Design onset (jerk) along x."
    section = who_section(store.table(), (), None, whole_answer(store).admitted)
    assert section is not None
    table = next(b for b in section.blocks if isinstance(b, ReportTable) and b.id == "who_admitted")
    assert [[row[k].text for k in (3, 5, 4)] for row in table.rows] == [
        ["fit", "–", "1.00"],
        ["stay in the seat", "by the ride: leaves the seat at t = 2.0 s, s = 42 m in 'hill'", "1.24"],
        ["keep the limits", "by the ride: leaves the seat at t = 2.0 s, s = 42 m in 'hill'", "1.24"],
    ]


def test_that_a_search_that_was_stopped_goes_on_to_the_same_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rides = Rides(monkeypatch)
    whole = find_admitted(store_of(tmp_path / "whole"), None)
    asked, rides.made = rides.made, []
    store = store_of(tmp_path / "parts")
    (nothing,) = find_admitted(store, None, should_stop=lambda: True)
    assert not nothing.finished
    assert nothing.sentences(Admitted()) == ("By the ride, it is not known yet who may; 0 rides made.",)
    for part in (7, 16):
        rides.left = part
        (some,) = find_admitted(Store.open(tmp_path / "parts"), None)
        assert not some.finished
    rides.left = math.inf
    assert find_admitted(Store.open(tmp_path / "parts"), None) == whole
    assert sorted(rides.made) == sorted(asked)  # none twice, none besides
    rides.made = []
    assert find_admitted(Store.open(tmp_path / "parts"), None, retry=True) == whole
    assert rides.made == []
    assert whole_answer(Store.open(tmp_path / "parts")).admitted == whole


def test_that_how_far_it_is_counts_all_that_may_still_be_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rides = Rides(monkeypatch)
    told: list[Progress] = []
    make = rides.make

    def telling(store: Store, values: Any, *, on_progress: Any, **more: Any) -> dict[int, Row]:
        done = make(store, values, **more)
        on_progress(Progress(len(done), len(values), 0, 2.0, None))
        return done

    monkeypatch.setattr(engine, "make_runs", telling)
    find_admitted(store_of(tmp_path / "runs"), None, on_progress=told.append)
    assert told[0].done == 20
    assert told[0].of == 52
    assert told[-1].done == len(rides.made)
    assert told[-1].of - told[-1].done <= 4
    assert all(a.done < b.done and a.of >= b.of for a, b in pairwise(told))


def test_that_nobody_is_said_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rides = Rides(monkeypatch)
    monkeypatch.setattr(
        rides, "outcome", lambda *_: Outcome("early", "", {"left_the_seat": 1.0}, {"left": "at t = 1.0 s"})
    )
    (found,) = find_admitted(store_of(tmp_path / "runs"), None)
    assert found.sentences(Admitted())[:2] == (
        "By the ride, nobody fits and stays in the seat: somebody of 1.74 m leaves the seat at t = 1.0 s.",
        "Nobody keeps the limits that are counted: somebody of 1.74 m leaves the seat at t = 1.0 s; nobody who is"
        " admitted may ride.",
    )
    monkeypatch.setattr(who_closes, "who_fits", lambda *_: Fits(None, None, (), False, False))
    rides.made = []
    (found,) = find_admitted(store_of(tmp_path / "other"), None)
    assert rides.made == []
    assert (
        found.sentences(Admitted())[0]
        == "By the ride, nobody fits and stays in the seat: the restraint closes on nobody."
    )


def hill() -> Project:
    """The car of the Looping Star over one hill with -1.5 g."""
    star = load_example("looping_star")
    folder = Path(str(resources.files("ridewright.resources"))) / "studies"
    track = load_project(folder / "airtime_hill.ridewright").track
    assert track is not None
    entry, over, out = track.sections
    sections = (
        entry.model_copy(update={"end": (14.0, 0.0, 0.0)}),
        over.model_copy(update={"gz": -1.5, "height": 10.0, "entry_speed": 20.0, "transition": 8.0}),
        out.model_copy(update={"length": 8.0}),
    )
    return star.model_copy(
        update={
            "track": track.model_copy(update={"sections": sections}),
            "scenario": star.scenario.model_copy(update={"start": 6.0, "speed": 20.0}),
        }
    )


def test_that_a_small_child_is_thrown_out_under_a_lap_bar_that_closes_onto_it() -> None:
    """The bar closes onto 0.95 m as onto 1.25 m; over the hill the smaller one slips out beneath it."""
    base = hill()
    inner = study_of_sizes(study_of("x", [SEAT], usual()[:1], shapes=("sit_down",), by_ride=True))
    runner = Runner(inner, base)
    rows = [Row(k, (0.0, float(k)), runner.run((0.0, float(k)))) for k in (0, 30)]
    table = table_of(inner, rows)
    child, larger = (seen(table, k, {}, None) for k in (0, 1))
    assert (child.stays, child.decides) == (False, "ride")
    assert child.why.startswith("leaves the seat at t = 1.")
    assert child.why.endswith("m in 'hill'")
    assert larger.stays
    assert "f2291_restraint_class" in {id for id, _ in larger.beyond}


def test_that_over_a_real_hill_the_ride_decides_from_which_stature_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In `make nightly`: stature by stature to the centimetre, as every ride by itself says."""
    rides = Rides(monkeypatch)
    monkeypatch.setattr(who_closes, "who_fits", lambda *_: Fits(0.95, 1.35, (), True, False))
    base, study = hill(), study_of("x", [SEAT], usual()[:1], shapes=("sit_down",), by_ride=True)
    runner = Runner(study_of_sizes(study), base)

    def ridden(store: Store, values: Any, *, numbers: Sequence[int], **_: object) -> dict[int, Row]:
        done = {run: Row(run, tuple(row), runner.run(row)) for run, row in zip(numbers, values, strict=True)}
        rides.made += [("", run) for run in numbers]
        store.append(list(done.values()))
        return done

    monkeypatch.setattr(engine, "make_runs", ridden)
    store = Store.create(tmp_path / "runs", study, base)
    own = Runner(study, base)
    with store.writing():
        store.append([Row(k, (0.0, float(k)), own.run((0.0, float(k)))) for k in range(2)])
    (found,) = find_admitted(store, None)
    low = found.stays.smallest
    assert low is not None
    assert 0.95 < low.value < 1.25
    assert low.decides == "ride"
    assert "leaves the seat" in low.why
    k = statures().index(low.value)
    for one, stays in ((k - 1, False), (k, True)):
        table = table_of(study, [Row(0, (0.0, 0.0), runner.run((0.0, float(one))))])
        assert seen(table, 0, {}, None).stays == stays
    assert "F2291 class of restraint demanded" in found.of_the_ride
