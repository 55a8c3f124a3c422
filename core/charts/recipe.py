"""Charts over a run before a run is there: which signals are drawn, in which order and unit, with which levels.

A recipe is the one description of such a chart. `charts_of` makes it of one run, for paper; the studio's panels of
plots make it of every run that is shown, or of the difference of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .abscissa import Abscissa
from .chart import Band, Chart, Colour, Curve, Level, Span, over_time
from .signals import RunSignals


@dataclass(frozen=True)
class Source:
    """Where a curve comes from: a signal's key and component, its name, and the car whose place it is drawn over."""

    key: str
    component: int = 0
    label: str = ""
    car: str | None = None


@dataclass(frozen=True)
class Recipe:
    """A chart of signals: what `over_time` takes, with sources in place of curves."""

    key: str
    title: str
    unit: str
    sources: tuple[Source, ...]
    quantity: str = ""
    log: bool = False
    bands: tuple[Band, ...] = ()
    levels: tuple[Level, ...] = ()
    spans: tuple[Span, ...] = ()
    note: str = ""

    def chart(self, curves: Iterable[Curve]) -> Chart:
        """The chart with curves of its sources."""
        return over_time(
            self.key, self.title, self.unit, (*curves,), quantity=self.quantity, log=self.log, bands=self.bands,
            levels=self.levels, spans=self.spans, note=self.note,
        )  # fmt: skip


def charts_of(
    signals: RunSignals,
    recipes: Iterable[Recipe],
    colour: Callable[[int], Colour] = lambda k: Colour("series", k),
) -> list[Chart]:
    """Charts of one run over its time; those without a signal are left out. colour: of a curve by its number."""
    charts = []
    for recipe in recipes:
        curves = _curves(signals, recipe.sources, colour)
        if curves:
            charts.append(recipe.chart(curves))
    return charts


def _curves(signals: RunSignals, sources: Sequence[Source], colour: Callable[[int], Colour]) -> list[Curve]:
    curves = []
    for k, source in enumerate(sources):
        found = signals.read(source.key)
        if found is not None:
            time, values = found
            column = np.ascontiguousarray(values[:, source.component])
            curves.append(Curve.over(Abscissa("time", time, None), source.label, time, column, colour(k)))
    return curves
