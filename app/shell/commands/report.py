"""Results > Report: the report of the shown run."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from PySide6.QtCore import Qt

from ...work.assessment import assessment_of
from ...work.task import Task
from .conditions import RIDDEN
from .declared import Group, action


class ReportCommands(Group):
    """The report."""

    @cached_property
    def _ahead(self) -> Task:
        """Makes what a report takes, while somebody reads the form; it outlives the form, which closes at once."""
        from ...report.job import ready_for

        return Task("report ahead", ready_for, self.studio.parent)

    @action(
        "Export report…",
        "Results",
        icon="report",
        tip="The shown run as a report: PDF, HTML, JSON and CSV",
        when=RIDDEN,
        line_above=True,
    )
    def report(self) -> None:
        """Ask for the forms of the report of the shown run and write them."""
        # These load the whole report, which a start has no time for.
        from ....core.report.drawing_process import DrawingProcess
        from ...report.dialog import ReportDialog

        shown = self.studio.document.current_run
        if shown is None:
            return
        # On paper as on the screen: judged by the project as it is now.
        judged = shown.judged_by(self.studio.document.project.evaluation)
        others = tuple(one for one in self.studio.document.runs if one is not shown)
        assessment = assessment_of(self.studio.document)
        drawing = DrawingProcess()
        dialog = ReportDialog(
            shown,
            self.studio.document.title,
            self.studio.settings,
            self.studio.parent,
            others,
            self.studio.panel("cross_check").answer,
            lambda: assessment.known(shown) if assessment.options == judged.evaluation else None,
            judged,
            drawing,
        )
        dialog.written_now.connect(self._log)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()
        drawing.make_ready()
        self._ahead.finished.connect(dialog.pictures.make_ready)
        self._ahead.ask(shown.project)

    def _log(self, files: tuple[Path, ...]) -> None:
        for path in (*files[1:], *files[:1]):  # the report itself stays in the status line
            self.studio.log(f"Written: {path}.")
