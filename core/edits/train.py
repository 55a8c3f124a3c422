"""Edits of the train: cars and riders, added from the library, removed, put in another order."""

from __future__ import annotations

from typing import Any

from core.base.errors import InputError
from core.edits.changes import changed, free_name, the_train
from core.edits.elements import RIG, Path, assembly_at, holder_at, set_holder, with_assembly
from core.model.assembly import Assembly, Car, Occupant, Train
from core.model.library import load_occupant, load_vehicle
from core.project.project import Project

GAP = 0.5  # m, left between a new car and the one ahead


def car_extent(car: Car) -> tuple[float, float]:
    """Rear and front end (m) of a car along its own x: where its bodies, seats and riders' seats are."""
    xs = [b.position[0] for b in car.bodies] + [g.point[0] for g in car.guides]
    return min(xs), max(xs)


def add_car(project: Project, car: Car | None = None) -> tuple[Project, str]:
    """Add a car behind the last one: a given one, or the library's vehicle when `car` is None.

    It gets a free name and an offset that keeps it clear of the car ahead. Returns the project and its name.
    """
    made = car if car is not None else load_vehicle()
    cars = () if project.train is None else project.train.cars
    name = free_name(made.name, (c.name for c in cars))
    offset = 0.0
    if cars:
        last = cars[-1]
        offset = last.offset - car_extent(last)[0] + car_extent(made)[1] + 2.0 * GAP
    placed = changed(made, f"Car '{name}'", {"name": name, "offset": offset})
    return _with_cars(project, (*cars, placed)), name


def insert_vehicle(project: Project, key: str) -> tuple[Project, str]:
    """Add a vehicle of the library behind the last car. Returns the project and the car's name."""
    return add_car(project, load_vehicle(key))


def duplicate_car(project: Project, name: str) -> tuple[Project, str]:
    """Add a copy of a car, riders included, at the end of the train. Returns the project and its name."""
    car = assembly_at(project, name)
    if not isinstance(car, Car):
        raise InputError("A rig cannot be duplicated; only cars can.")
    return add_car(project, car)


def delete_car(project: Project, name: str) -> Project:
    """Remove a car; the others keep their distances. Without a car left the project has no train."""
    train = the_train(project)
    assembly_at(project, name)
    rest = tuple(c for c in train.cars if c.name != name)
    if not rest:
        return changed(project, "Project", {"train": None})
    return _with_cars(project, _counted_from_first(rest))


def move_car(project: Project, name: str, to: int) -> Project:
    """Put a car at place `to` (from 0) of the train; the places along the track stay, the cars change over."""
    cars = list(the_train(project).cars)
    car = next((c for c in cars if c.name == name), None)
    if car is None:
        raise InputError(f"The train has no car '{name}'.")
    offsets = [c.offset for c in cars]
    cars.remove(car)
    cars.insert(to, car)
    placed = [c.model_copy(update={"offset": offset}) for c, offset in zip(cars, offsets, strict=True)]
    return _with_cars(project, tuple(placed))


def set_car(project: Project, name: str, fields: dict[str, Any]) -> Project:
    """Change name or offset (m) of a car."""
    if fields.get("name") == RIG:
        raise InputError(f"'{RIG}' is reserved; choose another name for the car.")
    if name == RIG:
        raise InputError("A rig has no fields of its own.")
    car = assembly_at(project, name)
    return with_assembly(project, name, changed(car, f"Car '{name}'", fields))


def _with_cars(project: Project, cars: tuple[Car, ...]) -> Project:
    train = Train(cars=cars) if project.train is None else project.train
    return changed(project, "Project", {"train": changed(train, "Train", {"cars": cars})})


def _counted_from_first(cars: tuple[Car, ...]) -> tuple[Car, ...]:
    first = cars[0].offset
    return tuple(c.model_copy(update={"offset": c.offset - first}) for c in cars)


def free_seats(assembly: Assembly) -> tuple[str, ...]:
    """Names of the seats nobody sits on."""
    taken = {rider.seat for rider in assembly.occupants}
    return tuple(seat.name for seat in assembly.seats if seat.name not in taken)


def add_rider(
    project: Project, car: str, occupant: Occupant | None = None, seat: str | None = None
) -> tuple[Project, Path]:
    """Seat a rider: a given one, or the library's when None, on a given seat or the first free one.

    Raises InputError when no seat is free. Returns the project and the rider's path.
    """
    assembly = assembly_at(project, car)
    free = free_seats(assembly)
    if seat is None and not free:
        what = "has no seat" if not assembly.seats else "has no free seat"
        raise InputError(f"'{car}' {what}; add a seat first.")
    made = occupant if occupant is not None else load_occupant()
    name = free_name(made.name, (r.name for r in assembly.occupants))
    rider = changed(made, f"Rider '{name}'", {"name": name, "seat": seat or free[0]})
    return set_holder(project, (car,), {"occupants": (*assembly.occupants, rider)}), (car, name)


def insert_rider(project: Project, car: str, key: str, seat: str | None = None) -> tuple[Project, Path]:
    """Seat a rider of the library. Returns the project and the rider's path."""
    return add_rider(project, car, load_occupant(key), seat)


def move_rider(project: Project, path: Path, car: str, seat: str) -> tuple[Project, Path]:
    """Let a rider sit elsewhere, in another car too; who sat there changes over when both are in one car.

    Raises InputError when the seat of another car is taken. Returns the project and the rider's new path.
    """
    rider = holder_at(project, path)
    if not isinstance(rider, Occupant):
        raise InputError("Only a rider can change seats.")
    if car == path[0]:
        swap = {seat: rider.seat, rider.seat: seat}
        riders = tuple(
            changed(r, f"Rider '{r.name}'", {"seat": swap.get(r.seat, r.seat)})
            for r in assembly_at(project, car).occupants
        )
        return set_holder(project, (car,), {"occupants": riders}), path
    if seat not in free_seats(assembly_at(project, car)):
        raise InputError(f"Seat '{seat}' of '{car}' is taken; choose a free one.")
    rest = tuple(r for r in assembly_at(project, path[0]).occupants if r.name != path[1])
    return add_rider(set_holder(project, (path[0],), {"occupants": rest}), car, rider, seat)
