"""A project made by mouse and keyboard: track elements and devices inserted, the report written."""

from __future__ import annotations

from pathlib import Path

from mouse_and_keyboard import ACTIONS, choose, click, click_row, settle, type_into
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ridewright.app.report.dialog import ReportDialog
from ridewright.app.shell.main_window import MainWindow


def insert(studio: MainWindow, piece: str, **fields: str) -> str:
    """Insert a piece at the end by the menu and type its fields; returns its name."""
    choose(studio, "Track", "Insert element", piece)
    assert studio.document.selection.kind == "section"
    for label, text in fields.items():
        type_into(studio.panels["inspector"], label.replace("_", " "), text)
    return str(studio.document.selection.path[0])


def add_device(studio: MainWindow, kind: str, **fields: str) -> None:
    """A device on the section just inserted; the section is selected again."""
    section = studio.document.selection.path[0]
    choose(studio, "Track", "Add lift, launch or brake", kind)
    for label, text in fields.items():
        type_into(studio.panels["inspector"], label.replace("_", " "), text)
    settle()
    click_row(studio.panels["tree"].tree, "Track", section)
    assert studio.document.selection.path == (section,)


def choose_direction(studio: MainWindow, word: str) -> None:
    """Choose from the list "Direction" with the keyboard."""
    box = studio.panels["inspector"].entry("direction").box
    box.setFocus(Qt.FocusReason.TabFocusReason)
    ACTIONS["field"] += 1
    QTest.keyClicks(box, word)
    settle()
    track = studio.document.project.track
    assert track is not None
    assert track.sections[-1].direction == word.lower()  # the name turned with it, and the page was made anew


def report(studio: MainWindow, file: Path, qtbot: object) -> list[Path]:
    """Type the file into the report dialog and press the button that writes; returns the files."""
    choose(studio, "Results", "Export report…")
    (dialog,) = studio.findChildren(ReportDialog)
    assert not dialog.isModal()  # one works on beside it
    dialog.path.selectAll()
    ACTIONS["field"] += 1
    QTest.keyClicks(dialog.path, str(file))
    click(dialog.rendered, QPoint(8, dialog.rendered.height() // 2))
    click(dialog.make)
    qtbot.waitUntil(lambda: bool(dialog.written), timeout=120_000)  # type: ignore[attr-defined]
    found = list(dialog.written)
    click(dialog.close_button)
    return found
