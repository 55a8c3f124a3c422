"""A line of plain text that ends in "…" where there is no room for all of it; the whole is its tool tip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QStylePainter, QWidget

from .plain_words import plain_tip

LETTERS = 6  # at least seen


class ElidedLabel(QLabel):
    """A label that takes the room it is given instead of asking for that of its text."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, asks: bool = False) -> None:
        """asks: it asks for the room of its text, and takes less where there is less."""
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        across = QSizePolicy.Policy.Preferred if asks else QSizePolicy.Policy.Ignored
        self.setSizePolicy(across, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        minimum = super().minimumSizeHint()
        return QSize(min(minimum.width(), LETTERS * self.fontMetrics().averageCharWidth()), minimum.height())

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(plain_tip(text))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOption()
        option.initFrom(self)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option)
        margin = self.margin()
        room = self.contentsRect().adjusted(margin, margin, -margin, -margin)
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawItemText(
            room, int(self.alignment()), self.palette(), self.isEnabled(), shown, self.foregroundRole()
        )
