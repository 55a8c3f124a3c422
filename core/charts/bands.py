"""What stands behind the curves of rider loads: bands of observed symptoms and the 3 ms level of the head."""

from __future__ import annotations

from functools import cache

from ..injury.limits import ScalarLimits, SymptomTable, SymptomTables, load_limits
from .chart import Band, Level

DIRECTIONS = {"gx": ("+Gx", "-Gx"), "gy": ("+Gy", "-Gy"), "gz": ("+Gz", "-Gz")}
EVERYDAY = 1.0  # g; up to here a band describes sitting or standing, and would shade every plot
TALLEST = 1e3  # g; bands without an upper limit reach beyond any plot


def _tables(axis: str) -> list[SymptomTable]:
    data = load_limits("symptom_bands", SymptomTables)
    return [table for table in data.tables if table.direction in DIRECTIONS.get(axis, ())]


@cache
def bands_of(axis: str) -> tuple[Band, ...]:
    """Bands of one rider axis ("gx", "gy", "gz"), both signs; each reaches to where the next one begins."""
    bands = []
    for table in _tables(axis):
        sign = 1.0 if table.direction[0] == "+" else -1.0
        worse = [band for band in table.bands if band.from_g > EVERYDAY]
        for k, band in enumerate(worse):
            end = worse[k + 1].from_g if k + 1 < len(worse) else TALLEST
            low, high = sorted((sign * band.from_g, sign * end))
            bands.append(Band(low, high, (k + 1) / len(worse), band.symptoms))
    return tuple(bands)


@cache
def note_of(axis: str) -> str:
    """The bands in words, with their source."""
    data = load_limits("symptom_bands", SymptomTables)
    lines = []
    for table in _tables(axis):
        for band in table.bands:
            if band.from_g > EVERYDAY:
                reach = (
                    f"{band.from_g:g}"
                    if band.to_g in (None, band.from_g)
                    else f"{band.from_g:g}–{band.to_g:g}"
                )
                lines.append(f"{table.direction} {reach} g: {band.symptoms}")
    if not lines:
        return ""
    head = f"Shaded: what was observed at levels held for about {data.hold:g} s ({data.source}; no limits)"
    return "\n".join([head, *lines])


@cache
def head_levels() -> tuple[Level, ...]:
    """The level that a head's resultant may hold for 3 ms."""
    limit = load_limits("hic_3ms", ScalarLimits).get("head_3ms")
    return (Level(limit.value, f"3 ms limit {limit.value:g} {limit.unit}"),)
