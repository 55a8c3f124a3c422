"""How large windows open: as large as is good for them, and never larger than the screen."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

FRAME = QSize(8, 30)  # px, what the desktop puts around a window of its own


def room_on_screen(window: QWidget) -> QRect:
    """The part of the screen a window is on that windows may cover."""
    return window.screen().availableGeometry()


def resize_on_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window its size (px), less where the screen is smaller."""
    window.resize(QSize(width, height).boundedTo(room_on_screen(window).size() - FRAME))
