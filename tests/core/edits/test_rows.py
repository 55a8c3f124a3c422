"""Lists of an element as tables: rows changed, added, deleted, what names them carried along; frames from nothing."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits import frames, rows
from ridewright.core.edits.elements import element_at
from ridewright.core.model.consistency import check_assembly
from ridewright.core.model.flexible import FlexibleBody
from ridewright.core.multibody.flexible import reduced_body
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project

HERE = ("flexible", ("Frame",))


def _new() -> Project:
    return frames.add_frame(Project(name="Empty"), ())[0]


def _frame(project: Project) -> FlexibleBody:
    found: FlexibleBody = element_at(project, *HERE)
    return found


def _with_corner() -> Project:
    """A to B along x, B to C on along x."""
    project = _new()
    for name in ("nodes", "beams"):
        row = frames.new_row(_frame(project), name, (), ())
        project, _ = rows.add_rows(project, *HERE, name, [row])
    return project


def test_that_a_frame_from_nothing_is_a_rig_that_can_be_reduced_and_in_which_nothing_is_odd() -> None:
    project = _new()
    assert project.assembly is not None
    assert check_assembly(project.assembly) == ()
    frame = _frame(project)
    assert [one.body for one in frame.interfaces] == ["ground", "Load"]
    assert reduced_body(frame).mass == pytest.approx(
        3.0 * 25.169, rel=1e-3
    )  # kg/m of the table of EN 10210-2


def test_that_a_frame_is_fixed_to_the_first_body_of_what_holds_it() -> None:
    project, path = frames.add_frame(load_example("swing_beam"), ())
    frame = element_at(project, "flexible", path)
    assert project.assembly is not None
    first = project.assembly.bodies[0]
    assert (frame.interfaces[0].body, frame.nodes[0].position) == (first.name, first.position)


def test_that_a_frame_on_a_car_has_a_name_and_a_place_of_its_own_there() -> None:
    """The car of the example has a body "Frame"."""
    ride = load_example("looping_star")
    assert ride.train is not None
    car = ride.train.children[0]
    project, path = frames.add_frame(ride, (car.name,))
    assert path == (car.name, "Frame 2")
    frame = element_at(project, "flexible", path)
    assert frame.interfaces[0].body == car.bodies[0].name
    with pytest.raises(InputError, match="A rider cannot hold a frame"):
        frames.add_frame(ride, (car.name, car.riders[0].name))


def test_that_a_track_without_train_is_not_taken_away_for_a_frame() -> None:
    track = load_example("curve50").track
    with pytest.raises(InputError, match="has a track but no train"):
        frames.add_frame(Project(name="Track", track=track), ())


def test_that_new_nodes_and_beams_continue_the_frame() -> None:
    frame = _frame(_with_corner())
    assert [(node.name, node.position) for node in frame.nodes[1:]] == [("B", (3, 0, 2)), ("C", (6, 0, 2))]
    assert [(beam.start, beam.end) for beam in frame.beams] == [("A", "B"), ("B", "C")]
    assert frame.beams[0].section == frame.beams[1].section


def test_that_several_rows_change_at_once_and_keep_what_they_differ_in() -> None:
    project = rows.set_rows(_with_corner(), *HERE, "beams", (0, 1), {"elements": 3})
    assert [(beam.end, beam.elements) for beam in _frame(project).beams] == [("B", 3), ("C", 3)]


def test_that_rows_follow_the_name_of_what_they_name() -> None:
    frame = _frame(rows.set_rows(_with_corner(), *HERE, "nodes", (1,), {"name": "Knee"}))
    assert [(beam.start, beam.end) for beam in frame.beams] == [("A", "Knee"), ("Knee", "C")]
    assert [one.node for one in frame.interfaces] == ["A", "Knee"]


def test_that_rows_go_with_what_they_name_and_no_others() -> None:
    project = _with_corner()
    assert rows.rows_with(_frame(project), "nodes", (2,)) == {"nodes": {2}, "beams": {1}}
    frame = _frame(rows.delete_rows(project, *HERE, "nodes", (2,)))
    assert ([node.name for node in frame.nodes], len(frame.beams), len(frame.interfaces)) == (
        ["A", "B"],
        1,
        2,
    )


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda p: rows.set_rows(p, *HERE, "beams", (0,), {"end": "Z"}), "at node 'Z', which does not exist"),
        (
            lambda p: rows.set_rows(p, *HERE, "nodes", (0,), {"name": "B"}),
            "two nodes of 'Frame' are named 'B'",
        ),
        (lambda p: rows.set_rows(p, *HERE, "nodes", (0, 1), {"name": "Q"}), "cannot have the same name"),
        (lambda p: rows.set_rows(p, *HERE, "beams", (0,), {"E": -1.0}), "Beam 'A - B' of 'Frame'"),
        (lambda p: rows.delete_rows(p, *HERE, "beams", (0, 1)), "'Frame' has no beams"),
        (lambda p: rows.delete_rows(p, *HERE, "interfaces", (0, 1)), "'Frame' has no interface"),
        (lambda p: rows.set_rows(p, *HERE, "frames", (0,), {}), "no list 'frames'"),
    ],
)
def test_that_what_rows_cannot_be_is_refused_in_a_sentence(edit, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        edit(_with_corner())


def test_that_copies_of_nodes_get_names_of_their_own_behind_the_last() -> None:
    project, chosen = rows.duplicate_rows(_with_corner(), *HERE, "nodes", (0, 1))
    assert [node.name for node in _frame(project).nodes] == ["A", "B", "A 2", "B 2", "C"]
    assert chosen == (2, 3)


def test_that_new_masses_and_interfaces_take_what_is_free_and_say_when_nothing_is() -> None:
    frame, bodies = _frame(_with_corner()), ("Load", "Hook", "ground")
    made = frames.new_row(frame, "interfaces", (), bodies)
    assert (made.node, made.body) == ("C", "Hook")  # type: ignore[attr-defined]
    assert frames.new_row(frame, "interfaces", (), ("Load", "ground")).body == "ground"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="Every body has an interface of 'Frame'"):
        frames.new_row(frame, "interfaces", (), bodies[:1])
    assert frames.new_row(frame, "masses", (), bodies).node == "C"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="has a beam to every other node"):
        frames.new_row(_frame(_new()), "beams", (), bodies)


def test_that_a_place_belongs_to_the_node_there_or_the_nearest_beam() -> None:
    frame = _frame(_with_corner())
    assert frames.part_at(frame, (3.1, 0.05, 2.1)) == ("nodes", 1)
    assert frames.part_at(frame, (1.9, 0.05, 2.08)) == ("beams", 0)
    assert frames.part_at(frame, (4.6, -0.05, 2.08)) == ("beams", 1)
