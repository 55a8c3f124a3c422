"""What the rails cost a wheel along the track, beyond the bend that was drawn."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..pointmass.rail_kinks import COSTLY, RailCosts
from .chart import Axis, Chart, Colour, Curve, Level

ABOVE = 1.1  # of the highest value
POINTS = 3000  # of a curve: of each stretch the highest value is drawn


def kinks_chart(found: RailCosts) -> Chart:
    """Acceleration of a wheel on each rail over the place, beyond that of the curve.

    Parameters
    ----------
    found
        The costs of both rails.

    Returns
    -------
    Costs (g) over arc length (m).
    """
    curves = []
    for k, name in enumerate(("left rail", "right rail")):
        s, cost = _highest(found.s, found.cost[k])
        curves.append(Curve(name, s, cost, Colour("series", k), about=name, place=s))
    return Chart(
        "kinks",
        "Push on a wheel beyond the curve",
        Axis("place s", "m"),
        Axis("push", "g", low=0.0, high=ABOVE * max(float(found.cost.max()), COSTLY)),
        tuple(curves),
        levels=(Level(COSTLY, "a warning"),),
        head="{x}:",
    )


def _highest(s: Array, cost: Array) -> tuple[Array, Array]:
    """Places and values (n,) of the highest of every stretch."""
    wide = max(1, int(np.ceil(len(s) / POINTS)))
    firsts = np.arange(0, len(s), wide)
    at = np.array([first + int(np.argmax(cost[first : first + wide])) for first in firsts])
    return s[at], cost[at]
