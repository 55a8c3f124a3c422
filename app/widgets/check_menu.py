"""A menu of choices that stays open while they are made."""

from __future__ import annotations

from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMenu


class CheckMenu(QMenu):
    """A click on an entry that can be checked does not close the menu."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.activeAction()
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
            event.accept()
        else:
            super().mouseReleaseEvent(event)
