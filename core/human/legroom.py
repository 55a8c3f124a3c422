"""The legs of who sits on a seat, and the other seats around: knees in the back of the seat in front."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..base.frame import Frame
from ..base.frames import rotation_matrix
from ..base.sentence import say
from ..contact.shapes import ELLIPSOID
from ..model.assembly import Assembly, Seat
from ..model.placement import joined, placed_model
from ..model.solids import Solids
from .closing import skins_of
from .misfit import Misfit
from .posture import base_name

KIND: Final = "legs in another seat"
LEGS: Final = ("Thigh", "Calf", "Foot")
NEAR: Final = 2.0  # m between seats, beyond which nobody's legs come to the other one
TOUCHING: Final = 1e-3  # m, from which on legs are said to be in a seat


def legroom(top: Assembly, path: str, rider: Assembly, seat: Seat) -> list[Misfit]:
    """The legs of a rider in parts of other seats, of the same car or of another one, as drawn: the deepest of each
    seat."""
    drawn = placed_model(top)

    def placed(holder: str, one: Seat) -> Frame:
        own = Frame(np.asarray(one.position), rotation_matrix(one.orientation))
        return drawn.at(holder, one.body).inside(own)

    here = placed(path, seat)
    others = [
        (joined(prefix[:-1], one.name), one, there)
        for prefix, holder in top.walk()
        for one in holder.seats
        if one.shape is not None and not (one.name == seat.name and prefix[:-1] == path)
        for there in (placed(prefix[:-1], one),)
        if float(np.linalg.norm(there.position - here.position)) < NEAR
    ]
    legs = [body for body in rider.bodies if base_name(body.name) in LEGS and body.surfaces]
    found: list[Misfit] = []
    for name, one, there in others:
        assert one.shape is not None
        solids, worst = Solids.of(part.placed for part in one.shape.parts), (TOUCHING, "", "")
        for body in legs:
            for half, at, axes in skins_of([body]):
                centre = there.local(here.point(at))
                turned = there.rotation.T @ here.rotation @ np.reshape(axes, (3, 3))
                skin = Solids([ELLIPSOID], [centre], [turned], [np.array(half)])
                depths = solids.depths(skin)[0, :, 0]
                k = int(np.argmax(depths))
                worst = max(worst, (float(depths[k]), body.name, one.shape.parts[k].name))
        if worst[1]:
            text = say(
                "the {leg} is {deep:.0f mm} in the {part} of '{seat}'",
                leg=worst[1].lower(), deep=worst[0], part=worst[2].lower(), seat=name,
            )  # fmt: skip
            found.append(Misfit(KIND, text, worst[0], (worst[1],), (worst[2],), name))
    return found
