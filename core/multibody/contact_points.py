"""Points on surfaces, for the method of points, each with its share of the area."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..contact.shapes import BOX, CAPSULE, ELLIPSOID, SPHERE

GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


@dataclass(frozen=True)
class Skin:
    """A surface on a body by its number (the ground last): place (3,) m and rotation (3, 3) there, sizes as the kernels
    have them, radius of its bounding sphere, that of its curvature (m, infinite where it is flat), its path."""

    name: str
    body: int
    kind: int
    position: Array
    rotation: Array
    sizes: tuple[float, float, float]
    bound: float
    radius: float


def points_on(skin: Skin, count: int, *, weighted: bool) -> tuple[Array, Array]:
    """About so many points (n, 3) m on a solid, in the axes of its body, and what each counts (n,): its share of the
    area or, unweighted, 1."""
    points, area = _on(skin, count)
    share = area / area.sum() if weighted else np.ones(len(area))
    return skin.position + points @ skin.rotation.T, share


def _on(skin: Skin, count: int) -> tuple[Array, Array]:
    a, b, c = skin.sizes
    if skin.kind == SPHERE:
        return a * _ball(count), np.ones(count)
    if skin.kind == ELLIPSOID:
        u = _ball(count)
        return u * skin.sizes, a * b * c * np.linalg.norm(u / skin.sizes, axis=1)
    if skin.kind == BOX:
        return _box(np.array(skin.sizes), count)
    # capsule and cylinder: a round of length 2 b and two ends
    capsule = skin.kind == CAPSULE
    side, end = 4.0 * math.pi * a * b, (4.0 if capsule else 2.0) * math.pi * a * a
    on_side = max(6, round(count * side / (side + end))) if b > 0.0 else 0
    on_ends = max(6, count - on_side)
    k = np.arange(on_side) + 0.5
    turn = GOLDEN * np.arange(on_side)
    round_ = np.column_stack([a * np.cos(turn), a * np.sin(turn), b * (1.0 - 2.0 * k / max(on_side, 1))])
    if capsule:
        ends = a * _ball(on_ends)
        ends[:, 2] += np.copysign(b, ends[:, 2])
    else:
        each = (on_ends + 1) // 2
        rho, turn = a * np.sqrt((np.arange(each) + 0.5) / each), GOLDEN * np.arange(each)
        disc = np.column_stack([rho * np.cos(turn), rho * np.sin(turn), np.full(each, b)])
        ends = np.vstack([disc, disc * (1.0, 1.0, -1.0)])
    area = [np.full(len(some), whole / max(len(some), 1)) for some, whole in ((round_, side), (ends, end))]
    return np.vstack([round_, ends]), np.concatenate(area)


def _ball(count: int) -> Array:
    """Evenly spread unit vectors (count, 3): the spiral of Fibonacci (Swinbank & Purser 2006)."""
    z = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    turn, rho = GOLDEN * np.arange(count), np.sqrt(1.0 - z * z)
    return np.column_stack([rho * np.cos(turn), rho * np.sin(turn), z])


def _box(half: Array, count: int) -> tuple[Array, Array]:
    """Grids on the six faces, their edges included, with the weights of the trapezoidal rule."""
    total = 8.0 * float(half[0] * half[1] + half[1] * half[2] + half[2] * half[0])
    spacing = math.sqrt(total / count)
    points, area = [], []
    for k in range(3):
        a, b = (k + 1) % 3, (k + 2) % 3
        lines, weights = [], []
        for side in (a, b):
            n = max(1, round(2.0 * float(half[side]) / spacing))
            lines.append(np.linspace(-half[side], half[side], n + 1))
            w = np.full(n + 1, 2.0 * float(half[side]) / n)
            w[[0, -1]] *= 0.5
            weights.append(w)
        grid = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 2)
        for sign in (-1.0, 1.0):
            face = np.zeros((len(grid), 3))
            face[:, a], face[:, b], face[:, k] = grid[:, 0], grid[:, 1], sign * half[k]
            points.append(face)
            area.append(np.outer(*weights).ravel())
    return np.vstack(points), np.concatenate(area)
