"""Units people write beside a number, and the SI unit each belongs to; all exact or as defined."""

from __future__ import annotations

import math

from .errors import InputError

FOOT = 0.3048  # m, exact
POUND = 0.45359237  # kg, exact
POUND_FORCE = POUND * 9.80665  # N, exact
DEGREE = math.pi / 180.0

#: SI unit as fields are declared with -> the units that a number of it may be typed in, each with its size in SI.
#: A study file, a script and a field of the studio take the same.
TYPED: dict[str, dict[str, float]] = {
    "m": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "km": 1e3, "ft": FOOT, "in": FOOT / 12.0},
    "m/s": {"m/s": 1.0, "km/h": 1.0 / 3.6, "ft/s": FOOT, "mph": 0.44704, "mm/s": 1e-3},
    "m/s^2": {"m/s^2": 1.0, "ft/s^2": FOOT, "g": 9.80665},
    "rad": {"rad": 1.0, "mrad": 1e-3, "deg": DEGREE, "°": DEGREE},
    "rad/s": {"rad/s": 1.0, "deg/s": DEGREE, "rpm": math.pi / 30.0},
    "rad/s^2": {"rad/s^2": 1.0, "deg/s^2": DEGREE},
    "rad/m": {"rad/m": 1.0, "deg/m": DEGREE, "deg/ft": DEGREE / FOOT},
    "1/m": {"1/m": 1.0, "1/ft": 1.0 / FOOT},
    "kg": {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": POUND},
    "kg m^2": {"kg m^2": 1.0, "lb ft^2": POUND * FOOT**2},
    "m^2": {"m^2": 1.0, "cm^2": 1e-4, "mm^2": 1e-6, "ft^2": FOOT**2},
    "N": {"N": 1.0, "kN": 1e3, "MN": 1e6, "lbf": POUND_FORCE},
    "Pa": {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "GPa": 1e9, "N/mm^2": 1e6},
    "N m": {"N m": 1.0, "kN m": 1e3, "lbf ft": POUND_FORCE * FOOT},
    "N/m": {"N/m": 1.0, "kN/m": 1e3, "N/mm": 1e3, "kN/mm": 1e6, "MN/m": 1e6, "lbf/ft": POUND_FORCE / FOOT},
    "N s/m": {"N s/m": 1.0, "kN s/m": 1e3, "N s/mm": 1e3, "lbf s/ft": POUND_FORCE / FOOT},
    "N m/rad": {"N m/rad": 1.0, "kN m/rad": 1e3, "N m/deg": 1.0 / DEGREE},
    "N m s/rad": {"N m s/rad": 1.0, "kN m s/rad": 1e3, "N m s/deg": 1.0 / DEGREE},
    "W": {"W": 1.0, "kW": 1e3},
    "J": {"J": 1.0, "kJ": 1e3, "MJ": 1e6},
    "s": {"s": 1.0, "ms": 1e-3, "min": 60.0, "h": 3600.0},
    "Hz": {"Hz": 1.0, "kHz": 1e3, "1/s": 1.0},
    "1": {"1": 1.0, "%": 1e-2},
}


def unit_size(unit: str, si: str, where: str) -> float:
    """Size of a unit in the SI unit of a quantity: unit_size("km/h", "m/s", ...) is 1/3.6; 1 where none is given.

    si: the unit a field is declared with, "" or "1" for a number without. where: what the sentence of the InputError
    begins with when the unit is none of this quantity.
    """
    if unit in ("", si):
        return 1.0
    own = si or "1"
    known = TYPED.get(own, {own: 1.0})
    if unit in known:
        return known[unit]
    raise InputError(f"{where}: '{unit}' is no unit of this quantity; write {', '.join(known)}.")


def percent(share: float, *, signed: bool = False) -> str:
    """A share in whole percent, and below half of one with a figure that is not zero: a margin of "-0 %" would leave
    open whether a limit is kept. signed: with its sign, zero apart."""
    value = 100.0 * share
    decimals = 0
    while decimals < 3 and value != 0.0 and abs(value) < 0.5 * 10.0**-decimals:
        decimals += 1
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    return f"{'0' if float(text) == 0.0 else text} %"
