"""Dragging with the mouse: profile, label and colours follow; the run after each change."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ridewright.app.document.runs import Run
from ridewright.app.document.selection import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.track_editor.limit_bands import AT_FIRST as FIRST_LIMITS
from ridewright.app.work import auto_run
from ridewright.app.work.runner import Job, Runner
from ridewright.core.edits import along_track

SECTION, INDEX = "loop", 13
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def live(qtbot, studio: MainWindow) -> MainWindow:
    """The window once the point ride is known."""
    qtbot.waitUntil(lambda: not studio.viewer.preview.preparing, timeout=120_000)
    qtbot.wait(150)
    return studio


def move(widget, place: QPoint) -> None:
    globally = QPointF(widget.mapToGlobal(place))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), globally, NONE, LEFT, PLAIN)
    QGuiApplication.sendEvent(widget, event)
    for _ in range(4):
        QApplication.processEvents()


def test_that_a_drag_in_3d_moves_curves_colours_and_label(qtbot, live: MainWindow) -> None:
    live.show_panel("profile")
    live.viewer.colour_by("gz")
    assert "point ride" in live.viewer.legend.scale.quantity.name
    profile = live.panels["profile"]
    assert profile.toggles["loads"].isChecked()
    before = profile.parts["loads"][0].getData()[1].copy()
    colours = live.viewer.scene.track.mesh.tubes.point_data["colour"].copy()
    live.document.select(Selection("points", (SECTION,), (INDEX,)))
    live.viewer.frame_selection()
    qtbot.wait(50)
    track = live.document.project.track
    point = next(s for s in track.sections if s.name == SECTION).points[INDEX].position
    view, start = live.viewer.plotter, QPointF(*live.viewer.world_to_screen([point])[0]).toPoint()
    QTest.mousePress(view, LEFT, PLAIN, start)
    for k in range(1, 5):
        move(view, start + QPoint(2 * k, -k))
    qtbot.waitUntil(lambda: live.handles.label.isVisible(), timeout=3000)
    qtbot.waitUntil(lambda: " was " in live.handles.label.text())
    text = live.handles.label.text()
    assert text.splitlines()[-1].startswith("loop: G")
    assert " was " in text

    def curve_moved() -> bool:
        after = profile.parts["loads"][0].getData()[1]
        return len(after) != len(before) or np.nanmax(np.abs(after - before)) > 0.02

    qtbot.waitUntil(curve_moved, timeout=3000)
    assert (live.viewer.scene.track.mesh.tubes.point_data["colour"] != colours).any()
    scale = live.viewer.legend.scale
    move(view, start + QPoint(12, -6))
    assert live.viewer.legend.scale is scale  # colours can be compared while dragging
    QTest.mouseRelease(view, LEFT, PLAIN, start + QPoint(12, -6))
    qtbot.waitUntil(lambda: not live.handles.label.isVisible(), timeout=3000)
    assert live.document.undo_stack.count() == 1


def test_that_a_height_dragged_in_the_profile_tells_the_worst_load(qtbot, live: MainWindow) -> None:
    live.show_panel("profile")
    qtbot.wait(60)
    live.resizeDocks([live.docks["profile"]], [520], Qt.Orientation.Vertical)
    qtbot.wait(60)
    profile = live.panels["profile"]
    profile.refresh_now()
    number = profile.points.number("second drop", 3)
    plot = profile.plots["height"]
    start = plot.mapFromScene(QPointF(*plot.scene_points()[number]))
    view = plot.viewport()
    QTest.mouseMove(view, start)
    QTest.mousePress(view, LEFT, PLAIN, start)
    for k in range(1, 4):
        move(view, start + QPoint(0, 3 * k))
        qtbot.wait(20)
    qtbot.waitUntil(profile.label.isVisible)
    change, worst = profile.label.text().splitlines()[
        :2
    ]  # what the drag changes, and the worst of the section
    assert re.match(r"G[xyz] .* g → .* g at \d+ m$", change)
    assert worst.startswith("second drop: G")
    assert profile.rect().contains(profile.label.geometry())
    QTest.mouseRelease(view, LEFT, PLAIN, start + QPoint(0, 9))
    qtbot.waitUntil(lambda: not profile.label.isVisible())


def test_that_devices_are_bars_in_the_profile_and_bands_in_3d(qtbot, live: MainWindow) -> None:
    project, name = along_track.add_device(live.document.project, "trim_brake", "brake run")
    live.document.apply("Add brake", project)
    qtbot.wait(80)
    profile = live.panels["profile"]
    profile.refresh_now()
    assert [text.toPlainText() for text in profile.devices.names] == [name]
    span = profile.preview.ride().spans[0]
    x = profile.devices.bars[0].getData()[0]
    assert x.tolist() == pytest.approx([span.s0, span.s1])
    assert live.viewer.scene.marks.has("devices")
    assert "Trim brake" in [text for _colour, text in live.viewer.keys.entries]
    live.document.undo_stack.undo()
    qtbot.waitUntil(lambda: not live.viewer.scene.marks.has("devices"))


def test_that_limits_are_chosen_in_the_menu(live: MainWindow) -> None:
    profile = live.panels["profile"]
    profile.toggles["gz"].trigger()
    assert profile.limits["gz"].count > 0
    group = next(a.menu() for a in profile.menu_button.menu().actions() if a.menu())
    group.actions()[0].trigger()
    assert profile.limits["gz"].count == 0


def test_that_a_change_is_run_by_itself_and_again_when_overtaken(
    qtbot, document, settings, monkeypatch
) -> None:
    started: list[str] = []
    stopped: list[bool] = []
    runner = Runner()
    jobs: list[Job] = []
    monkeypatch.setattr(
        runner, "start", lambda project, name: (started.append(name), jobs.append(Job(name, project)))
    )
    monkeypatch.setattr(runner, "stop", lambda: stopped.append(True))
    monkeypatch.setattr(type(runner), "job", property(lambda _self: jobs[-1] if jobs else None))
    auto = auto_run.AutoRun(document, runner, settings, document)
    change = document.project.model_copy(update={"gravity": (0.0, 0.0, -9.8)})
    document.apply("Off", change)
    qtbot.wait(auto_run.PAUSE + 150)
    assert started == []
    settings.set_value(auto_run.KEY, "yes")
    document.apply("On", document.project.model_copy(update={"gravity": (0.0, 0.0, -9.7)}))
    document.apply("Twice", document.project.model_copy(update={"gravity": (0.0, 0.0, -9.6)}))
    qtbot.waitUntil(lambda: len(started) == 1, timeout=3000)
    assert jobs[0].project is document.project
    assert stopped == []
    document.apply("Overtaken", document.project.model_copy(update={"gravity": (0.0, 0.0, -9.5)}))
    qtbot.waitUntil(lambda: len(started) == 2, timeout=3000)
    assert stopped == [True]
    overtaken = Run(jobs[0].name, object(), jobs[0].project)
    document.add_run(overtaken)
    auto._on_finished(overtaken)
    assert document.runs == ()
    runner.close()


def test_that_the_caption_says_whether_the_limits_are_seen(live: MainWindow) -> None:
    live.show_panel("profile")
    profile = live.panels["profile"]
    profile.settings.set_value("profile/limits", FIRST_LIMITS)
    profile.refresh_now()
    plot = profile.plots["loads"]
    highest = max(profile.limits["loads"].levels)
    plot.getViewBox().setYRange(highest - 1.0, highest + 1.0)
    assert "dashed: " in plot._caption.text()
    plot.getViewBox().setYRange(highest + 1.0, highest + 2.0)
    assert "dashed: " not in plot._caption.text()
    assert "outside this range" in plot._caption.text()
    plot.moved_by_hand = False
