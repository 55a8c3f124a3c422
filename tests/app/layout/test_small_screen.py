"""Windows on a screen that is smaller than they would like: they lie inside it, with their buttons."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from ridewright.app.shell.guide import GuideWindow
from ridewright.app.standards.dialog import StandardsDialog
from ridewright.app.textbook.window import TextbookWindow
from ridewright.app.train.make_train import MakeTrain
from ridewright.app.widgets import window_size

SCREEN = QRect(0, 0, 1280, 720)
WINDOWS = {
    "make train": lambda studio: MakeTrain(studio.document, studio),
    "start page": lambda studio: studio.start.make_page(),
    "guide": GuideWindow,
    "textbook": lambda studio: TextbookWindow(studio.settings, studio),
    "standards": lambda studio: StandardsDialog(studio.document, studio),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_that_a_window_lies_inside_a_small_screen_with_its_buttons(name, qtbot, studio, monkeypatch) -> None:
    monkeypatch.setattr(window_size, "room_on_screen", lambda window: SCREEN)
    window: QWidget = WINDOWS[name](studio)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    assert window.width() <= SCREEN.width()
    assert window.height() <= SCREEN.height() - 30
    for box in window.findChildren(QDialogButtonBox):
        for button in box.buttons():
            place = QRect(button.mapTo(window, button.rect().topLeft()), button.size())
            assert window.rect().contains(place), button.text()


def test_that_a_textbook_window_that_is_gone_hears_of_no_units(qtbot, studio) -> None:
    window = TextbookWindow(studio.settings, studio)
    window.deleteLater()
    qtbot.waitUntil(lambda: not shiboken6.isValid(window))
    with qtbot.captureExceptions() as raised:
        studio.settings.units = "US"
        studio.settings.units = "SI"
    assert raised == []
