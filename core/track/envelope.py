"""The clearance envelope of the train as a body along the track, and where it meets the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from .build import BuiltTrack
from .site import ground_height

GroundKind = Literal["cutting", "tunnel"]

STEP = 0.5  # m between the sections looked at
WALL = 0.4  # m from the envelope to the inside of a tunnel
JOINED = 3.0  # m of track between two stretches below which they count as one


@dataclass(frozen=True)
class GroundStretch:
    """Where the envelope is in the ground: from s0 to s1 (m; s1 beyond the length when it runs over the seam), partly
    ("cutting") or with its whole upper side somewhere ("tunnel"), and how deep (m) its lowest edge is at most."""

    kind: GroundKind
    s0: float
    s1: float
    deepest: float

    @property
    def length(self) -> float:
        """Length along the track (m)."""
        return self.s1 - self.s0


def envelope_rings(built: BuiltTrack, s: Array, margin: float = 0.0) -> Array:
    """Corners of the clearance envelope.

    Parameters
    ----------
    built
        The track.
    s
        Places (n,) m.
    margin
        Widens it on all sides (m), for the inside of a tunnel.

    Returns
    -------
    Corners (n, 4, 3) m, world: left low, right low, right high, left high.
    """
    clearance = built.track.clearance
    state = built.centreline.state(s)
    half = clearance.half_width + margin
    low, high = -clearance.depth_below - margin, clearance.height_above + margin
    corners = np.array([[half, low], [-half, low], [-half, high], [half, high]])
    rings: Array = (
        state.curve[:, None, 0]
        + corners[None, :, :1] * state.left[:, None]
        + corners[None, :, 1:] * state.up[:, None]
    )
    return rings


def envelope_mesh(built: BuiltTrack, s0: float, s1: float, margin: float = 0.0) -> tuple[Array, Integers]:
    """The envelope from s0 to s1 (m) as a body for drawing: vertices (4 n, 3) m and quadrilaterals (q, 4).

    The ends are closed unless the stretch is a whole circuit.
    """
    count = max(2, int(np.ceil((s1 - s0) / STEP)) + 1)
    s = built.centreline.wrap(np.linspace(s0, s1, count))
    vertices = envelope_rings(built, s, margin).reshape(-1, 3)
    ring = np.arange(4)
    row = 4 * np.arange(count - 1)[:, None]
    sides = np.stack(
        [row + ring, row + 4 + ring, row + 4 + np.roll(ring, -1), row + np.roll(ring, -1)], axis=-1
    ).reshape(-1, 4)
    whole = built.track.closed and s1 - s0 >= built.length - 1e-9
    ends = [] if whole else [ring, 4 * (count - 1) + ring[::-1]]
    faces: Integers = np.vstack([sides, *ends]).astype(np.int64)
    return vertices, faces


def ground_stretches(built: BuiltTrack) -> tuple[GroundStretch, ...]:
    """Stretches on which the clearance envelope is in the ground of the site, in running order.

    None when the site leaves its ground open: it then lies below the track by definition.
    """
    site = built.track.site
    if site.level is None and site.field is None:
        return ()
    count = max(4, int(built.length / STEP))
    s = np.linspace(0.0, built.length, count, endpoint=not built.track.closed)
    rings = envelope_rings(built, s)
    otherwise = -np.inf if site.level is None else site.level
    ground = ground_height(site, rings[..., 0], rings[..., 1], otherwise=otherwise)
    depth = ground - rings[..., 2]
    touched = depth.max(axis=1) > 0.0
    covered = depth.min(axis=1) > 0.0
    return tuple(
        GroundStretch(
            "tunnel" if np.any(covered[run]) else "cutting",
            float(s[run[0]]),
            float(s[run[0]]) + (len(run) - 1) * float(s[1] - s[0]),
            float(depth[run].max()),
        )
        for run in _runs(touched, built.track.closed, int(JOINED / STEP))
    )


def _runs(on: NDArray[np.bool_], closed: bool, gap: int) -> list[Integers]:
    """Indices of the runs of True, those less than `gap` apart joined; over the seam of a closed track."""
    n = len(on)
    if not on.any():
        return []
    if on.all():
        return [np.arange(n)]
    first = int(np.argmin(on)) if closed else 0
    order = (np.arange(n) + first) % n
    runs: list[list[int]] = []
    off = gap + 1
    for k in order.tolist():
        if on[k]:
            if runs and off <= gap:
                runs[-1] += [(runs[-1][-1] + i + 1) % n for i in range(off)]
                runs[-1].append(k)
            else:
                runs.append([k])
            off = 0
        else:
            off += 1
    return [np.array(run) for run in runs]
