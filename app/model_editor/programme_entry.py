"""The ride programme of a drive: a few lines in the inspector, and a dialog with the angle it leads to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, spec_of
from ...core.design.swing_preview import Preview
from ...core.edits.changes import changed
from ...core.model.programme import WORDS, Phase
from ..widgets import theme, units
from ..widgets.number_entry import Entry
from ..widgets.number_text import read_number, shown_number
from ..work.task import Task

# Columns of the table behind what a phase does.
NUMBERS = ("amplitude", "speed", "acceleration", "share", "duration", "swings")
Previewed = Callable[[Any], Preview]


def phase_text(phase: Phase) -> str:
    """A phase in a line."""
    what = WORDS[phase.mode].partition(" (")[0]
    if phase.mode == "swing" and phase.amplitude is not None:
        what = (
            "Wind down"
            if phase.amplitude == 0.0
            else f"{what} to {units.text(phase.amplitude, 'rad', decimals=0)}"
        )
    if phase.mode == "speed":
        what += f" of {units.text(phase.speed, 'rad/s')}"
    ends = []
    if phase.duration is not None:
        ends.append(f"{phase.duration:g} s")
    if phase.swings is not None:
        ends.append(f"{phase.swings} swings")
    return f"{what}, {' or '.join(ends)}" if ends else what


class ProgrammeEntry(Entry):
    """The phases as lines, and a button that opens the editor."""

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self.preview: Previewed | None = None  # of a programme, where one can be had
        self._value: tuple[Phase, ...] = ()
        column = QVBoxLayout()
        column.setSpacing(4)
        self.lines = QLabel(self)
        self.lines.setWordWrap(True)
        self.button = QPushButton("Edit programme…", self)
        self.button.setAccessibleName("Edit programme")
        self.button.clicked.connect(self.edit)
        column.addWidget(self.lines)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.row.addLayout(column, 1)
        self.setFocusProxy(self.button)

    def set_value(self, value: Any) -> None:
        self._value = tuple(value) if isinstance(value, tuple) else ()
        self.lines.setText("\n".join(f"{k}. {phase_text(phase)}" for k, phase in enumerate(self._value, 1)))

    def edit(self) -> None:
        """Open the editor; what it ends with is one step of undo."""
        dialog = ProgrammeDialog(self._value, self.preview, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._edited(dialog.phases))
        dialog.open()

    def _edited(self, phases: tuple[Phase, ...]) -> None:
        if phases != self._value:
            self.given.emit(phases)


class AnglePlot(QWidget):
    """The angle over the ride, with the beginnings of the phases."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preview: Preview | None = None
        self.said = ""
        self.setMinimumHeight(190)
        self.setAccessibleName("Angle over the ride")

    def show_preview(self, preview: Preview | None, sentence: str = "") -> None:
        """Show another ride, or a sentence why there is none."""
        self.preview, self.said = preview, sentence
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        c = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(c.base))
        box = QRectF(56.0, 10.0, self.width() - 68.0, self.height() - 46.0)
        if self.preview is None or len(self.preview.time) < 2:
            painter.setPen(QColor(c.text))
            painter.drawText(
                QRectF(self.rect()),
                int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap),
                self.said,
            )
            painter.end()
            return
        time, angle, phase = self.preview
        unit = units.shown("rad")
        maximum = max(1.05 * float(abs(angle).max()) / unit.size, 10.0)
        end = float(time[-1])
        step = next(
            s for s in (5.0, 10.0, 15.0, 30.0, 45.0, 60.0, 90.0, 180.0, 360.0, 1e9) if maximum / s <= 4.0
        )

        def at(t: float, value: float) -> QPointF:
            return QPointF(
                box.left() + box.width() * t / end, box.center().y() - 0.5 * box.height() * value / maximum
            )

        for k in range(-4, 5):
            if abs(k * step) > maximum:
                continue
            painter.setPen(QPen(QColor(c.grid if k else c.border), 1.0))
            painter.drawLine(at(0.0, k * step), at(end, k * step))
            painter.setPen(QColor(c.text))
            level = at(0.0, k * step).y()
            text = f"{k * step:g}{units.label('rad')}".replace("-", "−")
            painter.drawText(QRectF(0.0, level - 8.0, 50.0, 16.0), Qt.AlignmentFlag.AlignRight, text)
        gap = next((s for s in (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0) if end / s <= 10.0), 120.0)
        for k in range(math.floor(end / gap + 1e-9) + 1):
            position = at(k * gap, -maximum)
            painter.drawText(
                QRectF(position.x() - 30.0, box.bottom() + 2.0, 60.0, 16.0),
                Qt.AlignmentFlag.AlignCenter,
                f"{k * gap:g}",
            )
        painter.drawText(
            QRectF(box.left(), box.bottom() + 18.0, box.width(), 16.0),
            Qt.AlignmentFlag.AlignCenter,
            "Time (s)",
        )
        painter.setPen(QPen(QColor(c.warn), 1.0, Qt.PenStyle.DashLine))
        for k in range(1, len(phase)):
            if phase[k] != phase[k - 1]:
                painter.drawLine(at(float(time[k]), maximum), at(float(time[k]), -maximum))
        painter.setPen(QPen(QColor(c.series[0]), 1.5))
        thin = max(1, len(time) // 4000)
        painter.drawPolyline(
            QPolygonF(
                [
                    at(t, a / unit.size)
                    for t, a in zip(time[::thin].tolist(), angle[::thin].tolist(), strict=True)
                ]
            )
        )
        painter.end()


class ProgrammeDialog(QDialog):
    """A row a phase; the angle below follows every change. `phases`: the programme as it stands."""

    def __init__(
        self, phases: tuple[Phase, ...], preview: Previewed | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Ride programme")
        self.resize(860, 560)
        self.phases, self._filling = phases, False
        self._work: Task | None = None
        if preview is not None:
            self._work = Task("programme", lambda phases, _reporter: _or_why_not(preview, phases), self)
            self._work.finished.connect(self._on_preview)
        self.table = QTableWidget(0, 1 + len(NUMBERS))
        self.table.setAccessibleName("Phases")
        specs = [spec_of(Phase, name) for name in NUMBERS]
        heads = [f"{s.title}\n({units.label(s.unit)})" if units.label(s.unit) else s.title for s in specs]
        self._specs = specs
        self.table.setHorizontalHeaderLabels(["Does", *heads])
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.itemChanged.connect(self._typed)
        self.plot = AnglePlot()
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setProperty("role", "muted")
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(50)
        self._soon.timeout.connect(self._draw)
        bar = QHBoxLayout()
        for text, act in (("Add phase", self._add), ("Remove phase", self._remove), ("Move up", self._up)):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(act)
            bar.addWidget(button)
        bar.addStretch(1)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.table, 3)
        column.addLayout(bar)
        column.addWidget(self.plot, 4)
        column.addWidget(self.message)
        column.addWidget(buttons)
        self._fill(0)

    def _fill(self, row: int) -> None:
        self._filling = True
        self.table.setRowCount(len(self.phases))
        for r, phase in enumerate(self.phases):
            mode = QComboBox()
            for key, word in WORDS.items():
                mode.addItem(word, key)
            mode.setCurrentIndex(list(WORDS).index(phase.mode))
            mode.activated.connect(lambda _k, r=r, mode=mode: self._change(r, "mode", mode.currentData()))
            self.table.setCellWidget(r, 0, mode)
            for k, spec in enumerate(self._specs):
                value = getattr(phase, spec.name)
                applies = spec.applies(phase)
                text = "" if value is None or not applies else shown_number(value, spec.unit)
                item = QTableWidgetItem(text)
                item.setToolTip(f"{spec.help} Empty: {spec.empty}." if spec.empty else spec.help)
                if not applies:
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
                    item.setText("–")
                self.table.setItem(r, 1 + k, item)
        self.table.setCurrentCell(min(max(row, 0), len(self.phases) - 1), 1)
        self._filling = False
        self._soon.start()

    def _typed(self, item: QTableWidgetItem) -> None:
        if self._filling:
            return
        spec = self._specs[item.column() - 1]
        text = item.text().strip()
        try:
            value: Any = None if not text else read_number(text, spec.unit, spec.title)
            if value is not None and spec.name == "swings":
                value = round(value)
            self._change(item.row(), spec.name, value)
        except InputError as error:
            self.message.setText(units.told(error))
            self._fill(item.row())

    def _change(self, row: int, name: str, value: Any) -> None:
        try:
            one = changed(self.phases[row], f"Phase {row + 1}", {name: value})
        except InputError as error:
            self.message.setText(units.told(error))
            self._fill(row)
            return
        self.message.setText("")
        self.phases = (*self.phases[:row], one, *self.phases[row + 1 :])
        self._fill(row)

    def _add(self) -> None:
        row = self.table.currentRow()
        self.phases = (*self.phases[: row + 1], Phase(mode="off", duration=5.0), *self.phases[row + 1 :])
        self._fill(row + 1)

    def _remove(self) -> None:
        row = self.table.currentRow()
        if len(self.phases) == 1:
            self.message.setText("A programme has at least one phase.")
            return
        self.phases = (*self.phases[:row], *self.phases[row + 1 :])
        self._fill(row)

    def _up(self) -> None:
        row = self.table.currentRow()
        if row > 0:
            rest = [*self.phases]
            rest[row - 1], rest[row] = rest[row], rest[row - 1]
            self.phases = tuple(rest)
            self._fill(row - 1)

    def _draw(self) -> None:
        """Ask for the ride of the phases as they are now; a hundred milliseconds and more, so not in this thread."""
        if self._work is None:
            self.plot.show_preview(None, "No preview here.")
        else:
            self._work.ask(self.phases)

    def _on_preview(self, found: Preview | str) -> None:
        if isinstance(found, str):
            self.plot.show_preview(None, found)
        else:
            self.plot.show_preview(found)

    def done(self, result: int) -> None:
        """End the thread of the preview with the dialog."""
        self._soon.stop()
        if self._work is not None:
            self._work.close()
            self._work = None
        super().done(result)


def _or_why_not(preview: Previewed, phases: tuple[Phase, ...]) -> Preview | str:
    """The ride of a programme, or the sentence why there is none."""
    try:
        return preview(phases)
    except InputError as error:
        return units.told(error)
