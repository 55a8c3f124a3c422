"""A table whose rows are copied, pasted and deleted as a whole, and the buttons that go with one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)

from . import icons

Key = QKeySequence.StandardKey


class RowTable(QTableView):
    """Keys do what `keys` says; others are those of any table. Tab leaves it; while typing it goes to the next cell."""

    def __init__(self, parent: QWidget, keys: Mapping[QKeySequence.StandardKey, Callable[[], None]]) -> None:
        super().__init__(parent)
        self._keys = keys
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)

    def show_rows(self, model: QAbstractItemModel, delegate: QAbstractItemDelegate, name: str) -> None:
        """Show the rows of a model, columns as wide as their texts; name: for who hears the table."""
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setAccessibleName(name)
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = next((act for key, act in self._keys.items() if event.matches(key)), None)
        super().keyPressEvent(event) if act is None else act()


def row_tabs(name: str) -> QTabBar:
    """Tabs of several lists above one table; name: for who hears them."""
    tabs = QTabBar()
    tabs.setAccessibleName(name)
    tabs.setDrawBase(False)
    tabs.setExpanding(False)
    return tabs


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
