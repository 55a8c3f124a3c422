"""Places where the track comes into its own clearance envelope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .build import BuiltTrack
from .description import Clearance

STEP = 0.4  # m, spacing of the envelope slices and of the rail points tested against them
NEIGHBOUR_MARGIN = (
    1.0  # m along the track beyond twice the envelope's reach within which places are neighbours
)
BLOCK = 256  # slices looked at together
ENOUGH = 20_000  # approaches of single points, after which no further slices are looked at


@dataclass(frozen=True)
class Approach:
    """The train's envelope at s is entered by the track at other_s (m); distance (m) between the centrelines
    there; across and above (m): where in the envelope the intruding rail is, to the left and up."""

    s: float
    other_s: float
    distance: float
    across: float
    above: float


def reach_of(clearance: Clearance) -> float:
    """Radius (m) of the sphere around the middle of an envelope slice that holds it."""
    half_height = 0.5 * (clearance.height_above + clearance.depth_below)
    return float(np.hypot(clearance.half_width, half_height))


def self_approaches(built: BuiltTrack) -> list[Approach]:
    """Every stretch where rails or centreline of another part of the track enter the clearance envelope.

    The envelope at s is the box across the track (left, up) of the track's clearance, in slices along t; parts of
    the track nearer along the track than twice its reach do not count. One entry for each pair of stretches, the
    closest place of it. A track that lies in itself over many rounds is followed until enough is known of it.
    """
    from scipy.spatial import cKDTree  # not needed to show the window

    track, line = built.track, built.centreline
    clearance = track.clearance
    count = max(2, int(np.ceil(line.length / STEP)))
    s = np.linspace(0.0, line.length, count, endpoint=not line.closed)
    step = float(s[1] - s[0])
    state = line.state(s)
    centre, left = state.curve[:, 0], state.left
    middle = centre + 0.5 * (clearance.height_above - clearance.depth_below) * state.up
    sides = np.array([-0.5, 0.0, 0.5]) * track.gauge
    points = (centre[:, None] + sides[None, :, None] * left[:, None]).reshape(-1, 3)
    tree = cKDTree(points)
    found: list[Approach] = []
    for first in range(0, count, BLOCK):
        block = slice(first, min(first + BLOCK, count))
        near = cKDTree(middle[block]).sparse_distance_matrix(
            tree, reach_of(clearance) + step, output_type="coo_matrix"
        )
        slice_of, point_of = near.row + first, near.col
        other = point_of // len(sides)
        apart = np.abs(s[slice_of] - s[other])
        if line.closed:
            apart = np.minimum(apart, line.length - apart)
        far = apart > 2.0 * reach_of(clearance) + NEIGHBOUR_MARGIN
        slice_of, point_of, other = slice_of[far], point_of[far], other[far]
        away = points[point_of] - centre[slice_of]
        along = np.sum(away * state.tangent[slice_of], axis=1)
        across = np.sum(away * left[slice_of], axis=1)
        above = np.sum(away * state.up[slice_of], axis=1)
        inside = (
            (np.abs(along) <= step)
            & (np.abs(across) <= clearance.half_width)
            & (above <= clearance.height_above)
            & (above >= -clearance.depth_below)
        )
        i, j = slice_of[inside], other[inside]
        distance = np.linalg.norm(centre[i] - centre[j], axis=1)
        columns = (s[i], s[j], distance, across[inside], above[inside])
        found += [Approach(*row) for row in np.stack(columns, axis=1).tolist()]
        if len(found) > ENOUGH:
            break
    return _closest_of_each(found, line.length if line.closed else None)


def _closest_of_each(found: list[Approach], period: float | None) -> list[Approach]:
    """One approach for every pair of stretches, whichever of the two carries the envelope."""

    def gap(a: float, b: float) -> float:
        d = abs(a - b)
        return min(d, period - d) if period is not None else d

    kept: list[list[Approach]] = []
    for one in sorted(found, key=lambda a: (min(a.s, a.other_s), max(a.s, a.other_s))):
        low, high = sorted((one.s, one.other_s))
        for group in reversed(kept):
            last = sorted((group[-1].s, group[-1].other_s))
            if gap(last[0], low) <= 4.0 * STEP and gap(last[1], high) <= 8.0 * STEP:
                group.append(one)
                break
        else:
            kept.append([one])
    return [min(group, key=lambda a: a.distance) for group in kept]
