"""Words of a person (names, files) as they are: Qt takes a text that begins like HTML for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def plain_tip(text: str) -> str:
    """A tool tip that shows a text as it is."""
    return f"<span>{escape(text)}</span>".replace("\n", "<br>") if "<" in text else text


def plain_label(text: str = "") -> QLabel:
    """A label that shows whatever text it gets as it is: sentences with names in them, what was found wrong."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
