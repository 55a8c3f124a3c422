"""The picture of the view: drawn only when the scene has changed, whole on any size, and let go of when it is shut."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage, QOffscreenSurface, QOpenGLContext
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.view3d import surfaces
from ridewright.app.view3d.ground import GRID_POINTS, grid_lines
from ridewright.app.view3d.mesh import COLOUR, rgb
from ridewright.app.view3d.panel import ViewerPanel
from ridewright.app.widgets.settings import Settings
from ridewright.app.widgets.theme import DARK
from tests.app.settling import until_exposed

HANDLES = Path("/proc/self/fd")


def pixels(image: QImage) -> np.ndarray:
    """An image as (height, width, 3) 0..255."""
    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)
    flat = np.frombuffer(plain.constBits(), dtype=np.uint8)
    return flat.reshape(plain.height(), plain.width(), 4)[:, :, :3].astype(float)


def settle(rounds: int = 4) -> None:
    for _ in range(rounds):
        QApplication.processEvents()


def test_that_the_widget_shows_the_picture_the_right_way_round(panel: ViewerPanel) -> None:
    place = np.array([0.0, -30.0, 25.0])
    panel.overlay_points(place, selected=[0])
    settle()
    seen, drawn = pixels(panel.plotter.grab().toImage()), pixels(panel.plotter.picture())
    assert seen.shape == drawn.shape == (600, 800, 3)
    assert np.abs(seen - drawn).max() <= 8.0  # the screen of the tests may have 5 bits a colour
    x, y = (round(v) for v in panel.world_to_screen(place)[0])
    assert abs(y - 300) > 20  # so that it would be elsewhere upside down
    assert np.abs(seen[y, x] - rgb(DARK.highlight)).max() < 60.0


def test_that_what_moves_over_the_view_does_not_draw_the_scene_again(
    panel: ViewerPanel, qtbot: QtBot
) -> None:
    label = QLabel("over it", panel)
    label.show()
    settle()
    drawn: list[float] = []
    panel.plotter.painted.connect(drawn.append)
    for x in range(0, 200, 20):
        label.move(x, 300)
        settle(1)
    assert drawn == []
    panel.plotter.redraw()
    settle()
    assert len(drawn) == 1
    behind = panel.grab(label.geometry().translated(0, 40)).toImage()
    seen = pixels(panel.plotter.grab(label.geometry().translated(0, 40)).toImage())
    assert np.abs(pixels(behind) - seen).max() <= 8.0  # the screen of the tests may have 5 bits a colour


def test_that_fewer_pixels_fill_the_widget_and_a_picture_has_them_all(
    panel: ViewerPanel, surface: str
) -> None:
    settle()
    whole = pixels(panel.plotter.grab().toImage())
    panel.plotter.draw_fewer(0.5)
    settle()
    coarse = pixels(panel.plotter.grab().toImage())
    assert coarse.shape == whole.shape
    assert (np.abs(coarse - whole).mean() > 0.0) == (surface == "painted")  # the other one cannot stretch
    assert np.abs(coarse - whole).mean() < 8.0  # the same scene, softer
    assert pixels(panel.plotter.picture()).shape == whole.shape
    panel.plotter.draw_fewer(1.0)
    settle()
    np.testing.assert_array_equal(pixels(panel.plotter.grab().toImage()), whole)


def test_that_two_views_of_a_document_are_drawn_side_by_side(
    panel: ViewerPanel, document: Document, settings: Settings, qtbot: QtBot
) -> None:
    other = ViewerPanel(document, Playback(), settings)
    qtbot.addWidget(other)
    other.resize(500, 400)
    other.show()
    until_exposed(qtbot, other)
    qtbot.waitUntil(lambda: len(other.plotter.frame_times) > 0)
    other.use_camera("top")
    settle()
    first = pixels(panel.plotter.picture())
    other.close_scene()
    panel.plotter.redraw()
    settle()
    np.testing.assert_array_equal(pixels(panel.plotter.picture()), first)


@pytest.mark.skipif(not HANDLES.is_dir(), reason="counts open sockets by /proc")
def test_that_a_shut_view_keeps_its_picture_and_no_connection_to_the_screen(
    document: Document, settings: Settings, qtbot: QtBot
) -> None:
    def sockets() -> int:
        links = [os.readlink(handle) for handle in HANDLES.iterdir() if handle.is_symlink()]
        return sum(link.startswith("socket") for link in links)

    before = sockets()
    made = ViewerPanel(document, Playback(), settings)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    qtbot.waitUntil(lambda: len(made.plotter.frame_times) > 0)
    settle()
    shown = pixels(made.plotter.grab().toImage())
    assert sockets() > before
    made.close_scene()
    assert sockets() == before
    made.resize(520, 410)
    settle()
    made.plotter.redraw()
    settle()
    assert made.plotter.picture().width() == 500
    assert np.ptp(shown) > 100.0
    assert sockets() == before


def test_that_moved_points_keep_their_dots_and_others_get_new_ones(panel: ViewerPanel) -> None:
    points = np.array([[0.0, -30.0, 25.0], [40.0, -20.0, 28.0], [np.nan, np.nan, np.nan]])
    panel.overlay_points(points, selected=[1])
    first = list(panel.scene.marks._groups["points"])
    panel.overlay_points(points + 3.0, selected=[1])
    assert panel.scene.marks._groups["points"] == first
    drawn = np.concatenate([_places(actor) for actor in first])
    np.testing.assert_allclose(drawn, points[:2] + 3.0)  # and none of the point without a place
    panel.overlay_points(points, selected=[0])
    assert panel.scene.marks._groups["points"] != first
    panel.overlay_points(None)
    assert not panel.scene.marks.has("points")


def _places(actor: object) -> np.ndarray:
    data = actor.GetMapper().GetInput()  # type: ignore[attr-defined]
    return np.array([data.GetPoint(k) for k in range(data.GetNumberOfPoints())])


def test_that_the_grid_lies_on_its_spacing_and_ends_where_it_cannot_be_seen() -> None:
    centre, near, far, spacing = np.array([37.0, -12.0, 1.5]), 200.0, 1300.0, 10.0
    shape = grid_lines(DARK, centre, near, far, spacing)
    lines = np.asarray(shape.points).reshape(-1, GRID_POINTS, 3).astype(float)
    colours = np.asarray(shape.point_data[COLOUR]).reshape(-1, GRID_POINTS, 3).astype(float)
    assert np.ptp(lines[:, :, 2]) == 0.0
    along_y = np.ptp(lines[:, :, 0], axis=1) == 0.0
    for axis, family in ((0, lines[along_y]), (1, lines[~along_y])):
        at = family[:, 0, axis]
        np.testing.assert_allclose(at % spacing, 0.0, atol=1e-3)
        assert np.ptp(family[:, :, axis], axis=1).max() == 0.0
        fifth = np.abs(at - 5.0 * spacing * np.round(at / (5.0 * spacing))) < 1e-3
        assert len(set(at.round(3))) == len(at) > 50
        reach = np.abs(at - centre[axis])
        assert reach[~fifth].max() < 1.2 * near < 0.6 * far < reach[fifth].max()
    away = np.linalg.norm(lines[:, :, :2] - centre[:2], axis=2)
    full = colours[away < 0.4 * near]
    np.testing.assert_allclose(full, np.tile(rgb(DARK.ground_line), (len(full), 1)), atol=1.0)
    ground = np.array([rgb(DARK.ground), rgb(DARK.sky_top)], dtype=float)  # fading into the horizon
    low, high = ground.min(axis=0), ground.max(axis=0)
    rim = colours[:, [0, -1]]
    assert (rim >= low - 1.0).all()
    assert (rim <= high + 1.0).all()


def test_that_lines_and_dots_keep_their_width_when_fewer_pixels_are_drawn(panel: ViewerPanel) -> None:
    place = np.array([0.0, -30.0, 25.0])
    panel.overlay_points(place, selected=[0])
    settle()

    def dot() -> int:
        """Width of the dot on the widget (px)."""
        y, x = (round(v) for v in panel.world_to_screen(place)[0][::-1])
        row = pixels(panel.plotter.grab().toImage())[y, x - 40 : x + 40]
        return int((np.abs(row - rgb(DARK.highlight)).max(axis=1) < 90.0).sum())

    wide = dot()
    assert 8 <= wide <= 18
    panel.plotter.draw_fewer(0.5)
    settle()
    assert dot() == pytest.approx(wide, abs=4)
    panel.plotter.draw_fewer(1.0)
    settle()
    assert dot() == wide


def test_that_the_other_widget_shows_the_same_picture_at_once(
    panel: ViewerPanel, settings: Settings, surface: str
) -> None:
    panel.scene.rig.zoom(0.7)
    panel.overlay_points(np.array([0.0, -30.0, 25.0]), selected=[0])
    panel.show_menu.bending.setCurrentIndex(2)
    first = pixels(panel.plotter.picture())
    settings.surface = {"painted": "interactor", "interactor": "painted"}[surface]
    settle(8)
    assert panel.plotter.kind == settings.surface
    assert panel.scene.flexible.factor == panel.show_menu.bending.currentData() > 1.0
    second = pixels(panel.plotter.picture())
    other = np.abs(second - first).max(axis=2) > 8.0
    assert other.mean() < 0.01  # but for the rims of wide lines, which the two draw differently
    seen = pixels(panel.plotter.grab().toImage())
    assert np.abs(seen - second).max() <= 8.0


@pytest.mark.parametrize(
    ("graphics", "wanted", "kind"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", "auto", "painted"),
        ("", "auto", "painted"),
        ("NVIDIA GeForce RTX 3060/PCIe/SSE2", "auto", "interactor"),
        ("NVIDIA GeForce RTX 3060/PCIe/SSE2", "painted", "painted"),
        ("llvmpipe", "interactor", "interactor"),
    ],
)
def test_that_what_draws_decides_unless_a_person_does(
    monkeypatch: pytest.MonkeyPatch, graphics: str, wanted: str, kind: str
) -> None:
    monkeypatch.setattr(surfaces, "graphics", lambda: graphics)
    assert surfaces.chosen(wanted) == kind


def test_that_asking_what_draws_leaves_the_context_of_who_draws_current() -> None:
    context, surface = QOpenGLContext(), QOffscreenSurface()
    surface.create()
    assert context.create()
    assert context.makeCurrent(surface)
    surfaces.graphics.cache_clear()
    surfaces.graphics()
    assert QOpenGLContext.currentContext() is context
    assert context.surface() is surface
    context.doneCurrent()
