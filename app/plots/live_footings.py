"""A page of the Steelwork panel: what footings bear of the track on screen, without inertia, while it is dragged."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QVBoxLayout, QWidget

from ...core.base.sentence import counted
from ...core.pointmass.result import PointRide
from ...core.project.project import Project
from ...core.steelwork.quasi_static import SETTLED, WHILE_DRAGGED, QuasiStatic, as_before, quasi_static
from ...core.steelwork.tables import FootingLoad
from ...core.track.build import BuiltTrack
from ..document.document import Document
from ..document.selection import Selection
from ..widgets import units
from ..widgets.plain_table import add_row, plain_table, refilled
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from ..work.preview import RidePreview
from ..work.task import ProgressReporter, Task

HEADS = ("Footing", "Most down", "Before", "Change", "Least down", "Aside", "Moment", "Place")
ABOUT = "Quasi-static, under the axles of the preview, weight of the steel included."
WAITING = "The footings are being worked out."
LEVEL = 0.05e3  # N; a smaller change is none


class _Asked(NamedTuple):
    """The design on screen, and of an edit in progress the track as it was before."""

    project: Project
    built: BuiltTrack
    ride: PointRide
    since: BuiltTrack | None

    def alike(self, other: _Asked) -> bool:
        """Whether the footings bear the same."""
        same = self.built is other.built and self.ride is other.ride and self.since is other.since
        return same and self.project.steelwork == other.project.steelwork


class LiveFootings(QWidget):
    """Loads of the footings of what is on screen: below what is dragged while it is, of all when it has been."""

    def __init__(self, document: Document, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._preview = RidePreview.of(document)
        self._task = Task("live footings", _work, self, failing="The footings were not worked out")
        self._task.finished.connect(self._on_found)
        self._task.failed.connect(self._on_failed)
        self._asked: _Asked | None = None  # that is worked on
        self._stale = False  # and the design has changed since
        self.settled: tuple[_Asked, QuasiStatic] | None = None
        self.before: QuasiStatic | None = None  # the last step
        self.shown: QuasiStatic | None = None
        self._compared: QuasiStatic | None = None
        self.about = plain_label(ABOUT)
        self.about.setWordWrap(True)
        self.about.setProperty("role", "muted")
        self.table = plain_table(HEADS)
        self.table.setAccessibleName("Live loads of footings")
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.itemSelectionChanged.connect(self._on_row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.addWidget(self.about)
        layout.addWidget(self.table, 1)
        self._state = Refresh(self, self._look, due=True)
        self._preview.changed.connect(lambda: self._state.soon())
        document.project_changed.connect(lambda _: self._state.soon())
        document.begun.connect(self._forget)
        settings.changed.connect(lambda name: self._fill("") if name == "units" else None)

    def _look(self) -> None:
        """Ask for what is on screen, unless something is worked on: then after that."""
        if self._asked is not None:
            self._stale = True
            return
        self._stale = False
        dragged = self._document.previewed
        project = dragged or self._document.project
        built, ride = self._document.built(), self._preview.ride()
        if project.track is None or built is None or ride is None:
            # without a track the panel that this is a page of says so
            self.about.setText("" if project.track is None else self._preview.fault() or WAITING)
            return
        since = self.settled[0].built if dragged is not None and self.settled is not None else None
        asked = _Asked(project, built, ride, since)
        if self.settled is not None and asked.alike(self.settled[0]):
            if self.shown is not self.settled[1]:  # a drag that was given up
                self._show(self.settled[1], self.before, 0.0)
            return
        if self.settled is None:
            self.about.setText(WAITING)
        self._asked = asked
        self._task.ask(asked)

    def _on_found(self, answer: tuple[QuasiStatic, float]) -> None:
        (found, took), asked, self._asked = answer, self._asked, None
        settled = None if self.settled is None else self.settled[1]
        if asked is not None and asked.project is self._document.project:
            self.before, self.settled = settled, (asked, found)
            self._show(found, self.before, took)
        elif asked is not None:
            self._show(found, settled, took)
        if self._stale or asked is None:
            self._state.soon()

    def _on_failed(self, why: str) -> None:
        self._asked = None
        self.about.setText(why)
        if self._stale:
            self._state.soon()

    def _forget(self) -> None:
        """Another project was opened."""
        self._asked, self._stale = None, False
        self._task.stop()
        self.settled = None
        self.before = self.shown = self._compared = None
        with refilled(self.table):
            pass
        self._state.soon()

    def _show(self, found: QuasiStatic, before: QuasiStatic | None, took: float) -> None:
        self.shown, self._compared = found, before
        took_words = f", in {took:.2f} s" if took else ""
        what = "below what is dragged" if len(found.which) < len(found.frame.footings) else "in all"
        self._fill(f"{counted(len(found.footings), 'footing')} {what}{took_words}. {ABOUT}")

    def _fill(self, words: str) -> None:
        if words:
            self.about.setText(words)
        found = self.shown
        with refilled(self.table):
            if found is None:
                return
            old = as_before(self._compared, found)
            changes = [
                0.0 if was is None else float(now.most[2] - was.most[2])
                for now, was in zip(found.footings, old, strict=True)
            ]
            order = sorted(
                range(len(changes)),
                key=lambda k: (
                    -round(abs(changes[k]) / LEVEL) if abs(changes[k]) >= LEVEL else 0,
                    -found.footings[k].most[2],
                ),
            )
            for k in order:
                s = found.frame.footings[found.which[k]].s
                add_row(self.table, _row(found.footings[k], old[k], changes[k], s), s)

    def _on_row(self) -> None:
        chosen = self.table.selectedItems()
        if chosen:
            self._document.select(Selection("place", s=chosen[0].data(Qt.ItemDataRole.UserRole)))


def _row(now: FootingLoad, was: FootingLoad | None, change: float, s: float) -> list[str]:
    force = [units.text(float(value), "kN", decimals=1) for value in (now.most[2], now.least[2], now.aside)]
    before = "–" if was is None else units.text(float(was.most[2]), "kN", decimals=1)
    differs = "–" if was is None or abs(change) < LEVEL else units.text(change, "kN", decimals=1)
    if change >= LEVEL:
        differs = f"+{differs}"
    return [
        now.name, force[0], before, differs, force[1], force[2], units.text(now.moment, "kN m", decimals=1),
        units.text(s, "m", decimals=1),
    ]  # fmt: skip


def _work(asked: _Asked, _reporter: ProgressReporter) -> tuple[QuasiStatic, float]:
    begun = perf_counter()
    rate = SETTLED if asked.since is None else WHILE_DRAGGED
    found = quasi_static(asked.project, asked.built, asked.ride, rate, asked.since)
    return found, perf_counter() - begun
