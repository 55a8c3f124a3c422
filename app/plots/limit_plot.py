"""What the charts of acceleration limits have in common: a plain plot in the theme, its legend above it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from ..widgets import theme
from .ticks import TickAxis, dress

LINES = (Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DotLine)
ROOM = 190  # px of height from which the legend stands above the plot
STROKES = ("╍", "┄·", "┈")


def limit_pen(number: int, colour: str) -> object:
    """The pen of the limit of a number: the first is dashed in the colour of what is bad, further ones in others."""
    return pg.mkPen(colour, width=1, style=LINES[number % len(LINES)])


def limit_colours() -> tuple[str, ...]:
    """Colours of limit lines, the governing one first; none is that of a run."""
    c = theme.current()
    return (c.bad, c.warn, c.series[3], c.series[5], c.series[6])


def limit_key(number: int, text: str) -> str:
    """A line of the legend: the stroke of a limit in its colour, and what it is."""
    colours = limit_colours()
    colour, stroke = colours[number % len(colours)], STROKES[number % len(STROKES)]
    return f"<span style='color:{colour}'>{stroke}</span> {escape(text)}"


WORDS = 0.3  # of the height of a chart that its words may take


class LimitPlot(QWidget):
    """A plot under a line of text. `clicked` and `hovered` carry the place in the plot, None outside."""

    clicked = Signal(object)
    hovered = Signal(object)

    def __init__(self, bottom: TickAxis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said: list[str] = []
        self._roomy = True
        self.head = QLabel()
        self.head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.head.setMargin(4)
        self.head.setTextFormat(Qt.TextFormat.RichText)
        self.head.setWordWrap(True)
        axes = {"left": TickAxis("left"), "bottom": bottom}
        self.canvas = pg.PlotWidget(self, axisItems=axes)
        self.plot: pg.PlotItem = self.canvas.getPlotItem()
        self.plot.hideButtons()
        self.plot.setMenuEnabled(False)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.showGrid(x=True, y=True, alpha=1.0)
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setZValue(-1)
            axis.setStyle(tickLength=-4, maxTickLevel=0)
        self.plot.setContentsMargins(0, 0, 8, 0)
        self.canvas.setFrameShape(pg.PlotWidget.Shape.NoFrame)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.scene().sigMouseMoved.connect(self._on_mouse)
        self.canvas.scene().sigMouseClicked.connect(self._on_click)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.canvas, 1)

    def say(self, lines: Sequence[str]) -> None:
        """Write the line above the plot and the legend below it; in a low chart the legend is in the tool tip."""
        self._said = list(lines)
        roomy = self.height() >= ROOM
        self._roomy = roomy
        self.head.setText("<br>".join(self._said if roomy else self._said[:1]))
        self.head.setToolTip("<br>".join(self._said))
        self._fit_head()

    def _fit_head(self) -> None:
        """The picture goes before the words: where they would take most of a low chart they are its tool tip."""
        tall = self.head.heightForWidth(self.width())
        self.head.setVisible(tall <= WORDS * self.height())
        self.canvas.setToolTip("" if self.head.isVisibleTo(self) else self.head.toolTip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()
        if self._roomy != (self.height() >= ROOM):
            self.say(self._said)

    def clear(self) -> None:
        """Take everything out and put the colours of the theme in."""
        self.plot.clear()
        dress(self.canvas)

    def add_line(self, x: object, y: object, pen: object, level: float) -> None:
        """Draw a line above others of a lower level."""
        item = pg.PlotCurveItem(x, y, pen=pen, antialias=True, skipFiniteCheck=True)
        item.setZValue(level)
        self.plot.addItem(item, ignoreBounds=True)

    def _inside(self, at: QPointF) -> tuple[float, float] | None:
        if not self.plot.vb.sceneBoundingRect().contains(at):
            return None
        found = self.plot.vb.mapSceneToView(at)
        return float(found.x()), float(found.y())

    def _on_mouse(self, at: QPointF) -> None:
        self.hovered.emit(self._inside(at))

    def _on_click(self, event: object) -> None:
        self.clicked.emit(self._inside(event.scenePos()))  # type: ignore[attr-defined]

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)  # type: ignore[arg-type]
        self.hovered.emit(None)
