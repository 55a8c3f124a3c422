"""A tour of five steps over the window, for the first start; it can be dismissed at any step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QRegion, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ..widgets import theme
from .keys import OWN_KEYS
from .panels import PanelName

WIDTH = 340
GAP = 12
LINE = 2  # px of the ring
MOVING = frozenset(
    (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ParentChange)
)
HERE = Qt.ShortcutContext.WidgetWithChildrenShortcut


@dataclass(frozen=True)
class Step:
    """One step: heading, text, the widget it is about, and what makes that widget visible."""

    title: str
    text: str
    target: QWidget
    prepare: Callable[[], None] | None = None


class Tour(QObject):
    """Shows the steps one after the other. `ended` comes once, finished or dismissed."""

    ended = Signal()

    def __init__(self, window: QWidget, steps: list[Step]) -> None:
        super().__init__(window)
        self._window = window
        self._steps = steps
        self._at = 0
        self._over = False
        self._followed: list[QWidget] = []  # the target and what it stands in
        self._soon = QTimer(self)  # once, after everything of a layout has moved
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._place)
        self.ring = QFrame(window)
        self.ring.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.card = QFrame(window)
        self.card.setFixedWidth(WIDTH)
        self.card.setProperty(OWN_KEYS, True)
        self.title = QLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)  # it names the project
        self.title.setProperty("role", "heading")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        self.skip = QPushButton("Dismiss")
        self.back = QPushButton("Back")
        self.next = QPushButton("Next")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.count)
        row.addStretch(1)
        for button in (self.skip, self.back, self.next):
            button.setAutoDefault(False)
            row.addWidget(button)
        layout = QVBoxLayout(self.card)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addLayout(row)
        self.skip.clicked.connect(self.end)
        self.back.clicked.connect(lambda: self._show(self._at - 1))
        self.next.clicked.connect(lambda: self._show(self._at + 1))
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self.card, self.end, context=HERE)
        self._show(0)

    @property
    def step(self) -> int:
        """Number of the step that is shown, from 0."""
        return self._at

    def end(self) -> None:
        """Finish or dismiss."""
        if self._over:
            return
        self._over = True
        self._soon.stop()
        self._follow(None)
        self.ring.hide()
        self.card.hide()
        self.ring.deleteLater()
        self.card.deleteLater()
        self.ended.emit()
        self.deleteLater()

    def _show(self, number: int) -> None:
        if number >= len(self._steps):
            self.end()
            return
        self._at = number
        step = self._steps[number]
        if step.prepare is not None:
            step.prepare()
        self.title.setText(step.title)
        self.text.setText(step.text)
        self.count.setText(f"{number + 1} of {len(self._steps)}")
        self.back.setEnabled(number > 0)
        self.next.setText("Done" if number == len(self._steps) - 1 else "Next")
        self._dress()
        self._place()
        self.next.setFocus()

    def _dress(self) -> None:
        c = theme.current()
        self.ring.setStyleSheet(f".QFrame {{ border: {LINE}px solid {c.accent}; background: {c.accent}; }}")
        self.card.setStyleSheet(f".QFrame {{ background: {c.raised}; border: 1px solid {c.accent}; }}")
        self.next.setStyleSheet(
            f"QPushButton {{ background: {c.accent}; color: {c.accent_text}; border-color: {c.accent}; }}"
        )

    def _place(self) -> None:
        window = self._window
        target = self._steps[self._at].target
        there = shiboken6.isValid(target) and window.isAncestorOf(target)
        self._follow(target if there else None)
        layout = self.card.layout()
        assert layout is not None
        self.card.setFixedHeight(layout.heightForWidth(WIDTH))
        size = self.card.size()
        area = QRect(target.mapTo(window, QPoint(0, 0)), target.size()) if there else QRect()
        if there and area.intersects(window.rect()) and target.isVisible():
            self.ring.setGeometry(area.adjusted(-2, -2, 2, 2).intersected(window.rect()))
            inside = self.ring.rect().adjusted(LINE, LINE, -LINE, -LINE)
            self.ring.setMask(QRegion(self.ring.rect()).subtracted(QRegion(inside)))
            self.ring.show()
            self.ring.raise_()
            self.card.move(_beside(area, self.card.rect(), window.rect()))
        else:  # floating elsewhere or closed
            self.ring.hide()
            self.card.move((window.width() - size.width()) // 2, (window.height() - size.height()) // 2)
        self.card.show()
        self.card.raise_()

    def _follow(self, target: QWidget | None) -> None:
        """Hear when the target, or something that it stands in, is moved; with None: the window alone, or after the
        end nothing."""
        chain = [] if self._over else [self._window]
        while target is not None and target is not self._window and not self._over:
            chain.append(target)
            target = target.parentWidget()
        for widget in self._followed:
            if widget not in chain and shiboken6.isValid(widget):
                widget.removeEventFilter(self)
        for widget in chain:
            if widget not in self._followed:
                widget.installEventFilter(self)
        self._followed = chain

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVING:
            self._soon.start()
        elif event.type() == QEvent.Type.PaletteChange and watched is self._window:
            self._dress()
        return super().eventFilter(watched, event)


def _beside(area: QRect, card: QRect, window: QRect) -> QPoint:
    """A place for the card next to the area: below, above, right, left, or inside it; kept in the window."""
    x = min(max(GAP, area.center().x() - card.width() // 2), window.width() - card.width() - GAP)
    y = min(max(GAP, area.center().y() - card.height() // 2), window.height() - card.height() - GAP)
    if area.width() * area.height() * 4 > window.width() * window.height():
        return QPoint(x, y)  # a large target is not worth leaving
    if area.bottom() + GAP + card.height() < window.height():
        return QPoint(x, area.bottom() + GAP)
    if area.top() - GAP - card.height() > 0:
        return QPoint(x, area.top() - GAP - card.height())
    if area.right() + GAP + card.width() < window.width():
        return QPoint(area.right() + GAP, y)
    if area.left() - GAP - card.width() > 0:
        return QPoint(area.left() - GAP - card.width(), y)
    return QPoint(x, y)


def tour_steps(
    name: str,
    view: QWidget,
    run: QWidget,
    strip: QWidget,
    docks: Mapping[PanelName, QWidget],
    show_panel: Callable[[PanelName], None],
) -> list[Step]:
    """Five steps along the loop that matters: see, run, play, judge, change. name: of the project; run: the button."""
    return [
        Step(
            f"This is “{name}”",
            "A project holds the track, the train with its riders, and how it is run. Drag in the view to turn around "
            "it, use the wheel to come closer, press 1 to 5 for the cameras.",
            view,
        ),
        Step(
            "Run it",
            "Press F5 or this button. The ride is computed while you go on working; Stop keeps what there is.",
            run,
        ),
        Step(
            "Play it",
            "Space plays the run. One time cursor goes through the view, every plot and the readouts; press 3 to sit "
            "in the rider's head.",
            strip,
        ),
        Step(
            "Judge it",
            "Rider loads and Injury say what the ride does to the rider. Click a criterion to go to the moment and "
            "the place where it happens.",
            docks["injury"],
            lambda: show_panel("injury"),
        ),
        Step(
            "Change it",
            "Drag control points in the view, edit the selected thing here, undo anything with Ctrl+Z. Ctrl+K finds "
            "every command.",
            docks["inspector"],
            lambda: show_panel("inspector"),
        ),
    ]
