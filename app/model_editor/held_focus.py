"""The focus of the inspector when its page is built anew: same field, same place, with what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget

from ..widgets.number_entry import CommittedLine

if TYPE_CHECKING:
    from .inspector import Inspector


class Held(NamedTuple):
    """A field that has the focus: its name, which of its widgets, how far down it is seen (px), and of a line what is
    typed in it and not given yet, what is marked, and where the cursor stands."""

    name: str
    which: int
    top: int
    text: str | None = None
    marked: tuple[int, int] = (-1, 0)
    cursor: int = 0


def held_in(inspector: Inspector) -> Held | None:
    """What has the focus in the inspector; None where nothing has."""
    now = QApplication.focusWidget()
    for row in inspector.rows:
        if now is not None and row.isAncestorOf(now):
            top = row.mapTo(inspector.viewport(), QPoint()).y()
            which = row.findChildren(QWidget).index(now)
            if not isinstance(now, CommittedLine):
                return Held(row.field.spec.name, which, top)
            marked, typed = (
                (now.selectionStart(), len(now.selectedText())),
                now.text() if now.typed_in else None,
            )
            return Held(row.field.spec.name, which, top, typed, marked, now.cursorPosition())
    return None


def give_back(inspector: Inspector, held: Held | None) -> None:
    """Give the focus back after the page was built anew, with the field where it was seen before."""
    row = None if held is None else next((r for r in inspector.rows if r.field.spec.name == held.name), None)
    if held is None or row is None:
        return
    parts = row.findChildren(QWidget)
    widget = parts[held.which] if held.which < len(parts) else row.entry
    widget.setFocus()
    if isinstance(widget, CommittedLine):
        if held.text is not None:
            widget.setText(held.text)
        widget.setCursorPosition(held.cursor)
        if held.marked[0] >= 0:
            widget.setSelection(*held.marked)
    body = inspector.widget()
    assert body is not None
    if (layout := body.layout()) is not None:
        layout.activate()
    body.resize(inspector.viewport().width(), body.sizeHint().height())
    bar = inspector.verticalScrollBar()
    bar.setRange(0, max(0, body.height() - inspector.viewport().height()))
    bar.setValue(row.mapTo(body, QPoint()).y() - held.top)
