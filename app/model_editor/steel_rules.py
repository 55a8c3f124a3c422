"""Panel "Steel rules": what the steel of the track is made of and how actions are combined, as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec, lists_of
from ...core.base.frozen import Frozen
from ...core.base.sentence import counted
from ...core.edits import rows
from ...core.edits.changes import set_steelwork, the_track
from ...core.edits.elements import STEELWORK, element_at
from ...core.exchange.frame_file import read_frame
from ...core.project.project import Project
from ...core.steelwork.framing import steel_frame
from ...core.track.actions import Actions
from ...core.track.build import build_track
from ...core.track.finished_frame import FinishedFrame
from ...core.track.steelwork import Steelwork
from ..document.document import Document
from ..widgets import dialogs, units
from ..widgets.flow import FlowLayout
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh
from ..widgets.row_table import Key, RowTable, restyle_buttons, row_button, row_tabs
from ..widgets.settings import Settings
from ..work.inquiry import Inquiry
from ..work.task import ProgressReporter
from .rows_model import ChoiceDelegate, RowsModel

Names = tuple[str, ...]
OWN, ACTIONS = (STEELWORK,), (STEELWORK, "actions")
PAGES: Final[tuple[tuple[Names, FieldSpec], ...]] = (
    *((OWN, spec) for spec in lists_of(Steelwork)),
    *((ACTIONS, spec) for spec in lists_of(Actions)),
)
USE_RULES, USE_FRAME = "Use rules", "Use frame"
READING = "Reading the frame, and standing it under the track..."
NO_TRACK = "The steel of a track is made by rules, and this project has no track."


class SteelRulesPanel(QWidget):
    """The lists of the project's steelwork and its actions; what is typed is one step of undo. Single figures (rails,
    soil, material, details, partial factors, source) are in the inspector of the project."""

    def __init__(self, document: Document, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._settings = document, settings
        self.model = RowsModel(document, lambda _spec: (), self)
        self.table = RowTable(self, {Key.Copy: self.copy, Key.Paste: self.paste, Key.Delete: self.delete})
        self.tabs = row_tabs("Rules of the steelwork")
        for _, spec in PAGES:
            self.tabs.addTab(spec.title)
        self.about = plain_label()
        self.about.setWordWrap(True)
        self.buttons: dict[str, QToolButton] = {}
        self._import = Inquiry(
            "import frame", _frame_of, document, self, failing="The frame was not imported"
        )
        self._lay_out()
        self.tabs.currentChanged.connect(lambda _k: self.refresh())
        self.model.refused.connect(self._say)
        self._import.answered.connect(self._on_frame)
        self._import.changed.connect(self._on_import)
        self._soon = Refresh(self, self.refresh, due=True)
        document.project_changed.connect(lambda _change: self._soon.soon())
        settings.changed.connect(lambda name: self.model.units_changed() if name == "units" else None)
        self.refresh()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(4)
        bar = FlowLayout()
        bar.setSpacing(4)
        bar.addWidget(self.tabs)
        for name, icon, text, tip, do in (
            ("add", "add", "Add", "Add a row like the selected one behind it", self.add),
            ("delete", "delete", "Delete", "Delete the selected rows (Del)", self.delete),
            ("copy", "", "Copy", "Copy the selected rows as text (Ctrl+C)", self.copy),
            ("paste", "", "Paste", "Add rows of the clipboard, from a spreadsheet for example (Ctrl+V)", self.paste),
            ("import", "", "Import frame…", "Nodes, members, supports of a table, in place of rules", self.choose),
            ("rules", "", USE_RULES, "Which of both counts: the finished frame, or the one by these rules", self.swap),
        ):  # fmt: skip
            self.buttons[name] = row_button(icon, text, tip, do)
            bar.addWidget(self.buttons[name])
        column.addLayout(bar)
        column.addWidget(self.about)
        self.table.show_rows(self.model, ChoiceDelegate(self.table), "Rows of the rules")
        self.table.selectionModel().selectionChanged.connect(lambda _on, _off: self._enable())
        column.addWidget(self.table, 1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_soon"):
            restyle_buttons(self.buttons.values())

    @property
    def chosen(self) -> tuple[int, ...]:
        """Numbers of the selected rows."""
        return tuple(sorted(index.row() for index in self.table.selectionModel().selectedRows()))

    @property
    def _page(self) -> tuple[Names, FieldSpec]:
        return PAGES[max(self.tabs.currentIndex(), 0)]

    def refresh(self) -> None:
        """Show the list as it is now."""
        (path, spec), project = self._page, self._document.project
        there = project.track is not None
        for widget in (self.table, self.tabs, *self.buttons.values()):
            widget.setVisible(there)
        if there:
            self.model.show(STEELWORK, path, element_at(project, STEELWORK, path), spec.name)
        else:
            self.model.clear()
        self._say(self._import.why)
        self._enable()

    def _enable(self) -> None:
        chosen = self.chosen
        self.buttons["copy"].setEnabled(bool(chosen))
        steelwork = self._document.project.steelwork
        self.buttons["rules"].setVisible(steelwork.finished is not None)
        self.buttons["rules"].setText(USE_FRAME if steelwork.in_place is None else USE_RULES)
        self.buttons["import"].setEnabled(not self._import.running)
        self.buttons["delete"].setEnabled(0 < len(chosen) < len(self.model.rows))

    def _say(self, why: str) -> None:
        """Why something was not done; without that, what the list is and where its figures are from."""
        if self._document.project.track is None:
            text = NO_TRACK
        elif self._import.running:
            text = READING
        elif why:
            text = why
        else:
            path, spec = self._page
            steelwork = self._document.project.steelwork
            text, given = spec.help, steelwork.finished
            if path == OWN and given is not None:
                members, supports = (
                    counted(len(given.members), "member"),
                    counted(len(given.supports), "support"),
                )
                place = "beside" if steelwork.in_place is None else "in place of"
                text = f"A finished frame of {members} on {supports} is {place} what these rules make."
            if path == ACTIONS:
                text = f"{text} {self._document.project.steelwork.actions.about}"
        self.about.setText(text)
        self.about.setProperty("role", "bad" if why else "muted")
        self.about.style().polish(self.about)

    def _edit(self, text: str, edit: Callable[[Project], Any]) -> None:
        try:
            made = edit(self._document.project)
        except InputError as error:
            self._say(units.told(error))
            return
        project, chosen = made if isinstance(made, tuple) else (made, ())
        self._import.why = ""
        self._document.apply(f"{text} of the steelwork", project)
        self.refresh()
        for k in chosen:
            self.table.selectRow(k)

    def _like(self) -> tuple[int, Frozen]:
        k = self.chosen[-1] if self.chosen else len(self.model.rows) - 1
        return k, self.model.rows[k]

    def add(self) -> None:
        """Add a row like the selected one, or the last one, behind it."""
        (path, spec), (k, like) = self._page, self._like()
        self._edit(
            f"Add {spec.row}", lambda project: rows.add_rows(project, STEELWORK, path, spec.name, [like], k)
        )

    def delete(self) -> None:
        """Delete the selected rows; one is always left."""
        (path, spec), chosen = self._page, self.chosen
        if 0 < len(chosen) < len(self.model.rows):
            self._edit(
                f"Delete {self._counted(chosen)}",
                lambda project: rows.delete_rows(project, STEELWORK, path, spec.name, chosen),
            )

    def choose(self) -> None:
        """Ask for the table of a finished frame."""
        file = dialogs.file_to_open(self, "Import frame", self._settings.last_folder, "Frames (*.csv)")
        if file is not None:
            self.import_frame(file)

    def import_frame(self, file: Path) -> None:
        """Put the finished frame of a file in place of the one by rules, where it stands under the track; it is read
        and laid out beside the window."""
        project = self._document.project
        self._import.ask(project, (project, file))

    def _on_import(self) -> None:
        """It was begun, answered or refused."""
        self._enable()
        self._say(self._import.why)

    def _on_frame(self, frame: FinishedFrame) -> None:
        assert self._import.found is not None
        asked, _ = self._import.found
        if asked.track is not self._document.project.track:
            self._import.say("The track has changed while the frame was read; import it again.")
            return
        self._edit(
            "Import frame", lambda project: set_steelwork(project, {"finished": frame, "frame": "finished"})
        )

    def swap(self) -> None:
        """Use the finished frame in place of the one by rules, or the other way round; both are kept."""
        used = self._document.project.steelwork.in_place is not None
        self._edit(
            USE_RULES if used else USE_FRAME,
            lambda project: set_steelwork(project, {"frame": "rules" if used else "finished"}),
        )

    def copy(self) -> None:
        """Put the selected rows on the clipboard as text in the units in use."""
        QGuiApplication.clipboard().setText(self.model.as_text(self.chosen))

    def paste(self) -> None:
        """Add the rows of the clipboard behind the selected one."""
        (path, spec), (k, like) = self._page, self._like()
        text = QGuiApplication.clipboard().text()
        self._edit(
            f"Paste {spec.title.lower()}",
            lambda project: rows.add_rows(
                project, STEELWORK, path, spec.name, self.model.from_text(text, like), k
            ),
        )

    def _counted(self, chosen: Sequence[int]) -> str:
        _, spec = self._page
        return f"{len(chosen)} {spec.title.lower()}" if len(chosen) > 1 else spec.row


def _frame_of(asked: tuple[Project, Path], _reporter: ProgressReporter) -> FinishedFrame:
    """The frame of a file, which stands under the track of the project."""
    project, file = asked
    frame = read_frame(file)
    made = set_steelwork(project, {"finished": frame, "frame": "finished"})
    steel_frame(build_track(the_track(made)), made.steelwork)
    return frame
