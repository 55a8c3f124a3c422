"""What keeps a frame of beams from being built although its description is valid, with the row that it is about."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Vec3
from .flexible import BeamPart, FlexibleBody, NodeSpring

SHORTEST = 1e-6  # m, of a beam
HELD = 1e-9  # of a turn: what a beam resists of it, at least
Row = tuple[str, int]


def frame_faults(body: FlexibleBody) -> Iterator[tuple[Row, str]]:
    """Rows (list, number) of a frame that cannot be as they are, each with a sentence: nodes without beam or held by
    hinges alone, beams without length, section or direction, parts that nothing joins. None of an imported one."""
    if body.imported is not None:
        return
    positions = {node.name: node.position for node in body.nodes}
    used = {node for beam in body.beams for node in (beam.start, beam.end)}
    for k, node in enumerate(body.nodes):
        if node.name not in used:
            yield ("nodes", k), f"node '{node.name}' has no beam; lead one to it, or delete it."
    faults = beam_faults(body)
    for k, fault in faults.items():
        yield ("beams", k), f"the beam from '{body.beams[k].start}' to '{body.beams[k].end}' {fault}"
    yield from _loose(body)
    if not faults:
        yield from _hinged(body, positions, used)


def beam_faults(body: FlexibleBody) -> dict[int, str]:
    """What keeps beams of a frame from being built, by their numbers."""
    positions = {node.name: node.position for node in body.nodes}
    found = {k: _of_beam(beam, positions) for k, beam in enumerate(body.beams)}
    return {k: fault for k, fault in found.items() if fault}


def _of_beam(beam: BeamPart, positions: dict[str, Vec3]) -> str:
    a, b = beam.ends(positions)
    along = np.subtract(b, a)
    if math.hypot(*along) < SHORTEST:
        return "has no length, both its ends are at one place; move a node, or delete it."
    across = np.cross(beam.up, along)
    if np.linalg.norm(across) <= 1e-6 * math.hypot(*along) * max(math.hypot(*beam.up), 1e-300):
        return "has its up direction along itself, or none; give one across it."
    try:
        beam.section.made()
    except InputError as error:
        return f"has no section that can be made: {error}"
    return ""


def _loose(body: FlexibleBody) -> Iterator[tuple[Row, str]]:
    """Nodes with beams that no beams or springs lead to from the first one that has some."""
    joined: set[str] = set()
    ends = [{beam.start, beam.end} for beam in body.beams]
    ends += [{spring.start, spring.end} for spring in body.springs]
    for pair in ends[:1]:
        joined |= pair
    while grown := [pair for pair in ends if pair & joined and not pair <= joined]:
        joined.update(*grown)
    first = next((node.name for node in body.nodes if node.name in joined), "")
    used = set().union(*ends)
    for k, node in enumerate(body.nodes):
        if node.name in used - joined:
            yield (
                ("nodes", k),
                f"no beams lead from node '{first}' to node '{node.name}'; join the two parts by a beam or a spring.",
            )
            return


def _hinged(body: FlexibleBody, positions: dict[str, Vec3], used: set[str]) -> Iterator[tuple[Row, str]]:
    """Nodes that turn against nothing because all their beams end there in hinges: those with an interface, and others
    that turn about x, y or z of the assembly or on an arm. Else the turn, which meets no mass either, is left out when
    the frame is reduced."""
    interfaces = {one.node for one in body.interfaces}
    for k, node in enumerate(body.nodes):
        if node.name not in used:
            continue
        beams = [beam for beam in body.beams if node.name in (beam.start, beam.end)]
        if any(not _free(beam, node.name) for beam in beams):
            continue
        springs = [spring for spring in body.springs if node.name in (spring.start, spring.end)]
        held = np.vstack(
            [_holds(beam, positions, node.name) for beam in beams]
            + [_springs_hold(spring, positions, node.name) for spring in springs]
        )
        sizes, motions = np.linalg.svd(held)[1:]
        loose = motions[np.count_nonzero(sizes > HELD) :]
        on_arm = np.abs(loose[:, :3]).max(initial=0.0) > HELD
        along = np.linalg.norm(np.linalg.qr(loose[:, 3:].T)[0], axis=1)  # how much of each axis is in them
        axis = "xyz"[int(along.argmax())]
        if len(loose) and (on_arm or along.max() > 1.0 - HELD or node.name in interfaces):
            yield (
                ("nodes", k),
                f"node '{node.name}' turns {'' if along.max() > 1.0 - HELD else 'mainly '}about {axis} against nothing,"
                " all its beams end there in hinges; let one of them be rigid, or give its hinge a spring.",
            )


def _springs_hold(spring: NodeSpring, positions: dict[str, Vec3], node: str) -> Array:
    """The same of a spring, which acts half-way between its nodes."""
    other = spring.end if node == spring.start else spring.start
    arm = 0.5 * np.subtract(positions[other], positions[node])
    moved = np.hstack([np.eye(3), np.cross(np.eye(3), arm).T])
    turned = np.hstack([np.zeros((3, 3)), np.eye(3)])
    return np.vstack([moved[np.array(spring.along) > 0.0], turned[np.array(spring.about) > 0.0]])


def _free(beam: BeamPart, node: str) -> str:
    """About which of its axes a beam turns freely at a node."""
    at_start = node == beam.start
    hinge, spring = (beam.hinge_start, beam.spring_start) if at_start else (beam.hinge_end, beam.spring_end)
    return "" if spring > 0.0 else hinge


def _holds(beam: BeamPart, positions: dict[str, Vec3], node: str) -> Array:
    """What a beam resists (rows, 6) of displacements and turns of a node: any displacement of its end, and turns about
    the axes without a free hinge."""
    start, end = (np.array(position) for position in beam.ends(positions))
    x = (end - start) / np.linalg.norm(end - start)
    y = np.cross(beam.up, x)
    y /= np.linalg.norm(y)
    arm = beam.offset_start if node == beam.start else beam.offset_end
    moved = np.hstack([np.eye(3), np.cross(np.eye(3), np.array(arm)).T])
    axes = zip("xyz", (x, y, np.cross(x, y)), strict=True)
    turned = [axis for name, axis in axes if name not in _free(beam, node)]
    return np.vstack([moved, np.hstack([np.zeros((len(turned), 3)), np.reshape(turned, (-1, 3))])])
