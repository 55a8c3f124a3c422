"""Values of a run that a contact caused: which contact, and, where it is asked for, what becomes of the value with that
contact half and twice as stiff."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
    # compiled kernels, slow to load
    from ...core.outcome.contact_peaks import Peak
    from ...core.outcome.contact_stiffness import Stiffness

ASK, WHOLE, STOP = "half-and-twice", "whole", "stop"  # what the links in the words say
Key = tuple[str, str, str]


class _Asked(NamedTuple):
    """Peaks of one contact of a rider of a run, and whether the whole train is to ride again for them."""

    results: Results
    peaks: tuple[Peak, ...]
    whole: bool


def _ride(asked: _Asked, reporter: ProgressReporter) -> tuple[Stiffness, ...] | None:
    """Peaks with their contact half and twice as stiff; None when stopped."""
    from ...core.outcome.contact_stiffness import half_and_twice

    results, peaks, whole = asked
    found = half_and_twice(results, peaks, reporter.progress, reporter.stopped, whole=whole)
    return None if reporter.stopped() else found


class ContactCauses(QObject):
    """What contacts caused in the runs of a document. `changed`: there is more to be said."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._assessment = assessment_of(document)
        self._assessment.contacted.connect(lambda _run: self.changed.emit())
        self._known: dict[tuple[int, Key], Stiffness] = {}
        self._asked: tuple[int, set[Key]] = (0, set())
        self._share = 0.0
        self._offered: set[tuple[int, Key]] = set()
        self._looked: tuple[Run, RiderJudgement] | None = None
        self._rides: Final = Inquiry(
            "stiffness", _ride, document, self, failing="The ride with another stiffness failed"
        )
        self._rides.answered.connect(self._on_answer)
        self._rides.changed.connect(self.changed)
        self._rides.progressed.connect(self._on_progress)
        document.begun.connect(self._forget)

    def of(self, run: Run | None) -> dict[Key, Peak]:
        """The values of a run that a contact caused, by rider, part and criterion; empty until they are known."""
        found = None if run is None else self._assessment.contacts(run)
        return {} if found is None else {one.key: one for one in found.peaks}

    def ask(self, run: Run, row: RiderJudgement, *, whole: bool = False) -> None:
        """Ride again with the contact half and twice as stiff, for all values of the rider that it caused."""
        peaks = self.of(run)
        peak = peaks.get(row.key)
        if peak is not None and not self._rides.running:
            same = {k: p for k, p in peaks.items() if (p.rider, p.contact) == (peak.rider, peak.contact)}
            self._asked, self._share = (id(run.results), set(same)), 0.0
            self._rides.ask(run, _Asked(run.results, tuple(same.values()), whole))

    def look(self, run: Run, row: RiderJudgement) -> None:
        """A value is looked at: ride with its contact half and twice as stiff unasked, once, when none else rides."""
        self._looked = run, row
        key = id(run.results), row.key
        if key in self._offered or self._rides.running or row.key not in self.of(run):
            return
        self._offered.add(key)
        if key not in self._known and run.results.provenance.get("project"):
            self.ask(run, row)

    def follow(self, link: str, run: Run, row: RiderJudgement) -> None:
        """Do what a link in the words says."""
        if link == STOP:
            self._rides.give_up()
        elif link in (ASK, WHOLE):
            self.ask(run, row, whole=link == WHOLE)

    def words(self, run: Run | None, row: RiderJudgement) -> str:
        """What is to be said of a value, as rich text: the contact that caused it, and its stiffness; "" for none."""
        peak = self.of(run).get(row.key)
        if run is None or peak is None:
            return ""
        first = f"{self._blow(run, peak)}<b>Caused by a contact:</b> {escape(peak.sentence)}"
        known = self._known.get((id(run.results), row.key))
        asked = self._asked[0] == id(run.results) and row.key in self._asked[1]
        if known is not None:
            first = f"{first}; {escape(known.sentence)}"
            if not known.alone:
                return f"{first}."
            first += ", for this rider alone" if known.holds else ""
        if self._rides.running and asked:
            return f"{first}. Riding with it half and twice as stiff, {self._share:.0%}… <a href='{STOP}'>Stop</a>"
        if self._rides.why and asked:
            return f"{first}. {escape(self._rides.why)}"
        if known is not None:
            return f"{first}." + (
                "" if self._rides.running else f" <a href='{WHOLE}'>Let the whole train ride</a>"
            )
        if self._rides.running:
            return f"{first}. Half and twice as stiff: after another, {self._share:.0%}… <a href='{STOP}'>Stop</a>"
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
        self._known |= {(self._asked[0], one.peak.key): one for one in found}
        self.changed.emit()
        if self._looked is not None:
            self.look(*self._looked)

    def _forget(self) -> None:
        """Another project has other runs."""
        self._known.clear()
        self._offered.clear()
        self._looked, self._asked = None, (0, set())

    def _on_progress(self, share: float, _text: str) -> None:
        self._share = share
        self.changed.emit()
