"""Charts on paper."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from ridewright.core.charts.chart import INK, Axis, Chart, Curve
from ridewright.core.report.figures.paper import paper

pytest.importorskip("matplotlib")


@pytest.mark.parametrize("log", [False, True])
def test_that_a_curve_beyond_reason_is_drawn_without_a_word_of_the_library(log: bool) -> None:
    """A damaged file said that a constraint is 1e300 m/s off: the margin of its axis overflowed, aloud."""
    x = np.linspace(0.0, 1.0, 20)
    curve = Curve("off", x, np.where(x > 0.5, 1e300, 1e-3), INK)
    chart = Chart("velocity", "Gap speed", Axis("time", "s"), Axis("gap", "m/s", log=log), (curve,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert paper([chart], 5.0)().startswith(b"<?xml")
