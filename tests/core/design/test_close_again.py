"""A circuit whose closing piece no longer fits: drawn anew in one edit, and what a way out achieves."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.finding import Finding
from ridewright.core.base.where import Where
from ridewright.core.design.by_ride import close_by_ride, speed_of_ride
from ridewright.core.design.findings import track_findings
from ridewright.core.design.smooth import smooth
from ridewright.core.design.ways_out import achieved
from ridewright.core.edits.along_track import add_device, set_device
from ridewright.core.edits.changes import set_point_ride
from ridewright.core.edits.closing import closing_piece, closing_spans, put_back, without_closing
from ridewright.core.edits.elements_track import insert_element
from ridewright.core.edits.sections import set_section, split_section
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.track.build import BuiltTrack, build_track


def built_of(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


def warnings_of(project: Project) -> list[Finding]:
    return [one for one in track_findings(built_of(project)) if one.severity != "note"]


@pytest.fixture(scope="module")
def circuit() -> Project:
    """Two quarter turns, closed by a half."""
    project, _ = insert_element(Project(name="p"), None, "banked_turn", speed=14.0)
    project, _ = insert_element(project, built_of(project), "banked_turn", speed=14.0)
    closed, report = close_by_ride(set_point_ride(project, {"speed": 14.0}), [])
    assert report.kept
    assert warnings_of(closed) == []
    return closed


@pytest.fixture(scope="module")
def changed(circuit: Project) -> Project:
    """Its first turn wider, which bends the closing piece: a warning."""
    return set_section(circuit, "Left banked turn", {"radius": 14.0})


def test_that_the_closing_piece_is_known_and_nothing_else_is(circuit: Project) -> None:
    track = circuit.track
    assert track is not None
    assert closing_piece(track) == ("Closing",)
    assert closing_piece(track.model_copy(update={"closed": False})) == ()
    plain = track.sections[-1].model_copy(update={"closing": False, "name": "Way home"})
    assert closing_piece(track.model_copy(update={"sections": (*track.sections[:-1], plain)})) == ()
    older = plain.model_copy(update={"name": "Closing 2"})  # by its name, where files have no mark of it
    assert closing_piece(track.model_copy(update={"sections": (*track.sections[:-1], older)})) == (
        "Closing 2",
    )
    assert Project.model_validate_json(circuit.model_dump_json()).track == track
    assert "closing" not in plain.model_dump()


def test_that_a_change_before_it_is_closed_anew_in_one_edit(changed: Project) -> None:
    assert len(warnings_of(changed)) > 0
    again, report = close_by_ride(changed, [])
    assert report.kept
    assert warnings_of(again) == []
    assert [s.name for s in again.track.sections] == [s.name for s in changed.track.sections]  # type: ignore[union-attr]
    assert again.track.sections[:-1] == changed.track.sections[:-1]  # type: ignore[union-attr]
    line = built_of(again).centreline
    end, start = line.state([line.length], from_left=True).curve[0], line.state([0.0]).curve[0]
    assert np.abs(end[:2] - start[:2]).max() < 1e-6
    # closing what is as it should be draws the same piece
    same, _ = close_by_ride(again, [])
    assert same.track.sections[-1] == again.track.sections[-1]  # type: ignore[union-attr]


def test_that_what_lies_along_the_closing_piece_comes_along(changed: Project) -> None:
    project, name = add_device(changed, "trim_brake", "Closing")
    project = set_device(project, name, {"start": 30.0, "end": 40.0})
    halved, second = split_section(project, "Closing", 2)
    assert closing_piece(halved.track) == ("Closing", second)
    for one in (project, halved):
        again, _ = close_by_ride(one, [])
        assert closing_piece(again.track) == ("Closing",)
        devices = [d for d in again.track.devices if d.name.startswith("trim brake")]  # type: ignore[union-attr]
        assert devices[0].section == "Closing"
        assert min(d.start for d in devices) == pytest.approx(30.0, abs=1e-6)
        assert max(d.end or 0.0 for d in devices) == pytest.approx(40.0, abs=1e-6)


def test_that_a_device_behind_the_end_of_the_new_piece_is_named(changed: Project, circuit: Project) -> None:
    (span,) = closing_spans(built_of(changed))
    far, name = add_device(changed, "trim_brake", "Closing")
    far = set_device(far, name, {"start": span.s1 - span.s0 - 2.0, "end": None})
    with pytest.raises(InputError, match=r"'trim brake 1' begins .* m long now; move it first"):
        put_back(far, circuit)
    with pytest.raises(InputError, match="no closing piece"):
        without_closing(without_closing(changed))


def test_that_a_ride_round_a_circuit_has_a_speed_over_its_start() -> None:
    """The Looping Star starts at 2 m: places before that are ridden at the end of the lap."""
    project = load_example("looping_star")
    built = built_of(project)
    speed, _ = speed_of_ride(project)(built, np.array([0.0, 0.4, 1.0, 2.0, built.length]))
    assert speed == pytest.approx([26.0] * 5, abs=0.05)


def test_that_ways_out_are_measured_and_weak_ones_are_not_worth_it(changed: Project) -> None:
    (finding,) = warnings_of(changed)
    assert finding.kind == "curvature_jump"
    again, _ = close_by_ride(changed, [])
    found = achieved(finding, changed, again)
    assert found.gone
    assert found.worth_it
    assert found.before is not None
    assert found.after is not None
    assert f"{found.before:.3f}" in finding.message  # the number of the finding itself
    assert found.after < 0.6 * found.before
    assert found.words == f"{found.before:.3f} to {found.after:.3f} 1/m"
    nothing = achieved(finding, changed, changed)
    assert not nothing.gone
    assert not nothing.worth_it
    assert nothing.before == nothing.after
    little = achieved(finding, changed, smooth(changed, ["Closing"], 0.01)[0])
    assert little.before == found.before
    assert not little.worth_it  # less than a tenth
    assert "stays" in little.sentence


def test_that_what_brings_an_error_is_not_worth_it(changed: Project) -> None:
    (finding,) = warnings_of(changed)
    again, _ = close_by_ride(changed, [])
    found = achieved(finding, changed, again)
    error = Finding(
        kind="self_approach", severity="error", message="Too near.", where=Where(s=1.0, section="x")
    )
    assert not type(found)(
        found.before, found.after, found.unit, True, type(found.change)(new=(error,))
    ).worth_it
