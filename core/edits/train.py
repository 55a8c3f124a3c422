"""Edits of the train: cars and riders added from the library, riders moved from seat to seat."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from ..base.errors import InputError
from ..model.assembly import Assembly
from ..model.library import library_rider, load_vehicle
from ..model.losses import Losses, library_losses, losses_of, with_losses
from ..project.project import Project
from .changes import changed, the_train
from .elements import Path, add_element, assembly_at, free_seats, set_assembly
from .insertion import insert_straight
from .new_elements import new_car
from .remaking import refitted, shape_of
from .station import keep_on_track, stand_in_station

FIRST_STRAIGHT = 40.0  # m, under a car that is built before there is a track


def on_rails(project: Project) -> Project:
    """The project with a level straight to stand on, where it has no track yet."""
    return project if project.track is not None else insert_straight(project, None, length=FIRST_STRAIGHT)[0]


def add_car(project: Project, car: Assembly | None = None) -> tuple[Project, Path]:
    """Add a car behind the last one.

    Parameters
    ----------
    car
        What is added; None for the library's vehicle.

    Returns
    -------
    The project and the path of the car. A project without a train gets one, which begins its ride in the station
    (`stand_in_station`), one without a track a level straight for it to stand on.
    """
    made = car if car is not None else load_vehicle()
    project = on_rails(project)
    if project.train is None:
        train = Assembly(name="Train", role="train", children=(made.model_copy(update={"offset": 0.0}),))
        made_project = stand_in_station(changed(project, "Project", {"train": train}))
        return keep_on_track(made_project), (made.name,)
    longer, path = add_element(project, "assembly", (), made)
    return keep_on_track(longer), path


def insert_vehicle(project: Project, key: str) -> tuple[Project, Path]:
    """Add a vehicle of the library behind the last car; the air acts on the first car only.

    Parameters
    ----------
    key
        Of the vehicle; "" stands for a car from nothing.

    Returns
    -------
    The project and the path of the car, with the library's losses unless it has its own.
    """
    drawn = project.train is not None and losses_of(project.train).drag_area > 0.0
    car = load_vehicle(key) if key else new_car()
    own = losses_of(car)
    kept = library_losses(behind=drawn) if own == Losses() else own
    if drawn:
        kept = kept.model_copy(update={"drag_area": 0.0})
    return add_car(project, with_losses(car, kept))


def set_losses(project: Project, path: Path, fields: Mapping[str, float]) -> Project:
    """Change rolling resistance and drag area, as `Losses`.

    Parameters
    ----------
    path
        Of a car; () is the train.
    fields
        Values by name, in SI.

    Returns
    -------
    The changed project.
    """
    assembly = assembly_at(project, path)
    losses = changed(losses_of(assembly), f"Losses of '{assembly.name}'", fields)
    made = with_losses(assembly, losses)
    return set_assembly(project, path, {"forces": made.forces, "children": made.children})


def add_rider(
    project: Project, owner: Path, occupant: Assembly | None = None, seat: str | None = None
) -> tuple[Project, Path]:
    """Seat a rider.

    Parameters
    ----------
    owner
        Path of the car.
    occupant
        Who sits down; None for the library's rider.
    seat
        Its name; None for the first free one.

    Returns
    -------
    The project and the path of the rider.

    Raises
    ------
    InputError
        When no seat is free.
    """
    made = occupant if occupant is not None else library_rider()
    holder = assembly_at(project, owner)
    if seat is not None and seat not in free_seats(holder):
        raise InputError(f"Seat '{seat}' of '{'/'.join(owner) or holder.name}' is taken; choose a free one.")
    fields = {"seat": seat or next(iter(free_seats(holder)), made.seat)}
    return add_element(project, "assembly", owner, made.model_copy(update=fields))


def load_cars(
    project: Project,
    seats: Literal["empty", "full"] | Collection[str],
    cars: Collection[str] = (),
    key: str = "",
) -> Project:
    """Seat riders of the library; riders who already sit on such a seat stay.

    Parameters
    ----------
    seats
        "full", "empty", or names of seats.
    cars
        Names of the cars; all unless named.
    key
        Of the rider; "" for the library's first.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        For a seat or a car that there is not.
    """
    train = the_train(project)
    if isinstance(seats, str) and seats not in ("empty", "full"):
        raise InputError(f"Seats are 'empty', 'full' or a list of names, not '{seats}'.")
    there = [car.name for car in train.children]
    for name in cars:
        if name not in there:
            raise InputError(f"The train has no car '{name}'; it has {', '.join(there)}.")
    wanted: dict[str, Collection[str]] = {}
    for car in train.children:
        if not cars or car.name in cars:
            every = [seat.name for seat in car.seats]
            wanted[car.name] = every if seats == "full" else [] if seats == "empty" else list(seats)
    return seat_riders(project, wanted, key)


def seat_riders(project: Project, wanted: Mapping[str, Collection[str]], key: str = "") -> Project:
    """Seat riders of the library on seats of cars, by the cars' names, and nobody else in these cars.

    Riders who already sit on such a seat stay. Raises InputError for a seat that there is not.
    """
    for name, seats in wanted.items():
        car = assembly_at(project, (name,))
        there = [seat.name for seat in car.seats]
        for seat in seats:
            if seat not in there:
                raise InputError(
                    f"Car '{car.name}' has no seat '{seat}'; it has {', '.join(there) or 'none'}."
                )
        kept = tuple(child for child in car.children if child.role != "rider" or child.seat in seats)
        if kept != car.children:
            project = set_assembly(project, (name,), {"children": kept})
        taken = {rider.seat for rider in kept if rider.role == "rider"}
        for seat in seats:
            if seat not in taken:
                project, _ = add_rider(project, (name,), library_rider(key), seat)
    return project


def insert_rider(project: Project, owner: Path, key: str, seat: str | None = None) -> tuple[Project, Path]:
    """Seat a rider of the library.

    Parameters
    ----------
    owner
        Path of the car.
    key
        Of the rider.
    seat
        Its name; None for the first free one.

    Returns
    -------
    The project and the path of the rider.

    Raises
    ------
    InputError
        When no seat is free.
    """
    return add_rider(project, owner, library_rider(key), seat)


def move_rider(project: Project, path: Path, owner: Path, seat: str) -> tuple[Project, Path]:
    """Let a rider sit elsewhere, in another car too; who sat there changes over when both are in one car.

    Parameters
    ----------
    path
        Of the rider.
    owner
        Path of the car.
    seat
        Its name.

    Returns
    -------
    The project and the new path of the rider.

    Raises
    ------
    InputError
        When the seat of another car is taken.
    """
    rider = assembly_at(project, path)
    if rider.role != "rider":
        raise InputError("Only a rider can change seats.")
    here = assembly_at(project, path[:-1])
    if owner == path[:-1]:
        swap = {seat: rider.seat, rider.seat: seat}
        children = tuple(
            changed(child, f"Rider '{child.name}'", {"seat": swap.get(child.seat, child.seat)})
            if child.role == "rider"
            else child
            for child in here.children
        )
        moved = set_assembly(project, owner, {"children": children})
        for child in here.riders:
            if child.seat in swap:
                moved = refitted(moved, (*owner, child.name), shape_of(here, child.seat))
        return moved, path
    made, there = add_rider(project, owner, rider, seat)
    rest = tuple(child for child in assembly_at(made, path[:-1]).children if child.name != path[-1])
    made = set_assembly(made, path[:-1], {"children": rest})
    return refitted(made, there, shape_of(here, rider.seat)), there
