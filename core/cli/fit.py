"""`ridewright fit PROJECT`: how riders fit their seats, and how far restraints close onto them."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from ..base.errors import InputError
from ..base.text_table import text_table
from ..base.units import percent
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "fit", "how riders fit their seats, and where restraints close", run)
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Print a row for each rider; what does not fit is no failure."""
    from ..human.findings import seat_fits

    project = load_project(arguments.project)
    found = () if project.assembly is None else seat_fits(project.assembly)
    if not found:
        raise InputError(
            f"{arguments.project}: nobody sits on a seat that says what it is made of; put a seat of the library first"
            " (ridewright put-seat)."
        )
    if arguments.json:
        print_json([asdict(one) for one in found])
        return 0
    rows = [("rider", "seat", "restraint", "closed", "gap mm", "does not fit")]
    for one in found:
        closed = "-" if one.locked is None else percent(one.locked)
        gap = "-" if one.gap is None else f"{round(1e3 * one.gap, 1) + 0.0:.1f}"
        said = "; ".join(str(m.sentence) for m in one.misfits) or "nothing"
        rows.append((one.rider, one.made_of or "-", one.restraint or "-", closed, gap, said))
    print(text_table(rows))
    return 0
