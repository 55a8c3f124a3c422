"""A splitter that puts its parts below one another where it is narrower than it is high."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

WIDE = 560  # px from which parts stand beside one another whatever the height, where a panel does not say


class TurningSplitter(QSplitter):
    """For panels that stand in a column in one workspace and below the view in another.

    wide: width (px) from which its parts stand beside one another whatever the height.
    """

    def __init__(self, wide: int = WIDE, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._wide = wide
        self.setChildrenCollapsible(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        size = event.size()
        upright = size.width() < self._wide and size.height() > 0.8 * size.width()
        way = Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal
        if way != self.orientation():
            shares = self.sizes()
            self.setOrientation(way)
            self.setSizes(shares)
        super().resizeEvent(event)
