"""Elements as they are inserted: nothing to warn of, however fast or slow the ride is."""

from __future__ import annotations

import pytest

from ridewright.core.track.check import check_track
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.elements import ELEMENTS, ElementEntry


@pytest.mark.parametrize("entry", ELEMENTS, ids=lambda entry: entry.id)
def test_that_a_default_element_behind_a_straight_has_no_warning(entry: ElementEntry) -> None:
    straight = StraightSection(name="straight", start=(0.0, 0.0, 120.0), end=(30.0, 0.0, 120.0), cant=0.0)
    for speed in (3.0, 6.0, 10.0, 14.0, 30.0):
        track = Track(name="t", sections=(straight, entry.make("element", speed)))
        assert check_track(track).findings == (), speed
