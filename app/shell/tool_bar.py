"""The tool bar: what is always at hand, and the tools of the workspace that is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

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
        self._of_workspace: list[QAction] = []
        always = [declared for declared in ACTIONS if declared.tool]
        groups = [[one for one in always if (one.menu == "Run") is run] for run in (False, True)]
        for declared in groups[0]:
            self._dress(declared, self.addAction)
        self._behind = self.addSeparator()  # what comes with the workspace stands before it
        for declared in groups[1]:
            self._dress(declared, self.addAction)

    def use(self, workspace: Workspace) -> None:
        """Have the tools of a workspace besides those that are always there."""
        for action in self._of_workspace:
            self.removeAction(action)
        always = set(self.actions())
        self._of_workspace = [self.insertSeparator(self._behind)] if workspace.tools else []
        for declared in workspace.tools:
            action = self._actions[declared]
            if action not in always:
                self._dress(
                    declared, lambda a: self.insertAction(self._behind, a), declared is workspace.tools[0]
                )
                self._of_workspace.append(action)

    def _dress(
        self, declared: Action[Any, Any], add: Callable[[QAction], object], first: bool = False
    ) -> None:
        """Add the button of an action; the first tool of a workspace and Run say what they are."""
        action = self._actions[declared]
        add(action)
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        button.setObjectName(f"tool_{declared.id}")
        if action.menu() is not None:
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        if first or declared is RunCommands.run:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
