"""What would change a peak: finite differences of short rides around its moment.

A piece of the ride is run again from a stored state some seconds before the moment, unchanged first: when that does not
give the value of the whole run, the value belongs to more than the moment and the differences say little. Then
one thing at a time is changed to both sides. Speed is counted at the place of the peak, not at the start of the
piece, and the effects of cant, radius and suspension are corrected to the speed of the unchanged piece there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.evaluation import EvaluationOptions
from ...base.frozen import Frozen
from ...base.text_table import significant
from ...injury.evaluate import evaluate_history
from ...injury.history import WIDTHS, History
from ...injury.result import CriterionResult
from ...multibody.compile import State, compile_system
from ...project.project import Project
from ...project.sampling import channel_rate
from ...project.scenario import Ride
from ...results.results import Channel, Results
from ...run.channels import derive_channels, sample_times
from ...solver import genalpha, integration
from ...solver.engine import Engine
from ...solver.record import record
from ...solver.written_step import grow, new_log, write_log
from ...track.build import BuiltTrack, build_track
from ..rider_view import RiderJudgement
from ..seats import judged_history
from .changes import (
    bump_around,
    faster,
    has_springs,
    moved_state,
    places_of,
    scaled,
    with_cant,
    with_suspension,
)
from .moment import explain

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
    write_log(system.arrays, engine.work, Y, log, True)
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
    history = judged_history(replace(results, sample_time=piece.time, channels=piece.channels), rider, part)
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


Parameter = Literal["speed", "cant", "radius", "stiffness", "damping"]
#: Seconds run before the moment, of which the first are not judged (the change settles), and after it.
LEAD = 5.0
SETTLE = 2.5
TAIL = 1.2
#: The piece must give the value of the whole run to this part.
REPRODUCED = 0.01
#: Values that belong to more seconds than this are of the ride as a whole.
LONGEST_WINDOW = 5.0
#: Tolerance of the pieces: differences of a few per cent are wanted to a few per cent.
TOLERANCE = 1e-6
TITLES: dict[Parameter, tuple[str, str]] = {
    "speed": ("speed at the peak", "1 %"),
    "cant": ("cant about the peak, left side up", "1 degree"),
    "radius": ("radius of all curves", "1 %"),
    "stiffness": ("stiffness of the suspension", "10 %"),
    "damping": ("damping of the suspension", "10 %"),
}


class Effect(Frozen):
    """What one change does: change of the value per step, in the unit of the criterion and as a part of the value;
    less and more: the values one step to either side of that of the unchanged piece, corrected to its speed as the
    change is, so that change = (more - less) / 2. All of them against the limit of the whole run (`at_limit`)."""

    parameter: Parameter
    title: str
    step: str
    change: float
    relative: float
    less: float
    more: float


class Sensitivity(Frozen):
    """Effects of all changes on a value, largest first.

    value: of the whole run; again: of the unchanged piece; reproduced: whether they agree to 1 %; start, end
    (s): the piece that was judged; effects; notes: what to beware of, and what was left out.
    """

    rider: str
    part: str
    criterion: str
    unit: str
    value: float
    again: float
    reproduced: bool
    start: float
    end: float
    effects: tuple[Effect, ...]
    notes: tuple[str, ...]
    complete: bool = True


@dataclass(frozen=True)
class _Run:
    """Value found on a piece, and the speed (m/s) at the place of the peak."""

    value: float
    speed: float


def at_limit(found: CriterionResult, limit: float | None) -> float:
    """The value that uses as much of another limit as a result uses of its own; without limits the value itself.

    limit in the unit of the result. A held level is the one at the duration with the least margin, and a small change
    may make that another duration with another limit: the level then jumps, the part of the limit that is used
    does not, and only what does not jump has differences.
    """
    assert found.value is not None
    if limit is None or found.limit is None:
        return found.value
    return found.value * limit / found.limit


def sensitivity(
    project: Project,
    results: Results,
    row: RiderJudgement,
    *,
    on_progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Sensitivity:
    """Change of a value per 1 % of speed, 1 degree of cant, 1 % of radius, 10 % of stiffness and of damping.

    project and results: of the run; row: the value. on_progress(part done in 0..1) after each of the eleven
    short rides; should_stop(): polled all the time, the effects found so far are given with complete = False.
    Central differences: cant is rolled about the peak only (`core.outcome.origin.changes.bump_around`); radius
    multiplies the whole track about the start of the piece, gauge kept; the suspension is every spring of the
    cars, stops and riders left out, started from the state of the unchanged ride with 2.5 s to settle.
    Raises InputError for a rig, a value without a moment, or one that belongs to the ride as a whole.
    """
    work = _Work(project, results, row, should_stop)
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if on_progress is not None:
            on_progress(min(1.0, done / 11.0))

    effects: list[Effect] = []
    complete = True
    base: _Run | None = None
    try:
        base = work.run()
        step()
        per_speed = 0.0
        for parameter in work.parameters:
            sides = []
            for side in (-1.0, 1.0):
                sides.append(work.changed(parameter, side))
                step()
            effect, slope = work.effect(parameter, base, sides[0], sides[1], per_speed)
            if parameter == "speed":
                per_speed = slope
            effects.append(effect)
    except StoppedError:
        complete = False
    return work.answer(base, effects, complete)


class _Work:
    """What every piece of one question shares."""

    def __init__(
        self, project: Project, results: Results, row: RiderJudgement, should_stop: Callable[[], bool] | None
    ) -> None:
        if not isinstance(project.scenario, Ride) or project.track is None or project.train is None:
            raise InputError("Only a ride on a track can be asked what would change a peak; this is a rig.")
        if not len(results.states.time):
            raise InputError("The run keeps no instants of its motion to ride on from; run it again.")
        built = build_track(project.track)
        origin = explain(project, results, row, built=built)
        if origin.arc_length is None or origin.speed is None or origin.car is None:
            raise InputError(
                f"The run does not say where the car of {row.rider} was; the peak cannot be ridden again."
            )
        start, end = row.result.time or (origin.time, origin.time)
        if end - start > LONGEST_WINDOW:
            raise InputError(
                f"{row.result.title} belongs to {end - start:.1f} s of the ride, not to a moment; ask for a peak."
            )
        self.project, self.results, self.row, self.should_stop = project, results, row, should_stop
        self.built, self.origin = built, origin
        self.place, self.channel = origin.arc_length, f"car/{origin.car}/"
        first, last = float(results.states.time[0]), float(results.states.time[-1])
        self.start = state_at(results, max(first, start - LEAD))
        self.since = self.start.time if self.start.time <= first else max(self.start.time, start - SETTLE)
        self.end = min(last, end + TAIL)
        self.tolerance = min(TOLERANCE, project.settings.tolerance)
        speed = results.provenance.get("start_speed")
        if speed is None:
            speed = project.scenario.speed
        self.start_speed = float(speed if speed is not None else np.linalg.norm(self.start.u[:3]))
        self.notes: list[str] = []
        self.parameters: list[Parameter] = ["speed", "cant", "radius"]
        if has_springs(project):
            self.parameters += ["stiffness", "damping"]
        else:
            self.notes.append("The cars have no springs, so there is no suspension to change.")

    def run(
        self,
        project: Project | None = None,
        built: BuiltTrack | None = None,
        start: State | None = None,
        s: float = 1.0,
    ) -> _Run:
        """Ride a piece; s: length along the changed track over that of the real one."""
        project, built = project or self.project, built or self.built
        begin = start or self.start
        piece = ride_on(
            project,
            built,
            begin,
            self.end,
            tolerance=self.tolerance,
            start_speed=self.start_speed,
            should_stop=self.should_stop,
        )
        row = self.row
        options = self.project.evaluation
        found = judged_again(
            self.results, piece, row.rider, row.part, row.result.criterion, options, self.since
        )
        return _Run(at_limit(found, row.result.limit), self._speed_at(piece, self.place * s))

    def _speed_at(self, piece: Piece, position: float) -> float:
        along = piece.channels[self.channel + "arc_length"].values
        return float(np.interp(position, along, piece.channels[self.channel + "speed"].values))

    def changed(self, parameter: Parameter, side: float) -> _Run:
        """The piece with one thing changed by its step to one side (-1 or 1)."""
        guides = guide_paths(self.project)
        if parameter == "speed":
            return self.run(start=faster(self.start, 1.0 + 0.01 * side))
        if parameter == "cant":
            bump = bump_around(self.place, float(self.origin.speed or 0.0))
            built = with_cant(self.built, bump, side * math.radians(1.0))
            return self.run(built=built, start=moved_state(self.start, guides, self.built, built))
        if parameter == "radius":
            factor = 1.0 + 0.01 * side
            middle = float(np.mean(places_of(self.start, guides, self.built)))
            built = scaled(self.built, factor, self.built.centreline.position([middle])[0])
            start = moved_state(self.start, guides, self.built, built, (factor - 1.0) * middle)
            return self.run(built=built, start=start, s=factor)
        factor = 1.0 + 0.1 * side
        stiffer = parameter == "stiffness"
        project = with_suspension(
            self.project, stiffness=factor if stiffer else 1.0, damping=1.0 if stiffer else factor
        )
        return self.run(project=project)

    def effect(
        self, parameter: Parameter, base: _Run, less: _Run, more: _Run, per_speed: float
    ) -> tuple[Effect, float]:
        """The effect of a step, and the slope of the value over the part of the speed (for the correction)."""
        sides, gained = [less.value, more.value], [0.0, 0.0]
        if base.speed > 0.0:
            gained = [(side.speed - base.speed) / base.speed for side in (less, more)]
        slope = 0.0
        if parameter == "speed":
            wide = gained[1] - gained[0]
            slope = (more.value - less.value) / wide if wide != 0.0 else 0.0
            # The steps at the peak are not quite those at the start of the piece.
            scale = 0.02 / wide if wide != 0.0 else 0.0
            sides = [base.value + scale * (value - base.value) for value in sides]
        else:
            sides = [value - per_speed * part for value, part in zip(sides, gained, strict=True)]
        change = 0.5 * (sides[1] - sides[0])
        title, step = TITLES[parameter]
        relative = change / abs(base.value) if base.value != 0.0 else 0.0
        effect = Effect(
            parameter=parameter,
            title=title,
            step=step,
            change=change,
            relative=relative,
            less=sides[0],
            more=sides[1],
        )
        return effect, slope

    def answer(self, base: _Run | None, effects: list[Effect], complete: bool) -> Sensitivity:
        row = self.row
        value = float(row.result.value or 0.0)
        again = value if base is None else base.value
        reproduced = base is not None and abs(again - value) <= REPRODUCED * abs(value)
        notes = list(self.notes)
        if base is not None and not reproduced:
            notes.append(
                f"The short ride gives {significant(again)} {row.result.unit} instead of {significant(value)}: the "
                "value does not come from this moment alone, and the effects are those of the short ride."
            )
        if not complete:
            notes.append("Stopped before all changes were ridden.")
        return Sensitivity(
            rider=row.rider,
            part=row.part,
            criterion=row.result.criterion,
            unit=row.result.unit,
            value=value,
            again=again,
            reproduced=reproduced,
            start=self.since,
            end=self.end,
            effects=tuple(sorted(effects, key=lambda e: -abs(e.change))),
            notes=tuple(notes),
            complete=complete,
        )
