"""A train made, coupled, loaded, braked, run and taken back, with mouse and keyboard on the real window."""

from __future__ import annotations

import pytest
from mouse_and_keyboard import choose, settle, type_into
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QMenu, QToolButton

from ridewright.app.document.document import Selection
from ridewright.app.model_editor.tree import NAME, ROLE
from ridewright.app.train.make_train import LoadTrain, MakeTrain
from ridewright.app.view3d.actors import colour_of
from ridewright.app.view3d.coupling_layer import force_colour
from ridewright.app.view3d.picking import thing_at
from ridewright.app.widgets import theme
from ridewright.app.work.problem_finder import run_problems
from ridewright.core.edits.along_track import add_device
from ridewright.core.edits.changes import set_scenario, set_settings
from ridewright.core.project.examples import load_example
from tests.app.settling import until_drawn

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


def _braked_straight():
    project = load_example("straight")
    project, name = add_device(project, "trim_brake", "Straight", {"start": 30.0, "end": 70.0, "speed": 3.0})
    project = set_settings(project, {"sample_rate": 500.0})
    return set_scenario(project, {"start": 40.0, "duration": 0.6, "end_place": None}), name


def _dialog(qtbot, window, kind):
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(kind)), timeout=20_000)
    return next(d for d in window.findChildren(kind) if d.isVisible())


def _accept(dialog):
    button = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    assert button.isEnabled()
    QTest.mouseClick(button, LEFT)
    settle()


def _pick(gallery, text):
    item = next(gallery.item(k) for k in range(gallery.count()) if gallery.item(k).text() == text)
    gallery.scrollToItem(item)
    QTest.mouseClick(gallery.viewport(), LEFT, pos=gallery.visualItemRect(item).center())
    settle()


def _click_row(window, *key):
    tree = window.panels["tree"]
    item = tree.node_at(*key)
    assert item is not None, key
    parent = item.parent()
    while parent is not None:
        parent.setExpanded(True)
        parent = parent.parent()
    tree.tree.scrollToItem(item)
    QTest.mouseClick(tree.tree.viewport(), LEFT, pos=tree.tree.visualItemRect(item).center())
    settle()
    return item


def _menu_click(menu: QMenu, text: str) -> None:
    """Open a menu where it stands and click an entry."""
    action = next(a for a in menu.actions() if a.text() == text)
    menu.popup(menu.mapToGlobal(menu.rect().topLeft()))
    settle()
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    settle()
    menu.close()


def _make_uncoupled(qtbot, window):
    """Five cars that nothing joins, and their picture."""
    choose(window, "Train", "Make a train…")
    dialog = _dialog(qtbot, window, MakeTrain)
    _pick(dialog.trains, "Coaster train, 5 cars")
    assert (dialog.count.value(), dialog.seats.count.text()) == (5, "10 of 10 seats taken")
    _pick(dialog.couplers, "Not coupled")
    _accept(dialog)


def _couple(window):
    tree = window.panels["tree"]
    item = _click_row(window, "group", "coupling")
    menu = tree.menu_for(item.data(NAME, ROLE))
    _menu_click(menu, "Join the cars by sprung bar with slack")


def _load_left_half(qtbot, window):
    choose(window, "Train", "Load the cars…")
    dialog = _dialog(qtbot, window, LoadTrain)
    (left,) = [b for b in dialog.findChildren(QToolButton) if b.text() == "Left"]
    QTest.mouseClick(left, LEFT)
    (box,) = [b for b in dialog.findChildren(QCheckBox) if b.accessibleName() == "Row 5, Car 5, Right seat"]
    assert not box.isChecked()
    assert dialog.seats.count.text() == "5 of 10 seats taken"
    _accept(dialog)


def _brake_on_the_last(window, brake):
    _click_row(window, "device", brake)
    entry = window.panels["inspector"].entry("cars")
    _menu_click(entry.menu, "Car 5")
    assert entry.button.text() == "Car 5"


def test_that_a_train_is_made_coupled_loaded_braked_run_and_taken_back(
    qtbot, studio, wait_for_run, unexpected
) -> None:
    document, runner = studio.document, studio.runner
    before, brake = _braked_straight()
    document.start_from(before)
    settle()
    _make_uncoupled(qtbot, studio)
    train = document.project.train
    assert [car.name for car in train.children] == [f"Car {k}" for k in range(1, 6)]
    assert not train.couplings
    _couple(studio)
    assert len(document.project.train.couplings) == 4

    _click_row(studio, "coupling", "Coupling 4")
    inspector = studio.panels["inspector"]
    assert len(inspector._law.curves) == 1
    force = inspector._law.curves[0].force
    type_into(inspector, "Slack", "0.008")
    assert document.project.train.couplings[3].slack == pytest.approx(0.008)
    assert (inspector._law.curves[0].force == 0.0).sum() > (force == 0.0).sum()  # the plot follows the law
    type_into(inspector, "Rated force", "500")

    _load_left_half(qtbot, studio)
    assert [len(car.riders) for car in document.project.train.children] == [1] * 5
    _brake_on_the_last(studio, brake)
    assert document.project.track.devices[0].cars == ("Car 5",)

    studio.activateWindow()
    qtbot.waitUntil(studio.isActiveWindow, timeout=20_000)
    studio.setFocus()
    QTest.keyClick(studio, Qt.Key.Key_F5)
    assert runner.running
    wait_for_run(runner)
    run = document.current_run
    assert run is not None, (unexpected, document.problems)
    assert run.results.status.complete, run.results.status
    _at_the_peak(qtbot, studio)
    _colours_and_picks(qtbot, studio)
    assert any("Coupling 4" in problem.text for problem in run_problems(run))
    for _ in range(6):
        studio.setFocus()
        QTest.keyClick(studio, Qt.Key.Key_Z, CTRL)
    assert document.undo_stack.index() == 0
    assert document.project == before
    assert unexpected == []


def _at_the_peak(qtbot, window) -> None:
    """A click on the bar of the last coupling's largest tension: time and place are there."""
    window.show_panel("couplers")
    until_drawn(qtbot, window.panels["couplers"])
    chart, results = window.panels["couplers"].chart, window.document.current_run.results
    force = results.channels["coupling/Coupling 4/force"].values
    assert force.max() > 500.0  # the brake holds the last car back alone
    row = chart.forces.names.index("Coupling 4")
    QTest.mouseClick(chart, LEFT, pos=chart.bar_place(row, tension=True).toPoint())
    settle()
    k = int(force.argmax())
    assert window.playback.time == pytest.approx(results.sample_time[k], abs=1e-9)
    place = results.channels["car/Car 1/arc_length"].values[k]
    assert window.document.selection.kind == "place"
    assert window.document.selection.s == pytest.approx(place, abs=1e-6)


def _colours_and_picks(qtbot, window) -> None:
    """The pulled coupling is drawn in the colour of tension, and a click on it selects it."""
    layer, colours = window.viewer.scene.couplings, theme.current()
    qtbot.waitUntil(lambda: not window.viewer._due)  # so long a train has turns of its own
    drawn = next(one for one in layer._drawn if one.coupling.name == "Coupling 4")
    most = max(
        abs(window.document.current_run.results.channels[f"coupling/{n}/force"].values).max()
        for n in layer.names
    )
    wanted = force_colour(float(drawn.force.max()), float(most), colours)
    assert colour_of(drawn.actors[0]) == wanted
    window.document.select(Selection("coupling", ("Coupling 4",)))
    qtbot.waitUntil(lambda: not window.viewer._due)
    assert colour_of(drawn.actors[0]) == colours.highlight
    window.viewer.use_camera("side")
    window.viewer.frame_selection()
    settle()
    window.viewer.picture()
    centre, _ = layer.bounds("Coupling 4")
    x, y = window.viewer.world_to_screen(centre[None])[0]
    found = {
        thing_at(window.viewer.plotter, float(x + dx), float(y + dy)).path
        for dx in range(-6, 7, 2)
        for dy in range(-6, 7, 2)
    }
    assert ("Coupling 4",) in found
