"""Loops and half loops: what the elements that go over the top have in common."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Annotated

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.fields import described
from ...base.sentence import say
from ..programs.channel import Channel, channel
from ..programs.entry import Entry
from ..programs.solve import root_between
from .base import Ramp
from .turns import right_of

_X, _W = np.polynomial.legendre.leggauss(12)
MAX_LEAN = 1.2  # rad, of a line out of the plane of its loop, or of its climb

RollLength = Annotated[
    float,
    described(
        ...,
        "Length of the roll",
        "Stretch over which the track rolls half a turn.",
        unit="m",
        gt=1.0,
        le=500.0,
    ),
]


Overlap = Annotated[
    Ramp, described(..., "Overlap", "How much of the roll already lies on the half loop.", unit="m")
]


def integral_over(channel_: Channel, f: Callable[[Array], Array], low: float, high: float) -> float:
    """Integral of f(channel rows) over [low, high] by Gauss rules between the edges and in parts of them."""
    inner = channel_.edges[(channel_.edges > low) & (channel_.edges < high)]
    edges = np.concatenate([[low], inner, [high]])
    edges = np.unique(np.concatenate([np.linspace(a, b, 7) for a, b in pairwise(edges)]))
    half = 0.5 * np.diff(edges)
    positions = (edges[:-1] + half)[:, None] + half[:, None] * _X
    values = f(channel_.at(positions.ravel())).reshape(positions.shape)
    return float(np.sum(values * _W * half[:, None]))


def rise(turn: Channel, until: float) -> float:
    """Rise (m) over [0, until] of a curve in a plane whose direction turns as `turn` says, from level."""
    return integral_over(turn, lambda row: np.sin(row[:, 3]), 0.0, until)


def leaning_rise(turn: Channel, lean: Channel, until: float) -> float:
    """Rise (m) like `rise` of a curve that leans out of its plane by the angle `lean`."""
    edges = np.concatenate([np.linspace(0.0, until, 25), turn.edges[turn.edges < until]])
    edges = np.unique(edges)
    half = 0.5 * np.diff(edges)
    x = ((edges[:-1] + half)[:, None] + half[:, None] * _X).ravel()
    weight = (_W * half[:, None]).ravel()
    return float(np.sum(weight * np.sin(turn.at(x)[:, 3]) * np.cos(lean.at(x)[:, 0])))


def loop_axis(entry: Entry, inclination: float) -> Array:
    """Axis of a loop entered here, (3,): to the right, leaning with the plane of the loop."""
    side = -right_of(entry)
    up = np.cross(entry.tangent, side)
    return np.asarray(-np.cos(inclination) * side + np.sin(inclination) * up)


def half_loop_lengths(height: float, radius: float, run: float, where: str) -> tuple[float, float]:
    """Lengths (m) of the clothoid and the arc of half a loop that ends straight over `run`.

    Raises InputError when the values do not go together.
    """

    def turn(clothoid: float) -> Channel:
        arc = np.pi * radius - 0.5 * (clothoid + run)
        bend = 1.0 / radius
        return channel(0.0, [(clothoid, bend, "cubic"), (arc, bend, "linear"), (run, 0.0, "cubic")])

    def miss(clothoid: float) -> float:
        made = turn(clothoid)
        return rise(made, made.end) - height

    maximum = 2.0 * np.pi * radius - run
    clothoid = root_between(miss, 1e-3, maximum - 1e-6) if maximum > 1e-2 else None
    if clothoid is None:
        lowest, highest = (miss(c) + height for c in (1e-3, max(maximum - 1e-6, 2e-3)))
        if maximum <= 1e-2:
            raise InputError(
                say(
                    "{where}: a run-out of {run:g m} is too long for a top radius of {radius:g m}.",
                    where=where,
                    run=run,
                    radius=radius,
                )
            )
        raise InputError(
            say(
                "{where}: with a top radius of {radius:g m} and these lengths half a loop is {lowest:.1f (m)} to"
                " {highest:.1f m} high, not {height:g m}; change the radius.",
                where=where,
                radius=radius,
                lowest=min(lowest, highest),
                highest=max(lowest, highest),
                height=height,
            )
        )
    return clothoid, np.pi * radius - 0.5 * (clothoid + run)
