"""One run: what happened at every stored instant, on which model, how it ended.

States are stored at the solver's own accepted steps (those of explicit methods thinned to the sample rate, or to
200 Hz when that is less), so that nothing is lost between samples; `channels` are derived signals on one uniform
time grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.frozen import told
from ..base.sentence import together

StatusName = Literal["done", "end of track", "stopped", "stalled", "rider lost", "failed"]


@dataclass(frozen=True)
class Status:
    """How a run ended: `done` and `end of track` are complete runs, the others ended early with advice."""

    name: StatusName
    message: str
    advice: str = ""

    @property
    def sentence(self) -> str:
        """Message and advice as one text, their numbers kept."""
        return together(" ", (self.message, self.advice))

    @property
    def complete(self) -> bool:
        return self.name in ("done", "end of track")


@dataclass(frozen=True)
class ModelSize:
    """Counts of the compiled system, taken at its start pose.

    coordinates: 6 per body plus one arc length per guide; rows: constraint equations; rank of their Jacobian;
    degrees_of_freedom = coordinates - rank; redundant: names of rows that the others already imply.
    """

    bodies: int
    coordinates: int
    rows: int
    rank: int
    degrees_of_freedom: int
    redundant: tuple[str, ...] = ()


@dataclass(frozen=True)
class Channel:
    """A named signal on the channel time grid: values (m,) or (m, 3)."""

    values: Array
    unit: str
    frame: str
    description: str

    @property
    def shape(self) -> tuple[int, ...]:
        """Of its values, which need not be read from their file for that."""
        return self.values.shape

    def __repr__(self) -> str:
        return f"Channel({self.shape[0]} samples, {self.unit}, {self.frame}: {self.description})"


#: What states have of flexible bodies.
MODAL = ("modal", "modal_speed", "modal_acceleration")
ABSENT: dict[str, tuple[int, ...]] = {"head_contact": (0, 6)}  # axes of what states do not have; else (0,)


AT_ONCE = 2e-9  # s


@dataclass(frozen=True)
class States:
    """The motion at the stored instants, world frame unless said otherwise; n instants, nb bodies, ng guides.

    time (n,) s; position (n, nb, 3) m of the centres of mass; orientation (n, nb, 4) Euler parameters;
    velocity (n, nb, 3) m/s; angular_velocity (n, nb, 3) rad/s in body axes; acceleration (n, nb, 3) m/s^2;
    angular_acceleration (n, nb, 3) rad/s^2 in body axes; path_coordinate, path_speed, path_acceleration
    (n, ng) m, m/s, m/s^2 along each guide's own curve; reactions (n, nr, 6): force (N) and moment (N m) at
    the joint point that body_i of each joint, or the guided body, feels, world axes, joints first;
    spring_force (n, ns) N or N m, positive in tension; spring_length (n, ns) m or rad; device_force (n, nc) N,
    forward, of the track's devices on each car they act on; head_contact (n, nh, 6): force (N, world axes) and
    moment about the centre of mass (N m, body axes) of all contacts on each head that they may touch, in the order
    of riders; internal (n, nz) unknowns of force elements and memory (n, nm) of their laws, both in the order of
    the elements; of each pair of surfaces its speed at the last touch (m/s) and its largest depth (m); modal,
    modal_speed, modal_acceleration (n, nq) m, m/s, m/s^2: modal coordinates of flexible bodies, body by body, each
    the largest displacement that its mode makes.

    Where a load jumps there are two instants: as all is until then, AT_ONCE earlier, and as it goes on.
    """

    time: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    acceleration: Array
    angular_acceleration: Array
    path_coordinate: Array
    path_speed: Array
    path_acceleration: Array
    reactions: Array
    spring_force: Array
    spring_length: Array
    device_force: Array = field(default_factory=lambda: np.zeros((0, 0)))
    head_contact: Array = field(default_factory=lambda: np.zeros((0, 0, 6)))
    internal: Array = field(default_factory=lambda: np.zeros((0, 0)))
    memory: Array = field(default_factory=lambda: np.zeros((0, 0)))
    modal: Array = field(default_factory=lambda: np.zeros((0, 0)))
    modal_speed: Array = field(default_factory=lambda: np.zeros((0, 0)))
    modal_acceleration: Array = field(default_factory=lambda: np.zeros((0, 0)))

    def __repr__(self) -> str:
        return f"States({len(self.time)} instants of {self.position.shape[1]} bodies)"

    def __post_init__(self) -> None:
        for name in ("device_force", "head_contact", "internal", "memory", *MODAL):
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros((len(self.time), *ABSENT.get(name, (0,)))))

    def at(self, rows: Integers | slice) -> States:
        """The same at some of the instants."""
        return States(**{name: values[rows] for name, values in vars(self).items()})


@dataclass(frozen=True)
class Names:
    """Names along the axes of `States`; riders map a rider's name to {head, upper_torso, pelvis} body names,
    flexible a flexible body's to the number of its modal coordinates."""

    bodies: tuple[str, ...]
    guides: tuple[str, ...]
    joints: tuple[str, ...]
    springs: tuple[str, ...]
    riders: dict[str, dict[str, str]] = field(default_factory=dict)
    flexible: dict[str, int] = field(default_factory=dict)


#: What the ledger has of contacts.
CONTACT_TERMS = ("contact_elastic", "contact_loss", "friction_loss")


@dataclass(frozen=True)
class Ledger:
    """Energy in J at the stored instants: all (n,).

    kinetic, potential (gravity), elastic, dissipated (springs, stops), drag (air and rolling), driven (work of
    drivers, applied forces and devices of the track, counted as input). contact_elastic, contact_loss, friction_loss:
    stored in contacts, bristles included, lost in their normal forces and in their friction; zeros without contacts.
    residual = what is held and lost - driven, minus its value at the start: what the numerics gained or lost.
    """

    kinetic: Array
    potential: Array
    elastic: Array
    dissipated: Array
    drag: Array
    driven: Array
    contact_elastic: Array = field(default_factory=lambda: np.zeros(0))
    contact_loss: Array = field(default_factory=lambda: np.zeros(0))
    friction_loss: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        for name in CONTACT_TERMS:
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros(len(self.kinetic)))

    @property
    def residual(self) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):  # damaged files hold anything
            total = self.kinetic + self.potential + self.elastic + self.dissipated + self.drag - self.driven
            total = total + self.contact_elastic + self.contact_loss + self.friction_loss
            out: Array = total - total[0]
        return out


@dataclass(frozen=True)
class Violations:
    """Constraint violations at the stored instants: largest |Phi| over joints and over guides (m or rad), and
    largest |dPhi/dt| over all rows (m/s or rad/s); each (n,)."""

    joints: Array
    guides: Array
    velocity: Array


# "section", "rises" and "falls" of watched levels, "end", and what types of force elements call theirs ("stop met")
EventKind = str


@dataclass(frozen=True)
class Event:
    """Something that happened at an instant: time (s), and on a track the place (m): arc length of the car it happened
    on, on the centreline, counted on over laps.

    name: of the stop; `car/section` for a car that enters a section; signal and level for one that rises or falls past
    it; of the status for the end.
    """

    kind: EventKind
    name: str
    time: float
    place: float | None


@told
@dataclass(frozen=True)
class Results:
    """Everything a run produced. `provenance`: program version, project JSON, settings, date, figures of the
    numerics (steps, iterations, times); `events` in the order of time."""

    status: Status
    size: ModelSize
    names: Names
    states: States
    energy: Ledger
    violations: Violations
    sample_time: Array
    channels: dict[str, Channel]
    provenance: dict[str, Any]
    events: tuple[Event, ...] = ()

    def __repr__(self) -> str:
        t = self.sample_time
        span = f"{t[0]:.6g} to {t[-1]:.6g} s" if len(t) else "no time"
        return (
            f"Results({self.status.name}, {span}, {len(self.channels)} channels, {self.size.bodies} bodies)"
        )

    @classmethod
    def of_signals(
        cls,
        time: ArrayLike,
        signals: Mapping[str, Channel | ArrayLike],
        *,
        message: str = "",
        provenance: Mapping[str, Any] | None = None,
    ) -> Results:
        """Results of signals alone, as of a measured ride, or of another program: to be judged, shown and kept.

        time (m,) s, rising; signals: (m,) or (m, 3) by names as a run has them, such as
        "rider/Car/Rider/head/acceleration" in g, forward, left, up, gravity in ("upper_torso" and "pelvis" as well,
        "angular_velocity" in rad/s), "car/Car/arc_length" in m. Raises InputError for values that are not finite or do
        not fit the time.
        """
        t = _numbers("time", time)
        if t.ndim != 1 or len(t) < 2 or not (np.diff(t) > 0.0).all():
            raise InputError("time: must be one row of two or more times (s) that rise.")
        if not isinstance(signals, Mapping) or not all(isinstance(name, str) for name in signals):
            raise InputError("signals: must be a dict of arrays by the names of signals.")
        channels: dict[str, Channel] = {}
        riders: dict[str, dict[str, str]] = {}
        for name, given in signals.items():
            values = _numbers(name, given.values if isinstance(given, Channel) else given)
            if values.shape not in ((len(t),), (len(t), 3)):
                raise InputError(
                    f"{name}: must have {len(t)} samples, alone or by three, found {values.shape}."
                )
            known = isinstance(given, Channel)
            channels[name] = given if known else Channel(values, _unit(name), "rider axes", "given")  # type: ignore[assignment]
            where = name.split("/")
            if len(where) > 3 and where[0] == "rider" and where[-1] == "acceleration":
                riders.setdefault("/".join(where[1:-2]), {})[where[-2]] = where[-2]
        none, pairs, vectors = np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0, 3))
        wide = {
            "orientation": np.zeros((0, 0, 4)),
            "reactions": np.zeros((0, 0, 6)),
            "head_contact": np.zeros((0, 0, 6)),
        }
        wide |= dict.fromkeys(
            ("position", "velocity", "angular_velocity", "acceleration", "angular_acceleration"), vectors
        )
        states = {f.name: none if f.name == "time" else wide.get(f.name, pairs) for f in fields(States)}
        return cls(
            status=Status("done", message or "Signals that were given."),
            size=ModelSize(0, 0, 0, 0, 0),
            names=Names((), (), (), (), riders),
            states=States(**states),
            energy=Ledger(none, none, none, none, none, none),
            violations=Violations(none, none, none),
            sample_time=t,
            channels=channels,
            provenance=dict(provenance or {}),
        )


def _numbers(name: str, given: Any) -> Array:
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: must be an array of numbers.") from None
    if not np.isfinite(values).all():
        raise InputError(f"{name}: holds values that are not finite.")
    return values


def _unit(name: str) -> str:
    """The unit of a signal by the last part of its name, as in a run."""
    units = {"acceleration": "g", "angular_velocity": "rad/s", "angular_acceleration": "rad/s^2", "force": "N",
             "moment": "N m", "arc_length": "m", "speed": "m/s", "nca": "m/s^2", "nca_rails": "m/s^2"}  # fmt: skip
    return units.get(name.rpartition("/")[2], "")


def cars_of(results: Results) -> list[str]:
    """Names of the cars in the order of the train: those that have a speed channel."""
    return list(_cars(results))


def _cars(results: Results) -> Iterator[str]:
    for name in results.channels:
        if name.startswith("car/") and name.endswith("/speed") and name.count("/") == 2:
            yield name.split("/")[1]


def first_car_at(results: Results, time: float) -> float | None:
    """Where the first car is.

    Parameters
    ----------
    results
        A run.
    time
        s.

    Returns
    -------
    Arc length (m) on the centreline; None where nothing rides.
    """
    channel = results.channels.get(f"car/{next(_cars(results), None)}/arc_length")
    return None if channel is None else float(np.interp(time, results.sample_time, channel.values))
