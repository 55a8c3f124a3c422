"""Two axes together: how much of the combined limit (ellipse or polygon in the plane of two loads) is used."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...base.arrays import Array
from ..criteria.base import Signals
from ..rider_axes import Direction
from .curves import choose_curve
from .table import AccelerationTable, AxisPair, CombinedRule

#: Points of a drawn ellipse in each quadrant.
ARC = 24


def axes_of(pair: AxisPair) -> tuple[str, str]:
    """The axes of a pair: "GyGz" -> ("y", "z")."""
    return pair[1], pair[3]


def quadrant_limits(table: AccelerationTable, rule: CombinedRule, signals: Signals) -> dict[Direction, float]:
    """Limit in g of each direction at the rule's duration, times the scale of the edition; without those that have
    none."""
    key = "quadrants", table.prefix, rule.at_duration
    if key in signals.found:  # asked for by every pair of axes
        return dict(signals.found[key])
    scale = rule.scale.get(signals.options.f2291_edition, 1.0)
    limits: dict[Direction, float] = {}
    for direction in dict.fromkeys(d for curve in table.curves for d in curve.directions):
        chosen = choose_curve(table, direction, "", signals)
        # A curve that begins later has no limit at that duration, and the pair is not judged.
        limit = np.nan if chosen is None else float(chosen.curve.limit(rule.at_duration))
        if np.isfinite(limit):
            limits[direction] = scale * limit
    signals.found[key] = limits
    return limits


def used_by_pair(
    first: Array, second: Array, limits: tuple[float, float, float, float], rule: CombinedRule
) -> Array:
    """Part of the combined limit that two loads use at every instant.

    first, second (n,) g; limits of +first, -first, +second, -second in g. Returns (n,): 1 on the border of the figure.
    For the ellipse the root of the sum of squares, so that it grows in proportion to the loads, as the polygon's does.
    """
    u = np.where(first >= 0.0, first / limits[0], -first / limits[1])
    v = np.where(second >= 0.0, second / limits[2], -second / limits[3])
    if rule.form == "ellipse":
        return np.asarray(np.sqrt(u * u + v * v))
    used = np.zeros_like(u)
    corners = rule.vertices
    for (u0, v0), (u1, v1) in pairwise(corners):
        # The edge is the line a u + b v = 1 through both corners; a convex figure is the set of all a u + b v <= 1.
        area = u0 * v1 - u1 * v0
        np.maximum(used, u * ((v1 - v0) / area) + v * ((u0 - u1) / area), out=used)
    return used


def figure(limits: tuple[float, float, float, float], rule: CombinedRule) -> Array:
    """The figure of the rule as a closed polygon (m, 2) in g, counter-clockwise from +first."""
    if rule.form == "ellipse":
        angle = np.linspace(0.0, 0.5 * np.pi, ARC + 1)
        quarter = np.column_stack([np.cos(angle), np.sin(angle)])
    else:
        quarter = np.array(rule.vertices, dtype=np.float64)
    parts = []
    for k, (a, b) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        size = np.array([limits[0 if a > 0 else 1] * a, limits[2 if b > 0 else 3] * b])
        parts.append((quarter if k % 2 == 0 else quarter[::-1])[:-1] * size)
    return np.vstack([*parts, parts[0][:1]])


def pair_limits(limits: dict[Direction, float], pair: AxisPair) -> tuple[float, float, float, float] | None:
    """Limits of +first, -first, +second, -second; None when the table lacks one of them."""
    names: list[Direction] = []
    for axis in axes_of(pair):
        names += [f"+G{axis}", f"-G{axis}"]  # type: ignore[list-item]
    if any(name not in limits for name in names):
        return None
    a, b, c, d = (limits[name] for name in names)
    return a, b, c, d
