"""The inspector: the fields of what is selected, with units, ranges and help, and what is odd about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec
from ...core.design.swing_preview import Preview, swing_preview
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection, exists
from ..widgets import icons, theme, units
from ..widgets.number_entry import DragLabel, Entry, NumberEntry
from ..widgets.refresh import Turn
from ..widgets.settings import Settings
from ..work.preview import RidePreview
from .adding import AddButton, carried_out, fill_additions, node_of
from .cars_entry import CarsEntry
from .end_points import fill_point_menu
from .entries import AnglesEntry, ChoiceEntry, FlagEntry, LongTextEntry, TextEntry, VectorEntry
from .field_row import FieldRow, FoldingGroup, note
from .held_focus import give_back, held_in
from .law_plot import LawPlot
from .matrix_entry import MatrixEntry
from .messages import Messages
from .mobility import MobilityCheck, summary_lines
from .page import Field, Group, Page
from .pages import page_of
from .programme_entry import ProgrammeEntry
from .ride_here import RideHere
from .row_entries import FunctionEntry, FunctionsEntry, RowsEntry
from .study_parameter import parameter_of
from .tree_edits import ELEMENTS

MIN_WIDTH, MAX_WIDTH = 39, 70  # letters across that the inspector asks for
ENTRIES: dict[str, type[Entry]] = {
    "number": NumberEntry,
    "optional": NumberEntry,
    "vector": VectorEntry,
    "direction": VectorEntry,
    "angles": AnglesEntry,
    "text": TextEntry,
    "long_text": LongTextEntry,
    "flag": FlagEntry,
    "rows": RowsEntry,
    "numbers": MatrixEntry,
    "matrix": MatrixEntry,
    "symmetric": MatrixEntry,
    "function": FunctionEntry,
    "functions": FunctionsEntry,
    "programme": ProgrammeEntry,
}


def made_entry(spec: FieldSpec, choices: tuple[str | None, ...]) -> Entry:
    """The entry for a field."""
    if spec.entry == "choice":
        return ChoiceEntry(spec, choices)
    if spec.entry == "cars":
        return CarsEntry(spec, choices)
    return ENTRIES[spec.entry](spec)


def _clear(column: QVBoxLayout) -> None:
    while (item := column.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.deleteLater()


def _is_about(where: Selection, selection: Selection) -> bool:
    if where.kind == "points" and selection.kind == "points":
        return where.path == selection.path and bool(set(where.indices) & set(selection.indices))
    if (where.kind, where.path) != (selection.kind, selection.path):
        return False
    apart = where.rows and selection.rows and where.rows != selection.rows
    return not apart and (not selection.rows or bool(set(where.indices) & set(selection.indices)))


class Inspector(QScrollArea):
    """Shows and edits the selection of the document. `vary_wanted` carries a parameter of a study; `place_wanted` what
    a click in the 3D view is wanted for, in words, and what takes the place: see `end_points`."""

    vary_wanted = Signal(object)
    place_wanted = Signal(str, object)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(parent)
        self._document = document
        self.rows: list[FieldRow] = []
        self._notes: list[QLabel] = []
        self._helped: set[str] = set()  # fields whose help is open
        self._folded: dict[str, bool] = {}  # groups that somebody has folded or opened
        self._groups: dict[str, FoldingGroup] = {}
        self._unbuilt: set[str] = set()  # folded ones without their fields, which take long to make
        self._page: Page | None = None
        self._shown: Selection | None = None
        self._model_lines: QVBoxLayout | None = None
        self._law: LawPlot | None = None
        self._preview = RidePreview.of(document)
        self.ride: RideHere | None = None
        self.mobility = MobilityCheck(document, self)
        self.setObjectName("Inspector")
        self.setAccessibleName("Inspector")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.messages = Messages(self)
        self._dress = Turn(self, self.refresh)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.refresh)
        document.project_changed.connect(lambda _change: self._soon.start())
        document.preview_changed.connect(lambda _project: self._soon.start())
        document.selection_changed.connect(lambda _selection: self._soon.start())
        settings.changed.connect(lambda name: self._rebuild() if name == "units" else None)
        self.mobility.found.connect(self._show_mobility)
        self._preview.changed.connect(self._show_ride)
        document.problems_changed.connect(self._show_oddities)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.mobility.want(self._page is not None and self._page.model)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.mobility.want(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        room = self.messages.room
        self.setViewportMargins(0, 0, 0, room)
        super().resizeEvent(event)
        self.messages.setGeometry(0, self.height() - room, self.width(), room)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_soon"):
            self._page = None
            self._dress.soon()

    def entry(self, name: str) -> Entry:
        """The entry of the field called `name` (of the description), as it is shown now."""
        self._open(lambda field: field.spec.name == name)
        return next(row.entry for row in self.rows if row.field.spec.name == name)

    def show_group(self, title: str) -> None:
        """Bring the fields under a heading into view, with the focus on the first one."""
        self.refresh()
        self._open(lambda field: field.spec.group == title)
        row = next((row for row in self.rows if row.field.spec.group == title), None)
        if row is not None:
            self.ensureWidgetVisible(row)
            row.entry.setFocus()

    def _open(self, wanted: Callable[[Field], bool]) -> None:
        """Open the groups with fields that are wanted."""
        groups = () if self._page is None else self._page.groups
        shut = [g.title for g in groups if self._is_shut(g) and any(map(wanted, g.fields))]
        if shut:
            self._folded |= dict.fromkeys(shut, False)
            self._rebuild()

    def _is_shut(self, group: Group) -> bool:
        return self._folded.get(group.title, group.folded)

    def _fold(self, title: str, shut: bool) -> None:
        self._folded[title] = shut
        if not shut and title in self._unbuilt:
            self._rebuild()
            self._groups[title].heading.setFocus()

    def _rebuild(self) -> None:
        self._page = None
        self.refresh()

    def refresh(self) -> None:
        """Show the selection as it is now; entries are kept while only values change."""
        project = self._document.previewed or self._document.project
        selection = self._document.selection
        if not exists(selection, project):
            return  # the document selects anew in the same event
        built = self._document.built() if selection.kind == "section" else None
        page = page_of(project, selection, built)
        same_thing = selection == self._shown or (_of_project(selection) and _of_project(self._shown))
        same = self._page is not None and same_thing and page.signature == self._page.signature
        held, scrolled = held_in(self, self.rows), self.verticalScrollBar().value()
        if not same:
            self._build(page)
        else:
            groups = [g for g in page.groups if g.title not in self._unbuilt]
            for row, field in zip(self.rows, (f for g in groups for f in g.fields), strict=True):
                row.field = field
            self._title.setText(page.title)
            self._kind.setText(page.kind)
            for label, text in zip(self._notes, (n for g in groups for n in g.notes), strict=True):
                label.setText(text)
        if self._law is not None:
            self._law.show_curves(page.law)
        self._page, self._shown = page, selection
        self._show_ride()
        self._show_values(project)
        if not same:
            self.verticalScrollBar().setValue(scrolled if same_thing else 0)
            if same_thing:
                give_back(self, self.rows, held)

    def _show_ride(self) -> None:
        """What the preview's ride does in the section that is shown."""
        chosen = self._shown
        if self.ride is not None and chosen is not None and chosen.kind == "section":
            self.ride.show_section(chosen.path[0], self._preview.stations(chosen.path[0]))

    def _show_values(self, project: Project) -> None:
        """Values of the project that the fields were made for: what was half typed in the page before, and is given
        when that goes, makes another one, which is shown in its turn."""
        for row in self.rows:
            if isinstance(row.entry, ChoiceEntry | CarsEntry):
                row.entry.set_choices(row.field.choices)
            row.entry.set_value(row.field.get(project))
            row.set_refusal(None)
        self._show_oddities()

    # -- building

    def _build(self, page: Page) -> None:
        self.rows, self._notes = [], []
        self._groups, self._unbuilt = {}, set()
        self._model_lines = None
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(4)
        column.addLayout(self._head(page))
        self._law = LawPlot() if page.law else None
        if self._law is not None:
            column.addSpacing(8)
            column.addWidget(self._law)
        kind = self._document.selection.kind
        self.ride = RideHere(self._preview) if kind == "section" else None
        if self.ride is not None:
            column.addWidget(self.ride)
        for group in page.groups:
            self._add_group(column, group)
        if page.model:
            self._model_lines = self._heading(column, "What moves", self._folded.get("What moves", False))
        column.addStretch(1)
        old = self.takeWidget()
        self.setWidget(body)
        if old is not None:
            old.deleteLater()
        self._ask_for_width()
        self.mobility.want(page.model and self.isVisible())
        self._show_mobility(self.mobility.current)

    def _ask_for_width(self) -> None:
        """The room that the widest field needs, so that none is cut, with room for the scroll bar."""
        body = self.widget()
        assert body is not None
        body.ensurePolished()
        needed = body.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        letter = self.fontMetrics().averageCharWidth()
        self.setMinimumWidth(max(MIN_WIDTH * letter, min(needed, MAX_WIDTH * letter)))

    def _head(self, page: Page) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        picture = QLabel()
        picture.setPixmap(icons.pixmap(page.icon, 24, theme.current().accent, self.devicePixelRatioF()))
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(0)
        self._title, self._kind = QLabel(page.title), note(page.kind)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)
        font = self._title.font()
        font.setPointSizeF(font.pointSizeF() * 1.25)
        font.setBold(True)
        self._title.setFont(font)
        words.addWidget(self._title)
        words.addWidget(self._kind)
        row.addLayout(words, 1)
        chosen = self._document.selection
        if chosen.kind in ELEMENTS and not chosen.also:
            row.addWidget(AddButton(self._fill_add, self), 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _fill_add(self, menu: QMenu) -> None:
        """What can be added to what is selected, or to what holds it."""
        node = node_of(self._document, self._document.selection)
        if node is not None:
            menu.addSection(node.text)
            fill_additions(menu, self._document, node, lambda edit: carried_out(self, edit))

    def _add_group(self, column: QVBoxLayout, group: Group) -> None:
        inside = column
        if group.title:
            shut = self._is_shut(group)
            inside = self._heading(column, group.title, shut)
            if shut:
                self._unbuilt.add(group.title)
                return
        for text in group.notes:
            self._notes.append(note(text))
            inside.addWidget(self._notes[-1])
        for field in group.fields:
            self._add_field(inside, field)

    def _heading(self, column: QVBoxLayout, title: str, shut: bool) -> QVBoxLayout:
        """A group that folds and stays folded wherever there is one of its title; where its fields go."""
        made = self._groups[title] = FoldingGroup(title, shut)
        made.folded.connect(lambda shut: self._fold(title, shut))
        column.addWidget(made)
        return made.column

    def _add_field(self, column: QVBoxLayout, field: Field) -> None:
        name = field.spec.name
        entry = made_entry(field.spec, field.choices)
        if isinstance(entry, ProgrammeEntry):
            entry.preview = lambda value: self._previewed(field, value)
        row = FieldRow(field, entry, name in self._helped)
        row.menu_wanted.connect(lambda position, row=row: self._menu(row, position))
        row.point_wanted.connect(lambda position, row=row: self._ways_to_a_point(row, position))
        row.refusal_changed.connect(self._show_oddities)
        row.opened.connect(lambda on: (self._helped.add if on else self._helped.discard)(name))
        column.addWidget(row)
        entry.given.connect(lambda value, row=row: self._given(row, value))
        entry.refused.connect(lambda why, row=row: row.set_refusal(why))
        if isinstance(row.label, DragLabel):
            row.label.dragged.connect(lambda value, row=row: self._dragged(row, value))
            row.label.let_go.connect(lambda row=row: self._let_go(row))
        self.rows.append(row)

    def _menu(self, row: FieldRow, position: QPoint) -> None:
        """What can be done with a field besides typing: vary it in a study."""
        if self._shown is None:
            return
        parameter = parameter_of(self._document.project, self._shown, row.field)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        vary = menu.addAction("Vary this in a study")
        vary.setEnabled(parameter is not None)
        vary.triggered.connect(lambda: self.vary_wanted.emit(parameter))
        menu.popup(position)

    def _ways_to_a_point(self, row: FieldRow, position: Any) -> None:
        """Where a point on a body can be taken from."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_point_menu(menu, self._document, row.field, row.set_refusal, self.place_wanted.emit)
        menu.popup(position)

    def _previewed(self, field: Field, value: Any) -> Preview:
        """The angle that a programme leads to."""
        project, _ = field.change(self._document.project, value)
        return swing_preview(project, self._document.selection.path)

    # -- editing

    def _given(self, row: FieldRow, value: Any) -> None:
        document = self._document
        try:
            project, selection = row.field.change(document.project, value)
        except InputError as error:
            row.set_refusal(units.told(error))
            return
        line = getattr(row.entry, "line", None)
        stepping = bool(getattr(line, "stepping", False))
        document.apply(row.field.step, project, merge=row.field.step if stepping else None)
        if selection is not None:
            self._shown = (
                selection  # the same thing under another name: its entries stay, and the focus in them
            )
            document.select(selection)
        self._soon.start()

    def _dragged(self, row: FieldRow, value: float) -> None:
        """Show a value while its label is dragged; nothing is a step yet."""
        try:
            project, _ = row.field.change(self._document.project, value)
        except InputError as error:
            row.set_refusal(units.told(error))
            return
        self._document.preview(project)

    def _let_go(self, row: FieldRow) -> None:
        project = self._document.previewed
        if project is not None:
            self._document.apply(row.field.step, project)

    # -- what is odd, what moves

    def _show_oddities(self) -> None:
        selection = self._document.selection
        refused = [("error", row.refusal) for row in self.rows if row.refusal is not None]
        odd = [
            (problem.severity, units.in_units(problem.text))
            for problem in self._document.problems
            if problem.where is not None and _is_about(problem.where, selection)
        ]
        self.messages.say((*refused, *odd))

    def _show_mobility(self, found: Any) -> None:
        if self._model_lines is None:
            return
        _clear(self._model_lines)
        lines = ("Working out what can move …",) if found is None else summary_lines(found)
        for line in lines:
            self._model_lines.addWidget(note(line))


def _of_project(selection: Selection | None) -> bool:
    """Whether the page of a selection is that of the whole project."""
    return selection is not None and selection.kind in ("none", "place")
