"""Numbers as they are typed: with or without a unit, with a comma or a point, in SI or US units, or calculated."""

from __future__ import annotations

import ast
import math
import operator
import re

from ...core.base.errors import InputError
from ...core.base.sentence import short_power
from . import units

_DIGITS = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBER = re.compile(rf"^\s*([-+−]?\s*{_DIGITS})\s*(.*)$")
_WORDS = {"pi": math.pi, "π": math.pi}
_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}  # fmt: skip
_LARGEST_POWER = 100.0
DUST = 1e-11  # below it a length, an angle and the like is what rounding has left
PLAIN = ("m", "mm", "rad", "m/s", "km/h", "rad/s", "s", "kg", "N", "kN", "N m", "g", "%")
FIGURES = 7  # of a number in a field
MIN_FIGURES = 3  # of a number that was converted, and places behind its point


def shown_number(value: float, unit: str, digits: int = FIGURES) -> str:
    """A quantity in SI as the number to be typed, in the units in use, without needless zeros.

    What turning units or frames has left of zero is zero; what a conversion has made is not written to its last digit
    in a field, while a number that somebody typed is. Where more digits than a field has are asked for, all are given.
    """
    number = units.to_shown(value, unit)
    if abs(number) < DUST and unit in PLAIN:
        return "0"
    converted = units.shown(unit).size != 1.0 and digits <= FIGURES
    if converted and not math.isclose(float(f"{number:.6g}"), number, rel_tol=1e-9):
        whole = math.floor(math.log10(abs(number))) + 1 if number else 1
        digits = min(digits, max(MIN_FIGURES, whole + MIN_FIGURES))
    text = f"{number:.{digits}g}"
    if "e" in text and 1e-4 <= abs(number) < 1e9:
        text = f"{number:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if float(text) == 0.0 else short_power(text)


def read_number(text: str, unit: str, what: str) -> float:
    """A typed number in SI. It may carry a unit of the same quantity in either system ("12 ft" in a field of m), and
    be calculated from others: "3*4", "pi/6", "45 ft + 2 m", "2*(10 - 3)".

    Raises InputError that says what was expected.
    """
    shown = f"{what}: '{text.strip()[:30]}'"
    given = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
    known = {_plain(label): size for label, size in _suffixes(unit)}
    found = _NUMBER.match(given)
    if found is not None and _plain(found[2]) in ("", *known):
        size = known[_plain(found[2])] if found[2].strip() else units.from_shown(1.0, unit)
        number = float(found[1].replace("−", "-").replace(" ", "")) * size
    elif found is not None and not any(sign in found[2] for sign in "+-−*/^×÷"):
        raise InputError(
            f"{what}: the unit '{found[2].strip()[:12]}' does not fit; use {' or '.join(_labels(unit))}."
        )
    else:
        number = _calculated(given, unit, shown)
    if not math.isfinite(number):
        raise InputError(f"{shown} is too large.")
    return number


def _calculated(text: str, unit: str, shown: str) -> float:
    """What an expression comes to, in SI.

    A unit behind it, if there is no other, is that of the whole; with pi and without a unit an angle is in radians.
    """
    plain = text.replace("−", "-").replace("×", "*").replace("÷", "/").replace("^", "**").strip()
    labels = sorted((one for one in _suffixes(unit) if one[0]), key=lambda one: -len(one[0]))
    whole = next((one for one in labels if re.search(rf"{re.escape(one[0])}$", plain)), None)
    front = plain.removesuffix(whole[0]) if whole else plain
    marked = _with_units(front, labels)
    if "UNIT" in marked:
        marked, whole = _with_units(plain, labels), None
    try:
        value, power = _value(ast.parse(marked.strip(), mode="eval").body)
    except ZeroDivisionError:
        raise InputError(f"{shown} divides by zero.") from None
    except OverflowError:
        raise InputError(f"{shown} is too large.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{shown} is not a number, nor one that can be calculated.") from None
    if power not in (0, 1):
        raise InputError(f"{shown} does not come to a number of {units.label(unit) or 'the right kind'}.")
    if power == 1 or (unit == "rad" and whole is None and re.search("pi|π", plain)):
        return value
    return value * (whole[1] if whole else float(units.from_shown(1.0, unit)))


def _with_units(text: str, labels: list[tuple[str, float]]) -> str:
    """The text with every number that carries a unit written as its size times UNIT."""
    for label, size in labels:
        quantity = rf"({_DIGITS})\s*{re.escape(label)}(?![\w²³°])"
        text = re.sub(quantity, lambda found, size=size: f"({found[1]}*{size!r}*UNIT)", text)  # type: ignore[misc]
    return text


def _value(node: ast.AST) -> tuple[float, int]:
    """Value of an expression, and how often it has the unit of the field. Raises ValueError for anything else."""
    if (
        isinstance(node, ast.Constant)
        and not isinstance(node.value, bool)
        and isinstance(node.value, int | float)
    ):
        return float(node.value), 0
    if isinstance(node, ast.Name) and node.id in ("UNIT", *_WORDS):
        return _WORDS.get(node.id, 1.0), int(node.id == "UNIT")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value, power = _value(node.operand)
        return (-value if isinstance(node.op, ast.USub) else value), power
    if not isinstance(node, ast.BinOp) or type(node.op) not in _OPERATORS:
        raise ValueError
    (a, of_a), (b, of_b) = _value(node.left), _value(node.right)
    if isinstance(node.op, ast.Mult | ast.Div):
        power = of_a + of_b if isinstance(node.op, ast.Mult) else of_a - of_b
    else:
        power = of_a
        if of_a != of_b or (isinstance(node.op, ast.Pow) and (of_b or of_a or abs(b) > _LARGEST_POWER)):
            raise ValueError
    result = _OPERATORS[type(node.op)](a, b)
    if isinstance(result, complex):
        raise ValueError
    return float(result), power


def _labels(unit: str) -> list[str]:
    seen = dict.fromkeys(units.shown(unit, system).label for system in units.SYSTEMS)
    return [label for label in seen if label]


def _suffixes(unit: str) -> list[tuple[str, float]]:
    """Labels of units of a quantity that may be typed, with their sizes in SI: those it is shown in first."""
    every = [units.shown(unit, system) for system in units.SYSTEMS]
    out = [(shown.label, shown.size) for shown in every]
    return out + [one for one in units.typed(unit) if one[0]]


def _plain(label: str) -> str:
    return (
        label.replace("²", "2").replace("³", "3").replace("^", "").replace("·", "").replace(" ", "").lower()
    )


def range_text(low: float | None, high: float | None, low_open: bool, unit: str) -> str:
    """The range of a quantity in SI as a person reads it, "" without limits: "at least 0.001 m"."""

    def shown(value: float) -> str:
        label = units.label(unit)
        gap = "" if label.startswith("°") or not label else " "
        return f"{short_power(f'{units.to_shown(value, unit):.6g}')}{gap}{label}"

    # limits that only keep out slips of the keyboard tell nobody anything
    huge = 100.0 if unit == "rad" else 1e5
    low = None if low is not None and (0.0 < abs(low) < 1e-5 or abs(low) >= huge) else low
    high = None if high is not None and abs(high) >= huge else high
    if low is not None and high is not None:
        return f"{shown(low)} to {shown(high)}"
    if low is not None:
        return f"larger than {shown(low)}" if low_open else f"at least {shown(low)}"
    return f"at most {shown(high)}" if high is not None else ""
