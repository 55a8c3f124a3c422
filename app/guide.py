"""The user guide of resources/guide in a window of its own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QListWidget, QSplitter, QTextBrowser, QVBoxLayout, QWidget

FIRST = ("studio", "track", "model", "simulate", "criteria")


def pages() -> tuple[Path, ...]:
    """The pages of the guide, those a beginner needs first."""
    folder = Path(str(resources.files("resources"))) / "guide"
    found = sorted(folder.glob("*.md"))
    return tuple(sorted(found, key=lambda page: FIRST.index(page.stem) if page.stem in FIRST else len(FIRST)))


def title(page: Path) -> str:
    """The heading of a page."""
    with page.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip() or page.stem


class GuideWindow(QWidget):
    """Contents on the left, the page on the right."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Ridewright user guide")
        self.resize(960, 720)
        self._pages = pages()
        self.contents = QListWidget()
        self.contents.addItems([title(page) for page in self._pages])
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(24)
        self.text.anchorClicked.connect(self._follow)
        split = QSplitter()
        split.addWidget(self.contents)
        split.addWidget(self.text)
        split.setSizes([220, 740])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)
        self.contents.currentRowChanged.connect(self._show)
        self.contents.setCurrentRow(0)

    def _show(self, row: int) -> None:
        if 0 <= row < len(self._pages):
            self.text.setSearchPaths([str(self._pages[row].parent)])
            self.text.setMarkdown(self._pages[row].read_text(encoding="utf-8"))

    def _follow(self, url: QUrl) -> None:
        names = [page.name for page in self._pages]
        if url.fileName() in names:
            self.contents.setCurrentRow(names.index(url.fileName()))
