"""File > Open measured ride: an accelerometer record beside the runs."""

from __future__ import annotations

from ...widgets import dialogs
from .declared import Group, action
from .files import FileCommands
from .guard import guarded

RECORDS = "Accelerometer records (*.csv *.txt *.tsv *.dat)"


class MeasuredCommands(Group):
    """Measured rides."""

    @action(
        "Open measured ride…",
        "File",
        icon="import",
        tip="Read an accelerometer record (CSV), judge it and lay it over the shown run",
        line_above=True,
        after=FileCommands.export_table,
    )
    @guarded("The measured ride was not opened")
    def open_measured(self) -> None:
        """Ask for a record and how it is to be read, and lay it over the shown run."""
        from ...measured.dialog import MeasuredDialog

        studio = self.studio
        path = dialogs.file_to_open(studio.parent, "Open measured ride", studio.settings.last_folder, RECORDS)
        if path is None:
            return
        studio.settings.last_folder = path.parent
        dialog = MeasuredDialog(path, studio.document, studio.parent)
        dialog.exec()
        run = dialog.made
        dialog.deleteLater()
        if run is None or run.measured is None:
            return
        studio.document.add_run(run)
        ride = run.measured
        match = f", {ride.match} match with time {ride.offset:+.2f} s" if ride.match else ""
        studio.log(f"Measured ride {ride.file}{match}.")
