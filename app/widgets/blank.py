"""Pictures to paint on."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPixmap

ONE = QSize(1, 1)


def blank_picture(
    size: QSize, ratio: float = 1.0, ground: QColor | Qt.GlobalColor = Qt.GlobalColor.transparent
) -> QPixmap:
    """A picture of a size in logical pixels, `ratio` real ones each, in one colour.

    Of at least one pixel: a widget that a splitter has squeezed to nothing has no size, and nothing can paint on a
    picture without pixels.
    """
    picture = QPixmap((size * ratio).expandedTo(ONE))
    picture.setDevicePixelRatio(ratio)
    picture.fill(ground)
    return picture
