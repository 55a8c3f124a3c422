"""Widgets that have been squeezed to nothing are painted without a word: Qt says 'engine == 0' of empty pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import ridewright.app
from ridewright.app.view3d.overlays import Legend
from ridewright.app.widgets import icons
from ridewright.app.widgets.blank import blank_picture
from ridewright.app.widgets.train_picture import train_pixmap

MADE = re.compile(
    r"QPixmap\((?!\)|picture\))"
)  # of a size; copies and empty ones are no pictures to paint on


@pytest.mark.parametrize("size", [QSize(0, 0), QSize(0, 20), QSize(20, 0), QSize(-1, 5)])
def test_that_pictures_without_a_size_can_be_painted_on(qtbot: QtBot, qtlog: object, size: QSize) -> None:
    picture = blank_picture(size, 1.5)
    painter = QPainter(picture)
    assert painter.isActive()
    painter.end()
    train_pixmap((), size, 1.0)
    icons.pixmap("car", 0, "#000000")
    parent = QWidget()
    legend = Legend(parent)
    qtbot.addWidget(parent)
    legend.note = "no run"
    legend.resize(size)
    legend._paint(1.0)
    assert not [one.message for one in qtlog.records if "engine" in one.message]  # type: ignore[attr-defined]


def test_that_every_picture_to_paint_on_is_made_by_it() -> None:
    place = Path(next(iter(ridewright.app.__path__)))
    found = [
        f"{file.relative_to(place)}: {line.strip()}"
        for file in sorted(place.rglob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if MADE.search(line) and file.name != "blank.py"
    ]
    assert found == []
    assert MADE.search("QPixmap(size * ratio)")
