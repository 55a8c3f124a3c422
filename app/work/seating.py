"""Riders are made and fitted beside the window: a size that is dragged, somebody who is put on a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from ...core.base.errors import InputError
from ...core.edits.elements import element_at
from ...core.edits.riders import seat_person, set_person
from ...core.human.findings import seat_fits
from ...core.human.population import Named
from ...core.project.project import Project
from ..document.document import Document
from ..document.selection import Selection
from .task import ProgressReporter, Task

NAME: Final = "seating"
Path = tuple[str, ...]
Made = tuple[Project, Path]


class _Asked(NamedTuple):
    """What is made of the project `of`: by `edit`, which says who it is about too; step: its name, "" while it is
    only looked at; merge: consecutive steps become one."""

    of: Project
    edit: Callable[[Project], Made]
    step: str
    merge: bool


def seating_of(document: Document) -> Seating:
    """The seating of a document, the same for all who ask."""
    found = document.findChild(Seating, NAME)
    return found if isinstance(found, Seating) else Seating(document)


def _answer(asked: _Asked, _reporter: ProgressReporter) -> tuple[_Asked, Made]:
    made, path = asked.edit(asked.of)
    if made.assembly is not None:
        seat_fits(made.assembly)  # kept: whoever draws the fit has it at once
    return asked, (made, path)


class Seating(QObject):
    """The latest wish counts. What is looked at becomes the preview of the document, what has a step becomes one. One
    body is made at a time, and looked at also when another one is wished for meanwhile: a drag is followed.

    `refused`: a fault; `settled`: nothing is under way any more.
    """

    refused = Signal(object)
    settled = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setObjectName(NAME)
        self._document = document
        self._asked: _Asked | None = None
        self._making: _Asked | None = None
        self._work = Task(NAME, _answer, self, failing="Nobody could be seated")
        self._work.finished.connect(self._on_made)
        self._work.refused.connect(self._on_refused)
        document.begun.connect(self._forget)

    @property
    def under_way(self) -> bool:
        """Whether somebody is being made."""
        return self._asked is not None

    def look(self, path: Path, fields: dict[str, object]) -> None:
        """Show a rider with other fields of the person, as a preview."""
        self._ask(lambda project: (set_person(project, path, fields), path), "", False)

    def resize(self, path: Path, fields: dict[str, object], step: str) -> None:
        """Make a rider another person, as a step; consecutive ones of one name become one."""
        self._ask(lambda project: (set_person(project, path, fields), path), step, True)

    def keep(self, step: str) -> bool:
        """Make a step of what is looked at, at once or when it is made; whether there is anything."""
        if self._asked is not None:
            self._asked = self._asked._replace(step=step)
            return True
        made = self._document.previewed
        if made is not None:
            self._document.apply(step, made)
        return made is not None

    def seat(self, where: str, somebody: Named) -> None:
        """Put somebody on a seat, by its path, in the place of who sits there, and select the rider."""
        self._ask(lambda project: seated(project, where, somebody), f"Seat {somebody.label}", False)

    def _ask(self, edit: Callable[[Project], Made], step: str, merge: bool) -> None:
        self._asked = _Asked(self._document.project, edit, step, merge)
        self._make()

    def _make(self) -> None:
        """Begin with the latest wish, unless an earlier one is being made."""
        if self._making is None and self._asked is not None:
            self._making = self._asked
            self._work.ask(self._asked)

    def _forget(self) -> None:
        self._asked = None

    def _overtaken(self) -> bool:
        """Whether what was being made is not what is wished for by now; nothing is being made any more."""
        was, self._making = self._making, None
        return was is None or self._asked is None or was.edit is not self._asked.edit

    def _on_made(self, answer: tuple[_Asked, Made]) -> None:
        of, (made, path) = answer
        overtaken, asked = self._overtaken(), self._asked
        if asked is None:
            return
        stale = of.of is not self._document.project
        if overtaken:
            if not (stale or of.step or asked.step):
                self._document.preview(made)
            self._make()
            return
        if stale:  # somebody else was quicker: of what there is now
            self._ask(asked.edit, asked.step, asked.merge) if asked.step else self._end()
            return
        self._asked = None
        if not asked.step:
            self._document.preview(made)
        else:
            self._document.apply(asked.step, made, merge=asked.step if asked.merge else None)
            if self._document.selection.path != path:
                self._document.select(Selection("assembly", path))
        self.settled.emit()

    def _on_refused(self, fault: InputError) -> None:
        if self._overtaken():
            self._make()
            return
        self.refused.emit(fault)
        self._end()

    def _end(self) -> None:
        self._asked = None
        self.settled.emit()


def seated(project: Project, where: str, somebody: Named) -> Made:
    """Somebody on a seat, by its path, in the place of who sits there, and the path of the rider.

    Where the seat does not say what it is made of nothing but its pelvis holds a rider, so that it is fixed there.
    Raises InputError when no body can be made.
    """
    seat = element_at(project, "seat", tuple(where.split("/")))
    held = seat.shape is None and seat.restraint is None
    return seat_person(project, where, somebody.person.model_copy(update={"held": held}))
