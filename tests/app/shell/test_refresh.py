"""Panels draw themselves while they are to be seen, and give other events their turn between them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QWidget

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets.live_curve import LiveCurve
from ridewright.app.widgets.refresh import Refresh, Turn, is_seen
from tests.app.settling import until_exposed


class Counter(QLabel):
    """A panel that counts how often it is drawn, into a list shared with others."""

    def __init__(self, name: str, drawn: list[str]) -> None:
        super().__init__(name)
        self.refresh = Refresh(self, lambda: drawn.append(name))


def tabs(qtbot, drawn: list[str]) -> tuple[QMainWindow, list[QDockWidget], list[Counter]]:
    window = QMainWindow()
    window.setCentralWidget(QWidget())
    qtbot.addWidget(window)
    docks, panels = [], [Counter(name, drawn) for name in "ab"]
    for panel in panels:
        dock = QDockWidget(panel.text(), window)
        dock.setWidget(panel)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        docks.append(dock)
    window.tabifyDockWidget(docks[0], docks[1])
    docks[0].raise_()
    window.show()
    until_exposed(qtbot, window)
    qtbot.waitUntil(lambda: is_seen(panels[0]) and not is_seen(panels[1]), timeout=5000)
    return window, docks, panels


def test_that_a_panel_behind_another_tab_is_drawn_when_it_comes_to_the_front(qtbot) -> None:
    drawn: list[str] = []
    _window, docks, panels = tabs(qtbot, drawn)
    assert panels[1].isVisible()  # what Qt says of a dock behind another tab
    for panel in panels:
        panel.refresh.soon()
        panel.refresh.soon()
    qtbot.waitUntil(lambda: bool(drawn), timeout=5000)
    qtbot.wait(50)
    assert drawn == ["a"]  # two wishes, one drawing; nothing for what is not seen
    assert panels[1].refresh.due
    docks[1].raise_()
    qtbot.waitUntil(lambda: drawn == ["a", "b"], timeout=5000)
    assert not panels[1].refresh.due


def test_that_events_have_their_turn_between_two_panels(qtbot) -> None:
    happened: list[str] = []
    window = QWidget()
    qtbot.addWidget(window)
    first, second = QWidget(window), QWidget(window)
    for panel in (first, second):
        panel.setGeometry(0, 0, 40, 40)
    second.move(60, 0)
    window.show()
    until_exposed(qtbot, window)

    def draw_first() -> None:
        happened.append("first")
        QTimer.singleShot(0, lambda: happened.append("event"))

    one, two = Refresh(first, draw_first), Refresh(second, lambda: happened.append("second"))
    one.soon()
    two.soon()
    qtbot.waitUntil(lambda: len(happened) == 3, timeout=5000)
    assert happened == ["first", "event", "second"]


def test_that_who_is_not_seen_has_turns_too_one_for_all_wishes_of_an_event(qtbot) -> None:
    happened: list[str] = []
    owner = QWidget()
    qtbot.addWidget(owner)

    def draw() -> None:
        happened.append("first")
        QTimer.singleShot(0, lambda: happened.append("event"))

    first, second, given_up = Turn(owner, draw), *(Turn(owner, lambda: happened.append("more")) for _ in "ab")
    for turn in (first, first, second, given_up):
        turn.soon()
    given_up.stop()
    assert happened == []
    last = Turn(owner, lambda: happened.append("last"))
    last.soon()
    qtbot.waitUntil(lambda: "last" in happened)
    assert happened == ["first", "event", "more", "last"]


def test_that_a_panel_that_is_shown_behind_another_tab_is_not_drawn(qtbot) -> None:
    drawn: list[str] = []
    _window, docks, panels = tabs(qtbot, drawn)
    panels[1].refresh.soon()
    QCoreApplication.sendEvent(panels[1], QShowEvent())  # as while docks are placed anew
    qtbot.wait(50)
    assert drawn == []
    docks[1].raise_()
    qtbot.waitUntil(lambda: drawn == ["b"], timeout=5000)


def test_that_a_panel_that_is_gone_is_not_drawn(qtbot) -> None:
    drawn: list[str] = []
    _window, docks, panels = tabs(qtbot, drawn)
    panels[0].refresh.soon()
    docks[0].setWidget(QLabel())
    panels.pop(0).deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qtbot.wait(50)
    assert drawn == []


@pytest.mark.new_window
def test_that_a_run_fills_only_the_panels_that_are_seen(
    qtbot, studio: MainWindow, wait_for_run, monkeypatch
) -> None:
    studio.show_panel("loads")
    qtbot.waitUntil(lambda: is_seen(studio.panels["loads"]), timeout=5000)
    for name in ("quality", "channels"):
        studio.panels[name]
    scenario = studio.document.project.scenario.model_copy(update={"duration": 0.3})
    studio.document.apply("Short", studio.document.project.model_copy(update={"scenario": scenario}))
    studio.runner.start(studio.document.project)
    wait_for_run(studio.runner)
    loads, quality = studio.panels["loads"].grid, studio.panels["quality"].grid
    qtbot.waitUntil(lambda: loads.complete and len(loads.panes) > 3, timeout=10_000)
    qtbot.wait(50)
    assert quality.count == 0
    studio.show_panel("quality")
    qtbot.waitUntil(lambda: quality.complete and quality.count == 5, timeout=10_000)


def test_that_the_curves_of_a_run_are_there_when_its_panel_comes_to_the_front(
    qtbot, studio: MainWindow
) -> None:
    panel = studio.panels["run"]
    studio.show_panel("loads")
    qtbot.waitUntil(lambda: is_seen(studio.panels["loads"]) and not is_seen(panel), timeout=5000)
    studio.runner.partial.emit(LiveCurve((0.0, 1.0, 2.0), (0.1, 0.2, 0.3), (20.0, 21.0, 23.0)))
    qtbot.wait(50)
    assert not len(panel.live.speed_curve.getData()[0] or ())
    studio.show_panel("run")
    qtbot.waitUntil(lambda: panel.live.speed_curve.getData()[1] is not None, timeout=5000)
    assert panel.live.speed_curve.getData()[1].tolist() == [20.0, 21.0, 23.0]
    assert panel.live.loads.isHidden()  # nobody's loads are known
