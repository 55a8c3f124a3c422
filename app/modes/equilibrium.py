"""The Equilibrium panel: where bodies come to rest under their weight and with what everything is loaded there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QComboBox,
    QPushButton,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.project.project import Project
from ...core.run.static_loads import StaticSolution, static_loads
from ..document.document import Document
from ..document.playback import Playback
from ..view3d.poses import Poses
from ..widgets import units
from ..widgets.flow import FlowLayout
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_label
from ..widgets.settings import Settings
from ..work.problem_finder import element_selection
from ..work.task import Task
from .shapes import bent
from .sheets import SHEETS, Cell, Row, Sheet

EMPTY = "Where everything comes to rest under its weight, and what wheels, springs, couplings, joints and seats carry."
STALE = "The design has changed since: find it again."
ARROW = 0.7  # of the radius of the train or rig: the largest arrow
DECIDES = ("assembly", "track", "scenario", "gravity")
VALUE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Found:
    """The equilibrium of a project and its poses, or why there is none."""

    project: Project
    solution: StaticSolution | None = None
    poses: Poses | None = None
    trouble: str = ""


def find(project: Project) -> Found:
    """Find the equilibrium; trouble with the model is told in the answer."""
    try:
        solution = static_loads(project)
    except InputError as error:
        return Found(project, trouble=units.told(error))
    except ArithmeticError:
        return Found(project, trouble="The forces of the model have no balance; see Problems for the model.")
    system, state = solution.system, solution.rest.state
    n = system.bodies
    position = state.r[None, :n].copy()
    bends = {one.name: one.bending for one in bent(system, state)}
    names = tuple(system.names)
    poses = Poses(names, np.zeros(1), position, np.zeros_like(position), state.p[None, :n].copy(), bends)
    return Found(project, solution, poses)


class _Number(QTableWidgetItem):
    """A cell that is sorted by its value, not by its text."""

    def __lt__(self, other: QTableWidgetItem) -> bool:
        one, another = self.data(VALUE), other.data(VALUE)
        if one is None or another is None:
            return another is not None
        return bool(abs(one) < abs(another))


class EquilibriumPanel(QWidget):
    """Static equilibrium of the project. posed(Poses or None, 0.0): the pose that the view is to show; arrows(list of
    points and forces, chosen): the loads that it is to draw."""

    posed = Signal(object, float)
    arrows = Signal(object, object)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self._found: Found | None = None
        self._rows: tuple[Row, ...] = ()
        self._work: Task | None = None  # its thread is begun when it is needed
        self.table = plain_table(("",))
        self.table.setAccessibleName("Deflections or loads at rest")
        self.table.setSortingEnabled(True)
        self.table.itemSelectionChanged.connect(self._on_row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addLayout(self._make_bar())
        layout.addWidget(self.note)
        layout.addWidget(self.table, 1)
        document.project_changed.connect(lambda _: self._tell())
        document.begun.connect(self._forget)
        playback.state_changed.connect(self._on_playback)
        settings.changed.connect(lambda name: self._fill() if name == "units" else None)
        self._fill_sheets()
        self._tell()

    def _make_bar(self) -> FlowLayout:
        self.button = QPushButton("Find equilibrium")
        self.button.clicked.connect(self.look)
        self.sheet = QComboBox()
        self.sheet.setAccessibleName("What is listed")
        self.sheet.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.sheet.currentIndexChanged.connect(lambda _: self._fill())
        self.show_3d = QToolButton()
        self.show_3d.setText("Show in 3D")
        self.show_3d.setCheckable(True)
        self.show_3d.setChecked(True)
        self.show_3d.setToolTip("Everything where it rests, and the listed loads as arrows")
        self.show_3d.toggled.connect(lambda _: self._show())
        self.note = plain_label()
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        bar = FlowLayout(spacing=6)
        for widget in (self.button, self.sheet, self.show_3d):
            bar.addWidget(widget)
        return bar

    def look(self) -> None:
        """Find the equilibrium of the project as it is."""
        project = self._document.project
        if project.assembly is None:
            self.note.setText("The project has neither a train nor a rig.")
            return
        if self._work is None:
            self._work = Task("equilibrium", lambda asked, _reporter: find(asked), self)
            self._work.finished.connect(self._on_found)
            self._work.failed.connect(lambda why: self._on_found(Found(project, trouble=str(why))))
        self.button.setEnabled(False)
        self.note.setText("Looking for the equilibrium… the first time the solver is compiled for it.")
        self._work.ask(project)

    def _on_found(self, found: Found) -> None:
        self.button.setEnabled(True)
        self._found = found
        self._fill_sheets()
        self.show_3d.setChecked(True)
        self._fill()

    # -- the table

    @property
    def _solution(self) -> StaticSolution | None:
        return None if self._found is None else self._found.solution

    def _fill_sheets(self) -> None:
        """Offer the tables that have rows."""
        solution = self._solution
        chosen = self.sheet.currentData()
        self.sheet.blockSignals(True)
        self.sheet.clear()
        for sheet in SHEETS:
            count = len(sheet.rows(solution)) if solution is not None else 0
            if count:
                self.sheet.addItem(f"{sheet.title} ({count})", sheet)
        k = next((k for k in range(self.sheet.count()) if self.sheet.itemData(k) is chosen), 0)
        self.sheet.setCurrentIndex(k if self.sheet.count() else -1)
        self.sheet.blockSignals(False)
        self.sheet.setEnabled(self.sheet.count() > 0)
        self.show_3d.setEnabled(solution is not None)

    def _fill(self) -> None:
        """List the rows of the chosen table, in the order of the model or of the chosen column."""
        solution, sheet = self._solution, self.sheet.currentData()
        self.table.setSortingEnabled(False)
        self.table.blockSignals(True)
        self.table.setRowCount(0)
        if solution is not None and isinstance(sheet, Sheet):
            self._rows = sheet.rows(solution)
            self.table.setColumnCount(len(sheet.heads))
            self.table.setHorizontalHeaderLabels(list(sheet.heads))
            self.table.setRowCount(len(self._rows))
            for row, one in enumerate(self._rows):
                for column, item in enumerate(_items(row, one)):
                    self.table.setItem(row, column, item)
            header = self.table.horizontalHeader()
            header.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
            self.table.setSortingEnabled(True)
        else:
            self._rows = ()
            self.table.setColumnCount(0)
        self.table.blockSignals(False)
        self._tell()
        self._show()

    def _tell(self) -> None:
        """Say what the table is of."""
        found = self._found
        if found is None:
            self.note.setText(EMPTY)
            return
        solution = found.solution
        if solution is None:
            self.note.setText(found.trouble)
            return
        parts = [f"{units.text(solution.weight, 'kN', decimals=2)} of weight at rest"]
        parts += [
            f"{name} held with {units.text(abs(force), 'kN', decimals=2)}"
            f" {'forwards' if force > 0.0 else 'backwards'} along the track"
            for name, force in solution.holding.items()
        ]
        if solution.drives:
            parts.append("drives off")
        sheet = self.sheet.currentData()
        words = [f"{'; '.join(parts)}.", *([sheet.note] if isinstance(sheet, Sheet) else [])]
        most = max((float(np.linalg.norm(r.force)) for r in self._rows if r.force is not None), default=0.0)
        if most > 0.0 and found.poses is not None:
            per_metre = units.text(most / _length(found.poses), "kN", decimals=2)
            words.append(f"Arrows: {units.text(1.0, 'm', decimals=1)} for {per_metre}.")
        now, then = self._document.project, found.project
        if any(getattr(now, part) != getattr(then, part) for part in DECIDES):
            words.append(STALE)
        self.note.setText(" ".join(words))

    def _forget(self) -> None:
        self._found = None
        self._fill_sheets()
        self._fill()

    # -- one row

    def _chosen(self) -> int | None:
        """The number of the chosen row in the order of the model."""
        item = self.table.item(self.table.currentRow(), 0)
        return None if item is None or not self.table.selectedItems() else int(item.data(VALUE))

    def _on_row(self) -> None:
        chosen, top = self._chosen(), self._document.project.assembly
        if chosen is None or top is None:
            return
        with suppress(InputError):  # it may be gone since
            self._document.select(element_selection(top, self._rows[chosen].path))
        self._show()

    # -- in 3D

    def _show(self) -> None:
        """Tell the view the pose and the loads it is to show."""
        found = self._found
        if found is None or found.poses is None or not self.show_3d.isChecked() or not self.isVisible():
            self._show_nothing()
            return
        self.posed.emit(found.poses, 0.0)
        drawn: list[tuple[Array, Array]] = []
        chosen: int | None = None
        for k, row in enumerate(self._rows):
            if row.at is not None and row.force is not None:
                if k == self._chosen():
                    chosen = len(drawn)
                drawn.append((row.at, row.force))
        self.arrows.emit((drawn, _length(found.poses)), chosen)

    def _show_nothing(self) -> None:
        self.posed.emit(None, 0.0)
        self.arrows.emit(((), 0.0), None)

    def _on_playback(self) -> None:
        if self._playback.playing:
            self.show_3d.setChecked(False)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if self._found is not None:
            self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._found is not None:
            self._show_nothing()


def _length(poses: Poses) -> float:
    """Length (m) of the largest arrow."""
    return ARROW * max(0.5, poses.ball()[1])


def _items(number: int, row: Row) -> Sequence[QTableWidgetItem]:
    """The cells of a row: its name, and its numbers, sorted by their amount."""
    name = QTableWidgetItem(row.name)
    name.setData(VALUE, number)
    items: list[QTableWidgetItem] = [name]
    for value in row.cells:
        item = _Number(_text(value))
        item.setData(VALUE, None if value is None else value.value)
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        items.append(item)
    return items


def _text(cell: Cell | None) -> str:
    return "" if cell is None else units.text(cell.value, cell.unit, decimals=cell.decimals)
