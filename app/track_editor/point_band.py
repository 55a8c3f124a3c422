"""The box that is drawn around control points in the 3D view to select them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRect
from PySide6.QtWidgets import QRubberBand, QWidget

from ...core.base.arrays import Array


class PointBand:
    """A rectangle from where the mouse was pressed to where it is. `on`: one is being drawn."""

    def __init__(self, holder: QWidget) -> None:
        self._holder = holder
        self._from: QPointF | None = None
        self._band: QRubberBand | None = None

    @property
    def on(self) -> bool:
        """Whether one is being drawn."""
        return self._from is not None

    def begin(self, position: QPointF) -> None:
        """The mouse was pressed."""
        self._from = position

    def stretch(self, position: QPointF) -> None:
        """The mouse was moved."""
        if self._from is None:
            return
        if self._band is None:
            self._band = QRubberBand(QRubberBand.Shape.Rectangle, self._holder)
        self._band.setGeometry(QRect(self._from.toPoint(), position.toPoint()).normalized())
        self._band.show()

    def end(self, position: QPointF) -> Array | None:
        """The mouse was let go: corners (2, 2) px; None when it was not moved."""
        begin, self._from = self._from, None
        band, self._band = self._band, None
        if band is None or begin is None:
            return None
        band.hide()
        band.deleteLater()
        return np.array([[begin.x(), begin.y()], [position.x(), position.y()]])
