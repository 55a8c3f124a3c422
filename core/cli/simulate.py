"""`ridewright simulate PROJECT --out DIR`: run the scenario, write results and summary."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.system_words import because_not_written
from ..project.effort import long_run
from ..project.project import Project, load_project
from ..results.results import Results
from .assessment import add_classes
from .commands import add_command
from .interrupt import stop_on_interrupt
from .progress import ProgressLine
from .set_fields import set_fields

if TYPE_CHECKING:
    from ..outcome.summary import Summary

RESULTS_NAME = "results.h5"
SUMMARY_NAME = "summary.json"


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "simulate", "run a project's ride or rig and write what happened", run)
    command.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    command.add_argument("--out", metavar="DIR", required=True, help="folder for results.h5 and summary.json")
    command.add_argument("--duration", metavar="S", help="end after S seconds (as --set scenario.duration=S)")
    command.add_argument(
        "--accuracy", action="store_true", help="run again at ten times the tolerance and say what changes"
    )
    command.add_argument(
        "--set",
        metavar="KEY=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="change fields of the project for this run, such as settings.tolerance=1e-4",
    )
    add_classes(command, run)


def run(arguments: argparse.Namespace) -> int:
    """Run the project; 0 when the run is complete, 1 when it ended early."""
    project = load_project(arguments.project)
    project = set_fields(project, arguments.set)
    if arguments.duration is not None:
        given = arguments.duration
        project = set_fields(project, [f"scenario.duration={given}"], f"--duration {given}")
    results, _ = ride_and_write(project, Path(arguments.out))
    if arguments.accuracy:
        from ..outcome.accuracy import accuracy

        with stop_on_interrupt() as interrupted:
            found = accuracy(project, results, should_stop=interrupted.is_set)
        print(found.sentence() if found else "The run cannot be made at ten times its tolerance.")
    return 0 if results.status.complete else 1


def ride_and_write(project: Project, folder: Path) -> tuple[Results, Summary]:
    """Run a project with progress on stderr, write results and summary to a folder, print the summary.

    Ctrl-C ends the run early with what there is. Raises InputError for a project that cannot be run or a folder
    that cannot be written.
    """
    prepare_folder(folder)
    if reported := long_run(project):
        print(f"ridewright: {reported}", file=sys.stderr, flush=True)
    results, _ = ride(project)
    from ..outcome.summary import summarise, write_summary
    from ..outcome.summary_text import summary_text
    from ..results.file import write_results

    # The results beside: whatever happens to the summary, the run is kept, and a second core packs it meanwhile.
    with ThreadPoolExecutor(1) as beside:
        written = beside.submit(write_results, results, folder / RESULTS_NAME, compact=True)
        summary = summarise(project, results)
    written.result()
    write_summary(summary, folder / SUMMARY_NAME)
    print(summary_text(summary))
    print(f"\nwritten: {folder / RESULTS_NAME}\n         {folder / SUMMARY_NAME}")
    return results, summary


def ride(project: Project) -> tuple[Results, bool]:
    """Run a project with progress on stderr: what it did, and whether Ctrl-C ended it early.

    Raises InputError for a project that cannot be run, KeyboardInterrupt for Ctrl-C before there is anything to keep.
    """
    # The engine loads its kernels on import: not before the input is known to be good.
    from ..run.simulate import simulate
    from ..warm_up.ahead import compile_missing

    line = ProgressLine(sys.stderr)
    with stop_on_interrupt() as interrupted:
        try:
            compile_missing(on_progress=line.prepare, should_stop=interrupted.is_set)
            if interrupted.is_set():
                raise KeyboardInterrupt
            results = simulate(project, on_progress=line.report, should_stop=interrupted.is_set)
        finally:
            line.close()
    return results, interrupted.is_set()


def prepare_folder(folder: Path) -> None:
    """Make the output folder and see that files can be written there, before minutes are spent on a run."""
    name = str(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{json.dumps(name)}: cannot be the output folder, a file is in the way.") from None
    except (OSError, ValueError) as error:
        reason = because_not_written(error) if isinstance(error, OSError) else "no name of a folder"
        raise InputError(f"{json.dumps(name)}: cannot be written ({reason}).") from None
