"""The Add button and what it offers: of the row that is picked, or of what is selected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from ...core.base.errors import InputError
from ..document.document import Document
from ..document.selection import Selection
from ..widgets import dialogs, icons, units
from . import tree_edits
from .tree_nodes import Node, project_nodes


def node_of(document: Document, selection: Selection) -> Node | None:
    """The section, or the assembly that is selected or holds what is selected, if something can be added to it."""
    key: tuple[str, ...] = (selection.kind, *selection.path)
    if selection.kind == "points":
        key = ("section", *selection.path)
    above = _way(project_nodes(document.project), key)
    holders = [node for node in above if node.key[0] in ("assembly", "track", "section")]
    return next((node for node in reversed(holders) if can_add(document, node)), None)


def _way(nodes: tuple[Node, ...], key: tuple[str, ...]) -> tuple[Node, ...]:
    """The rows from the top down to the one of a key; none when there is no such row."""
    for node in nodes:
        below = (node,) if node.key == key else _way(node.children, key)
        if below:
            return below if node.key == key else (node, *below)
    return ()


def can_add(document: Document, node: Node) -> bool:
    """Whether something can be added to what a row stands for."""
    return node.key[0] in ("track", "section") or bool(tree_edits.additions(document, node))


def fill_additions(
    menu: QMenu, document: Document, node: Node, do: Callable[[Callable[[], None]], None]
) -> None:
    """Put all that a row offers to add into a menu; do: carries an edit out and tells of refusals."""
    inner: dict[str, QMenu] = {}
    for entry in tree_edits.additions(document, node):
        if entry.menu and entry.menu not in inner:
            inner[entry.menu] = menu.addMenu(icons.icon(entry.icon), entry.menu)
        action = inner.get(entry.menu, menu).addAction(icons.icon(entry.icon), entry.text)
        action.setToolTip(entry.tip)
        action.triggered.connect(lambda _on=False, entry=entry: do(entry.do))


class AddButton(QToolButton):
    """A button with the menu of what can be added. fill(menu): called each time before the menu is shown."""

    def __init__(self, fill: Callable[[QMenu], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setText("Add")
        self.setIcon(icons.icon("add"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setAccessibleName("Add to what is selected")
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(partial(self._fill, fill))
        self.setMenu(menu)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.setIcon(icons.icon("add"))

    def _fill(self, fill: Callable[[QMenu], None]) -> None:
        menu = self.menu()
        menu.clear()
        fill(menu)
        if menu.isEmpty():
            menu.addAction("Select a section of the track, the train or a part of it first").setEnabled(False)


def carried_out(parent: QWidget, edit: Callable[[], None]) -> None:
    """Do an edit; a refusal is told."""
    try:
        edit()
    except InputError as error:
        dialogs.message(parent, "That is not possible here", units.told(error), bad=True)
