"""The Stress panel by mouse: hot spots in order, their history, the largest instant, the way from the picture."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.document.selection import Selection
from ridewright.app.plots.hot_spots import APART, find
from ridewright.app.plots.stress import StressPanel
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.view3d.colouring import colour_map
from ridewright.app.view3d.mesh import COLOUR
from ridewright.app.widgets import units
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.problem_finder import BENDING, bending_problems
from ridewright.core.api import rigid_run
from ridewright.core.base.bundled import example_title
from ridewright.core.edits.elements import set_element
from ridewright.core.outcome.fatigue import fatigue
from ridewright.core.outcome.load_ranges import load_ranges
from ridewright.core.outcome.stress import stress_of
from ridewright.core.outcome.stress_life import planned
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate


@pytest.fixture
def run(swung: Run) -> Run:
    return swung


@pytest.fixture
def panel(stress_panel: StressPanel) -> StressPanel:
    return stress_panel


def _shown(qtbot: QtBot, studio: MainWindow, run: Run) -> StressPanel:
    """The panel of the window with the hot spots of a run."""
    studio.document.start_from(run.project)
    studio.document.add_run(run)
    studio.show_panel("stress")
    panel: StressPanel = studio.panels["stress"]
    qtbot.waitUntil(lambda: bool(panel._spots), timeout=60_000)
    return panel


def _click(qtbot: QtBot, panel: StressPanel, row: int) -> None:
    at = panel.table.visualRect(panel.table.model().index(row, 0)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_that_a_double_click_on_a_hot_spot_leads_to_judge_and_escape_back(
    qtbot: QtBot, studio: MainWindow, run: Run
) -> None:
    panel = _shown(qtbot, studio, run)
    home, row = studio.workspaces.now.id, 2
    assert home != "judge"
    at = panel.table.visualRect(panel.table.model().index(row, 0)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert studio.workspaces.now.id == home  # a single click looks at its history
    qtbot.mouseDClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert studio.workspaces.now.id == "judge"
    assert studio.playback.time == pytest.approx(panel._spots[row].time)
    qtbot.keyClick(studio.viewer.plotter, Qt.Key.Key_Escape)
    assert studio.workspaces.now.id == home
    viewer = studio.viewer
    studio.playback.seek(0.0)
    viewer.finish_pending()
    viewer.frame_all()
    points = viewer.scene.flexible._bodies[0].mesh.points
    x, y = viewer.world_to_screen(0.5 * (points.min(axis=0) + points.max(axis=0))[None])[0]
    viewer.plotter.double_clicked.emit(float(x), float(y))
    assert studio.workspaces.now.id == "judge"
    assert studio.playback.time == pytest.approx(panel._chosen.time)
    assert studio.playback.time > 0.0
    qtbot.keyClick(studio.viewer.plotter, Qt.Key.Key_Escape)
    assert studio.workspaces.now.id == home


def test_that_hot_spots_are_apart_and_in_order_and_the_first_is_the_hottest(run: Run) -> None:
    found = find(run.results)
    (one,) = stress_of(run.results)
    envelope = one.superposition.envelope(one.modal)
    for by_range, heat in ((True, envelope.high - envelope.low), (False, envelope.worst)):
        spots = found.hottest(by_range)
        listed = [spot.range if by_range else spot.worst for spot in spots]
        assert listed == sorted(listed, reverse=True)
        assert listed[0] == heat.max()
        places = found.places[0][[spot.number for spot in spots]]
        size = np.linalg.norm(np.ptp(found.places[0], axis=0))
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(len(places)) * size
        assert gaps.min() > APART * size
    nearest = found.nearest(one.flexible.name, found.places[0][17] + 1e-4)
    assert nearest is not None
    np.testing.assert_allclose(found.places[0][nearest.number], found.places[0][17])
    assert found.nearest("nobody", np.zeros(3)) is None


def test_that_a_click_on_a_row_shows_its_history_and_goes_to_its_largest_stress(
    qtbot: QtBot, panel: StressPanel, playback: Playback, run: Run
) -> None:
    (one,) = stress_of(run.results)
    envelope = one.superposition.envelope(one.modal)
    panel.sorting.setCurrentIndex(1)
    assert panel.table.item(0, 5).text() == units.text(envelope.worst.max(), "MPa")
    with qtbot.waitSignal(panel.marked) as told:
        _click(qtbot, panel, 2)
    stresses = find(run.results)
    spot = stresses.hottest(by_range=False)[2]
    plan = planned(run.results)
    history = one.superposition.at(spot.number, one.modal)[0]
    share = fatigue(history, plan.detail).damage * plan.rides
    assert stresses.lives[0, spot.number] == pytest.approx(share)
    assert panel.table.item(2, 7).text() == f"{100.0 * share:.3g} %"
    assert "Life used" in panel.said.text()
    assert told.args[0] == "Main beam"
    assert playback.time == pytest.approx(spot.time)
    signed, mises = one.superposition.at(spot.number, one.modal)
    drawn = {content.key: content.curves[0].values for content in panel.make_contents()}
    np.testing.assert_array_equal(drawn["signed"], signed)
    np.testing.assert_array_equal(drawn["mises"], mises)
    assert mises.max() == pytest.approx(spot.worst)


def test_that_a_place_of_the_picture_chooses_its_spot(
    panel: StressPanel, playback: Playback, run: Run
) -> None:
    found = find(run.results)
    number = int(found.envelopes[0].worst.argmin())
    panel.choose("Main beam", found.places[0][number])
    near = found.nearest("Main beam", found.places[0][number])
    assert near is not None
    assert playback.time == pytest.approx(near.time)
    assert panel.pages.currentIndex() == 1


def test_that_load_cases_of_the_rigid_ride_take_the_place_of_those_of_the_run(
    qtbot: QtBot, panel: StressPanel, run: Run
) -> None:
    (one,) = stress_of(run.results)
    own, rigid = one.cases("bottom", "top"), one.cases("bottom", "top", rigid=rigid_run(run.results))
    for case, head, item in ((rigid, "Rigid", "Rigid load cases"), (own, "Cases", "Load cases")):
        qtbot.mouseClick(panel.rigid, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda item=item: panel.of.itemText(2).startswith(item), timeout=60_000)
        assert panel.table.horizontalHeaderItem(9).text() == f"{head}, bottom loaded"
        text = units.text(float(case.worst[panel._spots[0].number]), "MPa")
        assert panel.table.item(0, 9).text() == text
    assert not np.allclose(own.worst, rigid.worst, rtol=0.01)


def test_that_a_run_without_flexible_bodies_says_what_would_be_here(
    qtbot: QtBot, with_run: Document, playback: Playback, settings: Settings
) -> None:
    panel = StressPanel(with_run, playback, settings)
    qtbot.addWidget(panel)
    panel.show()
    panel.refresh()
    assert panel.pages.currentIndex() == 0
    assert f"“{example_title('swing_beam')}”" in panel.empty.text()
    with_run.start_from(load_example("swing_beam"))  # has one, and no run yet
    assert panel.empty.text() == panel.unridden_text


def test_that_the_beam_in_the_picture_leads_to_the_table_and_takes_the_colours_of_the_envelope(
    qtbot: QtBot, studio: MainWindow, run: Run
) -> None:
    panel = _shown(qtbot, studio, run)
    viewer = studio.viewer
    viewer.finish_pending()
    viewer.frame_all()
    layer = viewer.scene.flexible
    body = layer._bodies[0]
    middle = 0.5 * (body.mesh.points.min(axis=0) + body.mesh.points.max(axis=0))
    x, y = viewer.world_to_screen(np.array([middle]))[0]
    viewer.plotter.clicked.emit(float(x), float(y), Qt.KeyboardModifier.NoModifier)
    spot = panel._chosen
    assert spot is not None
    assert studio.playback.time == pytest.approx(spot.time)
    assert abs(panel._found.places[0][spot.number, 2] + 4.0) < 1.0
    assert studio.document.selection == Selection("flexible", ("Main beam",), (0,), rows="beams")
    viewer.finish_pending()
    assert [node.tolist() for _, node, _ in viewer._highlight._nodes] == [[0.0, 0.0, 0.0], [0.0, 0.0, -8.0]]
    assert layer._dot is not None
    assert layer._dot[1].visibility
    shown = np.array(body.mesh.point_data[COLOUR])
    qtbot.mouseClick(panel.worst, Qt.MouseButton.LeftButton)
    worst = np.array(body.mesh.point_data[COLOUR])
    assert (
        (worst == colour_map(signed=False, light=viewer.scene.colours.name == "light")[255]).all(axis=1).any()
    )
    assert not np.array_equal(shown, worst)
    qtbot.mouseClick(panel.worst, Qt.MouseButton.LeftButton)
    assert np.array_equal(np.array(body.mesh.point_data[COLOUR]), shown)


def test_that_too_few_internal_modes_are_a_problem_that_leads_to_the_body_and_its_way_out(
    qtbot: QtBot, studio: MainWindow
) -> None:
    project = set_element(load_example("swing_beam"), "flexible", ("Main beam",), {"modes": 0})
    project = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 3.0})})
    document = studio.document
    document.start_from(project)
    document.add_run(Run("Run 1", simulate(project), project))
    qtbot.waitUntil(lambda: any(p.source == BENDING for p in document.problems), timeout=20_000)
    (problem,) = (p for p in document.problems if p.source == BENDING)
    assert problem.text.startswith("'Main beam': Forces at its interfaces reach 18 Hz")
    studio.show_panel("problems")
    table = studio.panels["problems"].table
    row = next(k for k in range(table.rowCount()) if table.item(k, 0).text() == problem.text)
    at = table.visualItemRect(table.item(row, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert document.selection == Selection("flexible", ("Main beam",))
    qtbot.mouseClick(table.cellWidget(row, 1), Qt.MouseButton.LeftButton)
    assert document.project.assembly.flexibles[0].modes == 2
    # the next run, which keeps them, has nothing to say
    enough = document.project
    document.add_run(Run("Run 2", simulate(enough), enough))
    qtbot.waitUntil(lambda: studio.finder.looked_at is document.runs[1])
    assert not any(p.source == BENDING for p in document.problems)
    document.show_run(document.runs[0])
    qtbot.waitUntil(lambda: studio.finder.looked_at is document.runs[0])
    assert [p.source for p in document.problems].count(BENDING) == 1
    assert bending_problems(document.runs[1]) == ()


def test_that_load_ranges_of_the_chosen_spot_are_counted_and_say_what_is_missing(
    qtbot: QtBot, panel: StressPanel, run: Run, monkeypatch
) -> None:
    pytest.importorskip("rainflow")
    (one,) = stress_of(run.results)
    qtbot.mouseClick(panel.counted, Qt.MouseButton.LeftButton)
    for row in (0, 2):
        _click(qtbot, panel, row)
        signed, _ = one.superposition.at(panel._spots[row].number, one.modal)
        edges, cycles = load_ranges(signed)
        qtbot.waitUntil(
            lambda edges=edges: bool(chart := panel.ranges.chart) and np.array_equal(chart.bars.upper, edges),
            timeout=20_000,
        )
        np.testing.assert_array_equal(panel.ranges.chart.bars.height, cycles)
        assert edges[-1] == pytest.approx(np.ptp(signed))
    assert panel.ranges.canvas.isVisible()
    assert not panel.grid.isVisible()
    monkeypatch.setitem(sys.modules, "rainflow", None)
    _click(qtbot, panel, 1)
    qtbot.waitUntil(lambda: "pip install 'ridewright[report]'" in panel.ranges.why.text(), timeout=20_000)
    assert panel.ranges.why.isVisible()
    qtbot.mouseClick(panel.counted, Qt.MouseButton.LeftButton)
    assert panel.grid.isVisible()


def test_that_load_cases_stand_beside_the_run_in_the_table_and_in_the_picture(
    qtbot: QtBot, studio: MainWindow, run: Run
) -> None:
    panel = _shown(qtbot, studio, run)
    studio.viewer.finish_pending()
    layer = studio.viewer.scene.flexible
    (one,) = stress_of(run.results)
    case = one.cases("bottom", "top")
    names = [panel.of.itemText(k) for k in range(panel.of.count())]
    assert names[1:] == [
        "Load cases: top loaded, bottom clamped",
        "Load cases: bottom loaded, top clamped",
    ]
    spot = panel._spots[0]
    assert panel.table.horizontalHeaderItem(9).text() == "Cases, bottom loaded"
    assert panel.table.item(0, 9).text() == units.text(float(case.worst[spot.number]), "MPa")
    of_run = layer.keys()[2][1]
    panel.of.setFocus()
    qtbot.keyClick(panel.of, Qt.Key.Key_End)
    panel.of.activated.emit(panel.of.currentIndex())  # as by Return in the open list
    assert panel.worst.isChecked()
    most = float(one.cases_outside(case).max())
    assert layer.keys()[2][1] == f"{units.text(most, 'MPa')}, the largest of the load cases"
    assert most == pytest.approx(case.worst.max(), rel=0.02)
    qtbot.mouseClick(panel.worst, Qt.MouseButton.LeftButton)
    assert layer.keys()[2][1] == of_run
