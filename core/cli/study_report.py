"""`ridewright study report FOLDER`: the report of a study as PDF, HTML, CSV and JSON."""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path

from ..base.errors import InputError

COVER = ("author", "checker", "approver", "revision", "logo", "template")


def add_report(command: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    command.add_argument("store", metavar="FOLDER", help="where the study was run into")
    command.add_argument(
        "-o", "--out", metavar="FILE", help="a PDF, or by its extension HTML (report.pdf in FOLDER)"
    )
    command.add_argument("--html", metavar="FILE", help="HTML too")
    command.add_argument("--json", metavar="FILE", help="every number and text as JSON too")
    command.add_argument("--csv", metavar="FOLDER", help="every table as CSV too")
    command.add_argument("--pages", metavar="FOLDER", help="the printed pages as PNG pictures too")
    command.add_argument(
        "--response", metavar="NAME", help="effects and indices on this kept number (margin)"
    )
    command.add_argument(
        "--below", metavar="X", type=float, help="probability that the response lies below X"
    )
    command.add_argument(
        "--above", metavar="X", type=float, help="probability that the response lies above X"
    )
    command.add_argument("--date", metavar="ISO", help="date of the report (default: now)")
    for name in COVER:
        command.add_argument(f"--{name}", default="", help="as of `ridewright report`")


def write_report(arguments: argparse.Namespace) -> int:
    """Write the report."""
    from ..report.book import ReportOptions
    from ..report.write import ReportTarget
    from ..studies.answers_section import Asked
    from ..studies.one_run import MARGIN
    from ..studies.report import write_study_report
    from ..studies.store import Store

    if arguments.below is not None and arguments.above is not None:
        raise InputError("Ask for --below or --above, one at a time.")
    above = arguments.above is not None
    level = arguments.above if above else arguments.below or 0.0
    asked = Asked(arguments.response or MARGIN, level, above)
    store = Store.open(arguments.store)
    date = arguments.date or datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    out = Path(arguments.out) if arguments.out else Path(arguments.store) / "report.pdf"
    is_html = out.suffix.lower() in (".html", ".htm")
    forms = {
        "pdf": None if is_html else out,
        "html": out if is_html else _path(arguments.html),
        "json": _path(arguments.json),
        "csv": _path(arguments.csv),
        "pages": _path(arguments.pages),
    }
    cover = {name: getattr(arguments, name) for name in COVER}
    options = ReportOptions(date=date, **cover)
    for path in write_study_report(store, ReportTarget(**forms), options, asked):
        print(f"written: {path}")
    return 0


def _path(given: str | None) -> Path | None:
    return None if given is None else Path(given)
