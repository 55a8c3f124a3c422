"""Looks for problems of the project in the background while a person works."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.document.document import BUILD, Change, Document, Problem, Run
from app.document.selection import Selection
from app.work.background import Background
from app.work.judging import judging_of
from core.base.errors import InputError
from core.edits.places import nearest_point
from core.injury.standards.files import table_faults
from core.model.assembly import Assembly
from core.model.consistency import check_assembly
from core.model.references import LISTS
from core.outcome.run_check import check_run
from core.project.effort import long_run
from core.project.project import Project
from core.project.scenario import Ride
from core.track.build import BuiltTrack, build_track
from core.track.check import check_track

TRACK, MODEL, SCENARIO, RUN, LIMITS = "Track check", "Model check", "Scenario", "Run", "Limit tables"
PAUSE = 250  # ms without a change before looking


class ProblemFinder(QObject):
    """Keeps the problems of the document up to date."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._work = Background("problems", find_problems, self)
        self._work.finished.connect(self._take)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._look)
        document.project_changed.connect(self._on_change)
        judging_of(document).judged.connect(lambda _run: self._timer.start())  # tables are read anew there
        self._timer.start()

    def close(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._work.close()

    def _on_change(self, change: Change) -> None:
        if change.track or change.train or change.scenario or change.settings:
            self._timer.start()

    def _look(self) -> None:
        self._work.ask(self._document.project)

    def _take(self, found: dict[str, tuple[Problem, ...]]) -> None:
        for source, problems in found.items():
            self._document.set_problems(source, problems)


def find_problems(project: Project) -> dict[str, tuple[Problem, ...]]:
    """Everything to be said about a project, by source."""
    found: dict[str, tuple[Problem, ...]] = {BUILD: (), TRACK: (), SCENARIO: ()}
    built = None
    if project.track is not None:
        try:
            built = build_track(project.track)
        except InputError as error:
            found[BUILD] = (Problem("error", str(error), source=BUILD),)
        else:
            found[TRACK] = _track(built)
            found[SCENARIO] = _scenario(project, built)
    if told := long_run(project):
        where = Problem("warning", told, Selection("settings"), None, SCENARIO)
        found[SCENARIO] = (*found[SCENARIO], where)
    found[MODEL] = tuple(_model(project))
    found[LIMITS] = tuple(Problem("warning", sentence, source=LIMITS) for sentence in table_faults())
    return found


def run_problems(run: Run) -> tuple[Problem, ...]:
    """What the figures of a run say against it."""
    problems = []
    for finding in check_run(run.results, run.project.settings):
        s = finding.arc_length
        where = Selection("scenario") if s is None else Selection("place", s=s)
        problems.append(Problem("warning", finding.message, where, s, RUN))
    return tuple(problems)


def _track(built: BuiltTrack) -> tuple[Problem, ...]:
    problems = []
    for finding in check_track(built.track, built).findings:
        point = nearest_point(built, finding.s)
        where = (
            Selection("section", (finding.section,), s=finding.s)
            if point is None
            else Selection("points", (point[0],), (point[1],), finding.s)
        )
        problems.append(Problem(finding.severity, finding.message, where, finding.s, TRACK))
    return tuple(problems)


def _scenario(project: Project, built: BuiltTrack) -> tuple[Problem, ...]:
    scenario = project.scenario
    if not isinstance(scenario, Ride):
        return ()
    where = Selection("scenario")
    if not built.track.closed and not 0.0 <= scenario.start < built.length:
        text = f"The ride starts at {scenario.start:.1f} m, but the track is {built.length:.1f} m long; move the start."
        return (Problem("error", text, where, None, SCENARIO),)
    if project.train is None:
        text = "The project has no train, so that nothing can ride; add a car from the library (Train menu)."
        return (Problem("note", text, None, None, SCENARIO),)
    return ()


def _model(project: Project) -> list[Problem]:
    top = project.assembly
    return [] if top is None else [
        Problem(
            "note" if finding.kind == "load as drawn" else "warning", finding.message,
            element_selection(top, finding.element), None, MODEL,
        )
        for finding in check_assembly(top)
    ]  # fmt: skip


def element_selection(top: Assembly, element: str) -> Selection:
    """The selection of an element by the path a finding gives it; of its assembly when there is none of that name."""
    path = tuple(element.split("/"))
    holder = top.at(path[:-1])
    for kind, attribute in LISTS.items():
        if any(part.name == path[-1] for part in getattr(holder, attribute, ())):
            return Selection(kind, path)  # type: ignore[arg-type]
    return Selection("assembly", path[:-1])
