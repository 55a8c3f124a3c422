"""Results > Report: the report of the shown run."""

from __future__ import annotations

from app.report_dialog import ReportDialog
from app.studio import Studio


class ReportCommands:
    """The report."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def report(self) -> None:
        """Ask for the forms of the report of the shown run and write them."""
        run = self.studio.document.current_run
        if run is None:
            return
        dialog = ReportDialog(run, self.studio.document.title, self.studio.settings, self.studio.window)
        dialog.exec()
        for path in dialog.written:
            self.studio.window.log(f"Written: {path}.")
        dialog.deleteLater()
