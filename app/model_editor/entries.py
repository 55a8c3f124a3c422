"""Entries of the inspector: each shows one value and says when a person has given another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from ...core.base.fields import FieldSpec
from ...core.base.frames import from_rotation_vector, multiply, rotation_matrix
from ..widgets import theme, units
from ..widgets.number_entry import SEVERAL, CommittedLine, Entry, NumberLine
from ..widgets.number_text import read_number, shown_number
from ..widgets.plain_words import plain_tip

MAX_DIGITS, MIN_DIGITS = 6, 3  # of the numbers of a vector, by the room there is


class VectorEntry(Entry):
    """Three numbers, each marked by its axis in the axis colour; a direction may be absent.

    They show as many digits as they have room for, the tool tip shows all. What was not typed stays exact.
    """

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        c = theme.current()
        self.lines: list[NumberLine] = []
        for axis, colour in zip(spec.axes, (c.axis_x, c.axis_y, c.axis_z), strict=True):
            mark = QLabel(axis, self)
            mark.setStyleSheet(f"color: {colour}; font-weight: 600;")
            line = NumberLine(self)
            line.setAccessibleName(f"{spec.title} {axis}")
            line.setProperty("narrow", True)  # three of them stand side by side
            line.setMinimumWidth(line.fontMetrics().horizontalAdvance("-0.00000") + 10)
            line.typed.connect(lambda: self.offer(self._read))
            self.row.addWidget(mark)
            self.row.addWidget(line, 1)
            self.lines.append(line)
        label = units.label(spec.unit)
        if label:
            unit = QLabel(label, self)
            unit.setProperty("role", "muted")
            self.row.addWidget(unit)
        self._value: Sequence[float] | None = None
        self._texts: tuple[str, ...] = ("", "", "")
        self.setFocusProxy(self.lines[0])

    def set_value(self, value: Any) -> None:
        self._value = value
        for line in self.lines:
            line.setPlaceholderText("none" if value is None else "")
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not any(line.hasFocus() for line in self.lines):
            self._write()

    def _write(self) -> None:
        value = self._value
        self._texts = ("", "", "")
        for digits in range(MAX_DIGITS, MIN_DIGITS - 1, -1):
            if value is None:
                break
            self._texts = tuple(shown_number(v, self.spec.unit, digits) for v in value)
            if all(line.has_room_for(text) for line, text in zip(self.lines, self._texts, strict=True)):
                break
        for k, (line, text) in enumerate(zip(self.lines, self._texts, strict=True)):
            line.show_text(text)
            line.setToolTip("" if value is None else shown_number(value[k], self.spec.unit, 9))

    def _number(self, k: int, text: str) -> float:
        """The number of a line; exact where its text was not changed."""
        if self._value is not None and text == self._texts[k]:
            return float(self._value[k])
        return read_number(text, self.spec.unit, f"{self.spec.title}, {self.spec.axes[k]}")

    def _read(self) -> tuple[float, ...] | None:
        texts = [line.text().strip() for line in self.lines]
        if self.spec.entry == "direction":
            if not any(texts):
                return None
            # a direction has a length only when all of it is typed: what is missing is 0
            texts = [text or "0" for text in texts]
        return tuple(self._number(k, text) for k, text in enumerate(texts))


class AnglesEntry(VectorEntry):
    """Euler parameters, shown and typed as roll, pitch and yaw."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        named = FieldSpec(spec.name, spec.title, "vector", spec.help, "rad", axes=("roll", "pitch", "yaw"))
        super().__init__(named, parent)

    def set_value(self, value: Any) -> None:
        super().set_value(angles_of(value))

    def _read(self) -> tuple[float, ...] | None:
        angles = super()._read()
        return None if angles is None else quaternion_of(*angles)


def angles_of(p: Sequence[float]) -> tuple[float, float, float]:
    """Roll, pitch, yaw (rad) of Euler parameters: A = Rz(yaw) Ry(pitch) Rx(roll); at pitch 90 deg roll is 0."""
    A = rotation_matrix(p)
    pitch = math.atan2(-A[2, 0], math.hypot(A[0, 0], A[1, 0]))
    if math.hypot(A[0, 0], A[1, 0]) < 1e-9:
        return 0.0, pitch, math.atan2(-A[0, 1], A[1, 1])
    return math.atan2(A[2, 1], A[2, 2]), pitch, math.atan2(A[1, 0], A[0, 0])


def quaternion_of(roll: float, pitch: float, yaw: float) -> tuple[float, ...]:
    """Euler parameters of roll, pitch, yaw (rad), see angles_of."""
    z, y, x = (from_rotation_vector(v) for v in ((0.0, 0.0, yaw), (0.0, pitch, 0.0), (roll, 0.0, 0.0)))
    return tuple(float(v) for v in multiply(multiply(z, y), x))


class TextEntry(Entry):
    """One line of text."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self.line = CommittedLine(self)
        self.line.setAccessibleName(spec.title)
        self.row.addWidget(self.line, 1)
        self.line.editingFinished.connect(self._finished)
        self.setFocusProxy(self.line)

    def set_value(self, value: Any) -> None:
        text = str(value)
        if self.line.text() != text:
            self.line.setToolTip(plain_tip(text))
        self.line.show_text(text)

    def _finished(self) -> None:
        if self.line.take():
            self.given.emit(self.line.text().strip())


class _Lines(QPlainTextEdit):
    left = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class LongTextEntry(Entry):
    """Several lines of text, taken over when the entry is left."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self.edit = _Lines(self)
        self.edit.setAccessibleName(spec.title)
        self.edit.setTabChangesFocus(True)
        self.edit.setFixedHeight(4 * self.edit.fontMetrics().lineSpacing() + 16)
        self._shown = ""
        self.row.addWidget(self.edit, 1)
        self.edit.left.connect(self._finished)
        self.setFocusProxy(self.edit)

    def set_value(self, value: Any) -> None:
        self._shown = str(value)
        if self.edit.toPlainText() != self._shown:
            self.edit.setPlainText(self._shown)

    def _finished(self) -> None:
        if self.edit.toPlainText() != self._shown:
            self._shown = self.edit.toPlainText()
            self.offer(lambda: self.read(self._shown))

    def read(self, text: str) -> Any:
        """The value the text stands for."""
        return text


class _Choices(QComboBox):
    """A list of choices that leaves the wheel to the page it stands on."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceEntry(Entry):
    """One of several; the wheel over a closed list scrolls the page instead of changing the value."""

    def __init__(self, spec: FieldSpec, choices: Sequence[str | None], parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self.box = _Choices(self)
        self.box.setAccessibleName(spec.title)
        self.box.setMinimumContentsLength(8)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.row.addWidget(self.box, 1)
        self.set_choices(choices)
        self.box.activated.connect(lambda k: self.given.emit(self.box.itemData(k)))
        self.setFocusProxy(self.box)

    def set_choices(self, choices: Sequence[str | None]) -> None:
        if [self.box.itemData(k) for k in range(self.box.count())] == list(choices):
            return
        self.box.clear()
        for choice in choices:
            text = self.spec.empty if choice is None else self.spec.words.get(choice, choice)
            self.box.addItem(text, choice)

    def set_value(self, value: Any) -> None:
        values = [self.box.itemData(k) for k in range(self.box.count())]
        self.box.setCurrentIndex(values.index(value) if value in values else -1)
        self.box.setToolTip(plain_tip(self.box.currentText()))


class FlagEntry(Entry):
    """Yes or no."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self.box = QCheckBox(spec.title, self)
        self.row.addWidget(self.box, 1)
        self.box.clicked.connect(lambda on: self.given.emit(bool(on)))
        self.setFocusProxy(self.box)

    def set_value(self, value: Any) -> None:
        self.box.setTristate(value is SEVERAL)
        if value is SEVERAL:
            self.box.setCheckState(Qt.CheckState.PartiallyChecked)
        else:
            self.box.setChecked(bool(value))
