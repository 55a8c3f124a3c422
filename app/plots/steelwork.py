"""The Steelwork panel: track and supports under the train of the shown run, or of the preview: members, footings."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QVBoxLayout,
    QWidget,
)

from ...core.charts.steelwork import footing_chart, footing_words, life_chart, life_words
from ...core.project.project import Project
from ...core.results.results import Results
from ...core.steelwork.checks import CombinationCheck, MemberCheck
from ...core.steelwork.life import MemberLife
from ...core.steelwork.staggered import Round
from ...core.steelwork.tables import FootingLoad, MemberStress, SteelAnswer, steelwork_of
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import units
from ..widgets.plain_table import add_row, plain_table, refilled
from ..widgets.plain_words import plain_label
from ..widgets.settings import Settings
from ..widgets.turning_splitter import TurningSplitter
from ..work.task import ProgressReporter
from .chart_view import ChartView
from .inquiry_panel import InquiryPanel
from .live_footings import LiveFootings

NO_TRACK = "Track and supports bear the train, and this project has no track."
READY = (
    "Ride over the steel: stress of spine and columns, loads of footings, fatigue. The wheels of the shown run load it,"
    " without one the axles of the preview."
)
STALE = "The design has changed since: ride over it again."
FOOTINGS_PAGE, DRAWN, CHECKED = 1, (1, 2), (3, 4)
ABOUT_CHART = (
    "Choose a footing, or click a column in the 3D view: its load over time, and with Fatigue its life."
)
SHOWN = 60  # members
MEMBERS = ("Member", "Stress", "Weight alone", "Place", "At", "Train at")
FOOTINGS = ("Footing", "Weight", "Least down", "Most down", "Aside", "Moment", "At", "Train at")
LIVES = ("Member", "Range", "Equivalent", "Detail", "Life used", "Place")
CHECKS = ("Member", "Used", "By", "Combination", "Stress", "Axial", "Moment", "Place")
COMBINATIONS = (
    "Combination",
    "Member",
    "Used",
    "Buckles at",
    "Deflection",
    "Of allowed",
    "Least down",
    "Most down",
)
ROUNDS = ("Round", "Gives", "Off by", "Wheel", "Changed", "Work", "Taken from train")
PAGES = (
    ("Members", MEMBERS), ("Footings", FOOTINGS), ("Fatigue", LIVES), ("Checks", CHECKS),
    ("Combinations", COMBINATIONS), ("Rounds", ROUNDS),
)  # fmt: skip
LIVE = "Live"


class _StoppedError(Exception):
    """The work is no longer wanted."""


class SteelworkPanel(InquiryPanel):
    """What the steel of the open project bears. A click on a row selects its place on the track and shows the train at
    its worst moment; one in the curve of a footing leads to where the train is then. train_shown: that place (m)."""

    train_shown = Signal(float)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            document, _run, "Ride over it", [*(title for title, _ in PAGES), LIVE], parent, name="steelwork",
            failing="The steel was not ridden over",
        )  # fmt: skip
        self._playback = playback
        self.inquiry.answered.connect(self._on_found)
        self.life = QCheckBox("Fatigue")
        self.life.setToolTip("Ride over it once more, and judge what changes most by EN 1993-1-9")
        self.combine = QCheckBox("Combinations")
        self.combine.setToolTip(
            "With weight, wind, ice, earthquake and temperature: strength, buckling, deflection, footings"
        )
        self.gives = QCheckBox("Rails give")
        self.gives.setToolTip(
            "Ride the project again on rails that lie where the train pushes them, until run and steel agree"
        )
        self.inquiry.progressed.connect(lambda share, _: self.note.setText(f"Riding over it: {share:.0%}"))
        self.tables = tuple(plain_table(heads) for _, heads in PAGES)
        self.members, self.footings, self.lives, self.checks, self.combinations, self.rounds = self.tables
        for table, (name, _) in zip(self.tables, PAGES, strict=True):
            table.setAccessibleName(f"{name} of the steelwork")
            heads = table.horizontalHeader()
            heads.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
            heads.setStretchLastSection(True)
            table.itemSelectionChanged.connect(self._on_row)
            self.pages.addWidget(table)
        self.live = LiveFootings(document, settings)
        self.pages.addWidget(self.live)
        self.tabs.setTabToolTip(self.pages.count() - 1, "What footings bear while the track is dragged")
        self.chart = ChartView()
        self.chart.scrubbed.connect(self._on_peak)
        self._wanted = ""  # the column that was clicked
        splitter = TurningSplitter()
        splitter.addWidget(self.pages)
        self.about = plain_label()
        self.about.setWordWrap(True)
        self.beside = QWidget()
        column = QVBoxLayout(self.beside)
        column.setContentsMargins(8, 0, 0, 0)
        column.addWidget(self.about)
        column.addWidget(self.chart, 1)
        splitter.addWidget(self.beside)
        splitter.setSizes([680, 420])
        self._lay_out((self.button, self.stop, self.life, self.combine, self.gives), splitter)
        self._begin(settings)

    def run(self) -> None:
        """Ride over the steel beside the window: under the wheels of the shown run, or the axles of the preview."""
        project, results = self._document.project, self._of_run()
        two_way = self.gives.isChecked()
        self.inquiry.ask(
            (project, two_way or results is not None),
            (
                project if two_way else results or project, self.life.isChecked(), self.combine.isChecked(),
                two_way,
            ),
        )  # fmt: skip

    def _of_run(self) -> Results | None:
        """The shown run, where it is of the design as it is."""
        run = self._document.current_run
        fits = run is not None and run.measured is None and not self._document.is_stale(run)
        return run.results if run is not None and fits else None

    def choose(self, column: str) -> None:
        """Show the load of a column over time, and its life, where they are known."""
        self._wanted = column
        found: SteelAnswer | None = self.answer
        names = [] if found is None else [one.name for one in found.footings]
        if found is None or column not in names:
            self._show_state()
            return
        self._wanted, number = "", names.index(column)
        self.tabs.setCurrentIndex(FOOTINGS_PAGE)
        with QSignalBlocker(self.footings):
            for row in range(self.footings.rowCount()):
                item = self.footings.item(row, 0)
                if item is not None and item.data(Qt.ItemDataRole.UserRole) == number:
                    self.footings.selectRow(row)
                    self.footings.scrollToItem(item)
        self._draw_chosen()
        self._show_state()

    def _on_found(self, found: SteelAnswer) -> None:
        self._fill()
        if self._wanted:
            self.choose(self._wanted)
        elif found.lives or found.checks:
            self.tabs.setCurrentIndex(2 if found.lives else 3)

    def _on_tab(self, which: int) -> None:
        super()._on_tab(which)
        self._draw_chosen()
        self._show_state()

    def _fill(self) -> None:
        found: SteelAnswer | None = self.answer
        with refilled(*self.tables):
            if found is not None:
                self._fill_tables(found)
        self._draw_chosen()
        self._show_state()

    def _ready(self) -> bool:
        return self._document.project.track is not None

    def _show_state(self) -> None:
        super()._show_state()
        found: SteelAnswer | None = self.answer
        lives, combined, rounds = (
            (False,) * 3 if found is None else map(bool, (found.lives, found.checks, found.two_way))
        )
        self._enable_tabs((True, found is not None, lives, combined, combined, rounds, True))
        self.beside.setVisible(self.tabs.currentIndex() in DRAWN)

    def _said(self) -> str:
        if self._document.project.track is None:
            return NO_TRACK
        if self.inquiry.found is None:
            return f"{self._wanted.capitalize()} was clicked. {READY}" if self._wanted else READY
        (design, of_run), found = self.inquiry.found
        frame, ride = found.frame, found.ride
        words = [
            f"{units.text(frame.mass, 'kg', decimals=0)} on {len(frame.footings)} footings, under the"
            f" {'wheels of the run' if of_run else 'axles of the preview'}; lowest frequency"
            f" {ride.frequencies[0]:.2f} Hz, gives {units.text(float(abs(ride.deflection).max()), 'mm', decimals=1)}."
        ]
        if found.two_way is not None:
            words.append(units.in_units(found.two_way.said))
        if frame.missing:
            places = ", ".join(units.text(s, "m", decimals=0) for s in frame.missing)
            words.append(f"No support could stand free near {places}: the span there is longer.")
        if found.checks is not None and self.tabs.currentIndex() in CHECKED:
            words.append(f"Actions and factors: {found.checks.about}")
        if self._wanted:
            words.append(f"{self._wanted.capitalize()} was not there when the steel was ridden over.")
        if design is not self._document.project:
            words.append(STALE)
        return " ".join(words)

    def _fill_tables(self, found: SteelAnswer) -> None:
        for one in found.members[:SHOWN]:
            stress = [units.text(value, "MPa", decimals=1) for value in (one.stress, one.dead)]
            add_row(
                self.members, [one.name, *stress, _place(one.s), _moment(one.time), _place(one.train)], one
            )
        for number in sorted(range(len(found.footings)), key=lambda k: -found.footings[k].most[2]):
            add_row(self.footings, _footing(found.footings[number]), number)
        for life in found.lives:
            ranges = [
                units.text(value, "MPa", decimals=1)
                for value in (life.fatigue.largest, life.fatigue.equivalent, life.category)
            ]
            add_row(self.lives, [life.name, *ranges, f"{100.0 * life.share:.3g} %", _place(life.s)], life)

        if found.checks is not None:
            for check in found.checks.members[:SHOWN]:
                add_row(self.checks, _check(check), check)
            for combination in found.checks.combinations:
                add_row(self.combinations, _combination(combination), combination)
        for k, one_round in enumerate(found.two_way.rounds if found.two_way is not None else ()):
            add_row(self.rounds, _round(k + 1, one_round), None)

    @property
    def _chosen(self) -> Any:
        """What the chosen row of the shown page is of; None where none is."""
        which = self.pages.currentIndex()
        chosen = self.tables[which].selectedItems() if which < len(self.tables) else []
        return chosen[0].data(Qt.ItemDataRole.UserRole) if chosen else None

    def _on_row(self) -> None:
        """Lead to the place of the chosen row and its worst moment, and draw its load or stress."""
        one, found = self._chosen, self.answer
        if one is None or found is None:
            return
        self._draw_chosen()
        if self.pages.currentIndex() == FOOTINGS_PAGE:
            self._document.select(Selection("place", s=found.frame.footings[one].s))
            self._show_moment(found.footings[one].time)
            return
        self._document.select(Selection("place", s=one.s))
        if isinstance(one, MemberStress):
            self._show_moment(one.time)
        elif isinstance(one, MemberLife):
            self._show_moment(one.worst)

    def _draw_chosen(self) -> None:
        """The load of the chosen footing over time, or the stress of the chosen member, and what is said about it."""
        one, found, which = self._chosen, self.answer, self.pages.currentIndex()
        if one is None or found is None or which not in DRAWN:
            self.chart.show_chart(None)
            self.about.setText(ABOUT_CHART)
        elif which == FOOTINGS_PAGE:
            self.chart.show_chart(footing_chart(found, one))
            self.about.setText(units.in_units(footing_words(found, one)))
        else:
            self.chart.show_chart(life_chart(one))
            self.about.setText(units.in_units(life_words(one)))

    def _on_peak(self, time: float) -> None:
        """Lead to where the train is then."""
        self._show_moment(time)
        found: SteelAnswer | None = self.answer
        if found is not None:
            self.train_shown.emit(found.train_at(time))

    def _show_moment(self, time: float) -> None:
        """Show the train where it is then, of the run that loaded the steel."""
        found = self.inquiry.found
        if found is not None and found[0][1] and self._of_run() is not None:
            self._playback.pause()
            self._playback.seek(time)


def _place(s: float) -> str:
    return units.text(s, "m", decimals=1)


def _moment(time: float) -> str:
    return units.text(time, "s", decimals=2)


def _footing(one: FootingLoad) -> list[str]:
    forces = [
        units.text(float(value), "kN", decimals=1)
        for value in (one.dead[2], one.least[2], one.most[2], one.aside)
    ]
    forces.append(units.text(one.moment, "kN m", decimals=1))
    return [one.name, *forces, _moment(one.time), _place(one.train)]


def _check(one: MemberCheck) -> list[str]:
    values = ((one.stress, "MPa", 1), (one.N, "kN", 1), (one.M, "kN m", 1))
    shown = [units.text(value, unit, decimals=places) for value, unit, places in values]
    return [one.name, f"{one.share:.2f}", one.by, one.combination, *shown, _place(one.s)]


def _combination(one: CombinationCheck) -> list[str]:
    strength = one.combination.limit == "strength"
    factor = "–" if not strength else f"{one.critical:.1f}" if one.critical < math.inf else "never"
    down = (float(one.least[:, 2].min()), float(one.most[:, 2].max()))
    return [
        one.combination.name, one.member or "–", f"{one.share:.2f}" if strength else "–", factor,
        units.text(one.deflection, "mm", decimals=1), "–" if strength else f"{one.deflection_share:.2f}",
        *(units.text(value, "kN", decimals=1) for value in down),
    ]  # fmt: skip


def _round(number: int, one: Round) -> list[str]:
    force = "–" if number == 1 else units.text(one.changed, "N", decimals=1)
    return [
        str(number), units.text(one.deflection, "mm", decimals=3), units.text(one.apart, "mm", decimals=4),
        units.text(one.force, "kN", decimals=2), force, units.text(one.work, "J", decimals=1),
        units.text(one.booked, "J", decimals=1),
    ]  # fmt: skip


def _run(asked: tuple[Project | Results, bool, bool, bool], reporter: ProgressReporter) -> SteelAnswer | None:
    def on_block(share: float) -> None:
        if reporter.stopped():
            raise _StoppedError
        reporter.progress(share)

    what, life, checks, two_way = asked
    try:
        return steelwork_of(what, life=life, checks=checks, two_way=two_way, on_block=on_block)
    except _StoppedError:
        return None
