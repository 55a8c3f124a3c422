"""Where it comes from: track, speed and suspension at the moment of a value, and what would change it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ...core.base.evaluation import EvaluationOptions
from ...core.base.sentence import written
from ...core.outcome.rider_view import RiderJudgement
from ..document.runs import Run
from ..widgets import theme, units
from ..widgets.plain_words import plain_label
from ..work.task import ProgressReporter, Task

if TYPE_CHECKING:
    from ...core.outcome.origin import (  # the solver, slow to load  # the solver, slow to load
        Effect,
        Origin,
        Sensitivity,
        SpringState,
    )

ROW = 22  # px
NAMES, NUMBERS = 0.44, 0.32  # parts of the width for what is changed and for the numbers
HELP = (
    "Rides a few seconds around the moment eleven times, each with one thing changed: speed, cant, radius, stiffness "
    "and damping of the suspension"
)


def _ridden_again(
    asked: tuple[Run, RiderJudgement, EvaluationOptions], reporter: ProgressReporter
) -> Sensitivity:
    """The sensitivity of a value of a run, by the rider assessment now, which may differ from that of the run."""
    from ...core.outcome.origin import sensitivity

    run, row, options = asked
    return sensitivity(
        run.judged_by(options), run.results, row, on_progress=reporter.progress, should_stop=reporter.stopped
    )


class EffectBars(QWidget):
    """The effects of all changes as bars to both sides of nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: Sensitivity | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_effects(self, found: Sensitivity | None) -> None:
        """Draw the effects of an answer; None draws nothing."""
        self.found = found
        names = (
            []
            if found is None
            else [f"{e.title}, {e.step}: {_effect_text(e, found.unit)}" for e in found.effects]
        )
        self.setToolTip(
            "\n".join([*names, "To the left the value falls, to the right it rises."] if names else [])
        )
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, ROW * (0 if self.found is None else len(self.found.effects)))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.found is None or not self.found.effects:
            return
        painter = QPainter(self)
        colours, wide = theme.current(), float(self.width())
        most = max(abs(e.change) for e in self.found.effects) or 1.0
        left, right = NAMES * wide, (1.0 - NUMBERS) * wide
        middle, half = 0.5 * (left + right), 0.5 * (right - left) - 4.0
        unit = self.found.unit
        for k, effect in enumerate(self.found.effects):
            top = float(k * ROW)
            painter.setPen(QColor(colours.text))
            name = f"{effect.title}, {effect.step}"
            box = QRectF(0.0, top, left - 8.0, ROW)
            painter.drawText(
                box,
                Qt.AlignmentFlag.AlignVCenter,
                painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(box.width())),
            )
            share = effect.change / most
            bar = QRectF(middle, top + 5.0, half * share, ROW - 10.0).normalized()
            painter.fillRect(bar, QColor(colours.series[1] if share > 0.0 else colours.series[0]))
            painter.drawText(
                QRectF(right, top, wide - right, ROW),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                _effect_text(effect, unit),
            )
        painter.setPen(QColor(colours.border))
        painter.drawLine(int(middle), 0, int(middle), ROW * len(self.found.effects))
        painter.end()


class OriginPane(QWidget):
    """Facts of the moment, and the button that asks what would change it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.job: Task | None = None
        self._about: tuple[Run, RiderJudgement] | None = None  # what the job is about
        self._run: Run | None = None
        self._row: RiderJudgement | None = None
        self._origin: Origin | None = None
        self._options = EvaluationOptions()
        self._known: WeakKeyDictionary[Run, dict[tuple[str, str, str], Sensitivity]] = WeakKeyDictionary()
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setWordWrap(True)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.ask = QPushButton("Sensitivity")
        self.ask.setToolTip(HELP)
        self.ask.clicked.connect(self.begin)
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self._cancel)
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.note = plain_label()
        self.note.setWordWrap(True)
        self.note.setProperty("role", "muted")
        self.bars = EffectBars()
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.ask, self.cancel, self.progress):
            row.addWidget(widget)
        row.addStretch(1)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.note)
        column.addWidget(self.bars)
        column.addWidget(self.facts)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        self._show_state()

    def show_origin(self, run: Run, row: RiderJudgement, origin: Origin, options: EvaluationOptions) -> None:
        """Show the moment of a value; options: those it was judged by."""
        self._run, self._row, self._origin, self._options = run, row, origin, options
        self.facts.setText(_origin_html(origin))
        self._say("")
        self._show_state()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        if self._origin is not None:
            self.facts.setText(_origin_html(self._origin))
        self.bars.update()

    def begin(self) -> None:
        """Ride the moment again with one thing changed after the other."""
        if self.job is not None or self._run is None or self._row is None:
            return
        self._about = self._run, self._row
        self.job = Task("sensitivity", _ridden_again, self, failing="The short rides failed")
        self.job.progressed.connect(lambda share, _text: self.progress.setValue(round(1000 * share)))
        self.job.finished.connect(self._on_finished)
        self.job.failed.connect(self._on_failed)
        self.progress.setValue(0)
        self._say("Riding the moment again with one thing changed after the other…")
        self._show_state()
        self.job.ask((self._run, self._row, self._options))

    def _cancel(self) -> None:
        if self.job is not None:
            self.job.stop()
            self._say("Cancelling…")

    def close_job(self) -> None:
        """End the thread of a question that is still open."""
        if self.job is not None:
            self.job.close()
            self.job.deleteLater()
            self.job = None

    def _on_finished(self, found: Sensitivity) -> None:
        self.close_job()
        if self._about is not None:
            run, row = self._about
            self._known.setdefault(run, {})[row.key] = found
        self._say("")
        self._show_state()

    def _on_failed(self, reason: str) -> None:
        self.close_job()
        self._say(reason, bad=True)
        self._show_state()

    def _say(self, text: str, bad: bool = False) -> None:
        self.note.setProperty("role", "bad" if bad else "muted")
        self.note.style().polish(self.note)
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _show_state(self) -> None:
        """Buttons, and the answer that is known for the shown value."""
        busy = self.job is not None
        self.ask.setVisible(not busy)
        self.cancel.setVisible(busy)
        self.progress.setVisible(busy)
        found = None
        if self._run is not None and self._row is not None:
            found = self._known.get(self._run, {}).get(self._row.key)
        self.bars.show_effects(found)
        if found is not None and not busy and not self.note.text():
            self._say(" ".join((_sensitivity_head(found), *found.notes)))


def _facts_of(o: Origin) -> list[tuple[str, str]]:
    """What was there at the moment of a value: heading and text of each line."""
    when = units.text(o.shown, "s", decimals=2)
    if abs(o.shown - o.time) > 1e-9:
        when += f" in the filtered signal, felt at {units.text(o.time, 's', decimals=2)}"
    facts = [("When", when)]
    if o.arc_length is not None:
        place = units.text(o.arc_length, "m", decimals=1)
        facts.append(("Where", place if o.section is None else f"{place}, {o.section}"))
    if o.curvature is not None:
        bend = "straight" if o.radius is None else f"radius {units.text(o.radius, 'm', decimals=1)}"
        facts.append(("Curve", bend))
        sides = (
            f"{units.text(o.curvature_normal or 0.0, '1/m')} upward, "
            f"{units.text(o.curvature_lateral or 0.0, '1/m')} to the left"
        )
        facts.append(("Curvature", sides))
        facts.append(("Gradient", units.text(o.gradient or 0.0, "rad", decimals=1)))
        facts.append(("Cant", units.text(o.cant or 0.0, "rad", decimals=1)))
        rate = units.text(o.cant_rate or 0.0, "rad/m")
        if o.cant_speed is not None:
            rate += f", {units.text(o.cant_speed, 'rad/s')}"
        facts.append(("Cant rate", rate))
    if o.speed is not None:
        facts.append(("Speed", units.text(o.speed, "m/s")))
    if o.felt is not None:
        felt = ", ".join(
            f"{axis} {units.text(g, 'g')}" for axis, g in zip(("Gx", "Gy", "Gz"), o.felt, strict=True)
        )
        facts.append(("Felt", f"{felt} (as recorded)"))
    if o.nca is not None:
        text = units.text(o.nca, "m/s^2")
        if o.nca_rails is not None:
            text += f" in the carbody, {units.text(o.nca_rails, 'm/s^2')} in the rail plane"
        facts.append(("NCA", text))
    if o.roll is not None:
        facts.append(("Roll of the carbody", units.text(o.roll, "rad")))
    facts += [(spring.name, _spring(spring)) for spring in o.springs]
    return facts


def _spring(spring: SpringState) -> str:
    sliding = spring.unit == "m"
    travel = units.text(spring.travel, "mm" if sliding else "rad")
    force = units.text(spring.force, "N" if sliding else "N m", decimals=0)
    touch = "" if spring.contact is None else (", in contact" if spring.contact else ", free")
    return f"{travel} from free, {force}{touch}"


def _origin_html(o: Origin) -> str:
    """The moment as a table."""
    muted = theme.current().muted
    rows = "".join(
        f"<tr><td width='130' style='color:{muted}'>{escape(name)}</td><td>{escape(text)}</td></tr>"
        for name, text in _facts_of(o)
    )
    notes = "".join(f"<p style='color:{muted}; margin:4px 0'>{escape(note)}</p>" for note in o.notes)
    return f"<table cellspacing='1'>{rows}</table>{notes}"


def _effect_text(effect: Effect, unit: str) -> str:
    """What one change does, beside its bar."""
    change = f"{effect.change:+.3g} {'' if unit == '1' else unit}".strip().replace("-", "−")
    share = f"{100.0 * effect.relative:+.2f} %".replace("-", "−")
    return f"{change} ({share})"


def _sensitivity_head(s: Sensitivity) -> str:
    """Whether the short ride gave the value of the whole one."""
    unit = "" if s.unit == "1" else f" {s.unit}"
    same = "as in the run" if s.reproduced else "not as in the run"
    return f"Ridden again from {s.start:.1f} to {s.end:.1f} s: {written(s.again, '.3g')}{unit}, {same}."
