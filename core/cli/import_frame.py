"""`ridewright import-frame PROJECT FILE --out PROJECT`: a finished frame in place of the one that rules make."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..project.project import load_project, save_project
from .commands import add_command


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(
        commands, "import-frame", "put a finished frame of track and supports into a project", run
    )
    command.add_argument("project", metavar="PROJECT", help="project file with the track")
    command.add_argument(
        "frame", metavar="FILE", help="CSV with a record a line: node, member, section, support, track"
    )
    command.add_argument("--out", metavar="FILE", required=True, help="project file to write")


def run(arguments: argparse.Namespace) -> int:
    """Read the frame, stand it under the track and write the project."""
    from ..edits.changes import set_steelwork, the_track
    from ..exchange.frame_file import read_frame
    from ..steelwork.framing import steel_frame
    from ..track.build import build_track

    project = load_project(arguments.project)
    made = set_steelwork(project, {"finished": read_frame(Path(arguments.frame)), "frame": "finished"})
    frame = steel_frame(build_track(the_track(made)), made.steelwork)
    save_project(made, arguments.out)
    print(
        f"{arguments.out}: {len(frame.members)} members on {len(frame.footings)} supports, {frame.mass / 1e3:.1f} t,"
        f" the track from {frame.stations[0]:.1f} to {frame.stations[-1]:.1f} m"
    )
    return 0
