"""simulate(project) -> Results: compile, assemble, integrate, record, derive channels."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..base.version import VERSION
from ..base.where import Where
from ..multibody.compile import System, compile_system, track_of
from ..multibody.connections import parts_of
from ..multibody.device_tables import devices_of
from ..project.project import Project
from ..project.scenario import Ride, Rig
from ..results.results import ModelSize, Results, Status
from ..track.build import BuiltTrack
from . import integration
from .assemble import model_size
from .channels import channel_rate, derive_channels, sample_times
from .engine import Engine, new_log
from .events import located_events, signal_of
from .integration import Log
from .launch import start_device, start_speed
from .live_readings import LiveReader, LiveSample
from .march import End, March, Progress, Show, figures_of, integrate
from .multirate import (
    Recorded,
    columns_of,
    joined,
    joined_channels,
    joined_report,
    joined_size,
    names_of,
    until,
)
from .record import record

LONGEST_RIDE = 600.0  # s, when only a place ends the ride


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
    built = track_of(project)
    speed = None
    if isinstance(project.scenario, Ride) and built is not None:
        speed = start_speed(project, built, should_stop=should_stop)
    parts = _prepared(project, speed, built)
    size = joined_size([model_size(part.system, part.state) for part in parts])
    driven = any(group.what == "driver" for part in parts for group in part.system.groups)
    if size.degrees_of_freedom == 0 and not driven:
        raise InputError(
            f"{project.name}: nothing can move: the joints leave no degree of freedom; release one."
        )
    whole = parts[0].system
    if len(parts) > 1:
        # force elements are stored part by part
        elements = tuple(chain.from_iterable(part.system.elements for part in parts))
        whole = replace(compile_system(project, speed=speed, built=built), elements=elements)
    _check_watched(project, whole, parts)
    end, places = _end_of(project, parts, built)
    pushed = any(part.system.device_cars for part in parts)
    end = replace(end, devices=devices_of(project, built) if pushed else (), built=built)
    end = replace(end, reader=_reader(project, parts))
    marches = [March.begin(part, *place, end.time) for part, place in zip(parts, places, strict=True)]
    prepared = time.perf_counter()
    show = None if on_sample is None else _shown(_reader(project, parts), on_sample)
    status, over = integrate(marches, end, on_progress, should_stop, show)
    figures = figures_of(marches)
    figures |= {"prepare_seconds": prepared - started, "integrate_seconds": time.perf_counter() - prepared}
    recorded = [record(m.engine.system, m.log, m.rows) for m in marches]
    del marches  # what the states do not show of the logs, the multipliers, makes room for the channels
    return _results(project, whole, parts, size, recorded, status, over, figures, speed)


def _prepared(project: Project, speed: float | None, built: BuiltTrack | None) -> list[Engine]:
    """Everything that moves, assembled and ready to go, in as many parts as there are clocks."""
    settled = isinstance(project.scenario, Ride) and project.scenario.settled
    systems = [
        compile_system(project, speed=speed, built=built, only=only) for only in parts_of(project) or (None,)
    ]
    settings = project.settings.model_copy(update={"sample_rate": channel_rate(project)})
    return [Engine.prepare(system, settings, settled=settled) for system in systems]


def _check_watched(project: Project, whole: System, parts: Sequence[Engine]) -> None:
    """Refuse signals there are none of before the run and not after it."""
    if not project.evaluation.watch:
        return
    recorded = []
    for part in parts:
        start = new_log(part.system, 1)
        integration.write_log(part.memory(), start)
        recorded.append(record(part.system, start, 1))
    states, _, _ = _as_one(recorded, 0.0, whole, parts)
    for name, _ in project.evaluation.watch:
        signal_of(project, whole, states, name)


def _as_one(recorded: Sequence[Recorded], end: float, whole: System, parts: Sequence[Engine]) -> Recorded:
    """The records of all parts together, up to a time (s)."""
    if len(parts) == 1:
        return recorded[0]
    return joined(recorded, end, columns_of(whole, [part.system for part in parts]))


def _reader(project: Project, parts: Sequence[Engine]) -> LiveReader:
    return LiveReader(project, [part.system for part in parts])


def _end_of(
    project: Project, parts: Sequence[Engine], built: BuiltTrack | None
) -> tuple[End, list[tuple[Array, int]]]:
    """When the run ends, and for each part where its guides end it (m, inf for never) and how many must be there."""
    scenario = project.scenario
    never = [(np.full(len(part.system.guides), np.inf), 0) for part in parts]
    if isinstance(scenario, Rig):
        end = End(scenario.duration, scenario.duration)
        if built is None or built.track.closed:
            return end, never
        return replace(end, open_end=True), [(_ends_of_rails(project, part, built), 1) for part in parts]
    assert built is not None
    duration = scenario.duration if scenario.duration is not None else LONGEST_RIDE
    place, open_end = scenario.end_place, False
    if built.track.closed:
        if place is None and scenario.duration is None:
            place = scenario.start + built.length
    elif place is None or place > built.length:
        # the first wheel that reaches the end of the rails ends the ride
        place, open_end = built.length, True
    if place is None:
        return End(duration, scenario.duration), never
    if place <= scenario.start:
        raise InputError(
            say(
                "The end place {place:.2f m} is not ahead of the start at {start:.2f m}; move one of them.",
                place=place,
                start=scenario.start,
            ),
            Where(("scenario",)),
        )
    end = End(duration, scenario.duration, open_end)
    if open_end:
        return end, [(_ends_of_rails(project, part, built), 1) for part in parts]
    return end, [_ends_of_first(parts[0], built, place), *never[1:]]


def _ends_of_rails(project: Project, part: Engine, built: BuiltTrack) -> Array:
    """Where each guide's own path ends (m)."""
    assert project.assembly is not None
    guides = project.assembly.every("guide")
    return np.array([built.paths[guides[g.name].path].length - 1e-6 for g in part.system.guides])


def _ends_of_first(part: Engine, built: BuiltTrack, place: float) -> tuple[Array, int]:
    """Where the first car's guides (m, inf for others) are when its origin is at a place (m), and how many they are."""
    first = part.system.cars[0]
    ends = np.full(len(part.system.guides), np.inf)
    for k, guide in enumerate(first.places, first.guides[0]):
        s = place + guide.ahead
        ends[k] = s if guide.path == "centreline" else built.rails[guide.path].to_rail([s])[0]
    return ends, len(first.places)


def _shown(reader: LiveReader, on_sample: Callable[[LiveSample], None]) -> Show:
    def show(logs: Sequence[tuple[Log, int]]) -> None:
        for sample in reader.new(logs):
            on_sample(sample)

    return show


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
    parts: Sequence[Engine],
    size: ModelSize,
    recorded: Sequence[Recorded],
    status: Status,
    over: float,
    figures: dict[str, Any],
    speed: float | None,
) -> Results:
    """The results of a run that ended at the time `over` (s) from the records of its parts."""
    if len(parts) > 1:
        recorded = [until(one, over) for one in recorded]
    states, ledger, violations = _as_one(recorded, over, system, parts)
    times = sample_times(states, channel_rate(project))
    each = [(part.system, one[0]) for part, one in zip(parts, recorded, strict=True)]
    channels = joined_channels([derive_channels(project, *part, times) for part in each])
    assembly = asdict(joined_report([part.report for part in parts]))
    for name in ("slid", "unsettled"):
        if not assembly[name]:
            del assembly[name]
    provenance = {
        "program": "ridewright",
        "version": VERSION,
        "created": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "project": project.model_dump(mode="json"),
        "solver": figures,
        "assembly": assembly,
        "start_speed": speed,
        "start_device": _started_on(project, system.built),
    }
    return Results(
        status=status,
        size=size,
        names=names_of(system),
        states=states,
        energy=ledger,
        violations=violations,
        sample_time=times,
        channels=channels,
        provenance=provenance,
        events=located_events(project, system, states, status, channels, times, each),
    )
