"""What is painted over the 3D picture: the legend of the colours, the axes, a caption for pictures and films."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QWidget

from ...core.base.arrays import Array
from ..widgets import theme, units
from ..widgets.blank import blank_picture
from .colouring import Scale

LEGEND_WIDTH, LEGEND_HEIGHT = 280, 52
GIZMO, REACH, BALL = 76, 0.38, 7.5  # px across, share of it from the middle to an end, px of an end
ENDS = np.concatenate([np.eye(3), -np.eye(3)])
CROSS = 14.0  # px for the button that puts one away
EDGE = 12  # px between overlays and the edges of a picture


def panel_colour(colours: theme.Colours) -> QColor:
    """Background of what lies over the picture."""
    colour = QColor(colours.panel)
    colour.setAlpha(225)
    return colour


def small_font(pixels: int = 12, bold: bool = False) -> QFont:
    """The font of overlays."""
    font = QFont()
    font.setPixelSize(pixels)
    font.setBold(bold)
    return font


def paint_legend(painter: QPainter, box: QRectF, scale: Scale, colours: theme.Colours) -> None:
    """Draw the legend of a colouring into a box (px)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.border), 1.0))
    painter.setBrush(panel_colour(colours))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0)
    quantity = scale.quantity
    unit = units.format(scale.low, quantity.unit)[1]
    inner = box.adjusted(8.0, 4.0, -8.0, -4.0)
    painter.setPen(QColor(colours.text))
    painter.setFont(small_font(12, bold=True))
    title = f"{quantity.name} ({unit})" if unit else quantity.name
    room = inner.width() - CROSS
    title = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(room))
    painter.drawText(QRectF(inner.x(), inner.y(), room, 16.0), Qt.AlignmentFlag.AlignLeft, title)
    bar = QRectF(inner.x(), inner.y() + 18.0, inner.width(), 9.0)
    ramp = QImage(np.ascontiguousarray(scale.colours).tobytes(), 256, 1, 768, QImage.Format.Format_RGB888)
    painter.drawImage(bar, ramp)
    painter.setFont(small_font(12))
    painter.setPen(QColor(colours.muted))
    for value in scale.named:
        text = units.format(value, quantity.unit, decimals=0 if unit == "%" else None)[0]
        half = 0.5 * painter.fontMetrics().horizontalAdvance(text) + 1.0
        x = bar.x() + bar.width() * (value - scale.low) / (scale.high - scale.low)
        x = min(max(x, bar.x() + half), bar.right() - half)
        painter.drawText(
            QRectF(x - half, bar.bottom() + 2.0, 2.0 * half, 16.0), Qt.AlignmentFlag.AlignHCenter, text
        )


def paint_keys(
    painter: QPainter, box: QRectF, entries: list[tuple[str, str]], colours: theme.Colours
) -> None:
    """Draw coloured lines with their sentences into a box (px)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.border), 1.0))
    painter.setBrush(panel_colour(colours))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0)
    painter.setFont(small_font())
    for k, (colour, text) in enumerate(entries):
        middle = box.y() + 4.0 + (k + 0.5) * Keys.LINE
        painter.setPen(QPen(QColor(colour), 3.0))
        painter.drawLine(QPointF(box.x() + 12.0, middle), QPointF(box.x() + 28.0, middle))
        painter.setPen(QColor(colours.text))
        place = QRectF(box.x() + 36.0, middle - 9.0, box.width() - 44.0, 18.0)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def paint_overlays(
    image: QImage,
    ratio: float,
    scale: Scale | None,
    entries: list[tuple[str, str]],
    sizes: tuple[QSize, QSize],
    colours: theme.Colours,
) -> None:
    """Draw legend (right) and keys (left), of the given sizes (px), into the lower corners of a picture."""
    painter = QPainter(image)
    painter.scale(ratio, ratio)
    wide, high = image.width() / ratio - EDGE, image.height() / ratio - EDGE
    legend, keys = sizes
    if scale is not None:
        w, h = legend.width(), legend.height()
        paint_legend(painter, QRectF(wide - w, high - h, w, h), scale, colours)
    if entries:
        paint_keys(painter, QRectF(EDGE, high - keys.height(), keys.width(), keys.height()), entries, colours)
    painter.end()


def paint_caption(painter: QPainter, box: QRectF, text: str, colours: theme.Colours) -> None:
    """Draw one line of readings on a plate at the bottom of a picture (px)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(panel_colour(colours))
    painter.drawRoundedRect(box, 6.0, 6.0)
    painter.setPen(QColor(colours.text))
    painter.setFont(small_font(15))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def paint_time_bar(painter: QPainter, box: QRectF, share: float, colours: theme.Colours) -> None:
    """Draw how much of a film is over, along the whole of a box (px)."""
    painter.fillRect(box, panel_colour(colours))
    painter.fillRect(QRectF(box.x(), box.y(), box.width() * share, box.height()), QColor(colours.accent))


class Legend(QWidget):
    """The legend over the view; it has nothing to say while the track is plain."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedSize(LEGEND_WIDTH, LEGEND_HEIGHT)
        self.scale: Scale | None = None
        self.note = ""
        self._picture: QPixmap | None = None
        self._painted: tuple[object, ...] = ()
        self.hide()

    @property
    def speaks(self) -> bool:
        """Whether there is something to say."""
        return self.scale is not None or bool(self.note)

    def show_scale(self, scale: Scale | None, note: str = "") -> None:
        """Show a scale, or a sentence that says what is missing."""
        if scale is self.scale and note == self.note:
            return
        self.scale, self.note = scale, note
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        key = (id(self.scale), self.note, theme.current().name, units.current(), ratio)
        if self._picture is None or self._painted != key:
            self._painted = key
            self._picture = self._paint(ratio)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        painter.end()

    def _paint(self, ratio: float) -> QPixmap:
        """The legend as a picture, so that playing does not draw it again for every frame."""
        picture = blank_picture(self.size(), ratio)
        painter = QPainter(picture)
        box, colours = QRectF(self.rect()), theme.current()
        if self.scale is not None:
            paint_legend(painter, box, self.scale, colours)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border), 1.0))
            painter.setBrush(panel_colour(colours))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0)
            painter.setPen(QColor(colours.muted))
            painter.setFont(small_font(12))
            wrap = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box.adjusted(8.0, 4.0, -8.0 - CROSS, -4.0), int(wrap), self.note)
        painter.end()
        return picture


class Keys(QWidget):
    """What colours of lines, arrows and marks mean; it has nothing to say where there are none."""

    LINE = 18  # px

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.entries: list[tuple[str, str]] = []
        self.hide()

    @property
    def speaks(self) -> bool:
        """Whether there is something to say."""
        return bool(self.entries)

    def show_entries(self, entries: list[tuple[str, str]]) -> bool:
        """Show colours ("#rrggbb") with their sentences; True when they are others than before."""
        if entries == self.entries:
            return False
        self.entries = entries
        widths = [QFontMetrics(small_font()).horizontalAdvance(text) for _, text in entries]
        self.resize(max(widths, default=0) + 52, self.LINE * len(entries) + 8)
        self.update()
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_keys(painter, QRectF(self.rect()), self.entries, theme.current())
        painter.end()


class Gizmo(QWidget):
    """The directions of x, y and z as the camera sees them; a click on the end of one looks along it.

    looked_along(axis): world direction from what is looked at to the camera, (3,).
    """

    looked_along = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(GIZMO, GIZMO)
        self.setMouseTracking(True)
        self.setToolTip("Click an axis to look along it; the faint ends look from the other side")
        self._view = np.eye(3)
        self._pointed: int | None = None  # number of the end under the mouse

    def turn(self, right: Array, up: Array, ahead: Array) -> None:
        """Take over the axes of the camera (unit vectors, world)."""
        view = np.stack([right, up, ahead])
        if np.abs(view - self._view).max() > 0.01:
            self._view = view
            self.update()

    def place_of(self, end: int) -> QPointF:
        """Where one of the `ENDS` is drawn (px)."""
        seen = self._view @ ENDS[end]
        return QPointF(GIZMO * (0.5 + REACH * float(seen[0])), GIZMO * (0.5 - REACH * float(seen[1])))

    def _end_at(self, place: QPointF) -> int | None:
        """The end under a place, that in front first."""
        away = [(place - self.place_of(k)).manhattanLength() for k in range(6)]
        near = [k for k in range(6) if away[k] <= 2.0 * BALL]
        return min(near, key=lambda k: float((self._view @ ENDS[k])[2]), default=None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointed = self._end_at(event.position())
        self.setCursor(
            Qt.CursorShape.ArrowCursor if self._pointed is None else Qt.CursorShape.PointingHandCursor
        )
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointed = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end = self._end_at(event.position())
        if end is not None and event.button() == Qt.MouseButton.LeftButton:
            self.looked_along.emit(ENDS[end])

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font(11, bold=True))
        shades = (colours.axis_x, colours.axis_y, colours.axis_z)
        for k in sorted(range(6), key=lambda k: -float((self._view @ ENDS[k])[2])):
            shade, tip = QColor(shades[k % 3]), self.place_of(k)
            if k < 3:
                painter.setPen(QPen(shade, 2.5))
                painter.drawLine(QPointF(GIZMO / 2, GIZMO / 2), tip)
            elif k != self._pointed:
                shade.setAlpha(70)
            painter.setPen(QPen(QColor(colours.text), 2.0) if k == self._pointed else Qt.PenStyle.NoPen)
            painter.setBrush(shade)
            painter.drawEllipse(tip, BALL, BALL)
            if k < 3 or k == self._pointed:
                painter.setPen(QColor(colours.window))
                box = QRectF(tip.x() - BALL, tip.y() - BALL, 2 * BALL, 2 * BALL)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "xyz"[k % 3])
        painter.end()
