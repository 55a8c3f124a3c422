"""The bar of workspaces under the menus, and the same as a menu: one entry each, with its key."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton, QWidget

from ..widgets import dialogs
from ..widgets.icons import icon
from .switching import Workspaces

KEYS = 9  # workspaces that have a key


class WorkspaceBar(QToolBar):
    """Buttons of the workspaces; the right button has what else can be done with one. `menu` has the same entries."""

    def __init__(self, workspaces: Workspaces, parent: QWidget) -> None:
        super().__init__("Workspaces", parent)
        self.setObjectName("workspace_bar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._workspaces = workspaces
        self._group = QActionGroup(self)
        self.entries: dict[str, QAction] = {}
        self.menu = QMenu("Workspaces", parent)
        self.menu.setObjectName("workspaces_menu")
        self.menu.setToolTipsVisible(True)
        self.add_action = QAction("New workspace…", self)
        self.add_action.setToolTip("Make a workspace of your own from what is shown now")
        self.add_action.triggered.connect(lambda _=False: self.ask_for_new())
        self._fill()
        workspaces.listed.connect(self._fill)
        workspaces.shown.connect(lambda _one: self._mark())

    def _fill(self) -> None:
        """One entry for each workspace."""
        self.clear()
        self.menu.clear()
        for action in self.entries.values():
            self._group.removeAction(action)
            action.deleteLater()
        self.entries = {}
        for number, one in enumerate(self._workspaces.every, 1):
            action = QAction(one.title.replace("&", "&&"), self)
            action.setCheckable(True)
            if number <= KEYS:
                action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            keys = f" (Ctrl+{number})" if number <= KEYS else ""
            action.setToolTip(f"{one.about}{keys}")
            action.setStatusTip(one.about)
            action.triggered.connect(lambda _=False, key=one.id: self._go(key))
            self._group.addAction(action)
            self.entries[one.id] = action
            self.addAction(action)
            button = self.widgetForAction(action)
            assert isinstance(button, QToolButton)
            button.setProperty("workspace", one.id)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            button.customContextMenuRequested.connect(partial(self._menu_at, button, one.id))
        self.menu.addActions(list(self.entries.values()))
        self.menu.addSeparator()
        self.menu.addAction(self.add_action)
        self.addAction(self.add_action)
        self.add_action.setEnabled(not self._workspaces.full)
        self.refresh_icons()
        self._mark()

    def refresh_icons(self) -> None:
        """Draw the icon in the colours of the theme."""
        self.add_action.setIcon(icon("add"))

    def _go(self, key: str) -> None:
        self._workspaces.go(key)
        self._mark()

    def _mark(self) -> None:
        now = self.entries.get(self._workspaces.now.id)
        if now is not None:
            now.setChecked(True)

    def _menu_at(self, button: QWidget, key: str, place: QPoint) -> None:
        menu = self.menu_of(key)
        menu.exec(button.mapToGlobal(place))
        menu.deleteLater()

    def menu_of(self, key: str) -> QMenu:
        """What can be done with a workspace."""
        menu = QMenu(self)
        menu.addAction("Put its panels back", lambda: self._reset(key))
        menu.addAction(self.add_action)
        if self._workspaces.is_own(key):
            menu.addAction("Rename…", lambda: self.ask_for_name(key))
            menu.addAction("Remove", lambda: self._workspaces.remove(key))
        return menu

    def _reset(self, key: str) -> None:
        self._workspaces.go(key)
        self._workspaces.reset()

    def ask_for_new(self) -> None:
        """Make a workspace of what is shown, under a name that is asked for."""
        title = dialogs.ask_text(self, "New workspace", "Name", f"My {self._workspaces.now.title.lower()}")
        if title is not None:
            self._workspaces.add(title)

    def ask_for_name(self, key: str) -> None:
        """Give a workspace of one's own another name."""
        title = dialogs.ask_text(self, "Rename workspace", "Name", self.entries[key].text())
        if title is not None:
            self._workspaces.rename(key, title)
