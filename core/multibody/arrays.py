"""The compiled system as a few pooled arrays, the only thing the kernels see.

Every kind of element has a table of integers (bodies, functions) and a table of numbers (points, axes,
parameters), one row an element. All tables lie in two pools behind one directory: kernels that take a handful of
arrays compile in a second where hundred arrays take a minute. `ints(S, KIND)` and `reals(S, KIND)` are views.

Velocity unknowns are ordered: per body (vx, vy, vz world; wx, wy, wz body), then one path speed per guide; six
more slots behind them stand for the ground and are ignored. The ground is body number nb: unit pose, no motion.
Constraint rows come in the order PT, DOT, SL, DS, GD, AL, AR. Points s and axes a, u are in body axes.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.jit.decorators import kernel
from core.jit.tables import compile_view

F = NDArray[np.float64]
I = NDArray[np.int64]


def _kind(number: int) -> int:
    return np.int64(number)  # type: ignore[return-value]


# Kinds of tables: columns of the integers | columns of the numbers. As numpy integers, because numba compiles a
# function anew for every literal that a Python integer in its place would be.
META = _kind(0)  # one row: bodies, guides, rows, 1 for the linear path table | gravity (3)
BODY = _kind(1)  # - | mass, inertia (3)
FN = _kind(2)  # functions of time: first, end term, 1 for spline pieces | offset, rate, half acceleration
TERM = _kind(3)  # - | amplitude, omega, phase, 0, 0 or knot, c0..c3
PT = _kind(4)  # coincident points, 3 rows: i, j | s_i, s_j: r_i + A_i s_i - r_j - A_j s_j = 0
DOT = _kind(5)  # perpendicular, 1 row: i, j, fn | a, g, b: (A_i a).(A_j b) = 0; fn >= 0 turns a towards -g
SL = _kind(6)  # along a direction, 1 row: i, j, fn | a, s_i, s_j: (A_i a).d = c(t), d from point i to point j
DS = _kind(7)  # distance, 1 row: i, j, fn, pair | s_i, s_j: |d| = c(t)
GD = _kind(8)  # guides, 3 rows: body, path | s: r + A s - g(L) = 0
AL = _kind(9)  # alignment, 1 row: guide, 0 n or 1 b | u, c: m(L).(A u) = c
AR = _kind(10)  # driven arc length, 1 row: guide, fn | -: L = c(t)
PATH = _kind(11)  # first and end piece, hint, table row; closed | length, bin, table step
KNOT = _kind(12)  # - | arc lengths, one more than pieces for every path
COEF = _kind(13)  # - | 54 coefficients a piece
HINT = _kind(14)  # interval numbers | -
TABLE = _kind(15)  # - | 37 columns
SP = _kind(16)  # spring-dampers: i, j, pair, first and end row in CURVE | s_i, s_j, k, c, l0
CURVE = _kind(17)  # - | extension, c0..c3, energy at the start of the piece
RS = _kind(18)  # about an axis: i, j, pair, 0 spring 1 stop | f, g, a, f_j, parameters (6)
BS = _kind(19)  # in all directions: i, j, pair | drawn relative rotation (9), k, c
ST = _kind(20)  # stops along a direction: i, j, pair | a, s_i, s_j, k, exponent, damping, lower, upper
AF = _kind(21)  # applied: body, fn (3), 0 force 1 in body axes 2 torque 3 in body axes | s
AD = _kind(22)  # air drag: body | 1/2 rho Cd A
RR = _kind(23)  # rolling resistance: guide | coefficient, transition speed
GROW = _kind(24)  # starts of the Jacobian rows | -
GCOL = _kind(25)  # columns of the Jacobian entries | -
PAIR = _kind(26)  # bodies that springs couple: i, j with i > j | -
DV = _kind(27)  # devices of the track | a row of core.track.device_law
DC = _kind(28)  # cars that devices act on: first and end body, first and end guide | mass
DW = _kind(
    29
)  # where guides meet devices, a row a guide | circuit's length or 0, then start and end for every device
KINDS = 30


class Arrays(NamedTuple):
    """Constants of a run: directories (first entry, rows, columns) and pools."""

    where_i: I  # (KINDS, 3)
    pool_i: I
    where_f: I  # (KINDS, 3)
    pool_f: F


class Work(NamedTuple):
    """Scratch memory of one run, so that no kernel allocates. `row`: Phi, dPhi/dt, gamma and two spare lines;
    `vel`: forces and two spare lines; `power` (W): dissipated, drag, applied; `el`: see force_kernels."""

    A: F  # (nb + 1, 3, 3)
    r: F  # (nb + 1, 3)
    fn: F  # (functions, 3) value, first and second derivative
    path: F  # (ng, 3, 9) position and frame, d/dL, d2/dL2
    row: F  # (5, m)
    gx: F  # Jacobian values
    vel: F  # (3, nu + 6)
    el: F  # (elements, 4)
    power: F  # (3,)
    angle0: F  # (axis elements,) unwrapped angles of the last accepted instant
    Hd: F  # (nb + 1, 6, 6)
    Ho: F  # (pairs + 1, 6, 6)
    lever: F  # (3, 3, 6)
    tmp: F  # (24, 3)
    place: F  # (ng,) arc lengths of the guides
    device: F  # (cars, 7) what devices do to the cars and remember of them, see device_kernels


PHI, PHIDOT, GAMMA, ROW_A, ROW_B = 0, 1, 2, 3, 4
FORCE, VEL_A, VEL_B = 0, 1, 2


def pooled(tables_i: dict[int, I], tables_f: dict[int, F]) -> Arrays:
    """Lay tables (rows, columns) by kind into pools."""

    def lay(tables: dict[int, Any], dtype: type) -> tuple[I, Any]:
        where = np.zeros((KINDS, 3), dtype=np.int64)
        parts: list[NDArray[Any]] = [np.zeros(0, dtype=dtype)]
        at = 0
        for kind, table in tables.items():
            where[kind] = at, table.shape[0], table.shape[1]
            parts.append(np.ascontiguousarray(table, dtype=dtype).ravel())
            at += table.size
        return where, np.concatenate(parts)

    return Arrays(*lay(tables_i, np.int64), *lay(tables_f, np.float64))


def ints(S: Any, kind: int) -> Any:
    """The integer table (rows, columns) of a kind, a view."""
    return _table(S.where_i, S.pool_i, kind)


def reals(S: Any, kind: int) -> Any:
    """The number table (rows, columns) of a kind, a view."""
    return _table(S.where_f, S.pool_f, kind)


def int_line(S: Any, kind: int) -> Any:
    """A one-column integer table as (rows,), a view."""
    return ints(S, kind)[:, 0]


def real_line(S: Any, kind: int) -> Any:
    """A one-column number table as (rows,), a view."""
    return reals(S, kind)[:, 0]


def _table(where: I, pool: Any, kind: int) -> Any:
    a, n, w = where[kind]
    return pool[a : a + n * w].reshape(n, w)


compile_view(ints, 0, 1, flat=False)
compile_view(int_line, 0, 1, flat=True)
compile_view(reals, 2, 3, flat=False)
compile_view(real_line, 2, 3, flat=True)


@kernel
def count(S, kind):
    """Number of elements of a kind."""
    return max(S.where_i[kind, 1], S.where_f[kind, 1])


@kernel
def sizes(S):
    """Numbers of bodies, guides, velocity unknowns and rows."""
    a = S.where_i[META, 0]
    nb, ng = S.pool_i[a], S.pool_i[a + 1]
    return nb, ng, 6 * nb + ng, S.pool_i[a + 2]
