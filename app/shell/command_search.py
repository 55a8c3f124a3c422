"""Ctrl+K: type what you want to do, press Enter."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

WIDTH = 560
ROWS = 12


def score(wanted: str, text: str) -> int | None:
    """How well a text answers what was typed; larger is better, None is no match.

    Every typed word must occur; the start of the text counts most, then the start of a word. Letters in order
    but apart ("svs" for "Save as") are the last resort.
    """
    words, low = wanted.lower().split(), text.lower()
    if not words:
        return 0
    total = 0
    for word in words:
        at = low.find(word)
        if at < 0:
            return _letters("".join(words), low)
        total += 100 if at == 0 else 60 if not low[at - 1].isalnum() else 30
    return total - len(low) // 8


def _letters(wanted: str, text: str) -> int | None:
    rest = iter(text)
    return 1 if len(wanted) > 1 and all(letter in rest for letter in wanted) else None


class CommandSearch(QFrame):
    """A field and the actions that answer it, over the window. Deletes itself when it closes."""

    def __init__(self, parent: QWidget, actions: Iterable[QAction]) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setObjectName("command_search")
        self._actions = list(actions)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find a command: run, theme, on-ride camera…")
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
        for action in self._actions:
            menu = action.data() or ""
            value = score(wanted, f"{action.text()} {menu}")
            if value is not None:
                found.append((-value, not action.isEnabled(), action.text(), action))
        for _, _, _, action in sorted(found, key=lambda row: row[:3]):
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            place = f"{action.data()}  ›  " if action.data() else ""
            item = QListWidgetItem(action.icon(), f"{place}{action.text()}{'    ' + keys if keys else ''}")
            item.setData(Qt.ItemDataRole.UserRole, action)
            if not action.isEnabled():
                item.setForeground(self.palette().placeholderText())
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._explain()

    def _explain(self) -> None:
        item = self.list.currentItem()
        if item is None:
            self.reason.setText("No command is called so. Try another word.")
        else:
            self.reason.setText(item.data(Qt.ItemDataRole.UserRole).toolTip())

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
        item = self.list.currentItem()
        if item is None:
            return
        action: QAction = item.data(Qt.ItemDataRole.UserRole)
        if action.isEnabled():
            self.close()
            action.trigger()
