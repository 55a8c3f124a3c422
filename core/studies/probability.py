"""Probabilities from independent runs, with their intervals."""

from __future__ import annotations

LEVEL = 0.95


def interval_of(count: int, of: int, level: float = LEVEL) -> tuple[float, float]:
    """The interval of the probability of what happened in `count` of `of` independent runs.

    Exact for any number of runs, if anything too wide (Clopper and Pearson 1934, Biometrika 26:404).
    """
    from scipy.stats import binomtest

    found = binomtest(count, of).proportion_ci(confidence_level=level, method="exact")
    return float(found.low), float(found.high)
