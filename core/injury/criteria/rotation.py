"""Peak rotation rate through CFC60, the class used for rotation criteria of the head. Value only, no limit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.injury.filters import cfc_filter
from core.injury.registry import Criterion, Output, Signals
from core.injury.result import CriterionResult

OUTPUT = Output("peak_rotation_rate_cfc60", "peak rotation rate, CFC60", "rad/s", "CFC60")


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    time, rate = signals.history.time, signals.history.rotation_rate
    if rate is not None:
        length = np.linalg.norm(cfc_filter(time, rate, 60), axis=1)
        k = int(np.argmax(length))
        yield OUTPUT.result(signals, float(length[k]), (float(time[k]), float(time[k])))


CRITERIA = (Criterion((OUTPUT,), _evaluate, needs=("rotation rates",)),)
