"""The curve NoLimits 2 draws through the vertices of a custom track.

Known from two independent places that agree: the exporter of FVD++ solves for control points with the weights
1/6, 4/6, 1/6 of the uniform cubic B-spline, and a published re-implementation of the track geometry of
NoLimits 2 (roller-coaster simulator of E. Akyuerek, 2023-26) uses the rules below. Not documented by the maker;
vertex weights other than one do not occur in element files and are not treated.

Rules for an open row of vertices: the curve runs between strict vertices (the two ends count as such) and passes
through them; consecutive strict vertices are joined by straight lines; the vertices between two strict ones are
control points of a clamped B-spline with uniform knots, cubic with two or more of them, quadratic with one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline, make_interp_spline

from ..base.arrays import Array

GAUSS = 8  # places to a span for the length


@dataclass(frozen=True)
class Stretch:
    """A piece of the curve between strict vertices: the spline over [0, spans] and its first and last vertex."""

    spline: BSpline
    spans: int
    first: int
    last: int


def clamped_knots(count: int, degree: int) -> Array:
    """Clamped uniform knots for `count` control points: spans of length one, (count + degree + 1,)."""
    inner = np.arange(count - degree + 1, dtype=float)
    return np.concatenate([np.zeros(degree), inner, np.full(degree, inner[-1])])


def stretches(vertices: Array, strict: NDArray[np.bool_]) -> list[Stretch]:
    """The curve through vertices (n, 3), n >= 2, with strict flags (n,), as splines one after the other."""
    held = strict.copy()
    held[[0, -1]] = True
    ends = np.flatnonzero(held).tolist()
    pieces = []
    for a, b in pairwise(ends):
        control = vertices[a : b + 1]
        degree = min(3, b - a)
        pieces.append(
            Stretch(BSpline(clamped_knots(len(control), degree), control, degree), b - a + 1 - degree, a, b)
        )
    return pieces


def control_points(places: Array, points: Array, count: int) -> Array:
    """Vertices (count, 3) whose curve, without strict ones inside, passes through a known curve.

    places (m,) rising from 0 to 1, points (m, 3): the known curve, densely; the vertices make the clamped uniform
    cubic meet it at its Greville places, with its parameter proportional to `places`.
    """
    knots = clamped_knots(count, 3)
    greville = (knots[1:-3] + knots[2:-2] + knots[3:-1]) / 3.0
    dense = make_interp_spline(places, points, k=5)
    fit = make_interp_spline(greville, dense(greville / greville[-1]), k=3, t=knots)
    return np.asarray(fit.c)


@dataclass(frozen=True)
class Sampled:
    """Places on the curve: position (n, 3), unit tangent (n, 3), run (n,) m of arc length, vertex (n,): how many
    vertices have been passed (0 to the last index, fractional)."""

    position: Array
    tangent: Array
    run: Array
    vertex: Array


def sample(pieces: list[Stretch], spacing: float) -> Sampled:
    """Places at most `spacing` (m) apart on the whole curve, ends and strict vertices included."""
    node, weight = np.polynomial.legendre.leggauss(GAUSS)
    positions, tangents, runs, passed = [], [], [], []
    total = 0.0
    for k, piece in enumerate(pieces):
        slope = piece.spline.derivative()
        chord = np.linalg.norm(np.diff(piece.spline.c, axis=0), axis=1).sum()
        parts = max(1, int(np.ceil(chord / piece.spans / spacing)))
        u = np.linspace(0.0, piece.spans, piece.spans * parts + 1)
        half = 0.5 * np.diff(u)
        speeds = np.linalg.norm(slope((u[:-1] + half)[:, None] + half[:, None] * node), axis=-1)
        run = total + np.concatenate([[0.0], np.cumsum(half * (speeds @ weight))])
        total = float(run[-1])
        take = slice(0 if k == 0 else 1, None)
        direction = slope(u)
        size = np.linalg.norm(direction, axis=-1, keepdims=True)
        positions.append(piece.spline(u)[take])
        tangents.append((direction / np.maximum(size, 1e-12))[take])
        runs.append(run[take])
        passed.append((piece.first + u * (piece.last - piece.first) / piece.spans)[take])
    return Sampled(*(np.concatenate(values) for values in (positions, tangents, runs, passed)))
