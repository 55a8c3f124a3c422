"""Ctrl+K: type what you want to do, press Enter."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from .findable import Findable

WIDTH = 560
ROWS = 12
MAX_ENTRIES = 200  # entries of the list
# what a word counts less that stands in the menu's name or in the explanation only, and in what is only to be read
OF_PLACE, OF_TIP, TO_READ = 40, 80, 60


def score(wanted: str, text: str) -> int | None:
    """How well a text answers what was typed; larger is better, None is no match.

    Every typed word must occur; a whole word of the text counts most ("loop" is the vertical loop before the Looping
    Star), then the start of the text, then the start of a word. The first letters of the text's words ("sa" for "Save
    as") are the last resort.
    """
    words, low = wanted.lower().split(), text.lower()
    if not words:
        return 0
    total = 0
    for word in words:
        at = low.find(word)
        if at < 0:
            initials = "".join(one[0] for one in low.split())
            return 1 if len(wanted) > 1 and initials.startswith(wanted.lower()) else None
        starts = at == 0 or not low[at - 1].isalnum()
        whole = starts and not low[at + len(word) : at + len(word) + 1].isalnum()
        total += 120 if whole else 100 if at == 0 else 60 if starts else 30
    return total - len(low) // 8


def rank(wanted: str, entry: Findable) -> int | None:
    """As `score`, of the name of an entry before its place and its explanation."""
    best = None
    for less, text in (
        (0, entry.text),
        (OF_PLACE, f"{entry.text} {entry.place}"),
        (OF_TIP, f"{entry.tip} {entry.also}"),
    ):
        value = score(wanted, text)
        if value is not None and (best is None or value - less > best):
            best = value - less
    return best if best is None or not entry.read else best - TO_READ


class CommandSearch(QFrame):
    """A field and the entries that answer it, over the window. Deletes itself when it closes."""

    def __init__(self, parent: QWidget, entries: Iterable[Findable]) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setObjectName("command_search")
        self._entries = list(entries)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find a command, an element, an example, a chapter: run, loop, spring…")
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.reason = QLabel()
        self.reason.setProperty("role", "muted")
        self.reason.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        for widget in (self.field, self.list, self.reason):
            layout.addWidget(widget)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(lambda _: self._trigger())
        self.list.currentItemChanged.connect(lambda *_: self._explain())
        self._fill("")
        self.resize(WIDTH, 26 * ROWS + 96)
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - self.width()) // 2, corner.y() + 72)
        self.field.setFocus()

    def _fill(self, wanted: str) -> None:
        self.list.clear()
        found = []
        for number, entry in enumerate(self._entries):
            value = rank(wanted, entry)
            if value is not None:
                # alike: what is less deep in the menus, and then in their order
                found.append((-value, not entry.enabled, entry.place.count("›"), number))
        for *_, number in sorted(found)[:MAX_ENTRIES]:
            entry = self._entries[number]
            item = QListWidgetItem(
                entry.icon, f"{entry.place}  ›  {entry.text}{'    ' + entry.keys if entry.keys else ''}"
            )
            item.setData(Qt.ItemDataRole.UserRole, number)
            if not entry.enabled:
                item.setForeground(self.palette().placeholderText())
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._explain()

    def _current(self) -> Findable | None:
        row = self.list.currentRow()
        if row < 0:
            return None
        number: int = self.list.item(row).data(Qt.ItemDataRole.UserRole)
        return self._entries[number]

    def _explain(self) -> None:
        entry = self._current()
        self.reason.setText("Nothing is called so. Try another word." if entry is None else entry.tip)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = 1 if key == Qt.Key.Key_Down else -1
                self.list.setCurrentRow((self.list.currentRow() + step) % max(1, self.list.count()))
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._trigger()
                return True
        return super().eventFilter(watched, event)

    def _trigger(self) -> None:
        entry = self._current()
        if entry is not None and entry.enabled:
            self.close()
            QTimer.singleShot(
                0, entry.do
            )  # when the key has been dealt with: what a command raises is its own
