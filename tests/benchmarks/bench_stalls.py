"""How long the window is deaf: the longest time between two turns of its event loop while it starts, compiles, runs,
and while a run of a full train is opened, drawn, played, scrolled, looked at in its panels, sorted, searched and
reported, the theme is changed with it, and its project is opened.

A timer of 5 ms ticks in the window's thread. A stall is the time between two ticks. Other processes on the machine
lengthen it; the time the thread waited for a processor (Linux: schedstat) is therefore taken off. What is left holds
waiting for the solver's thread and for the threads that draw in 3D, which lack processors too on a busy machine; so
what the window's thread itself computed is written beside it, and the wall time.
`RIDEWRIGHT_STALLS=<file>` in the environment writes there what the window was doing in each.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks import measure
from tests.benchmarks.display import MISSING, Display, clocks

LONGEST = 0.100  # s
TICK = 5  # ms
READ = 2.5  # s, in which a person reads the form of a report
SOON = {"full train opened": 3.0, "a seat plotted": 0.3, "report made": 3.0}  # s
PATIENCE = 600.0  # s, for a compile on a busy machine
INSIDE = "--inside"
FULL = "full train"
DUMP = "RIDEWRIGHT_STALLS"


class Ticker:
    """Longest silence of the event loop in each phase: wall, and without the wait for a processor."""

    def __init__(self, application: Any) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.application = application
        self.worst: dict[str, dict[str, float]] = {}
        self._phase = ""
        self._last, self._used = clocks(), time.thread_time()
        self._seen: list[str] = []
        self._held: list[object] = []  # frames: what they hold must be let go of in the window's thread
        if DUMP in os.environ:
            Path(os.environ[DUMP]).unlink(missing_ok=True)
            threading.Thread(target=self._watch, args=(threading.get_ident(),), daemon=True).start()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = clocks()
        wall = now[0] - self._last[0]
        own = wall - (now[1] - self._last[1])
        used, before = time.thread_time(), self._used
        self._last, self._used = now, used
        if self._phase:
            worst = self.worst.setdefault(self._phase, {"own_s": 0.0, "cpu_s": 0.0, "wall_s": 0.0})
            for name, value in (("own_s", own), ("cpu_s", used - before), ("wall_s", wall)):
                worst[name] = max(worst[name], value)
        seen, self._seen = self._seen, []
        self._held.clear()
        if own > 0.6 * LONGEST and DUMP in os.environ:
            with Path(os.environ[DUMP]).open("a") as file:
                file.write(f"\n=== {self._phase}: {1e3 * own:.0f} ms of {1e3 * wall:.0f} ms\n")
                file.writelines(f"{count} x {stack}\n" for stack, count in Counter(seen).most_common(6))

    def _watch(self, window: int) -> None:
        while True:
            frame = sys._current_frames().get(window)
            self._held.append(frame)
            stack = traceback.extract_stack(frame)[::-1]
            del frame
            self._seen.append(" < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in stack[:9]))
            time.sleep(0.004)

    def phase(self, name: str, until: Callable[[], bool] | None = None, seconds: float = 0.0) -> None:
        """Let the program live until something holds, and for some seconds after."""
        self._phase = name
        end = time.perf_counter() + PATIENCE
        while until is not None and not until() and time.perf_counter() < end:
            self.application.processEvents()
            time.sleep(0.001)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.application.processEvents()
            time.sleep(0.001)


def _studio() -> tuple[Ticker, Any]:
    """A studio with its first picture, watched."""
    folder = tempfile.mkdtemp()
    os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = folder
    from ridewright.app.work.prefetch import Prefetch

    fetched = Prefetch()
    from ridewright.app.shell.application import start
    from ridewright.app.widgets.settings import Settings

    Settings().tour_seen = True
    application, window = start(["ridewright"], fetched)
    window.settings.tour_seen = True
    ticker = Ticker(application)
    ticker.phase("", lambda: bool(window.viewer.plotter.frame_times), 0.3)  # the first picture is no stall
    if window.tour is not None:
        window.tour.end()
    return ticker, window


def _inside() -> None:
    """In a process with a display; the last line is JSON."""
    ticker, window = _studio()
    ticker.phase("load and compile", lambda: window.runner.ready, 0.5)
    window.show_panel("loads")
    for name in ("first run", "second run"):
        window.actions_table.by_id["run"].trigger()
        ticker.phase(name, lambda: not window.runner.running)
        ticker.phase(f"{name} arrives", seconds=2.0)
    window.show_panel("injury")
    ticker.phase("injury shown", seconds=2.0)
    _select(ticker, window)
    for name in ("quality", "channels", "run", "points", "plan", "profile"):
        window.show_panel(name)
        ticker.phase("other panels shown", seconds=0.4)
    print(json.dumps(ticker.worst), flush=True)
    os._exit(0)


def _lap(path: Path) -> None:
    """As `_inside`, with a run from a file: what is done with it, by name, and how long that took."""
    ticker, window = _studio()
    window.resize(1600, 900)
    ticker.phase("", lambda: window.runner.ready, 2.0)
    drawn: list[int] = []
    window.viewer.plotter.painted.connect(
        lambda _: drawn.append(sum(m.made is not None for m in window.viewer.scene.train.members.values()))
    )
    took: dict[str, float] = {}

    def timed(name: str, do: Callable[[], object], until: Callable[[], bool], seconds: float) -> None:
        ticker.phase(name)
        begun = time.perf_counter()
        do()
        ticker.phase(name, until)
        took[name] = time.perf_counter() - begun
        ticker.phase(name, seconds=seconds)

    document, panels = window.document, window.panels

    def whole() -> bool:
        run = document.current_run
        return run is not None and bool(drawn) and drawn[-1] == len(run.results.names.bodies)

    timed("full train opened", lambda: window.files.take(path), whole, 4.0)
    timed(
        "its injury panel",
        lambda: window.show_panel("injury"),
        lambda: panels["injury"].pages.currentIndex() == 1,
        1.0,
    )
    timed("its seats", lambda: window.show_panel("seats"), lambda: panels["seats"].grid.complete, 1.0)
    timed("its loads", lambda: window.show_panel("loads"), lambda: panels["loads"].grid.complete, 1.0)
    last = [*document.current_run.results.names.riders][-1]
    box = panels["loads"]._rider
    timed("a seat plotted", lambda: _take(box, last), lambda: panels["loads"].grid.complete, 1.0)
    timed("played", window.playback.toggle, lambda: window.playback.time > 2.0, 0.0)
    window.playback.pause()
    _scroll(ticker, window)
    _table(ticker, window)
    timed("theme changed", window.actions_table.by_id["theme"].trigger, whole, 2.0)
    _report(ticker, timed, window)
    _project(ticker, timed, window)
    print(json.dumps({"worst": ticker.worst, "took": took}), flush=True)
    os._exit(0)


def _scroll(ticker: Ticker, window: Any) -> None:
    """Drag the time through the ride, a step a picture."""
    seen: list[float] = []
    window.viewer.plotter.painted.connect(seen.append)
    for share in (k / 40 for k in range(41)):
        count = len(seen)
        window.playback.seek(share * window.playback.duration)
        ticker.phase("scrolled", lambda count=count: len(seen) > count)


def _table(ticker: Ticker, window: Any) -> None:
    """Sort, filter and click in the table of all seats."""
    window.show_panel("injury")
    ticker.phase("its injury panel", seconds=2.0)
    from PySide6.QtCore import Qt

    panel = window.panels["injury"]
    table = panel.table
    for title in ("Criterion", "Value", "Margin"):
        for order in Qt.SortOrder:
            ticker.phase("table sorted")
            table.horizontalHeader().setSortIndicator(panel.model.column(title), order)
            ticker.phase("table sorted", seconds=0.3)
    for which in ("all", "exceeded", "limits"):
        ticker.phase("table filtered")
        _take(panel._which, which)
        ticker.phase("table filtered", seconds=0.5)
    for words in ("h", "hi", "hic", ""):
        ticker.phase("table searched")
        panel._search.setText(words)
        ticker.phase("table searched", seconds=0.5)
    for row in (3, 40, 200):
        ticker.phase("row clicked")
        index = panel.model.index(row, 0)
        table.setCurrentIndex(index)
        table.clicked.emit(index)
        ticker.phase("row clicked", seconds=1.5)


def _report(ticker: Ticker, timed: Any, window: Any) -> None:
    """A report of the shown run, made beside the window, with pictures of the scene."""
    from PySide6.QtWidgets import QApplication

    from ridewright.app.report.dialog import ReportDialog

    ticker.phase("")
    window.actions_table.by_id["report"].trigger()
    (dialog,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, ReportDialog))
    dialog.path.setText(str(Path(tempfile.mkdtemp()) / "lap.pdf"))
    ticker.phase("", seconds=READ)
    timed("report made", dialog.begin, lambda: dialog.job is None and bool(dialog.written), 1.0)
    dialog.close()


def _project(ticker: Ticker, timed: Any, window: Any) -> None:
    """A project with that train, from its file."""
    from ridewright.core.project.project import save_project

    ticker.phase("")
    path = Path(tempfile.mkdtemp()) / "train.ridewright"
    save_project(window.document.current_run.project, path)
    viewer = window.viewer
    seen: list[float] = []
    viewer.plotter.painted.connect(seen.append)
    ticker.phase("", seconds=0.1)
    timed(
        "project opened",
        lambda: window.files.open_path(path),
        lambda: bool(seen) and not viewer._due and not viewer.scene.train.waits,
        4.0,
    )


def _take(box: Any, data: object) -> None:
    """Choose in a list as a person does."""
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def _select(ticker: Ticker, window: Any) -> None:
    from ridewright.app.document.selection import Selection

    car = window.document.project.train.children[0]
    for selection in (
        Selection("body", (car.name, car.bodies[0].name)),
        Selection("joint", (car.name, car.joints[0].name)),
        Selection("force", (car.name, car.forces[0].name)),
        Selection("assembly", (car.name,)),
        Selection("assembly", (car.name, car.riders[0].name)),
        Selection("points", ("loop",), (3,)),
        Selection("section", ("loop",)),
        Selection("scenario"),
    ):
        window.document.select(selection)
        ticker.phase("selecting", seconds=0.6)


def _ride(path: Path) -> None:
    """A file with the lap of the full train."""
    from ridewright.core.results.file import write_results  # the studio is watched without all this
    from ridewright.core.run.simulate import simulate
    from tests.benchmarks.bench_full_lap import RIDDEN
    from tests.benchmarks.bench_full_train import TRAINS, full_train

    write_results(simulate(full_train(*TRAINS[-1][1:], RIDDEN)), path, compact=True)


def main() -> None:
    """Measure with a cold and a warm kernel cache; write out/bench/stalls.json."""
    with Display() as display, tempfile.TemporaryDirectory() as cache:
        if not display.here:
            print(MISSING)
            return
        os.environ["NUMBA_CACHE_DIR"] = cache
        try:
            found = {
                name: display.json_of("-m", "tests.benchmarks.bench_stalls", INSIDE)
                for name in ("cold cache", "warm cache")
            }
        finally:
            del os.environ["NUMBA_CACHE_DIR"]
        path = Path(cache) / "lap.h5"
        _ride(path)
        lap = display.json_of("-m", "tests.benchmarks.bench_stalls", INSIDE, str(path))
        found[FULL] = lap["worst"]
    rows = [
        (cache, phase, *(1e3 * worst[name] for name in ("own_s", "cpu_s", "wall_s")))
        for cache, phases in found.items()
        for phase, worst in phases.items()
    ]
    print(measure.table(("kernel cache", "while", "longest stall ms", "computing ms", "wall ms"), rows))
    print(measure.table(("full train", "s"), [*lap["took"].items()]))
    longest = max(row[2] for row in rows if row[0] != FULL)
    goals = [
        *(
            measure.goal(f"{name} within {most:g} s: {lap['took'][name]:.2f} s", lap["took"][name] <= most)
            for name, most in SOON.items()
        ),
        measure.goal(
            f"no stall longer than {1e3 * LONGEST:g} ms while it compiles and runs: {longest:.0f} ms",
            longest <= 1e3 * LONGEST,
        ),
        *(
            measure.goal(
                f"{name}: no stall longer than {1e3 * LONGEST:g} ms: {1e3 * worst['own_s']:.0f} ms, of which it"
                f" computed {1e3 * worst['cpu_s']:.0f} ms",
                worst["own_s"] <= LONGEST,
            )
            for name, worst in found[FULL].items()
        ),
    ]
    measure.write("stalls", {**found, "took": lap["took"], "goals": goals})


if __name__ == "__main__":
    if INSIDE in sys.argv:
        if sys.argv[-1] == INSIDE:
            _inside()
        else:
            _lap(Path(sys.argv[-1]))
    else:
        main()
