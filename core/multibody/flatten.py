"""From an assembly to one list of bodies with indices, placed in the world as drawn.

Names are paths: "Car 1/Frame", "Car 1/Rider/Head", "Car 1/Rider/Neck"; a rig's own bodies keep their names.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..model.assembly import JUDGED, Assembly
from ..model.bodies import GROUND, SEAT, Body
from ..model.coupled import straight_length
from ..model.couplings import Bar, Coupling
from ..model.drivers import Driver
from ..model.flexible import FlexibleBody
from ..model.forces import Force
from ..model.guides import Guide
from ..model.joints import Joint
from ..model.placement import Drawn, Frame, GuidePlace, guide_places, joined, middle_of
from ..model.surfaces import Surface
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import BuiltTrack

Array = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True)
class Local:
    """How an element's own frame sits on a body (-1: the ground): a seat's offset, or nothing."""

    body: int
    position: Array
    rotation: Array

    def point(self, s: tuple[float, float, float]) -> Array:
        out: Array = self.position + self.rotation @ np.asarray(s)
        return out

    def direction(self, a: tuple[float, float, float]) -> Array:
        out: Array = self.rotation @ np.asarray(a)
        return out


@dataclass(frozen=True)
class Placed(Generic[T]):
    """A described element under its full name, with the bodies its own names mean."""

    name: str
    element: T
    bodies: dict[str, Local]
    scope: str


@dataclass(frozen=True)
class PlacedCar:
    """A car: first and end number of its bodies, its riders' included, and of its guides; where those are in it; how
    far ahead of where it is drawn (m along the track) it was put so that its couplings are free, None without any."""

    name: str
    description: Assembly
    bodies: tuple[int, int]
    guides: tuple[int, int]
    places: tuple[GuidePlace, ...]
    slid: float | None = None

    @property
    def middle(self) -> float:
        """How far ahead of its origin (m) the middle of its guides lies; 0 without guides."""
        return middle_of(self.places)


@dataclass
class Flat:
    """All bodies and elements of a scenario, placed in the world. Body number nb is the ground."""

    names: list[str] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    position: list[Array] = field(default_factory=list)
    orientation: list[Array] = field(default_factory=list)
    velocity: list[Array] = field(default_factory=list)
    angular_velocity: list[Array] = field(default_factory=list)
    joints: list[Placed[Joint]] = field(default_factory=list)
    guides: list[Placed[Guide]] = field(default_factory=list)
    drivers: list[Placed[Driver]] = field(default_factory=list)
    forces: list[Placed[Force]] = field(default_factory=list)
    riders: dict[str, dict[str, str]] = field(default_factory=dict)
    cars: list[PlacedCar] = field(default_factory=list)
    flexibles: list[Placed[FlexibleBody]] = field(default_factory=list)
    origins: dict[str, Frame] = field(default_factory=dict)
    ground: tuple[Surface, ...] = ()


@dataclass(frozen=True)
class _Carried:
    """Rigid motion of a frame that carries bodies: velocity (m/s) of the point `at` (m), angular velocity
    (rad/s), all in world axes."""

    at: Array
    velocity: Array
    omega: Array


SLIDES, SLID = 20, 1e-9  # steps; m, a coupling that is as near to its length as drawn is left alone
_STILL = _Carried(np.zeros(3), np.zeros(3), np.zeros(3))


def flatten(
    project: Project, built: BuiltTrack | None, speed: float, only: Collection[str] | None = None
) -> Flat:
    """Place everything of the scenario in the world.

    built: the track; speed (m/s): what the origin of each car of a ride starts with along the track: its bodies start
    as if they were one with the moving track frame, and with their own initial velocities on top. only: names of the
    bodies to take, with what acts on them alone. Raises InputError when the scenario has nothing to move or the train
    does not stand on the track.
    """
    top = project.mechanism
    if top is None or (isinstance(project.scenario, Ride) and built is None):
        raise InputError(f"{project.name}: a ride needs a track and a train; add what is missing.")
    origins: dict[str, Frame] = {}
    carried: dict[str, _Carried] = {}
    slid: dict[str, float] = {}
    if isinstance(project.scenario, Ride):
        assert built is not None
        _check_length(project, built, top)
        places = car_places(project, built)
        for car in top.children:
            origins[car.name], carried[car.name] = _on_track(built, car.name, places[car.name], speed)
        assert project.train is not None
        coupled = {name for coupling in project.train.couplings for name in coupling.cars}
        for car in top.children:
            if car.name in coupled:
                slid[car.name] = places[car.name] - (project.scenario.start - car.offset)
        first = top.children[0].name
        origins[""], carried[""] = origins[first], carried[first]
    drawn = Drawn(top, origins)
    flat = Flat(ground=top.surfaces)
    for path, assembly in drawn.assemblies.items():
        moving = carried.get(path.partition("/")[0], carried.get("", _STILL))
        _add_bodies(flat, path, assembly, drawn, moving, only)
    for path, assembly in drawn.assemblies.items():
        _add_elements(flat, path, assembly, drawn)
    _add_roles(flat, drawn, slid)
    flat.origins = {placed.scope: drawn.origin(placed.scope[:-1]) for placed in flat.flexibles}
    return flat


def car_places(project: Project, built: BuiltTrack) -> dict[str, float]:
    """Where the origins of a train's cars stand along the track (m) when a ride starts.

    As far behind the first one as drawn; but the ends of sprung bars and couplers stand as far apart as on straight
    level track, so that a bend strains them no more: there points of cars that are drawn equally far behind one another
    come nearer or further. A bar without springs is closed by the assembly.
    """
    train, ride = project.train, project.scenario
    assert isinstance(ride, Ride)
    places = {car.name: ride.start - car.offset for car in (train.children if train is not None else ())}
    if train is None or all(isinstance(c, Bar) for c in train.couplings):
        return places
    drawn, names = Drawn(train), [car.name for car in train.children]
    for coupling in train.couplings:
        ahead, behind = sorted(coupling.cars, key=names.index)
        if not isinstance(coupling, Bar):
            shift = _slid(built, drawn, coupling, {car: places[car] for car in (ahead, behind)}, behind)
            for car in names[names.index(behind) :]:
                places[car] -= shift
    return places


def _slid(
    built: BuiltTrack, drawn: Drawn, coupling: Coupling, places: dict[str, float], behind: str
) -> float:
    """How far back (m) the car behind has to stand for a coupling to be as long as drawn; 0 where it cannot."""
    wanted = straight_length(drawn, coupling)

    def over(shift: float) -> float:
        ends = []
        for body, point in ((coupling.body_i, coupling.point_i), (coupling.body_j, coupling.point_j)):
            car = body.partition("/")[0]
            here = drawn.origin(car)
            local = here.rotation.T @ (drawn.frame(body).point(point) - here.position)
            s = places[car] - (shift if car == behind else 0.0)
            if not built.track.closed and not 0.0 <= s <= built.length:
                return 0.0  # told by what places the car
            ends.append(_on_track(built, car, s, 0.0)[0].point(local))
        return float(np.linalg.norm(ends[1] - ends[0])) - wanted

    shift, slope, last = 0.0, 1.0, over(0.0)
    for _ in range(SLIDES):
        if abs(last) <= SLID:
            return shift
        step = float(np.clip(-last / slope, -0.2, 0.2))
        now = over(shift + step)
        slope = (now - last) / step if abs(now - last) > 0.1 * abs(step) else slope
        shift, last = shift + step, now
    return 0.0


def _check_length(project: Project, built: BuiltTrack, train: Assembly) -> None:
    """Refuse a train that meets its own end on a circuit."""
    ends = [place.ahead for car in (train.children[0], train.children[-1]) for place in guide_places(car)]
    length = train.children[-1].offset + (max(ends) - min(ends) if ends else 0.0)
    if built.track.closed and length >= built.length:
        raise InputError(
            f"{project.name}: the train is {length:.1f} m long and its circuit {built.length:.1f} m; take cars away or"
            " make the circuit longer."
        )


def _on_track(built: BuiltTrack, car: str, s: float, speed: float) -> tuple[Frame, _Carried]:
    """The frame of a car whose origin is at a place s (m) of the track, and how it moves."""
    if not built.track.closed and not 0.0 <= s <= built.length:
        raise InputError(
            f"Car '{car}' would start at {s:.2f} m, off the track (0 to {built.length:.2f} m);"
            " change the start position or the car's offset."
        )
    t, left, up = (axis[0] for axis in built.frame_at([s]))
    origin = built.centreline.position([s])[0]
    moving = [axis[0] for axis in built.moving_frame([s], "canted")]
    omega = 0.5 * speed * sum((np.cross(axis[0], axis[1]) for axis in moving), np.zeros(3))
    return Frame(origin, np.column_stack([t, left, up])), _Carried(origin, speed * t, omega)


def _add_bodies(
    flat: Flat,
    path: str,
    assembly: Assembly,
    drawn: Drawn,
    moving: _Carried,
    only: Collection[str] | None,
) -> None:
    frame = drawn.origin(path).rotation
    for body in assembly.bodies:
        name = joined(path, body.name)
        if only is not None and name not in only:
            continue
        position, p = drawn.position[name], drawn.orientation[name]
        turn = rotation_matrix(p)
        flat.names.append(name)
        flat.bodies.append(body)
        flat.position.append(position)
        flat.orientation.append(p)
        carried = moving.velocity + np.cross(moving.omega, position - moving.at)
        flat.velocity.append(carried + frame @ np.asarray(body.velocity))
        flat.angular_velocity.append(turn.T @ moving.omega + np.asarray(body.angular_velocity))


def _add_elements(flat: Flat, path: str, assembly: Assembly, drawn: Drawn) -> None:
    """Add the elements that act on bodies there are."""
    index = {name: k for k, name in enumerate(flat.names)}
    prefix = f"{path}/" if path else ""
    known = [*(name.removeprefix(prefix) for name in drawn.bodies if name.startswith(prefix)), GROUND]
    scope: dict[str, Local] = {}
    for name in (*known, *((SEAT,) if assembly.role == "rider" else ())):
        body, on = drawn.anchor(path, name)
        if body == GROUND or body in index:
            scope[name] = Local(index.get(body, -1), on.position, on.rotation)
    kinds: tuple[tuple[list, tuple], ...] = (  # type: ignore[type-arg]
        (flat.joints, assembly.joints),
        (flat.guides, assembly.guides),
        (flat.drivers, assembly.drivers),
        (flat.forces, assembly.forces),
        (flat.flexibles, assembly.flexibles),
    )
    for found, elements in kinds:
        for element in elements:
            bodies = drawn.connected(path, element)
            if all(body in index or body == GROUND for body in bodies) and (set(bodies) != {GROUND}):
                found.append(Placed(prefix + element.name, element, scope, prefix))


def _add_roles(flat: Flat, drawn: Drawn, slid: dict[str, float]) -> None:
    """Tell which bodies are judged, and which are those of a car."""
    for path, assembly in drawn.assemblies.items():
        prefix = f"{path}/" if path else ""
        if assembly.role == "rider":
            judged = {role: prefix + str(getattr(assembly, role)) for role in JUDGED}
            if all(name in flat.names for name in judged.values()):
                flat.riders[path] = judged
        if assembly.role == "car":
            bodies = _range([name.startswith(prefix) for name in flat.names])
            guides = _range([guide.name.startswith(prefix) for guide in flat.guides])
            if bodies[1] > bodies[0]:
                places, moved = guide_places(assembly), slid.get(path)
                flat.cars.append(PlacedCar(path, assembly, bodies, guides, places, moved))


def _range(inside: list[bool]) -> tuple[int, int]:
    """First and end number of what lies together."""
    first = inside.index(True) if any(inside) else 0
    return first, first + sum(inside)
