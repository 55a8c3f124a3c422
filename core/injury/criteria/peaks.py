"""Peaks of the resultant and of the six directions, as recorded and through every filter, and of the rotation of the
head. Values only, no limits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..filters import FILTER_NAMES, FilterName
from ..result import About, CriterionResult
from ..rider_axes import DIRECTIONS
from .base import Criterion, CriterionTrace, Output, Signals, titled


def peak_id(what: str, filter_name: FilterName) -> str:
    """Id of a peak: peak_<what>, and the filter unless there is none, e.g. "peak_+Gz_5hz"."""
    return f"peak_{what}" + ("" if filter_name == "none" else "_" + filter_name.lower().replace(" ", ""))


def _criterion(filter_name: FilterName) -> Criterion:
    tail = "" if filter_name == "none" else f", {filter_name}"
    outputs = tuple(
        Output(
            peak_id(what, filter_name),
            f"peak {what}{tail}",
            "g",
            filter_name,
            group="peaks",
            definition="largest value of the record",
            applicability="a figure for comparison, without limit",
            about=About(direction=direction),
        )
        for what, direction in (("resultant", None), *zip(DIRECTIONS, DIRECTIONS, strict=True))
    )

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        time = signals.history.time
        channels = [
            signals.resultant(filter_name),
            *(signals.directional(d, filter_name) for d in DIRECTIONS),
        ]
        for output, channel in zip(outputs, channels, strict=True):
            k = int(np.argmax(channel))
            value = float(channel[k])
            note = "" if value > 0.0 else "never loaded in this direction"
            yield output.result(signals, value, (float(time[k]), float(time[k])), note=note)

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
        if result.criterion == outputs[0].criterion:
            return signals.trace(signals.resultant(filter_name), "g", titled("resultant", filter_name))
        k = [output.criterion for output in outputs[1:]].index(result.criterion)
        return signals.directional_trace(DIRECTIONS[k], filter_name)

    return Criterion(outputs, evaluate, trace=trace)


def _of_rotation(what: str, unit: str) -> Output:
    return Output(
        f"peak_rotation_{what}_cfc60",
        f"peak rotation {what}, CFC60",
        unit,
        "CFC60",
        group="rotation",
        definition=f"largest length of the rotation {what}",
        applicability="any part",
    )


RATE, ACCELERATION = _of_rotation("rate", "rad/s"), _of_rotation("acceleration", "rad/s^2")


def _rotation(signals: Signals) -> Iterator[CriterionResult]:
    time = signals.history.time
    for output, values, note in (
        (RATE, signals.rotation_rate, ""),
        (ACCELERATION, signals.rotation_acceleration, signals.rotation_note),
    ):
        length = np.linalg.norm(values, axis=1)
        k = int(np.argmax(length))
        yield output.result(signals, float(length[k]), (float(time[k]), float(time[k])), note=note)


def _rotation_trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    if result.criterion == RATE.criterion:
        rate = np.asarray(np.linalg.norm(signals.rotation_rate, axis=1))
        return signals.trace(rate, "rad/s", "rotation rate, CFC60")
    turning = np.asarray(np.linalg.norm(signals.rotation_acceleration, axis=1))
    return signals.trace(turning, "rad/s^2", "rotation acceleration, CFC60")


CRITERIA = (
    *(_criterion(name) for name in FILTER_NAMES),
    Criterion(
        (RATE, ACCELERATION), _rotation, needs=("rotation rates",), parts=("head",), trace=_rotation_trace
    ),
)
