"""Elements drawn for a speed follow the speed of the ride: then their loads are what they were drawn for."""

from __future__ import annotations

import numpy as np
import pytest

from core.design.entry_speeds import match_entry_speeds
from core.errors import InputError
from core.pointmass.ride import ride_point
from core.project import Project
from core.track.build import build_track
from core.track.description import ControlPoint, SplineSection, StraightSection, Track
from core.track.elements import CamelbackSection


def hills(speed: float) -> Project:
    """A drop of 30 m and two camelbacks at 0.2 g, drawn for the wrong speeds."""
    drop = tuple(
        ControlPoint(x=x, y=0.0, z=2.0 + 30.0 * 0.5 * (1.0 + np.cos(np.pi * x / 70.0)), cant=0.0)
        for x in np.linspace(0.0, 70.0, 9).tolist()
    )
    level = StraightSection(name="level", length=15.0, cant=0.0)
    first = CamelbackSection(name="first", entry_speed=15.0, height=10.0, gz=0.2)
    second = CamelbackSection(name="second", entry_speed=30.0, height=6.0, gz=0.2)
    track = Track(name="t", sections=(SplineSection(name="drop", points=drop), level, first, second))
    project = Project(name="p", track=track)
    settings = project.point_ride.model_copy(update={"speed": speed, "mu": 0.01})
    return project.model_copy(update={"point_ride": settings})


def test_that_the_hills_give_their_load_at_the_speed_of_the_ride() -> None:
    project, changes = match_entry_speeds(hills(4.0))
    assert [change.section for change in changes] == ["first", "second"]
    assert changes[0].now == pytest.approx(np.sqrt(16.0 + 2.0 * 9.81 * 30.0 * 0.97), rel=0.05)
    assert project.track is not None
    built = build_track(project.track, ride=False)
    ride = ride_point(built, project.point_ride)
    for name in ("first", "second"):
        span = next(s for s in built.sections if s.name == name)
        middle = 0.5 * (span.s0 + span.s1)
        on_top = np.abs(ride.place - middle) < 2.0
        # the element counts no losses, the ride a few: a small difference is left
        assert ride.g[on_top, 2] == pytest.approx(0.2, abs=0.06)
    again, none = match_entry_speeds(project)
    assert none == ()
    assert again == project


def test_that_an_element_the_ride_does_not_reach_is_named() -> None:
    project = hills(4.0)
    settings = project.point_ride.model_copy(update={"mu": 0.9})
    with pytest.raises(InputError, match="does not reach section 'first'"):
        match_entry_speeds(project.model_copy(update={"point_ride": settings}))
    with pytest.raises(InputError, match="no track"):
        match_entry_speeds(Project(name="p"))
