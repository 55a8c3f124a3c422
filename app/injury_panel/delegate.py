"""The margin as a bar behind its number: how much of the limit is used."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from ...core.injury.result import margin_and_verdict
from ..widgets import theme
from .table import MARGIN, verdict_colour


class MarginDelegate(QStyledItemDelegate):
    """Draws a bar as long as the used part of the limit, full when it is reached."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        margin = index.data(MARGIN)
        if margin is None:
            return
        used = min(1.0, max(0.0, 1.0 - margin))
        verdict = margin_and_verdict(1.0 - margin, 1.0)[1]
        place = QRectF(option.rect).adjusted(6, 0, -6, 0)
        place.setTop(place.bottom() - 4)
        place.setHeight(2)
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.current().border))
        painter.drawRect(place)
        place.setWidth(place.width() * used)
        painter.setBrush(QColor(verdict_colour(verdict)))
        painter.drawRect(place)
        painter.restore()
