"""What keeps a frame of beams from being built although its description is valid, with the row that it is about."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ridewright.core.base.errors import InputError
from ridewright.core.base.frozen import Vec3
from ridewright.core.model.flexible import BeamPart, FlexibleBody

SHORTEST = 1e-6  # m, of a beam
Row = tuple[str, int]


def frame_faults(body: FlexibleBody) -> Iterator[tuple[Row, str]]:
    """Rows (list, number) of a frame that cannot be as they are, each with a sentence: nodes without beam, beams
    without length, section or direction, parts that nothing joins. None of an imported structure."""
    if body.imported is not None:
        return
    places = {node.name: node.position for node in body.nodes}
    used = {node for beam in body.beams for node in (beam.start, beam.end)}
    for k, node in enumerate(body.nodes):
        if node.name not in used:
            yield ("nodes", k), f"node '{node.name}' has no beam; lead one to it, or delete it."
    for k, beam in enumerate(body.beams):
        fault = _of_beam(beam, places)
        if fault:
            yield ("beams", k), f"the beam from '{beam.start}' to '{beam.end}' {fault}"
    yield from _loose(body)


def _of_beam(beam: BeamPart, places: dict[str, Vec3]) -> str:
    a, b = beam.ends(places)
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
    """Nodes with beams that no beams lead to from the first one that has some."""
    joined: set[str] = set()
    ends = [{beam.start, beam.end} for beam in body.beams]
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
                f"no beams lead from node '{first}' to node '{node.name}'; join the two parts by a beam.",
            )
            return
