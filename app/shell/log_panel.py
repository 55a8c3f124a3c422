"""What the program did and said, with levels."""

from __future__ import annotations

import time
from typing import Final, Literal

from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from ..widgets import theme

Level = Literal["note", "warning", "error"]
LEVELS: Final[tuple[Level, ...]] = ("note", "warning", "error")
KEPT = 2000  # lines


class LogPanel(QWidget):
    """Lines with time and level; filter, copy, clear."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[tuple[str, Level, str]] = []
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(KEPT)
        self.text.setPlaceholderText(
            "What the program does is written here: files, runs, trouble. Nothing yet."
        )
        self.filter = QComboBox()
        self.filter.addItems(["Everything", "Warnings and errors", "Errors only"])
        self.filter.currentIndexChanged.connect(lambda _: self._redraw())
        copy, clear = QPushButton("Copy"), QPushButton("Clear")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        clear.clicked.connect(self.clear)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(QLabel("Show"))
        row.addWidget(self.filter)
        row.addStretch(1)
        row.addWidget(copy)
        row.addWidget(clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addLayout(row)
        layout.addWidget(self.text)

    def add(self, text: str, level: Level = "note") -> None:
        """Append a line."""
        line = (time.strftime("%H:%M:%S"), level, text)
        self._lines = [*self._lines[-KEPT + 1 :], line]
        self._append(line)

    def clear(self) -> None:
        """Remove every line."""
        self._lines = []
        self.text.clear()

    def _append(self, line: tuple[str, Level, str]) -> None:
        when, level, text = line
        if LEVELS.index(level) < self.filter.currentIndex():
            return
        c = theme.current()
        colour = {"note": c.text, "warning": c.warn, "error": c.bad}[level]
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
        self.text.appendHtml(
            f'<span style="color:{c.muted}">{when}&nbsp;&nbsp;{level:<8}</span> '
            f'<span style="color:{colour}">{safe}</span>'
        )

    def _redraw(self) -> None:
        self.text.clear()
        for line in self._lines:
            self._append(line)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_lines"):
            self._redraw()
