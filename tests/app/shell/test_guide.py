"""The user guide inside the program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ridewright.app.shell.guide import MARGIN, GuideWindow, pages
from ridewright.app.shell.main_window import MainWindow
from tests.app.settling import until_exposed


@pytest.fixture
def guide(qtbot: object) -> Iterator[GuideWindow]:
    parent = QWidget()
    qtbot.addWidget(parent)  # type: ignore[attr-defined]
    window = GuideWindow(parent)
    window.show()
    until_exposed(qtbot, window)
    yield window
    window.close()
    parent.close()


@pytest.mark.new_window
def test_that_f1_opens_the_guide_at_its_first_page(qtbot, studio: MainWindow) -> None:
    studio.setFocus()
    QTest.keyClick(studio, Qt.Key.Key_F1)
    found = studio.findChild(GuideWindow)
    assert found is not None
    qtbot.waitUntil(found.isVisible, timeout=5000)
    assert found.page == "first-tasks"
    assert "Make a hill higher" in found.text.toPlainText()
    found.close()


def test_that_every_picture_and_link_of_the_guide_leads_somewhere(guide: GuideWindow) -> None:
    names = {page.stem for page in pages()}
    pictures = 0
    for page in pages():
        guide.show_page(page.stem)
        assert guide.page == page.stem
        for is_picture, target in re.findall(r"(!?)\[[^\]]*\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if is_picture:
                image = guide.text.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(target))
                assert not image.isNull(), f"{page.name}: {target}"
                assert image.width() <= guide.text.viewport().width() - 2 * MARGIN
                pictures += 1
            elif target.endswith(".md"):
                assert target.removesuffix(".md") in names, f"{page.name}: {target}"
            elif not target.startswith("http"):
                assert (page.parent / target).is_file(), f"{page.name}: {target}"
    assert pictures >= 5


def test_that_links_lead_to_pages_and_back_leads_back(guide: GuideWindow) -> None:
    guide.show_page("studio")
    guide._follow(QUrl("results-file.md"))
    assert guide.page == "results-file"
    guide.back()
    assert guide.page == "studio"


def test_that_a_notebook_is_left_to_the_system(guide: GuideWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    guide.show_page("python")
    guide._follow(QUrl("notebooks/first-ride.ipynb"))
    assert guide.page == "python"
    assert Path(opened[0]).is_file()


def test_that_search_lists_the_pages_with_the_words_and_goes_from_place_to_place(guide: GuideWindow) -> None:
    every = guide.contents.count()
    QTest.keyClicks(guide.search, "recovery file")
    assert 0 < guide.contents.count() < every
    assert guide.page == "studio"
    assert len(guide.text.extraSelections()) == guide.text.toPlainText().lower().count("recovery file") > 0
    guide.find_next()
    assert guide.text.textCursor().selectedText().lower() == "recovery file"
    guide.search.setText("no such word anywhere")
    assert guide.contents.count() == 0
    assert "Nothing found" in guide.found.text()
    guide.search.clear()
    assert guide.contents.count() == every
