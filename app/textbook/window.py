"""The window "Textbook tracks": a ball on a plane curve with gravity and damping, and where its energy is."""

from __future__ import annotations

from threading import Thread
from time import perf_counter
from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.pointmass.ball_text import history_csv, table_csv
from ...core.pointmass.chords import ROWS, STEP, ChordBall, chord_table
from ...core.pointmass.plane_curve import PlaneCurve
from ...core.pointmass.presets import PRESETS, preset
from ...core.pointmass.textbook import BallHistory, Textbook
from ...core.project.project import write_atomically
from ..widgets import dialogs, units
from ..widgets.icons import icon
from ..widgets.scrolled import scrolled
from ..widgets.settings import Settings
from ..widgets.window_size import resize_on_screen
from .chord_page import ChordPage
from .energies import EnergyBars, EnergyCurves
from .fields import fit, note, number
from .motion import MotionPlots
from .own_curve import OwnCurve
from .stage import POINTS, Stage

FRAME = 16  # ms
LONGEST = 0.1  # s of wall clock taken over at once: after a stall the ball goes on where it was
ABOUT: Final = {
    "hump": "Two valleys with a hill between them: with too little energy the ball stays in one of them.",
    "loop": "Down, round a vertical loop, and up again. The ball is held on the track and cannot fall off.",
    "circle": "At rest on the very top the ball stays; anywhere else it goes down and comes up to the same height.",
    "infinity": "A curve that crosses itself: the ball keeps to its branch.",
    "oval": "Two half circles with vertical straights between them, on which the ball falls freely.",
    "spiral": "The track turns in on itself and goes up at both ends.",
    "cardioid": "A curve with a corner, rounded by a small arc so that the ball can pass.",
}
# share of the track at which the ball begins
START: Final = {
    "hump": 0.05,
    "loop": 0.05,
    "circle": 0.12,
    "infinity": 0.02,
    "oval": 0.12,
    "spiral": 0.95,
    "cardioid": 0.3,
}
OWN = "own"
ABOUT_OWN = "Type x(t) and y(t) and the range of t."
EQUATIONS = (
    "<b>a</b> = d<sup>2</sup>s/dt<sup>2</sup> = −g sin φ − (b/m) v,&nbsp; sin φ = dy/ds<br>"
    "E = ½ m v<sup>2</sup> + m g y"
)
KEPT = 36_000  # moments of a ride that are kept for its export
CSV = "Tables (*.csv)"
HELP = "Drag the ball anywhere on the track; it rides from there when you let it go."


class TextbookWindow(QWidget):
    """Choose a track, drag the ball, watch its energies."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.settings = settings
        self.setWindowTitle("Textbook tracks – Ridewright")
        resize_on_screen(self, 1180, 800)
        self.ready = False
        self._resume = False
        self._last = 0.0
        self._make_parts()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME)
        self._timer.timeout.connect(self._tick)
        self.ball: Textbook | None = None
        self.chords: ChordBall | None = None
        self._ridden: list[tuple[float, ...]] = []  # time, s, v, x, y of the ball
        self._chorded: list[tuple[float, float, float]] = []  # time, s, v of the one on chords
        # compiling takes some seconds the first time: the window is there meanwhile and says so
        self._compiling = Thread(target=_compile, name="textbook kernels", daemon=True)
        self._waiting = QTimer(self)
        self._waiting.setInterval(50)
        self._waiting.timeout.connect(self._look)
        settings.changed.connect(self._on_setting)
        self._show_track()

    # -- parts

    def _make_parts(self) -> None:
        self.stage = Stage()
        self.stage.taken.connect(self._on_taken)
        self.stage.dragged.connect(self._on_dragged)
        self.stage.let_go.connect(self._on_let_go)
        self.track = QComboBox()
        self.track.setAccessibleName("Track")
        for name in PRESETS:
            self.track.addItem(name.capitalize(), name)
        self.track.addItem("Own x(t), y(t)", OWN)
        self.track.activated.connect(lambda _k: self._choose_track())
        self.gravity = number("Gravity", 0.0, 50.0, 9.81, 2, "m/s^2")
        self.damping = number("Damping", 0.0, 5.0, 0.0, 3, "N s/m")
        self.mass = number("Mass", 0.1, 50.0, 1.0, 2, "kg")
        for box in (self.gravity, self.damping, self.mass):
            box.valueChanged.connect(lambda _value: self._world_changed())
        self.start = number("Start position", -1e3, 1e4, 0.0, 3, "m")
        self.speed = number("Start speed", -100.0, 100.0, 0.0, 3, "m/s")
        for box in (self.start, self.speed):
            box.setKeyboardTracking(False)
            box.valueChanged.connect(lambda _value: self.reset())
        self.own = OwnCurve()
        self.own.curve_made.connect(lambda _curve: self._choose_track())
        self.own.hide()
        self._make_chords()
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Track", self.track), ("Start position", self.start), ("Start speed", self.speed),
            ("Gravity", self.gravity), ("Damping", self.damping), ("Mass", self.mass),
        )  # fmt: skip
        for title, field in rows:
            form.addRow(title, field)
        form.insertRow(1, self.own)
        form.addRow(self.beside)
        form.addRow("Rows of its table", self.table_rows)
        form.addRow("Its time step", self.table_step)
        self.play_button = QPushButton("Play")
        self.play_button.clicked.connect(self.toggle)
        self.reset_button = QPushButton("Start again")
        self.reset_button.clicked.connect(self.reset)
        buttons = QHBoxLayout()
        buttons.addWidget(self.play_button)
        buttons.addWidget(self.reset_button)
        self.export_button = QPushButton("Save ride…")
        self.export_button.clicked.connect(self.export_ride)
        buttons.addWidget(self.export_button)
        self.about, self.reading, self.cost = note(), note(), note()
        equations = QLabel(EQUATIONS)
        equations.setTextFormat(Qt.TextFormat.RichText)
        equations.setAccessibleName("Equations of the ball")
        self.energy_box = QCheckBox("Show energies")
        self.energy_box.setChecked(True)
        self.energy_box.toggled.connect(self._show_energies)
        self.bars, self.curves = EnergyBars(), EnergyCurves()
        side = QVBoxLayout()
        side.setSpacing(12)
        side.addLayout(form)
        side.addLayout(buttons)
        for widget in (self.about, equations, self.reading, self.cost, self.energy_box, self.bars):
            side.addWidget(widget)
        side.addStretch(1)
        holder = QWidget()
        holder.setLayout(side)
        area = scrolled(holder)
        area.setFixedWidth(384)
        self.motion, self.page = MotionPlots(), ChordPage()
        self.page.save.clicked.connect(self.export_table)
        self.tabs = QTabWidget()
        for title, page in (
            ("Motion", self.motion),
            ("Energy", self.curves),
            ("Table T, P, X, Y", self.page),
        ):
            self.tabs.addTab(page, title)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.stage)
        split.addWidget(self.tabs)
        split.setSizes([480, 260])
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(16)
        row.addWidget(split, 1)
        row.addWidget(area)
        self._show_playing()

    def _make_chords(self) -> None:
        """The choices of the textbook page's own method."""
        self.beside = QCheckBox("Method of chords beside it")
        self.beside.setToolTip(
            "The page's own method: a table of chords that is searched, and Runge-Kutta steps"
        )
        self.beside.toggled.connect(lambda _on: self.reset())
        self.table_rows = QSpinBox()
        self.table_rows.setAccessibleName("Rows of its table")
        self.table_rows.setRange(3, 100_000)
        self.table_rows.setValue(ROWS)
        self.table_rows.setKeyboardTracking(False)
        self.table_step = number("Its time step", 0.0005, 0.5, STEP, 4, "s")
        self.table_step.setKeyboardTracking(False)
        for box in (self.table_rows, self.table_step):
            box.valueChanged.connect(lambda _value: self.reset())

    # -- what a person does

    @property
    def playing(self) -> bool:
        """Whether the ball rides."""
        return self._timer.isActive()

    def toggle(self) -> None:
        """Play or pause."""
        if self.ball is None:
            return
        if self.playing:
            self._timer.stop()
        else:
            self._last = perf_counter()
            self._timer.start()
        self._show_playing()

    def reset(self) -> None:
        """Put the ball where it begins, as fast as it begins."""
        if self.ball is None:
            return
        start, speed = (
            units.from_shown(box.value(), str(box.property("unit"))) for box in (self.start, self.speed)
        )
        self.ball = Textbook(self.ball.curve, **self._world(), s=float(start), v=float(speed))
        self._energies_changed()
        self._show_ball()

    def _curve(self) -> PlaneCurve | None:
        """The chosen curve; None while what is typed is none."""
        name = self.track.currentData()
        return self.own.curve if name == OWN else preset(name)

    def _choose_track(self) -> None:
        own = self.track.currentData() == OWN
        self.own.setVisible(own)
        if own and self.own.curve is None:
            self.own.read()
            return
        self._show_track()
        curve = self._curve()
        if self.ball is not None and curve is not None:
            self.ball = Textbook(curve)
            with QSignalBlocker(self.start), QSignalBlocker(self.speed):
                fit(self.start, START.get(self.track.currentData(), 0.02) * curve.length)
                fit(self.speed, 0.0)
            self.reset()

    def _begin_chords(self) -> None:
        """The table of the curve, and the ball on its chords where the ball is, if that is wanted."""
        ball = self.ball
        if ball is None:
            return
        table = chord_table(ball.curve, self.table_rows.value())
        self.page.show_table(table)
        self.chords = None
        if self.beside.isChecked():
            share = float(table.p[-1]) / ball.curve.length
            step = float(units.from_shown(self.table_step.value(), "s"))
            self.chords = ChordBall(
                table, ball.curve.closed, **self._world(), s=ball.s * share, v=ball.v, step=step
            )
            self._chords_began = self.chords.total
        for box in (self.table_step,):
            box.setEnabled(self.beside.isChecked())

    def export_table(self) -> None:
        """Ask for a file and write the table T, P, X, Y."""
        if self.page.rows.table is not None:
            self._write(
                "Save table", f"{self.track.currentData()}_table.csv", table_csv(self.page.rows.table)
            )

    def export_ride(self) -> None:
        """Ask for a file and write the ride since the ball was put down."""
        if self.ball is not None:
            self._write("Save ride", f"{self.track.currentData()}_ride.csv", history_csv(self.history()))

    def history(self) -> BallHistory:
        """The ride since the ball was put down."""
        ball = self.ball
        assert ball is not None
        rows = np.array(self._ridden).reshape(-1, 5)
        kinetic, potential = 0.5 * ball.mass * rows[:, 2] ** 2, ball.mass * ball.gravity * rows[:, 4]
        return BallHistory(
            rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3:5], kinetic, potential, kinetic + potential
        )

    def _write(self, title: str, name: str, text: str) -> None:
        path = dialogs.file_to_save(self, title, self.settings.last_folder / name, CSV)
        if path is None:
            return
        try:
            write_atomically(path, text)
        except (InputError, OSError) as error:
            dialogs.message(self, "The file could not be written", units.told(error), bad=True)

    def _show_energies(self, on: bool) -> None:
        self.bars.setVisible(on)
        self.tabs.setTabVisible(self.tabs.indexOf(self.curves), on)

    def _world(self) -> dict[str, float]:
        return {
            name: units.from_shown(box.value(), unit)
            for name, box, unit in (
                ("gravity", self.gravity, "m/s^2"),
                ("damping", self.damping, "N s/m"),
                ("mass", self.mass, "kg"),
            )
        }

    def _world_changed(self) -> None:
        if self.ball is not None:
            self.ball.set_world(**self._world())
            self._energies_changed()
            self._show_ball()

    def _on_taken(self) -> None:
        self._resume = self.playing or self.ball is not None
        self._timer.stop()

    def _on_dragged(self, x: float, y: float) -> None:
        if self.ball is not None:
            self.ball.drag_to((x, y))
            self._energies_changed()
            self._show_ball()

    def _on_let_go(self) -> None:
        if self._resume and not self.playing:
            self.toggle()

    # -- time

    def _tick(self) -> None:
        now = perf_counter()
        passed, self._last = min(now - self._last, LONGEST), now
        if self.ball is not None:
            self.ball.step(passed)
            if self.chords is not None:
                self.chords.step(passed)
            self._keep()
            self.curves.add(self.ball.time, self.ball.kinetic, self.ball.potential, self.ball.total)
            self._show_ball()

    def _look(self) -> None:
        if self._compiling.is_alive():
            return
        self._waiting.stop()
        self.ball = Textbook(self._curve() or preset("hump"))
        self.ready = True
        self.play_button.setEnabled(True)
        self.reset_button.setEnabled(True)
        self._choose_track()
        self._show_playing()

    # -- drawing

    def _show_track(self) -> None:
        curve = self._curve()
        if curve is not None:
            self.stage.show_curve(curve.points(POINTS))
        self.about.setText(f"{ABOUT.get(self.track.currentData(), ABOUT_OWN)} {HELP}")

    def _show_ball(self) -> None:
        ball = self.ball
        if ball is None:
            return
        way = ball.curve.evaluate(ball.s)[0, 1]
        beside = None if self.chords is None else self.chords.position
        self.stage.show_ball(ball.position, (float(way[0]) * ball.v, float(way[1]) * ball.v), beside)
        self._show_cost()
        if self.motion.isVisible():
            self.motion.show_rows([row[:3] for row in self._ridden], self._chorded)  # type: ignore[misc]
        self.bars.show_values(ball.kinetic, ball.potential, ball.total)
        height = units.text(ball.position[1], "m")
        self.reading.setText(
            f"Speed {units.text(abs(ball.v), 'm/s')}   height {height}   time {ball.time:.1f} s"
        )

    def _keep(self) -> None:
        """Remember the moment."""
        if self.ball is not None:
            self._ridden.append((self.ball.time, self.ball.s, self.ball.v, *self.ball.position))
            del self._ridden[:-KEPT]
        if self.chords is not None:
            self._chorded.append((self.chords.time, self.chords.s, self.chords.v))
            del self._chorded[:-KEPT]

    def _show_cost(self) -> None:
        """What the method of chords has lost or made, where nothing takes energy away."""
        ball, chords = self.ball, self.chords
        if ball is None or chords is None:
            self.cost.setText("")
            return
        if ball.damping > 0.0:
            self.cost.setText(
                f"Chords: {units.text(chords.total - ball.total, 'J', decimals=3)} more energy than ours."
            )
            return
        change = chords.total - self._chords_began
        swing = max((row[2] ** 2 for row in self._ridden), default=0.0) * 0.5 * ball.mass
        part = f" ({100.0 * change / swing:+.2g} % of the largest kinetic energy)" if swing > 1e-9 else ""
        sign = "+" if change > 0.0 else ""
        text = f"{sign}{units.text(change, 'J', decimals=4)}"
        self.cost.setText(f"Chords: energy {text} since the start{part}; ours 0.")

    def _energies_changed(self) -> None:
        """New energies: the curves begin anew, the bars take their range."""
        ball = self.ball
        if ball is None:
            return
        lowest = float(ball.curve.coef[:, 0, 1].min()) * ball.mass * ball.gravity
        highest = max(ball.total, ball.total - lowest, 0.0)
        ball.time = 0.0
        self._ridden, self._chorded = [], []
        self._begin_chords()
        self._keep()
        self.bars.set_range(min(lowest, 0.0), highest)
        self.curves.set_range(min(lowest, 0.0), highest)
        self.curves.clear()
        self.curves.add(0.0, ball.kinetic, ball.potential, ball.total)

    def _show_playing(self) -> None:
        self.play_button.setIcon(icon("pause" if hasattr(self, "_timer") and self.playing else "play"))
        self.play_button.setText("Pause" if hasattr(self, "_timer") and self.playing else "Play")
        if not self.ready:
            self.play_button.setEnabled(False)
            self.reset_button.setEnabled(False)
            self.reading.setText("The ball is being prepared.")

    def _on_setting(self, name: str) -> None:
        if name == "units":
            self._units_changed()

    def _units_changed(self) -> None:
        world = self._world_in_si
        began = self._ridden[0][1:3] if self._ridden else (0.0, 0.0)
        for box, name in ((self.gravity, "gravity"), (self.damping, "damping"), (self.mass, "mass")):
            with QSignalBlocker(box):
                fit(box, world[name])
        for box, value in ((self.start, began[0]), (self.speed, began[1])):
            with QSignalBlocker(box):
                fit(box, float(value))
        self.stage.restyle()
        self.curves.restyle()
        self.motion.restyle()
        self._energies_changed()
        self._show_ball()

    @property
    def _world_in_si(self) -> dict[str, float]:
        ball = self.ball
        if ball is None:
            return {"gravity": 9.81, "damping": 0.0, "mass": 1.0}
        return {"gravity": ball.gravity, "damping": ball.damping, "mass": ball.mass}

    # -- events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.ready and not self._waiting.isActive():
            if self._compiling.ident is None:
                self._compiling.start()
            self._waiting.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._timer.stop()
        self._show_playing()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "curves"):
            self.stage.restyle()
            self.curves.restyle()
            self.motion.restyle()
            self.bars.update()
            self._show_playing()


def _compile() -> None:
    """Load or compile the kernels of the ball."""
    Textbook(preset("circle"), s=1.0).step(0.01)
