"""A line over a panel that says what is wrong with what it shows, with one button that leads out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from . import theme
from .elided import ElidedLabel
from .icons import icon

COLOURS = {"error": "bad", "warning": "warn", "note": "muted"}


class Banner(QFrame):
    """Hidden while there is nothing to say. acted: by its button; put_away: by its cross, until it speaks again."""

    acted = Signal()
    put_away = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.severity = ""
        self._sign = QLabel()
        self.text = ElidedLabel(asks=True)
        self.button = QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self.acted)
        self.cross = QToolButton()
        self.cross.setIconSize(QSize(10, 10))
        self.cross.setAutoRaise(True)
        self.cross.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cross.setToolTip("Put this away until there is something else to say")
        self.cross.setAccessibleName("Put away")
        self.cross.clicked.connect(self._put_away)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 2, 2)
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        row.addWidget(self.cross)
        self.hide()

    def say(self, text: str, severity: str = "warning", button: str = "") -> None:
        """Show a sentence, or nothing; button: what its button says, "" without one."""
        if (text, severity, button) == (self.text.text(), self.severity, self.button.text()):
            return
        self.severity = severity
        self.text.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self._dress()
        self.setVisible(bool(text))

    def _put_away(self) -> None:
        self.hide()
        self.put_away.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.severity:
            self._dress()

    def _dress(self) -> None:
        c = theme.current()
        colour = getattr(c, COLOURS[self.severity])
        style = f"#banner {{ background: {c.panel}; border: 1px solid {colour}; border-left: 4px solid {colour}; }}"
        if self.styleSheet() != style:
            self.setStyleSheet(style)
            self.cross.setIcon(icon("close"))
            self._sign.setPixmap(icon(self.severity, colour).pixmap(16, 16))
