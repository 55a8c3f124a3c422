"""One run of a study: a row of values in, kept numbers out. Pure: the same values give the same numbers anywhere.

What a run cannot do is part of its outcome, in a sentence; nothing is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array
from ..base.errors import InputError
from ..injury.evaluate import criterion_ids, evaluate_history
from ..injury.history import History
from ..injury.parts import Part
from ..injury.result import CriterionResult
from ..pointmass.result import PointRide
from ..project.point_train import ridden_settings
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from .seated_run import FIT, LEFT, fit_numbers, free_numbers, left_words, riders_at
from .study import Bound, Keep, Peak, Study
from .vary import with_values

if TYPE_CHECKING:
    from ..results.results import Results

State = Literal["done", "early", "screened", "failed"]
STATES: tuple[State, ...] = ("done", "early", "screened", "failed")
UNFINISHED: tuple[State, ...] = ("failed", "early")
RATE = 500.0  # Hz, of the even grid that loads of points are judged on
POINT_PART: Literal["upper_torso"] = "upper_torso"
MARGIN = "margin"
HEIGHT_STEP = 0.5  # m


@dataclass(frozen=True)
class Outcome:
    """What a run gave. state: "done", "early" (the ride ended before its end), "screened" (the ride as points says
    that the multibody run is not worth it), "failed" (nothing was ridden); message: the sentence about it; numbers by
    name, SI; texts by name (who a value was found on)."""

    state: State
    message: str = ""
    numbers: dict[str, float] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """A criterion on somebody."""

    who: str
    result: CriterionResult


class Runner:
    """Makes the runs of one study on one base project; keeps the track that was built last."""

    def __init__(self, study: Study, base: Project | None, allow_function: str = "") -> None:
        """allow_function: the function from outside that the person allowed at this start."""
        self.study, self.base, self.allow_function = study, base, allow_function
        self._built: tuple[Any, BuiltTrack] | None = None
        self._clear: tuple[BuiltTrack, dict[str, float]] | None = None

    def run(self, values: Sequence[float]) -> Outcome:
        """The outcome of a row of values."""
        outcome, _ = self.run_with_results(values)
        return outcome

    def run_with_results(self, values: Sequence[float]) -> tuple[Outcome, Results | None]:
        """The outcome of a row of values, with the results of a multibody run."""
        try:
            if self.study.ride == "function":
                return self._function(values), None
            assert self.base is not None
            project = with_values(self.study, self.base, values)
            if self.study.ride == "multibody":
                return self._multibody(project)
            return self._points(project, self.study.ride == "preview"), None
        except InputError as error:
            return Outcome("failed", str(error)), None
        except Exception as error:  # one row of many: the others go on, and this one says what it was
            return Outcome("failed", f"A fault of the program ({type(error).__name__}: {error})."), None

    def _function(self, values: Sequence[float]) -> Outcome:
        given = {p.name: float(v) for p, v in zip(self.study.parameters, values, strict=True)}
        found = function_of(self.study, self.allow_function)(given)
        return Outcome("done", "", {name: float(value) for name, value in found.items()})

    def _points(self, project: Project, preview: bool) -> Outcome:
        from ..pointmass.ride import preview_ride, ride_point

        if project.track is None:
            raise InputError(f"{project.name}: has no track to ride on.")
        built = self._track(project)
        ride = (preview_ride if preview else ride_point)(
            built, ridden_settings(project), gravity=project.gravity
        )
        numbers = {**self._track_numbers(built), **point_numbers(ride)}
        numbers |= _peaks(self.study.keep.peaks, lambda name: point_channel(ride, name), built)
        wanted = _wanted(self.study.keep, project, POINT_PART)
        found = []
        if wanted and len(ride.time) > 1 and ride.time[-1] > ride.time[0]:
            results = evaluate_history(point_history(ride), wanted, project.evaluation)
            found = [Found("middle of the train", _in_lap(result, built)) for result in results]
        more, texts = criteria_numbers(self.study.keep, found)
        return Outcome("done" if ride.arrived else "early", ride.message, {**numbers, **more}, texts)

    def _track(self, project: Project) -> BuiltTrack:
        if self._built is None or self._built[0] is not project.track:
            assert project.track is not None
            self._built = (project.track, build_track(project.track, ride=False))
        return self._built[1]

    def _track_numbers(self, built: BuiltTrack) -> dict[str, float]:
        """Figures of a track; its clearances, which take longer than a ride as points, once for a track."""
        if not self.study.keep.clearances:
            return track_numbers(built)
        if self._clear is None or self._clear[0] is not built:
            self._clear = built, clearance_numbers(built)
        return track_numbers(built) | self._clear[1]

    def _multibody(self, project: Project) -> tuple[Outcome, Results | None]:
        from ..outcome.rider_view import judge_riders
        from ..run.simulate import simulate

        numbers: dict[str, float] = {}
        if self.study.screen:
            screen = self.study.model_copy(update={"ride": "preview", "screen": ()})
            first = Runner(screen, project)._points(project, preview=True)
            broken = beyond(self.study.screen, first.numbers)
            numbers = {f"points.{name}": value for name, value in first.numbers.items()}
            if broken:
                return Outcome("screened", f"The ride as points has {broken[0]}.", numbers, first.texts), None
        told: dict[str, str] = {}
        if self.study.keep.seats:
            fit, told = fit_numbers(project, self.study.keep.seats)
            numbers |= fit
            if fit["unfit"]:
                return Outcome("screened", f"Does not fit: {told[FIT]}.", numbers, told), None
        results = simulate(project)
        numbers |= run_numbers(results)
        if self.study.keep.seats:
            numbers |= free_numbers(results, self.study.keep.seats)
        built = None if project.track is None else self._track(project)
        if built is not None:
            numbers |= self._track_numbers(built)
        if results.status.name == "rider lost":
            told[LEFT] = left_words(results, built)
        numbers |= _peaks(self.study.keep.peaks, lambda name: run_channel(results, name), built)
        judged = judge_riders(results, project.evaluation) if self.study.keep.criteria else None
        rows = () if judged is None else judged.rows
        if self.study.keep.seats:
            counted = riders_at(project, self.study.keep.seats)
            rows = tuple(row for row in rows if row.rider in counted)
        found = [
            Found(f"{row.part.replace('_', ' ')} of {row.rider}", _in_lap(row.result, built)) for row in rows
        ]
        more, texts = criteria_numbers(self.study.keep, found)
        status = results.status
        state: State = "done" if status.complete else "early"
        message = f"{status.message} {status.advice}".strip()
        return Outcome(state, message, {**numbers, **more}, {**told, **texts}), results


def function_of(study: Study, allowed: str) -> Callable[[Mapping[str, float]], Mapping[str, float]]:
    """The function a study asks for, by module:name, where it is the one that is allowed.

    To import a module is to run it, and a study file may name any. Raises InputError without consent, and when there is
    no such function.
    """
    if not study.function or study.function != allowed:
        raise InputError(
            f"{study.name}: runs '{study.function}', code that is no part of this program; if you trust it, allow it"
            f" for this start with --allow-function {study.function}."
        )
    module, _, name = study.function.partition(":")
    try:
        found: Callable[[Mapping[str, float]], Mapping[str, float]] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        raise InputError(
            f"{study.name}: the function '{study.function}' cannot be loaded; write module:name of one."
        ) from None
    return found


def beyond(wanted: Iterable[Bound], numbers: Mapping[str, float]) -> list[str]:
    """What numbers break of bounds, in words; a number that there is not breaks its bound."""
    out = []
    for bound in wanted:
        value = numbers.get(bound.name, np.nan)
        if np.isnan(value):
            out.append(f"no {bound.name}")
        elif bound.low is not None and value < bound.low:
            out.append(f"{bound.name} = {value:.4g}, below {bound.low:g}")
        elif bound.high is not None and value > bound.high:
            out.append(f"{bound.name} = {value:.4g}, above {bound.high:g}")
    return out


def _wanted(keep: Keep, project: Project, part: Part | None = None) -> list[str]:
    """Ids of the criteria asked for, among those the project is judged by, on a part where one is named."""
    known = criterion_ids(project.evaluation, part)
    return [one for one in known if any(fnmatchcase(one, pattern) for pattern in keep.criteria)]


def criteria_numbers(keep: Keep, found: Iterable[Found]) -> tuple[dict[str, float], dict[str, str]]:
    """Kept numbers of criteria: for each id the value, margin, time (s) and position (s, m) where it is governed, and
    on whom; and the least margin of all under `margin`.

    A criterion asked for with * counts when it has a limit; one asked for by its id always.
    """
    numbers: dict[str, float] = {}
    texts: dict[str, str] = {}
    governing: dict[str, Found] = {}
    for one in found:
        id = one.result.criterion
        asked = id in keep.criteria
        if one.result.value is None or not (asked or any(fnmatchcase(id, p) for p in keep.criteria)):
            continue
        if not (asked or one.result.judged):
            continue
        if id not in governing or _rank(one) < _rank(governing[id]):
            governing[id] = one
    for id, one in governing.items():
        numbers |= _numbers_of(id, one.result)
        texts[id] = one.who
    judged = [one for one in governing.values() if one.result.judged]
    if judged:
        worst = min(judged, key=_rank)
        own = _numbers_of("", worst.result)
        numbers |= {name.lstrip("."): value for name, value in own.items() if name == ".margin"}
        numbers |= {f"{MARGIN}{name}": value for name, value in own.items() if name in (".time", ".s")}
        texts[MARGIN] = f"{worst.result.title}, {worst.who}"
    return numbers, texts


def _in_lap(result: CriterionResult, built: BuiltTrack | None) -> CriterionResult:
    """A result with its place (m) on the track, which a run counts on over laps and back behind its start."""
    if built is None or result.arc_length is None:
        return result
    return result.model_copy(update={"arc_length": float(built.centreline.wrap(result.arc_length)[0])})


def _rank(one: Found) -> tuple[float, float]:
    margin, value = one.result.margin, one.result.value or 0.0
    return (np.inf if margin is None or not one.result.judged else margin, -value)


def _numbers_of(id: str, result: CriterionResult) -> dict[str, float]:
    out = {id: float(result.value or 0.0)}
    if result.margin is not None:
        out[f"{id}.margin"] = float(result.margin)
    if result.moment is not None and not result.lasts:
        out[f"{id}.time"] = result.moment
    if result.arc_length is not None and not result.lasts:
        out[f"{id}.s"] = float(result.arc_length)
    return out


def point_history(ride: PointRide) -> History:
    """Loads of a ride as points as a history on an even grid: what somebody over the middle of the train feels.

    The samples are of a smooth solution at most 0.25 m (a preview: 1 m) apart, so that the even grid has no more in it
    than the ride.
    """
    count = max(2, int(np.ceil((ride.time[-1] - ride.time[0]) * RATE)) + 1)
    grid = np.linspace(ride.time[0], ride.time[-1], count)

    def even(values: Array) -> Array:
        return np.interp(grid, ride.time, values)

    felt = np.stack([even(axis) for axis in ride.g.T], axis=1)
    return History(grid, felt, body="upper torso", arc_length=even(ride.s))


def track_numbers(built: BuiltTrack) -> dict[str, float]:
    """Length of a track and height between its lowest and highest place (m)."""
    line = built.centreline
    z = line.position(np.linspace(0.0, line.length, max(2, int(line.length / HEIGHT_STEP) + 1)))[:, 2]
    return {"length": float(built.length), "height": float(z.max() - z.min())}


def clearance_numbers(built: BuiltTrack) -> dict[str, float]:
    """At how many places a track comes into its own clearance envelope, and how deep (m) this lies in the ground."""
    from ..track.clearance import self_approaches
    from ..track.envelope import ground_stretches

    deepest = max((stretch.deepest for stretch in ground_stretches(built)), default=0.0)
    return {"own_envelope": float(len(self_approaches(built))), "in_ground": float(deepest)}


def point_numbers(ride: PointRide) -> dict[str, float]:
    """Figures of a ride as points, SI."""
    energy = ride.energy
    return {
        "arrived": float(ride.arrived),
        "duration": float(ride.time[-1] - ride.time[0]),
        "max_speed": float(ride.speed.max()),
        "min_speed": float(ride.speed.min()),
        "end_speed": float(ride.speed[-1]),
        "lost": float(energy.friction[-1] + energy.drag[-1]),
        "driven": float(energy.driven[-1]),
    }


def run_numbers(results: Results) -> dict[str, float]:
    """Figures of a multibody run, SI; speeds of its first car."""
    from ..results.results import cars_of

    energy = results.energy
    out = {
        "arrived": float(results.status.complete),
        "duration": float(results.states.time[-1] - results.states.time[0]),
        "lost": float(
            energy.drag[-1] + energy.dissipated[-1] + energy.contact_loss[-1] + energy.friction_loss[-1]
        ),
        "driven": float(energy.driven[-1]),
    }
    for car in cars_of(results)[:1]:
        speed = results.channels[f"car/{car}/speed"].values
        if len(speed):
            out |= {"max_speed": float(speed.max()), "min_speed": float(speed.min())}
            out["end_speed"] = float(speed[-1])
    return out


POINT_COLUMNS: dict[str, Callable[[PointRide], Array]] = {
    "speed": lambda ride: ride.speed,
    "acceleration": lambda ride: ride.acceleration,
    "gx": lambda ride: ride.g[:, 0],
    "gy": lambda ride: ride.g[:, 1],
    "gz": lambda ride: ride.g[:, 2],
    "rail_gx": lambda ride: ride.rail_g[:, 0],
    "rail_gy": lambda ride: ride.rail_g[:, 1],
    "rail_gz": lambda ride: ride.rail_g[:, 2],
    "roll_rate": lambda ride: ride.roll_rate,
    "jerk_x": lambda ride: ride.jerk[:, 0],
    "jerk_y": lambda ride: ride.jerk[:, 1],
    "jerk_z": lambda ride: ride.jerk[:, 2],
}


@dataclass(frozen=True)
class Signal:
    """A channel of a run: time (n,) s, values (n,), positions (n,) m or None."""

    time: Array
    values: Array
    place: Array | None


def point_channel(ride: PointRide, name: str) -> Signal:
    """A channel of a ride as points. Raises InputError naming those there are."""
    column = POINT_COLUMNS.get(name)
    if column is None:
        raise InputError(f"The ride as points has no channel '{name}'; it has {', '.join(POINT_COLUMNS)}.")
    return Signal(ride.time, column(ride), ride.place)


def run_channel(results: Results, name: str) -> Signal:
    """A channel of a multibody run; vectors by a component behind a dot, or by their length. Raises InputError."""
    from ..results.results import cars_of

    whole, dot, axis = name.rpartition(".")
    component = "xyz".find(axis) if dot and len(axis) == 1 else -1
    found = results.channels.get(whole if component >= 0 else name)
    if found is None:
        raise InputError(f"The run has no channel '{name}'; 'ridewright info' lists those of a results file.")
    values = found.values
    if values.ndim == 2:
        values = values[:, component] if component >= 0 else np.linalg.norm(values, axis=1)
    cars = cars_of(results)
    position = results.channels.get(f"car/{cars[0]}/arc_length") if cars else None
    return Signal(results.sample_time, values, None if position is None else position.values)


def _peaks(
    peaks: Iterable[Peak], channel: Callable[[str], Signal], built: BuiltTrack | None
) -> dict[str, float]:
    out: dict[str, float] = {}
    for peak in peaks:
        signal = channel(peak.channel)
        found = _number_of(signal, peak, _within(signal, peak, built))
        out |= {f"{peak.name}{end}": value for end, value in found.items()}
    return out


def _within(signal: Signal, peak: Peak, built: BuiltTrack | None) -> NDArray[np.bool_]:
    """Which samples (n,) lie in the sections that a peak is sought in."""
    if not peak.sections:
        return np.ones(len(signal.time), dtype=bool)
    if built is None or signal.place is None:
        raise InputError(f"'{peak.name}': there is no track with sections; leave 'sections' out.")
    spans = {span.name: span for span in built.sections}
    unknown = next((name for name in peak.sections if name not in spans), None)
    if unknown is not None:
        raise InputError(
            f"'{peak.name}': the track has no section '{unknown}'; it has {', '.join(spans) or 'none'}."
        )
    inside = np.zeros(len(signal.time), dtype=bool)
    for name in peak.sections:
        inside |= (signal.place >= spans[name].s0) & (signal.place <= spans[name].s1)
    return inside


def _number_of(signal: Signal, peak: Peak, inside: NDArray[np.bool_]) -> dict[str, float]:
    """A number of a signal where it is `inside` (n,), by an empty name; with the time and position of one that has
    them, and nothing where the ride did not get there."""
    of = peak.of
    rows = np.flatnonzero(inside)
    if not len(rows):
        return {}
    t, x = signal.time, signal.values
    if of not in ("max", "min", "absmax", "end"):
        return {"": _over_time(t, x, peak, inside)}
    part = x[rows]
    ends = {"max": int(part.argmax()), "min": int(part.argmin()), "absmax": int(np.abs(part).argmax())}
    k = int(rows[ends.get(of, -1)])
    out = {"": abs(float(x[k])) if of == "absmax" else float(x[k]), ".time": float(t[k])}
    if signal.place is not None:
        out[".s"] = float(signal.place[k])
    return out


def _over_time(t: Array, x: Array, peak: Peak, inside: NDArray[np.bool_]) -> float:
    """Mean, r.m.s. value or time beyond a level, over the intervals of which both ends are inside; x goes straight
    from sample to sample."""
    whole = inside[1:] & inside[:-1]
    step = np.where(whole, np.diff(t), 0.0)
    if peak.of in ("mean", "rms"):
        y = x if peak.of == "mean" else x * x
        span = step.sum()
        value = float((step * 0.5 * (y[1:] + y[:-1])).sum() / span) if span > 0.0 else float(y[inside][0])
        return value if peak.of == "mean" else float(np.sqrt(value))
    assert peak.level is not None
    over = (x - peak.level) * (1.0 if peak.of == "above" else -1.0)
    first, last = over[:-1], over[1:]
    # of an interval that crosses the level the part on the wanted side
    size = np.abs(first) + np.abs(last)
    part = np.divide(
        np.maximum(first, 0.0) + np.maximum(last, 0.0), size, out=np.zeros_like(size), where=size > 0.0
    )
    return float((step * part).sum())
