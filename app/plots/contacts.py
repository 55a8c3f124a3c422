"""Contacts of the project and of the shown run: which surfaces can touch, how hard they did, and why others cannot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidgetItem, QWidget

from ...core.base.errors import InputError
from ...core.base.fields import spec_of
from ...core.charts.chart import Chart, over_time
from ...core.charts.recipe import Source
from ...core.charts.signals import in_words
from ...core.edits.elements import set_element
from ...core.model.forces import ForceElement, type_of
from ...core.model.outputs import SLIPS
from ...core.multibody.contact_places import Touching, touching_of
from ...core.outcome.touches import Touches, touches_of_pairs
from ...core.project.project import Project
from ..document.runs import Run
from ..document.selection import Selection
from ..widgets import units
from ..widgets.plain_table import cell, plain_table
from ..widgets.plain_words import plain_tip
from ..widgets.turning_splitter import TurningSplitter
from .plot_panel import PlotPanel

COLUMNS = (
    "Surfaces",
    "On",
    "Law",
    "Largest force",
    "Deepest",
    "Touches",
    "First at",
    "Fastest impact",
    "Impulse",
    "Longest without",
)
MEASURED = 7  # columns of a run
PLOTS = (
    ("", "length", "Depth, negative a gap", "m"),
    ("", "force", "Normal force", "N"),
    (SLIPS, "force", "Friction", "N"),
)
NOTHING = Touching({}, ())


class ContactsPanel(PlotPanel):
    """Pairs of surfaces, of the shown run or else of the project. `marked`: the pair to be shown in the 3D view."""

    name = "contacts"
    empty_text = (
        "Surfaces that touch are listed here. Give bodies surfaces, add a contact in the project tree (Add) and press"
        " F5 to run."
    )
    marked = Signal(str)

    def fill_bar(self) -> None:
        self.bar.addWidget(self.said)

    def body(self) -> QWidget:
        self._touching = NOTHING
        self._rows: tuple[str, ...] = ()
        self._seen_in: Project | None = None  # what is kept was read in
        self._chosen = ""
        self._read_of: Run | None = None
        self._told: dict[str, Touches] = {}
        self.table = plain_table(COLUMNS)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.table.setAccessibleName("Pairs of surfaces")
        self.table.itemSelectionChanged.connect(self._on_row)
        self.table.itemDoubleClicked.connect(lambda _item: self._to_peak())
        self.table.itemChanged.connect(self._on_box)
        self.document.project_changed.connect(lambda _change: self.refresh_soon())
        splitter = TurningSplitter()
        splitter.addWidget(self.table)
        splitter.addWidget(self.grid)
        splitter.setSizes([640, 540])
        return splitter

    @property
    def pairs(self) -> tuple[str, ...]:
        """The names of the pairs in the order of the rows: those that touched hardest in the shown run first."""
        return self._rows

    @property
    def run(self) -> Run | None:
        """The shown run, when it has contacts."""
        run = self.runs[0] if self.runs else None
        return run if run is not None and any(n.endswith(SLIPS) for n in run.results.names.springs) else None

    def refresh(self, gradually: bool = False) -> None:
        run = self.run
        project = self.document.project if run is None else run.project
        try:
            self._touching, nothing = self._read(project), self.empty_text
        except InputError as fault:
            self._touching, nothing = NOTHING, str(fault)
        if not self._touching.pairs and not self._touching.left_out:
            self._contents.done()
            self.show_empty(nothing)
            return
        did = self._did(run)
        hardest = {name: did[name].force if name in did else 0.0 for name in self._touching.pairs}
        self._rows = tuple(sorted(hardest, key=lambda name: -hardest[name]))
        if self._chosen not in self._rows:
            self._chosen = next(iter(self._rows), "")
        self._fill(run)
        if run is None:
            self._contents.done()
            self._axes = {}
            self.grid.set_contents([], 1.0, "s", (), gradually=False)
            self.pages.setCurrentIndex(1)
            return
        super().refresh(gradually)

    def _read(self, project: Project) -> Touching:
        """What can touch, seats and restraints with who sits there freely, too; read once a project. Raises InputError
        where the project cannot be built."""
        if project is self._seen_in:
            return self._touching
        self._seen_in = None
        top = project.mechanism
        types = () if top is None else map(type_of, top.every("force").values())
        if not any(found is not None and found.place == "surfaces" for found in types):
            return NOTHING
        found = touching_of(project, self.document.built(project))
        self._seen_in = project
        return found

    def make_contents(self) -> Sequence[Chart]:
        run = self.run
        if run is None or self._chosen not in self._touching.pairs:
            return []
        return [
            over_time(
                key + suffix,
                title,
                unit,
                self.curves([Source(f"spring/{self._chosen}{suffix}/{key}", 0, "")]),
            )
            for suffix, key, title, unit in PLOTS
            if not suffix or self._touching.pairs[self._chosen][1].friction != "none"  # type: ignore[attr-defined]
        ]

    # -- the table

    def _fill(self, run: Run | None) -> None:
        left = self._touching.left_out
        did = self._did(run)
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._rows) + len(left))
        owners = {_owner(name).rpartition("/")[0] for name in self._rows}
        for row, name in enumerate(self._rows):
            contact = self._touching.pairs[name][1]
            box = _cell("")
            if self._described(name):
                box.setCheckState(Qt.CheckState.Checked)
                box.setFlags(box.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                box.setToolTip("Switch the whole contact on or off")
            else:
                box.setToolTip("Comes with the seat of a rider whose pelvis is not fixed to it")
            said = self._measured(did.get(name))
            for column, item in enumerate(
                (_cell(self._row_name(name, owners)), box, _cell(_law(contact)), *map(_cell, said))
            ):
                item.setData(Qt.ItemDataRole.UserRole, name)
                self.table.setItem(row, column, item)
            cell(self.table, row, 0).setToolTip(plain_tip(in_words(name)))
        for row, out in enumerate(left, start=len(self._rows)):
            for column, text in enumerate((_short(out.name), "", f"left out: {out.why}", *("",) * MEASURED)):
                item = _cell(text)
                item.setFlags(Qt.ItemFlag.NoItemFlags)
                item.setToolTip(plain_tip(f"{in_words(out.name)}: {out.why}"))
                self.table.setItem(row, column, item)
            self.table.setSpan(row, 2, 1, len(COLUMNS) - 2)
        chosen = self.pairs.index(self._chosen) if self._chosen in self.pairs else -1
        self.table.selectRow(chosen) if chosen >= 0 else self.table.clearSelection()
        self.table.blockSignals(False)
        pairs, out_of = len(self._rows), len(left)
        self.said.setText(
            f"{pairs} pair{'s' * (pairs != 1)} can touch" + (f", {out_of} left out (below)" if out_of else "")
        )

    def _did(self, run: Run | None) -> dict[str, Touches]:
        """What the pairs of a run did, read once a run: the table is filled anew with every edit."""
        if run is None:
            return {}
        if self._read_of is not run:
            self._read_of, self._told = run, touches_of_pairs(run.results)
        return self._told

    def _measured(self, did: Touches | None) -> tuple[str, ...]:
        """What a pair did in a run, in words."""
        if did is None:
            return ("",) * MEASURED
        if did.first is None:
            return ("did not touch", "", "0", "", "", "", "")
        return (
            units.text(did.force, "kN", decimals=2),
            units.text(did.deepest, "mm", decimals=2),
            str(did.count),
            units.text(did.first, "s", decimals=3),
            "" if did.speed is None else units.text(did.speed, "m/s", decimals=2),
            units.text(did.impulse, "N s"),
            "" if did.longest is None else units.text(did.longest, "s", decimals=3),
        )

    def _on_row(self) -> None:
        row = self.table.currentRow()
        if not 0 <= row < len(self.pairs):
            return
        self._chosen = self.pairs[row]
        self.marked.emit(self._chosen)
        self.document.select(self._about(self._chosen))
        if self.run is not None:
            super().refresh()

    def _described(self, pair: str) -> bool:
        """Whether the contact of a pair stands in the project; others come with a seat."""
        top = self.document.project.assembly
        return top is not None and _owner(pair) in top.every("force")

    def _row_name(self, pair: str, owners: set[str]) -> str:
        """A pair in its row: its surfaces, or of a seat the part and the segment; where it is, if there are several."""
        if self._described(pair):
            return _short(pair)
        owner = _owner(pair)
        return in_words(owner if len(owners) > 1 else owner.rpartition("/")[2])

    def _about(self, pair: str) -> Selection:
        """What is selected with a pair: its contact, or the rider whom a seat touches."""
        path = tuple(_owner(pair).split("/"))
        if self._described(pair):
            return Selection("force", path)
        rider = str(self._touching.pairs[pair][1].body_i).split("/")[:-1]  # type: ignore[attr-defined]
        return Selection("assembly", (*path[:-1], *rider))

    def _to_peak(self) -> None:
        """Be at the instant of the largest force of the chosen pair."""
        run = self.run
        if run is None or self._chosen not in run.results.names.springs:
            return
        force = np.abs(run.results.states.spring_force[:, run.results.names.springs.index(self._chosen)])
        self.playback.show_peak(float(run.results.states.time[int(np.argmax(force))]))

    def _on_box(self, item: QTableWidgetItem) -> None:
        """Switch the contact of a row in the design."""
        name = item.data(Qt.ItemDataRole.UserRole)
        if item.column() != 1 or not name:
            return
        path = tuple(_owner(name).split("/"))
        on = item.checkState() == Qt.CheckState.Checked
        try:
            made = set_element(self.document.project, "force", path, {"enabled": on})
        except InputError as fault:
            self.said.setText(str(fault))
            return
        self.document.apply(f"Switch contact '{path[-1]}' {'on' if on else 'off'}", made)


def _law(contact: ForceElement) -> str:
    """The law of a contact in words."""
    return spec_of(type(contact), "law").words[contact.law]  # type: ignore[attr-defined]


def _owner(pair: str) -> str:
    """The path of the contact that a pair belongs to."""
    return pair.partition(": ")[0]


def _short(pair: str) -> str:
    """A pair without its contact."""
    return in_words(pair.partition(": ")[2])


def _cell(text: str) -> QTableWidgetItem:
    item = QTableWidgetItem(text)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item
