"""Supports reach the ground of the site and stand out of the way of the train."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track
from ridewright.core.track.site import HeightField, Site, ground_height
from ridewright.core.track.supports import LEVEL_BELOW, TALL, open_level, place_supports, supports_csv


def example(name: str, site: Site | None = None) -> BuiltTrack:
    track = load_example(name).track
    assert track is not None
    return build_track(track if site is None else track.model_copy(update={"site": site}), ride=False)


def hills() -> Site:
    x = np.arange(-300.0, 301.0, 10.0)
    heights = 4.0 * np.sin(x[None, :] / 40.0) * np.cos(x[:, None] / 55.0) - 6.0
    rows = tuple(tuple(row) for row in heights.tolist())
    return Site(level=-6.0, field=HeightField(corner=(-300.0, -300.0), spacing=10.0, rows=rows))


def leave_the_train_its_room(built: BuiltTrack, top: np.ndarray, foot: np.ndarray) -> None:
    s = np.arange(0.0, built.length, 0.3)
    origin, (t, left, up) = built.centreline.position(s), built.frame_at(s)
    box = built.track.clearance
    share = np.linspace(0.0, 1.0, 120)[:, None]
    for a, b in zip(top, foot, strict=True):
        away = (a + share * (b - a))[:, None] - origin[None]
        along, across = (np.abs(np.sum(away * axis, axis=2)) for axis in (t, left))
        above = np.sum(away * up, axis=2)
        inside = (along < 0.2) & (across < box.half_width) & (above > 0.0) & (above < box.height_above)
        assert not inside.any(), f"a support at {b[:2]} stands in the way of the train"


@pytest.mark.parametrize(
    ("name", "site"),
    [
        ("looping_star", hills()),
        pytest.param("looping_star", Site(level=-9.0), marks=pytest.mark.nightly),
        pytest.param("gatekeeper", None, marks=pytest.mark.nightly),
        pytest.param("gatekeeper", Site(level=-9.0), marks=pytest.mark.nightly),
        pytest.param("gatekeeper", hills(), marks=pytest.mark.nightly),
    ],
)
def test_that_legs_end_on_the_ground_and_leave_the_train_its_room(name: str, site: Site | None) -> None:
    built = example(name, site)
    plan = place_supports(built)
    top, foot, _ = plan.legs()
    assert len(plan.supports) > 30
    ground = ground_height(built.track.site, foot[:, 0], foot[:, 1], otherwise=open_level(built))
    np.testing.assert_allclose(foot[:, 2], ground, atol=0.05)
    leave_the_train_its_room(built, top, foot)


def test_that_legs_of_an_upper_turn_lean_past_the_turn_below_it() -> None:
    turns = np.linspace(0.0, 4.0 * np.pi, 61)
    points = tuple(
        ControlPoint(x=15.0 * np.cos(a), y=15.0 * np.sin(a), z=3.0 + 9.0 * a / (2.0 * np.pi), cant=0.0)
        for a in turns.tolist()
    )
    track = Track(name="t", sections=(SplineSection(name="helix", points=points),), site=Site(level=0.0))
    built = build_track(track, ride=False)
    plan = place_supports(built)
    top, foot, _ = plan.legs()
    leave_the_train_its_room(built, top, foot)
    upper = [support for support in plan.supports if support.s > 0.5 * built.length]
    assert upper
    assert all(support.kind == "leaning" for support in upper)


def test_that_a_level_track_stands_on_upright_columns_of_equal_length() -> None:
    run = StraightSection(name="run", start=(0.0, 0.0, 5.0), end=(110.0, 0.0, 5.0), cant=0.0)
    built = build_track(Track(name="t", sections=(run,), site=Site(level=0.0)), ride=False)
    plan = place_supports(built, spacing=10.0)
    assert [support.s for support in plan.supports] == pytest.approx(np.arange(5.0, 110.0, 10.0))
    assert {support.kind for support in plan.supports} == {"column"}
    assert plan.length == pytest.approx(11 * (5.0 - 0.45))
    assert not plan.missing
    high = build_track(
        Track(
            name="t",
            sections=(run.model_copy(update={"start": (0, 0, 30.0), "end": (110, 0, 30.0)}),),
            site=Site(level=0.0),
        ),
        ride=False,
    )
    assert TALL < 30.0
    assert {support.kind for support in place_supports(high).supports} == {"A-frame"}


def test_that_low_track_needs_none_and_the_open_level_lies_below_it() -> None:
    run = StraightSection(name="run", start=(0.0, 0.0, 0.6), end=(60.0, 0.0, 0.6), cant=0.0)
    low = build_track(Track(name="t", sections=(run,), site=Site(level=0.0)), ride=False)
    assert not place_supports(low).supports
    assert not place_supports(low).missing
    free = build_track(Track(name="t", sections=(run,)), ride=False)
    assert open_level(free) == pytest.approx(0.6 - LEVEL_BELOW)


def test_that_the_table_of_legs_holds_every_leg() -> None:
    plan = place_supports(example("looping_star"))
    rows = list(csv.DictReader(io.StringIO(supports_csv(plan.supports))))
    assert len(rows) == sum(len(support.legs) for support in plan.supports)
    assert sum(float(row["length_m"]) for row in rows) == pytest.approx(plan.length, abs=0.1)
