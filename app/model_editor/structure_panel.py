"""Panel "Structure": nodes, beams, masses and interfaces of a flexible body as tables, or the points of a force element
that has such; rows added, copied, deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, lists_of
from ...core.base.frozen import Frozen
from ...core.edits import frames, rows
from ...core.edits.elements import assembly_at, element_at
from ...core.edits.new_elements import body_names
from ...core.model.flexible import FlexibleBody
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection, SelectionKind, exists
from ..widgets import units
from ..widgets.flow import FlowLayout
from ..widgets.refresh import Refresh
from ..widgets.row_table import Key, RowTable, restyle_buttons, row_button, row_tabs
from ..widgets.settings import Settings
from .pages import names_for
from .rows_model import ChoiceDelegate, RowsModel

EMPTY = (
    "Nodes, beams and interfaces of a flexible body are listed here. This project has no flexible body yet."
)
FLEXIBLE: Final = "flexible"
KINDS: Final = (FLEXIBLE, "force")  # of elements that may have lists
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
    """The lists of the selected flexible body or force element, or of the one that was selected last; rows are the
    selection of the document, and stand in the inspector with all of their fields. `group_wanted` carries the heading
    there under which a cell is changed that is not in the table."""

    group_wanted = Signal(str)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(parent)
        self._document, self._following = document, False
        self._path: tuple[str, ...] = ()
        self._kind: SelectionKind = FLEXIBLE
        self._lists = LISTS
        self.model = RowsModel(document, self._choices, self)
        self.table = _Table(self, {Key.Copy: self.copy, Key.Paste: self.paste, Key.Delete: self.delete})
        self.tabs = row_tabs("Lists of the structure")
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
        table.show_rows(self.model, ChoiceDelegate(table), "Rows of the structure")
        table.doubleClicked.connect(self._on_double_click)
        table.selectionModel().selectionChanged.connect(lambda _on, _off: self._rows_selected())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_soon"):
            restyle_buttons(self.buttons.values())

    # -- what is shown

    @property
    def body(self) -> Frozen | None:
        """The flexible body or force element whose lists are shown."""
        project = self._document.previewed or self._document.project
        if not self._path or not exists(Selection(self._kind, self._path), project):
            return None
        found: Frozen = element_at(project, self._kind, self._path)
        return found

    @property
    def chosen(self) -> tuple[int, ...]:
        """Numbers of the selected rows."""
        selection = self._document.selection
        mine = (selection.kind, selection.path, selection.rows) == (self._kind, self._path, self._spec.name)
        return tuple(sorted(selection.indices)) if mine else ()

    @property
    def _spec(self) -> FieldSpec:
        return self._lists[max(self.tabs.currentIndex(), 0)]

    def _take(self, selection: Selection) -> None:
        """Show the lists of what is selected from now on, if it has any."""
        element: Frozen = element_at(self._document.project, selection.kind, selection.path)
        found = lists_of(type(element))
        if not found:
            return
        self._kind, self._path = selection.kind, selection.path
        if found != self._lists:
            self._lists = found
            self.tabs.blockSignals(True)
            while self.tabs.count():
                self.tabs.removeTab(0)
            for spec in found:
                self.tabs.addTab(spec.title)
            self.tabs.blockSignals(False)
        if selection.rows:
            self.tabs.setCurrentIndex([spec.name for spec in found].index(selection.rows))

    def refresh(self) -> None:
        """Show the lists as they are now."""
        selection, project = self._document.selection, self._document.project
        if selection.kind in KINDS and not selection.also and exists(selection, project):
            self._take(selection)
        if self.body is None:
            top = project.assembly
            first = next(iter(top.every(FLEXIBLE)), "") if top is not None else ""
            self._path = ()
            if first:
                self._take(Selection(FLEXIBLE, tuple(first.split("/"))))
        body = self.body
        for widget in (self._bar, self.table):
            widget.setVisible(body is not None)
        self._empty.setVisible(body is None)
        if body is None:
            self._path = ()
            self.model.clear()
            self._say("")
            return
        for k, spec in enumerate(self._lists):
            self.tabs.setTabText(k, f"{spec.title} {len(getattr(body, spec.name))}")
        self._whose.setText(f"of “{'/'.join(self._path)}”")
        self.model.show(self._kind, self._path, body, self._spec.name)
        self._follow_selection()
        self._enable(body)

    def _enable(self, body: Frozen) -> None:
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
        self._document.select(Selection(self._kind, self._path, tuple(chosen), rows=name))

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

    def _edit(self, text: str, edit: Callable[[Project, Frozen], Any]) -> None:
        """Apply an edit, one step of undo; it returns a project, or one with the rows to select."""
        body = self.body
        if body is None:
            return
        try:
            made = edit(self._document.project, body)
        except InputError as error:
            self._say(units.told(error))
            return
        self._say("")
        project, chosen = made if isinstance(made, tuple) else (made, ())
        self._document.apply(f"{text} of {self._path[-1]}", project)
        self._select(chosen)
        self.refresh()

    def _counted(self, chosen: Sequence[int]) -> str:
        return f"{len(chosen)} {self._spec.title.lower()}" if len(chosen) > 1 else self._spec.row

    def _new_row(self, body: Frozen, chosen: Sequence[int]) -> Frozen:
        bodies, name = body_names(assembly_at(self._document.project, self._path[:-1])), self._spec.name
        if isinstance(body, FlexibleBody):
            return frames.new_row(body, name, chosen, bodies)
        return rows.new_row(body, name, bodies)

    def add(self) -> None:
        """Add a row behind the selected ones, or at the end."""
        chosen, name = self.chosen, self._spec.name

        def added(project: Project, body: Frozen) -> Any:
            row = self._new_row(body, chosen)
            return rows.add_rows(project, self._kind, self._path, name, [row], chosen[-1] if chosen else None)

        self._edit(f"Add {self._spec.row}", added)

    def duplicate(self) -> None:
        """Copy the selected rows behind them."""
        chosen, name = self.chosen, self._spec.name
        if chosen:
            self._edit(
                f"Duplicate {self._counted(chosen)}",
                lambda project, _: rows.duplicate_rows(project, self._kind, self._path, name, chosen),
            )

    def delete(self) -> None:
        """Delete the selected rows, with those that name them."""
        chosen, name = self.chosen, self._spec.name
        if chosen:
            self._edit(
                f"Delete {self._counted(chosen)}",
                lambda project, _: rows.delete_rows(project, self._kind, self._path, name, chosen),
            )

    def copy(self) -> None:
        """Put the selected rows on the clipboard as text in the units in use."""
        QGuiApplication.clipboard().setText(self.model.as_text(self.chosen))

    def paste(self) -> None:
        """Add the rows of the clipboard behind the selected ones, or at the end."""
        chosen, name = self.chosen, self._spec.name
        text = QGuiApplication.clipboard().text()

        def pasted(project: Project, body: Frozen) -> Any:
            known = getattr(body, name)
            like = known[chosen[-1] if chosen else -1] if known else self._new_row(body, ())
            made = self.model.from_text(text, like)
            return rows.add_rows(project, self._kind, self._path, name, made, chosen[-1] if chosen else None)

        self._edit(f"Paste {self._spec.title.lower()}", pasted)

    def _add_frame(self) -> None:
        try:
            project, path = frames.add_frame(self._document.project, ())
        except InputError as error:
            self._say(units.told(error))
            return
        self._document.apply("Add frame of beams", project)
        self._document.select(Selection(FLEXIBLE, path))
