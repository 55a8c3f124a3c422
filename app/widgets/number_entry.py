"""Entries of numbers: each shows one value and says when a person has given another."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec
from . import units
from .number_text import read_number, shown_number

SEVERAL = object()  # the selected things differ in this value


class Entry(QWidget):
    """Base: `given` carries the new value in SI, `refused` a sentence; set_value shows a value without signals."""

    given = Signal(object)
    refused = Signal(str)

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(4)

    def set_value(self, value: Any) -> None:
        """Show a value in SI. Every kind of entry has its own; a Qt class cannot be an abstract one."""
        raise NotImplementedError

    def offer(self, read: Callable[[], Any]) -> None:
        """Give on what `read` returns, or its refusal."""
        try:
            value = read()
        except InputError as error:
            self.refused.emit(units.told(error))
            return
        self.given.emit(value)


class CommittedLine(QLineEdit):
    """A line whose text is given by Return or when it is left. While nothing is typed Ctrl+Z and Ctrl+Y are those of
    the design, not those of the line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ""

    def show_text(self, text: str) -> None:
        """Show what holds now."""
        self._shown = text
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)

    @property
    def typed_in(self) -> bool:
        """Whether something is typed that has not been given yet."""
        return self.text() != self._shown

    def take(self) -> bool:
        """Let what is typed hold from now on; whether that is something else than before."""
        typed, self._shown = self.typed_in, self.text()
        return typed

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and not self.typed_in:
            keys = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
            if isinstance(event, QKeyEvent) and any(event.matches(key) for key in keys):
                event.ignore()
                return False
        return super().event(event)


class NumberLine(CommittedLine):
    """One number with steps: Up, Down and, while it has the focus, the wheel change it by a tenth of its leading
    digit; Escape takes back typing."""

    typed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stepping = False  # the change comes from a key or wheel step, one of many
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0.000") + 16)
        self.editingFinished.connect(self._finished)

    def has_room_for(self, text: str) -> bool:
        """Whether a text is seen whole."""
        around = self.minimumSizeHint().width() - self.fontMetrics().maxWidth()
        return self.fontMetrics().horizontalAdvance(text) + around <= self.width()

    def _finished(self) -> None:
        if self.take():
            self.typed.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.typed_in:
            self.setText(self._shown)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(1.0 if event.key() == Qt.Key.Key_Up else -1.0)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus() or not event.angleDelta().y():
            event.ignore()  # the page scrolls
            return
        self._step(1.0 if event.angleDelta().y() > 0 else -1.0)
        event.accept()

    def step_size(self) -> float | None:
        """A tenth of the leading digit of the number, in shown units; None without a number."""
        try:
            number = float(self.text())
        except ValueError:
            return None
        return 10.0 ** (math.floor(math.log10(abs(number))) - 1) if number else 0.1

    def _step(self, sign: float) -> None:
        size = self.step_size()
        if size is None:
            return
        self.setText(f"{float(self.text()) + sign * size:.9g}")
        self.stepping = True
        self._finished()
        self.stepping = False


class NumberEntry(Entry):
    """A number with its unit; when optional, empty means None."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self.line = NumberLine(self)
        self.line.setAccessibleName(spec.title)
        self.unit = QLabel(units.label(spec.unit), self)
        self.unit.setProperty("role", "muted")
        self.row.addWidget(self.line, 1)
        self.row.addWidget(self.unit)
        self.line.typed.connect(lambda: self.offer(self._read))
        self.setFocusProxy(self.line)

    def set_value(self, value: Any) -> None:
        several = value is SEVERAL
        self.line.setPlaceholderText("several values" if several else self.spec.empty)
        self.line.show_text("" if several or value is None else shown_number(value, self.spec.unit))

    def _read(self) -> float | None:
        if not self.line.text().strip() and self.spec.entry == "optional":
            return None
        return read_number(self.line.text(), self.spec.unit, self.spec.title)


class DragLabel(QLabel):
    """The label of a number: dragging it sideways changes the number, by a step every few pixels.

    dragged(value SI) while the mouse moves, let_go() at the end. Shift makes the steps ten times smaller.
    """

    dragged = Signal(float)
    let_go = Signal()
    PIXELS = 4.0  # of the mouse for one step

    def __init__(self, text: str, entry: NumberEntry) -> None:
        super().__init__(text)
        self._entry = entry
        self._from: tuple[float, float, float] | None = None  # place of the mouse, number, step
        self._moved = False
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setToolTip("Drag sideways to change the value")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        size = self._entry.line.step_size()
        if event.button() == Qt.MouseButton.LeftButton and size is not None:
            self._from = (event.globalPosition().x(), float(self._entry.line.text()), size)
            self._moved = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is None:
            return
        begin, number, size = self._from
        fine = 0.1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        steps = int((event.globalPosition().x() - begin) / self.PIXELS)
        if steps or self._moved:
            self._moved = True
            shown = round((number + fine * steps * size) / (fine * size)) * fine * size
            self.dragged.emit(float(units.from_shown(shown, self._entry.spec.unit)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._from is not None and self._moved:
            self.let_go.emit()
        self._from, self._moved = None, False
