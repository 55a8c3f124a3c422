"""Names of sections in the view: never over one another, longest section first."""

from __future__ import annotations

import numpy as np

from ridewright.app.elements.section_marks import border_actors, without_overlap
from ridewright.core.project.examples import load_example
from ridewright.core.track.build import build_track


def test_that_texts_that_would_lie_over_an_earlier_one_are_left_out() -> None:
    sizes = np.tile((40.0, 18.0), (6, 1))
    places = [(100.0, 50.0), (130.0, 55.0), (139.0, 75.0), (141.0, 50.0), (np.nan, 0.0), (100.0, 68.5)]
    shown = without_overlap(places, sizes)
    # the second lies over the first; the third only over the left-out one and is clear of the first by its height
    assert shown.tolist() == [True, False, True, True, False, False]


def test_that_the_longest_section_is_named_first() -> None:
    built = build_track(load_example("looping_star").track)
    first = border_actors(built)[1]
    longest = max(built.sections, key=lambda span: span.s1 - span.s0)
    assert first.GetInput() == longest.name
