"""Train > Make flexible: the section of the beam that a body becomes, and what is carried over, as it is chosen."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import spec_of
from ...core.edits.changes import changed
from ...core.edits.make_flexible import MadeFlexible, make_flexible, section_of
from ...core.model.flexible import SHAPES, BeamSection, FlexibleBody
from ...core.project.project import Project
from ..widgets import units
from ..widgets.number_entry import NumberEntry

#: The figures that a section of each shape is given by.
FIGURES = {
    "box": ("width", "height", "wall"),
    "tube": ("diameter", "wall"),
    "i": ("width", "height", "flange", "web"),
}
EVERY = tuple(dict.fromkeys(name for names in FIGURES.values() for name in names))
MOST_MODES = max(
    mark.le for mark in FlexibleBody.model_fields["modes"].metadata if getattr(mark, "le", None) is not None
)


class FlexibleDialog(QDialog):
    """Chooses the section. After accept, `made` holds the changed project and what is said of it.

    Raises InputError for a body that cannot be made a beam.
    """

    def __init__(self, project: Project, path: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project, self._path = project, path
        self._section = section_of(project, path)
        self.made: MadeFlexible | None = None
        self.setObjectName("flexible_dialog")
        self.setWindowTitle(f"Make {path[-1]} flexible")
        self.setMinimumWidth(520)
        self.form = QFormLayout()
        self.shape = QComboBox()
        for key in FIGURES:
            self.shape.addItem(SHAPES[key], key)
        self.shape.setAccessibleName("Shape of the section")
        self.form.addRow("Section of steel", self.shape)
        self.figures: dict[str, NumberEntry] = {}
        for name in EVERY:
            entry = NumberEntry(spec_of(BeamSection, name))
            entry.given.connect(lambda value, name=name: self._take({name: value}))
            entry.refused.connect(self._refuse)
            self.form.addRow(entry.spec.title, entry)
            self.figures[name] = entry
        self.modes = QSpinBox()
        self.modes.setRange(0, MOST_MODES)
        self.modes.setValue(int(FlexibleBody.model_fields["modes"].default))
        self.modes.setToolTip(FlexibleBody.model_fields["modes"].description or "")
        self.form.addRow("Internal modes", self.modes)
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName("What becomes of the body")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make_button = self.buttons.addButton("Make flexible", QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(self.form)
        column.addWidget(self.report, 1)
        column.addWidget(self.buttons)
        self.shape.currentIndexChanged.connect(lambda _index: self._reshape())
        self.modes.valueChanged.connect(lambda _count: self._show())
        self._show()

    def _reshape(self) -> None:
        """Another shape, as wide and as thick as the one before."""
        old, shape = self._section, self.shape.currentData()
        size = max(old.width, old.height, old.diameter)
        wall = max(old.wall, old.web)
        first = {"width": size, "height": size, "diameter": size, "wall": wall, "flange": wall, "web": wall}
        self._take(
            {"shape": shape, **dict.fromkeys(EVERY, 0.0), **{name: first[name] for name in FIGURES[shape]}}
        )

    def _take(self, fields: dict[str, Any]) -> None:
        try:
            self._section = changed(self._section, "Section", fields)
        except InputError as error:
            self._refuse(str(error))
            return
        self._show()

    def _show(self) -> None:
        shown = FIGURES[self._section.shape]
        for name, entry in self.figures.items():
            self.form.setRowVisible(entry, name in shown)
            entry.set_value(getattr(self._section, name))
        try:
            self.made = make_flexible(self._project, self._path, self._section, modes=self.modes.value())
        except InputError as error:
            self._refuse(str(error))
            return
        self.make_button.setEnabled(True)
        self.report.setPlainText("\n".join(units.in_units(sentence) for sentence in self.made.said))

    def _refuse(self, why: str) -> None:
        self.made = None
        self.make_button.setEnabled(False)
        self.report.setPlainText(why)
