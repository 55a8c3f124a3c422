"""A tool beside the view: settings, the proposal drawn in the studio, figures before and after, Apply and Cancel."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any, ClassVar

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.fields import FieldSpec
from ...core.project.project import Project
from ..document.document import Change
from ..widgets import theme, units
from ..widgets.icons import icon
from ..widgets.number_entry import NumberEntry
from ..widgets.number_text import range_text
from ..widgets.scrolled import scrolled
from ..work.task import ProgressReporter, Task
from .dock import ToolDock
from .proposal import Proposal, Workshop
from .workbench import Workbench

PAUSE = 250  # ms without a change before a proposal is worked out
LATE = 80  # ms after which a proposal that is not there yet has a bar
NARROWEST = 280  # of a tool
BAR, WORDS = 6, 0.35  # height of the bar, largest share of the tool for what there is to say


class ToolDialog(QDialog):
    """Base of the tools. Subclasses make their settings in `make` and hand out the work in `work`.

    Not modal: the studio stays usable, and the proposal is drawn in all its views as an edit in progress.
    """

    title: ClassVar[str]
    help: ClassVar[str]
    picture: ClassVar[str]
    kinds: ClassVar[tuple[str, ...] | None] = (
        None  # kinds of section to choose from; None: no list of sections
    )
    preset_all: ClassVar[bool] = False  # all of them are chosen when none is selected
    apply_text: ClassVar[str] = "Apply"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.parent)
        self.bench, self.document = bench, bench.document
        self.numbers: dict[str, NumberEntry] = {}
        self.values: dict[str, float | None] = {}
        self.proposal: Proposal | None = None
        self._busy = False  # a proposal is being worked out
        self._closed = False
        self._task = Task(f"tool {self.title}", Workshop().carry_out, failing="The tool failed")
        self._task.finished.connect(self._take)
        self._task.failed.connect(lambda reason: self._take(Proposal(fault=reason)))
        self._task.progressed.connect(self._show_progress)
        self.setWindowTitle(self.title)
        self.setWindowIcon(icon(self.picture))
        self.setObjectName(f"tool_{type(self).__name__}")
        self.setMinimumWidth(NARROWEST)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 8)
        whole.setSpacing(8)
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(12, 8, 12, 8)
        self._column.setSpacing(8)
        whole.addWidget(scrolled(inside), 1)
        about = QLabel(self.help)
        about.setWordWrap(True)
        about.setProperty("role", "muted")
        self._column.addWidget(about)
        self.sections: QListWidget | None = None
        if self.kinds is not None:
            self._make_sections()
        self.form = QFormLayout()
        self.form.setSpacing(8)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._column.addLayout(self.form)
        self.make()
        self._make_results()
        whole.addLayout(self._make_buttons())
        self.dock = ToolDock(self, self.title, bench.parent)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PAUSE)
        self._soon.timeout.connect(self.propose)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LATE)
        self._late.timeout.connect(self._show_progress)
        self.document.project_changed.connect(self._on_project)

    # -- for subclasses

    def make(self) -> None:
        """Put settings into `form`."""

    def work(self, project: Project) -> Callable[[ProgressReporter], Proposal]:
        """The work for the settings as they are; raises InputError when they make no sense. Every tool has its own."""
        raise NotImplementedError

    def shown(self, proposal: Proposal) -> None:
        """Draw what the document's preview does not show."""

    def number(
        self,
        key: str,
        label: str,
        unit: str,
        value: float | None,
        help: str = "",
        *,
        low: float | None = None,
        high: float | None = None,
        empty: str | None = None,
    ) -> NumberEntry:
        """A number with its unit in the form; `empty`: what no value means."""
        limits = range_text(low, high, False, unit)
        text = f"{help} Allowed: {limits}." if limits else help
        kind = "number" if empty is None else "optional"
        spec = FieldSpec(key, label, kind, text, unit, empty=empty or "", low=low, high=high)
        entry = NumberEntry(spec)
        entry.setToolTip(text)
        entry.line.setObjectName(key)
        self.values[key] = value
        entry.set_value(value)
        entry.given.connect(lambda given: self._given(key, given))
        entry.refused.connect(lambda why: self._show(Proposal(fault=why)))
        name = QLabel(label)
        name.setBuddy(entry)
        name.setToolTip(text)
        self.form.addRow(name, entry)
        self.numbers[key] = entry
        return entry

    def flag(self, label: str, on: bool, help: str = "") -> QCheckBox:
        """A check box in the form."""
        box = QCheckBox(label)
        box.setChecked(on)
        box.setToolTip(help)
        box.toggled.connect(self.changed)
        self.form.addRow("", box)
        return box

    def choice(self, label: str, names: list[str], current: int = 0) -> QComboBox:
        """A list of choices in the form."""
        box = QComboBox()
        box.addItems(names)
        box.setCurrentIndex(current)
        box.setAccessibleName(label)
        box.currentIndexChanged.connect(self.changed)
        self.form.addRow(label, box)
        return box

    def value(self, key: str) -> float:
        """A number of the form that has no empty state, in SI."""
        value = self.values[key]
        assert value is not None
        return value

    def section_names(self) -> list[str]:
        """Names of all sections of the track."""
        track = self.document.project.track
        return [] if track is None else [section.name for section in track.sections]

    def selected_section(self) -> str | None:
        """The section of the selection, of several the first."""
        chosen = self.document.selection
        return chosen.path[0] if chosen.kind in ("points", "section") else None

    def selected_sections(self) -> set[str]:
        """Names of all sections of the selection."""
        each = self.document.selection.each
        return {one.path[0] for one in each if one.kind in ("points", "section")}

    def chosen(self) -> list[str]:
        """Names of the sections that are ticked."""
        rows = [] if self.sections is None else [self.sections.item(k) for k in range(self.sections.count())]
        return [row.text() for row in rows if row.checkState() == Qt.CheckState.Checked]

    def changed(self, *_: object) -> None:
        """A setting has changed: work out the proposal anew, soon."""
        if self._closed:  # a number that was being typed is given when its line goes
            return
        self.apply_button.setEnabled(False)
        self._soon.start()

    # -- parts

    def _make_sections(self) -> None:
        track = self.document.project.track
        self.sections = QListWidget()
        self.sections.setAccessibleName("Sections")
        self.sections.setFixedHeight(132)
        self.sections.setUniformItemSizes(True)
        selected = self.selected_sections()
        fitting = [s for s in track.sections if not self.kinds or s.kind in self.kinds] if track else []
        known = {section.name for section in fitting}
        for section in fitting:
            item = QListWidgetItem(section.name, self.sections)
            item.setSizeHint(QSize(0, 24))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
            on = section.name in selected or (self.preset_all and not selected & known)
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        for item in (self.sections.item(k) for k in reversed(range(self.sections.count()))):
            if item.text() in selected:  # the first of them ends up in sight, with what follows
                self.sections.setCurrentItem(item)
                self.sections.scrollToItem(item, QListWidget.ScrollHint.PositionAtTop)
        self.sections.itemChanged.connect(self.changed)
        self._column.addWidget(self._heading("Sections"))
        self._column.addWidget(self.sections)
        if not fitting:
            words = "spline sections (Convert to control points makes them)" if self.kinds else "sections"
            label = QLabel(f"The track has no {words}.")
            label.setWordWrap(True)
            label.setProperty("role", "muted")
            self._column.addWidget(label)
            self.sections.hide()

    @staticmethod
    def _heading(text: str) -> QLabel:
        label = QLabel(text)
        label.setProperty("role", "heading")
        return label

    def _make_results(self) -> None:
        self._column.addSpacing(8)
        self.table = QTableWidget(0, 3)
        self.table.setAccessibleName("Figures")
        self.table.setHorizontalHeaderLabels(["", "Before", "After"])
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.setShowGrid(False)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.hide()
        self._column.addWidget(self.table)
        self._column.addStretch(1)

    def _make_buttons(self) -> QVBoxLayout:
        """What is always in view: what there is to say, how far the work is, Cancel and Apply."""
        below = QVBoxLayout()
        below.setContentsMargins(12, 0, 12, 0)
        self.words = QLabel("")
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._said = scrolled(self.words)
        self._said.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        below.addWidget(self._said)
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(BAR)
        keep = self.bar.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(keep)
        self.bar.hide()
        below.addWidget(self.bar)
        row = QHBoxLayout()
        row.addStretch(1)
        self.cancel_button = QPushButton("Cancel")
        self.apply_button = QPushButton(self.apply_text)
        self.apply_button.setDefault(True)
        self.apply_button.setEnabled(False)
        self.cancel_button.setAutoDefault(False)
        self.cancel_button.clicked.connect(self.close)
        self.apply_button.clicked.connect(self.apply)
        self.extra_buttons(row)
        row.addWidget(self.cancel_button)
        row.addWidget(self.apply_button)
        below.addLayout(row)
        return below

    def extra_buttons(self, row: QHBoxLayout) -> None:
        """More buttons beside Cancel and Apply."""

    # -- working

    def open_beside(self) -> None:
        """Show the tool in the column of the inspector, beside the view, and work out the first proposal."""
        self.dock.open()
        self.propose()

    def _given(self, key: str, value: Any) -> None:
        spec = self.numbers[key].spec
        outside = value is not None and (
            (spec.low is not None and value < spec.low) or (spec.high is not None and value > spec.high)
        )
        if outside:
            limits = range_text(spec.low, spec.high, False, spec.unit)
            self._show(Proposal(fault=f"{spec.title}: choose {limits}."))
            return
        self.values[key] = value
        self.changed()

    def _on_project(self, change: Change) -> None:
        if change.track or change.scenario:
            self.changed()

    def propose(self) -> None:
        """Ask for the proposal of the settings as they are."""
        if self._closed:
            return
        self._task.stop()
        project = self.document.project
        try:
            work = self.work(project)
        except InputError as error:
            self._show(Proposal(fault=units.told(error)))
            return
        self._busy = True
        self.proposal = None
        self.apply_button.setEnabled(False)
        self._late.start()
        self._task.ask((project, work))

    def _show_progress(self, share: float = 0.0, _text: str = "") -> None:
        """The bar of a proposal that is not there at once; without a share it only moves."""
        if self._busy and not self._late.isActive():
            self.bar.show()
            self.bar.setRange(0, 100 if share > 0.0 else 0)
            self.bar.setValue(round(100 * share))

    def _take(self, proposal: Proposal) -> None:
        if self._busy:
            self._show(proposal)

    def _show(self, proposal: Proposal) -> None:
        if self._closed:
            return
        self.proposal, self._busy = proposal, False
        self._late.stop()
        self.bar.hide()
        self._fill_table(proposal)
        self._say(proposal)
        self.apply_button.setEnabled(proposal.project is not None and not proposal.fault)
        self.document.preview(proposal.project)
        self.shown(proposal)

    def _fill_table(self, proposal: Proposal) -> None:
        self.table.setRowCount(len(proposal.figures))
        for k, figure in enumerate(proposal.figures):
            for column, text in enumerate((figure.name, figure.before, figure.after)):
                item = QTableWidgetItem(text)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(k, column, item)
        self.table.setVisible(bool(proposal.figures))
        QTimer.singleShot(0, self, self._fit_table)  # when its columns have their widths

    def _fit_table(self) -> None:
        self.table.resizeRowsToContents()
        height = self.table.horizontalHeader().height() + 4
        height += sum(self.table.rowHeight(k) for k in range(self.table.rowCount()))
        self.table.setFixedHeight(height)

    def _say(self, proposal: Proposal) -> None:
        c = theme.current()
        lines = [f'<span style="color:{c.bad}">{escape(proposal.fault)}</span>'] if proposal.fault else []
        warnings, notes = proposal.said
        lines += [f'<span style="color:{c.warn}">{escape(text)}</span>' for text in warnings]
        lines += [
            f"<span>{escape(text)}</span>" for text in notes
        ]  # alone it would be shown with its escapes
        self.words.setText("<br>".join(lines))
        self._room_for_words()

    def _room_for_words(self) -> None:
        """As high as they are, and at most a share of the tool."""
        width = self._said.viewport().width()
        needed = self.words.heightForWidth(width) if self.words.text() else 0
        self._said.setFixedHeight(min(needed, round(WORDS * self.height())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._room_for_words()
        self._fit_table()

    # -- ending

    def apply(self) -> None:
        """Make the proposal one step and close."""
        if self.proposal is not None and self.proposal.project is not None:
            project = self.proposal.project
            self._end()
            self.document.apply(self.title, project)
            self.bench.log(f"{self.title}: {self.summary()}")
        self.close()

    def summary(self) -> str:
        """One sentence for the log after applying."""
        return "done."

    def _end(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.document.project_changed.disconnect(self._on_project)
        self._soon.stop()
        self._late.stop()
        self._task.close()
        self.document.preview(None)
        self.ended()

    def ended(self) -> None:
        """Take away what `shown` has drawn."""

    def reject(self) -> None:
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._end()
        super().closeEvent(event)
        self.dock.leave()


def close_tools(window: QWidget) -> None:
    """Close every tool and dialog of a window, before it closes itself: some have a thread of their own."""
    for dialog in window.findChildren(QDialog):
        dialog.close()
