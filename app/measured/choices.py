"""The choices of the dialog of measured rides, as a form that gives a reading and a mounting."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.wording import worded
from ...core.charts.signals import RIDER_PARTS, in_words
from ...core.injury.mounting import Mounting
from ..document.runs import Run
from .reading import Asked, Reading

DETECTED = ("detected", None)
SEPARATORS = (DETECTED, ("comma", ","), ("semicolon", ";"), ("tab", "\t"), ("bar", "|"), ("space", " "))
UNITS = (DETECTED, ("g", "g"), ("m/s²", "m/s2"))
TIME_UNITS = (DETECTED, ("s", "s"), ("ms", "ms"), ("µs", "us"), ("ns", "ns"))
GRAVITY = (DETECTED, ("in the record", True), ("taken out", False))
ROTATION_UNITS = (DETECTED, ("rad/s", "rad/s"), ("°/s", "deg/s"))
FILTERS = (
    ("none", "none"),
    ("CFC60", "CFC60"),
    ("CFC180", "CFC180"),
    ("CFC600", "CFC600"),
    ("CFC1000", "CFC1000"),
)
PUSHES = (("the sensor's axis", None), ("a launch shows it", "launch"), ("a brake shows it", "brake"))
LONGEST = 1e6  # s


class Choices(QWidget):
    """Everything that may be chosen about a record; `changed` when something was."""

    changed = Signal()

    def __init__(self, path: Path, runs: tuple[Run, ...], riders: tuple[str, ...]) -> None:
        """runs: those the record may be laid over; riders: "<car>/<occupant>", at least one."""
        super().__init__()
        self.path = path
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(8)
        self.separator = self._box(SEPARATORS)
        self.columns = QLineEdit()
        self.columns.setPlaceholderText("found by their names")
        self.columns.setToolTip("Which column is which, by number or name: t=1, ax=4, ay=5, az=6")
        self.columns.editingFinished.connect(self.changed)
        form.addRow("Columns", self.columns)
        self.unit, self.time_unit, self.rotation_unit = map(self._box, (UNITS, TIME_UNITS, ROTATION_UNITS))
        form.addRow("Columns separated by", self.separator)
        form.addRow("Acceleration in", self.unit)
        form.addRow("Time, rotation in", _row(self.time_unit, self.rotation_unit))
        self.gravity = self._box(GRAVITY)
        self.gravity.setToolTip("Taken out of the “linear acceleration” of phones")
        form.addRow("Gravity is", self.gravity)
        self.axes = QLineEdit()
        self.axes.setPlaceholderText("x y z, not known")
        self.axes.setToolTip(
            "Forward, left and up of the rider in axes of the sensor, for example “-y x z”; when it is stated, "
            "a stretch in which gravity leans from that is not taken for rest"
        )
        self.axes.editingFinished.connect(self.changed)
        form.addRow("Forward, left, up are", self.axes)
        self.level = self._check(
            "Turn so that gravity at rest points up", True, "The rider sits upright while the record rests"
        )
        self.bias = self._check("Take off what rests beyond 1 g", False, "The offset of the sensor")
        form.addRow("", self.level)
        form.addRow("", self.bias)
        self.rest_found = self._check("Find the stretch of rest", True, "Or state from when to when it rests")
        self.rest = _stretch(self)
        form.addRow("Rest", self.rest_found)
        form.addRow("", _row(*self.rest, QLabel("s")))
        self.push = self._box(PUSHES)
        self.push_at = _stretch(self)
        form.addRow("Forward is where", self.push)
        form.addRow("", _row(*self.push_at, QLabel("s")))
        self.yaw = self._spin(-360.0, 360.0, "Forward turned to the left by this, after all else", " °")
        form.addRow("Turned to the left by", self.yaw)
        self.filter = self._box(FILTERS)
        self.rate = self._spin(0.0, 1e5, "0 keeps the rate of the record", " Hz")
        self.rate.setSpecialValueText("as recorded")
        form.addRow("Filter, rate", _row(self.filter, self.rate))
        self.rider = self._box(tuple((in_words(rider), rider) for rider in riders))
        self.part = self._box(tuple((title, key) for key, title in RIDER_PARTS.items()))
        self.part.setCurrentIndex(self.part.findData("pelvis"))
        form.addRow("Worn by", _row(self.rider, self.part))
        self.over = self._box((*((run.name, run) for run in runs), ("no run", None)))
        form.addRow("Laid over", self.over)
        self._enable()
        self.changed.connect(self._enable)

    def _box(self, items: tuple[tuple[str, Any], ...]) -> QComboBox:
        box = QComboBox()
        for text, data in items:
            box.addItem(text, data)
        box.activated.connect(lambda _k: self.changed.emit())
        return box

    def _check(self, text: str, on: bool, tip: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setChecked(on)
        box.setToolTip(tip)
        box.toggled.connect(lambda _on: self.changed.emit())
        return box

    def _spin(self, low: float, high: float, tip: str, suffix: str) -> QDoubleSpinBox:
        spin = QDoubleSpinBox()
        spin.setRange(low, high)
        spin.setDecimals(1)
        spin.setSuffix(suffix)
        spin.setToolTip(tip)
        spin.setKeyboardTracking(False)
        spin.valueChanged.connect(lambda _v: self.changed.emit())
        return spin

    def _enable(self) -> None:
        """What has a meaning with the other choices."""
        levelled = self.level.isChecked()
        for widget in (self.bias, self.rest_found, self.push):
            widget.setEnabled(levelled)
        for spin in self.rest:
            spin.setEnabled(levelled and not self.rest_found.isChecked())
        for spin in self.push_at:
            spin.setEnabled(levelled and self.push.currentData() is not None)

    def asked(self) -> Asked:
        """What is asked for now. Raises InputError for choices that cannot be."""
        reading = Reading(
            self.path,
            self.separator.currentData(),
            self.unit.currentData(),
            self.time_unit.currentData(),
            self.rotation_unit.currentData(),
            self.gravity.currentData(),
            _pairs(self.columns.text()),
        )
        levelled = self.level.isChecked()
        push = self.push.currentData() if levelled else None
        try:
            mounting = Mounting(
                axes=self.axes.text().strip() or None,
                offset="rest" if levelled and self.bias.isChecked() else (0.0, 0.0, 0.0),
                level=levelled,
                rest=_ends(self.rest) if levelled and not self.rest_found.isChecked() else None,
                push=_ends(self.push_at) if push is not None else None,
                push_is=push or "launch",
                yaw=math.radians(self.yaw.value()),
            )
        except ValidationError as error:
            text = worded(error.errors()[0])
            raise InputError(f"{text[:1].upper()}{text[1:]}.") from None
        return Asked(
            reading,
            mounting,
            self.filter.currentData(),
            self.rate.value() or None,
            self.rider.currentData(),
            self.part.currentData(),
            self.over.currentData(),
        )


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    """The columns named in a text such as "t=1, ax=4". Raises InputError."""
    pairs = [part.partition("=") for part in text.split(",")] if text.strip() else []
    if not all(name.strip() and equals and column.strip() for name, equals, column in pairs):
        raise InputError("Name columns as t=1, ax=4, ay=5, az=6.")
    return tuple((name.strip(), column.strip()) for name, _, column in pairs)


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget, 0 if isinstance(widget, QLabel) else 1)
    return row


def _stretch(choices: Choices) -> tuple[QDoubleSpinBox, QDoubleSpinBox]:
    """Entries for the start and the end of a stretch (s)."""
    made = []
    for tip, value in (("from", 0.0), ("to", 2.0)):
        spin = QDoubleSpinBox()
        spin.setRange(-LONGEST, LONGEST)
        spin.setDecimals(2)
        spin.setToolTip(tip)
        spin.setValue(value)
        spin.setKeyboardTracking(False)
        spin.valueChanged.connect(lambda _v: choices.changed.emit())
        made.append(spin)
    return made[0], made[1]


def _ends(spins: tuple[QDoubleSpinBox, QDoubleSpinBox]) -> tuple[float, float]:
    return spins[0].value(), spins[1].value()
