"""End to end on the real window, with mouse and keyboard: the loop that matters, and what may go wrong in it."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from ridewright.app.document.document import Selection
from ridewright.app.shell.application import offer_recovery
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import dialogs
from ridewright.app.work.runner import Runner
from ridewright.core.base.errors import InputError
from ridewright.core.edits import elements, new_elements, points, train
from ridewright.core.project.project import Project, load_project

ROOT = Path(__file__).parents[3]
Wait = Callable[[Runner], None]
LEFT = Qt.MouseButton.LeftButton


def press(
    window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """A key for the window: nothing that is typed into has the focus."""
    window.setFocus()
    QTest.keyClick(window, key, modifiers)


def drag(widget: QWidget, start: QPointF, end: QPointF, steps: int = 6) -> None:
    """Press, move in steps, release."""

    def send(kind: QMouseEvent.Type, place: QPointF, held: Qt.MouseButton) -> None:
        button = LEFT if kind != QMouseEvent.Type.MouseMove else Qt.MouseButton.NoButton
        where = QPointF(widget.mapToGlobal(place.toPoint()))
        QApplication.sendEvent(
            widget, QMouseEvent(kind, place, where, button, held, Qt.KeyboardModifier.NoModifier)
        )
        QApplication.processEvents()

    send(QMouseEvent.Type.MouseButtonPress, start, LEFT)
    for k in range(1, steps + 1):
        send(QMouseEvent.Type.MouseMove, start + (end - start) * (k / steps), LEFT)
    send(QMouseEvent.Type.MouseButtonRelease, end, Qt.MouseButton.NoButton)


def on_screen(window: MainWindow, section: str, index: int) -> QPointF:
    """Where a control point is drawn, in pixels of the view."""
    track = window.document.project.track
    assert track is not None
    point = next(s for s in track.sections if s.name == section).points[index]
    (x, y), *_ = window.viewer.world_to_screen(np.array([point.position]))
    return QPointF(float(x), float(y))


def click_tree(window: MainWindow, *key: str) -> None:
    """Click a row of the project tree."""
    tree = window.panels["tree"].tree
    item = window.panels["tree"].node_at(*key)
    assert item is not None
    tree.scrollToItem(item)
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualItemRect(item).center())


def moved(before: Project, after: Project) -> int:
    """How many control points differ between two projects of equal layout."""
    assert before.track is not None
    assert after.track is not None
    pairs = zip(before.track.sections, after.track.sections, strict=True)
    return sum(a != b for one, other in pairs for a, b in zip(one.points, other.points, strict=True))


def test_that_the_loop_that_matters_goes_round(
    qtbot, studio: MainWindow, wait_for_run: Wait, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    document, playback, runner = studio.document, studio.playback, studio.runner

    # 1. the example is open, the train stands on the track
    assert document.project.name == "Looping Star"
    assert not studio.viewer.picture().isNull()

    # 2. F5: the curve grows while it runs
    lengths: list[int] = []
    runner.partial.connect(lambda curve: lengths.append(len(curve.time)))
    press(studio, Qt.Key.Key_F5)
    assert runner.running
    wait_for_run(runner)
    assert len(lengths) > 2
    assert lengths[-1] > lengths[0]
    assert document.current_run is not None
    assert document.current_run.results.status.complete
    first = document.current_run

    # 3. Space plays; the cursor runs, the camera sits in the rider's head
    press(studio, Qt.Key.Key_3)
    assert studio.viewer.camera == "ride"
    studio.show_panel("loads")
    press(studio, Qt.Key.Key_Space)
    assert playback.playing
    qtbot.waitUntil(lambda: playback.time > 0.2, timeout=10_000)
    press(studio, Qt.Key.Key_Space)
    assert not playback.playing

    # 4. the injury panel: click the worst line, time and place are there
    studio.show_panel("injury")
    injury = studio.panels["injury"]
    qtbot.waitUntil(lambda: injury.model.rowCount() > 0, timeout=60_000)
    index = injury.model.index(0, 0)
    QTest.mouseClick(injury.table.viewport(), LEFT, pos=injury.table.visualRect(index).center())
    row = injury.model.row(index)
    assert row is not None
    assert playback.time == pytest.approx(row.moment, abs=1e-6)
    assert document.selection.kind == "place"

    # 5. drag a point near it
    QTest.keyClick(studio, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert studio.workspaces.now.id == "design"
    press(studio, Qt.Key.Key_1)
    click_tree(studio, "section", "second hill")
    assert document.selection == Selection("section", ("second hill",))
    studio.viewer.frame_selection()
    QApplication.processEvents()
    studio.viewer.picture()
    before = document.project
    start = on_screen(studio, "second hill", 8)
    previews: list[object] = []
    document.preview_changed.connect(previews.append)
    drag(studio.viewer.plotter, start, start + QPointF(14.0, 3.0))
    assert sum(isinstance(project, Project) for project in previews) >= 3
    assert document.undo_stack.count() == 1
    assert moved(before, document.project) == 1
    assert document.is_stale(first)

    # 6. run again: both are there, the first is drawn over the second
    press(studio, Qt.Key.Key_F5)
    wait_for_run(runner)
    assert len(document.runs) == 2
    second = document.current_run
    assert second is not None
    assert document.compared == (first,)
    speeds = [run.results.channels["car/Car/speed"].values for run in (first, second)]
    size = min(len(speed) for speed in speeds)
    assert np.max(np.abs(speeds[0][:size] - speeds[1][:size])) > 1e-3
    studio.show_panel("injury")
    qtbot.waitUntil(lambda: injury.compared is first, timeout=60_000)

    # 7. what is to be handed on is written
    file = tmp_path / "summary.json"
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: file)
    studio.actions_table.by_id["export_summary"].trigger()
    assert json.loads(file.read_text())["status"]["name"] == second.results.status.name


def test_that_a_point_dragged_in_3d_comes_back_with_one_undo(qtbot, studio: MainWindow) -> None:
    document = studio.document
    click_tree(studio, "section", "loop")
    press(studio, Qt.Key.Key_F)
    QApplication.processEvents()
    studio.viewer.picture()
    before = document.project
    start = on_screen(studio, "loop", 7)
    drag(studio.viewer.plotter, start, start + QPointF(-12.0, 6.0), steps=10)
    assert moved(before, document.project) == 1
    assert document.undo_stack.count() == 1
    assert document.selection == Selection("points", ("loop",), (7,))
    press(studio, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.project == before
    QApplication.processEvents()
    press(studio, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert moved(before, document.project) == 1


def test_that_a_drag_taken_back_by_escape_leaves_no_step(qtbot, studio: MainWindow) -> None:
    document, view = studio.document, studio.viewer.plotter
    click_tree(studio, "section", "loop")
    press(studio, Qt.Key.Key_F)
    QApplication.processEvents()
    studio.viewer.picture()
    before = document.project
    place = on_screen(studio, "loop", 7).toPoint()
    QTest.mousePress(view, LEFT, pos=place)
    for k in range(1, 5):
        there = QPointF(place + QPoint(5 * k, 0))
        globally = QPointF(view.mapToGlobal(there.toPoint()))
        move = QMouseEvent(
            QMouseEvent.Type.MouseMove,
            there,
            globally,
            Qt.MouseButton.NoButton,
            LEFT,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(view, move)
    QApplication.processEvents()
    assert document.previewed is not None
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=place + QPoint(20, 0))
    assert document.previewed is None
    assert document.project is before
    assert document.undo_stack.count() == 0


def test_that_a_stiffness_edited_in_the_tree_changes_the_run(
    qtbot, studio: MainWindow, wait_for_run: Wait
) -> None:
    document = studio.document
    ride = document.project.scenario.model_copy(update={"duration": 6.0})
    document.apply("Shorten", document.project.model_copy(update={"scenario": ride}))
    press(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    force = next(f for f in document.project.train.children[0].forces if getattr(f, "stiffness", 0.0) > 0.0)
    parent = studio.panels["tree"].node_at("force", "Car", force.name).parent()
    parent.setExpanded(True)
    click_tree(studio, "force", "Car", force.name)
    assert document.selection == Selection("force", ("Car", force.name))
    inspector = studio.panels["inspector"]
    qtbot.waitUntil(
        lambda: force.name in [line.text() for line in inspector.findChildren(QLineEdit)], timeout=5000
    )
    line = inspector.entry("stiffness").findChild(QLineEdit)
    QTest.mouseClick(line, LEFT)
    line.selectAll()
    shown = f"{force.stiffness / 4.0:.0f}"
    QTest.keyClicks(line, shown)
    QTest.keyClick(line, Qt.Key.Key_Return)
    changed = next(f for f in document.project.train.children[0].forces if f.name == force.name)
    assert changed.stiffness == pytest.approx(float(shown))
    press(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    first, second = document.runs
    loads = [run.results.channels["rider/Car/Rider/head/acceleration"].values for run in (first, second)]
    size = min(map(len, loads))
    assert np.max(np.abs(loads[0][:size] - loads[1][:size])) > 1e-4


def test_that_a_stopped_run_plays_what_there_is(qtbot, studio: MainWindow, wait_for_run: Wait) -> None:
    def stop(fraction: float, *_: object) -> None:
        if fraction > 0.3:
            studio.runner.progressed.disconnect(stop)  # the window goes on to the next test
            press(studio, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)

    studio.runner.progressed.connect(stop)
    press(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    run = studio.document.current_run
    assert run is not None
    assert run.results.status.name == "stopped"
    assert "Stopped" in studio.log_panel.text.toPlainText()
    assert studio.playback.duration == pytest.approx(run.duration)
    assert 5.0 < run.duration < 38.0
    press(studio, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert studio.playback.time == studio.playback.duration
    press(studio, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    press(studio, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.playback.time > 0.1, timeout=10_000)
    assert not studio.viewer.picture().isNull()


def test_that_a_run_that_fails_is_a_problem_and_the_window_goes_on(
    qtbot, studio: MainWindow, wait_for_run: Wait
) -> None:
    document = studio.document
    ride = document.project.scenario.model_copy(update={"start": 700.0, "end_place": 600.0, "speed": -1.0})
    document.apply("Spoil", document.project.model_copy(update={"scenario": ride}))
    press(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    assert document.runs == ()
    (problem,) = [p for p in document.problems if p.source == "Run"]
    assert problem.severity == "error"
    assert problem.text.endswith(".")
    document.undo_stack.undo()
    press(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    assert len(document.runs) == 1
    # the error is gone, and preview and run agree
    run = document.runs[0]
    assert run.results.status.name == "done"
    qtbot.waitUntil(lambda: studio.finder.looked_at is run, timeout=10_000)
    (note,) = [p for p in document.problems if p.source == "Run"]  # of the free hands of the thesis' rider
    assert (note.severity, note.text.partition(" '")[0]) == ("note", "Nothing holds the joint")


def test_that_what_speaks_against_the_shown_run_is_a_problem_with_its_place(
    qtbot, studio: MainWindow, wait_for_run: Wait
) -> None:
    document = studio.document
    short = document.project.scenario.model_copy(update={"duration": 1.0, "end_place": None})
    document.apply("Shorten", document.project.model_copy(update={"scenario": short}))
    press(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    sound = document.current_run
    assert sound is not None
    ledger, time = sound.results.energy, sound.results.states.time
    spoilt = replace(ledger, dissipated=ledger.dissipated - 0.1 * ledger.kinetic[0] * time)
    document.add_run(replace(sound, name="Spoilt", results=replace(sound.results, energy=spoilt)))
    qtbot.waitUntil(lambda: studio.finder.looked_at is document.current_run, timeout=10_000)
    (problem,) = [p for p in document.problems if p.source == "Run"]
    assert problem.severity == "warning"
    assert "The numerics lost" in problem.text
    assert problem.s is not None
    assert problem.where == Selection("place", s=problem.s)
    document.show_run(sound)
    assert [p for p in document.problems if p.source == "Run"] == []
    qtbot.waitUntil(lambda: studio.finder.looked_at is sound, timeout=10_000)
    assert [p for p in document.problems if p.source == "Run"] == []


KILLED = """
    import sys
    from pathlib import Path
    from PySide6.QtCore import QTimer
    from ridewright.app.shell.application import make_application, make_window
    from ridewright.app.widgets.settings import Settings
    from ridewright.core.edits.points import move_points

    application = make_application(["ridewright"])
    settings = Settings(Path(sys.argv[1]))
    settings.recovery_seconds = 0.1
    window, _ = make_window(settings)
    window.show()

    def work():
        document = window.document
        document.apply("Move", move_points(document.project, "curve 3", [10], (0.0, 0.0, 0.5)))
        document.apply("Move", move_points(document.project, "curve 3", [11], (0.0, 0.0, 0.5)))

    def tell():
        if window.recovery.file.exists():
            print("written", flush=True)
        else:
            QTimer.singleShot(50, tell)

    QTimer.singleShot(0, work)
    QTimer.singleShot(200, tell)
    application.exec()
"""


def test_that_the_work_of_a_killed_studio_comes_back(
    qtbot, studio: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = studio.document
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), str(studio.settings.folder)],
        cwd=ROOT,
        env=dict(os.environ),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process, process.stdout:
        assert process.stdout.readline() == "written\n"
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    expected = points.move_points(document.project, "curve 3", [10], (0.0, 0.0, 0.5))
    expected = points.move_points(expected, "curve 3", [11], (0.0, 0.0, 0.5))
    monkeypatch.setattr(dialogs, "ask", lambda *_: True)
    offer_recovery(studio)
    assert document.project == expected
    assert document.is_modified
    assert studio.isWindowModified()


EDITS = (
    "insert_point",
    "duplicate_points",
    "delete_points",
    "split_section",
    "make_element",
    "join_section",
    "reverse_track",
    "toggle_closed",
    "undo",
    "undo",
    "redo",
)


def _random_selection(random_: random.Random, project: Project) -> Selection:
    assert project.track is not None
    section = random_.choice(project.track.sections)
    count = len(section.points)
    some = random_.sample(range(count), random_.randint(1, min(3, count)))
    return Selection("points", (section.name,), tuple(sorted(some)))


def _train_edit(random_: random.Random, project: Project) -> tuple[str, Project]:
    """An edit of train, car, body, joint, spring or rider; raises InputError where it is not possible."""
    assert project.train is not None
    car = random_.choice(project.train.children)
    what = random_.choice(("body", "force", "joint", "rename", "delete", "duplicate", "add", "car", "rider"))
    if what == "body":
        body = random_.choice(car.bodies)
        mass = {"mass": body.mass * random_.uniform(0.8, 1.25)}
        return "Change mass", elements.set_element(project, "body", (car.name, body.name), mass)
    if what == "force":
        springs = [f for f in car.forces if getattr(f, "stiffness", 0.0) > 0.0]
        if not springs:
            raise InputError("no spring")
        spring = random_.choice(springs)
        softer = {"stiffness": spring.stiffness * random_.uniform(0.5, 2.0)}
        return "Change stiffness", elements.set_element(project, "force", (car.name, spring.name), softer)
    kind = random_.choice(("body", "joint", "force", "seat"))
    owned = elements.elements_of(car, kind)
    if not owned:
        raise InputError("nothing of this kind")
    path = (car.name, random_.choice(owned).name)
    if what == "rename":
        return "Rename", elements.rename_element(project, kind, path, f"{path[1]} {random_.randrange(9)}")[0]
    if what == "delete":
        return "Delete", elements.delete_element(project, kind, path)
    if what == "duplicate":
        return "Duplicate", elements.duplicate_element(project, kind, path)[0]
    if what == "joint":
        return "Move down", elements.move_element(project, kind, path, random_.randrange(len(owned)))
    if what == "add":
        return "Add body", elements.add_element(project, "body", (car.name,), new_elements.new_body(car))[0]
    if what == "rider":
        return "Add rider", train.insert_rider(project, (car.name,), "viegas2016")[0]
    if len(project.train.children) > 2:
        return "Delete car", elements.delete_element(project, "assembly", (car.name,))
    return "Add car", elements.duplicate_element(project, "assembly", (car.name,))[0]


def _random_action(random_: random.Random, studio: MainWindow) -> None:
    document = studio.document
    kind = random_.randrange(7)
    if kind >= 5:
        with contextlib.suppress(InputError):
            document.apply(*_train_edit(random_, document.project))
        cars = () if document.project.train is None else document.project.train.children
        if cars and random_.random() < 0.3:
            car = random_.choice(cars)
            document.select(Selection("body", (car.name, random_.choice(car.bodies).name)))
        return
    if kind <= 1:
        document.select(_random_selection(random_, document.project))
    elif kind == 2 and document.selection.kind == "points":
        section, chosen = document.selection.path[0], document.selection.indices
        by = tuple(random_.uniform(-0.2, 0.2) for _ in range(3))
        changed = points.move_points(document.project, section, chosen, by)
        merge = random_.choice(("nudge", None))
        document.preview(changed)
        document.apply("Move points", changed, merge=merge)
    elif kind == 3:
        settings = document.project.settings.model_copy(update={"tolerance": 10 ** random_.uniform(-6, -3)})
        document.apply("Change tolerance", document.project.model_copy(update={"settings": settings}))
    else:
        studio.refresh_actions()
        studio.actions_table.by_id[random_.choice(EDITS)].trigger()


@pytest.mark.parametrize(
    ("seed", "actions"),
    [(1, 50), *(pytest.param(seed, 200, marks=pytest.mark.nightly) for seed in (1, 2))],
)
def test_that_random_actions_undo_to_the_identical_project(
    qtbot, studio: MainWindow, unexpected: list[str], seed: int, actions: int, tmp_path: Path
) -> None:
    random_ = random.Random(seed)
    document = studio.document
    before = document.project
    dumped = before.model_dump_json()
    for number in range(actions):
        _random_action(random_, studio)
        if number % 20 == 0:
            QApplication.processEvents()
    assert document.undo_stack.count() > actions // 10
    after = document.project
    steps = document.undo_stack.index()
    for _ in range(steps):
        document.undo_stack.undo()
    assert document.project == before
    assert document.project.model_dump_json() == dumped
    for _ in range(steps):
        document.undo_stack.redo()
    assert document.project == after
    document.save_as(tmp_path / "after.ridewright")
    assert load_project(tmp_path / "after.ridewright") == after
    QApplication.processEvents()
