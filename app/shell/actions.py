"""One QAction for each action that the groups of commands declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from ..widgets.icons import icon
from .commands.declared import Action, Group
from .commands.groups import ACTIONS
from .studio import Studio


class Actions(QObject):
    """The QActions by what they were declared as: `actions[RunCommands.run]`; and by id, the name of the method."""

    def __init__(self, studio: Studio, groups: Iterable[Group], parent: QObject) -> None:
        """groups: one of every class that declares actions."""
        super().__init__(parent)
        self._studio = studio
        self._groups = {type(group): group for group in groups}
        self._parent = parent
        self.by_id = {declared.id: self._make(declared) for declared in ACTIONS}
        self.refresh_icons()
        self.refresh()

    def __getitem__(self, declared: Action[Any, Any]) -> QAction:
        return self.by_id[declared.id]

    def _make(self, declared: Action[Any, Any]) -> QAction:
        action = QAction(declared.text, self._parent)
        action.setObjectName(declared.id)
        if declared.shortcut:
            action.setShortcuts(QKeySequence.listFromString(declared.shortcut))
        action.setCheckable(declared.on_now is not None)
        group = self._groups[declared.owner]
        action.triggered.connect(lambda _on=False: self._do(getattr(group, declared.id), declared))
        return action

    def _do(self, method: Any, declared: Action[Any, Any]) -> None:
        if not declared.when.holds(self._studio):
            self.refresh()  # it was enabled by what was there a moment ago
            return
        try:
            method()
        finally:
            if declared.on_now is not None:  # Qt has switched it already, whatever came of it
                self.refresh()

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the theme."""
        for declared in ACTIONS:
            if declared.icon:
                self[declared].setIcon(icon(declared.icon))

    def refresh(self) -> None:
        """Enable what can be done now; what cannot be done says why."""
        for declared in ACTIONS:
            action = self[declared]
            possible = declared.when.holds(self._studio)
            action.setEnabled(possible)
            tip = declared.tip or declared.text.rstrip("…")
            if not possible:
                tip = f"{tip}. {declared.when.why_not}"
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{tip} ({keys})" if keys else tip)
            action.setStatusTip(tip)
            group = self._groups[declared.owner]
            if declared.text_now is not None:
                action.setText(declared.text_now(group))
            if declared.icon_now is not None:
                action.setIcon(icon(declared.icon_now(group)))
            if declared.on_now is not None:
                action.setChecked(declared.on_now(group))
