"""Parallel coordinates: an axis a number, a line a run; a click chooses the nearest line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray

from ...core.base.arrays import Array, Integers
from ...core.base.sentence import written
from ..widgets import theme

MAX_LINES = 5_000  # lines drawn
NEAR = 0.04  # of the height, within which a click means a line


class ParallelLines:
    """Lines over axes from the least to the largest value of each number, drawn into a plot.

    `shares` (n, k): the runs drawn, by the places of their values between 0 and 1; `runs` (n,): their numbers.
    """

    def __init__(self, plot: pg.PlotWidget) -> None:
        self._plot = plot
        self._items: list[pg.PlotDataItem] = []
        self.shares: Array = np.zeros((0, 0))
        self.runs: Integers = np.zeros(0, dtype=np.int64)

    def clear(self) -> None:
        """Take the lines away."""
        for item in self._items:
            self._plot.removeItem(item)
        self._items = []
        self.shares, self.runs = np.zeros((0, 0)), np.zeros(0, dtype=np.int64)

    def draw(
        self,
        columns: Sequence[Array],
        labels: Sequence[str],
        runs: Integers,
        beyond: NDArray[np.bool_],
        selected: int,
        best: NDArray[np.bool_],
    ) -> None:
        """Draw runs (n,), by their values (n,) in each column; beyond (n,): those that exceed a limit; selected: the
        number of the run that stands out; best (n,): those that a search found."""
        self.clear()
        values = np.column_stack(columns)
        there = np.flatnonzero(np.isfinite(values).all(axis=1))[-MAX_LINES:]
        if not len(there):
            return
        values = values[there]
        low, high = values.min(axis=0), values.max(axis=0)
        flat = high == low
        self.shares = np.where(flat, 0.5, (values - low) / np.where(flat, 1.0, high - low))
        self.runs = runs[there]
        colours, over = theme.current(), beyond[there]
        for chosen, colour in ((~over, colours.accent), (over, colours.bad)):
            self._lines(self.shares[chosen], pg.mkPen(colour, width=1))
        self._lines(self.shares[best[there]], pg.mkPen(colours.good, width=2))
        self._lines(self.shares[self.runs == selected], pg.mkPen(colours.text, width=3))
        ticks = [
            (k, f"{label}\n{written(a, '.4g')} … {written(b, '.4g')}")
            for k, (label, a, b) in enumerate(zip(labels, low, high, strict=True))
        ]
        self._plot.getAxis("bottom").setTicks([ticks])
        self._plot.getAxis("bottom").setHeight(3.2 * self._plot.fontMetrics().height())  # two lines
        wide = len(columns) - 0.5
        self._plot.setRange(xRange=(-0.5, wide), yRange=(-0.05, 1.05), padding=0.0)
        axes = np.arange(len(columns), dtype=float)
        uprights = np.column_stack([axes, axes, np.full(len(axes), np.nan)]).ravel()
        heights = np.tile([0.0, 1.0, np.nan], len(axes))
        self._items.append(self._plot.plot(uprights, heights, pen=pg.mkPen(colours.muted), connect="finite"))
        self._plot.getAxis("left").setTicks([[(0.0, "least"), (1.0, "largest")]])

    def _lines(self, shares: Array, pen: object) -> None:
        """All lines of a kind as one item, with a gap behind each."""
        count, wide = shares.shape
        if not count:
            return
        x = np.tile(np.append(np.arange(wide, dtype=float), np.nan), count)
        y = np.column_stack([shares, np.full(count, np.nan)]).ravel()
        self._items.append(self._plot.plot(x, y, pen=pen, connect="finite"))

    def run_at(self, x: float, y: float) -> int | None:
        """The run whose line passes nearest to a place of the plot; None where none is near."""
        if not len(self.runs) or not 0.0 <= x <= self.shares.shape[1] - 1:
            return None
        k = min(int(x), self.shares.shape[1] - 2) if self.shares.shape[1] > 1 else 0
        here = self.shares[:, k]
        if self.shares.shape[1] > 1:
            here = here + (x - k) * (self.shares[:, k + 1] - here)
        away = np.abs(here - y)
        nearest = int(np.argmin(away))
        return int(self.runs[nearest]) if away[nearest] < NEAR else None
