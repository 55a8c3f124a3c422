"""The Modes panel: what it lists, what swings in the 3D view, and what a change of the design does to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ridewright.app.document.runs import Run
from ridewright.app.modes.panel import ROW, ModesPanel
from ridewright.app.modes.shapes import Asked, damping_text, find, frequency_text, swing
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.view3d.mesh import COLOUR
from ridewright.app.work.task import end_tasks
from ridewright.core.cli.program import main
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import load_project
from ridewright.core.run.simulate import simulate
from tests.core.cli.test_import_structure import _rig, _words


def test_that_a_pendulum_swings_with_its_frequency_and_as_far_as_asked() -> None:
    project = load_example("planar_pendulum")
    found = find(Asked(project, None))
    assert found.trouble == ""
    mode = next(m for m in found.modes if m.kind == "swing")
    poses = swing(found, mode, 0.1)
    rest = found.position
    assert rest is not None
    places = np.array([poses.at(share)[0] for share in np.linspace(0.0, 1.0, 33)])
    assert np.abs(places - rest).max() == pytest.approx(0.1, rel=1e-3)
    assert np.abs(places[0] - places[-1]).max() < 1e-12  # one whole swing


def test_that_what_rounding_leaves_of_damping_is_none() -> None:
    found = find(Asked(load_example("spatial_pendulum"), None))
    assert {damping_text(mode) for mode in found.modes if mode.pole.imag > 0.0} == {"0 %"}


def test_that_trouble_is_told_in_the_panel(qtbot, document, playback) -> None:
    panel = ModesPanel(document, playback)
    qtbot.addWidget(panel)
    panel.about.setCurrentIndex(1)
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    assert "press F5" in panel.note.text()
    end_tasks(panel)


def test_that_an_instant_of_a_run_is_offered_where_there_is_a_run(qtbot, document, playback) -> None:
    panel = ModesPanel(document, playback)
    qtbot.addWidget(panel)
    assert not panel.about.model().item(1).isEnabled()
    project = set_scenario(load_example("planar_pendulum"), {"duration": 0.05})
    document.start_from(project)
    run = Run("Run", simulate(project), project)
    document.add_run(run)
    assert panel.about.model().item(1).isEnabled()
    panel.about.setCurrentIndex(1)
    document.drop_run(document.runs[-1])
    assert panel.about.currentIndex() == 0
    end_tasks(panel)


def test_that_modes_are_listed_swing_and_lead_to_their_body(qtbot, studio: MainWindow) -> None:
    studio.document.start_from(load_example("ellipsoid_double_pendulum"))
    studio.actions_table.by_id["modes"].trigger()
    panel = studio.panels["modes"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=120_000)
    assert f"All {panel.table.rowCount()} modes at rest" in panel.note.text()
    train = studio.viewer.scene.train
    drawn = train.position.copy()
    QTest.mouseClick(panel.animate, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: np.abs(train.position - drawn).max() > 0.01, timeout=5_000)
    QTest.mouseClick(panel.animate, Qt.MouseButton.LeftButton)
    assert np.array_equal(train.position, drawn)
    panel.table.itemDoubleClicked.emit(panel.table.item(0, 0))
    assert studio.document.selection.kind == "body"
    project = studio.document.project
    studio.document.apply("Less gravity", project.model_copy(update={"gravity": (0.0, 0.0, -1.6)}))
    assert "changed since" in panel.note.text()
    assert not panel.isHidden()


def test_that_modes_of_a_beam_alone_swing_with_its_ends_and_without_what_is_held() -> None:
    found = find(Asked(load_example("swing_beam"), None, "Main beam"))
    assert found.trouble == ""
    assert [mode.kind for mode in found.modes].count("static") == 12
    by_words = {mode.words: mode for mode in found.modes}
    assert frequency_text(by_words["internal 1"]) == "52.24"
    (bent,) = found.bent
    points = np.array(bent.bending.skin.points)
    bearing = found.names.index("Bearing")
    for words, moving in (("bottom along x", True), ("top about y", False), ("internal 1", False)):
        poses = swing(found, by_words[words], 0.2)
        places, turns = poses.at(0.0)
        drawn = poses.bends["Main beam"].skin.moved(poses.bent("Main beam", 0.0)) - bent.bending.centre
        moved = drawn @ turns[bent.body].T + places[bent.body] - points
        assert np.abs(moved).max() == pytest.approx(0.2, rel=1e-2)
        at_top, at_bottom = (
            np.abs(points[:, 2] - z) < 1e-6 for z in (points[:, 2].max(), points[:, 2].min())
        )
        held = {"bottom along x": at_top, "top about y": at_bottom, "internal 1": at_top | at_bottom}[words]
        assert np.abs(moved[held]).max() < 2e-3  # frames turn by finite angles, which is of second order
        gone = places[bearing] - found.position[bearing]
        assert gone == pytest.approx([0.2, 0.0, 0.0] if moving else np.zeros(3), abs=1e-3)
    assert find(Asked(load_example("swing_beam"), None, "Nobody")).trouble.endswith("choose another.")


def test_that_a_mode_of_a_flexible_body_bends_it_in_the_view_and_leaves_no_trace(
    qtbot, studio: MainWindow
) -> None:
    studio.document.start_from(load_example("swing_beam"))
    studio.actions_table.by_id["modes"].trigger()
    panel, layer = studio.panels["modes"], studio.viewer.scene.flexible
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0 and panel.button.isEnabled(), timeout=120_000)
    panel.about.setCurrentText("of “Main beam” alone")
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.table.rowCount() > 12 and "alone" in panel.note.text(), timeout=20_000)
    studio.viewer.finish_pending()
    (mesh,) = layer.meshes
    drawn, steel = np.array(mesh.points), np.array(mesh.point_data[COLOUR])
    rows = [panel.table.item(row, 2).text() for row in range(panel.table.rowCount())]
    assert rows[:12] == ["static"] * 12
    assert panel.table.horizontalHeaderItem(0).text() == "What moves"
    panel.table.selectRow(12)
    QTest.mouseClick(panel.animate, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: np.abs(np.array(mesh.points) - drawn).max() > 0.08, timeout=5_000)
    far = np.linalg.norm(np.array(mesh.points) - drawn, axis=1)
    ends = np.abs(drawn[:, 2] - drawn[:, 2].max()) < 1e-3
    assert far[ends].max() < 1e-3
    assert (np.array(mesh.point_data[COLOUR]) == layer._colours()[255]).all(axis=1).any()
    assert layer.keys()[1][1] == "moves most in the mode"
    panel.table.itemDoubleClicked.emit(panel.table.item(12, 0))
    assert studio.document.selection.kind == "flexible"
    QTest.mouseClick(panel.animate, Qt.MouseButton.LeftButton)
    assert np.array_equal(np.array(mesh.points), drawn)
    assert np.array_equal(np.array(mesh.point_data[COLOUR]), steel)
    assert layer.keys() == []
    studio.document.start_from(load_example("planar_pendulum"))
    assert panel.about.count() == 2


def test_that_an_imported_structure_alone_moves_at_one_interface_and_rests_at_the_other(
    tmp_path: Path,
) -> None:
    _rig(tmp_path / "rig.ridewright")
    assert main([*_words(tmp_path), "--join", "root=ground", "tip=Head"]) == 0
    found = find(Asked(load_project(tmp_path / "out.ridewright"), None, "Arm"))
    assert found.trouble == ""
    (bent,) = found.bent
    points, centre = np.array(bent.bending.skin.points, dtype=float), bent.bending.centre
    mode = next(mode for mode in found.modes if getattr(mode, "words", "") == "tip along z")
    poses = swing(found, mode, 0.02)
    places, turns = poses.at(0.0)
    drawn = bent.bending.skin.moved(poses.bent("Arm", 0.0)) - centre
    moved = drawn @ turns[bent.body].T + places[bent.body] - points
    assert np.abs(moved[points[:, 0] < 1e-6]).max() < 1e-4
    assert moved[points[:, 0] > 2.4 - 1e-6, 2] == pytest.approx(0.02, rel=0.02)
    head = found.names.index("Head")
    assert places[head] - found.position[head] == pytest.approx([0.0, 0.0, 0.02], abs=2e-4)


def test_that_a_cars_own_roll_comes_first_and_modes_are_filtered_and_sorted(
    qtbot, studio: MainWindow
) -> None:
    studio.actions_table.by_id["modes"].trigger()
    panel = studio.panels["modes"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=120_000)
    every = panel.table.rowCount()
    assert every == sum(mode.kind != "free" for mode in panel._found.modes) > 40  # all of them
    first = panel.table.item(0, 0).text()
    assert first.startswith("Car: roll")
    assert panel.table.item(0, 2).text() == "1.89"

    def texts(column: int) -> list[str]:
        return [panel.table.item(row, column).text() for row in range(panel.table.rowCount())]

    panel.kind.setFocus()
    QTest.keyClick(panel.kind, Qt.Key.Key_Down)  # oscillating
    assert 0 < panel.table.rowCount() < every
    assert all("%" in text for text in texts(3))
    assert f"{panel.table.rowCount()} of {every} modes" in panel.note.text()
    panel.kind.setCurrentIndex(0)
    QTest.keyClicks(panel.body, "head")
    assert 0 < panel.table.rowCount() < every
    assert all("head" in text.lower() for text in texts(0) if " 0 %" not in text)
    panel.body.clear()
    low, high = panel.range
    for entry, text in ((low, "1"), (high, "3")):
        entry.line.setFocus()
        QTest.keyClicks(entry.line, text)
        QTest.keyClick(entry.line, Qt.Key.Key_Return)
    shown = [row.mode.frequency for row in panel._modes]
    assert shown
    assert 1.0 <= min(shown) <= max(shown) <= 3.0
    header = panel.table.horizontalHeader()
    for _ in range(2):
        at = header.sectionViewportPosition(2) + 10
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at, header.height() // 2))
    sorted_rows = [panel._modes[int(panel.table.item(r, 0).data(ROW))] for r in range(panel.table.rowCount())]
    paces = [row.mode.frequency for row in sorted_rows]
    assert paces == sorted(paces, reverse=True)
    panel.table.selectRow(0)
    assert panel._mode() is sorted_rows[0].mode  # what swings is what is marked
    for entry in (low, high):
        entry.line.setFocus()
        entry.line.selectAll()
        QTest.keyClick(entry.line, Qt.Key.Key_Delete)
        QTest.keyClick(entry.line, Qt.Key.Key_Return)
    assert panel.table.rowCount() == every
