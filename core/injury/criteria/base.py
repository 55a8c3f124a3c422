"""What every criterion declares; each has one file in this folder.

A criterion's file holds its computation, the tables it reads, its entries (title, unit, words, needs) and CRITERIA, a
tuple of `Criterion`. Everything else of the program - injury panel, report, command line, studies - follows from these;
no other file needs to know the criterion (see `core.injury.criteria`). Criteria that share one computation stand in one
file.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.evaluation import EvaluationOptions
from ..filters import FilterName
from ..history import History
from ..limits import ScalarLimit
from ..onset import onset_rate
from ..parts import PARTS, Part
from ..result import About, CriterionResult, Signal, margin_and_verdict
from ..rider_axes import Direction, directional

NOTHING = About()
#: The shortest load (s) that any criterion is about.
SHORTEST = 0.003
Need = Literal["gravity", "rotation rates", "arc length", "neck loads", "NCA of carbody and rail plane"]


@dataclass(frozen=True, eq=False)
class CriterionTrace:
    """A signal over time: time (n,) s, values (n,), unit, title, and the limit where it is one level of the signal
    (None where it goes with the duration or there is none); held: whether the value of the result is a level that the
    signal holds."""

    time: Array
    values: Array
    unit: str
    title: str
    limit: float | None = None
    held: bool = False


class Signals:
    """A history with its filtered channels, each computed once, and how it is to be judged."""

    def __init__(self, history: History, options: EvaluationOptions | None = None) -> None:
        self.history = history
        self.options = EvaluationOptions() if options is None else options
        self._filtered: dict[FilterName, Array] = {}
        self._onset: dict[tuple[FilterName, str], Array] = {}
        self._described: dict[FilterName, Signal] = {}
        self._lengths: dict[FilterName, Array] = {}
        #: What else criteria found that others ask for again, by what they choose to call it.
        self.found: dict[Hashable, Any] = {}

    def acceleration(self, filter_name: FilterName = "none") -> Array:
        """Acceleration (n, 3) in g through a filter; InputError when the record does not allow the filter."""
        if filter_name not in self._filtered:
            found = self.history.filtered(self.history.acceleration, filter_name)
            # as every other, one that may be written to: kernels are compiled for one kind
            self._filtered[filter_name] = found if found.flags.writeable else found.copy(order="K")
        return self._filtered[filter_name]

    def directional(self, direction: Direction, filter_name: FilterName = "none") -> Array:
        """Load (n,) in g in one direction through a filter, positive when the rider is loaded that way."""
        # not kept: six copies for every filter are the most of what a long record takes
        return directional(self.acceleration(filter_name), direction)

    def onset(self, axis: str, filter_name: FilterName = "none") -> Array:
        """Slope (n,) in g/s of the load along axis "x", "y" or "z" through a filter (`core.injury.onset`)."""
        key = (filter_name, axis)
        if key not in self._onset:
            column = self.acceleration(filter_name)[:, "xyz".index(axis)]
            self._onset[key] = onset_rate(self.history.time, column)
        return self._onset[key]

    def resultant(self, filter_name: FilterName = "none") -> Array:
        """Length (n,) in g of the filtered acceleration; the components are filtered first, as SAE J211 asks."""
        if filter_name not in self._lengths:
            self._lengths[filter_name] = np.asarray(
                np.linalg.norm(self.acceleration(filter_name), axis=1), dtype=np.float64
            )
        return self._lengths[filter_name]

    @cached_property
    def rotation_rate(self) -> Array:
        """Rotation rate (n, 3) in rad/s through CFC60; InputError when the record does not allow the filter."""
        rate = self.history.rotation_rate
        if rate is None:
            raise InputError("needs rotation rates in the record")
        return self.history.filtered(rate, "CFC60")

    @cached_property
    def rotation_acceleration(self) -> Array:
        """Rotation acceleration (n, 3) in rad/s^2 through CFC60, else the slope of the filtered rate."""
        given = self.history.rotation_acceleration
        if given is not None:
            return self.history.filtered(given, "CFC60")
        return np.asarray(np.gradient(self.rotation_rate, self.history.time, axis=0), dtype=np.float64)

    @property
    def rotation_note(self) -> str:
        """How the rotation acceleration was got where it was not in the record."""
        if self.history.rotation_acceleration is not None:
            return ""
        return "rotation acceleration is the slope of the filtered rotation rate"

    def trace(
        self, values: Array, unit: str, title: str, limit: float | None = None, held: bool = False
    ) -> CriterionTrace:
        """A signal (n,) of this history, to be drawn."""
        return CriterionTrace(self.history.time, values, unit, title, limit, held)

    def directional_trace(
        self, direction: Direction, filter_name: FilterName = "none", held: bool = False
    ) -> CriterionTrace:
        """The load in one direction, to be drawn; its limit goes with the duration."""
        return self.trace(
            self.directional(direction, filter_name), "g", titled(direction, filter_name), held=held
        )

    def describe(self, filter_name: FilterName = "none") -> Signal:
        """The signal as a result names it."""
        if filter_name not in self._described:
            h = self.history
            gravity: Literal["in", "out"] = "in" if h.contains_gravity else "out"
            self._described[filter_name] = Signal(
                body=h.body, filter=filter_name, gravity=gravity, sample_rate=self._sample_rate
            )
        return self._described[filter_name]

    @cached_property
    def _sample_rate(self) -> float:
        # Told with every result, and looking through the whole time grid each time.
        return self.history.sample_rate


@dataclass(frozen=True)
class Output:
    """One value a criterion gives: id, title, unit, the filter of its signal, and what a reader needs to know.

    group: one of `core.injury.result.GROUPS`; definition: the criterion in one line; applicability: what it may be
    applied to; rule: clause, table or figure of the limit (may be given with the result instead); about: what it is
    about, which says how it is drawn.
    """

    criterion: str
    title: str
    unit: str
    filter: FilterName = "none"
    group: str = ""
    definition: str = ""
    applicability: str = ""
    rule: str = ""
    about: About = NOTHING

    def result(
        self,
        signals: Signals,
        value: float,
        time: tuple[float, float],
        limit: ScalarLimit | None = None,
        note: str = "",
        *,
        exceeded: Iterable[tuple[float, float]] = (),
        rule: str = "",
        limit_status: str = "",
        apart: str = "",
    ) -> CriterionResult:
        """The result of this output for a value and, when there is one, its limit.

        time (start, end) s; exceeded intervals (s) in which the limit is exceeded; rule overrides that of the output;
        limit_status and apart as `CriterionResult` has them, the former by default what the limit says.
        """
        margin, verdict = (None, None) if limit is None else margin_and_verdict(value, limit.value)
        return CriterionResult(
            criterion=self.criterion,
            title=self.title,
            value=value,
            unit=self.unit,
            limit=None if limit is None else limit.value,
            limit_source=None if limit is None else limit.source,
            confidence=None if limit is None else limit.confidence,
            margin=margin,
            verdict=verdict or "not applicable",
            time=time,
            arc_length=signals.history.arc_length_at(*time),
            signal=signals.describe(self.filter),
            note=note or ("no limit for this value" if limit is None else ""),
            exceeded=tuple(exceeded),
            limit_status=limit_status or ("" if limit is None else limit.unconfirmed),
            rule=rule or self.rule,
            group=self.group,
            definition=self.definition,
            applicability=self.applicability,
            apart=apart,
            about=self.about,
        )

    def refused(self, signals: Signals, why: str) -> CriterionResult:
        """The result when the history lacks what the criterion needs."""
        return CriterionResult(
            criterion=self.criterion,
            title=self.title,
            value=None,
            unit=self.unit,
            signal=signals.describe(self.filter),
            note=f"not applicable: {why}",
            rule=self.rule,
            group=self.group,
            definition=self.definition,
            applicability=self.applicability,
            about=self.about,
        )


def head_rotation(ident: str, title: str, unit: str, definition: str) -> Output:
    """An output about rotation of the head, through CFC60."""
    return Output(
        ident,
        title,
        unit,
        "CFC60",
        group="rotation",
        definition=definition,
        applicability="head; made for blows and for one of them at a time",
    )


def rate_for(seconds: float) -> float:
    """Samples per second (Hz) that show a load held for a time (s) as recorded.

    Ten in it, but 100 a second suffice down to 10 ms, below that one in it, and what is shorter than 3 ms loads no body
    (as with the 3 ms acceleration).
    """
    return max(1.0 / max(seconds, SHORTEST), min(10.0 / max(seconds, SHORTEST), 100.0))


def too_slow(history: History, rate: float) -> str:
    """Why a record does not show what takes a rate in Hz; empty when it does."""
    if history.own_rate >= rate * (1.0 - 1e-9):
        return ""
    return (
        f"needs at least {rate:.4g} samples per second, the record has {history.own_rate:.6g}; record faster"
    )


def titled(title: str, filter_name: str) -> str:
    """The title of a signal with its filter."""
    if filter_name == "none":
        return title
    return f"{title}, {filter_name}" + (" filter" if filter_name == "5 Hz" else "")


def notes(*sentences: str) -> str:
    """Remarks behind one another; empty ones are left out."""
    return "; ".join(filter(None, sentences))


def _no_trace(signals: Signals, result: CriterionResult) -> CriterionTrace | None:
    return None


@dataclass(frozen=True)
class Criterion:
    """A criterion: its outputs, its needs, and the function that computes the outputs in that order.

    rate: samples per second (Hz) below which a record misses loads that it is about, so that its values come out too
    small; 0 for what is no more than a figure of the record, and where its filter asks for a rate of its own. parts:
    those of the body that it is applied to. trace: the signal behind one of its results, for a plot with limit and
    exceeded stretches; None where the record lacks it or the result is about the ride as a whole.
    """

    outputs: tuple[Output, ...]
    evaluate: Callable[[Signals], Iterable[CriterionResult]]
    needs: tuple[Need, ...] = ()
    rate: float = 0.0
    parts: tuple[Part, ...] = PARTS
    trace: Callable[[Signals, CriterionResult], CriterionTrace | None] = _no_trace

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of its results, in order."""
        return tuple(output.criterion for output in self.outputs)

    def lacking(self, history: History) -> str:
        """Why a history cannot be judged by this criterion, in words; empty when it can."""
        if missing := self.missing(history):
            return f"needs {' and '.join(missing)} in the record"
        return too_slow(history, self.rate)

    def missing(self, history: History) -> tuple[Need, ...]:
        """What the criterion needs and the history does not have."""
        has = {
            "gravity": history.contains_gravity,
            "rotation rates": history.rotation_rate is not None,
            "arc length": history.arc_length is not None,
            "neck loads": history.neck_force is not None and history.neck_moment is not None,
            "NCA of carbody and rail plane": history.nca is not None and history.rail_nca is not None,
        }
        return tuple(need for need in self.needs if not has[need])
