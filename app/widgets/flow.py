"""A row of widgets that goes on below where its room ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QSpacerItem, QStyle, QWidget


class FlowLayout(QLayout):
    """Left to right, then the next line; a stretch pushes what follows in its line to the right."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 4) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[
            int, int
        ] = {}  # by width, until something in it changes: asked for again and again
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self.invalidate()

    def addStretch(self, _stretch: int = 1) -> None:
        """What follows stands at the right."""
        self.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum))

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        self._heights.clear()
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def invalidate(self) -> None:
        super().invalidate()
        self._heights.clear()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in shown) + self.spacing() * max(len(shown) - 1, 0)
        return self._around(QSize(wide, max((size.height() for size in shown), default=0)))

    def minimumSize(self) -> QSize:
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        wide = max((size.width() for size in shown), default=0)
        return self._around(QSize(wide, max((size.height() for size in shown), default=0)))

    def _around(self, size: QSize) -> QSize:
        m = self.contentsMargins()
        return size + QSize(m.left() + m.right(), m.top() + m.bottom())

    def _arrange(self, rect: QRect, move: bool) -> int:
        """Place the items in lines; the height that takes."""
        room = rect.marginsRemoved(self.contentsMargins())
        lines: list[list[QLayoutItem]] = [[]]
        used = 0
        for item in self._items:
            spacer = item.spacerItem() is not None
            if item.isEmpty() and not spacer:
                continue
            wide = 0 if spacer else item.sizeHint().width() + self.spacing()
            if used + wide - self.spacing() > room.width() and any(not i.spacerItem() for i in lines[-1]):
                lines.append([])
                used = 0
            lines[-1].append(item)
            used += wide
        y = room.y()
        for line in lines:
            shown = [item for item in line if item.spacerItem() is None]
            tall = max((item.sizeHint().height() for item in shown), default=0)
            if move:
                self._place_line(line, room, y, tall)
            y += tall + (self.spacing() if shown else 0)
        return y - self.spacing() - rect.y() + self.contentsMargins().bottom()

    def _place_line(self, line: list[QLayoutItem], room: QRect, y: int, tall: int) -> None:
        wide = sum(item.sizeHint().width() + self.spacing() for item in line if item.spacerItem() is None)
        spare = max(room.width() - wide + self.spacing(), 0)
        x = room.x()
        for item in line:
            if item.spacerItem() is not None:
                x, spare = x + spare, 0
                continue
            size = item.sizeHint()
            width = min(size.width(), room.width())
            height = tall if size.height() > tall else size.height()
            position = QRect(QPoint(x, y + (tall - height) // 2), QSize(width, height))
            parent = self.parentWidget()
            direction = Qt.LayoutDirection.LeftToRight if parent is None else parent.layoutDirection()
            item.setGeometry(QStyle.visualRect(direction, room, position))
            x += size.width() + self.spacing()
