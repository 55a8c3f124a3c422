"""Records made to lie a stated part of a limit, for the tests of the limits."""

from __future__ import annotations

import numpy as np

from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History

UNFILTERED = {"standard_filter": "none", "standards": ("astm_f2291", "en13814_gb8408", "en13814_2019")}


def options(**fields):
    return EvaluationOptions(**{**UNFILTERED, **fields})


def load(direction, values):
    """Acceleration (n, 3) with a load of one sign along one axis."""
    a = np.zeros((len(values), 3))
    a[:, "xyz".index(direction[2])] = values if direction[0] == "+" else -values
    return a


def plateau(height, duration, ramp=None, quiet=0.5):
    """Time and a load that is zero, rises on a straight line, stays at a height for a duration, and falls again.

    The sample rate goes with the duration; the ramps take one sample unless given (s).
    """
    step = min(max(duration / 200.0, 2e-5), 0.01)
    count = max(2, round(duration / step))
    step = duration / count
    edge = 1 if ramp is None else max(1, round(ramp / step))
    rest = round(max(quiet, 2.0 * duration if duration < 1.0 else 0.0) / step)
    up = np.linspace(0.0, 1.0, edge + 1)
    shape = np.concatenate([np.zeros(rest), up, np.ones(count - 1), up[::-1], np.zeros(rest)])
    return step * np.arange(shape.size), height * shape


def judged(t, a, criterion, opts):
    return evaluate_history(History(t, a), [criterion], opts)[0]


def interpolated(points, kind, duration):
    """Limit at a duration by numpy alone: the reference for the program's own interpolation."""
    d, g = np.array(points).T
    if kind == "log-log":
        return float(np.exp(np.interp(np.log(duration), np.log(d), np.log(g))))
    if kind == "semilog":
        return float(np.interp(np.log(duration), np.log(d), g))
    return float(np.interp(duration, d, g))
