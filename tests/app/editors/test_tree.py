"""The project tree: rows follow the project, acts are undo steps, problems are marked."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QLineEdit

from ridewright.app.document.document import Selection
from ridewright.app.document.new_project import empty_project
from ridewright.app.document.runs import Run
from ridewright.app.model_editor import tree as tree_module
from ridewright.app.model_editor.inspector import Inspector
from ridewright.app.model_editor.tree import NAME, NOTE, ROLE, ProjectTree
from ridewright.app.model_editor.tree_edits import additions
from ridewright.app.model_editor.tree_nodes import project_nodes
from ridewright.app.shell.problems import where_text
from ridewright.app.work.problem_finder import find_problems
from ridewright.core.base.errors import InputError
from ridewright.core.edits import elements, train
from ridewright.core.project.examples import list_examples, load_example

PLACE = QAbstractItemView.DropIndicatorPosition


@pytest.fixture
def tree(qtbot, document, playback, settings):
    made = ProjectTree(document, playback, settings)
    qtbot.addWidget(made)
    made.resize(280, 600)
    made.show()
    return made


def _menu_entry(tree, key, text):
    menu = tree.menu_for(tree.node_at(*key).data(NAME, ROLE))
    return next(action for action in menu.actions() if action.text() == text)


def _texts(tree, *key):
    item = tree.node_at(*key)
    return [item.child(k).text(NAME) for k in range(item.childCount())]


def test_that_a_run_has_its_row_when_it_has_come(qtbot, document, tree, make_results):
    assert _texts(tree, "runs") == []
    document.add_run(Run("Run 1", make_results(), document.project))
    qtbot.waitUntil(lambda: _texts(tree, "runs") == ["Run 1"], timeout=5000)


def test_that_rows_of_a_long_project_are_made_when_they_are_opened_or_wanted(document, tree, monkeypatch):
    whole, project = set(tree._items), document.project
    monkeypatch.setattr(tree_module, "AT_ONCE", 10)
    document.start_from(empty_project())
    document.start_from(project)
    inside = ("group", "Car", "force")
    assert set(tree._known) == whole
    assert ("force", *_element_of(document)) not in tree._items
    assert len(tree._items) < len(whole)
    group = tree.node_at(*inside)
    assert group.childCount() == 0
    assert group.childIndicatorPolicy() == group.ChildIndicatorPolicy.ShowIndicator
    group.setExpanded(True)
    assert group.childCount() == len(document.project.train.children[0].forces)
    assert not group.child(0).icon(NAME).isNull()
    joint = document.project.train.children[0].joints[0].name
    assert ("joint", "Car", joint) not in tree._items
    document.select(Selection("joint", ("Car", joint)))
    assert tree.tree.currentItem() is tree.node_at("joint", "Car", joint)
    assert tree.tree.currentItem().parent().isExpanded()


def _element_of(document):
    car = document.project.train.children[0]
    return car.name, car.forces[0].name


@pytest.mark.parametrize("name", list_examples())
def test_that_every_example_has_all_its_elements_in_the_tree(name):
    def count(nodes):
        return sum((node.select is not None and len(node.key) > 1) + count(node.children) for node in nodes)

    project = load_example(name)
    expected = len(project.track.sections) if project.track else 0
    for _, holder in project.assembly.walk():
        expected += sum(len(elements.elements_of(holder, kind)) for kind in elements.LISTS)
    assert count(project_nodes(project)) == expected


def _group(nodes, kind):
    for node in nodes:
        found = node if node.holds == kind else _group(node.children, kind)
        if found is not None:
            return found
    return None


def test_that_cars_are_joined_from_the_tree_shown_changed_and_taken_back(
    qtbot, document, playback, settings, tree
):
    document.start_from(load_example("two_cars_loaded"))
    (coupling,) = document.project.train.couplings
    document.apply(
        "Delete the coupling", elements.delete_element(document.project, "coupling", (coupling.name,))
    )
    before = document.project
    group = _group(project_nodes(before), "coupling")
    assert group.note == "none"
    entries = additions(document, group)
    assert len(entries) == 3
    next(entry for entry in entries if "sprung bar" in entry.text).do()
    assert [c.kind for c in document.project.train.couplings] == ["spring_bar"]
    assert document.selection.kind == "coupling"
    inspector = Inspector(document, playback, settings)
    qtbot.addWidget(inspector)
    inspector.refresh()
    line = inspector.entry("slack").line
    line.selectAll()
    qtbot.keyClicks(line, "5 mm")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert document.project.train.couplings[0].slack == pytest.approx(0.005)
    with pytest.raises(InputError, match="joined already"):
        additions(document, group)[0].do()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project == before


def test_that_a_click_selects_and_a_selection_shows_its_row(qtbot, document, tree):
    item = tree.node_at("body", "Car", "Rider", "Head")
    tree.tree.scrollToItem(item)
    qtbot.mouseClick(
        tree.tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.tree.visualItemRect(item).center()
    )
    assert document.selection == Selection("body", ("Car", "Rider", "Head"))
    document.select(Selection("joint", ("Car", "Roll joint")))
    assert tree.current_node().key == ("joint", "Car", "Roll joint")
    name = document.project.track.sections[2].name
    document.select(Selection("points", (name,), (1, 2)))
    assert tree.current_node().key == ("section", name)


def _click(qtbot, tree, keys, *key):
    item = tree.node_at(*key)
    tree.tree.scrollToItem(item)
    place = tree.tree.visualItemRect(item).center()
    qtbot.mouseClick(tree.tree.viewport(), Qt.MouseButton.LeftButton, keys, place)


def test_that_several_of_a_kind_are_changed_and_deleted_as_one(qtbot, document, tree, playback, settings):
    before = document.project
    front, rear = "Frame", "Carbody"
    inspector = Inspector(document, playback, settings)
    qtbot.addWidget(inspector)
    inspector.show()
    control = Qt.KeyboardModifier.ControlModifier
    _click(qtbot, tree, Qt.KeyboardModifier.NoModifier, "body", "Car", front)
    _click(qtbot, tree, control, "body", "Car", rear)
    _click(qtbot, tree, control, "joint", "Car", "Roll joint")  # of another kind: not one of them
    assert document.selection == Selection("body", ("Car", front), also=(("Car", rear),))
    assert where_text(document.selection) == "2 bodies"
    inspector.refresh()
    line = inspector.entry("mass").line
    assert line.text() == ""
    assert line.placeholderText() == "several values"
    with pytest.raises(StopIteration):
        inspector.entry("name")
    line.setFocus()
    qtbot.keyClicks(line, "42")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    masses = {body.name: body.mass for body in document.project.train.children[0].bodies}
    assert (masses[front], masses[rear]) == (42.0, 42.0)
    assert document.undo_stack.undoText() == "Change mass of 2 bodies"
    inspector.refresh()
    assert inspector.entry("mass").line.text() == "42"
    tree.refresh()
    assert len(tree.tree.selectedItems()) == 2
    qtbot.keyClick(tree.tree, Qt.Key.Key_Delete)
    assert {front, rear}.isdisjoint(body.name for body in document.project.train.children[0].bodies)
    assert document.undo_stack.undoText() == "Delete 2 bodies"
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project == before


def test_that_renaming_in_place_is_a_step(qtbot, document, tree):
    item = tree.node_at("body", "Car", "Carbody")
    tree.tree.setCurrentItem(item)
    tree.tree.setFocus()
    tree.tree.editItem(item, NAME)
    editor = tree.tree.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "Shell")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.undo_stack.undoText() == "Rename Carbody to Shell")
    assert document.project.train.children[0].seats[0].body == "Shell"
    tree.refresh()
    assert tree.node_at("body", "Car", "Shell") is not None


def test_that_a_refused_name_goes_back(qtbot, document, tree, unexpected):
    before = document.project
    tree.node_at("body", "Car", "Carbody").setText(NAME, "Front axle")
    assert document.project is before
    assert "two bodies are named 'Front axle'" in unexpected[0]
    qtbot.waitUntil(lambda: tree.node_at("body", "Car", "Carbody").text(NAME) == "Carbody")


def test_that_delete_takes_what_depends_and_undo_brings_it_back(qtbot, document, tree):
    before = document.project
    item = tree.node_at("body", "Car", "Wheelset front left")
    tree.tree.setCurrentItem(item)
    assert _menu_entry(tree, ("body", "Car", "Wheelset front left"), "Delete with 3 that depend on it")
    qtbot.keyClick(tree.tree, Qt.Key.Key_Delete)
    tree.refresh()
    assert tree.node_at("body", "Car", "Wheelset front left") is None
    assert tree.node_at("guide", "Car", "Front left wheel on rail") is None
    document.undo_stack.undo()
    tree.refresh()
    assert document.project == before
    assert tree.node_at("guide", "Car", "Front left wheel on rail") is not None


def test_that_the_menu_adds_duplicates_and_inserts_from_the_library(document, tree):
    _menu_entry(tree, ("group", "Car", "joint"), "Add spherical joint").trigger()
    assert document.selection == Selection("joint", ("Car", "Spherical joint"))
    _menu_entry(tree, ("force", "Car", "Primary spring front right"), "Duplicate").trigger()
    assert document.selection.path == ("Car", "Primary spring front right 2")
    menu = tree.menu_for(tree.node_at("group", "Car", "rider").data(NAME, ROLE))
    riders = [action for action in menu.actions() if action.text().startswith("Add ")]
    riders[0].trigger()
    assert document.selection == Selection("assembly", ("Car", "Rider 2"))
    menu = tree.menu_for(tree.node_at("assembly").data(NAME, ROLE))
    menu.actions()[0].menu().actions()[0].trigger()
    assert len(document.project.train.children) == 2
    tree.refresh()
    assert document.undo_stack.count() == 4
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert document.project == load_example("looping_star")


def test_that_what_cannot_be_added_says_why(document, tree, unexpected):
    _menu_entry(tree, ("group", "Car", "Rider", "force"), "Add rolling resistance").trigger()
    assert "add a guide first" in unexpected[0]
    assert document.undo_stack.count() == 0


def test_that_dragging_changes_order_and_seats(document, tree, unexpected):
    names = _texts(tree, "group", "Car", "force")
    tree.dropped(
        tree.node_at("force", "Car", names[3]), tree.node_at("force", "Car", names[0]), PLACE.AboveItem
    )
    tree.refresh()
    assert _texts(tree, "group", "Car", "force") == [names[3], *names[:3], *names[4:]]
    tree.dropped(
        tree.node_at("force", "Car", names[3]), tree.node_at("force", "Car", names[2]), PLACE.BelowItem
    )
    tree.refresh()
    assert _texts(tree, "group", "Car", "force") == names
    tree.dropped(
        tree.node_at("assembly", "Car", "Rider"), tree.node_at("seat", "Car", "Right seat"), PLACE.OnItem
    )
    assert document.project.train.children[0].riders[0].seat == "Right seat"
    tree.refresh()
    tree.dropped(
        tree.node_at("force", "Car", names[0]), tree.node_at("seat", "Car", "Right seat"), PLACE.OnItem
    )
    assert "can be dragged to another place" in unexpected[0]


def test_that_sections_are_renamed_joined_and_moved(document, tree):
    first, second = (s.name for s in document.project.track.sections[1:3])
    _menu_entry(tree, ("section", first), "Join with the next section").trigger()
    tree.refresh()
    assert tree.node_at("section", second) is None
    tree.node_at("section", first).setText(NAME, "Lift")
    assert document.selection == Selection("section", ("Lift",))


def test_that_problems_mark_the_row_and_the_rows_above(qtbot, document, tree):
    plain = tree.node_at("force", "Car", "Primary spring front right").icon(NAME).pixmap(16).toImage()
    clean = tree.node_at("assembly").icon(NAME).pixmap(16).toImage()
    path = ("Car", "Primary spring front right")
    document.apply("x", elements.set_element(document.project, "force", path, {"free_length": 0.25}))
    for source, found in find_problems(document.project).items():
        document.set_problems(source, found)
    tree.refresh()
    item = tree.node_at("force", *path)
    assert "pushes with" in item.toolTip(NAME)
    assert item.icon(NAME).pixmap(16).toImage() != plain
    assert tree.node_at("assembly").icon(NAME).pixmap(16).toImage() != clean


def test_that_open_branches_stay_open_through_edits(document, tree):
    tree.node_at("group", "Car", "joint").setExpanded(True)
    document.apply("Add car", train.add_car(document.project)[0])
    tree.refresh()
    assert tree.node_at("group", "Car", "joint").isExpanded()
    assert not tree.node_at("group", "Car", "force").isExpanded()
    assert tree.node_at("assembly").text(NOTE) == "2 cars"


def test_that_a_rig_is_edited_like_a_car(qtbot, document, tree):
    document.start_from(load_example("double_pendulum"))
    tree.refresh()
    name = document.project.scenario.assembly.bodies[0].name
    _menu_entry(tree, ("body", name), "Duplicate").trigger()
    assert document.selection == Selection("body", (f"{name} 2",))
