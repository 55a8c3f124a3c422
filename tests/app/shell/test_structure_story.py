"""Structures by mouse and keyboard: from a mesh to the hottest spot at its instant, and two hundred random actions on
a project with a beam and an imported mesh, which undo leads back from."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from mouse_and_keyboard import choose, settle, type_into
from PySide6.QtCore import QEventLoop, QPoint, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from ridewright.app.document.selection import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.tools.structure_dialog import FREE, StructureDialog
from ridewright.app.widgets import dialogs
from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import add_element, set_element
from ridewright.core.model.flexible import BeamSection, FlexibleBody
from ridewright.core.multibody.import_structure import flexible_of, source_of_mesh
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, load_project
from ridewright.core.structure.solids import Material
from tests.core.cli.test_import_structure import ARM, _rig

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
HARMLESS = ("propagateSizeHints", "XDG_RUNTIME_DIR")  # of the platform, not of the program
SETS = [
    {"name": "root", "position": [0.0, 0.0, 0.0], "set": "ROOT"},
    {"name": "tip", "position": [2.4, 0.25, 0.0], "set": "TIP"},
]


def _files(folder: Path) -> Path:
    """A mesh with its interfaces beside it."""
    (folder / "arm.inp").write_bytes((ARM / "arm.inp").read_bytes())
    (folder / "interface.json").write_text(json.dumps(SETS), encoding="utf-8")
    return folder / "arm.inp"


def _heavy_head(folder: Path) -> Project:
    """A head that sinks on an arm which it has yet to be joined to."""
    _rig(folder / "rig.ridewright")
    heavy = {"mass": 200.0, "inertia": (4.0, 5.0, 6.0)}
    project = set_element(load_project(folder / "rig.ridewright"), "body", ("Head",), heavy)
    scenario = project.scenario.model_copy(update={"duration": 0.2})
    return project.model_copy(update={"gravity": (0.0, 0.0, -9.81), "scenario": scenario})


def _in_dialog(act: Callable[[StructureDialog], None]) -> None:
    """Do something with the import dialog as soon as it is open."""

    def wait() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, StructureDialog) and dialog.isVisible():
            act(dialog)
        else:
            QTimer.singleShot(20, wait)

    QTimer.singleShot(20, wait)


def _until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait within whatever is open."""
    loop, ends = QEventLoop(), QTimer()
    ends.setSingleShot(True)
    ends.timeout.connect(loop.quit)
    ends.start(int(1000 * seconds))
    while not holds() and ends.isActive():
        loop.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    assert holds()


def _pick(box: QComboBox, text: str) -> None:
    """Choose from a list by keyboard."""
    box.setFocus()
    for _ in range(box.count()):
        if box.currentText() == text:
            return
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text


@pytest.mark.nightly
def test_that_a_mesh_is_imported_reduced_played_bent_and_its_hottest_spot_clicked(
    qtbot: QtBot, studio: MainWindow, wait_for_run, tmp_path: Path, monkeypatch, unexpected: list[str]
) -> None:
    pytest.importorskip("skfem")
    document, file = studio.document, _files(tmp_path)
    document.start_from(_heavy_head(tmp_path))
    monkeypatch.setattr(dialogs, "file_to_open", lambda *_a, **_k: file)

    def reduce(dialog: StructureDialog) -> None:
        _pick(dialog.joins["root"], "ground")
        _pick(dialog.joins["tip"], "Head")
        QTest.mouseClick(dialog.reduce_button, LEFT)
        _until(dialog.take_button.isEnabled)
        QTest.mouseClick(dialog.take_button, LEFT)

    _in_dialog(reduce)
    choose(studio, "File", "Import structure…")
    assert document.selection == Selection("flexible", ("Arm",))

    # fewer internal modes, by keyboard
    type_into(studio.panels["inspector"], "Damping ratio", "0.02")
    assert document.project.assembly is not None
    assert document.project.assembly.flexibles[0].ratio == 0.02

    # run and play, drawn bent and in colours
    studio.activateWindow()
    qtbot.waitUntil(studio.isActiveWindow, timeout=20_000)
    QTest.keyClick(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    run = document.current_run
    assert run is not None, document.problems
    studio.viewer.finish_pending()
    layer = studio.viewer.scene.flexible
    (mesh,) = layer.meshes
    start = np.array(mesh.points)
    studio.playback.seek(0.0)
    QTest.keyClick(studio.viewer.plotter, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.playback.time > 0.05, timeout=20_000)
    studio.playback.pause()
    assert np.abs(np.array(mesh.points) - start).max() > 1e-4

    # the hottest spot: its row leads to its instant, and so does a click on it in the picture
    studio.show_panel("stress")
    panel = studio.panels["stress"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=60_000)
    panel.sorting.setCurrentIndex(1)
    at = panel.table.visualItemRect(panel.table.item(0, 0)).center()
    QTest.mouseClick(panel.table.viewport(), LEFT, pos=at)
    hottest = panel._chosen
    assert hottest is not None
    assert studio.playback.time == pytest.approx(hottest.time)
    studio.viewer.frame_all()
    settle()
    places = panel._found.places[0]
    on_top = int(np.argmin(np.linalg.norm(places - [1.2, 0.0, places[:, 2].max()], axis=1)))
    index = int(np.argmin(np.linalg.norm(layer._bodies[0].skin.points - places[on_top], axis=1)))
    x, y = studio.viewer.world_to_screen(np.array([np.array(mesh.points)[index]]))[0]
    studio.playback.seek(0.0)
    QTest.mouseClick(studio.viewer.plotter, LEFT, NONE, QPoint(round(x), round(y)))
    settle()
    assert document.selection == Selection("flexible", ("Arm",))
    clicked = panel._chosen
    assert np.linalg.norm(places[clicked.number] - places[on_top]) < 0.3
    assert clicked is not hottest
    assert studio.playback.time == pytest.approx(clicked.time)
    assert studio.playback.time > 0.0
    assert unexpected == []


class _Engineer:
    """Does at random what one does with structures."""

    def __init__(self, window: MainWindow, seed: int, file: Path) -> None:
        self.window, self.random, self.file = window, random.Random(seed), file
        self.done: dict[str, int] = {}
        self.refused: list[str] = []
        self.arm = self._imported()
        self.ways: tuple[tuple[int, Callable[[], None]], ...] = (
            (20, self.type_field), (16, self.section), (12, self.tie), (8, self.flags), (14, self.playback),
            (8, self.enlarge), (10, self.click_spot), (10, self.click_row), (6, self.envelope), (5, self.run),
            (10, self.bring), (8, self.delete), (14, self.undo), (6, self.swing), (2, self.dialog),
            (24, self.rows), (6, self.count),
        )  # fmt: skip

    def act(self) -> None:
        ways = self.ways
        (way,) = self.random.choices([w for _, w in ways], [n for n, _ in ways])
        self.done[way.__name__] = self.done.get(way.__name__, 0) + 1
        way()
        settle()

    def _imported(self) -> FlexibleBody:
        source = source_of_mesh(self.file, Material())
        frames = self.file.with_name("interface.json")
        return flexible_of(source, frames, {"root": "Bearing", "tip": "Seats"}, 4, "Arm").body

    def _one(self) -> FlexibleBody | None:
        top = self.window.document.project.assembly
        return self.random.choice(top.flexibles) if top is not None and top.flexibles else None

    def _edit(self, text: str, make: Callable[[Project], Project]) -> None:
        """An edit as a panel makes it: what is not allowed is a sentence."""
        try:
            self.window.document.apply(text, make(self.window.document.project))
        except InputError as error:
            self.refused.append(str(error))

    def type_field(self) -> None:
        body = self._one()
        if body is None:
            return
        self.window.document.select(Selection("flexible", (body.name,)))
        settle()
        inspector = self.window.panels["inspector"]
        lines = [w for w in inspector.findChildren(QLineEdit) if w.isVisible() and w.isEnabled()]
        line = self.random.choice(lines)
        inspector.ensureWidgetVisible(line)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(
            line, self.random.choice(("3", "0", "0.02", "12", "-1", "200", "abc", "Rod", "1e3", ""))
        )
        QTest.keyClick(line, Qt.Key.Key_Return)

    def section(self) -> None:
        body = self._one()
        if body is None or not body.beams:
            return
        size, wall = self.random.uniform(0.2, 0.7), self.random.choice((0.006, 0.012, 0.4))
        box = BeamSection(shape="box", width=size, height=size, wall=wall)
        section = self.random.choice((box, BeamSection(shape="tube", diameter=size, wall=wall)))
        beams = tuple(beam.model_copy(update={"section": section}) for beam in body.beams)
        self._edit("Section", lambda p: set_element(p, "flexible", (body.name,), {"beams": beams}))

    def rows(self) -> None:
        """In the panel of lists: another list, rows chosen, added, copied, deleted, a cell typed into."""
        self.window.show_panel("structure")
        panel = self.window.panels["structure"]
        settle()
        if not panel.table.isVisible():
            return
        panel.tabs.setCurrentIndex(self.random.randrange(panel.tabs.count()))
        settle()
        model = panel.model
        if model.rowCount():
            cell = model.index(
                self.random.randrange(model.rowCount()), self.random.randrange(model.columnCount())
            )
            modifier = self.random.choice((NONE, NONE, Qt.KeyboardModifier.ControlModifier))
            at = panel.table.visualRect(cell).center()
            QTest.mouseClick(panel.table.viewport(), LEFT, modifier, at)
            settle()
        act = self.random.choice(("add", "duplicate", "delete", "copy", "paste", "type", "type"))
        if act != "type":
            QTest.mouseClick(panel.buttons[act], LEFT)
        elif model.rowCount():
            text = self.random.choice(("3", "1.5*2", "-2", "abc", "top", "", "12 ft"))
            model.setData(panel.table.currentIndex(), text)
        self.refused += [panel.message.text()] if panel.message.text() else []

    def count(self) -> None:
        self.window.show_panel("stress")
        QTest.mouseClick(self.window.panels["stress"].counted, LEFT)

    def tie(self) -> None:
        body = self._one()
        if body is None:
            return
        bodies = ("ground", "Hub", "Bearing", "Seats")
        ties = tuple(one.model_copy(update={"body": self.random.choice(bodies)}) for one in body.interfaces)
        self._edit("Ties", lambda p: set_element(p, "flexible", (body.name,), {"interfaces": ties}))

    def flags(self) -> None:
        body = self._one()
        if body is not None:
            damping = self.random.choice(({"damping": "proportional", "beta": 1e-4}, {"damping": "modal"}))
            change = {**damping, "stiffening": self.random.random() < 0.5}
            self._edit("Damping", lambda p: set_element(p, "flexible", (body.name,), change))

    def playback(self) -> None:
        if self.random.random() < 0.5:
            QTest.keyClick(self.window.viewer.plotter, Qt.Key.Key_Space)
            QTest.qWait(60)
        else:
            self.window.playback.seek(self.random.uniform(0.0, 0.4))

    def enlarge(self) -> None:
        box = self.window.viewer.show_menu.bending
        box.setCurrentIndex(self.random.randrange(box.count()))

    def click_spot(self) -> None:
        meshes = self.window.viewer.scene.flexible.meshes
        if meshes:
            points = np.array(self.random.choice(meshes).points)
            x, y = self.window.viewer.world_to_screen(points[[self.random.randrange(len(points))]])[0]
            if abs(x) < 1e4 and abs(y) < 1e4:
                self.window.viewer.plotter.clicked.emit(float(x), float(y), NONE)

    def click_row(self) -> None:
        self.window.show_panel("stress")
        table = self.window.panels["stress"].table
        if table.isVisible() and table.rowCount():
            at = table.visualItemRect(table.item(self.random.randrange(min(3, table.rowCount())), 0)).center()
            QTest.mouseClick(table.viewport(), LEFT, pos=at)

    def envelope(self) -> None:
        self.window.show_panel("stress")
        QTest.mouseClick(self.window.panels["stress"].worst, LEFT)

    def run(self) -> None:
        QTest.keyClick(self.window, Qt.Key.Key_F5)
        _until(lambda: not self.window.runner.running and not self.window.runner.queue, 120.0)

    def bring(self) -> None:
        """The imported arm once more."""
        self._edit("Import structure arm.inp", lambda p: add_element(p, "flexible", (), self.arm)[0])

    def delete(self) -> None:
        body = self._one()
        if body is not None:
            self.window.document.select(Selection("flexible", (body.name,)))
            self.window.viewer.plotter.setFocus()
            QTest.keyClick(self.window.viewer.plotter, Qt.Key.Key_Delete)

    def undo(self) -> None:
        keys = self.random.choice(("Ctrl+Z", "Ctrl+Z", "Ctrl+Shift+Z"))
        self.window.viewer.plotter.setFocus()
        QTest.keySequence(self.window, keys)

    def swing(self) -> None:
        self.window.show_panel("modes")
        panel = self.window.panels["modes"]
        panel.about.setCurrentIndex(self.random.randrange(panel.about.count()))
        if panel.button.isEnabled():
            QTest.mouseClick(panel.button, LEFT)
            _until(panel.button.isEnabled)
        if panel.animate.isEnabled():
            panel.table.selectRow(self.random.randrange(max(1, panel.table.rowCount())))
            QTest.mouseClick(panel.animate, LEFT)
            QTest.qWait(60)

    def dialog(self) -> None:
        """The dialog of the import, where it is joined at random, and given up or taken."""

        def reduce(dialog: StructureDialog) -> None:
            for box in dialog.joins.values():
                _pick(box, self.random.choice([box.itemText(k) for k in range(box.count())]))
            if self.random.random() < 0.7 and any(b.currentText() != FREE for b in dialog.joins.values()):
                QTest.mouseClick(dialog.reduce_button, LEFT)
                _until(dialog.reduce_button.isEnabled)
            button = dialog.take_button if dialog.take_button.isEnabled() else dialog.buttons.buttons()[-1]
            QTest.mouseClick(button, LEFT)
            if dialog.isVisible():
                dialog.reject()

        _in_dialog(reduce)
        self.window.files.import_structure_path(self.file)


@pytest.mark.nightly
@pytest.mark.new_window
@pytest.mark.parametrize("seed", [1, 2])
def test_that_two_hundred_random_actions_on_structures_leave_nothing_and_undo_to_the_start(
    qtbot: QtBot, studio: MainWindow, seed: int, tmp_path: Path, unexpected: list[str]
) -> None:
    pytest.importorskip("skfem")
    document, told = studio.document, []
    project = load_example("swing_beam")
    project = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.4})})
    engineer = _Engineer(studio, seed, _files(tmp_path))
    document.start_from(add_element(project, "flexible", (), engineer.arm)[0])
    settle()
    before, running = document.project, {thread.name for thread in threading.enumerate()}

    def note(kind: QtMsgType, _context: object, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not any(word in text for word in HARMLESS):
            told.append(text)

    qInstallMessageHandler(note)
    try:
        for _ in range(200):
            engineer.act()
    finally:
        qInstallMessageHandler(None)
    assert len(engineer.done) >= len(engineer.ways) - 1
    assert told == []
    assert all(sentence.endswith(".") and "\n" not in sentence for sentence in engineer.refused)
    document.save_as(tmp_path / "after.ridewright")
    assert load_project(tmp_path / "after.ridewright") == document.project
    assert document.undo_stack.count() > 10
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    settle()
    assert document.project == before
    left = {thread.name for thread in threading.enumerate()} - running
    assert not [name for name in left if not name.startswith(("QThread", "Dummy"))]
