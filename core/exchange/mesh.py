"""Rails as tubes and ties as bars: one triangle mesh for every section, for OBJ and glTF."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..base.arrays import Array, Integers
from ..track.build import BuiltTrack
from ..track.centreline import FrameState
from .accuracy import chord_error
from .base import WriteOptions, finite, naming_section, spacing_of

SPACING = 0.5  # m
RAIL_RADIUS = 0.07  # m, of the tubes
AROUND = 10  # corners of a tube
TIE_SPACING = 1.0  # m
TIE_WIDTH, TIE_HEIGHT = 0.12, 0.06  # m, along and across the track


@dataclass(frozen=True)
class Part:
    """A named mesh: vertices and outward unit normals (n, 3), z up, m; triangles (k, 3) counter-clockwise from
    outside; material "rail" or "tie"."""

    name: str
    material: str
    vertices: Array
    normals: Array
    triangles: Integers


def tube(
    middle: Array, across: Array, upward: Array, radius: float, capped: tuple[bool, bool]
) -> tuple[Array, ...]:
    """A tube about a line: vertices, normals (n, 3) and triangles (k, 3).

    middle (m, 3): the line; across, upward (m, 3): unit vectors perpendicular to it; capped: whether its start and
    its end are closed by flat discs.
    """
    angle = 2.0 * np.pi * np.arange(AROUND) / AROUND
    normals = (
        np.cos(angle)[None, :, None] * across[:, None, :] + np.sin(angle)[None, :, None] * upward[:, None, :]
    )
    vertices = middle[:, None, :] + radius * normals
    count = len(middle)
    ring = np.arange(AROUND)
    ahead = (ring + 1) % AROUND
    base = (np.arange(count - 1) * AROUND)[:, None]
    quads = np.stack(
        [base + ring, base + AROUND + ring, base + AROUND + ahead, base + ahead], axis=-1
    ).reshape(-1, 4)
    triangles = [quads[:, [0, 3, 2]], quads[:, [0, 2, 1]]]
    all_vertices, all_normals = [vertices.reshape(-1, 3)], [normals.reshape(-1, 3)]
    used = count * AROUND
    for end, wanted in ((0, capped[0]), (count - 1, capped[1])):
        if not wanted:
            continue
        axis = np.cross(across[end], upward[end]) * (-1.0 if end == 0 else 1.0)
        all_vertices.append(np.vstack([vertices[end], middle[end]]))
        all_normals.append(np.tile(axis, (AROUND + 1, 1)))
        fan = np.stack([np.full(AROUND, used + AROUND), used + ring, used + ahead], axis=-1)
        triangles.append(fan[:, [0, 2, 1]] if end == 0 else fan)
        used += AROUND + 1
    return np.concatenate(all_vertices), np.concatenate(all_normals), np.concatenate(triangles)


_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def bars(middle: Array, axes: Array, half: Array) -> tuple[Array, ...]:
    """Boxes: vertices, normals (24 m, 3) and triangles (12 m, 3). middle (m, 3); axes (m, 3, 3): unit vectors of the
    boxes as rows; half (3,) m: half their size along each."""
    corners = middle[:, None, :] + np.einsum("cj,mjk->mck", _CORNERS * half, axes)
    vertices = np.stack([corners[:, list(face)] for face in _FACES], axis=1)
    outward = vertices.mean(axis=2) - middle[:, None, :]
    outward /= np.linalg.norm(outward, axis=-1, keepdims=True)
    normals = np.repeat(outward[:, :, None, :], 4, axis=2)
    base = 4 * np.arange(6 * len(middle))[:, None]
    triangles = np.concatenate([base + np.array([0, 1, 2]), base + np.array([0, 2, 3])])
    return vertices.reshape(-1, 3), normals.reshape(-1, 3), triangles


def _rail(state: FrameState, offset: float, capped: tuple[bool, bool]) -> tuple[Array, ...]:
    """Tube of the rail `offset` m to the left of the centreline; its top is where the rail curve lies."""
    bend = np.sum(state.curve[:, 2] * state.left, axis=-1)
    along = state.tangent * (1.0 - offset * bend)[:, None] + offset * state.twist[:, :1] * state.up
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.cross(state.up, along)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    upward = np.cross(along, across)
    middle = state.curve[:, 0] + offset * state.left - RAIL_RADIUS * upward
    return tube(middle, across, upward, RAIL_RADIUS, capped)


def track_parts(built: BuiltTrack, spacing: float) -> list[Part]:
    """Meshes of every section: "<name>" with material rail (both tubes) and the same with material tie.

    spacing (m): of the rings along the rails. Raises FloatingPointError with the place of a frame that is not finite.
    """
    parts = []
    half = 0.5 * built.track.gauge
    last = len(built.sections) - 1
    for k, span in enumerate(built.sections):
        if span.s1 - span.s0 <= 1e-9:
            continue
        count = max(1, int(np.ceil((span.s1 - span.s0) / spacing - 1e-9)))
        s = np.linspace(span.s0, span.s1, count + 1)
        state = built.centreline.state(s)
        finite(state.curve[:, 0], s)
        finite(state.left, s)
        capped = (k == 0 and not built.track.closed, k == last and not built.track.closed)
        parts.append(_joined(span.name, "rail", [_rail(state, offset, capped) for offset in (half, -half)]))
        positions = np.arange(np.ceil(span.s0 / TIE_SPACING), np.ceil(span.s1 / TIE_SPACING)) * TIE_SPACING
        if len(positions):
            frame = built.centreline.state(positions)
            axes = np.stack([frame.tangent, frame.left, frame.up], axis=1)
            middle = frame.curve[:, 0] - (RAIL_RADIUS + 0.5 * TIE_HEIGHT) * frame.up
            size = np.array([0.5 * TIE_WIDTH, half + RAIL_RADIUS, 0.5 * TIE_HEIGHT])
            parts.append(_joined(span.name, "tie", [bars(middle, axes, size)]))
    return parts


def _joined(name: str, material: str, meshes: list[tuple[Array, ...]]) -> Part:
    offsets = np.concatenate([[0], np.cumsum([len(mesh[0]) for mesh in meshes])])
    triangles = np.concatenate([mesh[2] + offsets[k] for k, mesh in enumerate(meshes)])
    return Part(
        name,
        material,
        np.concatenate([mesh[0] for mesh in meshes]),
        np.concatenate([mesh[1] for mesh in meshes]),
        triangles.astype(np.int64),
    )


def parts_for(built: BuiltTrack, path: Path, options: WriteOptions) -> tuple[list[Part], tuple[str, ...]]:
    """Rails and ties of a track at the spacing of the options, and sentences on them. Raises InputError."""
    spacing = spacing_of(options, SPACING, built)
    with naming_section(built, str(path)):
        parts = track_parts(built, spacing)
    s = np.linspace(0.0, built.length, max(2, int(np.ceil(built.length / spacing)) + 1))
    error, at = chord_error(built, s[:-1] if built.track.closed else s)
    count = sum(len(part.triangles) for part in parts)
    return parts, (
        f"{count} triangles in {len(built.sections)} sections, rings about {spacing:g} m apart.",
        f"The axes of the tubes lie at most {error * 1000:.2f} mm off the rails between rings (at s = {at:.1f} m).",
    )
