"""The picture of a study: points, means over a parameter, parallel coordinates; a click chooses a run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from ridewright.app.studies.plot import MEANS, PARALLEL, StudyPlot
from ridewright.core.studies.front import front_of
from ridewright.core.studies.store import Table
from ridewright.core.studies.study import parse_study
from tests.app.mouse_and_keyboard import settle
from tests.app.settling import until_exposed

STUDY = {
    "format": "ridewright-study", "name": "plot", "ride": "function",
    "function": "tests.core.studies.functions:ishigami",
    "parameters": [
        {"name": "a", "low": 1.0, "high": 4.0},
        {"name": "b", "low": 0.0, "high": 1.0},
    ],
    "plan": {"kind": "monte_carlo", "runs": 9, "seed": 1},
}  # fmt: skip


@pytest.fixture
def plot(qtbot) -> StudyPlot:
    """Nine runs: three values of a, three of b; the number is a^2 + b, the margin falls below 0 at a = 4."""
    made = StudyPlot()
    qtbot.addWidget(made)
    made.resize(700, 420)
    made.show()
    a, b = (x.ravel() for x in np.meshgrid([1.0, 2.0, 4.0], [0.1, 0.2, 0.9], indexing="ij"))
    made.show_table(table(a, b))
    until_exposed(qtbot, made)
    return made


def table(a: np.ndarray, b: np.ndarray) -> Table:
    n = len(a)
    return Table(
        study=parse_study(STUDY, "plot"),
        run=np.arange(n) + 1, state=np.zeros(n, dtype=int), values=np.column_stack([a, b]),
        numbers={"margin": 3.0 - a, "load": a**2 + b}, message=("",) * n, texts={},
    )  # fmt: skip


def choose(plot: StudyPlot, kind: str, up: str = "load", across: str = "a") -> None:
    plot.kind.setCurrentText(kind)
    for box, name in ((plot.up, up), (plot.across, across)):
        box.setCurrentIndex(box.findData(name))
    for box in (plot.kind, plot.up, plot.across):
        box.activated.emit(box.currentIndex())
    settle()


def test_that_means_lie_at_the_values_with_their_standard_errors(plot: StudyPlot) -> None:
    choose(plot, MEANS)
    x, y = plot.means.getData()
    assert x == pytest.approx([1.0, 2.0, 4.0])
    assert y == pytest.approx(np.array([1.0, 4.0, 16.0]) + 0.4)
    error = np.std([0.1, 0.2, 0.9], ddof=1) / np.sqrt(3.0)
    assert plot.errors.opts["height"] == pytest.approx(2.0 * error)
    assert len(plot.points.points()) == 9
    choose(plot, MEANS, across="margin")  # no parameter: no means
    assert plot.means not in plot.plot.getPlotItem().items


def test_that_a_line_of_the_parallel_coordinates_is_its_run_and_a_click_chooses_it(
    qtbot, plot: StudyPlot
) -> None:
    choose(plot, PARALLEL)
    assert plot.lines.shares.shape == (9, 3)  # a, b, load
    assert plot.lines.shares[7] == pytest.approx([1.0, (0.2 - 0.1) / 0.8, (16.2 - 1.1) / (16.9 - 1.1)])
    assert not plot.points.points().size
    # three runs have this value of b: between the axes they part
    half = 0.5 * (plot.lines.shares[7, 1] + plot.lines.shares[7, 2])
    place = plot.plot.getViewBox().mapViewToScene(QPointF(1.5, half))
    with qtbot.waitSignal(plot.chosen, timeout=2000) as told:
        QTest.mouseClick(plot.plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.plot.mapFromScene(place))
    assert told.args == [8]
    texts = [text for _, text in plot.plot.getAxis("bottom")._tickLevels[0]]
    assert texts[0].startswith("a")
    assert "1 … 4" in texts[0]
    choose(plot, MEANS)
    assert plot.lines.shares.size == 0


def test_that_the_best_designs_of_a_search_stand_out_and_a_click_chooses_one(qtbot, plot: StudyPlot) -> None:
    goals = {
        "optimise": {"goals": [{"name": "load"}, {"name": "margin", "sense": "maximise"}, {"name": "b"}]}
    }
    a, b = np.array([1.0, 2.0, 4.0, 2.0]), np.array([0.9, 0.5, 0.1, 0.6])
    found = table(a, b)
    numbers = {"load": a, "margin": np.array([1.0, 2.0, 0.5, 1.5]), "b": b}
    found = replace(found, study=parse_study({**STUDY, **goals}, "plot"), numbers=numbers)
    front = front_of(found)
    assert front.runs == (1, 2, 3)  # the fourth is worse than the second in everything
    plot.show_table(found, front=front)
    settle()
    assert (plot.across.currentText(), plot.up.currentText()) == (
        "load",
        "Least margin",
    )  # its first two goals
    points = {int(p.data()): p for p in plot.points.points()}
    assert {run: p.symbol() for run, p in points.items()} == {1: "d", 2: "d", 3: "d", 4: "o"}
    place = plot.plot.getViewBox().mapViewToScene(points[2].pos())
    with qtbot.waitSignal(plot.chosen, timeout=2000) as told:
        QTest.mouseClick(plot.plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.plot.mapFromScene(place))
    assert told.args == [2]


def test_that_its_choices_do_not_widen_a_narrow_window(plot: StudyPlot) -> None:
    assert plot.minimumSizeHint().width() < 240  # px, of the 720 that a window of 1024 has for the panel
