"""Loss of consciousness under +Gz (fit in the manner of Stoll; Whinnery & Forster 2013) and red-out under -Gz."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.frozen import Frozen
from ..grid import as_signal, as_time
from ..held_level import exceedance
from ..held_limit import worst_held
from ..intervals import Interval, above
from ..limits import LimitTable, Positive, ScalarLimit, load_limits
from ..result import About, CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals

#: Load before the onset, g: a rider at rest.
REST = 1.0
#: Corners of the drawn and judged curve of the fit; its chords are within 1e-4 of it.
CORNERS = 200


class StollFit(Frozen):
    """t = a / (G - threshold)^b, used from `earliest` to `latest` (s)."""

    a: Positive
    b: Positive
    earliest: Positive
    latest: Positive
    source: str

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if not self.earliest < self.latest:
            raise ValueError("earliest must come before latest")
        return self


class OnsetModel(Frozen):
    """Time (s) to the loss of consciousness by rate of onset (g/s): rapid, gradual, and the earliest there is."""

    rapid_rate: Positive
    rapid_time: Positive
    gradual_rate: Positive
    gradual_time: Positive
    earliest: Positive
    source: str

    @model_validator(mode="after")
    def _gradual_is_slower(self) -> Self:
        if not self.gradual_rate < self.rapid_rate:
            raise ValueError("gradual_rate must be below rapid_rate")
        return self


class Recovery(Frozen):
    """How long people are out (s): unconscious, and then not fit to act."""

    absolute: Positive
    relative: Positive


class RedOut(Frozen):
    """Level of -Gz (g) at which red-out is reported, and the time (s) for which it must be held here."""

    level: Positive
    hold: Positive
    source: str


class GlocTable(LimitTable):
    """The file gloc.json; below threshold (g) consciousness is not lost; unconfirmed (`ScalarLimit`) of the times."""

    threshold: Annotated[float, Field(gt=REST)]
    stoll: StollFit
    onset: OnsetModel
    recovery: Recovery
    red_out: RedOut
    unconfirmed: str = ""


def stoll_time(table: GlocTable, level: ArrayLike) -> Array:
    """Time in s to the loss of consciousness at a level in g by the fit; infinite up to the threshold.

    Source: fit in the manner of Stoll, t = a / (G - 4.7)^b, not before the reserve of 5 s.
    """
    excess = np.asarray(level, dtype=np.float64) - table.threshold
    fit = table.stoll
    with np.errstate(divide="ignore"):
        time = fit.a / np.maximum(excess, 0.0) ** fit.b
    return np.maximum(time, fit.earliest)


def stoll_curve(table: GlocTable) -> tuple[Array, Array]:
    """The fit as a limit curve: durations (k,) s and the level (k,) g at which consciousness is lost after them."""
    fit = table.stoll
    duration = np.geomspace(fit.earliest, fit.latest, CORNERS)
    return duration, table.threshold + (fit.a / duration) ** (1.0 / fit.b)


def onset_time(model: OnsetModel, rate: float) -> float:
    """Time in s from the beginning of the load to the loss of consciousness, by the mean rate of onset in g/s.

    Constant from the rapid rate upwards and from the gradual rate downwards; between them straight in the logarithm of
    the time over that of the rate; never before `earliest`. Source: Whinnery & Forster 2013.
    """
    logs = np.log([model.gradual_rate, model.rapid_rate]), np.log([model.gradual_time, model.rapid_time])
    return max(float(np.exp(np.interp(np.log(max(rate, 1e-12)), *logs))), model.earliest)


@dataclass(frozen=True)
class Exposure:
    """A load above the threshold: from its beginning to when it falls below the threshold (s), its mean rate of onset
    (g/s), the time it may last (s), and the stretch (s) beyond that time, if any."""

    start: float
    end: float
    rate: float
    allowed: float
    beyond: Interval | None

    @property
    def duration(self) -> float:
        """How long it lasts, s."""
        return self.end - self.start


def exposures(table: GlocTable, time: ArrayLike, load: ArrayLike) -> tuple[Exposure, ...]:
    """Loads above the threshold with their onset.

    time (n,) s, increasing; load (n,) +Gz in g. An exposure begins where the load last rose through 1 g (or at the
    start of the record) and its rate of onset is the mean from there to the threshold. Dips below the threshold end it.
    Raises InputError for bad input. Source: Whinnery & Forster 2013 for the times.
    """
    t = as_time(time)
    x = as_signal(t, load)
    found = []
    rests = np.array([start for start, _ in above(t, x, REST)])
    for cross, end in above(t, x, table.threshold):
        start = float(rests[np.searchsorted(rests, cross, side="right") - 1])
        rise = max(cross - start, 1e-9)
        rate = (table.threshold - REST) / rise
        allowed = onset_time(table.onset, rate)
        over = start + allowed
        beyond = (max(over, cross), end) if over < end else None
        found.append(Exposure(start, end, rate, allowed, beyond))
    return tuple(found)


TABLE = "gloc"
RATE = 10.0  # Hz: loads of a second and more
RELAXED = "relaxed people without anti-g suit or straining; signal as recorded, gravity in"
STOLL = Output(
    "gloc_stoll",
    "loss of consciousness by level, +Gz",
    "g",
    group="physiology",
    definition="level of +Gz held without a break against the level at which consciousness is lost after that time",
    applicability=RELAXED,
    rule="t = a / (G - 4.7)^b, fit in the manner of Stoll",
)
ONSET = Output(
    "gloc_onset",
    "loss of consciousness by onset, +Gz",
    "s",
    group="physiology",
    definition="time from the beginning of a load that goes above 4.7 g to its end, against the time to the loss of "
    "consciousness for its rate of onset",
    applicability=RELAXED,
    rule="Whinnery & Forster 2013: 9.1 s from 1 g/s, 74.4 s up to 0.2 g/s, none below 4.7 g",
)
RED_OUT = Output(
    "red_out_-Gz",
    "red-out, -Gz",
    "g",
    group="physiology",
    definition="level of -Gz held without a break for 1 s",
    applicability="observation at which red-out is reported, not a limit of injury; signal as recorded, gravity in",
    rule="Viegas 2016, table 4.8: red-out from 2 g",
    about=About(direction="-Gz"),
)


def _limit(table: GlocTable, value: float, unit: str, source: str, unconfirmed: str) -> ScalarLimit:
    return ScalarLimit(
        id=TABLE, value=value, unit=unit, source=source, confidence=table.confidence, unconfirmed=unconfirmed
    )


def _stoll(signals: Signals) -> Iterator[CriterionResult]:
    table = load_limits(TABLE, GlocTable)
    if signals.history.duration < table.stoll.earliest:
        raise InputError(
            f"the record lasts {signals.history.duration:.4g} s; consciousness is not lost before "
            f"{table.stoll.earliest:g} s."
        )
    held = worst_held(signals.history.time, signals.directional("+Gz"), *stoll_curve(table))
    note = f"held for {held.duration:.3g} s, the duration with the least margin"
    limit = _limit(table, held.limit, "g", table.stoll.source, table.unconfirmed)
    yield STOLL.result(signals, held.level, (held.start, held.end), limit, note, exceeded=held.exceeded)


def _onset(signals: Signals) -> Iterator[CriterionResult]:
    table = load_limits(TABLE, GlocTable)
    time = signals.history.time
    found = exposures(table, time, signals.directional("+Gz"))
    if not found:
        limit = _limit(table, table.onset.rapid_time, "s", table.onset.source, table.unconfirmed)
        note = f"never above {table.threshold:g} g"
        yield ONSET.result(signals, 0.0, (float(time[0]), float(time[-1])), limit, note)
        return
    worst = max(found, key=lambda exposure: exposure.duration / exposure.allowed)
    note = f"onset {worst.rate:.3g} g/s, {len(found)} loads above {table.threshold:g} g"
    out = [exposure.beyond for exposure in found if exposure.beyond is not None]
    if out:
        out_for = table.recovery
        note += (
            f"; unconscious for about {out_for.absolute:g} s, unfit to act for {out_for.relative:g} s more"
        )
    limit = _limit(table, worst.allowed, "s", table.onset.source, table.unconfirmed)
    yield ONSET.result(signals, worst.duration, (worst.start, worst.end), limit, note, exceeded=out)


def _red_out(signals: Signals) -> Iterator[CriterionResult]:
    table = load_limits(TABLE, GlocTable)
    time, load = signals.history.time, signals.directional("-Gz")
    held = exceedance(time, load, table.red_out.hold)
    out = [
        (start, end)
        for start, end in above(time, load, table.red_out.level)
        if end - start >= table.red_out.hold
    ]
    limit = _limit(table, table.red_out.level, "g", table.red_out.source, "")
    note = f"held for {table.red_out.hold:g} s, a choice of this program"
    yield RED_OUT.result(signals, held.level, held.intervals[0], limit, note, exceeded=out)


def _up(signals: Signals, result: CriterionResult) -> CriterionTrace:
    return signals.directional_trace("+Gz")


def _down(signals: Signals, result: CriterionResult) -> CriterionTrace:
    return signals.directional_trace("-Gz")


CRITERIA = (
    Criterion((STOLL,), _stoll, needs=("gravity",), rate=RATE, trace=_up),
    Criterion((ONSET,), _onset, needs=("gravity",), rate=RATE, trace=_up),
    Criterion((RED_OUT,), _red_out, needs=("gravity",), rate=RATE, trace=_down),
)
