"""The button that writes the report of the runs that are shown."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from ...core.base.errors import InputError
from ...core.report.book import ReportOptions
from ...core.report.write import ReportTarget
from ...core.studies.report import write_study_report
from ...core.studies.store import Store
from ..widgets import units
from ..work.task import Task

KINDS = "PDF (*.pdf);;HTML (*.html)"


@dataclass(frozen=True)
class Asked:
    """The runs of a folder as a report in a file."""

    folder: Path
    file: Path


def written(asked: Asked) -> str:
    """Write it; a sentence about what came of it."""
    date = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    is_html = asked.file.suffix.lower() == ".html"
    target = ReportTarget(html=asked.file) if is_html else ReportTarget(pdf=asked.file)
    try:
        write_study_report(Store.open(asked.folder), target, ReportOptions(date=date))
    except (InputError, OSError) as error:
        return units.told(error)
    return f"The report is in {asked.file}."


class ReportButton(QPushButton):
    """Asks where to and writes the report off the thread of the window; say(sentence) tells how it went."""

    def __init__(
        self, folder: Callable[[], Path | None], say: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__("Report…", parent)
        self.setToolTip("Write the report of the runs that are shown: PDF or HTML")
        self._folder, self._say = folder, say
        self._work: Task | None = None
        self.clicked.connect(lambda _=False: self.ask())

    def ask(self) -> None:
        """Ask for the file."""
        folder = self._folder()
        if folder is None:
            return
        name, kind = QFileDialog.getSaveFileName(
            self, "Report of the study", str(folder / "report.pdf"), KINDS
        )
        if name:
            file = Path(name)
            self.write(file if file.suffix else file.with_suffix(".html" if "html" in kind else ".pdf"))

    def write(self, file: Path) -> None:
        """Write the report of the runs that are shown."""
        folder = self._folder()
        if folder is None:
            return
        if self._work is None:
            self._work = Task("study report", lambda asked, _reporter: written(asked), self)
            self._work.finished.connect(self._say)
        self._say("Writing the report…")
        self._work.ask(Asked(folder, file))
