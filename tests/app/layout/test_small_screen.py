"""Windows on a screen that is smaller than they would like: they lie inside it, with their buttons."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from ridewright.app.shell.guide import GuideWindow
from ridewright.app.standards.dialog import StandardsDialog
from ridewright.app.train.make_train import MakeTrain
from ridewright.app.widgets import window_size

SCREEN = QRect(0, 0, 1280, 720)
WINDOWS = {
    "make train": lambda studio: MakeTrain(studio.document, studio),
    "start page": lambda studio: studio.start.make_page(),
    "guide": GuideWindow,
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
