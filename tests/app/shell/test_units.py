"""Units: exact definitions (NIST SP 811), round trips, texts."""

from __future__ import annotations

import math

import pytest

from ridewright.app.widgets import units
from ridewright.app.widgets.number_text import shown_number
from ridewright.core.base.sentence import say


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (1.0, "m", 3.280839895),
        (0.0254, "mm", 1.0),
        (26.8224, "km/h", 60.0),
        (1.0, "m/s", 3.280839895),
        (0.45359237, "kg", 1.0),
        (1.0, "N", 0.2248089431),
        (1.0, "N m", 0.7375621493),
        (1.0, "N/m", 0.06852176586),
        (1.0, "kg m^2", 23.73036040),
        (1.0, "J", 0.7375621493),
        (1.0, "kg/m^3", 0.06242796058),
    ],
)
def test_that_us_units_have_their_defined_size(value: float, unit: str, shown: float) -> None:
    assert units.to_shown(value, unit, "US") == pytest.approx(shown, rel=1e-9)


@pytest.mark.parametrize("system", units.SYSTEMS)
@pytest.mark.parametrize("unit", list(units._TABLE))
def test_that_what_is_typed_comes_back(unit: str, system: units.System) -> None:
    value = 12.345678
    assert units.from_shown(units.to_shown(value, unit, system), unit, system) == pytest.approx(
        value, rel=1e-14
    )


def test_that_angles_are_in_degrees_in_both_systems() -> None:
    for system in units.SYSTEMS:
        assert units.to_shown(math.pi, "rad", system) == pytest.approx(180.0)
    # a stiffness per radian is smaller per degree
    assert units.to_shown(180.0 / math.pi, "N m/rad", "SI") == pytest.approx(1.0)


def test_that_texts_carry_unit_sign_and_sensible_digits() -> None:
    assert units.format(23.87, "m/s", "US") == ("78.3", "ft/s")
    assert units.text(-0.2617993878, "rad", "SI") == "−15.00°"
    assert units.text(-0.0001, "m", "SI") == "0.00 m"
    assert units.text(float("nan"), "m", "SI") == "– m"
    assert units.text(3.2, "g") == "3.20 g"
    assert units.text(5.0, "furlong") == "5.000 furlong"


def test_that_sentences_of_the_core_are_said_in_the_units_in_use() -> None:
    said = say(
        "Radius of {radius:.1f m} at {s:.1f m} in '{name}', {low:.3f (1/m)} to {high:.3f 1/m}, {g:.1f m/s²}, {pull};"
        " 3 months, {off:.1f} (m or rad)",
        radius=4.4, s=203.8, name="Car 3 m", low=0.15, high=0.149, g=-2.5, pull=say("{pull:.1f kN}", pull=27_700.0),
        off=2.5,
    )  # fmt: skip
    text = "Radius of 4.4 m at 203.8 m in 'Car 3 m', 0.150 to 0.149 1/m, -2.5 m/s², 27.7 kN; 3 months, 2.5 (m or rad)"
    assert units.in_units(said, "SI") == said == text
    assert units.in_units(said, "US") == (
        "Radius of 14.4 ft at 668.6 ft in 'Car 3 m', 0.0457 to 0.0454 1/ft, -8.20 ft/s², 6227 lbf; 3 months,"
        " 2.5 (m or rad)"
    )
    assert units.in_units(text, "US") == text  # words are not searched for numbers


def test_that_fields_show_neither_what_rounding_left_nor_the_digits_of_a_conversion() -> None:
    assert shown_number(-2.814899e-14, "m") == "0"
    assert shown_number(1e-12, "m/N") == "1e-12"  # a compliance is as small as that
    units.use("US")
    assert shown_number(0.0015, "mm") == "0.0591"
    assert shown_number(50.0 / 3.0, "m") == "54.681"
    assert shown_number(0.03125 * 0.0254, "mm") == "0.03125"  # what somebody typed stays as it is
    assert shown_number(12.3456 * 0.3048, "m") == "12.3456"
