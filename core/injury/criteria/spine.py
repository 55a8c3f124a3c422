"""Dynamic response index of the spine from the acceleration headward at the seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...base.arrays import Array
from ..intervals import above
from ..limits import LimitTable, Positive, ScalarLimits, load_limits
from ..oscillator import oscillator_response, peak_between_samples
from ..parts import part_note
from ..result import CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals


class SpineModel(LimitTable):
    """resources/limits/dri.json: natural frequency (rad/s) and damping ratio of the model, and the index (1) at which
    so many per cent of spines are injured."""

    natural_frequency: Positive
    damping_ratio: Positive
    risk: dict[str, Positive]


@dataclass(frozen=True)
class DriResult:
    """Dynamic response index: value (1), time s of it, and the response (n,) in g over time."""

    value: float
    time: float
    response: Array


def dri(time: ArrayLike, acceleration_z: ArrayLike, model: SpineModel) -> DriResult:
    """Dynamic response index of an acceleration headward.

    x'' + 2 zeta omega x' + omega^2 x = a(t), DRI = omega^2 max x / g.

    time (n,) s, uniform; acceleration_z (n,) g at the seat, headward positive, gravity in: a body at rest has 1. The
    spring starts at rest under the first value; between samples the record is taken as straight and the peak as a
    parabola.
    Raises InputError for an uneven grid. Source: Payne 1965; Brinkley & Shaffer 1971 as transcribed.
    """
    omega = model.natural_frequency
    a = np.asarray(acceleration_z, dtype=np.float64)
    x = oscillator_response(time, a, omega**2, 2.0 * model.damping_ratio * omega, steady_start=True)
    response = omega**2 * x
    k, value = peak_between_samples(response)
    return DriResult(value, float(np.asarray(time)[k]), response)


#: Hz: ten times the natural frequency of the model (8.4 Hz), as filters ask for ten times their own.
RATE = 100.0
OUTPUT = Output(
    "dri",
    "dynamic response index",
    "1",
    group="spine",
    definition="largest compression of a spring and damper in place of the spine, by its compression at rest",
    applicability="seat or pelvis of an upright rider; made for ejection seats and fit young men",
)


def _answer(signals: Signals) -> DriResult:
    h = signals.history
    return dri(h.time, np.ascontiguousarray(h.acceleration[:, 2]), load_limits("dri", SpineModel))


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    h = signals.history
    model = load_limits("dri", SpineModel)
    limit = load_limits("dri_limits", ScalarLimits).get("dri")
    found = _answer(signals)
    note = "; ".join(filter(None, (f"at rest it is 1; {limit.note}", part_note("pelvis", h.body))))
    over = above(h.time, found.response, limit.value)
    yield OUTPUT.result(
        signals, found.value, (found.time, found.time), limit, note, exceeded=over, rule=model.title
    )


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    return signals.trace(_answer(signals).response, "1", "response of the spine's spring", result.limit)


CRITERIA = (Criterion((OUTPUT,), _evaluate, needs=("gravity",), rate=RATE, parts=("pelvis",), trace=_trace),)
