"""Moving the time cursor through eight plots of half a million samples, beside the plainest use of pyqtgraph."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ridewright.core.base.arrays import Array
from tests.benchmarks import measure

PLOTS = 8
SAMPLES = 500_000
DURATION = 500.0  # s
SIZE = (1280, 800)
MOVES = 200
PLAIN_MOVES = 15
ZOOMS = 30
LIMIT = 5e-3  # s a move of the cursor


def _signals() -> tuple[Array, list[Array]]:
    """Eight signals with noise, as a ride has: peaks everywhere."""
    random = np.random.default_rng(3)
    t = np.linspace(0.0, DURATION, SAMPLES)
    return t, [
        np.sin(0.3 * k * t + k) + 0.05 * random.standard_normal(SAMPLES).cumsum() for k in range(PLOTS)
    ]


class _Paints:
    """Counts the paint events of views, so that a move that paints nothing is not called fast."""

    def __init__(self, viewports: Sequence[Any]) -> None:
        from PySide6.QtCore import QEvent, QObject

        counted = self

        class Counter(QObject):
            def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
                counted.count += event.type() == QEvent.Type.Paint
                return False

        self.count = 0
        self._counter = Counter()
        for viewport in viewports:
            viewport.installEventFilter(self._counter)


def _timed(
    application: Any, call: Callable[[float], None], times: Array, paints: _Paints, rounds: int = 3
) -> dict[str, float]:
    """Seconds of a call with the painting it causes: wall median and 95th percentile, CPU mean; paints a call.

    The quietest of some rounds counts: the machine may have other work.
    """
    best: dict[str, float] = {}
    for _ in range(rounds):
        application.processEvents()
        before, spent, cpu = paints.count, [], time.process_time()
        for t in times:
            started = time.perf_counter()
            call(float(t))
            application.processEvents()
            spent.append(time.perf_counter() - started)
        found = {
            "median_s": float(np.median(spent)),
            "p95_s": float(np.percentile(spent, 95)),
            "cpu_s": (time.process_time() - cpu) / len(times),
            "paints": (paints.count - before) / len(times),
        }
        best = min(best or found, found, key=lambda r: r["median_s"])
    return best


def _ours(application: Any, t: Array, signals: list[Array]) -> dict[str, dict[str, float]]:
    """The studio's plots: cursor with values, zoom."""
    from ridewright.app.plots.plot_grid import PlotGrid
    from ridewright.core.charts.abscissa import Abscissa
    from ridewright.core.charts.chart import Colour, Curve, over_time

    axis = Abscissa("time", t, None)
    contents = [
        over_time(str(k), f"Signal {k}", "g", [Curve.over(axis, "", t, y, Colour("series", k), "Run 1")])
        for k, y in enumerate(signals)
    ]
    grid = PlotGrid()
    grid.resize(*SIZE)
    grid.show()
    grid.set_contents(contents, 1.0, "s", "bench")
    application.processEvents()
    paints = _Paints([pane.canvas.viewport() for pane in grid.panes])
    middle = np.linspace(0.05, 0.95, MOVES) * DURATION
    cursor = _timed(application, lambda x: grid.set_cursor(x, x), middle, paints)
    zoom = _timed(
        application,
        lambda x: grid.show_stretch(0.3 * x, 0.5 * (x + DURATION)),
        middle[:: MOVES // ZOOMS],
        paints,
    )
    grid.close()
    grid.deleteLater()
    return {"cursor": cursor, "zoom": zoom}


def _plain(application: Any, t: Array, signals: list[Array]) -> dict[str, dict[str, float]]:
    """pyqtgraph as its first example has it: plot, a line, default options; without any value beside."""
    import pyqtgraph as pg

    window = pg.GraphicsLayoutWidget()
    window.resize(*SIZE)
    window.show()
    lines = []
    for k, y in enumerate(signals):
        plot = window.addPlot(row=k // 2, col=k % 2)
        plot.plot(t, y)
        line = pg.InfiniteLine(angle=90)
        plot.addItem(line)
        lines.append(line)
    application.processEvents()
    paints = _Paints([window.viewport()])

    def move(x: float) -> None:
        for line in lines:
            line.setValue(x)

    cursor = _timed(application, move, np.linspace(0.05, 0.95, PLAIN_MOVES) * DURATION, paints)
    window.close()
    window.deleteLater()
    return {"cursor": cursor}


def main() -> None:
    """Measure both in one run; write out/bench/plots.json."""
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from ridewright.app.shell.application import make_application
    from ridewright.app.widgets import theme

    application = make_application(sys.argv[:1])
    theme.apply(application, "dark")
    t, signals = _signals()
    ours = _ours(application, t, signals)
    plain = _plain(application, t, signals)
    ratio = plain["cursor"]["median_s"] / ours["cursor"]["median_s"]
    rows = [
        ("cursor and values, studio", ours["cursor"]),
        ("cursor, plain pyqtgraph", plain["cursor"]),
        ("zoom, studio", ours["zoom"]),
    ]
    print(
        measure.table(
            ("what", "median ms", "95 % ms", "CPU ms", "paints"),
            [
                (what, 1e3 * r["median_s"], 1e3 * r["p95_s"], 1e3 * r["cpu_s"], r["paints"])
                for what, r in rows
            ],
        )
    )
    goals = [
        measure.goal(
            f"cursor through {PLOTS} plots of {SAMPLES} samples in {1e3 * LIMIT:g} ms "
            f"(median {1e3 * ours['cursor']['median_s']:.2f} ms, {ratio:.0f} times faster than plain)",
            ours["cursor"]["median_s"] <= LIMIT and ours["cursor"]["paints"] >= PLOTS,
        )
    ]
    platform = application.platformName()
    measure.write(
        "plots", {"platform": platform, "studio": ours, "plain": plain, "ratio": ratio, "goals": goals}
    )


if __name__ == "__main__":
    main()
