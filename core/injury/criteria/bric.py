"""BrIC: the largest rates at which the head turns, against critical ones, and what they risk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import model_validator

from ...base.errors import InputError
from ..grid import as_signal, as_time
from ..limits import LimitTable, Positive, load_limits
from ..parts import part_note
from ..result import CriterionResult
from .base import Criterion, CriterionTrace, Signals, head_rotation, notes

RISKS = ("AIS2+", "AIS3+")


class BricTable(LimitTable):
    """resources/limits/bric.json: critical rotation rates (rad/s) about x, y, z, exponent and scale of the risk
    1 - exp(-(BrIC / scale)^exponent) per severity."""

    critical: dict[str, tuple[Positive, Positive, Positive]]
    exponent: Positive
    scale: dict[str, Positive]

    @model_validator(mode="after")
    def _has_what_is_used(self) -> Self:
        if "average" not in self.critical:
            raise ValueError("critical: the rates called 'average' are missing")
        if not {"AIS2+", "AIS3+"} <= self.scale.keys():
            raise ValueError("scale: AIS2+ and AIS3+ are needed")
        return self

    def probability(self, bric: float, severity: str) -> float:
        """Probability of an injury of at least a severity ("AIS2+") at a value of BrIC."""
        if severity not in self.scale:
            raise InputError(f"BrIC has no risk for {severity!r}; there are {', '.join(self.scale)}.")
        return float(-np.expm1(-((max(bric, 0.0) / self.scale[severity]) ** self.exponent)))


@dataclass(frozen=True)
class BricResult:
    """Brain injury criterion: value (1), and per axis the largest rate (rad/s) and its time (s)."""

    value: float
    rates: tuple[float, float, float]
    times: tuple[float, float, float]


def bric(time: ArrayLike, rotation_rate: ArrayLike, critical: tuple[float, float, float]) -> BricResult:
    """Brain injury criterion: the largest rates about the three axes against critical ones.

    BrIC = sqrt(sum over x, y, z of (max |omega_i| / critical_i)^2); the maxima need not be at one instant.

    time (n,) s; rotation_rate (n, 3) rad/s of the head, through CFC60; critical (3,) rad/s. Raises InputError
    for a wrong shape.
    Source: Takhounts et al. 2013.
    """
    t = as_time(time)
    w = np.abs(as_signal(t, rotation_rate, "rotation rate"))
    if w.shape != (t.size, 3):
        raise InputError(f"BrIC needs rotation rates about three axes, found shape {w.shape}.")
    at = np.argmax(w, axis=0)
    peaks = w[at, np.arange(3)]
    value = float(np.linalg.norm(peaks / np.asarray(critical)))
    rates = (float(peaks[0]), float(peaks[1]), float(peaks[2]))
    return BricResult(value, rates, (float(t[at[0]]), float(t[at[1]]), float(t[at[2]])))


VALUE = head_rotation(
    "bric", "BrIC", "1", "largest rotation rates about x, y, z against critical rates, root of squares"
)
RISK = tuple(
    head_rotation(
        f"bric_{severity[:-1].lower()}_risk",
        f"probability of an injury {severity} from BrIC",
        "%",
        "probability of a brain injury of at least this severity",
    )
    for severity in RISKS
)


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    table = load_limits("bric", BricTable)
    whose = part_note("head", signals.history.body)
    found = bric(signals.history.time, signals.rotation_rate, table.critical["average"])
    span = (min(found.times), max(found.times))
    rates = ", ".join(f"{axis} {w:.3g}" for axis, w in zip("xyz", found.rates, strict=True))
    note = f"largest rates {rates} rad/s, not at one instant; turning with the ride counts too"
    yield VALUE.result(signals, found.value, span, note=notes(note, whose), rule=table.title)
    for severity, output in zip(RISKS, RISK, strict=True):
        percent = 100.0 * table.probability(found.value, severity)
        note = f"from BrIC {found.value:.3g}; confidence {table.confidence}"
        yield output.result(signals, percent, span, note=notes(note, whose))


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    rate = np.asarray(np.linalg.norm(signals.rotation_rate, axis=1))
    return signals.trace(rate, "rad/s", "rotation rate, CFC60")


CRITERIA = (Criterion((VALUE, *RISK), _evaluate, needs=("rotation rates",), parts=("head",), trace=_trace),)
