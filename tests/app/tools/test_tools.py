"""The tools in their windows: the proposal is drawn, Apply makes it one step, Cancel leaves nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from mouse_and_keyboard import LEFT, choose, settle
from PySide6 import QtGui
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QMenu, QTabBar, QWidget

from ridewright.app.document.document import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.tools import dock, site_tools
from ridewright.app.tools.dialog import ToolDialog
from ridewright.app.tools.proposal import Proposal
from ridewright.app.tools.shape_tools import BankTool
from ridewright.app.tools.site_tools import EnvelopeTool
from ridewright.app.widgets import dialogs
from ridewright.app.work.problem_finder import TRACK, find_problems
from ridewright.core.base.finding import Finding
from ridewright.core.base.where import Where
from ridewright.core.design.findings import FindingChange
from ridewright.core.design.loads import heartline_loads
from ridewright.core.edits.points import place_points
from ridewright.core.pointmass.ride import preview_ride
from ridewright.core.project.point_train import ridden_settings
from ridewright.core.track.build import build_track
from ridewright.core.track.description import SplineSection

GIVEN = {"start_from": "given", "losses_from": "given"}

Opener = Callable[..., ToolDialog]


@pytest.fixture
def open_tool(qtbot: object, studio: MainWindow) -> Opener:
    """Open a tool by the menu and wait for its first proposal."""

    def open_it(entry: str, section: str | None = "curve 4") -> ToolDialog:
        studio.document.select(Selection("section", (section,)) if section else Selection())
        settle()
        choose(studio, "Track", entry)
        tool = next(d for d in studio.findChildren(ToolDialog) if d.isVisible())
        proposed(qtbot, tool)
        return tool

    return open_it


def proposed(qtbot: object, tool: ToolDialog) -> None:
    """Wait until the proposal of the settings is there."""
    settle()
    qtbot.waitUntil(lambda: not tool._soon.isActive() and tool.proposal is not None, timeout=60_000)  # type: ignore[attr-defined]


def press(tool: ToolDialog, name: str) -> None:
    button = {"apply": tool.apply_button, "cancel": tool.cancel_button}[name]
    assert button.isEnabled(), tool.words.text()
    QTest.mouseClick(button, LEFT)
    settle()


def enter(tool: ToolDialog, key: str, text: str) -> None:
    """Click into a field, replace what it holds, press Return."""
    line = tool.numbers[key].line
    QTest.mouseClick(line, LEFT)
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def type_and_wait(qtbot: object, tool: ToolDialog, key: str, text: str) -> None:
    enter(tool, key, text)
    proposed(qtbot, tool)


def figure(tool: ToolDialog, name: str) -> tuple[str, str]:
    assert tool.proposal is not None
    found = next(f for f in tool.proposal.figures if f.name == name)
    return found.before, found.after


def test_that_a_tool_ticks_every_selected_section(studio: MainWindow) -> None:
    studio.document.select(Selection("section", ("curve 6",), also=(("curve 7",),)))
    settle()
    choose(studio, "Track", "Auto-bank…")
    tool = next(d for d in studio.findChildren(ToolDialog) if d.isVisible())
    assert tool.chosen() == ["curve 6", "curve 7"]
    assert tool.sections is not None
    assert tool.sections.currentItem().text() == "curve 6"
    press(tool, "cancel")


def test_that_auto_bank_shows_its_proposal_and_apply_makes_it_one_step(
    studio: MainWindow, open_tool: Opener
) -> None:
    document = studio.document
    before = document.project
    tool = open_tool("Auto-bank…")
    assert isinstance(tool, BankTool)
    assert tool.chosen() == ["curve 4"]
    assert document.project is before
    assert document.previewed is not None
    press(tool, "apply")
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Auto-bank"
    project = document.project
    assert project.track is not None
    built = build_track(project.track, ride=False)
    ride = preview_ride(built, ridden_settings(project))
    span = next(s for s in built.sections if s.name == "curve 4")
    s = np.linspace(span.s0, span.s1, 60)
    first = ride.forward()
    order = np.argsort(ride.place[first], kind="stable")
    place, speeds, rates = (x[first][order] for x in (ride.place, ride.speed, ride.acceleration))
    speed, rate = np.interp(s, place, speeds), np.interp(s, place, rates)
    loads = heartline_loads(built, s, speed, rate, None, np.array(project.gravity))
    assert np.abs(loads[:, 1]).max() < 0.05


def where(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint()), widget.size())


def test_that_a_tool_stands_beside_the_track_with_its_buttons_in_sight(
    studio: MainWindow, open_tool: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.resize(1280, 800)
    settle()
    monkeypatch.setattr(dock, "room_on_screen", lambda window: window.geometry())
    before = studio.viewer.size()
    tool = open_tool("Auto-bank…")
    settle()
    assert not where(tool).intersects(where(studio.viewer))
    assert where(studio).contains(where(tool.apply_button))
    assert where(tool).contains(where(tool.apply_button))
    assert not tool.apply_button.visibleRegion().isEmpty()
    assert tool.height() > 0.6 * studio.height()
    press(tool, "cancel")
    settle()
    assert studio.viewer.size() == before
    assert not [dock for dock in studio.findChildren(QDockWidget, "dock_tool") if dock.isVisible()]


def test_that_a_tool_opened_from_another_one_takes_its_place(
    studio: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.resize(1280, 800)
    settle()
    monkeypatch.setattr(dock, "room_on_screen", lambda window: window.geometry())
    for name in ("auto_bank", "smooth", "heartline", "supports"):
        studio.document.select(Selection("section", ("curve 4",)))
        studio.actions_table.by_id[name].trigger()
        settle()
    inspector, tool = studio.docks["inspector"], studio.tools.current
    assert tool is not None
    assert studio.tabifiedDockWidgets(tool.dock) == [inspector]
    bars = [bar for bar in studio.findChildren(QTabBar) if bar.parent() is studio and bar.isVisible()]
    seen = [bar for bar in bars if where(studio).intersects(where(bar))]
    texts = [[bar.tabText(k) for k in range(bar.count())] for bar in seen]
    assert [one for one in texts if "Inspector" in one] == [["Inspector", "Supports"]]
    assert not any("Smooth" in one or "Heartline" in one for one in texts)


def test_that_what_a_tool_says_alone_is_shown_as_it_is(studio: MainWindow, open_tool: Opener) -> None:
    tool = open_tool("Split section anywhere…")
    tool._say(Proposal(None, notes=("'Left helix' is cut.",)))
    shown = QtGui.QTextDocument()
    text = tool.words.text()
    shown.setHtml(text) if QtGui.Qt.mightBeRichText(text) else shown.setPlainText(text)  # as a label takes it
    assert shown.toPlainText() == "'Left helix' is cut."


def test_that_a_tool_fits_a_screen_that_is_too_small_for_the_studio(
    studio: MainWindow, open_tool: Opener
) -> None:
    screen = studio.screen().availableGeometry()
    studio.resize(screen.size() + QSize(200, 200))  # as at a doubled density
    settle()
    tool = open_tool("Auto-bank…")
    assert screen.contains(where(tool.apply_button))
    tool.dock.resize(360, 350)
    settle()
    assert where(tool).contains(where(tool.apply_button))
    assert not tool.apply_button.visibleRegion().isEmpty()
    press(tool, "apply")
    assert studio.document.undo_stack.count() == 1


def test_that_a_tool_says_what_problems_says_after_apply(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    def said() -> set[str]:
        track = find_problems(studio.document.project)[TRACK]
        return {problem.text for problem in track if problem.severity != "note"}

    before = said()
    tool = open_tool("Move, turn, scale or mirror…")
    type_and_wait(qtbot, tool, "z", "2")
    assert tool.proposal is not None
    assert tool.proposal.change is not None
    new = {one.message for one in tool.proposal.change.new}
    assert new
    assert tool.proposal.change.new[0].message in unescape(tool.words.text())
    press(tool, "apply")
    assert said() - before == new


def test_that_a_promise_is_not_made_when_problems_gets_something_new() -> None:
    bad = FindingChange(new=(Finding(kind="kink", message="A kink.", where=Where(s=3.0, section="a")),))
    proposal = Proposal(notes=("A note.",), promise="All limits are kept.", change=bad)
    assert proposal.said == (("New in Problems: A kink.",), ("A note.",))
    good = Proposal(promise="All limits are kept.", change=FindingChange())
    assert good.said == ((), ("All limits are kept.",))


def test_that_cancel_leaves_everything_as_it_was(studio: MainWindow, open_tool: Opener) -> None:
    document = studio.document
    before = document.project
    tool = open_tool("Auto-bank…")
    assert document.previewed is not None
    press(tool, "cancel")
    assert document.project is before
    assert document.previewed is None
    assert document.undo_stack.count() == 0


def test_that_smoothing_lowers_the_jerk_inside_its_tube(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    tool = open_tool("Smooth…")
    type_and_wait(qtbot, tool, "tube", "0.1")
    before, after = figure(tool, "Squared change of curvature (1/m³)")
    assert float(after) < float(before)
    moved = float(figure(tool, "Track moved at most")[1].split()[0])
    assert 0.0 < moved <= 0.1
    press(tool, "apply")
    assert studio.document.undo_stack.undoText() == "Smooth"


def test_that_a_part_is_raised_by_what_is_typed(qtbot: object, studio: MainWindow, open_tool: Opener) -> None:
    document = studio.document

    def heights() -> np.ndarray:
        assert document.project.track is not None
        section = next(s for s in document.project.track.sections if s.name == "curve 4")
        assert isinstance(section, SplineSection)
        return np.array([p.z for p in section.points])

    before = heights()
    tool = open_tool("Move, turn, scale or mirror…")
    assert not tool.apply_button.isEnabled()  # nothing is moved yet
    type_and_wait(qtbot, tool, "z", "1.5")
    press(tool, "apply")
    assert heights() - before == pytest.approx(1.5)


def test_that_the_launch_calculator_adds_a_launch_that_reaches_the_speed(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    tool = open_tool("Launch calculator…")
    type_and_wait(qtbot, tool, "target", "32")
    press(tool, "apply")
    project = studio.document.project
    assert project.track is not None
    built = build_track(project.track, ride=False)
    ride = preview_ride(built, ridden_settings(project))
    end = next(s.s1 for s in built.sections if s.name == "curve 4")
    first = ride.forward()
    assert np.interp(end, ride.place[first], ride.speed[first]) == pytest.approx(32.0, abs=0.05)


def test_that_a_launch_beyond_the_limits_is_warned_about(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    tool = open_tool("Launch calculator…")
    type_and_wait(qtbot, tool, "target", "60")
    assert tool.proposal is not None
    assert any("beyond" in text for text in tool.proposal.warnings)
    assert "beyond" in tool.words.text()


def test_that_what_is_out_of_range_is_told_and_not_applied(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    tool = open_tool("Smooth…")
    enter(tool, "tube", "50")
    settle()
    assert "Tube: choose" in tool.words.text()
    assert not tool.apply_button.isEnabled()
    assert studio.document.previewed is None


def test_that_the_heartline_gets_a_place_of_its_own(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    tool = open_tool("Heartline…")
    type_and_wait(qtbot, tool, "offset", "10")
    type_and_wait(qtbot, tool, "there", "1.6")
    QTest.mouseClick(tool.add_button, LEFT)
    proposed(qtbot, tool)
    press(tool, "apply")
    assert studio.document.project.track is not None
    (point,) = studio.document.project.track.heartline.points
    assert (point.section, point.offset, point.height) == ("curve 4", 10.0, 1.6)


def test_that_the_table_of_supports_has_every_leg(
    studio: MainWindow, open_tool: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = open_tool("Supports…")
    file = tmp_path / "legs.csv"
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: file)
    legs = sum(len(support.legs) for support in tool.proposal.extra.supports)  # type: ignore[union-attr]
    press(tool, "apply")
    assert len(file.read_text().splitlines()) == legs + 1
    assert tool.isVisible()
    assert studio.viewer.scene.marks.has("tool")
    press(tool, "cancel")
    assert not studio.viewer.scene.marks.has("tool")


def test_that_a_high_level_makes_a_tunnel_and_a_bad_height_field_is_refused(
    qtbot: object, studio: MainWindow, open_tool: Opener, tmp_path: Path, unexpected: list[str]
) -> None:
    tool = open_tool("Ground…")
    type_and_wait(qtbot, tool, "level", "12")
    count = int(figure(tool, "Tunnels")[1].split(",")[0])
    assert count >= 1
    bad = tmp_path / "bad.asc"
    bad.write_text("this is no grid\n")
    tool.read(bad)  # type: ignore[attr-defined]
    assert len(unexpected) == 1
    assert "bad.asc" in unexpected[0]
    press(tool, "apply")
    assert studio.document.project.track is not None
    assert studio.document.project.track.site.level == 12.0
    settle()
    assert studio.viewer.scene.marks.has("tunnels")


def test_that_the_envelope_names_where_the_track_is_too_close(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    tool = open_tool("Clearance envelope…")
    assert isinstance(tool, EnvelopeTool)
    assert not tool.choices["body"].isEnabled()  # asked for with what riders reach
    assert int(figure(tool, "Places where track meets track")[1]) == 0
    type_and_wait(qtbot, tool, "height_above", "20")
    assert int(figure(tool, "Places where track meets track")[1]) > 0
    assert "too close" in tool.words.text()


def test_that_the_envelope_shows_what_riders_reach(
    qtbot: object, studio: MainWindow, open_tool: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The body and the margin are asked for once reach is; what is found is told, drawn and kept in one undo step."""
    monkeypatch.setattr(site_tools, "rider_clearance", partial(site_tools.rider_clearance, fineness=0.05))
    tool = open_tool("Clearance envelope…")
    assert isinstance(tool, EnvelopeTool)
    assert not tool.choices["body"].isEnabled()
    marks = studio.viewer.scene.marks
    assert marks.has("tool")
    tool.choices["room"].setCurrentText("What they reach")
    proposed(qtbot, tool)
    assert tool.choices["body"].isEnabled()
    assert figure(tool, "Places within reach of the track")[1] == "none"
    assert tool.proposal is not None
    _, reached = tool.proposal.extra
    assert reached.body == "95th percentile man"
    drawn = tool.draw(tool.proposal)
    assert len(drawn) >= len(reached.seats) + 2 * len(reached.encounters)
    tool.choices["body"].setCurrentText("Child of 1.2 m")
    proposed(qtbot, tool)
    press(tool, "apply")
    assert studio.document.project.track is not None
    kept = studio.document.project.track.clearance
    assert (kept.room, kept.body, kept.margin) == ("reach", "child_120", "en_13814")
    assert studio.document.undo_stack.count() == 1


def test_that_an_open_track_is_closed(qtbot: object, studio: MainWindow, open_tool: Opener) -> None:
    choose(studio, "Track", "Closed circuit")
    assert studio.document.project.track is not None
    assert not studio.document.project.track.closed
    tool = open_tool("Close the circuit…", "curve 7")
    assert tool.proposal is not None
    assert not tool.proposal.fault
    press(tool, "apply")
    assert studio.document.project.track.closed
    assert studio.document.undo_stack.undoText() == "Close the circuit"


def test_that_an_element_becomes_control_points(qtbot: object, studio: MainWindow, open_tool: Opener) -> None:
    choose(studio, "File", "New empty project")
    choose(studio, "Track", "Insert element", "Straight")
    choose(studio, "Track", "Insert element", "Banked turn")
    tool = open_tool("Convert to control points…", "Left banked turn")
    press(tool, "apply")
    assert studio.document.project.track is not None
    assert studio.document.project.track.sections[1].kind == "spline"


def test_that_a_camelback_gets_the_speed_the_ride_has(studio: MainWindow, open_tool: Opener) -> None:
    choose(studio, "File", "New empty project")
    choose(studio, "Track", "Insert element", "Straight")
    fast = studio.document.project.point_ride.model_copy(update={"speed": 24.0} | GIVEN)
    studio.document.apply("Speed", studio.document.project.model_copy(update={"point_ride": fast}))
    choose(studio, "Track", "Insert element", "Camelback")
    slower = fast.model_copy(update={"speed": 23.0})
    studio.document.apply("Slower", studio.document.project.model_copy(update={"point_ride": slower}))
    tool = open_tool("Match entry speeds…", "Camelback")
    before, after = (float(text.split()[0]) for text in figure(tool, "Camelback"))
    assert after < before
    press(tool, "apply")
    assert studio.document.project.track is not None
    assert studio.document.project.track.sections[1].entry_speed == pytest.approx(after, abs=0.01)  # type: ignore[union-attr]


def test_that_elements_told_to_keep_following_are_redrawn_with_every_change_in_the_same_step(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    document = studio.document
    choose(studio, "File", "New empty project")
    choose(studio, "Track", "Insert element", "Straight")
    fast = document.project.point_ride.model_copy(update={"speed": 24.0} | GIVEN)
    document.apply("Speed", document.project.model_copy(update={"point_ride": fast}))
    choose(studio, "Track", "Insert element", "Camelback")
    tool = open_tool("Match entry speeds…", "Camelback")
    QTest.mouseClick(tool.follow, LEFT, pos=QPoint(8, tool.follow.height() // 2))  # type: ignore[attr-defined]
    settle()
    assert tool.follow.isChecked()  # type: ignore[attr-defined]
    proposed(qtbot, tool)
    press(tool, "apply")
    hill = document.project.track.sections[1]  # type: ignore[union-attr]
    assert (hill.speed_from, hill.friction) == ("ride", fast.mu)
    steps = document.undo_stack.count()
    slower = fast.model_copy(update={"speed": 23.0})
    document.apply("Slower", document.project.model_copy(update={"point_ride": slower}))
    assert document.undo_stack.count() == steps + 1
    assert document.project.track.sections[1].entry_speed < hill.entry_speed - 0.9  # type: ignore[union-attr]
    document.undo_stack.undo()
    assert document.project.track.sections[1] == hill  # type: ignore[union-attr]


def test_that_a_section_is_split_where_it_is_typed_and_the_rest_is_selected(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    document = studio.document
    choose(studio, "File", "New empty project")
    for piece in ("Straight", "Helix"):
        choose(studio, "Track", "Insert element", piece)
    choose(studio, "Track", "Add lift, launch or brake", "Drive tyres")
    tool = open_tool("Split section anywhere…", "Left helix")
    type_and_wait(qtbot, tool, "offset", "40")
    assert "Nothing of the track has moved" in tool.words.text()
    assert studio.viewer.scene.marks.has("tool")
    assert figure(tool, "Left helix")[1].startswith("40.0")
    press(tool, "apply")
    assert not studio.viewer.scene.marks.has("tool")
    track = document.project.track
    assert track is not None
    assert [section.name for section in track.sections] == ["Straight", "Left helix", "Left helix 2"]
    (tyres,) = track.devices  # which go on over the cut
    assert (tyres.section, tyres.end_section) == ("Left helix", "Left helix 2")
    assert document.selection == Selection("section", ("Left helix 2",))
    assert document.undo_stack.undoText() == "Split section"


def test_that_a_loop_is_split_as_control_points_and_a_place_off_the_section_is_told(
    qtbot: object, studio: MainWindow, open_tool: Opener
) -> None:
    choose(studio, "File", "New empty project")
    for piece in ("Straight", "Vertical loop"):
        choose(studio, "Track", "Insert element", piece)
    tool = open_tool("Split section anywhere…", "Vertical loop")
    assert "control points" in tool.words.text()
    type_and_wait(qtbot, tool, "offset", "500")
    assert "can be cut 0.1 to" in tool.words.text()
    assert not tool.apply_button.isEnabled()
    type_and_wait(qtbot, tool, "offset", "20")
    press(tool, "apply")
    kinds = [section.kind for section in studio.document.project.track.sections]  # type: ignore[union-attr]
    assert kinds == ["spline", "spline"] or kinds == ["straight", "spline", "spline"]


def test_that_the_menu_of_the_3d_view_splits_at_the_place_under_the_mouse(
    qtbot: object, studio: MainWindow
) -> None:
    menu = QMenu(studio)
    s = next(span for span in studio.document.built().sections if span.name == "curve 4").s0 + 7.5
    studio.viewer.menu_filling.emit(menu, s)
    next(a for a in menu.actions() if a.text() == "Split “curve 4” here…").trigger()
    settle()
    tool = next(d for d in studio.findChildren(ToolDialog) if d.isVisible())
    proposed(qtbot, tool)
    assert tool.section.currentText() == "curve 4"  # type: ignore[attr-defined]
    assert tool.value("offset") == pytest.approx(7.5, abs=0.01)
    menu.deleteLater()


def test_that_the_window_ends_a_tool_that_still_works(studio: MainWindow, open_tool: Opener) -> None:
    tool = open_tool("Smooth…", "curve 3")
    tool.propose()
    # the fixture closes the window now and finds no thread left running


def test_that_no_tool_opens_over_a_track_that_cannot_be_built(
    qtbot: object, studio: MainWindow, unexpected: list[str]
) -> None:
    document = studio.document
    spline = document.project.track.sections[2]
    back = spline.points[3].position
    broken = place_points(document.project, spline.name, {5: (back[0], back[1], back[2] + 1e-4)})
    document.apply("Move point", broken)
    assert document.built() is None
    for name in ("split_anywhere", "auto_bank", "smooth", "heartline", "launch_calculator", "envelope"):
        unexpected.clear()
        studio.actions_table.by_id[name].trigger()
        assert unexpected == [f"The tool needs a track that can be built: {document.fault_of_track()}"]
    assert not [t for t in studio.findChildren(ToolDialog) if t.isVisible()]
    document.undo_stack.undo()
