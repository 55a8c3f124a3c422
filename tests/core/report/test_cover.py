"""The cover of a report, templates of the user's own, and pages that are used."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.report.book import Book, ReportOptions
from ridewright.core.report.content import build_content
from ridewright.core.report.html import report_html
from ridewright.core.report.run_view import RunView
from ridewright.core.report.write import ReportTarget, report_pages, report_pdf, write_report
from tests.core.report.conftest import DATE

pytest.importorskip("typst")
matplotlib = pytest.importorskip("matplotlib")
PdfReader = pytest.importorskip("pypdf").PdfReader

MIN_USED = 0.55  # of the height of a page, from its head to the last ink


@pytest.fixture(scope="module")
def logo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from matplotlib.image import imsave

    file = tmp_path_factory.mktemp("logo") / "logo.png"
    imsave(file, np.tile(np.array([[0.1, 0.3, 0.6]]), (9, 30, 1)))
    return file


@pytest.fixture(scope="module")
def made(view: RunView, logo: Path):
    options = ReportOptions(
        date=DATE, author="Ann Author", checker="Carl Checker", revision="B2", logo=str(logo), moments=2
    )
    book = Book(options)
    return build_content(view, book), book.files


def test_that_the_cover_names_who_signs_the_revision_and_shows_the_logo(made, logo: Path) -> None:
    content, files = made
    assert [(s.role, s.name) for s in content.title.signatures] == [
        ("Prepared by", "Ann Author"), ("Checked by", "Carl Checker"), ("Approved by", "")
    ]  # fmt: skip
    first = PdfReader(io.BytesIO(report_pdf(content, files))).pages[0]
    text = first.extract_text()
    for word in ("Ann Author", "Carl Checker", "Approved by", "Date, signature", "Revision", "B2"):
        assert word in text, word
    assert len(first.images) == 1
    page = report_html(content, files)
    assert base64.b64encode(logo.read_bytes()).decode() in page
    assert "<th>Approved by</th>" in page
    # without names there is nothing to sign
    plain = content.title.model_copy(update={"signatures": (), "logo": "", "revision": ""})
    page = report_html(content.model_copy(update={"title": plain}), files)
    assert "Date, signature" not in page


def test_that_no_page_but_the_last_is_left_half_empty(made) -> None:
    from matplotlib.image import imread

    used = []
    for data in report_pages(*made, ppi=40.0):
        page = imread(io.BytesIO(data))[..., :3].mean(axis=2)
        height = len(page)
        ink = np.flatnonzero((page[: int(0.93 * height)] < 0.8).any(axis=1))  # the foot stands below
        used.append(ink[-1] / height)
    assert len(used) > 5
    assert min(used[1:-1]) > MIN_USED, used


def test_that_a_folder_of_templates_takes_the_place_of_the_programs(made, ride, tmp_path: Path) -> None:
    content, files = made
    (tmp_path / "report.html").write_text(
        "<h1>Our park</h1>$head$contents$body$fonts$title", encoding="utf-8"
    )
    assert report_html(content, files, str(tmp_path)).startswith("<h1>Our park</h1>")
    (tmp_path / "report.typ").write_text(
        '#let d = json("content.json")\nOur #d.title.project', encoding="utf-8"
    )
    text = PdfReader(io.BytesIO(report_pdf(content, files, str(tmp_path)))).pages[0].extract_text()
    assert text.strip() == f"Our {content.title.project}"
    (tmp_path / "report.typ").write_text("#nothing-of-this-name", encoding="utf-8")
    with pytest.raises(InputError, match="does not take this template"):
        report_pdf(content, files, str(tmp_path))
    (tmp_path / "report.html").write_text("$nothing", encoding="utf-8")
    with pytest.raises(InputError, match="nothing"):
        report_html(content, files, str(tmp_path))
    # refused before any work is done
    empty = tmp_path / "empty"
    empty.mkdir()
    for options, words in (
        ({"template": str(empty)}, "neither report.typ nor report.html"),
        ({"logo": str(tmp_path / "logo.gif")}, "a logo is a .png"),
        ({"logo": str(tmp_path / "gone.png")}, "gone.png"),
    ):
        target = ReportTarget(html=tmp_path / "r.html")
        with pytest.raises(InputError, match=words):
            write_report(*ride, target, options=ReportOptions(date=DATE, **options))
        assert not (tmp_path / "r.html").exists()
