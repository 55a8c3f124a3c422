"""The icon family: line drawings in resources/icons, drawn in the text colour of the theme."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app import theme

SIZES = (16, 20, 24, 32, 48, 64, 96)  # px; also for screens of twice the pixel density


@cache
def _source(name: str) -> str:
    return (resources.files("resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def pixmap(name: str, size: int, colour: str, ratio: float = 1.0) -> QPixmap:
    """An icon as a picture of `size` logical pixels."""
    pixels = QSize(round(size * ratio), round(size * ratio))
    picture = QPixmap(pixels)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    drawing = QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))
    drawing.render(painter, QRectF(0, 0, pixels.width(), pixels.height()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@cache
def _made(name: str, normal: str, disabled: str) -> QIcon:
    made = QIcon()
    for size in SIZES:
        made.addPixmap(pixmap(name, size, normal), QIcon.Mode.Normal)
        made.addPixmap(pixmap(name, size, normal), QIcon.Mode.Active)
        made.addPixmap(pixmap(name, size, disabled), QIcon.Mode.Disabled)
    return made


def icon(name: str, colour: str | None = None) -> QIcon:
    """An icon of the family in the text colour of the theme, or in `colour`."""
    c = theme.current()
    return _made(name, colour or c.text, _between(c.border, c.muted))


def _between(a: str, b: str) -> str:
    """The colour half way between two."""
    one, other = QColor(a), QColor(b)
    channels = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return QColor(*((x + y) // 2 for x, y in channels)).name()


def program_icon() -> QIcon:
    """The icon of the program, the same in both themes."""
    return _made("ridewright", "#f2923c", "#f2923c")
