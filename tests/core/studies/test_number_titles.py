"""Kept numbers of studies by the names people read."""

from __future__ import annotations

import pytest

from ridewright.core.injury.evaluate import criterion_ids
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.studies.number_titles import number_title
from ridewright.core.studies.one_run import clearance_numbers, point_numbers, track_numbers
from ridewright.core.track.build import build_track


def test_that_every_number_of_a_run_has_a_title() -> None:
    project = load_example("straight")
    built = build_track(project.track)
    ride = ride_point(built, project.point_ride, gravity=project.gravity)
    criteria = [f"{one}{end}" for one in criterion_ids() for end in ("", ".margin", ".time", ".s")]
    for name in (*point_numbers(ride), *track_numbers(built), *clearance_numbers(built), *criteria):
        title = number_title(name)
        assert "_" not in title, name
        assert title != name, name


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("margin", "Least margin"),
        ("margin.s", "Least margin, where (m)"),
        ("points.max_speed", "Highest speed (m/s), ride as points"),
        ("Gz max", "Gz max"),
        ("my.own", "my.own"),
    ],
)
def test_that_numbers_are_called_by_their_titles(name: str, title: str) -> None:
    assert number_title(name) == title
