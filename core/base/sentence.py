"""A sentence for a person that keeps the numbers in it, so that who shows it may say them in other units.

It is the text in SI as everybody else reads it (a `str`: command line, files, tests), and beside that its template and
the values in SI; a window with feet and pounds, or one in another language, makes its own text of these two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from string import Formatter
from typing import Any, Final

#: Units that sentences give numbers in -> their size in the coherent SI unit, and that unit.
SAID_IN: Final[dict[str, tuple[float, str]]] = {
    "km": (1e3, "m"),
    "mm": (1e-3, "m"),
    "km/h": (1.0 / 3.6, "m/s"),
    "kN": (1e3, "N"),
    "kN/m": (1e3, "N/m"),
    "kJ": (1e3, "J"),
    "MPa": (1e6, "Pa"),
    "kg/m³": (1.0, "kg/m^3"),
    "°": (0.017453292519943295, "rad"),
    "degrees": (0.017453292519943295, "rad"),
    "deg": (0.017453292519943295, "rad"),
    "deg a metre": (0.017453292519943295, "rad/m"),
    "%": (0.01, "1"),
    "g": (9.80665, "m/s²"),
}


#: Between these a number is written out; beyond with a power of ten.
SMALLEST, LARGEST = 1e-4, 1e9


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its word: "1 car", "2,000 cars"; many: of words that do not end in s then."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def short_power(text: str) -> str:
    """A number with a power of ten, as people write it: 1.2e-7, not 1.2e-07; other text as it is."""
    return re.sub(r"(?<=\d)e\+?(-?)0*(?=\d)", r"e\1", text)


def written(number: float, form: str) -> str:
    """A number in a format, as people write it: 4510, not 4.51e+03; 1.2e-7, not 1.2e-07."""
    made = format(float(number), form)
    if "e" in made and float(made) == 0.0:
        return "0"
    if "e" in made and SMALLEST <= abs(float(made)) < LARGEST:
        return format(Decimal(made), "f")
    return short_power(made)


@dataclass(frozen=True)
class Quantity:
    """A number of a sentence: value in the coherent SI unit, the unit it is said in, how many figures (a format), and
    bare where its unit stands behind a later number ("2 to 3 m")."""

    value: float
    said_in: str
    form: str
    bare: bool = False

    @property
    def unit(self) -> str:
        """The coherent SI unit of the value."""
        return SAID_IN.get(self.said_in, (1.0, self.said_in))[1]

    @property
    def number(self) -> str:
        """The number in the unit it is said in, as people write it: 4510, not 4.51e+03."""
        return written(self._shown, self.form)

    @property
    def figures(self) -> int:
        """How many significant figures it is said with."""
        return len(re.sub(r"[eE].*|\D", "", format(self._shown, self.form)).lstrip("0"))

    @property
    def _shown(self) -> float:
        return float(self.value / SAID_IN.get(self.said_in, (1.0, ""))[0])

    def __str__(self) -> str:
        gap = "" if self.said_in == "°" else " "
        return self.number if self.bare else f"{self.number}{gap}{self.said_in}"


class Sentence(str):
    """See `say`."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Sentence:
        made = str.__new__(cls, _rendered(template, values, str))
        made.template, made.values = template, dict(values)
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any]]:  # type: ignore[override]
        return self.template, self.values

    def rendered(self, show: Callable[[Quantity], str]) -> str:
        """The sentence with every quantity in it as `show` writes it."""
        return _rendered(self.template, self.values, show)

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The quantities in it by their names, those of sentences within it as "name.name"."""
        found: dict[str, Quantity] = {}
        for _, name, part in _parts(self.template, self.values):
            if isinstance(part, Quantity):
                found[name] = part
            elif isinstance(part, Sentence):
                found |= {f"{name}.{inner}": one for inner, one in part.quantities.items()}
        return found


def say(template: str, **values: Any) -> Sentence:
    """A sentence from a template with named places, "{gap:.3g mm} of '{joint}'", and what stands in them.

    A place with a format and a unit holds a number in SI (here m); a unit in brackets, "{low:.1f (m)} to {high:.1f m}",
    is not written, as it stands behind a later number. Other places are written as `str.format` does. What stands in
    a place may be a sentence itself.
    """
    return Sentence(template, values)


def together(separator: str, sentences: Iterable[str]) -> Sentence:
    """Sentences one after the other, empty ones left out, their numbers kept."""
    kept = {f"part{k}": one for k, one in enumerate(sentences) if one}
    return Sentence(separator.join(f"{{{name}}}" for name in kept), kept)


def _parts(template: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Text before a place, the place's name and what stands there: a quantity, a sentence, or text."""
    for text, name, form, conversion in Formatter().parse(template):
        if name is None:
            yield text, "", ""
            continue
        value, (figures, _, unit) = values[name], (form or "").partition(" ")
        if unit:
            bare = unit.startswith("(")
            yield text, name, Quantity(float(value), unit.strip("()") if bare else unit, figures, bare)
        elif isinstance(value, Sentence):
            yield text, name, value
        else:
            yield text, name, repr(value) if conversion == "r" else format(value, form or "")


def _rendered(template: str, values: Mapping[str, Any], show: Callable[[Quantity], str]) -> str:
    made = []
    for text, _, part in _parts(template, values):
        made.append(text)
        if isinstance(part, Quantity):
            made.append(show(part))
        else:
            made.append(part.rendered(show) if isinstance(part, Sentence) else part)
    return "".join(made)
