"""Fatigue by EN 1993-1-9: its curve, rainflow, Miner's sum, equivalent range."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.outcome.fatigue import Detail, counted, cycles_to_failure, fatigue

pytest.importorskip("rainflow")
PLAIN = Detail(71e6, 1.0)


def test_that_the_curve_has_the_corners_of_the_standard() -> None:
    """The category at 2 million, 0.737 of it at 5 million, 0.549 of that at 100 million; slopes 3 and 5."""
    knee, cut = (2.0 / 5.0) ** (1.0 / 3.0) * 71e6, 0.549 * 0.737 * 71e6
    assert knee == pytest.approx(0.737 * 71e6, rel=1e-3)
    found = cycles_to_failure(np.array([71e6, 142e6, knee, 1.001 * cut, 0.99 * cut]), PLAIN)
    assert found[:3] == pytest.approx([2e6, 2.5e5, 5e6])
    assert found[3] == pytest.approx(1e8, rel=0.01)
    assert found[4] == np.inf
    between = cycles_to_failure(np.array([50e6, 25e6 * 1.2]), PLAIN)
    assert between[1] / between[0] == pytest.approx((50.0 / 30.0) ** 5)


def test_that_partial_factors_lower_the_strength_and_raise_the_ranges() -> None:
    one = cycles_to_failure(np.array([60e6]), Detail(71e6, 1.35, 1.1))
    assert one == pytest.approx(cycles_to_failure(np.array([60e6 * 1.35 * 1.1]), PLAIN))


def test_that_a_history_that_comes_again_and_again_closes_its_largest_range() -> None:
    """Figure 6 of ASTM E1049 as a loop: 9 between -4 and 5, and what lies inside it."""
    ranges, cycles = counted(np.array([-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0]))
    table = {float(r): float(cycles[ranges == r].sum()) for r in np.unique(ranges)}
    assert table == {3.0: 1.0, 4.0: 1.0, 7.0: 1.0, 9.0: 1.0}


def test_that_damage_adds_up_and_the_equivalent_range_does_as_much_once_a_ride() -> None:
    """A hundred cycles of 40 MPa about a slow one of 120, counted by hand."""
    t = np.linspace(0.0, 1.0, 20001)
    stress = 40e6 * np.sin(2.0 * np.pi * t) + 20e6 * np.sin(2.0 * np.pi * 100.0 * t)
    found = fatigue(stress, PLAIN)
    inner = found.ranges < 60e6
    assert found.cycles[inner].sum() == pytest.approx(99.0, abs=1.0)
    assert found.largest == pytest.approx(120e6, rel=0.01)
    by_hand = float(np.sum(found.cycles / cycles_to_failure(found.ranges, PLAIN)))
    assert found.damage == pytest.approx(by_hand)
    assert 1.0 / cycles_to_failure(np.array([found.equivalent]), PLAIN)[0] == pytest.approx(
        found.damage, rel=1e-6
    )
    assert found.rides() == pytest.approx(1.0 / found.damage)


def test_that_what_stays_below_the_cut_lasts_without_end() -> None:
    found = fatigue(10e6 * np.sin(np.linspace(0.0, 60.0, 2000)), PLAIN)
    assert found.damage == 0.0
    assert found.rides() == np.inf
    assert found.equivalent == 0.0
