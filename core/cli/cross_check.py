"""`ridewright cross-check PROJECT`: the same project ridden by a second engine, and what differs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..base.atomic import replacing
from ..project.project import load_project
from .commands import add_command, add_json_switch, print_json
from .interrupt import stop_on_interrupt
from .set_fields import set_fields
from .simulate import prepare_folder

NAME = "cross-check"


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, NAME, "ride a project here and in a second engine, and tell what differs", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument(
        "--with", dest="other", metavar="ENGINE", default="exudyn", help="exudyn (default) or mujoco"
    )
    command.add_argument(
        "--out", metavar="FOLDER", help=f"folder for {NAME}.json and {NAME}.txt; without one, print only"
    )
    command.add_argument("--duration", metavar="S", help="end after S seconds (as --set scenario.duration=S)")
    command.add_argument(
        "--step", metavar="S", type=float, help="longer one of the other engine's two steps (1 ms)"
    )
    command.add_argument(
        "--set",
        metavar="KEY=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="change fields of the project for this check, such as settings.tolerance=1e-6",
    )
    add_json_switch(command)


def run(arguments: argparse.Namespace) -> int:
    """Compare; 0 when both engines agree within their errors, 1 when something differs."""
    project = load_project(arguments.project)
    changes = list(arguments.set)
    if arguments.duration is not None:
        changes.append(f"scenario.duration={arguments.duration}")
    project = set_fields(project, changes)
    folder = None if arguments.out is None else Path(arguments.out)
    if folder is not None:
        prepare_folder(folder)
    # The engine loads its kernels on import: not before the input is known to be good.
    from ..cross_check.check import cross_check
    from ..cross_check.text import cross_check_dict, cross_check_text

    with stop_on_interrupt() as interrupted:
        found = cross_check(project, arguments.other, step=arguments.step, should_stop=interrupted.is_set)
    text, data = cross_check_text(found), cross_check_dict(found)
    if folder is not None:
        with replacing(folder / f"{NAME}.json") as part:
            part.write_text(json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False), encoding="utf-8")
        with replacing(folder / f"{NAME}.txt") as part:
            part.write_text(text + "\n", encoding="utf-8")
    if arguments.json:
        print_json(data)
    else:
        print(text)
    return 0 if found.agrees else 1
