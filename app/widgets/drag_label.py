"""The label beside what is being dragged: the worst load of its section, now and before."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget

from . import theme

AWAY = QPoint(18, 14)  # px from the mouse


class DragLabel(QLabel):
    """One line over a view or plot; it stays inside its parent and lets the mouse through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.hide()

    def say(self, text: str) -> None:
        """Show a sentence; "" hides the label."""
        if text == self.text() and self.isVisible() == bool(text):
            return
        c = theme.current()
        sheet = (
            f"background: {c.panel}; color: {c.text}; border: 1px solid {c.border}; border-radius: 4px;"
            "padding: 2px 8px; font-weight: 600;"
        )
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
        self.setText(text)
        self.setVisible(bool(text))
        self.adjustSize()
        if text:
            self.raise_()

    def put_at(self, position: QPoint) -> None:
        """Move beside a place of the parent (px), on the side where there is room."""
        around = self.parentWidget()
        assert around is not None
        wide, high = around.width(), around.height()
        x, y = position.x() + AWAY.x(), position.y() + AWAY.y()
        if x + self.width() > wide:
            x = position.x() - AWAY.x() - self.width()
        if y + self.height() > high:
            y = position.y() - AWAY.y() - self.height()
        self.move(max(0, x), max(0, y))
