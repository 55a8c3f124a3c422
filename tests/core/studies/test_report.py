"""The report of a study says what its runs say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from ridewright.core.base.errors import InputError
from ridewright.core.cli.program import main
from ridewright.core.injury.result import CriterionResult, Signal
from ridewright.core.project.examples import load_example
from ridewright.core.report.book import Book, ReportOptions
from ridewright.core.report.cells import MINUS
from ridewright.core.report.document import ReportContent, Table, Text
from ridewright.core.studies.answers import chance, main_effects, min_margins
from ridewright.core.studies.answers_section import Asked
from ridewright.core.studies.one_run import Outcome, _in_lap
from ridewright.core.studies.report import study_content
from ridewright.core.studies.store import Row, Store
from ridewright.core.track.build import build_track
from tests.core.studies.conftest import study_of_function

OPTIONS = ReportOptions(date="2026-03-04T05:06:07+00:00")


def a_store(folder: Path, **fields: Any) -> Store:
    """Forty runs of two parameters, with margins of two criteria; three failed and two of them for one reason."""
    plan = {"kind": "monte_carlo", "runs": 40, "seed": 3}
    study = study_of_function("bowl", **{"plan": plan, **fields})
    store = Store.create(folder, study, None)
    draws = np.random.default_rng(4).uniform(size=(40, 2))
    rows = []
    for k, (a, b) in enumerate(draws):
        numbers = {"x.margin": a - 0.1, "x": 1.0 - a, "x.s": 100.0 * b, "y.margin": 0.5 + b, "y": b}
        numbers |= {"margin": a - 0.1, "distance": a + b, "sum": a - b}
        outcome = Outcome("done", "", numbers, {"x": "head of Car/Rider"})
        if k in (5, 9, 30):
            why = "No seat." if k == 9 else f"The train stalls at s = {k}.5 m."
            outcome = Outcome("failed", why)
        rows.append(Row(k, (float(a), float(b)), outcome))
    with store.writing():
        store.append(rows)
    return store


def made(store: Store, asked: Asked | None = None) -> ReportContent:
    return study_content(store, Book(OPTIONS), asked)


def rows_of(content: ReportContent, id: str) -> list[list[str]]:
    (table,) = [one for one in content.tables() if one.id == id]
    return [[cell.text for cell in row] for row in table.rows]


def test_that_margins_effects_and_probability_are_those_of_the_answers(tmp_path: Path) -> None:
    store = a_store(tmp_path / "s")
    content, runs = made(store), store.table()
    worst = min_margins(runs)[0]
    first = rows_of(content, "margins")[0]
    assert first[0] == "x"
    assert float(first[1].replace(MINUS, "-")) == pytest.approx(worst.margin, abs=5e-4)
    assert first[5:9] == [str(worst.run), "finished", "head of Car/Rider", f"{worst.s:.1f}"]
    effect = main_effects(runs, "margin")[0]
    shown = rows_of(content, "effects")
    assert [row[0] for row in shown[: len(effect.at)]] == [effect.parameter] * len(effect.at)
    assert [int(row[-1]) for row in shown[: len(effect.at)]] == list(effect.runs)
    found = chance(runs)
    facts = {e.label: e.cell.value for b in content.blocks() if b.kind == "facts" for e in b.entries}
    assert facts["Probability that margin lies below 0"] == found.probability
    assert (facts["95 % interval from"], facts["to"]) == (found.low, found.high)
    assert any(found.assumptions[0] in b.text for b in content.blocks() if isinstance(b, Text))
    assert content.title.verdict.text == f"{found.count} of {found.judged} finished runs exceed a limit"


def test_that_failed_runs_stand_with_their_reasons(tmp_path: Path) -> None:
    assert rows_of(made(a_store(tmp_path / "s")), "unfinished") == [
        ["2", "5", "The train stalls at s = 5.5 m."],
        ["1", "9", "No seat."],
    ]


def test_that_another_response_and_level_are_answered(tmp_path: Path) -> None:
    store = a_store(tmp_path / "s")
    content = made(store, Asked("distance", 1.2, above=True))
    (section,) = [one for one in content.sections if one.id == "answers"]
    assert section.title == "What matters for distance"
    found = chance(store.table(), "distance", 1.2, above=True)
    labels = {e.label: e.cell.value for b in section.blocks if b.kind == "facts" for e in b.entries}
    assert labels["Probability that distance lies above 1.2"] == found.probability
    with pytest.raises(InputError, match="no run has kept 'height'"):
        made(store, Asked("height"))


def test_that_the_best_designs_stand_beside_the_start(tmp_path: Path) -> None:
    how = {
        "goals": [{"name": "distance"}, {"name": "sum", "sense": "maximise"}],
        "constraints": [{"name": "margin", "low": 0.0}],
    }
    content = made(a_store(tmp_path / "s", optimise=how))
    (table,) = [one for one in content.tables() if one.id == "designs"]
    assert isinstance(table, Table)
    goals = np.array([[cell.value for cell in row[-2:]] for row in table.rows])
    order = np.argsort(goals[:, 0])
    assert np.all(np.diff(goals[order, 1]) > 0.0)  # none better in both
    assert "none of which is better in every goal" in content.title.verdict.text
    assert "answers" not in {section.id for section in content.sections}


def test_that_a_study_of_which_nothing_was_finished_says_so(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", study_of_function("bowl"), None)
    with store.writing():
        store.append([Row(k, (0.1, 0.2), Outcome("failed", "No seat.")) for k in range(3)])
    content = made(store)
    assert (content.title.verdict.text, content.title.verdict.tone) == ("No run was finished", "outside")
    assert rows_of(content, "unfinished") == [["3", "0", "No seat."]]


def test_that_a_study_without_runs_has_nothing_to_report(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s", study_of_function("bowl"), None)
    with pytest.raises(InputError, match="has no runs yet"):
        made(store)


def test_that_the_command_writes_what_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("typst")
    a_store(tmp_path / "s")
    to = [
        "-o",
        str(tmp_path / "r.pdf"),
        "--html",
        str(tmp_path / "r.html"),
        "--json",
        str(tmp_path / "r.json"),
    ]
    again = []
    for _ in range(2):
        assert main(["study", "report", str(tmp_path / "s"), *to, "--date", OPTIONS.date]) == 0
        again.append((tmp_path / "r.pdf").read_bytes())
    assert again[0] == again[1]
    assert again[0].startswith(b"%PDF")
    assert json.loads((tmp_path / "r.json").read_text())["title"]["subtitle"] == "Report on a study"
    assert "Main effects on margin" in (tmp_path / "r.html").read_text()
    assert main(["study", "report", str(tmp_path / "nowhere"), *to]) == 2
    assert "is no store of a study" in capsys.readouterr().err


def test_that_criteria_have_their_titles_marks_assumptions_and_runs_that_ended_early(tmp_path: Path) -> None:
    base = load_example("straight")
    store = Store.create(tmp_path / "s", study_of_function("bowl"), base)
    kept = {
        "f2291_+Gz.margin": 0.3,
        "f2291_+Gz": 4.0,
        "iso2631_vdv.margin": 0.2,
        "iso2631_vdv": 13.0,
        "margin": 0.2,
    }
    worse = {"f2291_+Gz.margin": -0.1, "f2291_+Gz": 6.6, "margin": -0.1}
    who = {"f2291_+Gz": "pelvis of Car/Rider", "iso2631_vdv": "pelvis of Car/Rider"}
    with store.writing():
        early = Outcome("early", "It stalled.", worse, who)
        store.append([Row(0, (0.1, 0.2), Outcome("done", "", kept, who)), Row(1, (0.3, 0.4), early)])
    content = made(store)
    first, second = rows_of(content, "margins")
    assert first[0] == "F2291 +Gz †"
    assert (first[3], first[4]) == ("g", "high")
    assert first[5:7] == ["1", "ended early"]
    assert second[0] == "vibration dose value †"
    assert second[5] == "0"
    assert (
        content.title.verdict.text
        == "No limit is exceeded in 1 finished runs; 1 of 1 that ended early exceed one"
    )
    assert content.title.verdict.tone == "outside"
    assumed = " ".join(cell for row in rows_of(content, "assumptions") for cell in row)
    assert "pelvis" in assumed
    assert "5 Hz" in assumed


@pytest.mark.parametrize("ridden", [True, False])
def test_that_losses_are_stated_with_margins_and_without(ridden: bool, tmp_path: Path) -> None:
    """The Looping Star is ridden without losses, and every report says so, of a study that keeps no criterion too."""
    store = Store.create(
        tmp_path / "s", study_of_function("bowl"), load_example("looping_star") if ridden else None
    )
    with store.writing():
        store.append([Row(k, (0.1 * k, 0.2), Outcome("done", "", {"y": 1.0}, {})) for k in range(3)])
    (plan,) = (
        block
        for section in made(store).sections
        for block in section.blocks
        if getattr(block, "id", "") == "plan"
    )
    said = {one.label: one.cell.text for one in plan.entries}
    words = "none: the wheels roll freely and there is no air drag"
    assert said.get("Losses of the base project") == (words if ridden else None)


def test_that_places_of_a_run_are_on_its_track() -> None:
    """A train that rolled back behind its start by 501.7 m on a track of 765 m is at 263.3 m."""
    built = build_track(load_example("looping_star").track, ride=False)
    signal = Signal(body="pelvis", gravity="in", sample_rate=1e3)
    result = CriterionResult(
        criterion="c", title="c", value=1.0, unit="g", arc_length=-501.7, time=(1.0, 1.0), signal=signal
    )
    assert _in_lap(result, built).arc_length == pytest.approx(built.length - 501.7)
    assert _in_lap(result, None).arc_length == -501.7
