"""What is on screen is the design, or says that it is not: problems, stale runs, shapes that cannot be built."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mouse_and_keyboard import LEFT, choose, click_row, settle, type_into
from PySide6.QtTest import QTest

from ridewright.app.document.new_project import new_project
from ridewright.app.document.selection import Selection
from ridewright.app.shell.banners import OF_RUNS
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets.banner import Banner
from ridewright.core.edits import points as point_edits
from ridewright.core.edits.changes import set_point_ride
from ridewright.core.project.project import save_project
from ridewright.core.project.scenario import Ride


def broken(document) -> None:
    """Point 2 of the climb comes to lie on point 1."""
    climb = document.project.track.sections[1].points
    edit = point_edits.set_points(
        document.project, "climb", [1], {"x": climb[0].x, "y": climb[0].y, "z": climb[0].z}
    )
    document.apply("Move point 2 of climb", edit)


def colours_of(studio: MainWindow) -> np.ndarray:
    """Colours of the rails as they are drawn."""
    return np.array(studio.viewer.scene.track.mesh.tubes.point_data["colour"]).copy()


def test_that_a_track_that_cannot_be_built_is_greyed_and_marked_everywhere_and_leads_to_its_point(
    qtbot, studio: MainWindow, tmp_path: Path
) -> None:
    document = studio.document
    view, status = studio.banners.view, studio.status.problems
    assert not view.isVisible()
    studio.show_panel("profile")
    qtbot.waitUntil(lambda: studio.panels["profile"].curves is not None, timeout=30_000)
    before, curves = document.last_good, studio.panels["profile"].curves
    broken(document)
    qtbot.waitUntil(view.isVisible, timeout=3000)
    assert view.text.text().startswith("Not your design: the last shape that could be built.")
    qtbot.waitUntil(lambda: studio.viewer.scene.foreign, timeout=3000)
    assert studio.viewer.scene.built is before
    profile, plan = studio.panels["profile"], studio.panels["plan"]
    for name, panel in (("profile", profile), ("plan", plan)):  # tabs of one group: one is seen at a time
        studio.show_panel(name)
        qtbot.waitUntil(lambda panel=panel: panel.foreign, timeout=3000)
    assert np.array_equal(profile.curves.position, curves.position)
    banner = studio.panels.holders["plan"].findChild(Banner)
    qtbot.waitUntil(banner.isVisible, timeout=3000)
    assert banner.text.text() == view.text.text()
    # the count in the status line is red, and a click on it shows the list
    assert status.text() == "1 error"
    assert status.property("role") == "bad"
    QTest.mouseClick(status, LEFT)
    settle()
    panel = studio.panels["problems"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0 and panel.table.isVisible(), timeout=3000)
    assert panel.table.item(0, 3).text() != ""  # its place
    # a click on it selects the point it names and brings its place into the picture
    focus = np.array(studio.viewer.scene.rig.focus)
    QTest.mouseClick(
        panel.table.viewport(), LEFT, pos=panel.table.visualItemRect(panel.table.item(0, 0)).center()
    )
    settle()
    assert document.selection == Selection("points", ("climb",), (0,))
    assert not np.allclose(studio.viewer.scene.rig.focus, focus)
    tree = studio.panels["tree"]
    assert tree.node_at("section", "climb").toolTip(0).startswith("Section 'climb', point 1")
    # what a crash leaves behind is shown like that as well, with the shape of the file
    whole, file = document.project, tmp_path / "good.ridewright"
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: not view.isVisible(), timeout=3000)
    save_project(document.project, file)
    document.recover(whole, file)
    qtbot.waitUntil(view.isVisible, timeout=3000)
    qtbot.waitUntil(
        lambda: studio.viewer.scene.built is not None and studio.viewer.scene.foreign, timeout=3000
    )
    assert document.last_good.length == pytest.approx(before.length)
    # another project has nothing of it
    document.start_from(new_project())
    qtbot.waitUntil(lambda: not view.isVisible(), timeout=3000)
    assert document.last_good is not before
    # and one that begins with such a track draws no shape of the one before
    studio.show_panel("profile")
    document.start_from(whole)
    qtbot.waitUntil(lambda: "nothing can be drawn" in view.text.text(), timeout=3000)
    qtbot.waitUntil(lambda: studio.viewer.scene.built is None and profile.curves is None, timeout=3000)


def test_that_runs_of_an_older_design_carry_a_badge_and_new_leaves_nothing_behind(
    qtbot, studio: MainWindow, wait_for_run, unexpected
) -> None:
    document = studio.document
    short = replace_ride(document.project, end_place=20.0)
    document.apply("Short", short)
    choose(studio, "Run", "Run")
    wait_for_run(studio.runner)
    view = studio.banners.view
    settle()
    assert not view.isVisible()
    document.apply("Faster", replace_ride(short, end_place=20.0, speed=26.5))
    qtbot.waitUntil(view.isVisible, timeout=3000)
    assert "Run 1: of an older design" in view.text.text()
    assert view.button.text() == "Run again"
    for name in OF_RUNS:  # the view says it once for all panels beside it
        studio.panels[name]
        studio.show_panel(name)
        banner = studio.panels.holders[name].findChild(Banner)
        assert banner.isHidden()
    dock = studio.docks[name]
    dock.setFloating(True)  # in a window of its own it says so itself
    qtbot.waitUntil(banner.isVisible, timeout=3000)
    assert banner.button.text() == "Run again"
    dock.setFloating(False)
    qtbot.waitUntil(banner.isHidden, timeout=3000)
    QTest.mouseClick(view.button, LEFT)
    settle()
    # while it is computed its panels say so, and nothing asks to run again
    assert banner.text.text().startswith("Run 2 is being computed. Until then Run 1 is shown.")
    assert banner.button.text() == "Show progress"
    assert not view.isVisible()
    QTest.mouseClick(banner.button, LEFT)
    settle()
    assert studio.panels["run"].isVisible()
    wait_for_run(studio.runner)
    assert document.current_run.name == "Run 2"
    assert document.compared == (document.runs[0],)  # which is of an older design, as it should be
    qtbot.waitUntil(lambda: not view.isVisible() and banner.isHidden(), timeout=3000)
    document.undo_stack.undo()  # the run before is of this design: it is offered, and nothing is run
    qtbot.waitUntil(view.isVisible, timeout=3000)
    assert view.text.text() == "Run 2: of another design. Run 1 is of the present one."
    assert view.button.text() == "Show Run 1"
    QTest.mouseClick(view.button, LEFT)
    assert document.current_run is document.runs[0]
    assert not studio.runner.running
    qtbot.waitUntil(lambda: not view.isVisible(), timeout=3000)
    document.undo_stack.redo()
    qtbot.waitUntil(lambda: view.button.text() == "Show Run 2", timeout=3000)
    document.show_run(document.runs[1])
    qtbot.waitUntil(lambda: not view.isVisible(), timeout=3000)
    # New: no run, no curve, no selection, no status of the project before
    document.select(Selection("section", ("climb",)))
    studio.playback.seek(0.3)
    loads = studio.panels["loads"]
    studio.show_panel("loads")
    document.new()
    qtbot.waitUntil(lambda: loads.pages.currentIndex() == 0, timeout=3000)
    assert document.runs == ()
    assert document.selection == Selection()
    assert studio.playback.time == 0.0
    assert studio.status.currentMessage() == ""
    assert studio.panels["run"].state.text() != "Run 2: The run reached its end."
    assert all(problem.source != "Run" for problem in document.problems)


def replace_ride(project, **fields):
    """The project with other fields of its ride."""
    ride = Ride.model_validate({**dict(project.scenario), **fields})
    return project.model_copy(update={"scenario": ride})


def test_that_losses_and_start_are_one_and_others_are_told_with_a_way_back(qtbot, studio: MainWindow) -> None:
    document = studio.document
    choose(studio, "File", "New")
    qtbot.waitUntil(lambda: document.project.name == "New coaster", timeout=5000)
    tree, inspector = studio.panels["tree"], studio.panels["inspector"]
    click_row(tree.tree, "Train")
    type_into(inspector, "Rolling resistance", "0.02")
    assert all(
        force.coefficient == 0.02
        for force in document.project.train.children[0].forces
        if force.kind == "rolling_resistance"
    )
    studio.show_panel("problems")
    panel = studio.panels["problems"]
    document.apply("Typed", set_point_ride(document.project, {"speed": 3.0, "mu": 0.001}))
    qtbot.waitUntil(lambda: len([p for p in document.problems if p.fix is not None]) >= 2, timeout=5000)
    told = {p.fix.label: p.text for p in document.problems if p.fix is not None}
    assert "with 3.00 m/s" in told["Start the preview as the run"]
    assert "0.001" in told["Take the losses of the train"]
    for label in ("Start the preview as the run", "Take the losses of the train"):
        qtbot.waitUntil(lambda label=label: any(b.text() == label for b in buttons(panel)), timeout=5000)
        QTest.mouseClick(next(b for b in buttons(panel) if b.text() == label), LEFT)
        settle()
        assert document.undo_stack.undoText() == label
    qtbot.waitUntil(lambda: all(p.fix is None for p in document.problems), timeout=5000)


def buttons(panel) -> list:
    """The ways out that are offered."""
    every = [panel.table.cellWidget(row, 1) for row in range(panel.table.rowCount())]
    return [button for button in every if button is not None]


def test_that_a_track_that_can_be_built_again_within_a_drag_is_drawn_anew(
    studio: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back where it was, line and ride are those that are drawn: only the grey has to go."""
    document, viewer = studio.document, studio.viewer
    good = document.project
    climb = good.track.sections[1].points
    place = {"x": climb[0].x, "y": climb[0].y, "z": climb[0].z}
    document.preview(good.model_copy(update={"notes": "dragged"}))
    viewer.finish_pending()
    document.preview(point_edits.set_points(good, "climb", [1], place))
    viewer.finish_pending()
    assert viewer.scene.foreign
    drawn: list[bool] = []
    redraw = viewer.plotter.redraw
    monkeypatch.setattr(viewer.plotter, "redraw", lambda: (drawn.append(viewer.scene.foreign), redraw()))
    document.preview(good.model_copy(update={"notes": "dragged back"}))
    viewer.finish_pending()
    assert drawn
    assert not drawn[-1]
    document.preview(None)
