"""What becomes of a train that stands on devices of the track: it waits, is held for good, or is caught."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.sentence import say
from ..multibody.device_kernels import OPENED, SINCE, STANDS_ON
from ..results.results import Status
from ..track.build import BuiltTrack
from ..track.devices import BlockBrake, ChainLift, DeviceSpan

SETTLE = 1.0  # s, after which a train that stands is taken to have come to rest


class Standing(NamedTuple):
    """What is known of a train that stands: "moving" unless all its cars stand; "waiting" for a brake to open; "held"
    by a brake for good; "caught" by an anti-rollback; "stuck" on another device. device: that of the first such car."""

    what: Literal["moving", "waiting", "held", "caught", "stuck"]
    device: str = ""


def standing(held: Array, spans: Sequence[DeviceSpan], now: float) -> Standing:
    """How a train stands on the devices `spans` of its track at the time now (s).

    held (cars, columns): what `Work.device` holds of its cars.
    """
    on = [(int(row[STANDS_ON]), row) for row in held if row[STANDS_ON] >= 0.0]
    for k, row in on:
        device = spans[k].device
        if not isinstance(device, BlockBrake) or device.speed > 0.0 or device.hold is None:
            continue
        if row[OPENED] != k:
            return Standing("waiting", device.name)
    if not spans or len(on) < len(held) or now - float(np.max(held[:, SINCE])) < SETTLE:
        return Standing("moving")
    for k, row in on:
        device = spans[k].device
        if isinstance(device, BlockBrake) and device.speed == 0.0 and row[OPENED] != k:
            return Standing("held", device.name)
    for k, _ in on:
        device = spans[k].device
        if isinstance(device, ChainLift) and device.anti_rollback:
            return Standing("caught", device.name)
    return Standing("stuck", spans[on[0][0]].device.name)


def whereabouts(built: BuiltTrack, place: float) -> str:
    """A place (m) of the centreline in words."""
    inside = float(built.centreline.wrap(place)[0])
    return say("at s = {s:.1f m} in section '{section}'", s=inside, section=built.section_at(inside))


def end_of_standing(
    found: Standing, built: BuiltTrack, place: float, time: float, free_to_wait: bool
) -> Status | None:
    """The status of a run that ends because its train stands; None when it goes on.

    place (m): of the first car; free_to_wait: the run is to last a given time, so only a train that is held for good
    ends it.
    """
    told: dict[str, Any] = {"where": whereabouts(built, place), "time": time, "device": found.device}
    if found.what == "held":
        return Status("done", say("The train is held {where} by '{device}' at t = {time:.1f s}.", **told))
    if free_to_wait:
        return None
    if found.what == "caught":
        return Status(
            "stalled",
            say(
                "The train comes to rest {where} at t = {time:.1f s}, held by the anti-rollback of '{device}'.",
                **told,
            ),
            "Give the lift a larger pull, make it longer, or come to it faster.",
        )
    if found.what == "stuck":
        return Status(
            "stalled",
            say(
                "The train comes to rest {where} at t = {time:.1f s} on '{device}', which cannot move it.",
                **told,
            ),
            "Give it more push, or come to it faster.",
        )
    return None
