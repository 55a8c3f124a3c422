"""The icon family: line drawings in resources/icons, drawn in the text colour of the theme."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QByteArray, QRectF, QSize
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from . import theme
from .blank import blank_picture

SIZES = (16, 20, 24, 32, 40)  # px; also for screens of twice the pixel density
LARGE = (16, 24, 32, 48, 64, 128)  # px of the program's own


@cache
def _source(name: str) -> str:
    if name.startswith("<svg"):  # of a kind that brings its own
        return name
    return (resources.files("ridewright.resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def pixmap(name: str, size: int, colour: str, ratio: float = 1.0) -> QPixmap:
    """An icon as a picture of `size` logical pixels."""
    picture = _drawn(_drawing(name, colour), round(size * ratio))
    picture.setDevicePixelRatio(ratio)
    return picture


def _drawing(name: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode()))


def _drawn(drawing: QSvgRenderer, pixels: int) -> QPixmap:
    picture = blank_picture(QSize(pixels, pixels))
    painter = QPainter(picture)
    drawing.render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    return picture


@cache
def _made(name: str, normal: str, disabled: str, sizes: tuple[int, ...] = SIZES) -> QIcon:
    made = QIcon()
    for colour, mode in ((normal, QIcon.Mode.Normal), (disabled, QIcon.Mode.Disabled)):
        drawing = _drawing(name, colour)
        for size in sizes:
            made.addPixmap(_drawn(drawing, size), mode)
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
    return _made("ridewright", "#f2923c", "#f2923c", LARGE)


@cache
def marked(name: str, colour: str, mark: str, ground: str, ratio: float) -> QIcon:
    """The icon of a row, with a dot in the colour `mark` when there is one."""
    picture = pixmap(name, 16, colour, ratio)
    return QIcon(_dotted(picture, mark, ground, ratio) if mark else picture)


def _dotted(picture: QPixmap, colour: str, ground: str, ratio: float) -> QPixmap:
    """A picture with a dot in its lower right corner."""
    made = QPixmap(picture)
    made.setDevicePixelRatio(ratio)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(ground))
    painter.setBrush(QColor(colour))
    painter.drawEllipse(8, 8, 7, 7)
    painter.end()
    return made
