"""Mouse and keyboard for the tests: menus opened and chosen from, fields clicked and typed into, as a person does."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QMenuBar, QTreeWidget, QWidget

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
ACTIONS: Counter[str] = Counter()  # what a person did: "click", "key", "field" typed into


def settle(rounds: int = 3) -> None:
    """Let everything happen that waits."""
    for _ in range(rounds):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def _until(holds: Callable[[], bool], seconds: float = 0.5) -> bool:
    """Wait until something holds; whether it does."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        QApplication.processEvents()
    return holds()


def at_rest(window: QWidget, widget: QWidget, seconds: float = 5.0) -> None:
    """Wait until the window has shared its room and a widget of it, seen, keeps its place and size."""
    end, still, last = time.monotonic() + seconds, 0, None
    while still < 3:
        assert time.monotonic() < end, f"{widget} still moves"
        settle(1)
        place = widget.mapTo(window, QPoint()), widget.size()
        same = widget.isVisible() and not window.sizes.waiting and place == last
        still, last = still + 1 if same else 0, place


def _entry(menu: QMenu | QMenuBar, text: str):
    for action in menu.actions():
        if action.text().replace("&", "").partition("\t")[0] == text:
            return action
    known = [action.text() for action in menu.actions()]
    raise AssertionError(f"no entry '{text}' among {known}")


def click(widget: QWidget, pos: QPoint | None = None) -> None:
    """Click on a widget, in its middle if nothing else is said."""
    ACTIONS["click"] += 1
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center() if pos is None else pos)


def press(
    widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Press a key."""
    ACTIONS["key"] += 1
    QTest.keyClick(widget, key, modifiers)


def choose(window: QWidget, *path: str) -> None:
    """Click through the menu bar: choose(window, "Track", "Insert element", "Straight")."""
    bar = window.menuBar()
    menu = _entry(bar, path[0]).menu()
    ACTIONS["click"] += len(path)
    for _ in range(20):  # a menu that is just closing takes the click for itself
        QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(_entry(bar, path[0])).center())
        if _until(menu.isVisible, 0.1):
            break
    for text in path[1:]:
        assert menu.isVisible(), text
        action = _entry(menu, text)
        assert action.isEnabled(), f"{text}: {action.toolTip()}"
        spot = menu.actionGeometry(action).center()
        if action.menu() is None:
            QTest.mouseClick(menu, LEFT, pos=spot)
        else:  # a submenu opens at once by the key, after a while under the mouse
            menu.setActiveAction(action)
            QTest.keyClick(menu, Qt.Key.Key_Right)
        settle()
        menu = action.menu()
        if menu is not None:
            _until(menu.isVisible)


def line_of(holder: QWidget, label: str) -> QLineEdit:
    """The visible line whose accessible name is `label`."""
    found = [w for w in holder.findChildren(QLineEdit) if w.accessibleName() == label and w.isVisible()]
    assert len(found) == 1, (label, [w.accessibleName() for w in holder.findChildren(QLineEdit)])
    return found[0]


def type_into(holder: QWidget, label: str, text: str) -> None:
    """Click into a field, replace what it holds, press Tab."""
    line = line_of(holder, label)
    ACTIONS["field"] += 1
    QTest.mouseClick(line, LEFT, pos=QPoint(8, line.height() // 2))
    QTest.keyClick(line, Qt.Key.Key_A, CTRL)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()


def click_row(tree: QTreeWidget, *names: str) -> None:
    """Click the row with these names from the top."""
    item = tree.invisibleRootItem()
    for name in names:
        rows = [item.child(k) for k in range(item.childCount())]
        item = next(row for row in rows if row.text(0) == name)
        if item.childCount():
            item.setExpanded(True)
    tree.scrollToItem(item)
    click(tree.viewport(), tree.visualItemRect(item).center())
    settle()
