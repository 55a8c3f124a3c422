"""The document: undo, merge, selection, runs, problems, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ridewright.app.document.document import Change, Document, Problem, Run, Selection
from ridewright.app.document.selection import selection_of
from ridewright.core.base.errors import InputError
from ridewright.core.base.where import Where
from ridewright.core.design.following import FOLLOWING
from ridewright.core.edits import points
from ridewright.core.project.project import Project, load_project


def renamed(project: Project, name: str) -> Project:
    return project.model_copy(update={"name": name})


def lifted(project: Project, by: float, index: int = 5) -> Project:
    return points.move_points(project, "climb", [index], (0.0, 0.0, by))


def test_that_a_step_can_be_undone_and_done_again(document: Document) -> None:
    before = document.project
    after = lifted(before, 1.0)
    document.apply("Move point 1", after)
    assert document.project is after
    assert document.undo_stack.undoText() == "Move point 1"
    document.undo_stack.undo()
    assert document.project is before
    document.undo_stack.redo()
    assert document.project is after


def _hill(speed: float) -> Project:
    """A drop of 20 m from rest and an element behind it, drawn for a speed (m/s) that the ride may set."""
    points = [
        {"x": 10.0 * k, "y": 0.0, "z": z} for k, z in enumerate((30.0, 29.0, 20.0, 12.0, 10.0, 10.0, 10.0))
    ]
    hill = {
        "kind": "camelback",
        "name": "hill",
        "height": 10.0,
        "gz": 0.2,
        "entry_speed": speed,
        "speed_from": "ride",
    }
    level = {"kind": "straight", "name": "level", "length": 15.0, "cant": 0.0}
    track = {"name": "t", "sections": [{"kind": "spline", "name": "drop", "points": points}, level, hill]}
    ride = {"start_from": "given", "losses_from": "given", "speed": 8.0, "start": 0.0}
    given = {"name": "p", "track": track, "point_ride": ride}
    return Project.model_validate(given)


def test_that_only_declared_steps_change_what_an_edit_hands_over(qtbot, document: Document) -> None:
    plain = Document()
    plain.apply("Draw a hill", _hill(15.0))
    assert plain.project == _hill(15.0)

    document.start_from(_hill(15.0))
    told: list[str] = []
    document.kept_in_step.connect(told.append)
    document.apply("Rename", renamed(_hill(15.0), "q"))
    assert document.project.track.sections[2].entry_speed > 18.0
    assert told == [step.message for step in FOLLOWING]
    assert document.undo_stack.count() == 1


def test_that_a_file_and_a_run_are_taken_as_they_are(document: Document) -> None:
    theirs = renamed(_hill(15.0), "theirs")
    document.take_over(theirs)
    assert document.project == theirs  # it counts as saved


def test_that_equal_merge_keys_make_one_step_and_others_do_not(document: Document) -> None:
    before = document.project
    for height in (0.1, 0.2, 0.3):
        document.apply("Move", lifted(before, height), merge="drag 1")
    assert document.undo_stack.count() == 1
    document.apply("Move", lifted(before, 0.4), merge="drag 2")
    document.apply("Move", lifted(before, 0.5))
    assert document.undo_stack.count() == 3
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project == before


def test_that_the_project_before_a_step_is_that_before_all_that_became_one(document: Document) -> None:
    first = document.project
    document.apply("Move", lifted(first, 1.0), merge="drag")
    document.apply("Move", lifted(first, 2.0), merge="drag")
    assert document.before_step is first
    one = document.project
    document.apply("Move", lifted(first, 3.0), merge="another")
    assert document.before_step is one
    two = document.project
    document.undo_stack.undo()
    assert document.before_step is two
    document.undo_stack.redo()
    assert document.before_step is one
    document.undo_stack.setClean()
    document.apply("Move", lifted(first, 4.0), merge="another")  # what is saved is not joined
    assert document.before_step is two


def test_that_a_merged_step_that_ends_where_it_began_vanishes(document: Document) -> None:
    before = document.project
    document.apply("Move", lifted(before, 1.0), merge="drag")
    document.apply("Move", before, merge="drag")
    assert document.undo_stack.count() == 0
    assert not document.is_modified


def test_that_an_equal_project_makes_no_step(document: Document) -> None:
    copy = Project.model_validate(document.project.model_dump())
    document.apply("Nothing", copy)
    assert document.undo_stack.count() == 0


def test_that_the_change_names_what_differs(document: Document) -> None:
    heard: list[Change] = []
    document.project_changed.connect(heard.append)
    document.apply("Move", lifted(document.project, 1.0))
    document.apply("Name", renamed(document.project, "Other"))
    settings = document.project.settings.model_copy(update={"tolerance": 1e-4})
    document.apply("Set", document.project.model_copy(update={"settings": settings}))
    assert heard == [Change(track=True), Change(name=True), Change(settings=True)]


def test_that_a_preview_is_no_step_and_ends_with_the_next_one(document: Document) -> None:
    heard: list[object] = []
    document.preview_changed.connect(heard.append)
    moved = lifted(document.project, 2.0)
    document.preview(moved)
    assert document.undo_stack.count() == 0
    built = document.built()
    assert built is not None
    assert built.track == moved.track
    document.apply("Move", moved)
    assert heard == [moved, None]


def test_that_a_track_is_built_once_and_rebuilt_when_it_changes(document: Document) -> None:
    first = document.built()
    assert first is not None
    assert document.built() is first
    document.apply("Move", lifted(document.project, 1.0))
    second = document.built()
    assert second is not None
    assert second is not first
    assert second.track == document.project.track
    document.undo_stack.undo()
    assert document.built() is first


def test_that_a_track_that_cannot_be_built_is_a_problem_until_it_can(document: Document) -> None:
    climb = document.project.track.sections[1]
    same = points.set_points(
        document.project, "climb", [1], {"x": climb.points[0].x, "y": 0.0, "z": climb.points[0].z}
    )
    document.apply("Move onto its neighbour", same)
    assert document.built() is None
    assert [p.severity for p in document.problems] == ["error"]
    document.undo_stack.undo()
    assert document.built() is not None
    assert document.problems == ()


@pytest.mark.parametrize(
    "selection",
    [
        Selection("points", ("climb",), (0, 3)),
        Selection("section", ("loop",)),
        Selection("assembly", ("Car",)),
        Selection("body", ("Car", "Frame")),
        Selection("assembly", ("Car", "Rider")),
        Selection("body", ("Car", "Rider", "Head")),
        Selection("place", s=12.0),
        Selection("scenario"),
    ],
)
def test_that_what_exists_can_be_selected(document: Document, selection: Selection) -> None:
    document.select(selection)
    assert document.selection == selection


@pytest.mark.parametrize(
    "selection",
    [
        Selection("points", ("climb",), (99,)),
        Selection("points", ("climb",)),
        Selection("section", ("no such section",)),
        Selection("body", ("Car", "Wing")),
        Selection("body", ("Car", "Rider", "Tail")),
        Selection("body", ("Lorry", "Frame")),
        Selection("joint", ("Hinge",)),
    ],
)
def test_that_what_does_not_exist_selects_nothing(document: Document, selection: Selection) -> None:
    document.select(Selection("scenario"))
    document.select(selection)
    assert document.selection == Selection()


def test_that_undo_drops_a_selection_that_is_gone(document: Document) -> None:
    project, copies = points.duplicate_points(document.project, "climb", [13])
    document.apply("Duplicate", project)
    document.select(Selection("points", ("climb",), copies))
    assert document.selection.indices == copies
    document.undo_stack.undo()
    assert document.selection.kind == "none"


def test_that_undoing_a_deletion_selects_what_came_back(document: Document) -> None:
    for wanted in (Selection("points", ("climb",), (11, 12)), Selection("section", ("climb",))):
        document.select(wanted)
        assert document.selection == wanted
        document.apply("Delete points", points.delete_points(document.project, "climb", [11, 12]))
        document.select(Selection())
        document.undo_stack.undo()
        assert document.selection == wanted
        document.undo_stack.redo()
        document.select(Selection("scenario"))
        document.undo_stack.undo()
        assert document.selection == Selection("scenario"), "another selection stays"


def test_that_runs_are_kept_compared_and_removed(document: Document, short_run: Run) -> None:
    heard: list[None] = []
    document.runs_changed.connect(lambda: heard.append(None))
    document.add_run(short_run)
    document.add_run(short_run)
    first, second = document.runs
    assert (first.name, second.name) == ("Run", "Run (2)")
    assert first.colour != second.colour
    assert document.current_run is second
    assert document.compared == (first,)
    document.show_run(first)
    assert document.current_run is first
    assert document.compared == ()
    document.compare(first, True)  # a run is not compared with itself
    assert document.compared == ()
    document.compare(second, True)
    assert document.compared == (second,)
    document.drop_run(first)
    assert document.runs == (second,)
    assert document.current_run is second
    assert document.compared == ()
    assert len(heard) == 5


def test_that_a_removed_run_can_be_restored_to_its_place(document: Document, short_run: Run) -> None:
    for _ in range(3):
        document.add_run(short_run)
    first, second, third = document.runs
    assert document.removed is None
    document.show_run(second)
    document.remove_run(second)
    assert document.runs == (first, third)
    assert document.current_run is third
    assert document.removed is second
    document.restore_run()
    assert document.runs == (first, second, third)
    assert document.current_run is second
    assert document.removed is None
    document.restore_run()
    assert document.runs == (first, second, third), "nothing is left to bring back"
    document.remove_run(third)
    document.new()
    assert document.removed is None, "it belonged to another project"


def test_that_a_run_is_stale_when_the_project_would_run_differently(
    document: Document, short_run: Run
) -> None:
    document.add_run(short_run)
    (run,) = document.runs
    document.apply("Back", run.project)
    assert not document.is_stale(run)
    document.apply("Name", renamed(document.project, "Other name"))
    assert not document.is_stale(run)
    settings = document.project.settings.model_copy(update={"tolerance": 1e-4})
    document.apply("Set", document.project.model_copy(update={"settings": settings}))
    assert document.is_stale(run)


def test_that_problems_are_sorted_and_replaced_by_source(document: Document) -> None:
    document.set_problems("a", [Problem("note", "n"), Problem("error", "e")])
    document.set_problems("b", [Problem("warning", "w")])
    assert [p.text for p in document.problems] == ["e", "w", "n"]
    document.set_problems("a", [])
    assert [p.text for p in document.problems] == ["w"]


def test_that_a_saved_project_reads_back_and_counts_as_saved(document: Document, tmp_path: Path) -> None:
    document.apply("Move", lifted(document.project, 1.0))
    assert document.is_modified
    file = tmp_path / "mine.ridewright"
    document.save_as(file)
    assert not document.is_modified
    assert document.title == "mine"
    assert load_project(file) == document.project
    document.undo_stack.undo()
    assert document.is_modified


def test_that_a_damaged_file_is_refused_and_the_project_stays(document: Document, tmp_path: Path) -> None:
    document.apply("Move", lifted(document.project, 1.0))
    before = document.project
    file = tmp_path / "broken.ridewright"
    file.write_text('{"format": "ridewright", "name": "x", "track": {')
    with pytest.raises(InputError, match=r"broken\.ridewright"):
        document.open(file)
    assert document.project is before
    assert document.undo_stack.count() == 1


def test_that_opening_forgets_steps_runs_and_selection(
    document: Document, short_run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "a.ridewright"
    document.save_as(file)
    document.apply("Move", lifted(document.project, 1.0))
    document.select(Selection("section", ("loop",)))
    document.add_run(short_run)
    document.open(file)
    assert document.undo_stack.count() == 0
    assert document.runs == ()
    assert document.current_run is None
    assert document.selection.kind == "none"


def test_that_recovered_work_counts_as_unsaved(document: Document, tmp_path: Path) -> None:
    document.recover(renamed(document.project, "Rescued"), tmp_path / "a.ridewright")
    assert document.is_modified
    document.save()
    assert not document.is_modified
    assert load_project(tmp_path / "a.ridewright").name == "Rescued"


def test_that_a_new_project_can_be_built(document: Document) -> None:
    document.new()
    assert document.built() is not None
    assert document.project.train is not None
    assert document.path is None


def test_that_a_finding_leads_to_what_its_path_names(document: Document) -> None:
    joint = {"name": "Twin", "kind": "spherical", "body_i": "Twin", "body_j": "ground"}
    body = {"name": "Twin", "mass": 1.0, "inertia": [1.0, 1.0, 1.0], "position": [0.0, 0.0, 0.0]}
    rig = {"name": "rig", "role": "rig", "bodies": [body], "joints": [joint]}
    scenario = {"kind": "rig", "assembly": rig, "duration": 1.0}
    project = Project.model_validate({"name": "p", "scenario": scenario})
    top = ("scenario", "assembly")
    assert selection_of(Where((*top, "joints", "Twin")), project) == Selection("joint", ("Twin",))
    assert selection_of(Where((*top, "bodies", "Twin")), project) == Selection("body", ("Twin",))
    assert selection_of(Where((*top, "joints", "Gone")), project) == Selection("assembly", ())
    assert selection_of(Where(("track", "sections", "Gone")), project) is None
    assert selection_of(Where(s=3.0), project) is None

    track = document.project
    found = selection_of(Where(("track", "sections", "climb", "points", 2), s=4.0), track)
    assert found == Selection("points", ("climb",), (2,), 4.0)
    assert selection_of(Where(("track", "sections", "climb", "points", 999)), track) == Selection(
        "section", ("climb",)
    )
    assert selection_of(Where(s=3.0), track) == Selection("place", s=3.0)
