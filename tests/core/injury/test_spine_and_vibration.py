"""Dynamic response index, ISO 2631-1 and tilting against closed forms, tables and independent solvers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import TransferFunction, lsim

from ridewright.core.base.errors import InputError
from ridewright.core.base.specific_force import lateral_in_plane, lateral_load_in_curve, nca_of_body
from ridewright.core.injury.criteria import spine, vibration
from ridewright.core.injury.criteria.spine import SpineModel, dri
from ridewright.core.injury.criteria.tilting import tilting_effect
from ridewright.core.injury.criteria.vibration import (
    VibrationTable,
    motion_sickness_dose,
    rms,
    running_rms,
    vibration_dose,
    weighted,
)
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.limits import load_limits
from ridewright.core.injury.oscillator import oscillator_response

SPINE = load_limits("dri", SpineModel)
ISO = load_limits("iso2631", VibrationTable)
#: Third-octave values of ISO 2631-1, tables 3 and 4 (factors), as two independent transcriptions give them.
TABLE = {
    "Wk": {1: 0.482, 2: 0.531, 4: 0.967, 8: 1.036, 16: 0.768, 31.5: 0.405, 80: 0.132},
    "Wd": {0.5: 0.853, 1: 1.011, 2: 0.89, 4: 0.512, 8: 0.253},
    "Wf": {0.1: 0.695, 0.16: 1.006, 0.2: 0.992, 0.315: 0.619, 0.5: 0.224},
}


@pytest.mark.parametrize("rate", [1000.0, 10_000.0])
def test_that_a_step_on_the_spine_overshoots_as_its_closed_form(rate):
    t = np.arange(int(0.6 * rate)) / rate
    a = np.where(t > 0.1, 3.0, 0.0)
    found = dri(t, a, SPINE)
    zeta, omega = 0.224, 52.9
    gain = 1.0 + np.exp(-zeta * np.pi / np.sqrt(1.0 - zeta**2))
    # A step spread over one sample is lower by (omega step)^2 / 24, here up to 1e-4.
    assert found.value == pytest.approx(3.0 * gain, rel=3e-4 if rate < 5000 else 3e-6)
    assert found.value == pytest.approx(3.0 * 1.4857481, rel=3e-4)
    top = 0.1 + np.pi / (omega * np.sqrt(1.0 - zeta**2))
    assert found.time == pytest.approx(top, abs=1.6 / rate)


def test_that_a_rider_at_rest_has_an_index_of_one_and_a_lasting_load_its_level():
    t = np.arange(4000) / 1000.0
    assert dri(t, np.ones(t.size), SPINE).value == pytest.approx(1.0, abs=1e-12)
    slow = 1.0 + 2.0 * np.clip(t / 2.0, 0.0, 1.0)
    assert dri(t, slow, SPINE).response[-1] == pytest.approx(3.0, rel=1e-6)


@pytest.mark.parametrize("steady", [True, False])
@pytest.mark.parametrize("constants", [(2798.0, 23.7), (900.0, 75.0), (400.0, 0.0), (32142.0, 190.0)])
def test_that_the_oscillator_answers_straight_pieces_exactly(constants, steady):
    k, c = constants
    rng = np.random.default_rng(5)
    t = np.arange(120) / 250.0
    u = rng.normal(size=t.size)
    found = oscillator_response(t, u, k, c, steady_start=steady)
    start = [u[0] / k if steady else 0.0, 0.0]

    def rates(s, y):
        return [y[1], np.interp(s, t, u) - c * y[1] - k * y[0]]

    exact = [start[0]]
    y = start
    for a, b in pairwise(t):
        y = solve_ivp(rates, (a, b), y, rtol=1e-10, atol=1e-14).y[:, -1]
        exact.append(y[0])
    assert found == pytest.approx(np.array(exact), abs=1e-8 * np.abs(exact).max())


def test_that_an_oscillator_without_a_spring_is_refused():
    with pytest.raises(InputError, match="positive stiffness"):
        oscillator_response([0.0, 1.0], [0.0, 1.0], 0.0, 1.0, steady_start=True)


@pytest.mark.parametrize("name", TABLE)
def test_that_the_weightings_are_those_of_the_standard_within_half_a_percent(name):
    for frequency, value in TABLE[name].items():
        found = abs(ISO.weightings[name].response(frequency))
        assert found == pytest.approx(value, rel=5e-3), frequency


@pytest.mark.parametrize(("name", "frequency"), [("Wk", 8.0), ("Wd", 1.0), ("Wf", 0.2), ("Wk", 80.0)])
def test_that_a_sine_comes_out_by_its_weight(name, frequency):
    t = np.arange(120_001) / 500.0
    x = weighted(t, 1.7 * np.sin(2.0 * np.pi * frequency * t), ISO.weightings[name])
    settled = t >= 140.0
    gain = abs(ISO.weightings[name].response(frequency))
    assert rms(t[settled], x[settled]) == pytest.approx(1.7 * gain / np.sqrt(2.0), rel=1e-4)


@pytest.mark.parametrize("name", ["Wk", "Wd", "Wf"])
def test_that_a_blow_is_answered_as_by_the_analogue_filter(name):
    """Amplitude and phase over time, against scipy's simulation of the polynomials."""
    w = ISO.weightings[name]
    two = 2.0 * np.pi
    num = np.poly1d([1.0, 0.0, 0.0])
    den = np.poly1d([1.0, np.sqrt(2.0) * two * w.f1, (two * w.f1) ** 2])
    den *= np.poly1d([1.0 / (two * w.f2) ** 2, np.sqrt(2.0) / (two * w.f2), 1.0])
    if w.f3:
        num *= np.poly1d([1.0 / (two * w.f3), 1.0])
    den *= np.poly1d([1.0 / (two * w.f4) ** 2, 1.0 / (w.Q4 * two * w.f4), 1.0])
    if w.f5:
        num *= np.poly1d([1.0 / (two * w.f5) ** 2, 1.0 / (w.Q5 * two * w.f5), 1.0]) * (w.f5 / w.f6) ** 2
        den *= np.poly1d([1.0 / (two * w.f6) ** 2, 1.0 / (w.Q6 * two * w.f6), 1.0])
    t = np.arange(20_000) / 2000.0
    blow = 2.5 + 4.0 * np.exp(-(((t - 3.0) / 0.05) ** 2)) - 2.0 * np.exp(-(((t - 5.0) / 0.4) ** 2))
    expected = lsim(TransferFunction(num.coeffs, den.coeffs), blow - blow[0], t)[1]
    found = weighted(t, blow, w)
    assert found == pytest.approx(expected, abs=2e-4 * np.abs(expected).max())


def test_that_gravity_at_rest_is_no_vibration_and_the_end_does_not_reach_the_start():
    t = np.arange(20_000) / 1000.0
    assert weighted(t, np.full(t.size, 9.81), ISO.weightings["Wf"]) == pytest.approx(0.0, abs=1e-9)
    drop = np.where(t > 19.0, -30.0, 0.0)
    assert weighted(t, drop, ISO.weightings["Wf"])[:15_000] == pytest.approx(0.0, abs=0.02)


def test_that_dose_values_of_a_sine_are_their_closed_forms():
    t = np.arange(100_001) / 1000.0
    a = 1.4 * np.sin(2.0 * np.pi * 5.0 * t)
    assert vibration_dose(t, a) == pytest.approx(1.4 * (3.0 / 8.0 * 100.0) ** 0.25, rel=1e-9)
    assert motion_sickness_dose(t, a) == pytest.approx(1.4 * np.sqrt(50.0), rel=1e-9)
    assert rms(t, a) == pytest.approx(1.4 / np.sqrt(2.0), rel=1e-9)
    a[40_000:40_600] *= 3.0
    worst = running_rms(t, a)
    assert worst.level == pytest.approx(1.4 * np.sqrt(0.5 * (0.6 * 9.0 + 0.4)), rel=1e-3)
    assert 39.59 <= worst.start <= 40.0
    assert worst.end - worst.start == pytest.approx(1.0)
    assert running_rms(t[:300], a[:300]).end == t[299]


@pytest.mark.parametrize(
    ("total", "words"),
    [
        (0.1, "not uncomfortable"),
        (0.4, "a little uncomfortable"),
        (0.55, "a little uncomfortable to fairly uncomfortable"),
        (2.2, "very uncomfortable to extremely uncomfortable"),
        (30.0, "extremely uncomfortable"),
    ],
)
def test_that_comfort_bands_overlap_as_in_the_standard(total, words):
    assert ISO.reactions(total) == words


def test_that_the_tilting_takes_off_what_it_leans():
    """A level left curve without bank, the carbody leaned into it: the rail plane feels all, the carbody the rest."""
    g, a_c, lean = 9.81, 6.0, -0.3
    t = np.arange(500) / 100.0
    world = np.tile([0.0, a_c, 0.0], (t.size, 1)) * np.sin(0.5 * t)[:, None]
    turn = np.tile([np.cos(lean / 2.0), np.sin(lean / 2.0), 0.0, 0.0], (t.size, 1))
    felt = nca_of_body(world, turn, (0.0, 0.0, -g))
    rails = lateral_in_plane(world, np.tile([0.0, 1.0, 0.0], (t.size, 1)), (0.0, 0.0, -g))
    k = int(np.argmax(rails))
    assert rails[k] == pytest.approx(a_c, rel=1e-4)
    assert felt[k] == pytest.approx(g * lateral_load_in_curve(rails[k], 0.0, lean), rel=1e-9)
    found = tilting_effect(t, felt, rails)
    assert found.peak_rails == rails[k]
    assert found.time_rails == t[k]
    assert found.off_peak == pytest.approx(1.0 - np.abs(felt).max() / a_c, rel=1e-4)
    assert found.off_rms == pytest.approx(1.0 - np.sqrt(np.trapezoid(felt**2, t) / np.trapezoid(rails**2, t)))
    assert tilting_effect(t, rails, rails).off_rms == 0.0
    assert tilting_effect(t, 2.0 * rails, rails).off_peak == pytest.approx(-1.0)
    assert tilting_effect(t, 0.0 * rails, 0.0 * rails).off_peak == 0.0


def test_that_the_rail_plane_is_that_of_a_banked_track_in_any_direction():
    rng = np.random.default_rng(8)
    q = rng.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    a = rng.normal(size=(50, 3))
    e0, x, y, z = q.T
    left = np.column_stack([2 * (x * y - e0 * z), 1 - 2 * (x * x + z * z), 2 * (y * z + e0 * x)])
    gravity = (0.3, -0.2, -9.0)
    assert lateral_in_plane(a, left, gravity) == pytest.approx(nca_of_body(a, q, gravity), abs=1e-12)
    with pytest.raises(InputError, match="three columns"):
        lateral_in_plane(a, left[:3], gravity)


def shaken(rate):
    """A ride of 10 Hz vibration and a pulse of 0.1 s and 8 g, sampled at a rate (Hz)."""
    t = np.arange(0.0, 30.0, 1.0 / rate)
    up = 1.0 + 1.5 * np.sin(20.0 * np.pi * t) * ((t > 5.0) & (t < 20.0))
    up += np.where((t > 22.0) & (t < 22.1), 8.0 * np.sin(10.0 * np.pi * (t - 22.0)), 0.0)
    return History(t, np.column_stack([0.0 * t, 0.0 * t, up]), "pelvis")


@pytest.mark.parametrize("rate", [2.0, 10.0, 20.0, 25.0, 50.0, 99.0, 120.0, 200.0, 240.0, 250.0, 500.0])
def test_that_no_rate_makes_a_record_look_safer_than_it_is(rate):
    fine = {r.criterion: r for r in evaluate_history(shaken(5000.0))}
    for found in evaluate_history(shaken(rate)):
        if found.margin is None:
            continue
        # What is judged at all is judged alike: 6 % is what straight lines between samples cost.
        used, all_of_it = 1.0 - found.margin, 1.0 - fine[found.criterion].margin
        assert used >= 0.94 * all_of_it - 0.01, found.criterion
    judged = {r.criterion: r.verdict for r in evaluate_history(shaken(rate), ["dri", "iso2631_vdv"])}
    assert (judged["dri"] != "not applicable") == (rate >= 100.0)
    assert judged["iso2631_vdv"] == ("outside" if rate >= 250.0 else "not applicable")


def test_that_the_rate_of_the_spine_is_ten_times_its_natural_frequency():
    frequency = load_limits("dri", SpineModel).natural_frequency / (2.0 * np.pi)
    assert 10.0 * frequency <= spine.RATE <= 12.0 * frequency


def test_that_every_criterion_with_a_limit_asks_for_a_rate_or_goes_through_a_filter():
    slow = {r.criterion: r for r in evaluate_history(replace(shaken(2.0), rotation_rate=np.zeros((60, 3))))}
    assert all(found.verdict == "not applicable" for found in slow.values())


@pytest.mark.parametrize("name", ["Wk", "Wd", "Wf"])
def test_that_the_end_of_a_record_has_rung_out_before_its_start_comes_round_again(name, monkeypatch):
    """Five times the wait changes nothing but a part in ten thousand of the most, where the record ends on a step."""
    rng = np.random.default_rng(4)
    t = np.arange(6000) / 1000.0
    felt = 9.81 * np.cumsum(rng.normal(size=t.size)) / 50.0
    usual = weighted(t, felt, ISO.weightings[name])
    monkeypatch.setattr(vibration, "LEAD_BACK", 5.0 * vibration.LEAD_BACK)
    longer = weighted(t, felt, ISO.weightings[name])
    assert np.abs(usual - longer).max() < 1e-4 * np.abs(longer).max()
    assert rms(t, usual) == pytest.approx(rms(t, longer), rel=1e-5)
