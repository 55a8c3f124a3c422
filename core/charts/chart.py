"""A chart as a value: axes, curves, bands, levels, spans, marks and bars, without a word of how they are drawn.

A function of this room makes a chart of results; paper (`core/report/figures/paper.py`) and screen (`app/plots`) draw
any chart. Values are in the SI units of the axes ("g" for loads, "MPa" for stress in Pa); colours are roles, which
paper and theme fill in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ..base.arrays import Array
from .abscissa import Abscissa

#: "series": curves in order; "axis": x, y, z; "limit": limits in order, the governing one first; "bad": beyond one.
Role = Literal["series", "axis", "limit", "ink", "pale", "good", "warn", "bad", "accent"]


class Colour(NamedTuple):
    """A colour by what it is for, and its number among those of its role."""

    role: Role
    number: int = 0


INK, PALE, ACCENT = Colour("ink"), Colour("pale"), Colour("accent")
GOOD, WARN, BAD = Colour("good"), Colour("warn"), Colour("bad")


@dataclass(frozen=True)
class Axis:
    """What is along an axis: quantity; SI unit; whether it is logarithmic; the stretch shown, None for what fits."""

    quantity: str
    unit: str
    log: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, eq=False)
class Curve:
    """One line: values (n,) over x (n,).

    label: its name in a legend; run: the run it is of; dash: 0 for a solid line, else the number of a pattern; weight:
    of the line, 1 as usual; fill: what of the plane it shades; time (n,) s: the instant a point belongs to, place (n,)
    m: where the train was then, used (n,): part of a limit used there, each None where there is none; axis: from time
    to x, for curves over a run; about: the name in full; source: where it is from.
    """

    label: str
    x: Array
    values: Array
    colour: Colour
    run: str = ""
    dash: int = 0
    weight: float = 1.0
    fill: Literal["", "above", "inside"] = ""
    time: Array | None = None
    place: Array | None = None
    used: Array | None = None
    axis: Abscissa | None = None
    about: str = ""
    source: str = ""

    @classmethod
    def over(
        cls,
        axis: Abscissa,
        label: str,
        time: Array,
        values: Array,
        colour: Colour,
        run: str = "",
        dash: int = 0,
    ) -> Curve:
        """Values (n,) at increasing times (n,) s over the time or the place of a run."""
        return cls(label, axis.x_of(time), values, colour, run, dash, time=time, axis=axis)

    def at_time(self, time: float | None) -> float:
        """Value at a time (s), straight between samples; not a number outside the record.

        Evenly sampled signals end up to one sample before the run does: the last value holds that long.
        """
        own = self.x if self.time is None else self.time
        if time is None or not len(own):
            return float("nan")
        step = float(own[-1] - own[-2]) if len(own) > 1 else 0.0
        late = own[-1] < time <= own[-1] + step + 1e-9
        return float(read(own, self.values, np.array([own[-1] if late else time]))[0])

    def at(self, x: float) -> float:
        """Value at an x, straight between points and the latter one at a step; not a number outside the curve."""
        return float(read(self.x, self.values, np.array([x]))[0])


@dataclass(frozen=True)
class Band:
    """A level range that means something: from low to high, its depth of colour 0 to 1, and what it means."""

    low: float
    high: float
    depth: float
    text: str


@dataclass(frozen=True)
class Level:
    """A horizontal line with its name."""

    value: float
    text: str
    colour: Colour = BAD


@dataclass(frozen=True)
class Span:
    """A stretch of x that is shaded, and what it is."""

    start: float
    end: float
    colour: Colour = BAD
    label: str = ""


@dataclass(frozen=True)
class Mark:
    """A point with its name; time (s) it belongs to, if any."""

    x: float
    y: float
    label: str
    colour: Colour = BAD
    symbol: Literal["disc", "square"] = "disc"
    time: float | None = None


@dataclass(frozen=True, eq=False)
class Bars:
    """Heights (n,) over stretches of x of one width with upper ends (n,)."""

    upper: Array
    height: Array


TIME = Axis("time t", "s")


@dataclass(frozen=True, eq=False)
class Chart:
    """Everything in one plot.

    cross: both axes are of one kind, with lines through zero, and a place in the plane means the nearest point of a
    curve; else it means an x. head: words before the values at an x, which stands in them as {x}; verdict: what counts
    of a curve, beside the values at one of its points; missing: what is to be said of something that is not there;
    note: what is shown, for a tool tip.
    """

    key: str
    title: str
    x: Axis
    y: Axis
    curves: tuple[Curve, ...] = ()
    bands: tuple[Band, ...] = ()
    levels: tuple[Level, ...] = ()
    spans: tuple[Span, ...] = ()
    marks: tuple[Mark, ...] = ()
    bars: Bars | None = None
    cross: bool = False
    head: str = ""
    verdict: str = ""
    missing: str = ""
    note: str = ""


def read(x: Array, values: Array, at: Array) -> Array:
    """Values (k,) of a curve at some x (k,): straight between points x (n,), the latter at a step; nan outside."""
    last = len(x) - 1
    k = np.clip(np.searchsorted(x, at, side="right"), 1, max(last, 1))
    left, right = k - 1, np.minimum(k, last)
    width = x[right] - x[left]
    part = np.divide(at - x[left], width, out=np.ones_like(at), where=width > 0.0)
    found = values[left] + part * (values[right] - values[left])
    return np.where((at >= x[0]) & (at <= x[last]), found, np.nan)


def over_time(
    key: str,
    title: str,
    unit: str,
    curves: Sequence[Curve],
    *,
    quantity: str = "",
    log: bool = False,
    bands: Sequence[Band] = (),
    levels: Sequence[Level] = (),
    spans: Sequence[Span] = (),
    note: str = "",
) -> Chart:
    """A chart of curves over a run.

    Parameters
    ----------
    key, title, unit
        Name, heading and unit of the values.
    curves
        What is drawn.
    quantity
        Along the axis on paper, by default the title.
    log
        Whether values are drawn by their logarithm.
    bands, levels, spans
        What lies behind the curves, lines at a value, and spans of time.
    note
        A line below.

    Returns
    -------
    The chart, over s.
    """
    y = Axis(quantity or title, unit, log)
    return Chart(key, title, TIME, y, (*curves,), (*bands,), (*levels,), (*spans,), note=note)
