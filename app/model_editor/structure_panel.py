"""Panel "Structure": nodes, beams, masses and interfaces of a flexible body as tables; rows added, copied, deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QPushButton,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, lists_of
from ...core.edits import frames, rows
from ...core.edits.elements import assembly_at, element_at
from ...core.edits.new_elements import body_names
from ...core.model.flexible import FlexibleBody
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection, exists
from ..widgets.flow import FlowLayout
from ..widgets.refresh import Refresh
from ..widgets.row_table import Key, RowTable, restyle_buttons, row_button
from ..widgets.settings import Settings
from .pages import names_for
from .rows_model import ChoiceDelegate, RowsModel

EMPTY = (
    "Nodes, beams and interfaces of a flexible body are listed here. This project has no flexible body yet."
)
KIND: Final = "flexible"
LISTS = lists_of(FlexibleBody)
OWN_KEYS = (Key.SelectAll, Key.Copy, Key.Paste, Key.Delete)


class _Table(RowTable):
    """The rows, which have their keys to themselves."""

    def event(self, event: QEvent) -> bool:
        # in here these keys are about rows, whatever they do elsewhere in the window
        shortcut = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if shortcut and any(event.matches(key) for key in OWN_KEYS):  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)


class StructurePanel(QWidget):
    """The lists of the selected flexible body, or of the one that was selected last; rows are the selection of the
    document, and stand in the inspector with all of their fields. `group_wanted` carries the heading there under which
    a cell is changed that is not in the table."""

    group_wanted = Signal(str)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(parent)
        self._document, self._following = document, False
        self._path: tuple[str, ...] = ()
        self.model = RowsModel(document, self._choices, self)
        self.table = _Table(self, {Key.Copy: self.copy, Key.Paste: self.paste, Key.Delete: self.delete})
        self.tabs = QTabBar()
        self.buttons: dict[str, QToolButton] = {}
        self.message = QLabel("")
        self._lay_out()
        self.model.refused.connect(self._say)
        self._soon = Refresh(self, self.refresh, due=True)
        document.project_changed.connect(lambda _change: self._soon.soon())
        document.preview_changed.connect(lambda _project: self._soon.soon())
        document.selection_changed.connect(lambda _selection: self._soon.soon())
        settings.changed.connect(lambda name: self.model.units_changed() if name == "units" else None)
        self.refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._bar = QWidget()
        bar = self._flow = FlowLayout(self._bar)
        bar.setContentsMargins(8, 4, 8, 4)
        bar.setSpacing(4)
        self.tabs.setAccessibleName("Lists of the structure")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for spec in LISTS:
            self.tabs.addTab(spec.title)
        self.tabs.currentChanged.connect(lambda _k: self._on_tab())
        bar.addWidget(self.tabs)
        for name, icon, text, tip, do in (
            ("add", "add", "Add", "Add a row behind the selected one", self.add),
            ("duplicate", "duplicate", "Duplicate", "Copy the selected rows behind them", self.duplicate),
            ("delete", "delete", "Delete", "Delete the selected rows, with those that name them (Del)", self.delete),
            ("copy", "", "Copy", "Copy the selected rows as text (Ctrl+C)", self.copy),
            ("paste", "", "Paste", "Add rows of the clipboard, from a spreadsheet for example (Ctrl+V)", self.paste),
        ):  # fmt: skip
            self.buttons[name] = row_button(icon, text, tip, do)
            bar.addWidget(self.buttons[name])
        bar.addStretch(1)
        self._whose = QLabel("")
        self._whose.setProperty("role", "muted")
        bar.addWidget(self._whose)
        column.addWidget(self._bar)
        self.message.setProperty("role", "bad")
        self.message.setContentsMargins(8, 0, 8, 4)
        self.message.setWordWrap(True)
        self.message.hide()
        column.addWidget(self.message)
        column.addWidget(self._made_empty(), 1)
        self._prepare_table()
        column.addWidget(self.table, 1)

    def _made_empty(self) -> QWidget:
        self._empty = QWidget()
        inside = QVBoxLayout(self._empty)
        words = QLabel(EMPTY)
        words.setWordWrap(True)
        words.setProperty("role", "muted")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.new_frame = QPushButton("Add frame of beams")
        self.new_frame.setToolTip(
            "A steel tube of 3 m to start from, fixed to the first body or to the ground"
        )
        self.new_frame.clicked.connect(self._add_frame)
        inside.addStretch(1)
        inside.addWidget(words)
        inside.addWidget(self.new_frame, 0, Qt.AlignmentFlag.AlignCenter)
        inside.addStretch(1)
        return self._empty

    def _prepare_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setItemDelegate(ChoiceDelegate(table))
        table.setAccessibleName("Rows of the structure")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        triggers = QAbstractItemView.EditTrigger
        table.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        table.setTabKeyNavigation(False)  # Tab leaves the table; while typing it goes to the next cell
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setWordWrap(False)
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 10)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.doubleClicked.connect(self._on_double_click)
        table.selectionModel().selectionChanged.connect(lambda _on, _off: self._rows_selected())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_soon"):
            restyle_buttons(self.buttons.values())

    # -- what is shown

    @property
    def body(self) -> FlexibleBody | None:
        """The flexible body whose lists are shown."""
        project = self._document.previewed or self._document.project
        if not self._path or not exists(Selection(KIND, self._path), project):
            return None
        found: FlexibleBody = element_at(project, KIND, self._path)
        return found

    @property
    def chosen(self) -> tuple[int, ...]:
        """Numbers of the selected rows."""
        selection = self._document.selection
        mine = (selection.kind, selection.path, selection.rows) == (KIND, self._path, self._spec.name)
        return tuple(sorted(selection.indices)) if mine else ()

    @property
    def _spec(self) -> FieldSpec:
        return LISTS[max(self.tabs.currentIndex(), 0)]

    def refresh(self) -> None:
        """Show the lists as they are now."""
        selection, project = self._document.selection, self._document.project
        if selection.kind == KIND and not selection.also:
            self._path = selection.path
            if selection.rows:
                names = [spec.name for spec in LISTS]
                self.tabs.setCurrentIndex(names.index(selection.rows))
        elif self.body is None:
            top = project.assembly
            self._path = tuple(next(iter(top.every(KIND)), "").split("/")) if top is not None else ()
        body = self.body
        for widget in (self._bar, self.table):
            widget.setVisible(body is not None)
        self._empty.setVisible(body is None)
        if body is None:
            self._path = ()
            self.model.clear()
            self._say("")
            return
        for k, spec in enumerate(LISTS):
            self.tabs.setTabText(k, f"{spec.title} {len(getattr(body, spec.name))}")
        self._whose.setText(f"of “{'/'.join(self._path)}”")
        self.model.show(KIND, self._path, body, self._spec.name)
        self._follow_selection()
        self._enable(body)

    def _enable(self, body: FlexibleBody) -> None:
        chosen, delete = self.chosen, self.buttons["delete"]
        for name in ("duplicate", "delete", "copy"):
            self.buttons[name].setEnabled(bool(chosen))
        gone = rows.rows_with(body, self._spec.name, chosen) if chosen else {}
        others = sum(map(len, gone.values())) - len(chosen)
        delete.setText(f"Delete with {others} that depend on it" if others else "Delete")
        self._flow.activate()  # at once, or the button is cut for a moment

    def _choices(self, spec: FieldSpec) -> Sequence[str]:
        body = self.body
        return () if body is None else names_for(self._document.project, self._path, body, spec)

    def _follow_selection(self) -> None:
        wanted, model = set(self.chosen), self.table.selectionModel()
        if wanted == {index.row() for index in model.selectedRows()}:
            return
        self._following = True
        picked = QItemSelection()
        for k in wanted:
            picked.select(self.model.index(k, 0), self.model.index(k, self.model.columnCount() - 1))
        flags = QItemSelectionModel.SelectionFlag
        model.select(picked, flags.ClearAndSelect | flags.Rows)
        if wanted:
            current = max(self.table.currentIndex().column(), 0)
            model.setCurrentIndex(self.model.index(min(wanted), current), flags.NoUpdate)
            self.table.scrollTo(self.model.index(min(wanted), 0))
        self._following = False

    def _rows_selected(self) -> None:
        if not self._following and self.model.path:
            chosen = sorted(index.row() for index in self.table.selectionModel().selectedRows())
            self._select(chosen)

    def _on_double_click(self, index: QModelIndex) -> None:
        column = self.model.columns[index.column()]
        if not column.editable:
            self.group_wanted.emit(column.spec.title)

    def _select(self, chosen: Sequence[int]) -> None:
        """Select rows, the body itself where there are none."""
        name = self._spec.name if chosen else ""
        self._document.select(Selection(KIND, self._path, tuple(chosen), rows=name))

    def _on_tab(self) -> None:
        self._say("")
        selection = self._document.selection
        if selection.rows and selection.rows != self._spec.name:
            self._select(())
        self.refresh()

    def _say(self, text: str) -> None:
        """Show why something was not done; "" clears it."""
        self.message.setText(text)
        self.message.setVisible(bool(text))

    # -- acting on rows

    def _edit(self, text: str, edit: Callable[[Project, FlexibleBody], Any]) -> None:
        """Apply an edit, one step of undo; it returns a project, or one with the rows to select."""
        body = self.body
        if body is None:
            return
        try:
            made = edit(self._document.project, body)
        except InputError as error:
            self._say(str(error))
            return
        self._say("")
        project, chosen = made if isinstance(made, tuple) else (made, ())
        self._document.apply(f"{text} of {self._path[-1]}", project)
        self._select(chosen)
        self.refresh()

    def _counted(self, chosen: Sequence[int]) -> str:
        return f"{len(chosen)} {self._spec.title.lower()}" if len(chosen) > 1 else self._spec.row

    def add(self) -> None:
        """Add a row behind the selected ones, or at the end."""
        chosen, name = self.chosen, self._spec.name

        def added(project: Project, body: FlexibleBody) -> Any:
            bodies = body_names(assembly_at(project, self._path[:-1]))
            row = frames.new_row(body, name, chosen, bodies)
            return rows.add_rows(project, KIND, self._path, name, [row], chosen[-1] if chosen else None)

        self._edit(f"Add {self._spec.row}", added)

    def duplicate(self) -> None:
        """Copy the selected rows behind them."""
        chosen, name = self.chosen, self._spec.name
        if chosen:
            self._edit(
                f"Duplicate {self._counted(chosen)}",
                lambda project, _: rows.duplicate_rows(project, KIND, self._path, name, chosen),
            )

    def delete(self) -> None:
        """Delete the selected rows, with those that name them."""
        chosen, name = self.chosen, self._spec.name
        if chosen:
            self._edit(
                f"Delete {self._counted(chosen)}",
                lambda project, _: rows.delete_rows(project, KIND, self._path, name, chosen),
            )

    def copy(self) -> None:
        """Put the selected rows on the clipboard as text in the units in use."""
        QGuiApplication.clipboard().setText(self.model.as_text(self.chosen))

    def paste(self) -> None:
        """Add the rows of the clipboard behind the selected ones, or at the end."""
        chosen, name = self.chosen, self._spec.name
        text = QGuiApplication.clipboard().text()

        def pasted(project: Project, body: FlexibleBody) -> Any:
            known = getattr(body, name)
            bodies = body_names(assembly_at(project, self._path[:-1]))
            like = known[chosen[-1] if chosen else -1] if known else frames.new_row(body, name, (), bodies)
            made = self.model.from_text(text, like)
            return rows.add_rows(project, KIND, self._path, name, made, chosen[-1] if chosen else None)

        self._edit(f"Paste {self._spec.title.lower()}", pasted)

    def _add_frame(self) -> None:
        try:
            project, path = frames.add_frame(self._document.project, ())
        except InputError as error:
            self._say(str(error))
            return
        self._document.apply("Add frame of beams", project)
        self._document.select(Selection(KIND, path))
