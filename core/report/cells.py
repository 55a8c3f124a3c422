"""How numbers are shown in the report: once, here, so that every form of it shows the same text."""

from __future__ import annotations

import math
from functools import cache, lru_cache

from .document import Cell, Column, Entry, Tone

MINUS = "\N{MINUS SIGN}"
RAISED = str.maketrans("-.0123456789", "⁻·⁰¹²³⁴⁵⁶⁷⁸⁹")
KILO = 1e3  # J, from which an energy is said in kJ
NOTHING = Cell(text="\N{EN DASH}")
TONES: dict[str, Tone] = {"inside": "inside", "within 10 %": "near", "outside": "outside"}


@lru_cache(maxsize=4096)
def text(value: str, tone: Tone = "") -> Cell:
    """Plain text; a dash when there is none."""
    return Cell(text=value, tone=tone) if value else NOTHING


def count(value: int) -> Cell:
    """A whole number."""
    return Cell(text=f"{value}".replace("-", MINUS), value=value)


def fixed(value: float | None, decimals: int, tone: Tone = "") -> Cell:
    """A number with a fixed number of decimals; a dash for None and what is not finite."""
    if value is None or not math.isfinite(value):
        return NOTHING
    shown = f"{value:.{decimals}f}"
    if float(shown) == 0.0:
        shown = shown.lstrip("-")
    return Cell(text=shown.replace("-", MINUS), value=float(value), tone=tone)


def raised(power: int) -> str:
    """A whole number as exponent."""
    return str(power).translate(RAISED)


def figures(value: float | None, digits: int = 4, tone: Tone = "") -> Cell:
    """A number with so many significant figures; powers of ten where it is very large or small."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if value != 0.0 and not 1e-3 <= abs(value) < 10.0**7:
        mantissa, exponent = f"{value:.{min(digits, 2) - 1}e}".split("e")
        shown = f"{mantissa} × 10{raised(int(exponent))}"
    else:
        size = 0 if value == 0.0 else math.floor(math.log10(abs(value)))
        shown = f"{value:.{max(0, digits - 1 - size)}f}"
        if "." in shown:
            shown = shown.rstrip("0").rstrip(".")
    return Cell(text=shown.replace("-", MINUS), value=float(value), tone=tone)


def energy(joules: float, known: float = 0.0) -> tuple[Cell, str]:
    """An energy (J) in J or kJ, as people write it, and its unit: no decimal of it is below what is `known` of
    energies (J), such as the residual of the ledger; one that is smaller than this is said to be."""
    size, known = abs(joules), abs(known)
    if 0.0 < size < known:
        cell = figures(known, 2)
        return cell.model_copy(update={"text": f"< {cell.text}", "value": joules}), "J"
    unit, scale = ("kJ", 1e3) if size >= KILO else ("J", 1.0)
    digits = 4
    if size and known:
        digits = max(1, min(digits, 1 + math.floor(math.log10(size)) - math.floor(math.log10(known))))
    return figures(joules / scale, digits), unit


def share(value: float | None, tone: Tone = "") -> Cell:
    """A probability or part in percent; below a hundredth of a percent it says no more than that."""
    if value is not None and 0.0 <= value < 0.01:
        return Cell(text="< 0.01" if value > 0.0 else "0", value=float(value), tone=tone)
    return figures(value, 3, tone)


def percent(part: float | None, tone: Tone = "") -> Cell:
    """A part as percent: in whole ones, below ten in tenths."""
    if part is None or not math.isfinite(part):
        return NOTHING
    return fixed(100.0 * part, 1 if abs(part) < 0.0995 else 0, tone)


@cache
def verdict(word: str) -> Cell:
    """A verdict with its colour."""
    return Cell(text=word, tone=TONES.get(word, "none"))


def left(key: str, title: str, share: float | None = None) -> Column:
    """A column of words."""
    return Column(key=key, title=title, align="left", share=share)


def entry(label: str, cell: Cell, unit: str = "") -> Entry:
    """A named figure; a dash has no unit."""
    return Entry(label=label, cell=cell, unit="" if cell == NOTHING else unit)
