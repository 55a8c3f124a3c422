"""Riders whom nothing but contact, belts and bars holds: whether they are still on their seats, or thrown off.

A welded pelvis cannot leave its seat and is not looked at. Where somebody is thrown off there is nothing more to
judge: the run ends there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..base.frames import rotation_matrix
from ..base.sentence import say
from ..model.contact_laws import TOUCHED
from ..multibody import arrays as t
from ..multibody.compile import System
from ..multibody.contact_kernels import A_BODY, AT_PAIRS, B_BODY, PAIR_COLUMNS, PAIRS
from ..multibody.flatten import FreeRider
from ..results.results import Status
from .contacts import pairs_of
from .integration import Log

AWAY = 0.5  # m of the pelvis from where it sat at the start: farther than any restraint with play lets it go


class Thrown(NamedTuple):
    """Who left a seat: the row of the log, name, distance (m) of the pelvis from where it sat; what touched the rider
    last ("" nothing did), and until when (s; None: it still does)."""

    row: int
    rider: str
    away: float
    held_by: str
    until: float | None


def thrown_off(system: System, log: Log, first: int, rows: int) -> Thrown | None:
    """Who has left the seat in rows [first, rows) of a log, the earliest one; None when all sit."""
    found = [one for rider in system.free_riders if (one := _left(system, rider, log, first, rows))]
    return min(found, key=lambda one: one.row, default=None)


def status_of(thrown: Thrown, time: float, where: str) -> Status:
    """The status of a run that ends because somebody is not on the seat any more at a time (s)."""
    if not thrown.held_by:
        held = "nothing touched this rider before"
    elif thrown.until is None:
        held = say("'{pair}' touches still", pair=thrown.held_by)
    else:
        held = say(
            "the last to touch was '{pair}', until {until:.3f s}", pair=thrown.held_by, until=thrown.until
        )
    message = say(
        "Rider '{rider}' left the seat at t = {time:.3f s}{where}: the pelvis is {away:.2f m} from where it sat;"
        " {held}.",
        rider=thrown.rider, time=time, where=where, away=thrown.away, held=held,
    )  # fmt: skip
    advice = (
        "What comes after is not judged. Give the rider a bar or belt that holds in that direction, or fix the pelvis"
        " to the seat."
    )
    return Status("rider lost", message, advice)


def _left(system: System, rider: FreeRider, log: Log, first: int, rows: int) -> Thrown | None:
    sat = _on_seat(rider, log, slice(0, 1))
    away = np.linalg.norm(_on_seat(rider, log, slice(first, rows)) - sat, axis=1)
    if not np.any(away > AWAY):
        return None
    k = int(np.argmax(away > AWAY))
    name, until = _last_touch(system, rider, log, first + k)
    return Thrown(first + k, rider.name, float(away[k]), name, until)


def _on_seat(rider: FreeRider, log: Log, rows: slice) -> Array:
    """Place (n, 3) m of the pelvis in the axes of the body that carries the seat."""
    apart = log.r[rows, rider.pelvis] - log.r[rows, rider.seat]
    turned: Array = np.einsum("nij,ni->nj", rotation_matrix(log.p[rows, rider.seat]), apart)
    return turned


def _last_touch(system: System, rider: FreeRider, log: Log, row: int) -> tuple[str, float | None]:
    """The pair of a rider's body with another's that touched last up to a row of a log, and until when (s)."""
    low, high = rider.bodies
    last, name = -1, ""
    for bodies, (_, _, pair, _, kept) in zip(_bodies_of_pairs(system), pairs_of(system), strict=True):
        if sum(low <= body < high for body in bodies) != 1:
            continue
        touched = np.flatnonzero(log.memory[: row + 1, kept + TOUCHED] > 0.0)
        if len(touched) and touched[-1] > last:
            last, name = int(touched[-1]), pair
    return name, None if last in (-1, row) else float(log.t[last])


def _bodies_of_pairs(system: System) -> Integers:
    """Numbers (n, 2) of the bodies of every pair, in the order of `pairs_of`."""
    touch = t.int_line(system.arrays, t.TOUCH)
    if not len(touch):
        return np.zeros((0, 2), dtype=np.int64)
    pairs = touch[touch[AT_PAIRS] : touch[AT_PAIRS] + touch[PAIRS] * PAIR_COLUMNS].reshape(-1, PAIR_COLUMNS)
    bodies: Integers = pairs[:, [A_BODY, B_BODY]]
    return bodies
