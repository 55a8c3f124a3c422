"""Speed and head loads of a run in progress: two small plots that grow."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app import theme, units
from app.live_curve import LiveCurve

AXES = ("Gx forward", "Gy left", "Gz up")


class LivePlots(QWidget):
    """The curves of the run in progress; of the last one until the next begins."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._live: LiveCurve | None = None
        self.speed = _plot()
        self.loads = _plot()
        self.speed_curve = self.speed.plot([], [], skipFiniteCheck=True)
        self.loads.addLegend(offset=(4, 4), labelTextSize="8pt", horSpacing=12, colCount=3)
        self.load_curves = [self.loads.plot([], [], name=name, skipFiniteCheck=True) for name in AXES]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.speed)
        row.addWidget(self.loads)
        self.dress()

    def clear(self) -> None:
        """A run begins."""
        self._live = None
        for curve in (self.speed_curve, *self.load_curves):
            curve.setData([], [])

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
        for curve, colour in zip(self.load_curves, (c.axis_x, c.axis_y, c.axis_z), strict=True):
            curve.setPen(pg.mkPen(colour, width=1))
        self.loads.plotItem.legend.setLabelTextColor(c.text)
        for plot in (self.speed, self.loads):
            plot.setBackground(c.base)
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(c.border)
                axis.setTextPen(c.muted)
        self._label()

    def _label(self) -> None:
        c = theme.current()
        speed = self._live is None or len(np.atleast_1d(self._live.speed)) > 0
        name = f"Speed ({units.label('m/s')})" if speed else "Done (%)"
        rider = None if self._live is None else next(iter(self._live.loads), None)
        head = "Head load (g)" if rider is None else f"Head load (g), {rider.replace('/', ' › ')}"
        for plot, left in ((self.speed, name), (self.loads, head)):
            plot.setLabel("left", left, color=c.muted)
            plot.setLabel("bottom", "Time (s)", color=c.muted)


def _plot() -> pg.PlotWidget:
    plot = pg.PlotWidget()
    plot.setMenuEnabled(False)
    plot.setMouseEnabled(False, False)
    plot.hideButtons()
    return plot
