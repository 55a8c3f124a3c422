"""The document: the one writer of the project. Everything on screen redraws from its signals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from ...core.base.errors import InputError
from ...core.design.following import FollowStep, followed
from ...core.project.project import Project, load_project, save_project
from ...core.track.build import BuiltTrack, built_or_fault
from .new_project import new_project
from .problem import BUILD, Fix, Problem, build_problem
from .runs import Run, differs
from .selection import NOTHING, Selection, SelectionKind, exists

__all__ = ["BUILD", "Change", "Document", "Fix", "Problem", "Run", "Selection", "SelectionKind"]

MERGEABLE = 1


@dataclass(frozen=True)
class Change:
    """Which parts of the project differ from before."""

    track: bool = False
    train: bool = False
    scenario: bool = False
    settings: bool = False
    name: bool = False

    @staticmethod
    def between(old: Project, new: Project) -> Change:
        """What differs; gravity and assessment count to the scenario, notes to the name."""

        def other(*parts: str) -> bool:
            return any(
                getattr(old, part) is not getattr(new, part) and getattr(old, part) != getattr(new, part)
                for part in parts
            )

        return Change(
            track=other("track"),
            train=other("train"),
            scenario=other("scenario", "gravity", "evaluation"),
            settings=other("settings"),
            name=other("name", "notes"),
        )

    def __bool__(self) -> bool:
        return self.track or self.train or self.scenario or self.settings or self.name


EVERYTHING = Change(True, True, True, True, True)


Writer = Callable[[Project, Path], None]  # of a project into a file


class _Edit(QUndoCommand):
    """One named step: the project before and after, and what was selected before.

    start: the project before the first of the steps that this one becomes part of, else `before`.
    """

    def __init__(
        self,
        document: Document,
        text: str,
        before: Project,
        after: Project,
        merge: str | None,
        start: Project,
    ) -> None:
        super().__init__(text)
        self._document = document
        self._merge = merge
        self.before, self.after, self._start = before, after, start
        self.selected = document.selection

    def redo(self) -> None:
        self._document._show(self.after, self._start)

    def undo(self) -> None:
        self._document._show(self.before, self._document.project)
        if self._document.selection.kind == "none":
            self._document.select(self.selected)  # what was deleted is at hand again

    def id(self) -> int:
        return -1 if self._merge is None else MERGEABLE

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or other._merge != self._merge:
            return False
        self.after = other.after
        if self.after == self.before:
            self.setObsolete(True)
        return True


class Document(QObject):
    """Project, undo stack, selection, runs and problems of the open file."""

    project_changed = Signal(object)  # Change
    selection_changed = Signal(object)  # Selection
    revealed = Signal()  # what is selected is to be brought into the picture; everything, when nothing is
    runs_changed = Signal()  # list of runs, the shown one or the compared ones
    problems_changed = Signal()
    title_changed = Signal()
    preview_changed = Signal(object)  # Project or None: an edit in progress, not yet a step
    saved = Signal()
    kept_in_step = Signal(str)  # what a step behind an edit has changed besides
    begun = Signal()  # another project was opened: what was begun for the one before is over

    def __init__(self, parent: QObject | None = None, *, following: Sequence[FollowStep] = ()) -> None:
        """following: the steps behind every edit; without, a project is taken as it is handed over."""
        super().__init__(parent)
        self._following = tuple(following)
        self.undo_stack = QUndoStack(self)
        self._project = new_project()
        self._before: Project | None = None
        self._open: tuple[str, Project] | None = None  # key of the last step if others join, what was before
        self._path: Path | None = None
        self._selection = NOTHING
        self._preview: Project | None = None
        self._runs: tuple[Run, ...] = ()
        self._current_run: Run | None = None
        self._compared: tuple[Run, ...] = ()
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._good: BuiltTrack | None = None  # the last track of this project that could be built
        self._recovered = False  # holds work that no file has, whatever the undo stack says
        self._removed: tuple[int, Run] | None = None
        self._colour = 0
        self.undo_stack.cleanChanged.connect(self._on_clean)

    # -- the project

    @property
    def project(self) -> Project:
        return self._project

    @property
    def before_step(self) -> Project | None:
        """The project before the last step, an undo or redo included; of steps that became one, before the first."""
        return self._before

    @property
    def path(self) -> Path | None:
        """The file of the project; None while it has none."""
        return self._path

    @property
    def is_modified(self) -> bool:
        """Whether there is work that its file does not hold."""
        return self._recovered or not self.undo_stack.isClean()

    @property
    def title(self) -> str:
        """What to call the document in a window title."""
        return self._path.stem if self._path is not None else self._project.name

    def apply(self, text: str, project: Project, *, merge: str | None = None, exactly: bool = False) -> None:
        """Make `project` the current one as one undo step named `text`; ends a preview.

        merge: consecutive steps with the same key become one step. A project equal to the current one makes
        no step. What the document was given to keep in step follows within the same step, and `kept_in_step` tells of
        it; exactly: nothing does, as of a project that somebody else has made: a file, a run.
        """
        self.preview(None)
        if project is self._project or project == self._project:
            return
        messages: tuple[str, ...] = ()
        if not exactly:
            project, messages = followed(project, self._following)
        start = self._project
        if self._open is not None and self._open[0] == merge and not self.undo_stack.isClean():
            start = self._open[1]
        self.undo_stack.push(_Edit(self, text, self._project, project, merge, start))
        self._open = None if merge is None else (merge, start)
        for sentence in messages:
            self.kept_in_step.emit(sentence)

    def preview(self, project: Project | None) -> None:
        """Show an edit in progress without making a step; None ends it."""
        if project is self._preview:
            return
        self._preview = project
        self._look_at_track()
        self.preview_changed.emit(project)

    @property
    def previewed(self) -> Project | None:
        """The edit in progress, if there is one."""
        return self._preview

    def built(self, project: Project | None = None) -> BuiltTrack | None:
        """The built track of a project: by default of the edit in progress, else of the current project.

        None without a track, or when it cannot be built: then the reason is among the problems.
        """
        return built_or_fault((project or self._preview or self._project).track)[0]

    def _look_at_track(self) -> None:
        """Say among the problems why the track on screen cannot be built, or keep it as the last good one."""
        shown = self._preview or self._project
        built, fault = built_or_fault(shown.track)
        self._good = built or self._good
        self.set_problems(BUILD, () if fault is None else (build_problem(shown, fault, self._good),))

    @property
    def last_good(self) -> BuiltTrack | None:
        """The last track of this project that could be built, to be shown as such while the present one cannot."""
        return self._good

    def fault_of_track(self) -> str:
        """Why the track on screen cannot be built, in a sentence; "" when it can, or there is none."""
        fault = built_or_fault((self._preview or self._project).track)[1]
        return "" if fault is None else fault.said

    def fix(self, problem: Problem) -> None:
        """Take the way out of a problem, as one undo step. Raises InputError when it leads nowhere now."""
        if problem.fix is not None:
            self.apply(problem.fix.label, problem.fix.edit(self._project))

    def _on_clean(self, _clean: bool) -> None:
        self.title_changed.emit()

    def _show(self, project: Project, before: Project) -> None:
        change = Change.between(self._project, project)
        self._project, self._before, self._open = project, before, None
        if not exists(self._selection, project):
            self.select(NOTHING)
        self._look_at_track()
        self.project_changed.emit(change)
        if change.name:
            self.title_changed.emit()

    # -- selection

    @property
    def selection(self) -> Selection:
        return self._selection

    def select(self, selection: Selection) -> None:
        """Select something; what does not exist selects nothing."""
        if not exists(selection, self._preview or self._project):
            selection = NOTHING
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit(selection)

    def reveal(self, selection: Selection) -> None:
        """Select something and ask for it to be brought into the picture; NOTHING asks for everything."""
        self.select(selection)
        self.revealed.emit()

    # -- runs

    @property
    def runs(self) -> tuple[Run, ...]:
        return self._runs

    @property
    def current_run(self) -> Run | None:
        """The run that is played and judged."""
        return self._current_run

    @property
    def compared(self) -> tuple[Run, ...]:
        """Other runs that are drawn over the current one."""
        return self._compared

    def is_stale(self, run: Run) -> bool:
        """Whether the project differs from the run's in what decides the outcome."""
        return run.measured is None and differs(run.project, self._project)

    def add_run(self, run: Run) -> None:
        """Keep a run and show it. The run shown before it is compared with it; the name is made unique.

        A measured ride is laid over the shown run instead, if there is one, and stays there.
        """
        names = {known.name for known in self._runs}
        name, count = run.name, 2
        while name in names:
            name, count = f"{run.name} ({count})", count + 1
        kept = replace(run, name=name, colour=self._colour)
        self._colour += 1
        before = self._current_run
        self._runs = (*self._runs, kept)
        if kept.measured is not None and before is not None:
            self._compared = (*self._compared, kept)
        else:
            measured = tuple(r for r in self._compared if r.measured is not None and r is not before)
            self._current_run = kept
            self._compared = measured if before is None else (before, *measured)
        self.runs_changed.emit()

    def replace_run(self, old: Run, new: Run) -> None:
        """Put another run in the place of a kept one."""
        if old not in self._runs:
            return
        self._runs = tuple(new if run is old else run for run in self._runs)
        self._compared = tuple(new if run is old else run for run in self._compared)
        self._current_run = new if self._current_run is old else self._current_run
        self.runs_changed.emit()

    def show_run(self, run: Run | None) -> None:
        """Make a kept run the current one."""
        if run is not None and run not in self._runs:
            return
        self._current_run = run
        self._compared = tuple(other for other in self._compared if other is not run)
        self.runs_changed.emit()

    def compare(self, run: Run, on: bool) -> None:
        """Draw a kept run over the current one, or stop doing so."""
        if run not in self._runs or run is self._current_run:
            return
        others = tuple(other for other in self._compared if other is not run)
        self._compared = (*others, run) if on else others
        self.runs_changed.emit()

    @property
    def removed(self) -> Run | None:
        """The run that was removed last, which can be restored."""
        return None if self._removed is None else self._removed[1]

    def remove_run(self, run: Run) -> None:
        """Remove a run as a person asks for it: until another one is removed it can be restored."""
        if run in self._runs:
            self._removed = (self._runs.index(run), run)
            self.drop_run(run)

    def restore_run(self) -> None:
        """Put the run that was removed last where it was, and show it."""
        if self._removed is None:
            return
        position, run = self._removed
        self._removed = None
        self._runs = (*self._runs[:position], run, *self._runs[position:])
        self.show_run(run)

    def drop_run(self, run: Run) -> None:
        """Drop a run for good."""
        self._runs = tuple(other for other in self._runs if other is not run)
        self._compared = tuple(other for other in self._compared if other is not run)
        if self._current_run is run:
            self._current_run = self._runs[-1] if self._runs else None
            self._compared = tuple(other for other in self._compared if other is not self._current_run)
        self.runs_changed.emit()

    # -- problems

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything found, errors first."""
        order = ("error", "warning", "note")
        every = [problem for group in self._problems.values() for problem in group]
        return tuple(sorted(every, key=lambda problem: order.index(problem.severity)))

    def set_problems(self, source: str, problems: Iterable[Problem]) -> None:
        """Replace what one source has found."""
        found = tuple(problems)
        if self._problems.get(source, ()) == found:
            return
        self._problems[source] = found
        self.problems_changed.emit()

    # -- files

    def new(self) -> None:
        """Begin a new project."""
        self._begin(new_project(), None)

    def open(self, path: str | Path) -> None:
        """Open a project file. Raises InputError when it cannot be used; the current project then stays."""
        path = Path(path).absolute()
        self._begin(load_project(path), path)

    def start_from(self, project: Project, path: Path | None = None) -> None:
        """Begin with a project that has been read already: an example, say, which has no file."""
        self._begin(project, path)

    def recover(self, project: Project, path: Path | None) -> None:
        """Take up work that a crash left behind; it counts as not saved.

        Where its track cannot be built the one of its file, if that can, is the last good one.
        """
        self._begin(project, path, recovered=True)
        if path is not None and self._good is None and self.built() is None:
            try:
                self._good = built_or_fault(load_project(path).track)[0]
            except InputError:
                return
            self.project_changed.emit(EVERYTHING)

    def save(self, write: Writer = save_project) -> None:
        """Write the project to its file. Raises InputError when that fails, ValueError without a file."""
        if self._path is None:
            raise ValueError("the document has no file yet")
        self.save_as(self._path, write)

    def save_as(self, path: str | Path, write: Writer = save_project) -> None:
        """Write the project to a file, which becomes its file; write: who does it. Raises InputError when that
        fails."""
        path, project = Path(path).absolute(), self._project
        write(project, path)
        self._path = path
        if self._project is project:
            self._recovered = False
            self.undo_stack.setClean()
        else:  # what was changed meanwhile the file does not hold
            self.undo_stack.resetClean()
        self.saved.emit()
        self.title_changed.emit()

    def take_over(self, project: Project) -> None:
        """Take what another program wrote to the file, as a step that can be undone; it counts as saved."""
        self.apply("Load the file's version", project, exactly=True)
        self._recovered = False
        self.undo_stack.setClean()
        self.saved.emit()
        self.title_changed.emit()

    def keep_mine(self) -> None:
        """The file holds something else now, and this project is to stay: it counts as not saved."""
        self._recovered = True
        self.saved.emit()
        self.title_changed.emit()

    def _begin(self, project: Project, path: Path | None, *, recovered: bool = False) -> None:
        self.preview(None)
        self.undo_stack.clear()
        self._project, self._path, self._recovered = project, path, recovered
        self._before = self._open = None
        self._good = None
        self._runs, self._current_run, self._compared, self._colour = (), None, (), 0
        self._removed = None
        self._problems = {}
        self.begun.emit()
        self.select(NOTHING)
        self._look_at_track()
        self.project_changed.emit(EVERYTHING)
        self.runs_changed.emit()
        self.problems_changed.emit()
        self.title_changed.emit()
