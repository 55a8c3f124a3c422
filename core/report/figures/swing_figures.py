"""Swinging rides: the angle of every drive over the ride, and the seats of a body coloured by margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .canvas import (
    ALARM,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    TEXT_WIDTH,
    draw_svg,
    panels,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HIGH, MAP = 4.2, 8.0  # cm


def seat_map(places: Sequence[tuple[str, float, float, float, float | None]]) -> bytes:
    """Seats from above, as SVG: short name, place along xi and eta (m), direction (rad), margin or None."""

    def draw(figure: Figure) -> None:
        from matplotlib.patches import RegularPolygon

        axes = panels(figure, (1.0,), top=0.2, bottom=0.2, left=0.2, right=0.2)[0, 0]
        for name, x, y, yaw, margin in places:
            colour = FAINT if margin is None else ALARM if margin < 0.0 else ORANGE if margin < 0.1 else GREEN
            axes.add_patch(
                RegularPolygon((-y, x), 4, radius=0.36, orientation=yaw + math.pi / 4.0, facecolor=colour,
                               edgecolor=INK, linewidth=0.4)
            )  # fmt: skip
            axes.annotate(
                name,
                (-y, x),
                ha="center",
                va="center",
                fontsize=5.0,
                color="white" if margin is not None else INK,
            )
            axes.plot(
                [-y - 0.36 * math.sin(yaw), -y - 0.5 * math.sin(yaw)],
                [x + 0.36 * math.cos(yaw), x + 0.5 * math.cos(yaw)],
                color=INK, linewidth=1.0,
            )  # fmt: skip
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.08)
        axes.set_axis_off()

    return draw_svg(draw, TEXT_WIDTH, MAP)
