"""A whole track from an empty project, by mouse and keyboard only: built, saved, ridden, reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from building import add_device, choose_direction, insert, report
from mouse_and_keyboard import LEFT, choose, click_row, settle, type_into
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QListWidget, QPushButton

from ridewright.app.shell.main_window import MainWindow
from ridewright.core.pointmass.ride import preview_ride
from ridewright.core.project.project import load_project
from ridewright.core.track.build import build_track


def accept_library(row: int | None = None) -> None:
    """Press Add in the list of the library that is about to open; row: to be picked, else the one that is."""

    def press() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        if row is not None:
            dialog.findChildren(QListWidget)[0].setCurrentRow(row)
        button = next(b for b in dialog.findChildren(QPushButton) if b.text().replace("&", "") == "Add")
        QTest.mouseClick(button, LEFT)

    QTimer.singleShot(200, press)


def type_file(path: Path) -> None:
    """Type a name into the file dialog that is about to open."""

    def enter() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        line = dialog.findChildren(QLineEdit)[0]
        line.selectAll()
        QTest.keyClicks(line, str(path))
        QTest.keyClick(line, Qt.Key.Key_Return)

    QTimer.singleShot(300, enter)


def build(studio: MainWindow) -> None:
    """Lift, drop, loop, camelback, helix, brakes."""
    insert(studio, "Straight", Length="40")
    add_device(studio, "Station")
    insert(studio, "Valley or crest", Radius="20", Angle_of_turn="28", Transition_in="8", Transition_out="8")
    add_device(studio, "Chain lift")
    insert(studio, "Straight", Length="76")
    add_device(studio, "Chain lift")
    insert(studio, "Valley or crest", Radius="16", Angle_of_turn="28", Transition_in="6", Transition_out="6")
    choose_direction(studio, "Down")
    add_device(studio, "Chain lift")
    insert(studio, "Straight", Length="24")
    add_device(studio, "Drive tyres", Speed="4")
    insert(studio, "Valley or crest", Radius="20", Angle_of_turn="38", Transition_in="8", Transition_out="8")
    choose_direction(studio, "Down")
    insert(studio, "Straight", Length="30")
    insert(
        studio, "Valley or crest", Radius="36", Angle_of_turn="38", Transition_in="15", Transition_out="15"
    )
    insert(studio, "Straight", Length="12")
    insert(studio, "Vertical loop")
    insert(studio, "Straight", Length="12")
    insert(studio, "Camelback")
    insert(studio, "Straight", Length="24")
    insert(studio, "Helix", Revolutions="1", Rise_per_revolution="-4")
    insert(studio, "Straight", Length="70")
    add_device(studio, "Block brake", Target_speed="3")
    insert(studio, "Straight", Length="60")
    add_device(studio, "Drive tyres", Speed="3")


@pytest.fixture
def empty(studio: MainWindow) -> MainWindow:
    """The window with an empty project, begun by its keys."""
    QTest.keyClick(
        studio, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    settle()
    assert studio.document.project.track is None
    assert studio.document.project.train is None
    return studio


def test_that_a_track_is_built_saved_ridden_and_reported_from_nothing(
    qtbot: object,
    empty: MainWindow,
    tmp_path: Path,
    wait_for_run: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    unexpected: list[str],
) -> None:
    studio, document = empty, empty.document
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    build(studio)
    assert unexpected == []
    track = document.project.track
    assert track is not None
    built = build_track(track)
    assert 780.0 < built.length < 840.0
    kinds = {section.kind for section in track.sections}
    assert {"straight", "arc", "loop", "camelback", "helix"} <= kinds
    ride = preview_ride(built, document.project.point_ride)
    assert ride.place.max() > built.length - 1.0, ride.message
    # what one undo takes back is the last thing done
    count = document.undo_stack.count()
    assert document.undo_stack.undoText() == "Add drive tyres"
    assert count > 40
    accept_library()
    choose(studio, "Train", "Add car from library…")
    accept_library()
    choose(studio, "Train", "Add rider from library…")
    train = document.project.train
    assert train is not None
    assert train.children[0].riders
    # the multibody run begins in the station, as fast as its tyres are
    click_row(studio.panels["tree"].tree, "Scenario")
    type_into(studio.panels["inspector"], "Start position", "5")
    assert document.project.scenario.speed is None
    file = tmp_path / "new_track.ridewright"
    type_file(file)
    choose(studio, "File", "Save")
    assert load_project(file) == document.project
    assert not document.is_modified
    choose(studio, "Run", "Run")
    wait_for_run(studio.runner)
    run = document.current_run
    assert run is not None, [problem.text for problem in document.problems]
    assert run.results.status.complete, run.results.status.message
    speed = next(c.values for n, c in run.results.channels.items() if n.endswith("/speed"))
    assert speed[0] == pytest.approx(1.5, abs=0.01)
    assert np.max(speed) > 15.0
    assert speed[-1] == pytest.approx(3.0, abs=0.01)
    # the lift gives what it takes to the top; wheels, air and brakes take most of it again
    work = run.results.channels["train/device_work"].values
    top = np.max(run.results.energy.potential - run.results.energy.potential[0])
    assert np.max(work) > top
    assert work[-1] - run.results.energy.drag[-1] < 0.3 * np.max(work)
    assert run.results.energy.drag[-1] > 0.1 * np.max(work)
    written = report(studio, tmp_path / "new_track.pdf", qtbot)
    assert [path.name for path in written] == ["new_track.pdf"]
    assert written[0].stat().st_size > 50_000
    assert unexpected == []
