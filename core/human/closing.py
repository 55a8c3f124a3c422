"""How far a restraint closes onto who sits there: where pads meet the body, less its play, at the last tooth before.

A bar that several seats share goes as far as the first of its riders lets it; the others keep their gap.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from ..base.frames import rotation_matrix
from ..base.frozen import Vec3
from ..base.sentence import say
from ..contact.shapes import ELLIPSOID
from ..model.assembly import Assembly, Seat
from ..model.bodies import Body
from ..model.restraints import RESTRAINTS, Restraint
from ..model.solids import Solids
from ..model.surfaces import Ellipsoid
from .misfit import Misfit
from .posture import base_name

LOOKS: Final = 64  # places of its way at which a restraint is looked at for the first touch
LOOSE_FROM: Final = 0.05  # m between pad and body, from where on a locked restraint is said to be loose
OPEN, INSIDE, LOOSE = "restraint open", "restraint in the body", "restraint loose"

Skin = tuple[
    tuple[float, ...], tuple[float, ...], tuple[float, ...]
]  # half axes, place and axes of an ellipsoid


@dataclass(frozen=True)
class Closing:
    """Where restraints that close together are locked: the share of their way at which one meets its rider, that of
    the tooth, and the gap (m) left at each seat, None where nobody sits who could be held."""

    met: float
    locked: float
    gaps: tuple[float | None, ...]


def held_bodies(restraint: Restraint, rider: Assembly) -> tuple[Body, ...]:
    """The bodies of a rider that the pads of a restraint are meant for."""
    wanted = RESTRAINTS[restraint.kind].holds
    return tuple(body for body in rider.bodies if base_name(body.name) in wanted and body.surfaces)


def skins_of(bodies: Iterable[Body]) -> tuple[Skin, ...]:
    """The ellipsoids of bodies in the frame in which the bodies are placed."""
    found: list[Skin] = []
    for body in bodies:
        turn = rotation_matrix(body.orientation)
        for surface in body.surfaces:
            if isinstance(surface, Ellipsoid):
                place = np.array(body.position) + turn @ np.array(surface.position)
                axes = turn @ rotation_matrix(surface.orientation)
                found.append((surface.semi_axes, tuple(place.tolist()), tuple(axes.ravel().tolist())))
    return tuple(found)


@lru_cache(maxsize=1024)
def closing(together: tuple[tuple[Restraint, tuple[Skin, ...]], ...]) -> Closing:
    """Close restraints that are one, each onto the skins of who sits at its seat (none: nobody)."""
    skins = [
        Solids([ELLIPSOID] * len(own), [np.array(s[1]) for s in own], [np.array(s[2]) for s in own],
               [np.array(s[0]) for s in own])
        for _, own in together
    ]  # fmt: skip
    met = min(_first_touch(restraint, own) for (restraint, _), own in zip(together, skins, strict=True))
    locked = min(restraint.locked(met) for restraint, _ in together)
    gaps = tuple(
        -Solids.of(restraint.closed(locked)).deepest(own) if len(own.kinds) else None
        for (restraint, _), own in zip(together, skins, strict=True)
    )
    return Closing(met, locked, gaps)


def _first_touch(restraint: Restraint, skins: Solids) -> float:
    """The share of its way at which a restraint is as near to a body as its play; 1 where it never is."""

    from scipy.optimize import brentq  # not needed to show the window

    def depth(share: float) -> float:
        return Solids.of(restraint.closed(share)).deepest(skins) + restraint.play

    if not len(skins.kinds):
        return 1.0
    if depth(0.0) >= 0.0:
        return 0.0
    last = 0.0
    for share in np.linspace(0.0, 1.0, LOOKS + 1)[1:]:
        if depth(float(share)) >= 0.0:
            return brentq(depth, last, float(share), xtol=1e-13)
        last = float(share)
    return 1.0


def together_with(holder: Assembly, seat: Seat) -> tuple[Seat, ...]:
    """The seats of an assembly whose restraints are one with that of a seat, itself among them, in their order."""
    assert seat.restraint is not None
    if not seat.restraint.shared:
        return (seat,)
    return tuple(s for s in holder.seats if s.restraint and s.restraint.shared == seat.restraint.shared)


def closed_on(holder: Assembly, seat: Seat) -> Closing:
    """Where the restraint of a seat is locked, with who sits on it and on those that share its bar."""
    riders = {rider.seat: rider for rider in holder.riders}

    def skins(one: Seat) -> tuple[Skin, ...]:
        rider = riders.get(one.name)
        assert one.restraint is not None
        return () if rider is None else skins_of(held_bodies(one.restraint, rider))

    return closing(tuple((one.restraint, skins(one)) for one in together_with(holder, seat)))


def closed_shares(holder: Assembly) -> dict[str, float]:
    """The share of its way that the restraint of each seat of an assembly has gone, by the names of the seats."""
    return {seat.name: closed_on(holder, seat).locked for seat in holder.seats if seat.restraint is not None}


def gap_at(holder: Assembly, seat: Seat) -> float | None:
    """The gap (m) that the locked restraint of a seat leaves there; None where nobody sits who could be held: a body
    without skin, for example."""
    return closed_on(holder, seat).gaps[[one.name for one in together_with(holder, seat)].index(seat.name)]


def fault_of(restraint: Restraint, locked: float, gap: float | None) -> tuple[str, float]:
    """What a restraint that is locked at a share of its way with a gap (m) to its rider does not do: the kind of misfit
    and its amount (m); "" and 0 for one that holds."""
    if gap is None:
        return "", 0.0
    if locked < restraint.latch - 1e-9:
        return OPEN, (restraint.latch - locked) * _way(restraint)
    if gap < -1e-6:
        return INSIDE, -gap
    return (LOOSE, gap) if gap > LOOSE_FROM else ("", 0.0)


def restraint_misfits(holder: Assembly, seat: Seat) -> tuple[Misfit, ...]:
    """What a restraint does not do for who sits on a seat: lock at all, or hold without a gap."""
    restraint = seat.restraint
    assert restraint is not None
    made, gap = closed_on(holder, seat), gap_at(holder, seat)
    kind, amount = fault_of(restraint, made.locked, gap)
    if not kind or gap is None:
        return ()
    word, (pad, segment, line) = restraint.word.lower(), _nearest(holder, seat, made.locked)
    if kind == OPEN:
        meets = say("stops {short:.0f mm} before its first lock", short=amount)
        if gap <= restraint.play + LOOSE_FROM:  # it is not who shares the bar that it meets
            meets = say(
                "meets the {segment} with its {pad} pad {short:.0f mm} before its first lock",
                segment=segment.lower(), pad=pad.lower(), short=amount,
            )  # fmt: skip
        sentence = say("the {word} cannot close: it {meets}", word=word, meets=meets)
    elif kind == INSIDE:
        sentence = say("the {word} lies {deep:.0f mm} in the body", word=word, deep=amount)
    else:
        why = "it is at its stop" if made.met >= 1.0 else "it stops at who sits beside"
        if len(together_with(holder, seat)) == 1 and made.met < 1.0:
            why = "its teeth are far apart"
        sentence = say("the {word} leaves a gap of {gap:.0f mm}: {why}", word=word, gap=gap, why=why)
    return (Misfit(kind, sentence, amount, (segment,), (pad,), lines=(line,) if kind == LOOSE else ()),)


def _nearest(holder: Assembly, seat: Seat, share: float) -> tuple[str, str, tuple[Vec3, Vec3]]:
    """Of a restraint that has gone a share of its way and who sits there: the pad and the segment that are nearest to
    one another, by name, and the line (m, in the frame of the seat) between their skins."""
    assert seat.restraint is not None
    rider = next(one for one in holder.riders if one.seat == seat.name)
    pads, best = seat.restraint.closed(share), (-math.inf, "", "", np.zeros(7))
    solids = Solids.of(pads)
    for body in held_bodies(seat.restraint, rider):
        for half, at, axes in skins_of([body]):
            skin = Solids([ELLIPSOID], [np.array(at)], [np.array(axes)], [np.array(half)])
            found = solids.depths(skin)[0]
            k = int(np.argmax(found[:, 0]))
            if found[k, 0] > best[0]:
                best = (float(found[k, 0]), pads[k].name, body.name, found[k])
    depth, normal, point = best[0], best[3][1:4], best[3][4:7]
    ends = [tuple((point + side * 0.5 * depth * normal).tolist()) for side in (1.0, -1.0)]
    return best[1], best[2], (ends[0], ends[1])


def _way(restraint: Restraint) -> float:
    """How far (m) the pads of a restraint go from open to their stop, the one that goes farthest."""
    if restraint.motion == "slides":
        return restraint.slide
    axis = np.array(restraint.axis) / math.hypot(*restraint.axis)
    arms = [np.array(pad.position) - np.array(restraint.hinge) for pad in restraint.pads]
    return restraint.turn * max(float(np.linalg.norm(np.cross(axis, arm))) for arm in arms)
