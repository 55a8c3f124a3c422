"""Every signal of a run under one searchable name: channels, energies, violations, forces, motion of the bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..injury.filters import ride_filter
from ..model.forces.base import Output
from ..model.outputs import output_rows, row_of
from ..model.placement import joined
from ..outcome.free_riders import (
    FreeRider,
    Part,
    felt_airtime,
    free_riders,
    gap_over_time,
    load_over_time,
    slip_over_time,
)
from ..project.project import Project
from ..results.results import CONTACT_TERMS, Channel, Results
from ..track.build import built_or_fault

if TYPE_CHECKING:
    from ..multibody.contact_places import Touching

Sampled = tuple[Array, Array]

RIDER_PARTS = {"head": "Head", "upper_torso": "Upper torso", "pelvis": "Pelvis"}
JUDGED_PARTS = {**RIDER_PARTS, "seat": "Seat"}  # what is judged: a part of a rider, or a seat without one
G_AXES = ("Gx", "Gy", "Gz")
ENERGY_TITLES = {
    "kinetic": "Kinetic",
    "potential": "Potential, from the start",
    "elastic": "In springs",
    "dissipated": "Lost in dampers",
    "drag": "Lost to drag",
    "driven": "Put in by drives",
    "contact_elastic": "In contacts",
    "contact_loss": "Lost in contacts",
    "friction_loss": "Lost by friction in contacts",
}
RIDE_FILTER = "5 Hz ride filter"
CHANNELS = ""  # the kind of signals whose keys are the names of channels


@dataclass(frozen=True)
class Signal:
    """A named signal of a run.

    key: the same for the same signal of every run; place: where it hangs in the tree of channels, in words; title;
    unit: SI (and "g"); components: names of the columns; about: what it is and in which axes; read(): time (n,) s
    and values (n, k).
    """

    key: str
    place: tuple[str, ...]
    title: str
    unit: str
    components: tuple[str, ...]
    about: str
    read: Callable[[], Sampled]

    @property
    def text(self) -> str:
        """All words a search looks through."""
        return " ".join((*self.place, self.title)).lower()


class RunSignals:
    """The signals of one run by key; each is computed when first read, the last few dozen are kept. A full train has
    thousands, of which those of a kind are listed when the first of them is wanted."""

    def __init__(self, results: Results, project: Project) -> None:
        self.results = results
        self._kept = lru_cache(maxsize=96)(self._read)
        self._waiting = _kinds(results, project)
        self._all: dict[str, dict[str, Signal]] = {}

    def _of_kind(self, kind: str) -> dict[str, Signal]:
        if kind not in self._all:
            self._all[kind] = {signal.key: signal for signal in self._waiting[kind]}
        return self._all[kind]

    def __iter__(self) -> Iterator[Signal]:
        for kind in self._waiting:
            yield from self._of_kind(kind).values()

    def get(self, key: str) -> Signal | None:
        kind = key.partition("/")[0] + "/"
        found = self._of_kind(CHANNELS).get(key)
        return found if found is not None or kind not in self._waiting else self._of_kind(kind).get(key)

    def _read(self, key: str) -> Sampled:
        signal = self.get(key)
        assert signal is not None
        time, values = signal.read()
        values = np.ascontiguousarray(values.reshape(len(time), -1), dtype=np.float64)
        return np.ascontiguousarray(time, dtype=np.float64), values

    def read(self, key: str) -> Sampled | None:
        """Time (n,) s and values (n, k) of a signal; None when the run has none of that key or cannot give it."""
        if self.get(key) is None:
            return None
        try:
            time, values = self._kept(key)
        except InputError:
            return None
        return (time, values) if len(time) else None

    @cached_property
    def cars(self) -> tuple[str, ...]:
        """Names of the cars in the order of the train."""
        parts = (name.split("/") for name in self.results.channels)
        return tuple(p[1] for p in parts if len(p) == 3 and p[0] == "car" and p[2] == "speed")


def in_words(path: str) -> str:
    """A path of names as a person reads it: "Car/Rider/Head" -> "Car › Rider › Head"."""
    return path.replace("/", " › ")


def _kinds(results: Results, project: Project) -> dict[str, Iterator[Signal]]:
    """Signals by the first part of their keys with its stroke, but for those of channels; in the order of offering."""
    own = len(results.states.time) > 0  # a measured ride has none
    return {
        CHANNELS: (s for name, channel in results.channels.items() for s in _channel(results, name, channel)),
        "energy/": _energy(results) if own else iter(()),
        "violations/": _violations(results) if own else iter(()),
        "free/": _free_riders(results, project),
        "guide/": _guides(results, project),
        "joint/": _joints(results),
        "spring/": _springs(results, project),
        "body/": _bodies(results),
    }


def _channel(results: Results, name: str, channel: Channel) -> Iterator[Signal]:
    parts = name.split("/")
    axes: tuple[str, ...]
    place: tuple[str, ...]
    time, about = results.sample_time, f"{channel.description} ({channel.frame})"
    if parts[0] == "rider" and len(parts) >= 4:
        rider, part = "/".join(parts[1:-2]), RIDER_PARTS.get(parts[-2], parts[-2].capitalize())
        place = ("Riders", in_words(rider), part)
        if parts[-1] == "acceleration":
            read = partial(_sized, time, channel)
            axes = (*G_AXES, "size")
            yield Signal(name, place, "Load as computed", channel.unit, axes, about, read)
            read = partial(_filtered, time, channel)
            yield Signal(f"{name} 5 Hz", place, f"Load, {RIDE_FILTER}", channel.unit, axes, about, read)
        else:
            title = parts[-1].replace("_", " ").capitalize()
            axes = ("x", "y", "z", "size")
            yield Signal(name, place, title, channel.unit, axes, about, partial(_sized, time, channel))
        return
    if parts[0] == "seat":
        place = ("Seats", in_words("/".join(parts[1:-1])))
        read = partial(_sized, time, channel)
        yield Signal(name, place, "Load as computed", channel.unit, (*G_AXES, "size"), about, read)
        return
    if name.startswith("belt/"):
        place = ("Seats and restraints", in_words("/".join(parts[1:-1])))
        read = partial(_computed, time, lambda: channel.values)
        yield Signal(name, place, parts[-1].capitalize(), channel.unit, ("",), about, read)
        return
    titles = {
        "nca": "Non-compensated acceleration",
        "nca_rails": "Non-compensated acceleration, rail plane",
        "roll": "Roll of the carbody",
        "arc_length": "Arc length",
    }
    title = titles.get(parts[-1], parts[-1].replace("_", " ").capitalize())
    wide = len(channel.shape) == 2
    axes = ("x", "y", "z") if wide else ("",)
    place = ("Couplings" if parts[0] == "coupling" else "Cars", in_words("/".join(parts[1:-1]) or "Train"))
    yield Signal(name, place, title, channel.unit, axes, about, lambda: (time, channel.values))


def _with_size(time: Array, values: Array) -> Sampled:
    return time, np.column_stack([values, np.linalg.norm(values, axis=1)])


def _sized(time: Array, channel: Channel) -> Sampled:
    return _with_size(time, channel.values)


def _filtered(time: Array, channel: Channel) -> Sampled:
    return _with_size(time, ride_filter(time, channel.values))


def _energy(results: Results) -> Iterator[Signal]:
    ledger, time = results.energy, results.states.time
    for name, title in ENERGY_TITLES.items():
        values = getattr(ledger, name)
        if name in CONTACT_TERMS and not values.any():
            continue
        if name == "potential" and len(values):
            values = values - values[0]
        about = "energy of the whole train with its riders"
        yield Signal(f"energy/{name}", ("Energy",), title, "J", ("",), about, partial(_pair, time, values))
    about = "what the numerics gained or lost: all held and lost energy less what was put in, from the start"
    yield Signal(
        "energy/residual",
        ("Energy",),
        "Ledger residual",
        "J",
        ("",),
        about,
        lambda: (time, ledger.residual),
    )


def _pair(time: Array, values: Array) -> Sampled:
    return time, values


def _violations(results: Results) -> Iterator[Signal]:
    time, off = results.states.time, results.violations
    rows = (
        ("joints", "Joints, position", "m or rad", "largest gap of all joint equations"),
        ("guides", "Wheels on rails, position", "m", "largest gap of all wheels from their rail"),
        ("velocity", "All, velocity", "m/s or rad/s", "largest speed of a gap, all rows"),
    )
    for name, title, unit, about in rows:
        # Zero cannot be drawn on a logarithmic axis: shown at the smallest size a double tells apart from 1.
        values = np.maximum(np.abs(getattr(off, name)), np.finfo(float).eps)
        yield Signal(
            f"violations/{name}",
            ("Constraint violations",),
            title,
            unit,
            ("",),
            about,
            partial(_pair, time, values),
        )


def _free_riders(results: Results, project: Project) -> Iterator[Signal]:
    """What seat and restraint do to riders who sit freely."""
    time, touching = results.states.time, cache(lambda: _touching(project))
    for rider in free_riders(results):
        place = ("Seats and restraints", in_words(rider.rider))
        for part in rider.parts:
            for key, title, unit, about, values in _of_part(results, part, touching):
                read = partial(_computed, time, values)
                yield Signal(
                    f"free/{rider.rider}/{part.name}/{key}",
                    place,
                    f"{part.name}: {title}",
                    unit,
                    ("",),
                    about,
                    read,
                )
        if rider.sits:
            about = "gap to the seat pan while nothing of the rider touches it"
            felt = partial(_computed, time, partial(_felt, results, rider))
            yield Signal(f"free/{rider.rider}/airtime", place, "Airtime as felt", "mm", ("",), about, felt)


def _felt(results: Results, rider: FreeRider) -> Array:
    felt = felt_airtime(results, rider)
    return np.zeros(len(results.states.time)) if felt is None else felt


def _computed(time: Array, values: Callable[[], Array]) -> Sampled:
    return time, values()


def _of_part(
    results: Results, part: Part, touching: Callable[[], Touching]
) -> Iterator[tuple[str, str, str, str, Callable[[], Array]]]:
    """Key, title, unit, what it is and values (n,) of every signal of a part of a seat or restraint."""
    if part.webbing:
        yield "load", "load", "N", "the largest pull along it", lambda: load_over_time(results, part.rows)
        about = "webbing that has passed over the body, back and forth, at the point where that is most"
        yield "slip", "slip", "mm", about, lambda: slip_over_time(results, part)
        return
    about = "to the nearest segment it is meant for, negative where one is pressed in"
    yield "gap", "gap", "mm", about, lambda: gap_over_time(results, part.rows)
    yield "load", "load", "N", "sum of the normal forces", lambda: load_over_time(results, part.rows)
    about = "way of the segment that slides furthest, while friction gives way"
    yield "slip", "slip", "mm", about, lambda: slip_over_time(results, part)
    about = "load over the area of the patches, each as of Hertz"
    yield "pressure", "load over patch", "kPa", about, lambda: _pressure(results, touching(), part)


def _pressure(results: Results, touching: Touching, part: Part) -> Array:
    from ..outcome.contact_pressure import pressure_over_time  # with kernels, for whoever draws it

    return pressure_over_time(results, touching, part)


def _touching(project: Project) -> Touching:
    from ..multibody.contact_places import touching_of

    return touching_of(project, built_or_fault(project.track)[0])


def _guided_bodies(project: Project) -> dict[str, str]:
    """Full name of each guide -> full name of the body it guides."""
    guides = {} if project.assembly is None else project.assembly.every("guide")
    return {name: joined(name.rpartition("/")[0], guide.body) for name, guide in guides.items()}


def _guides(results: Results, project: Project) -> Iterator[Signal]:
    names = results.names
    bodies = _guided_bodies(project)
    for k, guide in enumerate(names.guides):
        place = ("Wheels on rails", in_words(guide))
        body = bodies.get(guide)
        if body in names.bodies:
            read = partial(_wheel_force, results, len(names.joints) + k, names.bodies.index(body))
            about = f"force of the rail on {in_words(body)}, in axes of that body"
            axes = ("forward", "left", "up", "size")
            yield Signal(f"guide/{guide}/force", place, "Force of the rail", "N", axes, about, read)
        for name, title, unit, array in (
            ("place", "Place on its rail", "m", "path_coordinate"),
            ("speed", "Speed along its rail", "m/s", "path_speed"),
        ):
            about = "along the curve the wheel follows"
            read = partial(_column, results, array, k)
            yield Signal(f"guide/{guide}/{name}", place, title, unit, ("",), about, read)


def _wheel_force(results: Results, row: int, body: int) -> Sampled:
    """Reaction force turned from world axes into the axes of the guided body, with its size."""
    states = results.states
    turn = rotation_matrix(states.orientation[:, body])
    own = np.einsum("nji,nj->ni", turn, states.reactions[:, row, :3])
    return _with_size(states.time, own)


def _column(results: Results, array: str, k: int) -> Sampled:
    """A column of an array of the states, by its name: it may have to be read from a file, and not before it is
    wanted."""
    values: Array = getattr(results.states, array)
    return results.states.time, values[:, k]


def _vectors(results: Results, array: str, k: int, first: int) -> Sampled:
    time, values = _column(results, array, k)
    return _with_size(time, values[:, first : first + 3])


def _joints(results: Results) -> Iterator[Signal]:
    axes = ("x", "y", "z", "size")
    for k, joint in enumerate(results.names.joints):
        place = ("Joint reactions", in_words(joint))
        for first, name, title, unit in ((0, "force", "Force", "N"), (3, "moment", "Moment", "N m")):
            read = partial(_vectors, results, "reactions", k, first)
            about = f"{title.lower()} on the first body of the joint, at the joint point, world axes"
            yield Signal(f"joint/{joint}/{name}", place, title, unit, axes, about, read)


def _springs(results: Results, project: Project) -> Iterator[Signal]:
    rows = {} if project.assembly is None else output_rows(project.assembly)
    for k, name in enumerate(results.names.springs):
        row = row_of(rows, name)
        length, load = (Output("length", "m or rad"), Output("force", "N or N m"))
        if row is not None:
            length, load = row.coordinate, row.load
        place = ("Force elements", in_words(name))
        sign = "tension or opening positive"
        if row is not None:
            sign = "pushing positive" if row.type.place == "surfaces" else sign
        about = sign if row is None else f"{row.type.word}, {sign}"
        for key, output, array in (("force", load, "spring_force"), ("length", length, "spring_length")):
            read = partial(_column, results, array, k)
            title = output.word.capitalize()
            yield Signal(f"spring/{name}/{key}", place, title, output.unit, ("",), about, read)


def _bodies(results: Results) -> Iterator[Signal]:
    rows = (
        ("position", "Position", "m", "world axes"),
        ("velocity", "Velocity", "m/s", "world axes"),
        ("acceleration", "Acceleration", "m/s^2", "world axes"),
        ("angular_velocity", "Angular velocity", "rad/s", "body axes"),
        ("angular_acceleration", "Angular acceleration", "rad/s^2", "body axes"),
    )
    axes: tuple[str, ...]
    for k, body in enumerate(results.names.bodies):
        place = ("Bodies", in_words(body))
        for name, title, unit, frame in rows:
            if name == "position":
                axes, read = ("x", "y", "z"), partial(_column, results, name, k)
            else:
                axes, read = ("x", "y", "z", "size"), partial(_vectors, results, name, k, 0)
            about = f"of the centre of mass, {frame}"
            yield Signal(f"body/{body}/{name}", place, title, unit, axes, about, read)


def search(signals: Iterable[Signal], words: str) -> list[Signal]:
    """Signals whose words contain every word of a search, in their own order."""
    wanted = words.lower().split()
    return [signal for signal in signals if all(word in signal.text for word in wanted)]
