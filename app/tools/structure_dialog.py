"""File > Import structure: a mesh or matrices of another program, its interfaces joined to bodies, reduced and checked
beside the window before it is taken."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.sentence import written
from ...core.edits.changes import free_name
from ...core.model.assembly import Assembly
from ...core.multibody.import_structure import MAX_MODES, Made, Wanted, bodies_of, imported, interfaces_in
from ...core.structure.matrices import MATRIX_ENDINGS
from ...core.structure.meshes import tie_names
from ..widgets import dialogs, units
from ..widgets.number_entry import NumberEntry
from ..widgets.path_row import add_path_row
from ..work.own_process import in_own_process
from ..work.task import Task
from .material_rows import MaterialRows

FREE = "not joined"
MASSES = "Matrices (*.mtx *.gz *.op4 *.mas *.full)"
NODES = "Nodes (*.csv *.op2 *.rst *.cdb)"
RESULTS = "Modes of Nastran (*.op2)"
INTERFACES = "Interfaces (*.json)"


def is_matrix(file: Path) -> bool:
    """Whether a file is taken for a stiffness matrix, and not for a mesh."""
    return file.name.lower().endswith(MATRIX_ENDINGS)


def mass_beside(file: Path) -> Path:
    """Where the matrix of mass is that belongs to one of stiffness; op4 and .full files may hold both."""
    if file.suffix.lower() == ".sti":
        return file.with_suffix(".mas")
    other = file.with_name(file.name.replace("K", "M", 1))
    return file if file.suffix.lower() in (".op4", ".full") and not other.exists() else other


class StructureDialog(QDialog):
    """Reduces a structure when it is asked to. After accept, `made` holds the flexible body.

    file: a mesh, or the matrix of stiffness; top: the rig or train whose bodies it is joined to.
    """

    def __init__(self, file: Path, top: Assembly, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file = file
        self.made: Made | None = None
        self.joins: dict[str, QComboBox] = {}
        self.figures: dict[str, NumberEntry] = {}
        self.material: MaterialRows | None = None
        self._bodies = ("ground", *top.every("body"))
        self._places = bodies_of(top)
        self.setObjectName("structure_dialog")
        self.setWindowTitle(f"Import structure from {file.name}")
        self.setMinimumWidth(560)
        self._task = Task(
            "structure",
            lambda wanted, reporter: in_own_process(imported, wanted, reporter),
            self,
            failing="The import failed",
        )
        self._task.finished.connect(self._on_made)
        self._task.failed.connect(self._refuse)
        self._ties: tuple[str, ...] = ()  # of the mesh
        self._look = Task("ties", lambda mesh, reporter: in_own_process(tie_names, mesh, reporter), self)
        self._look.finished.connect(self._on_ties)
        self._look.failed.connect(self._refuse)
        self._lay_out([one.name for one in top.flexibles])
        self._list_interfaces()
        if not self.frames.text() and not is_matrix(file):
            self.report.setPlainText("Looking for ties in the mesh, which can be its interfaces…")
            self._look.ask(file)

    def _lay_out(self, taken: list[str]) -> None:
        self.form = QFormLayout()
        self.form.setSpacing(8)
        self.name = QLineEdit(free_name(self.file.name.partition(".")[0].capitalize() or "Structure", taken))
        self.form.addRow("Name", self.name)
        beside = self.file.parent
        self.mass, self.nodes, self.results = QLineEdit(), QLineEdit(), QLineEdit()
        if is_matrix(self.file):
            self.mass = self._path("Mass matrix", mass_beside(self.file), MASSES)
            self.nodes = self._path("Table of nodes", beside / "nodes.csv", NODES)
            self.results = self._path("Modes to compare with", self.file.with_suffix(".op2"), RESULTS)
            self.results.setPlaceholderText("None; what Nastran found, to see that the reduction can make it")
        else:
            self.material = MaterialRows(self.form, self)
            self.material.changed.connect(self._forget)
            self.material.refused.connect(self._refuse)
            self.figures = self.material.figures
        self.frames = self._path("Interfaces", beside / "interface.json", INTERFACES)
        self.frames.textChanged.connect(lambda _text: self._list_interfaces())
        self.modes = QSpinBox()
        self.modes.setRange(0, MAX_MODES)
        self.modes.setValue(8)
        self.modes.setToolTip(
            "Internal modes that are kept: as a rule up to four times the highest frequency there"
        )
        self.form.addRow("Internal modes", self.modes)
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName("What was found")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.reduce_button: QPushButton = self.buttons.addButton(
            "Reduce", QDialogButtonBox.ButtonRole.ActionRole
        )
        self.take_button: QPushButton = self.buttons.addButton(
            "Import", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.take_button.setEnabled(False)
        self.reduce_button.clicked.connect(self.reduce)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(self.form)
        column.addWidget(self.report, 1)
        column.addWidget(self.buttons)

    def _path(self, label: str, suggested: Path, kinds: str) -> QLineEdit:
        def browse() -> None:
            path = dialogs.file_to_open(self, label, self.file.parent, kinds)
            if path is not None:
                line.setText(str(path))

        line = add_path_row(self.form, label, str(suggested) if suggested.exists() else "", browse)
        line.textChanged.connect(lambda _text: self._forget())
        return line

    def _on_ties(self, names: tuple[str, ...]) -> None:
        """Ties of the mesh are its interfaces where no list is given."""
        self._ties = names
        if names:
            self.frames.setPlaceholderText("The ties of the mesh; a file goes before them")
        if not self.frames.text():
            self._list_interfaces()

    def _list_interfaces(self) -> None:
        """A choice of bodies for every interface of the file, or tie of the mesh."""
        for box in self.joins.values():
            self.form.removeRow(box)
        self.joins = {}
        self._forget()
        if not self.frames.text() and not self._ties:
            self.report.setPlainText(
                "Choose the file of interfaces: name, position and what is tied to each (JSON)."
            )
            return
        try:
            names = interfaces_in(Path(self.frames.text())) if self.frames.text() else self._ties
        except InputError as error:
            self._refuse(units.told(error))
            return
        for name in names:
            box = QComboBox()
            box.addItems([FREE, *self._bodies])
            box.setAccessibleName(f"Body joined to {name}")
            box.currentIndexChanged.connect(lambda _index: self._forget())
            self.form.addRow(f"Join “{name}” to", box)
            self.joins[name] = box
        self.report.setPlainText("Join interfaces to bodies, then reduce.")

    def _forget(self) -> None:
        """What was reduced is not what is asked for any more."""
        self.made = None
        self.take_button.setEnabled(False)

    def reduce(self) -> None:
        """Read, check, tie and reduce, beside the window."""
        joined = {name: box.currentText() for name, box in self.joins.items() if box.currentText() != FREE}
        if not joined:
            self._refuse("No interface is joined to a body; join at least one.")
            return
        mass, nodes = (Path(line.text()) for line in (self.mass, self.nodes))
        frames, results = (Path(line.text()) if line.text() else None for line in (self.frames, self.results))
        material = None if self.material is None else self.material.material
        self._forget()
        self.reduce_button.setEnabled(False)
        self.report.setPlainText("Reading and reducing… Cancel ends it.")
        modes, name = self.modes.value(), self.name.text()
        self._task.ask(
            Wanted(
                self.file,
                material,
                mass,
                nodes,
                frames,
                joined,
                modes,
                name,
                results=results,
                bodies=self._places,
            )
        )

    def _on_made(self, made: Made) -> None:
        self.made = made
        self.reduce_button.setEnabled(True)
        self.take_button.setEnabled(True)
        self.take_button.setDefault(True)
        given = made.body.imported
        assert given is not None
        centre = ", ".join(written(round(x, 6) + 0.0, ".4g") for x in given.centre)
        of = zip(given.modal_stiffness, given.modal_mass, strict=True)
        first = ", ".join(
            written(hertz, ".5g") for hertz in sorted((k / m) ** 0.5 / math.tau for k, m in of)[:6]
        )
        compared = "".join(
            f"\n{written(mode.there, '.5g')} Hz in the file: {written(mode.here, '.5g')} Hz with the matrices,"
            f" {mode.share:.2%} of it in the reduction"
            for mode in made.found
        )
        self.report.setPlainText(
            f"{made.words}.\nCentre of mass ({centre}) m.\nFree modes: {first} Hz …{compared}"
        )

    def _refuse(self, why: str) -> None:
        self._forget()
        self.reduce_button.setEnabled(True)
        self.report.setPlainText(why)

    def done(self, result: int) -> None:
        self._task.close()
        self._look.close()
        super().done(result)
