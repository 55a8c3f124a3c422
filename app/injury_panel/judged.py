"""What a run did to its riders: every criterion on every part of every rider, and how two runs compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.injury.evaluate import criterion_ids, evaluate_history
from core.injury.filters import FILTER_NAMES, FilterName, apply_filter
from core.injury.limits import CurveSet, load_limits
from core.injury.parts import PARTS, criteria_of
from core.injury.result import CriterionResult
from core.injury.rider_axes import DIRECTIONS, Direction, directional
from core.injury.sustained import SustainedCurve, sustained_g
from core.results import Results
from core.rider_view import rider_history

Array = NDArray[np.float64]
Judgement = Literal["better", "worse", "same"]
NOTICEABLE = 0.005  # of the used part of the limit; smaller changes are called the same
SUSTAINED = "sustained_g_brulle"


@dataclass(frozen=True)
class Key:
    """Which criterion on whom."""

    rider: str
    part: str
    criterion: str


Judged = dict[Key, CriterionResult]


def judge(results: Results) -> tuple[Judged, tuple[str, ...]]:
    """All criteria of a run, and sentences about what could not be judged.

    A signal that is too short for any criterion gives one sentence instead of rows.
    """
    found: Judged = {}
    notes: list[str] = []
    for rider in results.names.riders:
        for part in PARTS:
            ids = criteria_of(part, criterion_ids())
            try:
                history = rider_history(results, rider, part)
                for result in evaluate_history(history, ids):
                    found[Key(rider, part, result.criterion)] = result
            except InputError as error:
                notes.append(f"{part.replace('_', ' ').capitalize()} of {rider} is not judged: {error}")
    return found, tuple(notes)


@dataclass(frozen=True)
class Row:
    """A line of the table: a result and that of the run it is compared with."""

    key: Key
    result: CriterionResult
    other: CriterionResult | None = None

    @property
    def change(self) -> float | None:
        """Value less that of the other run."""
        if self.other is None or self.other.value is None or self.result.value is None:
            return None
        return self.result.value - self.other.value

    @property
    def gain(self) -> float | None:
        """Margin less that of the other run: what the rider has gained."""
        if self.other is None or self.other.margin is None or self.result.margin is None:
            return None
        return self.result.margin - self.other.margin

    @property
    def same_limit(self) -> bool:
        """Whether both values stand against one limit; the worst durations of sustained g may differ."""
        return self.other is not None and self.other.limit == self.result.limit

    @property
    def judgement(self) -> Judgement | None:
        """Whether the rider is better off than in the other run; only where there is a limit to come near to."""
        if self.gain is None or self.other is None:
            return None
        used = max(1.0 - (self.result.margin or 0.0), 1.0 - (self.other.margin or 0.0))
        if abs(self.gain) <= NOTICEABLE * used:
            return "same"
        return "better" if self.gain > 0.0 else "worse"

    @property
    def moment(self) -> float | None:
        """Time (s) at the middle of the window that gave the value."""
        time = self.result.time
        return None if time is None else 0.5 * (time[0] + time[1])


def rows_of(judged: Judged, other: Judged | None) -> list[Row]:
    """The lines of the table, those with the least margin first and those without a limit last."""
    rows = [Row(key, result, None if other is None else other.get(key)) for key, result in judged.items()]
    return sorted(rows, key=lambda row: np.inf if row.result.margin is None else row.result.margin)


def count_text(rows: Sequence[Row]) -> str:
    """How many criteria are inside and outside their limits, and how the runs compare."""
    verdicts = [row.result.verdict for row in rows]
    text = (
        f"{verdicts.count('outside')} outside their limit, {verdicts.count('within 10 %')} within 10 % of it, "
        f"{verdicts.count('inside')} inside"
    )
    judgements = [row.judgement for row in rows if row.judgement is not None]
    if judgements:
        text += (
            f"  ·  {judgements.count('better')} better, {judgements.count('worse')} worse, "
            f"{judgements.count('same')} the same"
        )
    return text


@dataclass(frozen=True)
class Trace:
    """The signal a criterion looked at: time (n,) s, values (n,), unit, and what it is."""

    time: Array
    values: Array
    unit: str
    title: str


def direction_of(criterion: str) -> Direction | None:
    """The direction in a criterion's id, "peak_+Gz_5hz" -> "+Gz"."""
    return next((direction for direction in DIRECTIONS if f"_{direction}" in criterion), None)


def trace(results: Results, key: Key, result: CriterionResult) -> Trace:
    """The signal behind a result. Raises InputError when the run does not have it."""
    history = rider_history(results, key.rider, key.part)
    known: FilterName = next((name for name in FILTER_NAMES if name == result.signal.filter), "none")
    tail = "" if known == "none" else f", {known}" + (" filter" if known == "5 Hz" else "")
    part = key.part.replace("_", " ").capitalize()
    if key.criterion.startswith("peak_rotation") and history.rotation_rate is not None:
        rate = apply_filter(history.time, history.rotation_rate, known)
        return Trace(history.time, np.linalg.norm(rate, axis=1), "rad/s", f"{part}, rotation rate{tail}")
    acceleration = apply_filter(history.time, history.acceleration, known)
    direction = direction_of(key.criterion)
    if direction is None:
        return Trace(history.time, np.linalg.norm(acceleration, axis=1), "g", f"{part}, resultant{tail}")
    return Trace(history.time, directional(acceleration, direction), "g", f"{part}, {direction}{tail}")


def held(results: Results, key: Key) -> SustainedCurve:
    """Held g against duration in the direction of a criterion. Raises InputError when the run is too short."""
    history = rider_history(results, key.rider, key.part)
    direction = direction_of(key.criterion)
    if direction is None:
        raise InputError(f"'{key.criterion}' has no direction.")
    return sustained_g(history.time, history.acceleration, direction, load_limits(SUSTAINED, CurveSet))
