"""Arrows of loads that stand still, as of a static equilibrium; the largest is as long as asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject

from ...core.base.arrays import Array
from .actors import make_actor
from .element_marks import arrow
from .mesh import merged, solid

if TYPE_CHECKING:
    from .panel import ViewerPanel

GROUP: Final = "static loads"
WIDTH: Final = 0.05  # of the length of the largest
SHORTEST: Final = 0.01  # of the largest: less is not seen


class LoadArrows(QObject):
    """Draws arrows until none are wanted; `length` (m): of the largest."""

    def __init__(self, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self._viewer = viewer
        self._loads: tuple[Sequence[tuple[Array, Array]], float] = ((), 0.0)
        self._chosen: int | None = None
        viewer.filled.connect(self._draw)

    def show(self, loads: Sequence[tuple[Array, Array]], length: float, chosen: int | None = None) -> None:
        """Draw loads, each by its point (3,) m and force (3,) N, the largest `length` m long; chosen: the number of one
        that is drawn in the colour of the selection."""
        self._loads, self._chosen = (loads, length), chosen
        self._draw()

    def _draw(self) -> None:
        if not self._viewer.plotter.ready:
            return
        scene = self._viewer.scene
        loads, length = self._loads
        sizes = [float(np.linalg.norm(force)) for _, force in loads]
        most = max(sizes, default=0.0)
        parts: dict[str, list[object]] = {}
        for k, ((at, force), size) in enumerate(zip(loads, sizes, strict=True)):
            if most > 0.0 and size > SHORTEST * most:
                colour = scene.colours.highlight if k == self._chosen else scene.colours.good
                ahead = at + force * (length / most)
                parts.setdefault(colour, []).append(
                    arrow(at, ahead, min(WIDTH * length, 0.3 * length * size / most), colour)
                )
        actors = [make_actor(solid(merged(some)), lit=False) for some in parts.values()]  # type: ignore[arg-type]
        scene.marks.set(GROUP, actors)
        self._viewer.plotter.redraw()
