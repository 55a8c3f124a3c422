"""Meshes over numpy arrays: lofted bodies, surfaces, lines and dots as `pyvista.PolyData`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.base.arrays import Array, Integers32

if TYPE_CHECKING:
    import pyvista as pv

Bytes = NDArray[np.uint8]
COLOUR = "colour"  # name of the array (n, 3) 0..255 of the points
UNTURNED = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SHARP = 62.0  # degrees between two faces from which on their edge is one


class Part(NamedTuple):
    """A closed body of triangles: points (n, 3) m, faces (m, 3) numbers, seen from outside, colours (n, 3) 0..255."""

    points: Array
    faces: Integers32
    colours: Bytes

    def moved(self, rotation: ArrayLike = UNTURNED, shift: ArrayLike = (0.0, 0.0, 0.0)) -> Part:
        """The part turned by a rotation matrix and then shifted (m)."""
        points = self.points @ np.asarray(rotation, dtype=float).T + np.asarray(shift, dtype=float)
        return Part(points, self.faces, self.colours)


def rgb(colour: str) -> tuple[int, int, int]:
    """ "#rrggbb" as three numbers 0..255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(a: str, b: str, share: float) -> str:
    """The colour `share` of the way from a to b, both "#rrggbb"."""
    blend = [round((1.0 - share) * x + share * y) for x, y in zip(rgb(a), rgb(b), strict=True)]
    return "#{:02x}{:02x}{:02x}".format(*blend)


def merged(parts: Sequence[Part]) -> Part:
    """Several parts as one."""
    offsets = np.cumsum([0, *(len(part.points) for part in parts[:-1])])
    faces = [part.faces + offset for part, offset in zip(parts, offsets, strict=True)]
    return Part(
        np.concatenate([part.points for part in parts]),
        np.concatenate(faces).astype(np.int32),
        np.concatenate([part.colours for part in parts]),
    )


def solid(*parts: Part) -> pv.PolyData:
    """Parts as one mesh, smooth but for sharp edges."""
    whole = merged(parts)
    rough = surface(whole.points, whole.faces, colours=whole.colours)
    smooth: pv.PolyData = rough.compute_normals(
        cell_normals=False, split_vertices=True, feature_angle=SHARP, consistent_normals=False
    )
    return smooth


def surface(
    points: ArrayLike, faces: ArrayLike, *, normals: ArrayLike | None = None, colours: ArrayLike | None = None
) -> pv.PolyData:
    """Triangles: points, normals (n, 3) and colours (n, 3) 0..255 of the points, faces (m, 3) numbers of points.

    The arrays can be written into in place; call `rewritten` then.
    """
    import pyvista as pv  # not needed until there is something to draw

    corners = np.ascontiguousarray(faces, dtype=np.int32).reshape(-1, 3)
    make: Any = pv.PolyData.from_regular_faces  # whose hints know no single precision
    mesh: pv.PolyData = make(_floats(points), corners)
    if normals is not None:
        data: Any = mesh.point_data
        data.active_normals = _floats(normals)
    if colours is not None:
        mesh.point_data[COLOUR] = np.ascontiguousarray(colours, dtype=np.uint8)
    return mesh


def polyline(
    points: ArrayLike, lines: ArrayLike | None = None, colours: ArrayLike | None = None
) -> pv.PolyData:
    """Points (n, 3) m joined by one line, or by lines of equally many points given by their numbers (k, m)."""
    import pyvista as pv  # not needed until there is something to draw

    places = _floats(points)
    numbers = np.arange(len(places))[None] if lines is None else np.asarray(lines)
    cells = np.column_stack([np.full(len(numbers), numbers.shape[1]), numbers])
    mesh = pv.PolyData(places, lines=cells.ravel())
    if colours is not None:
        mesh.point_data[COLOUR] = np.ascontiguousarray(colours, dtype=np.uint8)
    return mesh


def dots(points: ArrayLike, colours: ArrayLike) -> pv.PolyData:
    """Points (n, 3) m, drawn as dots in colours (n, 3) 0..255."""
    import pyvista as pv  # not needed until there is something to draw

    mesh = pv.PolyData(_floats(points))
    mesh.point_data[COLOUR] = np.ascontiguousarray(colours, dtype=np.uint8)
    return mesh


def segments(starts: Array, ends: Array) -> pv.PolyData:
    """Straight lines from starts to ends (k, 3) m."""
    points = np.stack([starts, ends], axis=1).reshape(-1, 3)
    return polyline(points, np.arange(len(points)).reshape(-1, 2))


def overwrite(array: Any, values: ArrayLike) -> None:
    """Write values into an array of a mesh, in place."""
    array[:] = values


def rewritten(mesh: pv.PolyData) -> None:
    """Tell VTK that the arrays of a mesh have been written into."""
    for array in (mesh.GetPoints().GetData(), mesh.GetPointData().GetNormals()):
        if array is not None:
            array.Modified()
    mesh.GetPoints().Modified()
    mesh.Modified()


def _floats(values: ArrayLike) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, dtype=np.float32).reshape(-1, 3)


def grid_faces(rows: int, sides: int, around: bool = True) -> Integers32:
    """Triangles (m, 3) of a net of rows x sides points; around: the last side joins the first."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(sides if around else sides - 1), indexing="ij")
    k = (j + 1) % sides
    a, b, c, d = i * sides + j, i * sides + k, (i + 1) * sides + k, (i + 1) * sides + j
    pairs = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=-2)
    return pairs.reshape(-1, 3).astype(np.int32)


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
) -> Part:
    """A body through rings: centres (k, 3) with half widths (k,) m along u and v, (3,) or (k, 3), closed by rings of no
    width. exponent: 2 ellipses, larger more like rectangles. colour: one, or one for each ring.
    """
    c = np.asarray(centres, dtype=float)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False) + np.pi / sides
    x, y = (np.sign(w) * np.abs(w) ** (2.0 / exponent) for w in (np.cos(angle), np.sin(angle)))
    first, second = (np.broadcast_to(np.asarray(axis, dtype=float), c.shape) for axis in (u, v))
    wide, deep = (np.broadcast_to(half, len(c))[:, None, None] for half in (half_u, half_v))
    net = c[:, None] + wide * x[:, None] * first[:, None] + deep * y[:, None] * second[:, None]
    names = [colour] * len(c) if isinstance(colour, str) else colour
    shades = np.repeat(np.array([rgb(name) for name in names], dtype=np.uint8), sides, axis=0)
    points, faces = net.reshape(-1, 3), grid_faces(len(c), sides)
    p, q, r = (points[faces[:, k]] for k in range(3))
    faces = faces[np.linalg.norm(np.cross(q - p, r - p), axis=1) > 1e-12]
    ahead = np.sum(np.cross(first, second)[:-1] * np.diff(c, axis=0))
    return Part(points, faces if ahead > 0.0 else faces[:, ::-1], shades)


def across(direction: ArrayLike) -> tuple[Array, Array]:
    """Two unit vectors perpendicular to a direction and to each other.

    Written out: it is asked for every spring of every picture, and numpy's cross product takes 30 us.
    """
    d = np.asarray(direction, dtype=float)
    d = d / max(float(np.linalg.norm(d)), 1e-12)
    i = int(np.argmin(np.abs(d)))
    j, k = (i + 1) % 3, (i + 2) % 3
    size = max(float(np.hypot(d[j], d[k])), 1e-12)
    first, second = np.zeros(3), np.empty(3)
    first[j], first[k] = d[k] / size, -d[j] / size
    second[i], second[j], second[k] = -size, d[i] * d[j] / size, d[i] * d[k] / size
    return first, second


def rod(
    start: ArrayLike, end: ArrayLike, radius: float | Sequence[float], colour: str, *, sides: int = 10
) -> Part:
    """A cylinder or cone frustum with flat ends from start to end (m); radius: one, or one at each end."""
    p, q = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    r0, r1 = (radius, radius) if isinstance(radius, int | float) else radius
    u, v = across(q - p)
    wide = np.array([0.0, r0, r1, 0.0])
    return loft([p, p, q, q], wide, wide, colour, u=u, v=v, sides=sides)


def box(centre: ArrayLike, half: ArrayLike, colour: str) -> Part:
    """A box with flat faces: centre and half edges (3,) m."""
    c, h = np.asarray(centre, dtype=float), np.asarray(half, dtype=float)
    ends = c + np.array([[0.0, 0.0, z] for z in (-h[2], -h[2], h[2], h[2])])
    wide = np.sqrt(2.0) * np.array([0.0, 1.0, 1.0, 0.0])
    return loft(ends, wide * h[0], wide * h[1], colour, sides=4)


def capsule(start: ArrayLike, end: ArrayLike, r0: float, r1: float, colour: str, *, sides: int = 12) -> Part:
    """A limb: a cone frustum from start to end (m) with round ends of radius r0 and r1."""
    p, q = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    u, v = across(q - p)
    turn = np.linspace(0.0, 0.5 * np.pi, 4)
    axis = np.cross(u, v)
    rings = np.concatenate([p - r0 * np.outer(np.cos(turn), axis), q + r1 * np.outer(np.sin(turn), axis)])
    wide = np.concatenate([r0 * np.sin(turn), r1 * np.cos(turn)])
    return loft(rings, wide, wide, colour, u=u, v=v, sides=sides)


def ellipsoid(centre: ArrayLike, half: ArrayLike, colour: str, *, rings: int = 9, sides: int = 14) -> Part:
    """An ellipsoid: centre and half axes (3,) m."""
    c, h = np.asarray(centre, dtype=float), np.asarray(half, dtype=float)
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rings)
    centres = c + np.outer(np.sin(angle), [0.0, 0.0, h[2]])
    return loft(centres, h[0] * np.cos(angle), h[1] * np.cos(angle), colour, sides=sides)


def bent_tube(path: ArrayLike, radius: float, colour: str, *, sides: int = 8) -> Part:
    """A round tube along a polyline (k, 3) m with closed ends."""
    p = np.asarray(path, dtype=float)
    along = np.gradient(p, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    u = np.empty_like(p)
    u[0] = across(along[0])[0]
    for k in range(1, len(p)):  # carry the ring on without twist
        carried = u[k - 1] - along[k] * (u[k - 1] @ along[k])
        u[k] = carried / np.linalg.norm(carried)
    rings = np.concatenate([[0], np.arange(len(p)), [-1]])  # both ends twice, once without width
    wide = np.full(len(rings), radius)
    wide[[0, -1]] = 0.0
    return loft(p[rings], wide, wide, colour, u=u[rings], v=np.cross(along, u)[rings], sides=sides)
