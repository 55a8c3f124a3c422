"""Which seats are taken, and which pattern of empty seats loads a ride most unevenly."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.errors import InputError
from .assembly import Assembly
from .carried import centre_on_body
from .placement import joined

SAME = 1e-9  # relative size of moments that are one


@dataclass(frozen=True)
class Pattern:
    """Seats that are taken, what their passengers' mass times distance from the axis comes to (kg m), of how many
    patterns it is the largest, and how many were looked at."""

    taken: tuple[str, ...]
    moment: float
    of: int
    looked_at: int


def worst_pattern(top: Assembly, body: str, axis: ArrayLike = (0.0, 0.0, 1.0)) -> Pattern:
    """The pattern of passengers on a body with the largest first moment of mass about an axis through its centre.

    body: its path; axis in its axes. Every seat counts with its passenger. Of all 2^n patterns the largest sum of the
    vectors m r, seen along the axis, has all seats on one side of a line through the axis and no others: those ahead of
    some direction u have m r.u > 0. So the sides of the lines across each of the n vectors are enough: that is exact,
    not a sample. Raises InputError where no seat of the body has a passenger.
    """
    seats = {
        path: seat
        for path, seat in top.every("seat").items()
        if joined(path.rpartition("/")[0], seat.body) == body and seat.passenger > 0.0
    }
    if not seats:
        raise InputError(f"no seat on body '{body}' has a passenger; give its seats one first.")
    a = np.asarray(axis, dtype=np.float64)
    a = a / np.linalg.norm(a)
    one = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
    one /= np.linalg.norm(one)
    across = np.stack([one, np.cross(a, one)])
    v = np.array([seat.passenger * (across @ centre_on_body(seat)) for seat in seats.values()])
    angle = np.arctan2(v[:, 1], v[:, 0])
    best, taken, looked_at = -1.0, np.zeros(len(v), dtype=bool), 0
    for border in angle:
        for side in (0.5, -0.5):  # just beside the line across each vector
            for turn in (1e-7, -1e-7):
                u = border + side * np.pi + turn
                ahead = v @ (np.cos(u), np.sin(u)) > 0.0
                size = float(np.linalg.norm(v[ahead].sum(axis=0)))
                looked_at += 1
                if size > best * (1.0 + SAME):
                    best, taken = size, ahead
    names = tuple(name for name, is_taken in zip(seats, taken, strict=True) if is_taken)
    return Pattern(names, best, 2 ** len(v), looked_at)


def with_taken(top: Assembly, taken: Collection[str]) -> Assembly:
    """The assembly with passengers on the named seats (paths) alone; the others of the assessed seats are empty."""

    def change(prefix: str, assembly: Assembly) -> Assembly:
        seats = tuple(
            seat if prefix + seat.name in taken else seat.model_copy(update={"passenger": 0.0})
            for seat in assembly.seats
        )
        children = tuple(change(f"{prefix}{child.name}/", child) for child in assembly.children)
        update: dict[str, Any] = {"seats": seats, "children": children}
        return assembly.model_copy(update=update)

    return change("", top)
