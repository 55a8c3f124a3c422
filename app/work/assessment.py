"""What the kept runs do to their riders: judged once, off the thread of the window, for every panel that asks."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.model.outputs import SLIPS
from ...core.results.results import Results
from ..document.document import Change, Document
from ..document.runs import Run
from .task import ProgressReporter, Task

if TYPE_CHECKING:
    from ...core.outcome.contact_peaks import ContactPeaks
    from ...core.outcome.rider_view import Judgement  # compiled kernels, slow to load
    from ...core.outcome.seats import SeatAssessment, Verdicts

NAME: Final = "assessment"


class Answer(NamedTuple):
    """The verdicts on a run; refused: those on its riders could not be made."""

    verdicts: Verdicts
    refused: bool = False


def assessment_of(document: Document) -> Assessment:
    """The rider assessment of a document, the same for all who ask."""
    found = document.findChild(Assessment, NAME)
    return found if isinstance(found, Assessment) else Assessment(document)


def min_margins(results: Results, options: EvaluationOptions) -> tuple[tuple[Array, Array], ...]:
    """For each rider the arc length (n,) m of the car and what is left of the limits there, (n,) as a part of them."""
    from ...core.injury.used_limit import used_over_time  # compiled kernels, slow to load
    from ...core.outcome.rider_view import rider_history

    found = []
    for rider in results.names.riders:
        with suppress(InputError):
            history = rider_history(results, rider, "pelvis")
            if history.arc_length is not None:
                found.append((np.asarray(history.arc_length), 1.0 - used_over_time(history, options)))
    return tuple(found)


def _answer_to(
    asked: tuple[tuple[Any, ...], Results, EvaluationOptions], _reporter: ProgressReporter
) -> tuple[Any, Any]:
    """What was asked for, and the answer."""
    from ...core.outcome.contact_peaks import ContactPeaks, contact_peaks
    from ...core.outcome.rider_view import Judgement, by_margin, judge_riders
    from ...core.outcome.seats import Verdicts, assess_seats, judge_run, seat_judgements

    key, results, options = asked
    if key[0] == "margins":
        return key, min_margins(results, options)
    if key[0] == "contacts":
        with suppress(InputError):
            return key, contact_peaks(results, judge_riders(results, options))
        return key, ContactPeaks((), (), ())
    seats = assess_seats(results, options)
    try:
        return key, Answer(Verdicts(judge_run(results, options, seats).looked_at(), seats))
    except InputError as error:  # of its riders; the seats have their verdicts
        of_seats = Judgement(tuple(by_margin(seat_judgements(seats))), (error.said,))
        return key, Answer(Verdicts(of_seats, seats), refused=True)


class Assessment(QObject):
    """Judgements by run, for the options the project has now.

    `judged`, `margined` and `contacted` carry the run whose answer has come; `outdated`: the options have
    changed.
    """

    judged = Signal(object)
    margined = Signal(object)
    contacted = Signal(object)
    outdated = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setObjectName(NAME)
        self._document = document
        self._answers: dict[Hashable, tuple[Run, Any]] = {}
        self._waiting: dict[Hashable, Run] = {}
        self._work = Task(NAME, _answer_to, self, latest=False)
        self._work.finished.connect(self._on_done)
        self._options = document.project.evaluation
        document.project_changed.connect(self._on_project)
        document.runs_changed.connect(self._on_runs)

    @property
    def options(self) -> EvaluationOptions:
        """Rider assessment: by the project as it is now, without riding again."""
        return self._document.project.evaluation

    def judgement(self, run: Run) -> Judgement | None:
        """The judgement of a run, of its riders and its seats; None while it is being made, `judged` follows."""
        found: Answer | None = self._answer("verdicts", run)
        return None if found is None else found.verdicts.judgement

    def known(self, run: Run) -> Verdicts | None:
        """The verdicts on a run, for who would make the same; None where they are not known yet, or were refused."""
        found: tuple[Run, Answer] | None = self._answers.get(self._key("verdicts", run))
        return None if found is None or found[1].refused else found[1].verdicts

    def margins(self, run: Run) -> tuple[tuple[Array, Array], ...] | None:
        """What `min_margins` finds for a run; None while it is being made, `margined` follows."""
        found: tuple[tuple[Array, Array], ...] | None = self._answer("margins", run)
        return found

    def seats(self, run: Run) -> tuple[SeatAssessment, ...] | None:
        """The assessed seats of a run; None while they are being assessed, `judged` follows."""
        found: Answer | None = self._answer("verdicts", run)
        return None if found is None else found.verdicts.seats

    def judges(self, run: Run) -> bool:
        """Whether a run has somebody, or a seat, that can be judged."""
        from ...core.outcome.seats import assessed_in

        return bool(run.results.names.riders or assessed_in(run.results))

    def contacts(self, run: Run) -> ContactPeaks | None:
        """What contacts did to riders and which values they caused; None where nothing touches, and while it is looked
        for, `contacted` follows."""
        if not any(name.endswith(SLIPS) for name in run.results.names.springs):
            return None
        found: ContactPeaks | None = self._answer("contacts", run)
        return found

    def _key(self, what: str, run: Run) -> tuple[Hashable, ...]:
        return what, id(run.results), self.options, limits_stamp()

    def _answer(self, what: str, run: Run) -> Any:
        key = self._key(what, run)
        if key in self._answers:
            return self._answers[key][1]
        if key not in self._waiting:
            self._waiting[key] = run
            self._work.ask((key, run.results, self.options))
        return None

    def _on_done(self, found: tuple[tuple[Any, ...], Any]) -> None:
        key, answer = found
        asked = self._waiting.pop(key, None)
        run = None if asked is None else self._of(asked)
        if run is None:
            return
        self._answers = {
            k: kept
            for k, kept in self._answers.items()
            if not (isinstance(k, tuple) and k[:2] == key[:2])  # an older answer about the same
        }
        self._answers[key] = (run, answer)
        told = {"margins": self.margined, "contacts": self.contacted}
        told.get(key[0], self.judged).emit(run)

    def _on_project(self, _change: Change) -> None:
        if self.options != self._options:
            self._options = self.options
            self.outdated.emit()

    def _of(self, asked: Run) -> Run | None:
        """The kept run with the results of another one: the same under another name, for example."""
        return next((run for run in self._document.runs if run.results is asked.results), None)

    def _on_runs(self) -> None:
        self._answers = {key: kept for key, kept in self._answers.items() if self._of(kept[0]) is not None}


def limits_stamp() -> tuple[tuple[str, int, int], ...]:
    """What changes when a limit table of the user's is added, changed or removed."""
    from ...core.injury.limit_files import stamp, user_files

    return tuple((file.id, *stamp(file)) for file in user_files())
