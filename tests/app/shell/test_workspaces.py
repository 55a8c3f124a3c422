"""Workspaces: a room for each task, in which the 3D view has most of the window."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest
from mouse_and_keyboard import CTRL, LEFT, settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar, QToolButton

from ridewright.app.document.document import Selection
from ridewright.app.shell import workspaces as folder
from ridewright.app.shell.application import make_window
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.workspaces import bundled
from ridewright.app.view3d.framing import points_of
from ridewright.app.view3d.over_view import MAX_SHARE
from ridewright.app.widgets import dialogs
from ridewright.app.widgets.settings import Settings, Theme
from ridewright.core.edits.couplings import make_train
from ridewright.core.project.examples import load_example
from tests.app.settling import until_exposed

SIZES = ((1024, 700), (1280, 800), (1600, 900), (2560, 1440))
LARGE = ("design", "train", "rider", "structure", "run")


def _press(window: MainWindow, key: str) -> None:
    """Click a workspace in the bar."""
    button = next(b for b in window.workspace_bar.findChildren(QToolButton) if b.property("workspace") == key)
    QTest.mouseClick(button, LEFT)
    settle()


def _share_of_overlays(window: MainWindow) -> float:
    view = window.viewer
    return sum(one.width() * one.height() for one in view.over.shown()) / (view.width() * view.height())


@pytest.mark.new_window
@pytest.mark.parametrize("colours", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_that_the_view_has_most_of_the_window(
    qtbot, studio: MainWindow, size: tuple[int, int], colours: Theme
) -> None:
    studio.settings.theme = colours
    studio.resize(*size)
    settle()
    for one in studio.workspaces.every:
        _press(studio, one.id)
        qtbot.wait(60)
        assert (studio.width(), studio.height()) == size, one.id
        view, strip = studio.viewer, studio.strip
        assert view.isVisible()
        assert view.height() >= 180
        if one.id in LARGE and size != SIZES[0]:
            share = view.width() * view.height() / (size[0] * size[1])
            assert share >= 0.6, (one.id, share)
        assert _share_of_overlays(studio) <= MAX_SHARE, one.id
        assert strip.width() == view.width()
        shown = [studio.docks[name] for name in one.in_front if studio.docks[name].height() > 60]
        assert shown, one.id
    assert "tree" not in studio.workspaces.panels_of("judge")
    studio.settings.theme = "dark"


def test_that_workspaces_are_switched_by_click_and_key(studio: MainWindow) -> None:
    names = [one.id for one in bundled()]
    assert names == ["design", "train", "rider", "structure", "run", "judge", "study"]
    for number, name in enumerate(names, 1):
        QTest.keyClick(studio, getattr(Qt.Key, f"Key_{number}"), CTRL)
        settle()
        assert studio.workspaces.now.id == name
        assert studio.workspace_bar.entries[name].isChecked()
        assert set(studio.workspaces.panels_of(name)) == set(studio.workspaces.now.panels)
    for name in reversed(names):
        _press(studio, name)
        assert studio.workspaces.now.id == name
        assert set(studio.workspaces.panels_of(name)) == set(studio.workspaces.now.panels)


def test_that_no_tabs_of_another_workspace_are_left(studio: MainWindow) -> None:
    for name in ("train", "judge", "study", "run", "design", "judge", "design"):
        studio.workspaces.go(name)
        studio.grab()
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        bars = [b for b in studio.findChildren(QTabBar, options=direct) if b.isVisible() and b.count()]
        titles = [bar.tabText(k) for bar in bars for k in range(bar.count())]
        assert len(titles) == len(set(titles)), (name, titles)
        here = {studio.docks[panel].windowTitle() for panel in studio.workspaces.now.panels}
        assert set(titles) <= here, name


def test_that_a_panel_is_found_where_it_stands(studio: MainWindow) -> None:
    studio.show_panel("studies")
    assert studio.workspaces.now.id == "study"
    studio.show_panel("tree")
    assert studio.workspaces.now.id == "study"  # it stands here, too
    studio.show_panel("points")
    settle()
    assert studio.workspaces.now.id == "design"
    assert studio.docks["points"].isVisible()
    assert studio.docks["points"].height() > 100
    studio.workspaces.go("rider")
    studio.docks["points"].toggleViewAction().trigger()
    settle()
    assert studio.docks["points"].isVisible()
    studio.show_panel("points")
    assert studio.workspaces.now.id == "rider"
    studio.workspaces.go("design")
    assert "points" in studio.workspaces.panels_of("design")
    studio.workspaces.go("rider")
    assert "points" in studio.workspaces.panels_of("rider")
    studio.reset_layout()
    assert "points" not in studio.workspaces.panels_of("rider")


def test_that_a_peak_leads_to_its_judgement_and_escape_back(studio: MainWindow) -> None:
    studio.workspaces.go("train")
    studio.playback.show_peak(0.0)
    assert studio.workspaces.now.id == "judge"
    assert "Esc" in studio.status.currentMessage()
    studio.viewer.setFocus()
    QTest.keyClick(studio.viewer.plotter, Qt.Key.Key_Escape)
    assert studio.workspaces.now.id == "train"
    assert studio.status.currentMessage() == ""  # of the way back, which was gone
    QTest.keyClick(studio.viewer.plotter, Qt.Key.Key_Escape)
    assert studio.workspaces.now.id == "train"
    studio.workspaces.go("design")
    studio.playback.show_peak(0.0)
    studio.workspaces.go("run")  # by choice: nothing leads back from there
    QTest.keyClick(studio.viewer.plotter, Qt.Key.Key_Escape)
    assert studio.workspaces.now.id == "run"


def test_that_the_panel_whose_peak_was_clicked_stays_in_front(qtbot, studio: MainWindow) -> None:
    studio.document.start_from(load_example("bouncing_ball"))
    studio.workspaces.go("train")
    studio.show_panel("contacts")
    settle()
    table = studio.panels["contacts"].table
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualItemRect(table.item(0, 0)).center())
    studio.playback.show_peak(0.0)
    qtbot.waitUntil(lambda: studio.workspaces.now.id == "judge", timeout=2000)
    settle()
    assert not table.visibleRegion().isEmpty()


def test_that_the_tree_begins_with_what_the_workspace_is_about(studio: MainWindow) -> None:
    tree = studio.panels["tree"]
    for name, key in (
        ("train", ("assembly",)),
        ("rider", ("assembly", "Car", "Rider")),
        ("structure", ("assembly",)),  # without a flexible body what one is made of
    ):
        studio.workspaces.go(name)
        settle()
        item = tree.node_at(*key)
        assert item is not None
        assert item.isExpanded()
        shown = tree.tree.visualItemRect(item)
        assert 0 <= shown.top() <= shown.bottom() < tree.tree.viewport().height()
    studio.workspaces.go("train")
    studio.document.start_from(load_example("swing_beam"))
    settle()
    rig = tree.node_at("assembly")
    assert rig.isExpanded()
    assert tree.tree.visualItemRect(rig).top() >= 0


def test_that_a_folded_panel_opens_by_its_tab_and_folds_by_key(qtbot, studio: MainWindow) -> None:
    assert studio.sizes.folded
    before = studio.viewer.height()
    bar = next(b for b in studio.findChildren(QTabBar) if b.isVisible() and b.tabText(0) == "Profile")
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(1).center())
    qtbot.waitUntil(lambda: studio.docks["plan"].height() > 150, timeout=3000)
    assert not studio.sizes.folded
    assert studio.viewer.height() < before - 150
    QTest.keyClick(studio, Qt.Key.Key_J, CTRL)
    qtbot.waitUntil(lambda: studio.viewer.height() == before, timeout=3000)
    assert studio.sizes.folded
    QTest.mouseClick(studio.sizes.fold_button, LEFT)
    qtbot.waitUntil(lambda: studio.viewer.height() < before - 150, timeout=3000)


def test_that_every_workspace_keeps_its_camera_and_colours(qtbot, studio: MainWindow) -> None:
    viewer = studio.viewer
    viewer.frame_all()
    far = viewer.scene.rig.distance
    assert viewer.coloured_by == "gz"
    studio.workspaces.go("train")
    assert viewer.coloured_by == "plain"
    qtbot.waitUntil(lambda: not studio.sizes.waiting, timeout=10_000)  # framed in the room it has in the end
    settle()
    near = viewer.scene.rig.distance
    assert near < 0.2 * far
    studio.workspaces.go("judge")
    assert viewer.camera == "follow"
    assert viewer.controls.camera_buttons["follow"].isChecked()
    studio.workspaces.go("design")
    assert viewer.camera == "orbit"
    qtbot.waitUntil(lambda: viewer.scene.rig.distance == pytest.approx(far), timeout=10_000)
    viewer.colour_by("speed")
    studio.workspaces.go("train")
    qtbot.waitUntil(lambda: viewer.scene.rig.distance == pytest.approx(near), timeout=10_000)
    studio.workspaces.go("design")
    assert viewer.coloured_by == "speed"
    viewer.colour_by("gz")


def test_that_a_place_chosen_elsewhere_is_gone_to_once(studio: MainWindow) -> None:
    """The place of a peak, for one: who then comes to edit the track is there."""
    viewer, document, go = studio.viewer, studio.document, studio.workspaces.go
    go("design")
    viewer.frame_all()
    rig = viewer.scene.rig
    far = rig.distance
    go("rider")
    document.select(Selection("place", s=300.0))
    go("design")
    assert viewer.scene.rig is rig
    built = viewer.scene.built
    assert built is not None
    assert rig.focus == pytest.approx(built.centreline.position([300.0])[0])
    assert rig.distance < 0.3 * far
    viewer.frame_all()  # the camera is taken elsewhere, and the place is known
    for name in ("train", "structure", "design"):
        go(name)
    assert viewer.scene.rig.distance == pytest.approx(far)
    document.select(Selection("place", s=310.0))  # by a panel that stands here
    near = rig.distance
    rig.distance = 2.0 * near
    go("rider")
    go("design")
    assert rig.distance == pytest.approx(2.0 * near)


@pytest.mark.parametrize(
    ("name", "subject"), [("train", "train"), ("rider", "rider"), ("design", "everything")]
)
def test_that_the_subject_of_a_workspace_fills_the_view(studio: MainWindow, name: str, subject: str) -> None:
    studio.workspaces.go(name)
    settle()
    view = studio.viewer
    seen = view.world_to_screen(points_of(view.scene, subject))  # type: ignore[arg-type]
    extent = np.ptp(seen, axis=0) / [view.width(), view.height()]
    assert 0.6 < extent.max() <= 0.95
    assert seen.min() >= 0.0


def test_that_what_was_framed_stays_in_the_picture_when_the_view_gets_another_shape(
    qtbot, studio: MainWindow
) -> None:
    view = studio.viewer

    def inside() -> bool:
        seen = view.world_to_screen(points_of(view.scene, "everything"))
        extent = np.ptp(seen, axis=0) / [view.width(), view.height()]
        return bool(
            (seen >= 0.0).all() and (seen <= [view.width(), view.height()]).all() and extent.max() > 0.6
        )

    for first, then in (("judge", "run"), ("run", "study"), ("study", "design")):
        studio.workspaces.go(first)
        studio.document.start_from(load_example("looping_star"))
        qtbot.waitUntil(lambda: view.scene.built is studio.document.built(), timeout=10_000)
        studio.workspaces.go(then)
        qtbot.waitUntil(lambda: not studio.sizes.waiting, timeout=10_000)
        settle()
        assert inside(), then
    studio.resize(1100, 900)
    qtbot.waitUntil(lambda: not studio.sizes.waiting, timeout=10_000)
    settle()
    assert inside()
    view.scene.rig.zoom(0.2)
    near = view.scene.rig.distance
    studio.resize(1280, 800)
    settle()
    assert view.scene.rig.distance == near  # a hand has been on it


@pytest.mark.parametrize("name", ["spatial_pendulum", "swing_beam"])
def test_that_a_rig_fills_the_view(qtbot, studio: MainWindow, name: str) -> None:
    studio.document.start_from(load_example(name))
    qtbot.waitUntil(lambda: bool(studio.viewer.scene.train.members), timeout=10_000)
    settle()
    view = studio.viewer
    seen = view.world_to_screen(points_of(view.scene, "everything"))
    extent = np.ptp(seen, axis=0) / [view.width(), view.height()]
    assert extent.max() > 0.6


def test_that_a_new_section_out_of_sight_is_flown_to(qtbot, studio: MainWindow) -> None:
    document, view = studio.document, studio.viewer
    view.scene.rig.focus, view.scene.rig.distance = np.array([0.0, 0.0, 500.0]), 2.0  # at the sky
    track = document.project.track
    assert track is not None
    end = track.sections[-1].model_copy(update={"name": "one more"})
    more = track.model_copy(update={"sections": (*track.sections, end)})
    document.apply("Add", document.project.model_copy(update={"track": more}))
    if document.built() is None:
        document.undo_stack.undo()
        pytest.skip("cannot be built")
    settle()
    qtbot.waitUntil(lambda: view.scene.rig.distance > 5.0, timeout=5000)
    qtbot.waitUntil(
        lambda: view._framing._flight.state() == view._framing._flight.State.Stopped, timeout=5000
    )
    span = next(x for x in view.scene.built.sections if x.name == "one more")
    seen = view.world_to_screen(view.scene.built.centreline.position([0.5 * (span.s0 + span.s1)]))[0]
    assert 0 < seen[0] < view.width()
    assert 0 < seen[1] < view.height()


def test_that_a_train_that_is_made_is_flown_to_whole(qtbot, studio: MainWindow) -> None:
    document, view = studio.document, studio.viewer
    studio.workspaces.go("train")
    settle()
    near = view.scene.rig.distance
    made = make_train(document.project, document.project.train.children[0], 4, riders="own")
    document.apply("Make a train", made)
    qtbot.waitUntil(lambda: view.scene.rig.distance > near, timeout=10_000)
    flight = view._framing._flight
    qtbot.waitUntil(lambda: flight.state() == flight.State.Stopped, timeout=10_000)
    seen = view.world_to_screen(view.scene.train.corners())
    assert (seen >= 0.0).all()
    assert (seen <= [view.width(), view.height()]).all()


def test_that_nothing_lies_over_what_is_edited(studio: MainWindow) -> None:
    view = studio.viewer
    studio.document.select(Selection("points", ("loop",), (12,)))
    settle()
    (place,) = view._points.selected
    assert view.over.gizmo.isVisible()
    for one in (view.over.gizmo, view.controls.left):
        middle = one.geometry().center()
        seen = view.world_to_screen(place)[0]
        size = 0.5 * view.plotter.height() / np.tan(np.radians(20.0))
        view.scene.rig.pan((middle.x() - seen[0]) / size, -(middle.y() - seen[1]) / size)
        view.plotter.redraw()
        settle()
        for _ in range(4):  # what is nearer than the middle of the picture moves further
            seen = view.world_to_screen(place)[0]
            view.scene.rig.pan((middle.x() - seen[0]) / size, -(middle.y() - seen[1]) / size)
            view.plotter.redraw()
            settle()
        assert one.isHidden()
    studio.document.select(Selection("none"))
    settle()
    assert view.over.gizmo.isVisible()
    assert view.controls.left.isVisible()


def test_that_the_legend_can_be_put_away(qtbot, studio: MainWindow) -> None:
    over = studio.viewer.over
    qtbot.waitUntil(over.legend.isVisible, timeout=30_000)
    QTest.mouseClick(over._crosses["legend"], LEFT)
    assert over.legend.isHidden()
    assert over._crosses["legend"].isHidden()
    studio.viewer.show_menu.boxes["legend"].setChecked(True)
    assert over.legend.isVisible()


def test_that_a_workspace_of_ones_own_is_made_named_and_removed(
    studio: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.workspaces.go("run")
    studio.docks["points"].toggleViewAction().trigger()
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "Night shift")
    studio.workspace_bar.add_action.trigger()
    own = studio.workspaces.now
    assert own.title == "Night shift"
    assert "points" in studio.workspaces.panels_of(own.id)
    assert studio.workspace_bar.entries[own.id].shortcut().toString() == "Ctrl+8"
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "Day & night")
    menu = studio.workspace_bar.menu_of(own.id)
    next(a for a in menu.actions() if a.text() == "Rename…").trigger()
    assert studio.workspaces.now.title == "Day & night"
    next(a for a in menu.actions() if a.text() == "Remove").trigger()
    assert own.id not in studio.workspace_bar.entries
    assert studio.workspaces.now.id == "design"
    studio.workspaces.remove("design")
    assert "design" in studio.workspace_bar.entries
    studio.workspaces.go("run")
    studio.reset_layout()


def test_that_arrangements_are_kept_for_the_next_start(qtbot, settings: Settings) -> None:
    first, _ = make_window(settings)
    first.show()
    until_exposed(qtbot, first)
    first.workspaces.go("train")
    first.docks["log"].toggleViewAction().trigger()
    first.docks["modes"].close()
    first.workspaces.add("Mine")
    first.workspaces.go("judge")
    first.close()
    first.deleteLater()
    second, _ = make_window(settings)
    second.show()
    until_exposed(qtbot, second)
    assert second.workspaces.now.id == "judge"
    own = second.workspaces.every[-1]
    assert own.title == "Mine"
    for key in ("train", own.id):
        second.workspaces.go(key)
        assert second.docks["log"].toggleViewAction().isChecked()
        assert not second.docks["modes"].toggleViewAction().isChecked()
    second.close()
    second.deleteLater()


def test_that_a_workspace_is_one_file(
    qtbot, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "maintenance.py").write_text(
        "from ridewright.app.shell.workspaces.base import Workspace\n"
        'WORKSPACE = Workspace("maintenance", "Maintenance", "What wears", 35,'
        ' beside=(("tree",),), below=(("contacts", "log"),))\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    window, _ = make_window(settings)
    window.show()
    until_exposed(qtbot, window)
    assert list(window.workspace_bar.entries)[3] == "maintenance"
    _press(window, "maintenance")
    assert set(window.workspaces.panels_of("maintenance")) == {"tree", "contacts", "log"}
    window.close()
    window.deleteLater()
    sys.modules.pop(f"{folder.__name__}.maintenance", None)


def test_that_files_of_the_shell_know_one_another_in_one_direction_only() -> None:
    """No circle, not even for types; the window is handed about nowhere."""
    import ridewright.app.shell as shell

    root = Path(shell.__path__[0])
    known: dict[str, set[str]] = {}
    for file in root.rglob("*.py"):
        name = ".".join(file.relative_to(root).with_suffix("").parts)
        known[name] = set(_known_of_shell(file, name, root))
    assert {name for name, others in known.items() if "main_window" in others} == {"application"}
    left = dict(known)
    while left:
        free = [name for name, others in left.items() if not (others - {name}) & set(left)]
        assert free, sorted(left)
        for name in free:
            del left[name]


def _known_of_shell(file: Path, name: str, root: Path) -> list[str]:
    package = name.split(".")[:-1]
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and 0 < node.level <= len(package) + 1:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            parts = [part for part in base if part]
            for target in [parts, *([*parts, alias.name] for alias in node.names)]:
                path = root.joinpath(*target)
                if path.with_suffix(".py").exists() and target:
                    found.append(".".join(target))
                elif (path / "__init__.py").exists() and target:
                    found.append(".".join([*target, "__init__"]))
    return found


def test_that_a_mark_of_a_project_that_is_gone_is_gone(qtbot, studio: MainWindow) -> None:
    studio.document.start_from(load_example("swing_beam"))
    qtbot.waitUntil(lambda: bool(studio.viewer.scene.flexible.meshes), timeout=10_000)
    layer = studio.viewer.scene.flexible
    body = layer._bodies[0]
    layer.mark(body.name, np.array(body.skin.points[0]))
    dot = layer._dot
    assert dot is not None
    assert dot[1].visibility
    studio.document.start_from(load_example("looping_star"))
    qtbot.waitUntil(lambda: not layer.meshes, timeout=10_000)
    assert not dot[1].visibility


def test_that_a_dragged_border_counts_for_its_workspace(qtbot, studio: MainWindow) -> None:
    dock = studio.docks["tree"]
    before = dock.width()
    handle = studio.windowHandle()
    at = QPoint(dock.x() - 2, dock.y() + 200)
    none = Qt.KeyboardModifier.NoModifier
    QTest.mousePress(handle, LEFT, none, at)
    for k in range(1, 5):
        QTest.mouseMove(handle, at - QPoint(20 * k, 0))
        settle()
    QTest.mouseRelease(handle, LEFT, none, at - QPoint(80, 0))
    settle()
    assert abs(dock.width() - before - 80) <= 4
    wide = dock.width()
    studio.workspaces.go("train")
    settle()
    assert abs(studio.docks["tree"].width() - before) <= 4
    studio.workspaces.go("design")
    settle()
    assert abs(dock.width() - wide) <= 4
    studio.reset_layout()
    settle()
    assert abs(dock.width() - before) <= 4


def test_that_a_press_in_a_panel_is_no_drag_of_a_border(studio: MainWindow) -> None:
    dock, holder = studio.docks["tree"], studio.panels["inspector"].viewport()
    before = dock.width()
    QTest.mousePress(holder, LEFT, pos=QPoint(2, holder.height() - 2))  # which leaves it to the window
    studio.resizeDocks([dock], [before + 60], Qt.Orientation.Horizontal)  # as a workspace that comes does
    settle()
    QTest.mouseRelease(holder, LEFT, pos=QPoint(2, holder.height() - 2))
    studio.sizes.apply()
    settle()
    assert abs(dock.width() - before) <= 4


def test_that_a_notice_over_the_view_has_room_for_its_words(qtbot, studio: MainWindow) -> None:
    banner = studio.viewer.over.notice
    words = "The train stalls at s = 15.0 m in section 'Straight'."
    for size in SIZES[:2]:
        studio.resize(*size)
        banner.say(words, "error", "Show")
        studio.viewer.over.place()
        settle()
        assert banner.text.width() >= banner.text.fontMetrics().horizontalAdvance(words), size
        assert _share_of_overlays(studio) <= MAX_SHARE
    banner.say("")
