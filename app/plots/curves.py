"""Curves at the cost of the pixels they cover, in the units that people read, and the difference of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.base.arrays import Array
from ...core.charts.chart import Curve
from ..widgets import units

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# From this size on forces and energies are easier to read in thousands.
EVERYDAY = 0.1  # a curve that gets as large as this is read in thousandths
TINY = 1e-9  # below this a force, load or energy is rounding
THOUSANDS = {"N": ("kN", 1e4), "J": ("kJ", 1e4), "N m": ("kN m", 1e4)}


def difference(one: Curve, other: Curve) -> Curve | None:
    """What a curve is above another of a second run, at the same times or places, where both have been; None where a
    train passes a place twice, or where they share nothing."""
    x, there = one.x, other.x
    if one.axis is None or other.axis is None or one.time is None or other.time is None:
        return None
    if not (one.axis.increasing and other.axis.increasing) or not len(x) or not len(there):
        return None
    both = (x >= there[0]) & (x <= there[-1])
    if np.count_nonzero(both) < 2:
        return None
    values = one.values[both] - np.interp(x[both], there, other.values)
    return replace(one, run=f"{one.run} − {other.run}", x=x[both], time=one.time[both], values=values)


def largest(curves: Sequence[Curve]) -> float:
    """The largest size that any of some curves reaches, SI."""
    return max((float(np.nanmax(np.abs(c.values), initial=0.0)) for c in curves), default=0.0)


def display_unit(unit: str, curves: Sequence[Curve]) -> tuple[str, float]:
    """Label of the shown unit, and what SI values are multiplied by; large forces and energies in thousands."""
    how = units.shown(unit)
    if units.current() == "SI" and unit in THOUSANDS:
        label, least = THOUSANDS[unit]
        if largest(curves) >= least:
            return label, 1e-3
    return how.label, 1.0 / how.size


def number(value: float, log: bool = False, beside: float = 0.0) -> str:
    """A value beside its curve: four figures, a true minus sign; exponents on logarithmic axes.

    beside: size that the curve reaches somewhere; beside it thousandths are exact enough.
    """
    if not np.isfinite(value):
        return "–"
    if not log and abs(value) < TINY:
        return "0.000"
    small = 0.0 < abs(value) < 1e-3 and beside < EVERYDAY
    if log or small or abs(value) >= 1e6:
        mantissa, exponent = f"{value:.1e}".split("e")
        raised = str(int(exponent)).translate(RAISED)
        return f"{mantissa}·10{raised}".replace("-", "−")
    size = abs(value)
    decimals = 0 if size >= 1000.0 else 1 if size >= 100.0 else 2
    if size < 1.0:
        decimals = 3
    text = f"{value:.{decimals}f}"
    if float(text) == 0.0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def thin(x: Array, y: Array, x0: float, x1: float, pixels: int) -> tuple[Array, Array]:
    """The part of a curve within a stretch, reduced to two points a pixel.

    x (n,) increasing, y (n,); x0, x1 the stretch; pixels its width. Returns points that draw the same picture: no
    peak is lost, and the curve goes on to the first sample beyond each end of the stretch.
    """
    first = max(0, int(np.searchsorted(x, x0, side="left")) - 1)
    last = min(len(x), int(np.searchsorted(x, x1, side="right")) + 1)
    x, y = x[first:last], y[first:last]
    size = len(x) // max(1, pixels)
    if size < 3:
        return x, y
    count = len(x) // size
    whole = count * size
    heaps = y[:whole].reshape(count, size)
    thin_x = np.empty(2 * count + len(x) - whole)
    thin_y = np.empty_like(thin_x)
    thin_x[: 2 * count : 2] = thin_x[1 : 2 * count : 2] = x[:whole:size]
    thin_y[: 2 * count : 2] = heaps.min(axis=1)
    thin_y[1 : 2 * count : 2] = heaps.max(axis=1)
    thin_x[2 * count :] = x[whole:]
    thin_y[2 * count :] = y[whole:]
    return thin_x, thin_y
