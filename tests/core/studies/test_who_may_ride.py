"""Everybody who may ride: people drawn as surveyed, bodies seated in turn, and what is made of the runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.base.fields import spec_of
from ridewright.core.cli.program import main
from ridewright.core.edits.changes import set_evaluation
from ridewright.core.human.anthropometry import size_of
from ridewright.core.human.population import HEAVIEST, Admitted, Named, admitted_by, drawn, free, usual
from ridewright.core.human.tables import row
from ridewright.core.model.person import Person
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.report.document import Table as ReportTable
from ridewright.core.studies import who_closes
from ridewright.core.studies.ends import longest
from ridewright.core.studies.one_run import Outcome, Runner
from ridewright.core.studies.plan import planned
from ridewright.core.studies.store import Row, Store, Table, table_of
from ridewright.core.studies.study import Study
from ridewright.core.studies.vary import check_study, with_values
from ridewright.core.studies.who_closes import Closes, closes_of
from ridewright.core.studies.who_fits import Fits, _edge, who_fits
from ridewright.core.studies.who_may_ride import REFERENCE, answer_of, study_of
from ridewright.core.studies.who_section import who_section

SEAT = "Car/Left seat"


@pytest.mark.parametrize(("sex", "women"), [("female", 1.0), ("male", 0.0)])
def test_that_people_are_drawn_as_they_were_surveyed(sex: str, women: float) -> None:
    people = [one.person for one in drawn(2000, 1, women=women, admitted=Admitted(heaviest=140.0))]
    stature = np.array([person.stature for person in people])
    mass = np.array([person.mass for person in people])
    for dimension, found, error in (
        ("stature", stature, 0.01), ("mass", mass, 0.05), ("bmi", mass / stature**2, 0.05)
    ):  # fmt: skip
        said = row(
            "percentiles", population="NHANES_2009_2012", sex=sex, age_years="20+", dimension=dimension
        )
        want = [float(said[f"p{p}"]) for p in (5, 50, 95)]
        assert np.percentile(found, (5, 50, 95)) == pytest.approx(want, rel=error), dimension
    assert all(not person.held and person.neck == "braced" for person in people)


def test_that_the_same_seed_draws_the_same_people_and_children_have_an_age() -> None:
    few, many = drawn(3, 5, children=0.5), drawn(8, 5, children=0.5)
    assert many[:3] == few
    assert drawn(3, 6, children=0.5) != few
    ages = [one.person.age for one in many]
    assert any(age is not None and 8.0 <= age <= 18.0 for age in ages)
    assert any(age is None for age in ages)
    with pytest.raises(InputError, match="Shares of women and children"):
        drawn(3, women=1.5)


def test_that_nobody_is_looked_at_whom_the_operator_does_not_admit() -> None:
    labels = [one.label for one in usual(Admitted(1.4, 1.8, 110.0))]
    assert labels == [
        "5th percentile woman", "50th percentile man", "smallest, 1.40 m", "heaviest, 110 kg", "tallest, 1.80 m"
    ]  # fmt: skip
    sizes = [size_of(one.person) for one in usual(Admitted(1.4, 1.8, 110.0))]
    assert sizes[2].stature.value == 1.4
    assert sizes[3].stature.value == sizes[4].stature.value == 1.8
    assert sizes[3].mass.value == 110.0
    people = [one.person for one in drawn(200, 2, children=0.3, admitted=Admitted(1.4, 1.8, 90.0))]
    assert min(person.stature for person in people) >= 1.4 - 5e-4
    assert max(person.stature for person in people) <= 1.8 + 5e-4
    assert max(person.mass for person in people) <= 90.0 + 0.05
    with pytest.raises(InputError, match="hardly anybody is admitted"):
        drawn(1, admitted=Admitted(smallest=2.4))


def test_that_a_project_says_whom_it_admits() -> None:
    base = load_example("looping_star")
    assert admitted_by(base.evaluation) == Admitted()
    assert spec_of(EvaluationOptions, "largest_mass").empty == f"{HEAVIEST:g} kg"
    said = {"patron_height": 1.4, "largest_height": 1.95, "largest_mass": 120.0}
    admitted = admitted_by(set_evaluation(base, said).evaluation)
    assert admitted == Admitted(1.4, 1.95, 120.0)
    assert admitted.sentence == "from 1.40 m to 1.95 m up to 120 kg"
    with pytest.raises(InputError, match="must not lie below patron_height"):
        set_evaluation(base, {"patron_height": 1.4, "largest_height": 1.3})
    fits = Fits(1.24, 1.93, ((1.755, 125.0), (1.882, 118.0)), False, False)
    assert fits.beyond(admitted) == (
        "admitted although they do not fit: from 1.93 m to 1.95 m, of 1.882 m above 118 kg"
    )
    assert (
        fits.beyond(Admitted(1.1, None, 100.0)) == "admitted although they do not fit: from 1.10 m to 1.24 m"
    )
    assert fits.beyond(Admitted(1.3, 1.9, 118.0)) == ""


def study(bodies: tuple[Named, ...] | None = None, **more: tuple[str, ...]) -> Study:
    return study_of("example:looping_star", [SEAT], usual() if bodies is None else bodies, **more)


def test_that_a_study_seats_everybody_in_turn_behind_every_restraint() -> None:
    base = load_example("looping_star")
    made = study(shapes=("sit_down", "child"), restraints=("lap_bar", "lap_belt"))
    assert len(planned(made)) == 2 * 2 * 6
    last = with_values(made, base, (1.0, 1.0, 3.0))
    assert last.assembly is not None
    seat = last.assembly.every("seat")[SEAT]
    assert seat.shape.name == "Child seat, lap belt"
    assert seat.restraint.word == "Lap belt"
    (rider,) = last.assembly.with_role("rider").values()
    assert rider.person.stature == 1.2
    assert not rider.person.held
    check_study(study(shapes=("sit_down", "child")), base)
    with pytest.raises(InputError, match="There is no seat 'Nowhere'"):
        check_study(study_of("x", ["Nowhere"], usual()), base)
    with pytest.raises(InputError, match="two bodies are called"):
        study((usual()[0], usual()[0]))


def test_that_who_does_not_fit_is_not_ridden_and_told_why() -> None:
    giant = Named("giant", free(Person(stature=1.8, mass=180.0, scaling="de_leva")))
    made = study((giant,), shapes=("sit_down",))
    outcome = Runner(made, load_example("looping_star")).run(planned(made)[0])
    assert outcome.state == "screened"
    assert "the lap bar cannot close" in outcome.message
    assert outcome.numbers["unfit"] == 1.0
    assert answer_of(table_of(made, [Row(0, (0.0, 0.0), outcome)])).rows[0].verdict == "does not fit"


@pytest.fixture
def ridden() -> Table:
    """What five runs may come to."""
    done = {"margin": 0.2, "f2291_+Gz": 4.0, "f2291_+Gz.margin": 0.2, "left_the_seat": 0.0, "airtime": 0.4}
    over = {**done, "margin": -0.1, "f2291_+Gz.margin": -0.1, "restraint_load": 310.0}
    outcomes = (
        Outcome("done", "", done, {"margin": "F2291 +Gz, head of Car/Rider", "fit": ""}),
        Outcome(
            "done", "", over, {"margin": "F2291 +Gz, head of Car/Rider", "f2291_+Gz": "head of Car/Rider"}
        ),
        Outcome(
            "early",
            "Rider left the seat at t = 3 s.",
            {**over, "left_the_seat": 1.0, "f2291_+Gz.margin": -3.0},
            {"left": "at t = 3 s"},
        ),
        Outcome("screened", "Does not fit: x.", {"unfit": 1.0}, {"fit": "the bar cannot close"}),
        Outcome("failed", "No rest.", {}, {}),
    )
    made = study()
    return table_of(made, [Row(k, (float(k),), one) for k, one in enumerate(outcomes)])


def test_that_verdicts_reasons_and_who_governs_come_of_the_runs(ridden: Table) -> None:
    found = answer_of(ridden)
    verdicts = ["may ride", "beyond a limit", "leaves the seat", "does not fit", "not ridden"]
    assert [one.verdict for one in found.rows] == verdicts
    assert [one.reason for one in found.rows] == [
        "", "F2291 +Gz, head of Car/Rider", "at t = 3 s", "the bar cannot close", "No rest.",
    ]  # fmt: skip
    (governs,) = found.margins
    assert found.row(governs.run).body == "50th percentile man"
    assert found.rows[1].load == 310.0
    assert found.sentences() == [
        "May ride: 5th percentile woman; 50th percentile man beyond a limit; 95th percentile man leaves the seat;"
        " child of 1.20 m does not fit; heaviest, 136 kg not ridden."
    ]
    section = who_section(ridden)
    assert section is not None
    assert [block.id for block in section.blocks[1:]] == ["who_rows", "who_margins"]  # type: ignore[union-attr]
    fits = Fits(1.24, 1.93, ((1.755, 125.0), (1.882, None)), False, False)
    whole = who_section(ridden, (Closes("sit_down", "", fits, Admitted(1.1)),))
    assert whole is not None
    table = whole.blocks[-1]
    assert isinstance(table, ReportTable)
    assert [cell.text for cell in table.rows[0]] == [
        "sit_down", "as it is", "1.24", "1.93", "125", "–", "from 1.10 m to 1.24 m, of 1.755 m above 125 kg"
    ]  # fmt: skip


def test_that_onto_whom_restraints_close_is_found_once_for_a_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, str]] = []

    def found(_project: Project, seat: str, shape: str, restraint: str) -> Fits:
        asked.append((seat, shape, restraint))
        return Fits(1.2, None if restraint else 2.0, ((1.755, None),), False, True)

    monkeypatch.setattr(who_closes, "who_fits", found)
    made = study(shapes=("sit_down", "child"), restraints=("lap_belt",))
    store = Store.create(tmp_path / "runs", made, load_example("looping_star"))
    first = closes_of(store)
    assert asked == [(SEAT, "sit_down", "lap_belt"), (SEAT, "child", "lap_belt")]
    assert closes_of(Store.open(tmp_path / "runs")) == first
    assert len(asked) == 2
    (tmp_path / "runs" / who_closes.FILE).write_text("{")  # damaged: found again
    assert closes_of(Store.open(tmp_path / "runs")) == first
    assert len(asked) == 4


def test_that_what_keeps_everybody_out_is_said_of_the_ride(ridden: Table) -> None:
    """The man whose pelvis is fixed is nobody who was asked for; what is beyond a limit on him is the ride's."""
    over = {"margin": -0.3, "f2291_+Gy": 2.6, "f2291_+Gy.margin": -0.3, "left_the_seat": 0.0}
    fixed = Outcome("done", "", over, {"margin": "F2291 +Gy, head of Car/Rider", "fit": ""})
    rows = [Row(0, (0.0,), Outcome("done", "", over, {"margin": "x", "fit": ""})), Row(5, (5.0,), fixed)]
    found = answer_of(table_of(study(), rows))
    assert [one.body for one in found.rows] == ["5th percentile woman"]
    assert found.row(5).body == REFERENCE
    (sentence,) = found.sentences()
    assert sentence.endswith(
        "The ride itself is beyond a limit, with the pelvis fixed as well: F2291 +Gy, head of Car/Rider."
    )
    assert "The ride itself" not in "".join(answer_of(ridden).sentences())


def test_that_the_ends_of_what_fits_are_found() -> None:
    assert longest([True, False, True, True, False]) == (2, 3)
    assert longest([False, False]) == (None, None)
    assert _edge(lambda x: x >= 1.234, 1.2, 1.25, 0.001) == pytest.approx(1.234, abs=1e-3)


def test_that_the_restraint_says_from_what_size_on_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """In `make nightly`: what goes over the shoulders does not close over the tall and heavy, and the command says the
    same."""
    found = who_fits(load_example("looping_star"), SEAT, "viegas2016")
    assert found.lowest
    assert found.highest
    (_, usual_mass), (_, tall_mass) = found.masses
    assert usual_mass == 140.0
    assert tall_mass == pytest.approx(138.0, abs=1.5)
    assert main(["who-may-ride", "example", "--fit-only"]) == 2
    assert "example" in capsys.readouterr().err
