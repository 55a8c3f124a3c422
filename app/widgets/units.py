"""Quantities as people read them: SI or US customary, always with the unit; angles in degrees in both.

Inside the program everything is SI and radians; only what is shown and typed passes through here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.base.sentence import Quantity, Sentence
from ...core.base.units import DEGREE, FOOT, POUND, POUND_FORCE, TYPED

N = TypeVar("N", float, "Array")

System = Literal["SI", "US"]
SYSTEMS: Final = ("SI", "US")


@dataclass(frozen=True)
class Shown:
    """How one SI unit is shown: label, the SI size of one shown unit, decimals that make sense."""

    label: str
    size: float
    decimals: int


# SI unit -> (shown in SI, shown in US)
_TABLE: Final[dict[str, tuple[Shown, Shown]]] = {
    "m": (Shown("m", 1.0, 2), Shown("ft", FOOT, 2)),
    "mm": (Shown("mm", 1e-3, 1), Shown("in", FOOT / 12, 3)),
    "m/s": (Shown("m/s", 1.0, 2), Shown("ft/s", FOOT, 1)),
    "km/h": (Shown("km/h", 1 / 3.6, 1), Shown("mph", 0.44704, 1)),
    # the largest of rows of both kinds, which no factor can turn into feet
    "m or rad": (Shown("m or rad", 1.0, 2), Shown("m or rad", 1.0, 2)),
    "m/s or rad/s": (Shown("m/s or rad/s", 1.0, 2), Shown("m/s or rad/s", 1.0, 2)),
    "m/s^2": (Shown("m/s²", 1.0, 2), Shown("ft/s²", FOOT, 1)),
    "rad": (Shown("°", DEGREE, 2), Shown("°", DEGREE, 2)),
    "rad/s": (Shown("°/s", DEGREE, 1), Shown("°/s", DEGREE, 1)),
    "rad/s^2": (Shown("°/s²", DEGREE, 1), Shown("°/s²", DEGREE, 1)),
    "deg a metre": (Shown("deg a metre", DEGREE, 2), Shown("deg a foot", DEGREE / FOOT, 2)),
    "rad/m": (Shown("°/m", DEGREE, 2), Shown("°/ft", DEGREE / FOOT, 2)),
    "1/m": (Shown("1/m", 1.0, 4), Shown("1/ft", 1 / FOOT, 5)),
    "1/m^2": (Shown("1/m²", 1.0, 5), Shown("1/ft²", 1 / FOOT**2, 6)),
    "kg": (Shown("kg", 1.0, 2), Shown("lb", POUND, 2)),
    "kg m^2": (Shown("kg m²", 1.0, 3), Shown("lb ft²", POUND * FOOT**2, 2)),
    "kg/m^3": (Shown("kg/m³", 1.0, 3), Shown("lb/ft³", POUND / FOOT**3, 4)),
    "m^2": (Shown("m²", 1.0, 3), Shown("ft²", FOOT**2, 2)),
    "N": (Shown("N", 1.0, 1), Shown("lbf", POUND_FORCE, 2)),
    "kN": (Shown("kN", 1e3, 3), Shown("lbf", POUND_FORCE, 1)),
    "MPa": (Shown("MPa", 1e6, 1), Shown("ksi", 1e3 * POUND_FORCE / (FOOT / 12) ** 2, 2)),
    "Pa": (Shown("MPa", 1e6, 1), Shown("ksi", 1e3 * POUND_FORCE / (FOOT / 12) ** 2, 2)),
    "kPa": (Shown("kPa", 1e3, 1), Shown("psi", POUND_FORCE / (FOOT / 12) ** 2, 2)),
    "N m": (Shown("N m", 1.0, 1), Shown("lbf ft", POUND_FORCE * FOOT, 2)),
    "kN m": (Shown("kN m", 1e3, 1), Shown("lbf ft", POUND_FORCE * FOOT, 0)),
    "N/m": (Shown("N/m", 1.0, 0), Shown("lbf/ft", POUND_FORCE / FOOT, 1)),
    "N s": (Shown("N s", 1.0, 1), Shown("lbf s", POUND_FORCE, 2)),
    "N s/m": (Shown("N s/m", 1.0, 0), Shown("lbf s/ft", POUND_FORCE / FOOT, 2)),
    # stiffness and damping of rotation: per radian inside, per degree for people
    "N m/rad": (Shown("N m/°", 1 / DEGREE, 3), Shown("lbf ft/°", POUND_FORCE * FOOT / DEGREE, 3)),
    "N m s/rad": (Shown("N m s/°", 1 / DEGREE, 4), Shown("lbf ft s/°", POUND_FORCE * FOOT / DEGREE, 4)),
    "J": (Shown("J", 1.0, 1), Shown("ft lbf", POUND_FORCE * FOOT, 1)),
    "kJ": (Shown("kJ", 1e3, 2), Shown("ft lbf", POUND_FORCE * FOOT, 0)),
    "s": (Shown("s", 1.0, 3), Shown("s", 1.0, 3)),
    "Hz": (Shown("Hz", 1.0, 0), Shown("Hz", 1.0, 0)),
    "1/s": (Shown("1/s", 1.0, 2), Shown("1/s", 1.0, 2)),
    "g": (Shown("g", 1.0, 2), Shown("g", 1.0, 2)),
    "%": (Shown("%", 0.01, 1), Shown("%", 0.01, 1)),
    "1": (Shown("", 1.0, 3), Shown("", 1.0, 3)),
    "": (Shown("", 1.0, 3), Shown("", 1.0, 3)),
}

_current: System = "SI"


def use(system: System) -> None:
    """Make a system the one used where none is named; Settings calls this."""
    global _current
    _current = system


def current() -> System:
    """The system of units in use."""
    return _current


def shown(unit: str, system: System | None = None) -> Shown:
    """How an SI unit is shown. A unit that is not in the table is shown as it is."""
    pair = _TABLE.get(unit.replace("·", " "))
    if pair is None:
        return Shown(unit, 1.0, 3)
    return pair[0] if (system or _current) == "SI" else pair[1]


def label(unit: str, system: System | None = None) -> str:
    """The label of an SI unit in the chosen system: "m/s" -> "ft/s"."""
    return shown(unit, system).label


def typed(unit: str) -> tuple[tuple[str, float], ...]:
    """Labels and SI sizes of the units of a quantity that a person may type, by one of its units."""
    key, as_shown = unit.replace("·", " "), shown(unit, "SI")
    own = (key, as_shown.size if as_shown.label == key else 1.0)  # inside the program a number in SI
    return next((tuple(every.items()) for every in TYPED.values() if own in every.items()), ())


def to_shown(value: N, unit: str, system: System | None = None) -> N:
    """A number in SI, or an array of them, as the number that is shown."""
    return value / shown(unit, system).size


def from_shown(value: N, unit: str, system: System | None = None) -> N:
    """A typed number, or an array of them, as the number in SI."""
    return value * shown(unit, system).size


def format(
    value: float, unit: str, system: System | None = None, decimals: int | None = None
) -> tuple[str, str]:
    """A quantity in SI as (number, unit) texts: format(23.87, "m/s", "US") -> ("78.3", "ft/s")."""
    how = shown(unit, system)
    if not math.isfinite(value):
        return "–", how.label
    number = value / how.size
    digits = how.decimals if decimals is None else decimals
    text = f"{number:.{digits}f}"
    if float(text) == 0.0:
        text = text.removeprefix("-")  # no "-0.00"
    return text.replace("-", "−"), how.label


def text(value: float, unit: str, system: System | None = None, decimals: int | None = None) -> str:
    """A quantity in SI as one text with its unit: "78.3 ft/s", "12.5°"."""
    number, name = format(value, unit, system, decimals)
    gap = "" if name.startswith("°") or not name else " "
    return f"{number}{gap}{name}"


MIN_FIGURES: Final = 3  # of a number that is said in another unit
_POWERS: Final = str.maketrans({"²": "^2", "³": "^3"})


def in_units(sentence: str, system: System | None = None) -> str:
    """A sentence with its numbers in a system of units: those that it keeps as values (`core.base.sentence.say`)."""
    chosen = system or _current
    if chosen == "SI" or not isinstance(sentence, Sentence):
        return str(sentence)
    return sentence.rendered(_said)


def told(error: Exception) -> str:
    """What an error says, its numbers in the units that are shown."""
    return in_units(error.said if isinstance(error, InputError) else str(error))


def _said(quantity: Quantity) -> str:
    """A quantity of a sentence in US units, with as many figures as it has in SI."""
    pair = _TABLE.get(quantity.said_in.translate(_POWERS))
    if pair is None or pair[0] == pair[1]:  # a unit that is the same for all
        return str(quantity)
    number = quantity.value / pair[1].size
    figures = max(MIN_FIGURES, quantity.figures)
    digits = max(0, figures - 1 - math.floor(math.log10(abs(number)))) if number else 0
    return f"{number:.{digits}f}" if quantity.bare else f"{number:.{digits}f} {pair[1].label}"
