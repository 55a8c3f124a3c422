"""What happened when: stops met and left, section borders passed, watched levels crossed, located after the run.

Every quantity is read off the dense output of the stored states, the cubics through values and rates at the solver's
own instants, and its crossing found to the last digits: an event falls between instants, not on one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..model.contact_laws import TOUCHED
from ..multibody import arrays as t
from ..multibody.compile import System
from ..multibody.connectors import WITH_OUTPUTS
from ..multibody.flatten import PlacedCar
from ..project.project import Project
from ..results.results import Channel, Event, EventKind, States, Status
from ..results.sampler import Sampler
from ..solver.contacts import pairs_of
from .channels import car_arc_length, derive_channels
from .coupling_forces import coupling_events, coupling_forces

ValueAt = Callable[[Array], Array]
PRECISION = 1e-13  # of the time, relative to it; at least this many seconds
ROUNDS = 80
SAME_TIME = 1e-9  # s
ZERO = 1e-9  # m, of the depth where a step has ended at a touch
COMPONENTS = {".x": 0, ".y": 1, ".z": 2}
QUANTITIES = ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration")


def located_events(
    project: Project,
    system: System,
    states: States,
    status: Status,
    channels: dict[str, Channel],
    grid: Array,
    parts: Sequence[tuple[System, States]] = (),
) -> tuple[Event, ...]:
    """All events of a run in the order of time, its end last.

    channels: those of the run on the instants `grid` (m,) s, between which crossings of watched levels are looked for.
    parts: what was integrated each for itself, with the states at their own instants up to the end of the run or
    beyond.
    Joint stops: enabled stops of joints that turn or slide. Sections: the origin of every car passes a border between
    sections, forwards into the next or backwards into the one before. Levels: `project.evaluation.watch`. Two crossings
    between two neighbouring instants (of watched levels: between two samples) cancel and are not found. Raises
    InputError for a watched signal there is none of.
    """
    end = float(states.time[-1])
    found: list[tuple[float, EventKind, str, str]] = []
    for part in parts or ((system, states),):
        found += [event for event in _of_bodies(*part) if event[0] <= end]
    for owner, own in parts or ((system, states),):
        for one in coupling_forces(project, owner, own):
            found += [(*event, "") for event in coupling_events(one, own) if event[0] <= end]
    for name, level in project.evaluation.watch:
        found += _levels(project, system, states, channels, grid, name, level)
    found.sort(key=lambda event: event[0])
    return _placed(system, states, [*found, (end, "end", status.name, "")])


def _of_bodies(system: System, states: States) -> list[tuple[float, EventKind, str, str]]:
    """Stops met and left, and sections entered: time, kind, name, owner."""
    found: list[tuple[float, EventKind, str, str]] = []
    for stop in watched_elements(system, states):
        outside = (stop.value > stop.upper) | (stop.value < stop.lower)
        if not np.any(outside[1:] != outside[:-1]):
            continue
        before = np.flatnonzero(np.diff((stop.value > stop.upper).astype(int) + (stop.value > stop.lower)))
        at = np.union1d(before, before + 1)
        rates = np.zeros(len(stop.value))  # of interest where the cubics through them cross a level
        rates[at] = stop.rate(at)
        value_at = partial(_between, states, stop.value[:, None], rates[:, None])
        for level, beyond in ((stop.upper, True), (stop.lower, False)):
            for time, rises in crossings(states.time, stop.value - level, partial(_less, value_at, level)):
                found.append(
                    (time, stop.words[0] if rises == beyond else stop.words[1], stop.name, stop.name)
                )
    found += [(time, kind, name, name) for time, kind, name in touches(system, states)]
    for car in _on_track(system):
        found += _sections(system, states, car)
    return found


def touches(system: System, states: States) -> list[tuple[float, str, str]]:
    """When pairs touch and part: time (s), what that is called, name of the pair.

    Steps end where that happens, so that the depth is zero but for rounding at a stored instant, and a pair remembers
    whether it touches: the first instant that is so counts, and where none is, zero lies between two.
    """
    found, time = [], states.time
    for c, row, name, _, kept in pairs_of(system):
        depth, inside = states.spring_length[:, row], states.memory[:, kept + TOUCHED] > 0.0
        for k in np.flatnonzero(inside[1:] != inside[:-1]):
            x0, x1 = abs(float(depth[k])), abs(float(depth[k + 1]))
            share = 1.0 if x1 < ZERO else 0.0 if x0 < ZERO else x0 / (x0 + x1)
            at = float(time[k] + share * (time[k + 1] - time[k]))
            found.append((at, c.type.events[0 if inside[k + 1] else 1], name))
    return found


def crossings(time: Array, values: Array, value_at: ValueAt) -> list[tuple[float, bool]]:
    """Zeros of a quantity between neighbouring instants of different sign: time (s) and True where it rises.

    time (n,) s increasing; values (n,) there; value_at(times (k,)) -> (k,) anywhere in between.
    """
    above = values > 0.0
    k = np.flatnonzero(above[1:] != above[:-1])
    if not len(k):
        return []
    at = _roots(value_at, time[k], time[k + 1], values[k], values[k + 1])
    return list(zip(at.tolist(), above[k + 1].tolist(), strict=True))


def _less(value_at: ValueAt, level: float, times: Array) -> Array:
    return value_at(times) - level


def _roots(value_at: ValueAt, a: Array, b: Array, fa: Array, fb: Array) -> Array:
    """Zeros in brackets [a, b] (k,) with values of different sign at the ends, all at once.

    Source: Chandrupatla 1997, inverse quadratic interpolation where it is safe and halving where it is not.
    """
    c, fc = a, fa
    share = np.full(len(a), 0.5)
    best = np.where(np.abs(fa) < np.abs(fb), a, b)
    for _ in range(ROUNDS):
        x = a + share * (b - a)
        fx = value_at(x)
        same = (fx > 0.0) == (fa > 0.0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        minimum = np.minimum(np.abs(fa), np.abs(fb))
        with np.errstate(divide="ignore", invalid="ignore"):
            limit = PRECISION * np.maximum(np.abs(best), 1.0) / np.abs(b - a)
            if np.all((minimum == 0.0) | ~(limit < 0.5)):
                break
            position, rise = (a - b) / (c - b), (fa - fb) / (fc - fb)
            safe = (rise**2 < position) & ((1.0 - rise) ** 2 < 1.0 - position)
            inverse = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            share = np.where(safe & np.isfinite(inverse), inverse, 0.5)
            limit = np.where(limit < 0.5, limit, 0.5)
        share = np.clip(share, limit, 1.0 - limit)
    return best


class Watched(NamedTuple):
    """An element with borders that are events: what their crossing upwards and downwards is called beyond the upper
    one, limits (rad or m), coordinate (n,) at the stored instants, and what tells its rate (k,) at k of them."""

    name: str
    words: tuple[str, str]
    lower: float
    upper: float
    value: Array
    rate: Callable[[Integers], Array]


def watched_elements(system: System, states: States) -> list[Watched]:
    """The enabled elements of a system whose types name the crossing of their limits, with their coordinates."""
    found = []
    for c in system.connectors:
        if not c.type.events or c.use is None:
            continue
        kind, row = WITH_OUTPUTS[c.geometry][0], c.first - _first_of(system, c.geometry)
        index, numbers = t.ints(system.arrays, kind)[row], t.reals(system.arrays, kind)[row]
        p = t.real_line(system.arrays, t.PAR)[index[t.P0] : index[t.P1]]
        limits = sorted(c.use.law.level(p, np.zeros(0), k)[0] + c.origin for k in range(c.use.levels))
        rates = partial(_turn_rate if c.geometry == "angle" else _slide_rate, states, index, numbers)
        value = states.spring_length[:, c.first]
        found.append(Watched(c.name, c.type.events, limits[0], limits[-1], value, rates))
    return found


def _first_of(system: System, geometry: str) -> int:
    return next(c.first for c in system.connectors if c.geometry == geometry)


def _between(states: States, value: Array, rate: Array, times: Array) -> Array:
    return Sampler(states, times).scalar(value, rate)[:, 0]


def _body(states: States, b: int, at: Integers) -> tuple[Array, Array, Array]:
    """Rotation matrices (k, 3, 3), velocities and angular velocities (k, 3), world, of a body or the ground."""
    if b >= states.position.shape[1]:
        still = np.zeros((len(at), 3))
        return np.broadcast_to(np.eye(3), (len(at), 3, 3)), still, still
    A = rotation_matrix(states.orientation[at, b])
    return (
        A,
        states.velocity[at, b],
        np.einsum("nij,nj->ni", A, states.angular_velocity[at, b]),
    )


def _turn_rate(states: States, index: Integers, numbers: Array, at: Integers) -> Array:
    """Rate (k,) rad/s of the angle of body j against i about the axis of a stop."""
    A, _, spin = _body(states, index[0], at)
    return np.asarray(np.sum(A @ numbers[6:9] * (_body(states, index[1], at)[2] - spin), axis=1))


def _slide_rate(states: States, index: Integers, numbers: Array, at: Integers) -> Array:
    """Rate (k,) m/s of the distance of two points along the direction of a stop, which body i carries and on whose line
    both points lie."""
    Ai, vi, wi = _body(states, index[0], at)
    Aj, vj, wj = _body(states, index[1], at)
    a, si, sj = Ai @ numbers[0:3], Ai @ numbers[3:6], Aj @ numbers[6:9]
    return np.asarray(np.sum(a * (vj + np.cross(wj, sj) - vi - np.cross(wi, si)), axis=1))


def _on_track(system: System) -> tuple[PlacedCar, ...]:
    """The cars that have a place on the track."""
    return () if system.built is None else tuple(car for car in system.cars if car.places)


def _arc_length(system: System, states: States, car: PlacedCar, times: Array) -> Array:
    position = car_arc_length(system, car, Sampler(states, times))
    assert position is not None
    return position


def _sections(system: System, states: States, car: PlacedCar) -> list[tuple[float, EventKind, str, str]]:
    built = system.built
    assert built is not None
    spans, length = built.sections, built.length
    position = _arc_length(system, states, car, states.time)
    first, last = position.min(), position.max()
    laps = np.arange(np.floor(first / length), np.floor(last / length) + 1) if built.track.closed else [0.0]
    found: list[tuple[float, EventKind, str, str]] = []
    for lap in laps:
        for k, span in enumerate(spans):
            border = span.s0 + lap * length
            if not first <= border <= last or (k == 0 and not built.track.closed):
                continue
            place_at = partial(_less, partial(_arc_length, system, states, car), border)
            for time, forwards in crossings(states.time, position - border, place_at):
                if (
                    time - states.time[0] < SAME_TIME
                ):  # a car that starts on a border is in its section already
                    continue
                entered = span if forwards else spans[k - 1]
                found.append((time, "section", f"{car.name}/{entered.name}", f"{car.name}/"))
    return found


class Signal(NamedTuple):
    """A watched signal: vectors(times) reads it, (k,) or (k, 3); channel: its name when it is one; the component that
    counts, None for the length of vectors."""

    vectors: ValueAt
    channel: str | None
    component: int | None

    def single(self, values: Array) -> Array:
        """What is watched of the signal's values, (k,)."""
        if values.ndim == 1:
            return values
        if self.component is None:
            return np.asarray(np.linalg.norm(values, axis=1))
        return np.asarray(values[:, self.component])

    def read(self, times: Array) -> Array:
        """What is watched, at times (k,) s."""
        return self.single(self.vectors(times))


def signal_of(project: Project, system: System, states: States, name: str) -> Signal:
    """The signal behind a watched name.

    name: a channel, or `body/<body>/<quantity>` with a quantity of `channels.Motion`; ".x", ".y" or ".z" behind the
    name of a vector takes a component, without it counts the length. Raises InputError when there is none.
    """
    whole, component = (name[:-2], COMPONENTS[name[-2:]]) if name[-2:] in COMPONENTS else (name, None)
    prefix, _, rest = whole.partition("/")
    body, _, quantity = rest.rpartition("/")
    if prefix == "body" and body in system.names and quantity in QUANTITIES:
        b = system.names.index(body)

        def motion(times: Array) -> Array:
            values: Array = getattr(Sampler(states, times).body(b), quantity)
            return values

        return Signal(motion, None, component)
    known = derive_channels(project, system, states, states.time[:1])
    if name in known:  # one whose own name ends like a component
        whole, component = name, None
    if whole not in known or (component is not None and known[whole].values.ndim == 1):
        some = [*known, *(f"body/{first}/position.z" for first in system.names[:1])]
        raise InputError(
            f"evaluation.watch: there is no signal '{name}'; there are {', '.join(some)} and so on, with .x, .y or .z"
            " behind the name of a vector for one component."
        )

    def derived(times: Array) -> Array:
        return derive_channels(project, system, states, times)[whole].values

    return Signal(derived, whole, component)


def _levels(
    project: Project,
    system: System,
    states: States,
    channels: dict[str, Channel],
    grid: Array,
    name: str,
    level: float,
) -> list[tuple[float, EventKind, str, str]]:
    signal = signal_of(project, system, states, name)
    known = signal.vectors(grid) if signal.channel is None else channels[signal.channel].values
    owner = name.partition("/")[2]
    return [
        (time, "rises" if rises else "falls", f"{name} = {level:g}", owner)
        for time, rises in crossings(grid, signal.single(known) - level, partial(_less, signal.read, level))
    ]


def _placed(
    system: System, states: States, found: list[tuple[float, EventKind, str, str]]
) -> tuple[Event, ...]:
    """Events with the place of the car whose name their owner begins with, or of the first car."""
    cars = _on_track(system)
    times = np.array([time for time, *_ in found])
    positions = {car.name: _arc_length(system, states, car, times) for car in cars}
    events = []
    for k, (time, kind, name, owner) in enumerate(found):
        car = next((c.name for c in cars if owner.startswith(f"{c.name}/")), cars[0].name if cars else None)
        events.append(Event(kind, name, time, None if car is None else float(positions[car][k])))
    return tuple(events)
