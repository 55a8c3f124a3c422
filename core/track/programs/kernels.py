"""Kernels of the curvature programs: transition shapes, the motion along a given curvature, the motion along given
forces. The numpy-level functions that document shapes and meaning are in `channel.py`, `program.py` and `force.py`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ...base.arrays import Array

LINEAR, CUBIC, QUARTIC, QUINTIC, SINE, PLATEAU = 0, 1, 2, 3, 4, 5
PLATEAU_EDGE = 0.25  # part of a plateau that rises, and that falls

# Gauss-Legendre collocation with three stages, order 6 (Hairer, Lubich, Wanner 2006, II.1.3)
ROOT = math.sqrt(15.0)
STAGE = np.array([0.5 - ROOT / 10.0, 0.5, 0.5 + ROOT / 10.0])
WEIGHT = np.array([5.0, 8.0, 5.0]) / 18.0
TABLEAU = np.array(
    [
        [5.0 / 36.0, 2.0 / 9.0 - ROOT / 15.0, 5.0 / 36.0 - ROOT / 30.0],
        [5.0 / 36.0 + ROOT / 24.0, 2.0 / 9.0, 5.0 / 36.0 - ROOT / 24.0],
        [5.0 / 36.0 + ROOT / 30.0, 2.0 / 9.0 + ROOT / 15.0, 5.0 / 36.0],
    ]
)
ITERATIONS = 30

RAN, STALLED, TOO_LONG = 0, 1, 2


@njit(cache=True, nogil=True)
def _quintic(x: float, out: Array) -> None:
    out[0], out[1] = x * x * x * (10.0 + x * (6.0 * x - 15.0)), 30.0 * x * x * (1.0 - x) ** 2
    out[2], out[3] = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x), x * x * x * x * (2.5 + x * (x - 3.0))


@njit(cache=True, nogil=True)
def shape(kind: int, x: float, out: Array) -> None:
    """Transition from 0 to 1 over x in [0, 1]: value, two derivatives and the integral from 0; out (4,)."""
    if kind == LINEAR:
        out[0], out[1], out[2], out[3] = x, 1.0, 0.0, 0.5 * x * x
    elif kind == CUBIC:
        out[0], out[1] = x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x)
        out[2], out[3] = 6.0 - 12.0 * x, x * x * x * (1.0 - 0.5 * x)
    elif kind == QUARTIC:
        out[0], out[1] = x * x * x * (4.0 - 3.0 * x), 12.0 * x * x * (1.0 - x)
        out[2], out[3] = 12.0 * x * (2.0 - 3.0 * x), x * x * x * x * (1.0 - 0.6 * x)
    elif kind == QUINTIC:
        _quintic(x, out)
    elif kind == SINE:
        out[0], out[1] = 0.5 * (1.0 - math.cos(math.pi * x)), 0.5 * math.pi * math.sin(math.pi * x)
        out[2] = 0.5 * math.pi**2 * math.cos(math.pi * x)
        out[3] = 0.5 * (x - math.sin(math.pi * x) / math.pi)
    elif x <= PLATEAU_EDGE:  # a plateau: up, held, and back again
        _quintic(x / PLATEAU_EDGE, out)
        out[1], out[2], out[3] = out[1] / PLATEAU_EDGE, out[2] / PLATEAU_EDGE**2, out[3] * PLATEAU_EDGE
    elif x < 1.0 - PLATEAU_EDGE:
        out[0], out[1], out[2], out[3] = 1.0, 0.0, 0.0, x - 0.5 * PLATEAU_EDGE
    else:
        _quintic((1.0 - x) / PLATEAU_EDGE, out)
        out[1], out[2] = -out[1] / PLATEAU_EDGE, out[2] / PLATEAU_EDGE**2
        out[3] = 1.0 - PLATEAU_EDGE - out[3] * PLATEAU_EDGE


@njit(cache=True, nogil=True)
def channel_at(table: Array, x: float, out: Array) -> None:
    """Value, two derivatives and integral from its beginning of a channel at x; out (4,). Beyond the ends it is held.

    table (n, 7): begin, end, value at begin, step, kind of transition, slope, integral up to begin.
    """
    k = 0
    while k + 1 < table.shape[0] and x >= table[k, 1]:
        k += 1
    begin, start, step, slope = table[k, 0], table[k, 2], table[k, 3], table[k, 5]
    width = table[k, 1] - begin
    y = min(max((x - begin) / width, 0.0), 1.0)
    shape(int(table[k, 4]), y, out)
    # a piece may start with a rate of its own, which runs out over it: y (1 - y)^3
    lean = slope * width
    r = 1.0 - y
    out[3] = table[k, 6] + width * (start * y + step * out[3])
    out[3] += width * lean * (y * y * (0.5 + y * (-1.0 + y * (0.75 - 0.2 * y))))
    out[0] = start + step * out[0] + lean * y * r * r * r
    out[1] = (step * out[1] + lean * r * r * (1.0 - 4.0 * y)) / width
    out[2] = (step * out[2] + lean * r * (12.0 * y - 6.0)) / width**2


@njit(cache=True, nogil=True)
def channel_rows(table: Array, x: Array, out: Array) -> None:
    """`channel_at` at many places; out (n, 4)."""
    for i in range(x.size):
        channel_at(table, x[i], out[i])


@njit(cache=True, nogil=True)
def _bracket(a: Array, b: Array, out: Array) -> None:
    """Lie bracket of two twists (6,): turn, then advance."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i] = a[j] * b[k] - a[k] * b[j]
        out[3 + i] = a[j] * b[3 + k] - a[k] * b[3 + j] - b[j] * a[3 + k] + b[k] * a[3 + j]


@njit(cache=True, nogil=True)
def _apply_twist(x: Array, frame: Array, position: Array, new: Array) -> None:
    """Move a pose by the exponential of a twist given in its own axes; frame (3, 3) columns t, left, up, in place.

    new (3, 3): room to work in.
    """
    angle2 = x[0] ** 2 + x[1] ** 2 + x[2] ** 2
    angle = math.sqrt(angle2)
    if angle < 1e-2:
        a = 1.0 - angle2 / 6.0 * (1.0 - angle2 / 20.0 * (1.0 - angle2 / 42.0))
        b = 0.5 - angle2 / 24.0 * (1.0 - angle2 / 30.0 * (1.0 - angle2 / 56.0))
        c = (1.0 - angle2 / 20.0 * (1.0 - angle2 / 42.0 * (1.0 - angle2 / 72.0))) / 6.0
    else:
        a = math.sin(angle) / angle
        b = (1.0 - math.cos(angle)) / angle2
        c = (1.0 - a) / angle2
    along = x[0] * x[3] + x[1] * x[4] + x[2] * x[5]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        moved = x[3 + i] + b * (x[j] * x[3 + k] - x[k] * x[3 + j]) + c * (x[i] * along - angle2 * x[3 + i])
        for r in range(3):
            position[r] += frame[r, i] * moved
    for r in range(3):
        f0, f1, f2 = frame[r, 0], frame[r, 1], frame[r, 2]
        dot = f0 * x[0] + f1 * x[1] + f2 * x[2]
        cosine = 1.0 - b * angle2
        new[r, 0] = cosine * f0 + b * dot * x[0] + a * (f1 * x[2] - f2 * x[1])
        new[r, 1] = cosine * f1 + b * dot * x[1] + a * (f2 * x[0] - f0 * x[2])
        new[r, 2] = cosine * f2 + b * dot * x[2] + a * (f0 * x[1] - f1 * x[0])
    frame[:] = new


@njit(cache=True, nogil=True)
def follow_curvature(widths: Array, rates: Array, frames: Array, positions: Array) -> None:
    """Poses after every step along a line of given curvature.

    widths (n,); rates (n, 3, 3): at the three Gauss places of each step the curvature to the left, the curvature
    upwards and the roll rate; frames (n+1, 3, 3) and positions (n+1, 3) with the first row given. Magnus series of
    order 6 on the rigid motions (Blanes, Casas, Oteo, Ros 2009, eq. 253) for a twist given in the moving frame,
    which turns the sign of every bracket.
    """
    frame, position = frames[0].copy(), positions[0].copy()
    at, new = np.zeros((3, 6)), np.empty((3, 3))
    a1, a2, a3, c1, c2, twist = np.empty(6), np.empty(6), np.empty(6), np.empty(6), np.empty(6), np.empty(6)
    first, second = np.empty(6), np.empty(6)
    for k in range(widths.size):
        h = widths[k]
        for j in range(3):
            at[j, 0], at[j, 1], at[j, 2], at[j, 3] = rates[k, j, 2], -rates[k, j, 1], rates[k, j, 0], 1.0
        for i in range(6):
            a1[i] = h * at[1, i]
            a2[i] = ROOT / 3.0 * h * (at[2, i] - at[0, i])
            a3[i] = 10.0 / 3.0 * h * (at[2, i] - 2.0 * at[1, i] + at[0, i])
        _bracket(a2, a1, c1)
        for i in range(6):
            first[i] = 2.0 * a3[i] + c1[i]
        _bracket(a1, first, c2)
        for i in range(6):
            first[i] = -20.0 * a1[i] - a3[i] + c1[i]
            second[i] = a2[i] + c2[i] / 60.0
        _bracket(first, second, twist)
        for i in range(6):
            twist[i] = a1[i] + a3[i] / 12.0 - twist[i] / 240.0
        _apply_twist(twist, frame, position, new)
        frames[k + 1] = frame
        positions[k + 1] = position


@njit(cache=True, nogil=True)
def _force_rates(
    x: float,
    y: Array,
    normal: Array,
    lateral: Array,
    roll: Array,
    set_up: Array,
    got: Array,
    row: Array,
    dy: Array,
) -> None:
    """Right-hand side of the motion under prescribed forces, for `follow_forces`.

    y (11,): place, tangent, up, square of the speed, arc length. got (4,): curvature left and up, roll rate (rad/m),
    length per unit of x. set_up: gravity, friction, air drag, over time?, roll rate per metre?, lateral free?,
    largest normal g, friction by the load? row (4,): room to work in.
    """
    gravity = set_up[0]
    v2 = max(y[9], 1e-3)
    v = math.sqrt(v2)
    along = v if set_up[3] > 0.0 else 1.0
    left_z = y[6] * y[4] - y[7] * y[3]
    channel_at(normal, x, row)
    up = gravity * (row[0] - y[8]) / v2
    left, load2 = 0.0, row[0] * row[0]
    if set_up[5] == 0.0:
        channel_at(lateral, x, row)
        left = gravity * (row[0] - left_z) / v2
        load2 += row[0] * row[0]
    else:
        load2 += left_z * left_z
    friction = set_up[1] * (math.sqrt(load2) if set_up[7] > 0.0 else 1.0)
    channel_at(roll, x, row)
    w = row[0] if set_up[4] > 0.0 else row[0] / v
    got[0], got[1], got[2], got[3] = left, up, w, along
    for c in range(3):
        j, k = (c + 1) % 3, (c + 2) % 3
        side = y[6 + j] * y[3 + k] - y[6 + k] * y[3 + j]
        dy[c] = along * y[3 + c]
        dy[3 + c] = along * (left * side + up * y[6 + c])
        dy[6 + c] = along * (-up * y[3 + c] - w * side)
    dy[9] = along * 2.0 * (-gravity * (y[5] + friction) - set_up[2] * v2)
    dy[10] = along


@njit(cache=True, nogil=True)
def _gauss_step(
    x: float, h: float, y: Array, normal: Array, lateral: Array, roll: Array, set_up: Array, got: Array
) -> None:
    """One step of the three-stage Gauss collocation, solved by iteration, in place."""
    slope, new, z, row = np.empty((3, 11)), np.empty((3, 11)), np.empty(11), np.empty(4)
    _force_rates(x + STAGE[1] * h, y, normal, lateral, roll, set_up, got, row, slope[0])
    slope[1:] = slope[0]
    for _ in range(ITERATIONS):
        change = 0.0
        for i in range(3):
            for c in range(11):
                z[c] = y[c] + h * (
                    TABLEAU[i, 0] * slope[0, c] + TABLEAU[i, 1] * slope[1, c] + TABLEAU[i, 2] * slope[2, c]
                )
            _force_rates(x + STAGE[i] * h, z, normal, lateral, roll, set_up, got, row, new[i])
            for c in range(11):
                change = max(change, h * abs(new[i, c] - slope[i, c]) / (1.0 + abs(y[c])))
        slope[:] = new
        if change < 1e-15:
            break
    for c in range(11):
        y[c] += h * (WEIGHT[0] * slope[0, c] + WEIGHT[1] * slope[1, c] + WEIGHT[2] * slope[2, c])
    size = math.sqrt(y[3] ** 2 + y[4] ** 2 + y[5] ** 2)
    for c in range(3, 6):
        y[c] /= size
    lean = y[6] * y[3] + y[7] * y[4] + y[8] * y[5]
    for c in range(6, 9):
        y[c] -= lean * y[c - 3]
    size = math.sqrt(y[6] ** 2 + y[7] ** 2 + y[8] ** 2)
    for c in range(6, 9):
        y[c] /= size


@njit(cache=True, nogil=True)
def follow_forces(
    borders: Array,
    nodes: Array,
    y: Array,
    normal: Array,
    lateral: Array,
    roll: Array,
    set_up: Array,
    limits: Array,
    positions: Array,
    rows: Array,
    rates: Array,
) -> tuple[int, int]:
    """Motion under prescribed normal and lateral g and roll rate, sampled at `nodes` of each piece.

    borders (m,): places of the argument no piece may go over; nodes (6,) in [0, 1]; y (11,) start as in
    `_force_rates`. limits: longest piece (m), largest turn of a piece (rad), slowest speed squared.
    places (p, 6), rows (p, 6, 11), rates (p, 6, 4) are filled. Returns how it ended and the number of pieces.
    """
    got, row, dy = np.empty(4), np.empty(4), np.empty(11)
    count = 0
    for b in range(borders.size - 1):
        at, end = borders[b], borders[b + 1]
        tiny = 1e-12 * (end - at)
        while end - at > 1e-9 * (end - borders[b]):
            if count == positions.shape[0]:
                return TOO_LONG, count
            _force_rates(at + tiny, y, normal, lateral, roll, set_up, got, row, dy)
            bend = math.sqrt(got[0] ** 2 + got[1] ** 2) + abs(got[2])
            bend = max(bend, set_up[6] * set_up[0] / max(y[9], 1e-3))
            h = min(limits[0], limits[1] / max(bend, 1e-9)) / got[3]
            h = (end - at) / math.ceil((end - at) / h)
            for j in range(6):
                x = at + h * nodes[j]
                if j > 0:
                    _gauss_step(
                        at + h * nodes[j - 1],
                        h * (nodes[j] - nodes[j - 1]),
                        y,
                        normal,
                        lateral,
                        roll,
                        set_up,
                        got,
                    )
                inside = min(max(x, borders[b] + tiny), end - tiny)
                _force_rates(inside, y, normal, lateral, roll, set_up, got, row, dy)
                positions[count, j], rows[count, j], rates[count, j] = x, y, got
                if y[9] < limits[2]:
                    return STALLED, count
            at += h
            count += 1
    return RAN, count
