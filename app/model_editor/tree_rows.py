"""The rows of the project tree: what is dropped on one is handed on, and they follow from what that changes."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QBrush, QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeWidget, QTreeWidgetItem, QWidget

from ..document.document import Document
from ..widgets import theme
from ..widgets.people_drag import carried_by
from ..work.seating import seating_of
from . import tree_edits
from .tree_nodes import Node

NAME = 0  # column
ROLE = Qt.ItemDataRole.UserRole
FLAGS = {
    (renamed, movable): Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDropEnabled
    | (Qt.ItemFlag.ItemIsEditable if renamed else Qt.ItemFlag.NoItemFlags)
    | (Qt.ItemFlag.ItemIsDragEnabled if movable else Qt.ItemFlag.NoItemFlags)
    for renamed in (False, True) for movable in (False, True)
}  # fmt: skip


class Panel(Protocol):
    """What the rows need of the panel that they are in."""

    @property
    def document(self) -> Document:
        """Whose rows these are."""

    def seat_of(self, item: QTreeWidgetItem) -> str | None:
        """The path of the seat that somebody is put on who is dragged onto a row."""

    def dropped(
        self,
        dragged: QTreeWidgetItem,
        target: QTreeWidgetItem,
        position: QAbstractItemView.DropIndicatorPosition,
    ) -> None:
        """A row was dragged onto, above or below another."""

    def delete_current(self) -> None:
        """Delete was pressed."""


class TreeRows(QTreeWidget):
    """The rows; a drop is handed to the panel, which edits the project, and the rows follow from that."""

    def __init__(self, panel: Panel, parent: QWidget) -> None:
        super().__init__(parent)
        self._panel = panel

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if carried_by(event.mimeData()) is not None:
            event.acceptProposedAction()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        if carried_by(event.mimeData()) is not None:
            item = self.itemAt(event.position().toPoint())
            event.setAccepted(item is not None and self._panel.seat_of(item) is not None)

    def dropEvent(self, event: QDropEvent) -> None:
        target = self.itemAt(event.position().toPoint())
        somebody = carried_by(event.mimeData())
        if somebody is not None:
            seat = None if target is None else self._panel.seat_of(target)
            event.setAccepted(seat is not None)
            if seat is not None:
                seating_of(self._panel.document).seat(seat, somebody)
            return
        position = self.dropIndicatorPosition()
        event.setDropAction(Qt.DropAction.IgnoreAction)  # the view must not move rows by itself
        event.accept()
        dragged = self.currentItem()
        if dragged is not None and target is not None and dragged is not target:
            self._panel.dropped(dragged, target, position)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._panel.delete_current()
        else:
            super().keyPressEvent(event)

    def edit(self, index: QModelIndex, *rest: Any) -> Any:  # type: ignore[override]
        if rest and index.column() != NAME:
            return False
        return super().edit(index, *rest)


def row_of(parent: QTreeWidgetItem, node: Node) -> QTreeWidgetItem:
    """A row for a node, without the icon, which says what is wrong."""
    item = QTreeWidgetItem(parent, [node.text, node.note])
    item.setData(NAME, ROLE, node)
    sentence = f"{node.text}, {node.note}" if node.note else node.text
    item.setData(NAME, Qt.ItemDataRole.AccessibleTextRole, sentence)
    if node.faded:
        item.setForeground(NAME, QBrush(QColor(theme.current().muted)))
    item.setFlags(FLAGS[tree_edits.can_rename(node), node.movable])
    return item
