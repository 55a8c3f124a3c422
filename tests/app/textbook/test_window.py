"""The textbook window with the mouse: the ball is dragged, rides, keeps or loses its energy."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ridewright.app.textbook.window import START, TextbookWindow
from ridewright.app.widgets import units
from ridewright.core.pointmass.presets import PRESETS, preset
from tests.app.settling import until_exposed

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(qtbot, settings):
    made = TextbookWindow(settings)
    qtbot.addWidget(made)
    made.show()
    until_exposed(qtbot, made)
    qtbot.waitUntil(lambda: made.ready, timeout=120_000)
    return made


def choose(window, name):
    window.track.setCurrentIndex(window.track.findData(name))
    window.track.activated.emit(window.track.currentIndex())


def test_that_a_pixel_and_its_place_belong_together(window):
    place = window.stage.place(window.stage.pixel(0.4, -0.7))
    assert place == pytest.approx((0.4, -0.7), abs=1e-9)


def test_that_the_ball_follows_the_mouse_and_rides_when_it_is_let_go(qtbot, window):
    choose(window, "circle")
    target = window.stage.pixel(1.0, 0.0).toPoint()
    QTest.mousePress(window.stage, LEFT, pos=target + QPoint(15, 0))
    assert window.ball.position == pytest.approx((1.0, 0.0), abs=0.02)
    assert window.ball.v == 0.0
    assert not window.playing
    QTest.mouseRelease(window.stage, LEFT, pos=target)
    assert window.playing
    qtbot.waitUntil(lambda: window.ball.kinetic > 1.0, timeout=5000)
    low = -window.ball.mass * window.ball.gravity
    assert low - 1e-6 <= window.ball.potential <= 0.05 * abs(low)


def test_that_the_total_stays_without_damping_and_falls_with_it(qtbot, window):
    choose(window, "hump")
    total = window.ball.total
    window.play_button.click()
    qtbot.waitUntil(lambda: window.ball.time > 0.5, timeout=10_000)
    assert window.ball.total == pytest.approx(total, rel=1e-9)
    window.damping.setValue(1.0)
    start = window.ball.total
    qtbot.waitUntil(lambda: window.ball.time > 0.4, timeout=10_000)
    assert window.ball.total < start - 0.1
    assert window.bars.values == pytest.approx(
        (window.ball.kinetic, window.ball.potential, window.ball.total), abs=5.0
    )
    window.play_button.click()
    assert not window.playing


@pytest.mark.parametrize("name", list(PRESETS))
def test_that_every_track_can_be_chosen_and_begins_at_rest(window, name):
    choose(window, name)
    assert window.ball.curve is preset(name)
    assert window.ball.v == 0.0
    assert window.ball.s == pytest.approx(START[name] * preset(name).s[-1], abs=5e-4)  # as it is written
    drawn = np.array([[window.stage.pixel(*p).x(), window.stage.pixel(*p).y()] for p in window.stage._curve])
    assert drawn.min() >= 0.0
    assert drawn[:, 0].max() <= window.stage.width()
    assert drawn[:, 1].max() <= window.stage.height()


def test_that_other_units_leave_the_world_as_it_is(window, settings):
    window.gravity.setValue(3.71)
    settings.units = "US"
    assert window.gravity.value() == pytest.approx(3.71 / units.FOOT, abs=0.01)
    assert window.gravity.suffix() == " ft/s²"
    assert window.ball.gravity == pytest.approx(3.71)
    settings.units = "SI"
    assert window.gravity.value() == pytest.approx(3.71, abs=0.006)
