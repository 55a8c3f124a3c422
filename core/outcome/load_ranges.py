"""Ranges of a stress or load over a run, counted by rainflow (ASTM E1049-85, section 5.4.4), half cycles as halves."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError

BINS = 16


def load_ranges(values: Array, bins: int = BINS) -> tuple[Array, Array]:
    """How many cycles of a history lie in each of some ranges, by rainflow.

    Parameters
    ----------
    values
        (n,), in any unit.
    bins
        How many ranges, of one width.

    Returns
    -------
    Upper edges (bins,) in the unit of the values, and cycles (bins,).

    Raises
    ------
    InputError
        Where the package `rainflow` is not installed.
    """
    try:
        import rainflow
    except ImportError:
        raise InputError(
            "Load ranges need the package rainflow; install it with: pip install 'ridewright[report]'."
        ) from None
    if not np.ptp(values) > 0.0:
        return np.zeros(0), np.zeros(0)
    found = np.array(rainflow.count_cycles(values.tolist(), nbins=bins))
    return found[:, 0], found[:, 1]
