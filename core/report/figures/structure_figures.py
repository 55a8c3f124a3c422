"""Flexible bodies in the report: their outside in the colours of the largest stress, and the worst spot over time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Array, Integers
from .canvas import (
    INK,
    TEXT_WIDTH,
    draw_svg,
    panels,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HISTORY, LOWEST, HIGHEST = 4.2, 3.6, 11.0  # cm
TALLEST = 22.0  # cm, of a figure
TOGETHER = 0.015  # of the picture, within which spots fall together
AXES = "xyz"


def envelope(points: Array, faces: Integers, worst: Array, spots: Array) -> bytes:
    """A body as drawn, in the colours of the largest von Mises stress of every point, as SVG.

    points (v, 3) m, faces (t, 3), worst (v,) Pa, spots (k, 3) m: places that get their number. It is looked at along
    the axis in which it is thinnest, its longest axis across; what lies behind is covered.
    """
    x, y, order, (across, up) = _seen(points, faces)
    tall = 0.74 * TEXT_WIDTH * float(np.ptp(y)) / max(float(np.ptp(x)), 1e-9) + 2.4

    def draw(figure: Figure) -> None:
        axes = panels(figure, (1.0,), top=0.4, bottom=1.0, left=1.4)[0, 0]
        drawn = axes.tripcolor(
            x, y, faces[order], worst / 1e6, shading="gouraud", cmap="viridis", rasterized=True
        )
        for names, spot in _numbered(points[:, (across, up)], spots[:, (across, up)]):
            axes.plot(*spot, "o", color="white", markeredgecolor=INK, markersize=3)
            axes.annotate(names, tuple(spot), (3, 3), textcoords="offset points", fontsize=6.5)
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.04)
        axes.set_xlabel(f"{AXES[across]} (m)")
        axes.set_ylabel(f"{AXES[up]} (m)")
        figure.colorbar(drawn, ax=axes, aspect=12, label="Von Mises (MPa)")

    return draw_svg(draw, TEXT_WIDTH, float(np.clip(tall, LOWEST, HIGHEST)))


def _seen(points: Array, faces: Integers) -> tuple[Array, Array, Integers, tuple[int, int]]:
    """A body looked at along the axis in which it is thinnest, its longest axis across: x, y (v,) m of the picture,
    the order of faces from behind, and which axes x and y are."""
    depth, up, across = (int(k) for k in np.argsort(np.ptp(points, axis=0), kind="stable"))
    # seen from where the three axes are right-handed towards the eye
    towards = 1.0 if (across - depth) % 3 == 1 else -1.0
    order = np.argsort(towards * points[faces, depth].mean(axis=1), kind="stable")
    return points[:, across], points[:, up], order, (across, up)


def side_by_side(points: Array, faces: Integers, named: Mapping[str, Array]) -> bytes:
    """A body as drawn as often as it has stresses (v,) Pa by name, below one another in the same colours, as SVG.

    points (v, 3) m, faces (t, 3).
    """
    x, y, order, _ = _seen(points, faces)
    most = max(float(stress.max()) for stress in named.values()) / 1e6
    wanted = 0.8 * TEXT_WIDTH * float(np.ptp(y)) / max(float(np.ptp(x)), 1e-9) + 0.3
    each = float(np.clip(wanted, 0.9, min(5.0, TALLEST / len(named) - 0.6)))

    def draw(figure: Figure) -> None:
        grid = panels(figure, (1.0,) * len(named), top=0.5, bottom=0.2, left=0.3, gap=0.6)[:, 0]
        for axes, (name, stress) in zip(grid, named.items(), strict=True):
            drawn = axes.tripcolor(
                x, y, faces[order], stress / 1e6, shading="gouraud", cmap="viridis", vmin=0.0, vmax=most,
                rasterized=True,
            )  # fmt: skip
            axes.set_title(f"{name}: {float(stress.max()) / 1e6:.3g} MPa")
            axes.set_aspect("equal", adjustable="datalim")
            axes.set_axis_off()
        figure.colorbar(drawn, ax=grid.tolist(), aspect=30, label="Von Mises (MPa)")

    return draw_svg(draw, TEXT_WIDTH, len(named) * (each + 0.6) + 0.7)


def _numbered(points: Array, spots: Array) -> list[tuple[str, Array]]:
    """Spots (k, 2) with their numbers from 1; those that fall together in the picture share a mark."""
    near = TOGETHER * float(np.ptp(points, axis=0).max())
    found: list[tuple[list[str], Array]] = []
    for number, spot in enumerate(spots, 1):
        for names, there in found:
            if np.hypot(*(spot - there)) < near:
                names.append(f"{number}")
                break
        else:
            found.append(([f"{number}"], spot))
    return [(", ".join(names), there) for names, there in found]
