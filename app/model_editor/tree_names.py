"""Rows of the project tree: a name has all the room it needs, what is said beside it has what is left."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ..widgets import theme

GAP, EDGE = 12, 6  # px between name and note, and from the note to the edge
MIN_LETTERS = 3  # letters of a note that is cut; of less nothing is shown


class NameDelegate(QStyledItemDelegate):
    """Draws a row with the text of the next column in the room that the name leaves at the right."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        room, text = self.note(option, index)
        if text:
            painter.save()
            painter.setPen(QColor(theme.current().muted))
            painter.setFont(option.font)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
            painter.restore()

    def name_left(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> int:
        """Where the name of a row begins (px)."""
        full = QStyleOptionViewItem(option)
        self.initStyleOption(full, index)
        widget: QWidget | None = full.widget
        style = QApplication.style() if widget is None else widget.style()
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, full, widget) + 1
        return style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, full, widget).left() + margin

    def note(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> tuple[QRect, str]:
        """Where the note of a row stands and as much of it as there is room for, "" where there is none."""
        sentence = str(index.model().index(index.row(), index.column() + 1, index.parent()).data() or "")
        if not sentence:
            return QRect(), ""
        letters = option.fontMetrics
        name = letters.horizontalAdvance(str(index.data() or ""))
        room = QRect(option.rect)
        room.setLeft(self.name_left(option, index) + name + GAP)
        room.setRight(room.right() - EDGE)
        if room.width() >= letters.horizontalAdvance(sentence):
            return room, sentence
        cut = letters.elidedText(sentence, Qt.TextElideMode.ElideRight, room.width())
        return room, cut if len(cut) > MIN_LETTERS else ""
