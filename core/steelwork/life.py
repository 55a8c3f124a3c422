"""How long the members of the steel last: damage of one ride at the fibres whose stress changes most, EN 1993-1-9.

Of a lattice the chords are fibres of the beam, and braces are members of their own, judged by their axial force and by
what bends ties.

Normal stress is judged, from the forces at the ends of beams, which is where tubes are welded; geometric stress of the
node itself is in the category of its detail (`Steelwork.spine_detail`, `column_detail`), a choice of who designs it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..outcome.fatigue import Detail, Fatigue, fatigue
from ..track.steelwork import Steelwork
from .frame import SteelFrame
from .members import fibres, normal_stress
from .ride import SteelRide

LOOKED_AT = 24  # members


class MemberLife(NamedTuple):
    """What one ride does to a member: its name, place on the track (m) and point (3,) m of its worst fibre, ranges of
    stress there and the damage they do, by a detail of a category (Pa), and what part of its life the planned rides
    take: 1 is all."""

    name: str
    s: float
    point: tuple[float, float, float]
    category: float
    fatigue: Fatigue
    share: float


def _detail(frame: SteelFrame, beam: int, rules: Steelwork) -> Detail:
    bay = beam < len(frame.stations) - 1
    return Detail(rules.spine_detail if bay else rules.column_detail, rules.partial)


def most_changed(
    frame: SteelFrame, ride: SteelRide, rules: Steelwork, count: int = LOOKED_AT
) -> tuple[int, ...]:
    """The pieces, one of each member, whose range of stress may be the largest part of what their detail stands, by a
    bound: the first `count` of them, and those of all columns."""
    beams = np.array([piece.beam for piece in frame.pieces])
    stands = np.array([_detail(frame, beam, rules).category for beam in range(len(frame.members))])
    part = ride.members.ranges(frame).max(axis=1) / stands[beams]
    order = np.argsort(-part)
    _, firsts = np.unique(beams[order], return_index=True)
    ranked = order[np.sort(firsts)]
    kept = (np.arange(len(ranked)) < count) | (beams[ranked] >= len(frame.stations) - 1)
    return tuple(ranked[kept].tolist())


def lives(frame: SteelFrame, ride: SteelRide, rules: Steelwork) -> tuple[MemberLife, ...]:
    """The members watched in a ride, the one with the most damage first. Raises InputError without the package
    `rainflow`."""
    found: list[MemberLife] = []
    for piece, inside in zip(ride.watch, ride.watched, strict=True):
        beam = frame.pieces[piece].beam
        name, bay = frame.members[beam], beam < len(frame.stations) - 1
        detail = Detail(rules.spine_detail if bay else rules.column_detail, rules.partial)
        places, best = fibres(frame, piece), None
        for end in range(2):
            stress = normal_stress(frame, piece, inside[end], places)
            tube, angle = np.unravel_index(int(np.argmax(np.ptp(stress, axis=0))), places.shape[:2])
            one = fatigue(stress[:, tube, angle], detail)
            if (
                best is None
                or one.damage > best[0].damage
                or (one.damage == best[0].damage and one.largest > best[0].largest)
            ):
                best = one, end, places[tube, angle]
        assert best is not None
        one, end, at = best
        line = frame.pieces[piece]
        point = line.start + line.axes @ np.array([end * line.length, *at])
        s = frame.place(beam, end)
        found.append(
            MemberLife(name, s, tuple(point.tolist()), detail.category, one, one.damage * rules.rides)
        )
        found += _braces(frame, piece, inside, rules)
    return tuple(sorted(found, key=lambda one: (-one.share, -one.fatigue.largest)))


def _braces(frame: SteelFrame, piece: int, inside: Array, rules: Steelwork) -> list[MemberLife]:
    """Those of a piece that is a lattice, each at the end where it is harmed more."""
    lattice = frame.lattices[piece] if piece < len(frame.lattices) else None
    detail, line, found = Detail(rules.column_detail, rules.partial), frame.pieces[piece], []
    for part in () if lattice is None else list(lattice.parts())[len(lattice.chords) :]:
        tube = part.section
        row = part.rows[0] / tube.area + part.rows[3] * tube.reach[0] / tube.Iy
        both = [fatigue(row @ inside[end], detail) for end in range(2)]
        end = max(range(2), key=lambda k: (both[k].damage, both[k].largest))
        point = line.start + end * line.length * line.axes[:, 0]
        name, s = f"{frame.members[line.beam]}, {part.name}", frame.place(line.beam, end)
        used = both[end].damage * rules.rides
        found.append(MemberLife(name, s, tuple(point.tolist()), detail.category, both[end], used))
    return found
