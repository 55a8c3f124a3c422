"""Laws of force elements: small kernels that know nothing of bodies.

A scalar law maps one coordinate x (m or rad, counted from the element's origin) and its rate v to a load:

    law(p, x, v, m, s) -> load, slope with x, slope with v, stored energy, lost power

p (n,): parameters; m: the element's memory as of the last accepted step; s: value of its function of time, if it has
one. A load is positive in tension or in opening: it pulls the two ends together; (N or N m, J, W).

A wide law has several coordinates (3 of a rotation vector, 6 of a relative frame) or internal unknowns z with
R(z, z', x, v) = 0, or both, and fills `out`:

    law(p, x, v, z, zdot, m, s, out) -> stored energy, lost power

Row k < INTERNAL of out belongs to coordinate k: its elastic load in column F, its load from rates in column D (the two
differ in what they act along where a coordinate is a rotation vector), and from columns X, V, Z, ZD on its slopes with
x, v, z and zdot. Row INTERNAL + k belongs to residual k: its value in column F, slopes as before. What a law does not
set is zero. z is found, and its influence on the slopes condensed, in `core.multibody.law_kernels`. A wide law between
two frames may name borders at which a step should end, of an internal unknown or of what it measures itself:

    border(p, x, v, z, zdot, k, G) -> number, its rate, the k-th border's value, what that is a value of

with scratch G; a border is of the number (OF_COORDINATE) or of its rate (OF_RATE).

`remember(p, x, v, m, s)`, scalar laws only, writes the memory when a step has been accepted and tells whether the load
is another with it, or will be: where it is, accelerations are found anew. Remembering twice must be as once.
`level(p, m, k)` tells the k-th border at which a step should end: its value, and what it is a value of: the coordinate,
the rate or time, with SHARP where the load jumps, so that a step ends there however near one of its ends is.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..jit.decorators import inner

F, D, X, V, Z, ZD = 0, 1, 2, 8, 14, 22  # columns of `out`
COORDINATES, INTERNAL_UNKNOWNS = 6, 8  # the most a wide law may have
INTERNAL = COORDINATES  # first row of the residuals
ROWS, COLUMNS = INTERNAL + INTERNAL_UNKNOWNS, ZD + INTERNAL_UNKNOWNS
PUT_IN = (
    ROWS - 1
)  # row whose column F holds the power (W) that an active wide law puts in; such a law has no eighth z
OF_COORDINATE, OF_RATE, OF_TIME = 0, 1, 2  # what a border is a value of
SHARP = 4  # added to that
PIECE = 6  # numbers of a piece of a curve: start, four coefficients, energy at the start


@dataclass(frozen=True, eq=False)
class Law:
    """A law by its name, with what it needs kept: number of internal unknowns (`algebraic`: their rates do not occur in
    R) and of remembered numbers. `work`: which of these is the energy lost so far (J), of laws whose loss is no smooth
    power: they return none; `given`: which is the energy (J) they have put in, counted in the same way. `active` laws
    put energy in: a scalar one returns what it takes, negative, as its loss, a wide one puts it into row PUT_IN of
    `out`."""

    name: str
    evaluate: Any
    wide: bool = False
    internal: int = 0
    algebraic: bool = False
    memory: int = 0
    remember: Any = None
    level: Any = None
    border: Any = None
    work: int | None = None
    given: int | None = None
    active: bool = False


@inner
def _linear(p, x, v, m, s):
    elastic = p[0] * x
    return elastic + p[1] * v, p[0], p[1], 0.5 * p[0] * x * x, p[1] * v * v


@inner
def on_curve(p, first, end, x):
    """Value, slope and integral at x of the curve whose pieces stand in p[first:end]; beyond it the end slopes hold."""
    lo, hi = 0, (end - first) // PIECE - 1
    last = first + PIECE * hi
    if x >= p[last]:
        y, at = x - p[last], last
    elif x <= p[first]:
        y, at = x - p[first], first
    else:
        while hi - lo > 1:
            mid = (lo + hi) // 2
            if p[first + PIECE * mid] <= x:
                lo = mid
            else:
                hi = mid
        at = first + PIECE * lo
        y = x - p[at]
        c0, c1, c2, c3 = p[at + 1], p[at + 2], p[at + 3], p[at + 4]
        f = c0 + y * (c1 + y * (c2 + y * c3))
        k = c1 + y * (2.0 * c2 + 3.0 * c3 * y)
        e = p[at + 5] + y * (c0 + y * (c1 / 2.0 + y * (c2 / 3.0 + y * c3 / 4.0)))
        return f, k, e
    k = p[at + 2]
    return p[at + 1] + k * y, k, p[at + 5] + y * (p[at + 1] + 0.5 * k * y)


@inner
def _curve(p, x, v, m, s):
    f, k, e = on_curve(p, 1, p.shape[0], x)
    return f + p[0] * v, k, p[0], e, p[0] * v * v


@inner
def _corner(p, m, k):
    return p[1 + PIECE * k], OF_COORDINATE


@inner
def _coulomb(p, x, v, m, s):
    share = math.tanh(v / p[1])
    return p[0] * share, 0.0, p[0] / p[1] * (1.0 - share * share), 0.0, p[0] * share * v


@inner
def _given(p, x, v, m, s):
    return s, 0.0, 0.0, 0.0, s * v


@inner
def _isotropic(p, x, v, z, zdot, m, s, out):
    stored = lost = 0.0
    for k in range(x.shape[0]):
        out[k, F], out[k, D] = p[0] * x[k], p[1] * v[k]
        out[k, X + k], out[k, V + k] = p[0], p[1]
        stored += 0.5 * p[0] * x[k] * x[k]
        lost += p[1] * v[k] * v[k]
    return stored, lost


LINEAR = Law("linear", _linear)  # stiffness, damping
CURVE = Law("curve", _curve)  # damping, pieces
CORNERS = Law("curve with corners", _curve, level=_corner)  # the same, of straight pieces
COULOMB = Law("dry friction", _coulomb)  # load, speed at which it is reached
GIVEN = Law("given", _given, active=True)  # the function of time is the load
ISOTROPIC = Law("isotropic", _isotropic, wide=True)  # stiffness, damping, alike in all coordinates


def pieces(points: Sequence[tuple[float, float]], *, smooth: bool) -> tuple[float, ...]:
    """The pieces of a curve through points (x, value) of rising x, for `on_curve`; its integral is zero at x = 0 or,
    where they do not reach there, at the nearest of them.

    smooth: a monotone cubic curve (Fritsch & Carlson 1980); otherwise straight from point to point.
    """
    x, f = np.array(points, dtype=np.float64).T
    if smooth:
        from scipy.interpolate import PchipInterpolator  # slow to load, rarely needed

        curve = PchipInterpolator(x, f)
        coefficients, end_slope = curve.c[::-1].T, float(curve.derivative()(x[-1]))
    else:
        slopes = np.diff(f) / np.diff(x)
        coefficients = np.column_stack([f[:-1], slopes, np.zeros((len(slopes), 2))])
        end_slope = float(slopes[-1])
    y = np.diff(x)
    c0, c1, c2, c3 = coefficients.T
    integral = np.concatenate([[0.0], np.cumsum(y * (c0 + y * (c1 / 2 + y * (c2 / 3 + y * c3 / 4))))])
    rows = [[x[k], *coefficients[k], integral[k]] for k in range(len(y))]
    rows.append([x[-1], f[-1], end_slope, 0.0, 0.0, integral[-1]])
    made = np.array(rows)
    zero = float(np.clip(0.0, x[0], x[-1]))
    made[:, 5] -= on_curve(made.ravel(), 0, made.size, zero)[2]
    return tuple(made.ravel().tolist())
