"""A line for the name of a file with the button that asks for it, as the dialogs that export have it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton


def add_path_row(form: QFormLayout, label: str, path: str, browse: Callable[[], None]) -> QLineEdit:
    """Add the row to a form; browse: called when the button is pressed. Returns the line."""
    line = QLineEdit(path)
    button = QPushButton("Choose…")
    button.setAutoDefault(False)
    button.clicked.connect(browse)
    row = QHBoxLayout()
    row.addWidget(line, 1)
    row.addWidget(button)
    form.addRow(label, row)
    return line
