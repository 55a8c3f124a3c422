"""The worker thread around core.solver: runs one project after the other, and never blocks the window."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from dataclasses import dataclass
from importlib import import_module
from threading import Event

from PySide6.QtCore import QObject, Signal, Slot

from ridewright.app.document.runs import Run
from ridewright.app.widgets.live_curve import LiveCurve, LiveRecorder, sampling
from ridewright.app.work import threads
from ridewright.core.base.errors import InputError
from ridewright.core.project.project import Project

__all__ = ["Job", "LiveCurve", "Runner"]

PROGRESS_EVERY = 0.1  # s of wall clock between two reports: each makes the window paint


@dataclass(frozen=True)
class Job:
    """A project to run under a name."""

    name: str
    project: Project


class _Worker(QObject):
    """Lives in the worker thread; the solver is imported and compiled there."""

    loaded = Signal()
    warmed = Signal(str)
    progressed = Signal(float, float, float)
    partial = Signal(object)
    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, stop: Event) -> None:
        super().__init__()
        self._stop = stop

    @Slot(object)
    def load(self, names: tuple[str, ...]) -> None:
        """Import modules that do not use Qt, so that the window's thread finds them ready."""
        for name in names:
            # what cannot be loaded fails again where it is needed, and is told there
            with contextlib.suppress(Exception):
                import_module(name)
        self.loaded.emit()

    @Slot()
    def warm_up(self) -> None:
        """Import and compile the solver by running a fraction of a second of a small rig."""
        from ridewright.app.work.warm_up import warm_up

        try:
            warm_up(self._stop)
        except InputError as error:
            self.warmed.emit(str(error))
        else:
            self.warmed.emit("")

    @Slot(object)
    def run(self, job: Job) -> None:
        from ridewright.core.solver.simulate import simulate

        last = time.perf_counter()
        live = LiveRecorder()

        def on_progress(fraction: float, now: float, end: float | None) -> None:
            nonlocal last
            live.add(fraction, now)
            wall = time.perf_counter()
            if wall - last < PROGRESS_EVERY:
                return
            last = wall
            self.progressed.emit(fraction, now, -1.0 if end is None else end)
            self.partial.emit(live.curve())

        try:
            results = simulate(
                job.project,
                on_progress=on_progress,
                should_stop=self._stop.is_set,
                **sampling(simulate, live.take),
            )
        except InputError as error:
            self.failed.emit(str(error))
        except Exception as error:
            # whatever went wrong in the numerics must not take the window and the work in it along
            self.failed.emit(
                f"The run failed: {type(error).__name__}: {error}. Save your work and report this."
            )
        else:
            self.finished.emit(Run(job.name, results, job.project))


class Runner(QObject):
    """Runs projects in a worker thread. Signals arrive in the thread of the window."""

    started = Signal()
    progressed = Signal(float, float, object)  # fraction, time (s), end time (s) or None
    partial = Signal(object)  # LiveCurve
    finished = Signal(object)  # Run
    failed = Signal(str)
    state_changed = Signal()  # running, ready or queue changed
    loaded = Signal()  # what `load` asked for has been imported
    warmed = Signal(str)  # the solver is compiled; the text says what went wrong, or is empty

    _run_asked = Signal(object)
    _warm_up_asked = Signal()
    _load_asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = Event()
        self._queue: deque[Job] = deque()
        self._job: Job | None = None
        self._ready = False
        self._count = 0
        self.started_at = 0.0  # wall clock (s) at which the run in progress began
        self._worker = _Worker(self._stop)
        self._thread = threads.start("solver", self._worker)
        self._run_asked.connect(self._worker.run)
        self._warm_up_asked.connect(self._worker.warm_up)
        self._load_asked.connect(self._worker.load)
        self._worker.loaded.connect(self.loaded)
        self._worker.warmed.connect(self._on_warmed)
        self._worker.progressed.connect(self._on_progressed)
        self._worker.partial.connect(self.partial)
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self._on_failed)

    @property
    def running(self) -> bool:
        return self._job is not None

    @property
    def job(self) -> Job | None:
        """What runs now."""
        return self._job

    @property
    def ready(self) -> bool:
        """The solver is loaded and compiled."""
        return self._ready

    @property
    def queue(self) -> tuple[Job, ...]:
        """What waits to be run."""
        return tuple(self._queue)

    def load(self, names: tuple[str, ...]) -> None:
        """Import modules that do not use Qt in the worker; `loaded` tells when they are there."""
        self._load_asked.emit(names)

    def warm_up(self) -> None:
        """Load and compile the solver in the worker, so that the first run need not wait."""
        self._warm_up_asked.emit()

    def start(self, project: Project, name: str | None = None) -> None:
        """Run a project, after the ones that wait already."""
        self._count += 1
        self._queue.append(Job(name or f"Run {self._count}", project))
        self._next()
        self.state_changed.emit()

    def start_batch(self, jobs: list[Job]) -> None:
        """Run several projects one after the other."""
        self._queue.extend(jobs)
        self._next()
        self.state_changed.emit()

    def stop(self) -> None:
        """End the run; what it has is delivered by `finished`. What waits stays in the queue's order and runs."""
        if self.running:
            self._stop.set()

    def begin_again(self) -> None:
        """Another project is open: end the run, forget what waits, count runs from one."""
        self._count = 0
        self.clear_queue()
        self.stop()

    def clear_queue(self) -> None:
        """Forget what waits."""
        self._queue.clear()
        self.state_changed.emit()

    def close(self) -> None:
        """Stop everything and wait for the thread; it is safe to destroy the runner afterwards."""
        self._queue.clear()
        self._stop.set()
        threads.end(self._thread)

    def _next(self) -> None:
        if self._job is not None or not self._queue:
            return
        self._job = self._queue.popleft()
        self._stop.clear()
        self.started_at = time.perf_counter()
        self.started.emit()
        self._run_asked.emit(self._job)

    @Slot(str)
    def _on_warmed(self, fault: str) -> None:
        self._ready = True
        self.warmed.emit(fault)
        self.state_changed.emit()

    @Slot(float, float, float)
    def _on_progressed(self, fraction: float, now: float, end: float) -> None:
        self.progressed.emit(fraction, now, None if end < 0.0 else end)

    @Slot(object)
    def _on_finished(self, run: Run) -> None:
        self._job = None
        self._ready = True
        self.finished.emit(run)
        self._next()
        self.state_changed.emit()

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        self._job = None
        self.failed.emit(reason)
        self._next()
        self.state_changed.emit()
