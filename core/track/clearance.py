"""What comes into the space that is needed along a track: one sweep of places past points, for spaces of any shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from .build import BuiltTrack
from .description import Clearance

STEP = 0.4  # m, spacing of the envelope slices and of the rail points tested against them
NEIGHBOUR_MARGIN = (
    1.0  # m along the track beyond twice the envelope's reach within which places are neighbours
)
BLOCK = 256  # slices looked at together
ENOUGH = 20_000  # approaches of single points, after which no further slices are looked at


class Room(Protocol):
    """A space that is to be kept free, in axes of its own.

    centre (3,) m and radius (m): a ball that holds it. depth: how deep (k, n) m places (n, 3) m lie in each of its k
    parts, negative outside.
    """

    @property
    def centre(self) -> Array: ...

    @property
    def radius(self) -> float: ...

    def depth(self, places: Array) -> Array: ...


@dataclass(frozen=True)
class Slice:
    """The box across the track (along, left, up) of a track's clearance, reaching so far along it (m) both ways."""

    clearance: Clearance
    along: float

    @property
    def centre(self) -> Array:
        """Its middle (3,) m."""
        return np.array([0.0, 0.0, 0.5 * (self.clearance.height_above - self.clearance.depth_below)])

    @property
    def radius(self) -> float:
        """Of the ball that holds it (m)."""
        return reach_of(self.clearance) + self.along

    def depth(self, places: Array) -> Array:
        """How deep (1, n) m places (n, 3) m lie below the nearest of its faces."""
        x, y, z = places.T
        room = self.clearance
        faces = (
            self.along - np.abs(x),
            room.half_width - np.abs(y),
            room.height_above - z,
            room.depth_below + z,
        )
        deepest: Array = np.min(faces, axis=0)[None]
        return deepest


class Entered(NamedTuple):
    """Points in the space at places: numbers of both (n,), the points (n, 3) m in the axes of the place, how deep (k,
    n) m in each part of the space."""

    place: Integers
    point: Integers
    local: Array
    depth: Array


def entries(
    positions: Array,
    axes: Array,
    room: Room,
    points: Array,
    thick: Array | None = None,
    apart: Callable[[Integers, Integers], NDArray[np.bool_]] | None = None,
) -> Iterator[Entered]:
    """Points that are in a space which is carried along, in blocks of places.

    Parameters
    ----------
    positions, axes
        Where the space is in turn: origins (p, 3) m and axes (p, 3, 3), columns.
    room
        The space.
    points
        (m, 3) m.
    thick
        Radius (m,) m of what each point is the middle of.
    apart
        Which numbers of places and of points (n,) belong to what is looked at; all without it.

    Returns
    -------
    Those of one block after another.
    """
    from scipy.spatial import cKDTree  # not needed to show the window

    tree = cKDTree(points)
    middle = positions + axes @ room.centre
    widest = 0.0 if thick is None else float(np.max(thick, initial=0.0))
    for first in range(0, len(positions), BLOCK):
        near = cKDTree(middle[first : first + BLOCK]).sparse_distance_matrix(
            tree, room.radius + widest, output_type="coo_matrix"
        )
        place, point = near.row.astype(np.int64) + first, near.col.astype(np.int64)
        if apart is not None:
            wanted = apart(place, point)
            place, point = place[wanted], point[wanted]
        local = np.einsum("nij,ni->nj", axes[place], points[point] - positions[place])
        depth = room.depth(local)
        if thick is not None:
            depth = depth + thick[point]
        inside = depth.max(axis=0) >= 0.0
        yield Entered(place[inside], point[inside], local[inside], depth[:, inside])


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


def neighbours(built: BuiltTrack, s: Array, other: Array, reach: float) -> NDArray[np.bool_]:
    """Whether places s and other (n,) m are so near along the track that they do not count as different ones, of a
    space that reaches so far (m)."""
    apart = np.abs(s - other)
    if built.centreline.closed:
        apart = np.minimum(apart, built.length - apart)
    near: NDArray[np.bool_] = apart <= 2.0 * reach + NEIGHBOUR_MARGIN
    return near


def self_approaches(built: BuiltTrack) -> list[Approach]:
    """Every stretch where rails or centreline of another part of the track enter the clearance envelope.

    The envelope at s is the box across the track (left, up) of the track's clearance, in slices along t; parts of
    the track nearer along the track than twice its reach do not count. One entry for each pair of stretches, the
    closest place of it. A track that lies in itself over many rounds is followed until enough is known of it.
    """
    track, line = built.track, built.centreline
    count = max(2, int(np.ceil(line.length / STEP)))
    s = np.linspace(0.0, line.length, count, endpoint=not line.closed)
    state = line.state(s)
    centre, left = state.curve[:, 0], state.left
    sides = np.array([-0.5, 0.0, 0.5]) * track.gauge
    points = (centre[:, None] + sides[None, :, None] * left[:, None]).reshape(-1, 3)
    axes = np.stack([state.tangent, left, state.up], axis=-1)
    reach = reach_of(track.clearance)

    def apart(place: Integers, point: Integers) -> NDArray[np.bool_]:
        return ~neighbours(built, s[place], s[point // len(sides)], reach)

    found: list[Approach] = []
    for one in entries(centre, axes, Slice(track.clearance, float(s[1] - s[0])), points, apart=apart):
        i, j = one.place, one.point // len(sides)
        distance = np.linalg.norm(centre[i] - centre[j], axis=1)
        columns = (s[i], s[j], distance, one.local[:, 1], one.local[:, 2])
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
