"""Edits of element sections: inserted from the catalogue, moved, copied, turned into control points."""

from __future__ import annotations

import math
from importlib import resources

import numpy as np
import pytest
from scipy.spatial import cKDTree

from ridewright.core.base.errors import InputError
from ridewright.core.edits import points, sections
from ridewright.core.edits.along_track import add_device
from ridewright.core.edits.elements_track import (
    duplicate_section,
    guessed_speed,
    insert_element,
    pose_at,
    to_control_points,
)
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.project import Project
from ridewright.core.track import elements as e
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import (
    ControlPoint,
    SplineSection,
    StraightSection,
    TableSection,
    Track,
)
from ridewright.core.track.elements import ELEMENTS, KINDS, element_entry
from ridewright.core.track.elements.arc import ArcSection
from ridewright.core.track.elements.banked_turn import BankedTurnSection
from ridewright.core.track.elements.corkscrew import CorkscrewSection
from ridewright.core.track.elements.helix import HelixSection
from ridewright.core.track.elements.inline_roll import InlineRollSection
from ridewright.core.track.elements.loop import LoopSection
from ridewright.core.track.elements.zero_g_roll import ZeroGRollSection


def _project(*parts: object, closed: bool = False) -> Project:
    return Project(name="p", track=Track.model_validate({"name": "t", "sections": parts, "closed": closed}))


def _built(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


LEAD = SplineSection(
    name="lead",
    points=tuple(
        ControlPoint(x=x, y=0.0, z=z, cant=0.0) for x, z in ((0, 40), (15, 38), (30, 28), (45, 14), (62, 8))
    ),
)
ARC = ArcSection(name="arc", radius=25.0, angle=0.7)
OUT = StraightSection(name="out", length=18.0)


def test_that_the_catalogue_offers_every_kind_once_by_its_id() -> None:
    assert {entry.model for entry in ELEMENTS} == {kind.model for kind in KINDS.values()}
    assert len({entry.id for entry in ELEMENTS}) == len(ELEMENTS)
    assert len({entry.title for entry in ELEMENTS}) == len(ELEMENTS)
    assert all(entry.line.endswith(".") for entry in ELEMENTS)
    icons = resources.files("ridewright.resources") / "icons"
    assert all((icons / f"{entry.icon}.svg").is_file() for entry in ELEMENTS)
    assert element_entry("zero_g_roll").icon == "element-zero-g-roll"


@pytest.mark.parametrize("speed", [9.0, 14.0, 26.0, 45.0])
@pytest.mark.parametrize("id", [entry.id for entry in ELEMENTS])
def test_that_every_element_fits_the_speed_it_is_inserted_for(id: str, speed: float) -> None:
    project, name = insert_element(Project(name="p"), None, id, speed=speed)
    built = _built(project)
    assert built.sections[0].name == name
    assert built.length > 4.0
    z = built.centreline.position(np.linspace(0, built.length, 200))[:, 2]
    needed = max(
        speed, element_entry(id).slowest
    )  # a ride that is too slow for it gets the smallest that there is
    assert z.max() - z[0] < needed**2 / (2 * 9.81) + 2.5


def test_that_an_element_goes_where_it_is_asked_for() -> None:
    project = _project(LEAD, ARC, OUT)
    built = _built(project)
    last, name = insert_element(project, built, "helix")
    assert [s.name for s in last.track.sections] == ["lead", "arc", "out", "Left helix"]
    assert name == "Left helix"
    behind, _ = insert_element(project, built, "camelback", after="lead")
    assert [s.name for s in behind.track.sections] == ["lead", "Camelback", "arc", "out"]
    ahead, _ = insert_element(project, built, "arc", before="arc")
    assert [s.name for s in ahead.track.sections] == ["lead", "Left turn", "arc", "out"]
    with pytest.raises(InputError, match="not both"):
        insert_element(project, built, "arc", before="arc", after="lead")
    with pytest.raises(InputError, match="no element 'spiral'"):
        insert_element(project, built, "spiral")


def test_that_an_inserted_element_is_sized_for_the_height_lost_before_it() -> None:
    project = _project(LEAD, OUT)
    built = _built(project)
    speed = guessed_speed(built, built.sections[1].s0)
    assert speed == pytest.approx(math.sqrt(2 * 9.81 * 32.0), rel=1e-2)
    made, name = insert_element(project, built, "camelback", after="lead")
    hill = next(s for s in made.track.sections if s.name == name)
    assert hill.entry_speed == pytest.approx(speed)


def test_that_what_follows_an_inserted_element_moves_along_and_points_stay() -> None:
    far = SplineSection(name="far", points=(ControlPoint(x=200, y=60, z=8), ControlPoint(x=230, y=60, z=8)))
    project = _project(LEAD, OUT, far)
    built = _built(project)
    made = _built(insert_element(project, built, "arc", after="lead", speed=18.0)[0])
    assert made.sections[2].s1 - made.sections[2].s0 == pytest.approx(
        built.sections[1].s1 - built.sections[1].s0, abs=20
    )
    straight = made.centreline.state(np.linspace(made.sections[2].s0, made.sections[2].s0 + 18.0, 5))
    assert np.abs(straight.curve[:, 2]).max() < 1e-12
    assert straight.tangent[0, 1] > 0.5
    tree = cKDTree(made.centreline.position(np.linspace(0, made.length, 60_000)))
    assert tree.query([[200, 60, 8], [230, 60, 8]])[0].max() < 0.01


def test_that_an_element_put_first_begins_where_the_track_began() -> None:
    first = ArcSection(name="a", pose=e.StartPose(position=(5.0, 6.0, 7.0), heading=1.0, pitch=0.1))
    project = _project(first, OUT)
    made, name = insert_element(project, _built(project), "inline_roll", before="a")
    assert made.track.sections[0].name == name
    assert made.track.sections[1].pose is None
    state = _built(made).centreline.state([0.0])
    assert state.curve[0, 0] == pytest.approx([5.0, 6.0, 7.0], abs=1e-9)
    assert math.atan2(state.tangent[0, 1], state.tangent[0, 0]) == pytest.approx(1.0, abs=1e-9)


def test_that_deleting_and_moving_keep_the_start_of_the_track() -> None:
    first = ArcSection(name="a", pose=e.StartPose(position=(5.0, 6.0, 7.0), heading=1.0))
    loop = LoopSection(name="b")
    project = _project(first, OUT, loop)
    before = _built(project)
    left = sections.delete_section(sections.delete_section(project, "out"), "a")
    begin = _built(left).centreline.state([0.0])
    place = _built(sections.delete_section(project, "out")).sections[1].s0
    state = before.centreline.state([place])
    assert np.abs(begin.curve[0, :2] - state.curve[0, :2]).max() < 1e-9
    turned = sections.move_section(project, "b", 0)
    assert [s.name for s in turned.track.sections] == ["b", "a", "out"]
    assert turned.track.sections[0].pose.position == (5.0, 6.0, 7.0)
    assert turned.track.sections[1].pose is None
    assert _built(turned).length == pytest.approx(before.length, rel=1e-6)


def test_that_a_copy_goes_right_behind_its_original() -> None:
    project = _project(CorkscrewSection(name="screw", pose=e.StartPose()), OUT)
    made, name = duplicate_section(project, "screw")
    assert [s.name for s in made.track.sections] == ["screw", "screw 2", "out"]
    assert name == "screw 2"
    spans = _built(made).sections
    assert spans[1].s1 - spans[1].s0 == pytest.approx(spans[0].s1 - spans[0].s0, abs=1e-6)
    assert duplicate_section(project, "out")[1] == "out 2"
    with pytest.raises(InputError, match="tied to its places"):
        duplicate_section(_project(LEAD), "lead")


def _apart(old: BuiltTrack, new: BuiltTrack) -> float:
    """Largest distance of the old curve from the new one (m), by brute force."""
    tree = cKDTree(new.centreline.position(np.linspace(0.0, new.length, int(new.length / 0.004))))
    return float(tree.query(old.centreline.position(np.linspace(0.0, old.length, 900)))[0].max())


ROWS = TableSection(
    name="rows", positions=tuple((float(x), 4.0 * math.sin(0.1 * x), 9.0 + 0.05 * x) for x in range(0, 60, 2))
)


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ((LoopSection(name="x", pose=e.StartPose(heading=0.3)), OUT), "x"),
        ((LEAD, HelixSection(name="x", radius=18.0, turns=0.8), OUT), "x"),
        ((LEAD, ZeroGRollSection(name="x")), "x"),
        ((ROWS, ARC), "rows"),
    ],
    ids=["loop", "helix", "zero-g roll", "table"],
)
def test_that_any_section_becomes_control_points_within_the_tolerance(
    parts: tuple[object, ...], name: str
) -> None:
    project = _project(*parts)
    built = _built(project)
    made, conversion = to_control_points(project, built, name, tolerance=0.02)
    section = next(s for s in made.track.sections if s.name == name)
    assert isinstance(section, SplineSection)
    assert len(section.points) == conversion.points
    assert conversion.distance <= 0.02
    assert conversion.roll <= math.radians(1.0)
    assert _apart(built, _built(made)) == pytest.approx(conversion.distance, abs=2.5e-3)
    assert f"{conversion.points} control points" in conversion.sentence


@pytest.mark.parametrize(
    ("first", "follower"),
    [
        ("camelback", "zero_g_roll"),
        ("camelback", "loop"),
        ("banked_turn", "camelback"),
        ("cobra_roll", "helix"),
    ],
)
@pytest.mark.parametrize("speed", [8.0, 18.0])
def test_that_what_follows_an_element_stays_when_it_becomes_control_points(
    first: str, follower: str, speed: float
) -> None:
    project = _project(LEAD)
    for id in (first, follower):
        project, _ = insert_element(project, _built(project), id, speed=speed)
    built = _built(project)
    made, conversion = to_control_points(project, built, project.track.sections[1].name, tolerance=0.02)
    assert conversion.distance <= 0.02
    assert np.abs(_built(made).centreline.position(1e9) - built.centreline.position(1e9)).max() < 0.04


def test_that_what_ends_straight_ends_exactly_straight_as_control_points() -> None:
    """Else the element behind would begin with an ease of 6 m that it did not have."""
    project = _project(LEAD)
    for id in ("camelback", "zero_g_roll"):
        project, _ = insert_element(project, _built(project), id, speed=14.0)
    built = _built(project)
    made, _ = to_control_points(project, built, project.track.sections[1].name, tolerance=0.02)
    before, after = built.sections[2], _built(made).sections[2]
    assert after.s1 - after.s0 == pytest.approx(before.s1 - before.s0, abs=1e-3)


def test_that_an_element_behind_a_nearly_straight_spline_keeps_its_ease() -> None:
    """Files that were drawn with it would else be 6 m shorter: radius of 15 km before a roll."""
    bend = 1.0 / 15_000.0
    spline = SplineSection(
        name="lead",
        points=tuple(ControlPoint(x=x, y=0.5 * bend * x * x, z=20.0) for x in (0.0, 20.0, 40.0, 60.0, 80.0)),
    )
    lengths = []
    line = StraightSection(name="lead", start=(0.0, 0.0, 20.0), end=(80.0, 0.0, 20.0))
    for lead in (spline, line):
        span = _built(_project(lead, InlineRollSection(name="roll"))).sections[1]
        lengths.append(span.s1 - span.s0)
    assert lengths[0] - lengths[1] == pytest.approx(6.0, abs=0.01)


def test_that_a_refused_conversion_names_the_way_out() -> None:
    project = _project(LEAD)
    for id in ("transition", "camelback"):
        project, _ = insert_element(project, _built(project), id, speed=18.0)
    first, behind = (section.name for section in project.track.sections[1:])
    with pytest.raises(InputError, match="turn 'Camelback' into control points first"):
        to_control_points(project, _built(project), first, tolerance=0.02)
    for name in (behind, first):
        project, conversion = to_control_points(project, _built(project), name, tolerance=0.02)
        assert conversion.distance <= 0.02


def test_that_a_straight_stays_straight_as_control_points() -> None:
    project = _project(LEAD, ARC, OUT)
    built = _built(project)
    made, conversion = to_control_points(project, built, "out", spacing=10.0)
    assert conversion.distance < 1e-5
    span = _built(made).sections[2]
    assert np.abs(_built(made).centreline.state(np.linspace(span.s0, span.s1, 7)).curve[:, 2]).max() < 1e-9


def test_that_a_conversion_out_of_range_is_refused() -> None:
    project = _project(LEAD, ARC)
    built = _built(project)
    with pytest.raises(InputError, match="consists of control points already"):
        to_control_points(project, built, "lead", spacing=5.0)
    with pytest.raises(InputError, match="either a spacing or a tolerance"):
        to_control_points(project, built, "arc")
    with pytest.raises(InputError, match="out of range"):
        to_control_points(project, built, "arc", spacing=0.1)


def test_that_a_moved_track_takes_its_elements_along() -> None:
    project = _project(LoopSection(name="l", pose=e.StartPose(position=(1.0, 2.0, 3.0), heading=0.5)), OUT)
    before = _built(project)
    after = _built(points.move_track(project, (10.0, -4.0, 2.0)))
    s = np.linspace(0.0, before.length, 60)
    moved = after.centreline.position(s) - before.centreline.position(s)
    assert np.abs(moved - [10.0, -4.0, 2.0]).max() < 1e-9


def test_that_a_track_with_elements_is_run_backwards_only_as_control_points() -> None:
    project = _project(LEAD, ARC)
    with pytest.raises(InputError, match="turn it into control points first"):
        sections.reverse_track(project)
    made, _ = to_control_points(project, _built(project), "arc", tolerance=0.05)
    assert _built(sections.reverse_track(made)).length == pytest.approx(_built(made).length, rel=1e-3)


def test_that_a_pose_tells_where_the_track_is() -> None:
    pose = e.StartPose(position=(1.0, 2.0, 3.0), heading=-2.0, pitch=0.4, cant=0.3)
    built = _built(_project(InlineRollSection(name="r", pose=pose), OUT))
    read = pose_at(built, 0.0)
    assert read.position == pytest.approx(pose.position, abs=1e-12)
    assert (read.heading, read.pitch, read.cant) == pytest.approx((-2.0, 0.4, 0.3), abs=1e-9)


def test_that_parameters_change_as_any_field_does() -> None:
    project = sections.set_section(_project(ARC, OUT), "arc", {"angle": 1.4, "direction": "right"})
    t = _built(project).centreline.state([1e9]).tangent[0]
    assert math.atan2(t[1], t[0]) == pytest.approx(-1.4, abs=1e-9)
    with pytest.raises(InputError, match="Section 'arc'"):
        sections.set_section(project, "arc", {"radius": -2.0})


def test_that_a_tight_loop_gets_points_close_enough_to_be_a_track() -> None:
    loop = LoopSection(name="loop", height=6.0, top_radius=2.3, pose=e.StartPose(position=(0.0, 0.0, 3.0)))
    project = _project(loop, OUT)
    made, report = to_control_points(project, _built(project), "loop", tolerance=0.02)
    assert report.spacing < 5.0
    assert _apart(_built(project), _built(made)) < 0.03
    with pytest.raises(InputError, match="reverses its direction"):
        to_control_points(project, _built(project), "loop", spacing=14.0)


@pytest.mark.parametrize(
    "section",
    [
        BankedTurnSection(name="x"),
        HelixSection(name="x", radius=22.5, bank=1.2, transition=20.0),
        CorkscrewSection(name="x"),
        LoopSection(name="x"),
    ],
    ids=lambda s: s.kind,
)
def test_that_the_loads_stay_when_an_element_becomes_control_points(section: e.Element) -> None:
    start = StraightSection(name="a", start=(0.0, 0.0, 30.0), end=(20.0, 0.0, 30.0), cant=0.0)
    project = _project(start, section, OUT)
    built = _built(project)
    ride = PointRideSettings(speed=25.0)
    first = ride_point(built, ride)
    made, report = to_control_points(project, built, "x", tolerance=0.01)
    second = ride_point(_built(made), ride)
    place = np.linspace(1.0, built.length - 1.0, 4000)
    for axis in (1, 2):
        a, b = (np.interp(place, r.place, r.g[:, axis]) for r in (first, second))
        # the curvature of points between them, and the third rate of the cant that jumps at the borders
        assert np.abs(a - b).max() < 0.2
        assert np.abs(np.abs(a).max() - np.abs(b).max()) < 0.02
    assert report.roll_points >= 20
    assert "Roll points keep its cant" in report.sentence
    plain, without = to_control_points(project, built, "x", tolerance=0.01, keep_roll=False)
    assert without.roll_points == 0
    assert plain.track.sections[1].points[1].cant is not None


def test_that_a_cant_typed_at_a_point_holds_against_roll_points_near_it() -> None:
    start = StraightSection(name="a", start=(0.0, 0.0, 30.0), end=(20.0, 0.0, 30.0), cant=0.0)
    project = _project(start, BankedTurnSection(name="x", bank=0.8), OUT)
    made, report = to_control_points(project, _built(project), "x", tolerance=0.01)
    k = report.points // 2
    for typed in (
        points.set_points(made, "x", [k], {"cant": -0.5}),
        points.set_cants(made, "x", {k: -0.5, k + 9: None}),
    ):
        built = _built(typed)
        place = built.point_places["x"]
        cants = built.centreline.cant(np.array([place[k], place[k - 4], place[k + 4]]))
        assert cants == pytest.approx([-0.5, -0.8, -0.8], abs=2e-3)
        assert len(typed.track.sections[1].roll_points) == report.roll_points - 1
    assert (
        points.set_points(made, "x", [k], {"z": 30.1}).track.sections[1].roll_points
        == made.track.sections[1].roll_points
    )


def test_that_a_section_is_named_by_what_it_is_and_the_name_turns_with_it():
    project = Project(name="p")
    for piece in ("arc", "vertical_arc", "vertical_arc", "helix", "camelback"):
        project, _ = insert_element(project, None, piece)
    names = ["Left turn", "Valley", "Valley 2", "Left helix", "Camelback"]
    assert [section.name for section in project.track.sections] == names
    project, name = sections.turn_section(project, "Valley 2", "down")
    assert name == "Crest"
    project, name = sections.turn_section(project, "Left helix", "right")
    assert name == "Right helix"
    own = sections.set_section(project, "Left turn", {"name": "Over the lake"})
    turned, name = sections.turn_section(own, "Over the lake", "right")
    assert name == "Over the lake"  # a person's name stays
    assert turned.track.sections[0].direction == "right"
    # what hangs on the section goes along
    braked, _ = add_device(project, "trim_brake", "Crest")
    again, name = sections.turn_section(braked, "Crest", "up")
    assert (name, again.track.devices[0].section) == ("Valley 2", "Valley 2")
