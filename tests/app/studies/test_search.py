"""A search in the Studies panel: goals by hand, runs in any order, best ones chosen, early ones marked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mouse_and_keyboard import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.studies.run_table import RunModel
from ridewright.core.project.examples import load_example
from ridewright.core.studies.estimate import Estimate
from ridewright.core.studies.front import front_of
from ridewright.core.studies.one_run import MARGIN, Outcome
from ridewright.core.studies.store import Row, Table, table_of
from ridewright.core.studies.study import Parameter, Study

LEFT = Qt.MouseButton.LeftButton
SPEED = Parameter(name="Start speed", field="scenario.speed", low=9.0, high=11.0)
GOALS = {
    "goals": ({"name": MARGIN, "sense": "maximise"}, {"name": "Gz max", "sense": "minimise"}),
    "constraints": ({"name": "Gy largest", "high": 1.5},),
}
RUNS = (  # state, least margin, Gz max, Gy largest, s
    ("done", 0.2, 3.0, 1.0, 12.0),
    ("early", 0.9, 1.0, 0.1, 50.0),
    ("done", 0.1, 2.0, 1.2, 80.5),
    ("done", 0.4, 2.5, 1.9, 7.0),
    ("failed", np.nan, np.nan, np.nan, np.nan),
)


def _table() -> Table:
    study = Study.model_validate({"name": "s", "project": "-", "parameters": (SPEED,), "optimise": GOALS})
    rows = []
    for k, (state, margin, gz, gy, s) in enumerate(RUNS):
        numbers = {MARGIN: margin, "Gz max": gz, "Gy largest": gy, f"{MARGIN}.s": s}
        known = {name: value for name, value in numbers.items() if not np.isnan(value)}
        texts = {} if np.isnan(margin) else {MARGIN: "Largest Gz, Car/Rider"}
        rows.append(Row(k, (9.0 + 0.5 * k,), Outcome(state, "", known, texts)))
    return table_of(study, rows)


@pytest.fixture
def model(qapp) -> RunModel:
    made, table = RunModel(), _table()
    made.show_table(table, front_of(table))
    return made


def _column(model: RunModel, title: str) -> list[str]:
    titles = [model.headerData(k, Qt.Orientation.Horizontal) for k in range(model.columnCount())]
    column = titles.index(title)
    return [model.data(model.index(row, column)) for row in range(model.rowCount())]


def test_that_runs_that_ended_early_are_marked_and_never_best(model: RunModel) -> None:
    assert _column(model, "State") == [
        "finished, best",
        "ended early",
        "finished, best",
        "finished",
        "failed",
    ]


def test_that_goals_have_columns_and_the_margin_says_who_and_where(model: RunModel) -> None:
    assert _column(model, "Gz max") == ["3", "1", "2", "2.5", "–"]
    assert _column(model, "Governed by")[2] == "Largest Gz, Car/Rider, at 80.5 m"


def test_that_every_column_sorts_both_ways_with_missing_numbers_last(model: RunModel) -> None:
    for column in range(model.columnCount()):
        for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
            model.sort(column, order)
            assert sorted(model.run_at(row) for row in range(5)) == [0, 1, 2, 3, 4]
    model.sort(2, Qt.SortOrder.DescendingOrder)
    assert [model.run_at(row) for row in range(5)] == [1, 3, 0, 2, 4]
    model.sort(2, Qt.SortOrder.AscendingOrder)
    assert [model.run_at(row) for row in range(5)] == [2, 0, 3, 1, 4]
    assert model.row_of(3) == 2
    model.show_table(model.table)
    assert [model.run_at(row) for row in range(5)] == [2, 0, 3, 1, 4]  # it stays when more runs come


@pytest.fixture
def panel(studio: MainWindow):
    studio.document.start_from(load_example("straight"))
    studio.show_panel("studies")
    settle()
    found = studio.panels["studies"]
    found.vary(SPEED)
    settle()
    return found


def test_that_goals_and_constraints_are_set_by_hand_and_make_the_study_of_a_file(panel) -> None:
    assert not panel.goals.isVisible()
    panel.plan.setCurrentText("Search")
    panel.plan.activated.emit(panel.plan.currentIndex())
    settle()
    assert panel.goals.isVisible()
    assert "A search needs a goal" in panel.note.text()
    panel._on_estimate(Estimate(64, 0.033, 2, 1.0, ()))  # of what was asked before, and came late
    assert "A search needs a goal" in panel.note.text()
    QTest.mouseClick(panel.goals.add_button, LEFT)
    QTest.mouseClick(panel.goals.add_button, LEFT)
    QTest.mouseClick(panel.goals.add_button, LEFT)
    table = panel.goals.table
    for row, (name, rule) in enumerate(((MARGIN, "large"), ("Gz max", "small"), ("Gy largest", "at most"))):
        box = table.cellWidget(row, 0)
        box.lineEdit().selectAll()
        QTest.keyClicks(box.lineEdit(), name)
        QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)
        table.cellWidget(row, 1).setCurrentText(rule)
    assert "give the limit" in panel.note.text()
    line = table.cellWidget(2, 2)
    QTest.mouseClick(line, LEFT)
    QTest.keyClicks(line, "1.5")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()
    how = panel.study().optimise
    assert how.method == "nsga2"
    assert [(goal.name, goal.sense) for goal in how.goals] == [(MARGIN, "maximise"), ("Gz max", "minimise")]
    assert [(bound.name, bound.high) for bound in how.constraints] == [("Gy largest", 1.5)]
    assert how.population * how.generations == pytest.approx(panel.count.value(), rel=0.2)
    panel.goals.show_search(how)
    assert panel.study().optimise == how
    QTest.mouseClick(panel.goals.remove_button, LEFT)
    assert panel.study().optimise.constraints == ()


def test_that_the_best_are_chosen_one_after_the_other_and_a_click_on_a_head_sorts(panel) -> None:
    table = _table()
    panel._front = front_of(table)
    panel.model.show_table(table, panel._front)
    panel._enable()
    settle()
    assert panel.best_button.isVisible()
    found = []
    for _ in range(3):
        QTest.mouseClick(panel.best_button, LEFT)
        found.append(panel.selected_run())
    assert found == [0, 2, 0]
    head = panel.runs.horizontalHeader()
    spot = QPoint(head.sectionViewportPosition(2) + 8, head.height() // 2)
    QTest.mouseClick(head.viewport(), LEFT, pos=spot)
    settle()
    assert panel.selected_run() == 0  # the same run, wherever its row went
    assert panel.model.run_at(panel.model.row_of(0)) == 0


def test_that_a_study_of_an_unsaved_project_says_where_it_is_kept(panel, monkeypatch) -> None:
    started: list[Path] = []
    monkeypatch.setattr(panel.process, "start", lambda file, *_args, **_more: started.append(file))
    QTest.mouseClick(panel.start_button, LEFT)
    assert f"is kept in {started[0].parent}" in panel.note.text()
    assert "Save the project" in panel.note.text()
