"""Train > Make flexible: what a body becomes, a beam of a section or the structure of a mesh, and what is carried over,
as it is chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, spec_of
from ...core.design.flexible_mesh import MeshWanted, make_flexible_of_mesh
from ...core.edits.changes import changed
from ...core.edits.make_flexible import MadeFlexible, make_flexible, places_held, section_of
from ...core.model.flexible import SHAPES, BeamSection, FlexibleBody
from ...core.project.project import Project
from ..widgets import dialogs, units
from ..widgets.number_entry import NumberEntry
from ..widgets.path_row import add_path_row
from ..work.own_process import in_own_process
from ..work.task import Task
from .material_rows import MaterialRows
from .structure_dialog import INTERFACES

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
SECTION, MESH = "Beam of a section", "Mesh of solids"
MESHES = "Meshes (*.inp *.msh *.bdf *.nas *.vtu *.vtk)"
FIRST = "Choose the file of the mesh, in metres and where the body is, then reduce it."
REDUCE = "Reduce the mesh to see what becomes of the body."
REACH = FieldSpec(
    "reach",
    "Held within",
    "optional",
    "Where the mesh has no ties: nodes so near to where the body is held are held there.",
    "m",
    empty="A twentieth of the size of the mesh",
)


class FlexibleDialog(QDialog):
    """Chooses section or mesh; the mesh is reduced beside the window. After accept, `made` holds the changed project
    and what is said of it.

    Raises InputError for a body that cannot be flexible.
    """

    def __init__(self, project: Project, path: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project, self._path = project, path
        places_held(project, path)
        self._no_beam = ""
        self._section = BeamSection()
        try:
            self._section = section_of(project, path)
        except InputError as error:
            self._no_beam = units.told(error)
        self._reach: float | None = None
        self._asked = False  # for what is shown; another choice makes it none
        self.made: MadeFlexible | None = None
        self._task = Task(
            "flexible",
            lambda wanted, reporter: in_own_process(make_flexible_of_mesh, wanted, reporter),
            self,
            failing="The mesh was not taken",
        )
        self._task.finished.connect(self._on_reduced)
        self._task.failed.connect(self._on_failed)
        self.setObjectName("flexible_dialog")
        self.setWindowTitle(f"Make {path[-1]} flexible")
        self.setMinimumWidth(520)
        self._lay_out()
        self.of.setCurrentText(MESH if self._no_beam else SECTION)
        self._on_kind()

    def _lay_out(self) -> None:
        self.form = QFormLayout()
        self.of = QComboBox()
        self.of.addItems([SECTION, MESH])
        self.of.setAccessibleName("What it is made of")
        self.form.addRow("Made of", self.of)
        self._add_section()
        first = self.form.rowCount()
        self._add_mesh()
        self._mesh_rows = range(first, self.form.rowCount())
        self.modes = QSpinBox()
        self.modes.setRange(0, MOST_MODES)
        self.modes.setValue(int(FlexibleBody.model_fields["modes"].default))
        self.modes.setToolTip(FlexibleBody.model_fields["modes"].description or "")
        self.form.addRow("Internal modes", self.modes)
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName("What becomes of the body")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.reduce_button = self.buttons.addButton("Reduce", QDialogButtonBox.ButtonRole.ActionRole)
        self.reduce_button.clicked.connect(self.reduce)
        self.make_button = self.buttons.addButton("Make flexible", QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(self.form)
        column.addWidget(self.report, 1)
        column.addWidget(self.buttons)
        self.of.currentIndexChanged.connect(lambda _index: self._on_kind())
        self.shape.currentIndexChanged.connect(lambda _index: self._reshape())
        self.modes.valueChanged.connect(lambda _count: self._show())

    def _add_section(self) -> None:
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

    def _add_mesh(self) -> None:
        self.mesh = self._path_row("Mesh", MESHES)
        self.material = MaterialRows(self.form, self)
        self.material.changed.connect(self._show)
        self.material.refused.connect(self._refuse)
        self.frames = self._path_row("Interfaces", INTERFACES)
        self.frames.setPlaceholderText("The ties of the mesh, or the nodes around")
        self.reach = NumberEntry(REACH)
        self.reach.set_value(self._reach)
        self.reach.given.connect(self._on_reach)
        self.reach.refused.connect(self._refuse)
        self.form.addRow(REACH.title, self.reach)

    def _path_row(self, label: str, kinds: str) -> QLineEdit:
        def browse() -> None:
            beside = Path(self.mesh.text()).parent if self.mesh.text() else Path.cwd()
            path = dialogs.file_to_open(self, label, beside, kinds)
            if path is not None:
                line.setText(str(path))

        line = add_path_row(self.form, label, "", browse)
        line.textChanged.connect(lambda _text: self._show())
        return line

    # -- what is chosen

    @property
    def _of_mesh(self) -> bool:
        return self.of.currentText() == MESH

    def _on_kind(self) -> None:
        for row in self._mesh_rows:
            self.form.setRowVisible(row, self._of_mesh)
        self.form.setRowVisible(self.shape, not self._of_mesh)
        self.reduce_button.setVisible(self._of_mesh)
        self._show()

    def _on_reach(self, reach: float | None) -> None:
        self._reach = reach
        self.reach.set_value(reach)
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
            self._refuse(units.told(error))
            return
        self._show()

    # -- what becomes of it

    def _show(self) -> None:
        """Show what is chosen: what becomes of a beam at once, of a mesh when it is reduced."""
        shown = () if self._of_mesh else FIGURES[self._section.shape]
        for name, entry in self.figures.items():
            self.form.setRowVisible(entry, name in shown)
            entry.set_value(getattr(self._section, name))
        self._task.stop()
        self._asked = False
        if self._of_mesh:
            self._refuse(REDUCE if self.mesh.text().strip() else FIRST)
            self.reduce_button.setEnabled(bool(self.mesh.text().strip()))
            return
        if self._no_beam:
            self._refuse(self._no_beam)
            return
        try:
            made = make_flexible(self._project, self._path, self._section, modes=self.modes.value())
        except InputError as error:
            self._refuse(units.told(error))
            return
        self._accept(made)

    def reduce(self) -> None:
        """Read, tie and reduce the mesh beside the window."""
        frames = self.frames.text().strip()
        self._refuse("Reading and reducing… Cancel ends it.")
        self.reduce_button.setEnabled(False)
        self._asked = True
        self._task.ask(
            MeshWanted(
                self._project,
                self._path,
                Path(self.mesh.text().strip()),
                self.material.material,
                Path(frames) if frames else None,
                self._reach,
                self.modes.value(),
            )
        )

    def _on_reduced(self, made: MadeFlexible) -> None:
        if self._asked:
            self.reduce_button.setEnabled(True)
            self._accept(made)

    def _on_failed(self, why: str) -> None:
        if self._asked:
            self.reduce_button.setEnabled(True)
            self._refuse(why)

    def _accept(self, made: MadeFlexible) -> None:
        self.made = made
        self.make_button.setEnabled(True)
        self.report.setPlainText("\n".join(units.in_units(sentence) for sentence in made.said))

    def _refuse(self, why: str) -> None:
        self.made = None
        self.make_button.setEnabled(False)
        self.report.setPlainText(why)

    def done(self, result: int) -> None:
        self._task.close()
        super().done(result)
