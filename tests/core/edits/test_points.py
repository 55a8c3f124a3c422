"""Edits of control points and sections, judged by the curve that is built from them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits import point_text, points, sections
from ridewright.core.edits.changes import free_name, set_track
from ridewright.core.edits.places import nearest_point, point_before
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import (
    ControlPoint,
    SplineSection,
    StraightSection,
    TableSection,
    Track,
)

ROWS = (
    (0.0, 0.0, 5.0, 0.1, True),
    (12.0, 1.0, 5.5, 0.2, False),
    (25.0, 4.0, 8.0, -0.3, False),
    (34.0, 14.0, 9.0, None, False),
    (36.0, 27.0, 7.0, -0.4, False),
    (30.0, 41.0, 6.0, 0.15, False),
)


def _points(rows=ROWS):
    return tuple(ControlPoint(x=x, y=y, z=z, cant=c, straight=s) for x, y, z, c, s in rows)


@pytest.fixture
def project():
    track = Track(
        name="t",
        sections=(
            SplineSection(name="a", points=_points()[:3]),
            SplineSection(name="b", points=_points()[3:]),
        ),
    )
    return Project(name="p", track=track)


def _curve(project, n=200):
    built = build_track(project.track)
    return built.centreline.position(np.linspace(0.0, built.length, n))


def test_that_moving_points_moves_those_and_no_others(project):
    moved = points.move_points(project, "b", (0, 2), (1.5, -2.0, 0.25))
    b = moved.track.sections[1].points
    assert b[0].position == (35.5, 12.0, 9.25)
    assert b[2].position == (31.5, 39.0, 6.25)
    assert b[1] == project.track.sections[1].points[1]
    assert moved.track.sections[0] == project.track.sections[0]
    assert project.track.sections[1].points[0].position == (34.0, 14.0, 9.0)


def test_that_moving_the_whole_track_moves_the_curve_and_nothing_else(project):
    by = np.array([3.0, -7.0, 2.5])
    moved = points.move_track(project, tuple(by))
    np.testing.assert_allclose(_curve(moved), _curve(project) + by, atol=1e-9)


def test_that_an_inserted_point_lies_on_the_track_and_hardly_changes_it(project):
    built = build_track(project.track)
    more, index = points.insert_point(project, built, "a", 2)
    assert index == 3
    s = built.point_places
    middle = built.centreline.position(0.5 * (s["a"][2] + s["b"][0]))[0]
    new = more.track.sections[0].points[3]
    np.testing.assert_allclose(new.position, middle, atol=1e-12)
    cant = built.centreline.cant(0.5 * (s["a"][2] + s["b"][0]))[0]
    assert new.cant == pytest.approx(cant, abs=1e-12)
    # the spline through one more of its own points stays close to itself, closer than with the chord's middle
    dense = _curve(project, 4000)

    def off(changed):
        return max(np.min(np.linalg.norm(dense - p, axis=1)) for p in _curve(changed))

    chord = 0.5 * (np.array(ROWS[2][:3]) + np.array(ROWS[3][:3]))
    assert off(more) < 0.5 * off(points.place_points(more, "a", {3: tuple(chord)}))


def test_that_a_point_inserted_into_a_straight_piece_keeps_it_straight(project):
    more, index = points.insert_point(project, build_track(project.track), "a", 0)
    assert more.track.sections[0].points[index].straight
    built = build_track(more.track)
    s = built.point_places["a"]
    inside = built.centreline.curvature(np.linspace(s[0], s[2], 20)[1:-1])
    assert np.max(inside) < 1e-12


def test_that_adding_behind_the_end_goes_straight_on(project):
    built = build_track(project.track)
    more, index = points.insert_point(project, built, "b", 2)
    t = built.frame_at([built.length])[0][0]
    step = np.asarray(more.track.sections[1].points[index].position) - np.asarray(ROWS[5][:3])
    np.testing.assert_allclose(step / np.linalg.norm(step), t, atol=1e-9)
    s = built.point_places["b"]
    assert np.linalg.norm(step) == pytest.approx(s[2] - s[1], rel=1e-9)


def test_that_deleting_all_points_of_a_section_deletes_it_and_the_last_section_stays(project):
    less = points.delete_points(project, "a", (0, 1, 2))
    assert [s.name for s in less.track.sections] == ["b"]
    with pytest.raises(InputError, match="all the points"):
        points.delete_points(less, "b", (0, 1, 2))
    assert [p.x for p in points.delete_points(project, "a", (1,)).track.sections[0].points] == [0.0, 25.0]


def test_that_duplicated_points_keep_their_shape_and_the_track_can_be_built(project):
    more, copies = points.duplicate_points(project, "b", (0, 1))
    assert copies == (2, 3)
    b = more.track.sections[1].points
    shape = np.asarray(b[1].position) - np.asarray(b[0].position)
    np.testing.assert_allclose(np.asarray(b[3].position) - np.asarray(b[2].position), shape, atol=1e-12)
    assert b[3].cant == b[1].cant
    for index in range(3):  # single points, the last one included, do not coincide with their copies
        build_track(points.duplicate_points(project, "b", (index,))[0].track)


def test_that_reversing_points_twice_gives_them_back(project):
    once = points.reverse_points(project, "a", (0, 1, 2))
    assert [p.x for p in once.track.sections[0].points] == [25.0, 12.0, 0.0]
    assert points.reverse_points(once, "a", (0, 1, 2)) == project


def test_that_cants_are_set_one_by_one_and_spread_by_distance(project):
    set_ones = points.set_cants(project, "b", {0: 0.5, 2: None})
    assert [p.cant for p in set_ones.track.sections[1].points] == [0.5, -0.4, None]
    spread = points.smooth_cant(project, "a", (0, 1, 2)).track.sections[0].points
    p = [np.array(row[:3]) for row in ROWS[:3]]
    share = np.linalg.norm(p[1] - p[0]) / (np.linalg.norm(p[1] - p[0]) + np.linalg.norm(p[2] - p[1]))
    assert spread[1].cant == pytest.approx(0.1 + share * (-0.3 - 0.1))
    with pytest.raises(InputError, match="need a cant"):
        points.smooth_cant(set_ones, "b", (0, 1, 2))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda p: points.set_points(p, "a", (1,), {"x": 1e9}), "section 'a', point 2: x: must be at most"),
        (lambda p: points.set_points(p, "a", (7,), {"x": 1.0}), "has no point 8; it has 3"),
        (lambda p: points.move_points(p, "c", (0,), (1, 0, 0)), "no section 'c'"),
        (lambda p: points.set_points(p, "a", (0,), {"cant": math.nan}), "cant: must be a finite number"),
    ],
)
def test_that_impossible_edits_are_refused_naming_the_place(project, edit, words):
    with pytest.raises(InputError) as caught:
        edit(project)
    assert words.lower() in str(caught.value).lower()


def test_that_points_of_every_section_are_found_on_the_centreline():
    track = load_example("looping_star").track
    built = build_track(track)
    found = built.point_places
    every = [s for section in track.sections for s in found[section.name]]
    assert every == sorted(every)
    assert len(every) == sum(len(s.points) for s in track.sections)
    for section in track.sections:
        line = built.centreline.position(found[section.name])
        np.testing.assert_allclose(line, [p.position for p in section.points], atol=1e-9)
    name, index = track.sections[4].name, 3
    s = found[name][index]
    assert nearest_point(built, s + 0.01) == (name, index)
    assert point_before(built, s + 0.01) == (name, index)
    assert point_before(built, s - 0.01) != (name, index)


def test_that_points_at_one_place_keep_their_own_arc_lengths():
    rows = [
        (-20, -5, 5),
        (0, 0, 5),
        (20, 8, 5),
        (28, 24, 5),
        (14, 32, 5),
        (2, 20, 5),
        (0, 0, 5),
        (-4, -24, 5),
    ]
    spline = SplineSection(name="a", points=tuple(ControlPoint(x=x, y=y, z=z) for x, y, z in rows))
    found = build_track(Track(name="t", sections=(spline,))).point_places["a"]
    assert list(found) == sorted(found)
    assert found[6] - found[1] > 60.0


# -- sections


def test_that_splitting_and_joining_leave_the_curve_as_it_is(project):
    split, second = sections.split_section(project, "a", 1)
    assert [s.name for s in split.track.sections] == ["a", second, "b"]
    np.testing.assert_allclose(_curve(split), _curve(project), atol=1e-12)
    assert sections.join_with_next(split, "a") == project
    with pytest.raises(InputError, match="right behind"):
        sections.join_with_next(project, "b")


@pytest.mark.parametrize(("first", "last", "count"), [(0, 0, 2), (1, 1, 3), (0, 1, 2), (1, 2, 2)])
def test_that_points_become_an_element_of_their_own_on_the_same_curve(project, first, last, count):
    chosen = project.track.sections[0].points[first : last + 1]
    made, name = sections.own_section(project, "a", first, last)
    np.testing.assert_allclose(_curve(made), _curve(project), atol=1e-12)
    assert len(made.track.sections) == count + 1
    (own,) = (s for s in made.track.sections if s.name == name)
    assert own.points == chosen
    with pytest.raises(InputError, match="all points"):
        sections.own_section(project, "a", 0, 2)


@pytest.mark.parametrize("closed", [False, True])
def test_that_a_reversed_track_is_the_same_curve_run_the_other_way(project, closed):
    rows = [
        *ROWS[:4],
        (20.0, 55.0, 6.0, 0.3, True),
        (-3.0, 40.0, 5.0, 0.3, False),
        (-9.0, 15.0, 5.0, 0.2, False),
    ]
    spline = SplineSection(name="a", points=_points(rows[:4]))
    project = set_track(
        project, {"closed": closed, "sections": (spline, SplineSection(name="b", points=_points(rows[4:])))}
    )
    turned = sections.reverse_track(project)
    forward, back = build_track(project.track), build_track(turned.track)
    assert back.length == pytest.approx(forward.length, abs=1e-6)
    first = back.centreline.position(0.0)[0]
    shift = forward.paths["centreline"].nearest(first)
    s = np.linspace(0.0, forward.length, 60)[1:-1]
    np.testing.assert_allclose(
        back.centreline.position(s), forward.centreline.position(np.mod(shift - s, forward.length)), atol=1e-6
    )
    t, left, up = back.frame_at(s)
    t0, left0, up0 = forward.frame_at(np.mod(shift - s, forward.length))
    np.testing.assert_allclose(t, -t0, atol=1e-6)
    np.testing.assert_allclose(left, -left0, atol=1e-5)
    np.testing.assert_allclose(up, up0, atol=1e-5)


def test_that_reversing_turns_straights_and_tables_too():
    u = np.linspace(0.0, 40.0, 40)
    rows = tuple((40.0 + float(a), float(0.01 * a**2), 3.0) for a in u)
    straight = StraightSection(name="run", start=(0.0, 0.0, 3.0), end=(40.0, 0.0, 3.0), cant=0.2)
    table = TableSection(name="rows", positions=rows, cant=tuple(0.2 + 0.001 * k for k in range(40)))
    project = Project(name="p", track=Track(name="t", sections=(straight, table)))
    turned = sections.reverse_track(project)
    forward, back = build_track(project.track), build_track(turned.track)
    s = np.linspace(0.0, forward.length, 40)[1:-1]
    np.testing.assert_allclose(
        back.centreline.position(forward.length - s), forward.centreline.position(s), atol=5e-3
    )
    np.testing.assert_allclose(
        back.centreline.cant(forward.length - s), -forward.centreline.cant(s), atol=5e-3
    )
    assert np.max(back.centreline.curvature(np.linspace(back.length - 39.0, back.length, 20))) < 1e-9


def test_that_new_sections_go_on_without_a_kink(project):
    built = build_track(project.track)
    end, tangent = built.centreline.position(built.length)[0], built.frame_at([built.length])[0][0]
    more, name = sections.add_straight_section(project, built)
    added = build_track(more.track)
    s = next(span.s0 for span in added.sections if span.name == name)
    np.testing.assert_allclose(added.centreline.position(s)[0], end, atol=1e-9)
    np.testing.assert_allclose(added.frame_at([s])[0][0], tangent, atol=1e-6)
    assert added.length - built.length == pytest.approx(20.0, abs=0.5)
    spline, name = sections.add_spline_section(project, built)
    assert spline.track.sections[-1].name == name
    assert build_track(spline.track).length > built.length + 19.0
    with pytest.raises(InputError, match="closed"):
        sections.add_spline_section(set_track(project, {"closed": True}), built)


def test_that_a_table_becomes_a_spline_close_to_it():
    a = np.linspace(0.0, math.pi, 120)
    rows = tuple((30.0 * math.sin(v), 30.0 - 30.0 * math.cos(v), 4.0 + v) for v in a)
    track = Track(name="t", sections=(TableSection(name="rows", positions=rows, cant=(0.3,) * 120),))
    project = Project(name="p", track=track)
    built = build_track(track)
    made = sections.table_to_spline(project, built, "rows", 8.0)
    assert isinstance(made.track.sections[0], SplineSection)
    again = build_track(made.track)
    s = np.linspace(0.0, 1.0, 50)
    apart = again.centreline.position(s * again.length) - built.centreline.position(s * built.length)
    assert np.max(np.linalg.norm(apart, axis=1)) < 0.05
    assert again.centreline.cant(0.5 * again.length)[0] == pytest.approx(0.3, abs=0.01)
    with pytest.raises(InputError, match="spacing"):
        sections.table_to_spline(project, built, "rows", 0.01)


def test_that_deleting_and_moving_sections_keep_the_others(project):
    assert [s.name for s in sections.delete_section(project, "a").track.sections] == ["b"]
    assert [s.name for s in sections.move_section(project, "b", 0).track.sections] == ["b", "a"]
    with pytest.raises(InputError, match="only section"):
        sections.delete_section(sections.delete_section(project, "a"), "b")
    with pytest.raises(InputError, match="two sections are named 'b'"):
        sections.set_section(project, "a", {"name": "b"})
    assert build_track(sections.new_track(Project(name="p")).track).length == pytest.approx(20.0)


def test_that_free_names_count_on():
    assert free_name("Frame", ["Wheel"]) == "Frame"
    assert free_name("Frame", ["Frame", "Frame 2"]) == "Frame 3"
    assert free_name("Frame 2", ["Frame 2"]) == "Frame 3"
    assert free_name("2", ["2"]) == "2 2"


# -- text


@pytest.mark.parametrize("units", [("m", "deg"), ("ft", "deg"), ("m", "rad")])
def test_that_copied_points_paste_as_they_were(units):
    text = point_text.points_as_text(_points(), *units)
    back = point_text.points_from_text(text)
    for old, new in zip(_points(), back, strict=True):
        np.testing.assert_allclose(new.position, old.position, rtol=1e-8, atol=1e-12)
        assert (new.cant is None) == (old.cant is None)
        assert new.cant is None or new.cant == pytest.approx(old.cant, rel=1e-8)
        assert new.straight == old.straight


@pytest.mark.parametrize(
    "text",
    [
        "1.5,2,3,90\n4,5,6",
        "1.5\t2\t3\t90\n\n4\t5\t6\n",
        "1,5;2;3;90\n4;5;6",
        "  1.5   2 3 90\n4 5 6",
        "x,y,z\n1.5,2,3,90\n4,5,6",
    ],
)
def test_that_text_of_other_programs_is_understood(text):
    first, second = point_text.points_from_text(text)
    assert first.position == (1.5, 2.0, 3.0)
    assert first.cant == pytest.approx(math.pi / 2.0)
    assert second.position == (4.0, 5.0, 6.0)
    assert second.cant is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,2,3\n4,five,6", "Line 2, column y: expected a number, found 'five'"),
        ("1 2 3\n4 5", "Line 2: expected x, y and z"),
        ("x [yd]\ty [m]\tz [m]\n1\t2\t3", "unit [yd] is unknown"),
        ("hello", "no points"),
        ("1 2 3e9", "Line 1: z: must be at most"),
        ("1 2 nan", "Line 1, column z: the number must be finite"),
    ],
)
def test_that_unreadable_text_is_refused_naming_the_line(text, words):
    with pytest.raises(InputError) as caught:
        point_text.points_from_text(text)
    assert words in str(caught.value)
