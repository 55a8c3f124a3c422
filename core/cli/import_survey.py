"""`ridewright import-survey PROJECT FILE --out PROJECT`: rails as they were measured, into a project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..project.project import load_project, save_project
from .commands import add_command


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "import-survey", "put a survey of the rails into a project", run)
    command.add_argument("project", metavar="PROJECT", help="project file with the track")
    command.add_argument(
        "survey", metavar="FILE",
        help="CSV in m: station, left rail to the left and up, right rail to the left and up",
    )  # fmt: skip
    command.add_argument("--out", metavar="FILE", required=True, help="project file to write")
    command.add_argument(
        "--cutoff", metavar="M", type=float, default=1.0, help="shorter waves are smoothed away (1)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Read the survey and write the project."""
    from ..edits.changes import set_as_built
    from ..exchange.rail_survey import read_survey

    project = load_project(arguments.project)
    rows = read_survey(Path(arguments.survey))
    made = set_as_built(project, {"survey": rows, "cutoff": arguments.cutoff})
    save_project(made, arguments.out)
    print(f"{arguments.out}: {len(rows)} stations, {rows[0][0]:.2f} to {rows[-1][0]:.2f} m")
    return 0
