"""The 3D panel in a real window: projection, mouse, selection, playback, preview, themes, pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.new_project import empty_project
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.document.selection import NOTHING, Selection
from ridewright.app.view3d.actors import mesh_of
from ridewright.app.view3d.cameras import track_place
from ridewright.app.view3d.marks import Sweep
from ridewright.app.view3d.mesh import COLOUR
from ridewright.app.view3d.panel import ViewerPanel
from ridewright.app.view3d.picking import first_hit
from ridewright.app.view3d.show_menu import OVER
from ridewright.app.widgets import theme
from ridewright.app.widgets.settings import Settings
from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import set_element
from ridewright.core.edits.points import move_track
from ridewright.core.edits.train import add_car
from ridewright.core.model.library import load_vehicle
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

LEFT = Qt.MouseButton.LeftButton


def at(x: float, y: float) -> QPoint:
    return QPoint(round(x), round(y))


def drag(qtbot: QtBot, panel: ViewerPanel, start: QPoint, end: QPoint, button: Qt.MouseButton = LEFT) -> None:
    view = panel.plotter
    qtbot.mousePress(view, button, pos=start)
    for share in (0.3, 0.7, 1.0):
        here = start + (end - start) * share
        event_position = QPointF(here)
        move = _move(view, event_position, button)
        QApplication.sendEvent(view, move)
    qtbot.mouseRelease(view, button, pos=end)


def _move(view: QObject, place: QPointF, button: Qt.MouseButton) -> QEvent:
    from PySide6.QtGui import QMouseEvent

    return QMouseEvent(
        QEvent.Type.MouseMove, place, place, Qt.MouseButton.NoButton, button, Qt.KeyboardModifier.NoModifier
    )


def test_that_a_ray_goes_through_the_point_that_is_seen_there(panel: ViewerPanel) -> None:
    points = panel.scene.track.mesh.course.position[::40]
    pixels = panel.world_to_screen(points)
    assert np.isfinite(pixels).all()
    for point, (x, y) in zip(points, pixels, strict=True):
        origin, direction = panel.ray(x, y)
        away = point - origin
        assert np.linalg.norm(away - direction * (away @ direction)) < 1e-3 * np.linalg.norm(away)


def test_that_a_point_is_drawn_at_its_pixel(panel: ViewerPanel) -> None:
    points = np.array([[0.0, -30.0, 25.0], [40.0, -20.0, 28.0]])
    panel.overlay_points(points, selected=[1])
    image = panel.picture()
    wanted = theme.current().highlight, theme.current().text
    for point, colour in ((points[1], wanted[0]), (points[0], wanted[1])):
        x, y = panel.world_to_screen(point)[0] * panel.devicePixelRatioF()
        seen = image.pixelColor(round(x), round(y))
        expected = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
        assert np.abs(np.array([seen.red(), seen.green(), seen.blue()]) - expected).max() < 60
    x, y = panel.world_to_screen(points[1])[0]
    assert panel.pick_overlay(x + 3, y - 4) == 1
    assert panel.pick_overlay(x + 60, y) != 1
    panel.overlay_points(None)
    assert panel.pick_overlay(x, y) is None


def test_that_dragging_turns_and_the_wheel_comes_closer_to_the_mouse(
    panel: ViewerPanel, qtbot: QtBot
) -> None:
    rig = panel.scene.rig
    before = rig.azimuth, rig.elevation, rig.distance
    drag(qtbot, panel, at(400, 300), at(460, 330))
    assert rig.azimuth != before[0]
    assert rig.elevation != before[1]
    assert rig.distance == before[2]
    under = panel.scene.rig.focus + np.array([4.0, 3.0, 0.0])
    x, y = panel.world_to_screen(under)[0]
    anchor = panel.plotter._under(QPointF(x, y))
    wheel = QWheelEvent(
        QPointF(x, y), QPointF(x, y), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(panel.plotter, wheel)
    assert rig.distance < 0.8 * before[2]
    np.testing.assert_allclose(panel.world_to_screen(anchor)[0], [x, y], atol=1.0)


def test_that_a_filter_that_eats_the_mouse_keeps_the_camera_still(panel: ViewerPanel, qtbot: QtBot) -> None:
    class Eater(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            return event.type() in (
                QEvent.Type.MouseButtonPress,
                QEvent.Type.MouseMove,
                QEvent.Type.MouseButtonRelease,
            )

    eater = Eater()
    panel.install_mouse_filter(eater)
    before = panel.scene.rig.azimuth
    drag(qtbot, panel, at(300, 300), at(500, 300))
    assert panel.scene.rig.azimuth == before
    panel.plotter.removeEventFilter(eater)
    drag(qtbot, panel, at(300, 300), at(500, 300))
    assert panel.scene.rig.azimuth != before


def test_that_a_click_selects_the_section_under_the_mouse(
    panel: ViewerPanel, document: Document, qtbot: QtBot
) -> None:
    built = panel.scene.built
    span = next(x for x in built.sections if x.name == "curve 2")
    middle = 0.5 * (span.s0 + span.s1)
    x, y = panel.world_to_screen(built.centreline.position([middle]))[0]
    qtbot.mouseClick(panel.plotter, LEFT, pos=at(x, y))
    assert document.selection.kind == "section"
    assert document.selection.path == ("curve 2",)
    assert document.selection.s == pytest.approx(middle, abs=6.0)
    qtbot.mouseClick(panel.plotter, LEFT, pos=at(400, 590))
    assert document.selection == NOTHING


def test_that_a_click_selects_the_body_under_the_mouse(
    panel: ViewerPanel, document: Document, qtbot: QtBot
) -> None:
    document.select(Selection("assembly", ("Car",)))
    panel.frame_selection()
    head = panel.scene.train.frame_of("Car/Rider/Head")
    x, y = panel.world_to_screen(head.position)[0]
    qtbot.mouseClick(panel.plotter, LEFT, pos=at(x, y))
    assert document.selection.kind == "body"
    assert document.selection.path[:2] == ("Car", "Rider")


def test_that_what_is_hidden_is_not_clicked(panel: ViewerPanel, document: Document, qtbot: QtBot) -> None:
    rig, train = panel.scene.rig, panel.scene.train
    torso = train.frame_of("Car/Rider/Lower Torso")
    place, turn = torso.position, torso.rotation
    rig.focus, rig.distance = place, 6.0
    rig.azimuth = np.arctan2(-turn[1, 0], -turn[0, 0])  # from behind, through the back of the seat
    rig.elevation = 0.1
    panel.plotter.redraw()
    qtbot.mouseClick(panel.plotter, LEFT, pos=at(*panel.world_to_screen(place)[0]))
    assert document.selection == Selection("body", ("Car", "Carbody"))
    rig.azimuth += np.pi  # and from the front, where the lap is in the open
    panel.plotter.redraw()
    qtbot.mouseClick(panel.plotter, LEFT, pos=at(*panel.world_to_screen(place)[0]))
    assert document.selection.path[:2] != ("Car", "Carbody")
    assert document.selection.path[:2] == ("Car", "Rider")


def test_that_the_track_under_the_roof_is_clicked_from_where_it_is_seen(
    panel: ViewerPanel, document: Document, qtbot: QtBot
) -> None:
    built, rig = panel.scene.built, panel.scene.rig
    span = next(x for x in built.sections if x.name == "station")
    s = span.s1 - 2.0  # in front of the train
    rig.focus, rig.distance = built.centreline.position([s])[0], 40.0
    left = built.frame_at([s])[1][0]
    rig.azimuth, rig.elevation = np.arctan2(left[1], left[0]), np.radians(50.0)  # over the roof
    panel.plotter.redraw()
    middle = at(0.5 * panel.plotter.width(), 0.5 * panel.plotter.height())
    qtbot.mouseClick(panel.plotter, LEFT, pos=middle)
    assert document.selection == NOTHING
    rig.elevation = np.radians(89.0)  # through the gap between both roofs
    panel.plotter.redraw()
    qtbot.mouseClick(panel.plotter, LEFT, pos=middle)
    assert document.selection.path == ("station",)


@pytest.mark.parametrize(
    "selection",
    [
        Selection("body", ("Car", "Frame")),
        Selection("body", ("Car", "Rider", "Head")),
        Selection("joint", ("Car", "Roll joint")),
        Selection("joint", ("Car", "Rider", "Seat joint")),
        Selection("joint", ("Car", "Rider", "Left knee")),
        Selection("force", ("Car", "Roll stop")),
        Selection("force", ("Car", "Primary spring rear left")),
        Selection("force", ("Car", "Rider", "Seat pan to left upper leg")),
        Selection("guide", ("Car", "Rear left wheel on rail")),
        Selection("seat", ("Car", "Left seat")),
        Selection("assembly", ("Car", "Rider")),
        Selection("assembly", ("Car",)),
        Selection("section", ("loop",)),
        Selection("points", ("loop",), (3, 4)),
        Selection("place", s=250.0),
    ],
)
def test_that_every_kind_of_selection_is_marked_and_can_be_framed(
    panel: ViewerPanel, document: Document, selection: Selection, qtbot: QtBot
) -> None:
    document.select(selection)
    assert document.selection == selection
    panel.finish_pending()
    if selection.kind not in ("assembly", "points"):
        assert panel.scene.marks.has("selection")
    found = panel._highlight.bounds()
    assert found is not None
    panel.frame_selection()
    centre = panel.world_to_screen(found[0])[0]
    np.testing.assert_allclose(centre, [panel.plotter.width() / 2, panel.plotter.height() / 2], atol=2.0)
    document.select(NOTHING)
    panel.finish_pending()
    assert not panel.scene.marks.has("selection")


def test_that_the_spring_marks_reach_from_point_to_point(panel: ViewerPanel, document: Document) -> None:
    document.select(Selection("force", ("Car", "Secondary spring frame left to carbody right")))
    panel.finish_pending()
    matrix = panel.scene.marks._groups["selection"][0].GetUserMatrix()
    along = [matrix.GetElement(k, 0) for k in range(3)]
    assert np.linalg.norm(along) == pytest.approx(0.7577, abs=1e-3)  # its free length, as drawn


def test_that_playing_moves_train_riders_and_cameras(
    panel_with_run: ViewerPanel, playback: Playback, short_results: Results
) -> None:
    panel = panel_with_run
    states = short_results.states
    index = short_results.names.bodies.index("Car/Rider/Head")
    panel.use_camera("ride")
    for k in (len(states.time) // 4, len(states.time) // 2):
        playback.seek(float(states.time[k]))
        QApplication.processEvents()
        pose = panel.scene.train.frame_of("Car/Rider/Head")
        np.testing.assert_allclose(pose.position, states.position[k, index], atol=1e-9)
        matrix = panel.scene.train.matrix_of("Car/Rider/Head")
        assert matrix.GetElement(0, 3) == pytest.approx(states.position[k, index, 0])
        assert np.linalg.norm(np.array(panel.scene.camera.GetPosition()) - states.position[k, index]) < 0.2
    hidden = panel.scene.train._hidden
    assert "Car/Rider/Head" in hidden
    panel.use_camera("side")
    QApplication.processEvents()
    assert not panel.scene.train._hidden


def test_that_a_train_too_far_off_to_be_seen_is_marked_where_it_is(
    panel_with_run: ViewerPanel, playback: Playback, short_results: Results
) -> None:
    panel = panel_with_run
    k = len(short_results.states.time) // 2
    playback.seek(float(short_results.states.time[k]))
    panel.picture()
    mesh = panel.scene.far_mark._mesh
    assert mesh is not None
    body = short_results.names.bodies.index("Car/Carbody")
    assert np.linalg.norm(mesh.points[0] - short_results.states.position[k, body]) < 3.0
    panel.use_camera("follow")
    panel.picture()
    assert not panel.scene.marks.has("train")


def test_that_arrows_show_the_forces_of_the_run(
    panel_with_run: ViewerPanel, playback: Playback, short_results: Results
) -> None:
    panel = panel_with_run
    panel.show_part("forces", True)
    panel.show_part("accelerations", True)
    playback.seek(1.0)
    arrows = panel.scene.arrows
    assert len(arrows.arrows["forces"]) == 4
    k = int(np.searchsorted(short_results.states.time, 1.0))
    joints = len(short_results.names.joints)
    for number, (arrow, *_) in enumerate(arrows.arrows["forces"], start=joints):
        m = arrow.matrix
        along = np.array([m.GetElement(i, 0) for i in range(3)])
        force = short_results.states.reactions[k, number, :3]
        np.testing.assert_allclose(along / np.linalg.norm(along), force / np.linalg.norm(force), atol=1e-9)
        assert arrow.actor.GetVisibility()
    assert [text.partition(":")[0] for _, text in panel.keys.entries] == [
        "Force of a rail on a wheel",
        "Load the rider feels",
    ]
    panel.show_part("forces", False)
    assert len(panel.keys.entries) == 1
    assert not arrows.arrows["forces"][0][0].actor.GetVisibility()


def test_that_colouring_needs_a_run_and_says_so(
    panel: ViewerPanel, document: Document, short_ride: Project, short_results: Results
) -> None:
    panel.colour_by("nca")  # what a point does not feel
    assert panel.legend.isVisible()
    assert "F5" in panel.legend.note
    document.add_run(Run("Run", short_results, short_ride))
    panel.finish_pending()
    assert panel.legend.note == ""
    assert panel.scene.scale is not None
    colours = np.array(panel.scene.track.mesh.tubes.point_data[COLOUR])
    panel.colour_by("plain")
    assert not panel.legend.isVisible()
    assert not np.array_equal(colours, panel.scene.track.mesh.tubes.point_data[COLOUR])
    assert panel.coloured_by == "plain"
    assert ("curvature", "Curvature") in panel.colour_choices()


def test_that_a_run_without_riders_leaves_their_loads_to_the_point_ride_and_says_what_it_lacks(
    qtbot: QtBot, panel: ViewerPanel, document: Document, short_ride: Project, short_results: Results
) -> None:
    panel.colour_by("gz")
    qtbot.waitUntil(lambda: panel.scene.scale is not None)
    nobody = replace(short_results, names=replace(short_results.names, riders={}))
    document.add_run(Run("Run", nobody, short_ride))
    panel.finish_pending()
    assert panel.scene.scale is not None
    assert panel.scene.scale.quantity.name == "Gz, vertical load, point ride"
    panel.colour_by("airtime")
    assert panel.scene.scale is None
    assert "F5" not in panel.legend.note
    assert "has none" in panel.legend.note


def _raised(project: Project, by: float) -> Project:
    first = project.track.sections[4]
    points = tuple(p.model_copy(update={"z": p.z + by}) for p in first.points)
    sections = list(project.track.sections)
    sections[4] = first.model_copy(update={"points": points})
    return project.model_copy(
        update={"track": project.track.model_copy(update={"sections": tuple(sections)})}
    )


def test_that_an_edit_over_a_run_keeps_the_scale_of_the_point_ride_before_it(
    qtbot: QtBot, panel: ViewerPanel, document: Document, short_ride: Project, short_results: Results
) -> None:
    panel.colour_by("gz")
    qtbot.waitUntil(lambda: panel.scene.scale is not None)
    before = panel.scene.scale
    document.add_run(Run("Run", short_results, document.project))
    panel.finish_pending()
    assert panel.scene.scale.high != before.high
    document.preview(_raised(document.project, 0.8))  # far at once, as a typed distance
    panel.finish_pending()
    assert panel.scene.scale.quantity.name.endswith("point ride")
    assert panel.scene.scale.high == before.high


def test_that_an_edit_in_progress_moves_the_track_and_letting_go_takes_it_back(
    panel: ViewerPanel, document: Document
) -> None:
    before = np.array(panel.scene.track.mesh.tubes.points)
    document.preview(_raised(document.project, 0.5))
    panel.finish_pending()
    mesh = panel.scene.track.mesh
    assert np.abs(mesh.tubes.points - before).max() > 0.4
    document.preview(None)
    panel.finish_pending()
    np.testing.assert_allclose(panel.scene.track.mesh.tubes.points, before, atol=1e-4)
    document.apply("Raise the loop", _raised(document.project, 0.5))
    panel.finish_pending()
    assert not np.array_equal(panel.scene.track.mesh.tubes.points[:100], before[:100]) or len(
        panel.scene.track.mesh.tubes.points
    ) != len(before)


def test_that_the_frame_sweep_follows_its_options(panel: ViewerPanel, settings: Settings) -> None:
    panel.set_sweep(Sweep(centreline=True, rails=True, curvature=True, spacing=5.0, length=2.0))
    assert panel.scene.marks.has("sweep")
    combs = panel.scene.marks._groups["sweep"]
    teeth = mesh_of(combs[0])
    assert teeth.n_lines == 3 * len(np.arange(0.0, panel.scene.built.length, 5.0))
    ends = np.asarray(teeth.points)
    np.testing.assert_allclose(np.linalg.norm(ends[1::2] - ends[::2], axis=1), 2.0, rtol=1e-4)
    settings.units = "US"
    assert panel.show_menu.spacing.suffix().strip() == "ft"
    assert panel.show_menu.spacing.value() == pytest.approx(5.0 / 0.3048, abs=0.01)
    panel.set_sweep(None)
    assert not panel.scene.marks.has("sweep")


def test_that_the_theme_reaches_the_scene(panel: ViewerPanel, qapp: QApplication) -> None:
    dark = panel.picture().pixelColor(400, 580).lightness()
    theme.apply(qapp, "light")
    QApplication.sendPostedEvents(None, 0)
    light = panel.picture().pixelColor(400, 580).lightness()
    assert light > dark + 100
    theme.apply(qapp, "dark")


def test_that_a_rig_is_drawn_and_framed(panel: ViewerPanel, document: Document, qtbot: QtBot) -> None:
    document.start_from(load_example("four_bar"))
    panel.finish_pending()
    assert isinstance(document.project.scenario, Rig)
    assert set(panel.scene.train.members) == {b.name for b in document.project.scenario.assembly.bodies}
    for member in panel.scene.train.members.values():
        x, y = panel.world_to_screen(panel.scene.train.frame_of(member.name).position)[0]
        assert 0 < x < panel.plotter.width()
        assert 0 < y < panel.plotter.height()


def test_that_a_rig_is_framed_over_its_motion_once_it_has_run_and_stays_where_it_was_put(
    panel: ViewerPanel, document: Document
) -> None:
    def outside(times: np.ndarray) -> int:
        """How many of the places of the bob at some times (s) are out of the picture."""
        count = 0
        for time in times:
            panel.playback.seek(float(time))
            (bob,) = panel.scene.train.members.values()
            x, y = panel.world_to_screen(panel.scene.train.frame_of(bob.name).position)[0]
            count += not (0 < x < panel.plotter.width() and 0 < y < panel.plotter.height())
        return count

    project = load_example("planar_pendulum")
    document.start_from(project)
    panel.finish_pending()
    still = np.array(panel.scene.rig.focus)
    run = Run("Run", simulate(project), project)
    document.add_run(run)
    panel.finish_pending()
    panel.plotter.picture()
    assert not np.allclose(panel.scene.rig.focus, still)
    assert outside(np.linspace(0.0, run.duration, 12)) == 0
    panel.scene.rig.distance *= 3.0
    moved = panel.scene.rig.distance
    document.add_run(Run("Another", run.results, project))
    panel.finish_pending()
    panel.plotter.picture()
    assert panel.scene.rig.distance == moved


def test_that_a_picture_is_saved_and_a_bad_folder_is_refused(panel: ViewerPanel, tmp_path: Path) -> None:
    path = tmp_path / "view.png"
    panel.screenshot(path)
    assert path.stat().st_size > 5000
    with pytest.raises(InputError, match="is a file and no folder"):
        panel.screenshot(path / "view.png")
    with pytest.raises(InputError, match="choose another folder"):
        panel.screenshot(tmp_path / "view.unknown")


def test_that_automatic_quality_starts_low_and_settings_are_obeyed(
    panel: ViewerPanel, settings: Settings
) -> None:
    assert panel.scene.quality == "low"
    coarse = panel.scene.track.mesh.tubes.n_cells
    settings.quality = "high"
    panel.finish_pending()
    assert panel.scene.track.mesh.tubes.n_cells > 1.5 * coarse
    assert panel.scene.plotter.render_window.GetMultiSamples() == 4
    settings.quality = "auto"
    assert panel.scene.quality == "low"


def test_that_closing_twice_does_no_harm(panel: ViewerPanel, playback: Playback) -> None:
    panel.close_scene()
    panel.close_scene()
    playback.seek(1.0)
    panel.colour_by("speed")
    panel.frame_all()


def test_that_switches_of_the_show_menu_are_kept(
    document: Document, playback: Playback, settings: Settings, qtbot: QtBot
) -> None:
    first = ViewerPanel(document, playback, settings)
    qtbot.addWidget(first)
    first.show_part("supports", False)
    first.show_part("forces", True)
    first.set_sweep(Sweep(centreline=False, curvature=True))
    first.close_scene()
    second = ViewerPanel(document, playback, settings)
    qtbot.addWidget(second)
    shown = {name for name, box in second.show_menu.boxes.items() if box.isChecked()}
    assert shown == {"ties", "station", "grid", "hills", "forces", "contacts", *OVER}
    assert second.show_menu.sweep is not None
    assert second.show_menu.sweep.curvature
    assert not second.show_menu.sweep.centreline
    second.close_scene()


def test_that_the_train_of_a_run_stays_on_the_track_it_was_ridden_on(
    panel_with_run: ViewerPanel, document: Document, playback: Playback, short_results: Results
) -> None:
    panel = panel_with_run
    run = document.current_run
    assert run is not None
    assert panel.scene.ridden is None
    document.apply("Shift", move_track(document.project, (0.0, 0.0, 3.0)))
    panel.use_camera("follow")
    playback.seek(0.5 * playback.duration)
    panel.picture()
    assert panel.scene.ridden is not None
    assert panel.scene.ridden.track == run.project.track
    assert panel.scene.marks.has("ridden")
    assert any("as it was" in text for _, text in panel.keys.entries)
    k = len(short_results.states.time) // 2
    body = short_results.names.bodies.index("Car/Carbody")
    eye = np.array(panel.scene.camera.GetPosition())
    assert np.linalg.norm(eye - short_results.states.position[k, body]) < 15.0
    document.undo_stack.undo()
    panel.picture()
    assert panel.scene.ridden is None
    assert not panel.scene.marks.has("ridden")


def test_that_only_what_is_another_body_gets_another_actor(
    panel_with_run: ViewerPanel, document: Document, short_results: Results
) -> None:
    layer = panel_with_run.scene.train
    before = {name: m.actor for name, m in layer.members.items()}
    document.add_run(Run("Again", short_results, document.project))
    panel_with_run.picture()
    assert {name: m.actor for name, m in layer.members.items()} == before
    lighter = set_element(document.project, "body", ("Car", "Carbody"), {"mass": 300.0})
    document.apply("Lighter", lighter)
    document.add_run(Run("Lighter", short_results, lighter))
    panel_with_run.picture()
    riders = {name for name, m in layer.members.items() if m.of_rider}
    assert riders
    assert riders < before.keys()
    assert {name for name, m in layer.members.items() if m.actor is before[name]} == riders
    shown = {id(actor) for actor in panel_with_run.scene.plotter.renderer.GetActors()}
    assert {id(m.actor) for m in layer.members.values()} <= shown
    assert not {id(before[name]) for name in before.keys() - riders} & shown


def test_that_a_long_train_fills_over_some_pictures_and_is_whole_in_one_that_is_asked_for(
    panel: ViewerPanel, document: Document, qtbot: QtBot
) -> None:
    layer = panel.scene.train
    layer.at_once = 5
    seen: list[int] = []

    def painted() -> int:
        return sum(m.made is not None for m in layer.members.values())

    panel.plotter.painted.connect(lambda _: seen.append(painted()))

    def draw_anew() -> None:
        document.start_from(empty_project())
        qtbot.waitUntil(lambda: not layer.members)
        seen.clear()
        document.start_from(load_example("looping_star"))

    draw_anew()
    qtbot.waitUntil(lambda: bool(seen) and seen[-1] == len(layer.members) > 10)
    steps = np.diff([0, *seen])
    assert 0 <= steps.min() <= steps.max() <= 5
    draw_anew()
    panel.picture()
    assert painted() == len(layer.members) > 10


def test_that_the_rider_sees_hands_and_restraint(
    panel_with_run: ViewerPanel, playback: Playback, qtbot: QtBot
) -> None:
    panel = panel_with_run
    panel.use_camera("ride")
    playback.seek(0.0)
    wide, high = panel.plotter.width(), panel.plotter.height()
    seen: dict[str, int] = {}
    for x in np.linspace(0.05, 0.95, 31) * wide:
        for y in np.linspace(0.6, 0.99, 31) * high:
            hit = first_hit(panel.plotter, x, y)
            if hit is not None and hit[0] is not None:
                seen[hit[0].path[-1]] = seen.get(hit[0].path[-1], 0) + 1
    assert min(seen.get("Left Hand", 0), seen.get("Right Hand", 0)) > 0
    assert seen.get("Carbody", 0) > 60  # the pads of the restraint on both sides, and the nose
    x, y = panel.world_to_screen(track_place(panel.scene.built, 45.0)[0])[0]
    assert 0.0 < y < 0.6 * high  # and the track ahead well above them


@pytest.mark.parametrize(("end", "axis"), [(0, (1, 0, 0)), (1, (0, 1, 0)), (2, (0, 0, 1)), (3, (-1, 0, 0))])
def test_that_a_click_on_an_axis_looks_along_it(
    panel: ViewerPanel, qtbot: QtBot, end: int, axis: tuple[int, int, int]
) -> None:
    panel.picture()
    QApplication.processEvents()
    gizmo, focus = panel.over.gizmo, np.array(panel.scene.rig.focus)
    panel.over.turn_gizmo(panel.scene.camera)
    qtbot.mouseClick(gizmo, LEFT, pos=gizmo.place_of(end).toPoint())
    eye = panel.scene.rig.eye(None)
    away = (eye.position - focus) / np.linalg.norm(eye.position - focus)
    assert away @ axis > 0.999
    np.testing.assert_allclose(eye.focus, focus)
    assert panel.camera == "orbit"


def test_that_an_empty_view_shows_the_ground_and_says_what_comes_here(
    panel: ViewerPanel, qtbot: QtBot
) -> None:
    document, said = panel.document, panel.over.empty
    panel.scene.rig.distance = 5000.0
    document.start_from(empty_project())
    qtbot.waitUntil(lambda: panel.scene.rig.distance < 500.0)
    assert said.text().startswith("The track will be drawn here")
    panel.enter("train", "orbit", "train", "plain")
    assert said.text().startswith("The first car will stand here")
    turned = panel.scene.rig.azimuth = panel.scene.rig.azimuth + 0.3  # by hand; an edit leaves it as it is
    document.apply("Name", document.project.model_copy(update={"name": "Mine"}))
    qtbot.wait(100)
    assert panel.scene.rig.azimuth == turned
    document.apply("Car", add_car(document.project, load_vehicle())[0])
    qtbot.waitUntil(lambda: said.text() == "")
