"""`make run` without a display: ride the bundled Looping Star, write results, summary and report, and say where they
are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from ...core.base.bundled import example_path
from ...core.base.errors import InputError
from ...core.cli.simulate import ride_and_write
from ...core.project.project import load_project
from ...core.report.book import ReportOptions
from ...core.report.write import ReportTarget, write_report

EXAMPLE = "looping_star"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one example without a window; exit codes as of the command `ridewright simulate`.

    argv: [--example NAME] [--out DIR]; by default looping_star, written to out/looping_star.
    """
    parser = argparse.ArgumentParser(
        prog="python -m ridewright.app.shell.headless", description=(main.__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--example", default=EXAMPLE, help="name as listed by 'ridewright examples'")
    parser.add_argument("--out", help="folder to write to (default: out/NAME)")
    arguments = parser.parse_args(argv)
    try:
        return run_example(arguments.example, Path(arguments.out or Path("out") / arguments.example))
    except InputError as error:
        print(f"ridewright: {error}", file=sys.stderr)
        return 2


def run_example(name: str, folder: Path) -> int:
    """Simulate a bundled example, write results.h5, summary.json and the report, its pages as pictures too; 0 when the
    run is complete."""
    project = load_project(example_path(name))
    results, _ = ride_and_write(project, folder)
    target = ReportTarget(pdf=folder / "report.pdf", pages=folder / "pages")
    options = ReportOptions(date=datetime.now(UTC).isoformat(timespec="seconds"))
    for file in write_report(project, results, target, options=options):
        print(f"written: {file}")
    return 0 if results.status.complete else 1


if __name__ == "__main__":
    sys.exit(main())
