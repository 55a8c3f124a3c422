"""Messages show names as they are, whatever they look like."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QMessageBox, QWidget

from app.widgets import dialogs

NAME = "<img src='x'><b>Ride</b> & <u>Co</u>"


@pytest.mark.parametrize("ask", [
    lambda parent: dialogs.message(parent, f"About {NAME}", NAME),
    lambda parent: dialogs.ask(parent, f"About {NAME}", NAME, "yes", "no"),
    lambda parent: dialogs.ask_to_save(parent, NAME),
])  # fmt: skip
def test_that_names_that_look_like_html_are_shown_as_they_are(
    ask, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def shown(box: QMessageBox) -> int:
        for text in (box.text(), box.informativeText()):
            document = QTextDocument()
            document.setHtml(text)
            seen.append(document.toPlainText())
        return 0

    monkeypatch.setattr(QMessageBox, "exec", shown)
    parent = QWidget()
    qtbot.addWidget(parent)
    ask(parent)
    assert any(NAME in text for text in seen)
