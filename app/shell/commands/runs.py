"""Run and Results menus: runs, their files, playback."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...document.document import Run
from ...widgets import dialogs
from ...work.auto_run import KEY, is_on
from ...work.meanwhile import meanwhile
from ...work.reading import rest_of
from ..opening import run_of_file
from .conditions import HAS_RUN, REMOVED, RIDDEN, RUNNING
from .declared import Group, action
from .guard import guarded


class RunCommands(Group):
    """Runs of the document."""

    @action("Run", "Run", icon="run", shortcut="F5", tip="Ride the train along the track", tool=True)
    def run(self) -> None:
        """Ride the project as it is, unless that is being done."""
        self.studio.document.preview(None)
        project, runner = self.studio.document.project, self.studio.runner
        asked = (*runner.queue, *(() if runner.job is None else (runner.job,)))
        if any(job.project == project for job in asked):
            self.studio.log("The project as it is now is already being run.")
            return
        runner.start(project)

    @action(
        "Stop",
        "Run",
        icon="stop",
        shortcut="Shift+F5",
        tip="Stop the run and keep partial results",
        when=RUNNING,
        tool=True,
    )
    def stop(self) -> None:
        """Stop the run and keep partial results; runs that wait are dropped."""
        self.studio.runner.clear_queue()
        self.studio.runner.stop()

    @action(
        "Run variations…",
        "Run",
        icon="batch",
        shortcut="Ctrl+F5",
        tip="Queue several runs with one setting changed",
    )
    def variations(self) -> None:
        """Ask for a setting and its values, and queue one run for each."""
        from ...work.variations import VariationsDialog

        dialog = VariationsDialog(self.studio.document.project, self.studio.parent)
        if dialog.exec():
            self.studio.runner.start_batch(dialog.jobs())
        dialog.deleteLater()

    @action(
        "Run after each change",
        "Run",
        tip="Start a run by itself when an edit is finished; a run that is overtaken begins anew",
    )
    def run_after_change(self) -> None:
        """Run the project by itself after each change, or stop doing so."""
        settings = self.studio.settings
        on = not is_on(settings)
        settings.set_value(KEY, "yes" if on else "no")
        self.studio.log("The project is run after each change." if on else "Runs are started by hand (F5).")

    @run_after_change.switched
    def _runs_after_change(self) -> bool:
        return is_on(self.studio.settings)

    @action(
        "Find equilibrium",
        "Run",
        icon="down",
        tip="Where everything comes to rest under its weight: deflections, loads of wheels, springs, joints, seats",
        line_above=True,
    )
    def equilibrium(self) -> None:
        """Find the static equilibrium of the model, in its panel."""
        self.studio.show_panel("equilibrium")
        self.studio.panel("equilibrium").look()

    @action(
        "Find modes",
        "Run",
        icon="loop",
        tip="Small motions about rest or about an instant of the run: frequency, damping, what moves; they swing in 3D",
    )
    def modes(self) -> None:
        """Find the modes of the model, in their panel."""
        self.studio.show_panel("modes")
        self.studio.panel("modes").look()

    @action(
        "Cross-check",
        "Run",
        icon="compare",
        tip="Ride the project here and in a second engine, and see what differs by more than both are off",
        tool=True,
    )
    def cross_check(self) -> None:
        """Have a second engine look over the project, in its panel."""
        self.studio.show_panel("cross_check")
        self.studio.panel("cross_check").run()

    @action("Remove shown run", "Run", icon="delete", when=HAS_RUN, line_above=True)
    def remove_run(self) -> None:
        """Remove the shown run."""
        run = self.studio.document.current_run
        if run is not None:
            self.studio.document.remove_run(run)
            self.studio.log(f"{run.name} is removed; Run > Restore removed run brings it back.")

    @action(
        "Restore removed run",
        "Run",
        icon="undo",
        tip="Restore the run that was removed last, and show it",
        when=REMOVED,
    )
    def restore_run(self) -> None:
        """Show the run that was removed last again."""
        self.studio.document.restore_run()

    @action("Open results…", "Run", icon="import", tip="Show a run kept in a file")
    def open_results(self) -> None:
        """Ask for a file with a run and show it."""
        path = dialogs.file_to_open(
            self.studio.parent, "Open results", self.studio.settings.last_folder, dialogs.RESULTS
        )
        if path is not None:
            self.open_results_path(path)

    @guarded("The results were not opened")
    def open_results_path(self, path: Path) -> None:
        """Show a run that was kept in a file."""
        self.studio.log(f"Reading {path.name}.")
        document, shown = self.studio.document, self.studio.document.built()
        run = meanwhile(lambda: run_of_file(path, shown), failing="Reading the file failed")
        document.add_run(run)
        rest_of(document).read(run.results, path.name)
        self.studio.log(f"{path.name} is open.")
        self.studio.settings.last_folder = path.parent

    @action("Save results…", "Run", icon="export", tip="Keep the shown run in a file", when=RIDDEN)
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
        from ....core.results.file import write_results

        suggested = self.studio.settings.last_folder / f"{run.name.lower().replace(' ', '_')}.h5"
        path = dialogs.file_to_save(self.studio.parent, f"Save {run.name}", suggested, dialogs.RESULTS)
        if path is None:
            return False
        meanwhile(lambda: write_results(run.results, path, compact=True), failing="Writing the file failed")
        self.studio.document.replace_run(run, replace(run, file=path))
        self.studio.settings.last_folder = path.parent
        self.studio.log(f"Saved {path}.")
        return True

    @action("Play or pause", "Results", icon="play", shortcut="Space", tip="Play the shown run", when=HAS_RUN)
    def play(self) -> None:
        """Play or pause."""
        self.studio.playback.toggle()

    @play.icons
    def _play_icon(self) -> str:
        return "pause" if self.studio.playback.playing else "play"

    @action("Step back", "Results", icon="step-back", shortcut=",", tip="One frame back", when=HAS_RUN)
    def step_back(self) -> None:
        """One frame back."""
        self.studio.playback.step(-1)

    @action("Step forward", "Results", icon="step-forward", shortcut=".", tip="One frame on", when=HAS_RUN)
    def step_forward(self) -> None:
        """One frame on."""
        self.studio.playback.step(1)

    @action("Go to start", "Results", icon="to-start", shortcut="Ctrl+Home", when=HAS_RUN)
    def to_start(self) -> None:
        """Go to the start of the run."""
        self.studio.playback.seek(0.0)

    @action("Go to end", "Results", icon="to-end", shortcut="Ctrl+End", when=HAS_RUN)
    def to_end(self) -> None:
        """Go to the end of the run."""
        self.studio.playback.seek(self.studio.playback.duration)

    @action(
        "Export summary…",
        "Results",
        icon="chart",
        tip="Figures, extremes and criteria of the shown run as JSON",
        when=RIDDEN,
        line_above=True,
    )
    @guarded("The summary was not written")
    def export_summary(self) -> None:
        """Write figures, extremes and criteria of the shown run as JSON."""
        from ....core.outcome.summary import summarise, write_summary

        run = self.studio.document.current_run
        if run is None:
            return
        suggested = self.studio.settings.last_folder / "summary.json"
        path = dialogs.file_to_save(self.studio.parent, "Export summary", suggested, "Summaries (*.json)")
        if path is not None:
            project = run.judged_by(self.studio.document.project.evaluation)
            found = meanwhile(lambda: summarise(project, run.results), failing="The summary failed")
            write_summary(found, path)
            self.studio.log(f"Written: {path}.")
