"""The signal behind a criterion of rotation, neck, spine, vibration or tilting gives its value."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.injury.criteria.vibration import motion_sickness_dose, rms, running_rms
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.trace import criterion_trace

RATE = 8000.0
T = np.arange(int(2.0 * RATE)) / RATE


def wave(*pairs):
    return np.column_stack([a * np.sin(2.0 * np.pi * f * T + f) for a, f in pairs])


HISTORY = History(
    T,
    wave((0.8, 3.0), (0.5, 1.3), (1.4, 2.1)) + np.array([0.0, 0.0, 1.0]),
    "seat",
    rotation_rate=wave((2.0, 1.5), (3.0, 2.5), (1.0, 4.0)),
    rotation_acceleration=wave((20.0, 1.5), (50.0, 2.5), (25.0, 4.0)),
    neck_force=wave((60.0, 2.0), (90.0, 1.1), (300.0, 3.3)),
    neck_moment=wave((4.0, 2.0), (11.0, 1.1), (3.0, 3.3)),
    nca=wave((4.0, 1.2))[:, 0],
    rail_nca=wave((5.0, 1.2))[:, 0],
)
PEAKS = (
    *(
        "nij",
        "nij_cfc600",
        "neck_tension",
        "neck_compression",
        "neck_shear_left",
        "neck_flexion",
        "neck_twist",
    ),
    *("peak_rotation_rate_cfc60", "peak_rotation_acceleration_cfc60", "damage", "dri"),
)


def result_of(criterion):
    (found,) = evaluate_history(HISTORY, [criterion])
    return found


@pytest.mark.parametrize("criterion", PEAKS)
def test_that_the_peak_of_the_signal_is_the_value(criterion):
    result = result_of(criterion)
    found = criterion_trace(HISTORY, result)
    assert found.values.max() == pytest.approx(result.value, rel=1e-6)
    assert found.time[np.argmax(found.values)] == pytest.approx(result.time[0], abs=2.0 / RATE)
    assert found.limit == (None if criterion.startswith("peak") else result.limit)
    assert found.unit == result.unit


def test_that_vibration_and_tilting_come_from_their_signals():
    def values(criterion):
        return criterion_trace(HISTORY, result_of(criterion)).values

    for axis in "xyz":
        assert rms(T, values(f"iso2631_aw{axis}")) == pytest.approx(result_of(f"iso2631_aw{axis}").value)
    assert rms(T, values("iso2631_av")) == pytest.approx(result_of("iso2631_av").value)
    assert running_rms(T, values("iso2631_mtvv")).level == pytest.approx(result_of("iso2631_mtvv").value)
    assert motion_sickness_dose(T, values("iso2631_msdv")) == pytest.approx(result_of("iso2631_msdv").value)
    assert np.abs(values("tilting_nca_rails")).max() == pytest.approx(result_of("tilting_nca_rails").value)
    assert np.abs(values("tilting_nca")).max() == pytest.approx(result_of("tilting_nca").value)


def test_that_a_risk_is_drawn_by_what_it_comes_from_and_without_a_limit():
    for criterion, unit in (
        ("nij_risk", "1"),
        ("bric_ais2_risk", "rad/s"),
        ("bric", "rad/s"),
        ("ric", "rad/s^2"),
    ):
        found = criterion_trace(HISTORY, result_of(criterion))
        assert (found.unit, found.limit) == (unit, None)
