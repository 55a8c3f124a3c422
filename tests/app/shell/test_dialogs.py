"""Messages show names as they are, whatever they look like."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from ridewright.app.widgets import dialogs
from ridewright.app.widgets.elided import ElidedLabel
from ridewright.app.widgets.plain_words import plain_tip

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


def test_that_no_part_of_the_window_takes_a_name_for_html(qtbot, studio) -> None:
    """In the inspector, the tour and every tool tip: Qt guesses, and takes a text that begins with a tag for HTML."""
    project = studio.document.project
    named = project.model_copy(update={"name": "<b>Bold ride"})
    studio.document.start_from(named)
    studio.start_tour()
    qtbot.waitUntil(lambda: any("Bold ride" in label.text() for label in studio.findChildren(QLabel)))
    for widget in studio.findChildren(QWidget):
        assert not widget.toolTip().startswith("<b>Bold")
        if (
            isinstance(widget, QLabel)
            and "Bold ride" in widget.text()
            and not isinstance(widget, ElidedLabel)
        ):
            assert widget.textFormat() == Qt.TextFormat.PlainText, widget.text()
    studio.tour.end()
    assert plain_tip("a < b\nc") == "<span>a &lt; b<br>c</span>"
    assert plain_tip("a & b") == "a & b"
