"""A button whose menu ticks some of many by their keys, such as seats of the library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton

from ...core.model.library import list_library
from ..widgets.check_menu import CheckMenu


def library(kind: Literal["seat", "restraint"]) -> tuple[tuple[str, str], ...]:
    """Keys and titles of the library."""
    return tuple((entry.key, entry.title) for entry in list_library((kind,)))


class KeysButton(QToolButton):
    """Keys that are ticked in a menu; none is as it is. `offer` says which there are."""

    changed = Signal()

    def __init__(self, as_it_is: str, entries: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._as_it_is = as_it_is
        self._entries: tuple[tuple[str, str], ...] = ()
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(CheckMenu(self))
        self.offer(entries)
        self._on_tick()

    def offer(self, entries: Sequence[tuple[str, str]]) -> None:
        """Keys with their titles; those that were ticked and are still there stay so."""
        if tuple(entries) == self._entries:
            return
        ticked, self._entries = self.keys, tuple(entries)
        self.menu().clear()
        for key, title in entries:
            action = self.menu().addAction(title)
            action.setData(key)
            action.setCheckable(True)
            action.setChecked(key in ticked)
            action.toggled.connect(self._on_tick)
        if self.keys != ticked:
            self._on_tick()

    @property
    def keys(self) -> tuple[str, ...]:
        """Those that are ticked."""
        return tuple(str(action.data()) for action in self.menu().actions() if action.isChecked())

    def tick(self, *keys: str) -> None:
        """Tick these and no others."""
        for action in self.menu().actions():
            action.setChecked(action.data() in keys)

    def _on_tick(self) -> None:
        self.setText(", ".join(self.keys) or self._as_it_is)
        self.changed.emit()
