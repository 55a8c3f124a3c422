"""Somebody who clicks, drags, types and turns the wheel anywhere in the window, and closes what opens."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QMenu,
    QTabBar,
    QWidget,
)

from ridewright.app.shell.main_window import MainWindow

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
HOLDING = (Qt.KeyboardModifier.NoModifier,) * 4 + (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
KEYS = (
    "Space", "1", "2", "3", "4", "5", "F", "Delete", "Backspace", "Left", "Right", "Up", "Down", "Home", "End", "Tab",
    "Backtab", "Return", "Escape", "X", "Y", "Z", "F2", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+D", "Ctrl+Z",
    "Ctrl+Shift+Z", "PgUp", "PgDown", "Ctrl+I", "0", "7", ".", "-",
)  # fmt: skip
TYPED = ("0", "1", "-3.5", "1e9", "12 ft", "pi/6", "abc", "", "3*4", "-0", "1e-12", "nan", "inf", "0,5")
# what replaces the project, leaves the window, writes files or waits for a person elsewhere
LEFT_ALONE = frozenset(
    {
        "new", "new_empty", "start_page", "open", "save", "save_as", "import_track", "import_structure", "textbook",
        "quit", "open_results", "variations", "full_screen", "run", "run_after_change", "save_car", "guide", "film",
    }
)  # fmt: skip
PATIENCE = 0.03  # s that what has opened is looked at before something is done with it


class Monkey:
    """Acts at random; everything it does comes from its seed and from what the window shows."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window, self.random = window, random.Random(seed)
        self.done: dict[str, int] = {}
        self._opened: tuple[QWidget | None, float] = (None, 0.0)
        self._closer = QTimer(window)
        self._closer.timeout.connect(self._close_what_opened)
        self._closer.start(10)
        self._ways: tuple[tuple[int, Callable[[], None]], ...] = (
            (20, self.click_view), (16, self.drag_view), (6, self.wheel), (20, self.key), (14, self.click_widget),
            (12, self.click_row), (16, self.trigger), (14, self.type_number), (4, self.menu),
            (4, self.workspace),
        )  # fmt: skip

    def act(self) -> None:
        """Do one thing."""
        ways = self._ways
        (way,) = self.random.choices([w for _, w in ways], [n for n, _ in ways])
        self.done[way.__name__] = self.done.get(way.__name__, 0) + 1
        way()
        QApplication.processEvents()

    def stop(self) -> None:
        """Leave the window alone."""
        self._closer.stop()

    # -- what it does

    def _pixel(self, widget: QWidget) -> QPoint:
        return QPoint(
            self.random.randrange(max(1, widget.width())), self.random.randrange(max(1, widget.height()))
        )

    def click_view(self) -> None:
        view = self.window.viewer.plotter
        click = QTest.mouseDClick if self.random.random() < 0.1 else QTest.mouseClick
        click(view, LEFT, self.random.choice(HOLDING), self._pixel(view))

    def drag_view(self) -> None:
        view, held = self.window.viewer.plotter, self.random.choice(HOLDING)
        button = self.random.choice((LEFT, LEFT, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton))
        points, chosen = self.window.viewer.control_points, self._pixel(view)
        if len(points) and self.random.random() < 0.7:  # where something can be taken hold of
            x, y = self.window.viewer.world_to_screen(points[[self.random.randrange(len(points))]])[0]
            if abs(x) < 1e4 and abs(y) < 1e4:
                chosen = QPoint(round(x), round(y))
        by = QPointF(self.random.uniform(-60, 60), self.random.uniform(-60, 60))
        QTest.mousePress(view, button, held, chosen)
        for k in range(1, 5):
            there = QPointF(chosen) + by * (k / 4)
            move = QMouseEvent(
                QMouseEvent.Type.MouseMove,
                there,
                QPointF(view.mapToGlobal(there.toPoint())),
                NONE,
                button,
                held,
            )
            QApplication.sendEvent(view, move)
        if self.random.random() < 0.15:
            QTest.keyClick(view, Qt.Key.Key_Escape)
        QTest.mouseRelease(view, button, held, (QPointF(chosen) + by).toPoint())

    def wheel(self) -> None:
        widget = self.random.choice(
            [self.window.viewer.plotter, *self._seen(QAbstractItemView), *self._seen(QLineEdit)]
        )
        at = self._pixel(widget)
        turned = QPoint(0, self.random.choice((-120, 120, 360)))
        event = QWheelEvent(
            QPointF(at), QPointF(widget.mapToGlobal(at)), QPoint(), turned, NONE, self.random.choice(HOLDING),
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)

    def key(self) -> None:
        widget = QApplication.focusWidget() or self.window
        QTest.keySequence(widget, self.random.choice(KEYS))

    def click_widget(self) -> None:
        kinds = self._seen(QAbstractButton) + self._seen(QTabBar) + self._seen(QComboBox)
        kinds = [w for w in kinds if w.isEnabled() and not self._leads_away(w)]
        if kinds:
            widget = self.random.choice(kinds)
            QTest.mouseClick(widget, LEFT, pos=self._pixel(widget))

    def click_row(self) -> None:
        views = [v for v in self._seen(QAbstractItemView) if v.model() is not None and v.model().rowCount()]
        if views:
            view = self.random.choice(views).viewport()
            click = QTest.mouseDClick if self.random.random() < 0.1 else QTest.mouseClick
            click(view, LEFT, self.random.choice(HOLDING), self._pixel(view))

    def trigger(self) -> None:
        self.window.refresh_actions()
        known = self.window.actions_table.by_id
        able = [name for name, action in known.items() if action.isEnabled() and name not in LEFT_ALONE]
        known[self.random.choice(able)].trigger()

    def type_number(self) -> None:
        lines = [w for w in self._seen(QLineEdit) if w.isEnabled() and not w.isReadOnly()]
        if lines:
            line = self.random.choice(lines)
            line.setFocus()
            line.selectAll()
            QTest.keyClicks(line, self.random.choice(TYPED))
            QTest.keyClick(line, self.random.choice((Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape)))

    def menu(self) -> None:
        view = self.window.viewer.plotter
        QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=self._pixel(view))

    def workspace(self) -> None:
        """Go to another workspace, by its entry in the bar or by its key."""
        entry = self.random.choice([*self.window.workspace_bar.entries.values()])
        if self.random.random() < 0.5:
            entry.trigger()
        else:
            QTest.keySequence(self.window, entry.shortcut())

    # -- what it leaves alone, and what it closes

    def _seen(self, kind: type) -> list:
        return [w for w in self.window.findChildren(kind) if w.isVisible() and w.window() is self.window]

    def _leads_away(self, widget: QWidget) -> bool:
        """Buttons of actions that are left alone, and of panels that start processes or write files."""
        action = widget.defaultAction() if hasattr(widget, "defaultAction") else None
        alone = {self.window.actions_table.by_id[name] for name in LEFT_ALONE}
        within = {"studies", "who_may_ride", "run"} & {
            name for name in self.window.panels if self._inside(widget, name)
        }
        return action in alone or bool(within)

    def _inside(self, widget: QWidget, name: str) -> bool:
        panel = self.window.panels.made(name)
        return panel is not None and panel.isAncestorOf(widget)

    def _close_what_opened(self) -> None:
        """A menu or dialog is used for a moment and closed; runs inside its own loop of events."""
        opened = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if opened is None:
            self._opened = (None, 0.0)
            return
        if opened is not self._opened[0]:
            self._opened = (opened, time.monotonic())
            return
        if time.monotonic() - self._opened[1] < PATIENCE:
            return
        self._opened = (opened, time.monotonic() + 1.0)
        if isinstance(opened, QMenu):
            self._use_menu(opened)
        elif isinstance(opened, QDialog):
            opened.reject()
        else:
            opened.close()

    def _use_menu(self, menu: QMenu) -> None:
        alone = {self.window.actions_table.by_id[name] for name in LEFT_ALONE}
        able = [a for a in menu.actions() if a.isEnabled() and a.menu() is None and a not in alone]
        if able and self.random.random() < 0.5:
            menu.setActiveAction(self.random.choice(able))
            QTest.keyClick(menu, Qt.Key.Key_Return)
        else:
            menu.close()
