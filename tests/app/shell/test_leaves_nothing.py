"""What a window leaves behind when it is closed; what it shows on the screen while it is open."""

from __future__ import annotations

import gc
import threading
import warnings

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from ridewright.app.shell.application import make_window
from ridewright.app.shell.garbage import GarbageCollector
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.panels import PLACES
from ridewright.app.widgets.settings import Settings
from ridewright.app.work import threads
from tests.app.settling import until_exposed


def active_timers() -> list[QTimer]:
    """Timers that run, without that of the session's own collector."""
    found = [thing for thing in gc.get_objects() if isinstance(thing, QTimer)]
    running = []
    for timer in found:
        try:
            if timer.isActive() and not isinstance(timer.parent(), GarbageCollector):
                running.append(timer)
        except RuntimeError:  # taken apart already
            continue
    return running


@pytest.mark.usefixtures("no_window")
def test_that_no_thread_timer_or_warning_is_left_behind(
    qtbot, qapp: QApplication, settings: Settings
) -> None:
    gc.collect()
    before_timers, before_threads = len(active_timers()), set(threading.enumerate())
    said: list[str] = []
    previous = qInstallMessageHandler(
        lambda kind, _context, text: said.append(text) if kind != QtMsgType.QtDebugMsg else None
    )
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            window, _ = make_window(settings)
            window.show()
            until_exposed(qtbot, window)
            for name in window.panels:
                window.show_panel(name)
                qapp.processEvents()
            window.prepare()
            qtbot.wait(200)
            window.close()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(None, 0)
            qapp.processEvents()
            del window
            gc.collect()
    finally:
        qInstallMessageHandler(previous)
    assert threads.running() == ()
    assert set(threading.enumerate()) <= before_threads
    left = [(timer.interval(), timer.parent()) for timer in active_timers()]
    assert len(left) <= before_timers, left
    assert said == []
    assert [str(w.message) for w in caught] == []


def test_that_the_screen_shows_the_scene_with_its_overlays(qtbot, studio: MainWindow) -> None:
    qtbot.wait(300)
    corner = studio.viewer.mapToGlobal(studio.viewer.rect().topLeft())
    size = studio.viewer.size()
    screen = studio.windowHandle().screen()
    image = screen.grabWindow(0, corner.x(), corner.y(), size.width(), size.height()).toImage()
    colours = {
        image.pixelColor(x, y).name()
        for x in range(size.width() // 4, 3 * size.width() // 4, 3)
        for y in range(size.height() // 4, 3 * size.height() // 4, 3)
    }
    assert len(colours) > 40  # track, grid and ground
    shown = studio.viewer.controls.left.geometry()
    plate = QPoint(shown.center().x(), shown.top() + 4)  # above its words
    own = studio.viewer.grab().toImage()
    coarse = QImage.Format.Format_RGB16  # what the screen of the tests can show
    seen, drawn = (one.convertToFormat(coarse).pixelColor(plate).name() for one in (image, own))
    assert seen == drawn


@pytest.mark.new_window
def test_that_panels_behind_other_tabs_are_made_when_they_are_shown(qtbot, studio: MainWindow) -> None:
    assert studio.panels.made("inspector") is not None
    assert studio.panels.made("channels") is None
    studio.show_panel("channels")
    qtbot.waitUntil(lambda: studio.panels.made("channels") is not None, timeout=5000)
    studio.prepare()
    qtbot.waitUntil(lambda: studio.panels.missing() == (), timeout=60_000)
    assert {place.id for place in PLACES} == set(studio.docks)


def test_that_floating_panels_show_their_content_and_dock_back(qtbot, studio: MainWindow) -> None:
    for name, dock in studio.docks.items():
        studio.show_panel(name)
        area = studio.dockWidgetArea(dock)
        dock.setFloating(True)
        qtbot.waitUntil(lambda dock=dock: dock.isFloating() and dock.isVisible(), timeout=5000)
        qtbot.waitUntil(lambda name=name: studio.panels.made(name) is not None, timeout=5000)
        assert studio.panels[name].isVisible(), name
        assert min(studio.panels[name].height(), studio.panels[name].width()) > 200, name
        dock.setFloating(False)
        qtbot.waitUntil(lambda dock=dock: not dock.isFloating(), timeout=5000)
        assert studio.dockWidgetArea(dock) == area, name
