"""The ways out that Problems offers are tried before: they say what they achieve, or are not offered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mouse_and_keyboard import LEFT
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.shell.problems import FIX, ProblemsPanel
from ridewright.app.widgets import units
from ridewright.app.widgets.settings import Settings
from ridewright.app.work import problem_finder
from ridewright.app.work.problem_finder import ProblemFinder, find_problems, tried
from ridewright.app.work.task import ProgressReporter
from ridewright.core.design.by_ride import close_by_ride
from ridewright.core.edits.changes import set_point_ride
from ridewright.core.edits.elements_track import insert_element
from ridewright.core.edits.sections import set_section
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track


@pytest.fixture(scope="module")
def bent() -> Project:
    """A circuit of two turns whose closing piece no longer fits the first: a warning at it."""
    project, _ = insert_element(Project(name="p"), None, "banked_turn", speed=14.0)
    assert project.track is not None
    project, _ = insert_element(project, build_track(project.track), "banked_turn", speed=14.0)
    project, _ = close_by_ride(set_point_ride(project, {"speed": 14.0}), [])
    return set_section(project, "Left banked turn", {"radius": 14.0})


@pytest.fixture
def finder(document: Document, bent: Project) -> Iterator[ProblemFinder]:
    document.start_from(bent)
    made = ProblemFinder(document)
    yield made
    made.close()


def test_that_a_way_out_says_before_and_after_and_keeps_its_word(
    qtbot: object, document: Document, finder: ProblemFinder, playback: Playback, settings: Settings
) -> None:
    panel = ProblemsPanel(document, playback, settings)
    qtbot.addWidget(panel)  # type: ignore[attr-defined]
    panel.show()
    told: list[str] = []
    panel.fixed.connect(told.append)

    def buttons() -> list[QPushButton]:
        every = [panel.table.cellWidget(row, FIX) for row in range(panel.table.rowCount())]
        return [one for one in every if isinstance(one, QPushButton) and one.text().startswith("Close again")]

    qtbot.waitUntil(lambda: len(buttons()) == 1, timeout=60_000)  # type: ignore[attr-defined]
    (button,) = buttons()
    assert button.text() == "Close again: 0.058 to 0.021 1/m"
    assert "no problem then" in button.toolTip()
    (problem,) = [one for one in document.problems if one.severity == "warning"]
    assert "changes by 0.058 1/m" in problem.text  # the number that the way out begins with
    units.use("US")
    panel.redraw()
    assert buttons()[0].text().endswith("1/ft")
    units.use("SI")
    panel.redraw()
    QTest.mouseClick(buttons()[0], LEFT)
    assert document.undo_stack.undoText() == "Close again"
    assert document.undo_stack.count() == 1
    assert told == ["Close again: 0.058 to 0.021 1/m. It is no problem then."]
    qtbot.waitUntil(  # type: ignore[attr-defined]
        lambda: all(one.severity == "note" for one in document.problems), timeout=30_000
    )


def test_that_what_achieves_less_than_a_tenth_is_not_offered(
    bent: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    reporter = ProgressReporter()
    reporter.number = 1
    monkeypatch.setattr(problem_finder, "_at_closing_piece", lambda *_: False)
    for tube, offered in ((0.3, True), (0.01, False)):
        monkeypatch.setattr(problem_finder, "TUBE", tube)
        (found,) = [p for p in find_problems(bent)[problem_finder.TRACK] if p.severity == "warning"]
        assert found.fix is not None
        assert found.fix.label == "Smooth Closing"
        result = tried(bent, (found,), reporter)
        assert result is not None
        assert (result[0].fix is not None) is offered
        if offered:
            assert result[0].fix.text == "Smooth Closing: 0.058 to 0.051 1/m"
            assert "stays a problem" in result[0].fix.known
    reporter.unwanted = 1
    assert tried(bent, (found,), reporter) is None
