"""Panel "Sections": the sections in running order with their speeds and peak loads, and what can be done with them."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.edits.sections import set_section
from ...core.pointmass.sections import SectionFigures
from ...core.track.description import Track
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import dialogs, units
from ..widgets.elided import ElidedLabel
from ..widgets.icons import icon
from ..widgets.plain_table import cell
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from ..work.preview import RidePreview
from .menus import fill_elements, say_needs
from .track_elements import section_icon, speed_of_ride

# column: heading, SI unit, decimals
COLUMNS = (
    ("Section", "", 0),
    ("Kind", "", 0),
    ("Begins at", "m", 1),
    ("Length", "m", 1),
    ("Speed in", "m/s", 1),
    ("Speed out", "m/s", 1),
    ("Largest Gz", "g", 2),
    ("Smallest Gz", "g", 2),
    ("Largest |Gy|", "g", 2),
)


class SectionAct(StrEnum):
    """What the buttons ask for, of the selected section."""

    EARLIER = "section_up"
    LATER = "section_down"
    DUPLICATE = "duplicate_section"
    SPLIT = "split_anywhere"
    CONVERT = "convert_section"
    DELETE = "delete_section"


BUTTONS = (
    (SectionAct.EARLIER, "up", "Let the section come earlier (Alt+Up)"),
    (SectionAct.LATER, "down", "Let the section come later (Alt+Down)"),
    (SectionAct.DUPLICATE, "duplicate", "A copy behind it"),
    (SectionAct.SPLIT, "tool-split", "Cut the section in two"),
    (SectionAct.CONVERT, "points", "Convert to control points"),
    (SectionAct.DELETE, "delete", "Delete the section"),
)
EMPTY = "The project has no track. Insert element begins one; File > Import track takes one from a file."


class SectionsPanel(QWidget):
    """The list of sections. act_wanted(SectionAct), insert_wanted(id of a piece)."""

    act_wanted = Signal(object)
    insert_wanted = Signal(str)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(parent)
        self.document = document
        self.preview = RidePreview.of(document)
        self._filling = False
        self.insert_button = QToolButton()
        self.buttons: dict[SectionAct, QToolButton] = {}
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setTabKeyNavigation(False)  # Tab goes on to what comes next
        self._prepare_table()
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(4)
        column.addLayout(self._make_bar())
        self._stack = QStackedLayout()
        self._empty = QLabel(EMPTY)
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setProperty("role", "muted")
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._empty)
        column.addLayout(self._stack, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(body)
        self._soon = Refresh(self, self.refresh)
        document.project_changed.connect(lambda _: self._soon.soon())
        self.preview.changed.connect(lambda *_: self._soon.soon())
        document.selection_changed.connect(lambda _: self._show_selection())
        settings.changed.connect(lambda name: self._soon.soon() if name == "units" else None)
        self.refresh()

    def _prepare_table(self) -> None:
        table = self.table
        table.setAccessibleName("Sections")
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(26)
        table.setShowGrid(False)
        table.setIconSize(QSize(16, 16))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        table.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(table.fontMetrics().horizontalAdvance("Section") + 40)
        table.currentCellChanged.connect(lambda row, *_: self._picked(row))
        table.clicked.connect(lambda index: self._picked(index.row()))
        table.itemChanged.connect(self._renamed)

    def _make_bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self.insert_button.setText("Insert element")
        self.insert_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.insert_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        fill_elements(self._menu, self.insert_wanted.emit)
        self._menu.aboutToShow.connect(self._say_needs)
        self.insert_button.setMenu(self._menu)
        row.addWidget(self.insert_button)
        for act, _, tip in BUTTONS:
            button = QToolButton()
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.clicked.connect(lambda _on=False, act=act: self.act_wanted.emit(act))
            self.buttons[act] = button
            row.addWidget(button)
        row.addSpacing(16)
        self.note = ElidedLabel()
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.note.setProperty("role", "muted")
        row.addWidget(self.note, 1)
        self._draw_icons()
        return row

    def _say_needs(self) -> None:
        """Tell at the pieces which need a faster ride than comes behind the selected section."""
        project, chosen = self.document.project, self.document.selection
        built, ride = self.document.built(project), self.preview.ride(project)
        known = built is not None and chosen.kind in ("points", "section")
        after = chosen.path[0] if known else None
        say_needs(self._menu, None if built is None or ride is None else speed_of_ride(ride, built, after))

    def _draw_icons(self) -> None:
        self.insert_button.setIcon(icon("element"))
        for act, picture, _ in BUTTONS:
            self.buttons[act].setIcon(icon(picture))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "note"):
            self._draw_icons()
            self._menu.clear()
            fill_elements(self._menu, self.insert_wanted.emit)
            self._soon.soon()

    # -- showing

    def refresh(self) -> None:
        """Show the sections as they are, with what the preview's ride says of them."""
        self._soon.done()
        project = self.document.previewed or self.document.project
        track = project.track
        self._stack.setCurrentIndex(0 if track is not None else 1)
        built = self.document.built() if track is not None else None
        figures = {f.name: f for f in self.preview.figures()} if built is not None else {}
        spans = {span.name: span for span in built.sections} if built is not None else {}
        self._filling = True
        self._head()
        self.table.setRowCount(0 if track is None else len(track.sections))
        for row, section in enumerate(() if track is None else track.sections):
            span = spans.get(section.name)
            texts = [section.name, section.kind.replace("_", " ")]
            numbers: list[float | None] = [None, None] if span is None else [span.s0, span.s1 - span.s0]
            numbers += _loads(figures.get(section.name))
            texts += [
                "–" if value is None else units.format(value, unit, decimals=decimals)[0]
                for value, (_, unit, decimals) in zip(numbers, COLUMNS[2:], strict=True)
            ]
            for column, text in enumerate(texts):
                self._put(row, column, text)
            cell(self.table, row, 0).setIcon(icon(section_icon(section)))
        self._filling = False
        ride = self.preview.ride() if built is not None else None
        self.note.setText(
            self.preview.fault() if ride is None else f"{self.preview.start_text()} {ride.message}"
        )
        self._show_selection()

    def _head(self) -> None:
        for column, (title, unit, _) in enumerate(COLUMNS):
            text = f"{title} ({units.label(unit)})" if unit else title
            before = self.table.horizontalHeaderItem(column)
            if before is not None and before.text() == text:
                continue  # every column is measured anew for a head
            item = QTableWidgetItem(text)
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight if column > 1 else Qt.AlignmentFlag.AlignLeft)
            self.table.setHorizontalHeaderItem(column, item)

    def _put(self, row: int, column: int, text: str) -> None:
        item = self.table.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            item.setFlags(flags | Qt.ItemFlag.ItemIsEditable if column == 0 else flags)
            if column > 1:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)

    def _track(self) -> Track | None:
        return self.document.project.track

    def _show_selection(self) -> None:
        chosen, track = self.document.selection, self._track()
        names = [] if track is None else [section.name for section in track.sections]
        row = (
            names.index(chosen.path[0])
            if chosen.kind in ("points", "section") and chosen.path[0] in names
            else -1
        )
        self._filling = True
        if row < 0:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
        elif row != self.table.currentRow():
            self.table.selectRow(row)
        self._filling = False
        for button in self.buttons.values():
            button.setEnabled(row >= 0)

    # -- editing

    def _picked(self, row: int) -> None:
        track = self._track()
        if self._filling or track is None or not 0 <= row < len(track.sections):
            return
        name = track.sections[row].name
        chosen = self.document.selection
        if chosen.kind not in ("points", "section") or chosen.path[0] != name:
            self.document.select(Selection("section", (name,)))

    def _renamed(self, item: QTableWidgetItem) -> None:
        track = self._track()
        if self._filling or track is None or item.column() != 0 or item.row() >= len(track.sections):
            return
        name, text = track.sections[item.row()].name, item.text().strip()
        if text != name:
            try:
                self.document.apply(
                    f"Rename {name} to {text}", set_section(self.document.project, name, {"name": text})
                )
                self.document.select(Selection("section", (text,)))
            except InputError as error:
                dialogs.message(self, "That is not possible here", units.told(error), bad=True)
        self._soon.soon()


def _loads(figures: SectionFigures | None) -> list[float | None]:
    """Entry and exit speed (m/s), largest and smallest Gz, largest |Gy| (g) of a section; None where unknown."""
    if figures is None:
        return [None] * 5
    gy = [abs(x.value) for x in (figures.max_gy, figures.min_gy) if x is not None]
    return [
        figures.entry_speed,
        figures.exit_speed,
        None if figures.max_gz is None else figures.max_gz.value,
        None if figures.min_gz is None else figures.min_gz.value,
        max(gy, default=None),
    ]
