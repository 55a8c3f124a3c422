"""Edits of a train as a whole: cars that are made, moved and deleted together with what couples them.

Couplings belong to the places between neighbouring cars. A moved car takes the one at its front along (the first car
that at its rear), and where it was its neighbours are joined by its other one, so that no place is left open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any, Literal

from ..base.errors import InputError
from ..base.frozen import Vec3
from ..base.sentence import say
from ..model.assembly import Assembly
from ..model.couplings import Coupling
from ..model.library import load_coupling, load_vehicle
from ..model.losses import Losses, library_losses, losses_of, with_losses
from ..project.project import Project
from .changes import changed, free_name, the_train
from .elements import assembly_at, car_extent, delete_element, move_element, set_assembly
from .station import keep_on_track, stand_in_station
from .train import load_cars, on_rails

CLEAR = 1.0  # m, left between cars whose spacing is not given
MAX_CARS = 200  # cars

End = tuple[str, Vec3]
Gap = tuple[Coupling, ...]


def natural_spacing(car: Assembly) -> float:
    """Distance of the origins of two such cars that are 1 m clear of one another.

    Parameters
    ----------
    car
        Both of them.

    Returns
    -------
    The distance (m).
    """
    rear, front = car_extent(car)
    return front - rear + CLEAR


def library_car(key: str) -> Assembly:
    """A vehicle of the library.

    Parameters
    ----------
    key
        Of the vehicle.

    Returns
    -------
    The car, with the library's losses unless it has its own.
    """
    car = load_vehicle(key)
    return with_losses(car, library_losses()) if losses_of(car) == Losses() else car


def frame_of(car: Assembly) -> str:
    """Name of the body of a car that its running gear is joined to, and that couplings pull: the frame.

    It is the one that the fewest joints part from the wheel that is furthest from it; a body on springs above it is one
    joint further from all of them. Of two alike the heavier one, and of a car without guides or joints the heaviest.
    """
    own, wheels = car.own("body"), {guide.body for guide in car.own("guide").values()}
    joined: dict[str, set[str]] = {name: set() for name in own}
    for joint in car.own("joint").values():
        if joint.body_i in own and joint.body_j in own:
            joined[joint.body_i].add(joint.body_j)
            joined[joint.body_j].add(joint.body_i)

    def furthest(name: str) -> int:
        away, edge, steps = wheels & set(own), {name}, 0
        seen = set(edge)
        while away - seen and edge:
            edge = set().union(*(joined[one] for one in edge)) - seen
            seen |= edge
            steps += 1
        return steps if away <= seen else len(own)

    return min(own, key=lambda name: (furthest(name), -own[name].mass))


def attachable(car: Assembly) -> tuple[str, ...]:
    """Names of the bodies of a car that couplings may be attached to, its frame first: all that no wheel is part of."""
    wheels = {guide.body for guide in car.own("guide").values()}
    frame = frame_of(car)
    own = car.own("body")
    rest = sorted((name for name in own if name not in wheels and name != frame), key=lambda n: -own[n].mass)
    return frame, *rest


def couple_cars(project: Project, key: str, attach: str | None = None) -> Project:
    """Join all neighbouring cars that nothing joins yet by a coupling of the library.

    Parameters
    ----------
    key
        Of the coupling.
    attach
        Name of the body of each car that it is attached to; by default the frame (`frame_of`).

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        Where a car has no such body.

    Notes
    -----
    A coupling goes from the rear of one car to the front of the next, at the height of the body's centre of mass; one
    with a length of its own is fixed further in or out, so that it is unloaded on straight level track.
    """
    train = the_train(project)
    made, joined = list(train.couplings), {frozenset(c.cars) for c in train.couplings}
    for ahead, behind in pairwise(train.children):
        if {ahead.name, behind.name} not in joined:
            name = free_name("Coupling 1", (c.name for c in made))
            made.append(_between(key, name, ahead, behind, attach))
    return set_assembly(project, (), {"couplings": tuple(made)})


def _between(key: str, name: str, ahead: Assembly, behind: Assembly, attach: str | None = None) -> Coupling:
    """A coupling of the library between two neighbouring cars."""
    gap = behind.offset - ahead.offset - (car_extent(behind)[1] - car_extent(ahead)[0])
    coupling = load_coupling(key, name, _end(behind, 1.0, 0.0, attach), _end(ahead, -1.0, 0.0, attach))
    length = coupling.own_length
    out = min(gap, 0.0) if length is None else 0.5 * (gap - length)
    return load_coupling(key, name, _end(behind, 1.0, out, attach), _end(ahead, -1.0, out, attach))


def _end(car: Assembly, sign: float, out: float, attach: str | None = None) -> End:
    """Body and point at the front (1) or rear (-1) of a car, `out` metres beyond; of its frame unless `attach` names
    another body."""
    own = car.own("body")
    if attach is not None and attach not in own:
        raise InputError(
            f"{car.name} has no body '{attach}'; a coupling can go to {', '.join(attachable(car))}."
        )
    body = attach or frame_of(car)
    reach = car_extent(car)[1 if sign > 0.0 else 0] - own[body].position[0]
    return f"{car.name}/{body}", (reach + sign * out, 0.0, 0.0)


def make_train(
    project: Project,
    car: Assembly | str,
    count: int,
    spacing: float | None = None,
    coupling: str | None = "ball_drawbar",
    riders: Literal["empty", "full", "own"] | Collection[str] = "empty",
    *,
    behind: bool = False,
    attach: str | None = None,
) -> Project:
    """A train of equal cars, joined by a coupling of the library or by nothing.

    Parameters
    ----------
    car
        One, or the key of a vehicle of the library.
    count
        How many cars.
    spacing
        m from origin to origin; by default 1 m between the cars.
    coupling
        Key of the coupling; None for none.
    riders
        "empty"; "own", those of the given car, in every car; or "full" or names of seats, on which its own stay where
        they sit and riders of the library take the others.
    behind
        It follows the train there is, as a consist of its own, in place of replacing it.
    attach
        The body of every car that couplings are attached to; by default its frame (`frame_of`).

    Returns
    -------
    The changed project. Every car keeps its running resistance; the air acts on the first car alone. A ride whose start
    nobody has chosen begins in the station (`stand_in_station`), on an open track far enough ahead for the whole train
    (`keep_on_track`); a project without a track gets a straight to stand on.

    Raises
    ------
    InputError
        For no car, cars that overlap, and seats that there are not.
    """
    if not 1 <= count <= MAX_CARS:
        raise InputError(f"A train has 1 to {MAX_CARS} cars, not {count}.")
    car = library_car(car) if isinstance(car, str) else car
    spacing = natural_spacing(car) if spacing is None else spacing
    rear, front = car_extent(car)
    if count > 1 and spacing <= max(front - rear, 0.0):
        raise InputError(
            say(
                "The cars are {front:.2f m} long between their outermost points and cannot stand"
                " {spacing:.2f m} apart; give a larger spacing.",
                front=front - rear,
                spacing=spacing,
            )
        )
    project = on_rails(project)
    old = project.train if behind else None
    taken, begin = [], 0.0
    if old is not None:
        taken = [c.name for c in old.children]
        begin = old.children[-1].offset - car_extent(old.children[-1])[0] + front + 2.0 * CLEAR
    kept_inside = tuple(child for child in car.children if child.role != "rider" or riders != "empty")
    own = losses_of(car)
    cars: list[Assembly] = []
    for k in range(count):
        name = free_name("Car 1", [*taken, *(c.name for c in cars)])
        one = changed(car, "Car", {"name": name, "offset": begin + k * spacing, "children": kept_inside})
        if own.drag_area > 0.0 and k > 0:
            one = with_losses(one, Losses(rolling=float(f"{own.rolling:.12g}"), drag_area=0.0))
        cars.append(one)
    kept = () if old is None else old.couplings
    names = [c.name for c in kept]
    links: list[Coupling] = []
    for one, other in pairwise(cars if coupling is not None else ()):
        link = _between(str(coupling), free_name("Coupling 1", names), one, other, attach)
        names.append(link.name)
        links.append(link)
    fields: dict[str, Any] = {"children": tuple(cars), "couplings": tuple(links)}
    if old is not None:
        fields = {"children": (*old.children, *cars), "couplings": (*kept, *links)}
        made = changed(old, "Train", fields)
    else:
        made = changed(
            Assembly(name="Train", role="train", children=(cars[0].model_copy(update={"offset": 0.0}),)),
            "Train",
            fields,
        )
    project = keep_on_track(stand_in_station(changed(project, "Project", {"train": made})))
    return project if riders in ("empty", "own") else load_cars(project, riders, [c.name for c in cars])


# -- moving and deleting cars


def gaps_of(train: Assembly) -> list[Gap]:
    """The couplings between each car and the next one."""
    return [
        tuple(c for c in train.couplings if set(c.cars) == {ahead.name, behind.name})
        for ahead, behind in pairwise(train.children)
    ]


def _refitted(gap: Gap, before: tuple[Assembly, ...], ahead: Assembly, behind: Assembly) -> Gap:
    """The couplings of a place between two other cars: at the same points of the same bodies where they have them."""
    positions = {car.name: k for k, car in enumerate(before)}
    made = []
    for coupling in gap:
        first_is_behind = positions[coupling.cars[0]] > positions[coupling.cars[1]]
        new: list[End] = []
        for (body, point), is_behind in zip(
            coupling.ends, (first_is_behind, not first_is_behind), strict=True
        ):
            car = behind if is_behind else ahead
            inner = body.partition("/")[2]
            there = inner in car.own("body")
            new.append(
                (f"{car.name}/{inner}", point) if there else _end(car, 1.0 if is_behind else -1.0, 0.0)
            )
        (body_i, point_i), (body_j, point_j) = new
        fields = {"body_i": body_i, "point_i": point_i, "body_j": body_j, "point_j": point_j}
        made.append(changed(coupling, f"Coupling '{coupling.name}'", fields))
    return tuple(made)


def _with_gaps(project: Project, gaps: Sequence[Gap], before: tuple[Assembly, ...]) -> Project:
    train = the_train(project)
    made = [
        c
        for gap, (ahead, behind) in zip(gaps, pairwise(train.children), strict=True)
        for c in _refitted(gap, before, ahead, behind)
    ]
    return set_assembly(project, (), {"couplings": tuple(made)})


def move_car(project: Project, name: str, to: int) -> Project:
    """Put a car elsewhere in the train; positions along the track stay, its couplings go along.

    Parameters
    ----------
    name
        Of the car.
    to
        Its index in the train, from 0.

    Returns
    -------
    The changed project.
    """
    train = the_train(project)
    at, gaps = _place(train, name), gaps_of(train)
    if not 0 <= to < len(train.children):
        raise InputError(
            f"The train has {len(train.children)} cars; '{name}' cannot be number {to + 1} of them."
        )
    if to == at:
        return project
    rest = list(gaps)
    own = rest.pop(max(at - 1, 0))
    rest.insert(max(to - 1, 0), own)
    bare = set_assembly(project, (), {"couplings": ()})
    return _with_gaps(move_element(bare, "assembly", (name,), to), rest, train.children)


def joins_neighbours(project: Project, name: str) -> bool:
    """Whether a car has a neighbour on either side and is coupled to both."""
    train = the_train(project)
    at, gaps = _place(train, name), gaps_of(train)
    return 0 < at < len(gaps) and bool(gaps[at - 1]) and bool(gaps[at])


def delete_car(project: Project, name: str, *, join: bool) -> Project:
    """Delete a car.

    Parameters
    ----------
    name
        Of the car.
    join
        Its neighbours close up and are joined by the coupling at its front; else it leaves a gap and nothing joins
        them.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        Where it has not two neighbours it is coupled to.
    """
    if not join:
        return delete_element(project, "assembly", (name,))
    if not joins_neighbours(project, name):
        raise InputError(f"'{name}' is not between two cars that it is coupled to; nothing can be joined.")
    train = the_train(project)
    at, gaps = _place(train, name), gaps_of(train)
    del gaps[at]
    bare = set_assembly(project, (), {"couplings": ()})
    left = delete_element(bare, "assembly", (name,))
    away, follower = train.children[at], train.children[at + 1]
    shift = follower.offset - car_extent(follower)[1] - (away.offset - car_extent(away)[1])
    cars = tuple(
        car if k < at else car.model_copy(update={"offset": car.offset - shift})
        for k, car in enumerate(the_train(left).children)
    )
    return _with_gaps(set_assembly(left, (), {"children": cars}), gaps, train.children)


def _place(train: Assembly, name: str) -> int:
    for k, car in enumerate(train.children):
        if car.name == name:
            return k
    raise InputError(f"The train has no car '{name}'.")


def open_places(project: Project) -> list[tuple[str, str]]:
    """Neighbouring cars, the one ahead first, of a coupled train that nothing joins although they stand no further
    apart than those that are joined, by half as much again."""
    train = project.train
    if train is None or not train.couplings:
        return []
    gaps = gaps_of(train)
    room = [
        behind.offset - car_extent(behind)[1] - ahead.offset + car_extent(ahead)[0]
        for ahead, behind in pairwise(train.children)
    ]
    maximum = 1.5 * max(x for x, gap in zip(room, gaps, strict=True) if gap)
    return [
        (train.children[k].name, train.children[k + 1].name)
        for k, gap in enumerate(gaps)
        if not gap and room[k] <= maximum
    ]


def join_as_others(project: Project, ahead: str, behind: str) -> Project:
    """Join two neighbouring cars as the nearest joined ones are."""
    train = the_train(project)
    at, gaps = _place(train, ahead), gaps_of(train)
    near = min((k for k, gap in enumerate(gaps) if gap), key=lambda k: abs(k - at), default=None)
    if near is None:
        raise InputError("No cars of the train are joined; choose a coupling of the library.")
    names = [c.name for c in train.couplings]
    copies = []
    for coupling in gaps[near]:
        names.append(free_name(coupling.name, names))
        copies.append(coupling.model_copy(update={"name": names[-1]}))
    made = _refitted(
        tuple(copies), train.children, assembly_at(project, (ahead,)), assembly_at(project, (behind,))
    )
    return set_assembly(project, (), {"couplings": (*train.couplings, *made)})


def devices_without_cars(project: Project) -> list[tuple[str, str]]:
    """Devices that name a car the train does not have: device and car."""
    if project.track is None or project.train is None:
        return []
    known = {car.name for car in project.train.children}
    return [
        (device.name, car)
        for device in project.track.devices
        for car in (() if isinstance(device.cars, str) else device.cars)
        if car not in known
    ]


def duplicate_coupling(project: Project, name: str) -> tuple[Project, str]:
    """A copy of a coupling where neighbouring cars are not joined yet; the first such place behind it, else any.

    Raises InputError when all neighbours are joined.
    """
    train = the_train(project)
    gaps = gaps_of(train)
    gap = next((k for k, gap in enumerate(gaps) if name in [c.name for c in gap]), None)
    if gap is None:
        raise InputError(f"The train has no coupling '{name}'.")
    free = [k for k, there in enumerate(gaps) if not there]
    if not free:
        raise InputError("All neighbouring cars are joined already; add a car or delete a coupling first.")
    to = min(free, key=lambda k: (k < gap, k))
    old = next(c for c in gaps[gap] if c.name == name)
    copy = old.model_copy(update={"name": free_name(name, (c.name for c in train.couplings))})
    (made,) = _refitted((copy,), train.children, train.children[to], train.children[to + 1])
    return set_assembly(project, (), {"couplings": (*train.couplings, made)}), made.name


def duplicate_car(project: Project, name: str) -> tuple[Project, str]:
    """A copy of a car behind the last one, as far behind as that one is behind the car ahead of it.

    Parameters
    ----------
    name
        Of the car that is copied.

    Returns
    -------
    The project and the name of the copy, which is coupled as the copied one is.
    """
    train = the_train(project)
    at, gaps, last = _place(train, name), gaps_of(train), train.children[-1]
    apart = last.offset - train.children[-2].offset if gaps else 0.0
    clear = car_extent(train.children[at])[1] - car_extent(last)[0]
    new = free_name(name, (car.name for car in train.children))
    where = {"name": new, "offset": last.offset + max(apart, clear + (0.0 if apart else CLEAR))}
    copy = changed(train.children[at], f"Car '{new}'", where)
    fields: dict[str, Any] = {"children": (*train.children, copy)}
    own = gaps[max(at - 1, 0)] if gaps else ()
    taken = [c.name for c in train.couplings]
    links = []
    for coupling in own:
        taken.append(free_name(coupling.name, taken))
        links.append(coupling.model_copy(update={"name": taken[-1]}))
    fields["couplings"] = (*train.couplings, *_refitted(tuple(links), train.children, last, copy))
    return set_assembly(project, (), fields), new
