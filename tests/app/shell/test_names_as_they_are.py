"""Everything a person may name is named like HTML; no label, tool tip, row or box of the studio renders it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QTextBrowser, QTextEdit, QWidget

from ridewright.app.train.library_page import LibraryPage
from ridewright.app.train.make_train import LoadTrain, MakeTrain
from ridewright.core.model.own_library import save_car
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project, parse_project

sys.path.insert(0, str(Path(__file__).parents[1] / "layout"))

TAG = "<u>"


def named_like_html(project: Project) -> Project:
    """The project with a tag at the head of all its names, wherever they are referred to."""
    data = project.model_dump(mode="json")
    names: set[str] = set()

    def collect(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("name"), str):
                names.add(node["name"])
            for value in node.values():
                collect(value)
        elif isinstance(node, list):
            for value in node:
                collect(value)

    def renamed(node: Any, key: str = "") -> Any:
        if isinstance(node, dict):
            return {k: renamed(v, k) for k, v in node.items()}
        if isinstance(node, list):
            return [renamed(v, key) for v in node]
        if isinstance(node, str) and key not in ("kind", "role", "path", "format"):
            parts = node.split("/")
            if all(part in names or part == "seat" for part in parts):
                return "/".join(part if part == "seat" else TAG + part for part in parts)
        return node

    collect(data)
    return parse_project(renamed(data), "named")


def rich(text: str) -> bool:
    """Whether Qt takes a text for HTML, by a tag in its first line, and finds that of the names in it."""
    return TAG in text and "<" in text.partition("\n")[0]


def _cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[QModelIndex]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    for row in range(min(model.rowCount(parent), 60)):
        for column in range(columns):
            index = model.index(row, column, parent)
            yield index
            if column == 0:
                yield from _cells(model, index)


def rendered(window: QWidget) -> set[str]:
    """What of a window takes a name for HTML: labels, tool tips, tool tips of rows, texts."""
    found = set()
    for widget in (window, *window.findChildren(QWidget)):
        where = f"{type(widget).__name__} {widget.objectName()}"
        if rich(widget.toolTip()):
            found.add(f"tool tip of {where}: {widget.toolTip()[:80]}")
        if rich(widget.whatsThis()) or rich(widget.statusTip()):
            found.add(f"help of {where}")
        if isinstance(widget, QLabel) and TAG in widget.text():
            auto = widget.textFormat() == Qt.TextFormat.AutoText and rich(widget.text())
            if auto or widget.textFormat() in (Qt.TextFormat.RichText, Qt.TextFormat.MarkdownText):
                found.add(f"label {where}: {widget.text()[:80]}")
        shown = isinstance(widget, QTextEdit | QTextBrowser)
        if shown and "underline" in widget.toHtml() and TAG not in widget.toPlainText():
            found.add(f"text {where}: {widget.toPlainText()[:80]}")
        for action in widget.actions():
            if rich(action.toolTip()):
                found.add(f"tool tip of action {action.toolTip()[:80]}")
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            for index in _cells(widget.model(), QModelIndex()):
                tip = index.data(Qt.ItemDataRole.ToolTipRole)
                if isinstance(tip, str) and rich(tip):
                    found.add(f"tool tip of a row of {where} in {widget.window().objectName()}: {tip[:80]}")
    return found


@pytest.mark.nightly
def test_that_no_name_is_taken_for_html(qtbot, studio, unexpected, tmp_path, monkeypatch) -> None:
    from walk import ride_briefly, settle, walk_pages

    monkeypatch.setenv("RIDEWRIGHT_LIBRARY", str(tmp_path / "mine"))
    project = named_like_html(load_example("looping_star"))
    studio.document.start_from(project)
    save_car(project.train.children[0], f"{TAG}Mine", f"{TAG}Note")
    ride_briefly(studio)
    found = set()
    for name in studio.docks:
        studio.show_panel(name)
        panel = studio.panels[name]
        settle(lambda panel=panel: not hasattr(panel, "grid") or panel.grid.complete)
        found |= rendered(studio)
    walk_pages(studio)
    found |= rendered(studio)
    for make in (
        lambda: LibraryPage(studio),
        lambda: MakeTrain(studio.document, studio),
        lambda: LoadTrain(studio.document, studio),
    ):
        dialog = make()
        dialog.show()
        QApplication.processEvents()
        found |= rendered(dialog)
        dialog.close()
    assert unexpected == []
    assert found == set()
