"""A table whose rows are copied, pasted and deleted as a whole, and the buttons that go with one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QTableView, QToolButton, QWidget

from . import icons

Key = QKeySequence.StandardKey


class RowTable(QTableView):
    """Keys do what `keys` says; others are those of any table."""

    def __init__(self, parent: QWidget, keys: Mapping[QKeySequence.StandardKey, Callable[[], None]]) -> None:
        super().__init__(parent)
        self._keys = keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = next((act for key, act in self._keys.items() if event.matches(key)), None)
        super().keyPressEvent(event) if act is None else act()


def row_button(icon: str, text: str, tip: str, do: Callable[[], None]) -> QToolButton:
    """A button with its text and, where it has one, an icon ("": none)."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    if icon:
        button.setIcon(icons.icon(icon))
        button.setProperty("icon_name", icon)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.clicked.connect(do)
    return button


def restyle_buttons(buttons: Iterable[QToolButton]) -> None:
    """Draw their icons in the colours of the theme."""
    for button in buttons:
        if button.property("icon_name"):
            button.setIcon(icons.icon(str(button.property("icon_name"))))
