"""`ridewright export-table PROJECT --out FILE`: the 37-column table of each rail."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..base.errors import InputError
from ..project.project import load_project
from .commands import add_command


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "export-table", "write the 37-column table of each rail", run)
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument(
        "--out", metavar="FILE", required=True, help="table.txt writes table.left.txt and table.right.txt"
    )
    command.add_argument(
        "--step", metavar="M", help="spacing of the rows (m), by default the track's table_step"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build the track and write one table a rail."""
    from ..exchange.thesis_table import write_rails
    from ..track.build import build_track

    if not Path(arguments.out).name:
        raise InputError(f"--out '{arguments.out}': names no file; give one such as table.txt.")
    project = load_project(arguments.project)
    if project.track is None:
        raise InputError(f"{arguments.project}: the project has no track; there is no rail to export.")
    step = project.track.table_step if arguments.step is None else _step(arguments.step)
    built = build_track(project.track)
    for file, rows, length in write_rails(built, Path(arguments.out), step):
        print(f"written: {file} ({rows} rows, {length:.3f} m)")
    return 0


def _step(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--step {text}: expected a length in m.") from None
