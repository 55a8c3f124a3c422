"""Tick boxes that can be seen: the style draws empty ones in the colour of the dark background."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ..widgets import theme

CHECK = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.28))


class TickDelegate(QStyledItemDelegate):
    """Draws tick boxes in the colours of the theme; everything else as ever."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is None:
            return
        own = QStyleOptionViewItem(option)
        self.initStyleOption(own, index)
        style = own.widget.style() if own.widget is not None else QApplication.style()
        place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, own, own.widget)
        draw_tick(painter, QRectF(place), Qt.CheckState(state) == Qt.CheckState.Checked)


def draw_tick(painter: QPainter, place: QRectF, on: bool) -> None:
    """A tick box of 13 px in the middle of a place."""
    colours = theme.current()
    box = QRectF(0.0, 0.0, 13.0, 13.0)
    box.moveCenter(place.center())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.accent if on else colours.muted), 1.0))
    painter.setBrush(QColor(colours.accent if on else colours.base))
    painter.drawRoundedRect(box, 2.0, 2.0)
    if on:
        painter.setPen(QPen(QColor(colours.accent_text), 1.8))
        painter.drawPolyline(QPolygonF([QPointF(box.x() + 13 * x, box.y() + 13 * y) for x, y in CHECK]))
    painter.restore()
