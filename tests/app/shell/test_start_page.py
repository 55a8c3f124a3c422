"""The start page: rides as pictures, rigs folded, and one press begins."""

from __future__ import annotations

from mouse_and_keyboard import choose, settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from ridewright.app.shell.start_page import PICTURE, StartPage
from ridewright.app.widgets import dialogs
from ridewright.core.base.bundled import example_names, example_picture, ride_names

LEFT = Qt.MouseButton.LeftButton


def test_that_every_ride_has_a_picture_in_both_themes() -> None:
    for name in ride_names():
        for theme in ("dark", "light"):
            image = QImage(str(example_picture(name, theme)))
            assert not image.isNull(), (name, theme, "run python -m tools.example_pictures")
            seen = {
                image.pixelColor(x, y).rgb() for x in range(0, image.width(), 8) for y in range(0, 264, 8)
            }
            assert len(seen) > 20, (name, theme)


def _button(page: StartPage, text: str) -> QToolButton:
    return next(b for b in page.findChildren(QToolButton) if b.accessibleName() == text)


def test_that_a_press_on_a_picture_opens_the_ride_and_rigs_are_folded(
    studio, monkeypatch, unexpected
) -> None:
    monkeypatch.setattr(dialogs, "ask_to_save", lambda *_: "discard")
    before = studio.document.project
    choose(studio, "File", "Start page…")
    (page,) = [page for page in studio.findChildren(StartPage) if page.isVisible()]
    assert len(ride_names()) < len(example_names())
    assert not _button(page, "Bouncing ball").isVisible()
    QTest.mouseClick(page.rigs.heading, LEFT)
    settle()
    assert _button(page, "Bouncing ball").isVisible()
    frisbees = [b for b in page.findChildren(QToolButton) if b.accessibleName() == "Frisbee"]
    (card,) = [b for b in frisbees if b.iconSize() == PICTURE]  # the other one is the template
    QTest.mouseClick(card, LEFT, pos=QPoint(40, 40))
    settle()
    assert studio.document.project.name == "Frisbee"
    assert not studio.findChildren(StartPage)
    choose(studio, "File", "Examples", "Looping Star")
    assert studio.document.project == before
    assert unexpected == []
