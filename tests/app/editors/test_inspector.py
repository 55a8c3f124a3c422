"""The inspector: every field of every description, edits as undo steps, refusals that say why."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mouse_and_keyboard import click, settle
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from ridewright.app.document.document import Selection
from ridewright.app.model_editor.entries import angles_of, quaternion_of
from ridewright.app.model_editor.field_row import FoldingGroup
from ridewright.app.model_editor.inspector import Inspector
from ridewright.app.model_editor.mobility import mobility_of, summary_lines
from ridewright.app.model_editor.pages import page_of
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import number_text as entry_text
from ridewright.app.widgets import theme
from ridewright.app.work.task import end_tasks
from ridewright.core.base.errors import InputError
from ridewright.core.base.fields import lists_of, specs_of, told
from ridewright.core.edits import along_track, changes, elements, riders
from ridewright.core.edits.new_elements import new_force
from ridewright.core.edits.points import delete_points
from ridewright.core.model.forces import TYPES
from ridewright.core.model.person import Person
from ridewright.core.project.examples import list_examples, load_example


@pytest.fixture
def inspector(qtbot, document, playback, settings):
    made = Inspector(document, playback, settings)
    qtbot.addWidget(made)
    made.resize(320, 700)
    made.show()
    yield made
    end_tasks(made)


def _type(inspector, qtbot, name, text, part=None):
    entry = inspector.entry(name)
    line = entry.line if part is None else entry.lines[part]
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    inspector.refresh()


def _words(inspector):
    return [label.text() for label in inspector.findChildren(QLabel)]


SEEN = ("looping_star", "planar_pendulum", "swing_beam")  # the others of the examples in `make nightly`


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in SEEN else [pytest.mark.nightly]) for n in list_examples()]
)
def test_that_everything_in_every_example_has_a_page(qapp, name):
    project = load_example(name)
    owners = [tuple(prefix.split("/")[:-1]) for prefix, _ in project.assembly.walk()]
    selections = [Selection(), Selection("scenario"), Selection("settings")]
    for owner in owners:
        selections.append(Selection("assembly", owner))
        for kind in [kind for kind in elements.LISTS if kind != "assembly"]:
            rows = elements.elements_of(elements.assembly_at(project, owner), kind)
            selections += [Selection(kind, (*owner, e.name)) for e in rows]
    if project.track is not None:
        selections += [Selection("section", (s.name,)) for s in project.track.sections]
    for selection in selections:
        for group in page_of(project, selection).groups:
            for field in group.fields:
                value = field.get(project)
                if field.choices:
                    assert value in field.choices
                # giving a field the value it has changes nothing and is allowed
                assert field.change(project, value)[0] == project


def test_that_a_typed_stiffness_is_one_named_step_and_undo_takes_it_back(qtbot, document, inspector):
    before = document.project
    document.select(Selection("force", ("Car", "Primary spring front right")))
    inspector.refresh()
    _type(inspector, qtbot, "stiffness", "950000")
    spring = elements.element_at(document.project, "force", ("Car", "Primary spring front right"))
    assert spring.stiffness == 950000.0
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Change stiffness of Primary spring front right"
    document.undo_stack.undo()
    inspector.refresh()
    assert document.project == before
    assert inspector.entry("stiffness").line.text() == "800000"


def test_that_what_is_not_allowed_is_refused_beside_the_field(qtbot, document, inspector):
    before = document.project
    document.select(Selection("body", ("Car", "Carbody")))
    inspector.refresh()
    entry = inspector.entry("mass")
    entry.line.selectAll()
    qtbot.keyClicks(entry.line, "-5")
    qtbot.keyClick(entry.line, Qt.Key.Key_Return)
    assert document.project is before
    assert any("must be at least" in text for text in _words(inspector))
    assert entry.line.text() == "-5"  # what was typed stays to be mended
    entry.line.selectAll()
    qtbot.keyClicks(entry.line, "five")
    qtbot.keyClick(entry.line, Qt.Key.Key_Return)
    assert any("'five' is not a number" in text for text in _words(inspector))


def test_that_vectors_angles_choices_and_flags_reach_the_project(qtbot, document, inspector):
    path = ("Car", "Carbody")
    document.select(Selection("body", path))
    inspector.refresh()
    _type(inspector, qtbot, "position", "0.25", part=2)
    assert elements.element_at(document.project, "body", path).position[2] == 0.25
    _type(inspector, qtbot, "orientation", "30", part=1)
    p = elements.element_at(document.project, "body", path).orientation
    assert angles_of(p)[1] == pytest.approx(math.radians(30.0))
    knee = ("Car", "Rider", "Right knee")
    document.select(Selection("joint", knee))
    inspector.refresh()
    box = inspector.entry("kind").box
    box.activated.emit(box.findData("spherical"))
    inspector.refresh()
    assert elements.element_at(document.project, "joint", knee).kind == "spherical"
    names = [row.field.spec.name for row in inspector.rows]
    assert "axis_i" not in names
    inspector.entry("locked").box.click()
    assert elements.element_at(document.project, "joint", knee).locked
    box.activated.emit(box.findData("universal"))  # back to a kind that needs axes: it gets them
    assert elements.element_at(document.project, "joint", knee).axis_j is not None


def test_that_renaming_keeps_the_thing_selected(qtbot, document, inspector):
    document.select(Selection("body", ("Car", "Carbody")))
    inspector.refresh()
    _type(inspector, qtbot, "name", "Body shell")
    assert document.selection == Selection("body", ("Car", "Body shell"))
    assert document.project.train.children[0].seats[0].body == "Body shell"


def test_that_head_and_notes_follow_what_is_shown_without_building_it_anew(qtbot, document, inspector):
    def words():
        return [label.text() for label in inspector.findChildren(QLabel)]

    name = inspector.entry("name")
    document.start_from(load_example("gatekeeper"))
    qtbot.waitUntil(lambda: "GateKeeper" in words(), timeout=2000)
    assert "Looping Star" not in words()
    document.start_from(load_example("looping_star"))
    qtbot.waitUntil(lambda: "Looping Star" in words(), timeout=2000)
    assert inspector.entry("name") is name
    loop = next(s for s in document.project.track.sections if s.name == "loop")
    document.select(Selection("section", ("loop",)))
    count = len(loop.points)
    qtbot.waitUntil(lambda: any(f"{count} control points" in text for text in words()), timeout=2000)
    entry = inspector.entry("name")
    project = delete_points(document.project, "loop", (5,))
    document.apply("Delete point", project)
    qtbot.waitUntil(lambda: any(f"{count - 1} control points" in text for text in words()), timeout=2000)
    assert not any(f"{count} control points" in text for text in words())
    assert inspector.entry("name") is entry


def test_that_units_change_what_is_shown_and_typed(qtbot, document, settings, inspector):
    document.select(Selection("body", ("Car", "Carbody")))
    settings.units = "US"
    inspector.refresh()
    _type(inspector, qtbot, "mass", "1000")
    mass = elements.element_at(document.project, "body", ("Car", "Carbody")).mass
    assert mass == pytest.approx(453.59237)
    _type(inspector, qtbot, "mass", "500 kg")
    assert elements.element_at(document.project, "body", ("Car", "Carbody")).mass == 500.0


def test_that_points_with_several_values_are_given_one(qtbot, document, inspector):
    name = document.project.track.sections[1].name
    document.select(Selection("points", (name,), (2, 3)))
    inspector.refresh()
    assert inspector.entry("x").line.placeholderText() == "several values"
    _type(inspector, qtbot, "cant", "-12.5")
    points = document.project.track.sections[1].points
    assert [p.cant for p in points[2:4]] == [pytest.approx(math.radians(-12.5))] * 2
    _type(inspector, qtbot, "cant", " ")
    assert [p.cant for p in document.project.track.sections[1].points[2:4]] == [None, None]


def test_that_a_problem_of_the_selected_thing_is_told(qtbot, document, inspector):
    from ridewright.app.work.problem_finder import find_problems

    path = ("Car", "Primary spring front right")
    document.apply("Change", elements.set_element(document.project, "force", path, {"free_length": 0.3}))
    for source, found in find_problems(document.project).items():
        document.set_problems(source, found)
    document.select(Selection("force", path))
    inspector.refresh()
    assert any("pushes with" in text for text in _words(inspector))


def test_that_functions_and_force_curves_are_edited_as_rows(qtbot, document, inspector):
    path = ("Car", "Primary spring front right")
    document.select(Selection("force", path))
    inspector.refresh()
    edit = inspector.entry("curve").edit
    edit.setPlainText("-0.1  -500\n0 0\n0.1 900")
    edit.left.emit()
    assert elements.element_at(document.project, "force", path).curve == (
        (-0.1, -500.0),
        (0.0, 0.0),
        (0.1, 900.0),
    )
    edit.setPlainText("0 0\n0 1")
    edit.left.emit()
    assert any("rising extension" in text for text in _words(inspector))
    document.select(Selection())
    inspector.refresh()
    steps = document.undo_stack.count()
    edit = inspector.entry("columns").edit
    edit.setPlainText("8 300 10\n1000000 600 20")
    edit.left.emit()
    assert document.undo_stack.count() == steps + 1
    assert document.undo_stack.undoText() == "Change columns of the steelwork"
    assert [one.diameter for one in document.project.steelwork.columns] == [0.3, 0.6]


@pytest.mark.parametrize("kind", TYPES)
def test_that_every_type_of_force_element_is_added_shown_and_taken_back(qtbot, document, inspector, kind):
    holder = elements.assembly_at(document.project, ("Car",))
    project, path = elements.add_element(document.project, "force", ("Car",), new_force(holder, kind))
    document.apply("Add", project)
    document.select(Selection("force", path))
    inspector.refresh()
    shown = {row.field.spec.name for row in inspector.rows}
    fields = TYPES[kind].model.model_fields
    groups = {name for name, info in fields.items() if told(info, "entry") == "group"}
    hidden = {name for name, info in fields.items() if told(info, "entry") == "hidden"}
    hidden |= {spec.name for spec in lists_of(TYPES[kind].model)}  # rows, which have a table
    inside = {inner for name in groups for inner in fields[name].annotation.model_fields}
    added = elements.element_at(project, "force", path)
    meaningless = {spec.name for spec in specs_of(type(added)) if not spec.applies(added)}
    assert shown == (set(fields) - {"kind"} - groups - hidden - meaningless) | inside
    assert any(TYPES[kind].word in text for text in _words(inspector))
    for row in inspector.rows:
        row.entry.given.emit(
            row.field.get(document.project)
        )  # what an entry was shown is a value it may give
    assert document.project == project


def test_that_a_matrix_is_typed_cell_by_cell_and_stays_symmetric(qtbot, document, inspector):
    holder = elements.assembly_at(document.project, ("Car",))
    stiffness = tuple(tuple((1e5 if k < 3 else 1e3) * (k == n) for n in range(6)) for k in range(6))
    bushing = new_force(holder, "bushing").model_copy(update={"stiffness": stiffness})
    project, path = elements.add_element(document.project, "force", ("Car",), bushing)
    document.apply("Add", project)
    document.select(Selection("force", path))
    inspector.refresh()
    table = inspector.entry("stiffness").table
    assert [table.item(0, 0).text(), table.item(5, 5).text(), table.item(0, 1).text()] == ["1e5", "1000", "0"]
    table.item(0, 1).setText("2.5e4")
    inspector.refresh()
    made = elements.element_at(document.project, "force", path)
    assert made.stiffness[0][1] == made.stiffness[1][0] == 25000.0
    assert table.item(1, 0).text() == "2.5e4"
    table.item(0, 1).setText("2e5")  # more than its own stiffness: the bushing would give energy away
    assert any("energy" in text for text in _words(inspector))
    assert elements.element_at(document.project, "force", path) == made
    preload = inspector.entry("preload").table
    preload.item(0, 2).setText("-1 kg")  # no force
    assert elements.element_at(document.project, "force", path).preload == ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    preload.item(0, 2).setText("-1 kN")
    assert elements.element_at(document.project, "force", path).preload[0] == (0.0, 0.0, -1000.0)


def test_that_a_theme_switch_draws_the_page_in_its_colours(qtbot, qapp, document, inspector):
    document.select(Selection("body", ("Car", "Carbody")))
    inspector.refresh()
    theme.apply(qapp, "light")
    qtbot.waitUntil(
        lambda: theme.LIGHT.axis_x in inspector.entry("position").findChildren(QLabel)[0].styleSheet()
    )
    theme.apply(qapp, "dark")


# -- numbers and angles


def test_that_angles_are_the_rotation_they_stand_for():
    rng = np.random.default_rng(3)
    for _ in range(20):
        roll, yaw = rng.uniform(-3.1, 3.1, 2)
        pitch = rng.uniform(-1.5, 1.5)
        np.testing.assert_allclose(angles_of(quaternion_of(roll, pitch, yaw)), (roll, pitch, yaw), atol=1e-9)
    steep = quaternion_of(0.3, math.pi / 2, 1.1)
    again = quaternion_of(*angles_of(steep))
    assert abs(float(np.dot(steep, again))) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("12", "m", 12.0), ("12 ft", "m", 3.6576), ("1,5", "m", 1.5), ("−3.5", "m", -3.5), ("250 mm", "m", 0.25),
        ("90", "rad", math.pi / 2), ("1.5 rad", "rad", 1.5), ("72 km/h", "m/s", 20.0), ("1e-5", "", 1e-5),
        ("10 lb ft2", "kg m^2", 0.421401101), ("3*4", "m", 12.0), ("45 ft + 2 m", "m", 15.716),
        ("2*(10 − 3)", "m", 14.0), ("pi/6", "rad", math.pi / 6), ("pi/6 rad", "rad", math.pi / 6),
        ("90/4", "rad", math.pi / 8), ("3*4 ft", "m", 3.6576), ("10 + 5 ft", "m", 4.572), ("120/3.6", "m/s", 100 / 3),
        ("2^3", "m", 8.0), ("0.05 rad/s", "rad/s", 0.05), ("30 rpm", "rad/s", math.pi), ("4 kN/mm", "N/m", 4e6),
        ("1.5 kN m", "N m", 1500.0), ("210 GPa", "MPa", 210e9), ("5 N m/rad", "N m/rad", 5.0),
        ("1 g", "m/s^2", 9.80665), ("2 g", "g", 2.0), ("1 t + 20 kg", "kg", 1020.0), ("12 cm", "m", 0.12),
    ],
)  # fmt: skip
def test_that_numbers_are_read_with_their_units(settings, text, unit, value):
    assert entry_text.read_number(text, unit, "Field") == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("abc", "not a number"),
        ("3 kg", "does not fit"),
        ("", "not a number"),
        ("1/0", "divides by zero"),
        ("45 ft + 2", "not a number"),
        ("2 m * 3 m", "does not come to"),
        ("9**9999", "not a number"),
        ("__import__('os')", "not a number"),
        ("(" * 500, "not a number"),
        ("1e400", "too large"),
    ],
)
def test_that_other_text_is_refused(settings, text, words):
    with pytest.raises(InputError, match=words):
        entry_text.read_number(text, "m", "Field")


def test_that_shown_numbers_read_back_as_they_are(settings):
    for value in (0.0, 1e-9, 0.0001234, -12.5, 800000.0, 123456.78, 1e12):
        assert entry_text.read_number(entry_text.shown_number(value, "m", 12), "m", "F") == pytest.approx(
            value
        )


# -- what moves


def test_that_degrees_of_freedom_and_redundant_rows_are_told():
    # a planar four-bar linkage of revolute joints has one freedom and three rows too many
    found = mobility_of(load_example("four_bar"), None)
    assert found.size.degrees_of_freedom == 1
    text = " ".join(summary_lines(found))
    assert "1 degree of freedom" in text
    assert f"{len(found.size.redundant)} redundant rows" in text


def test_that_an_open_joint_is_told_with_how_far_assembling_moves_things():
    rig = load_example("planar_pendulum")
    body = rig.scenario.assembly.bodies[0]
    x, y, z = body.position
    moved = elements.set_element(rig, "body", (body.name,), {"position": (x + 0.003, y, z + 0.004)})
    found = mobility_of(moved, None)
    assert found.report.violation_before == pytest.approx(0.004, abs=0.002)
    assert "Assembling closes it" in summary_lines(found)[-1]
    assert found.report.translation > 1e-3


def test_that_the_check_runs_beside_the_window_and_follows_edits(qtbot, document, inspector):
    mobility_of(document.project, document.built())  # what it compiles the first time is not waited for below
    document.select(Selection("assembly", ("Car",)))
    inspector.refresh()
    assert any("Working out" in text for text in _words(inspector))
    qtbot.waitUntil(lambda: any("38 degrees of freedom" in t for t in _words(inspector)), timeout=120_000)
    path = ("Car", "Roll joint")
    document.apply("Lock", elements.set_element(document.project, "joint", path, {"locked": True}))
    qtbot.waitUntil(lambda: any("37 degrees of freedom" in t for t in _words(inspector)), timeout=120_000)


def test_that_help_opens_by_its_mark_and_stays_open_for_the_field_and_refusals_show_without_it(
    qtbot, document, inspector
):
    document.select(Selection("force", ("Car", "Primary spring front right")))
    inspector.refresh()
    row = next(row for row in inspector.rows if row.field.spec.name == "stiffness")
    other = next(row for row in inspector.rows if row.field.spec.name == "damping")
    assert not row.help.isVisible()
    assert row.entry.toolTip() == row.entry.accessibleDescription() == row.help.text()
    qtbot.mouseClick(row.mark, Qt.MouseButton.LeftButton)
    assert row.help.isVisible()
    assert not other.help.isVisible()
    document.select(Selection("force", ("Car", "Primary spring front left")))
    inspector.refresh()
    row = next(row for row in inspector.rows if row.field.spec.name == "stiffness")
    assert row.help.isVisible()
    qtbot.mouseClick(row.mark, Qt.MouseButton.LeftButton)
    assert not row.help.isVisible()
    row.entry.line.selectAll()
    qtbot.keyClicks(row.entry.line, "much")
    qtbot.keyClick(row.entry.line, Qt.Key.Key_Return)
    assert not row.help.isVisible()
    assert row.entry.line.property("refused") is True
    (text,) = inspector.messages.texts
    assert "'much' is not a number" in text


def test_that_a_group_folds_and_stays_folded_where_there_is_one_of_its_title(qtbot, document, inspector):
    document.select(Selection("assembly", ("Car",)))
    inspector.refresh()
    group = next(g for g in inspector.findChildren(FoldingGroup) if g.heading.text() == "Losses")
    entry = inspector.entry("rolling")
    assert entry.isVisible()
    qtbot.mouseClick(group.heading, Qt.MouseButton.LeftButton)
    assert not entry.isVisible()
    document.select(Selection())
    inspector.refresh()
    document.select(Selection("assembly", ("Car",)))
    inspector.refresh()
    assert "rolling" not in [row.field.spec.name for row in inspector.rows]
    assert inspector.entry("rolling").isVisible()  # who asks for a field opens its group


@pytest.mark.parametrize(
    ("example", "selected", "said"),
    [
        ("straight", Selection("force", ("Car", "Primary spring front right")), {
            "curve_kind": "the stiffness jumps at each row, and steps of a run end there"}),
        ("freight_curve", Selection("coupling", ("Coupling 1",)), {
            "slack": "Behind it the dashpot comes in over 0.1 mm", "damping": "none within the slack",
            "curve": "straight between the rows; steps end at its corners"}),
    ],
)  # fmt: skip
def test_that_what_a_law_does_between_its_numbers_is_said_where_they_are_edited(
    example: str, selected: Selection, said: dict[str, str], document, inspector
) -> None:
    document.start_from(load_example(example))
    document.select(selected)
    inspector.refresh()
    for name, words in said.items():
        rows = [row for row in inspector.rows if row.field.spec.name.rpartition(".")[2] == name]
        assert rows, f"no field {name}"
        assert all(words in row.help.text() and words in row.entry.toolTip() for row in rows)


def test_that_a_contact_takes_an_assembly_in_place_of_a_body_and_a_body_again(qtbot, document, inspector):
    document.start_from(load_example("human_fall"))
    name = next(f.name for f in document.project.assembly.forces if f.kind == "contact")
    document.select(Selection("force", (name,)))
    inspector.refresh()
    contact = elements.element_at(document.project, "force", (name,))
    body = document.project.assembly.children[0].name + "/Head"
    for field, value in (("body_i", body), ("group_i", document.project.assembly.children[0].name)):
        box = inspector.entry(field).box
        assert box.itemText(0) == inspector.entry(field).spec.empty
        k = box.findText(value)
        box.setCurrentIndex(k)
        box.activated.emit(k)
        inspector.refresh()
        made = elements.element_at(document.project, "force", (name,))
        assert getattr(made, field) == value
        assert (made.body_i is None) != (made.group_i is None)
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert elements.element_at(document.project, "force", (name,)) == contact


def test_that_another_kind_of_device_is_chosen_and_undone(inspector, document, qtbot):
    section = document.project.track.sections[0].name
    project, name = along_track.add_device(document.project, "trim_brake", section, {"end": 12.0})
    document.apply("Add trim brake", project)
    document.select(Selection("device", (name,)))
    inspector.refresh()
    box = inspector.entry("kind").box
    box.setFocus()
    qtbot.keyClicks(box, "lau")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    inspector.refresh()
    (device,) = document.project.track.devices
    assert (device.kind, device.name, device.end) == ("launch", "launch 1", 12.0)
    assert document.selection == Selection("device", ("launch 1",))
    assert inspector.entry("kind").box.currentText() == "Launch"
    assert "top_speed" in {
        f.spec.name for g in page_of(document.project, document.selection).groups for f in g.fields
    }
    document.undo_stack.undo()
    assert document.project == project


def test_that_a_seat_is_chosen_and_its_fit_told_in_its_page(qtbot, document, inspector):
    car = document.project.train.children[0]
    bare = elements.delete_element(document.project, "assembly", (car.name, car.riders[0].name))
    seat = car.seats[0].name
    project, _ = riders.make_rider(bare, (car.name,), Person(stature=1.2, scaling="child"), seat)
    document.apply("Seat a child", project)
    document.select(Selection("seat", (car.name, seat)))
    inspector.refresh()
    assert any("How riders fit is told once" in text for text in _words(inspector))
    steps = document.undo_stack.count()
    box = inspector.entry("shape").box
    box.setCurrentIndex(box.findData("Pirate ship, bench"))
    box.activated.emit(box.currentIndex())
    inspector.refresh()
    assert document.undo_stack.count() == steps + 1
    made = elements.element_at(document.project, "seat", (car.name, seat))
    assert made.shape.name == "Pirate ship, bench"
    assert made.restraint.kind == "lap_bar"
    told = next(text for text in _words(inspector) if "above the foot rest" in text)
    assert "closed by" in told
    _type(inspector, qtbot, "play", "0.02")
    assert elements.element_at(document.project, "seat", (car.name, seat)).restraint.play == 0.02
    fields = [
        f for g in page_of(document.project, Selection("seat", (car.name, seat))).groups for f in g.fields
    ]
    for field in fields:
        assert field.change(document.project, field.get(document.project))[0] == document.project
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project == project


def test_that_rails_as_built_and_the_steel_are_edited_and_kinks_are_problems() -> None:
    from ridewright.app.work.problem_finder import TRACK, find_problems

    project = changes.set_scenario(load_example("straight"), {"speed": 20.0})
    groups = {group.title: group for group in page_of(project, Selection()).groups}
    titles = [field.spec.title for field in groups["Rails as built"].fields]
    assert titles[0] == "Rails"
    assert "Scale" not in titles  # of rails as drawn
    dip = next(f for f in groups["Rails as built"].fields if f.spec.name == "joint_dip")
    every = next(f for f in groups["Rails as built"].fields if f.spec.name == "joint_spacing")
    project, _ = every.change(dip.change(project, 0.003)[0], 15.0)
    assert project.track is not None
    assert (project.track.as_built.joint_dip, project.track.as_built.joint_spacing) == (0.003, 15.0)
    ice = next(f for f in groups["Steelwork"].fields if f.spec.title == "Ice")
    assert ice.change(project, 0.02)[0].steelwork.actions.ice == 0.02
    columns = next(f for f in groups["Steelwork"].fields if f.spec.name == "columns")
    assert columns.spec.columns == (("Up to a length of", "m"), ("Diameter", "mm"), ("Wall", "mm"))
    rows = columns.get(project)
    assert rows[0] == (8.0, 0.3239, 0.01)
    changed, _ = columns.change(project, (*rows[:1], (1e6, 0.6, 0.02)))
    assert changed.steelwork.column_of(9.0).diameter == 0.6
    assert columns.change(project, rows)[0] == project
    with pytest.raises(InputError, match="wall"):
        columns.change(project, ((1e6, 0.6, -0.02),))
    wind = next(f for f in groups["Steelwork"].fields if f.spec.title == "Wind in service")
    assert wind.change(project, ((1000.0, 640.0),))[0].steelwork.actions.wind_in[0].pressure == 640.0
    kinks = [one for one in find_problems(project)[TRACK] if "of g on a wheel" in one.text]
    assert kinks
    assert kinks[0].s is not None


def test_that_a_folded_group_makes_its_fields_when_it_is_opened(studio: MainWindow) -> None:
    inspector = studio.panels["inspector"]
    studio.document.select(Selection())
    settle()
    before = len(inspector.rows)
    assert "ice" not in [row.field.spec.name for row in inspector.rows]
    heading = inspector._groups["Steelwork"].heading
    click(heading)
    settle()
    names = [row.field.spec.name for row in inspector.rows]
    assert len(names) > before + 10
    opened = inspector._groups["Steelwork"]
    assert QApplication.focusWidget() is opened.heading
    studio.document.apply("Notes", changes.set_project(studio.document.project, {"notes": "others"}))
    settle()
    assert [row.field.spec.name for row in inspector.rows] == names
    click(opened.heading)
    assert not inspector.rows[-18].isVisible()
    studio.document.undo_stack.undo()
    # a field that is asked for opens its group
    assert inspector.entry("joint_dip").isVisible()
