"""What a new train may be made of: trains, cars and couplings of the library, cars of the project."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from ..base.errors import InputError
from ..base.sentence import counted
from ..model.assembly import Assembly
from ..model.library import AS_PRINTED, list_library, load_coupling
from ..model.masses import mass_budget
from ..project.examples import load_example
from ..project.project import Project
from .couplings import couple_cars, library_car, natural_spacing

USUAL: Final = 5  # cars of a train that is made of a single one
USUAL_COUPLING: Final[str | None] = "ball_drawbar"


class CarChoice(NamedTuple):
    """A car to make a train of: key, what it is called, where it is from."""

    key: str
    title: str
    about: str


class TrainChoice(NamedTuple):
    """A train of the gallery; spacing in m, or None for 1 m between the cars."""

    title: str
    about: str
    car: str
    cars: int
    coupling: str | None
    riders: str
    spacing: float | None = None


@cache
def trains() -> tuple[TrainChoice, ...]:
    """The trains of the gallery."""
    text = (resources.files("ridewright.resources") / "library" / "trains.json").read_text(encoding="utf-8")
    return tuple(TrainChoice(**row) for row in json.loads(text))


def own_train(project: Project) -> TrainChoice | None:
    """A train of the first car of the project as it is, with the riders who sit in it: as many and as far apart as
    there are, coupled as they are by the library's coupling of that kind; of a single car a train as usual. None
    where the project has no car."""
    train = project.train
    if train is None or not train.children:
        return None
    first, *others = train.children
    count, apart, coupling = USUAL, None, USUAL_COUPLING
    if others:
        count, apart = 1 + len(others), others[0].offset - first.offset
        kinds = {one.kind for one in train.couplings}
        known = (entry.key for entry in list_library(("coupling",)))
        coupling = next((key for key in known if _kind(key) in kinds), None)
    title = f"This project's {'first car' if others else 'car'}, {counted(count, 'car')}"
    return TrainChoice(title, _about(first), f"own:{first.name}", count, coupling, "own", apart)


def _kind(coupling: str) -> str:
    """The kind of a coupling of the library."""
    return load_coupling(coupling, "Coupling", ("A/Body", (0.0, 0.0, 0.0)), ("B/Body", (0.0, 0.0, 0.0))).kind


def cars(project: Project) -> tuple[CarChoice, ...]:
    """Cars of the library, of the gallery's trains, and those of the project that differ from one another."""
    found = [
        CarChoice(f"vehicle:{entry.key}", entry.title, entry.source)
        for entry in list_library(("vehicle",))
        if not entry.key.endswith(AS_PRINTED)
    ]
    named = dict.fromkeys(train.car for train in trains() if train.car.startswith("example:"))
    for key in named:
        example = load_example(key.partition(":")[2])
        found.append(CarChoice(key, f"Car of “{example.name}”", example.notes.partition("\n")[0]))
    seen: list[Assembly] = []
    for car in () if project.train is None else project.train.children:
        plain = car.model_copy(update={"name": "Car", "offset": 0.0})
        if all(plain != other for other in seen):
            seen.append(plain)
            found.append(CarChoice(f"own:{car.name}", f"{car.name} of this project", _about(car)))
    return tuple(found)


def _about(car: Assembly) -> str:
    """What a car of the project weighs, and who rides in it."""
    riders = mass_budget(car).aboard
    if not riders:
        return f"As it is now, {car.mass():.0f} kg."
    return (
        f"As it is now, {car.mass():.0f} kg with riders of {', '.join(f'{mass:.0f}' for mass in riders)} kg."
    )


def _bare(car: Assembly) -> Assembly:
    kept = tuple(child for child in car.children if child.role != "rider")
    return car.model_copy(update={"name": "Car", "offset": 0.0, "children": kept})


def empty_project() -> Project:
    """A straight track without a train, on which trains of the gallery are put together."""
    example = load_example("straight")
    return Project(name="Gallery", track=example.track)


def car_of(project: Project, key: str) -> Assembly:
    """The car a key of `cars` stands for: one of the project with its riders, others without.

    Raises InputError for a car that the project does not have: keys may be of what it was before.
    """
    kind, _, name = key.partition(":")
    if kind == "vehicle":
        return library_car(name)
    train = load_example(name).train if kind == "example" else project.train
    if kind == "example":
        assert train is not None
        return _bare(train.children[0])
    found = next((car for car in (() if train is None else train.children) if car.name == name), None)
    if found is None:
        raise InputError(f"The project has no car '{name}'; choose another.")
    return found.model_copy(update={"name": "Car", "offset": 0.0})


def sample_of(coupling: str) -> Assembly:
    """Two cars with a coupling of the library between them, or none (""), for its picture."""
    car = library_car("viegas2016")
    spacing = natural_spacing(car) + (1.6 if coupling.startswith("e_type") else 0.3)
    cars = tuple(
        car.model_copy(update={"name": f"Car {k + 1}", "offset": k * spacing, "forces": ()}) for k in range(2)
    )
    train = Assembly(name="Train", role="train", children=cars)
    if not coupling:
        return train
    made = couple_cars(empty_project().model_copy(update={"train": train}), coupling).train
    assert made is not None
    return made
