"""Load cases beside the run in the Stress panel: the same body in the same colours, turned and clicked together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ridewright.app.plots.stress import StressPanel
from ridewright.app.view3d.colouring import colour_map
from ridewright.app.widgets import theme
from ridewright.app.widgets.settings import Settings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, stress_panel: StressPanel) -> StressPanel:
    """The panel with its pictures shown."""
    stress_panel.resize(1300, 340)
    qtbot.mouseClick(stress_panel.beside, LEFT)
    qtbot.waitUntil(lambda: len(stress_panel.pictures.images) == 3, timeout=30_000)
    return stress_panel


def _pixels(image: QImage) -> np.ndarray:
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).astype(int)


def _hottest(image: QImage) -> float:
    """How far up the map of colours the body of a picture goes, 0 to 1, from the hue of its pixels."""
    pixels = _pixels(image).reshape(-1, 3)
    drawn = pixels[np.abs(pixels - pixels[0]).max(axis=1) > 40]
    shades = colour_map(signed=False, light=False).astype(float)
    hue = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    known = shades / np.linalg.norm(shades, axis=1, keepdims=True)
    nearest = np.argmax(hue @ known.T, axis=1)
    return float(np.quantile(nearest, 0.98)) / 255.0


def test_that_run_and_load_cases_are_side_by_side_in_the_same_colours(panel: StressPanel) -> None:
    run, *cases = panel.pictures.pictures
    assert panel._found is not None
    assert len(cases) == len(panel._found.pairs) == 2
    known = panel._found.outside[0]
    assert run.title == "Run"
    assert run.stress is known[None]
    for one, (loaded, clamped) in zip(cases, panel._found.pairs, strict=True):
        assert one.title == f"{loaded} loaded, {clamped} clamped"
        assert one.stress is known[loaded, clamped]
        assert one.figures.endswith(f", {one.stress.max() / run.stress.max():.2f} times")
    panel._chosen = None
    panel.pictures.show_cases(
        panel._found.bodies[0].outside, panel.pictures.pictures, None
    )  # without the mark
    QTest.qWait(100)
    seen = [_hottest(image) for image in panel.pictures.images]
    wanted = [float(one.stress.max()) / panel.pictures.most for one in panel.pictures.pictures]
    assert seen == pytest.approx(wanted, abs=0.15)
    assert max(wanted) - min(wanted) > 0.3  # else the colours tell nothing


def test_that_a_drag_turns_all_and_the_wheel_makes_them_larger(qtbot: QtBot, panel: StressPanel) -> None:
    pictures = panel.pictures
    before, scale = [_pixels(image) for image in pictures.images], pictures._scale(pictures.tiles()[0])
    at = pictures.tiles()[1].center()
    qtbot.mousePress(pictures, LEFT, pos=at)
    for step in (10, 40, 70):
        qtbot.mouseMove(pictures, at + QPoint(step, step // 2))
    qtbot.mouseRelease(pictures, LEFT, pos=at + QPoint(70, 35))
    QTest.qWait(150)
    turned = [_pixels(image) for image in pictures.images]
    for one, other in zip(before, turned, strict=True):
        assert one.shape != other.shape or np.abs(one - other).max() > 40
    spot = panel._chosen
    assert spot is panel._spots[0]  # a drag chooses nothing
    pictures.setFocus()
    qtbot.keyClick(pictures, Qt.Key.Key_Left)
    azimuth = pictures._look[0]
    qtbot.keyClick(pictures, Qt.Key.Key_Right)
    assert pictures._look[0] < azimuth
    notch = QWheelEvent(
        QPointF(at), QPointF(pictures.mapToGlobal(at)), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(pictures, notch)
    assert pictures._scale(pictures.tiles()[0]) > 1.2 * scale


def test_that_a_click_chooses_the_point_that_is_seen_there(qtbot: QtBot, panel: StressPanel) -> None:
    pictures = panel.pictures
    tile = pictures.tiles()[2]
    right, up, towards = pictures._axes()
    seen = (pictures._points - pictures._middle()) @ np.stack([right, up, towards], axis=1)
    lowest = int(np.argmin(seen[:, 1]))
    scale = pictures._scale(tile)
    at = QPointF(tile.center()) + QPointF(scale * seen[lowest, 0], -scale * seen[lowest, 1])
    qtbot.mouseClick(pictures, LEFT, pos=at.toPoint())
    assert panel._chosen is not None
    where = np.array(panel._found.bodies[0].spot(panel._chosen.number).place)  # type: ignore[union-attr]
    size = float(np.linalg.norm(np.ptp(pictures._points, axis=0)))
    assert np.linalg.norm(where - pictures._points[lowest]) < 0.1 * size
    assert panel.playback.time == pytest.approx(panel._chosen.time, abs=0.01)
    assert pictures.place_at(QPointF(1.0, 1.0)) is None


def test_that_ranges_and_pictures_take_turns_and_the_theme_reaches_them(
    qtbot: QtBot, panel: StressPanel, settings: Settings, qapp: object
) -> None:
    assert panel._history.currentWidget() is panel.pictures
    qtbot.mouseClick(panel.counted, LEFT)
    assert not panel.beside.isChecked()
    assert panel._history.currentWidget() is panel.ranges
    qtbot.mouseClick(panel.beside, LEFT)
    assert not panel.counted.isChecked()
    assert panel._history.currentWidget() is panel.pictures
    QTest.qWait(100)
    dark = _pixels(panel.pictures.images[0])[0, 0]
    theme.apply(qapp, "light")  # type: ignore[arg-type]
    settings.theme = "light"
    QTest.qWait(150)
    assert _pixels(panel.pictures.images[0])[0, 0].mean() > dark.mean() + 100
    qtbot.mouseClick(panel.beside, LEFT)
    assert panel._history.currentWidget() is panel.grid


def test_that_a_body_without_load_cases_says_why(qtbot: QtBot, panel: StressPanel) -> None:
    panel._found = replace(panel._found, cases=({},), rigid=True, silent="Stopped there.")  # type: ignore[type-var, arg-type]
    panel._show_page()
    assert "no load cases: Stopped there." in panel.pictures.why
    panel._found = replace(panel._found, rigid=False)  # type: ignore[type-var]
    panel._show_page()
    assert "they need two interfaces" in panel.pictures.why
    assert panel.pictures.images == []
