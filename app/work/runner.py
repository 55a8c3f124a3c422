"""The worker thread around core.solver: runs one project after the other, and never blocks the window."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from ...core.base.errors import InputError
from ...core.base.time_left import TimeLeft
from ...core.project.project import Project
from ...core.project.scenario import Ride
from ..document.runs import Run
from ..widgets import units
from ..widgets.live_curve import LiveCurve, LiveRecorder, sampling
from .task import ProgressReporter, Task

__all__ = ["Job", "LiveCurve", "Runner"]

PROGRESS_EVERY = 0.1  # s of wall clock between two reports: each makes the window paint


@dataclass(frozen=True)
class Job:
    """A project to run under a name."""

    name: str
    project: Project


def _loaded(names: tuple[str, ...], _reporter: ProgressReporter) -> None:
    for name in names:
        # what cannot be loaded fails again where it is needed, and is told there
        with contextlib.suppress(Exception):
            import_module(name)


def _warmed(_asked: None, reporter: ProgressReporter) -> str:
    """Import and compile the solver by running a fraction of a second of a small rig; what went wrong, or ""."""
    from .warm_up import warm_up

    try:
        warm_up(reporter.stopped)
    except InputError as error:
        return units.told(error)
    return ""


def _expected(project: Project) -> float | None:
    """How long (s) a ride takes: as its scenario says, else as the train as points takes to its end."""
    from ...core.pointmass.ride import preview_ride
    from ...core.project.point_train import ridden_settings
    from ...core.track.build import build_track

    ride = project.scenario
    if not isinstance(ride, Ride) or project.track is None:
        return None  # the time of a rig is what its fraction is of
    if ride.duration is not None and ride.end_place is None:
        return ride.duration
    try:
        built = build_track(project.track, ride=False)
        points = preview_ride(built, ridden_settings(project), gravity=project.gravity)
    except InputError:
        return None
    if not points.arrived:
        return None
    way = (built.length if ride.end_place is None else ride.end_place) - ride.start
    there = np.flatnonzero(points.s - points.s[0] >= way)
    total = float(points.time[there[0] if len(there) else -1])
    return total if ride.duration is None else min(total, ride.duration)


def _effort(project: Project) -> tuple[float | None, float]:
    """How long (s) a ride takes, None where its fraction tells; and that times the seats of the train or rig."""
    total, scenario, top = _expected(project), project.scenario, project.assembly
    lasts = total if isinstance(scenario, Ride) else scenario.duration
    seats = 0 if top is None else len(top.every("seat"))
    return total, (lasts or 0.0) * seats


def _ridden(job: Job, reporter: ProgressReporter) -> Run:
    from ...core.run.simulate import simulate

    reporter.report(_effort(job.project))
    last = time.perf_counter()
    live = LiveRecorder()

    def on_progress(fraction: float, now: float, end: float | None) -> None:
        nonlocal last
        live.add(fraction, now)
        wall = time.perf_counter()
        if wall - last >= PROGRESS_EVERY:
            last = wall
            reporter.report((fraction, now, end, live.curve()))

    results = simulate(
        job.project, on_progress=on_progress, should_stop=reporter.stopped, **sampling(simulate, live.take)
    )
    return Run(job.name, results, job.project)


def _carry_out(
    asked: tuple[Callable[[Any, ProgressReporter], Any], Any], reporter: ProgressReporter
) -> tuple[Any, Any]:
    """In the worker thread, where the solver is imported and compiled."""
    work, what = asked
    return work, work(what, reporter)


class Runner(QObject):
    """Runs projects in a worker thread. Signals arrive in the thread of the window."""

    started = Signal()
    progressed = Signal(float, float, object)  # fraction, time (s), end time (s) or None
    partial = Signal(object)  # LiveCurve
    finished = Signal(object)  # Run
    failed = Signal(object)  # InputError: why a run cannot be made
    state_changed = Signal()  # running, ready or queue changed
    loaded = Signal()  # what `load` asked for has been imported
    warmed = Signal(str)  # the solver is compiled; the text says what went wrong, or is empty

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: deque[Job] = deque()
        self._job: Job | None = None
        self._ready = False
        self._count = 0
        self._left = TimeLeft()
        # whatever goes wrong in the numerics must not take the window and the work in it along
        self._task = Task("solver", _carry_out, self, latest=False, failing="The run failed")
        self._task.reported.connect(self._on_reported)
        self._task.finished.connect(self._on_done)
        self._task.refused.connect(self._on_failed)

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
    def seconds_left(self) -> float | None:
        """How long (s) the run in progress still takes; None while it is too early to tell."""
        return self._left.seconds

    @property
    def queue(self) -> tuple[Job, ...]:
        """What waits to be run."""
        return tuple(self._queue)

    def load(self, names: tuple[str, ...]) -> None:
        """Import modules that do not use Qt in the worker; `loaded` tells when they are there."""
        self._task.ask((_loaded, names))

    def warm_up(self) -> None:
        """Load and compile the solver in the worker, so that the first run need not wait."""
        self._task.ask((_warmed, None))

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
            self._task.stop()

    def restart(self) -> None:
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
        self._task.close()

    def _next(self) -> None:
        if self._job is not None or not self._queue:
            return
        self._job = self._queue.popleft()
        self._left = TimeLeft(pace=self._left.pace)
        self.started.emit()
        self._task.ask((_ridden, self._job))

    def _on_reported(
        self, reported: tuple[float | None, float] | tuple[float, float, float | None, LiveCurve]
    ) -> None:
        if len(reported) == 2:
            self._left = TimeLeft(*reported, self._left.pace)
            return
        fraction, now, end, curve = reported
        self._left.take(fraction, now)
        self.progressed.emit(fraction, now, end)
        self.partial.emit(curve)

    def _on_done(self, done: tuple[Any, Any]) -> None:
        work, result = done
        if work is _loaded:
            self.loaded.emit()
            return
        self._ready = True
        if work is _warmed:
            self.warmed.emit(result)
        else:
            self._job = None
            self._left.end()
            self.finished.emit(result)
            self._next()
        self.state_changed.emit()

    def _on_failed(self, fault: InputError) -> None:
        self._job = None
        self.failed.emit(fault)
        self._next()
        self.state_changed.emit()
