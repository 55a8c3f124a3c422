"""Functions of time evaluated for the other engine, from their description and not from the tables of our solver."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..model.functions import AnalyticFunction, TimeFunction


def evaluator(function: TimeFunction) -> Callable[[float], float]:
    """A function of time as a callable: time (s) -> value in the unit of what it drives."""
    if isinstance(function, AnalyticFunction):
        waves = np.array([(h.amplitude, h.omega, h.phase) for h in function.harmonics]).reshape(-1, 3)
        a, b, c = function.offset, function.rate, function.half_acceleration

        def analytic(t: float) -> float:
            return a + t * (b + t * c) + float(waves[:, 0] @ np.sin(waves[:, 1] * t + waves[:, 2]))

        return analytic
    from scipy.interpolate import CubicSpline  # slow to load, rarely needed

    times = np.array(function.times)
    spline = CubicSpline(times, function.values, bc_type="clamped")

    def table(t: float) -> float:
        return float(spline(min(max(t, times[0]), times[-1])))

    return table
