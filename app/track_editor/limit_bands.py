"""Limits of loads as bands behind the curves of the profile: of a standard, or the observed symptoms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.charts.bands import bands_of
from ...core.injury.rider_axes import Direction
from ...core.injury.standards.files import load_table, table_ids

NONE, SYMPTOMS = "none", "symptoms"
AT_FIRST: Final = "astm_f2291"
SHORT, LONG = 0.2, 2.0  # s a load is held: the shortest that standards judge, and one of a curve or helix
TALLEST = 1e3  # g; a band without an upper limit
SIGNS: Final[tuple[tuple[str, float], ...]] = (("+", 1.0), ("-", -1.0))


@dataclass(frozen=True)
class LoadBand:
    """A range of loads (g) that is shaded: depth from 0 to 1, and what it means."""

    low: float
    high: float
    depth: float
    text: str


def choices() -> tuple[tuple[str, str], ...]:
    """What can be drawn behind the loads: id and title."""
    tables = [(name, load_table(name).shown_title) for name in table_ids()]
    return ((NONE, "No limits"), (SYMPTOMS, "Observed symptoms (Viegas 2016)"), *tables)


@cache
def limit_words(name: str) -> str:
    """What is drawn, in few words; "" for nothing."""
    if name == NONE:
        return ""
    if name == SYMPTOMS:
        return "observed symptoms"
    try:
        table = load_table(name)
    except InputError:
        return ""  # gone or damaged since it was chosen
    return f"{table.short}{'' if table.confirmed else ' as transcribed'}, {SHORT:g} s"


@cache
def load_bands(name: str, axis: str, options: EvaluationOptions) -> tuple[LoadBand, ...]:
    """Bands of a table for one axis "gx", "gy" or "gz".

    Beyond the limit for 0.2 s nothing is allowed, which is shaded fully; between that and the limit for 2 s a load
    must be shorter, which is shaded faintly. Curves that only hold under an onset are left out.
    """
    if name == NONE:
        return ()
    if name == SYMPTOMS:
        return tuple(LoadBand(b.low, b.high, b.depth, b.text) for b in bands_of(axis))
    try:
        table = load_table(name)
    except InputError:
        return ()
    found = []
    for sign, factor in SIGNS:
        direction: Direction = f"{sign}G{axis[1]}"  # type: ignore[assignment]
        series = next((s for d, s in table.series() if d == direction), None)
        curves = () if series is None else table.alternatives(direction, series, options)
        curve = next((c for c in curves if c.onset_below is None), None)
        if curve is None:
            continue
        durations, levels = curve.corners()
        top = float(curve.limit(max(SHORT, durations[0])))
        held = float(np.nan_to_num(curve.limit(max(LONG, durations[0])), nan=levels[-1]))
        words = f"{table.short} {direction}"
        found.append(
            _band(factor, top, TALLEST, 1.0, f"{words}: beyond {top:g} g, the limit for {SHORT:g} s")
        )
        if held < top - 1e-9:
            text = f"{words}: {held:.3g} to {top:g} g, allowed for less than {LONG:g} s"
            found.append(_band(factor, held, top, 0.35, text))
    return tuple(found)


def _band(factor: float, low: float, high: float, depth: float, text: str) -> LoadBand:
    ends = sorted((factor * low, factor * high))
    return LoadBand(ends[0], ends[1], depth, text)
