"""The line above a plot: its title and unit, and every curve's name and value at the cursor."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import theme
from app.plots.curves import PlotContent, number

HEIGHT = 20
SWATCH = 12
GAP = 8
WIDEST = "−0.0·10⁻⁰⁰"


class Readout(QWidget):
    """Painted by hand: eight of them are renewed at every move of the cursor, and labels would be too slow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self._content: PlotContent | None = None
        self._labels: tuple[str, ...] = ()
        self._values: tuple[str, ...] = ()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def set_content(self, content: PlotContent, labels: tuple[str, ...]) -> None:
        """Take over title, unit and curves; labels: the name of each curve as it is to stand here."""
        self._content, self._labels = content, labels
        self._values = tuple("" for _ in content.curves)
        self.update()

    def set_values(self, values: tuple[float, ...]) -> None:
        """Values of the curves at the cursor, SI."""
        content = self._content
        if content is None:
            return
        texts = tuple(number(value * content.factor, content.log) for value in values)
        if texts != self._values:
            self._values = texts
            self.update()

    def values(self) -> tuple[str, ...]:
        """The values as they stand there, one text a curve."""
        return self._values

    def paintEvent(self, event: QPaintEvent) -> None:
        content = self._content
        if content is None:
            return
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        font = self.font()
        font.setBold(True)
        bold = QFontMetricsF(font)
        metrics = QFontMetricsF(self.font())
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        x = 4.0
        x = self._write(painter, bold, x, content.title)
        painter.setFont(self.font())
        painter.setPen(QColor(colours.muted))
        if content.unit_label:
            x = self._write(painter, metrics, x + 4, content.unit_label)
        self._paint_curves(painter, metrics, x + 2 * GAP, content)
        painter.end()

    def _write(self, painter: QPainter, metrics: QFontMetricsF, x: float, text: str) -> float:
        wide = metrics.horizontalAdvance(text)
        painter.drawText(QRectF(x, 0, wide + 2, HEIGHT), Qt.AlignmentFlag.AlignVCenter, text)
        return x + wide

    def _paint_curves(
        self, painter: QPainter, metrics: QFontMetricsF, x: float, content: PlotContent
    ) -> None:
        """Curves from left to right; names are left out first when the room is short, then the last curves."""
        colours = theme.current()
        sample = WIDEST if content.log else "−0000.0"
        value_width = metrics.horizontalAdvance(sample)
        names = [metrics.horizontalAdvance(label) for label in self._labels]
        room = self.width() - x - 4
        full = sum(SWATCH + 4 + wide + 4 + value_width + GAP for wide in names)
        named = full <= room
        for k, curve in enumerate(content.curves):
            wide = SWATCH + 4 + value_width + GAP + (names[k] + 4 if named else 0.0)
            left = len(content.curves) - k
            if x + wide > self.width() and left > 0:
                painter.setPen(QColor(colours.muted))
                self._write(painter, metrics, min(x, self.width() - 24.0), f"+{left}")
                return
            pen = QPen(QColor(curve.colour), 2)
            if curve.dashed:
                pen.setStyle(Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawLine(QPointF(x, HEIGHT / 2), QPointF(x + SWATCH, HEIGHT / 2))
            at = x + SWATCH + 4
            if named and self._labels[k]:
                painter.setPen(QColor(colours.muted))
                at = self._write(painter, metrics, at, self._labels[k]) + 4
            painter.setPen(QColor(colours.text))
            self._write(painter, metrics, at, self._values[k])
            x += wide
