"""Entry for the cars a device acts on: all, the first, the last, or some by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from ...core.base.fields import FieldSpec
from ..widgets.check_menu import CheckMenu
from ..widgets.number_entry import Entry
from ..widgets.plain_words import plain_tip


class CarsEntry(Entry):
    """A button with a menu: one of the words of the field, or ticks at names; a name the train lacks stays listed."""

    def __init__(self, spec: FieldSpec, choices: Sequence[str | None], parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self._names = tuple(name for name in choices if name is not None)
        self._value: str | tuple[str, ...] = "all"
        self.button = QToolButton(self)
        self.button.setAccessibleName(spec.title)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.menu = CheckMenu(self.button)
        self.button.setMenu(self.menu)
        self.row.addWidget(self.button, 1)
        self.setFocusProxy(self.button)

    def set_choices(self, choices: Sequence[str | None]) -> None:
        """The cars of the train, first car first."""
        self._names = tuple(name for name in choices if name is not None)

    def set_value(self, value: Any) -> None:
        self._value = value
        stated = self.spec.words.get(value) if isinstance(value, str) else ", ".join(value)
        self.button.setText(str(stated))
        self.button.setToolTip(plain_tip(str(stated)))
        self._fill()

    def _fill(self) -> None:
        named = () if isinstance(self._value, str) else self._value
        rows: list[tuple[str, str | None, bool]] = []
        rows += [(text, key, self._value == key) for key, text in self.spec.words.items()]
        rows += [(name, None, name in named) for name in dict.fromkeys((*self._names, *named))]
        if [a.text() for a in self.menu.actions() if not a.isSeparator()] != [text for text, *_ in rows]:
            self.menu.clear()
            for k, (text, key, _) in enumerate(rows):
                if k == len(self.spec.words):
                    self.menu.addSeparator()
                action = self.menu.addAction(text)
                action.setCheckable(True)
                action.triggered.connect(lambda _on=False, text=text, key=key: self._chosen(text, key))
        actions = [a for a in self.menu.actions() if not a.isSeparator()]
        for action, (_, _, on) in zip(actions, rows, strict=True):
            action.setChecked(on)

    def _chosen(self, text: str, key: str | None) -> None:
        if key is not None:
            self.given.emit(key)
            return
        named = [] if isinstance(self._value, str) else list(self._value)
        named = [name for name in named if name != text] if text in named else [*named, text]
        order = {name: k for k, name in enumerate(self._names)}
        self.given.emit(tuple(sorted(named, key=lambda name: order.get(name, len(order)))) or "all")
