"""Degrees of freedom, redundant rows and the assembling of the drawn pose, worked out beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from ...core.base.errors import InputError
from ...core.base.sentence import counted
from ...core.project.project import Project
from ...core.project.scenario import Rig
from ...core.results.results import ModelSize
from ...core.track.build import BuiltTrack
from ..document.document import Change, Document
from ..widgets import units
from ..work.task import ProgressReporter, Task

if TYPE_CHECKING:
    from ...core.solver.assemble import AssemblyReport

DELAY = 400  # ms after the last edit


@dataclass(frozen=True)
class Mobility:
    """Size of the compiled model and how far assembling moves it; or why that cannot be said."""

    size: ModelSize | None = None
    report: AssemblyReport | None = None
    fault: str = ""


def mobility_of(project: Project, built: BuiltTrack | None) -> Mobility:
    """Compile and assemble the scenario of a project and count what moves.

    A ride is looked at with 1 m/s at its start position, whatever its start speed, which needs a simulation to find.
    """
    from ...core.multibody.compile import compile_system
    from ...core.solver.assemble import assemble, model_size
    from ...core.solver.kkt import new_factor

    try:
        system = compile_system(
            project, speed=None if isinstance(project.scenario, Rig) else 1.0, built=built
        )
        state, report = assemble(system, new_factor(system))
        return Mobility(model_size(system, state), report)
    except InputError as error:
        return Mobility(fault=units.told(error))


def summary_lines(found: Mobility) -> tuple[str, ...]:
    """What is known, as sentences for a person."""
    if found.size is None or found.report is None:
        return (found.fault,)
    size = found.size
    free = counted(size.degrees_of_freedom, "degree of freedom", "degrees of freedom")
    of = f"{counted(size.coordinates, 'coordinate')} of {counted(size.bodies, 'body', 'bodies')}"
    lines = [f"{free}: {of}, {counted(size.rank, 'independent row')}."]
    if size.redundant:
        shown = ", ".join(size.redundant[:6]) + (" …" if len(size.redundant) > 6 else "")
        lines.append(
            f"{counted(len(size.redundant), 'redundant row')}, implied by the others already: {shown}."
        )
    else:
        lines.append("No redundant rows.")
    return (*lines, *_assembly_lines(found.report))


def _assembly_lines(report: AssemblyReport) -> tuple[str, ...]:
    if report.violation_before < 1e-9:
        return ("As drawn everything meets; assembling moves nothing.",)
    gap = units.text(report.violation_before, "mm", decimals=3)
    moved = units.text(report.translation, "mm", decimals=3)
    turned = units.text(report.rotation, "rad", decimals=3)
    worst = report.worst_before[0].upper() + report.worst_before[1:]
    return (
        f"{worst} is open by {gap} as drawn.",
        f"Assembling closes it: it moves bodies by at most {moved} ({report.translated}) and turns them by at most"
        f" {turned} ({report.rotated}).",
    )


class MobilityCheck(QObject):
    """Looks at the model some time after it was last changed, only while somebody wants to know.

    The work takes about half a second. `found` carries a Mobility; None while it is being worked out anew.
    """

    found = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._wanted = False
        self._known: tuple[Project, Mobility] | None = None
        self._task = Task("model check", _looked_at, self)
        self._task.finished.connect(self._finished)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self._start)
        document.project_changed.connect(self._changed)

    @property
    def current(self) -> Mobility | None:
        """What is known about the project as it is; None while it is not known."""
        if self._known is not None and _same_model(self._known[0], self._document.project):
            return self._known[1]
        return None

    def want(self, on: bool) -> None:
        """Say whether the answer is shown anywhere."""
        self._wanted = on
        if not on:
            self._timer.stop()
        elif self.current is None:
            self._timer.start()

    def _changed(self, change: Change) -> None:
        if change.track or change.train or change.scenario:
            self.found.emit(self.current)
            if self._wanted:
                self._timer.start()

    def _start(self) -> None:
        if not self._wanted or self.current is not None:
            return
        project = self._document.project
        self._task.ask((project, self._document.built(project)))

    def _finished(self, found: tuple[Project, Mobility]) -> None:
        self._known, mobility = found, found[1]
        if self.current is not None:
            self.found.emit(mobility)
        elif self._wanted:
            self._timer.start()


def _looked_at(
    asked: tuple[Project, BuiltTrack | None], _reporter: ProgressReporter
) -> tuple[Project, Mobility]:
    return asked[0], mobility_of(*asked)


def _same_model(a: Project, b: Project) -> bool:
    return a is b or (a.track == b.track and a.train == b.train and a.scenario == b.scenario)
