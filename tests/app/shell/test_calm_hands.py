"""Mouse and keyboard in the window: keys mean the same everywhere, and nothing moves under the mouse."""

from __future__ import annotations

import math

import pytest
from mouse_and_keyboard import LEFT, at_rest, choose, click_row, line_of, settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialogButtonBox,
    QLineEdit,
    QPushButton,
    QStyleOptionViewItem,
    QToolButton,
)

from ridewright.app.document.document import Problem
from ridewright.app.document.runs import Run
from ridewright.app.document.selection import Selection
from ridewright.app.model_editor.tree import NAME, NOTE
from ridewright.app.plots.seats import _spots
from ridewright.app.run_panel.panel import RunPanel
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.preferences import Preferences
from ridewright.app.train.make_train import MakeTrain
from ridewright.app.view3d.coupling_layer import force_colour
from ridewright.app.widgets import theme
from ridewright.app.widgets.device_looks import device_colour
from ridewright.core.edits.along_track import add_device
from ridewright.core.edits.couplings import make_train
from ridewright.core.edits.points import set_points
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.track.devices import KINDS

SPACE = Qt.Key.Key_Space


def _messages(studio: MainWindow) -> tuple[str, ...]:
    return studio.panels["inspector"].messages.texts


# -- keys


def test_that_tab_goes_to_the_next_field_after_a_rename(qtbot, studio: MainWindow) -> None:
    studio.document.select(Selection("body", ("Car", "Carbody")))
    settle()
    inspector = studio.panels["inspector"]
    line = line_of(inspector, "Name")
    QTest.mouseClick(line, LEFT, pos=QPoint(8, line.height() // 2))
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(line, "Shell")
    after = line.nextInFocusChain()
    while after.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.NoFocus or not after.isVisible():
        after = after.nextInFocusChain()
    QTest.keyClick(line, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: studio.document.selection.path == ("Car", "Shell"), timeout=2000)
    settle(10)
    assert QApplication.focusWidget() is after
    assert inspector.isAncestorOf(after)
    # typing goes on there: to another number and with Tab to the next one
    QTest.keyClicks(QApplication.focusWidget(), "480")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    settle(5)
    assert studio.document.project.assembly.every("body")["Car/Shell"].mass == 480.0
    assert inspector.isAncestorOf(QApplication.focusWidget())


def test_that_the_focus_stays_in_a_field_whose_choice_brings_others(qtbot, studio: MainWindow) -> None:
    studio.document.select(Selection("joint", ("Car", "Rider", "Right knee")))
    settle()
    inspector = studio.panels["inspector"]
    box = inspector.entry("kind").box
    box.setFocus()
    for _ in range(box.count()):  # to a kind without axes, which is another page
        QTest.keyClick(box, Qt.Key.Key_Down)
        settle()
        box = inspector.entry("kind").box
        assert QApplication.focusWidget() is box
        if box.currentData() == "spherical":
            break
    else:
        pytest.fail("no spherical joint")


def test_that_space_plays_whatever_has_the_focus_and_text_takes_it(
    qtbot, studio: MainWindow, short_run: Run
) -> None:
    studio.document.start_from(short_run.project)
    studio.document.add_run(short_run)
    settle()
    playback, strip = studio.playback, studio.strip
    studio.show_panel("injury")
    loop, rate = strip.loop, strip.rate
    QTest.mouseClick(loop, LEFT)
    assert playback.loop is not None
    QTest.mouseClick(loop, LEFT)
    for widget in (loop, rate, strip.to_end, studio.panels["tree"].tree, studio.panels["tree"].add):
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus, timeout=2000)
        QTest.keyClick(widget, SPACE)
        assert playback.playing, widget
        assert playback.loop is None
        QTest.keyClick(widget, SPACE)
        assert not playback.playing, widget
        playback.seek(0.0)
    # Enter is the key for a button that has the focus
    strip.to_end.setFocus()
    QTest.keyClick(strip.to_end, Qt.Key.Key_Return)
    assert playback.time == pytest.approx(playback.duration)
    # a blank that is typed is a blank
    studio.workspaces.go("design")
    studio.document.select(Selection("body", ("Car", "Carbody")))
    settle()
    line = line_of(studio.panels["inspector"], "Name")
    line.setFocus()
    QTest.keyClick(line, SPACE)
    assert line.text() == " Carbody"
    assert not playback.playing


def test_that_space_presses_no_button_while_there_is_nothing_to_play(qtbot, studio: MainWindow) -> None:
    pressed: list[str] = []
    bar = studio.tool_bar
    buttons = [b for b in bar.findChildren(QToolButton) if b.isVisible() and b.isEnabled()]
    for button in buttons:
        button.clicked.connect(lambda _=False, b=button: pressed.append(b.text()))
    for button in buttons[:4]:
        button.setFocus()
        QTest.keyClick(button, SPACE)
    settle()
    assert pressed == []
    assert not studio.playback.playing


def test_that_enter_in_preferences_does_not_clear_the_recent_files(
    qtbot, studio: MainWindow, settings, tmp_path
) -> None:
    path = tmp_path / "a.ridewright"
    path.write_text("{}")
    settings.add_recent(path)
    dialog = Preferences(settings, studio)
    dialog.show()
    qtbot.waitUntil(dialog.isVisible)
    field = dialog.recovery.findChild(QLineEdit)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle()
    assert list(settings.recent_files) == [path]
    assert [b.text() for b in dialog.findChildren(QPushButton) if b.isDefault()] in (["Close"], ["&Close"])
    dialog.close()


def _picture(button: QAbstractButton) -> QImage:
    settle()
    return button.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def _differ(a: QImage, b: QImage) -> float:
    """Share of the pixels that differ."""
    pixels = [(x, y) for x in range(a.width()) for y in range(a.height())]
    return sum(a.pixel(x, y) != b.pixel(x, y) for x, y in pixels) / len(pixels)


@pytest.mark.parametrize("name", ["dark", "light"])
def test_that_the_focus_does_not_look_like_checked(qtbot, qapp, name: str) -> None:
    theme.apply(qapp, name)
    for kind in (QToolButton, QPushButton):
        button, other = kind(), QLineEdit()
        qtbot.addWidget(button)
        qtbot.addWidget(other)
        button.setText("Loop")
        button.setCheckable(True)
        for widget in (other, button):
            widget.show()
        button.activateWindow()
        qtbot.waitUntil(button.isActiveWindow, timeout=5000)
        button.clearFocus()
        plain = _picture(button)
        button.setFocus()
        focused = _picture(button)
        button.setChecked(True)
        both = _picture(button)
        button.clearFocus()
        checked = _picture(button)
        # a ring for the focus, another ground for a button that is on
        assert 0.0 < _differ(plain, focused) < 0.25
        assert _differ(plain, checked) > 0.5
        assert _differ(focused, checked) > 0.5
        assert 0.0 < _differ(checked, both) < 0.25
    theme.apply(qapp, "dark")


@pytest.mark.parametrize("colours", [theme.DARK, theme.LIGHT], ids=lambda one: one.name)
def test_that_no_device_looks_selected_or_beyond_a_limit(colours: theme.Colours) -> None:
    """A lift was as yellow as the section beside it that is selected, a brake as red as what exceeds a limit."""

    def apart(one: str, other: str) -> float:
        a, b = ([int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in (one, other))
        return math.dist(a, b) / 255.0

    for kind in KINDS:
        colour = device_colour(kind, colours)
        assert min(apart(colour, colours.highlight), apart(colour, colours.bad)) > 0.25, kind
    assert len({device_colour(kind, colours) for kind in KINDS}) == len(KINDS)


# -- what moves


def test_that_a_warning_does_not_move_the_field_under_the_mouse(qtbot, studio: MainWindow) -> None:
    path = ("Car", "Carbody")
    studio.document.select(Selection("body", path))
    settle()
    inspector = studio.panels["inspector"]
    lines = [line for row in inspector.rows for line in row.entry.findChildren(QLineEdit) if line.isVisible()]
    places = [line.mapToGlobal(QPoint()) for line in lines]
    room = inspector.viewport().size()
    problem = Problem("warning", "this carbody is very light for what it carries", Selection("body", path))
    studio.document.set_problems("Test", (problem,))
    settle()
    assert _messages(studio) == (problem.text,)
    mass = line_of(inspector, "Mass")
    mass.setFocus()
    mass.selectAll()
    QTest.keyClicks(mass, "much")
    # the click on the next field ends the typing; what is under the mouse stays there
    QTest.mousePress(lines[3], LEFT, pos=QPoint(5, 5))
    settle()
    assert len(_messages(studio)) == 2
    assert "'much' is not a number" in _messages(studio)[0]
    assert [line.mapToGlobal(QPoint()) for line in lines] == places
    QTest.mouseRelease(lines[3], LEFT, pos=QPoint(5, 5))
    assert lines[3].hasFocus()
    studio.document.set_problems("Test", ())
    settle()
    assert [line.mapToGlobal(QPoint()) for line in lines] == places
    assert inspector.viewport().size() == room


def test_that_a_banner_does_not_move_the_rows_above_it(qtbot, studio: MainWindow) -> None:
    studio.show_panel("points")
    points = studio.panels["points"]
    settle()
    place = points.mapToGlobal(QPoint())
    project = studio.document.project
    climb = project.track.sections[1].points  # point 2 comes to lie on point 1: no track can be built
    studio.document.apply(
        "Move", set_points(project, "climb", [1], {"x": climb[0].x, "y": climb[0].y, "z": climb[0].z})
    )
    qtbot.waitUntil(studio.banners._panels["points"].isVisible, timeout=3000)
    assert points.mapToGlobal(QPoint()) == place


# -- the tree


@pytest.mark.parametrize("width", [180, 240, 400])
def test_that_names_win_over_counts_and_markers_at_every_width(qtbot, studio: MainWindow, width: int) -> None:
    project = studio.document.project
    name = project.track.sections[1].name
    with_devices, _ = add_device(project, "chain_lift", name)
    studio.document.apply("Add lift", with_devices)
    settle()
    panel = studio.panels["tree"]
    tree = panel.tree
    tree.setFixedWidth(width)
    click_row(tree, "Track", "Lifts, launches, brakes")
    settle(5)
    delegate, cut, said = tree.itemDelegateForColumn(NAME), [], []
    walk = [tree.topLevelItem(k) for k in range(tree.topLevelItemCount())]
    while walk:
        item = walk.pop()
        walk += [item.child(k) for k in range(item.childCount())]
        index = tree.indexFromItem(item, NAME)
        row = tree.visualItemRect(item)
        if row.isEmpty():
            continue
        option = QStyleOptionViewItem()
        tree.initViewItemOption(option)
        option.rect = tree.visualRect(index)
        text = item.text(NAME)
        left, letters = delegate.name_left(option, index), tree.fontMetrics().horizontalAdvance(text)
        room, note = delegate.note(option, index)
        # the whole name, or all of the row for it
        assert left + letters <= (room.left() if note else max(row.right() + 1, left + letters))
        assert tree.columnWidth(NAME) == tree.viewport().width()
        cut += [text] if left + letters > row.right() + 1 else []
        said += [note] if item.text(NOTE) and note == item.text(NOTE) else []
    assert said  # where there is room the counts are there
    if width >= 240:
        assert cut == []
    tree.setMinimumWidth(0)
    tree.setMaximumWidth(16777215)


# -- runs and contacts


def test_that_dragging_in_the_run_table_is_safe_when_the_runs_are_gone(
    qtbot, document, runner, settings, short_run: Run
) -> None:
    document.start_from(short_run.project)
    for k in range(5):
        document.add_run(Run(f"Run {k + 1}", short_run.results, short_run.project))
    panel = RunPanel(document, runner, settings)
    qtbot.addWidget(panel)
    panel.resize(900, 300)
    panel.show()
    qtbot.waitUntil(lambda: panel.table.rowCount() == 5, timeout=5000)
    table = panel.table
    first, last = (table.visualRect(table.model().index(k, 0)).center() for k in (0, 4))
    QTest.mousePress(table.viewport(), LEFT, pos=last)
    document.start_from(short_run.project)  # the rows follow in a moment
    for share in range(11):
        QTest.mouseMove(table.viewport(), last + (first - last) * share / 10)
    QTest.mouseRelease(table.viewport(), LEFT, pos=first)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: table.rowCount() == 0, timeout=5000)
    assert document.current_run is None


def test_that_the_name_of_a_run_is_not_cut_where_there_is_room(
    qtbot, studio: MainWindow, short_run: Run
) -> None:
    studio.document.add_run(short_run)  # of another project, so it is older
    table = studio.panels["run"].table
    for workspace, hidden in (("run", True), ("study", False)):  # in the column, and as wide as the window
        studio.workspaces.go(workspace)
        studio.show_panel("run")
        qtbot.waitUntil(lambda: table.rowCount() == 1 and "(older)" in table.item(0, 0).text(), timeout=5000)
        at_rest(studio, table)
        assert table.columnWidth(0) >= table.sizeHintForColumn(0)
        widths = [table.columnWidth(k) for k in range(8) if not table.isColumnHidden(k)]
        assert table.horizontalScrollBar().maximum() == 0, (widths, table.viewport().width())
        said = table.fontMetrics().horizontalAdvance("4 of 94 checks")
        assert table.columnWidth(7) >= said  # what it did to its riders is seen
        assert table.isColumnHidden(3) is hidden
        assert "Peak Gz" in table.item(0, 0).toolTip()  # what is left out is told there


def test_that_a_click_on_a_pair_of_surfaces_marks_both_bodies(qtbot, studio: MainWindow) -> None:
    studio.document.start_from(load_example("bouncing_ball"))
    studio.show_panel("contacts")
    panel = studio.panels["contacts"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=10_000)
    table = panel.table
    table.clearSelection()
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(0, 0)).center())
    settle()
    assert studio.document.selection == Selection("force", ("Contact",))
    assert studio.viewer._highlight._names == {"Ball"}  # the other side is the ground
    choose(studio, "View", "Frame selection")
    settle()


# -- trains


def test_that_make_a_train_lets_one_choose_what_the_couplings_pull(qtbot, studio: MainWindow) -> None:
    choose(studio, "Train", "Make a train…")
    (dialog,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, MakeTrain) and w.isVisible()]
    assert dialog.attach.currentText() == "Frame (carries the running gear)"
    box = dialog.attach
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    settle()
    assert box.currentData() == "Carbody"
    assert {end.partition("/")[2] for end in _ends(dialog.proposal)} == {"Carbody"}
    QTest.keyClick(box, Qt.Key.Key_Up)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    QTest.mouseClick(ok, LEFT)
    settle()
    assert {end.partition("/")[2] for end in _ends(studio.document.project)} == {"Frame"}


def _ends(project: Project | None) -> set[str]:
    assert project is not None
    assert project.train is not None
    return {end for c in project.train.couplings for end in (c.body_i, c.body_j)}


def test_that_seats_of_a_train_stand_in_rows_from_the_front_and_none_over_another() -> None:
    project = load_example("looping_star")
    assert project.train is not None
    made = make_train(project, project.train.children[0], 3, None, "ball_drawbar")
    assert made.train is not None
    names = [*made.train.every("seat")]
    assert len(names) == 6
    spots = _spots(Run("Run 1", None, made), names, {})  # type: ignore[arg-type]
    places = {spot.seat: (spot.x, spot.y) for spot in spots}
    assert len({(round(x, 2), round(y, 2)) for x, y in places.values()}) == 6
    # the front at the left, where y is larger; both seats of a row side by side, the left one below
    along = [min(places[n][1] for n in names if n.startswith(f"Car {k}/")) for k in (1, 2, 3)]
    assert along == sorted(along, reverse=True)
    for k in (1, 2, 3):
        left, right = (next(n for n in names if n == f"Car {k}/{side} seat") for side in ("Left", "Right"))
        assert places[left][1] == places[right][1]
        assert places[left][0] < places[right][0]


def test_that_the_colours_of_a_coupling_are_no_verdict() -> None:
    for colours in (theme.DARK, theme.LIGHT):
        verdicts = {colours.good, colours.warn, colours.bad}
        made = {force_colour(force, 1.0, colours) for force in (-1.0, 0.0, 1.0)}
        assert len(made) == 3
        assert not made & verdicts
