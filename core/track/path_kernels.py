"""Kernels of a path table: find the interval, evaluate nine functions with two derivatives, linear lookup.

They take arrays and scalars only and do not allocate, so the equations of motion can call them in their inner
loop. `path.PathTable` documents the arrays and has numpy-level functions that call these.
"""

from __future__ import annotations

from ..base.arrays import Array, Integers
from ..jit.decorators import inner, kernel


@inner
def path_wrap(length: float, closed: bool, L: float) -> tuple[float, float]:
    """Arc length inside the table and the overshoot beyond its ends (0 when closed)."""
    if closed:
        x = L % length
        if x >= length:
            x = 0.0
        return x, 0.0
    if L < 0.0:
        return 0.0, L
    beyond = L - length
    if beyond > 0.0:
        return length, beyond
    return L, 0.0


@kernel
def path_locate(knots: Array, hint: Integers, bin_width: float, x: float) -> int:
    """Interval k with knots[k] <= x < knots[k+1] (the last one at the end); x in [0, length]; NaN: the first."""
    b = int(x / bin_width) if x > 0.0 else 0
    if b > hint.size - 1:
        b = hint.size - 1
    k = int(hint[b])
    last = knots.size - 2
    while k < last and x >= knots[k + 1]:
        k += 1
    while k > 0 and x < knots[k]:
        k -= 1
    return k


@kernel
def path_eval(
    knots: Array,
    coef: Array,
    hint: Integers,
    bin_width: float,
    length: float,
    closed: bool,
    L: float,
    out: Array,
) -> None:
    """Values, first and second derivatives by arc length of x, y, z, nx, ny, nz, bx, by, bz at L; out (3, 9).

    A closed path wraps L. Outside an open path it continues straight along the end tangent with constant n, b.
    """
    inside, beyond = path_wrap(length, closed, L)
    k = path_locate(knots, hint, bin_width, inside)
    h = inside - knots[k]
    for f in range(9):
        c0, c1, c2 = coef[k, f, 0], coef[k, f, 1], coef[k, f, 2]
        c3, c4, c5 = coef[k, f, 3], coef[k, f, 4], coef[k, f, 5]
        out[0, f] = c0 + h * (c1 + h * (c2 + h * (c3 + h * (c4 + h * c5))))
        out[1, f] = c1 + h * (2.0 * c2 + h * (3.0 * c3 + h * (4.0 * c4 + h * 5.0 * c5)))
        out[2, f] = 2.0 * c2 + h * (6.0 * c3 + h * (12.0 * c4 + h * 20.0 * c5))
    if beyond != 0.0:
        for f in range(3):
            out[0, f] += beyond * out[1, f]
            out[2, f] = 0.0
        for f in range(3, 9):
            out[1, f] = 0.0
            out[2, f] = 0.0


@kernel
def path_eval_linear(table: Array, step: float, length: float, closed: bool, L: float, out: Array) -> None:
    """The linear lookup of the thesis in its 37-column table; same result layout as `path_eval`.

    Every column is interpolated on its own, so the derivative columns are not the derivatives of the
    interpolated positions (Viegas 2016, section 3.1). table (rows, 37): the first column, L, increases by
    step except for the last row, which sits at the length of the path.
    """
    inside, beyond = path_wrap(length, closed, L)
    rows = table.shape[0]
    k = int(inside / step) if inside > 0.0 else 0  # not for what is no number
    if k > rows - 2:
        k = rows - 2
    if inside < table[k, 0] and k > 0:
        k -= 1
    w = (inside - table[k, 0]) / (table[k + 1, 0] - table[k, 0])
    for order in range(3):
        for f in range(3):
            column = 1 + 3 * order + f
            out[order, f] = (1.0 - w) * table[k, column] + w * table[k + 1, column]
            column = 19 + 3 * order + f
            out[order, 3 + f] = (1.0 - w) * table[k, column] + w * table[k + 1, column]
            column = 28 + 3 * order + f
            out[order, 6 + f] = (1.0 - w) * table[k, column] + w * table[k + 1, column]
    if beyond != 0.0:
        for f in range(3):
            out[0, f] += beyond * out[1, f]
            out[2, f] = 0.0
        for f in range(3, 9):
            out[1, f] = 0.0
            out[2, f] = 0.0


@kernel
def path_eval_many(
    knots: Array,
    coef: Array,
    hint: Integers,
    bin_width: float,
    length: float,
    closed: bool,
    L: Array,
    out: Array,
) -> None:
    """`path_eval` at many places; L (m,), out (m, 3, 9)."""
    for i in range(L.size):
        path_eval(knots, coef, hint, bin_width, length, closed, L[i], out[i])


@kernel
def path_eval_linear_many(
    table: Array, step: float, length: float, closed: bool, L: Array, out: Array
) -> None:
    """`path_eval_linear` at many places; L (m,), out (m, 3, 9)."""
    for i in range(L.size):
        path_eval_linear(table, step, length, closed, L[i], out[i])


@kernel
def path_third(
    knots: Array,
    coef: Array,
    hint: Integers,
    bin_width: float,
    length: float,
    closed: bool,
    L: Array,
    out: Array,
) -> None:
    """Third derivative of the position at many places; L (m,), out (m, 3)."""
    for i in range(L.size):
        inside, beyond = path_wrap(length, closed, L[i])
        k = path_locate(knots, hint, bin_width, inside)
        h = inside - knots[k]
        for f in range(3):
            third = 6.0 * coef[k, f, 3] + h * (24.0 * coef[k, f, 4] + h * 60.0 * coef[k, f, 5])
            out[i, f] = third if beyond == 0.0 else 0.0


@kernel
def path_nearest_from(
    knots: Array,
    coef: Array,
    hint: Integers,
    bin_width: float,
    length: float,
    closed: bool,
    point: Array,
    L: float,
    reach: float,
    out: Array,
) -> float:
    """Arc length of the closest point of the path to `point` near L, by Newton on (c - p) . c' = 0.

    The step is limited to `reach` (m), and where the distance is not convex it goes downhill instead.
    out (3, 9) is work space.
    """
    for _ in range(60):
        path_eval(knots, coef, hint, bin_width, length, closed, L, out)
        slope = 0.0
        bend = 0.0
        for c in range(3):
            away = out[0, c] - point[c]
            slope += away * out[1, c]
            bend += away * out[2, c] + out[1, c] * out[1, c]
        step = -slope / bend if bend > 0.1 else -slope
        if step > reach:
            step = reach
        if step < -reach:
            step = -reach
        L += step
        if abs(step) < 1e-13 * (1.0 + abs(L)):
            break
    return L
