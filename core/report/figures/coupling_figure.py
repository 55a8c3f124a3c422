"""Forces of couplings over the ride."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Array
from ...charts.chart import Chart
from .canvas import BLUE, TEXT_WIDTH, VERMILION, Drawing, draw_svg, panels
from .paper import bare, draw_chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...charts.couplings import CouplingForces

PLACES = 600  # over the width


def coupling_forces(chart: Chart, forces: CouplingForces) -> Drawing:
    """A chart of some, and all over number and time as colours, as SVG."""
    step = max(1, len(forces.time) // PLACES)
    edges = np.append(forces.time[::step], forces.time[-1])
    return partial(
        _coupling_forces, bare(chart), edges, 1e-3 * forces.force[:, ::step], 1e-3 * (forces.most or 1.0)
    )


def _coupling_forces(chart: Chart, edges: Array, force: Array, most: float) -> bytes:
    """edges (n + 1,) s, force (couplings, n) kN, most: of the colours (kN)."""

    def draw(figure: Figure) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        top, below = panels(figure, (1.4, 1.0), top=0.7, left=1.6, right=2.1)[:, 0]
        draw_chart(top, replace(chart, title="", x=replace(chart.x, quantity="")))
        colours = LinearSegmentedColormap.from_list("force", [VERMILION, "#ffffff", BLUE])
        rows = len(force)
        image = below.pcolormesh(
            edges, np.arange(rows + 1) + 0.5, force, cmap=colours, vmin=-most, vmax=most,
            rasterized=True,
        )  # fmt: skip
        below.invert_yaxis()
        below.grid(False)
        below.set_yticks(np.arange(1, rows + 1, max(1, rows // 10)))
        below.set(xlabel="time t / s", ylabel="coupling number")
        below.set_xlim(edges[0], edges[-1])
        box = below.get_position()
        bar = figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height))
        figure.colorbar(image, cax=bar, label="force / kN")

    return draw_svg(draw, TEXT_WIDTH, 7.5)
