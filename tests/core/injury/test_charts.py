"""The charts show what the criteria judge."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.injury.charts import duration_charts, egg_charts
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.rider_axes import DIRECTIONS
from ridewright.core.injury.standards.files import table_ids
from tests.core.injury.limit_records import options

T = np.arange(0.0, 30.0, 0.002)


def ride(gravity=True):
    a = np.column_stack(
        [1.4 * np.sin(0.9 * T), 2.2 * np.sin(1.7 * T + 1.0), 1.0 + 3.6 * np.sin(0.6 * T) * np.sin(1.1 * T)]
    )
    return History(T, a, arc_length=20.0 * T, contains_gravity=gravity)


@pytest.mark.parametrize("name", table_ids())
def test_that_the_worst_point_of_a_chart_is_the_result_with_the_least_margin(name):
    opts = options(standards=() if name.startswith("sustained") else (name,))
    results = evaluate_history(ride(), options=opts)
    for chart in duration_charts(ride(), name, opts):
        prefix = {"astm_f2291": "f2291", "en13814_gb8408": "en13814", "sustained_g_brulle": "sustained"}.get(
            name
        )
        mine = [
            r
            for r in results
            if r.limit_source is not None
            and r.margin is not None
            and chart.direction in r.criterion.split("_")
            and "after" not in r.criterion
            and r.criterion.startswith(prefix or name.split("_")[0])
            and r.unit == "g"
        ]
        if chart.worst is None:
            assert mine == []
            continue
        least = min(mine, key=lambda r: r.margin)
        assert chart.worst.margin == pytest.approx(least.margin, abs=1e-12)
        assert (chart.worst.level, chart.worst.time) == (least.value, least.time)
        assert chart.worst.arc_length == pytest.approx(20.0 * sum(chart.worst.time) / 2.0)
        assert set(chart.exceeded) == {pair for r in mine for pair in r.exceeded}
        # The worst point lies on the drawn held curve and under or over the drawn limit.
        drawn = next(c for c in chart.limits if c.name == chart.worst.curve)
        at = np.interp(chart.worst.duration, chart.duration, chart.level)
        assert at == pytest.approx(chart.worst.level, abs=0.05)
        limit = np.interp(chart.worst.duration, drawn.duration, drawn.level)
        assert limit == pytest.approx(chart.worst.limit, rel=1e-6)


def test_that_the_charts_cover_all_directions_and_say_what_is_not_confirmed():
    charts = duration_charts(ride(), "en13814_gb8408")
    assert tuple(chart.direction for chart in charts) == DIRECTIONS
    assert [len(chart.limits) for chart in charts] == [0, 0, 1, 1, 1, 1]
    for chart in charts:
        assert (np.diff(chart.duration) > 0.0).all()
        assert (np.diff(chart.level) <= 1e-12).all()
        for curve in chart.limits:
            assert "not confirmed" in curve.title
            assert curve.confidence == "low"


@pytest.mark.parametrize("name", ["astm_f2291", "en13814_gb8408"])
def test_that_the_eggs_are_those_that_are_judged(name):
    prefix = {"astm_f2291": "f2291", "en13814_gb8408": "en13814"}[name]
    results = {r.criterion: r for r in evaluate_history(ride(), options=options(standards=(name,)))}
    for chart in egg_charts(ride(), name, options()):
        found = results.get(f"{prefix}_egg_{chart.pair}")
        assert (chart.figure is None) == (found is None)
        assert chart.samples.shape == (T.size, 2)
        assert "not confirmed" in chart.title or "transcribed" in chart.title
        if found is None:
            assert (chart.used, chart.worst, chart.exceeded) == (None, None, ())
            continue
        assert chart.worst.level == found.value
        assert chart.worst.time == found.time
        assert chart.exceeded == found.exceeded
        # A sample is outside the figure exactly where more than all of the limit is used.
        x, y = chart.figure[:, 0], chart.figure[:, 1]
        for k in range(0, T.size, 501):
            px, py = chart.samples[k]
            turn = (x[1:] - x[:-1]) * (py - y[:-1]) - (y[1:] - y[:-1]) * (px - x[:-1])
            if abs(chart.used[k] - 1.0) > 2e-3:
                assert (turn.min() < 0.0) == (chart.used[k] > 1.0)


def test_that_a_record_without_gravity_has_no_charts():
    with pytest.raises(InputError, match="gravity"):
        duration_charts(ride(gravity=False))
    with pytest.raises(InputError, match="no limit table"):
        egg_charts(ride(), "nothing")
