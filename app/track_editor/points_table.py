"""Panel "Points": the control points in a table; add, insert, delete, duplicate, reverse, move, copy and paste."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.edits import points as point_edits
from ...core.edits import sections as section_edits
from ...core.edits.places import section_named
from ...core.edits.point_text import points_as_text, points_from_text
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ...core.track.point_places import section_points
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import theme, units
from ..widgets.flow import FlowLayout
from ..widgets.number_entry import NumberLine
from ..widgets.number_text import read_number
from ..widgets.row_table import Key, RowTable, restyle_buttons, row_button
from ..widgets.settings import Settings
from .panel import TrackPanel
from .points_model import PointsModel

EMPTY = "The control points of the track will be listed here. This project has no track yet."
TABLE_ONLY = (
    "This track is given by rows of measured positions and has no control points. To edit it, convert its section to "
    "control points: right-click the section in the Project tree."
)
PASTE_TIP = (
    "Paste rows of x, y, z and, if given, cant behind the selected point; from a spreadsheet for example"
)


class PointsPanel(TrackPanel):
    """The table with its buttons; the selection is that of the document."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(document, settings, parent)
        self._following = False  # the view is taking over the document's selection
        self.model = PointsModel(document, self)
        self.table = RowTable(self, {Key.Copy: self.copy, Key.Paste: self.paste, Key.Delete: self.delete})
        self._prepare_table()
        self._show_boxes()
        self.buttons: dict[str, QToolButton] = {}
        self.shifts: list[NumberLine] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._make_bar())
        self.message = QLabel("")
        self.message.setProperty("role", "bad")
        self.message.setContentsMargins(8, 0, 8, 4)
        self.message.setWordWrap(True)
        self.message.hide()
        column.addWidget(self.message)
        self._empty = QWidget()
        inside = QVBoxLayout(self._empty)
        self._empty_text = QLabel(EMPTY)
        self._empty_text.setWordWrap(True)
        self._empty_text.setProperty("role", "muted")
        self._empty_text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._new_track = QPushButton("New track")
        self._new_track.setToolTip("A straight piece of 20 m to start from")
        self._new_track.clicked.connect(
            lambda: self._say(self.try_edit("New track", section_edits.new_track))
        )
        inside.addStretch(1)
        inside.addWidget(self._empty_text)
        inside.addWidget(self._new_track, 0, Qt.AlignmentFlag.AlignCenter)
        inside.addStretch(1)
        column.addWidget(self._empty, 1)
        column.addWidget(self.table, 1)
        self.model.refused.connect(self._say)
        self.refresh_now()

    # -- parts

    def _prepare_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setAccessibleName("Control points")
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(max(header.sectionSizeHint(k) for k in range(self.model.columnCount())))
        table.setWordWrap(False)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._menu)
        table.selectionModel().selectionChanged.connect(lambda _on, _off: self._rows_selected())

    def _make_bar(self) -> FlowLayout:
        bar = FlowLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        bar.setSpacing(4)
        entries: tuple[tuple[str, str, str, str, Callable[[], None]], ...] = (
            ("insert", "point-add", "Insert", "Insert a point half way to the next one", self.insert),
            ("duplicate", "duplicate", "Duplicate", "Copy the selected points behind them", self.duplicate),
            ("delete", "delete", "Delete", "Delete the selected points (Del)", self.delete),
            (
                "reverse",
                "reverse",
                "Reverse order",
                "Put the selected points in the opposite order",
                self.reverse,
            ),
            (
                "spread",
                "",
                "Spread cant",
                "Even cant from the first to the last selected point",
                self.spread_cant,
            ),
            ("copy", "", "Copy", "Copy the selected points as text (Ctrl+C)", self.copy),
            ("paste", "", "Paste", PASTE_TIP + " (Ctrl+V)", self.paste),
        )
        for name, icon, text, tip, do in entries:
            self.buttons[name] = row_button(icon, text, tip, do)
            bar.addWidget(self.buttons[name])
        bar.addStretch(1)
        bar.addWidget(QLabel("Move by"))
        for axis in "xyz":
            line = NumberLine()
            line.setPlaceholderText(axis)
            line.setMaximumWidth(64)
            line.setAccessibleName(f"Move by {axis}")
            line.setToolTip(f"Distance along {axis}; empty moves nothing")
            line.returnPressed.connect(self.move_by)
            self.shifts.append(line)
            bar.addWidget(line)
        self._unit = QLabel("")
        self._unit.setProperty("role", "muted")
        bar.addWidget(self._unit)
        self.buttons["move"] = row_button(
            "", "Move", "Move the selected points by these distances", self.move_by
        )
        bar.addWidget(self.buttons["move"])
        return bar

    def restyle(self) -> None:
        self._show_boxes()
        restyle_buttons(self.buttons.values())

    def units_changed(self) -> None:
        self.model.units_changed()
        super().units_changed()

    def _show_boxes(self) -> None:
        """Empty check boxes would be dark on dark."""
        line = theme.current().muted
        self.table.setStyleSheet(
            f"QTableView::indicator:unchecked {{ width: 12px; height: 12px; border: 1px solid {line};"
            " border-radius: 3px; }"
        )

    # -- showing

    def redraw(self, project: Project, built: BuiltTrack | None) -> None:
        self.model.show(self.points)
        there = bool(len(self.points))
        self.table.setVisible(there)
        self._empty.setVisible(not there)
        self._empty_text.setText(EMPTY if project.track is None else TABLE_ONLY)
        self._new_track.setVisible(project.track is None)
        self._unit.setText(units.label("m"))
        self.show_selection()

    def show_selection(self) -> None:
        there = bool(len(self.points))
        self._follow_selection()
        chosen = self.document.selection.kind == "points"
        for name, button in self.buttons.items():
            button.setEnabled(chosen or (name == "paste" and there))
        for line in self.shifts:
            line.setEnabled(chosen)

    def _follow_selection(self) -> None:
        wanted = set(self.points.selected(self.document.selection))
        model = self.table.selectionModel()
        now = {index.row() for index in model.selectedRows()}
        if wanted == now:
            return
        self._following = True
        rows = QItemSelection()
        for k in wanted:
            rows.select(self.model.index(k, 0), self.model.index(k, self.model.columnCount() - 1))
        flags = QItemSelectionModel.SelectionFlag
        model.select(rows, flags.ClearAndSelect | flags.Rows)
        if wanted:
            first = self.model.index(min(wanted), 3)
            model.setCurrentIndex(first, flags.NoUpdate)
            self.table.scrollTo(first)
        self._following = False

    def _rows_selected(self) -> None:
        if self._following:
            return
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        if not rows or not any(self.points.selectable[k] for k in rows):
            if rows:
                self.document.select(Selection("section", (self.points.section[rows[0]],)))
            return
        current = self.table.currentIndex().row()
        own = [k for k in rows if current in rows and self.points.section[k] == self.points.section[current]]
        chosen = self.points.selection_of(own or rows)
        if chosen is not None:
            self.document.select(chosen)

    def _say(self, text: str) -> None:
        """Show why something was not done; "" clears it."""
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        for name in ("insert", "duplicate", "delete", "reverse", "spread", "copy", "paste"):
            button = self.buttons[name]
            action = menu.addAction(button.icon(), button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        menu.exec(self.table.viewport().mapToGlobal(position))
        menu.deleteLater()

    # -- acting on the selected points

    def _picked(self) -> tuple[str, tuple[int, ...]] | None:
        selection = self.document.selection
        return (selection.path[0], selection.indices) if selection.kind == "points" else None

    def _edit(self, text: str, edit: Callable[[Project, str, tuple[int, ...]], object]) -> None:
        """Apply an edit of the selected points; it returns a project, or one with the indices to select."""
        picked = self._picked()
        if picked is None:
            return
        section, chosen = picked
        try:
            made = edit(self.document.project, section, chosen)
        except InputError as error:
            self._say(units.told(error))
            return
        self._say("")
        project, indices = made if isinstance(made, tuple) else (made, None)
        assert isinstance(project, Project)
        self.document.apply(f"{text} of {section}", project)
        if indices is not None:
            select = indices if isinstance(indices, tuple) else (indices,)
            self.document.select(Selection("points", (section,), select))

    def insert(self) -> None:
        """Insert a point behind the last selected one."""
        built = self.document.built(self.document.project)
        if built is None:
            self._say("The track cannot be built, so the place of a new point is not known; see Problems.")
            return
        self._edit(
            "Insert point", lambda p, name, chosen: point_edits.insert_point(p, built, name, max(chosen))
        )

    def duplicate(self) -> None:
        """Copy the selected points behind them."""
        self._edit("Duplicate points", point_edits.duplicate_points)

    def delete(self) -> None:
        """Delete the selected points."""
        self._edit("Delete points", point_edits.delete_points)

    def reverse(self) -> None:
        """Put the selected points in the opposite order."""
        self._edit("Reverse points", point_edits.reverse_points)

    def spread_cant(self) -> None:
        """Spread the cant evenly between the first and the last selected point."""
        self._edit("Spread cant", point_edits.smooth_cant)

    def move_by(self) -> None:
        """Move the selected points by the distances typed beside the button."""
        try:
            by = [
                read_number(line.text(), "m", f"Move by {axis}") if line.text().strip() else 0.0
                for line, axis in zip(self.shifts, "xyz", strict=True)
            ]
        except InputError as error:
            self._say(units.told(error))
            return
        if any(by):
            self._edit(
                "Move points",
                lambda p, name, chosen: point_edits.move_points(p, name, chosen, (by[0], by[1], by[2])),
            )

    def copy(self) -> None:
        """Put the selected points on the clipboard as text in the units in use."""
        picked = self._picked()
        if picked is None or self.document.project.track is None:
            return
        every = section_points(section_named(self.document.project.track, picked[0]))
        text = points_as_text([every[i] for i in picked[1]], units.label("m"))
        QGuiApplication.clipboard().setText(text)

    def paste(self) -> None:
        """Insert the points of the clipboard behind the selected ones, or at the end of the last spline section."""
        picked = self._picked()
        if picked is None:
            splines = [k for k in range(len(self.points)) if self.points.selectable[k]]
            if not splines:
                self._say("There is no spline section to paste points into; add one first.")
                return
            picked = (self.points.section[splines[-1]], (self.points.index[splines[-1]],))
        section, chosen = picked
        try:
            points = points_from_text(QGuiApplication.clipboard().text(), units.label("m"))
            project, indices = point_edits.paste_points(self.document.project, section, max(chosen), points)
        except InputError as error:
            self._say(units.told(error))
            return
        self._say("")
        self.document.apply(f"Paste {len(points)} points into {section}", project)
        self.document.select(Selection("points", (section,), indices))
