"""Somebody who is dragged over the 3D view is put on the nearest seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QDropEvent

from ...core.base.arrays import Array
from ..document.selection import Selection
from ..widgets.people_drag import carried_by
from ..work.seating import seating_of

if TYPE_CHECKING:
    from .panel import ViewerPanel

REACH: Final = 120.0  # px, of the middle of a seat
SITS: Final = 0.25  # m above the place of a seat: where somebody who sits there is aimed at


class SeatDrop(QObject):
    """Watches drags over the view; the seat under the mouse is marked as if it were selected."""

    def __init__(self, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self._viewer = viewer
        viewer.plotter.setAcceptDrops(True)
        viewer.install_mouse_filter(self)

    def seat_at(self, at: QPointF) -> str | None:
        """The path of the seat nearest to a pixel, None where none is near."""
        places = self._places()
        if not places:
            return None
        pixels = self._viewer.world_to_screen(np.array(list(places.values())))
        away = np.linalg.norm(pixels - (at.x(), at.y()), axis=1)
        away[np.isnan(away)] = np.inf
        nearest = int(np.argmin(away))
        return list(places)[nearest] if away[nearest] <= REACH else None

    def _places(self) -> dict[str, Array]:
        """The middle of every seat in the world (m), as the train stands."""
        top = self._viewer.document.project.assembly
        found: dict[str, Array] = {}
        if top is None or not self._viewer.plotter.ready:
            return {}
        for path, seat in top.every("seat").items():
            owner = path.rpartition("/")[0]
            body = self._viewer.scene.train.frame_of(f"{owner}/{seat.body}".lstrip("/"))
            if body is not None:
                found[path] = body.point(np.add(seat.position, (0.0, 0.0, SITS)))
        return found

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QDropEvent):
            if event.type() == QEvent.Type.DragLeave:
                self._viewer.highlight(self._viewer.document.selection)
            return False
        somebody = carried_by(event.mimeData())
        if somebody is None:
            event.ignore()  # files are the window's
            return True
        seat = self.seat_at(event.position())
        if event.type() == QEvent.Type.Drop:
            self._viewer.highlight(self._viewer.document.selection)
            if seat is not None:
                seating_of(self._viewer.document).seat(seat, somebody)
        elif seat is not None:
            self._viewer.highlight(Selection("seat", tuple(seat.split("/"))))
        event.setAccepted(seat is not None or event.type() == QEvent.Type.DragEnter)
        return True
