"""When a panel draws itself anew: only while it is to be seen, and one panel in a turn of the event loop.

A run that arrives concerns half of the panels. If each drew itself at once, or each with a timer of its own (timers
that are due fire one after the other, before any key or mouse), the window would be deaf until the last is done.
"""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

NAME = "turns"
PAUSE = 8  # ms between two turns, in which the window answers and paints


def is_seen(widget: QWidget) -> bool:
    """Whether anything of a widget is to be seen: a dock behind another tab counts as visible for Qt."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


class Refresh(QObject):
    """Calls `draw` once for all changes of one event, in a turn of its own.

    While nothing of the widget is to be seen the call waits until it is: until some of the widget itself is painted, so
    its children must leave a bar or a margin of it free.
    """

    def __init__(self, widget: QWidget, draw: Callable[[], None], *, due: bool = False) -> None:
        super().__init__(widget)
        self._widget, self._draw, self._due = widget, draw, due
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.timeout.connect(lambda: _turns().add(self))
        widget.installEventFilter(self)

    @property
    def due(self) -> bool:
        """What is drawn is out of date."""
        return self._due

    @property
    def waiting(self) -> bool:
        """It is out of date and to be seen: one of the next turns draws it."""
        return self._due and is_seen(self._widget)

    def soon(self, after: int = 0) -> None:
        """Draw when the events of now are through, `after` so many ms; several wishes become one."""
        self._due = True
        if is_seen(self._widget):
            self._wish(after)

    def done(self) -> None:
        """It has been drawn at once; forget the wish."""
        self._due = False
        self._delay.stop()

    def take_turn(self) -> None:
        """Draw, if that is still wanted and to be seen: it may have been covered since, or shown without being seen."""
        if self._due and is_seen(self._widget):
            self.done()
            self._draw()

    def _wish(self, after: int) -> None:
        if self._delay.isActive():
            return
        if after:
            self._delay.start(after)
        else:
            _turns().add(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        # Painted: its tab has come to the front. Shown: its dock or its window has.
        if self._due and event.type() in (QEvent.Type.Paint, QEvent.Type.Show):
            self._wish(0)
        return False


class Turn(QObject):
    """Calls `draw` once for all wishes of one event, in a turn of its own, whether anything is to be seen or not."""

    def __init__(self, owner: QObject, draw: Callable[[], None]) -> None:
        super().__init__(owner)
        self._draw, self._due = draw, False

    def soon(self) -> None:
        """Draw when the events of now are through and those who wished before have drawn."""
        self._due = True
        _turns().add(self)

    def stop(self) -> None:
        """Forget the wish."""
        self._due = False

    def take_turn(self) -> None:
        """Draw, if that is still wanted."""
        if self._due:
            self._due = False
            self._draw()


class _Turns(QObject):
    """Whose turn is next. Events of the window come between two turns."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self._waiting: dict[Refresh | Turn, None] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    def add(self, refresh: Refresh | Turn) -> None:
        self._waiting[refresh] = None
        if not self._timer.isActive():
            self._timer.start(0)

    def _next(self) -> None:
        refresh = next(iter(self._waiting))
        del self._waiting[refresh]
        if self._waiting:
            self._timer.start(PAUSE)
        if shiboken6.isValid(refresh):  # its panel may be gone meanwhile
            refresh.take_turn()


def _turns() -> _Turns:
    application = QCoreApplication.instance()
    assert application is not None
    found = application.findChild(_Turns, NAME)
    return found if isinstance(found, _Turns) else _Turns(application)
