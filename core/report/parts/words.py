"""Words the parts share."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache

from ...injury.result import CriterionResult
from ...outcome.rider_view import RiderJudgement
from ..cells import MINUS, NOTHING, RAISED, figures, fixed, share
from ..document import Cell

MARK = "†"
NO_LOAD = 1e-6  # g
MAX_DIGITS = 4
DOUBT_NOTE = (
    f"{MARK}: the limit is transcribed, recalled or reported by others and was not confirmed by the standard or source "
    "itself; the table of rules says by whom."
)
# What a title adds in brackets about a limit that is not confirmed; here the mark stands for it.
DOUBT = re.compile(r" \((?:[^()]|\([^()]*\))*(?:confirmed|transcribed)\)$")
DIRECTION = re.compile(r"(?<!\w)-(?=G[xyz])")
POWER = re.compile(r"\^(-?\d+(?:\.\d+)?)")


def part_name(part: str) -> str:
    """A part of a rider in words."""
    return part.replace("_", " ")


@lru_cache(maxsize=1024)
def rider_name(rider: str, riders: tuple[str, ...]) -> str:
    """A rider by its own name where that is enough, else with the car."""
    short = rider.split("/")[-1]
    return short if sum(one.split("/")[-1] == short for one in riders) == 1 else rider.replace("/", ", ")


def whose(one: RiderJudgement, riders: tuple[str, ...]) -> str:
    """The part of a rider, or the seat, that a judgement is on."""
    name = rider_name(one.rider, riders)
    return name if one.part == "seat" else f"{part_name(one.part)} of {name}"


def unit_of(result: CriterionResult) -> str:
    """The unit of a result as shown; nothing for plain numbers."""
    return _unit(result.unit)


@cache
def _unit(unit: str) -> str:
    return "" if unit == "1" else POWER.sub(lambda found: found.group(1).translate(RAISED), unit)


def unit_cell(result: CriterionResult) -> Cell:
    """The unit in a column of its own; blank for plain numbers."""
    return Cell(text=unit_of(result))


def title_of(result: CriterionResult) -> str:
    """The title of a criterion; a limit not confirmed by its source is marked, and DOUBT_NOTE says what that means."""
    title = direction_text(result.title)
    return f"{DOUBT.sub('', title)} {MARK}" if result.limit_status else title


def signal_text(result: CriterionResult) -> str:
    """The filter of the signal a value was taken from."""
    return "unfiltered" if result.signal.filter == "none" else result.signal.filter


@lru_cache(maxsize=4096)
def direction_text(text: str) -> str:
    """A text with a true minus before the name of an axis."""
    return DIRECTION.sub(MINUS, text)


def time_cell(result: CriterionResult) -> Cell:
    """Middle of the window that gave the value, s; a dash for what belongs to more than a moment."""
    return NOTHING if result.lasts else fixed(result.moment, 2)


def where_cell(result: CriterionResult) -> Cell:
    """Arc length (m) at that time; a dash for what belongs to more than a moment."""
    return NOTHING if result.lasts else place_cell(result.arc_length)


def place_cell(position: float | None) -> Cell:
    """Arc length, m."""
    return fixed(position, 1)


def limit_cell(value: float | None, unit: str = "") -> Cell:
    """A limit of a criterion."""
    return share(value) if unit == "%" else figures(value, 4)


def value_cell(value: float | None, unit: str = "", uncertainty: float | None = None) -> Cell:
    """A value of a criterion: to the first digit of its uncertainty, to three digits where that is not known."""
    if unit == "%":
        return share(value)
    if value is None or (unit == "g" and abs(value) < NO_LOAD):
        return fixed(value, 0)  # what rounding leaves of a load that is none
    if uncertainty is None or value == 0.0:
        return figures(value, 3)
    doubt = max(uncertainty, 1e-12)
    digits = 1 + math.floor(math.log10(abs(value))) - math.floor(math.log10(doubt))
    return figures(value, min(max(digits, 1), MAX_DIGITS))


def uncertainty_cell(value: float | None, unit: str = "") -> Cell:
    """How far a value depends on the tolerance of the run, to one digit."""
    return NOTHING if value is None else share(value) if unit == "%" else figures(value, 1)
