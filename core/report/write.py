"""The report of a run in files: one call for the command and for the button."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..base.atomic import replacing
from ..base.errors import InputError
from ..outcome.uncertainty import uncertainty
from ..project.project import Project, write_atomically
from ..results.results import Results
from .book import Book, Pictures, Progress, ReportOptions
from .content import build_content
from .csv_tables import report_csv
from .dates import timestamp
from .document import ReportContent
from .html import report_html
from .parts.overview_part import logo
from .pdf import report_pages, report_pdf
from .run_view import OtherRun, RunView
from .template import NAMES, template_text


@dataclass(frozen=True)
class ReportTarget:
    """Where the forms of the report go; None leaves one out. csv and pages are folders; pages are the printed pages as
    pictures, to look at."""

    pdf: Path | None = None
    html: Path | None = None
    json: Path | None = None
    csv: Path | None = None
    pages: Path | None = None


def write_report(
    project: Project,
    results: Results,
    target: ReportTarget,
    *,
    options: ReportOptions,
    pictures: Pictures | None = None,
    against: OtherRun | None = None,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Path, ...]:
    """Write the report of a run; returns the files written.

    project: what was run; results: what came out, complete or not. pictures: gives a rendered PNG of a moment, or
    None where it cannot. against: another run to compare with. on_progress gets the done share and what comes next;
    should_stop is asked between steps, and when it says so, Stopped is raised and nothing is written. Raises
    InputError where matplotlib or typst is missing, for a date that is none, or when a file cannot be written. Same
    run, options and pictures: the same bytes.
    """
    refuse_target(options, target)  # what cannot work is refused before any work is done
    if len(results.states.time) < 2 or not len(results.sample_time):
        raise InputError(
            "this run keeps no motion, it ended before its first step or its file is damaged; run it again."
        )
    if against is not None and not len(against.results.sample_time):
        raise InputError(
            f"{against.name}: keeps no motion to compare with, it ended before its first step or is damaged."
        )
    book = Book(options, on_progress, should_stop)
    logo(book)
    template_text(NAMES[0], options.template)
    view = RunView(project, results, against)
    if options.uncertainty:
        book.step(0.0, "the run again at ten times its tolerance")
        found = uncertainty(project, results, view.judgement, should_stop=should_stop)
        view = RunView(project, results, against, found)
        book.step(0.02, "criteria")
    content = build_content(view, book, pictures)
    book.step(0.9, "pages")
    return write_forms(content, book, target)


def write_forms(content: ReportContent, book: Book, target: ReportTarget) -> tuple[Path, ...]:
    """Write a report in the forms that are asked for; returns the files written.

    All are made before any is written, and each takes the place of an older one when it is whole. Raises InputError as
    `write_report`.
    """
    forms: list[tuple[Path, str | bytes]] = []
    if target.pdf is not None:
        forms.append((target.pdf, report_pdf(content, book.files, book.options.template)))
    if target.html is not None:
        forms.append((target.html, report_html(content, book.files, book.options.template)))
    if target.json is not None:
        forms.append((target.json, content.model_dump_json(indent=1) + "\n"))
    if target.csv is not None:
        forms += [(target.csv / name, text) for name, text in report_csv(content).items()]
    if target.pages is not None:
        pages = report_pages(content, book.files, template=book.options.template)
        forms += [(target.pages / f"page_{k + 1:02d}.png", data) for k, data in enumerate(pages)]
    book.step(0.98, "files")
    for path, data in forms:
        if isinstance(data, str):
            write_atomically(path, data)
        else:
            with replacing(path) as part:
                part.write_bytes(data)
    return tuple(path for path, _ in forms)


def refuse_target(options: ReportOptions, target: ReportTarget) -> None:
    """Raise InputError for a date that is none, and for files that cannot be written."""
    timestamp(options.date)
    for path in (target.pdf, target.html, target.json, target.csv, target.pages):
        if path is not None:
            _refuse_unwritable(path)


def _refuse_unwritable(path: Path) -> None:
    """Raise InputError when the folder a file goes to is none, or is closed to us."""
    folder = next((one for one in path.absolute().parents if one.exists()), None)
    if folder is None or not folder.is_dir():
        raise InputError(f"{path}: cannot be written, because {folder} is not a folder.")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path}: cannot be written, because the folder {folder} is read-only.")
