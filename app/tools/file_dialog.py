"""What the windows of import and export share: options in a form, a text that reports, and the button that acts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)


class FileDialog(QDialog):
    """A form of options over a report, with the button that acts and one that leaves."""

    def lay_out(
        self,
        rows: Sequence[tuple[str, QWidget]],
        report: str,
        leave: QDialogButtonBox.StandardButton,
        verb: str,
    ) -> tuple[QPlainTextEdit, QPushButton]:
        """Fill the window; returns the text that reports and the button that acts.

        rows: options with their names; report: name of the text for a screen reader; verb: of the button.
        """
        form = QFormLayout()
        form.setSpacing(8)
        for name, widget in rows:
            form.addRow(name, widget)
        text = QPlainTextEdit()
        text.setReadOnly(True)
        text.setAccessibleName(report)
        self.buttons = QDialogButtonBox(leave)
        act = self.buttons.addButton(verb, QDialogButtonBox.ButtonRole.AcceptRole)
        act.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(form)
        column.addWidget(text, 1)
        column.addWidget(self.buttons)
        return text, act
