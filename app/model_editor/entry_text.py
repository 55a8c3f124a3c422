"""Numbers as they are typed: with or without a unit, with a comma or a point, in SI or US units."""

from __future__ import annotations

import math
import re

from app.widgets import units
from core.base.errors import InputError

_NUMBER = re.compile(r"^\s*([-+−]?\s*(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*)$")


def shown_number(value: float, unit: str, digits: int = 7) -> str:
    """A quantity in SI as the number to be typed, in the units in use, without needless zeros."""
    number = units.to_shown(value, unit)
    text = f"{number:.{digits}g}"
    if "e" in text and 1e-4 <= abs(number) < 1e9:
        text = f"{number:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if float(text) == 0.0 else text


def read_number(text: str, unit: str, what: str) -> float:
    """A typed number in SI. It may carry a unit of the same quantity in either system: "12 ft" in a field of m.

    Raises InputError that says what was expected.
    """
    found = _NUMBER.match(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    if found is None:
        raise InputError(f"{what}: '{text.strip()[:30]}' is not a number.")
    number = float(found[1].replace("−", "-").replace(" ", ""))
    suffix = found[2].strip()
    if not math.isfinite(number):
        raise InputError(f"{what}: '{text.strip()[:30]}' is too large.")
    if not suffix:
        return float(units.from_shown(number, unit))
    known = {_plain(label): size for label, size in _suffixes(unit)}
    if _plain(suffix) not in known:
        raise InputError(f"{what}: the unit '{suffix[:12]}' does not fit; use {' or '.join(_labels(unit))}.")
    return number * known[_plain(suffix)]


def _labels(unit: str) -> list[str]:
    seen = dict.fromkeys(units.shown(unit, system).label for system in units.SYSTEMS)
    return [label for label in seen if label]


def _suffixes(unit: str) -> list[tuple[str, float]]:
    every = [units.shown(unit, system) for system in units.SYSTEMS]
    out = [(shown.label, shown.size) for shown in every]
    more = {"m": ("m", "mm"), "rad": ("rad",), "m/s": ("m/s", "km/h"), "mm": ("m", "mm")}
    for other in more.get(unit, ()):
        out += [
            (units.shown(other, system).label, units.shown(other, system).size) for system in units.SYSTEMS
        ]
    if unit == "rad":
        out += [("rad", 1.0), ("deg", units.DEGREE)]
    return out


def _plain(label: str) -> str:
    return (
        label.replace("²", "2").replace("³", "3").replace("^", "").replace("·", "").replace(" ", "").lower()
    )


def range_text(low: float | None, high: float | None, low_open: bool, unit: str) -> str:
    """The range of a quantity in SI as a person reads it, "" without limits: "at least 0.001 m"."""

    def shown(value: float) -> str:
        label = units.label(unit)
        gap = "" if label.startswith("°") or not label else " "
        return f"{units.to_shown(value, unit):.6g}{gap}{label}"

    # limits that only keep out slips of the keyboard tell nobody anything
    huge = 100.0 if unit == "rad" else 1e5
    low = None if low is not None and (0.0 < abs(low) < 1e-5 or abs(low) >= huge) else low
    high = None if high is not None and abs(high) >= huge else high
    if low is not None and high is not None:
        return f"{shown(low)} to {shown(high)}"
    if low is not None:
        return f"larger than {shown(low)}" if low_open else f"at least {shown(low)}"
    return f"at most {shown(high)}" if high is not None else ""
