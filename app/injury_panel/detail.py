"""The pictures and the words of one criterion: its signal, g over duration, two axes together, where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.evaluation import EvaluationOptions
from ...core.charts.abscissa import Abscissa
from ...core.charts.chart import ACCENT, Colour, Curve, Level, Span, over_time
from ...core.charts.signals import in_words
from ...core.injury.rider_axes import DIRECTIONS
from ...core.outcome.rider_view import RiderJudgement
from ..document.document import Document
from ..document.runs import Run
from ..plots.chart_view import ChartView
from ..plots.plot_grid import PlotGrid
from ..widgets import theme
from ..widgets.flow import FlowLayout
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Turn
from ..work.task import Task
from .causes import PAIRS, Picture, pictures_of
from .contacts import ContactCauses
from .origin_pane import OriginPane
from .pictures import Drawn, Wish, draw
from .table import title_text, value_text, verdict_colour

AROUND = 8.0  # window lengths shown before and after, within the two below
ROOM = 560  # px of height from which the small print is shown
LOW = 250  # px, below which the picture needs all the room; the sentence is then its tool tip
MIN_SPAN, MAX_SPAN = 0.4, 4.0  # s
PICTURES: dict[Picture, tuple[str, str]] = {
    "signal": (
        "Signal",
        "The signal over time, with the window of the value and the stretches beyond the limit",
    ),
    "held": ("g over duration", "The level held without a break against how long, over the limit curves"),
    "pair": ("Two axes", "Two axes of the load against each other, with the figure they must stay in"),
    "origin": (
        "Where it comes from",
        "Section, curvature, cant, speed and suspension then, and what would change it",
    ),
}
NOTHING = "Choose a criterion in the table: it is drawn here."
DRAWING = "Being drawn…"


class Detail(QWidget):
    """Shows one row of the table.

    scrubbed: a time (s) that was clicked in a picture; place_hovered: the arc length (m) under the mouse, or None.
    contacts: what contacts caused.
    """

    scrubbed = Signal(float)
    place_hovered = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self._row: RiderJudgement | None = None
        self._runs: tuple[Run, ...] = ()
        self._options = EvaluationOptions()
        self._time = 0.0
        self._said_at = (True, True)
        self._chosen: Picture | None = None  # asked for by hand; else what says most about the row
        self.contacts = ContactCauses(document, self)
        self._make_pages()
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 8, 4)
        column.setSpacing(4)
        column.addWidget(self._make_strip())
        column.addWidget(self.pages, 1)
        column.addWidget(self.words)
        self._work = Task("injury picture", lambda asked, _reporter: draw(asked), self)
        self._work.finished.connect(self._on_drawn)
        self._drawn: Drawn | None = None
        self._turn = Turn(self, self._show_drawn)

    # -- parts

    def _make_pages(self) -> None:
        self.grid = PlotGrid()
        self.grid.scrubbed.connect(self.scrubbed)
        self.grid.pointed.connect(self._on_point)
        self.origin = OriginPane()
        self.fault = plain_label(NOTHING)
        self.fault.setWordWrap(True)
        self.fault.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.fault.setProperty("role", "muted")
        self.pages = QStackedWidget()
        for page in (self.fault, self.grid, self.origin):
            self.pages.addWidget(page)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.RichText)
        self.words.setMargin(8)
        self.words.linkActivated.connect(self._follow)
        self.contacts.changed.connect(self._say)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)

    @cached_property
    def chart(self) -> ChartView:
        """The pictures "g over duration" and "Two axes", made when first wanted: plots take long to make."""
        made = ChartView()
        made.scrubbed.connect(self.scrubbed)
        made.pointed.connect(self.place_hovered)
        self.pages.addWidget(made)
        return made

    def _make_strip(self) -> QWidget:
        strip = QWidget()
        bar = FlowLayout(strip)
        bar.setContentsMargins(0, 0, 0, 0)
        group = QActionGroup(self)
        self.choices: dict[Picture, QAction] = {}
        for name, (text, tip) in PICTURES.items():
            action = QAction(text, self)
            action.setToolTip(tip)
            action.setCheckable(True)
            action.setEnabled(False)
            action.triggered.connect(lambda _on, name=name: self.choose(name))
            group.addAction(action)
            button = QToolButton()
            button.setDefaultAction(action)
            bar.addWidget(button)
            self.choices[name] = action
        self.axis = QComboBox()
        self.axis.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.axis.setToolTip("The direction or the pair of axes that is drawn")
        self.axis.activated.connect(lambda _k: self._ask())
        self.axis.hide()
        bar.addWidget(self.axis)
        return strip

    # -- what is shown

    @property
    def picture(self) -> Picture | None:
        """What is drawn of the row."""
        if self._row is None:
            return None
        own = pictures_of(self._row)
        return self._chosen if self._chosen in own else own[0]

    def choose(self, picture: Picture) -> None:
        """Draw something else of the row; it stays chosen for the next rows."""
        self._chosen = picture
        self._list_axes()
        self._ask()

    def show_row(
        self, row: RiderJudgement | None, runs: Sequence[Run], options: EvaluationOptions | None = None
    ) -> None:
        """Show a criterion for the shown run and those compared with it."""
        if row is None or self._row is None or row.result.criterion != self._row.result.criterion:
            # "Where it comes from" is asked of one peak after the other; a picture belongs to its criterion.
            self._chosen = self._chosen if self._chosen == "origin" else None
        self._row, self._runs = row, tuple(runs)
        self._options = options or self._options
        self._say()
        for action in self.choices.values():
            action.setEnabled(row is not None and bool(runs))
        if row is None or not runs:
            self._fail(NOTHING)
            self.axis.hide()
            return
        self._list_axes()
        self._ask()

    def _list_axes(self) -> None:
        """Offer the directions or the pairs, the row's own chosen."""
        picture, row = self.picture, self._row
        if row is None or picture is None:
            return
        self.choices[picture].setChecked(True)
        self.axis.clear()
        if picture == "held":
            self.axis.addItems([d.replace("-", "−") for d in DIRECTIONS])
            own = row.result.about.direction or "+Gz"
            self.axis.setCurrentIndex(DIRECTIONS.index(own))
        elif picture == "pair":
            self.axis.addItems([f"{pair[:2]} and {pair[2:]}" for pair in PAIRS])
            self.axis.setCurrentIndex(PAIRS.index(row.result.about.pair or "GyGz"))
        self.axis.setVisible(picture in ("held", "pair"))

    def _ask(self) -> None:
        row, picture = self._row, self.picture
        if row is None or picture is None or not self._runs:
            return
        if self.pages.currentWidget() is self.fault:
            self.fault.setText(DRAWING)
        k = max(0, self.axis.currentIndex())
        self._work.ask(
            Wish(
                picture,
                row,
                self._runs,
                self._options,
                direction=DIRECTIONS[k] if picture == "held" else None,
                pair=PAIRS[k] if picture == "pair" else None,
                built=self.document.built(self._runs[0].project) if picture == "origin" else None,
            )
        )

    def _on_drawn(self, drawn: Drawn) -> None:
        self._drawn = drawn
        self._turn.soon()

    def _show_drawn(self) -> None:
        drawn, self._drawn = self._drawn, None
        if drawn is None or drawn.wish.row is not self._row:
            return
        if drawn.fault:
            self._fail(drawn.fault)
        elif drawn.origin is not None:
            self.origin.show_origin(self._runs[0], drawn.wish.row, drawn.origin, drawn.wish.options)
            self.pages.setCurrentWidget(self.origin)
        elif drawn.chart is not None:
            self.chart.set_time(self._time)
            self.chart.show_chart(drawn.chart)
            self.pages.setCurrentWidget(self.chart)
        else:
            self._show_signal(drawn)

    def _fail(self, text: str) -> None:
        self.fault.setText(text)
        self.pages.setCurrentWidget(self.fault)

    def _show_signal(self, drawn: Drawn) -> None:
        row, result = drawn.wish.row, drawn.wish.row.result
        curves = []
        for run, found in drawn.traces:
            axis = Abscissa("time", found.time, None)
            values = np.ascontiguousarray(found.values)
            curves.append(Curve.over(axis, "", found.time, values, Colour("series", run.colour), run.name))
        first = drawn.traces[0][1]
        window = result.time
        spans = [Span(start, end) for start, end in result.exceeded]
        if window is not None and window not in result.exceeded:
            spans.append(Span(*window, ACCENT))
        levels = (
            []
            if first.limit is None
            else [Level(first.limit, f"limit {value_text(first.limit, first.unit)}")]
        )
        if first.held and result.value is not None:
            levels.append(Level(result.value, f"held {value_text(result.value, result.unit)}"))
        part = row.part.replace("_", " ").capitalize()
        content = over_time("trace", f"{part}, {first.title}", first.unit, curves, levels=levels, spans=spans)
        self.grid.set_contents([content], 1.0, "s", (row.key, id(self._runs[0])))
        self.pages.setCurrentWidget(self.grid)
        if window is not None:
            self._zoom(window)
        self.set_time(self._time)

    def _zoom(self, window: tuple[float, float]) -> None:
        middle = 0.5 * (window[0] + window[1])
        half = min(
            MAX_SPAN,
            max(MIN_SPAN, AROUND * (window[1] - window[0]), 0.75 * (window[1] - window[0]) + MIN_SPAN),
        )
        half = max(half, 0.6 * (window[1] - window[0]))
        self.grid.show_stretch(middle - half, middle + half)
        self.grid.fit_values()

    # -- words

    def _say(self) -> None:
        """The sentence, and the small print where there is room for it; it is in the tool tip in any case."""
        self._said_at = self._rooms()
        if self._row is None:
            self.words.clear()
            return
        sentence, small = words_of(self._row)
        if self._runs:
            self.contacts.look(self._runs[0], self._row)
        caused = self.contacts.words(self._runs[0] if self._runs else None, self._row)
        sentence = f"{sentence}<br>{caused}" if caused else sentence
        self.words.setText(f"{sentence}<br>{small}" if self.height() >= ROOM else sentence)
        self.words.setToolTip(small)
        self.words.setVisible(self.height() >= LOW)
        self.pages.setToolTip("" if self.height() >= LOW else f"{sentence}<br>{small}")

    def _follow(self, link: str) -> None:
        if self._row is not None and self._runs:
            self.contacts.follow(link, self._runs[0], self._row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._said_at != self._rooms():
            self._say()

    def _rooms(self) -> tuple[bool, bool]:
        """Whether there is room for the sentence, and for the small print."""
        return self.height() >= LOW, self.height() >= ROOM

    # -- time

    def set_time(self, time: float) -> None:
        """Move the time cursor."""
        self._time = time
        if self.pages.currentWidget() is self.grid:
            self.grid.set_cursor(time, time)
        elif isinstance(shown := self.pages.currentWidget(), ChartView):
            shown.set_time(time)

    def _on_point(self, x: float | None) -> None:
        if x is None:
            self.grid.set_pointer(None, 0.0)
            self.set_time(self._time)
        else:
            self.grid.set_pointer(x, x)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_work"):
            self.grid.restyle()
            self.origin.restyle()
            self._say()
            self._ask()


def words_of(row: RiderJudgement) -> tuple[str, str]:
    """What the result says in a sentence, and what it was taken from in smaller print."""
    result = row.result
    muted = theme.current().muted
    whom = f"{row.part.replace('_', ' ')} of {in_words(row.rider)}"
    first = f"<b>{escape(title_text(result.title))}</b>, {escape(whom)}: "
    if result.value is None:
        return f"{first}{escape(result.note)}.", ""
    first += f"<b>{value_text(result.value, result.unit)}</b>"
    if result.limit is not None:
        colour = muted if result.apart else verdict_colour(result.verdict)
        doubts = [
            f"limit of confidence {result.confidence}",
            *([result.limit_status] if result.limit_status else []),
            *([result.apart] if result.apart else []),
        ]
        first += (
            f" of {value_text(result.limit, result.unit)}, "
            f"<span style='color:{colour}'>{result.verdict}</span> ({escape(', '.join(doubts))})"
        )
    if row.other is not None and row.other.value is not None:
        first += f"; compared run {value_text(row.other.value, result.unit)}"
    signal = result.signal
    through = "as computed" if signal.filter == "none" else f"through {signal.filter}"
    small = [f"{through}, gravity {signal.gravity}, {signal.sample_rate:.0f} samples/s"]
    small += [
        text
        for text in (
            result.definition,
            result.rule_text,
            result.note,
            result.limit_source,
            result.applicability,
        )
        if text
    ]
    sentences = ". ".join(text[:1].upper() + text[1:].rstrip(".") for text in small)
    return f"{first}.", f"<span style='color:{muted}'>{escape(sentences)}.</span>"
