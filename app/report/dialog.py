"""The dialog of the report: which forms of it, where to, progress, cancel."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QProgressBar,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ...core.base.user_folders import expanded
from ...core.outcome.seats import Verdicts
from ...core.outcome.second_engine import CrossCheck
from ...core.project.project import Project
from ...core.report.book import ReportOptions
from ...core.report.drawing_process import DrawingProcess
from ...core.report.run_view import OtherRun
from ...core.report.write import ReportTarget
from ..document.document import Run
from ..widgets import dialogs
from ..widgets.path_row import add_path_row
from ..widgets.plain_words import plain_label
from ..widgets.settings import Settings
from .job import ReportJob
from .picture_queue import PictureQueue

MAX_MOMENTS = 26
COVER = {"author": "Author", "checker": "Checker", "approver": "Approver", "revision": "Revision"}
PATHS = {"logo": "Logo", "template": "Template folder"}


class ReportDialog(QDialog):
    """Asks for the options of a report of a run and writes it, beside the window: one works on while it is made.

    written_now: the files, as soon as they are there.
    """

    written_now = Signal(object)

    def __init__(
        self,
        run: Run,
        title: str,
        settings: Settings,
        parent: QWidget | None = None,
        others: tuple[Run, ...] = (),
        second: CrossCheck | None = None,
        known: Callable[[], Verdicts | None] = lambda: None,
        judged: Project | None = None,
        drawing: DrawingProcess | None = None,
    ) -> None:
        """others: runs it may be compared with; second: what a second engine says of the design; known(): the verdicts
        on the run by the assessment of the project, where they are made already; judged: the project that says how
        riders are judged, by default that of the run; drawing: what draws figures beside, and ends with the form."""
        super().__init__(parent)
        self.setWindowTitle("Export report")
        self.setMinimumWidth(480)
        self._run, self._others, self._settings = run, others, settings
        self._second, self._known, self._drawing = second, known, drawing
        self.pictures = PictureQueue(run.project, run.results, self)
        self.finished.connect(lambda _code: self.pictures.close())
        if drawing is not None:
            self.finished.connect(lambda _code: drawing.close())
        self._judged = run.project if judged is None else judged
        self.job: ReportJob | None = None
        self.written: tuple[Path, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addLayout(self._form(settings.last_folder / f"{title}.pdf"))
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.hide()
        layout.addWidget(self.progress)
        self.note = plain_label(f"Report of run “{run.name}”.")
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        layout.addWidget(self.note)
        self.buttons = QDialogButtonBox()
        self.make = self.buttons.addButton("Write report", QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button = self.buttons.addButton("Open PDF", QDialogButtonBox.ButtonRole.ActionRole)
        self.close_button = self.buttons.addButton("Close", QDialogButtonBox.ButtonRole.RejectRole)
        self.open_button.setEnabled(False)
        self.make.setDefault(True)
        self.make.clicked.connect(self.begin)
        self.open_button.clicked.connect(self._open)
        self.close_button.clicked.connect(self.reject)
        layout.addWidget(self.buttons)

    def _form(self, suggested: Path) -> QFormLayout:
        form = QFormLayout()
        form.setSpacing(8)
        self.path = add_path_row(form, "PDF file", str(suggested), self._browse)
        self.html = QCheckBox("HTML page (one file)")
        self.json = QCheckBox("JSON with every number and text")
        self.csv = QCheckBox("CSV tables, in a folder")
        for k, box in enumerate((self.html, self.json, self.csv)):
            form.addRow("" if k else "Beside it", box)
        self.cover = {name: self._cover(form, name, title) for name, title in COVER.items()}
        for name, browse in (("logo", self._browse_logo), ("template", self._browse_template)):
            self.cover[name] = add_path_row(form, PATHS[name], self._settings.value(f"report/{name}"), browse)
            self.cover[name].setPlaceholderText("may stay empty")
        self.moments = QSpinBox()
        self.moments.setRange(0, MAX_MOMENTS)
        self.moments.setValue(6)
        form.addRow("Governing moments", self.moments)
        self.rendered = QCheckBox("Pictures of the 3D scene (else line drawings)")
        self.rendered.setChecked(True)
        form.addRow("", self.rendered)
        self.against = QComboBox()
        self.against.addItems(["no other run", *(run.name for run in self._others)])
        self.against.setEnabled(bool(self._others))
        form.addRow("Compare with", self.against)
        self.second = QCheckBox("Page: checked by a second engine")
        self.second.setEnabled(self._second is not None)
        self.second.setChecked(self._second is not None)
        self.second.setToolTip(
            "What the last cross-check says"
            if self._second is not None
            else "Cross-check the project first (Run > Cross-check)"
        )
        form.addRow("", self.second)
        self.sensitivity = QCheckBox("Ride the moments again: what would change them (takes minutes)")
        form.addRow("Longer work", self.sensitivity)
        self.uncertainty = QCheckBox("Ride again at ten times the tolerance: digits that values have")
        self.uncertainty.setToolTip("Takes about as long as the run took")
        form.addRow("", self.uncertainty)
        self.steelwork = QCheckBox("Track and supports under the train: members, weld details, footings")
        self.steelwork.setToolTip(
            "Half a minute and more; with the factors and details of the project's steelwork"
        )
        form.addRow("", self.steelwork)
        return form

    def _cover(self, form: QFormLayout, name: str, title: str) -> QLineEdit:
        """A line of the cover; names come again the next time."""
        line = QLineEdit(self._settings.value(f"report/{name}"))
        line.setPlaceholderText("may stay empty")
        line.setAccessibleName(title)
        form.addRow(title, line)
        return line

    def _browse_logo(self) -> None:
        kinds = "Pictures (*.png *.jpg *.jpeg *.svg)"
        path = dialogs.file_to_open(self, "Logo", self._settings.last_folder, kinds)
        if path is not None:
            self.cover["logo"].setText(str(path))

    def _browse_template(self) -> None:
        name = QFileDialog.getExistingDirectory(
            self, "Folder with templates", str(self._settings.last_folder)
        )
        if name:
            self.cover["template"].setText(name)

    def target(self) -> ReportTarget:
        """The files asked for; the other forms stand beside the PDF under its name."""
        pdf = expanded(self.path.text().strip()).absolute()
        if pdf.suffix.lower() != ".pdf":
            pdf = pdf.with_name(pdf.name + ".pdf")
        return ReportTarget(
            pdf=pdf,
            html=pdf.with_suffix(".html") if self.html.isChecked() else None,
            json=pdf.with_suffix(".json") if self.json.isChecked() else None,
            csv=pdf.with_name(f"{pdf.stem} tables") if self.csv.isChecked() else None,
        )

    def begin(self) -> None:
        """Start writing with the options as they are."""
        if self.job is not None:
            return
        words: dict[str, Any] = {name: line.text().strip() for name, line in self.cover.items()}
        for name, word in words.items():
            if name != "revision":
                self._settings.set_value(f"report/{name}", word)
        options = ReportOptions(
            **words,
            date=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            moments=self.moments.value(),
            sensitivity=self.sensitivity.isChecked(),
            uncertainty=self.uncertainty.isChecked(),
            steelwork=self.steelwork.isChecked(),
        )
        other = self._others[self.against.currentIndex() - 1] if self.against.currentIndex() > 0 else None
        self.job = ReportJob(
            self._judged,
            self._run.results,
            self.target(),
            options,
            pictures=self.pictures if self.rendered.isChecked() else None,
            against=None if other is None else OtherRun(other.name, other.project, other.results),
            second=self._second if self.second.isChecked() else None,
            known=self._known(),
            drawing=self._drawing,
            parent=self,
        )
        self.job.progressed.connect(self._on_progress)
        self.job.finished.connect(self._on_finished)
        self.job.failed.connect(lambda reason: self._done(reason, bad=True))
        self.job.cancelled.connect(lambda: self._done("Stopped; no file was written."))
        self.progress.setValue(0)
        self.progress.show()
        self.make.setEnabled(False)
        self.open_button.setEnabled(False)
        self.close_button.setText("Stop")
        self._say("Writing the report …")
        self.job.start()

    def reject(self) -> None:
        if self.job is not None:
            self.job.cancel()
            self._say("Stopping …")
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.job is not None:
            self.job.close()
            self.job = None
        super().closeEvent(event)

    def _on_progress(self, share: float, what: str) -> None:
        self.progress.setValue(round(1000 * share))
        self._say(f"Writing the report: {what} …")

    def _on_finished(self, files: object) -> None:
        assert isinstance(files, tuple)
        self.written = files
        self._settings.last_folder = files[0].parent
        self.open_button.setEnabled(True)
        self.written_now.emit(files)
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        self._done(f"Saved {files[0]}{more}.")

    def _done(self, text: str, bad: bool = False) -> None:
        self.job = None
        self.progress.hide()
        self.make.setEnabled(True)
        self.close_button.setText("Close")
        self._say(text, bad)

    def _say(self, text: str, bad: bool = False) -> None:
        self.note.setProperty("role", "bad" if bad else "muted")
        self.note.style().polish(self.note)
        self.note.setText(text)

    def _open(self) -> None:
        if self.written:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.written[0])))

    def _browse(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export report", self.path.text(), "Reports (*.pdf)")
        if name:
            self.path.setText(name)
