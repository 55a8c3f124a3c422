"""Parts that nothing connects, each integrated with a step size of its own, and their records on common instants.

One clock for all would take the steps of whichever part needs the smallest at the time: a train of 16 uncoupled cars
some two fifths more steps than one car, each of them for all. With a clock each a car takes the same steps as alone.
Channels, events, energies and violations come from each part's own instants. The states are stored at common instants,
as dense as the steps of the part with the smallest: between a part's own instants places follow the quintic through
place, velocity and acceleration at both ends, velocities the cubic through velocities and accelerations, accelerations
its slope, orientations the turn by the cubic of the angular velocity and what that lacks at its end; forces and lengths
follow a cubic that stays between its values (Fritsch & Carlson 1980).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np

from ..base.arrays import Array, Integers
from ..base.frames import conjugate, from_rotation_vector, multiply, rotation_vector
from ..multibody.compile import System
from ..results.results import MODAL, Ledger, ModelSize, Names, States, Violations
from ..results.sampler import along, between, hermite
from ..results.spilled import release, zeros
from .assemble import AssemblyReport
from .contacts import kept_memory, touched_heads

Recorded = tuple[States, Ledger, Violations]
Columns = dict[str, list[Integers]]
Part = TypeVar("Part", States, Ledger, Violations)
SAME_TIME = 1e-12  # s, and relative
MUCH_THE_SAME = 1.1  # instants of all together over those of the densest
COLUMNS = 64  # of forces that are interpolated at once
BLOCK = 512  # instants that are brought to common ones at once


def names_of(system: System) -> Names:
    """Names along the axes of a system's states."""
    return Names(
        bodies=system.names,
        guides=tuple(guide.name for guide in system.guides),
        joints=tuple(joint.name for joint in system.joints),
        springs=system.elements,
        riders=dict(system.riders),
        flexible={one.name: len(one.floating.inertia) for one in system.flexible},
    )


def columns_of(whole: System, parts: Sequence[System]) -> Columns:
    """Which columns of the states of a whole system those of its parts are, for each field of `States`."""

    def places(names: Callable[[System], Iterable[Hashable]]) -> list[Integers]:
        at = {name: k for k, name in enumerate(names(whole))}
        return [np.array([at[name] for name in names(part)], dtype=np.int64) for part in parts]

    bodies = places(lambda system: system.names)
    guides = places(lambda system: (guide.name for guide in system.guides))
    joints = places(lambda system: (joint.name for joint in system.joints))
    elements = places(lambda system: system.elements)
    after = len(whole.joints)
    return {
        **dict.fromkeys((f.name for f in fields(States) if f.name != "time"), bodies),
        **dict.fromkeys(("path_coordinate", "path_speed", "path_acceleration"), guides),
        "reactions": [np.concatenate([j, after + g]) for j, g in zip(joints, guides, strict=True)],
        "spring_force": elements,
        "spring_length": elements,
        "device_force": places(lambda system: system.device_cars),
        **dict.fromkeys(MODAL, places(_modal)),
        "head_contact": places(touched_heads),
        "internal": places(partial(_inside, "internal")),
        "memory": places(_kept),
    }


def _inside(what: str, system: System) -> list[tuple[str, int]]:
    """Name of the element and number in it of each internal unknown or part of a memory of a system."""
    found: dict[int, tuple[str, int]] = {}
    for connector in system.connectors:
        first, end = getattr(connector, what)
        found |= {column: (connector.name, column - first) for column in range(first, end)}
    return [found[column] for column in sorted(found)]


def _kept(system: System) -> list[tuple[str, int]]:
    """The same of what is kept of memories."""
    every = _inside("memory", system)
    return [every[number] for number in kept_memory(system)]


def _modal(system: System) -> list[tuple[str, int]]:
    """Body and number in it of each modal coordinate of a system."""
    return [(one.name, k) for one in system.flexible for k in range(len(one.floating.inertia))]


def joined_size(sizes: Sequence[ModelSize]) -> ModelSize:
    """Counts of systems that nothing couples, together."""
    counts = {
        f.name: sum(getattr(s, f.name) for s in sizes) for f in fields(ModelSize) if f.name != "redundant"
    }
    return ModelSize(**counts, redundant=tuple(chain.from_iterable(s.redundant for s in sizes)))


def joined_report(reports: Sequence[AssemblyReport]) -> AssemblyReport:
    """What assembling moved most in any of the systems."""
    before = max(reports, key=lambda r: r.violation_before)
    moved = max(reports, key=lambda r: r.translation)
    turned = max(reports, key=lambda r: r.rotation)
    sped = max(reports, key=lambda r: r.velocity_change)
    return AssemblyReport(
        iterations=max(r.iterations for r in reports),
        violation_before=before.violation_before,
        violation_after=max(r.violation_after for r in reports),
        worst_before=before.worst_before,
        translation=moved.translation,
        translated=moved.translated,
        rotation=turned.rotation,
        rotated=turned.rotated,
        velocity_change=sped.velocity_change,
        velocity_changed=sped.velocity_changed,
        slid={car: far for r in reports for car, far in r.slid.items()},
        unsettled=next((r.unsettled for r in reports if r.unsettled), ""),
    )


def until(recorded: Recorded, end: float) -> Recorded:
    """The instants of a record up to the first at or after a time (s)."""
    n = int(np.searchsorted(recorded[0].time, end - 1e-12 * max(1.0, end))) + 1
    if n >= len(recorded[0].time):
        return recorded
    return _first(recorded[0], n), _first(recorded[1], n), _first(recorded[2], n)


def _first(record: Part, n: int) -> Part:
    """The first n instants of states, energies or violations."""
    return replace(record, **{f.name: getattr(record, f.name)[:n] for f in fields(record)})


def common_instants(times: Sequence[Array], end: float) -> Array:
    """Instants from the first common one to a time (s), everywhere as dense as the densest of times (n,) s; all that
    there are, where they are much the same, as with fixed steps."""
    borders = np.unique(np.concatenate([*times, [end]]))
    borders = borders[borders <= end]
    apart = np.diff(borders, prepend=-np.inf) > SAME_TIME * max(1.0, end)
    if len(borders) < 2 or np.count_nonzero(apart) <= MUCH_THE_SAME * max(len(t) for t in times):
        return borders[apart]
    middle = 0.5 * (borders[1:] + borders[:-1])
    density = np.max([1.0 / np.diff(t)[np.searchsorted(t, middle) - 1] for t in times], axis=0)
    count = np.concatenate([[0.0], np.cumsum(density * np.diff(borders))])
    most = max(int(np.ceil(count[-1] - 1e-9)), 1)
    return np.asarray(np.interp(np.linspace(0.0, count[-1], most + 1), count, borders))


def joined(parts: Sequence[Recorded], end: float, columns: Columns) -> Recorded:
    """The records of systems that nothing connects as one, up to a time (s) that all of them have reached; columns:
    where their states go (see `columns_of`)."""
    each = [states for states, _, _ in parts]
    grid = common_instants([states.time for states in each], end)
    energy = {
        f.name: np.sum([_shaped(s.time, getattr(e, f.name), grid) for s, e, _ in parts], axis=0)
        for f in fields(Ledger)
    }
    worst = {
        f.name: np.max([_around(s.time, getattr(v, f.name), grid) for s, _, v in parts], axis=0)
        for f in fields(Violations)
    }
    return _joined_states(each, grid, columns), Ledger(**energy), Violations(**worst)


def _joined_states(each: Sequence[States], grid: Array, columns: Columns) -> States:
    """The states of all systems at common instants, some rows at a time: long runs lie in files."""
    tails = {
        name: (sum(getattr(states, name).shape[1] for states in each), *getattr(each[0], name).shape[2:])
        for name in columns
    }
    whole = dict(zip(tails, zeros(len(grid), *tails.values()), strict=True))
    stored = [getattr(states, name) for states in each for name in columns]
    for begin in range(0, len(grid), BLOCK):
        rows = slice(begin, min(begin + BLOCK, len(grid)))
        for k, states in enumerate(each):
            moved = _states_at(_near(states, grid[rows]), grid[rows])
            for name, places in columns.items():
                whole[name][rows, places[k]] = getattr(moved, name)
        release(*whole.values(), *stored)
    return States(time=grid, **whole)


def _near(states: States, grid: Array) -> States:
    """The stored instants that values at other ones (m,) s follow from: those around, and one more to each side."""
    first = int(np.searchsorted(states.time, grid[0], side="right")) - 2
    last = int(np.searchsorted(states.time, grid[-1], side="left")) + 2
    return states.at(slice(max(first, 0), max(last, 2)))


def _states_at(s: States, grid: Array) -> States:
    """The states at other instants (m,) s, none of them outside the stored ones."""
    if len(s.time) == 1:
        return s
    t = s.time
    k, h, x = between(t, grid)

    def motion(place: Array, speed: Array, rate: Array) -> tuple[Array, Array, Array]:
        ends = [side for values in (place, speed, rate) for side in (values[k], values[k + 1])]
        return (_quintic(x, h, *ends), *hermite(x, h, *ends[2:])[1:])

    position, velocity, acceleration = motion(s.position, s.velocity, s.acceleration)
    path, path_speed, path_acceleration = motion(s.path_coordinate, s.path_speed, s.path_acceleration)
    modal, modal_speed, modal_acceleration = motion(s.modal, s.modal_speed, s.modal_acceleration)
    w, dw = s.angular_velocity, s.angular_acceleration
    ends = (w[k], w[k + 1], dw[k], dw[k + 1])
    turn, spin, spin_rate = hermite(x, h, *ends)
    first, last = s.orientation[k], s.orientation[k + 1]
    whole = multiply(first, from_rotation_vector(hermite(np.ones_like(x), h, *ends)[0]))
    lacking = rotation_vector(multiply(conjugate(whole), last))
    share = along(x**3, lacking)  # it comes from the turning axis, w x dw h^3 / 12
    orientation = multiply(multiply(first, from_rotation_vector(turn)), from_rotation_vector(share * lacking))
    return States(
        time=grid,
        position=position,
        orientation=orientation,
        velocity=velocity,
        angular_velocity=spin,
        acceleration=acceleration,
        angular_acceleration=spin_rate,
        path_coordinate=path,
        path_speed=path_speed,
        path_acceleration=path_acceleration,
        reactions=_shaped(t, s.reactions, grid),
        spring_force=_shaped(t, s.spring_force, grid),
        spring_length=_shaped(t, s.spring_length, grid),
        device_force=_shaped(t, s.device_force, grid),
        head_contact=_shaped(t, s.head_contact, grid),
        internal=_shaped(t, s.internal, grid),
        memory=_shaped(t, s.memory, grid),
        modal=modal,
        modal_speed=modal_speed,
        modal_acceleration=modal_acceleration,
    )


def _quintic(x: Array, h: Array, y0: Array, y1: Array, v0: Array, v1: Array, a0: Array, a1: Array) -> Array:
    """Value at x = t/h of the quintic with end values y, slopes v and curvatures a."""
    x, h = along(x, y0), along(h, y0)
    rise = y1 - y0
    c3 = 10.0 * rise - h * (6.0 * v0 + 4.0 * v1) - h * h * (1.5 * a0 - 0.5 * a1)
    c4 = -15.0 * rise + h * (8.0 * v0 + 7.0 * v1) + h * h * (1.5 * a0 - a1)
    c5 = 6.0 * rise - 3.0 * h * (v0 + v1) - 0.5 * h * h * (a0 - a1)
    return np.asarray(y0 + x * (h * v0 + x * (0.5 * h * h * a0 + x * (c3 + x * (c4 + x * c5)))))


def _shaped(t: Array, values: Array, grid: Array) -> Array:
    """Values (n, ...) without a stored rate at other instants (m,): by cubics that stay between them."""
    if len(t) == 1:
        return values
    from scipy.interpolate import PchipInterpolator  # slow to load, rarely needed

    flat = values.reshape(len(t), -1)
    out = np.empty((len(grid), flat.shape[1]))
    for first in range(0, flat.shape[1], COLUMNS):
        block = slice(first, first + COLUMNS)
        with np.errstate(
            over="ignore"
        ):  # of slopes of forces that are all but nothing, which then count as none
            out[:, block] = PchipInterpolator(t, flat[:, block])(np.clip(grid, t[0], t[-1]))
    return out.reshape(len(grid), *values.shape[1:])


def _around(t: Array, values: Array, grid: Array) -> Array:
    """The larger of the values (n,) at the neighbouring instants t of other instants (m,)."""
    after = np.clip(np.searchsorted(t, grid), 0, len(t) - 1)
    before = np.clip(np.searchsorted(t, grid, side="right") - 1, 0, len(t) - 1)
    return np.asarray(np.maximum(values[before], values[after]))
