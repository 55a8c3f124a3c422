"""The list of criteria: each one says what it gives and what it needs, and is refused politely when that is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.injury.filters import FilterName, apply_filter
from core.injury.history import History
from core.injury.limits import ScalarLimit
from core.injury.result import CriterionResult, Signal, margin_and_verdict

F8 = NDArray[np.float64]
Need = Literal["gravity", "rotation rates", "arc length"]


class Signals:
    """A history with its filtered channels, each computed once."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._filtered: dict[FilterName, F8] = {}

    def acceleration(self, filter_name: FilterName = "none") -> F8:
        """Acceleration (n, 3) in g through a filter; InputError when the record does not allow the filter."""
        if filter_name not in self._filtered:
            self._filtered[filter_name] = apply_filter(
                self.history.time, self.history.acceleration, filter_name
            )
        return self._filtered[filter_name]

    def resultant(self, filter_name: FilterName = "none") -> F8:
        """Length (n,) in g of the filtered acceleration; the components are filtered first, as SAE J211 asks."""
        if filter_name == "none":
            return self.raw_resultant
        return np.asarray(np.linalg.norm(self.acceleration(filter_name), axis=1), dtype=np.float64)

    @cached_property
    def raw_resultant(self) -> F8:
        return self.history.resultant

    def head_note(self) -> str:
        """What to say about a criterion of the head when the record is not named after it."""
        body = self.history.body
        return "" if "head" in body.lower() else f"a criterion of the head, here applied to '{body}'"

    def describe(self, filter_name: FilterName = "none") -> Signal:
        """The signal as a result names it."""
        h = self.history
        gravity: Literal["in", "out"] = "in" if h.contains_gravity else "out"
        return Signal(body=h.body, filter=filter_name, gravity=gravity, sample_rate=h.sample_rate)


@dataclass(frozen=True)
class Output:
    """One value a criterion gives: id, title, unit and the filter of its signal."""

    criterion: str
    title: str
    unit: str
    filter: FilterName = "none"

    def result(
        self,
        signals: Signals,
        value: float,
        time: tuple[float, float],
        limit: ScalarLimit | None = None,
        note: str = "",
    ) -> CriterionResult:
        """The result of this output for a value and, when there is one, its limit."""
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
        )


@dataclass(frozen=True)
class Criterion:
    """A criterion: its outputs, its needs, and the function that computes the outputs in that order."""

    outputs: tuple[Output, ...]
    evaluate: Callable[[Signals], Iterable[CriterionResult]]
    needs: tuple[Need, ...] = ()

    def missing(self, history: History) -> tuple[Need, ...]:
        """What the criterion needs and the history does not have."""
        has = {
            "gravity": history.contains_gravity,
            "rotation rates": history.rotation_rate is not None,
            "arc length": history.arc_length is not None,
        }
        return tuple(need for need in self.needs if not has[need])
