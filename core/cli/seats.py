"""`ridewright seats FILE`: the loads at every seat of a run, or the worst pattern of passengers of a project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..base.errors import InputError
from ..base.text_table import significant, text_table
from ..base.units import percent
from ..project.project import load_project, save_project
from .commands import add_command, add_json_switch, print_json


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


def run(arguments: argparse.Namespace) -> int:
    """Print the table, or the pattern."""
    if arguments.worst_pattern is not None:
        return _pattern(arguments)
    if arguments.out is not None:
        raise InputError("--out: writes a project with --worst-pattern only.")
    from ..outcome.seats import AXES, assess_seats
    from ..project.project import parse_project
    from ..results.file import read_results

    results = read_results(arguments.file)
    project = parse_project(results.provenance.get("project"), Path(arguments.file).name)
    seats = assess_seats(results, project.evaluation)
    if not seats:
        raise InputError(
            f"{arguments.file}: the run has no assessed seats; mark seats as assessed and run again."
        )
    if arguments.json:
        print_json({seat.seat: seat.summary().model_dump(mode="json") for seat in seats})
        return 0
    rows: list[tuple[str, ...]] = [
        ("seat", *(f"{axis} g" for axis in AXES), "margin", "governing criterion", "at s")
    ]
    for seat in seats:
        spans = [
            f"{seat.loads[axis][0]:.2f} to {seat.loads[axis][1]:.2f}" if seat.loads else "-" for axis in AXES
        ]
        one = seat.governing
        if one is None:
            rows.append((seat.seat, *spans, "-", seat.note or "no limit", "-"))
            continue
        at = "-" if one.time is None else f"{one.time[0]:.2f}"
        rows.append((seat.seat, *spans, percent(seat.margin or 0.0), one.title, at))
    print(text_table(rows))
    return 0


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
