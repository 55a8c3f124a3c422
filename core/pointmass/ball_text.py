"""The table of a textbook track and the ride of a ball as CSV."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.arrays import Array
from .chords import ChordTable
from .textbook import BallHistory


def _csv(heads: Sequence[str], columns: Sequence[Array]) -> str:
    lines = [",".join(heads)]
    lines += [",".join(f"{value:.10g}" for value in row) for row in np.column_stack(columns)]
    return "\n".join(lines) + "\n"


def table_csv(table: ChordTable) -> str:
    """T, P, X, Y, a line a row."""
    return _csv(("t", "p_m", "x_m", "y_m"), (table.t, table.p, table.x, table.y))


def history_csv(ride: BallHistory) -> str:
    """Time, place along the track, speed, x, y and the energies, a line a sample."""
    heads = ("time_s", "s_m", "v_m_s", "x_m", "y_m", "kinetic_J", "potential_J", "total_J")
    return _csv(
        heads, (ride.time, ride.s, ride.v, *ride.position.T, ride.kinetic, ride.potential, ride.total)
    )
