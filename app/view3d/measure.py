"""The measuring tool of the 3D view: two clicked places, the distance, its parts, and the way along the track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QPointF

from ...core.base.arrays import Array
from ..widgets import theme, units
from .click_tool import ClickTool
from .ground import ground_height
from .marks import line_actor
from .mesh import polyline
from .picking import first_hit, nearest_pixel

if TYPE_CHECKING:
    from .panel import ViewerPanel

GROUP: Final = "measure"
SNAP = 12.0  # px within which a control point or the track's centreline is meant
BEGIN: Final = "Click the first place; control points and the track are snapped to. Escape ends measuring."
THEN: Final = "Click the second place."


@dataclass(frozen=True)
class End:
    """A measured place (3,) m, and its arc length (m) when it lies on the track."""

    place: Array
    s: float | None = None


def measured_text(first: End, second: End, length: float | None) -> str:
    """What lies between two places; length (m): of a closed circuit, on which the shorter way counts."""
    by = second.place - first.place
    flat = float(np.hypot(by[0], by[1]))
    lines = [
        f"Distance {units.text(float(np.linalg.norm(by)), 'm')}",
        f"across {units.text(flat, 'm')}, up {units.text(float(by[2]), 'm')}",
        ", ".join(f"{axis} {units.text(float(v), 'm')}" for axis, v in zip("xyz", by, strict=True)),
    ]
    if first.s is not None and second.s is not None:
        way = abs(second.s - first.s)
        if length is not None:
            way = min(way, length - way)
        lines.append(f"along the track {units.text(way, 'm')}")
    return "\n".join(lines)


class Measure(ClickTool):
    """Measures between clicks while it is on; what was measured stays until it is switched off."""

    def __init__(self, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self.ends: tuple[End, ...] = ()
        self.clicked.connect(self._on_click)
        viewer.plotter.aimed.connect(self._place_label)

    def switch(self, on: bool) -> None:
        """Begin or end measuring."""
        self.take(on)
        self.ends = ()
        self._show()

    def end_at(self, x: float, y: float) -> End | None:
        """What a click at a pixel means: a control point, the centreline, or what is seen there; None: the sky."""
        view, panel = self._viewer.plotter, self._viewer
        found = nearest_pixel(view, panel.control_points, x, y)
        if found is not None and found[1] <= SNAP:
            return End(panel.control_points[found[0]])
        s, built = panel.place_at(x, y), panel.scene.built
        if s is not None and built is not None:
            return End(built.centreline.position([s])[0], s)
        hit = first_hit(view, x, y)
        if hit is not None:
            return End(hit[1])
        start, ahead = view.ray(x, y)
        if ahead[2] >= -1e-3:
            return None
        floor = 0.0 if built is None else ground_height(built)
        return End(start + ahead * ((floor - start[2]) / ahead[2]))

    def _on_click(self, x: float, y: float) -> None:
        end = self.end_at(x, y)
        if end is None:
            return
        self.ends = (end,) if len(self.ends) != 1 else (*self.ends, end)
        self._show()

    @property
    def text(self) -> str:
        """What is written beside the measured line."""
        if not self.on:
            return ""
        if len(self.ends) < 2:
            return THEN if self.ends else BEGIN
        built = self._viewer.scene.built
        closed = built is not None and built.track.closed
        first, second = self.ends
        return measured_text(first, second, built.length if built is not None and closed else None)

    def _show(self) -> None:
        marks = self._viewer.scene.marks
        marks.clear(GROUP)
        if self.ends:
            marks.set(GROUP, _drawn([end.place for end in self.ends]))
        self.label.say(self.text)
        self._place_label()
        self._viewer.plotter.redraw()

    def _place_label(self) -> None:
        if not self.label.isVisible():
            return
        if not self.ends:
            self.label.move(16, 64)
            return
        x, y = self._viewer.world_to_screen(self.ends[-1].place)[0]
        if np.isfinite([x, y]).all():
            self.label.put_at(QPointF(x, y).toPoint())


def _drawn(places: Sequence[Array]) -> list[Any]:
    """A line between places, with small crosses."""
    colour = theme.current().series[4]
    actors = [line_actor(polyline(np.array(places)), colour, 3.0)] if len(places) > 1 else []
    for place in places:
        for axis in np.eye(3):
            actors.append(
                line_actor(polyline(np.array([place - 0.5 * axis, place + 0.5 * axis])), colour, 2.0)
            )
    return actors
