"""`ridewright equilibrium PROJECT`: static equilibrium of the model at its start, and the loads of everything in it."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..base.text_table import significant, text_table
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json

if TYPE_CHECKING:
    from ..base.arrays import Array
    from ..run.static_loads import MovedBody, StaticLoad

#: Of every kind of load: its heading, and what its columns are besides name and load.
HEADS: Final[dict[str, tuple[str, ...]]] = {
    "guide": ("guide (wheel)", "force", "forward N", "left N", "up N"),
    "element": ("force element", "load, tension positive", "beyond unloaded"),
    "coupling": ("coupling", "force, tension positive", "extension"),
    "joint": ("joint", "force", "x N", "y N", "z N", "moment N m"),
    "seat": ("seat carries", "weight", "forward N", "left N", "up N"),
}
#: In what a travel is printed: factor and unit.
TRAVELS: Final[dict[str, tuple[float, str]]] = {"m": (1e3, "mm"), "rad": (math.degrees(1.0), "deg")}


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "equilibrium", "static equilibrium of the model at its start: deflections and loads", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print where bodies come to rest, and what is loaded with how much."""
    from ..run.static_loads import KINDS, static_dict, static_loads

    found = static_loads(load_project(arguments.project))
    if arguments.json:
        print_json(static_dict(found))
        return 0
    held = (
        f"; {name} held with {significant(force, 4)} N along the track"
        for name, force in found.holding.items()
    )
    print(f"at rest: {significant(found.weight, 5)} N of weight{''.join(held)}")
    if found.drives:
        print(f"drives off: {', '.join(found.drives)}")
    blocks = [("body", "x mm", "y mm", "z mm", "turn deg", "bend mm"), *map(_body, found.bodies)]
    print("\nfrom where they are drawn")
    print(text_table(blocks))
    for kind in KINDS:
        loads = found.of(kind)
        if loads:
            print()
            print(text_table([HEADS[kind], *(ROWS[kind](load, found.resolution) for load in loads)]))
    return 0


def _body(one: MovedBody) -> tuple[str, ...]:
    shift = (_number(1e3 * x, 2) for x in one.shift)
    bend = _number(1e3 * one.bend, 2) if one.bend else ""
    return (one.name, *shift, _number(math.degrees(one.turn), 3), bend)


def _number(value: float, decimals: int) -> str:
    """A number without the sign of what is rounded to nothing."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}"


def _parts(values: Array | None) -> tuple[str, ...]:
    return () if values is None else tuple(_number(x, 0) for x in values.tolist())


def _size(load: StaticLoad, least: float) -> str:
    return f"{significant(load.load if abs(load.load) > least else 0.0, 4)} {load.unit}"


def _acting(load: StaticLoad, least: float) -> Sequence[str]:
    return (load.name, _size(load, least), *_parts(load.parts))


def _stretched(load: StaticLoad, least: float) -> Sequence[str]:
    factor, unit = TRAVELS.get(load.travel_unit, (1.0, load.travel_unit))
    travel = "" if load.travel is None else f"{_number(factor * load.travel, 3)} {unit}"
    return (load.name, _size(load, least), travel)


def _joined(load: StaticLoad, least: float) -> Sequence[str]:
    moment = 0.0 if load.moment is None else float((load.moment @ load.moment) ** 0.5)
    return (*_acting(load, least), significant(moment if moment > least else 0.0, 4))


ROWS: Final[dict[str, Callable[[StaticLoad, float], Sequence[str]]]] = {
    "guide": _acting,
    "element": _stretched,
    "coupling": _stretched,
    "joint": _joined,
    "seat": _acting,
}
