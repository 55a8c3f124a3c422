"""The signal behind a result gives its value at its time."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.filters import ride_filter
from ridewright.core.injury.history import History
from ridewright.core.injury.trace import criterion_trace
from tests.core.injury.limit_records import options

T = np.arange(0.0, 40.0, 0.001)


def ride():
    rng = np.random.default_rng(11)
    slow = ride_filter(T, 14.0 * rng.standard_normal((T.size, 3)), cutoff=0.8)
    return History(T, slow + [0.0, 0.0, 1.0] + 0.02 * rng.standard_normal(slow.shape))


HISTORY = ride()
OPTIONS = options(standard_filter="5 Hz", restraint_class=2)
RESULTS = [
    r
    for r in evaluate_history(HISTORY, options=OPTIONS)
    if r.value is not None and r.time is not None and (r.group not in ("spine", "vibration", "rotation"))
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: r.criterion)
def test_that_the_signal_gives_the_value_at_its_time(result):
    found = criterion_trace(HISTORY, result, OPTIONS)
    if result.unit == "%":
        assert (found.unit, found.title, found.limit) == ("g", "resultant", None)
        return
    assert found.time.shape == found.values.shape == T.shape
    inside = (found.time >= result.time[0] - 1e-9) & (found.time <= result.time[1] + 1e-9)
    piece = found.values[inside] if inside.any() else np.interp([result.time[0]], found.time, found.values)
    single = any(word in result.criterion for word in ("reversal", "after", "onset_Gz", "gloc_onset", "hic"))
    if (
        result.criterion.startswith("peak_")
        or "jerk" in result.criterion
        or "eiband_onset" in result.criterion
    ):
        assert piece.max() == pytest.approx(result.value, rel=1e-9)
    elif not single and "cumulative" not in result.criterion:
        # A level that is held: nowhere lower in its window, and touched at one of its ends or inside.
        assert piece.min() >= result.value - 1e-9
        ends = np.interp(result.time, found.time, found.values)
        assert min(ends.min(), piece.min()) == pytest.approx(result.value, abs=2e-3)
    for start, end in result.exceeded:
        if found.limit is not None and end - start > 0.01 and not single:
            middle = np.interp(0.5 * (start + end), found.time, found.values)
            assert middle > found.limit


def test_that_both_kinds_are_among_the_results():
    exceeded = {r.criterion for r in RESULTS if r.exceeded}
    assert len(exceeded) > 5
    assert {"f2291_egg_GyGz", "f2291_restraint_class"} <= exceeded
