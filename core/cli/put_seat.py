"""`ridewright put-seat PROJECT --on PATH --seat KEY --out PROJECT`: places to sit become seats of the library."""

from __future__ import annotations

import argparse
from typing import Any

from ..base.errors import InputError
from ..project.project import load_project, save_project
from .commands import add_command


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "put-seat", "make places to sit seats of the library, with restraints", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument(
        "--on", metavar="PATH", nargs="+", required=True,
        help='places to sit, such as "Car 1/Left seat"; "*" for all there are',
    )  # fmt: skip
    command.add_argument("--seat", metavar="KEY", default="", help="seat of the library; none takes it away")
    command.add_argument(
        "--restraint",
        metavar="KEY",
        default="",
        help="of the library, by default that of the seat; none for none",
    )
    command.add_argument(
        "--shared", metavar="NAME", default="", help="the bar that these seats of a car share"
    )
    command.add_argument("--out", metavar="PROJECT", required=True, help="project file to write")


def run(arguments: argparse.Namespace) -> int:
    """Put the seats, write the project, say what does not fit."""
    from ..edits.seats import put_seat
    from ..human.findings import seat_findings

    project = load_project(arguments.project)
    if project.assembly is None:
        raise InputError(f"{arguments.project}: has neither train nor rig; insert a vehicle first.")
    every = list(project.assembly.every("seat"))
    for path in every if arguments.on == ["*"] else arguments.on:
        *owner, seat = path.split("/")
        project = put_seat(
            project, tuple(owner), seat, arguments.seat, arguments.restraint, shared=arguments.shared
        )
    save_project(project, arguments.out)
    assert project.assembly is not None
    for finding in seat_findings(project.assembly):
        print(finding.message)
    print(f"written: {arguments.out}")
    return 0
