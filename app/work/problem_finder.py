"""Looks for problems of the project in the background while a person works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QTimer

from ...core.base.errors import InputError
from ...core.base.finding import Finding, of_error
from ...core.base.sentence import say
from ...core.design.findings import NEAR
from ...core.design.rail_kinks import kinks_of
from ...core.design.smooth import smooth
from ...core.design.ways_out import achieved
from ...core.edits import along_track, changes, couplings, points, train
from ...core.edits.changes import the_track
from ...core.edits.closing import closing_spans
from ...core.edits.elements import set_element
from ...core.edits.elements_track import to_control_points
from ...core.edits.places import section_named
from ...core.injury.standards.files import table_faults
from ...core.model.assembly import Assembly
from ...core.model.connections import uncoupled, uncoupled_sentence
from ...core.model.own_library import library_faults
from ...core.model.references import LISTS
from ...core.outcome.run_findings import findings_of
from ...core.outcome.two_rides import differs, two_rides
from ...core.pointmass.rail_kinks import kink_findings
from ...core.project.effort import long_run
from ...core.project.model_findings import assembly_findings
from ...core.project.point_train import about_losses, about_start, other_losses, ridden_settings
from ...core.project.project import Project
from ...core.project.scenario import Ride
from ...core.results.results import first_car_at
from ...core.track.as_built import RailsAsBuilt
from ...core.track.build import BuiltTrack, build_track
from ...core.track.check import check_track
from ...core.track.description import SplineSection, TableSection
from ..document.document import Document, Fix, Problem, Run
from ..document.problem import build_problem, problem_of
from ..document.selection import Selection, selection_of
from .assessment import assessment_of
from .task import ProgressReporter, Task

TRACK, MODEL, SCENARIO, RUN = "Track check", "Model check", "Scenario", "Run"
LIMITS, LIBRARY, BENDING = "Limit tables", "Own library", "Internal modes"
OF_RUN = (RUN, BENDING)  # what is said of the shown run
SMOOTHED = ("curvature_spike", "curvature_jump", "tight_curve")  # findings that smoothing the spline helps
CONVERTED = (
    *SMOOTHED,
    "kink",
    "cant_rate_jump",
    "dropped_row",
)  # of rows, which control points can be rid of
TUBE = 0.3  # m, how far it may move
ASIDE, TURNED = (
    0.1,
    np.radians(3.0),
)  # m, rad, how far control points may be from the rows they take the place of
PAUSE = 250  # ms without a change before looking


class ProblemFinder(QObject):
    """Keeps the problems of the document up to date."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._work = Task("problems", lambda project, _reporter: find_problems(project), self)
        self._work.finished.connect(self._take)
        self._tried = Task("ways out", _try_all, self)
        self._tried.finished.connect(self._take_tried)
        self._ridden: Run | None = None
        self.looked_at: Run | None = None  # the run of whom all is said
        self._of_run = Task("problems of the run", _look_at, self)
        self._of_run.reported.connect(self._take_of_run)
        self._of_run.finished.connect(self._on_looked_at)
        document.runs_changed.connect(self._look_at_run)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._look)
        document.project_changed.connect(self._on_project)
        assessment_of(document).judged.connect(lambda _run: self._timer.start())  # tables are read anew there
        self._timer.start()

    def close(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._work.close()
        self._tried.close()
        self._of_run.close()

    def _on_project(self, _change: object) -> None:
        self._tried.stop()
        self._timer.start()

    def _look(self) -> None:
        self._work.ask(self._document.project)

    def _take(self, found: dict[str, tuple[Problem, ...]]) -> None:
        for source, problems in found.items():
            self._document.set_problems(source, tuple(map(_untried, problems)))
        self._tried.stop()
        if any(_untried(problem) is not problem for problem in found[TRACK]):
            self._tried.ask((self._document.project, found[TRACK]))

    def _take_tried(self, found: tuple[Project, tuple[Problem, ...] | None]) -> None:
        project, problems = found
        if project is self._document.project and problems is not None:
            self._document.set_problems(TRACK, problems)

    def refuse(self, fault: InputError) -> None:
        """Say why a run could not be made, instead of what the shown run says."""
        self._ridden = self.looked_at = None
        self._document.set_problems(RUN, (run_refused(fault, self._document.project),))

    def _look_at_run(self) -> None:
        """Ask what another run says against itself."""
        run = self._document.current_run
        if run is not None and run is self._ridden:
            return
        self._ridden, self.looked_at = run, None
        for source in OF_RUN:
            self._document.set_problems(source, ())
        if run is not None:
            self._of_run.ask((run, self._document.built(run.project)))

    def _take_of_run(self, found: tuple[Run, str, tuple[Problem, ...]]) -> None:
        run, source, problems = found
        if run is self._ridden:
            self._document.set_problems(source, problems)

    def _on_looked_at(self, run: Run) -> None:
        self.looked_at = run if run is self._ridden else None


def _look_at(asked: tuple[Run, BuiltTrack | None], reporter: ProgressReporter) -> Run:
    """Report what speaks against a run, source by source; built: the track it rode."""
    run, built = asked
    reporter.report((run, RUN, run_problems(run, built)))
    if run.measured is None and run.results.names.flexible and not reporter.stopped():
        reporter.report((run, BENDING, bending_problems(run)))
    return run


def find_problems(project: Project) -> dict[str, tuple[Problem, ...]]:
    """Everything to be said about a project, by source."""
    found: dict[str, tuple[Problem, ...]] = {TRACK: (), SCENARIO: ()}
    if project.track is not None:
        built = None
        try:
            built = build_track(project.track, ride=False)
            built.paths  # noqa: B018 - a curve too tight for the gauge
        except InputError as error:
            # what cannot be drawn at all the document says, which knows the last good shape
            found[TRACK] = () if built is None else (build_problem(project, error, built, TRACK),)
        else:
            found[TRACK] = (*_track(project, built), *_kinks(project))
            found[SCENARIO] = (*_scenario(project, built), *_one_ride(project))
    if reported := long_run(project):
        where = Problem("warning", reported, Selection("settings"), None, SCENARIO)
        found[SCENARIO] = (*found[SCENARIO], where)
    found[MODEL] = (*_train(project), *_model(project))
    for source, faults in ((LIMITS, table_faults()), (LIBRARY, library_faults())):
        found[source] = tuple(Problem("warning", sentence, source=source) for sentence in faults)
    return found


def _untried(problem: Problem) -> Problem:
    """A problem without a way out that has still to show what it achieves."""
    return replace(problem, fix=None) if problem.fix is not None and problem.fix.measured else problem


def tried(
    project: Project, problems: tuple[Problem, ...], reporter: ProgressReporter
) -> tuple[Problem, ...] | None:
    """Problems with what their ways out achieve, and without those that are not worth it; None when stopped."""
    made: dict[str, Project | None] = {}  # the same edit may be the way out of several
    messages = []
    for problem in problems:
        if reporter.stopped():
            return None
        fix = problem.fix
        if fix is None or fix.measured is None:
            messages.append(problem)
            continue
        if fix.label not in made:
            try:
                made[fix.label] = fix.edit(project)
            except InputError:
                made[fix.label] = None
        after = made[fix.label]
        found = None if after is None else fix.measured(project, after)
        way = None
        if after is not None and found is not None and found.worth_it:
            way = replace(fix, edit=_as_tried(project, after, fix.edit), measured=None)
            way = replace(way, outcome=found.words, known=found.sentence)
        messages.append(replace(problem, fix=way))
    return tuple(messages)


def _try_all(
    asked: tuple[Project, tuple[Problem, ...]], reporter: ProgressReporter
) -> tuple[Project, tuple[Problem, ...] | None]:
    project, problems = asked
    return project, tried(project, problems, reporter)


def _as_tried(
    project: Project, made: Project, edit: Callable[[Project], Project]
) -> Callable[[Project], Project]:
    """The edit that was tried: of the same project what it made."""
    return lambda p: made if p is project else edit(p)


def run_problems(run: Run, built: BuiltTrack | None = None) -> tuple[Problem, ...]:
    """What the figures of a run say against it, and where it differs from the preview. built: the track it rode."""
    problems = []
    status = run.results.status
    if status.name in ("stalled", "rider lost"):
        s = first_car_at(run.results, float(run.results.states.time[-1]))
        s = s if s is None or built is None else float(built.centreline.wrap(s)[0])
        where = Selection("scenario") if s is None else Selection("place", s=s)
        problems.append(Problem("error", status.sentence, where, s, RUN))
    for finding in findings_of(run.results, run.project):
        if finding.kind in ("uncoupled", "stiffening"):  # said of the project already
            continue
        s = finding.s
        where = Selection("scenario") if s is None else Selection("place", s=s)
        problems.append(Problem(finding.severity, finding.message, where, s, RUN))
    rides = None if built is None or run.measured is not None else two_rides(run.results, run.project, built)
    if rides is not None and differs(rides):
        where = Selection("place", s=rides.s)
        problems.append(Problem("note", rides.sentence, where, rides.s, RUN))
    return tuple(problems)


def run_refused(fault: InputError, project: Project) -> Problem:
    """Why a run of a project cannot be made, as a problem."""
    found = problem_of(of_error("run", fault), project, RUN)
    return found if found.where is not None else replace(found, where=Selection("scenario"))


def bending_problems(run: Run) -> tuple[Problem, ...]:
    """Flexible bodies of a run that keep fewer modes than the forces at their interfaces ask for."""
    from ...core.multibody.import_structure import MAX_MODES
    from ...core.outcome.excitation import truncation  # compiled kernels, slow to load
    from ...core.outcome.spectrum import MIN_SAMPLES
    from ...core.outcome.stress import stress_of

    top = run.project.assembly
    if top is None or len(run.results.states.time) < MIN_SAMPLES:
        return ()
    problems = []
    for one in stress_of(run.results):
        cut, name = truncation(one), one.flexible.name
        if cut.enough:
            continue
        where, fix = element_selection(top, name), None
        if cut.needed is not None and cut.needed <= MAX_MODES:
            wanted = {"modes": cut.needed}
            fix = Fix(
                f"Keep {cut.needed} modes",
                lambda p, path=where.path, wanted=wanted: set_element(p, "flexible", path, wanted),  # type: ignore[misc]
            )
        problems.append(
            Problem("warning", say("'{name}': {cut}", name=name, cut=cut.words), where, None, BENDING, fix)
        )
    return tuple(problems)


def _track(project: Project, built: BuiltTrack) -> tuple[Problem, ...]:
    problems = []
    positions = built.point_places
    for finding in check_track(built.track, built).findings:
        where = selection_of(finding.where, project)
        own = positions.get(finding.section, ())
        if own and isinstance(section_named(built.track, finding.section), SplineSection):
            nearest = min(range(len(own)), key=lambda k: abs(own[k] - (finding.s or 0.0)))
            where = Selection("points", (finding.section,), (nearest,), finding.s)
        fix = _track_fix(built, finding, where) or _rows_fix(built, finding)
        problems.append(Problem(finding.severity, finding.message, where, finding.s, TRACK, fix))
    return tuple(problems)


def _kinks(project: Project) -> tuple[Problem, ...]:
    """Where rails as built bend suddenly and what that costs; of rails as drawn the checks of the track say it."""
    if project.track is None or project.track.as_built == RailsAsBuilt():
        return ()
    try:
        kinks = kinks_of(project)
    except InputError:  # what keeps it from riding is told by others
        return ()
    return tuple(
        Problem(one.severity, one.message, Selection("place", s=one.s), one.s, TRACK)
        for one in kink_findings(kinks)
    )


def _track_fix(built: BuiltTrack, finding: Finding, where: Selection | None) -> Fix | None:
    """The way out of a finding about a spline, where one is known; the closing piece of a circuit is drawn anew."""
    if finding.severity != "note" and finding.s is not None and _at_closing_piece(built, finding.s):
        return Fix("Close again", _closed_again, partial(achieved, finding))
    if where is None or where.kind != "points":
        return None
    name, index = where.path[0], where.indices
    if finding.kind == "vertical_cant":
        return Fix("Leave the cant free", lambda p: points.set_points(p, name, index, {"cant": None}))
    if finding.kind in SMOOTHED:
        return Fix(f"Smooth {name}", lambda p: smooth(p, [name], TUBE)[0], partial(achieved, finding))
    return None


def _rows_fix(built: BuiltTrack, finding: Finding) -> Fix | None:
    """The way out of a finding about rows of a file: control points in their place, which can be moved and smoothed."""
    name = finding.section
    rows = isinstance(section_named(built.track, name), TableSection)
    if not rows or finding.kind not in CONVERTED or finding.severity == "note":
        return None

    def edit(project: Project) -> Project:
        built = build_track(the_track(project), ride=False)
        return to_control_points(project, built, name, tolerance=ASIDE, roll_tolerance=TURNED)[0]

    return Fix(f"Convert {name} to control points", edit)


def _closed_again(project: Project) -> Project:
    from ...core.design.by_ride import close_by_ride  # not needed to show the window

    return close_by_ride(project, ())[0]


def _at_closing_piece(built: BuiltTrack, s: float) -> bool:
    """Whether a place (m) is on the closing piece of a circuit, or where that begins or ends."""
    spans = closing_spans(built)
    if not spans:
        return False
    behind = (s - spans[0].s0 + NEAR) % built.length
    return behind <= spans[-1].s1 - spans[0].s0 + 2.0 * NEAR


def _scenario(project: Project, built: BuiltTrack) -> tuple[Problem, ...]:
    scenario = project.scenario
    if not isinstance(scenario, Ride):
        return ()
    where = Selection("scenario")
    if not built.track.closed and not 0.0 <= scenario.start < built.length:
        text: str = say(
            "The ride starts at {start:.1f m}, but the track is {length:.1f m} long; move the start.",
            start=scenario.start,
            length=built.length,
        )
        fix = Fix("Start at 0 m", lambda p: changes.set_scenario(p, {"start": 0.0}))
        return (Problem("error", text, where, None, SCENARIO, fix),)
    if project.train is None:
        text = "The project has no train, so that nothing can ride; add a car from the library (Train menu)."
        fix = Fix("Add the thesis car", lambda p: train.insert_vehicle(p, "viegas2016")[0])
        return (Problem("note", text, None, None, SCENARIO, fix),)
    return ()


def _one_ride(project: Project) -> tuple[Problem, ...]:
    """Where the ride as points has a start or losses of its own: allowed, but to be seen."""
    found = []
    start = about_start(project)
    if start:
        fix = Fix(
            "Start the preview as the run", lambda p: changes.set_point_ride(p, {"start_from": "scenario"})
        )
        found.append(Problem("note", start, None, ridden_settings(project).start, SCENARIO, fix))
    if other_losses(project):
        fix = Fix(
            "Take the losses of the train", lambda p: changes.set_point_ride(p, {"losses_from": "vehicle"})
        )
        found.append(Problem("note", about_losses(project), None, None, SCENARIO, fix))
    return tuple(found)


def _train(project: Project) -> list[Problem]:
    """Cars that stand as if coupled and are not, and devices that act on cars there are not."""
    found: list[Problem] = []
    apart, near = uncoupled(project.train), couplings.open_places(project)
    if apart and not near:
        whole = Fix("Couple the cars by drawbars", partial(couplings.couple_cars, key="ball_drawbar"))
        where = Selection("assembly", (apart[0][1],))
        found.append(Problem("warning", uncoupled_sentence(project.train), where, None, MODEL, whole))
    for ahead, behind in near:
        fix = Fix(f"Join {ahead} and {behind}", partial(couplings.join_as_others, ahead=ahead, behind=behind))
        found.append(
            Problem(
                "warning", f"'{ahead}' and '{behind}' stand as close as coupled cars but nothing joins them, so that"
                " they ride as two consists; join them, or move them apart.",
                Selection("assembly", (behind,)), None, MODEL, fix,
            )
        )  # fmt: skip
    for device, missing in couplings.devices_without_cars(project):
        fix = Fix("Let it act on all cars", lambda p, d=device: along_track.set_device(p, d, {"cars": "all"}))  # type: ignore[misc]
        found.append(
            Problem(
                "error", f"Device '{device}' acts on car '{missing}', which the train does not have.",
                Selection("device", (device,)), None, MODEL, fix,
            )
        )  # fmt: skip
    return found


def _model(project: Project) -> list[Problem]:
    top = project.assembly
    found = () if top is None else assembly_findings(top)
    # cars that nothing couples are said of the train, with a way to couple them
    return [problem_of(one, project, MODEL) for one in found if one.kind != "uncoupled cars"]


def element_selection(top: Assembly, element: str) -> Selection:
    """The selection of an element by the path a finding gives it; of its assembly when there is none of that name."""
    path = tuple(element.split("/"))
    holder = top.at(path[:-1])
    for kind, attribute in LISTS.items():
        if any(part.name == path[-1] for part in getattr(holder, attribute, ())):
            return Selection(kind, path)  # type: ignore[arg-type]
    return Selection("assembly", path[:-1])
