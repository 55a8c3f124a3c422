"""What is not of the present design is marked as such: banners over the 3D view and over the panels. A run of another
design is told once, over the view, and in panels only where the view says something else or is in another window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from ...core.base.sentence import say
from ..document.document import Document, Problem, Run
from ..view3d.panel import ViewerPanel
from ..widgets import units
from ..widgets.banner import Banner
from ..work.runner import Runner

OF_TRACK = ("profile", "plan", "points", "sections", "forces")  # panels that draw the track as it is
# panels that draw runs
OF_RUNS = ("loads", "injury", "seats", "couplers", "contacts", "quality", "channels", "stress")


def not_your_design(document: Document) -> str:
    """What is drawn instead of a track that cannot be built, and why; "" while what is drawn is the design."""
    fault = document.fault_of_track()
    if not fault:
        return ""
    shown = "the last shape that could be built" if document.last_good is not None else "nothing can be drawn"
    return say("Not your design: {shown}. {fault}", shown=shown, fault=fault)


def older_run(document: Document) -> str:
    """That the shown run is of another design; "" when it is not. Those it is compared with are meant to be older."""
    run, fitting = document.current_run, run_of_design(document)
    if run is None or not document.is_stale(run):
        return ""
    if fitting is not None:  # as after an undo: then the shown one is not the older one
        return f"{run.name}: of another design. {fitting.name} is of the present one."
    return f"{run.name}: of an older design. The project has changed since."


def run_of_design(document: Document) -> Run | None:
    """The latest kept run of the present design, where the shown run is of another one."""
    run = document.current_run
    if run is None or not document.is_stale(run):
        return None
    kept = (one for one in reversed(document.runs) if one.measured is None)
    return next((one for one in kept if not document.is_stale(one)), None)


def run_under_way(document: Document, runner: Runner) -> str:
    """Which run is being computed, and which one is shown meanwhile; "" while none is."""
    job, run = runner.job, document.current_run
    if job is None:
        return ""
    shown = "" if run is None else f" Until then {run.name} is shown."
    old = " It is of an older design." if older_run(document) else ""
    return f"{job.name} is being computed.{shown}{old}"


class Banners(QObject):
    """Keeps the banner of the view and those of the panels up to date."""

    def __init__(
        self,
        document: Document,
        runner: Runner,
        view: ViewerPanel,
        run: Callable[[], object],
        progress: Callable[[], object],
        go: Callable[[Problem], object],
    ) -> None:
        """run: runs the project; progress: shows how far a run is; go: leads to a problem."""
        super().__init__(view)
        self._document, self._runner, self._view = document, runner, view
        self._run, self._progress, self._go = run, progress, go
        self._panels: dict[str, Banner] = {}
        self._problem: Problem | None = None
        self.view = Banner(view)
        self.view.acted.connect(self._act)
        self.view.put_away.connect(view.over.place)
        view.over.notice = self.view
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.refresh)
        for signal in (
            document.project_changed,
            document.preview_changed,
            document.runs_changed,
            document.problems_changed,
            runner.state_changed,
            runner.started,
        ):
            signal.connect(self.refresh_soon)

    def over(self, name: str) -> Banner | None:
        """The banner for a panel, to be put below it; None for one that shows nothing of track or runs."""
        if name not in (*OF_TRACK, *OF_RUNS):
            return None
        banner = Banner()
        banner.acted.connect(self._act_on_runs if name in OF_RUNS else self._act)
        self._panels[name] = banner
        self._soon.start(0)
        return banner

    def refresh(self) -> None:
        """Say what is wrong now."""
        document = self._document
        foreign, old = not_your_design(document), older_run(document)
        fitting = run_of_design(document)
        way = "" if not old else "Run again" if fitting is None else f"Show {fitting.name}"
        under_way = run_under_way(document, self._runner)
        errors = [problem for problem in document.problems if problem.severity == "error"]
        self._problem = errors[0] if errors else None
        view_tells = not foreign and not errors
        for name, banner in self._panels.items():
            if name in OF_RUNS and under_way:
                banner.say(under_way, "note", "Show progress")
            elif name in OF_RUNS:
                here = not view_tells or banner.window() is not self._view.window()
                banner.say(old if here else "", "warning", way if here else "")
            else:
                banner.say(units.in_units(foreign), "error", "Show" if foreign and errors else "")
        if foreign or errors:
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            self.view.say(units.in_units(foreign or errors[0].text) + more, "error", "Show" if errors else "")
        else:
            old = "" if under_way else old
            self.view.say(old, "warning", way if old else "")
        self._view.over.place()

    def refresh_soon(self, *_: object) -> None:
        """Say what is wrong when the events of now are through."""
        self._soon.start(0)

    def _act_on_runs(self) -> None:
        if self._runner.running:
            self._progress()
        else:
            self._see_design()

    def _act(self) -> None:
        if self._problem is not None:
            self._go(self._problem)
        else:
            self._see_design()

    def _see_design(self) -> None:
        """Have a run of the present design: the kept one, or another."""
        fitting = run_of_design(self._document)
        if fitting is not None:
            self._document.show_run(fitting)
        else:
            self._run()
