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
from ..track.device_spans import DeviceSpan
from ..track.devices import kind_of
from ..track.devices.law import PASSES

SETTLE = 1.0  # s, after which a train that stands is taken to have come to rest


class Standstill(NamedTuple):
    """What is known of a train that stands: "moving" unless all its cars stand; "waiting" for a brake to open; "held"
    by a brake for good; "caught" by an anti-rollback; "stuck" on another device. device: that of the first such car;
    way_out: what to do about it."""

    what: Literal["moving", "waiting", "held", "caught", "stuck"]
    device: str = ""
    way_out: str = ""


def standing(held: Array, spans: Sequence[DeviceSpan], now: float) -> Standstill:
    """How a train stands on the devices `spans` of its track at the time now (s).

    held (cars, columns): what `Work.device` holds of its cars.
    """
    on = [(int(row[STANDS_ON]), row) for row in held if row[STANDS_ON] >= 0.0]
    rows = [kind_of(span.device).row(span.device, 1.0) for span in spans]
    for k, row in on:
        if rows[k].hold >= 0.0 and row[OPENED] != k:
            return Standstill("waiting", spans[k].device.name)
    if not spans or len(on) < len(held) or now - float(np.max(held[:, SINCE])) < SETTLE:
        return Standstill("moving")
    for k, row in on:
        if rows[k].hold != PASSES and row[OPENED] != k:
            return Standstill("held", spans[k].device.name)
    for k, _ in on:
        if rows[k].catches:
            return _stuck("caught", spans[k])
    return _stuck("stuck", spans[on[0][0]])


def _stuck(what: Literal["caught", "stuck"], span: DeviceSpan) -> Standstill:
    return Standstill(what, span.device.name, kind_of(span.device).stuck)


def whereabouts(built: BuiltTrack, place: float) -> str:
    """A place (m) of the centreline in words."""
    inside = float(built.centreline.wrap(place)[0])
    return say("at s = {s:.1f m} in section '{section}'", s=inside, section=built.section_at(inside))


def end_of_standing(
    found: Standstill, built: BuiltTrack, place: float, time: float, free_to_wait: bool
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
            found.way_out,
        )
    if found.what == "stuck":
        return Status(
            "stalled",
            say(
                "The train comes to rest {where} at t = {time:.1f s} on '{device}', which cannot move it.",
                **told,
            ),
            found.way_out,
        )
    return None
