"""Single-key shortcuts step back where the key has a nearer meaning: buttons, tables that are typed into."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QWidget

_PLAIN = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.KeypadModifier,
)


class KeyKeeper(QObject):
    """Keeps keys for the widget that has the focus.

    It filters the events of that widget alone: a filter of the whole application would be called for every event.
    """

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        application.focusChanged.connect(self._on_focus)

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if isinstance(now, QAbstractButton | QAbstractItemView):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.modifiers() in _PLAIN
            and _is_wanted(watched, event)
        ):
            event.accept()
            return True
        return False


def _is_wanted(widget: QObject, event: QKeyEvent) -> bool:
    if isinstance(widget, QAbstractButton):
        return event.key() == Qt.Key.Key_Space
    if isinstance(widget, QAbstractItemView):
        triggers = QAbstractItemView.EditTrigger
        typed = bool(widget.editTriggers() & triggers.AnyKeyPressed)
        own = event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Delete)  # a box is checked, its own row deleted
        return own or (typed and event.text().isprintable() and bool(event.text()))
    return False
