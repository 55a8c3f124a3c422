"""From an assembly to one list of bodies with indices, placed in the world as drawn.

Names are paths: "Car 1/Frame", "Car 1/Rider/Head", "Car 1/Rider/Neck"; a rig's own bodies keep their names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frame import Frame
from ..base.frames import rotation_matrix
from ..base.sentence import say
from ..base.where import NOWHERE, Where
from ..model.assembly import JUDGED, Assembly
from ..model.bodies import GROUND, SEAT, Body
from ..model.consistency import element_where, top_path
from ..model.drivers import Driver
from ..model.flexible import FlexibleBody
from ..model.forces import Force
from ..model.guides import Guide
from ..model.joints import Joint
from ..model.limbs import limbs
from ..model.placement import GuidePlace, PlacedModel, guide_places, joined, middle_of
from ..model.surfaces import Surface
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import BuiltTrack
from .course import Course
from .on_track import Riding, cars_on_track

T = TypeVar("T")


@dataclass(frozen=True)
class Local(Frame):
    """How an element's own frame sits on a body (-1: the ground): a seat's offset, or nothing."""

    body: int


@dataclass(frozen=True)
class Placed(Generic[T]):
    """A described element under its full name, with the bodies its own names mean, and where it is in the project."""

    name: str
    element: T
    bodies: dict[str, Local]
    scope: str
    where: Where = NOWHERE


@dataclass(frozen=True)
class PlacedCar:
    """A car: first and end number of its bodies, its riders' included, and of its guides; where those are in it; how
    far ahead of where it is drawn (m along the track) it was put so that its couplings are free, None without any; how
    it stands on the track."""

    name: str
    description: Assembly
    bodies: tuple[int, int]
    guides: tuple[int, int]
    places: tuple[GuidePlace, ...]
    slid: float | None = None
    riding: Riding | None = None

    @property
    def middle(self) -> float:
        """How far ahead of its origin (m) the middle of its guides lies; 0 without guides."""
        return middle_of(self.places)


class Seated(NamedTuple):
    """A rider of a car: first and end number of its bodies, number of the body that carries its seat."""

    bodies: tuple[int, int]
    seat: int


class FreeRider(NamedTuple):
    """A rider whom no joint holds on the seat: name, first and end number of the bodies, number of the pelvis and of
    the body that carries the seat."""

    name: str
    bodies: tuple[int, int]
    pelvis: int
    seat: int


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
    limbs: set[str] = field(default_factory=set)
    cars: list[PlacedCar] = field(default_factory=list)
    seated: list[Seated] = field(default_factory=list)
    free_riders: list[FreeRider] = field(default_factory=list)
    flexibles: list[Placed[FlexibleBody]] = field(default_factory=list)
    origins: dict[str, Frame] = field(default_factory=dict)
    courses: dict[int, Course] = field(default_factory=dict)
    ground: tuple[Surface, ...] = ()


@dataclass(frozen=True)
class _Carried:
    """Rigid motion of a frame that carries bodies: velocity (m/s) of the point `at` (m), angular velocity
    (rad/s), all in world axes."""

    at: Array
    velocity: Array
    omega: Array


_STILL = _Carried(np.zeros(3), np.zeros(3), np.zeros(3))


def flatten(
    project: Project,
    built: BuiltTrack | None,
    speed: float,
    only: Collection[str] | None = None,
    courses: Mapping[str, Course] | None = None,
) -> Flat:
    """Place everything of the scenario in the world.

    Parameters
    ----------
    project
        A ride or a rig.
    built
        The track of a ride.
    speed
        m/s along the track, that the origin of the first car of a ride starts with, others as their couplings have it.
        The bodies of a car, those of its riders included, start as one rigid piece that goes its way along the track,
        and with their own initial velocities on top.
    only
        Names of the bodies to take, with what acts on them alone.
    courses
        Of bodies that move as told, by name: nothing else that acts on them alone counts. Bodies are then placed as a
        train is drawn, on no track.

    Returns
    -------
    Bodies with places (m), Euler parameters and velocities (m/s, rad/s) in the world, and all elements with the bodies
    that their names mean.

    Raises
    ------
    InputError
        When the scenario has nothing to move, or the train does not stand on the track.
    """
    top, courses = project.mechanism, courses or {}
    scenario = None if courses else project.scenario
    if top is None or (isinstance(scenario, Ride) and built is None):
        raise InputError(f"{project.name}: a ride needs a track and a train; add what is missing.")
    origins: dict[str, Frame] = {}
    carried: dict[str, _Carried] = {}
    ridden: dict[str, Riding] = {}
    slid: dict[str, float] = {}
    if isinstance(scenario, Ride):
        assert built is not None
        assert project.train is not None
        _check_length(project, built, top)
        ridden = cars_on_track(project, built, only)
        coupled = {name for coupling in project.train.couplings for name in coupling.cars}
        for car in project.train.children:
            if car.name not in ridden:
                continue
            one = ridden[car.name]
            way = speed * one.way[0]
            origins[car.name] = one.frame
            carried[car.name] = _Carried(one.frame.position, way[:3], way[3:])
            if car.name in coupled:
                slid[car.name] = one.place - (scenario.start - car.offset)
        first = top.children[0].name
        origins[""], carried[""] = origins[first], carried[first]
    drawn = PlacedModel(top, origins)
    flat = Flat(ground=top.surfaces)
    for path, assembly in drawn.assemblies.items():
        moving = carried.get(path.partition("/")[0], carried.get("", _STILL))
        _add_bodies(flat, path, assembly, drawn, moving, only)
    for path, assembly in drawn.assemblies.items():
        _add_elements(flat, path, assembly, drawn, {GROUND, *courses})
    flat.courses = {flat.names.index(name): made for name, made in courses.items()}
    _add_roles(flat, drawn, slid, ridden)
    flat.origins = {placed.scope: drawn.origin(placed.scope[:-1]) for placed in flat.flexibles}
    return flat


def _check_length(project: Project, built: BuiltTrack, train: Assembly) -> None:
    """Refuse a train that meets its own end on a circuit."""
    ends = [
        position.ahead for car in (train.children[0], train.children[-1]) for position in guide_places(car)
    ]
    length = train.children[-1].offset + (max(ends) - min(ends) if ends else 0.0)
    if built.track.closed and length >= built.length:
        raise InputError(
            say(
                "{project}: the train is {length:.1f m} long and its circuit {track:.1f m}; take cars away or make the"
                " circuit longer.",
                project=project.name,
                length=length,
                track=built.length,
            ),
            Where(("train",)),
        )


def _add_bodies(
    flat: Flat,
    path: str,
    assembly: Assembly,
    drawn: PlacedModel,
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


def _add_elements(
    flat: Flat, path: str, assembly: Assembly, drawn: PlacedModel, unmoved: Collection[str]
) -> None:
    """Add the elements that act on bodies there are, but for those on `unmoved` ones alone."""
    index = {name: k for k, name in enumerate(flat.names)}
    prefix = f"{path}/" if path else ""
    known = [*(name.removeprefix(prefix) for name in drawn.bodies if name.startswith(prefix)), GROUND]
    scope: dict[str, Local] = {}
    for name in (*known, *((SEAT,) if assembly.role == "rider" else ())):
        body, on = drawn.anchor(path, name)
        if body == GROUND or body in index:
            scope[name] = Local(on.position, on.rotation, index.get(body, -1))
    root = top_path(drawn.assemblies[""])
    for kind in ("joints", "guides", "drivers", "forces", "flexibles"):
        found = getattr(flat, kind)
        for element in getattr(assembly, kind):
            bodies = drawn.connected(path, element)
            there = all(body in index or body == GROUND for body in bodies)
            if there and not set(bodies).issubset(unmoved):
                where = element_where(path, kind, element.name).under(*root)
                found.append(Placed(prefix + element.name, element, scope, prefix, where))


def _add_roles(flat: Flat, drawn: PlacedModel, slid: dict[str, float], ridden: dict[str, Riding]) -> None:
    """Tell which bodies are judged, which are those of a car, and which riders may leave their seats."""
    jointed = [
        drawn.connected(path, joint)
        for path, assembly in drawn.assemblies.items()
        for joint in assembly.joints
    ]
    for path, assembly in drawn.assemblies.items():
        prefix = f"{path}/" if path else ""
        if assembly.role == "rider":
            judged = {role: prefix + str(getattr(assembly, role)) for role in JUDGED}
            if all(name in flat.names for name in judged.values()):
                flat.riders[path] = judged
                flat.limbs |= set(limbs(drawn, path))
            on = drawn.anchor(path, SEAT).body
            own = [name.startswith(prefix) for name in flat.names]
            held = any(len({body.startswith(prefix) for body in bodies}) == 2 for bodies in jointed)
            if path in flat.riders and not held and on in (*flat.names, GROUND):
                seat = len(flat.names) if on == GROUND else flat.names.index(on)
                pelvis = flat.names.index(flat.riders[path]["pelvis"])
                flat.free_riders.append(FreeRider(path, _range(own), pelvis, seat))
            if path.partition("/")[0] in ridden and on in flat.names:
                flat.seated.append(Seated(_range(own), flat.names.index(on)))
        if assembly.role == "car" and not flat.courses:
            bodies = _range([name.startswith(prefix) for name in flat.names])
            guides = _range([guide.name.startswith(prefix) for guide in flat.guides])
            if bodies[1] > bodies[0]:
                positions, moved = guide_places(assembly), slid.get(path)
                flat.cars.append(
                    PlacedCar(path, assembly, bodies, guides, positions, moved, ridden.get(path))
                )


def _range(inside: list[bool]) -> tuple[int, int]:
    """First and end number of what lies together."""
    first = inside.index(True) if any(inside) else 0
    return first, first + sum(inside)
