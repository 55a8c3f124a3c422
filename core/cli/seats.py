"""`ridewright seats FILE`: the loads at every seat of a run, or the worst pattern of passengers of a project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.text_table import significant, text_table
from ..base.units import percent
from ..project.project import load_project, save_project
from .assessment import add_classes
from .commands import add_command, add_json_switch, print_json

if TYPE_CHECKING:
    from ..outcome.seat_table import SeatColumn, Value


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "seats", "loads and margins at every seat of a run, or the most uneven passengers", run
    )
    command.add_argument(
        "--worst-pattern",
        metavar="BODY",
        help="of a project: the passengers on a body that load it most unevenly",
    )
    command.add_argument(
        "--out", metavar="FILE", help="with --worst-pattern: write the project with these passengers"
    )
    command.add_argument("file", metavar="FILE", help="results file (results.h5), or a project file")
    add_json_switch(command)
    add_classes(command, run)


def run(arguments: argparse.Namespace) -> int:
    """Print the table, or the pattern."""
    if arguments.worst_pattern is not None:
        return _pattern(arguments)
    if arguments.out is not None:
        raise InputError("--out: writes a project with --worst-pattern only.")
    from ..outcome.seat_table import columns_of
    from ..outcome.seats import assess_seats
    from ..project.project import parse_project
    from ..results.file import open_results
    from ..results.unread import read_signals

    results = open_results(arguments.file)
    read_signals(results)
    project = parse_project(results.provenance.get("project"), Path(arguments.file).name)
    seats = assess_seats(results, project.evaluation)
    if not seats:
        raise InputError(
            f"{arguments.file}: the run has no assessed seats and nobody who sits freely; mark seats as assessed"
            " and run again."
        )
    if arguments.json:
        print_json({seat.seat: seat.summary().model_dump(mode="json") for seat in seats})
        return 0
    columns = columns_of(seats)
    rows = [tuple(f"{column.title} {column.unit}".strip() for column in columns)]
    rows += [tuple(_cell(column, column.value(seat)) for column in columns) for seat in seats]
    print(text_table(rows))
    return 0


def _cell(column: SeatColumn, value: Value) -> str:
    if isinstance(value, str) or value is None:
        return value or "-"
    if isinstance(value, tuple):
        return " to ".join(f"{one:.{column.decimals}f}" for one in value)
    return percent(value).removesuffix(" %") if column.unit == "%" else f"{value:.{column.decimals}f}"


def _pattern(arguments: argparse.Namespace) -> int:
    from ..edits.changes import changed
    from ..model.loading import with_taken, worst_pattern
    from ..project.scenario import Rig

    project = load_project(arguments.file)
    top = project.assembly
    if top is None or arguments.worst_pattern not in top.every("body"):
        known = ", ".join(top.every("body")) if top is not None else "none"
        raise InputError(
            f"--worst-pattern {arguments.worst_pattern}: there is no such body; there are {known}."
        )
    found = worst_pattern(top, arguments.worst_pattern)
    if arguments.out is not None:
        if not isinstance(project.scenario, Rig):
            raise InputError("--out: passengers of a train are changed on its seats; this writes rigs only.")
        scenario = project.scenario.model_copy(update={"assembly": with_taken(top, found.taken)})
        save_project(changed(project, "Project", {"scenario": scenario}), arguments.out)
    if arguments.json:
        print_json({
            "taken": list(found.taken), "moment": found.moment, "patterns": found.of, "looked_at": found.looked_at
        })  # fmt: skip
        return 0
    print(
        f"{significant(found.moment)} kg m about the axis with passengers on {len(found.taken)} seats:"
        f" {', '.join(found.taken)}\nlargest of {found.of} patterns, found among {found.looked_at} sides of a line"
    )
    return 0
