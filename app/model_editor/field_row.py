"""What the inspector is made of: a field with its entry and its help, and a group of them that folds."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout, QWidget

from ..widgets import theme
from ..widgets.icons import icon
from ..widgets.number_entry import DragLabel, Entry, NumberEntry
from ..widgets.number_text import range_text
from .page import Field

MARK = 14  # logical pixels of the mark that opens the help


def note(text: str, role: str = "muted") -> QLabel:
    """A paragraph that wraps and can be copied."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", role)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def help_text(field: Field) -> str:
    """What a field means and what is allowed."""
    spec = field.spec
    limits = range_text(spec.low, spec.high, spec.low_open, spec.unit)
    return f"{spec.help} Allowed: {limits}." if limits else spec.help


class FieldRow(QWidget):
    """Title, entry, and on demand the help: hover tells it, the mark opens it below.

    `opened` carries whether the mark has opened or closed the help; `menu_wanted` where its menu was asked for; `told`
    says that `refusal`, why its value was refused, has changed: that is shown elsewhere, so that nothing moves.
    """

    opened = Signal(bool)
    menu_wanted = Signal(object)  # the place on the screen
    refusal_changed = Signal()
    point_wanted = Signal(object)  # that, for the ways to take a point

    def __init__(self, field: Field, entry: Entry, open_help: bool) -> None:
        super().__init__()
        self.field, self.entry = field, entry
        self.refusal: str | None = None
        self._text = help_text(field)
        self.label: QLabel | None = None
        self.mark = self._made_mark(open_help)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.9)
        self.help = note(self._text)
        self.help.setFont(font)
        self.help.setVisible(open_help)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(4)
        if field.spec.entry == "flag":
            head.addWidget(entry, 1)
        else:
            title = field.spec.title
            self.label = DragLabel(title, entry) if isinstance(entry, NumberEntry) else QLabel(title)
            self.label.setBuddy(entry)
            self.label.setToolTip(self._text)
            head.addWidget(self.label)
            head.addStretch(1)
        if field.end:
            head.addWidget(self._taking())
        head.addWidget(self.mark)
        column.addLayout(head)
        if field.spec.entry != "flag":
            column.addWidget(entry)
        column.addWidget(self.help)
        entry.setToolTip(self._text)
        entry.setAccessibleDescription(self._text)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())
        event.accept()

    def _taking(self) -> QToolButton:
        """What opens the ways to take a point from elsewhere."""
        take = QToolButton()
        take.setIcon(icon("target", theme.current().muted))
        take.setIconSize(QSize(MARK, MARK))
        take.setAutoRaise(True)
        take.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        take.setToolTip("Take the point from the other body, or from the 3D view")
        take.setAccessibleName(f"Take {self.field.spec.title} from elsewhere")
        take.clicked.connect(lambda: self.point_wanted.emit(take.mapToGlobal(take.rect().bottomLeft())))
        return take

    def _made_mark(self, checked: bool) -> QToolButton:
        mark = QToolButton()
        mark.setIcon(icon("help", theme.current().muted))
        mark.setIconSize(QSize(MARK, MARK))
        mark.setAutoRaise(True)
        mark.setCheckable(True)
        mark.setChecked(checked)
        mark.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes from entry to entry
        mark.setToolTip(self._text)
        mark.setAccessibleName(f"Help on {self.field.spec.title}")
        mark.toggled.connect(self._on_mark)
        return mark

    def _on_mark(self, checked: bool) -> None:
        self.help.setVisible(checked)
        self.opened.emit(checked)

    def set_refusal(self, refusal: str | None) -> None:
        """Mark the entry as refused, for the reason that `refusal` is from then on; None: as accepted."""
        if refusal == self.refusal:
            return
        self.refusal = refusal
        for line in self.entry.findChildren(QLineEdit):
            line.setProperty("refused", refusal is not None)
            line.style().unpolish(line)
            line.style().polish(line)
        self.refusal_changed.emit()


class FoldingGroup(QWidget):
    """A heading that shows and hides what stands below it; `folded` carries which."""

    folded = Signal(bool)

    def __init__(self, title: str, shut: bool) -> None:
        super().__init__()
        self.heading = QToolButton()
        self.heading.setText(title)
        self.heading.setProperty("role", "heading")
        self.heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.heading.setAutoRaise(True)
        self.heading.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.heading.setToolTip("Fold this group or open it")
        inside = QWidget()
        self.column = QVBoxLayout(inside)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(4)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 12, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.heading)
        outer.addWidget(inside)
        self._inside = inside
        self._shut = shut
        self._show()
        self.heading.clicked.connect(self._on_heading)

    def _on_heading(self) -> None:
        self._shut = not self._shut
        self._show()
        self.folded.emit(self._shut)

    def _show(self) -> None:
        self.heading.setArrowType(Qt.ArrowType.RightArrow if self._shut else Qt.ArrowType.DownArrow)
        self._inside.setVisible(not self._shut)
