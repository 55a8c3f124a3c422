"""PDF, HTML, CSV and JSON say the same, and the same every time."""

from __future__ import annotations

import csv
import html
import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.report.book import ReportOptions, Stopped
from ridewright.core.report.cells import MINUS
from ridewright.core.report.dates import date_words, time_words
from ridewright.core.report.document import Cell, Facts, Moment, ReportContent, Table
from ridewright.core.report.run_view import RunView
from ridewright.core.report.write import ReportTarget, on_paper_only, table_file, write_report
from tests.core.report.conftest import DATE, OPTIONS, Written, ridden

PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def packed(text: str) -> str:
    """Text without any space, so that breaks of lines do not matter."""
    return re.sub(r"\s", "", text)


def numbers(content: ReportContent) -> list[tuple[Cell, ...]]:
    """Every printed row of cells in the report: of tables, of named figures, of moments."""
    rows: list[tuple[Cell, ...]] = [(one.cell,) for one in content.title.facts]
    for block in content.blocks():
        if isinstance(block, Table):
            rows += block.rows[: block.printed_rows] if block.printed else ()
        elif isinstance(block, Facts | Moment):
            rows += [(one.cell,) for one in block.entries]
    return rows


class Tables(HTMLParser):
    """Cells of the tables of a page by the id of the table."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.ids: list[str] = []
        self.links: list[str] = []
        self._table, self._cell = "", False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"]] if given.get("id") else []
        self.links += [str(given[key]) for key in ("src", "href", "xlink:href") if given.get(key)]
        if tag == "table":
            self._table = given.get("id") or "?"
            self.rows.setdefault(self._table, [])
        elif tag == "tr" and self._table:
            self.rows[self._table].append([])
        elif tag == "td" and self._table:
            self.rows[self._table][-1].append("")
            self._cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._cell = False
        elif tag == "table":
            self._table = ""

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.rows[self._table][-1][-1] += data


@pytest.fixture(scope="module")
def pdf_text(written: Written) -> str:
    pypdf = pytest.importorskip("pypdf", reason="reads the PDF back (extra 'dev')")
    return packed("".join(page.extract_text() for page in pypdf.PdfReader(written.target.pdf).pages))


@pytest.fixture(scope="module")
def page(written: Written) -> Tables:
    return Tables(written.target.html.read_text(encoding="utf-8"))


def test_that_the_pdf_shows_every_row_of_the_json(written: Written, pdf_text: str) -> None:
    rows = [packed("".join(cell.text for cell in row)) for row in numbers(written.content)]
    missing = [row for row in rows if row not in pdf_text]
    # A row that a page break falls into is not in one piece; there can be no more of them than pages.
    assert len(rows) > 250
    assert len(missing) <= 1, missing


def test_that_the_html_shows_every_table_of_the_json(written: Written, page: Tables) -> None:
    for table in written.content.tables():
        shown = [row for row in page.rows[f"{table.id}-table"] if row]
        assert shown == [[cell.text for cell in row] for row in table.rows], table.id


def test_that_the_html_shows_every_named_figure_of_the_json(written: Written, page: Tables) -> None:
    facts = [block for block in written.content.blocks() if isinstance(block, Facts)]
    assert facts
    for block in facts:
        shown = [packed(row[0]) for row in page.rows[f"{block.id}-figures"]]
        assert shown == [packed(one.cell.text + one.unit) for one in block.entries]


def test_that_each_shown_number_is_its_value_rounded(written: Written) -> None:
    cells = [cell for row in numbers(written.content) for cell in row if cell.value is not None]
    assert len(cells) > 500
    for cell in cells:
        if cell.text.startswith("<"):
            assert 0.0 < abs(cell.value) < float(cell.text[1:])
            continue
        shown = cell.text.replace(MINUS, "-").replace(" × 10", "e").translate(PLAIN)
        digits, _, exponent = shown.partition("e")
        last = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
        assert abs(float(shown) - cell.value) <= 0.5000001 * last, cell


def test_that_the_csv_tables_hold_the_values_of_the_json(written: Written) -> None:
    for table in written.content.tables():
        text = (written.target.csv / table_file(table)).read_text(encoding="utf-8")
        _, *rows = csv.reader(text.splitlines())
        for row, cells in zip(rows, table.rows, strict=True):
            for shown, cell in zip(row, cells, strict=True):
                assert (
                    (float(shown) == cell.value) if cell.value is not None else (shown == cell.text.strip())
                )


def test_that_the_html_needs_no_other_file(page: Tables) -> None:
    assert page.links
    assert [link for link in page.links if not link.startswith(("data:", "#"))] == []
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)


def test_that_the_same_run_gives_the_same_bytes(written: Written, tmp_path: Path) -> None:
    again = Written(tmp_path, written.run).target
    for form in ("pdf", "html", "json"):
        assert getattr(again, form).read_bytes() == getattr(written.target, form).read_bytes(), form
    for table in written.target.csv.iterdir():
        assert (again.csv / table.name).read_bytes() == table.read_bytes()


def test_that_another_date_changes_the_date_and_nothing_else(drawing: None, tmp_path: Path) -> None:
    later = "2027-01-02T00:00:00+00:00"
    words = (date_words, time_words)
    run = ridden("spatial_double_pendulum", 0.3)
    texts = []
    for date in (DATE, later):
        target = ReportTarget(json=tmp_path / "r.json", html=tmp_path / "r.html")
        write_report(*run, target, options=OPTIONS.model_copy(update={"date": date}))
        texts.append(target.json.read_text(encoding="utf-8") + target.html.read_text(encoding="utf-8"))
    first, second = texts
    assert second.count(later) == first.count(DATE) == 1  # in the JSON alone
    day, moment = (f(DATE) for f in words)
    assert (day, moment) == ("21 November 2026", "21 November 2026, 15:30 (UTC)")
    assert first.count(moment) == 2  # provenance, in both forms
    assert first.count(day) == 4  # and title block
    for f in (lambda date: date, *reversed(words)):
        second = second.replace(f(later), f(DATE))
    assert second == first


def test_that_moments_are_rendered_where_somebody_can_and_drawn_elsewhere(written: Written) -> None:
    moments = [block for block in written.content.blocks() if isinstance(block, Moment)]
    assert [moment.picture for moment in moments] == ["moment_A.svg", "moment_B.png"]
    for moment, wish in zip(moments, written.wishes, strict=True):
        shown = next(one.cell.value for one in moment.entries if one.label == "Time at the place")
        assert shown == wish.time


def test_that_who_draws_is_told_of_all_pictures_before_the_first(written: Written) -> None:
    assert len(written.expected) == 2
    assert [*written.expected] == written.wishes


def test_that_a_page_needs_no_more_rows_than_it_says(written: Written) -> None:
    """Rows left out of its data are not on it, but one, by which it knows that there are more."""
    bare = {table.id: table for table in on_paper_only(written.content).tables()}
    cut = 0
    for table in written.content.tables():
        kept = bare[table.id].rows
        assert kept == table.rows[: len(kept)]
        if not table.printed:
            assert kept == ()
        elif table.printed_rows is None:
            assert kept == table.rows
        else:
            assert len(kept) == min(len(table.rows), table.printed_rows + 1)
        cut += len(table.rows) - len(kept)
    assert cut > 0


def test_that_the_hash_found_beside_is_that_found_at_once(written: Written) -> None:
    plain, beside = RunView(*written.run), RunView(*written.run)
    with ThreadPoolExecutor(1) as pool:
        beside.hash_beside(pool)
        assert beside.results_hash == plain.results_hash


def test_that_a_stopped_report_leaves_no_file(drawing: None, tmp_path: Path) -> None:
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 4

    target = ReportTarget(json=tmp_path / "r.json", html=tmp_path / "r.html")
    with pytest.raises(Stopped):
        write_report(*ridden("spatial_double_pendulum", 0.3), target, options=OPTIONS, should_stop=stop)
    assert len(asked) == 5
    assert list(tmp_path.iterdir()) == []


def test_that_progress_rises_to_the_end(written: Written) -> None:
    shares = written.shares
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < 0.1 < 0.9 < shares[-1] <= 1.0


def test_that_a_date_that_is_none_is_refused(written: Written, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ISO 8601"):
        write_report(
            *written.run, ReportTarget(pdf=tmp_path / "r.pdf"), options=ReportOptions(date="next Tuesday")
        )
    assert list(tmp_path.iterdir()) == []


def test_that_what_looks_like_markup_in_a_name_is_text(drawing: None, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    pypdf = pytest.importorskip("pypdf", reason="reads the PDF back (extra 'dev')")
    name = "#x *y* _z_ $a$ <i>b</i> & @c \\d `e` ~f"
    project, results = ridden("planar_pendulum", 0.3)
    project = project.model_copy(update={"name": name, "notes": "= no heading"})
    target = ReportTarget(pdf=tmp_path / "r.pdf", html=tmp_path / "r.html")
    write_report(project, results, target, options=OPTIONS)
    first = pypdf.PdfReader(target.pdf).pages[0].extract_text()
    assert packed(name) in packed(first)
    assert "=noheading" in packed(first)
    page = target.html.read_text(encoding="utf-8")
    assert html.escape(name, quote=True) in page
    assert "<i>b</i>" not in page
