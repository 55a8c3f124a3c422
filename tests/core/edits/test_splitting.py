"""Sections cut in two: the track stays where it is, and what lies on it stays where it lies."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.design.by_ride import bank_by_ride
from ridewright.core.edits import along_track, points, sections
from ridewright.core.edits.changes import set_track
from ridewright.core.edits.elements_track import difference
from ridewright.core.edits.splitting import split_at
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.track import elements as e
from ridewright.core.track.build import BuiltTrack, SectionSpan, build_track
from ridewright.core.track.description import (
    ControlPoint,
    RollPoint,
    SplineSection,
    StraightSection,
    TableSection,
    Track,
)
from ridewright.core.track.device_spans import device_spans
from ridewright.core.track.elements.arc import ArcSection
from ridewright.core.track.elements.banked_turn import BankedTurnSection
from ridewright.core.track.elements.camelback import CamelbackSection
from ridewright.core.track.elements.force import ForceSection, Key
from ridewright.core.track.elements.helix import HelixSection
from ridewright.core.track.elements.loop import LoopSection
from ridewright.core.track.elements.transition import TransitionSection
from ridewright.core.track.heartline import heartline_heights, heartline_law

GIVEN = {"start_from": "given", "losses_from": "given"}

LEAD = SplineSection(
    name="lead",
    points=tuple(
        ControlPoint(x=x, y=y, z=z, cant=c)
        for x, y, z, c in (
            (0, 0, 40, 0.1),
            (15, 1, 38, 0.1),
            (30, 0, 28, 0.0),
            (45, -2, 14, 0.0),
            (62, -3, 10, 0.0),
        )
    ),
)
OUT = StraightSection(name="out", length=18.0)
K = Key
EXACT = {
    "straight": (StraightSection(name="x", length=23.0, cant=0.0), 9.0),
    "arc": (ArcSection(name="x", radius=24.0, angle=1.9, direction="right", cant=0.4), 20.0),
    "arc without ends": (ArcSection(name="x", transition_out=0.0, smoothness="linear"), 11.0),
    "valley": (ArcSection(name="x", direction="up", radius=30.0, angle=0.9), 12.0),
    "over the top": (ArcSection(name="x", direction="up", radius=12.0, angle=5.0, transition_in=8.0), 33.0),
    "turn": (BankedTurnSection(name="x", radius=25.0, angle=2.0, direction="right"), 30.0),
    "helix": (HelixSection(name="x", radius=17.0, turns=1.3), 61.0),
    "clothoid": (TransitionSection(name="x", length=21.0, curvature=-0.05), 8.0),
    "vertical clothoid": (TransitionSection(name="x", plane="vertical", length=21.0, curvature=0.04), 8.0),
    "force over time": (
        ForceSection(
            name="x",
            extent=2.4,
            normal_g=(K(at=0.5, value=2.6), K(at=1.4, value=1.2, transition="linear"), K(at=2.2, value=1.5)),
            roll_rate=(K(at=1.2, value=0.0),),
            friction=0.02,
            drag=1e-4,
            friction_law="load",
        ),
        17.0,
    ),
    "force over distance": (
        ForceSection(
            name="x",
            over="distance",
            extent=40.0,
            normal_g=(K(at=10.0, value=2.0, transition="quintic"),),
            lateral_g=(K(at=10.0, value=0.3), K(at=40.0, value=0.3)),
        ),
        27.0,
    ),
}  # fmt: skip


def _project(*parts: object, **fields: object) -> Project:
    return Project(name="p", track=Track.model_validate({"name": "t", "sections": parts, **fields}))


def _built(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


def _places(project: Project) -> list[tuple[str, float, float]]:
    """Kind and stretch (m) of all devices along the track, what touches made one."""
    assert project.track is not None
    out: list[tuple[str, float, float]] = []
    for span in device_spans(project.track.devices, _built(project).sections):
        if out and out[-1][0] == span.device.kind and abs(out[-1][2] - span.s0) < 1e-6:
            out[-1] = (out[-1][0], out[-1][1], span.s1)
        else:
            out.append((span.device.kind, span.s0, span.s1))
    return out


@pytest.mark.parametrize("case", EXACT)
def test_that_a_section_that_can_be_cut_exactly_leaves_the_track_as_it_was(case: str) -> None:
    section, offset = EXACT[case]
    lead = OUT.model_copy(
        update={"start": (0.0, 0.0, 9.0), "end": (18.0, 5.0, 12.0), "length": None, "name": "lead"}
    )
    project = _project(lead if section.kind == "transition" else LEAD, section, OUT)
    built = _built(project)
    made, split = split_at(project, built, "x", offset)
    assert split.exact
    assert "Nothing of the track has moved" in split.sentence
    assert [s.name for s in made.track.sections] == ["lead", "x", "x 2", "out"]
    assert {s.kind for s in made.track.sections[1:3]} == {section.kind}
    after = _built(made)
    s = np.linspace(0.0, built.length, 700)
    a, b = built.centreline.state(s), after.centreline.state(s)
    assert np.abs(a.curve[:, 0] - b.curve[:, 0]).max() < 1e-5
    assert np.abs(a.left - b.left).max() < 1e-4
    assert after.length == pytest.approx(built.length, abs=1e-5)
    assert after.sections[1].s1 - after.sections[1].s0 == pytest.approx(split.cut, abs=1e-9)
    assert split.cut == pytest.approx(offset, abs=0.02)


def test_that_a_force_section_is_cut_where_nothing_but_straight_lines_change() -> None:
    section, _ = EXACT["force over time"]
    project = _project(LEAD, section, OUT)
    built = _built(project)
    made, split = split_at(project, built, "x", 3.0)  # inside the first change of g, which is bent
    first, second = made.track.sections[1:3]
    assert split.exact
    assert first.extent == pytest.approx(0.5)
    assert second.extent == pytest.approx(1.9)
    assert second.entry_speed < section.entry_speed + 10.0
    assert [k.at for k in second.normal_g] == pytest.approx([0.9, 1.7])


@pytest.mark.parametrize(
    "section",
    [
        LoopSection(name="x", height=18.0, top_radius=6.8),
        CamelbackSection(name="x", entry_speed=24.0),
        BankedTurnSection(name="x", radius=25.0, angle=2.0),
        TransitionSection(name="x", length=21.0, curvature=-0.05),  # the lead still bends where it begins
    ],
    ids=lambda s: s.kind,
)
def test_that_any_other_element_becomes_control_points_within_the_tolerance(section: e.Element) -> None:
    project = _project(LEAD, section, OUT)
    built = _built(project)
    made, split = split_at(project, built, "x", 5.5, tolerance=0.02)
    assert not split.exact
    assert "control points" in split.sentence
    assert [s.kind for s in made.track.sections] == ["spline", "spline", "spline", "straight"]
    assert split.distance <= 0.03
    assert difference(built, _built(made))[0] == pytest.approx(split.distance)
    assert split.cut == pytest.approx(5.5, abs=0.3)


def test_that_a_table_is_cut_between_rows_and_stays_one_curve() -> None:
    u = np.linspace(0.0, 60.0, 61)
    rows = tuple((float(x), float(6.0 * np.sin(x / 15.0)), float(5.0 + 0.02 * x)) for x in u)
    project = _project(TableSection(name="x", positions=rows, cant=tuple(0.01 * float(x) for x in u)), OUT)
    built = _built(project)
    made, split = split_at(project, built, "x", 24.2)
    assert split.exact
    assert made.track.sections[1].continues
    assert difference(built, _built(made))[0] < 2e-6
    assert split.cut == pytest.approx(24.2, abs=1.0)


def test_that_a_spline_is_cut_through_a_point_of_its_own_or_a_new_one() -> None:
    project = _project(LEAD, OUT)
    built = _built(project)
    made, split = split_at(project, built, "lead", 30.0)
    assert split.cut == pytest.approx(30.0, abs=0.15)
    assert difference(built, _built(made))[0] == pytest.approx(split.distance)
    assert split.distance < 0.01
    place = built.point_places["lead"][2]
    _, exact = split_at(project, built, "lead", place + 0.1)
    assert exact.exact
    assert exact.cut == pytest.approx(place)


def test_that_a_cut_off_the_section_is_refused() -> None:
    project = _project(LEAD, OUT)
    with pytest.raises(InputError, match=r"18\.00 m long and can be cut"):
        split_at(project, _built(project), "out", 17.95)


# -- what lies on the sections


def _with_devices(project: Project) -> Project:
    for kind, fields in (
        ("chain_lift", {"start": 2.0, "end": 9.0}),
        ("trim_brake", {"start": 20.0, "end": 34.0}),
        ("launch", {"start": 36.0}),
    ):
        project = along_track.add_device(project, kind, "lead", fields)[0]
    project = along_track.set_heartline_at(project, "lead", 8.0, 0.7)
    return along_track.set_heartline_at(project, "lead", 50.0, 1.4)


def test_that_devices_and_heartline_stay_where_they_were_when_a_section_is_split_and_joined() -> None:
    project = _with_devices(_project(LEAD, OUT))
    before = ride_point(_built(project), project.point_ride)
    split, second = sections.split_section(project, "lead", 2)
    assert np.allclose([row[1:] for row in _places(split)], [row[1:] for row in _places(project)], atol=1e-6)
    on = {device.name: (device.section, device.end_section) for device in split.track.devices}
    assert on == {"lift 1": ("lead", None), "trim brake 1": ("lead", second), "launch 1": (second, None)}
    after = ride_point(_built(split), split.point_ride)
    assert after.time[-1] == pytest.approx(before.time[-1], abs=1e-8)
    assert after.g[-1] == pytest.approx(before.g[-1], abs=1e-8)
    joined = sections.join_with_next(split, "lead")
    assert np.allclose([row[1:] for row in _places(joined)], [row[1:] for row in _places(project)], atol=1e-6)
    assert [p.offset for p in joined.track.heartline.points] == pytest.approx([8.0, 50.0])
    at = ride_point(_built(joined), joined.point_ride)
    assert at.time[-1] == pytest.approx(before.time[-1], abs=1e-8)


def test_that_devices_go_along_when_an_element_is_cut() -> None:
    section, offset = EXACT["helix"]
    project = _project(LEAD, section, OUT)
    project, _ = along_track.add_device(project, "drive_tyres", "x", {"start": 20.0, "end": 90.0})
    made, _ = split_at(project, _built(project), "x", offset)
    assert np.allclose([row[1:] for row in _places(made)], [row[1:] for row in _places(project)], atol=1e-4)
    assert [(device.section, device.end_section) for device in made.track.devices] == [("x", "x 2")]


def test_that_a_brake_that_stops_trains_stays_one_across_a_cut() -> None:
    project = _project(LEAD, OUT)
    stops, _ = along_track.add_device(project, "block_brake", "lead", {"start": 20.0, "end": 50.0})
    split, second = sections.split_section(stops, "lead", 2)
    (brake,) = split.track.devices
    assert (brake.section, brake.end_section) == ("lead", second)
    assert np.allclose([row[1:] for row in _places(split)], [row[1:] for row in _places(stops)], atol=1e-6)


def test_that_a_device_over_several_sections_goes_along_with_every_edit_of_them() -> None:
    """From the first of three sections on to the third: renamed, cut, joined, deleted, the track turned round."""
    project = _project(LEAD, OUT)
    project, second = sections.split_section(project, "lead", 2)
    project, third = sections.split_section(project, second, 1)
    project, name = along_track.add_device(
        project, "chain_lift", "lead", {"start": 12.0, "end_section": third, "end": 4.0}
    )
    placed = _places(project)
    assert placed[0][1:] == pytest.approx([12.0, _span(project, third).s0 + 4.0])
    renamed = sections.set_section(project, third, {"name": "end"})
    assert renamed.track.devices[0].end_section == "end"
    assert _places(renamed)[0][1:] == pytest.approx(placed[0][1:])
    joined = sections.join_with_next(project, second)
    assert joined.track.devices[0].end_section == second
    assert _places(joined)[0][1:] == pytest.approx(placed[0][1:], abs=1e-5)
    whole = sections.join_with_next(joined, "lead").track.devices[0]
    assert (whole.section, whole.end_section) == ("lead", None)
    first = sections.delete_section(project, "lead").track.devices[0]
    assert (first.section, first.start, first.end_section, first.end) == (second, 0.0, third, 4.0)
    last = sections.delete_section(project, third).track.devices[0]
    assert (last.section, last.start, last.end_section, last.end) == ("lead", 12.0, second, None)
    middle = sections.delete_section(project, second)
    assert middle.track.devices == project.track.devices
    back = along_track.set_device(project, name, {"section": third, "end_section": None})
    with pytest.raises(InputError, match="lies before its own"):
        _places(along_track.set_device(back, name, {"end_section": "lead"}))
    with pytest.raises(InputError, match="no section 'gone'"):
        along_track.set_device(project, name, {"end_section": "gone"})
    ending = along_track.set_device(project, name, {"end_section": second}).track.devices[0]
    assert ending.end is None
    dumped = Project.model_validate_json(project.model_dump_json())
    assert dumped.track == project.track


def test_that_a_device_over_several_sections_stays_one_when_the_track_is_reversed() -> None:
    points = tuple(ControlPoint(x=12.0 * k, y=0.3 * k * k, z=9.0 - 0.1 * k, cant=0.0) for k in range(12))
    project = _project(SplineSection(name="a", points=points[:6]), SplineSection(name="b", points=points[6:]))
    project, _ = along_track.add_device(
        project, "block_brake", "a", {"start": 30.0, "end_section": "b", "end": 20.0}
    )
    ((_, first, last),) = _places(project)
    turned = sections.reverse_track(project)
    (brake,) = turned.track.devices
    assert (brake.section, brake.end_section) == ("b", "a")
    length = _built(project).length
    assert _places(turned)[0][1:] == pytest.approx([length - last, length - first], abs=1e-6)


def test_that_the_roll_points_of_a_banked_section_go_along() -> None:
    project = load_example("looping_star")
    project = project.model_copy(update={"train": None})
    name = next(s.name for s in project.track.sections if s.kind == "spline" and len(s.points) > 12)
    fast = project.point_ride.model_copy(update={"speed": 26.0, "mu": 0.0, "drag": 0.0} | GIVEN)
    banked, _ = bank_by_ride(project.model_copy(update={"point_ride": fast}), [name])
    built = _built(banked)
    halves, second = sections.split_section(
        banked, name, len(sections.section_named(banked.track, name).points) // 2
    )
    found = {s.name: s for s in halves.track.sections}
    assert found[name].roll_points
    assert found[second].roll_points
    s = np.linspace(0.0, built.length, 4000)
    np.testing.assert_allclose(_built(halves).centreline.cant(s), built.centreline.cant(s), atol=1e-6)
    whole = sections.join_with_next(halves, name)
    np.testing.assert_allclose(_built(whole).centreline.cant(s), built.centreline.cant(s), atol=1e-6)


def test_that_a_section_without_points_takes_its_devices_with_it() -> None:
    project = _with_devices(_project(LEAD, OUT))
    gone = points.delete_points(project, "lead", range(5))
    assert gone.track.devices == ()
    assert gone.track.heartline.points == ()
    assert set_track(gone, {}).track.sections == gone.track.sections


@pytest.mark.parametrize("closed", [False, True])
def test_that_what_lies_along_a_track_stays_where_it_is_when_the_track_is_reversed(closed: bool) -> None:
    ring = tuple(
        ControlPoint(
            x=40.0 * float(np.cos(a)), y=30.0 * float(np.sin(a)), z=9.0 + float(np.sin(2 * a)), cant=-0.3
        )
        for a in np.linspace(0.0, 5.5, 12)
    )
    rolls = (RollPoint(at=12.0, cant=-0.5, rates=(0.01, 0.002, -0.001)), RollPoint(at=31.0, cant=-0.4))
    first = SplineSection(name="a", points=ring[:7], roll_points=rolls)
    project = _project(first, SplineSection(name="b", points=ring[7:]), closed=closed)
    for kind, fields in (
        ("drive_tyres", {"start": 3.0, "end": 9.0}),
        ("trim_brake", {"start": 15.0, "end": 100.0}),
    ):
        project, _ = along_track.add_device(project, kind, "a", fields)
    project, _ = along_track.add_device(project, "block_brake", "b", {"start": 12.0})
    project = along_track.set_heartline_at(project, "a", 40.0, 0.6)
    project = along_track.set_heartline_at(project, "b", 20.0, 1.5)
    before = _built(project)
    turned = sections.reverse_track(project)
    after = _built(turned)
    begin = before.stations[-1].s if closed else before.length
    s = np.linspace(0.5, before.length - 0.5, 300)
    other = np.mod(begin - s, before.length)
    np.testing.assert_allclose(after.centreline.position(s), before.centreline.position(other), atol=1e-5)
    np.testing.assert_allclose(after.centreline.cant(s), -before.centreline.cant(other), atol=1e-5)
    heights = [heartline_law(b.track.heartline, b.sections, b.length, closed) for b in (before, after)]
    np.testing.assert_allclose(
        heartline_heights(heights[1], s)[:, 0], heartline_heights(heights[0], other)[:, 0], atol=1e-5
    )

    def on(built: BuiltTrack, places: np.ndarray, kind: str) -> np.ndarray:
        spans = [d for d in device_spans(built.track.devices, built.sections) if d.device.kind == kind]
        return np.any([(places > d.s0) & (places < d.s1) for d in spans], axis=0)

    for kind in ("drive_tyres", "trim_brake", "block_brake"):
        differs = on(after, s, kind) != on(before, other, kind)
        # the brake that stops trains keeps to one section
        assert differs.mean() < (0.12 if kind == "block_brake" else 0.012)
    assert [d.kind for d in turned.track.devices].count("block_brake") == 1


def _span(project: Project, name: str) -> SectionSpan:
    return next(span for span in _built(project).sections if span.name == name)
