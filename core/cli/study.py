"""`ridewright study ...`: many rides at once: check, run, show, report, remake one, optimise, calibrate."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.errors import InputError
from ..base.text_table import plain_cell
from ..project.project import save_project, write_atomically
from .commands import add_command, add_json_switch, print_json
from .interrupt import stop_on_interrupt
from .progress import ProgressLine, clock_text
from .study_report import add_report, write_report

if TYPE_CHECKING:
    from ..project.project import Project
    from ..studies.engine import Progress
    from ..studies.store import Store, Table
    from ..studies.study import Study

EVERY = 1.0  # s between lines of progress on a terminal
SELDOM = 10.0  # s where lines cannot be rewritten


def add(commands: Any) -> None:
    """Add the command to the program."""
    summary = "many rides at once: a plan of runs on many workers, and what they answer"
    command = commands.add_parser("study", help=summary, description=summary, allow_abbrev=False)
    every = command.add_subparsers(title="what", metavar="WHAT", required=True)

    check = add_command(every, "check", "say how many runs a study makes and how long they take", _check)
    check.add_argument(
        "study", metavar="STUDY", help="study file (*.study.toml or *.study.json), or example:NAME"
    )
    check.add_argument("--workers", metavar="N", type=int, help="of this machine (default: one a processor)")
    add_json_switch(check)
    _add_run(
        add_command(
            every, "run", "make the runs of a study; one with [optimise] searches for the best design", _run
        )
    )
    show = add_command(every, "show", "what the runs of a study answer", _show)
    show.add_argument("store", metavar="FOLDER", help="where the study was run into")
    show.add_argument("--response", metavar="NAME", help="effects and indices on this kept number (margin)")
    show.add_argument("--below", metavar="X", type=float, help="probability that the response lies below X")
    show.add_argument("--above", metavar="X", type=float, help="probability that the response lies above X")
    show.add_argument("--csv", metavar="FILE", help="write the table of all runs")
    add_json_switch(show)
    add_report(
        add_command(every, "report", "write the report of a study: PDF, HTML, CSV, JSON", write_report)
    )
    remake = add_command(
        every, "remake", "write the project of one run, and simulate it where asked for", _remake
    )
    remake.add_argument("store", metavar="FOLDER", help="where the study was run into")
    remake.add_argument("number", metavar="RUN", type=int, help="number of the run, counted from 0")
    remake.add_argument("--out", metavar="FILE", required=True, help="project file to write (*.ridewright)")
    remake.add_argument("--simulate", metavar="DIR", help="run it too, into this folder")
    fit = add_command(every, "calibrate", "fit friction, drag and start speed to a measured ride", _calibrate)
    fit.add_argument("project", metavar="PROJECT", help="project file (*.ridewright)")
    fit.add_argument(
        "measured", metavar="CSV", help="columns speed_m_s and one of s_m, place_m and time_s, with a header"
    )
    fit.add_argument(
        "--fit", nargs="+", metavar="WHAT", default=["friction", "drag", "speed"],
        help="of friction, drag and speed (all), or a study file whose parameters are fitted",
    )  # fmt: skip
    fit.add_argument("--out", metavar="FILE", help="write the project with the fitted values")
    add_json_switch(fit)
    add_command(every, "schema", "print the JSON Schema of the study file", _schema)


def _add_run(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "study", metavar="STUDY", help="study file (*.study.toml or *.study.json), or example:NAME"
    )
    add_engine(run)
    run.add_argument(
        "--allow-function", metavar="MODULE:NAME", default="",
        help="let the study run this function, which is code that is no part of the program",
    )  # fmt: skip
    run.add_argument("--yes", action="store_true", help="more than a million runs are meant")


def add_engine(run: argparse.ArgumentParser, *, needed: bool = True) -> None:
    """Add what says where runs are made and kept; needed: whether there is always a folder."""
    run.add_argument("--out", metavar="FOLDER", required=needed, help="folder for the runs")
    run.add_argument("--workers", metavar="N", type=int, help="of this machine (default: one a processor)")
    run.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster that runs already")
    run.add_argument(
        "--wait", metavar="S", type=float, default=60.0, help="for the first worker of the cluster (60)"
    )
    run.add_argument("--tls-ca", metavar="FILE", help="certificate of the cluster's authority (PEM)")
    run.add_argument("--tls-cert", metavar="FILE", help="certificate of this program for the cluster (PEM)")
    run.add_argument("--tls-key", metavar="FILE", help="key of that certificate (PEM)")
    run.add_argument("--resume", action="store_true", help="go on with the runs that are there")
    run.add_argument("--retry-failed", action="store_true", help="with --resume: make failed runs again")
    run.add_argument("--progress", choices=("line", "json"), default="line", help=argparse.SUPPRESS)


def _schema(arguments: argparse.Namespace) -> int:
    from ..studies.study import study_schema

    print_json(study_schema())
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from ..studies.estimate import estimate
    from ..studies.study import base_project, load_study, study_path
    from .study_text import estimate_text

    path = study_path(arguments.study)
    study = load_study(path)
    found = estimate(study, base_project(study, path.parent), workers=_workers(arguments.workers))
    if arguments.json:
        print_json(found.as_dict())
    else:
        print(estimate_text(study, found))
    return 0


def _workers(wanted: int | None) -> int | None:
    if wanted is not None and not 1 <= wanted <= 1024:
        raise InputError(f"--workers {wanted}: choose from 1 to 1024.")
    return wanted


def _wait(seconds: float) -> float:
    if not 0.0 < seconds <= 1e6:
        raise InputError(f"--wait {seconds:g}: give seconds above 0 and up to a million.")
    return seconds


def _keys(arguments: argparse.Namespace, keys_of: Callable[[Any], Any]) -> Any:
    """The keys of the cluster, where they are given: all three files or none."""
    files = (arguments.tls_ca, arguments.tls_cert, arguments.tls_key)
    if files == (None, None, None):
        return None
    if None in files or arguments.scheduler is None:
        raise InputError("TLS needs --scheduler tls://..., --tls-ca, --tls-cert and --tls-key together.")
    return keys_of(files)


def _run(arguments: argparse.Namespace) -> int:
    from ..studies.study import base_project, load_study, study_path
    from .study_text import table_text

    path = study_path(arguments.study)
    study = load_study(path)
    made = make_study(arguments, study, base_project(study, path.parent), arguments.out)
    if isinstance(made.table, str):
        print(made.table)
    else:
        print(table_text(made.table, made.store))
        print(f"\nwritten: {arguments.out}")
    return 1 if made.interrupted else 0


class Made(NamedTuple):
    """A study that was run: its table, or of a search what it found in words; its store; whether it was interrupted."""

    table: Table | str
    store: Store
    interrupted: bool


def make_study(arguments: argparse.Namespace, study: Study, base: Project | None, out: str) -> Made:
    """Make the runs of a study into a folder, as the arguments of `add_engine` say. Raises InputError."""
    from ..studies.requirements import needed

    workers = _workers(arguments.workers)
    yes, allowed = getattr(arguments, "yes", False), getattr(arguments, "allow_function", "")
    needed("distributed")
    # Dask takes a second to load: not before the input is known to be good.
    from ..studies.cluster import keys_of, workers_of
    from ..studies.engine import prepare, run_study
    from ..studies.store import Store

    first = ProgressLine(None if arguments.progress == "json" else sys.stderr)
    try:
        prepare(study, base, yes=yes, allow_function=allowed, on_progress=first.prepare)
    finally:
        first.close()
    store = Store.planned(out, study, base, resume=arguments.resume)
    line = _Line(arguments.progress == "json")
    keys, wait = _keys(arguments, keys_of), _wait(arguments.wait)
    with (
        stop_on_interrupt() as interrupted,
        workers_of(arguments.scheduler, workers, security=keys, wait=wait) as client,
    ):
        store.begin()
        made: Table | str
        try:
            if study.optimise is not None:
                from ..studies.optimise import optimise
                from .study_text import front_text

                best = optimise(
                    store,
                    client,
                    on_progress=line.report,
                    should_stop=interrupted.is_set,
                    allow_function=allowed,
                )
                made = front_text(study, best)
            else:
                made = run_study(
                    store, client, yes=yes, retry=arguments.retry_failed, allow_function=allowed,
                    on_progress=line.report, should_stop=interrupted.is_set,
                )  # fmt: skip
                if study.admitted and not interrupted.is_set():
                    from ..studies.admitted import find_admitted

                    find_admitted(
                        store, client, retry=arguments.retry_failed, on_progress=line.report,
                        should_stop=interrupted.is_set, on_cost=line.say,
                    )  # fmt: skip
        finally:
            line.close()
    return Made(made, store, interrupted.is_set())


def _show(arguments: argparse.Namespace) -> int:
    from ..studies.store import Store
    from .study_text import answers, answers_text

    store = Store.open(arguments.store)
    table = store.table()
    if arguments.csv is not None:
        write_atomically(Path(arguments.csv), csv_text(table))
    if arguments.below is not None and arguments.above is not None:
        raise InputError("Ask for --below or --above, one at a time.")
    found = answers(table, arguments.response, arguments.below, arguments.above)
    if arguments.json:
        print_json(found)
    else:
        print(answers_text(table, found, store))
    return 0


def csv_text(table: Table) -> str:
    """The runs of a study as CSV: number, state, the parameters with their units, kept numbers, the message."""
    import csv
    import io

    from ..studies.one_run import STATES

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = [f"{p.name}{f' ({p.unit})' if p.unit else ''}" for p in table.study.parameters]
    writer.writerow([plain_cell(x) for x in ("run", "state", *head, *table.numbers, "message")])
    for k in range(len(table)):
        values = [
            plain_cell(p.shown(v, 10)) for p, v in zip(table.study.parameters, table.values[k], strict=True)
        ]
        numbers = [f"{column[k]:.10g}" if column[k] == column[k] else "" for column in table.numbers.values()]
        writer.writerow(
            [table.run[k], STATES[table.state[k]], *values, *numbers, plain_cell(table.message[k])]
        )
    return out.getvalue()


def _remake(arguments: argparse.Namespace) -> int:
    from ..studies.repeat_run import project_of
    from ..studies.store import Store
    from .simulate import ride_and_write

    project = project_of(Store.open(arguments.store), arguments.number)
    save_project(project, arguments.out)
    print(f"written: {arguments.out}")
    if arguments.simulate is None:
        return 0
    results, _ = ride_and_write(project, Path(arguments.simulate))
    return 0 if results.status.complete else 1


def _calibrate(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ..project.project import load_project
    from ..studies.calibrate import calibrate, named, read_measured
    from .study_text import calibration_text

    wanted = named(arguments.fit)
    found = calibrate(load_project(arguments.project), read_measured(arguments.measured), wanted)
    if arguments.out is not None:
        save_project(found.project, arguments.out)
    if arguments.json:
        print_json(
            {
                "fitted": [asdict(one) for one in found.fitted],
                "correlation": found.correlation.tolist(),
                "rms_m_s": found.rms,
                "measurements": found.measurements,
                "independent": found.independent,
                "sections": [asdict(one) for one in found.sections],
            }
        )
    else:
        print(calibration_text(found))
        if arguments.out is not None:
            print(f"\nwritten: {arguments.out}")
    return 0


class _Line:
    """Progress on stderr, one line, rewritten; or as JSON lines on stdout for a program that started this one."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.terminal = not as_json and sys.stderr is not None and sys.stderr.isatty()
        self.last = -SELDOM
        self.width = 0

    def report(self, progress: Progress) -> None:
        """Show how far it is."""
        now, finished = time.monotonic(), progress.done >= progress.of
        if now - self.last < (EVERY if self.as_json or self.terminal else SELDOM) and not finished:
            return
        self.last = now
        if self.as_json:
            reported = {
                "done": progress.done,
                "of": progress.of,
                "failed": progress.failed,
                "left": progress.left,
            }
            print(json.dumps(reported), flush=True)
            return
        failed = f", {progress.failed} failed or ended early" if progress.failed else ""
        left = "" if progress.left is None or finished else f"  about {clock_text(progress.left)} left"
        text = f"ridewright: {progress.done} of {progress.of} runs{failed}{left}"
        end = "" if self.terminal else "\n"
        print(f"\r{text.ljust(self.width)}" if self.terminal else text, end=end, file=sys.stderr, flush=True)
        self.width = len(text)

    def say(self, sentence: str) -> None:
        """Say something between two stages."""
        self.close()
        self.last = -SELDOM
        if not self.as_json:
            print(f"ridewright: {sentence}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave a clean line behind."""
        if self.terminal and self.width:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)
            self.width = 0
