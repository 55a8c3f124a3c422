"""Run after each change: when an edit is finished the project is run, and run anew when it changes meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from ..document.document import Change, Document
from ..document.runs import Run
from ..widgets.settings import Settings
from .runner import Runner

KEY = "run/after_change"
PAUSE = 300  # ms without a change before the run starts
NAME = "After change"
KEPT = 2  # the latest run and the one before, which it is compared with


def is_on(settings: Settings) -> bool:
    """Whether the project is run after each change."""
    return settings.value(KEY, "no") == "yes"


class AutoRun(QObject):
    """Starts runs by itself while the setting is on. Runs that a person starts are left alone."""

    def __init__(self, document: Document, runner: Runner, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._runner, self._settings = document, runner, settings
        self._count = 0
        self._own: list[Run] = []  # what is kept of the runs started here
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._start)
        document.project_changed.connect(self._on_change)
        runner.finished.connect(self._on_finished)
        settings.changed.connect(self._on_setting)

    def _on_change(self, change: Change) -> None:
        if change.name and change.track and change.settings:  # another project was opened
            self._own.clear()
            self._timer.stop()
        elif is_on(self._settings) and (change.track or change.train or change.scenario or change.settings):
            self._timer.start()

    def _on_setting(self, name: str) -> None:
        if name == KEY and not is_on(self._settings):
            self._timer.stop()

    def _start(self) -> None:
        """Run the project as it is now; a run of an older one that was started here ends."""
        project = self._document.project
        if not is_on(self._settings) or not _can_run(self._document):
            return
        job = self._runner.job
        if job is not None and job.name.startswith(NAME):
            self._runner.clear_queue()
            self._runner.stop()
        self._count += 1
        self._runner.start(project, f"{NAME} {self._count}")

    def _on_finished(self, run: Run) -> None:
        """Forget what was overtaken while it ran, and all but the latest two."""
        if not run.name.startswith(NAME):
            return
        kept = next((k for k in reversed(self._document.runs) if k.results is run.results), None)
        if kept is None:
            return
        if run.project is not self._document.project:
            before = self._own[-1] if self._own else None
            self._document.drop_run(kept)
            if before is not None:
                self._document.show_run(before)
            return
        self._own.append(kept)
        while len(self._own) > KEPT:
            self._document.drop_run(self._own.pop(0))


def _can_run(document: Document) -> bool:
    """Whether a ride can be tried: a train on a track that can be built, or a rig."""
    project = document.project
    if project.scenario.kind != "ride":
        return True
    return project.train is not None and document.built(project) is not None
