"""Values of a run that a contact caused: which contact, and, where it is asked for, what becomes of the value with that
contact half and twice as stiff."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from ...core.outcome.rider_view import RiderJudgement
from ...core.results.results import Results
from ..document.document import Document
from ..document.runs import Run
from ..widgets import units
from ..work.assessment import assessment_of
from ..work.inquiry import Inquiry
from ..work.task import ProgressReporter

if TYPE_CHECKING:
    from ...core.outcome.contact_peaks import Peak, Stiffness  # compiled kernels, slow to load

ASK, STOP = "half-and-twice", "stop"  # what the links in the words say
#: Steps times bodies of a run whose rides with another stiffness begin by themselves: some 10 s of one processor each.
LIGHT: Final = 600_000
Key = tuple[str, str, str]


def _ride(asked: tuple[Results, Peak], reporter: ProgressReporter) -> Stiffness | None:
    """A peak with its contact half and twice as stiff; None when stopped."""
    from ...core.outcome.contact_peaks import half_and_twice

    results, peak = asked
    found = half_and_twice(results, (peak,), reporter.progress, reporter.stopped)
    return None if reporter.stopped() else found[0]


class ContactCauses(QObject):
    """What contacts caused in the runs of a document. `changed`: there is more to be said."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._assessment = assessment_of(document)
        self._assessment.contacted.connect(lambda _run: self.changed.emit())
        self._known: dict[tuple[int, Key], Stiffness] = {}
        self._asked: tuple[int, Key] | None = None
        self._share = 0.0
        self._offered: set[tuple[int, Key]] = set()
        self._rides: Final = Inquiry(
            "stiffness", _ride, document, self, failing="The ride with another stiffness failed"
        )
        self._rides.answered.connect(self._on_answer)
        self._rides.changed.connect(self.changed)
        self._rides.progressed.connect(self._on_progress)

    def close(self) -> None:
        """End the thread."""
        self._rides.close()

    def of(self, run: Run | None) -> dict[Key, Peak]:
        """The values of a run that a contact caused, by rider, part and criterion; empty until they are known."""
        found = None if run is None else self._assessment.contacts(run)
        return {} if found is None else {one.key: one for one in found.peaks}

    def ask(self, run: Run, row: RiderJudgement) -> None:
        """Ride twice more, with the contact half and twice as stiff."""
        peak = self.of(run).get(row.key)
        if peak is not None and not self._rides.running:
            self._asked, self._share = (id(run.results), row.key), 0.0
            self._rides.ask(run, (run.results, peak))

    def look(self, run: Run, row: RiderJudgement) -> None:
        """A value is looked at: where it takes seconds, ride with its contact half and twice as stiff unasked, once."""
        key = id(run.results), row.key
        cost = len(run.results.states.time) * len(run.results.names.bodies)
        if key in self._offered or cost > LIGHT or self._rides.running or row.key not in self.of(run):
            return
        self._offered.add(key)
        if key not in self._known and run.results.provenance.get("project"):
            self.ask(run, row)

    def follow(self, link: str, run: Run, row: RiderJudgement) -> None:
        """Do what a link in the words says."""
        if link == STOP:
            self._rides.give_up()
        elif link == ASK:
            self.ask(run, row)

    def words(self, run: Run | None, row: RiderJudgement) -> str:
        """What is to be said of a value, as rich text: the contact that caused it, and its stiffness; "" for none."""
        peak = self.of(run).get(row.key)
        if run is None or peak is None:
            return ""
        first = f"{self._blow(run, peak)}<b>Caused by a contact:</b> {escape(peak.sentence)}"
        key = id(run.results), row.key
        if key in self._known:
            return f"{first}; {escape(self._known[key].sentence)}."
        if self._rides.running and self._asked == key:
            return f"{first}. Riding with it half and twice as stiff, {self._share:.0%}… <a href='{STOP}'>Stop</a>"
        if self._rides.why and self._asked == key:
            return f"{first}. {escape(self._rides.why)}"
        if self._rides.running:
            return f"{first}."
        return f"{first}. <a href='{ASK}'>Ride with it half and twice as stiff</a>"

    def _blow(self, run: Run, peak: Peak) -> str:
        """What a contact of the head did by itself, in a line of its own; "" for other parts."""
        found = self._assessment.contacts(run)
        for one in () if found is None or peak.part != "head" else found.blows:
            if (one.rider, one.contact) == (peak.rider, peak.contact) and one.hic is not None:
                clip = "" if one.clip is None else f", 3 ms {units.text(one.clip, 'g', decimals=2)}"
                force = units.text(one.force, "N", decimals=0)
                return f"Head on {escape(one.contact)} alone: HIC15 {one.hic:.3g}{clip}, {force}.<br>"
        return ""

    def _on_answer(self, found: Any) -> None:
        if self._asked is not None:
            self._known[self._asked] = found
        self.changed.emit()

    def _on_progress(self, share: float, _text: str) -> None:
        self._share = share
        self.changed.emit()
