"""A share as a bar behind the text of a cell."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from . import theme

SHARE = Qt.ItemDataRole.UserRole + 1  # 0 to 1


class ShareBar(QStyledItemDelegate):
    """Draws the share that a cell carries as a bar over as much of its width; everything else as ever."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        share = index.data(SHARE)
        if share:
            colour = QColor(theme.current().accent)
            colour.setAlphaF(0.35)
            place = QRectF(option.rect).adjusted(2.0, 3.0, -2.0, -3.0)  # type: ignore[attr-defined]
            place.setWidth(place.width() * min(1.0, float(share)))
            painter.fillRect(place, colour)
