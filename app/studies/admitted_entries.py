"""Whom the operator admits, as entries of the rider assessment of the project: smallest, tallest, heaviest."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFormLayout

from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.base.fields import spec_of
from ...core.edits.changes import set_evaluation
from ...core.human.population import Admitted, admitted_by, check_heaviest
from ..document.document import Document
from ..widgets import units
from ..widgets.number_entry import NumberEntry

FIELDS: Final = ("patron_height", "largest_height", "largest_mass")


class AdmittedEntries(QObject):
    """Entries of a form; each change is an undo step. `said`: what is wrong with what was typed, "" if nothing."""

    said = Signal(str)

    def __init__(self, document: Document, form: QFormLayout, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self.entries: dict[str, NumberEntry] = {}
        for name in FIELDS:
            spec = spec_of(EvaluationOptions, name)
            entry = self.entries[name] = NumberEntry(spec)
            entry.setToolTip(spec.help)
            entry.given.connect(partial(self._on_given, name))
            entry.refused.connect(self._on_refused)
            form.addRow(spec.title, entry)
        document.project_changed.connect(lambda _change: self.show_values())
        self.show_values()

    @property
    def admitted(self) -> Admitted:
        """Whom the project admits."""
        return admitted_by(self._document.project.evaluation)

    def show_values(self) -> None:
        """Show what the project says, in the units of now."""
        for name, entry in self.entries.items():
            entry.set_value(getattr(self._document.project.evaluation, name))
            entry.unit.setText(units.label(entry.spec.unit))

    def _on_given(self, name: str, value: Any) -> None:
        try:
            if name == "largest_mass" and value is not None:
                check_heaviest(value)
            made = set_evaluation(self._document.project, {name: value})
        except InputError as error:
            self._on_refused(units.told(error))
            return
        self.said.emit("")
        self._document.apply(self.entries[name].spec.title, made)
        self.show_values()

    def _on_refused(self, why: str) -> None:
        self.show_values()
        self.said.emit(why)
