"""What a plot shows, without any widget: curves, bands and markers in the units that people read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...core.base.arrays import Array
from ..widgets import units
from .abscissa import Abscissa

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# From this size on forces and energies are easier to read in thousands.
EVERYDAY = 0.1  # a curve that gets as large as this is read in thousandths
TINY = 1e-9  # below this a force, load or energy is rounding
THOUSANDS = {"N": ("kN", 1e4), "J": ("kJ", 1e4), "N m": ("kN m", 1e4)}


@dataclass(frozen=True, eq=False)
class Curve:
    """One line: values (n,) in SI at increasing times (n,) s, over the abscissa of its run and car."""

    label: str
    run: str
    time: Array
    values: Array
    axis: Abscissa
    colour: str
    dashed: bool = False

    def at(self, time: float | None) -> float:
        """Value at a time (s), straight between samples; not a number outside the record.

        Evenly sampled signals end up to one sample before the run does: the last value holds that long.
        """
        if time is None or not len(self.time):
            return float("nan")
        step = float(self.time[-1] - self.time[-2]) if len(self.time) > 1 else 0.0
        if not self.time[0] <= time <= self.time[-1] + step + 1e-9:
            return float("nan")
        k = min(int(np.searchsorted(self.time, time, side="right")), len(self.time) - 1)
        if k == 0:
            return float(self.values[0])
        t0, t1 = self.time[k - 1], self.time[k]
        part = min(1.0, (time - t0) / (t1 - t0)) if t1 > t0 else 0.0
        return float(self.values[k - 1] + part * (self.values[k] - self.values[k - 1]))


def difference(one: Curve, other: Curve) -> Curve | None:
    """What a curve is above another of a second run, at the same times or places, where both have been; None where a
    train passes a place twice, or where they share nothing."""
    x = one.axis.x_of(one.time)
    if not (one.axis.increasing and other.axis.increasing) or not len(x) or not len(other.time):
        return None
    there = other.axis.x_of(other.time)
    both = (x >= there[0]) & (x <= there[-1])
    if np.count_nonzero(both) < 2:
        return None
    values = one.values[both] - np.interp(x[both], there, other.values)
    return replace(one, run=f"{one.run} − {other.run}", time=one.time[both], values=values)


@dataclass(frozen=True)
class Band:
    """A level range (SI) that means something: from low to high, its depth of colour 0 to 1, and what it means."""

    low: float
    high: float
    depth: float
    text: str


@dataclass(frozen=True)
class Level:
    """A horizontal line (SI) with its name."""

    value: float
    text: str


@dataclass(frozen=True)
class Span:
    """A stretch of the abscissa (SI) that is shaded: a window of a criterion."""

    start: float
    end: float
    colour: str


@dataclass(frozen=True, eq=False)
class PlotContent:
    """Everything in one plot. unit: SI; note: what is shown, for the tool tip."""

    key: str
    title: str
    unit: str
    curves: Sequence[Curve]
    log: bool = False
    bands: Sequence[Band] = ()
    levels: Sequence[Level] = ()
    spans: Sequence[Span] = ()
    note: str = ""
    factor: float = field(init=False)
    unit_label: str = field(init=False)

    def __post_init__(self) -> None:
        label, factor = display_unit(self.unit, self.curves)
        object.__setattr__(self, "unit_label", label)
        object.__setattr__(self, "factor", factor)


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
