"""What is said of a generated rider: in the report, and beside every verdict when posture muscles act."""

from __future__ import annotations

import pytest

from ridewright.core.edits import riders
from ridewright.core.edits.elements import delete_element
from ridewright.core.human.make import rider
from ridewright.core.model.person import Person
from ridewright.core.outcome.rider_view import judge_part, muscle_note
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.report.book import Book, ReportOptions
from ridewright.core.report.document import Figure, Table, Text
from ridewright.core.report.parts.rider_part import rider_blocks
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

SIZE = {"mass": 80.0, "stature": 1.8}


def book() -> Book:
    pytest.importorskip("matplotlib", reason="the report draws with matplotlib (extra 'report')")
    return Book(ReportOptions(date="2026-11-22T12:00:00+00:00"), lambda share, what: None, lambda: False)


def test_that_the_report_draws_the_rider_and_gives_every_segment_its_sources() -> None:
    blocks = rider_blocks(book(), 0, rider(Person(**SIZE), "Seat"))
    (figure,) = [b for b in blocks if isinstance(b, Figure)]
    assert figure.id == "rider_1"
    tables = {b.id: b for b in blocks if isinstance(b, Table)}
    segments = tables["rider_segments_1"]
    assert len(segments.rows) == 17
    assert sum(row[1].value for row in segments.rows) == pytest.approx(80.0, abs=0.01)
    assert "measured, Spicka 2020" in segments.note
    assert "inferred" in segments.note
    limits = tables["rider_limits_1"]
    knee = next(row for row in limits.rows if row[0].text == "Left knee")
    assert [cell.value for cell in knee[4:7]] == pytest.approx([-5.0, 90.0, 125.0])
    assert not any("muscles" in b.text for b in blocks if isinstance(b, Text))


def test_that_the_report_says_when_muscles_act() -> None:
    blocks = rider_blocks(book(), 0, rider(Person(**SIZE, neck="normal"), "Seat"))
    assert any(b.text.startswith("2 posture muscles act") for b in blocks if isinstance(b, Text))


def ridden(person: Person) -> Results:
    path = ("Car", "Rider")
    start: Project = delete_element(load_example("looping_star"), "assembly", path)
    project, made = riders.make_rider(start, ("Car",), person)
    assert made == path
    scenario = project.scenario.model_copy(update={"duration": 0.6})
    return simulate(project.model_copy(update={"scenario": scenario}))


def test_that_every_verdict_says_when_muscles_act_and_none_does_otherwise() -> None:
    held = ridden(Person(**SIZE, neck="normal", trunk="normal"))
    note = muscle_note(held, "Car/Rider")
    assert note.startswith("with 4 posture muscles")
    found = judge_part(held, "Car/Rider", "upper_torso")
    assert len(found) > 10
    assert all(note in one.note for one in found)
    limp = ridden(Person(**SIZE))
    assert muscle_note(limp, "Car/Rider") == ""
    assert not any("muscle" in one.note for one in judge_part(limp, "Car/Rider", "upper_torso"))
