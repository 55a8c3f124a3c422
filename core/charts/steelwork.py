"""The load of a footing of the steelwork over a ride."""

from __future__ import annotations

from ..base.sentence import say
from ..steelwork.tables import SteelAnswer
from .chart import Axis, Chart, Colour, Curve


def footing_chart(found: SteelAnswer, footing: int) -> Chart:
    """What a footing bears over the time of the ride beyond the weight of the steel: downwards, and along x and y."""
    ride, one = found.ride, found.footings[footing]
    pressed, dead = ride.reactions[:, footing], ride.dead[footing]
    curves = [
        Curve(
            label,
            ride.time,
            sign * (pressed[:, column] - dead[column]),
            Colour("series", k),
            about=label,
            time=ride.time,
        )
        for k, (label, column, sign) in enumerate(
            (("down", 2, -1.0), ("along x", 0, 1.0), ("along y", 1, 1.0))
        )
    ]
    title = say("{name}, beyond {weight:.1f kN} of steel", name=one.name, weight=float(one.dead[2]))
    return Chart(
        "footing", title, Axis("time", "s"), Axis("load", "N"), tuple(curves), head=f"{title}, at {{x}}:"
    )
