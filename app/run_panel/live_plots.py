"""Speed and head loads of a run in progress: two small plots that grow."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ..plots.ticks import TickAxis, dress
from ..widgets import theme, units
from ..widgets.live_curve import LiveCurve

AXES = ("Gx", "Gy", "Gz")


class _Plot(QWidget):
    """A plot under a line that says what is drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.head = QLabel()
        self.head.setTextFormat(Qt.TextFormat.RichText)
        self.head.setWordWrap(True)
        self.head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        axes = {side: TickAxis(side) for side in ("left", "bottom")}
        self.plot = pg.PlotWidget(enableMenu=False, axisItems=axes)
        self.plot.setMouseEnabled(False, False)
        self.plot.hideButtons()
        self.plot.getPlotItem().setContentsMargins(0, 0, 8, 0)
        self.plot.showGrid(x=True, y=True, alpha=1.0)
        axes["bottom"].set_unit("s")
        for axis in axes.values():
            axis.setStyle(tickLength=-4, maxTickLevel=0)
            axis.setZValue(-1)  # its grid lies below the curves
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.head)
        column.addWidget(self.plot, 1)

    def say(self, text: str) -> None:
        """Say what is drawn."""
        if text != self.head.text():
            self.head.setText(text)

    def dress(self) -> None:
        """Take the colours of the theme."""
        dress(self.plot)


class LivePlots(QWidget):
    """The curves of the run in progress; of the last one until the next begins."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._live: LiveCurve | None = None
        self.speed, self.loads = _Plot(), _Plot()
        self.speed_curve = self.speed.plot.plot([], [], skipFiniteCheck=True)
        self.load_curves = [self.loads.plot.plot([], [], skipFiniteCheck=True) for _ in AXES]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.speed, 1)
        row.addWidget(self.loads, 1)
        self.dress()

    def clear(self) -> None:
        """A run begins."""
        self._live = None
        for curve in (self.speed_curve, *self.load_curves):
            curve.setData([], [])
        self.loads.show()
        self._label()

    def draw(self, live: LiveCurve) -> None:
        """Draw what is known of a run."""
        self._live = live
        time = np.asarray(live.time)
        if len(np.atleast_1d(live.speed)):
            self.speed_curve.setData(time, units.to_shown(np.asarray(live.speed), "m/s"))
        else:
            self.speed_curve.setData(time, 100.0 * np.asarray(live.fraction))
        rider = next(iter(live.loads), None)
        self.loads.setVisible(rider is not None)
        if rider is not None:
            for axis, curve in enumerate(self.load_curves):
                curve.setData(time, live.loads[rider][:, axis])
        self._label()

    def redraw(self) -> None:
        """Draw again, in other units."""
        self._label()
        if self._live is not None:
            self.draw(self._live)

    def dress(self) -> None:
        """Take the colours of the theme."""
        c = theme.current()
        self.speed_curve.setPen(pg.mkPen(c.accent, width=1))
        for curve, colour in zip(self.load_curves, self._colours(), strict=True):
            curve.setPen(pg.mkPen(colour, width=1))
        self.speed.dress()
        self.loads.dress()
        self._label()

    @staticmethod
    def _colours() -> tuple[str, str, str]:
        c = theme.current()
        return c.axis_x, c.axis_y, c.axis_z

    def _label(self) -> None:
        live, muted = self._live, theme.current().muted
        speed = live is None or len(np.atleast_1d(live.speed)) > 0
        self.speed.say(f"Speed ({units.label('m/s')})" if speed else "Done (%)")
        rider = None if live is None else next(iter(live.loads), None)
        names = " ".join(
            f"<span style='color:{colour}'>{name}</span>"
            for name, colour in zip(AXES, self._colours(), strict=True)
        )
        whose = (
            "" if rider is None else f"&nbsp; <span style='color:{muted}'>{rider.replace('/', ' › ')}</span>"
        )
        self.loads.say(f"Head load (g): {names}{whose}")
