"""How many modes the forces at interfaces ask for."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.multibody.flexible import built_of
from ridewright.core.outcome.excitation import fixed_modes, truncation
from ridewright.core.outcome.stress import BodyStress
from ridewright.core.structure.reduction import craig_bampton
from tests.core.outcome.test_stress import body


class Shaken(BodyStress):
    """A body with made-up forces: a slow large one, and a fast one of a share of it."""

    share, hertz = 0.02, 30.0

    def loads(self, node: str) -> np.ndarray:
        slow, fast = (
            np.cos(math.tau * 0.7 * self.time),
            self.share * np.sin(math.tau * self.hertz * self.time),
        )
        row = (1e4 * (slow + fast) + 5e4) if node == "top" else 1e4 * slow
        return np.stack([row, 0.3 * row, 0.0 * row, 0.1 * row, row, 0.0 * row], axis=1)


def _shaken(share: float, hertz: float, kept: int) -> BodyStress:
    one = body()
    description = one.flexible.description.model_copy(update={"modes": kept})
    time = np.linspace(0.0, 20.0, 8001)
    made = Shaken(one.results, replace(one.flexible, description=description), time, one.modal)
    object.__setattr__(made, "share", share)
    object.__setattr__(made, "hertz", hertz)
    return made


def test_that_modes_between_held_interfaces_are_those_of_the_structure() -> None:
    flexible = body().flexible
    structure, _ = built_of(flexible.description)
    exact = craig_bampton(structure, ("top", "bottom"), 3).fixed / math.tau
    found = fixed_modes(flexible.floating)
    np.testing.assert_allclose(found[:2], exact[:2], rtol=1e-4)  # those that are kept
    assert exact[2] < found[2] < 1.1 * exact[2]  # of static corrections


@pytest.mark.parametrize(
    ("share", "hertz", "kept", "needed", "sentence"),
    [
        (0.02, 30.0, 1, 2, "2, of which 1 are kept; keep 2 and run again"),
        (0.02, 30.0, 2, 2, "count: 2, and 2 are kept"),
        (0.005, 30.0, 0, 0, "count: none, and 0 are kept"),
        (0.02, 10.0, 0, 0, "count: none"),
        (0.02, 150.0, 2, None, "it has none above 326 Hz: keep more modes"),
    ],
)
def test_that_modes_up_to_four_times_the_highest_frequency_count(
    share: float, hertz: float, kept: int, needed: int | None, sentence: str
) -> None:
    found = truncation(_shaken(share, hertz, kept))
    assert found.highest == pytest.approx(hertz if share > 0.01 else 0.7, abs=0.15)
    assert found.needed == needed
    assert found.enough == (needed is not None and kept >= needed)
    assert sentence in found.words
