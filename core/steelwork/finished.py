"""A finished frame under the train, and the frame that rules make as one: in and out of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import block_diag, csc_matrix

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..structure.beams import Beam, Spring, assembled, lay_out
from ..structure.model import Structure
from ..structure.sections import Material, Section
from ..track.build import BuiltTrack
from ..track.finished_frame import (
    FinishedFrame,
    FrameBody,
    FrameMaterial,
    FrameMember,
    FrameNode,
    FrameSection,
    FrameSupport,
)
from ..track.steelwork import Steelwork
from .frame import TUBES, Footing, SteelFrame, bodies_in, check_held

# m from the centreline: a member of the track that is farther is of another track, or in other units
FAR = 5.0
TWIST_OF_NONE = 1e9  # m^3, of a section whose stress of torsion is not asked for
SEARCH = 0.5  # m along the track


def finished_frame(built: BuiltTrack, rules: Steelwork, given: FinishedFrame) -> SteelFrame:
    """A finished frame on a built track: the members of the track are its bays, in order, between the places of the
    centreline nearest to their nodes. Raises InputError where they do not follow the track, where something can move
    without bending, and as `lay_out`."""
    nodes = {one.name: one.position for one in given.nodes}
    members = {one.name: one for one in given.members}
    bays = [members.pop(name) for name in given.track]
    every = (*bays, *members.values())
    materials = {one.name: Material(one.E, one.G, one.density) for one in given.materials}
    described = {one.name: one for one in given.sections}
    sections = {name: _section(one) for name, one in described.items()}
    beams = tuple(
        Beam(
            one.start, one.end, sections[one.section], materials[one.material], one.up, one.start_arm, one.end_arm,
            hinges_j="u" if one.slides else "", elements=one.elements,
        )
        for one in every
    )  # fmt: skip
    springs = [Spring(one.node, None, one.stiffness) for one in given.supports]
    laid = lay_out(nodes, beams)
    structure, pieces = assembled(*laid, springs), tuple(laid[2])
    structure = _with_bodies(structure, given.bodies)
    stations = _stations(built, [nodes[bays[0].start], *(nodes[one.end] for one in bays)])
    footings = tuple(
        Footing(one.name, structure.frames[one.node], nodes[one.node], 0, _nearest(built, nodes[one.node]))
        for one in given.supports
    )
    tubes = np.array([_fibres(described[every[piece.beam].section]) for piece in pieces])
    stiffness = tuple(one.stiffness for one in given.supports)
    closed = built.track.closed and bays[-1].end == bays[0].start
    made = SteelFrame(
        structure, beams, pieces, tuple(one.name for one in every), stations, footings, stiffness, tubes, closed,
        rules.damping, lap=built.length if built.track.closed and not closed else 0.0,
        bodies=given.bodies,
    )  # fmt: skip
    check_held(made, "hold every part of it by members or a support")
    return made


def _with_bodies(structure: Structure, bodies: tuple[FrameBody, ...]) -> Structure:
    """Beams and the bodies between their nodes."""
    if not bodies:
        return structure
    K, M = bodies_in(structure, bodies)
    size, more = structure.size, K.shape[0] - structure.size
    grown = [
        csc_matrix(block_diag([matrix, csc_matrix((more, more))]) + own)
        for matrix, own in ((structure.K, K), (structure.M, M))
    ]
    assert size == structure.unknowns.size  # its own unknowns of bodies follow those of nodes
    return replace(structure, K=grown[0], M=grown[1])


def _section(one: FrameSection) -> Section:
    reach = max(abs(y) + r for y, _, r in one.fibres), max(abs(z) + r for _, z, r in one.fibres)
    return Section(
        one.area, one.Iy, one.Iz, one.torsion, one.shear_y, one.shear_z, reach, one.twist or TWIST_OF_NONE
    )


def _fibres(one: FrameSection) -> list[tuple[float, float, float]]:
    given = list(one.fibres)
    return given + given[-1:] * (TUBES - len(given))


def _nearest(built: BuiltTrack, place: tuple[float, float, float]) -> float:
    s = np.arange(0.0, built.length, SEARCH)
    apart = np.linalg.norm(built.centreline.position(s) - np.array(place), axis=1)
    return float(s[int(np.argmin(apart))])


def _stations(built: BuiltTrack, places: Sequence[tuple[float, float, float]]) -> Array:
    """Places (m) of the nodes of the track along its centreline, each ahead of the one before."""
    line, step = built.centreline, SEARCH / 50.0
    found: list[float] = []
    for k, place in enumerate(places):
        at = np.array(place)
        last = found[-1] if found else -SEARCH
        reach = (
            2.0 * float(np.linalg.norm(at - np.array(places[k - 1]))) + 2.0 * SEARCH if k else built.length
        )
        s = np.arange(max(last, 0.0), min(last + reach, built.length) + step, step if k else SEARCH)
        s = np.minimum(s, built.length)
        apart = np.linalg.norm(line.position(line.wrap(s)) - at, axis=1)
        best = int(np.argmin(apart))
        if k == 0:
            fine = np.clip(s[best] + np.arange(-SEARCH, SEARCH, step), 0.0, built.length)
            near = np.linalg.norm(line.position(line.wrap(fine)) - at, axis=1)
            found.append(float(fine[int(np.argmin(near))]))
        elif apart[best] > FAR or s[best] <= last:
            raise InputError(
                say(
                    "The track member {k} of the frame ends {apart:.1f m} from the track; check that the frame is of"
                    " this track, in m, and that its members are in running order.",
                    k=k, apart=float(apart[best]),
                )
            )  # fmt: skip
        else:
            found.append(float(s[best]))
    out = np.array(found)
    if built.track.closed and places[0] == places[-1]:
        out[0], out[-1] = 0.0, built.length
    return out


def as_finished(frame: SteelFrame) -> FinishedFrame:
    """A frame that rules have made as a finished one, with the same names."""
    names = {number: name for name, number in frame.structure.frames.items()}
    places = frame.structure.nodes
    nodes = tuple(
        FrameNode(name=name, position=tuple(places[k].tolist())) for k, name in sorted(names.items())
    )
    first = {piece.beam: k for k, piece in reversed(list(enumerate(frame.pieces)))}
    materials: dict[Material, FrameMaterial] = {}
    sections: dict[tuple[Section, tuple[Any, ...]], FrameSection] = {}
    members = []
    for k, (name, beam) in enumerate(zip(frame.members, frame.beams, strict=True)):
        steel, own = beam.material, beam.section
        material = materials.setdefault(
            steel,
            FrameMaterial(name=f"steel {len(materials) + 1}", E=steel.E, G=steel.G, density=steel.density),
        )
        fibres = tuple(dict.fromkeys(map(tuple, frame.tubes[first[k]].tolist())))
        section = sections.setdefault(
            (own, fibres),
            FrameSection(
                name=f"section {len(sections) + 1}", area=own.area, Iy=own.Iy, Iz=own.Iz, torsion=own.torsion,
                shear_y=own.shear_y, shear_z=own.shear_z, twist=own.twist, fibres=fibres,
            ),
        )  # fmt: skip
        members.append(
            FrameMember(
                name=name, start=beam.start, end=beam.end, section=section.name, material=material.name, up=beam.up,
                start_arm=beam.offset_i, end_arm=beam.offset_j, slides="u" in beam.hinges_j, elements=beam.elements,
            )
        )  # fmt: skip
    supports = tuple(
        FrameSupport(name=foot.name, node=names[foot.node], stiffness=tuple(spring))
        for foot, spring in zip(frame.footings, frame.springs.tolist(), strict=True)
    )
    return FinishedFrame(
        nodes=nodes, materials=tuple(materials.values()), sections=tuple(sections.values()), members=tuple(members),
        supports=supports, track=frame.members[: len(frame.stations) - 1], bodies=frame.bodies,
    )  # fmt: skip
