"""`ridewright import-track FILE --out PROJECT`: a track from another program into a project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..project.project import save_project
from .commands import add_command
from .export_track import height, number
from .format_choices import FormatChoices
from .track_text import track_text

LARGEST_TOLERANCE = 1.0  # m


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "import-track", "make a project of a track from another program", run)
    command.add_argument("file", metavar="FILE", help="track of another program; the formats: see --format")
    command.add_argument("--out", metavar="PROJECT", required=True, help="project file to write")
    command.add_argument(
        "--format",
        metavar="FORMAT",
        choices=FormatChoices("readers"),
        help="by default inferred from the extension and the columns; %(choices)s",
    )
    command.add_argument("--name", help="name of the track and the project, by default that of the file")
    command.add_argument(
        "--tolerance", metavar="M", default="0.0015", help="tolerance of the fit (m), 0.0015"
    )
    command.add_argument("--gauge", metavar="M", default="1.0", help="distance of the rails (m), 1.0")
    command.add_argument(
        "--heartline",
        metavar="M",
        default="1.1",
        help="height of .nl2elem vertices above the rails (m), 1.1",
    )
    ends = command.add_mutually_exclusive_group()
    ends.add_argument("--closed", action="store_true", help="the end runs back to the start")
    ends.add_argument("--open", action="store_true", help="it does not; by default told by the distance")


def run(arguments: argparse.Namespace) -> int:
    """Read the track, fit and check it, write the project, print the report."""
    from ..edits.importing import project_of_import
    from ..exchange import ReadOptions, import_track
    from ..track.build import build_track
    from ..track.check import check_track

    options = ReadOptions(
        name=arguments.name,
        closed=True if arguments.closed else False if arguments.open else None,
        gauge=number(arguments.gauge, "--gauge", 10.0),
        tolerance=number(arguments.tolerance, "--tolerance", LARGEST_TOLERANCE),
        heartline=height(arguments.heartline, "--heartline"),
    )
    imported = import_track(Path(arguments.file), options, arguments.format)
    track = imported.track
    # Built before it is written: a track that cannot be built is refused here, not at the first ride.
    report = check_track(track, build_track(track))
    save_project(project_of_import(imported, Path(arguments.file).name), arguments.out)
    print(track_text(report))
    if imported.notes:
        print("\nimport\n" + "\n".join(f"  {note}" for note in imported.notes))
    print(f"\nwritten: {arguments.out}")
    return 0
