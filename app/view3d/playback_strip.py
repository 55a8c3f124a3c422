"""The playback strip under the view: the timeline, and below it transport buttons, rate, loop and readings."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ...core.results.results import Results
from ..document.document import Document
from ..document.playback import Playback
from ..document.runs import Run
from ..widgets import units
from ..widgets.elided import ElidedLabel
from ..widgets.icons import icon
from ..widgets.refresh import Turn
from ..widgets.settings import Settings
from .readings import Readings
from .timeline import Timeline

GAP = 4  # px between readings
RATES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
READING_WIDTHS = {"t": "000.00 s", "s": "s 0000.0 m", "v": "v 000.0 ft/s", "Gz": "Gz −00.0 g"}
EMPTY = "Run the ride (F5), then play it here."


def _happened(results: Results) -> list[tuple[float, str]]:
    """What force elements and couplings did at instants (s) of a run: touches, stops met, gaps closed."""
    passing = ("section", "rises", "falls", "end")
    return [(e.time, f"{e.name}: {e.kind}") for e in results.events if e.kind not in passing]


class _Readings(QWidget):
    """Readings at the right; of those that have no room the last ones are left out, never cut."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._labels: list[QLabel] = []

    def add(self, label: QLabel) -> None:
        """One more, right of those before."""
        label.setParent(self)
        label.installEventFilter(self)
        self._labels.append(label)

    def sizeHint(self) -> QSize:
        wanted = [label.sizeHint() for label in self._labels if not label.isHidden()]
        return QSize(sum(s.width() for s in wanted), max((s.height() for s in wanted), default=0))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.LayoutRequest):
            self._place()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        wanted, left = [], self.width()
        for label in self._labels:
            if label.isHidden():
                continue
            wide = max(label.minimumWidth(), label.sizeHint().width())
            left = left - wide - GAP if left >= wide + GAP else -1
            wanted.append((label, wide, left >= 0))
        x = self.width()
        for label, wide, fits in reversed(wanted):
            x -= wide + GAP if fits else 0
            label.setProperty("left_out", not fits)
            # out of sight, not hidden: what is known is said by hiding
            label.setGeometry(x if fits else self.width() + GAP, 0, wide, self.height())


class PlaybackStrip(QWidget):
    """Controls of the shared time cursor."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self._readings: Readings | None = None
        self._reads = Turn(self, self._take_readings)
        self.timeline = Timeline(playback)
        row = QHBoxLayout()
        row.setSpacing(4)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(8, 2, 8, 4)
        rows.setSpacing(0)
        rows.addWidget(self.timeline)
        rows.addLayout(row)
        self._rows, self._row = rows, row
        self.to_start = self._button(
            row, "to-start", "Go to the start (Ctrl+Home)", lambda: playback.seek(0.0)
        )
        self.step_back = self._button(row, "step-back", "One frame back (,)", lambda: playback.step(-1))
        self.play = self._button(row, "play", "Play or pause (Space)", playback.toggle)
        self.step_forward = self._button(row, "step-forward", "One frame on (.)", lambda: playback.step(1))
        self.to_end = self._button(
            row, "to-end", "Go to the end (Ctrl+End)", lambda: playback.seek(playback.duration)
        )
        self.reverse = self._button(row, "reverse", "Play backwards", self._turn)
        self.reverse.setCheckable(True)
        self.loop = self._button(
            row,
            "loop",
            "Loop two seconds around now; Shift and drag in the timeline chooses",
            self._toggle_loop,
        )
        self.loop.setCheckable(True)
        self.rate = QComboBox()
        for rate in RATES:
            self.rate.addItem(f"{rate:g}×", rate)
        self.rate.setCurrentIndex(RATES.index(1.0))
        self.rate.setToolTip("Rate of the playback against real time")
        self.rate.setAccessibleName("Rate of the playback")
        self.rate.activated.connect(self._set_rate)
        row.addWidget(self.rate)
        self._shown = _Readings()
        row.addWidget(self._shown, 2)
        self._labels: dict[str, QLabel] = {}
        for name, widest in READING_WIDTHS.items():
            label = QLabel("")
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            label.setMinimumWidth(QFontMetrics(label.font()).horizontalAdvance(widest) + 8)
            self._labels[name] = label
            self._shown.add(label)
        self._empty = ElidedLabel(EMPTY)
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._empty, 2)
        document.runs_changed.connect(self._on_runs)
        playback.time_changed.connect(self._on_time)
        playback.state_changed.connect(self._on_state)
        settings.changed.connect(self._on_setting)
        self._on_runs()

    def use_lines(self, lines: int) -> None:
        """Have a line for the timeline alone (2), or everything in one (1), which leaves the view more room."""
        self._rows.removeWidget(self.timeline)
        self._row.removeWidget(self.timeline)
        if lines == 1:
            self._row.insertWidget(self._row.indexOf(self.rate) + 1, self.timeline, 3)
        else:
            self._rows.insertWidget(0, self.timeline)
        self._rows.setContentsMargins(8, 0 if lines == 1 else 2, 8, 0 if lines == 1 else 4)

    def readings(self) -> dict[str, str]:
        """The texts shown now, by name."""
        return {name: label.text() for name, label in self._labels.items()}

    def _button(self, row: QHBoxLayout, name: str, tip: str, call: object) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setProperty("icon_name", name)
        button.setIconSize(QSize(20, 20))
        button.setToolTip(tip)
        button.setAccessibleName(tip.partition(" (")[0])
        button.clicked.connect(lambda _checked=False: call())  # type: ignore[operator]
        row.addWidget(button)
        return button

    def _turn(self) -> None:
        self._playback.set_rate(-self._playback.rate)

    def _set_rate(self, index: int) -> None:
        sign = -1.0 if self._playback.rate < 0.0 else 1.0
        self._playback.set_rate(sign * float(self.rate.itemData(index)))

    def _toggle_loop(self) -> None:
        if self._playback.loop is not None:
            self._playback.set_loop(None)
        else:
            now = self._playback.time
            self._playback.set_loop(now - 1.0, now + 1.0)

    def _on_runs(self) -> None:
        run = self._document.current_run
        if run is None or not self._reads_of(run):
            self._readings = None
            self.timeline.set_curve(None, None)
            self.timeline.set_marks([])
        self._reads.soon()
        known = run is not None
        for widget in (self.to_start, self.step_back, self.play, self.step_forward, self.to_end):
            widget.setEnabled(known)
        for other in (self.reverse, self.loop, self.rate, self.timeline):
            other.setEnabled(known)
        # What goes, goes first: both at once would be too wide for a small screen, and the window would stay so wide.
        self._empty.setVisible(False)
        self._shown.setVisible(known)
        for label in self._labels.values():
            label.setVisible(known)
        self._empty.setVisible(not known)
        self._on_state()
        self._on_time(self._playback.time)

    def _reads_of(self, run: Run) -> bool:
        return self._readings is not None and self._readings.results is run.results

    def _take_readings(self) -> None:
        """What is read at each time, from the run: channels of a file are unpacked for it."""
        run = self._document.current_run
        if run is None or self._reads_of(run):
            return
        self._readings = Readings(run.results)
        self.timeline.set_curve(self._readings.time, self._readings.speed)
        self.timeline.set_marks(_happened(run.results))
        self._on_time(self._playback.time)

    def _on_time(self, time: float) -> None:
        if self._readings is None:
            return
        self._labels["t"].setText(units.text(time, "s", decimals=2))
        readings = self._readings.at(time)
        for reading in readings:
            label = self._labels.get(reading.name)
            if label is not None:
                label.setText(f"{reading.name} {reading.text}")
                label.setToolTip(reading.about)
        shown = {r.name for r in readings} | {"t"}
        for name, label in self._labels.items():
            if label.isHidden() == (name in shown):
                label.setVisible(name in shown)

    def _on_state(self) -> None:
        playing = self._playback.playing
        self.play.setIcon(icon("pause" if playing else "play"))
        self.play.setProperty("icon_name", "pause" if playing else "play")
        self.reverse.setChecked(self._playback.rate < 0.0)
        self.loop.setChecked(self._playback.loop is not None)
        size = abs(self._playback.rate)
        nearest = min(range(len(RATES)), key=lambda k: abs(RATES[k] - size))
        if self.rate.currentIndex() != nearest:
            self.rate.setCurrentIndex(nearest)

    def _on_setting(self, name: str) -> None:
        if name == "units":
            self._on_time(self._playback.time)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for button in self.findChildren(QToolButton):
                name = button.property("icon_name")
                if name:
                    button.setIcon(icon(str(name)))
