"""Loss of consciousness under +Gz: how long a load may last, by its level and by how fast it came on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from ..base.arrays import Array
from ..base.frozen import Frozen
from .grid import as_signal, as_time
from .intervals import Interval, above
from .limits import LimitTable, Positive

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
