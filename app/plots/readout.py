"""The line above a plot: its title and unit, and every curve's name and value at the cursor."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ...core.charts.chart import Chart
from ..widgets import theme
from .curves import EVERYDAY, largest, number
from .looks import LINES, colour, pattern

HEIGHT = 20
SWATCH = 12
GAP = 8
WIDEST = "−0.0·10⁻⁰⁰"


@dataclass(frozen=True)
class _Group:
    """Curves under one name: a signal in all runs, or a run when there is one signal."""

    name: str
    curves: tuple[int, ...]


def _groups(content: Chart) -> list[_Group]:
    labels = list(dict.fromkeys(curve.label for curve in content.curves))
    runs = list(dict.fromkeys(curve.run for curve in content.curves))
    numbered = list(enumerate(content.curves))
    if len(labels) > 1 or len(runs) == 1:
        return [_Group(name, tuple(k for k, curve in numbered if curve.label == name)) for name in labels]
    return [_Group(name, tuple(k for k, curve in numbered if curve.run == name)) for name in runs]


class Readout(QWidget):
    """Painted by hand: eight of them are renewed at every move of the cursor, and labels would be too slow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self._content: Chart | None = None
        self._unit, self._factor = "", 1.0
        self._groups: list[_Group] = []
        self._values: tuple[str, ...] = ()
        self._largest = 0.0

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def set_content(self, content: Chart, unit: str, factor: float) -> None:
        """Take over title and curves; unit: label of the shown one, factor: what SI values are multiplied by."""
        self._unit, self._factor = unit, factor
        self._content, self._groups = content, _groups(content)
        self._values = tuple("" for _ in content.curves)
        self._largest = factor * largest(content.curves)
        self.update()

    def set_values(self, values: tuple[float, ...]) -> None:
        """Values of the curves at the cursor, SI."""
        content = self._content
        if content is None:
            return
        texts = tuple(number(value * self._factor, content.y.log, self._largest) for value in values)
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
        title = bold.elidedText(content.title, Qt.TextElideMode.ElideRight, 0.6 * self.width())
        x = self._write(painter, bold, x, title)
        painter.setFont(self.font())
        painter.setPen(QColor(colours.muted))
        if self._unit:
            x = self._write(painter, metrics, x + 4, self._unit)
        self._paint_curves(painter, metrics, x + 2 * GAP)
        painter.end()

    def _write(self, painter: QPainter, metrics: QFontMetricsF, x: float, text: str) -> float:
        wide = metrics.horizontalAdvance(text)
        painter.drawText(QRectF(x, 0, wide + 2, HEIGHT), Qt.AlignmentFlag.AlignVCenter, text)
        return x + wide

    def _paint_curves(self, painter: QPainter, metrics: QFontMetricsF, x: float) -> None:
        """Groups from left to right. When the room is short, further runs go first, then names, then groups."""
        content = self._content
        if content is None:
            return
        muted = QColor(theme.current().muted)
        exponents = content.y.log or not EVERYDAY <= self._largest < 1e6
        value = metrics.horizontalAdvance(WIDEST if exponents else "−000.0") + 4
        named, most = self._choose(metrics, self.width() - x, value)
        for k, group in enumerate(self._groups):
            shown = group.curves[:most]
            name = group.name if named else ""
            wide = (metrics.horizontalAdvance(name) + 6 if name else 0.0) + len(shown) * (SWATCH + 4 + value)
            rest = 28.0 if k + 1 < len(self._groups) else 0.0
            if x + wide + rest > self.width() + GAP:
                painter.setPen(muted)
                self._write(painter, metrics, min(x, self.width() - 24.0), f"+{len(self._groups) - k}")
                return
            if name:
                painter.setPen(muted)
                x = self._write(painter, metrics, x, name) + 6
            for index in shown:
                x = self._paint_value(painter, metrics, x, index, value)
            x += GAP

    def _choose(self, metrics: QFontMetricsF, room: float, value: float) -> tuple[bool, int]:
        """Whether names fit beside the values, and how many runs of each group do."""
        names = sum(metrics.horizontalAdvance(group.name) + 6 for group in self._groups if group.name)
        for named, most in ((True, len(self._values)), (True, 1), (False, 1)):
            shown = sum(min(most, len(group.curves)) for group in self._groups)
            needed = shown * (SWATCH + 4 + value) + len(self._groups) * GAP + (names if named else 0.0)
            if needed <= room + GAP:
                return named, most
        return False, 1

    def _paint_value(
        self, painter: QPainter, metrics: QFontMetricsF, x: float, index: int, wide: float
    ) -> float:
        """The stroke of a curve and its value; returns where the next one begins."""
        assert self._content is not None
        curve = self._content.curves[index]
        pen = QPen(QColor(colour(curve.colour)), 2, LINES[pattern(curve)])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, HEIGHT / 2), QPointF(x + SWATCH, HEIGHT / 2))
        painter.setPen(QColor(theme.current().text))
        self._write(painter, metrics, x + SWATCH + 4, self._values[index])
        return x + SWATCH + 4 + wide
