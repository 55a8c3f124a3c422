"""Roll points give way to cants of the control points, at which the track stays as it was."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits.roll_points import clear_roll_points
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, RollPoint, SplineSection, Track


def test_that_the_cant_at_the_points_stays_when_roll_points_go() -> None:
    bend = [(0, 0, 2), (15, 1, 2.5), (29, 6, 3), (40, 16, 3), (46, 30, 2.5)]
    points = tuple(ControlPoint(x=x, y=y, z=z, cant=None) for x, y, z in bend)
    rolls = (RollPoint(at=2.0, cant=-0.1), RollPoint(at=22.0, cant=-0.7), RollPoint(at=45.0, cant=-0.3))
    track = Track(name="t", sections=(SplineSection(name="a", points=points, roll_points=rolls),))
    project = Project(name="p", track=track)
    built = build_track(track)
    cleared = clear_roll_points(project, built, "a")
    assert cleared.track is not None
    (section,) = cleared.track.sections
    assert isinstance(section, SplineSection)
    assert section.roll_points == ()
    after = build_track(cleared.track)
    s = np.array([station.s for station in built.stations])
    assert after.centreline.cant(s) == pytest.approx(built.centreline.cant(s), abs=1e-9)
    with pytest.raises(InputError, match="has no roll points"):
        clear_roll_points(cleared, after, "a")
