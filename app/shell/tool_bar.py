"""The tool bar: what is always at hand, and the tools of the workspace that is shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget
from shiboken6 import isValid

from ..widgets.icons import icon
from .actions import Actions
from .commands.declared import Action
from .commands.groups import ACTIONS
from .commands.runs import RunCommands
from .workspaces import Workspace


class ToolBar(QToolBar):
    """Buttons of actions; `use` changes to those of a workspace."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__("Tools", parent)
        self.setObjectName("tool_bar")
        self.setIconSize(QSize(20, 20))
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._actions = actions
        self._first: QToolButton | None = None
        self._of_workspace: list[QAction] = []
        for declared in ACTIONS:
            if declared.tool:
                self._dress(declared)
        self._draw_more()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_more()

    def _draw_more(self) -> None:
        """Qt's button for what has no room, in the colours of the theme."""
        more = self.findChild(QToolButton, "qt_toolbar_ext_button")
        if more is not None:
            more.setIcon(icon("to-end"))
            more.setToolTip("Further tools")

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._word_first(event.size().width())
        super().resizeEvent(event)

    def _word_first(self, width: int) -> None:
        """The first tool of the workspace says what it is where the bar (px) has room for the words."""
        button = self._first
        if button is None or not isValid(button):
            return
        styles = Qt.ToolButtonStyle
        button.setToolButtonStyle(styles.ToolButtonTextBesideIcon)
        if self.sizeHint().width() > width:
            button.setToolButtonStyle(styles.ToolButtonIconOnly)

    def use(self, workspace: Workspace) -> None:
        """Have the tools of a workspace besides those that are always there."""
        for action in self._of_workspace:
            self.removeAction(action)
            if action.isSeparator():
                action.deleteLater()
        self._of_workspace = [self.addSeparator()] if workspace.tools else []
        for declared in workspace.tools:
            self._dress(declared)
            self._of_workspace.append(self._actions[declared])
        first = self.widgetForAction(self._actions[workspace.tools[0]]) if workspace.tools else None
        self._first = first if isinstance(first, QToolButton) else None
        self._word_first(self.width())

    def _dress(self, declared: Action[Any, Any]) -> None:
        """Add the button of an action."""
        action = self._actions[declared]
        self.addAction(action)
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        if action.menu() is not None:
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        if declared is RunCommands.run:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
