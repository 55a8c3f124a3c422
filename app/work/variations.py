"""Run variations: one setting, several values, one run for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, spec_of
from ...core.base.sentence import written
from ...core.edits.changes import set_scenario, set_settings
from ...core.project.project import Project
from ...core.project.scenario import Ride, SolverSettings
from ..widgets import units
from .runner import Job

MAX_VARIATIONS = 50


@dataclass(frozen=True)
class Variable:
    """A field that can be varied, the edit that sets it, and example values."""

    spec: FieldSpec
    change: Callable[[Project, dict[str, float]], Project]
    values: tuple[float, ...]


RIDE: Final = (
    Variable(spec_of(Ride, "speed"), set_scenario, (24.0, 26.0, 28.0)),
    Variable(spec_of(Ride, "start"), set_scenario, (2.0, 4.0, 6.0)),
    Variable(spec_of(Ride, "top_speed"), set_scenario, (1.0, 2.0, 4.0)),
)
GENERAL: Final = (
    Variable(spec_of(SolverSettings, "tolerance"), set_settings, (1e-4, 1e-5, 1e-6)),
    Variable(spec_of(SolverSettings, "rho_infinity"), set_settings, (0.6, 0.8, 1.0)),
    Variable(spec_of(SolverSettings, "max_step"), set_settings, (0.005, 0.01)),
    Variable(spec_of(SolverSettings, "sample_rate"), set_settings, (500.0, 1000.0, 2000.0)),
)


def parse_values(text: str) -> tuple[float, ...]:
    """Numbers from a text, parted by spaces, semicolons or commas; raises InputError naming the bad one.

    A single comma between digits is refused: elsewhere in the program it is a decimal point.
    """
    values = []
    for word in text.replace(";", " ").replace(", ", " ").split():
        if word.count(",") == 1 and not word.endswith(","):
            raise InputError(
                f"“{word}” can be one number or two; write {word.replace(',', '.')} or {word.replace(',', '; ')}."
            )
    for word in text.replace(";", " ").replace(",", " ").split():
        try:
            values.append(float(word.replace("−", "-")))
        except ValueError:
            raise InputError(f"“{word}” is not a number; write values like 24 26 28.") from None
    if not values:
        raise InputError("Write at least one value.")
    if len(values) > MAX_VARIATIONS:
        raise InputError(f"At most {MAX_VARIATIONS} runs at once; there are {len(values)} values.")
    return tuple(values)


class VariationsDialog(QDialog):
    """Asks what to vary and over which values."""

    def __init__(self, project: Project, parent: QWidget) -> None:
        super().__init__(parent)
        self._project = project
        self._jobs: list[Job] = []
        self.setWindowTitle("Run variations")
        self.setMinimumWidth(420)
        self._variables = (*RIDE, *GENERAL) if isinstance(project.scenario, Ride) else GENERAL
        self.variable = QComboBox()
        for variable in self._variables:
            unit = units.label(variable.spec.unit)
            self.variable.addItem(f"{variable.spec.title} ({unit})" if unit else variable.spec.title)
            self.variable.setItemData(
                self.variable.count() - 1, variable.spec.help, Qt.ItemDataRole.ToolTipRole
            )
        self.values = QLineEdit()
        self.fault = QLabel()
        self.fault.setProperty("role", "bad")
        self.fault.setWordWrap(True)
        head = QLabel("One run is queued for each value; everything else stays as in the project.")
        head.setWordWrap(True)
        form = QFormLayout()
        form.addRow("Vary", self.variable)
        form.addRow("Values", self.values)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Run all")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addWidget(head)
        layout.addLayout(form)
        layout.addWidget(self.fault)
        layout.addWidget(buttons)
        self.variable.currentIndexChanged.connect(self._suggest)
        self._suggest(0)

    def _suggest(self, index: int) -> None:
        variable = self._variables[index]
        self.values.setText(
            " ".join(written(units.to_shown(v, variable.spec.unit), ".6g") for v in variable.values)
        )
        self.fault.clear()

    def jobs(self) -> list[Job]:
        """The runs that were asked for, after the dialog was accepted."""
        return self._jobs

    def accept(self) -> None:
        """Make the runs; a bad value keeps the dialog open and says why."""
        variable = self._variables[self.variable.currentIndex()]
        try:
            self._jobs = [self._job(variable, value) for value in parse_values(self.values.text())]
        except InputError as error:
            self.fault.setText(units.told(error))
            return
        super().accept()

    def _job(self, variable: Variable, shown: float) -> Job:
        spec = variable.spec
        project = variable.change(self._project, {spec.name: units.from_shown(shown, spec.unit)})
        unit = units.label(spec.unit)
        return Job(f"{spec.title} {written(shown, 'g')}{' ' if unit else ''}{unit}", project)
