"""What every panel of plots has in common: the runs that are shown, the cursor, the abscissa, saving, the theme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.charts.abscissa import Abscissa, Kind
from ...core.charts.chart import Chart, Colour, Curve
from ...core.charts.recipe import Recipe, Source
from ...core.charts.signals import RunSignals
from ..document.document import Document
from ..document.playback import Playback
from ..document.runs import Run
from ..widgets import dialogs, units
from ..widgets.elided import ElidedLabel
from ..widgets.flow import FlowLayout
from ..widgets.icons import icon
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh, is_seen
from ..widgets.settings import Settings
from .curves import difference
from .plot_grid import PlotGrid
from .save import save_picture, save_table

DOTTED = 3
NO_LIMITS = "The difference of two runs; limits and bands hold for the loads themselves and are not drawn."
NOTHING_SHARED = (
    "The two runs share no stretch on which they could be compared, or pass a place twice; draw over the other"
    " abscissa, or switch Difference off."
)


class PlotPanel(QWidget):
    """Base of the panels of plots. Subclasses fill `bar` and say in `make_contents` what is plotted."""

    name = "plots"  # under which the panel keeps its choices
    empty_text = "Run the project (F5) and its curves are drawn here."
    nothing_text = ""  # for runs that have nothing to draw here; "": as without runs

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document, self.playback, self.settings = document, playback, settings
        self._signals: dict[int, tuple[Run, RunSignals]] = {}
        self._axes: dict[tuple[int, str | None], Abscissa] = {}
        self._pointed: float | None = None
        self.kind: Kind = "place" if settings.value(f"{self.name}/abscissa", "time") == "place" else "time"
        self.grid = PlotGrid(self)
        self.empty = plain_label(self.empty_text)
        self.said = ElidedLabel(
            asks=True
        )  # of the runs that are drawn, for a bar that has something to say of them
        self.said.setProperty("role", "muted")
        self._build()
        self._contents = Refresh(self, lambda: self.refresh(gradually=True), due=True)
        self._cursor = Refresh(self, self._set_cursor)
        self._connect()

    # -- parts

    def _build(self) -> None:
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.setProperty("role", "muted")
        self.empty.setMargin(16)
        self.strip = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.strip.setSizePolicy(policy)
        self.bar = FlowLayout(self.strip)
        self.bar.setContentsMargins(8, 4, 8, 4)
        self.bar.setSpacing(8)
        self.fill_bar()
        self.bar.addStretch(1)
        self._add_abscissa()
        self._add_difference()
        self._add_fit()
        self._add_save()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(self.body())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.strip)
        column.addWidget(self.pages, 1)

    def body(self) -> QWidget:
        """What is shown when there is a run: the plots, or the plots beside something else."""
        return self.grid

    def fill_bar(self) -> None:
        """Add the panel's own choices to `bar`."""

    def make_contents(self) -> Sequence[Chart]:
        """What is plotted now. Every panel says it for itself; a Qt class cannot be an abstract one."""
        raise NotImplementedError

    def _add_abscissa(self) -> None:
        group, self._abscissas = QActionGroup(self), dict[str, QAction]()
        for kind, text, tip in (
            ("time", "Time", "Draw over the time of the ride"),
            (
                "place",
                "Arc length",
                "Draw over the place on the track, so that runs of different speed can be compared",
            ),
        ):
            button = QToolButton()
            action = QAction(text, self)
            action.setToolTip(tip)
            action.setCheckable(True)
            action.setChecked(self.kind == kind)
            action.triggered.connect(lambda _on, kind=kind: self.set_abscissa(kind))
            group.addAction(action)
            self._abscissas[kind] = action
            button.setDefaultAction(action)
            self.bar.addWidget(button)

    def _add_difference(self) -> None:
        self._difference = QToolButton()
        self._difference.setText("Difference")
        self._difference.setCheckable(True)
        self._difference.setEnabled(False)
        self._difference.setToolTip(
            "Draw what the shown run is above the compared one, at the same time or place; tick a run in Runs"
        )
        self._difference.toggled.connect(lambda _on: self.refresh())
        self.bar.addWidget(self._difference)

    def _add_fit(self) -> None:
        self._fit = QToolButton()
        self._fit.setIcon(icon("frame"))
        self._fit.setIconSize(QSize(16, 16))
        self._fit.setToolTip("Show the whole ride and all values (double click in a plot)")
        self._fit.clicked.connect(self.grid.fit)
        self.bar.addWidget(self._fit)

    def _add_save(self) -> None:
        self._save = QToolButton()
        self._save.setIcon(icon("export"))
        self._save.setIconSize(QSize(16, 16))
        self._save.setToolTip("Save these plots as a picture or their curves as a table")
        self._save.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._save)
        self.save_actions(menu)
        self._save.setMenu(menu)
        self.bar.addWidget(self._save)

    def save_actions(self, menu: QMenu) -> None:
        """Put the ways to save into a menu."""
        menu.addAction("Save picture…", self.ask_picture)
        menu.addAction("Save data of the whole ride…", lambda: self.ask_table(False))
        menu.addAction("Save data of the shown stretch…", lambda: self.ask_table(True))

    def _connect(self) -> None:
        self.document.runs_changed.connect(self.refresh_soon)
        self.playback.time_changed.connect(self._on_time)
        self.settings.changed.connect(lambda name: self.refresh_soon() if name == "units" else None)
        self.grid.scrubbed.connect(self._on_scrub)
        self.grid.pointed.connect(self._on_point)
        self.grid.menu_asked.connect(self._on_menu)
        self.grid.grown.connect(self._set_cursor)

    # -- runs and their signals

    @property
    def runs(self) -> tuple[Run, ...]:
        """The shown run and those drawn over it."""
        current = self.document.current_run
        return () if current is None else (current, *self.document.compared)

    def signals(self, run: Run) -> RunSignals:
        """The signals of a run; made once."""
        key = id(run)
        if key not in self._signals:
            self._signals[key] = (run, RunSignals(run.results, run.project))
        return self._signals[key][1]

    def axis(self, run: Run, car: str | None = None) -> Abscissa:
        """The abscissa of a car of a run, by default of its first car."""
        key = (id(run), car)
        if key not in self._axes:
            cars = self.signals(run).cars
            self._axes[key] = Abscissa.of(run.results, self.kind, car or (cars[0] if cars else None))
        return self._axes[key]

    @staticmethod
    def run_colour(run: Run) -> Colour:
        """The colour of a run, the same in every panel."""
        return Colour("series", run.colour)

    def curves(self, sources: Sequence[Source]) -> list[Curve]:
        """Curves of signals in all shown runs, or of what the shown one is above the first that is compared.

        Those of measured rides come last, which lies behind the others.

        A single signal has the colours of the runs; several have their own, and further runs are dotted.
        """
        made = []
        for run in self.runs[:2] if self.differing else self.runs:
            for k, source in enumerate(sources):
                found = self.signals(run).read(source.key)
                if found is None:
                    continue
                time, values = found
                alone = len(sources) == 1
                colour = self.run_colour(run) if alone else Colour("series", k)
                dashed = not alone and run is not self.runs[0]
                axis = self.axis(run, source.car)
                if axis.kind != self.axis(self.runs[0], source.car).kind:
                    continue  # a measured ride knows no place on the track
                column = np.ascontiguousarray(values[:, source.component])
                made.append(
                    Curve.over(axis, source.label, time, column, colour, run.name, DOTTED if dashed else 0)
                )
        if not self.differing:
            measured = {run.name for run in self.runs if run.measured is not None}
            return sorted(made, key=lambda curve: curve.run in measured)
        first = [curve for curve in made if curve.run == self.runs[0].name]
        pairs = [(a, b) for a in first for b in made if b.run != a.run and b.label == a.label]
        return [both for a, b in pairs if (both := difference(a, b)) is not None]

    def drawn(self, recipes: Iterable[Recipe]) -> list[Chart]:
        """Charts of recipes in the shown runs."""
        return [recipe.chart(self.curves(recipe.sources)) for recipe in recipes]

    @property
    def differing(self) -> bool:
        """Whether the difference of two runs is drawn instead of the runs."""
        return self._difference.isChecked() and len(self.runs) > 1

    def _as_difference(self, contents: Sequence[Chart]) -> list[Chart]:
        """Plots whose curves are differences: what is said of loads themselves means nothing there."""
        words = f"{self.runs[0].name} − {self.runs[1].name}"
        return [
            replace(c, title=f"{c.title}: {words}", bands=(), levels=(), spans=(), note=NO_LIMITS)
            for c in contents
        ]

    # -- refreshing

    def refresh_soon(self) -> None:
        """Draw anew when the events of now are through and the panel is to be seen; several wishes become one."""
        self._contents.soon()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # It is also sent while the widget is still being made.
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_contents"):
            self._fit.setIcon(icon("frame"))
            self._save.setIcon(icon("export"))
            self.grid.restyle()
            self.refresh_soon()

    def refresh(self, gradually: bool = False) -> None:
        """Draw everything anew; gradually: one plot after the other, with other events between."""
        self._contents.done()
        alive = {id(run) for run in self.document.runs}
        self._signals = {key: kept for key, kept in self._signals.items() if key in alive}
        self._axes = {}
        runs = self.runs
        self._difference.setEnabled(len(runs) > 1)
        contents = self.make_contents() if runs else []
        if not contents:
            nothing = NOTHING_SHARED if self.differing else self.nothing_text or self.empty_text
            self.show_empty(nothing if runs else self.empty_text)
            return
        if self.differing:
            contents = self._as_difference(contents)
        axis = self.axis(runs[0])
        self._abscissas["place"].setEnabled(bool(self.signals(runs[0]).cars))  # a rig goes along no track
        self._abscissas[axis.kind].setChecked(True)
        unit = "s" if axis.kind == "time" else "m"
        factor = 1.0 / units.shown(unit).size
        same = (axis.kind, factor, id(runs[0]), self.differing)
        self.grid.set_contents(contents, factor, units.label(unit), same, gradually=gradually)
        self.pages.setCurrentIndex(1)
        self._set_cursor()

    def show_empty(self, text: str) -> None:
        """Say what will be here and how to get it."""
        self.empty.setText(text)
        self.said.setText("")
        self.pages.setCurrentIndex(0)

    def set_abscissa(self, kind: Kind) -> None:
        """Draw over time or over arc length."""
        self.kind = kind
        self.settings.set_value(f"{self.name}/abscissa", kind)
        self._axes = {}
        self.refresh()

    # -- cursor

    def _on_time(self, _time: float) -> None:
        if not is_seen(self):
            self._cursor.soon()
        elif not self._contents.due:
            self._set_cursor()

    def _set_cursor(self) -> None:
        """Put the cursor where the playback is; values stay those under the mouse while it is in a plot."""
        self._cursor.done()
        if not self.runs or not self.grid.panes:
            return
        time = self.playback.time
        x = self._x_at(time)
        if self._pointed is None:
            self.grid.set_cursor(x, time)
        else:
            self.grid.set_cursor_line(x)

    def _x_at(self, time: float) -> float:
        axis = self.axis(self.runs[0])
        return float(axis.x_of(np.array([time]))[0])

    def _on_scrub(self, x: float) -> None:
        time = self.axis(self.runs[0]).time_of(x, self.playback.time) if self.runs else None
        if time is not None:
            self.playback.seek(time)

    def _on_point(self, x: float | None) -> None:
        self._pointed = x
        if not self.runs:
            return
        if x is None:
            self.grid.set_pointer(None, 0.0)
            self._set_cursor()
            return
        time = self.axis(self.runs[0]).time_of(x, self.playback.time)
        self.grid.set_pointer(x, self.playback.time if time is None else time)

    # -- menu and saving

    def _on_menu(self, _key: str, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show everything", self.grid.fit)
        menu.addAction("Fit the values to this stretch", self.grid.fit_values)
        if self.playback.loop is not None:
            menu.addAction("Zoom to the loop", self._zoom_to_loop)
        menu.addAction("Loop over this stretch", self._loop_stretch)
        menu.addSeparator()
        self.save_actions(menu)
        menu.popup(at)

    def _zoom_to_loop(self) -> None:
        if self.playback.loop is not None:
            start, end = (self._x_at(time) for time in self.playback.loop)
            self.grid.show_stretch(start, end)

    def _loop_stretch(self) -> None:
        """Play the shown stretch over and over."""
        axis = self.axis(self.runs[0])
        ends = [axis.time_of(x, self.playback.time) for x in self.grid.stretch()]
        last = self.playback.duration
        self.playback.set_loop(0.0 if ends[0] is None else ends[0], last if ends[1] is None else ends[1])

    def ask_picture(self) -> None:
        """Ask for a file and save the plots as a picture."""
        kinds = "Picture (*.png);;Vector drawing (*.svg)"
        self._ask(f"{self._file_stem()}.png", "Save plots as a picture", kinds, self.save_picture)

    def ask_table(self, stretch: bool) -> None:
        """Ask for a file and save the curves as a table."""
        self._ask(
            f"{self._file_stem()}.csv",
            "Save curves as a table",
            "Table (*.csv)",
            lambda path: self.save_table(path, stretch),
        )

    def _ask(self, suggested: str, title: str, kinds: str, save: Callable[[Path], None]) -> None:
        path = dialogs.file_to_save(self, title, self.settings.last_folder / suggested, kinds)
        if path is None:
            return
        self.settings.last_folder = path.parent
        try:
            save(path)
        except InputError as error:
            dialogs.message(self, "Not saved", units.told(error), bad=True)

    def save_picture(self, path: Path) -> None:
        """Write the plots as PNG or SVG, by the file's ending. Raises InputError."""
        names = ", ".join(run.name for run in self.runs)
        save_picture(path, self.grid.sheet, self.grid.panes, f"{self.document.project.name}: {names}")

    def save_table(self, path: Path, stretch: bool = False) -> None:
        """Write the curves as CSV: of the whole ride, or of the stretch that is shown. Raises InputError."""
        save_table(path, self.grid.contents(), self.grid.stretch() if stretch else None)

    def _file_stem(self) -> str:
        run = self.document.current_run
        return f"{self.document.title} {run.name if run is not None else ''} {self.name}".replace("/", "-")
