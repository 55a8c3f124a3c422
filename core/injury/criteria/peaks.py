"""Peaks of the resultant and of the six directions, as recorded and through every filter. Values only, no limits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..filters import FILTER_NAMES, FilterName
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult
from ..rider_axes import DIRECTIONS


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
        )
        for what in ("resultant", *DIRECTIONS)
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

    return Criterion(outputs, evaluate)


CRITERIA = tuple(_criterion(name) for name in FILTER_NAMES)
