"""What riders reach along a track, for drawing: the space swept by every seat, and limbs where something is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.design.rider_clearance import Encounter, RiderClearance
from ...core.design.seat_paths import SeatPath
from ..widgets import theme
from .actors import make_actor
from .mesh import ellipsoid, grid_faces, solid, surface

if TYPE_CHECKING:
    import pyvista as pv

RING: Final = 48  # corners of the swept space
MARK: Final = 0.15  # m, radius of the mark at what is in the way
MOST: Final = 40  # encounters that are marked


def reach_actors(found: RiderClearance) -> list[pv.Actor]:
    """The swept space of every seat, see-through, and of each encounter the limb that reaches farthest, with a ball at
    what it reaches."""
    colours = theme.current()
    actors = [_swept(seat) for seat in found.seats]
    by_name = {(seat.seat, seat.tilt): seat for seat in found.seats}
    ranked = sorted(found.encounters, key=lambda one: -one.worst.beyond)
    for one in ranked[:MOST]:
        colour = colours.bad if one.worst.reached else colours.warn
        if one.worst.obstacle == "own track":
            colour = colours.series[0]
        actors += _limb(by_name[one.worst.seat, one.worst.tilt], one, colour)
    return actors


def _swept(seat: SeatPath) -> pv.Actor:
    ring = seat.room.outline(RING)
    local = np.column_stack([np.full(RING, seat.room.centre[0]), ring])
    places = seat.positions[:, None] + np.einsum("nij,kj->nki", seat.axes, local)
    mesh = surface(places.reshape(-1, 3), grid_faces(len(seat.s), RING, around=True))
    return make_actor(mesh, colour=theme.current().series[0], lit=False, cull=False, opacity=0.12)


def _limb(seat: SeatPath, one: Encounter, colour: str) -> list[pv.Actor]:
    """The space of the worst limb of an encounter, where it is then, and a ball at what is in it."""
    worst = one.worst
    k, limb = int(np.argmin(np.abs(seat.s - worst.s))), seat.room.names.index(worst.limb)
    local = seat.room.surface(limb)
    rows, columns = local.shape[:2]
    places = seat.positions[k] + local.reshape(-1, 3) @ seat.axes[k].T
    body = make_actor(
        surface(places, grid_faces(rows, columns, around=True)), colour=colour, cull=False, opacity=0.35
    )
    ball = make_actor(solid(ellipsoid(worst.position, [MARK] * 3, colour)), lit=False)
    return [body, ball]
