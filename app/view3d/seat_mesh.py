"""Seats and restraints as meshes: by what a seat says it is made of, or a bucket seat where it says nothing."""

from __future__ import annotations

import math

import numpy as np

from ...core.base.arrays import Array
from ...core.base.frames import rotation_matrix
from ...core.model import surfaces as s
from ...core.model.assembly import Seat
from ...core.model.restraints import Restraint
from ...core.model.seats import PARTS, SeatShape
from .mesh import Part, bent_tube, box, capsule, ellipsoid, loft, merged, rod
from .skin import surface_part

SHELL, PAD, BAR, DARK = "#3a424b", "#56606b", "#e3b53a", "#22272d"
COLOUR = dict.fromkeys(PARTS, PAD) | {"pan": SHELL, "back": SHELL, "foot_rest": DARK, "hand_grip": BAR}
ROUNDED = 6.0  # exponent of the outline of a pad
ARM = 0.018  # m, radius of what holds a pad


def seat_part(seat: Seat, closed: float | None) -> Part:
    """A seat in its frame, its restraint closed by a share of its way; None for webbing that is drawn as the force
    element that it is on who wears it, so that only its anchors belong to the seat."""
    parts = [_bucket() if seat.shape is None else _shaped(seat.shape)]
    if seat.restraint is not None:
        parts.append(_restraint(seat.restraint, closed))
    return merged(parts)


def _shaped(shape: SeatShape) -> Part:
    """The parts of a seat, on a foot below its pan."""
    parts = []
    for part in shape.parts:
        surface, colour = part.placed, COLOUR[part.kind]
        if isinstance(surface, s.Box):
            parts.append(_pad(surface, colour))
        else:
            parts.append(surface_part(surface, colour))
    pan = shape.of("pan")[0].placed
    below = min((part.placed.position[2] for part in shape.of("foot_rest")), default=pan.position[2] - 0.14)
    high = pan.position[2] - 0.03
    parts.append(
        box([pan.position[0] - 0.05, 0.0, 0.5 * (high + below)], [0.1, 0.12, 0.5 * (high - below)], DARK)
    )
    return merged(parts)


def _pad(surface: s.Box, colour: str) -> Part:
    """A box with rounded edges, as large as the surface."""
    x, y, z = surface.half_sizes
    edge = min(0.25 * min(x, y, z), 0.012)
    along = np.array([-x, -x, -x + edge, x - edge, x, x])
    wide = np.array([0.0, y - edge, y, y, y - edge, 0.0])
    high = np.array([0.0, z - edge, z, z, z - edge, 0.0])
    centres = np.stack([along, np.zeros(6), np.zeros(6)], axis=1)
    made = loft(centres, wide, high, colour, u=(0, 1, 0), v=(0, 0, 1), exponent=ROUNDED, sides=28)
    return made.moved(rotation_matrix(surface.orientation), surface.position)


def _restraint(restraint: Restraint, closed: float | None) -> Part:
    """The pads of a restraint, and what holds those that turn on their hinge."""
    if closed is None and restraint.webbing is not None:
        places = [stop.place for stop in restraint.webbing.stops if stop.pad is None]
        return merged([ellipsoid(np.array(place), [ARM] * 3, BAR) for place in places])
    pads = restraint.closed(closed or 0.0)
    belt = restraint.kind in ("lap_belt", "three_point_belt")
    parts = [surface_part(pad, DARK if belt else PAD) for pad in pads]
    if restraint.motion == "turns":
        axis = np.array(restraint.axis) / math.hypot(*restraint.axis)
        starts, ends, lengths = [], [], []
        for pad in pads:
            foot = np.array(restraint.hinge) + axis * (axis @ (np.array(pad.position) - restraint.hinge))
            near = min(_ends(pad), key=lambda end, foot=foot: float(np.linalg.norm(end - foot)))  # type: ignore[misc]
            starts.append(foot)
            ends.append(near)
            lengths.append(float(np.linalg.norm(near - foot)))
        for start, end, length in zip(starts, ends, lengths, strict=True):
            if length < min(lengths) + 1e-3:
                parts.append(rod(start, end, ARM, BAR, sides=12))
    return merged(parts)


def _ends(pad: s.Surface) -> tuple[Array, ...]:
    """Where an arm may hold a pad: its middle, or an end of one that lies across the hinge's plane."""
    middle = np.array(pad.position)
    if not isinstance(pad, s.Capsule):
        return (middle,)
    half = 0.5 * pad.length * rotation_matrix(pad.orientation)[:, 2]
    return middle - half, middle, middle + half


def _bucket() -> Part:
    """A bucket seat with headrest and over-the-shoulder restraint, in the frame of the seat (origin at the hips)."""
    z = np.array([-0.26, -0.25, -0.1, 0.15, 0.4, 0.56, 0.6, 0.72, 0.84, 0.86])
    back = np.array([-0.19, -0.19, -0.19, -0.175, -0.16, -0.15, -0.15, -0.145, -0.14, -0.14])
    wide = np.array([0.0, 0.16, 0.2, 0.215, 0.215, 0.18, 0.115, 0.115, 0.09, 0.0])
    thick = np.array([0.0, 0.05, 0.055, 0.05, 0.05, 0.05, 0.05, 0.05, 0.04, 0.0])
    rest = loft(np.stack([back, np.zeros(10), z], axis=1), thick, wide, SHELL, exponent=3.0, sides=18)
    x = np.array([-0.2, -0.19, 0.0, 0.2, 0.36, 0.38])
    pan = loft(
        np.stack([x, np.zeros(6), np.array([-0.2, -0.2, -0.2, -0.19, -0.18, -0.18])], axis=1),
        np.array([0.0, 0.2, 0.235, 0.235, 0.2, 0.0]), np.array([0.0, 0.05, 0.05, 0.05, 0.04, 0.0]),
        SHELL, u=(0, 1, 0), v=(0, 0, 1), exponent=3.4, sides=18,
    )  # fmt: skip
    parts = [rest, pan, box([-0.02, 0.0, -0.33], [0.16, 0.12, 0.1], SHELL)]
    for side in (1.0, -1.0):
        parts.append(
            capsule([-0.1, side * 0.205, -0.1], [-0.09, side * 0.21, 0.25], 0.03, 0.03, PAD, sides=8)
        )
        parts.append(
            capsule([0.02, side * 0.235, -0.16], [0.3, side * 0.215, -0.15], 0.03, 0.03, PAD, sides=8)
        )
        bow = [
            [-0.13, side * 0.125, 0.6], [-0.07, side * 0.125, 0.645], [0.02, side * 0.122, 0.635],
            [0.12, side * 0.118, 0.57], [0.185, side * 0.115, 0.45], [0.2, side * 0.115, 0.28],
            [0.195, side * 0.105, 0.14], [0.19, side * 0.05, 0.085], [0.19, 0.0, 0.08],
        ]  # fmt: skip
        parts.append(bent_tube(bow, 0.02, BAR, sides=12))
        parts.append(bent_tube(bow[2:6], 0.029, SHELL, sides=14))
    return merged(parts)
