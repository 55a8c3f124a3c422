"""Curves from typed formulas x(t), y(t): read as arithmetic only, never run as code, with exact derivatives.

A formula is evaluated on jets, value with first and second derivative by t, so that the curve is known by its tangent.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from .plane_curve import SAME_PLACE, Piece, PlaneCurve, curve_of_segments

LONGEST, DEEPEST = 300, 200  # characters, and parts of a formula
LOOKED_AT = 4001  # places at which a formula has to be a number
FARTHEST, STEEPEST = 1e6, 1e8  # m
STANDS = 1e-6  # of the size of the curve per unit of t; slower than that it stands still
CONSTANTS: Final = {"pi": math.pi, "e": math.e}


class Jet(NamedTuple):
    """Values (n,) and their first two derivatives by t."""

    v: Array
    d: Array
    dd: Array


def _chain(a: Jet, value: Array, slope: Array, bend: Array) -> Jet:
    """f(a) with f, f', f'' at a."""
    return Jet(value, slope * a.d, bend * a.d**2 + slope * a.dd)


def _times(a: Jet, b: Jet) -> Jet:
    return Jet(a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2.0 * a.d * b.d + a.v * b.dd)


def _inverse(a: Jet) -> Jet:
    return _chain(a, 1.0 / a.v, -1.0 / a.v**2, 2.0 / a.v**3)


def _exp(a: Jet) -> Jet:
    e = np.exp(a.v)
    return _chain(a, e, e, e)


def _log(a: Jet) -> Jet:
    return _chain(a, np.log(a.v), 1.0 / a.v, -1.0 / a.v**2)


def _power(a: Jet, b: Jet) -> Jet:
    if not np.any(b.d):  # a number, also for negative bases where it is whole
        n = b.v
        return _chain(
            a, a.v**n, n * _raised(a.v, n - 1.0, n), n * (n - 1.0) * _raised(a.v, n - 2.0, n * (n - 1.0))
        )
    return _exp(_times(b, _log(a)))


def _raised(base: Array, power: Array, factor: Array) -> Array:
    """base**power, 0 where its factor is 0 (t**2 has no third derivative at 0, and needs none)."""
    return np.where(factor == 0.0, 0.0, base ** np.where(factor == 0.0, 1.0, power))


def _tan(a: Jet) -> Jet:
    t = np.tan(a.v)
    return _chain(a, t, 1.0 + t**2, 2.0 * t * (1.0 + t**2))


def _tanh(a: Jet) -> Jet:
    t = np.tanh(a.v)
    return _chain(a, t, 1.0 - t**2, -2.0 * t * (1.0 - t**2))


FUNCTIONS: Final[dict[str, Callable[[Jet], Jet]]] = {
    "sin": lambda a: _chain(a, np.sin(a.v), np.cos(a.v), -np.sin(a.v)),
    "cos": lambda a: _chain(a, np.cos(a.v), -np.sin(a.v), -np.cos(a.v)),
    "tan": _tan,
    "exp": _exp,
    "log": _log,
    "sqrt": lambda a: _chain(a, np.sqrt(a.v), 0.5 / np.sqrt(a.v), -0.25 / np.sqrt(a.v) ** 3),
    "sinh": lambda a: _chain(a, np.sinh(a.v), np.cosh(a.v), np.sinh(a.v)),
    "cosh": lambda a: _chain(a, np.cosh(a.v), np.sinh(a.v), np.cosh(a.v)),
    "tanh": _tanh,
    "atan": lambda a: _chain(a, np.arctan(a.v), 1.0 / (1.0 + a.v**2), -2.0 * a.v / (1.0 + a.v**2) ** 2),
}
BINARY: Final[dict[type[ast.operator], Callable[[Jet, Jet], Jet]]] = {
    ast.Add: lambda a, b: Jet(a.v + b.v, a.d + b.d, a.dd + b.dd),
    ast.Sub: lambda a, b: Jet(a.v - b.v, a.d - b.d, a.dd - b.dd),
    ast.Mult: _times,
    ast.Div: lambda a, b: _times(a, _inverse(b)),
    ast.Pow: _power,
}


def _parsed(name: str, text: str) -> ast.expr:
    """The tree of a formula. Raises InputError naming what in it is not arithmetic of t."""
    if not text.strip():
        raise InputError(f"{name} is empty; write a formula, for example 2*cos(t).")
    if len(text) > LONGEST:
        raise InputError(f"{name} is longer than {LONGEST} characters; write it shorter.")
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{name} = {text}: not a formula; write one, for example 2*cos(t).") from None
    if sum(1 for _ in ast.walk(tree)) > DEEPEST:
        raise InputError(f"{name} has more than {DEEPEST} parts; write it shorter.")
    return tree


def _evaluated(name: str, node: ast.expr, t: Array) -> Jet:
    zero = np.zeros_like(t)
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Jet(np.full_like(t, float(number)), zero, zero)
        case ast.Name(id="t"):
            return Jet(t, np.ones_like(t), zero)
        case ast.Name(id=known) if known in CONSTANTS:
            return Jet(np.full_like(t, CONSTANTS[known]), zero, zero)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            a = _evaluated(name, inner, t)
            return Jet(-a.v, -a.d, -a.dd)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _evaluated(name, inner, t)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return BINARY[type(op)](_evaluated(name, left, t), _evaluated(name, right, t))
        case ast.Call(func=ast.Name(id=known), args=[inner], keywords=[]) if known in FUNCTIONS:
            return FUNCTIONS[known](_evaluated(name, inner, t))
    known = ", ".join((*FUNCTIONS, *CONSTANTS))
    raise InputError(
        f"{name}: '{ast.unparse(node)[:40]}' is not known here; there are t, numbers, + - * / ^, {known}."
    )


def constant(name: str, text: str) -> float:
    """The number an expression without t is worth, such as 2*pi. Raises InputError when it is none; name: of whom."""
    tree = _parsed(name, text)
    with np.errstate(all="ignore"):
        made = _evaluated(name, tree, np.zeros(1))
    if not np.isfinite(made.v[0]) or made.d[0] != 0.0:
        raise InputError(f"{name}: '{text[:40]}' is no number; write one, for example 2*pi.")
    return float(made.v[0])


def formula_curve(x: str, y: str, t0: float, t1: float) -> PlaneCurve:
    """The curve x(t), y(t).

    Parameters
    ----------
    x, y
        Formulas in t, m.
    t0, t1
        From where to where.

    Returns
    -------
    The curve, closed where its end meets its start in place and direction.

    Raises
    ------
    InputError
        For what is not arithmetic, for t1 <= t0, where a formula is no number, and where the curve stands still
        (a corner or cusp), which has no direction.
    """
    if not (math.isfinite(t0) and math.isfinite(t1) and t0 < t1):
        raise InputError(f"t runs from {t0:g} to {t1:g}; the end must lie behind the start.")
    trees = {name: _parsed(name, text) for name, text in (("x(t)", x), ("y(t)", y))}

    def formula(t: Array) -> tuple[Array, Array, Array]:
        with np.errstate(all="ignore"):
            jets = [_evaluated(name, tree, t) for name, tree in trees.items()]
        return tuple(np.stack(parts, axis=1) for parts in zip(*jets, strict=True))  # type: ignore[return-value]

    t = np.linspace(t0, t1, LOOKED_AT)
    position, rate, bend = formula(t)
    for k, name in enumerate(trees):
        bad = ~np.isfinite([position[:, k], rate[:, k], bend[:, k]]).all(axis=0)
        if bad.any():
            raise InputError(
                f"{name} or its slope is no number at t = {t[int(np.argmax(bad))]:.4g}; change the range of t."
            )
        far = float(np.abs(position[:, k]).max())
        steep = max(float(np.abs(rate[:, k]).max()), float(np.sqrt(np.abs(bend[:, k]).max()))) * (t1 - t0)
        if far > FARTHEST or steep > STEEPEST:
            raise InputError(
                say(
                    "{name} goes {far:.3g m} far and changes by up to {steep:.3g m} over the range of t, taken at its"
                    " steepest; {farthest:,.0f m} and {steepest:,.0f m} at most are drawn. Change the"
                    " formula or the range.",
                    name=name,
                    far=far,
                    steep=steep,
                    farthest=FARTHEST,
                    steepest=STEEPEST,
                )
            )
    size = float(np.ptp(position, axis=0).max())
    pace = np.hypot(rate[:, 0], rate[:, 1])
    if size < SAME_PLACE or pace.min() < STANDS * size / (t1 - t0):
        where = t[int(np.argmin(pace))]
        raise InputError(
            f"The curve stands still at t = {where:.4g}, where it has no direction; change the formula or the range."
        )
    gap = float(np.linalg.norm(position[-1] - position[0]))
    turn = float(np.linalg.norm(rate[-1] / pace[-1] - rate[0] / pace[0]))
    return curve_of_segments("own curve", [Piece(formula, t0, t1)], closed=gap < 1e-9 * size and turn < 1e-6)
