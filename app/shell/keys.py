"""Single keys mean the same wherever the focus is: Space plays, Enter presses the button that has the focus.

A click on a button leaves the focus there, so in the window Space cannot be the key that presses buttons, too: whoever
presses it means to play, as in every program for films. What is typed into keeps its keys, and so does the box of a
table under the cursor of the keyboard. In dialogs buttons answer to Space as everywhere.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDockWidget,
    QWidget,
)

_PLAIN = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.KeypadModifier,
)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
OWN_KEYS = "own_keys"  # property of a part of the window that is answered like a dialog


class KeyKeeper(QObject):
    """Keeps keys for the widget that has the focus, and Space from buttons.

    It filters the events of that widget alone: a filter of the whole application would be called for every event.
    """

    def __init__(self, application: QApplication, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        application.focusChanged.connect(self._on_focus)

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if isinstance(now, QAbstractButton | QAbstractItemView | QComboBox):
            now.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.modifiers() not in _PLAIN:
            return False
        if event.type() == QEvent.Type.ShortcutOverride and self._is_wanted(watched, event):
            event.accept()
            return True
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) or not self._plays(watched):
            return False
        if isinstance(watched, QAbstractButton) and event.key() in _ENTER:
            if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
                watched.click()
            return True
        # it arrives only while there is nothing to play
        return event.key() == Qt.Key.Key_Space and not isinstance(watched, QAbstractItemView)

    def _plays(self, widget: QObject) -> bool:
        """Whether Space plays while a widget has the focus: in the window and in panels that were taken out of it."""
        if not isinstance(widget, QWidget):
            return False
        top = widget.window()
        if top is not self._window and not isinstance(top, QDockWidget):
            return False
        above: QWidget | None = widget
        while above is not None and not above.property(OWN_KEYS):
            above = above.parentWidget()
        return above is None and not (isinstance(widget, QComboBox) and widget.isEditable())

    def _is_wanted(self, widget: QObject, event: QKeyEvent) -> bool:
        space = event.key() == Qt.Key.Key_Space
        if isinstance(widget, QAbstractButton | QComboBox):
            return space and not self._plays(widget)
        if not isinstance(widget, QAbstractItemView):
            return False
        triggers = QAbstractItemView.EditTrigger
        if space:
            here = widget.currentIndex()
            return bool(here.flags() & Qt.ItemFlag.ItemIsUserCheckable) and (
                here.data(Qt.ItemDataRole.CheckStateRole) is not None
            )
        typed = bool(widget.editTriggers() & triggers.AnyKeyPressed)
        own = event.key() == Qt.Key.Key_Delete  # its own row is deleted
        return own or (typed and event.text().isprintable() and bool(event.text()))
