"""A line that ends in "…" where its room ends."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from ridewright.app.widgets.elided import ElidedLabel

TEXT = "5 outside their limit, 2 within 10 % of it, 120 inside"


def test_that_a_line_without_room_is_drawn_as_its_elided_text(qtbot) -> None:
    label, plain = ElidedLabel(TEXT), QLabel()
    label.setText(TEXT)
    for widget in (label, plain):
        qtbot.addWidget(widget)
        widget.setMargin(4)
        widget.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for width in (90, 800):
        label.resize(width, 24)
        plain.resize(width, 24)
        shown = label.fontMetrics().elidedText(TEXT, Qt.TextElideMode.ElideRight, width - 8)
        assert ("…" in shown) == (width == 90)
        plain.setText(shown)
        assert label.grab().toImage() == plain.grab().toImage()
    assert label.toolTip() == TEXT
