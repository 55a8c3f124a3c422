"""File > Open measured ride: an accelerometer record beside the runs."""

from __future__ import annotations

from ridewright.app.shell.commands.guard import guarded
from ridewright.app.widgets import dialogs
from ridewright.app.work.studio import Studio

RECORDS = "Accelerometer records (*.csv *.txt *.tsv *.dat)"


class MeasuredCommands:
    """Measured rides."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    @guarded("The measured ride was not opened")
    def open(self) -> None:
        """Ask for a record and how it is to be read, and lay it over the shown run."""
        from ridewright.app.measured.dialog import MeasuredDialog

        studio = self.studio
        path = dialogs.file_to_open(studio.window, "Open measured ride", studio.settings.last_folder, RECORDS)
        if path is None:
            return
        studio.settings.last_folder = path.parent
        dialog = MeasuredDialog(path, studio.document, studio.window)
        dialog.exec()
        run = dialog.made
        dialog.deleteLater()
        if run is None or run.measured is None:
            return
        studio.document.add_run(run)
        ride = run.measured
        match = f", {ride.match} match with time {ride.offset:+.2f} s" if ride.match else ""
        studio.window.log(f"Measured ride {ride.file}{match}.")
