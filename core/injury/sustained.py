"""Sustained g: what is held how long in each direction, beside a limit curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .grid import as_time
from .held_level import held_levels
from .limits import CurveSet
from .rider_axes import Direction, directional

#: Shortest duration looked at (the first interval of Viegas 2016, Fig. 5.12) and the fineness of the grid.
SHORTEST = 0.01
PER_DECADE = 20


@dataclass(frozen=True)
class SustainedCurve:
    """Held g against duration in one direction.

    direction; duration (k,) s; level (k,) g held at least that long without a break (may be negative: then the
    direction is never loaded that long); start, end (k,) s of the stretch; limit (k,) g and margin (k,) = (limit -
    max(level, 0)) / limit, or None without a limit curve for the direction.
    """

    direction: Direction
    duration: Array
    level: Array
    start: Array
    end: Array
    limit: Array | None
    margin: Array | None

    @property
    def worst(self) -> int:
        """Index of the smallest margin; of the shortest duration when there is no limit."""
        return 0 if self.margin is None else int(np.argmin(self.margin))


def duration_grid(time: ArrayLike, extra: ArrayLike = ()) -> Array:
    """Durations to look at: 0.01 s to the length of the record, 20 per decade, and the corners of a limit curve.

    time (n,) s; extra durations s. Returns (k,) s, increasing, none longer than the record.
    Raises InputError when the record is shorter than 0.01 s.
    """
    t = as_time(time)
    length = float(t[-1] - t[0])
    if length < SHORTEST:
        raise InputError(
            f"Sustained g needs a record of at least {SHORTEST} s, this one lasts {length:.6g} s."
        )
    count = int(np.floor(PER_DECADE * np.log10(length / SHORTEST) * (1.0 + 1e-12))) + 1
    grid = SHORTEST * 10.0 ** (np.arange(count) / PER_DECADE)
    both = np.unique(np.concatenate([grid, np.asarray(extra, dtype=np.float64), [length]]))
    return both[(both >= SHORTEST) & (both <= length)]


def sustained_g(
    time: ArrayLike,
    acceleration: Array,
    direction: Direction,
    limits: CurveSet | None = None,
    durations: ArrayLike | None = None,
) -> SustainedCurve:
    """Held g against duration in one direction, with the margin to a limit curve.

    time (n,) s; acceleration (n, 3) g, rider axes, gravity in; direction e.g. "+Gz"; limits a curve set from
    resources/limits; durations (k,) s, by default `duration_grid` with the corners of the curve.
    Raises InputError for bad input. Source: Viegas 2016, section 4.3.3.6 (held g against duration beside Fig. 4.7).
    """
    curve = None if limits is None else limits.curves.get(direction)
    if durations is None:
        durations = duration_grid(time, () if curve is None else [p[0] for p in curve])
    d = np.asarray(durations, dtype=np.float64)
    level, start, end = held_levels(time, directional(acceleration, direction), d)
    limit = margin = None
    if limits is not None and curve is not None:
        limit = limits.limit(direction, d)
        margin = (limit - np.maximum(level, 0.0)) / limit
    return SustainedCurve(direction, d, level, start, end, limit, margin)
