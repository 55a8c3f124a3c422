"""Control points of a laid layout, their reconstruction, and the figures of the reconstruction.

The reconstruction knows nothing of the design: it takes the written points only. Pieces marked straight are
straight; between them a quintic spline over chord length passes through the points, with the straight's
tangent and zero curvature at both ends. Roll is prescribed at points with a cant, against a rotation-
minimising frame (Wang et al. 2008, double reflection), and runs between them as `track_pieces.smooth_through`
says.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import make_interp_spline
from scipy.spatial import cKDTree
from track_pieces import GRAVITY, UP, Layout, Piece, smooth_through

from ridewright.core.base.arrays import Array, Integers

GAUGE = 1.0
RIDER_HEIGHT = 1.0


def _rows(piece: Piece) -> tuple[Integers, NDArray[np.bool_]]:
    """Sample rows that become control points of a piece, and which of them carry a cant."""
    if piece.straight:
        return np.array([0]), np.array([True])
    length = piece.s[-1] - piece.s[0]
    rows: list[int] = []
    keyed: list[bool] = []
    keys = (0.0,) if piece.keys is None else piece.keys
    for a, b in zip(keys, [*keys[1:], 1.0], strict=True):
        n = max(1, int(np.ceil((b - a) * length / piece.spacing - 0.25)))
        rows += [round(q * (len(piece.s) - 1)) for q in np.linspace(a, b, n + 1)[:-1]]
        keyed += [True] + [piece.keys is None] * (n - 1)
    return np.array(rows), np.array(keyed)


def piece_points(piece: Piece, heart: float) -> list[dict[str, Any]]:
    """Control points of one piece without its end point."""
    rows, keyed = _rows(piece)
    points = []
    for k, key in zip(rows, keyed, strict=True):
        p, t = piece.p[k] - heart * piece.u[k], piece.t[k]
        cant = None
        if key and abs(t[2]) <= 0.9:
            left = np.cross(UP, t) / np.linalg.norm(np.cross(UP, t))
            cant = float(np.round(np.arctan2(piece.l[k] @ np.cross(t, left), piece.l[k] @ left), 9)) + 0.0
        x, y, z = (float(v) + 0.0 for v in np.round(p, 9))
        points.append({"x": x, "y": y, "z": z, "cant": cant, "straight": piece.straight})
    return points


def track_document(name: str, layout: Layout) -> dict[str, Any]:
    """The control-point document of a laid layout; consecutive pieces of one name form one section."""
    sections: list[dict[str, Any]] = []
    for piece in layout.pieces:
        if not sections or sections[-1]["name"] != piece.section:
            sections.append({"name": piece.section, "kind": "spline", "points": []})
        sections[-1]["points"] += piece_points(piece, layout.heart)
    return {"name": name, "closed": True, "gauge": GAUGE, "sections": sections}


@dataclass(frozen=True)
class Ride:
    """Reconstructed rail-plane centreline along s (n,): frame, curvature vector (n,3), roll rate, sections."""

    s: Array
    p: Array
    t: Array
    bend: Array
    l: Array
    u: Array
    roll_rate: Array
    section: Integers
    names: list[str]
    length: float


def _curve(points: Array, straight: list[bool], first: Array, last: Array, per_metre: float) -> list[Array]:
    """Samples (p, t, curvature vector) of one curved run between straights; node rows last."""
    chord = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    zero = np.zeros(3)
    spline = make_interp_spline(chord, points, k=5, bc_type=([(1, first), (2, zero)], [(1, last), (2, zero)]))
    grid: list[Array] = []
    for a, b in pairwise(chord):
        grid.append(np.linspace(a, b, max(2, int(np.ceil((b - a) * per_metre))), endpoint=False))
    w = np.concatenate(grid)
    nodes = np.concatenate([[0], np.cumsum([len(g) for g in grid])[:-1]])
    d1, d2 = spline(w, 1), spline(w, 2)
    v = np.linalg.norm(d1, axis=1)[:, None]
    t = d1 / v
    return [spline(w), t, (d2 - t * np.sum(d2 * t, axis=1)[:, None]) / v**2, nodes.astype(float)]


def reconstruct(document: dict[str, Any], per_metre: float = 10.0) -> Ride:
    """Reconstruct a closed control-point document that begins and ends with a straight piece."""
    rows = [(k, q) for k, sec in enumerate(document["sections"]) for q in sec["points"]]
    n = len(rows)
    xyz = np.array([[q["x"], q["y"], q["z"]] for _, q in rows])
    xyz = np.vstack([xyz, xyz[:1]])
    flag = [q["straight"] for _, q in rows]
    parts: list[list[Array]] = []
    node_at: list[int] = []
    size, i = 0, 0
    while i < n:
        j = i + 1
        while j < n and not flag[i] and not flag[j]:
            j += 1
        if flag[i]:
            w = np.linspace(
                0.0, 1.0, int(np.ceil(np.linalg.norm(xyz[j] - xyz[i]) * per_metre)), endpoint=False
            )[:, None]
            t = (xyz[j] - xyz[i]) / np.linalg.norm(xyz[j] - xyz[i])
            part = [
                xyz[i] + w * (xyz[j] - xyz[i]),
                np.repeat(t[None], len(w), 0),
                np.zeros((len(w), 3)),
                np.zeros(1),
            ]
        else:
            before, after = xyz[i] - xyz[i - 1], xyz[(j + 1) % n] - xyz[j]
            part = _curve(
                xyz[i : j + 1],
                flag,
                before / np.linalg.norm(before),
                after / np.linalg.norm(after),
                per_metre,
            )
        node_at += [size + int(a) for a in part[3]]
        size += len(part[0])
        parts.append(part)
        i = j
    p, t, bend = (np.concatenate([part[k] for part in parts]) for k in range(3))
    step = np.linalg.norm(np.roll(p, -1, axis=0) - p, axis=1)
    s = np.concatenate([[0.0], np.cumsum(step)[:-1]])
    left, up, roll_rate = _frames(s, p, t, rows, np.array(node_at), float(step.sum()))
    section = np.repeat([k for k, _ in rows], np.diff([*node_at, size]))
    return Ride(
        s,
        p,
        t,
        bend,
        left,
        up,
        roll_rate,
        section,
        [x["name"] for x in document["sections"]],
        float(step.sum()),
    )


def _frames(
    s: Array, p: Array, t: Array, rows: list[Any], node_at: Array, length: float
) -> tuple[Array, Array, Array]:
    """Canted left and up (n,3) and roll rate about the rotation-minimising frame (n,)."""
    n = len(s)
    r = np.empty((n, 3))
    r[0] = np.cross(UP, t[0]) / np.linalg.norm(np.cross(UP, t[0]))
    for k in range(n - 1):
        v1 = p[k + 1] - p[k]
        c1 = v1 @ v1
        rl, tl = r[k] - 2.0 / c1 * (v1 @ r[k]) * v1, t[k] - 2.0 / c1 * (v1 @ t[k]) * v1
        v2 = t[k + 1] - tl
        c2 = v2 @ v2
        r[k + 1] = rl if c2 < 1e-30 else rl - 2.0 / c2 * (v2 @ rl) * v2
        r[k + 1] -= (r[k + 1] @ t[k + 1]) * t[k + 1]
        r[k + 1] /= np.linalg.norm(r[k + 1])
    q = np.cross(t, r)
    phi: list[float] = []
    at: list[float] = []
    for k, (_, point) in zip(node_at, rows, strict=True):
        if point["cant"] is None:
            continue
        l0 = np.cross(UP, t[k]) / np.linalg.norm(np.cross(UP, t[k]))
        want = np.cos(point["cant"]) * l0 + np.sin(point["cant"]) * np.cross(t[k], l0)
        angle = float(np.arctan2(want @ q[k], want @ r[k]))
        phi.append(angle if not phi else angle + 2.0 * np.pi * round((phi[-1] - angle) / (2.0 * np.pi)))
        at.append(float(s[k]))
    at.append(length)
    phi.append(phi[-1])
    hermite = smooth_through(np.array(at), np.array(phi))
    f = hermite(s)[:, None]
    return np.cos(f) * r + np.sin(f) * q, np.cos(f) * q - np.sin(f) * r, hermite(s, 1)


def ride_loads(ride: Ride, speed: float, loss: float) -> dict[str, Array]:
    """Loads in g of a point mass RIDER_HEIGHT above the rail plane, moving with v^2 = speed^2 - 2 g z - loss s."""
    v2 = speed**2 - 2.0 * GRAVITY * (ride.p[:, 2] + RIDER_HEIGHT * (ride.u[:, 2] - 1.0)) - loss * ride.s
    v = np.sqrt(np.clip(v2, 0.01, None))
    time = np.concatenate([[0.0], np.cumsum(np.diff(ride.s) / (0.5 * (v[1:] + v[:-1])))])
    body = ride.p + RIDER_HEIGHT * ride.u
    velocity = np.gradient(body, ride.s, axis=0) * v[:, None]
    felt = (np.gradient(velocity, ride.s, axis=0) * v[:, None] + GRAVITY * UP) / GRAVITY
    # one-sided differences at both ends do no harm: the join of the circuit lies on a straight
    gz, gy = np.sum(felt * ride.u, axis=1), np.sum(felt * ride.l, axis=1)
    gx = np.sum(felt * ride.t, axis=1)
    return {"v": v, "time": time, "gz": gz, "gy": gy, "gx": gx, "roll": np.degrees(ride.roll_rate) * v}


def closest_approach(ride: Ride, along: float = 15.0) -> tuple[float, float, float]:
    """Smallest distance between rails more than `along` metres apart along the track, and both stations."""
    pick = slice(None, None, 3)
    rails = np.concatenate([ride.p[pick] + side * 0.5 * GAUGE * ride.l[pick] for side in (1.0, -1.0)])
    s = np.concatenate([ride.s[pick], ride.s[pick]])
    pairs = cKDTree(rails).query_pairs(6.0, output_type="ndarray")
    gap = np.abs(s[pairs[:, 0]] - s[pairs[:, 1]])
    pairs = pairs[np.minimum(gap, ride.length - gap) > along]
    if len(pairs) == 0:
        return 6.0, 0.0, 0.0
    d = np.linalg.norm(rails[pairs[:, 0]] - rails[pairs[:, 1]], axis=1)
    k = int(np.argmin(d))
    return float(d[k]), float(s[pairs[k, 0]]), float(s[pairs[k, 1]])


def inversions(ride: Ride) -> int:
    """Number of spans in which the rider is upside down (u_z below -0.5), with hysteresis at +0.5."""
    count, inside = 0, False
    for uz in ride.u[:, 2]:
        if not inside and uz < -0.5:
            count, inside = count + 1, True
        elif inside and uz > 0.5:
            inside = False
    return count


HEADS = (
    "s0",
    "t0",
    "length",
    "z min",
    "z max",
    "v max",
    "R min",
    "Gz min",
    "Gz max",
    "Gy min",
    "Gy max",
    "roll",
    "time",
)


def report(name: str, ride: Ride, speed: float, loss: float) -> str:
    """Table of one track: totals, then per section places (m, s), radius (m), loads (g), roll rate (deg/s)."""
    loads = ride_loads(ride, speed, loss)
    bend = np.linalg.norm(ride.bend, axis=1)
    z, k, top = ride.p[:, 2], int(np.argmax(bend)), int(np.argmax(ride.p[:, 2]))
    gap, here, there = closest_approach(ride)
    curves = sum(x.startswith("curve") for x in ride.names)
    lines = [
        f"{name}: length {ride.length:.2f} m, top {z[top]:.3f} m at s {ride.s[top]:.1f}, bottom {z.min():.3f} m,",
        f"  curves {curves}, inversions {inversions(ride)}, duration {loads['time'][-1]:.1f} s, slowest "
        f"{loads['v'].min():.2f} m/s, fastest roll {np.abs(loads['roll']).max():.0f} deg/s,",
        f"  largest curvature {bend[k]:.4f} 1/m (radius {1 / bend[k]:.2f} m) at s {ride.s[k]:.1f} "
        f"({ride.names[ride.section[k]]}), closest rails {gap:.2f} m at s {here:.0f} / {there:.0f}",
        f"  {'section':<17}" + "".join(f"{head:>8}" for head in HEADS),
    ]
    for i, section in enumerate(ride.names):
        m = np.flatnonzero(ride.section == i)
        end = ride.s[m[-1] + 1] if m[-1] + 1 < len(ride.s) else ride.length
        time, b = loads["time"][m], bend[m].max()
        row = [ride.s[m[0]], time[0], end - ride.s[m[0]], z[m].min(), z[m].max(), loads["v"][m].max()]
        row += [1 / b if b > 1e-4 else np.inf]
        row += [bound for key in ("gz", "gy") for bound in (loads[key][m].min(), loads[key][m].max())]
        row += [np.abs(loads["roll"][m]).max(), time[-1] - time[0]]
        lines.append(
            f"  {section:<17}" + "".join(f"{v:8.{2 if 7 <= c <= 10 else 1}f}" for c, v in enumerate(row))
        )
    return "\n".join(lines)
