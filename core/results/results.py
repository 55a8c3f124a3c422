"""One run: what happened at every stored instant, on which model, how it ended.

States are stored at the solver's own accepted steps (those of explicit methods thinned to the sample rate, or to
200 Hz when that is less), so that nothing is lost between samples; `channels` are derived signals on one uniform
time grid.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

StatusName = Literal["done", "end of track", "stopped", "stalled", "failed"]


@dataclass(frozen=True)
class Status:
    """How a run ended: `done` and `end of track` are complete runs, the others ended early with advice."""

    name: StatusName
    message: str
    advice: str = ""

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


#: What states have of flexible bodies.
MODAL = ("modal", "modal_speed", "modal_acceleration")


@dataclass(frozen=True)
class States:
    """The motion at the stored instants, world frame unless said otherwise; n instants, nb bodies, ng guides.

    time (n,) s; position (n, nb, 3) m of the centres of mass; orientation (n, nb, 4) Euler parameters;
    velocity (n, nb, 3) m/s; angular_velocity (n, nb, 3) rad/s in body axes; acceleration (n, nb, 3) m/s^2;
    angular_acceleration (n, nb, 3) rad/s^2 in body axes; path_coordinate, path_speed, path_acceleration
    (n, ng) m, m/s, m/s^2 along each guide's own curve; reactions (n, nr, 6): force (N) and moment (N m) at
    the joint point that body_i of each joint, or the guided body, feels, world axes, joints first;
    spring_force (n, ns) N or N m, positive in tension; spring_length (n, ns) m or rad; device_force (n, nc) N, forward,
    of the track's devices on each car they act on; internal (n, nz) unknowns of force elements and memory (n, nm) of
    their laws, both in the order of the elements; modal, modal_speed, modal_acceleration (n, nq) m, m/s, m/s^2: modal
    coordinates of flexible bodies, body by body, each the largest displacement that its mode makes.
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
    internal: Array = field(default_factory=lambda: np.zeros((0, 0)))
    memory: Array = field(default_factory=lambda: np.zeros((0, 0)))
    modal: Array = field(default_factory=lambda: np.zeros((0, 0)))
    modal_speed: Array = field(default_factory=lambda: np.zeros((0, 0)))
    modal_acceleration: Array = field(default_factory=lambda: np.zeros((0, 0)))

    def __post_init__(self) -> None:
        for name in ("device_force", "internal", "memory", *MODAL):
            if not getattr(self, name).size:
                object.__setattr__(self, name, np.zeros((len(self.time), 0)))


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


def cars_of(results: Results) -> list[str]:
    """Names of the cars in the order of the train: those that have a speed channel."""
    parts = (name.split("/") for name in results.channels)
    return [p[1] for p in parts if len(p) == 3 and p[0] == "car" and p[2] == "speed"]


def first_car_at(results: Results, time: float) -> float | None:
    """Arc length (m) of the first car on the centreline at a time (s); None where nothing rides."""
    for car in cars_of(results)[:1]:
        channel = results.channels.get(f"car/{car}/arc_length")
        if channel is not None:
            return float(np.interp(time, results.sample_time, channel.values))
    return None
