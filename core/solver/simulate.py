"""simulate(project) -> Results: compile, assemble, integrate, record, derive channels."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.multibody.compile import System, compile_system
from core.multibody.device_tables import devices_of
from core.project import Project
from core.results import Ledger, ModelSize, Names, Results, States, Status, Violations
from core.scenario import Ride, Rig
from core.solver import genalpha
from core.solver.assemble import AssemblyReport, model_size
from core.solver.channels import derive_channels, sample_times
from core.solver.engine import SLICE, Engine, grow, new_log, roomy_log
from core.solver.events import located_events, signal_of
from core.solver.genalpha import Limits, Log, Memory
from core.solver.launch import start_device, start_speed
from core.solver.live import LiveReader, LiveSample
from core.solver.record import record
from core.solver.standing import Standing, end_of_standing, standing, whereabouts
from core.track.build import BuiltTrack, build_track
from core.track.devices import DeviceSpan
from core.version import VERSION

Array = NDArray[np.float64]
Progress = Callable[[float, float, float | None], None]
LONGEST_RIDE = 600.0  # s, when only a place ends the ride
STALL_SPEED = 0.02  # m/s


@dataclass(frozen=True)
class _End:
    """When a run ends: time, and for a ride the arc length of each guide at its end place; devices of its track;
    reader: of the place of the train."""

    time: float
    place: Array
    guides: int
    total: float | None
    open_end: bool
    devices: tuple[DeviceSpan, ...] = ()
    reader: LiveReader | None = None


def simulate(
    project: Project,
    *,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_sample: Callable[[LiveSample], None] | None = None,
) -> Results:
    """Run the scenario of a project.

    on_progress(fraction, time, end_time): called every few dozen accepted steps with the done fraction in [0, 1],
    the reached time and the end time (s, None when a place ends the ride). should_stop(): polled as often; the
    run then ends with status "stopped" and keeps what it has. on_sample(sample): called as often, once for every
    newly accepted instant at least 5 ms after the one before, the start included. Raises InputError when the project
    cannot be compiled or assembled; numerical trouble during the run ends it with status "failed" and advice.
    """
    started = time.perf_counter()
    built = None
    speed = None
    if isinstance(project.scenario, Ride) and project.track is not None:
        built = build_track(project.track)
        speed = start_speed(project, built, should_stop=should_stop)
    system = compile_system(project, speed=speed, built=built)
    settled = isinstance(project.scenario, Ride) and project.scenario.settled
    engine = Engine.prepare(system, project.settings, settled=settled)
    size = model_size(system, engine.state)
    if size.degrees_of_freedom == 0 and not any(g.what == "driver" for g in system.groups):
        raise InputError(
            f"{project.name}: nothing can move: the joints leave no degree of freedom; release one."
        )
    _check_watched(project, engine)
    end = _end_of(project, system, built)
    end = replace(end, devices=devices_of(project, built), reader=LiveReader(project, system))
    prepared = time.perf_counter()
    show = None if on_sample is None else _shown(LiveReader(project, system), on_sample)
    log, rows, status, figures = integrate(engine, end, on_progress, should_stop, show)
    figures |= {"prepare_seconds": prepared - started, "integrate_seconds": time.perf_counter() - prepared}
    recorded = record(system, log, rows)
    del log  # what the states do not show of it, the multipliers, makes room for the channels
    return _results(project, system, size, engine.report, recorded, status, figures, speed)


def _check_watched(project: Project, engine: Engine) -> None:
    """Refuse signals there are none of before the run and not after it."""
    if not project.evaluation.watch:
        return
    start = new_log(engine.system, 1)
    genalpha.write_log(engine.memory(), start)
    states, _, _ = record(engine.system, start, 1)
    for name, _ in project.evaluation.watch:
        signal_of(project, engine.system, states, name)


def _end_of(project: Project, system: System, built: BuiltTrack | None) -> _End:
    scenario = project.scenario
    none = np.full(len(system.guides), np.inf)
    if isinstance(scenario, Rig):
        return _End(scenario.duration, none, 0, scenario.duration, False)
    assert built is not None
    assert project.train is not None
    duration = scenario.duration if scenario.duration is not None else LONGEST_RIDE
    place, open_end = scenario.end_place, False
    if built.track.closed:
        if place is None and scenario.duration is None:
            place = scenario.start + built.length
    elif place is None or place > built.length:
        # the first wheel that reaches the end of the rails ends the ride
        place, open_end = built.length, True
    if place is None:
        return _End(duration, none, 0, scenario.duration, False)
    if place <= scenario.start:
        raise InputError(
            f"The end place {place:.2f} m is not ahead of the start at {scenario.start:.2f} m; move one of them."
        )
    ends = none.copy()
    first = project.train.cars[0]
    for k, guide in enumerate(system.guides):
        described = {f"{first.name}/{g.name}": g for g in first.guides}.get(guide.name)
        if open_end:
            path = "centreline" if described is None else described.path
            ends[k] = built.paths[path].length - 1e-6
        elif described is not None:
            at = {b.name: b for b in first.bodies}[described.body].position[0] + described.point[0]
            s = place + at
            ends[k] = s if described.path == "centreline" else built.rails[described.path].to_rail([s])[0]
    guides = 1 if open_end else len(first.guides)
    return _End(duration, ends, guides, scenario.duration, open_end)


def _shown(reader: LiveReader, on_sample: Callable[[LiveSample], None]) -> Callable[[Log, int], None]:
    def show(log: Log, rows: int) -> None:
        for sample in reader.new(log, rows):
            on_sample(sample)

    return show


def integrate(
    engine: Engine,
    end: _End,
    on_progress: Progress | None,
    should_stop: Callable[[], bool] | None,
    show: Callable[[Log, int], None] | None = None,
) -> tuple[Log, int, Status, dict[str, Any]]:
    """Advance an engine to its end in slices; returns the log, its used rows, the status and figures.

    show(log, rows): called after every slice with the rows written so far.
    """
    log = roomy_log(engine.system)
    Y, P = engine.memory(), engine.limits(end.time)
    genalpha.write_log(Y, log)
    stalled_since = math.inf
    advance = None
    if engine.settings.method != "generalized_alpha":
        # here, because the solvers of scipy that it brings along take longer to load than the first step does
        from core.solver.explicit import explicit_advance

        advance = explicit_advance(engine, Y, P, end.place, end.guides)
    while True:
        if advance is not None:
            code = advance(log, SLICE)
        else:
            S, X = engine.system.arrays, engine.factor
            code = genalpha.advance(S, engine.work, X, Y, P, log, end.place, end.guides, SLICE)
        now = float(Y.clock[genalpha.TIME])
        if on_progress is not None:
            on_progress(_fraction(engine, end, now, Y), now, end.total)
        if show is not None:
            show(log, int(Y.counts[genalpha.LOGGED]))
        if code == genalpha.FULL:
            log = grow(log)
            continue
        over = _finished(engine, Y, P, end, code, now)
        if over is not None:
            status = over
            break
        if should_stop is not None and should_stop():
            status = Status("stopped", f"Stopped at t = {now:.3f} s as asked.", "What was computed is kept.")
            break
        found, over = _standing(engine, Y, end, now)
        if over is not None:
            status = over
            break
        if found.what == "waiting":
            stalled_since = math.inf
            continue
        stalled_since, stalled = _stall(engine, Y, end, stalled_since, now)
        if stalled:
            status = Status(
                "stalled",
                f"The train {_what_stalled(engine, Y, end)} at t = {now:.2f} s before its end place.",
                "Start faster, lower the track ahead, or end the ride by time.",
            )
            break
    names = ("accepted", "rejected", "iterations", "factorisations")
    figures: dict[str, Any] = {k: int(v) for k, v in zip(names, Y.counts[:4], strict=True)}
    return log, int(Y.counts[genalpha.LOGGED]), status, figures


def _finished(engine: Engine, Y: Memory, P: Limits, end: _End, code: int, now: float) -> Status | None:
    """The status with which a return code of the integrator ends the run, None when it goes on."""
    done = Status("done", "The run reached its end.")
    if code == genalpha.PATH_END:
        return Status("end of track", "The train reached the end of the track.") if end.open_end else done
    if code == genalpha.FINISHED:
        if end.total is None:
            late = (
                f"The end place was not reached within {end.time:g} s; the train is{_where(engine, Y, end)}."
            )
            return Status(
                "stalled", late, "Start faster, or change the lifts and brakes ahead of that place."
            )
        return done
    return _failure(engine, Y, P, now) if code == genalpha.STEP_TOO_SMALL else None


def _fraction(engine: Engine, end: _End, now: float, Y: Memory) -> float:
    by_time = now / end.time
    known = np.isfinite(end.place)
    if not known.any():
        return min(1.0, by_time)
    start = engine.state.path[known]
    done = (Y.L[0][known] - start) / np.maximum(end.place[known] - start, 1e-9)
    return float(min(1.0, max(by_time if end.total is not None else 0.0, float(np.min(done)))))


def _standing(engine: Engine, Y: Memory, end: _End, now: float) -> tuple[Standing, Status | None]:
    """How the train stands on devices of the track, and the status of the run if that ends it."""
    found = standing(engine.work, end.devices, now)
    if found.what in ("moving", "waiting"):
        return found, None
    assert engine.system.built is not None
    assert end.reader is not None
    place = end.reader.place(Y.L[0])
    return found, end_of_standing(found, engine.system.built, place, now, end.total is not None)


def _stall(engine: Engine, Y: Memory, end: _End, since: float, now: float) -> tuple[float, bool]:
    """A ride that must reach a place has stalled when every guide crawled for two seconds, or ran back."""
    if end.guides == 0 or end.total is not None:
        return math.inf, False
    nb, ng = engine.system.bodies, len(engine.system.guides)
    speeds = Y.v[genalpha.U, 6 * nb : 6 * nb + ng]
    if np.all(Y.L[0] < engine.state.path - 5.0):
        return since, True
    if np.max(np.abs(speeds)) > STALL_SPEED:
        return math.inf, False
    return min(since, now), now - min(since, now) > 2.0


def _what_stalled(engine: Engine, Y: Memory, end: _End) -> str:
    back = np.all(Y.L[0] < engine.state.path - 5.0)
    return f"{'rolled back behind its start' if back else 'came to rest'}{_where(engine, Y, end)}"


def _where(engine: Engine, Y: Memory, end: _End) -> str:
    """Where the train is, in words with a blank before them; empty off a track."""
    if engine.system.built is None or end.reader is None:
        return ""
    return f" {whereabouts(engine.system.built, end.reader.place(Y.L[0]))}"


def _failure(engine: Engine, Y: Memory, P: Limits, now: float) -> Status:
    what = "fixed step" if P.fixed > 0.0 else "step"
    advice = (
        "Use a smaller fixed step or the error-controlled method."
        if P.fixed > 0.0
        else "Loosen the tolerance, or look for a kink in the track or a jammed joint at this place."
    )
    place = ""
    if Y.L.shape[1]:
        place = f", {float(np.mean(Y.L[0])):.1f} m along the track"
    return Status("failed", f"No {what} converges any more at t = {now:.4f} s{place}.", advice)


def _started_on(project: Project, built: BuiltTrack | None) -> str | None:
    """The name of the device that a ride has its start speed from."""
    scenario = project.scenario
    if built is None or not isinstance(scenario, Ride) or scenario.speed is not None:
        return None
    on = start_device(project, built)
    return None if on is None else on.device.name


def _results(
    project: Project,
    system: System,
    size: ModelSize,
    report: AssemblyReport,
    recorded: tuple[States, Ledger, Violations],
    status: Status,
    figures: dict[str, Any],
    speed: float | None,
) -> Results:
    states, ledger, violations = recorded
    times = sample_times(states, project.settings.sample_rate)
    channels = derive_channels(project, system, states, times)
    provenance = {
        "program": "ridewright",
        "version": VERSION,
        "created": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "project": project.model_dump(mode="json"),
        "solver": figures,
        "assembly": asdict(report),
        "start_speed": speed,
        "start_device": _started_on(project, system.built),
    }
    return Results(
        status=status,
        size=size,
        names=Names(
            bodies=system.names,
            guides=tuple(g.name for g in system.guides),
            joints=tuple(j.name for j in system.joints),
            springs=system.elements,
            riders=system.riders,
        ),
        states=states,
        energy=ledger,
        violations=violations,
        sample_time=times,
        channels=channels,
        provenance=provenance,
        events=located_events(project, system, states, status, channels, times),
    )
