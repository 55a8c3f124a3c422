"""A splitter that puts its parts below one another where it is narrower than it is high."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

NARROW = 400  # px below which they stand below one another: side by side each would be cut
TALL = 0.8  # share of the width from which a height is one
WIDE = 560  # px from which parts stand beside one another whatever the height, where a panel does not say


class TurningSplitter(QSplitter):
    """For panels that stand in a column in one workspace and below the view in another.

    wide: width (px) from which its parts stand beside one another whatever the height; tall: share of the width that
    the height has at least where they stand below one another; above: the share of the height that the first part has
    of a column until somebody moves the border, 0 for what it had of the width.
    """

    def __init__(
        self, wide: int = WIDE, parent: QWidget | None = None, *, tall: float = TALL, above: float = 0.0
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._wide, self._tall, self._above, self._moved = wide, tall, above, False
        self.splitterMoved.connect(lambda *_: self._keep())
        self.setChildrenCollapsible(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        size = event.size()
        tall = size.height() > self._tall * size.width()
        upright = size.width() < NARROW or (tall and size.width() < self._wide)
        way = Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal
        if way != self.orientation():
            shares = self.sizes()
            self.setOrientation(way)
            self.setSizes(shares)
        super().resizeEvent(event)
        if upright and self._above > 0.0 and not self._moved:
            first = round(self._above * size.height())
            self.setSizes([first, size.height() - first])

    def _keep(self) -> None:
        self._moved = self._moved or self.orientation() == Qt.Orientation.Vertical
