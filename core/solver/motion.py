"""What the solver makes of a project: the motion of everything in it, with forces and energies.

compile, assemble, integrate, record; what is read off these, channels, events and what is shown on the way, is made of
it in the room `run`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where
from ..multibody.compile import System, compile_system, track_of
from ..multibody.connections import parts_of
from ..multibody.device_tables import devices_of
from ..project.project import Project
from ..project.sampling import channel_rate
from ..project.scenario import Ride, Rig
from ..results.results import ModelSize, Status
from ..track.build import BuiltTrack
from .assemble import AssemblyReport, model_size
from .contacts import standing
from .engine import Engine
from .first_car import FirstCar
from .launch import start_speed
from .march import End, March, Progress, Show, figures_of, integrate
from .multirate import Recorded, columns_of, joined, joined_report, joined_size, until
from .record import record
from .written_step import new_log, write_log

LONGEST_RIDE = 600.0  # s, when only a place ends the ride


@dataclass(frozen=True)
class Ready:
    """A project compiled and assembled, ready to go: its track, start speed (m/s, None for a rig), the whole system, an
    engine for each part that has a step size of its own, counts of the model, when preparing began
    (perf_counter, s)."""

    project: Project
    built: BuiltTrack | None
    speed: float | None
    whole: System
    parts: tuple[Engine, ...]
    size: ModelSize
    begun: float

    @property
    def systems(self) -> tuple[System, ...]:
        """The systems of the parts, that of the first car first."""
        return tuple(part.system for part in self.parts)

    def start(self) -> Recorded:
        """The record of the start alone, of all parts together."""
        recorded = []
        for part in self.parts:
            log = new_log(part.system, 1)
            write_log(part.system.arrays, part.work, part.memory(), log, True)
            recorded.append(record(part.system, log, 1))
        return _as_one(recorded, 0.0, self.whole, self.systems)


@dataclass(frozen=True)
class Moved:
    """How a project moved: status and figures of the integration, what assembling did, the record of everything at
    common instants, and of each part at its own; what the pairs that touch at the start remember then, by their
    names."""

    ready: Ready
    status: Status
    figures: dict[str, Any]
    report: AssemblyReport
    record: Recorded
    parts: tuple[tuple[System, Recorded], ...]
    touching: dict[str, list[float]]


def ready(project: Project, *, should_stop: Callable[[], bool] | None = None) -> Ready:
    """Compile and assemble what the scenario of a project moves. Raises InputError when that cannot be done, or when
    nothing in it can move."""
    begun = time.perf_counter()
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
    return Ready(project, built, speed, whole, tuple(parts), size, begun)


def moved(
    ready: Ready,
    *,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
    show: Show | None = None,
) -> Moved:
    """Integrate to the end of the scenario; numerical trouble ends it with status "failed" and advice.

    on_progress, should_stop: as of `run.simulate`. show(logs): is given what every part has logged so far.
    """
    project, built, parts = ready.project, ready.built, ready.parts
    end, places = _end_of(project, parts, built)
    pushed = any(part.system.device_cars for part in parts)
    end = replace(end, devices=devices_of(project, built) if pushed else (), built=built)
    end = replace(end, first=FirstCar(parts[0].system))
    marches = [March.begin(part, *place, end.time) for part, place in zip(parts, places, strict=True)]
    touching: dict[str, list[float]] = {}
    for part in parts:
        touching |= standing(part.system, part.work.memory)
    prepared = time.perf_counter()
    status, over = integrate(marches, end, on_progress, should_stop, show)
    figures = figures_of(marches)
    figures |= {
        "prepare_seconds": prepared - ready.begun,
        "integrate_seconds": time.perf_counter() - prepared,
    }
    recorded = [record(m.engine.system, m.log, m.rows) for m in marches]
    del (
        marches
    )  # what the states do not show of the logs, the multipliers, makes room for what is made of the states
    if len(parts) > 1:
        recorded = [until(one, over) for one in recorded]
    whole = _as_one(recorded, over, ready.whole, ready.systems)
    report = joined_report([part.report for part in parts])
    own = tuple(zip(ready.systems, recorded, strict=True))
    return Moved(ready, status, figures, report, whole, own, touching)


def _prepared(project: Project, speed: float | None, built: BuiltTrack | None) -> list[Engine]:
    """Everything that moves, assembled and ready to go, in as many parts as there are clocks."""
    settled = isinstance(project.scenario, Ride) and project.scenario.settled
    systems = [
        compile_system(project, speed=speed, built=built, only=only) for only in parts_of(project) or (None,)
    ]
    settings = project.settings.model_copy(update={"sample_rate": channel_rate(project)})
    return [Engine.prepare(system, settings, settled=settled) for system in systems]


def _as_one(recorded: Sequence[Recorded], end: float, whole: System, systems: Sequence[System]) -> Recorded:
    """The records of all parts together, up to a time (s)."""
    if len(recorded) == 1:
        return recorded[0]
    return joined(recorded, end, columns_of(whole, systems))


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
