"""Triangle meshes in numpy: tubes, boxes, cylinders, ellipsoids and lofts with their normals and colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.view3d.shape import Shape

Array = NDArray[np.float64]
Colour = tuple[int, int, int]
UNTURNED = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Mesh:
    """Triangles with smooth normals: points, normals (n, 3) m, faces (m, 3) indices, colours (n, 3) 0..255."""

    points: Array
    normals: Array
    faces: NDArray[np.int32]
    colours: NDArray[np.uint8]

    def moved(self, rotation: ArrayLike = UNTURNED, shift: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
        """The mesh turned by a rotation matrix and then shifted (m)."""
        turn = np.asarray(rotation, dtype=float)
        return Mesh(
            self.points @ turn.T + np.asarray(shift, dtype=float),
            self.normals @ turn.T,
            self.faces,
            self.colours,
        )

    def shape(self) -> Shape:
        """The mesh for VTK."""
        return Shape(self.points, faces=self.faces, normals=self.normals, colours=self.colours)


def rgb(colour: str) -> Colour:
    """ "#rrggbb" as three numbers 0..255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(a: str, b: str, share: float) -> str:
    """The colour `share` of the way from a to b, both "#rrggbb"."""
    blend = [round((1.0 - share) * x + share * y) for x, y in zip(rgb(a), rgb(b), strict=True)]
    return "#{:02x}{:02x}{:02x}".format(*blend)


def merged(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    offsets = np.cumsum([0, *(len(m.points) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.faces + o for m, o in zip(meshes, offsets, strict=True)]).astype(np.int32),
        np.concatenate([m.colours for m in meshes]),
    )


def grid_faces(rows: int, sides: int, around: bool = True) -> NDArray[np.int32]:
    """Triangles (m, 3) of a net of rows x sides points; around: the last side joins the first."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(sides if around else sides - 1), indexing="ij")
    k = (j + 1) % sides
    a, b, c, d = i * sides + j, i * sides + k, (i + 1) * sides + k, (i + 1) * sides + j
    return (
        np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=-2).reshape(-1, 3).astype(np.int32)
    )


def _net_normals(net: Array) -> Array:
    """Outward normals of a net (rows, sides, 3) that closes around its sides."""
    along = np.gradient(net, axis=0)
    around = np.roll(net, -1, axis=1) - np.roll(net, 1, axis=1)
    normal = np.cross(around, along)
    size = np.linalg.norm(normal, axis=-1, keepdims=True)
    middle = net.mean(axis=1, keepdims=True)
    away = net - middle
    tips = np.concatenate([[middle[0] - middle[min(1, len(net) - 1)]], [middle[-1] - middle[-2]]])
    for row, tip in ((0, tips[0]), (-1, tips[1])):
        if np.linalg.norm(away[row], axis=-1).max() < 1e-4:
            away[row] = tip
    unit = np.where(size > 1e-12, normal / np.maximum(size, 1e-12), away)
    unit = np.where(np.sum(unit * away, axis=-1, keepdims=True) < 0.0, -unit, unit)
    out: Array = unit / np.maximum(np.linalg.norm(unit, axis=-1, keepdims=True), 1e-12)
    return out


def loft(
    centres: ArrayLike,
    half_u: ArrayLike,
    half_v: ArrayLike,
    colour: str | Sequence[str],
    *,
    u: ArrayLike = (1.0, 0.0, 0.0),
    v: ArrayLike = (0.0, 1.0, 0.0),
    exponent: float = 2.0,
    sides: int = 12,
) -> Mesh:
    """A body through rings: centres (k, 3) with half widths (k,) m along u and v, closed by tips of no width.

    exponent: 2 ellipses, larger more like rectangles. colour: one, or one for each ring.
    """
    c = np.asarray(centres, dtype=float)
    a, b = np.broadcast_to(half_u, len(c)), np.broadcast_to(half_v, len(c))
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False) + np.pi / sides
    x = np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** (2.0 / exponent)
    y = np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** (2.0 / exponent)
    net = (
        c[:, None] + (a[:, None] * x)[..., None] * np.asarray(u) + (b[:, None] * y)[..., None] * np.asarray(v)
    )
    names = [colour] * len(c) if isinstance(colour, str) else colour
    shades = np.repeat(np.array([rgb(name) for name in names], dtype=np.uint8), sides, axis=0)
    faces = grid_faces(len(c), sides)
    normals = _net_normals(net).reshape(-1, 3)
    points = net.reshape(-1, 3)
    return Mesh(points, normals, _outward(points, normals, faces), shades)


def _outward(points: Array, normals: Array, faces: NDArray[np.int32]) -> NDArray[np.int32]:
    """The faces, turned where their winding is against the normals, without the flat ones."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    facing = np.sum(flat * (normals[faces[:, 0]] + normals[faces[:, 1]] + normals[faces[:, 2]]), axis=1)
    turned = np.where((facing < 0.0)[:, None], faces[:, ::-1], faces)
    kept: NDArray[np.int32] = turned[np.linalg.norm(flat, axis=1) > 1e-12].astype(np.int32)
    return kept


def across(direction: ArrayLike) -> tuple[Array, Array]:
    """Two unit vectors perpendicular to a direction and to each other."""
    d = np.asarray(direction, dtype=float)
    d = d / max(float(np.linalg.norm(d)), 1e-12)
    seed = np.eye(3)[int(np.argmin(np.abs(d)))]
    first = np.cross(d, seed)
    first /= np.linalg.norm(first)
    return first, np.cross(d, first)


def rod(
    start: ArrayLike, end: ArrayLike, radius: float | Sequence[float], colour: str, *, sides: int = 10
) -> Mesh:
    """A cylinder or cone frustum with flat ends from start to end (m); radius: one, or one at each end."""
    p, q = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    r0, r1 = (radius, radius) if isinstance(radius, int | float) else radius
    u, v = across(q - p)
    axis = np.cross(u, v)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    ring = np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * v
    wall = np.concatenate([p + r0 * ring, q + r1 * ring])
    caps = np.concatenate([p + r0 * ring, [p], q + r1 * ring, [q]])
    k = np.arange(sides)
    n = (k + 1) % sides
    base = 2 * sides
    low = np.stack([base + n, base + k, np.full(sides, base + sides)], 1)
    top = base + sides + 1
    high = np.stack([top + k, top + n, np.full(sides, top + sides)], 1)
    faces = np.concatenate([grid_faces(2, sides), low, high]).astype(np.int32)
    normals = np.concatenate([ring, ring, np.tile(-axis, (sides + 1, 1)), np.tile(axis, (sides + 1, 1))])
    points = np.concatenate([wall, caps])
    shades = np.tile(np.array(rgb(colour), dtype=np.uint8), (len(points), 1))
    return Mesh(points, normals, _outward(points, normals, faces), shades)


def box(centre: ArrayLike, half: ArrayLike, colour: str) -> Mesh:
    """A box with flat faces: centre and half edges (3,) m."""
    c, h = np.asarray(centre, dtype=float), np.asarray(half, dtype=float)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    points, normals, faces = [], [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            quad = corners[corners[:, axis] == side][[0, 1, 3, 2]]
            normal = np.zeros(3)
            normal[axis] = side
            start = 4 * len(faces) // 2
            points.append(c + quad * h)
            normals.append(np.tile(normal, (4, 1)))
            faces += [[start, start + 1, start + 2], [start, start + 2, start + 3]]
    p, n = np.concatenate(points), np.concatenate(normals)
    shades = np.tile(np.array(rgb(colour), dtype=np.uint8), (len(p), 1))
    return Mesh(p, n, _outward(p, n, np.array(faces, dtype=np.int32)), shades)


def capsule(start: ArrayLike, end: ArrayLike, r0: float, r1: float, colour: str, *, sides: int = 12) -> Mesh:
    """A limb: a cone frustum from start to end (m) with round ends of radius r0 and r1."""
    p, q = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    u, v = across(q - p)
    axis = -np.cross(u, v) if np.dot(np.cross(u, v), q - p) < 0 else np.cross(u, v)
    turn = np.linspace(0.0, 0.5 * np.pi, 4)
    head = [p - axis * r0 * np.cos(a) for a in turn]
    tail = [q + axis * r1 * np.sin(a) for a in turn]
    widths = np.concatenate([r0 * np.sin(turn), r1 * np.cos(turn)])
    return loft(np.array(head + tail), widths, widths, colour, u=u, v=v, sides=sides)


def ellipsoid(
    centre: ArrayLike, half: ArrayLike, colour: str | Sequence[str], *, rings: int = 9, sides: int = 14
) -> Mesh:
    """An ellipsoid: centre and half axes (3,) m; colour: one, or one for each of the rings from below."""
    c, h = np.asarray(centre, dtype=float), np.asarray(half, dtype=float)
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rings)
    centres = c + np.stack([np.zeros(rings), np.zeros(rings), h[2] * np.sin(angle)], axis=1)
    return loft(centres, h[0] * np.cos(angle), h[1] * np.cos(angle), colour, sides=sides)


def bent_tube(path: ArrayLike, radius: float, colour: str, *, sides: int = 8) -> Mesh:
    """A round tube along a polyline (k, 3) m with closed ends."""
    p = np.asarray(path, dtype=float)
    along = np.gradient(p, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    u = np.empty_like(p)
    u[0] = across(along[0])[0]
    for k in range(1, len(p)):  # carry the ring on without twist
        carried = u[k - 1] - along[k] * (u[k - 1] @ along[k])
        u[k] = carried / np.linalg.norm(carried)
    v = np.cross(along, u)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    ring = np.cos(angle)[None, :, None] * u[:, None] + np.sin(angle)[None, :, None] * v[:, None]
    net = p[:, None] + radius * ring
    ends = [np.repeat(p[:1, None], sides, axis=1), net, np.repeat(p[-1:, None], sides, axis=1)]
    points = np.concatenate(ends).reshape(-1, 3)
    caps = [np.tile(-along[0], (1, sides, 1)), ring, np.tile(along[-1], (1, sides, 1))]
    normals = np.concatenate(caps).reshape(-1, 3)
    shades = np.tile(np.array(rgb(colour), dtype=np.uint8), (len(points), 1))
    return Mesh(points, normals, _outward(points, normals, grid_faces(len(p) + 2, sides)), shades)
