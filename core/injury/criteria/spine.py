"""Dynamic response index of the spine from the acceleration headward at the seat."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..intervals import above
from ..limits import ScalarLimits, load_limits
from ..parts import part_note
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult
from ..spine import SpineModel, dri

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


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    h = signals.history
    model = load_limits("dri", SpineModel)
    limit = load_limits("dri_limits", ScalarLimits).get("dri")
    found = dri(h.time, np.ascontiguousarray(h.acceleration[:, 2]), model)
    note = "; ".join(filter(None, (f"at rest it is 1; {limit.note}", part_note("pelvis", h.body))))
    over = above(h.time, found.response, limit.value)
    yield OUTPUT.result(
        signals, found.value, (found.time, found.time), limit, note, exceeded=over, rule=model.title
    )


CRITERIA = (Criterion((OUTPUT,), _evaluate, needs=("gravity",), rate=RATE),)
