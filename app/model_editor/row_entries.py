"""Entries for curves and functions of time, typed as rows of numbers under a heading with units."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from ...core.base.delimited import lines_of, typed_cells
from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec
from ...core.model.functions import AnalyticFunction, Harmonic, TableFunction
from ..widgets import units
from ..widgets.number_entry import Entry, NumberEntry
from ..widgets.number_text import read_number, shown_number
from .entries import LongTextEntry

Columns = Sequence[tuple[str, str]]


def heading(columns: Columns) -> str:
    """Column names with their units: "Extension (m)   Force (N)"."""
    parts = []
    for name, unit in columns:
        label = units.label(unit)
        parts.append(f"{name} ({label})" if label else name)
    return "    ".join(parts)


def rows_as_text(rows: Sequence[Sequence[float]], columns: Columns) -> str:
    """Rows in SI as text in the units in use."""
    return "\n".join(
        "   ".join(shown_number(v, unit) for v, (_, unit) in zip(row, columns, strict=True)) for row in rows
    )


def rows_from_text(text: str, columns: Columns) -> tuple[tuple[float, ...], ...]:
    """Rows in SI from text; InputError names the line that does not fit."""
    rows = []
    for number, line in lines_of(text, comment=""):
        cells = typed_cells(line)
        if len(cells) != len(columns):
            raise InputError(f"Line {number}: expected {len(columns)} numbers, found {len(cells)}.")
        rows.append(
            tuple(
                read_number(cell, unit, f"Line {number}, {name.lower()}")
                for cell, (name, unit) in zip(cells, columns, strict=True)
            )
        )
    return tuple(rows)


class RowsEntry(LongTextEntry):
    """Rows of numbers with a heading that carries the units."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self.row.removeWidget(self.edit)
        column = QVBoxLayout()
        column.setSpacing(4)
        head = QLabel(heading(spec.columns), self)
        head.setWordWrap(True)
        head.setProperty("role", "muted")
        column.addWidget(head)
        column.addWidget(self.edit)
        self.row.addLayout(column, 1)
        self.edit.setPlaceholderText("one row a line")

    def set_value(self, value: Any) -> None:
        super().set_value(rows_as_text(value, self.spec.columns))

    def read(self, text: str) -> Any:
        return rows_from_text(text, self.spec.columns)


class FunctionEntry(Entry):
    """A function of time: offset, rate, acceleration and harmonics, or a table of samples."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        unit = spec.unit
        self._value: Any = AnalyticFunction()
        column = QVBoxLayout()
        column.setSpacing(4)
        self.row.addLayout(column, 1)
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(f"{spec.title}: kind")
        self.kind.addItem("Constant, rate and waves", "analytic")
        self.kind.addItem("Table of samples", "table")
        column.addWidget(self.kind)
        self.numbers: dict[str, NumberEntry] = {}
        self._captions: list[QLabel] = []
        rates = {"": ("", ""), "N": ("N/s", "N/s²"), "N m": ("N m/s", "N m/s²"), "m": ("m/s", "m/s^2")}
        rate, half = rates.get(unit, ("rad/s", "rad/s^2"))
        for name, label, its in (("offset", "Constant", unit), ("rate", "Rate", rate)):
            self._number(column, name, label, its)
        self._number(column, "half_acceleration", "Half the acceleration", half)
        self.waves = RowsEntry(
            FieldSpec(
                "harmonics",
                "Waves",
                "rows",
                columns=(("Amplitude", unit), ("Angular frequency", "rad/s"), ("Phase", "rad")),
            )
        )
        self.samples = RowsEntry(
            FieldSpec("samples", "Samples", "rows", columns=(("Time", "s"), ("Value", unit)))
        )
        column.addWidget(self.waves)
        column.addWidget(self.samples)
        self.kind.activated.connect(self._switched)
        self.waves.given.connect(lambda rows: self._analytic(harmonics=self._harmonics(rows)))
        self.samples.given.connect(self._sampled)
        for entry in (self.waves, self.samples):
            entry.refused.connect(self.refused)
        self.setFocusProxy(self.kind)

    def _number(self, column: QVBoxLayout, name: str, label: str, unit: str) -> None:
        caption = QLabel(label, self)
        caption.setProperty("role", "muted")
        entry = NumberEntry(FieldSpec(name, label, "number", unit=unit), self)
        entry.given.connect(lambda value, name=name: self._analytic(**{name: value}))
        entry.refused.connect(self.refused)
        column.addWidget(caption)
        column.addWidget(entry)
        self._captions.append(caption)
        self.numbers[name] = entry

    def set_value(self, value: Any) -> None:
        self._value = value
        analytic = isinstance(value, AnalyticFunction)
        self.kind.setCurrentIndex(0 if analytic else 1)
        for widget in (*self._captions, *self.numbers.values(), self.waves):
            widget.setVisible(analytic)
        self.samples.setVisible(not analytic)
        if isinstance(value, AnalyticFunction):
            for name, entry in self.numbers.items():
                entry.set_value(getattr(value, name))
            self.waves.set_value(tuple((h.amplitude, h.omega, h.phase) for h in value.harmonics))
        else:
            self.samples.set_value(tuple(zip(value.times, value.values, strict=True)))

    @staticmethod
    def _harmonics(rows: Sequence[Sequence[float]]) -> tuple[Harmonic, ...]:
        return tuple(Harmonic(amplitude=a, omega=w, phase=p) for a, w, p in rows)

    def _analytic(self, **fields: Any) -> None:
        base = self._value if isinstance(self._value, AnalyticFunction) else AnalyticFunction()
        self.given.emit(base.model_copy(update=fields))

    def _sampled(self, rows: Sequence[Sequence[float]]) -> None:
        def made() -> TableFunction:
            if len(rows) < 2 or any(b[0] <= a[0] for a, b in pairwise(rows)):
                raise InputError(f"{self.spec.title}: give two or more rows with rising time.")
            return TableFunction(times=tuple(r[0] for r in rows), values=tuple(r[1] for r in rows))

        self.offer(made)

    def _switched(self, index: int) -> None:
        if index == 1 and isinstance(self._value, AnalyticFunction):
            start = self._value.offset
            self.given.emit(TableFunction(times=(0.0, 1.0), values=(start, start)))
        elif index == 0 and isinstance(self._value, TableFunction):
            self.given.emit(AnalyticFunction(offset=self._value.values[0]))


class FunctionsEntry(Entry):
    """Three functions of time, the components of a force or torque."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        column = QVBoxLayout()
        column.setSpacing(8)
        self.row.addLayout(column, 1)
        self._value: tuple[Any, ...] = ()
        self.parts: list[FunctionEntry] = []
        for k, axis in enumerate(spec.axes):
            head = QLabel(f"Component {axis}", self)
            head.setProperty("role", "heading")
            part = FunctionEntry(FieldSpec(spec.name, f"Component {axis}", "function", unit=spec.unit), self)
            part.given.connect(lambda value, k=k: self._changed(k, value))
            part.refused.connect(self.refused)
            column.addWidget(head)
            column.addWidget(part)
            self.parts.append(part)

    def set_value(self, value: Any) -> None:
        self._value = tuple(value)
        for part, function in zip(self.parts, self._value, strict=True):
            part.set_value(function)

    def _changed(self, k: int, value: Any) -> None:
        self.given.emit((*self._value[:k], value, *self._value[k + 1 :]))
