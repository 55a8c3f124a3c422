"""One run as the report reads it: signals, places and judgements, each found once."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import Executor, Future
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..charts.signals import RunSignals
from ..design.rider_clearance import RiderClearance, asks_for_reach, rider_clearance
from ..injury.filters import ride_filter
from ..injury.history import History
from ..model.masses import mass_budget
from ..outcome.rider_view import Judgement, RiderJudgement
from ..outcome.seats import SeatAssessment, Verdicts, assess_seats, judge_run, judged_history
from ..outcome.second_engine import CrossCheck
from ..outcome.uncertainty import Uncertainty
from ..project.project import Project
from ..results.file import compact_channels
from ..results.results import Results
from ..track.build import BuiltTrack, build_track
from ..track.check import TrackReport, check_track

FEW = 3  # a track of no more sections than this has its long ones cut into pieces
PIECE = 100.0  # m


@dataclass(frozen=True)
class Stretch:
    """A section of the track, or a piece of a long imported one: number on the drawings, name, span (m)."""

    number: int
    name: str
    s0: float
    s1: float


@dataclass(frozen=True)
class OtherRun:
    """A run to compare with, and what it is called."""

    name: str
    project: Project
    results: Results


class RunView:
    """A run with its project, perhaps beside another run. Everything is computed when first asked for and kept."""

    #: Where what the verdicts assume is set, and how many digits values have, where they were not looked for.
    assumed_where = "Set in the scenario of the project (Rider assessment)."
    figures = "Values to three digits; how many of them the tolerance of the run carries was not looked for."

    def __init__(
        self,
        project: Project,
        results: Results,
        other: OtherRun | None = None,
        uncertainty: Uncertainty | None = None,
        second: CrossCheck | None = None,
        known: Verdicts | None = None,
    ) -> None:
        """other: a run to compare with; uncertainty of the values, where it was looked for; second: what a second
        engine says of the design; known: the verdicts by the project's rider assessment, where somebody has them."""
        self.project = project
        self.results = results
        self.other = other
        self.second = second
        self._known = known
        self.uncertainty: Uncertainty = {} if uncertainty is None else uncertainty
        self._histories: dict[tuple[str, str], History | None] = {}
        self._smooth: dict[tuple[str, str], Array | None] = {}
        self._hash: Future[str] | None = None

    @cached_property
    def built(self) -> BuiltTrack | None:
        """The built track; None for a rig."""
        return None if self.project.track is None else build_track(self.project.track, ride=False)

    @cached_property
    def track_report(self) -> TrackReport | None:
        """Figures and findings of the track."""
        if self.project.track is None or self.built is None:
            return None
        return check_track(self.project.track, self.built)

    @cached_property
    def reached(self) -> RiderClearance | None:
        """What riders reach along the track as they rode; None where it asks for the box alone."""
        return (
            rider_clearance(self.project, self.built, self.results) if asks_for_reach(self.project) else None
        )

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """The sections in running order; where there are hardly any, pieces of about 100 m of them; none for a rig."""
        if self.built is None:
            return ()
        spans: list[tuple[str, float, float]] = []
        for span in self.built.sections:
            count = max(1, round((span.s1 - span.s0) / PIECE)) if len(self.built.sections) <= FEW else 1
            borders = np.linspace(span.s0, span.s1, count + 1)
            spans += [(span.name, float(s0), float(s1)) for s0, s1 in pairwise(borders)]
        return tuple(Stretch(k + 1, *span) for k, span in enumerate(spans))

    def stretch_at(self, s: float) -> Stretch | None:
        """The stretch at an arc length (m), which may be counted on over laps; None for a rig."""
        if self.built is None:
            return None
        inside = float(self.built.centreline.wrap(s)[0])
        return next((one for one in self.stretches if inside < one.s1), self.stretches[-1])

    @cached_property
    def cars(self) -> tuple[str, ...]:
        """Cars with a speed signal, in the order of the train."""
        names = [name.split("/") for name in self.results.channels]
        return tuple(n[1] for n in names if len(n) == 3 and n[0] == "car" and n[2] == "speed")

    @property
    def riders(self) -> tuple[str, ...]:
        """Names of the riders, "<car>/<rider>" or "<rider>"."""
        return tuple(self.results.names.riders)

    @cached_property
    def seats(self) -> tuple[SeatAssessment, ...]:
        """The assessed seats."""
        if self._known is not None:
            return self._known.seats
        return assess_seats(self.results, self.project.evaluation)

    @cached_property
    def judged_on(self) -> tuple[str, ...]:
        """Everybody and everything with a verdict: riders, then assessed seats."""
        return (*self.riders, *(seat.seat for seat in self.seats))

    @property
    def who(self) -> str:
        """What the verdicts are on, as the head of a column."""
        return "Rider or seat" if self.riders and self.seats else "Seat" if self.seats else "Rider"

    @cached_property
    def signals(self) -> RunSignals:
        """Every signal of the run by its name."""
        return RunSignals(self.results, self.project)

    def channel(self, car: str, name: str) -> Array | None:
        """A signal of a car, such as "speed", on the sample grid."""
        found = self.results.channels.get(f"car/{car}/{name}")
        return None if found is None else found.values

    def history(self, rider: str, part: str) -> History | None:
        """Acceleration history of a part of a rider, or at a seat; None when the run has none that can be judged."""
        key = rider, part
        if key not in self._histories:
            try:
                self._histories[key] = judged_history(self.results, rider, part)
            except InputError:
                self._histories[key] = None
        return self._histories[key]

    def smooth(self, rider: str, part: str) -> Array | None:
        """Acceleration (n, 3) g of a part through the 5 Hz ride filter; None when the record does not allow it."""
        key = rider, part
        if key not in self._smooth:
            history = self.history(rider, part)
            try:
                self._smooth[key] = (
                    None if history is None else ride_filter(history.time, history.acceleration)
                )
            except InputError:
                self._smooth[key] = None
        return self._smooth[key]

    @cached_property
    def judgement(self) -> Judgement:
        """Every criterion on every part of every rider, the same as the studio shows, and on every assessed seat; with
        the results of the other run beside them, judged alike."""
        known = self._known
        own = (
            judge_run(self.results, self.project.evaluation, self.seats) if known is None else known.judgement
        )
        if self.other is None:
            return own
        return own.against(judge_run(self.other.results, self.project.evaluation))

    @property
    def judged(self) -> tuple[RiderJudgement, ...]:
        """The rows of the judgement; the least margin first, those without a limit last."""
        return self.judgement.rows

    def place_at(self, time: float, car: str | None = None) -> float | None:
        """Arc length (m) of a car at a time (s), by default of the first; None without a track."""
        car = car if car in self.cars else (self.cars[0] if self.cars else None)
        position = None if car is None else self.channel(car, "arc_length")
        return None if position is None else float(np.interp(time, self.results.sample_time, position))

    @cached_property
    def moving_mass(self) -> float | None:
        """Mass (kg) of all that moves: bodies, flexible ones, couplings, riders, passengers on seats; None without a
        model."""
        top = self.project.assembly
        return None if top is None else mass_budget(top).total

    def car_of(self, rider: str) -> str | None:
        """The car a rider sits in; the first one for a rider of no known car."""
        name = rider.split("/")[0]
        return name if name in self.cars else (self.cars[0] if self.cars else None)

    @cached_property
    def project_hash(self) -> str:
        """SHA-256 of the project's canonical JSON."""
        data = json.dumps(self.project.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(data.encode()).hexdigest()

    def hash_beside(self, beside: Executor) -> None:
        """Begin to find the hash of the results while the rest of the report is made."""
        self._hash = beside.submit(self._find_hash)

    @cached_property
    def results_hash(self) -> str:
        """SHA-256 of what the run gave: sample grid, channels, energies and violations.

        The states are left out, and channels count as a compact results file keeps them: the hash is to be the same for
        a run in memory.
        """
        return self._find_hash() if self._hash is None else self._hash.result()

    def _find_hash(self) -> str:
        digest = hashlib.sha256()
        results = self.results

        def add(name: str, values: Any) -> None:
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(values, dtype="<f8").tobytes())

        add("sample_time", results.sample_time)
        for name, values in compact_channels(results):
            add(name, values)
        for part in (results.energy, results.violations):
            for one in fields(part):
                add(one.name, getattr(part, one.name))
        return digest.hexdigest()
