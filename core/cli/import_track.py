"""`ridewright import-track FILE --out PROJECT`: a track from another program into a project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from core.cli.commands import add_command
from core.cli.track_text import track_text
from core.errors import InputError
from core.project import Project, save_project, sentence

if TYPE_CHECKING:
    from core.track.description import Track

FORMATS = ("nl2", "table")
THESIS_COLUMNS = 9
LARGEST_TOLERANCE = 1.0  # m


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "import-track", "make a project of a track from another program", run)
    command.add_argument("file", metavar="FILE", help="NoLimits 2 spline CSV, or rows x y z, n, b (table)")
    command.add_argument("--out", metavar="PROJECT", required=True, help="project file to write")
    command.add_argument("--format", choices=FORMATS, help="by default told by the number of columns")
    command.add_argument("--name", help="name of the track and the project, by default that of the file")
    command.add_argument("--tolerance", metavar="M", default="0.005", help="tolerance of the fit (m), 0.005")
    command.add_argument("--gauge", metavar="M", default="1.0", help="distance of the rails (m), 1.0")
    ends = command.add_mutually_exclusive_group()
    ends.add_argument("--closed", action="store_true", help="the end runs back to the start")
    ends.add_argument("--open", action="store_true", help="it does not; by default told by the distance")


def run(arguments: argparse.Namespace) -> int:
    """Read the track, fit and check it, write the project, print the report."""
    from core.track.build import build_track
    from core.track.check import check_track

    track = _read(arguments)
    # Built before it is written: a track that cannot be built is refused here, not at the first ride.
    report = check_track(track, build_track(track))
    try:
        project = Project(name=track.name, notes=f"Imported from {Path(arguments.file).name}.", track=track)
    except ValidationError as error:
        raise InputError(sentence(error, arguments.file)) from None
    save_project(project, arguments.out)
    print(track_text(report))
    print(f"\nwritten: {arguments.out}")
    return 0


def _read(arguments: argparse.Namespace) -> Track:
    from core.track.nl2_csv import read_nl2_csv
    from core.track.thesis_table import read_thesis_input

    tolerance = _length(arguments.tolerance, "--tolerance", LARGEST_TOLERANCE)
    gauge = _length(arguments.gauge, "--gauge", 10.0)
    kind = arguments.format or guess_format(Path(arguments.file))
    name = arguments.name or Path(arguments.file).stem
    if kind == "nl2":
        closed = True if arguments.closed else False if arguments.open else None
        track = read_nl2_csv(arguments.file, name=name, closed=closed, tolerance=tolerance, gauge=gauge)
    else:
        track = read_thesis_input(
            arguments.file, name=name, closed=arguments.closed, tolerance=tolerance, gauge=gauge
        )
    # The project may travel: it names the file it came from, not the folders of this machine.
    sections = tuple(s.model_copy(update={"source": Path(arguments.file).name}) for s in track.sections)
    return track.model_copy(update={"sections": sections})


def _length(text: str, option: str, largest: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0.0 < value <= largest:
        raise InputError(f"{option} {text}: expected a length between 0 and {largest:g} m.")
    return value


def guess_format(path: Path) -> str:
    """Whether a file looks like rows x y z, n, b ("table") or like a NoLimits 2 CSV ("nl2", anything else).

    Judged by the number of columns of its last line; raises InputError when the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - 4096))
            tail = file.read(4096).decode("utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except ValueError:
        raise InputError(f"{str(path)!r}: not a file name.") from None
    lines = [line for line in tail.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    columns = len(lines[-1].replace(",", " ").replace(";", " ").split()) if lines else 0
    return "table" if columns == THESIS_COLUMNS else "nl2"
