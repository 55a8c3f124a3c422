"""Numbers as the report shows them."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest

from ridewright.core.report.cells import MINUS, NOTHING, energy, entry, figures, fixed, percent, share


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_that_significant_figures_round_as_decimal_arithmetic_does(digits: int) -> None:
    generator = np.random.default_rng(7)
    for value in generator.normal(size=300) * 10.0 ** generator.uniform(-2.9, 6.9, 300):
        if not 1e-3 <= abs(value) < 1e7:
            continue
        exact = Decimal(float(value))
        # More places in front of the point than figures asked for are all shown.
        place = max(Decimal(1).scaleb(exact.adjusted() - digits + 1), Decimal(0)) if digits else Decimal(0)
        place = min(place, Decimal(1))
        shown = Decimal(figures(float(value), digits).text.replace(MINUS, "-"))
        assert abs(shown - exact) <= place / 2


def test_that_very_large_and_small_numbers_get_powers_of_ten() -> None:
    assert figures(1.24e-9, 2).text == "1.2 × 10⁻⁹"
    assert figures(-3.4e12).text == "−3.4 × 10¹²"
    assert figures(0.0).text == "0"


def test_that_a_small_part_is_shown_in_tenths_of_a_percent() -> None:
    assert [percent(part).text for part in (0.004, -0.0144, 0.0994, 0.0996, -0.44)] == [
        "0.4", "−1.4", "9.9", "10", "−44",
    ]  # fmt: skip


def test_that_nothing_is_shown_as_minus_zero() -> None:
    assert fixed(-0.004, 2).text == "0.00"
    assert fixed(-0.006, 2).text == "−0.01"


@pytest.mark.parametrize("value", [None, math.nan, math.inf])
def test_that_what_is_no_number_is_a_dash_without_unit(value: float | None) -> None:
    assert fixed(value, 1) == figures(value) == percent(value) == NOTHING
    assert entry("speed", fixed(value, 1), "m/s").unit == ""


def test_that_a_small_probability_says_no_more_than_that_it_is_small() -> None:
    assert share(3e-7).text == "< 0.01"
    assert share(3e-7).value == 3e-7
    assert share(0.0).text == "0"
    assert share(12.345).text == "12.3"


def test_that_an_energy_has_no_decimal_that_is_not_known() -> None:
    def said(joules: float, known: float) -> str:
        cell, unit = energy(joules, known)
        return f"{cell.text} {unit}"

    assert said(911.03, 9.86) == "911 J"
    assert said(-8.945, 0.0) == "−8.945 J"
    assert said(-8.945, 64.4) == "< 64 J"
    assert said(253_471.608, 9.86) == "253.5 kJ"
    assert said(253_471.608, 640.0) == "253.5 kJ"
    assert said(0.0, 64.4) == "0 J"
    assert energy(253_471.608, 9.86)[0].value == pytest.approx(253.471608)
