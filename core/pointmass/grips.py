"""Which devices have hold of which cars of a train, and with how much of its mass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..project.point_settings import CarPlace, PointRideSettings, RiddenSettings
from ..track.device_spans import SAME_PLACE, DeviceSpan

WHOLE = (CarPlace("", 0.0, 1.0),)  # of a train without cars all is where its middle is


class Grips(NamedTuple):
    """Stretches of track with the same devices on the same cars. at (I,): the number of the stretch of each interval,
    or -1; who (g + 1, a): numbers of the devices, then -1; share (g + 1, a): of the mass of the train whose force they
    give; the last row without any."""

    at: Integers
    who: Integers
    share: Array


def cars_of(settings: PointRideSettings) -> tuple[CarPlace, ...]:
    """The cars of the train that is ridden; one for all of it where they are not known."""
    return (settings.cars or WHOLE) if isinstance(settings, RiddenSettings) else WHOLE


def held_cars(span: DeviceSpan, settings: PointRideSettings) -> list[tuple[float, float]]:
    """The cars that a device acts on: how far ahead of the middle of the train (m), and the share of its force that
    each gets, as in the run: by its mass among them."""
    cars = cars_of(settings)
    if cars is WHOLE:
        return [(0.0, 1.0)]
    on = [cars[k] for k in span.device.numbers_of([car.name for car in cars])]
    mass = sum(car.share for car in on)
    return [(car.ahead, car.share / mass) for car in on]


def grip_borders(
    spans: Sequence[DeviceSpan], settings: PointRideSettings, length: float, closed: bool
) -> Array:
    """Places (m) of the middle of the train where a device takes hold of a car or lets go of it."""
    found = [
        border - ahead
        for span in spans
        for ahead, _ in held_cars(span, settings)
        for border in (span.s0, span.s1)
    ]
    return np.mod(found, length) if closed else np.array(found)


def grips(spans: Sequence[DeviceSpan], settings: PointRideSettings, knots: Array, closed: bool) -> Grips:
    """What has hold of the train in every interval between the knots (I + 1,) m, among which are `grip_borders`.

    At the end of an open track a device goes on to where the train ends, as in the run.
    """
    middle, length = 0.5 * (knots[:-1] + knots[1:]), float(knots[-1])
    share = np.zeros((len(middle), len(spans)))
    for d, span in enumerate(spans):
        first = span.s0 if closed or span.s0 > SAME_PLACE else -np.inf
        last = span.s1 if closed or span.s1 < length - SAME_PLACE else np.inf
        for ahead, part in held_cars(span, settings):
            position = np.mod(middle + ahead, length) if closed else middle + ahead
            share[:, d] += part * ((position > first) & (position < last))
    share = np.round(share, 12)
    rows, at = np.unique(share, axis=0, return_inverse=True)
    at = at.ravel()
    held = [np.flatnonzero(row) for row in rows]
    number = np.full(len(rows), -1)
    number[[k for k, on in enumerate(held) if len(on)]] = np.arange(sum(1 for on in held if len(on)))
    widest = max((len(on) for on in held), default=1)
    index = np.full((number.max() + 2, max(widest, 1)), -1, dtype=np.int64)
    shares = np.zeros(index.shape)
    for k, on in enumerate(held):
        if len(on):
            index[number[k], : len(on)], shares[number[k], : len(on)] = on, rows[k, on]
    return Grips(number[at].astype(np.int64), index, shares)
