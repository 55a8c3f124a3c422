"""The Kinks panel: where the rails bend suddenly, and what that costs a wheel at the speed of the ride there."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QWidget

from ...core.base.bundled import source_of
from ...core.charts.rail_kinks import kinks_chart
from ...core.design.rail_kinks import costs_of
from ...core.pointmass.rail_kinks import BASE, COSTLY, RailCosts
from ...core.project.project import Project
from ...core.track.deviation import TABLE
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import units
from ..widgets.plain_table import add_row, plain_table, refilled
from ..widgets.plain_words import plain_tip
from ..widgets.settings import Settings
from ..widgets.turning_splitter import TurningSplitter
from ..work.task import ProgressReporter
from .chart_view import ChartView
from .inquiry_panel import InquiryPanel

NO_TRACK = "Kinks are those of rails, and this project has no track."
READY = (
    "Where the rails bend suddenly - joints, welds, short waves, seams of sections - and what that pushes a wheel by at"
    " the speed of the ride there, in g."
)
STALE = "The design has changed since: find them again."
HEADS = ("Costs", "Place", "Rail", "Bends", "Turn", "Speed", "Section")
SHOWN = 200


class KinksPanel(InquiryPanel):
    """Kinks of the open project. A click on a row, or in the curve, leads to the place. place_shown: that place (m)."""

    place_shown = Signal(float)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            document,
            _find,
            "Find kinks",
            ("Kinks",),
            parent,
            name="kinks",
            failing="Kinks were not looked for",
        )
        self.tabs.hide()
        self.table = plain_table(HEADS)
        self.table.setAccessibleName("Kinks of the rails")
        heads = self.table.horizontalHeader()
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        heads.setStretchLastSection(True)
        self.table.itemSelectionChanged.connect(self._on_row)
        self.pages.addWidget(self.table)
        self.chart = ChartView()
        self.chart.clicked.connect(self._on_curve)
        splitter = TurningSplitter()
        splitter.addWidget(self.pages)
        splitter.addWidget(self.chart)
        splitter.setSizes([560, 540])
        self._lay_out((self.button, self.stop), splitter)
        self.inquiry.answered.connect(lambda _: self._fill())
        self._begin(settings)

    def run(self) -> None:
        """Look for kinks, beside the window."""
        project = self._document.project
        self.inquiry.ask(project, project)

    def _ready(self) -> bool:
        return self._document.project.track is not None

    def _fill(self) -> None:
        found: RailCosts | None = self.answer
        with refilled(self.table):
            for one in found.kinks[:SHOWN] if found is not None else ():
                cells = (
                    units.text(one.cost, "g", decimals=1), units.text(one.s, "m", decimals=1), one.rail, one.way,
                    f"{1e3 * one.turn:.2f} mrad", units.text(one.speed, "m/s", decimals=1), one.section,
                )  # fmt: skip
                add_row(self.table, cells, one, right=(0, 1, 4, 5))
        self.chart.show_chart(None if found is None else kinks_chart(found))
        of_class = found is not None and self.inquiry.found[0].track.as_built.quality != "drawn"  # type: ignore[index]
        self.note.setToolTip(plain_tip(source_of(TABLE)) if of_class else "")
        self._show_state()

    def _said(self) -> str:
        if self._document.project.track is None:
            return NO_TRACK
        if self.inquiry.found is None:
            return READY
        design, found = self.inquiry.found
        costly = sum(one.cost >= COSTLY for one in found.kinks)
        words = [_count(found, costly)]
        if design.track.as_built.quality != "drawn":
            words.append("The class of the rails is by spectra of railways, recalled: confidence low.")
        if design is not self._document.project:
            words.append(STALE)
        return " ".join(words)

    def _on_row(self) -> None:
        chosen = self.table.selectedItems()
        if chosen:
            self._go(chosen[0].data(Qt.ItemDataRole.UserRole).s)

    def _on_curve(self, at: tuple[float, float] | None) -> None:
        """Lead to the highest place near a click."""
        found: RailCosts | None = self.answer
        if at is None or found is None:
            return
        low, high = self.chart.plot.viewRange()[0]
        near = np.abs(found.s - units.from_shown(at[0], "m")) < NEAR * abs(units.from_shown(high - low, "m"))
        if near.any():
            highest = np.where(near, found.cost.max(axis=0), -1.0)
            self._go(float(found.s[int(np.argmax(highest))]))

    def _go(self, s: float) -> None:
        self._document.select(Selection("place", s=s))
        self.place_shown.emit(s)


NEAR = 0.005  # of the shown stretch, within which a click means a peak


def _count(found: RailCosts, costly: int) -> str:
    if not found.kinks:
        return f"The rails have no kinks that cost {found.least:g} g."
    count = len(found.kinks)
    return (
        f"{count} {'kinks cost' if count > 1 else 'kink costs'} {found.least:g} g or more beyond the curve over"
        f" {units.text(BASE, 'm', decimals=0)}, {costly or 'none'} of them {COSTLY:g} g or more."
    )


def _find(project: Project, _reporter: ProgressReporter) -> RailCosts:
    return costs_of(project)
