"""What is wrong with what is selected, in a place of its own below the fields: it comes and goes, and nothing moves."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from ..widgets import theme
from .field_row import note

LINES = 3.5  # of text that are seen at once; half a line says that there is more
CALM = "No problems here."
COLOURS = {"error": "bad", "warning": "warn"}


class Messages(QScrollArea):
    """Sentences about what is selected, always in the same room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setObjectName("messages")
        self.setAccessibleName("Problems of what is selected")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._shown: tuple[tuple[str, str], ...] | None = None
        self.say(())

    @property
    def room(self) -> int:
        """The height (px) it takes, whatever it says."""
        return round(LINES * self.fontMetrics().lineSpacing()) + 8

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says now."""
        return tuple(text for _, text in self._shown or ())

    def say(self, sentences: Iterable[tuple[str, str]]) -> None:
        """Show (severity, sentence) pairs."""
        shown = tuple(sentences)
        if shown == self._shown:
            return
        self._shown = shown
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 4, 12, 4)
        column.setSpacing(4)
        for severity, text in shown or (("note", CALM),):
            label = note(text[:1].upper() + text[1:], COLOURS.get(severity, "muted"))
            column.addWidget(label)
        column.addStretch(1)
        self.setWidget(body)
        self._dress()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_shown"):
            self._dress()

    def _dress(self) -> None:
        c = theme.current()
        worst = next((COLOURS[s] for s, _ in self._shown or () if s in COLOURS), "border")
        style = f"#messages {{ background: {c.panel}; border-top: 2px solid {getattr(c, worst)}; }}"
        if self.styleSheet() != style:
            self.setStyleSheet(style)
