"""Rows of a form for the material of a mesh: what its elements are made of where the file names none."""

from __future__ import annotations

from dataclasses import asdict

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFormLayout

from ...core.base.fields import FieldSpec
from ...core.structure.solids import Material
from ..widgets.number_entry import NumberEntry

FIGURES = (
    ("E", "Young's modulus", "Pa"),
    ("poisson", "Poisson's ratio", "1"),
    ("density", "Density", "kg/m^3"),
)


class MaterialRows(QObject):
    """The rows at the end of a form, of steel to begin with. changed: another value; refused: a sentence why not."""

    changed = Signal()
    refused = Signal(str)

    def __init__(self, form: QFormLayout, parent: QObject) -> None:
        super().__init__(parent)
        self._values = asdict(Material())
        self.figures: dict[str, NumberEntry] = {}
        for key, label, unit in FIGURES:
            help_text = "Where the mesh names no material; of steel unless given."
            entry = NumberEntry(FieldSpec(key, label, "number", help_text, unit))
            entry.set_value(self._values[key])
            entry.given.connect(lambda given, key=key: self._given(key, given))
            entry.refused.connect(self.refused)
            form.addRow(label, entry)
            self.figures[key] = entry

    @property
    def material(self) -> Material:
        """What is given."""
        return Material(**self._values)

    def _given(self, key: str, value: float) -> None:
        self._values[key] = value
        self.changed.emit()
