"""`ridewright report PROJECT|RESULTS`: the report of a run as PDF, HTML, CSV and JSON."""

from __future__ import annotations

import argparse
import datetime
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.atomic import is_stream
from ..base.errors import InputError
from ..base.own_process import settle
from .assessment import add_assessment, add_classes, options_of
from .commands import add_command
from .criteria import add_record, record_of
from .interrupt import stop_on_interrupt
from .run_file import kept_run, run_of

if TYPE_CHECKING:
    from ..report.book import Pictures
    from ..report.write import ReportTarget

RECORDS = (".csv", ".txt")  # how the names of measured rides end
#: Options on how the rider is judged, which stand among the assumptions of the report.
JUDGING = (
    "restraint", "restraint_class", "extended_gz", "no_headrest", "patron_height", "standards", "f2291_edition", "part",
)  # fmt: skip
MAX_MOMENTS = 26  # they are lettered
COVER = {
    "author": "whom the report is by",
    "checker": "who checks it",
    "approver": "who approves it",
    "revision": "its revision, A or 2 for example",
    "logo": "picture for the first page (PNG, JPEG or SVG)",
    "template": "folder with a report.typ or report.html of your own",
}


def add(commands: Any) -> None:
    """Add the command to the program."""
    command = add_command(commands, "report", "write the report of a run: PDF, HTML, CSV, JSON", run)
    command.add_argument(
        "source",
        metavar="FILE",
        help="results.h5 of a run, a project file (*.ridewright), which is run first, or a measured ride (.csv, .txt)",
    )
    command.add_argument("-o", "--out", metavar="FILE.pdf", help="the PDF (default: report.pdf beside FILE)")
    command.add_argument(
        "--html", metavar="FILE", nargs="?", const="", help="HTML too (default: beside the PDF)"
    )
    command.add_argument("--json", metavar="FILE", help="every number and text as JSON too")
    command.add_argument("--csv", metavar="FOLDER", help="every table as CSV too")
    command.add_argument("--pages", metavar="FOLDER", help="the printed pages as PNG pictures too")
    command.add_argument("--no-pdf", action="store_true", help="leave the PDF out (needs no typst)")
    command.add_argument("--date", metavar="ISO", help="date of the report (default: now)")
    for name, about in COVER.items():
        command.add_argument(f"--{name}", default="", help=about)
    command.add_argument(
        "--moments",
        type=int,
        default=6,
        metavar="N",
        help="how many governing moments are pictured (default 6)",
    )
    command.add_argument(
        "--riders",
        type=int,
        default=2,
        metavar="N",
        help="how many riders get figures of their own (default 2)",
    )
    command.add_argument(
        "--against", metavar="RESULTS", help="compare with another run, given by its results.h5"
    )
    command.add_argument(
        "--cross-check",
        metavar="FILE",
        help="a page on what a second engine says: cross-check.json of 'ridewright cross-check --out'",
    )
    command.add_argument(
        "--sensitivity",
        action="store_true",
        help="ride the governing moments again with speed, cant ... changed (takes a while)",
    )
    command.add_argument(
        "--uncertainty",
        action="store_true",
        help="compute the run again at ten times its tolerance to see how many digits its values have (as long as the "
        "run)",
    )
    command.add_argument(
        "--steelwork",
        action="store_true",
        help="a part on track and supports under the train: members, weld details, footings (half a minute and more)",
    )
    command.add_argument("--drawings", action="store_true", help="line drawings instead of rendered pictures")
    _add_of_records(command.add_argument_group("measured rides", "as for 'ridewright criteria'"))
    add_assessment(command)
    add_classes(command, run)


def _add_of_records(group: Any) -> None:
    """The arguments that only measured rides take, but for how the rider is judged."""
    group.add_argument(
        "--part",
        choices=("seat", "head", "upper_torso", "pelvis"),
        default="seat",
        help="where the sensor was (seat), which says which criteria apply",
    )
    add_record(group)


def run(arguments: argparse.Namespace) -> int:
    """Write the report; 0 when the run is complete, 1 when it ended early."""
    if not 0 <= arguments.moments <= MAX_MOMENTS:
        raise InputError(f"--moments {arguments.moments}: choose from 0 to {MAX_MOMENTS}.")
    if arguments.riders < 0:
        raise InputError(f"--riders {arguments.riders}: choose 0 or more.")
    source = Path(arguments.source)
    if source.suffix.lower() in RECORDS:
        return _measured(arguments, source)
    _refuse_of_records(arguments)
    date = _date(arguments)
    from ..outcome.second_engine import read_cross_check
    from ..report.book import ReportOptions, Stopped
    from ..report.dates import timestamp

    timestamp(date)  # refused before minutes are spent on a run
    other = None if arguments.against is None else Path(arguments.against)
    compared = None if other is None else kept_run(other)
    second = None if arguments.cross_check is None else read_cross_check(arguments.cross_check)
    project, results = run_of(source)
    # The criteria and their kernels: not before the input is known to be good.
    from ..report.drawing_process import DrawingProcess
    from ..report.plugins import drawn_here
    from ..report.run_view import OtherRun
    from ..report.write import write_report

    target = _target(arguments, source)
    options = ReportOptions(
        date=date,
        **{name: getattr(arguments, name) for name in COVER},
        moments=arguments.moments,
        riders_drawn=arguments.riders,
        sensitivity=arguments.sensitivity,
        uncertainty=arguments.uncertainty,
        steelwork=arguments.steelwork,
    )
    settle()
    with stop_on_interrupt() as interrupted, closing(DrawingProcess()) as drawing:
        drawing.make_ready()

        def write(pictures: Pictures | None = None) -> tuple[Path, ...]:
            return write_report(
                project,
                results,
                target,
                options=options,
                against=None if compared is None else OtherRun(str(other), *compared),
                second=second,
                pictures=pictures,
                drawing=drawing,
                should_stop=interrupted.is_set,
            )

        try:
            written = write() if arguments.drawings else drawn_here(project, results, write)
        except Stopped:
            raise KeyboardInterrupt from None
    for path in written:
        print(f"written: {path}")
    return 0 if results.status.complete else 1


def _measured(arguments: argparse.Namespace, source: Path) -> int:
    """The report of a measured ride."""
    for name, usual in (
        ("against", None),
        ("cross_check", None),
        ("sensitivity", False),
        ("uncertainty", False),
        ("steelwork", False),
    ):
        if getattr(arguments, name) != usual:
            option = name.replace("_", "-")
            raise InputError(f"--{option} is for runs, and {source.name} is a measured ride; leave it out.")
    from ..report.book import ReportOptions, Stopped
    from ..report.record import Record, write_record_report

    history = record_of(arguments, str(source))
    given = {name: value for name, value in vars(arguments).items() if name in _defaults()}
    reading = tuple(
        (name.replace("_", " ").capitalize(), str(value))
        for name, value in given.items()
        if value != _defaults()[name] and name not in JUDGING
    )
    judging = options_of(arguments, arguments.filter == "5 Hz")
    record = Record(source, history, judging, arguments.part, reading)
    with stop_on_interrupt() as interrupted:
        try:
            written = write_record_report(
                record,
                _target(arguments, source),
                options=ReportOptions(
                    date=_date(arguments), **{name: getattr(arguments, name) for name in COVER}
                ),
                should_stop=interrupted.is_set,
            )
        except Stopped:
            raise KeyboardInterrupt from None
    for path in written:
        print(f"written: {path}")
    return 0


def _defaults() -> dict[str, Any]:
    """What the options of measured rides are when nobody gives them."""
    parser = argparse.ArgumentParser(add_help=False)
    _add_of_records(parser)
    add_assessment(parser)
    return vars(parser.parse_args([]))


def _refuse_of_records(arguments: argparse.Namespace) -> None:
    """Refuse for a run what only a measured ride takes: its project says how it is judged."""
    for name, usual in _defaults().items():
        if getattr(arguments, name) != usual:
            option = {"gravity": "with-gravity, --without-gravity"}.get(name, name.replace("_", "-"))
            raise InputError(
                f"--{option} is for measured rides ({', '.join(RECORDS)}); a run is judged as its project says."
            )


def _date(arguments: argparse.Namespace) -> str:
    return arguments.date or datetime.datetime.now().astimezone().isoformat(timespec="seconds")


def _target(arguments: argparse.Namespace, source: Path) -> ReportTarget:
    """Where the forms of the report go."""
    from ..report.write import ReportTarget

    pdf = Path(arguments.out) if arguments.out else source.with_name("report.pdf")
    html = (
        None
        if arguments.html is None
        else Path(arguments.html)
        if arguments.html
        else (source.with_name("report.html") if is_stream(pdf) else pdf.with_suffix(".html"))
    )
    return ReportTarget(
        pdf=None if arguments.no_pdf else pdf,
        html=html,
        json=Path(arguments.json) if arguments.json else None,
        csv=Path(arguments.csv) if arguments.csv else None,
        pages=Path(arguments.pages) if arguments.pages else None,
    )
