"""The action table: whole, unambiguous, honest about what cannot be done; and the search over it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from mouse_and_keyboard import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from ridewright.app.document.document import Selection
from ridewright.app.shell.command_search import CommandSearch, rank, score
from ridewright.app.shell.commands.declared import MENUS, Group, action, collect
from ridewright.app.shell.commands.groups import ACTIONS, GROUPS
from ridewright.app.shell.commands.track import TrackCommands
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import icons

APP = Path(__file__).parents[3] / "app"


class First(Group):
    @action("Begin", "File")
    def begin(self) -> None: ...

    @action("End", "File")
    def end(self) -> None: ...


class Second(Group):
    @action("Go on", "File", after=First.begin)
    def go_on(self) -> None: ...


class Third(Group):
    @action("Begin", "Help")
    def begin(self) -> None: ...


def test_that_an_action_stands_behind_the_one_it_names() -> None:
    assert [one.id for one in collect((First, Second))] == ["begin", "go_on", "end"]


def test_that_actions_without_a_place_or_a_name_of_their_own_are_refused() -> None:
    with pytest.raises(ValueError, match="called begin"):
        collect((First, Third))
    with pytest.raises(ValueError, match="no group declares: go_on"):
        collect((Second,))


def test_that_every_action_that_is_spoken_of_exists() -> None:
    """What is named inside a function would be missed only at the click: `RunCommands.rnu`."""
    groups = {group.__name__: group for group in GROUPS}
    spoken = {
        (file.name, node.value.id, node.attr)
        for file in APP.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in groups
    }
    assert len(spoken) > 20
    assert [one for one in spoken if not hasattr(groups[one[1]], one[2])] == []


def test_that_commands_do_not_know_the_window() -> None:
    """They are given what they need; who asks the window for everything makes one room of all."""
    knowing = {
        file.relative_to(APP).as_posix()
        for file in APP.rglob("*.py")
        if re.search(r"\bMainWindow", file.read_text(encoding="utf-8"))
    }
    outside = {
        name for name in knowing if not name.startswith("shell/") or name.startswith("shell/commands/")
    }
    assert knowing - outside
    assert outside == set()


def test_that_shortcuts_are_unique() -> None:
    every = [QKeySequence.listFromString(spec.shortcut) for spec in ACTIONS if spec.shortcut]
    keys = Counter(one.toString() for some in every for one in some)
    assert max(keys.values()) == 1
    assert "" not in keys  # every shortcut means something to Qt


def test_that_both_usual_keys_do_a_step_again(studio: MainWindow) -> None:
    stack, control = studio.document.undo_stack, Qt.KeyboardModifier.ControlModifier
    before = studio.document.project
    studio.document.apply("Rename", before.model_copy(update={"name": "Another"}))
    studio.setFocus()
    for key, more in ((Qt.Key.Key_Y, control), (Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)):
        settle()  # what can be done is looked at when the events of now are through
        QTest.keyClick(studio, Qt.Key.Key_Z, control)
        assert studio.document.project == before
        settle()
        QTest.keyClick(studio, key, more)
        assert stack.index() == 1


def test_that_every_action_has_its_menu_and_icon() -> None:
    assert {spec.menu for spec in ACTIONS} == set(MENUS)
    for spec in ACTIONS:
        if spec.icon:
            assert icons._source(spec.icon).startswith("<svg")


def test_that_every_action_is_in_a_menu_of_the_window(studio: MainWindow) -> None:
    for spec in ACTIONS:
        action = studio.actions_table.by_id[spec.id]
        assert action in studio.menus[spec.menu].actions()
        assert action.toolTip()


def test_that_what_cannot_be_done_says_why(qtbot, studio: MainWindow) -> None:
    actions = studio.actions_table.by_id
    assert not actions["play"].isEnabled()
    assert "Run the project first" in actions["play"].toolTip()
    assert not actions["insert_point"].isEnabled()
    studio.document.select(Selection("points", ("climb",), (5,)))
    qtbot.waitUntil(actions["insert_point"].isEnabled, timeout=2000)
    assert not actions["undo"].isEnabled()
    actions["insert_point"].trigger()
    qtbot.waitUntil(actions["undo"].isEnabled, timeout=2000)
    assert actions["undo"].text() == "Undo “Insert point”"


def test_that_what_can_no_longer_be_done_is_not_tried(studio: MainWindow, unexpected: list[str]) -> None:
    """The menus learn of a change when its event is through; a key may be faster."""
    document = studio.document
    document.select(Selection("points", ("loop",), (3,)))
    studio.actions_table.refresh()
    action = studio.actions_table[TrackCommands.straight_points]
    assert action.isEnabled()
    before = document.project
    document.select(Selection())
    action.trigger()
    assert not action.isEnabled()
    assert document.project is before
    assert unexpected == []


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("run", "Run", "Remove shown run"),
        ("cam", "Follow camera", "Add car from library"),
        ("save as", "Save as…", "Save"),
        ("pict", "Save picture of the view…", "Export film…"),
    ],
)
def test_that_the_nearer_command_comes_first(typed: str, better: str, worse: str) -> None:
    good, bad = score(typed, better), score(typed, worse)
    assert good is not None
    assert bad is None or good > bad


def test_that_nonsense_finds_nothing() -> None:
    assert all(score("xqzw", spec.text) is None for spec in ACTIONS)


def test_that_ctrl_k_finds_and_triggers_by_keyboard(qtbot, studio: MainWindow) -> None:
    studio.activateWindow()
    QTest.keyClick(studio, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(studio.findChildren(CommandSearch)), timeout=2000)
    (search,) = studio.findChildren(CommandSearch)
    before = studio.settings.theme
    QTest.keyClicks(search.field, "switch theme")
    assert "Switch theme" in search.list.currentItem().text()
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: studio.settings.theme != before, timeout=2000)
    qtbot.waitUntil(lambda: not studio.findChildren(CommandSearch), timeout=2000)


def test_that_a_disabled_command_is_found_explained_and_not_run(qtbot, studio: MainWindow) -> None:
    search = CommandSearch(studio, studio.findable())
    search.show()
    QTest.keyClicks(search.field, "export film")
    assert "Run the project first" in search.reason.text()
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    assert search.isVisible()
    search.close()


def test_that_what_can_be_done_inserted_opened_or_read_is_found(studio: MainWindow) -> None:
    entries = studio.findable()
    for typed, first in (
        ("helix", "Helix"), ("station", "Station"),
            ("friction damper", "Add friction damper"), ("looping star", "Looping Star"),
        ("gltf", "Export scene…"), ("sa", "Save"),
            ("modes", "Modes"), ("sensitivity", ""), ("loop", ""),
    ):  # fmt: skip
        ranked = sorted((-value, one.text) for one in entries if (value := rank(typed, one)) is not None)
        assert ranked, typed
        assert not first or ranked[0][1] == first, (typed, ranked[:4])


def test_that_loop_finds_the_vertical_loop_first(studio: MainWindow) -> None:
    search = CommandSearch(studio, studio.findable())
    search.show()
    QTest.keyClicks(search.field, "loop")
    first = [search.list.item(k).text() for k in range(4)]
    assert first[0].endswith("Vertical loop"), first
    search.close()
