"""Footings without inertia, by influence: as the frame solved at every instant, and only below what has moved."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.steelwork.loads import loads_of_points
from ridewright.core.steelwork.quasi_static import as_before, moved, quasi_static
from ridewright.core.steelwork.ride import ride_over
from ridewright.core.track.build import build_track


def lifted(project: Project, by: float) -> Project:
    """The middle point of the curve lifted (m)."""
    assert project.track is not None
    first, curve, last = project.track.sections
    points = list(curve.points)
    points[len(points) // 2] = points[len(points) // 2].model_copy(
        update={"z": points[len(points) // 2].z + by}
    )
    sections = (first, curve.model_copy(update={"points": tuple(points)}), last)
    return project.model_copy(update={"track": project.track.model_copy(update={"sections": sections})})


def test_that_they_bear_what_the_frame_at_rest_does_at_every_instant() -> None:
    project = load_example("curve50")
    assert project.track is not None
    built = build_track(project.track)
    found = quasi_static(project, built, rate=10.0)
    slow = ride_over(found.frame, loads_of_points(project, built), 10.0, slowly=True)
    assert found.time == pytest.approx(slow.time)
    assert np.abs(found.reactions - slow.reactions).max() < 1e-9 * np.abs(slow.reactions).max()
    on_it = loads_of_points(project, built).at(found.time).force.sum(axis=1)[:, 2]
    assert found.reactions[:, :, 2].sum(axis=1) - found.reactions[0, :, 2].sum() == pytest.approx(
        on_it - on_it[0], rel=1e-6, abs=1.0
    )


def test_that_only_the_footings_below_what_has_moved_are_looked_at_while_it_is_dragged() -> None:
    project = load_example("curve50")
    higher = lifted(project, 0.2)
    assert project.track is not None
    assert higher.track is not None
    old, new = build_track(project.track), build_track(higher.track)
    places = moved(old, new)
    assert 0 < np.ptp(places) < 20.0
    assert len(moved(old, old)) == 0
    every, some = quasi_static(higher, new, rate=20.0), quasi_static(higher, new, rate=20.0, since=old)
    assert 0 < len(some.which) < len(every.which)
    for k, one in zip(some.which, some.footings, strict=True):
        assert one.most == pytest.approx(every.footings[k].most, rel=1e-9, abs=1e-6)
        assert np.abs(places - some.frame.footings[k].s).min() < 30.0
    before = as_before(quasi_static(project, old, rate=20.0), some)
    changes = [now.most[2] - was.most[2] for now, was in zip(some.footings, before, strict=True) if was]
    assert max(map(abs, changes)) > 100.0
