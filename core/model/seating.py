"""Seats in rings, rows and benches on a body."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from ..base.frozen import Quat, Vec3
from .assembly import Seat


def ring(
    body: str,
    count: int,
    radius: float,
    height: float = 0.0,
    *,
    facing: Literal["outwards", "inwards"] = "outwards",
    **fields: Any,
) -> tuple[Seat, ...]:
    """Seats evenly round the zeta axis of a body, the first one on its xi axis, counted with growing angle.

    radius m from the axis, height m along zeta from the centre of mass; facing: which way a rider looks; fields: others
    of `Seat`, such as its passenger.
    """
    return tuple(
        _seat(body, f"Seat {k + 1}", (radius * math.cos(a), radius * math.sin(a), height),
              a if facing == "outwards" else a + math.pi, fields)
        for k, a in ((k, 2.0 * math.pi * k / count) for k in range(count))
    )  # fmt: skip


def rows(
    body: str,
    positions: Sequence[tuple[float, float]],
    across: int,
    spacing: float,
    *,
    towards: float | None = None,
    **fields: Any,
) -> tuple[Seat, ...]:
    """Rows or benches across a body, each of `across` seats `spacing` m apart, from its left to its right.

    positions: (xi, zeta) m of each row; towards: xi of what all look at, as in a ship; None: forwards. A row is named
    by its number, a seat by a letter from the left of the body.
    """
    out = []
    for r, (x, z) in enumerate(positions):
        back = towards is not None and x > towards
        for k in range(across):
            left = spacing * (0.5 * (across - 1) - k)
            out.append(
                _seat(body, f"Row {r + 1}{chr(ord('A') + k)}", (x, left, z), math.pi if back else 0.0, fields)
            )
    return tuple(out)


def _seat(body: str, name: str, at: Vec3, yaw: float, fields: dict[str, Any]) -> Seat:
    turned: Quat = (math.cos(yaw / 2.0), 0.0, 0.0, math.sin(yaw / 2.0))
    position: Vec3 = (round(at[0], 9) + 0.0, round(at[1], 9) + 0.0, at[2])
    return Seat(name=name, body=body, position=position, orientation=turned, assessed=True, **fields)
