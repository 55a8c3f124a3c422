"""The Rider panel: stature and mass by sliders, the drawing with limits, the segments with their sources."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSlider,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.base.fields import spec_of
from ...core.edits import riders
from ...core.edits.elements import assembly_at, element_at, set_element
from ...core.edits.remaking import seat_shape
from ...core.human.anthropometry import size_of
from ...core.human.drawing import VIEWS
from ...core.human.findings import fit_at
from ...core.human.population import admitted_by
from ...core.human.shape import segments
from ...core.model.assembly import Assembly
from ...core.model.person import Person
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import dialogs, units
from ..widgets.flow import FlowLayout
from ..widgets.number_entry import NumberEntry
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_label, plain_tip
from ..widgets.scrolled import scrolled
from ..widgets.settings import Settings
from ..widgets.turning_splitter import TurningSplitter
from ..work.seating import seating_of
from .canvas import RiderCanvas
from .people import PeopleList

EMPTY: Final = "No rider. Train > Make rider… seats one of any size."
BY_HAND: Final = (
    "This rider was not generated, or was edited by hand since: stature and mass are its segments' own."
)
RANGES: Final = {"stature": (0.85, 2.10, 0.005), "mass": (10.0, 160.0, 0.5)}
MAX_SHOWN: Final = 12
TABLE: Final = 150  # px, of the segments
DRAWN: Final = 0.62  # of a column, for the drawing
ROOM: Final = 24  # px, around a number


class RiderPanel(QWidget):
    """Shows the selected rider, else the first one; every change is an undo step, dragging previews it."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self._path: tuple[str, ...] | None = None
        self._filling = False
        self.heading, self.note, self.fit = plain_label(), plain_label(), plain_label()
        self.heading.setProperty("role", "heading")
        for label in (self.heading, self.note, self.fit):
            label.setWordWrap(True)
        self.note.setProperty("role", "muted")
        self.sliders = {field: self._slider(field) for field in RANGES}
        self.values = {field: self._value(field) for field in RANGES}
        self.people = PeopleList()
        self.people.itemDoubleClicked.connect(lambda item: self._seat(self.people.row(item)))
        self.seating = seating_of(document)
        self.seating.refused.connect(lambda fault: self.note.setText(units.told(fault)))
        self.anew = QPushButton("Make anew…")
        self.anew.clicked.connect(self._make_anew)
        self.view = QComboBox()
        self.view.addItems(list(VIEWS))
        self.view.setAccessibleName("View of the rider")
        self.joint = QComboBox()
        self.joint.setAccessibleName("Joint whose limits are shown")
        self.canvas = RiderCanvas()
        self.table: QTableWidget = plain_table(("Segment", "", "", "", "Source"))
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(4, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self._lay_out()
        self.view.currentTextChanged.connect(self.canvas.turn_to)
        self.joint.currentTextChanged.connect(self.canvas.choose)
        self.canvas.picked.connect(self.joint.setCurrentText)
        self.canvas.limit_dragged.connect(self._limit)
        self.canvas.turned.connect(self._turn)
        document.project_changed.connect(lambda _: self.refresh())
        document.preview_changed.connect(lambda _: self.refresh())
        document.selection_changed.connect(lambda _: self.refresh())
        document.runs_changed.connect(self.refresh)
        playback.time_changed.connect(lambda _: self._draw())
        settings.changed.connect(lambda name: self._in_units() if name == "units" else None)
        self.refresh()

    def _slider(self, field: str) -> QSlider:
        low, high, step = RANGES[field]
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(round(low / step), round(high / step))
        slider.setAccessibleName(field.capitalize())
        slider.valueChanged.connect(lambda value: self._slid(field, value * step))
        slider.sliderReleased.connect(self._let_go)
        return slider

    def _value(self, field: str) -> NumberEntry:
        entry = NumberEntry(replace(spec_of(Person, field), empty=""))
        entry.line.setMinimumWidth(entry.line.fontMetrics().horizontalAdvance("0000.000") + ROOM)
        entry.given.connect(lambda value: self._give(field, value))
        entry.refused.connect(lambda why: self.note.setText(why))
        return entry

    def _lay_out(self) -> None:
        sizes = QGridLayout()
        for row, field in enumerate(RANGES):
            sizes.addWidget(QLabel(field.capitalize()), row, 0)
            sizes.addWidget(self.sliders[field], row, 1)
            sizes.addWidget(self.values[field], row, 2)
        sizes.setColumnStretch(1, 2)
        sizes.setColumnStretch(2, 1)
        bar = FlowLayout()
        for widget in (self.view, self.joint):
            bar.addWidget(widget)
        named = QHBoxLayout()
        named.addWidget(self.heading, 1)
        named.addWidget(self.anew)
        left, right = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(bar)
        column.addWidget(self.canvas, 1)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(named)
        column.addLayout(sizes)
        column.addWidget(self.note)
        column.addWidget(self.fit)
        column.addWidget(self.people)
        column.addWidget(self.table, 1)
        self.table.setMinimumHeight(TABLE)
        rest = scrolled(right)  # where there is little room what is said of the fit is not cut
        split = TurningSplitter(above=DRAWN)
        split.addWidget(left)
        split.addWidget(rest)
        split.setStretchFactor(0, 1)
        split.setSizes([420, 520])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addWidget(split)

    # -- what is shown

    def _shown(self) -> tuple[Project, Assembly | None]:
        """The project as it is on screen and the rider in it."""
        project = self._document.previewed or self._document.project
        top = project.assembly
        if top is None:
            return project, None
        found = [tuple(path.split("/")) for path in top.with_role("rider") if path]
        selected = self._document.selection.path
        about = [path for path in found if selected[: len(path)] == path]
        if about:
            self._path = about[0]
        elif self._path not in found:
            self._path = found[0] if found else None
        return project, None if self._path is None else assembly_at(project, self._path)

    def refresh(self) -> None:
        """Show the rider as it is now."""
        self.people.admit(admitted_by(self._document.project.evaluation))
        project, rider = self._shown()
        generated = rider is not None and rider.person is not None
        self._filling = True
        self.heading.setText(" › ".join(self._path or ()) if rider is not None else EMPTY)
        self.note.setText("" if rider is None else rider.description if generated else BY_HAND)
        self.anew.setEnabled(generated)
        for slider in self.sliders.values():
            slider.setEnabled(generated)
        self._fill_joints(rider)
        try:
            self._fill_sizes(rider)
            self._fill_table(rider)
        except InputError as error:  # a file may ask for somebody of whom no body can be made
            self.note.setText(units.told(error))
        self._fill_fit(project, rider)
        self._filling = False
        self._draw()

    def _in_units(self) -> None:
        for entry in self.values.values():
            entry.unit.setText(units.label(entry.spec.unit))
        self.people.say()
        self.refresh()

    def _fill_fit(self, project: Project, rider: Assembly | None) -> None:
        """How the rider fits the seat, where it says what it is made of."""
        known = rider is not None and self._path is not None and project.assembly is not None
        found = fit_at(project.assembly, self._path) if known else None  # type: ignore[arg-type]
        self.fit.setText("" if found is None else units.in_units(found.said))
        self.fit.setVisible(found is not None)
        self.fit.setProperty("role", "warn" if found is not None and found.misfits else "muted")
        self.fit.style().polish(self.fit)

    def _fill_sizes(self, rider: Assembly | None) -> None:
        shown = {"stature": math.nan, "mass": math.nan if rider is None else rider.mass()}
        if rider is not None and rider.person is not None:
            size = size_of(rider.person)
            shown = {"stature": size.stature.value, "mass": size.mass.value}
        for field, value in shown.items():
            entry = self.values[field]
            entry.setEnabled(rider is not None and rider.person is not None)
            if not entry.line.typed_in:
                entry.set_value(None if math.isnan(value) else round(value, 4))
            slider = self.sliders[field]
            if not slider.isSliderDown():
                slider.setValue(slider.minimum() if math.isnan(value) else round(value / RANGES[field][2]))

    def _fill_joints(self, rider: Assembly | None) -> None:
        joints = () if rider is None else rider.joints
        self.joint.setEnabled(bool(joints))
        kinds = ((joint.name, joint.type) for joint in joints)  # hinges and balls
        names = [name for name, kind in kinds if kind.turns in ("axis", "all") and kind.moves == "none"]
        if names != [self.joint.itemText(k) for k in range(self.joint.count())]:
            chosen = self.joint.currentText()
            self.joint.clear()
            self.joint.addItems(names)
            wanted = chosen if chosen in names else next((n for n in names if n.endswith("hip")), "")
            self.joint.setCurrentText(wanted)
            self.canvas.joint = self.joint.currentText()

    def _fill_table(self, rider: Assembly | None) -> None:
        metre = units.label("m")
        heads = ("Segment", f"Mass ({units.label('kg')})", f"Length ({metre})", f"Girth ({metre})", "Source")
        self.table.setHorizontalHeaderLabels(list(heads))
        head = self.table.horizontalHeader()
        head.setMinimumSectionSize(
            head.sectionSizeHint(len(heads) - 1)
        )  # the last one is no wider than its room
        rows: list[tuple[str, ...]] = []
        if rider is not None and rider.person is not None:
            for s in segments(rider.person):
                figures = ((s.mass, "kg"), (s.length, "m"), (s.girth, "m"))
                messages = [units.format(f.value, unit)[0] for f, unit in figures]
                sources = "; ".join(f"{what} {f.kind}: {f.source}" for what, f in (
                    ("mass", s.mass), ("length", s.length), ("girth", s.girth), ("moments", s.moments)
                ))  # fmt: skip
                rows.append((s.name, *messages, sources))
        elif rider is not None:
            rows = [(b.name, units.format(b.mass, "kg")[0], "", "", b.part) for b in rider.bodies]
        self.table.setRowCount(len(rows))
        other = False
        self.table.model().blockSignals(True)  # one picture of the table, not one look at it for each cell
        for k, row in enumerate(rows):
            for c, text in enumerate(row):
                item = self.table.item(k, c)
                if item is None:
                    item = QTableWidgetItem()
                    self.table.setItem(k, c, item)
                if item.text() != text:
                    item.setText(text)
                    item.setToolTip(plain_tip(text))
                    other |= c == 0
        self.table.model().blockSignals(False)
        self.table.viewport().update()
        if other:  # not for every number that is dragged
            self.table.resizeColumnToContents(0)

    def _draw(self) -> None:
        _, rider = self._shown()
        self.canvas.show_rider(rider, self._poses(rider) if self._document.previewed is None else None)

    def _poses(self, rider: Assembly | None) -> dict[str, tuple[Array, Array]] | None:
        """Poses of the rider's bodies at the instant of the shown run, when it has them."""
        run = self._document.current_run
        if rider is None or run is None or run.measured is not None or self._path is None:
            return None
        names, states = run.results.names.bodies, run.results.states
        at = min(int(np.searchsorted(states.time, self._playback.time)), len(states.time) - 1)
        start = "/".join(self._path) + "/"
        return {
            name.removeprefix(start): (states.position[at, k], states.orientation[at, k])
            for k, name in enumerate(names)
            if name.startswith(start)
        }

    # -- changes

    def _slid(self, field: str, value: float) -> None:
        if self._filling or self._path is None:
            return
        fields: dict[str, object] = {field: value, f"{field}_percentile": ""}
        if self.sliders[field].isSliderDown():
            self.seating.look(self._path, fields)
        else:
            self._give(field, value)

    def _give(self, field: str, value: float | None) -> None:
        """Another stature or mass, as a step; None: as it follows from the rest."""
        if self._path is not None:
            fields: dict[str, object] = {field: value, f"{field}_percentile": ""}
            self.seating.resize(self._path, fields, f"Change {field} of {self._path[-1]}")

    def _let_go(self) -> None:
        if self._path is None or not self.seating.keep(f"Change size of {self._path[-1]}"):
            self.refresh()

    def _seat(self, row: int) -> None:
        """Put somebody of the list in the place of the rider shown, or on the first seat."""
        project, rider = self._shown()
        if project.assembly is None:
            return
        seats = project.assembly.every("seat")
        own = "/".join((*(self._path or ())[:-1], str(rider.seat))) if rider is not None else ""
        where = own if own in seats else next(iter(seats), None)
        if where is not None:
            self.seating.seat(where, self.people.somebody(row))

    def _limit(self, element: str, axis: int, upper: bool, angle: float, done: bool) -> None:
        assert self._path is not None
        field = "upper" if upper else "lower"
        path = (*self._path, element)
        old = getattr(element_at(self._document.project, "force", path), field)
        new = tuple(angle if k == axis else value for k, value in enumerate(old))
        self._show(f"Change limit of {element}", done, lambda p: set_element(p, "force", path, {field: new}))

    def _turn(self, joint: str, axis: int, angle: float, done: bool) -> None:
        """Turn a limb: the joint's rotation becomes part of what was asked for."""
        assert self._path is not None
        path = self._path
        rider = assembly_at(self._document.project, path)
        if rider.person is None:
            self.note.setText(BY_HAND)
            return
        pose = dict(rider.person.pose)  # what is not turned by hand follows the seat
        turned = list(riders.pose_of(rider, seat_shape(self._document.project, path))[joint])
        turned[axis] = angle
        pose[joint] = (turned[0], turned[1], turned[2])
        fields = {"pose": tuple(pose.items())}
        self._show(f"Turn {joint}", done, lambda p: riders.set_person(p, path, fields))

    def _show(self, step: str, done: bool, edit: Any) -> None:
        try:
            made = edit(self._document.project)
        except InputError as error:
            self.note.setText(units.told(error))
            return
        if done:
            self._document.apply(step, made)
        else:
            self._document.preview(made)

    def _make_anew(self) -> None:
        """What would change, then change it."""
        assert self._path is not None
        project = self._document.project
        try:
            reported = riders.differences(assembly_at(project, self._path), seat_shape(project, self._path))
        except InputError as error:
            self.note.setText(units.told(error))
            return
        if not reported:
            self.note.setText("Made anew, nothing would change.")
            return
        more = f"\n… and {len(reported) - MAX_SHOWN} more" if len(reported) > MAX_SHOWN else ""
        text = "\n".join(reported[:MAX_SHOWN]) + more
        if dialogs.ask(self, "Make the rider anew?", f"This changes:\n\n{text}", "Make anew", "Cancel"):
            self._document.apply(f"Make {self._path[-1]} anew", riders.renew(project, self._path))
            self._document.select(Selection("assembly", self._path))
