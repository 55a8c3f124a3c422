"""The Modes panel: small motions about rest or about an instant of the shown run; each swings in the 3D view."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.solver.modes import Mode
from ..document.document import Document
from ..document.playback import Playback
from ..view3d.poses import Poses
from ..widgets.icons import icon
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_label
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

COLUMNS = ("Most of the energy", "Mode", "Frequency (Hz)", "Damping", "Moves along")
ALONE = "What moves"  # the first of them, of one body
MAX_MODES = 40  # modes of the table
ABOUT = ("about rest at the start", "about the shown instant of the run")
FRAME = 33  # ms between two pictures of a swing
SWING = 1.6  # s of a swing on the screen, whatever its frequency
SIZES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)  # m
EMPTY = "Small motions of the model: what swings, how fast, how much it is damped."
STALE = "The design has changed since: find them again."


class ModesPanel(QWidget):
    """Modes of the project. `posed` carries the poses of a swing and the share of it (0 to 1), or None and 0."""

    posed = Signal(object, float)

    def __init__(self, document: Document, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self._found: Found | None = None
        self._modes: tuple[Mode, ...] = ()
        self._swing: Poses | None = None
        self._work: Task | None = None  # its thread is begun when it is needed
        self._clock, self._ticks = QElapsedTimer(), QTimer(self)
        self._ticks.setInterval(FRAME)
        self._ticks.timeout.connect(self._show)
        self.table = plain_table(COLUMNS)
        self.table.itemSelectionChanged.connect(self._on_row)
        self.table.itemDoubleClicked.connect(lambda _: self._select_body())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addLayout(self._make_bar())
        layout.addWidget(self.table, 1)
        document.project_changed.connect(lambda _: self._on_project())
        document.begun.connect(self._forget)
        playback.state_changed.connect(self._on_playback)
        self._on_project()

    def _make_bar(self) -> QHBoxLayout:
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
        bar = QHBoxLayout()
        for widget in (self.about, self.button, self.animate, self.extent):
            bar.addWidget(widget)
        bar.addWidget(self.note, 1)
        return bar

    def look(self) -> None:
        """Find the modes about the chosen state."""
        run = self._document.current_run
        time = None
        project = self._document.project
        alone = self.about.currentData() or ""
        if self.about.currentIndex() == 1:
            if run is None or run.measured is not None:
                self.note.setText("There is no run of the model to take an instant from; press F5 first.")
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
        every = [mode for mode in found.modes if mode.kind != "free"]
        self._modes = tuple(every[:MAX_MODES])
        self.table.setHorizontalHeaderLabels([ALONE if found.asked.alone else COLUMNS[0], *COLUMNS[1:]])
        self.table.setRowCount(len(self._modes))
        for row, mode in enumerate(self._modes):
            texts = (
                energy_text(mode, found.names), str(row + 1), frequency_text(mode), damping_text(mode),
                along_text(mode),
            )  # fmt: skip
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(
                    f"Pole {mode.pole.real:.5g} ± {mode.pole.imag:.5g}i 1/s. Double click selects the body."
                )
                self.table.setItem(row, column, item)
        self._mark()
        if self._modes:
            self.table.selectRow(0)

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
        more = len(found.modes) - free - len(self._modes)
        rest = "at rest with drives off" if found.drives else "at rest"
        where = rest if found.asked.time is None else f"at t = {found.asked.time:.2f} s"
        where = f"of “{found.asked.alone}” alone" if found.asked.alone else where
        parts = [f"{len(self._modes)} slowest modes {where}" if more else f"All modes {where}"]
        parts += [f"{free} free motions left out"] if free else []
        self.note.setText("; ".join(parts) + ("." if not stale else f". {STALE}"))

    def _forget(self) -> None:
        self.animate.setChecked(False)
        self._found, self._modes = None, ()
        self.table.setRowCount(0)
        self._mark()

    # -- one mode

    def _mode(self) -> Mode | None:
        row = self.table.currentRow()
        return self._modes[row] if 0 <= row < len(self._modes) else None

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
        """End the thread."""
        self.animate.setChecked(False)
        if self._work is not None:
            self._work.close()
            self._work = None
