"""One QAction for each row of the table of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from ridewright.app.shell.action_table import ACTIONS
from ridewright.app.widgets.icons import icon
from ridewright.app.work.auto_run import is_on

if TYPE_CHECKING:
    from ridewright.app.work.studio import Studio


class Actions(QObject):
    """One QAction for each row of the table, bound to the commands."""

    def __init__(self, studio: Studio, commands: dict[str, object], parent: QObject) -> None:
        """commands: the group name -> the object whose methods the table names."""
        super().__init__(parent)
        self._studio = studio
        self.by_id: dict[str, QAction] = {}
        for spec in ACTIONS:
            action = QAction(spec.text, parent)
            action.setObjectName(spec.id)
            if spec.shortcut:
                action.setShortcut(QKeySequence(spec.shortcut))
            action.setCheckable(spec.checkable)
            group, _, method = spec.call.partition(".")
            call = getattr(commands[group], method)
            action.triggered.connect(lambda _checked=False, call=call: call())
            self.by_id[spec.id] = action
        self.refresh_icons()
        self.refresh()

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the theme."""
        for spec in ACTIONS:
            if spec.icon:
                self.by_id[spec.id].setIcon(icon(spec.icon))

    def refresh(self) -> None:
        """Enable what can be done now; what cannot be done says why."""
        for spec in ACTIONS:
            action = self.by_id[spec.id]
            possible = spec.when.holds(self._studio)
            action.setEnabled(possible)
            tip = spec.tip or spec.text.rstrip("…")
            if not possible:
                tip = f"{tip}. {spec.when.why_not}"
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{tip} ({keys})" if keys else tip)
            action.setStatusTip(tip)
        stack = self._studio.document.undo_stack
        for name, text in (("undo", stack.undoText()), ("redo", stack.redoText())):
            word = name.capitalize()
            self.by_id[name].setText(f"{word} “{text}”" if text else word)
        track = self._studio.document.project.track
        self.by_id["toggle_closed"].setChecked(track is not None and track.closed)
        self.by_id["measure"].setChecked(self._studio.window.measure.on)
        self.by_id["run_after_change"].setChecked(is_on(self._studio.settings))
        self.by_id["play"].setIcon(icon("pause" if self._studio.playback.playing else "play"))
