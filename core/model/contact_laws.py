"""Normal forces of contacts: force over depth and its rate, in the form that `core.model.laws` describes.

x: depth (m), v: its rate (m/s); the load pushes the surfaces apart and is never negative; m: rate of the depth at touch
(m/s, 0 where none is remembered) and largest depth since then (m). Asked only at depths above zero; what a law loses is
all that it does not store. These laws are compiled with the contact kernels and only where a model has contacts.

Most laws of the literature are F = k x^n (1 + lambda v/v0) with v0 the rate at touch, and differ in how lambda follows
from the coefficient of restitution c that is asked for: LAMBDA. Without other forces such a contact returns the share e
of v0 with lambda (1 + e) = ln((1 + lambda)/(1 - lambda e)), whatever n, k and v0; `exact_lambda` solves for lambda.
Where a printed form is known to differ from the authors' own, "printed" has it (Spicka 2020, eqs. 5.20 to 5.27).
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from collections.abc import Callable

from ..jit.decorators import inner
from .laws import Law, on_curve

MIN_EXACT = 0.05  # below, lambda c is one to the last digit
TOUCHED, DEEPEST = range(2)  # of the memory of a contact


@inner
def _power(x, n):
    """x^n, of the exponents that most laws have at a fraction of its cost."""
    if n == 1.0:
        return x
    if n == 1.5:
        return x * math.sqrt(x)
    return x**n


@inner
def _viscous(p, x, v, m, s):
    elastic = p[0] * _power(x, p[1])
    speed = m[TOUCHED] if m[TOUCHED] > 0.0 else max(v, p[3])
    share = 1.0 + p[2] * v / speed
    stored, slope = elastic * x / (p[1] + 1.0), p[1] * elastic / x
    if share <= 0.0:
        return 0.0, 0.0, 0.0, stored, -elastic * v
    return elastic * share, slope * share, elastic * p[2] / speed, stored, elastic * (share - 1.0) * v


@inner
def _general(p, x, v, m, s):
    elastic, rate = p[0] * _power(x, p[1]), abs(v)
    hindered = p[2] * (_power(x, p[3]) if p[3] != 0.0 else 1.0)
    lossy = hindered * math.copysign(_power(rate, p[4]), v) if rate > 0.0 else 0.0
    stored, load = elastic * x / (p[1] + 1.0), elastic + lossy
    if load <= 0.0:
        return 0.0, 0.0, 0.0, stored, -elastic * v
    damping = hindered
    if p[4] != 1.0:
        damping = hindered * p[4] * rate ** (p[4] - 1.0) if rate > 1e-12 else 0.0
    slope = (p[1] * elastic + p[3] * lossy) / x
    return load, slope, damping, stored, lossy * v


@inner
def _permanent(p, x, v, m, s):
    # the share p[2] of the largest depth stays; unloading and loading again go along one curve from there
    deepest = max(m[DEEPEST], x)
    maximum = p[0] * _power(deepest, p[1])
    if x >= deepest:
        return maximum, p[1] * maximum / x, 0.0, maximum * x * (1.0 - p[2]) / (p[1] + 1.0), p[2] * maximum * v
    left = deepest * (1.0 - p[2])
    share = (x - p[2] * deepest) / left
    if share <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    load = maximum * _power(share, p[1])
    return load, p[1] * load / (share * left), 0.0, load * share * left / (p[1] + 1.0), 0.0


@inner
def _foam(p, x, v, m, s):
    f, k, e = on_curve(p, 2, p.shape[0], x)
    f = max(f, 0.0)
    way, half = math.tanh(v / p[1]), 0.5 * p[0]
    load = f * (1.0 - half + half * way)
    damping = f * half * (1.0 - way * way) / p[1]
    return load, k * (1.0 - half + half * way), damping, e * (1.0 - half), f * half * way * v


VISCOUS = Law("contact, restitution", _viscous)  # k, n, lambda, least v0
GENERAL = Law("contact, general", _general)  # k, n, chi, p, q
PERMANENT = Law("contact, permanent indentation", _permanent)  # k, n, share of the depth that stays
FOAM = Law("contact, table", _foam)  # share of the force lost on the way back, rate of the change, pieces
CONTACT_LAWS = (VISCOUS, GENERAL, PERMANENT, FOAM)


def restitution(factor: float) -> float:
    """The coefficient of restitution that a factor lambda gives: the root e of lambda (1 + e) = ln((1 + lambda)/(1 -
    lambda e))."""
    if factor <= 0.0:
        return 1.0
    return _root(lambda e: factor * (1.0 + e) - math.log((1.0 + factor) / (1.0 - factor * e)), factor)


def rebound(damping: float, speed: float) -> float:
    """The share of a speed (m/s) at touch with which k x^n (1 + damping * rate), damping in s/m, gives a body back:
    `restitution` of that law at this speed."""
    return restitution(damping * speed)


def _root(balance: Callable[[float], float], factor: float) -> float:
    from scipy.optimize import brentq  # slow to load, rarely needed

    # at e = -1 the equation holds as well: the root wanted lies above zero, where the logarithm falls behind at first
    return float(brentq(balance, 0.0, min(1.0, (1.0 - 1e-15) / factor), xtol=1e-15, rtol=1e-14))


def exact_lambda(c: float) -> float:
    """The factor lambda with which a contact returns the share c, MIN_EXACT <= c <= 1, of its speed at touch."""
    from scipy.optimize import brentq  # slow to load, rarely needed

    if c >= 1.0:
        return 0.0

    def missing(factor: float) -> float:
        return math.log((1.0 + factor) / (1.0 - factor * c)) - factor * (1.0 + c)

    return float(brentq(missing, 1e-3 * (1.0 - c), (1.0 - 1e-15) / c, xtol=1e-15, rtol=1e-14))


#: lambda of c as each author has it, and where it was printed otherwise (Spicka 2020).
LAMBDA: dict[str, Callable[[float], float]] = {
    "hertz": lambda c: 0.0,
    "hunt_crossley": lambda c: 1.5 * (1.0 - c),
    "lee_wang": lambda c: 0.75 * (1.0 - c),
    "herbert_mcwhannell": lambda c: 6.0 * (1.0 - c) / ((2.0 * c - 1.0) ** 2 + 3.0),
    "lankarani_nikravesh": lambda c: 0.75 * (1.0 - c * c),
    "gonthier": lambda c: (1.0 - c * c) / c,
    "zhiying_qishao": lambda c: 0.75 * (1.0 - c * c) * math.exp(2.0 * (1.0 - c)),
    "zhiying_qishao_printed": lambda c: 0.75 * (1.0 - c * c * math.exp(2.0 * (1.0 - c))),
    "flores": lambda c: 1.6 * (1.0 - c) / c,
    "flores_printed": lambda c: 1.6 * (1.0 - c * c) / c,
    "gharib_hurmuzlu": lambda c: 1.0 / c,
    "gharib_hurmuzlu_printed": lambda c: (1.0 - c) / c,
    "exact": exact_lambda,
}
#: Those that have no value at c = 0.
DIVIDED = ("gonthier", "flores", "flores_printed", "gharib_hurmuzlu", "gharib_hurmuzlu_printed", "exact")
