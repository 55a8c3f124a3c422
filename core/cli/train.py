"""`ridewright train`: make a train of the library's cars, couple its cars, put them on wheels, seat riders, move and
delete cars."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ..base.text_table import text_table
from ..edits.changes import the_train
from ..edits.couplings import (
    couple_cars,
    delete_car,
    joins_neighbours,
    make_train,
    move_car,
)
from ..edits.train import load_cars
from ..edits.wheels import give_clearance, make_wheels
from ..model.assembly import Assembly
from ..model.connections import uncoupled_sentence
from ..model.library import Kind, list_library
from ..project.project import Project, load_project, save_project
from .commands import add_command, add_json_switch, print_json

Edit = Callable[[Project, argparse.Namespace], Project]
NO_COUPLING = "none"
CLEARANCE = {
    "side-clearance": "of side wheels on either side, m (0.002)",
    "up-clearance": "of up-stop wheels, m (0.002)",
    "road-stiffness": "of the tyre of road wheels, N/m (2e6)",
    "side-stiffness": "of side wheels, N/m (1e6)",
    "up-stiffness": "of up-stop wheels, N/m (1e6)",
    "damping": "share of a wheel's load for each m/s at which it is pressed in, s/m (2)",
}


def add(commands: Any) -> None:
    """Add the command to the program."""
    summary = "make a train, couple its cars, put them on wheels, seat riders, move and delete cars"
    command = commands.add_parser("train", help=summary, description=summary, allow_abbrev=False)
    every = command.add_subparsers(title="what", metavar="WHAT", required=True)

    def edit(name: str, help: str, change: Edit) -> argparse.ArgumentParser:
        made = add_command(every, name, help, lambda arguments: _edited(arguments, change))
        made.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
        made.add_argument("--out", metavar="FILE", required=True, help="project file to write")
        return made

    show = add_command(every, "show", "the cars of a train, what couples them, and who rides", _show)
    show.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    add_json_switch(show)
    add_json_switch(
        add_command(
            every,
            "library",
            "cars, couplings, riders, seats and restraints that trains are made of",
            _library,
        )
    )
    make = edit("make", "a train of equal cars instead of the one there is", _make)
    make.add_argument(
        "--car",
        metavar="KEY",
        default="viegas2016",
        help="of the library, or a car of the project by its name",
    )
    make.add_argument("--cars", metavar="N", type=int, default=5, help="how many (5)")
    make.add_argument(
        "--spacing", metavar="M", type=float, help="from origin to origin, by default 1 m between cars"
    )
    _add_coupling(make, f"of the library, or {NO_COUPLING} (ball_drawbar)", "ball_drawbar")
    make.add_argument(
        "--behind", action="store_true", help="behind the train there is, as a train of its own"
    )
    _add_seats(make, "empty")
    couple = edit("couple", "join all neighbouring cars that nothing joins yet", _couple)
    _add_coupling(couple, "of the library", "ball_drawbar")
    load = edit("load", "seat riders of the library, and nobody else", _load)
    _add_seats(load, None)
    load.add_argument("--cars", metavar="NAME", nargs="+", default=(), help="which ones; all unless given")
    load.add_argument("--rider", metavar="KEY", default="", help="of the library")
    move = edit("move", "put a car elsewhere in the train, its coupling with it", _move)
    move.add_argument("--car", metavar="NAME", required=True, help="which one")
    move.add_argument(
        "--to", metavar="N", type=int, required=True, help="its new number, 1 for the first car"
    )
    wheels = edit("wheels", "put a car on two axles with sprung wheelsets", _wheels)
    wheels.add_argument("--car", metavar="NAME", required=True, help="which one")
    wheels.add_argument(
        "--wheelbase", metavar="M", type=float, help="from axle to axle, by default by its seats"
    )
    clear = edit("clearance", "give the wheels of a car clearance around their rails", _clearance)
    clear.add_argument("--car", metavar="NAME", required=True, help="which one")
    for name, what in CLEARANCE.items():
        clear.add_argument(f"--{name}", metavar="X", type=float, help=what)
    delete = edit("delete", "delete a car; cars it was coupled to close up", _delete)
    delete.add_argument("--car", metavar="NAME", required=True, help="which one")


def _add_coupling(command: argparse.ArgumentParser, help: str, default: str) -> None:
    command.add_argument("--coupling", metavar="KEY", default=default, help=help)


def _add_seats(command: argparse.ArgumentParser, default: str | None) -> None:
    command.add_argument(
        "--seats", metavar="SEAT", nargs="+", default=None if default is None else [default],
        required=default is None, help="empty, full, or names of seats" + (f" ({default})" if default else ""),
    )  # fmt: skip


def _edited(arguments: argparse.Namespace, change: Edit) -> int:
    """Change a project, write it, and say what train it has."""
    project = change(load_project(arguments.project), arguments)
    save_project(project, arguments.out)
    print(_text(the_train(project)))
    return 0


def _make(project: Project, arguments: argparse.Namespace) -> Project:
    coupling = None if arguments.coupling == NO_COUPLING else arguments.coupling
    return make_train(
        project, _car(project, arguments.car), arguments.cars, arguments.spacing, coupling,
        _seats(arguments.seats), behind=arguments.behind,
    )  # fmt: skip


def _car(project: Project, key: str) -> Assembly | str:
    """A car of the project by its name, else the key itself, for the library to know or refuse."""
    own = () if project.train is None else project.train.children
    return next((car for car in own if car.name == key), key)


def _seats(words: list[str]) -> Any:
    return words[0] if words in (["empty"], ["full"]) else words


def _couple(project: Project, arguments: argparse.Namespace) -> Project:
    return couple_cars(project, arguments.coupling)


def _load(project: Project, arguments: argparse.Namespace) -> Project:
    return load_cars(project, _seats(arguments.seats), arguments.cars, arguments.rider)


def _move(project: Project, arguments: argparse.Namespace) -> Project:
    return move_car(project, arguments.car, arguments.to - 1)


def _delete(project: Project, arguments: argparse.Namespace) -> Project:
    return delete_car(project, arguments.car, join=joins_neighbours(project, arguments.car))


def _wheels(project: Project, arguments: argparse.Namespace) -> Project:
    return make_wheels(project, (arguments.car,), arguments.wheelbase)[0]


def _clearance(project: Project, arguments: argparse.Namespace) -> Project:
    given = {name.replace("-", "_"): getattr(arguments, name.replace("-", "_")) for name in CLEARANCE}
    return give_clearance(
        project, (arguments.car,), {name: value for name, value in given.items() if value is not None}
    )[0]


def _show(arguments: argparse.Namespace) -> int:
    train = the_train(load_project(arguments.project))
    if arguments.json:
        print_json(
            {"cars": _rows(train), "couplings": _couplings(train), "finding": uncoupled_sentence(train)}
        )
        return 0
    print(_text(train))
    return 0


def _rows(train: Assembly) -> list[dict[str, Any]]:
    return [
        {
            "name": car.name,
            "offset_m": car.offset,
            "mass_kg": car.mass(),
            "seats": [seat.name for seat in car.seats],
            "riders": {str(rider.seat): rider.name for rider in car.riders},
        }
        for car in train.children
    ]


def _couplings(train: Assembly) -> list[dict[str, Any]]:
    return [{"name": one.name, "kind": one.kind, "cars": list(one.cars)} for one in train.couplings]


def _text(train: Assembly) -> str:
    rows: list[tuple[str, ...]] = [
        ("car", "behind the first m", "mass kg", "seats", "riders on", "coupled to")
    ]
    for row in _rows(train):
        others = [
            f"{other} ({one.name})"
            for one in train.couplings
            for other in one.cars
            if row["name"] in one.cars and other != row["name"]
        ]
        rows.append(
            (
                row["name"], f"{row['offset_m']:.3f}", f"{row['mass_kg']:.1f}", ", ".join(row["seats"]) or "-",
                ", ".join(row["riders"]) or "-", ", ".join(others) or "-",
            )
        )  # fmt: skip
    return "\n".join(filter(None, (text_table(rows), uncoupled_sentence(train))))


def _library(arguments: argparse.Namespace) -> int:
    words: dict[Kind, str] = {
        "vehicle": "car",
        "coupling": "coupling",
        "occupant": "rider",
        "seat": "seat",
        "restraint": "restraint",
    }
    entries = list_library(tuple(words))
    if arguments.json:
        print_json([{"kind": one.kind, "key": one.key, "title": one.title} for one in entries])
        return 0
    print(text_table([("what", "key", "title"), *((words[one.kind], one.key, one.title) for one in entries)]))
    return 0
