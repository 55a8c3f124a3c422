"""Devices, heartline and ground as edits of the project."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.along_track import (
    add_device,
    change_device,
    delete_device,
    set_device,
    set_heartline,
    set_heartline_at,
    set_site,
)
from ridewright.core.project.project import Project
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.devices import KINDS


@pytest.fixture
def project() -> Project:
    run = StraightSection(name="run", start=(0.0, 0.0, 1.0), end=(50.0, 0.0, 1.0), cant=0.0)
    more = StraightSection(name="more", end=(120.0, 0.0, 1.0), cant=0.0)
    return Project(name="p", track=Track(name="t", sections=(run, more)))


def test_that_every_kind_of_device_is_added_under_a_free_name(project: Project) -> None:
    for kind in KINDS:
        project, name = add_device(project, kind, "more", {"start": 3.0})
        assert name == f"{KINDS[kind].stem} 1"
    project, second = add_device(project, "launch", "run")
    assert second == "launch 2"
    assert project.track is not None
    assert [d.kind for d in project.track.devices] == [*KINDS, "launch"]
    assert project.track.devices[-1].end is None


def test_that_a_device_is_changed_and_deleted(project: Project) -> None:
    project, name = add_device(project, "trim_brake", "run")
    project = set_device(project, name, {"speed": 8.0, "section": "more", "name": "last brake"})
    assert project.track is not None
    (brake,) = project.track.devices
    assert (brake.name, brake.section, brake.speed) == ("last brake", "more", 8.0)
    project = delete_device(project, "last brake")
    assert project.track is not None
    assert project.track.devices == ()


def test_that_a_device_of_another_kind_keeps_its_place_and_what_both_have(project: Project) -> None:
    where = {"start": 3.0, "end": 21.0, "cars": "last"}
    project, name = add_device(project, "block_brake", "run", {**where, "speed": 0.0, "deceleration": 4.5})
    made, there = change_device(project, name, "trim_brake")
    (brake,) = made.track.devices  # type: ignore[union-attr]
    assert (brake.kind, there) == ("trim_brake", "trim brake 1")
    assert {field: getattr(brake, field) for field in where} == where
    assert brake.deceleration == 4.5
    assert brake.speed == 15.0  # a trim brake stops no train
    named, there = set_device(made, there, {"name": "mid-course"}), "mid-course"
    for kind in KINDS:  # through every kind and back
        named, there = change_device(named, there, kind)
        assert there == "mid-course"
        assert {field: getattr(named.track.devices[0], field) for field in where} == where  # type: ignore[union-attr]
    with pytest.raises(InputError, match="no device of kind 'magnet'"):
        change_device(named, there, "magnet")


def test_that_the_heartline_is_set_everywhere_or_at_a_place(project: Project) -> None:
    level = set_heartline(project, {"height": 0.9})
    varying = set_heartline_at(level, "more", 10.0, 1.4)
    varying = set_heartline_at(varying, "run", 5.0, 0.8)
    varying = set_heartline_at(varying, "more", 10.0, 1.2)
    assert varying.track is not None
    assert varying.track.heartline.height == 0.9
    points = varying.track.heartline.points
    assert [(p.section, p.offset, p.height) for p in points] == [("run", 5.0, 0.8), ("more", 10.0, 1.2)]


def test_that_the_ground_is_set(project: Project) -> None:
    low = set_site(project, {"level": -3.0})
    assert low.track is not None
    assert low.track.site.level == -3.0


def test_that_wrong_values_are_refused_with_their_place(project: Project) -> None:
    with pytest.raises(InputError, match="no device of kind 'rocket'"):
        add_device(project, "rocket", "run")
    with pytest.raises(InputError, match="no section 'x'"):
        add_device(project, "launch", "x")
    with pytest.raises(InputError, match="Device 'launch 1': value: must be larger than 0"):
        add_device(project, "launch", "run", {"value": -1.0})
    with pytest.raises(InputError, match="no device 'x'"):
        set_device(project, "x", {})
    with pytest.raises(InputError, match="no section 'y'"):
        set_device(add_device(project, "launch", "run")[0], "launch 1", {"section": "y"})
    with pytest.raises(InputError, match="height"):
        set_heartline_at(project, "run", 1.0, 99.0)
    with pytest.raises(InputError, match="Site: level"):
        set_site(project, {"level": float("nan")})
