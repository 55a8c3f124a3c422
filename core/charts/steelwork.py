"""The load of a footing of the steelwork over a ride."""

from __future__ import annotations

from ..base.sentence import say
from ..steelwork.life import MemberLife
from ..steelwork.tables import SteelAnswer
from .chart import Axis, Chart, Colour, Curve


def footing_chart(found: SteelAnswer, footing: int) -> Chart:
    """What a footing bears over the time of the ride beyond the weight of the steel: downwards, and along x and y.

    Parameters
    ----------
    found
        The steel of the ride.
    footing
        Its number, in the order of the frame.

    Returns
    -------
    Loads (N) over time (s).
    """
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
        "footing", title, Axis("time", "s"), Axis("load", "kN"), tuple(curves), head=f"{one.name} at {{x}}:"
    )


def life_chart(one: MemberLife) -> Chart:
    """Stress over time where a member is harmed most.

    Parameters
    ----------
    one
        What a ride does to it.

    Returns
    -------
    Normal stress (Pa) over time (s).
    """
    curve = Curve("stress", one.time, one.stress, Colour("series", 0), about="stress", time=one.time)
    return Chart(
        "life", one.name, Axis("time", "s"), Axis("stress", "MPa"), (curve,), head=f"{one.name} at {{x}}:"
    )


def life_words(one: MemberLife) -> str:
    """What its ranges of stress take of the life of a member."""
    return say(
        "{name}: ranges of stress up to {range:.1f MPa} take {share:.3g %} of its life in the planned rides, by a"
        " detail of {category:.0f MPa}.",
        name=one.name, range=one.fatigue.largest, share=one.share, category=one.category,
    )  # fmt: skip


def footing_words(found: SteelAnswer, footing: int) -> str:
    """A footing's weight of steel, largest load and, where fatigue was judged, the life of what stands on it."""
    one = found.footings[footing]
    words = say(
        "{name}: {weight:.1f kN} of steel, {most:.1f kN} at most with the train, at {time:.2f s}.",
        name=one.name, weight=float(one.dead[2]), most=float(one.most[2]), time=one.time,
    )  # fmt: skip
    life = next((of for of in found.lives if of.name == one.name), None)
    if life is None:
        return words
    return say(
        "{words} Ranges of stress up to {range:.1f MPa} take {share:.3g %} of its life in the planned rides.",
        words=words, range=life.fatigue.largest, share=life.share,
    )  # fmt: skip
