"""What of a window's texts is cut: every visible label, button and field beside the room that its text needs."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QToolButton,
    QWidget,
)

from ridewright.app.widgets.elided import ElidedLabel

SLACK = 1  # px: rounding of fonts at fractional sizes


def cut_texts(window: QWidget) -> list[str]:
    """One line for each visible widget whose text has less room than it needs, or that lies outside its parent."""
    found = []
    for widget in window.findChildren(QWidget):
        left_out = bool(widget.property("left_out"))  # for want of room, whole
        if not widget.isVisible() or widget.window() is not window or _is_behind(widget) or left_out:
            continue
        for fault in _faults(widget):
            found.append(f"{_place(widget, window)}: {fault}")
    return found


def _place(widget: QWidget, window: QWidget) -> str:
    """The named widgets around one, outermost first."""
    names: list[str] = []
    at: QWidget | None = widget
    while at is not None and at is not window:
        name = at.objectName() or type(at).__name__
        if not name.startswith("qt_") and name not in ("QWidget", "QFrame", "PanelHolder"):
            names.append(name)
        at = at.parentWidget()
    return "/".join(reversed(names[:4] if len(names) < 5 else [*names[:3], names[-1]]))


def _is_behind(widget: QWidget) -> bool:
    """Whether it lies in a dock behind another tab: Qt keeps those outside the window, not hidden."""
    at: QWidget | None = widget
    while at is not None:
        parent = at.parentWidget()
        if (
            parent is not None
            and parent.isWindow()
            and not QRect(QPoint(), parent.size()).intersects(at.geometry())
        ):
            return True
        at = parent
    return False


def _faults(widget: QWidget) -> Iterator[str]:
    text = _text(widget)
    if not text:
        if isinstance(widget, QHeaderView):
            yield from _headers(widget)
        elif isinstance(widget, QTabBar):
            yield from _tabs(widget)
        return
    short = text if len(text) < 50 else text[:47] + "..."
    wide, tall = _needed(widget)
    if wide > widget.width() + SLACK:
        yield f"'{short}' is {widget.width()} px wide, needs {wide}"
    if tall > widget.height() + SLACK:
        yield f"'{short}' is {widget.height()} px tall, needs {tall}"
    beyond = _beyond(widget)
    if beyond:
        yield f"'{short}' lies {beyond}"


def _text(widget: QWidget) -> str:
    if isinstance(widget, QLabel):
        return "" if widget.pixmap() and not widget.pixmap().isNull() else widget.text()
    if isinstance(widget, QComboBox):
        return widget.currentText()
    if isinstance(widget, QAbstractSpinBox):
        return widget.text()
    if isinstance(widget, QLineEdit):
        if isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox):
            return ""
        return widget.text() or widget.placeholderText()
    if isinstance(widget, QToolButton) and widget.arrowType() != Qt.ArrowType.NoArrow:
        return ""  # Qt's own, which scroll tabs
    if isinstance(widget, QAbstractButton):
        within = isinstance(widget.parentWidget(), QLineEdit)  # the cross that empties a line
        arrow = isinstance(widget.parent(), QTabBar)  # scrolls the tabs; Qt makes it as narrow as it likes
        return "" if within or arrow else widget.text() or " "
    if isinstance(widget, QProgressBar):
        return widget.text() if widget.isTextVisible() else ""
    return ""


def _needed(widget: QWidget) -> tuple[int, int]:
    """Width and height that the text needs."""
    if isinstance(widget, ElidedLabel):  # ends in "…", its tool tip has the whole; some of it must be seen
        return min(
            widget.sizeHint().width(), 4 * widget.fontMetrics().averageCharWidth()
        ), widget.sizeHint().height()
    if isinstance(widget, QLabel) and widget.wordWrap():
        words = (widget.fontMetrics().horizontalAdvance(word) for word in widget.text().split())
        inside = widget.width() - widget.contentsRect().width() + 2 * widget.margin()
        longest = max(words, default=0) if widget.textFormat() == Qt.TextFormat.PlainText else 0
        return longest + inside, widget.heightForWidth(widget.width())
    if isinstance(widget, QLineEdit):
        style = widget.style()
        room = style.subElementRect(QStyle.SubElement.SE_LineEditContents, _option(widget), widget)
        margins = widget.textMargins()
        text = widget.fontMetrics().horizontalAdvance(_text(widget))
        # a line scrolls; a number or a unit must be seen whole, of a long text the first twenty letters
        text = min(text, 20 * widget.fontMetrics().averageCharWidth())
        around = (
            widget.width() - room.width() + margins.left() + margins.right() + 4
        )  # Qt keeps 2 px each side
        return text + around, widget.minimumSizeHint().height()
    if isinstance(widget, QComboBox):
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        room = widget.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, widget
        )
        text = widget.fontMetrics().horizontalAdvance(widget.currentText())
        icon = 0 if widget.itemIcon(widget.currentIndex()).isNull() else widget.iconSize().width() + 4
        return text + icon + widget.width() - room.width(), widget.fontMetrics().height()
    if isinstance(widget, QToolButton | QPushButton):
        hint = widget.sizeHint()
        return hint.width(), widget.fontMetrics().height() if widget.text() else 0
    hint = widget.minimumSizeHint()
    return hint.width(), hint.height()


def _option(line: QLineEdit) -> QStyleOptionFrame:
    option = QStyleOptionFrame()
    line.initStyleOption(option)
    return option


def _beyond(widget: QWidget) -> str:
    """Where a widget lies outside of what holds it. What scrolls into view is judged across only where nothing
    scrolls that way, and from there on the viewport stands for it."""
    at, rect = widget, QRect(QPoint(), widget.size())
    while (parent := at.parentWidget()) is not None and not at.isWindow():
        rect = QRect(at.mapToParent(rect.topLeft()), rect.size())
        area = parent.parentWidget()
        room = parent.rect()
        beyond = rect.right() > room.right() + SLACK or rect.left() < -SLACK
        if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
            fixed = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if beyond and fixed:
                return f"outside of what scrolls ({rect.left()} to {rect.right()} of {room.width()} px)"
            rect = room
        elif beyond:
            return f"beyond {type(parent).__name__} ({rect.left()} to {rect.right()} of {room.width()} px)"
        elif rect.bottom() > room.bottom() + SLACK or rect.top() < -SLACK:
            return f"below {type(parent).__name__} ({rect.top()} to {rect.bottom()} of {room.height()} px)"
        at = parent
    return ""


def _headers(header: QHeaderView) -> Iterator[str]:
    """Columns narrower than their titles."""
    model = header.model()
    if model is None or header.orientation() != Qt.Orientation.Horizontal:
        return
    for k in range(header.count()):
        title = model.headerData(k, Qt.Orientation.Horizontal)
        if header.isSectionHidden(k) or not title:
            continue
        needed = header.sectionSizeFromContents(k).width()
        if needed > header.sectionSize(k) + SLACK:
            yield f"column '{title}' is {header.sectionSize(k)} px wide, needs {needed}"


def _tabs(bar: QTabBar) -> Iterator[str]:
    for k in range(bar.count()):
        text = bar.tabText(k).replace("&&", "&")
        if bar.isTabVisible(k) and bar.tabRect(k).width() + SLACK < bar.fontMetrics().horizontalAdvance(text):
            yield f"tab '{text}' is {bar.tabRect(k).width()} px wide"
