"""The report of a run in files, one call for the command and for the button.

CSV tables hold the numbers as they are; the printed report is set by typst with the template in resources/report.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ..base.atomic import replacing, scratch_folder
from ..base.errors import InputError
from ..base.text_table import plain_cell
from ..outcome.seats import Verdicts
from ..outcome.second_engine import CrossCheck
from ..outcome.uncertainty import uncertainty
from ..project.project import Project, write_atomically
from ..results.results import Results
from .book import Book, Pictures, Progress, ReportOptions
from .content import build_content
from .dates import timestamp
from .document import Cell, Column, Facts, Moment, ReportContent, Section, Table
from .drawing_process import DrawingProcess, load_drawing
from .figures.canvas import font_folder
from .html import report_html
from .parts.overview_part import logo
from .run_view import OtherRun, RunView
from .template import NAMES, template_text

TEMPLATE = "report.typ"
# What the fonts of the program hold; other scripts are looked for among the fonts of the system.
OWN_LETTERS = ((0x20, 0x24F), (0x370, 0x3FF), (0x400, 0x45F), (0x2000, 0x22FF))


def make_ready() -> None:
    """Load what writing a report takes, in any thread, before it is asked for; who writes says what is missing."""
    with suppress(InputError, ImportError):
        load_drawing()
        import_module("typst")


def report_pdf(content: ReportContent, files: dict[str, bytes], template: str = "") -> bytes:
    """The report as PDF; the same content and drawings give the same bytes.

    files: drawings by the names the content uses; template: a folder whose report.typ is taken, where it has one.
    Raises InputError where typst is not installed, or does not take the template.
    """
    return bytes(_compile(content, files, template, format="pdf"))


def report_pages(
    content: ReportContent, files: dict[str, bytes], ppi: float = 110.0, template: str = ""
) -> tuple[bytes, ...]:
    """The printed pages as PNG pictures, to look at; ppi: pixels an inch. Raises as `report_pdf`."""
    pages = _compile(content, files, template, format="png", ppi=ppi)
    return tuple(pages) if isinstance(pages, list) else (bytes(pages),)


def _compile(content: ReportContent, files: dict[str, bytes], own: str, **how: Any) -> Any:
    try:
        import typst
    except ImportError:
        raise InputError(
            "the PDF report needs typst; install it with: pip install 'ridewright[report]', or ask for --html."
        ) from None
    text = (content if own else on_paper_only(content)).model_dump_json()
    with scratch_folder("ridewright-report") as folder:
        (folder / TEMPLATE).write_text(template_text(TEMPLATE, own), encoding="utf-8")
        (folder / "content.json").write_text(text, encoding="utf-8")
        (folder / "figures").mkdir()
        for file, data in files.items():
            (folder / "figures" / file).write_bytes(data)
        compiler = typst.Compiler(
            str(folder / TEMPLATE),
            root=str(folder),
            font_paths=[str(font_folder())],
            ignore_system_fonts=_own_letters_only(text),
        )
        try:
            return compiler.compile(timestamp=timestamp(content.title.date), **how)
        except RuntimeError as error:
            if not own:
                raise
            why = str(error).partition("\n")[0]
            raise InputError(f"{own}/{TEMPLATE}: typst does not take this template ({why}).") from None


def _kept(table: Table) -> int | None:
    """How many rows a page needs: those it has, and one more, where there are more, to say so."""
    if not table.printed:
        return 0
    return None if table.printed_rows is None else table.printed_rows + 1


def on_paper_only(content: ReportContent) -> ReportContent:
    """The content without the rows that no page has; the program's own template does not ask for them."""

    def bare(section: Section) -> Section:
        blocks = tuple(
            block.model_copy(update={"rows": block.rows[: _kept(block)]})
            if isinstance(block, Table)
            else block
            for block in section.blocks
        )
        return section.model_copy(update={"blocks": blocks, "sections": tuple(map(bare, section.sections))})

    return content.model_copy(update={"sections": tuple(map(bare, content.sections))})


def _own_letters_only(text: str) -> bool:
    return all(ord(c) < 0x20 or any(a <= ord(c) <= b for a, b in OWN_LETTERS) for c in set(text))


FACTS_NAME = "figures.csv"


def report_csv(content: ReportContent) -> dict[str, str]:
    """Text of each CSV file by its name: one a table, and one with all named figures. Comma, UTF-8, CRLF-free."""
    files = {table_file(table): table_csv(table) for table in content.tables()}
    named = [block for block in content.blocks() if isinstance(block, Facts | Moment)]
    return {FACTS_NAME: facts_csv([Facts(id="title", entries=content.title.facts), *named]), **files}


def facts_csv(blocks: Sequence[Facts | Moment]) -> str:
    """Named figures as CSV."""
    rows = [("where", "figure", "value", "unit")]
    for block in blocks:
        rows += [(block.id, plain_cell(one.label), _plain(one.cell), one.unit) for one in block.entries]
    return _text(rows)


def table_file(table: Table) -> str:
    """The file of a table; those that are not on paper come after the others."""
    return f"{'' if table.printed else 'data_'}{table.number:02d}_{table.id}.csv"


def table_csv(table: Table) -> str:
    """A table as CSV."""
    rows = [tuple(_head(column) for column in table.columns)]
    rows += [tuple(_plain(cell) for cell in row) for row in table.rows]
    return _text(rows)


def _head(column: Column) -> str:
    return plain_cell(f"{column.key} [{column.unit}]" if column.unit else column.key)


def _plain(cell: Cell) -> str:
    return plain_cell(cell.text.strip()) if cell.value is None else repr(cell.value)


def _text(rows: Sequence[tuple[str, ...]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


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
    second: CrossCheck | None = None,
    known: Verdicts | None = None,
    drawing: DrawingProcess | None = None,
    on_progress: Progress | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Path, ...]:
    """Write the report of a run.

    Parameters
    ----------
    project
        What was run.
    results
        What came out, complete or not.
    target
        The forms that are written, and where to.
    options
        What a person chooses: date, names, how much of it.
    pictures
        Gives a rendered PNG of a moment, or None where it cannot.
    against
        Another run to compare with.
    second
        What a second engine says of the design, for a page of its own.
    known
        The verdicts on the run by the project's rider assessment, where they are made already.
    drawing
        What draws figures while the rest is written; without it they are drawn in between.
    on_progress
        Gets the done share and what comes next.
    should_stop
        Asked between steps.

    Returns
    -------
    The files written. Same run, options and pictures: the same bytes.

    Raises
    ------
    InputError
        Where matplotlib or typst is missing, for a date that is none, or when a file cannot be written.
    Stopped
        When `should_stop` says so; nothing is written then.
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
    book = Book(options, on_progress, should_stop, drawing)
    logo(book)
    template_text(NAMES[0], options.template)
    view = RunView(project, results, against, second=second, known=known)
    if options.uncertainty:
        book.step(0.0, "the run again at ten times its tolerance")
        found = uncertainty(project, results, view.judgement, should_stop=should_stop)
        view = RunView(project, results, against, found, second, known)
        book.step(0.02, "criteria")
    with ThreadPoolExecutor(1) as beside:
        view.hash_beside(beside)
        content = build_content(view, book, pictures)
    return write_forms(content, book, target)


def write_forms(content: ReportContent, book: Book, target: ReportTarget) -> tuple[Path, ...]:
    """Write a report in the forms that are asked for; returns the files written.

    All are made before any is written, and each takes the place of an older one when it is whole. Raises InputError as
    `write_report`.
    """
    forms: list[tuple[Path, str | bytes]] = []
    files = book.drawn()
    book.step(0.92, "pages")
    if target.pdf is not None:
        forms.append((target.pdf, report_pdf(content, files, book.options.template)))
    if target.html is not None:
        forms.append((target.html, report_html(content, files, book.options.template)))
    if target.json is not None:
        forms.append((target.json, content.model_dump_json(indent=1) + "\n"))
    if target.csv is not None:
        forms += [(target.csv / name, text) for name, text in report_csv(content).items()]
    if target.pages is not None:
        pages = report_pages(content, files, template=book.options.template)
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
