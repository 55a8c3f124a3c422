"""Flexible bodies in the report: their outside in the colours of the largest stress, and the worst spot over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ridewright.core.report.figures.canvas import BLUE, INK, TEXT_WIDTH, Array, draw_svg, panels, thin
from ridewright.core.structure.model import Ints

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HISTORY, LOWEST, HIGHEST = 4.2, 3.6, 11.0  # cm
TOGETHER = 0.015  # of the picture, within which spots fall together
AXES = "xyz"


def envelope(points: Array, faces: Ints, worst: Array, spots: Array) -> bytes:
    """A body as drawn, in the colours of the largest von Mises stress of every point, as SVG.

    points (v, 3) m, faces (t, 3), worst (v,) Pa, spots (k, 3) m: places that get their number. It is looked at along
    the axis in which it is thinnest, its longest axis across; what lies behind is covered.
    """
    depth, up, across = (int(k) for k in np.argsort(np.ptp(points, axis=0), kind="stable"))
    x, y, z = points[:, across], points[:, up], points[:, depth]
    # seen from where the three axes are right-handed towards the eye
    towards = 1.0 if (across - depth) % 3 == 1 else -1.0
    order = np.argsort(towards * z[faces].mean(axis=1), kind="stable")
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


def history(time: Array, stress: Array) -> bytes:
    """Stress (n,) Pa over time (n,) s, as SVG."""

    def draw(figure: Figure) -> None:
        axes = panels(figure, (1.0,), bottom=1.0, left=1.4)[0, 0]
        x, y = thin(time, stress / 1e6)
        axes.plot(x, y, color=BLUE, linewidth=0.8)
        axes.set_xlabel("Time (s)")
        axes.set_ylabel("Von Mises stress (MPa)")

    return draw_svg(draw, TEXT_WIDTH, HISTORY)


def ranges(edges: Array, cycles: Array) -> bytes:
    """Cycles (bins,) by range with upper edges (bins,) Pa, as SVG."""

    def draw(figure: Figure) -> None:
        axes = panels(figure, (1.0,), bottom=1.0, left=1.4)[0, 0]
        width = edges[0] / 1e6
        axes.bar(edges / 1e6 - 0.5 * width, cycles, 0.9 * width, color=BLUE)
        axes.set_xlabel("Stress range (MPa)")
        axes.set_ylabel("Cycles")

    return draw_svg(draw, TEXT_WIDTH, HISTORY)
