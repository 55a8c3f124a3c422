"""The frame of a built track with its supports: by rules, or a finished one in their place.

Spine and both rails are one beam whose plane sections stay plane (`structure.sections.spine`): ties that are stiff in
shear. Its nodes lie on the centreline in the plane of the rails, at every support and at most a bay apart; the beams
hang below them, at the centre of area of the three tubes. A leg is rigidly joined to the node of its support and stands
on the springs of its footing. Where the track lies on the ground, nearer to it than a support is high, its nodes rest
on footings themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Vec3
from ..base.sentence import say
from ..structure.beams import Beam, Spring, assembled, lay_out
from ..structure.sections import Material, Section, Wall, compound, diagonals, rungs, tube
from ..track.build import BuiltTrack
from ..track.steelwork import SpineRule, Steelwork
from ..track.supports import SHIFTS, Support, SupportPlan, place_supports
from .finished import finished_frame
from .frame import TUBES, Footing, SteelFrame, check_held
from .lattice import Bracing, Chord, Lattice, Rails

Tubes = tuple[tuple[float, float, float], ...]
NEAR = 0.05  # m; a node of the spine is not set nearer to another one
LEG_PARTS = 3  # beams that a leg is made of: its own bending modes


def steel_frame(built: BuiltTrack, rules: Steelwork) -> SteelFrame:
    """The frame of a track with its supports (`place_supports`) by rules, or the finished one that is in their place.

    Parameters
    ----------
    built
        The track.
    rules
        What its steel is made by.

    Returns
    -------
    Spine, rails, columns and footings, with their unknowns.

    Raises
    ------
    InputError
        When the supports are too many, a section is no tube, a finished frame does not follow the track, or part of a
        frame is held by nothing.
    """
    if rules.in_place is not None:
        return finished_frame(built, rules, rules.in_place)
    plan = place_supports(built, rules.spacing)
    steel = Material(rules.E, rules.E / (2.0 * (1.0 + rules.poisson)), rules.density)
    held = _held(built, rules.spacing, plan)
    stations = _stations(built, rules.bay, [s for s, _ in held])
    names = [f"track {k}" for k in range(len(stations) - built.track.closed)]
    places = built.centreline.position(stations)
    nodes = {name: _triple(places[k]) for k, name in enumerate(names)}
    beams, tubes, made_of = _spine(built, rules, steel, stations, [s for s, _ in held], names)
    members = [f"bay {k + 1}" for k in range(len(beams))]
    springs, feet = [], []
    for s, support in held:
        head = names[int(np.argmin(np.abs(stations - s))) % len(names)]
        if support is None:
            springs.append(Spring(head, None, rules.ground()))
            feet.append((head, f"ground at {s:.1f} m", 0, s))
            continue
        number = plan.supports.index(support) + 1
        for name, (top, foot) in zip(plan.names_of(support), support.legs, strict=True):
            nodes[name] = foot
            beams.append(_leg(rules, steel, head, name, nodes[head], top, foot))
            tubes += [((0.0, 0.0, beams[-1].section.reach[0]),) * TUBES] * LEG_PARTS
            members.append(name)
            springs.append(Spring(name, None, rules.ground()))
            feet.append((name, name, number, s))
    laid = lay_out(nodes, beams)
    structure, pieces = assembled(*laid, springs), laid[2]
    footings = tuple(
        Footing(name, structure.frames[node], nodes[node], number, s) for node, name, number, s in feet
    )
    made = SteelFrame(
        structure, tuple(beams), tuple(pieces), tuple(members), stations, footings, rules.ground(),
        np.array(tubes), built.track.closed, rules.damping, plan.missing,
        lattices=tuple(one.lattice for one in made_of), rails=tuple(one.rails for one in made_of),
    )  # fmt: skip
    if made.joints:
        check_held(made, "put expansion joints farther apart, so that a support stands between two")
    return made


def _held(built: BuiltTrack, spacing: float, plan: SupportPlan) -> list[tuple[float, Support | None]]:
    """Where the track is held (m), in order: by a support, or by the ground itself (None) where it lies on it."""
    spots = np.arange(0.5 * spacing, built.length, spacing)
    found: list[tuple[float, Support | None]] = [(one.s, one) for one in plan.supports]
    own = np.array([one.s for one in plan.supports] + list(plan.missing))
    reach = max(SHIFTS) + NEAR
    found += [(float(s), None) for s in spots if not len(own) or np.min(np.abs(own - s)) > reach]
    return sorted(found, key=lambda one: one[0])


def _stations(built: BuiltTrack, bay: float, held: Sequence[float]) -> Array:
    """Places (m) of the nodes of the spine: where it is held, its ends, and as many between as no bay is longer."""
    fixed = np.unique([0.0, *held, built.length])
    fixed = fixed[np.concatenate([[True], np.diff(fixed) > NEAR])]
    fixed[-1] = built.length
    pieces = [
        np.linspace(a, b, max(1, math.ceil((b - a) / bay)), endpoint=False)
        for a, b in pairwise(fixed.tolist())
    ]
    return np.concatenate([*pieces, [built.length]])


def _spine(
    built: BuiltTrack,
    rules: Steelwork,
    steel: Material,
    stations: Array,
    held: Sequence[float],
    names: Sequence[str],
) -> tuple[list[Beam], list[Tubes], list[_Made]]:
    """The beams of the spine, each with the section that its span and the curvature there ask for, their tubes, and
    what else is made of that."""
    state = built.centreline.state(stations)
    curvature = np.linalg.norm(
        built.centreline.state(0.5 * (stations[1:] + stations[:-1])).curve[:, 2], axis=1
    )
    borders = np.array(held)
    if built.track.closed and len(held):
        borders = np.concatenate([[held[-1] - built.length], held, [held[0] + built.length]])
    span = np.searchsorted(borders, 0.5 * (stations[1:] + stations[:-1]))
    beams, tubes, every = [], [], []
    made_of, slides = cache(partial(_made, rules, built.track.gauge)), _expanding(rules.expansion, stations)
    for k in range(len(stations) - 1):
        here = span == span[k]
        length = _span_length(borders, int(span[k]), built.length)
        made = made_of(rules.spine_of(length, float(np.mean(curvature[here]))))
        tubes.append(made.tubes)
        every.append(made)
        heavy = replace(steel, density=steel.density * made.steel + rules.fittings / made.section.area)
        down = made.down
        beams.append(
            Beam(
                names[k], names[(k + 1) % len(names)], made.section, heavy, _triple(state.up[k] + state.up[k + 1]),
                offset_i=_triple(-down * state.up[k]), offset_j=_triple(-down * state.up[k + 1]),
                hinges_j="u" if k in slides else "", elements=1,
            )
        )  # fmt: skip
    return beams, tubes, every


def _expanding(every: float, stations: Array) -> frozenset[int]:
    """Numbers of the bays whose ends are expansion joints: the nearest to every so many metres."""
    if every <= 0.0:
        return frozenset()
    wanted = np.arange(every, stations[-1] - 0.5 * every, every)
    ends = stations[1:-1]
    return frozenset(int(np.argmin(np.abs(ends - s))) for s in wanted if len(ends))


class _Made(NamedTuple):
    """A section of the track: how far its centre is below the plane of the rails (m), its tubes as those of
    `SteelFrame`, how much steel there is with its bracing, times that of the tubes, the lattice that it is, if it
    is one, and its rails."""

    section: Section
    down: float
    tubes: Tubes
    steel: float
    lattice: Lattice | None
    rails: Rails


NAMES = {
    "triangle": ("left rail", "right rail", "chord"),
    "box": ("left rail", "right rail", "right chord", "left chord"),
}
WALLS = {
    "triangle": ("right diagonals", "left diagonals"),
    "box": ("right diagonals", "lower diagonals", "left diagonals"),
}


def _made(rules: Steelwork, gauge: float, rule: SpineRule) -> _Made:
    """The section that a rule makes: rails first, then the chords below."""
    rail = tube(rules.rail_diameter, rules.rail_wall)
    if gauge < rules.rail_diameter:
        size = rules.rail_diameter
        raise InputError(
            say("Two rails of {size:g m} have no room {gauge:g m} apart.", size=size, gauge=gauge)
        )
    half, h = 0.5 * gauge, rules.depth
    below = {"spine": (0.0,), "ladder": (), "triangle": (0.0,), "box": (-half, half)}[rule.kind]
    chord = tube(rule.diameter, rule.wall)
    chords = [(half, 0.0, rail), (-half, 0.0, rail), *((y, -h, chord) for y in below)]
    braced = [] if rule.kind == "spine" else _walls(rules, rule, chords)
    walls = [wall for _, wall in braced]
    section = compound(chords, walls)
    down = h * len(below) * chord.area / section.area
    tubes = [(y, z + down, one.reach[0]) for y, z, one in chords]
    tubes += tubes[-1:] * (TUBES - len(tubes))
    lattice = None
    if braced:
        names = NAMES.get(rule.kind, NAMES["box"])
        own = (Chord(name, y, z + down, one) for name, (y, z, one) in zip(names, chords, strict=False))
        lattice = Lattice(tuple(own), tuple(wall for wall, _ in braced), section)
    steel = 1.0 + sum(one.steel for one in walls) / section.area
    return _Made(section, down, tuple(tubes), steel, lattice, Rails(rail, half, down, rule.panel))


def _walls(
    rules: Steelwork, rule: SpineRule, chords: Sequence[tuple[float, float, Section]]
) -> list[tuple[Bracing, Wall]]:
    """Ties between the rails, and diagonals around what is below: what they are, and what they do to the section."""
    brace, ratio, panel = tube(rule.brace_diameter, rule.brace_wall), 2.0 * (1.0 + rules.poisson), rule.panel
    gauge = math.dist(chords[0][:2], chords[1][:2])
    tied = rungs((0, 1), chords[0][2], brace, panel, gauge, ratio)
    found = [(Bracing("ties", (0, 1), brace, True, panel, gauge, tied.shear), tied)]
    around = [*range(1, len(chords)), 0] if len(chords) > 2 else []
    for name, both in zip(WALLS.get(rule.kind, ()), pairwise(around), strict=True):
        apart = math.dist(chords[both[0]][:2], chords[both[1]][:2])
        wall = diagonals(both, brace, panel, apart, ratio)
        found.append((Bracing(name, both, brace, False, panel, apart, wall.shear), wall))
    return found


def _span_length(borders: Array, right: int, whole: float) -> float:
    """Length (m) of the span that ends at a border; an end of an open track that nothing holds counts twice."""
    if not len(borders):
        return whole
    if right == 0:
        return 2.0 * float(borders[0])
    if right == len(borders):
        return 2.0 * (whole - float(borders[-1]))
    return float(borders[right] - borders[right - 1])


def _leg(
    rules: Steelwork,
    steel: Material,
    head: str,
    foot: str,
    at: tuple[float, float, float],
    top: Vec3,
    below: Vec3,
) -> Beam:
    """A leg from the node of its support, rigidly to its top (m), down to its foot."""
    way = np.subtract(below, top)
    rule = rules.column_of(float(np.linalg.norm(way)))
    across = (1.0, 0.0, 0.0) if abs(way[0]) < 0.9 * np.linalg.norm(way) else (0.0, 1.0, 0.0)
    return Beam(
        head, foot, tube(rule.diameter, rule.wall), steel, across,
        offset_i=_triple(np.subtract(top, at)), elements=LEG_PARTS,
    )  # fmt: skip


def _triple(values: Array) -> tuple[float, float, float]:
    x, y, z = np.asarray(values, dtype=np.float64).tolist()
    return x, y, z
