"""The train from its side, and the forces of its couplings over the ride."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...charts.chart import Chart
from ...charts.couplings import CouplingForces
from ...charts.loads import ZERO
from ...model.assembly import Assembly
from ...model.train_drawing import bounds, side_view
from .canvas import (
    BLUE,
    INK,
    ORANGE,
    PALE,
    SKY,
    TEXT_WIDTH,
    VERMILION,
    draw_svg,
    panels,
)
from .paper import draw_chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILLS = {"hull": SKY, "wheel": PALE, "rider": BLUE, "rail": PALE, "seat": PALE, "block": PALE}
TALLEST = 5.0  # cm


def train_diagram(train: Assembly) -> bytes:
    """A train from its left side with the names of cars and couplings, as SVG."""
    shapes = side_view(train)
    x0, x1, z0, z1 = bounds(shapes)
    height = min(TALLEST, 1.05 * TEXT_WIDTH * (z1 - z0) / (x1 - x0) + 0.2) + 0.8

    def draw(figure: Figure) -> None:
        from matplotlib.patches import Circle, Polygon

        axes = panels(figure, (1.0,), top=0.1, bottom=0.7, left=0.2, right=0.2)[0, 0]
        for shape in shapes:
            colour = FILLS.get(shape.what, ORANGE)
            if shape.radius:
                axes.add_patch(
                    Circle(tuple(shape.points[0]), shape.radius, facecolor=colour, edgecolor="none", zorder=3)
                )
            elif shape.closed:
                alpha = 0.45 if shape.what == "hull" else 1.0
                axes.add_patch(
                    Polygon(shape.points, facecolor=colour, edgecolor=INK, alpha=alpha, linewidth=0.5)
                )
            else:
                axes.plot(*shape.points.T, color=colour, linewidth=1.2, zorder=2)
        for car in train.children:
            own = [s.points for s in shapes if s.of == car.name and s.what == "hull"]
            middle = float(np.concatenate(own)[:, 0].mean())
            axes.annotate(
                car.name,
                (middle, z0),
                xytext=(0, -4),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=6.5,
            )
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.02)
        axes.set_axis_off()

    return draw_svg(draw, TEXT_WIDTH, height)


def coupling_forces(chart: Chart, forces: CouplingForces) -> bytes:
    """Forces of couplings over the ride: a chart of some, and all over number and time as colours, as SVG."""
    time, most = forces.time, 1e-3 * (forces.most or 1.0)

    def draw(figure: Figure) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        top, below = panels(figure, (1.4, 1.0), top=0.7, left=1.6, right=2.1)[:, 0]
        draw_chart(
            top, replace(chart, title="", x=replace(chart.x, quantity=""), levels=(*chart.levels, ZERO))
        )
        colours = LinearSegmentedColormap.from_list("force", [VERMILION, "#ffffff", BLUE])
        step = max(1, len(time) // 600)
        edges = np.append(time[::step], time[-1])
        rows = len(forces.names)
        image = below.pcolormesh(
            edges, np.arange(rows + 1) + 0.5, 1e-3 * forces.force[:, ::step], cmap=colours, vmin=-most,
            vmax=most, rasterized=True,
        )  # fmt: skip
        below.invert_yaxis()
        below.grid(False)
        below.set_yticks(np.arange(1, rows + 1, max(1, rows // 10)))
        below.set(xlabel="time t / s", ylabel="coupling number")
        below.set_xlim(time[0], time[-1])
        box = below.get_position()
        bar = figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height))
        figure.colorbar(image, cax=bar, label="force / kN")

    return draw_svg(draw, TEXT_WIDTH, 7.5)
