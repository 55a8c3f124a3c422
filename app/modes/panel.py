"""The Modes panel: small motions about rest or about an instant of the shown run; each swings in the 3D view."""

from __future__ import annotations

import math
from typing import Final, Literal, NamedTuple

from PySide6.QtCore import QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QPushButton,
    QSlider,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.base.fields import FieldSpec
from ...core.base.sentence import written
from ...core.solver.mode_names import growth
from ...core.solver.modes import Mode
from ..document.document import Document
from ..document.playback import Playback
from ..view3d.poses import Poses
from ..widgets.flow import FlowLayout
from ..widgets.icons import icon
from ..widgets.number_entry import NumberEntry
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_label
from ..widgets.share_bar import SHARE, ShareBar
from ..work.problem_finder import element_selection
from ..work.task import Task
from .shapes import (
    Asked,
    Found,
    along_text,
    damping_text,
    energy_text,
    find,
    frequency_text,
    swing,
)

Kind = Literal["all", "swing", "car", "decay", "unstable"]
KINDS: Final[dict[Kind, str]] = {
    "all": "All modes",
    "swing": "Oscillating",
    "car": "Of a car as a whole",
    "decay": "Without swing",
    "unstable": "Unstable",
}


class ModeRow(NamedTuple):
    """A mode of the table: its number, slowest first and counted from 1, and what a car does as a whole in it."""

    number: int
    mode: Mode
    motion: str


def rows_of(found: Found) -> tuple[ModeRow, ...]:
    """All modes but free motions: what is unstable first, then how cars swing as a whole, then the others, each slowest
    first."""
    motions = found.motions or ("",) * len(found.modes)
    every = [(mode, motion) for mode, motion in zip(found.modes, motions, strict=True) if mode.kind != "free"]
    rows = [ModeRow(k, mode, motion) for k, (mode, motion) in enumerate(every, start=1)]
    return tuple(sorted(rows, key=_rank))


def _rank(row: ModeRow) -> tuple[int, int]:
    if row.mode.kind == "unstable":
        return 0, row.number
    return (1 if row.motion and row.mode.kind == "swing" else 2), row.number


def shown(
    rows: tuple[ModeRow, ...], kind: Kind, body: str, low: float | None, high: float | None
) -> tuple[ModeRow, ...]:
    """The rows of a kind in which bodies whose names contain a text move most, from `low` to `high` (Hz)."""
    words = body.lower().split()
    return tuple(
        row
        for row in rows
        if _is(row, kind)
        and all(any(word in name.lower() for name in (*row.mode.where, row.motion)) for word in words)
        and (-math.inf if low is None else low) <= row.mode.frequency <= (math.inf if high is None else high)
    )


def _is(row: ModeRow, kind: Kind) -> bool:
    if kind == "car":
        return bool(row.motion)
    if kind == "swing":
        return row.mode.pole.imag > 0.0 and row.mode.kind not in ("decay", "static")
    return kind == "all" or row.mode.kind == kind


COLUMNS = ("Most of the energy", "Mode", "Frequency (Hz)", "Damping", "Moves along")
ALONG = len(COLUMNS) - 1
ROW = Qt.ItemDataRole.UserRole
ALONE = "What moves"  # the first of them, of one body
ABOUT = ("about rest at the start", "about the shown instant of the run")
FRAME = 33  # ms between two pictures of a swing
SWING = 1.6  # s of a swing on the screen, whatever its frequency
SIZES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)  # m
EMPTY = "Small motions of the model: what swings, how fast, how much it is damped."
NO_RUN = "There is no run of the model to take an instant from; press F5 first."
STALE = "The design has changed since: find them again."


class ModesPanel(QWidget):
    """Modes of the project. `posed` carries the poses of a swing and the share of it (0 to 1), or None and 0."""

    posed = Signal(object, float)

    def __init__(self, document: Document, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self._found: Found | None = None
        self._every: tuple[ModeRow, ...] = ()  # that were found
        self._modes: tuple[ModeRow, ...] = ()  # that are listed
        self._swing: Poses | None = None
        self._work: Task | None = None  # its thread is begun when it is needed
        self._clock, self._ticks = QElapsedTimer(), QTimer(self)
        self._ticks.setInterval(FRAME)
        self._ticks.timeout.connect(self._show)
        self.table = plain_table(COLUMNS)
        self.table.setSortingEnabled(True)
        self.table.setItemDelegateForColumn(ALONG, ShareBar(self.table))
        self.table.itemSelectionChanged.connect(self._on_row)
        self.table.itemDoubleClicked.connect(lambda _: self._select_body())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addLayout(self._make_bar())
        layout.addLayout(self._make_filter())
        layout.addWidget(self.note)
        layout.addWidget(self.table, 1)
        document.project_changed.connect(lambda _: self._on_project())
        document.begun.connect(self._forget)
        document.runs_changed.connect(self._offer_instant)
        self._offer_instant()
        playback.state_changed.connect(self._on_playback)
        self._on_project()

    def _make_bar(self) -> FlowLayout:
        self.about = QComboBox()
        self.about.addItems(ABOUT)
        self.about.setAccessibleName("What moves, and the state about which it does")
        self.about.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.about.setMinimumContentsLength(max(map(len, ABOUT)))
        self.button = QPushButton("Find modes")
        self.button.clicked.connect(self.look)
        self.animate = QPushButton(icon("play"), "Swing")
        self.animate.setCheckable(True)
        self.animate.setToolTip(
            "Let the train or rig in the 3D view swing in the chosen mode, slowed down or sped up"
        )
        self.animate.toggled.connect(self._on_animate)
        self.extent = QSlider(Qt.Orientation.Horizontal)
        self.extent.setRange(0, len(SIZES) - 1)
        self.extent.setValue(2)
        self.extent.setMaximumWidth(120)
        self.extent.setAccessibleName("Size of the drawn swing")
        self.extent.setToolTip("How far what moves most is drawn to move")
        self.extent.valueChanged.connect(lambda _: self._make_swing())
        self.note = plain_label()
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        bar = FlowLayout(spacing=6)
        for widget in (self.about, self.button, self.animate, self.extent):
            bar.addWidget(widget)
        return bar

    def _make_filter(self) -> FlowLayout:
        """What is listed: kind, body, frequency."""
        self.kind = QComboBox()
        self.kind.setAccessibleName("Which modes are listed")
        for kind, title in KINDS.items():
            self.kind.addItem(title, kind)
        self.kind.currentIndexChanged.connect(lambda _: self._fill())
        self.body = QLineEdit()
        self.body.setPlaceholderText("Body, or what a car does")
        self.body.setAccessibleName("Bodies that move most")
        self.body.setClearButtonEnabled(True)
        self.body.textChanged.connect(lambda _: self._fill())
        hint = self.body.placeholderText()
        self.body.setMinimumWidth(
            self.body.fontMetrics().horizontalAdvance(hint) + 4 * self.body.fontMetrics().height()
        )
        bar = FlowLayout(spacing=6)
        bar.addWidget(self.kind)
        bar.addWidget(self.body)
        self._range: list[float | None] = [None, None]
        self.range = tuple(
            NumberEntry(FieldSpec(name, f"{title} frequency", "optional", "", "Hz", empty=title.lower()))
            for name, title in (("low", "Lowest"), ("high", "Highest"))
        )
        for k, entry in enumerate(self.range):
            entry.given.connect(lambda value, k=k: self._limit(k, value))
            entry.refused.connect(self.note.setText)
            entry.set_value(None)
            bar.addWidget(entry)
        return bar

    def _limit(self, which: int, value: float | None) -> None:
        self._range[which] = value
        self._fill()

    def _offer_instant(self) -> None:
        """An instant of a run can be chosen where there is a run; else it is rest."""
        run = self._document.current_run
        known = run is not None and run.measured is None
        if not known and self.about.currentIndex() == 1:
            self.about.setCurrentIndex(0)
        item = self.about.model().item(1)  # type: ignore[attr-defined]
        item.setEnabled(known)
        item.setToolTip("" if known else NO_RUN)

    def look(self) -> None:
        """Find the modes about the chosen state."""
        run = self._document.current_run
        time = None
        project = self._document.project
        alone = self.about.currentData() or ""
        if self.about.currentIndex() == 1:
            if run is None or run.measured is not None:
                self.note.setText(NO_RUN)
                return
            project, time = run.project, max(self._playback.time, 1e-3)
        if project.assembly is None:
            self.note.setText("The project has neither a train nor a rig.")
            return
        if self._work is None:
            self._work = Task("modes", lambda asked, _reporter: find(asked), self)
            self._work.finished.connect(self._on_found)
        self.button.setEnabled(False)
        self.note.setText("Looking for modes… the first time the solver is compiled for it.")
        self._work.ask(Asked(project, time, alone))

    def _on_found(self, found: Found) -> None:
        self.button.setEnabled(True)
        self._found = found
        self._every = () if found.trouble else rows_of(found)
        self.table.setHorizontalHeaderLabels([ALONE if found.asked.alone else COLUMNS[0], *COLUMNS[1:]])
        self._fill()

    def _fill(self) -> None:
        """List the modes that are asked for."""
        self._modes = shown(self._every, self.kind.currentData(), self.body.text(), *self._range)
        names = () if self._found is None else self._found.names
        moving = self._found is not None and self._found.asked.time is not None
        self.table.setSortingEnabled(False)
        self.table.setRowCount(len(self._modes))
        for row, one in enumerate(self._modes):
            for column, item in enumerate(_items(row, one, names, moving)):
                self.table.setItem(row, column, item)
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        self._mark()
        if self._modes:
            self.table.selectRow(0)
        self._on_row()

    def _on_project(self) -> None:
        """Offer the flexible bodies of the project, each alone."""
        top = self._document.project.assembly
        names = [] if top is None else [*top.every("flexible")]
        offered = [self.about.itemData(k) for k in range(len(ABOUT), self.about.count())]
        if names != offered:
            chosen = self.about.currentData()
            while self.about.count() > len(ABOUT):
                self.about.removeItem(len(ABOUT))
            for name in names:
                self.about.addItem(f"of “{name}” alone", name)
            self.about.setCurrentIndex(
                max(0, self.about.findData(chosen)) if chosen else self.about.currentIndex()
            )
        self._mark()

    def _mark(self) -> None:
        """Say what the table is of."""
        found = self._found
        swings = bool(self._modes)
        self.animate.setEnabled(swings)
        self.extent.setEnabled(swings)
        if found is None:
            self.note.setText(EMPTY)
            return
        if found.trouble:
            self.note.setText(found.trouble)
            return
        now = self._document.project
        then = found.asked.project
        stale = found.asked.time is None and any(
            getattr(now, part) != getattr(then, part) for part in ("assembly", "track", "scenario", "gravity")
        )
        free = sum(mode.kind == "free" for mode in found.modes)
        every, listed = len(self._every), len(self._modes)
        rest = "at rest with drives off" if found.drives else "at rest"
        where = rest if found.asked.time is None else f"at t = {found.asked.time:.2f} s"
        where = f"of “{found.asked.alone}” alone" if found.asked.alone else where
        parts = [f"All {every} modes {where}" if listed == every else f"{listed} of {every} modes {where}"]
        parts += [f"{free} free motion{'s' * (free > 1)} left out"] if free else []
        moving = found.asked.time is not None
        grows = [growth(row.mode, moving) for row in self._every if row.mode.kind == "unstable"]
        self.note.setText(" ".join(("; ".join(parts) + ".", *([STALE] if stale else []), *grows[:1])))
        self.note.setToolTip("\n".join(grows))

    def _forget(self) -> None:
        self.animate.setChecked(False)
        self._found, self._every = None, ()
        self._fill()

    # -- one mode

    def _mode(self) -> Mode | None:
        item = self.table.item(self.table.currentRow(), 0)
        return None if item is None else self._modes[int(item.data(ROW))].mode

    def _on_row(self) -> None:
        self._make_swing()

    def _select_body(self) -> None:
        mode = self._mode()
        top = self._document.project.assembly
        if mode is not None and mode.where and top is not None:
            self._document.select(element_selection(top, mode.where[0]))

    def _make_swing(self) -> None:
        mode = self._mode()
        self._swing = None
        if mode is not None and self._found is not None and self.animate.isChecked():
            self._swing = swing(self._found, mode, SIZES[self.extent.value()])
        self._show()

    def _draw_button(self) -> None:
        on = self.animate.isChecked()
        self.animate.setIcon(icon("stop" if on else "play"))
        self.animate.setText("Stop" if on else "Swing")

    def _on_animate(self, on: bool) -> None:
        self._draw_button()
        if on:
            self._playback.pause()
            self._clock.start()
            self._make_swing()
            self._ticks.start()
        else:
            self._ticks.stop()
            self._swing = None
            self.posed.emit(None, 0.0)

    def _show(self) -> None:
        if self._swing is not None:
            self.posed.emit(self._swing, (self._clock.elapsed() / 1000.0 / SWING) % 1.0)

    def _on_playback(self) -> None:
        if self._playback.playing:
            self.animate.setChecked(False)

    def hideEvent(self, event: QHideEvent) -> None:
        self.animate.setChecked(False)
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "animate"):
            self._draw_button()

    def shutdown(self) -> None:
        """End the swinging."""
        self.animate.setChecked(False)


class _Number(QTableWidgetItem):
    """A cell that is sorted by its value, not by its text."""

    def __lt__(self, other: QTableWidgetItem) -> bool:
        return bool(self.data(SHARE) < other.data(SHARE))


def _items(number: int, row: ModeRow, names: tuple[str, ...], moving: bool) -> tuple[QTableWidgetItem, ...]:
    """The cells of a mode; moving: of an instant of a ride."""
    mode = row.mode
    energy = energy_text(mode, names)
    cells = (
        (f"{row.motion} – {energy}" if row.motion else energy, None), (str(row.number), row.number),
        (frequency_text(mode), mode.frequency), (damping_text(mode), mode.damping),
        (along_text(mode), float(mode.participation.max(initial=0.0))),
    )  # fmt: skip
    real, imaginary = (written(part, ".5g") for part in (mode.pole.real, mode.pole.imag))
    tip = f"Pole {real} ± {imaginary}i 1/s. Double click selects the body."
    items: list[QTableWidgetItem] = []
    for text, value in cells:
        item = QTableWidgetItem(text) if value is None else _Number(text)
        if value is not None:
            item.setData(SHARE, value)
        item.setToolTip(" ".join(filter(None, (growth(mode, moving), tip))))
        items.append(item)
    items[0].setData(ROW, number)
    return tuple(items)
