"""Pictures to paint on, and to keep."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage, QPixmap

from ...core.base.atomic import replacing
from ...core.base.errors import InputError

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


def write_picture(picture: QImage | QPixmap, path: Path) -> None:
    """Write a picture in the format of the file's ending. Raises InputError where it cannot be written."""
    kind = path.suffix.removeprefix(".").upper() or "PNG"
    with replacing(path) as part:
        if not picture.save(str(part), kind):  # type: ignore[call-overload]
            raise InputError(
                f"{path}: the picture cannot be written; choose another folder or end the name in .png."
            )
