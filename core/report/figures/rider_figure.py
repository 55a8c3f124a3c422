"""A rider from the side and the front: its skin, its joints, and what their limits allow about the axis seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Array
from ...human.drawing import VIEWS, Fan, fans, silhouettes
from ...model.assembly import Assembly
from . import canvas
from .canvas import BLUE, INK, SKY, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RADIUS = 0.09  # m, of a fan


def rider_diagram(rider: Assembly) -> bytes:
    """A rider in the frame of its seat from the side and the front, as SVG."""

    def draw(figure: Figure) -> None:
        row = canvas.panels(figure, (1.0,), columns=2, bottom=1.2, share_x=False, between=1.4)[0]
        for axes, view in zip(row, ("Side", "Front"), strict=True):
            across, up, _ = VIEWS[view]
            _draw(axes, rider, view)
            axes.set_aspect("equal", adjustable="datalim")
            axes.margins(0.06)
            axes.set(title=f"{view} view", xlabel=f"{'xyz'[across]} / m", ylabel=f"{'xyz'[up]} / m")

    return canvas.draw_svg(draw, canvas.TEXT_WIDTH, 8.6)


def _draw(axes: Axes, rider: Assembly, view: str) -> None:
    from matplotlib.patches import Ellipse, Polygon

    across, up, axis = VIEWS[view]
    depth = 3 - across - up
    far = -1.0 if depth == 1 else 1.0
    bodies = sorted(rider.bodies, key=lambda b: far * b.position[depth])
    for k, outlines in enumerate(silhouettes(bodies, across, up)):
        for centre, half in outlines:
            size = 2.0 * np.linalg.norm(half, axis=1)
            turn = float(np.degrees(np.arctan2(half[0, 1], half[0, 0])))
            axes.add_patch(
                Ellipse(
                    tuple(centre),
                    size[0],
                    size[1],
                    angle=turn,
                    facecolor=SKY,
                    edgecolor=BLUE,
                    alpha=0.55,
                    zorder=2 + 0.01 * k,
                )
            )
            reach = np.linalg.norm(half, axis=0)
            axes.update_datalim([centre - reach, centre + reach])
    for fan in fans(rider):
        spot = fan.point[[across, up]]
        if fan.axis == axis:
            axes.add_patch(Polygon(_outline(fan, across, up), facecolor=VERMILION, alpha=0.25, zorder=4))
            tip = spot + RADIUS * fan.drawn[[across, up]]
            axes.plot([spot[0], tip[0]], [spot[1], tip[1]], color=INK, linewidth=0.8, zorder=5)
        axes.plot(*spot, "o", color="white", markeredgecolor=INK, markersize=3, zorder=6)
    axes.autoscale_view()


def _outline(fan: Fan, across: int, up: int) -> Array:
    spot = fan.point[[across, up]]
    return np.vstack([spot, spot + RADIUS * fan.edge()[:, [across, up]]])
