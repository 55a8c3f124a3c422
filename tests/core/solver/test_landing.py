"""Where a step that is looked at more closely lands, and whether the run ends there."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.multibody.event_kernels import Instant
from ridewright.core.solver.methods.event_landing import Landing, _At

STOP, ARRIVAL = 0.4, 0.6  # s


class Clock:
    """A stepper that has stepped to 1 s."""

    t, y = 1.0, np.zeros(0)

    def step(self) -> None:
        raise AssertionError("only landed")

    def land(self, t: float) -> None:
        self.t = t

    def restart(self, y: np.ndarray) -> None:
        raise AssertionError("only landed")


NOWHERE = Instant(*(np.zeros(0),) * 5, 0.0, *(np.zeros(0),) * 3)


class Foreseen(Landing):
    """Both ends of the step show the arrival only, and not where; a closer look shows the stop before it."""

    def __init__(self) -> None:
        self.start = _At(0.0, NOWHERE)

    def _instant(self, equations: object, stepper: Clock) -> _At:
        return _At(stepper.t, NOWHERE)

    def _first(self, a: _At, b: _At, margin: float) -> tuple[float, bool, int]:
        if margin > 0.0:
            return 0.55, True, -1
        for time, over in ((STOP, False), (ARRIVAL, True)):
            if a.time < time <= b.time:
                return (time - a.time) / (b.time - a.time), over, -1
        return 1.0, False, -1


def test_that_a_stop_found_before_the_end_place_does_not_end_the_run() -> None:
    clock = Clock()
    landed, over = Foreseen().land(None, clock)
    assert landed
    assert not over
    assert clock.t == pytest.approx(STOP, abs=1e-9)
