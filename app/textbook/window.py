"""The window "Textbook tracks": a ball on a plane curve with gravity and damping, and where its energy is."""

from __future__ import annotations

from threading import Thread
from time import perf_counter
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.textbook.energies import EnergyBars, EnergyCurves
from app.textbook.stage import POINTS, Stage
from app.widgets import units
from app.widgets.icons import icon
from app.widgets.settings import Settings
from core.pointmass.presets import PRESETS, curve_points, preset
from core.pointmass.textbook import Textbook

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
HELP = "Drag the ball anywhere on the track; it rides from there when you let it go."


class TextbookWindow(QWidget):
    """Choose a track, drag the ball, watch its energies."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.settings = settings
        self.setWindowTitle("Textbook tracks – Ridewright")
        self.resize(980, 620)
        self.ready = False
        self._resume = False
        self._last = 0.0
        self._make_parts()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME)
        self._timer.timeout.connect(self._tick)
        self.ball: Textbook | None = None
        # compiling takes some seconds the first time: the window is there meanwhile and says so
        self._compiling = Thread(target=_compile, name="textbook kernels", daemon=True)
        self._waiting = QTimer(self)
        self._waiting.setInterval(50)
        self._waiting.timeout.connect(self._look)
        settings.changed.connect(lambda name: self._units_changed() if name == "units" else None)
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
        self.track.activated.connect(lambda _k: self._choose_track())
        self.gravity = _number("Gravity", 0.0, 50.0, 9.81, 2, "m/s^2")
        self.damping = _number("Damping", 0.0, 5.0, 0.0, 3, "N s/m")
        self.mass = _number("Mass", 0.1, 50.0, 1.0, 2, "kg")
        for box in (self.gravity, self.damping, self.mass):
            box.valueChanged.connect(lambda _value: self._world_changed())
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        for title, box in (
            ("Track", self.track), ("Gravity", self.gravity), ("Damping", self.damping), ("Mass", self.mass),
        ):  # fmt: skip
            form.addRow(title, box)
        self.play_button = QPushButton("Play")
        self.play_button.clicked.connect(self.toggle)
        self.reset_button = QPushButton("Start again")
        self.reset_button.clicked.connect(self.reset)
        buttons = QHBoxLayout()
        buttons.addWidget(self.play_button)
        buttons.addWidget(self.reset_button)
        self.about, self.reading = _note(), _note()
        self.bars, self.curves = EnergyBars(), EnergyCurves()
        side = QVBoxLayout()
        side.setSpacing(12)
        side.addLayout(form)
        side.addLayout(buttons)
        side.addWidget(self.about)
        side.addWidget(self.reading)
        side.addWidget(self.bars)
        side.addWidget(self.curves, 1)
        holder = QWidget()
        holder.setLayout(side)
        holder.setFixedWidth(360)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(16)
        row.addWidget(self.stage, 1)
        row.addWidget(holder)
        self._show_playing()

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
        """Put the ball where it began, at rest."""
        if self.ball is None:
            return
        curve = self.ball.curve
        self.ball = Textbook(
            curve, **self._world(), s=START[self.track.currentData()] * float(curve.s[-1]), v=0.0
        )
        self._energies_changed()
        self._show_ball()

    def _choose_track(self) -> None:
        self._show_track()
        if self.ball is not None:
            self.ball = Textbook(preset(self.track.currentData()))
            self.reset()

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
            self.curves.add(self.ball.time, self.ball.kinetic, self.ball.potential, self.ball.total)
            self._show_ball()

    def _look(self) -> None:
        if self._compiling.is_alive():
            return
        self._waiting.stop()
        self.ball = Textbook(preset(self.track.currentData()))
        self.ready = True
        self.play_button.setEnabled(True)
        self.reset_button.setEnabled(True)
        self.reset()
        self._show_playing()

    # -- drawing

    def _show_track(self) -> None:
        name = self.track.currentData()
        self.stage.show_curve(curve_points(name, POINTS))
        self.about.setText(f"{ABOUT[name]} {HELP}")

    def _show_ball(self) -> None:
        ball = self.ball
        if ball is None:
            return
        way = ball.curve.evaluate(ball.s)[0, 1]
        self.stage.show_ball(ball.position, (float(way[0]) * ball.v, float(way[1]) * ball.v))
        self.bars.show_values(ball.kinetic, ball.potential, ball.total)
        height = units.text(ball.position[1], "m")
        self.reading.setText(
            f"Speed {units.text(abs(ball.v), 'm/s')}   height {height}   time {ball.time:.1f} s"
        )

    def _energies_changed(self) -> None:
        """New energies: the curves begin anew, the bars take their range."""
        ball = self.ball
        if ball is None:
            return
        lowest = float(ball.curve.coef[:, 0, 1].min()) * ball.mass * ball.gravity
        highest = max(ball.total, ball.total - lowest, 0.0)
        ball.time = 0.0
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

    def _units_changed(self) -> None:
        world = self._world_in_si
        for box, name in ((self.gravity, "gravity"), (self.damping, "damping"), (self.mass, "mass")):
            with QSignalBlocker(box):
                _fit(box, world[name])
        self.stage.restyle()
        self.curves.restyle()
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
            self.bars.update()
            self._show_playing()


def _compile() -> None:
    """Load or compile the kernels of the ball."""
    Textbook(preset("circle"), s=1.0).step(0.01)


def _note() -> QLabel:
    label = QLabel("")
    label.setWordWrap(True)
    label.setProperty("role", "muted")
    return label


def _number(title: str, low: float, high: float, value: float, decimals: int, unit: str) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setAccessibleName(title)
    box.setProperty("unit", unit)
    box.setProperty("si_range", (low, high))
    box.setDecimals(decimals)
    _fit(box, value)
    return box


def _fit(box: QDoubleSpinBox, value: float) -> None:
    """Show a value in SI in the units in use."""
    unit = str(box.property("unit"))
    low, high = box.property("si_range")
    box.setRange(units.to_shown(low, unit), units.to_shown(high, unit))
    box.setSuffix(f" {units.label(unit)}")
    box.setSingleStep(units.to_shown(high, unit) / 50.0)
    box.setValue(units.to_shown(value, unit))
