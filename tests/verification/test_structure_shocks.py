"""The gondola arm under a base shock and under forces on the gondola: the reduced body in a run of the program against
the whole mesh at the same instants, undamped, so that all that is excited rings on."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("skfem", reason="has the shape functions (extra 'structure')")

from ridewright.core.base.arrays import Array
from ridewright.core.model.functions import TableFunction, TimeFunction, constant
from tests.verification import arm_reference as arm

DURATION = 0.2  # s, three swings of the arm on its root


def _shock(peak: float, period: float) -> TableFunction:
    """The root moves on and stops: one sine wave of acceleration."""
    t = np.linspace(0.0, period, 201)
    way = peak * period**2 / (2.0 * np.pi) * (t / period - np.sin(2.0 * np.pi * t / period) / (2.0 * np.pi))
    return TableFunction(times=tuple(t.tolist()), values=tuple(way.tolist()))


def _pulse(peak: float, period: float) -> TableFunction:
    t = np.linspace(0.0, period, 101)
    return TableFunction(
        times=tuple(t.tolist()), values=tuple((peak * np.sin(np.pi * t / period) ** 2).tolist())
    )


REST = constant(0.0)
CASES = {
    "shock of 50 ms": (_shock(2.0, 0.05), REST),
    "shock of 10 ms": (_shock(2.0, 0.01), REST),
    "step": (REST, constant(200.0)),
    "impulse of 5 ms": (REST, _pulse(1000.0, 0.005)),
}
#: Stress that is off anywhere without static corrections, of the largest, which is more than may be.
PLAIN = {"shock of 10 ms": 1.0e-2, "impulse of 5 ms": 1.0e-2}


def _whole(travel: TimeFunction, force: TimeFunction) -> Array:
    def at(t: Array, function: TimeFunction, derivative: int) -> Array:
        if not isinstance(function, TableFunction):
            return np.full_like(t, function.offset if derivative == 0 else 0.0)
        ended = t > function.times[-1]
        return np.where(ended, 0.0, arm.spline(function)(t, derivative))

    return arm.whole_response(DURATION, lambda t: at(t, travel, 2), lambda t: at(t, force, 0))


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES)
def test_that_a_shaken_or_pushed_arm_is_stressed_as_its_whole_mesh(case: str) -> None:
    """With eight modes and static corrections the worst stress within 0.1 %, any node at any instant within 0.5 % of
    it; without the corrections 0.2 % and 1 % where the shock or push is short."""
    travel, force = CASES[case]
    full = _whole(travel, force)
    worst = np.unravel_index(int(full.argmax()), full.shape)
    off = {}
    for corrected in (True, False):
        made = arm.reduced(corrected)
        small = arm.reduced_response(made, arm.ride(made, DURATION, travel, force), DURATION)
        off[corrected] = np.abs(small - full) / full.max()
        print(
            f"{case}: {full.max() / 1e6:.3f} MPa; {'with' if corrected else 'without'} corrections the worst off by"
            f" {100 * off[corrected][worst]:.4f} %, anywhere {100 * off[corrected].max():.3f} %"
        )
    assert off[True][worst] < 1e-3
    assert off[True].max() < 5e-3
    assert off[False].max() > PLAIN.get(case, 0.0)
