"""A short piece of a ride again, from a stored state onward."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.evaluation import EvaluationOptions
from ...injury.evaluate import evaluate_history
from ...injury.history import WIDTHS, History
from ...injury.result import CriterionResult
from ...multibody.compile import State, compile_system
from ...project.project import Project
from ...project.sampling import channel_rate
from ...results.results import Channel, Results
from ...run.channels import derive_channels, sample_times
from ...solver import genalpha, integration
from ...solver.engine import Engine, grow, new_log
from ...solver.record import record
from ...track.build import BuiltTrack
from ..rider_view import rider_history

SLICE = 64
LOG_ROWS = 8192


class StoppedError(Exception):
    """The caller asked to stop."""


@dataclass(frozen=True)
class Piece:
    """A short ride: sample grid (m,) s and its channels."""

    time: Array
    channels: dict[str, Channel]


def state_at(results: Results, time: float) -> State:
    """The stored state at or last before a time (s)."""
    s = results.states
    k = max(int(np.searchsorted(s.time, time, side="right")) - 1, 0)
    bodies = np.concatenate([s.velocity[k], s.angular_velocity[k]], axis=1).ravel()
    return State(
        time=float(s.time[k]),
        r=np.vstack([s.position[k], np.zeros(3)]),
        p=np.vstack([s.orientation[k], [1.0, 0.0, 0.0, 0.0]]),
        path=s.path_coordinate[k].copy(),
        u=np.concatenate([bodies, s.path_speed[k], np.zeros(6)]),
    )


def guide_paths(project: Project) -> tuple[str, ...]:
    """Path of each guide, in the order of the states."""
    assert project.assembly is not None
    return tuple(guide.path for guide in project.assembly.every("guide").values())


def ride_on(
    project: Project,
    built: BuiltTrack,
    start: State,
    end: float,
    *,
    tolerance: float,
    start_speed: float,
    should_stop: Callable[[], bool] | None = None,
) -> Piece:
    """Ride from a state to a time (s) and derive the channels.

    tolerance: of the error control. start_speed (m/s): what the run the state comes from was compiled with.
    Raises InputError when the ride cannot go on, StoppedError when should_stop says so.
    """
    settings = project.settings.model_copy(
        update={"method": "generalized_alpha", "initial_velocities": "project", "tolerance": tolerance}
    )
    system = replace(compile_system(project, speed=start_speed, built=built), start=start)
    engine = Engine.prepare(system, settings)
    Y, P, log = engine.memory(), engine.limits(end), new_log(system, LOG_ROWS)
    integration.write_log(Y, log)
    ends = np.full(len(system.guides), np.inf)
    while True:
        if should_stop is not None and should_stop():
            raise StoppedError
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, ends, 0, SLICE)
        if code == integration.FULL:
            log = grow(log)
        elif code == integration.STEP_TOO_SMALL:
            raise InputError(
                "A short ride around the moment did not get there; the change is too much for it."
            )
        elif code == integration.FINISHED:
            break
    states, _, _ = record(system, log, int(Y.counts[integration.LOGGED]))
    times = sample_times(states, channel_rate(project))
    return Piece(times, derive_channels(project, system, states, times))


def judged_again(
    results: Results,
    piece: Piece,
    rider: str,
    part: str,
    criterion: str,
    options: EvaluationOptions,
    since: float,
) -> CriterionResult:
    """The criterion on a short ride, from a time (s) on. Raises InputError when it has no value there."""
    history = rider_history(replace(results, sample_time=piece.time, channels=piece.channels), rider, part)
    (found,) = evaluate_history(_from(history, since), [criterion], options)
    if found.value is None:
        raise InputError(f"{found.title} has no value on the short ride: {found.note}.")
    return found


def _from(history: History, since: float) -> History:
    first = int(np.searchsorted(history.time, since))
    cut = {
        name: getattr(history, name)[first:]
        for name in ("time", "acceleration", *WIDTHS)
        if getattr(history, name) is not None
    }
    return replace(history, **cut)
