"""`ridewright export-track PROJECT FILE`: the track of a project for another program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..project.project import Project, load_project
from .commands import add_command
from .format_choices import FormatChoices

if TYPE_CHECKING:
    from ..base.arrays import Array
    from ..track.build import BuiltTrack

HIGHEST = 10.0  # m, of a heartline above or below the rails


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "export-track", "write the track of a project for another program", run)
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument("file", metavar="FILE", help="file to write; the formats: see --format")
    command.add_argument(
        "--format",
        metavar="FORMAT",
        choices=FormatChoices("writers"),
        help="by default inferred from the extension; %(choices)s",
    )
    command.add_argument(
        "--spacing", metavar="M", help="distance of rows or vertices (m), by default the format's"
    )
    command.add_argument(
        "--heartline", metavar="M", help="height of the heartline above the rails (m), by default the track's"
    )
    command.add_argument(
        "--ride",
        action="store_true",
        help="add time, speed and loads of the point ride, in formats that take it",
    )


def run(arguments: argparse.Namespace) -> int:
    """Build the track, write it, print where and how exactly."""
    from ..exchange import WriteOptions, export_track, format_named, guess_writer, writers
    from ..track.build import build_track

    project = load_project(arguments.project)
    if project.track is None:
        raise InputError(f"{arguments.project}: the project has no track; there is nothing to export.")
    kind = format_named(arguments.format) if arguments.format else guess_writer(Path(arguments.file))
    if arguments.ride and not kind.rides:
        able = ", ".join(f"*{one.extensions[0]}" for one in writers() if one.rides)
        raise InputError(f"--ride: {kind.title} takes no ride; name the file {able}.")
    built = build_track(project.track, ride=False)
    options = WriteOptions(
        spacing=None if arguments.spacing is None else number(arguments.spacing, "--spacing", 20.0),
        heartline=project.track.heartline.height
        if arguments.heartline is None
        else height(arguments.heartline, "--heartline"),
        ride=_ride(project, built) if arguments.ride else {},
    )
    report = export_track(built, Path(arguments.file), options, kind.id)
    for file in report.files:
        print(f"written: {file}")
    for sentence in report.sentences:
        print(sentence)
    return 0


def _ride(project: Project, built: BuiltTrack) -> dict[str, Array]:
    """Columns of the point ride of the project; raises InputError when the devices do not fit the track."""
    from ..pointmass.columns import ride_columns
    from ..pointmass.ride import ride_point
    from ..project.point_train import ridden_settings

    ride = ride_point(built, ridden_settings(project), gravity=project.gravity)
    print(f"point ride: {ride.message}")
    return ride_columns(ride, built.length)


def height(text: str, option: str) -> float:
    """A height (m) above the rails given for an option, below them negative; raises InputError."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -HIGHEST <= value <= HIGHEST:
        raise InputError(
            f"{option} {text}: expected a height between {-HIGHEST:g} and {HIGHEST:g} m; 0 is on the rails."
        )
    return value


def number(text: str, option: str, largest: float) -> float:
    """A length (m) above 0 and up to `largest` given for an option; raises InputError."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0.0 < value <= largest:
        raise InputError(f"{option} {text}: expected a length between 0 and {largest:g} m.")
    return value
