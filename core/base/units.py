"""Units people write beside a number, and the SI unit each belongs to; all exact or as defined."""

from __future__ import annotations

import math

from .errors import InputError

FOOT = 0.3048  # m, exact
POUND = 0.45359237  # kg, exact
POUND_FORCE = POUND * 9.80665  # N, exact
DEGREE = math.pi / 180.0

#: Unit -> the SI unit as fields are declared with, and the size of one in it.
UNITS: dict[str, tuple[str, float]] = {
    "mm": ("m", 1e-3),
    "cm": ("m", 1e-2),
    "km": ("m", 1e3),
    "ft": ("m", FOOT),
    "in": ("m", FOOT / 12.0),
    "km/h": ("m/s", 1.0 / 3.6),
    "mph": ("m/s", 0.44704),
    "ft/s": ("m/s", FOOT),
    "deg": ("rad", DEGREE),
    "deg/s": ("rad/s", DEGREE),
    "deg/m": ("rad/m", DEGREE),
    "g": ("m/s^2", 9.80665),
    "t": ("kg", 1e3),
    "lb": ("kg", POUND),
    "cm^2": ("m^2", 1e-4),
    "kN": ("N", 1e3),
    "MN": ("N", 1e6),
    "lbf": ("N", POUND_FORCE),
    "kN m": ("N m", 1e3),
    "N/mm": ("N/m", 1e3),
    "kN/m": ("N/m", 1e3),
    "MN/m": ("N/m", 1e6),
    "kN s/m": ("N s/m", 1e3),
    "N m/deg": ("N m/rad", 1.0 / DEGREE),
    "N m s/deg": ("N m s/rad", 1.0 / DEGREE),
    "kW": ("W", 1e3),
    "kJ": ("J", 1e3),
    "ms": ("s", 1e-3),
    "min": ("s", 60.0),
    "%": ("1", 1e-2),
}


def unit_size(unit: str, si: str, where: str) -> float:
    """Size of a unit in the SI unit of a quantity: unit_size("km/h", "m/s", ...) is 1/3.6; 1 where none is given.

    si: the unit a field is declared with, "" or "1" for a number without. where: what the sentence of the InputError
    begins with when the unit is none of this quantity.
    """
    if unit in ("", si) or (unit == "1" and si == ""):
        return 1.0
    known = UNITS.get(unit)
    if known is not None and known[0] == (si or "1"):
        return known[1]
    allowed = [si or "1", *(name for name, (base, _) in UNITS.items() if base == (si or "1"))]
    raise InputError(f"{where}: '{unit}' is no unit of this quantity; write {', '.join(allowed)}.")


def percent(share: float, *, signed: bool = False) -> str:
    """A share in whole percent, and below half of one with a figure that is not zero: a margin of "-0 %" would leave
    open whether a limit is kept. signed: with its sign, zero apart."""
    value = 100.0 * share
    decimals = 0
    while decimals < 3 and value != 0.0 and abs(value) < 0.5 * 10.0**-decimals:
        decimals += 1
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    return f"{'0' if float(text) == 0.0 else text} %"
