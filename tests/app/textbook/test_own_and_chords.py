"""Textbook tracks by keyboard and mouse: numbers to start from, own curves, the method of chords, exports."""

from __future__ import annotations

import numpy as np
import pytest
from mouse_and_keyboard import LEFT, settle, type_into
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ridewright.app.textbook.window import TextbookWindow
from ridewright.app.widgets import dialogs
from ridewright.core.pointmass.presets import PRESETS
from tests.app.settling import until_exposed


@pytest.fixture
def window(qtbot, settings):
    made = TextbookWindow(settings)
    qtbot.addWidget(made)
    made.show()
    until_exposed(qtbot, made)
    qtbot.waitUntil(lambda: made.ready, timeout=120_000)
    return made


def set_number(box, text: str) -> None:
    """Click into a number, replace it, press Enter."""
    line = box.lineEdit()
    QTest.mouseClick(line, LEFT, pos=QPoint(4, line.height() // 2))
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()


def test_that_start_own_curve_chords_table_and_ride_are_at_hand(qtbot, window, tmp_path, monkeypatch) -> None:
    # start place and speed as numbers
    set_number(window.start, "1.25")
    set_number(window.speed, "2")
    assert (window.ball.s, window.ball.v) == pytest.approx((1.25, 2.0))
    # the method of chords beside ours: the energy it costs is said, and drawn
    window.tabs.setCurrentWidget(window.motion)
    set_number(window.table_rows, "40")
    QTest.mouseClick(window.beside, LEFT, pos=QPoint(8, window.beside.height() // 2))
    assert window.chords is not None
    assert window.chords.total == pytest.approx(window.ball.total, rel=0.1)
    QTest.mouseClick(window.play_button, LEFT)
    qtbot.waitUntil(lambda: window.chords.time > 0.8, timeout=20_000)
    QTest.mouseClick(window.play_button, LEFT)
    assert "since the start" in window.cost.text()
    assert abs(window.chords.total - window._chords_began) > 1e-4
    ride = window.history()
    assert np.abs(ride.total - ride.total[0]).max() < 1e-9
    drawn = [len(curve.getData()[0]) for curves in window.motion.curves for curve in curves]
    assert min(drawn) > 3
    # table and ride leave the window as files
    for button, name, heads in (
        (window.page.save, "table.csv", "t,p_m,x_m,y_m"),
        (window.export_button, "ride.csv", "time_s,s_m,v_m_s,x_m,y_m,kinetic_J,potential_J,total_J"),
    ):
        monkeypatch.setattr(dialogs, "file_to_save", lambda *_a, name=name: tmp_path / name)
        window.tabs.setCurrentWidget(window.page)
        settle()
        QTest.mouseClick(button, LEFT)
        assert (tmp_path / name).read_text().splitlines()[0] == heads
    assert window.page.rows.rowCount() == 40
    rows = np.genfromtxt(tmp_path / "ride.csv", delimiter=",", names=True)
    assert rows["s_m"][0] == pytest.approx(1.25)
    assert rows["time_s"][-1] == pytest.approx(window.ball.time)
    # energies can be put away
    QTest.mouseClick(window.energy_box, LEFT, pos=QPoint(8, window.energy_box.height() // 2))
    assert not window.bars.isVisible()
    # a curve of one's own; what is none is said and the one before stays
    window.track.setFocus()
    for _ in range(len(PRESETS)):
        QTest.keyClick(window.track, Qt.Key.Key_Down)
    window.track.activated.emit(window.track.currentIndex())
    settle()
    assert window.own.isVisible()
    type_into(window.own, "x(t) in m", "3*cos(t)")
    type_into(window.own, "y(t) in m", "2*sin(t)")
    type_into(window.own, "t to", "2*pi")
    assert window.own.fault.text() == ""
    assert window.ball.curve.closed
    low, high = window.ball.curve.points(400).min(axis=0), window.ball.curve.points(400).max(axis=0)
    assert np.concatenate([low, high]) == pytest.approx([-3.0, -2.0, 3.0, 2.0], abs=0.01)
    curve = window.ball.curve
    type_into(window.own, "y(t) in m", "open('x')")
    assert "is not known here" in window.own.fault.text()
    assert window.ball.curve is curve
