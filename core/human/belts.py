"""Where the webbing of a restraint lies on who sits there, and the belt that is made of it.

The restraint closes onto the body as one with pads does. From each pad rays along its way meet the skin; of these
places the two are taken with which the webbing is longest: the nearest to a string that is drawn tight around the body.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frame import Frame
from ..base.frames import rotation_matrix
from ..model.assembly import Assembly, Seat
from ..model.bodies import Body
from ..model.carried import vec
from ..model.forces import TYPES, Force
from ..model.restraints import Restraint
from ..model.surfaces import Capsule
from ..model.webbing import belt_name
from .closing import held_bodies, skins_of

RAYS: Final = 61  # from each pad
BEHIND: Final = 0.5  # m, from where on rays come
FACING: Final = 0.35  # cosine between skin and ray, below which webbing would slide off rather than lie there


class Lies(NamedTuple):
    """A place (3,) m in the axes of the seat where webbing lies on a body, or on the seat (None), and its friction."""

    body: Body | None
    place: Array
    friction: float


def route(restraint: Restraint, share: float, rider: Assembly) -> tuple[Lies, ...]:
    """Where the webbing of a restraint that is closed by a share of its way lies on a rider, anchors first and last."""
    webbing = restraint.webbing
    assert webbing is not None
    pads = {pad.name: pad for pad in restraint.closed(share)}
    way = np.array(restraint.axis) / np.linalg.norm(restraint.axis)
    found: list[Lies] = []
    for k, stop in enumerate(webbing.stops):
        if stop.pad is None:
            found.append(Lies(None, np.array(stop.place), stop.friction))
            continue
        pad = pads[stop.pad]
        half = 0.5 * (pad.length if isinstance(pad, Capsule) else 0.0)
        along = half * rotation_matrix(pad.orientation)[:, 2]
        before = found[-1].place
        if np.linalg.norm(pad.position - along - before) > np.linalg.norm(pad.position + along - before):
            along = -along
        starts = np.array(pad.position) + np.linspace(-1.0, 1.0, RAYS)[:, None] * along
        after = next(np.array(one.place) for one in webbing.stops[k + 1 :] if one.pad is None)
        met = _met(starts, way, held_bodies(restraint, rider))
        found += [Lies(body, place, stop.friction) for body, place in _longest(met, before, after)]
    return tuple(found)


def _met(starts: Array, way: Array, bodies: tuple[Body, ...]) -> list[tuple[Body, Array]]:
    """The first place of a body that each ray (n, 3) meets along a direction; rays that meet none are left out, and
    those that graze what they meet."""
    best = np.full(len(starts), np.inf)
    owner = np.full(len(starts), -1)
    for number, body in enumerate(bodies):
        for half, place, axes in skins_of((body,)):
            turn = np.array(axes).reshape(3, 3) / np.array(half)
            s, d = (starts - BEHIND * way - np.array(place)) @ turn, way @ turn
            a, b, c = d @ d, s @ d, np.einsum("ij,ij->i", s, s) - 1.0
            root = b * b - a * c
            hits = root >= 0.0
            at = np.where(hits, (-b - np.sqrt(np.where(hits, root, 0.0))) / a, np.inf)
            nearer = (at >= 0.0) & (at < best)
            out = (s + np.where(hits, at, 0.0)[:, None] * d) @ turn.T  # along the normal there
            facing = -(out @ way) >= FACING * np.linalg.norm(out, axis=1)
            best[nearer], owner[nearer] = at[nearer], np.where(facing[nearer], number, -1)
    return [
        (bodies[owner[k]], starts[k] + (best[k] - BEHIND) * way) for k in np.flatnonzero(owner >= 0).tolist()
    ]


def _longest(met: list[tuple[Body, Array]], before: Array, after: Array) -> list[tuple[Body, Array]]:
    """The two of these places over which the way from one place to another is longest; all where there are fewer."""
    if len(met) < 3:
        return met
    places = np.array([place for _, place in met])
    first, last = np.linalg.norm(places - before, axis=1), np.linalg.norm(places - after, axis=1)
    between = np.linalg.norm(places[:, None] - places[None], axis=2)
    length = np.triu(first[:, None] + between + last[None], 1)
    i, j = divmod(int(np.argmax(length)), len(met))
    return [met[i], met[j]]


def belt_of(seat: Seat, rider: Assembly, share: float) -> Force:
    """The belt of a seat whose restraint is closed by a share of its way, over who sits there; in the assembly that
    holds both."""
    restraint = seat.restraint
    assert restraint is not None
    assert restraint.webbing is not None
    frame = Frame(np.asarray(seat.position), rotation_matrix(seat.orientation))

    def on(lies: Lies) -> dict[str, Any]:
        if lies.body is None:
            return {"body": seat.body, "point": vec(frame.point(lies.place)), "friction": lies.friction}
        turn = rotation_matrix(lies.body.orientation)
        point = turn.T @ (lies.place - np.array(lies.body.position))
        return {"body": f"{rider.name}/{lies.body.name}", "point": vec(point), "friction": lies.friction}

    first, *over, last = (on(lies) for lies in route(restraint, share, rider))
    fields: dict[str, Any] = {
        "name": belt_name(seat.name, restraint.word, rider.name), "over": over,
        "body_i": first["body"], "point_i": first["point"], "body_j": last["body"], "point_j": last["point"],
    }  # fmt: skip
    return TYPES["belt"].model(**fields, **restraint.webbing.as_element)
