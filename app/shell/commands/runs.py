"""Run and Results menus: runs, their files, playback."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ridewright.app.document.document import Run
from ridewright.app.shell.commands.guard import guarded
from ridewright.app.widgets import dialogs
from ridewright.app.work.auto_run import KEY, is_on
from ridewright.app.work.studio import Studio
from ridewright.core.base.errors import InputError
from ridewright.core.project.project import parse_project


class RunCommands:
    """Runs of the document."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def run(self) -> None:
        """Ride the project as it is, unless that is being done."""
        self.studio.document.preview(None)
        project, runner = self.studio.document.project, self.studio.runner
        asked = (*runner.queue, *(() if runner.job is None else (runner.job,)))
        if any(job.project == project for job in asked):
            self.studio.window.log("The project as it is now is already being run.")
            return
        runner.start(project)

    def stop(self) -> None:
        """Stop the run and keep partial results; runs that wait are dropped."""
        self.studio.runner.clear_queue()
        self.studio.runner.stop()

    def toggle_after_change(self) -> None:
        """Run the project by itself after each change, or stop doing so."""
        settings = self.studio.settings
        on = not is_on(settings)
        settings.set_value(KEY, "yes" if on else "no")
        self.studio.window.log(
            "The project is run after each change." if on else "Runs are started by hand (F5)."
        )
        self.studio.window.refresh_actions()

    def variations(self) -> None:
        """Ask for a setting and its values, and queue one run for each."""
        from ridewright.app.work.variations import VariationsDialog

        dialog = VariationsDialog(self.studio.document.project, self.studio.window)
        if dialog.exec():
            self.studio.runner.start_batch(dialog.jobs())
        dialog.deleteLater()

    def modes(self) -> None:
        """Find the modes of the model, in their panel."""
        self.studio.window.show_panel("modes")
        self.studio.window.panels["modes"].find()

    def remove(self) -> None:
        """Remove the shown run."""
        run = self.studio.document.current_run
        if run is not None:
            self.studio.document.remove_run(run)
            self.studio.window.log(f"{run.name} is removed; Run > Restore removed run brings it back.")

    def restore(self) -> None:
        """Show the run that was removed last again."""
        self.studio.document.restore_run()

    def open_results(self) -> None:
        """Ask for a file with a run and show it."""
        path = dialogs.file_to_open(
            self.studio.window, "Open results", self.studio.settings.last_folder, dialogs.RESULTS
        )
        if path is not None:
            self.open_results_path(path)

    @guarded("The results were not opened")
    def open_results_path(self, path: Path) -> None:
        """Show a run that was kept in a file."""
        from ridewright.core.results.file import read_results

        results = read_results(path)
        data = results.provenance.get("project")
        if data is None:
            raise InputError(f"{path.name}: does not say which project was run; it cannot be shown.")
        self.studio.document.add_run(Run(path.stem, results, parse_project(data, path.name), file=path))
        self.studio.settings.last_folder = path.parent

    @guarded("The results were not saved")
    def save_results(self) -> None:
        """Keep the shown run in a file."""
        run = self.studio.document.current_run
        if run is not None:
            self._save(run)

    @guarded("The results were not saved")
    def save_all(self) -> None:
        """Ask for a file for every run that is not saved, until one is not given."""
        document = self.studio.document
        while (run := next((run for run in document.runs if run.unsaved), None)) is not None:
            if not self._save(run):
                return

    def _save(self, run: Run) -> bool:
        from ridewright.core.results.file import write_results

        suggested = self.studio.settings.last_folder / f"{run.name.lower().replace(' ', '_')}.h5"
        path = dialogs.file_to_save(self.studio.window, f"Save {run.name}", suggested, dialogs.RESULTS)
        if path is None:
            return False
        write_results(run.results, path)
        self.studio.document.replace_run(run, replace(run, file=path))
        self.studio.settings.last_folder = path.parent
        self.studio.window.log(f"Saved {path}.")
        return True

    @guarded("The summary was not written")
    def export_summary(self) -> None:
        """Write figures, extremes and criteria of the shown run as JSON."""
        from ridewright.core.outcome.summary import summarise, write_summary

        run = self.studio.document.current_run
        if run is None:
            return
        suggested = self.studio.settings.last_folder / "summary.json"
        path = dialogs.file_to_save(self.studio.window, "Export summary", suggested, "Summaries (*.json)")
        if path is not None:
            project = run.judged_by(self.studio.document.project.evaluation)
            write_summary(summarise(project, run.results), path)
            self.studio.window.log(f"Written: {path}.")

    def play(self) -> None:
        """Play or pause."""
        self.studio.playback.toggle()

    def step_back(self) -> None:
        """One frame back."""
        self.studio.playback.step(-1)

    def step_forward(self) -> None:
        """One frame on."""
        self.studio.playback.step(1)

    def to_start(self) -> None:
        """Go to the start of the run."""
        self.studio.playback.seek(0.0)

    def to_end(self) -> None:
        """Go to the end of the run."""
        self.studio.playback.seek(self.studio.playback.duration)
