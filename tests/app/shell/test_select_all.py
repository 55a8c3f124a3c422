"""Ctrl+A, Ctrl+C, Ctrl+V and Delete on control points, wherever the focus is, unless a text is typed."""

from __future__ import annotations

from mouse_and_keyboard import CTRL, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from ridewright.app.document.selection import Selection


def _count(studio) -> int:
    return len(next(s for s in studio.document.project.track.sections if s.name == "curve 4").points)


def test_that_points_are_selected_copied_pasted_and_deleted_by_keys(studio) -> None:
    studio.document.select(Selection("section", ("curve 4",)))
    settle()
    view, count = studio.viewer.plotter, _count(studio)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_A, CTRL)
    settle()
    assert studio.document.selection == Selection("points", ("curve 4",), tuple(range(count)))
    studio.document.select(Selection("points", ("curve 4",), (2, 3)))
    settle()
    QTest.keyClick(view, Qt.Key.Key_C, CTRL)
    QTest.keyClick(view, Qt.Key.Key_V, CTRL)
    settle()
    assert _count(studio) == count + 2
    QTest.keyClick(view, Qt.Key.Key_Delete)
    settle()
    assert _count(studio) == count
    # while a text is typed the keys are the text's
    studio.document.select(Selection("points", ("curve 4",), (2,)))
    settle()
    line = next(w for w in studio.panels["inspector"].findChildren(QLineEdit) if w.isVisible())
    line.setFocus()
    text = line.text()
    QTest.keyClick(line, Qt.Key.Key_A, CTRL)
    assert line.selectedText() == text
    QTest.keyClick(line, Qt.Key.Key_Delete)
    settle()
    assert line.text() == ""
    assert _count(studio) == count
    assert studio.document.selection.indices == (2,)
