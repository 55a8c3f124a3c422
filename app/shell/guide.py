"""The user guide of resources/guide in a window of its own: contents, pages with pictures and links, search."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.sentence import counted
from ..widgets import theme
from ..widgets.icons import icon
from ..widgets.window_size import resize_on_screen

FIRST = ("first-tasks", "first-ride", "studio", "track", "model", "simulate", "criteria")
MARGIN = 24  # px around the text
WIDEST = 900  # px of a picture


def pages() -> tuple[Path, ...]:
    """The pages of the guide, those a beginner needs first."""
    folder = Path(str(resources.files("ridewright.resources"))) / "guide"
    found = sorted(folder.glob("*.md"))
    return tuple(sorted(found, key=lambda page: FIRST.index(page.stem) if page.stem in FIRST else len(FIRST)))


def title(page: Path) -> str:
    """The heading of a page."""
    with page.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip() or page.stem


class _Page(QTextBrowser):
    """A page whose pictures are as wide as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.folder = Path()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(80)
        self._later.timeout.connect(self._fit)
        self._text, self._width = "", 0

    def show_text(self, text: str) -> None:
        """Show a page written in Markdown."""
        self._text, self._width = text, self._room()
        self.document().clear()
        self.setMarkdown(text)
        self.document().setDocumentMargin(MARGIN)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        picture = QImage(str(self.folder / QUrl(name).toString()))
        if picture.isNull():
            return picture
        ratio = self.devicePixelRatioF()
        wide = min(self._room(), WIDEST, picture.width()) * ratio
        scaled = picture.scaledToWidth(round(wide), Qt.TransformationMode.SmoothTransformation)
        scaled.setDevicePixelRatio(ratio)
        return scaled

    def _room(self) -> int:
        return max(160, self.viewport().width() - 2 * MARGIN - 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later.start()

    def _fit(self) -> None:
        if self._room() != self._width and "](" in self._text:
            place = self.verticalScrollBar().value()
            self.show_text(self._text)
            self.verticalScrollBar().setValue(place)


class GuideWindow(QWidget):
    """Search and contents on the left, the page on the right. F3 goes to the next place found, Alt+Left back."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Ridewright user guide")
        resize_on_screen(self, 1080, 760)
        self._pages = pages()
        self._texts = [page.read_text(encoding="utf-8") for page in self._pages]
        self._before: list[int] = []
        self.text = _Page()
        self.text.anchorClicked.connect(self._follow)
        split = QSplitter()
        split.addWidget(self._make_side())
        split.addWidget(self.text)
        split.setSizes([260, 820])
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)
        for keys, call in (
            ("Ctrl+F", self.search.setFocus),
            ("F3", self.find_next),
            ("Alt+Left", self.back),
            ("Escape", self.close),
        ):
            QShortcut(QKeySequence(keys), self, call)
        self._list()
        self.contents.setCurrentRow(0)

    def sizeHint(self) -> QSize:
        return QSize(1080, 760)

    def _make_side(self) -> QWidget:
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search the guide")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._list)
        self.search.returnPressed.connect(self.find_next)
        self.back_button = QToolButton()
        self.back_button.setIcon(icon("step-back"))
        self.back_button.setToolTip("Back to the page before (Alt+Left)")
        self.back_button.setEnabled(False)
        self.back_button.clicked.connect(self.back)
        self.contents = QListWidget()
        self.contents.currentItemChanged.connect(self._on_current)
        self.found = QLabel()
        self.found.setProperty("role", "muted")
        self.found.setWordWrap(True)
        row = QHBoxLayout()
        row.addWidget(self.back_button)
        row.addWidget(self.search, 1)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.contents, 1)
        column.addWidget(self.found)
        return side

    @property
    def page(self) -> str:
        """Name of the page that is shown, without its ending."""
        item = self.contents.currentItem()
        return "" if item is None else str(self._pages[item.data(Qt.ItemDataRole.UserRole)].stem)

    def show_page(self, name: str) -> None:
        """Show a page by its name."""
        numbers = [k for k, page in enumerate(self._pages) if page.stem == name]
        if not numbers:
            return
        if self._row_of(numbers[0]) is None:
            self.search.clear()
        row = self._row_of(numbers[0])
        if row is not None:
            self.contents.setCurrentRow(row)

    def show_heading(self, heading: str) -> None:
        """Scroll the page to a heading."""
        block = self.text.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() > 0 and block.text().strip() == heading.replace("`", ""):
                cursor = QTextCursor(block)
                self.text.setTextCursor(cursor)
                bar = self.text.verticalScrollBar()
                bar.setValue(bar.value() + self.text.cursorRect(cursor).top() - MARGIN)
                return
            block = block.next()

    def find_next(self) -> None:
        """Go to the next place of the searched words in the page, from the top again after the last."""
        wanted = self.search.text().strip()
        if wanted and not self.text.find(wanted):
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self.text.find(wanted)

    def back(self) -> None:
        """Show the page before."""
        if len(self._before) > 1:
            self._before.pop()
            self.show_page(self._pages[self._before.pop()].stem)

    # -- contents

    def _row_of(self, number: int) -> int | None:
        rows = range(self.contents.count())
        return next((r for r in rows if self.contents.item(r).data(Qt.ItemDataRole.UserRole) == number), None)

    def _list(self) -> None:
        """The pages that hold the searched words, with how often."""
        wanted = self.search.text().strip().lower()
        shown = self.page
        self.contents.blockSignals(True)
        self.contents.clear()
        total = 0
        for number, text in enumerate(self._texts):
            times = text.lower().count(wanted) if wanted else 0
            if wanted and not times:
                continue
            total += times
            name = title(self._pages[number])
            item = QListWidgetItem(f"{name}  ({times})" if wanted else name)
            item.setData(Qt.ItemDataRole.UserRole, number)
            self.contents.addItem(item)
        self.contents.blockSignals(False)
        count = self.contents.count()
        self.found.setVisible(bool(wanted))
        self.found.setText(
            f"{counted(total, 'place')} on {counted(count, 'page')}; Enter goes to the next."
            if count
            else "Nothing found. Try a shorter word."
        )
        kept = [k for k, page in enumerate(self._pages) if page.stem == shown]
        row = self._row_of(kept[0]) if kept else None
        if count:
            self.contents.setCurrentRow(row or 0)
        self._mark()

    def _on_current(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        number = item.data(Qt.ItemDataRole.UserRole)
        if self._before and self._before[-1] == number:
            self._mark()
            return
        self._before.append(number)
        self.back_button.setEnabled(len(self._before) > 1)
        self.text.folder = self._pages[number].parent
        self.text.show_text(self._texts[number])
        self._mark()

    def _mark(self) -> None:
        """Mark the searched words in the page."""
        wanted = self.search.text().strip()
        marks: list[QTextEdit.ExtraSelection] = []
        look = QTextCharFormat()
        look.setBackground(QColor(theme.current().selection))
        cursor = QTextCursor(self.text.document())
        while wanted:
            cursor = self.text.document().find(wanted, cursor)
            if cursor.isNull():
                break
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, look
            marks.append(mark)
        self.text.setExtraSelections(marks)

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
            return
        file = self.text.folder / url.path()
        if file.suffix not in ("", ".md"):  # a notebook: shown by what the system has for it
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))
            return
        self.show_page(Path(url.fileName()).stem)
