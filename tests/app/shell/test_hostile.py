"""What people do to a program: open something else in the middle of a run, press Escape, drop what it made itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from ridewright.app.shell.application import offer_recovery, own_settings
from ridewright.app.shell.commands.guard import guarded
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import dialogs
from ridewright.core.edits.points import move_points
from ridewright.core.project.examples import load_example
from ridewright.core.results.file import write_results
from ridewright.core.run.simulate import simulate


def _short(name: str):
    project = load_example(name)
    ride = project.scenario.model_copy(update={"duration": 0.5, "end_place": None})
    return project.model_copy(update={"scenario": ride})


def test_that_a_run_does_not_come_into_the_project_that_is_opened_meanwhile(
    qtbot, studio: MainWindow
) -> None:
    document, runner = studio.document, studio.runner
    runner.start(document.project)
    runner.start(document.project)
    qtbot.waitUntil(lambda: runner.running, timeout=5000)
    document.start_from(load_example("straight"))
    qtbot.waitUntil(lambda: not runner.running, timeout=180_000)
    assert document.runs == ()
    assert runner.queue == ()
    assert "was ended" in studio.log_panel.text.toPlainText()
    runner.start(_short("straight"))
    qtbot.waitUntil(lambda: len(document.runs) == 1, timeout=180_000)
    assert document.runs[0].name == "Run 1"


def test_that_asking_twice_for_the_same_run_gives_one(qtbot, studio: MainWindow) -> None:
    for _ in range(3):
        QTest.keyClick(studio, Qt.Key.Key_F5)
    assert studio.runner.running
    assert studio.runner.queue == ()
    assert "already being run" in studio.log_panel.text.toPlainText()
    changed = move_points(studio.document.project, "climb", [5], (0.0, 0.0, 0.1))
    studio.document.apply("Move", changed)
    QTest.keyClick(studio, Qt.Key.Key_F5)
    assert [job.project for job in studio.runner.queue] == [changed]
    studio.runner.restart()
    qtbot.waitUntil(lambda: not studio.runner.running, timeout=180_000)


def test_that_results_dropped_on_the_window_are_shown(studio: MainWindow, unexpected, tmp_path: Path) -> None:
    file = tmp_path / "kept.h5"
    write_results(simulate(_short("straight")), file)
    studio.files.take(file)
    assert unexpected == []
    assert [run.name for run in studio.document.runs] == ["kept"]


def test_that_opening_a_project_does_not_widen_the_window(qtbot, studio: MainWindow, tmp_path: Path) -> None:
    studio.runner.start(_short("straight"))
    qtbot.waitUntil(lambda: studio.document.current_run is not None, timeout=180_000)
    QApplication.processEvents()
    wide = studio.width()
    studio.document.start_from(load_example("straight"))
    QApplication.processEvents()
    assert studio.width() == wide


def test_that_escape_keeps_recovered_work_for_the_next_time(studio: MainWindow) -> None:
    document = studio.document
    document.apply("Move", move_points(document.project, "climb", [5], (0.0, 0.0, 1.0)))
    studio.recovery.write()
    dead = studio.recovery.file.with_name("1-dead.recovery")
    dead.write_bytes(studio.recovery.file.read_bytes())
    document.undo_stack.undo()

    def answer(*keys: Qt.Key) -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        for key in keys:
            QTest.keyClick(box, key)

    QTimer.singleShot(200, lambda: answer(Qt.Key.Key_Escape))
    offer_recovery(studio)
    assert dead.exists()
    assert not document.is_modified
    QTimer.singleShot(200, lambda: answer(Qt.Key.Key_Return))
    offer_recovery(studio)
    assert document.is_modified
    assert not dead.exists()


def test_that_the_tour_names_the_open_project_and_ends_with_escape(qtbot, studio: MainWindow) -> None:
    studio.document.start_from(load_example("straight"))
    studio.start_tour()
    assert studio.tour is not None
    assert studio.document.project.name in studio.tour.title.text()
    qtbot.waitUntil(studio.tour.next.hasFocus, timeout=2000)
    QTest.keyClick(studio.tour.next, Qt.Key.Key_Escape)
    assert studio.tour is None


def test_that_a_home_that_cannot_be_written_does_not_keep_the_window_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("ridewright.app.shell.application.data_folder", lambda: tmp_path / "file" / "data")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    settings, told = own_settings()
    assert settings.folder.is_dir()
    assert str(settings.folder) in told


@pytest.mark.parametrize("what", ["settings.ini", "studio.log"])
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir])
def test_that_a_pipe_or_a_folder_in_place_of_its_own_files_keeps_nothing_waiting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what, make
) -> None:
    monkeypatch.setattr("ridewright.app.shell.application.data_folder", lambda: tmp_path)
    monkeypatch.setattr("ridewright.app.shell.application.settings_file", lambda: tmp_path / "settings.ini")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    make(tmp_path / what)
    settings, told = own_settings()
    assert settings.folder not in (tmp_path, tmp_path / what)
    assert f"{tmp_path / what}: is no file" in told


def test_that_file_trouble_without_a_name_is_told_by_its_reason(studio: MainWindow, unexpected) -> None:
    class Commands:
        def __init__(self) -> None:
            self.studio = studio.files.studio

        @guarded("Not written")
        def write(self) -> None:
            raise OSError(28, "No space left on device")

    Commands().write()
    assert unexpected == ["Not written: no space left on the disk."]


def test_that_tab_stays_among_what_is_seen_and_leaves_tables(studio: MainWindow) -> None:
    for name in studio.docks:
        studio.panels[name]
    studio.show_panel("points")
    QApplication.processEvents()
    studio.panels["points"].table.setFocus()
    seen = []
    for _ in range(60):
        now = QApplication.focusWidget()
        assert now is not None
        seen.append(now)
        for dock in studio.docks.values():
            assert not (dock.isAncestorOf(now) and dock.visibleRegion().isEmpty()), dock.objectName()
        QTest.keyClick(now, Qt.Key.Key_Tab)
    assert len(set(seen)) > 20


def test_that_dialogs_answer_as_they_are_asked(studio: MainWindow) -> None:
    def press(text: str) -> None:
        box = QApplication.activeModalWidget()
        button = next(b for b in box.buttons() if b.text() == text)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    for text, expected in (("Yes", True), ("No", False), ("Later", None)):
        QTimer.singleShot(100, lambda text=text: press(text))
        assert dialogs.ask(studio, "Title", "Text", "Yes", "No", "Later") is expected
