"""How long the members of the steel last: damage of one ride at the fibres whose stress changes most, EN 1993-1-9.

Of a lattice the chords are fibres of the beam, and braces are members of their own, judged by their axial force and by
what bends ties. Rails are judged where a tie is welded on and between two, with what wheels bend there (`rails`). Nodes
of diagonals: EN 1993-1-9, table 8.7, K joints of round tubes with a gap, slope 5, category 45 where both walls are as
thick and 90 where the chord's is twice as thick; what is bent there besides is a factor on axial stress (table 4.1).

Normal stress is judged, from the forces at the ends of beams, which is where tubes are welded; geometric stress of the
node itself is in the category of its detail (`Steelwork.spine_detail`, `column_detail`), a choice of who designs it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..outcome.fatigue import Detail, Fatigue, fatigue
from ..track.steelwork import Steelwork
from .frame import SteelFrame
from .joints import wall_of
from .lattice import RAILS, Lattice, Part
from .members import fibres, normal_stress
from .rails import PLACES, RailBending
from .ride import SteelRide

LOOKED_AT = 24  # members
BENT_CHORD, BENT_BRACE = 1.5, 1.3  # times the axial stress at a node
EQUAL, TWICE = 45e6, 90e6  # Pa: category of a node by the thickness of the chord's wall, by that of the brace


class MemberLife(NamedTuple):
    """What one ride does to a member: its name, place on the track (m) and point (3,) m of its worst fibre, ranges of
    stress there and the damage they do, by a detail of a category (Pa), what part of its life the planned rides take: 1
    is all, and the normal stress there (n,) Pa at times (n,) s."""

    name: str
    s: float
    point: tuple[float, float, float]
    category: float
    fatigue: Fatigue
    share: float
    time: Array
    stress: Array

    @property
    def worst(self) -> float:
        """When (s) its stress is farthest from what it was at the beginning."""
        return float(self.time[int(np.argmax(np.abs(self.stress - self.stress[0])))])


def _detail(frame: SteelFrame, beam: int, rules: Steelwork) -> Detail:
    bay = beam < len(frame.stations) - 1
    return Detail(rules.spine_detail if bay else rules.column_detail, rules.partial)


def most_changed(
    frame: SteelFrame,
    ride: SteelRide,
    rules: Steelwork,
    count: int = LOOKED_AT,
    bending: RailBending | None = None,
    watch: Sequence[str] = (),
) -> tuple[int, ...]:
    """The pieces, one of each member, whose range of stress may be the largest part of what their detail stands, by a
    bound: the first `count` of them, and those of all columns. bending: what wheels bend of the rails besides; watch:
    members that are among them in any case. Raises InputError for one that is not there."""
    for name in watch:
        if name not in frame.members:
            raise InputError(
                f"The steel has no member '{name}'; take a name of its tables, such as column 1 or bay 1."
            )
    beams = np.array([piece.beam for piece in frame.pieces])
    stands = np.array([_detail(frame, beam, rules).category for beam in range(len(frame.members))])
    part = ride.members.ranges(frame).max(axis=1) / stands[beams]
    if bending is not None:
        rails = np.array([one.section.reach[0] / one.section.Iy for one in frame.rails]) * bending.largest
        part[: len(rails)] += rails / rules.tie_detail
    order = np.argsort(-part)
    _, firsts = np.unique(beams[order], return_index=True)
    ranked = order[np.sort(firsts)]
    kept = (np.arange(len(ranked)) < count) | (beams[ranked] >= len(frame.stations) - 1)
    kept |= np.isin(beams[ranked], [frame.members.index(name) for name in watch])
    return tuple(ranked[kept].tolist())


def lives(
    frame: SteelFrame, ride: SteelRide, rules: Steelwork, bending: RailBending | None = None
) -> tuple[MemberLife, ...]:
    """The members watched in a ride, the one with the most damage first, and of bays their rails, with what wheels bend
    of them. Raises InputError without the package `rainflow`."""
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
            if best is None or (one.damage, one.largest) > (best[0].damage, best[0].largest):
                best = one, end, places[tube, angle], stress[:, tube, angle]
        assert best is not None
        one, end, at, history = best
        line = frame.pieces[piece]
        point = line.start + line.axes @ np.array([end * line.length, *at])
        s = frame.place(beam, end)
        found.append(
            MemberLife(
                name, s, tuple(point.tolist()), detail.category, one, one.damage * rules.rides, ride.time, history
            )
        )  # fmt: skip
        found += _braces(frame, piece, inside, rules, ride.time)
        if bay and bending is not None:
            found += _rails(frame, piece, inside, rules, ride.time, bending)
    return tuple(sorted(found, key=lambda one: (-one.share, -one.fatigue.largest)))


def _rails(
    frame: SteelFrame, piece: int, inside: Array, rules: Steelwork, time: Array, bending: RailBending
) -> list[MemberLife]:
    """Both rails of a bay, at the tie where it begins and between that and the next."""
    line, beam, found = frame.pieces[piece], frame.pieces[piece].beam, []
    for rail, name in enumerate(RAILS):
        stress = bending.stress(beam, inside[0], time, rail)
        for place, where in enumerate(PLACES):
            detail = Detail(rules.spine_detail if place else rules.tie_detail, rules.partial)
            worst = stress[place, int(np.argmax(np.ptp(stress[place], axis=1)))]
            one = fatigue(worst, detail)
            own = frame.rails[beam]
            at = (0.5 * own.panel * place, own.half if rail == 0 else -own.half, own.z)
            point = line.start + line.axes @ np.array(at)
            found.append(
                MemberLife(
                    f"{frame.members[beam]}, {name} {where}", frame.place(beam, 0), tuple(point.tolist()),
                    detail.category, one, one.damage * rules.rides, bending.time, worst,
                )
            )  # fmt: skip
    return found


def _braces(frame: SteelFrame, piece: int, inside: Array, rules: Steelwork, time: Array) -> list[MemberLife]:
    """Those of a piece that is a lattice, and its nodes, each at the end where it is harmed more."""
    lattice = frame.lattices[piece] if piece < len(frame.lattices) else None
    if lattice is None:
        return []
    parts, chords = list(lattice.parts()), len(lattice.chords)
    judged = [
        (part.name, Detail(rules.column_detail, rules.partial), part.rows[0] / part.section.area
         + part.rows[3] * part.section.reach[0] / part.section.Iy)
        for part in parts[chords:]
    ]  # fmt: skip
    for k, part in enumerate(parts):
        category, bent = _node(lattice, parts, k), BENT_CHORD if k < chords else BENT_BRACE
        if category > 0.0:
            detail = Detail(category, rules.partial, node=True)
            judged.append((f"{part.name} at its nodes", detail, bent * part.rows[0] / part.section.area))
    return [_at_worse_end(frame, piece, inside, rules, time, *one) for one in judged]


def _node(lattice: Lattice, parts: list[Part], part: int) -> float:
    """Category (Pa) of the nodes of a chord or diagonal, of the brace with the thickest wall for its chord's; 0 of what
    has no diagonals."""
    thick = [wall_of(one.section) for one in parts]
    chords, worst = len(lattice.chords), np.inf
    for k, wall in enumerate(lattice.walls):
        if not wall.ties and part in (*wall.chords, chords + k):
            ratio = min(thick[chord] for chord in wall.chords) / thick[chords + k]
            worst = min(worst, float(np.interp(ratio, (1.0, 2.0), (EQUAL, TWICE))))
    return worst if np.isfinite(worst) else 0.0


def _at_worse_end(
    frame: SteelFrame,
    piece: int,
    inside: Array,
    rules: Steelwork,
    time: Array,
    name: str,
    detail: Detail,
    row: Array,
) -> MemberLife:
    """Stress row @ forces inside, judged at the end that it harms more."""
    line = frame.pieces[piece]
    both = [fatigue(row @ inside[end], detail) for end in range(2)]
    end = max(range(2), key=lambda k: (both[k].damage, both[k].largest))
    point = line.start + end * line.length * line.axes[:, 0]
    used = both[end].damage * rules.rides
    return MemberLife(
        f"{frame.members[line.beam]}, {name}", frame.place(line.beam, end), tuple(point.tolist()), detail.category,
        both[end], used, time, row @ inside[end],
    )  # fmt: skip


def histories_csv(found: Sequence[MemberLife]) -> str:
    """Normal stress over time of what was judged, a line each: other programs count it again."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["member", "time_s", "stress_Pa"])
    for one in found:
        rows = zip(one.time.tolist(), one.stress.tolist(), strict=True)
        write.writerows([one.name, f"{time:.6g}", f"{stress:.7g}"] for time, stress in rows)
    return out.getvalue()
