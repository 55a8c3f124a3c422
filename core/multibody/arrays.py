"""The compiled system as a few pooled arrays, the only thing the kernels see.

Every kind of element has a table of integers (bodies, functions) and a table of numbers (points, axes,
parameters), one row an element. All tables lie in two pools behind one directory: kernels that take a handful of
arrays compile in a second where hundred arrays take a minute. `ints(S, KIND)` and `reals(S, KIND)` are views.

Where velocities, plain coordinates and constraint rows lie is decided by `core.multibody.layout`; SLOT, SIZE and PLAIN
are its tables. The ground is body number nb: unit pose, no motion. Constraint rows come in the order PT, DOT, SL, DS,
GD, AL, AR, TIE. Points s and axes a, u are in body axes.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from ..jit.decorators import kernel
from ..jit.tables import compile_view


def _kind(number: int) -> int:
    return np.int64(number)  # type: ignore[return-value]


# Kinds of tables: columns of the integers | columns of the numbers. As numpy integers, because numba compiles a
# function anew for every literal that a Python integer in its place would be.
META = _kind(0)  # one row: see its columns below | gravity (3)
BODY = _kind(1)  # - | mass, inertia (3)
FN = _kind(2)  # functions of time: first, end term, 1 for spline pieces | offset, rate, half acceleration
TERM = _kind(3)  # - | amplitude, omega, phase, 0, 0 or knot, c0..c3
PT = _kind(4)  # coincident points, 3 rows: i, j | s_i, s_j: r_i + A_i s_i - r_j - A_j s_j = 0
# perpendicular, 1 row: i, j, fn, sine | a, g, b: (A_i a).(A_j b) = 0; fn >= 0 turns a towards -g, or with `sine` is the
# angle whose sine stands on the right
DOT = _kind(5)
SL = _kind(6)  # along a direction, 1 row: i, j, fn | a, s_i, s_j: (A_i a).d = c(t), d from point i to point j
DS = _kind(7)  # distance, 1 row: i, j, fn, pair | s_i, s_j: |d| = c(t)
GD = _kind(8)  # guides, 3 rows: body, path | s: r + A s - g(L) = 0
AL = _kind(9)  # alignment, 1 row: guide, 0 n or 1 b | u, c: m(L).(A u) = c
AR = _kind(10)  # driven arc length, 1 row: guide, fn, 1 on a course | -: L = c(t)
PATH = _kind(11)  # first and end piece, hint, table row; closed | length, bin, table step
KNOT = _kind(12)  # - | arc lengths, one more than pieces for every path
COEF = _kind(13)  # - | 54 coefficients a piece
HINT = _kind(14)  # interval numbers | -
TABLE = _kind(15)  # - | 37 columns
# Force elements, a table of integers with the columns I, J .. WIDE below and one of numbers for every geometry:
E_DISTANCE = _kind(16)  # s_i, s_j, origin
E_ANGLE = _kind(17)  # f, g, a on i, f_j on j, origin
E_TURN = _kind(18)  # relative rotation as drawn (9)
E_SLIDE = _kind(19)  # a on i, s_i, s_j, origin
E_FRAME = _kind(20)  # s_i, s_j, axes of the frame on i (9, rows) and on j (9)
# along a line of points: first row in VIA and number of points in place of bodies | -
E_LINE = _kind(21)
E_SPEED = _kind(22)  # body in place of i | -
E_PATH = _kind(23)  # guide in place of i | -
E_LOAD = _kind(24)  # body, fn (3), 0 force 1 in body axes 2 torque 3 in body axes, 4 wind 5
# wind without the motion of the body | s, half of density * drag area
GROW = _kind(25)  # starts of the Jacobian rows | -
GCOL = _kind(26)  # columns of the Jacobian entries | -
PAIR = _kind(27)  # bodies that springs couple: i, j with i > j | -
DV = _kind(28)  # devices of the track | a row of core.track.devices.law
# cars that devices act on: first and end body, first and end guide, first and end row of its consist | mass, share
# of every device over the mass of the consist
DC = _kind(29)
DW = _kind(
    30
)  # where guides meet devices, a row a guide | circuit's length or 0, then start and end for every device
PAR = _kind(31)  # - | parameters of laws, see PAR columns of the elements
START = _kind(32)  # - | what Work.memory starts with

# Columns of the tables of force elements: bodies, their pair, law, its spans in PAR, Work.memory and Work.z, function
# of time or -1, number of borders, 1 for an active law, 1 for internal unknowns without rates, row of Work.wide
# or -1 for a scalar law.
I, J, PAIR_AT, LAW, P0, P1, M0, M1, Z0, Z1, FN_AT, LEVELS, ACTIVE, ALGEBRAIC, WIDE = range(15)
COLUMNS = 15
SLOT = _kind(33)  # first velocity slot of every body, the ground last | -
SIZE = _kind(34)  # velocity slots of every body, the ground last | -
PLAIN = _kind(35)  # velocity slots of the plain coordinates, those of the paths first | -
EL = _kind(36)  # what the output rows of force elements measure: 0 a length, 1 an angle | -
# what masses have besides BODY: body | block of rotation and modal coordinates, row by row, see mass_kernels
BLOCK = _kind(37)
# contacts: what core.multibody.contact_tables lays out for their kernels, which Work.touch and .contact begin with
TOUCH = _kind(38)
# flexible bodies, see flexible_kernels: body, modal coordinates, place of the first in a line of plain coordinates, row
# of BLOCK | stiffness, damping and what their inertia changes by
FLEX = _kind(39)
# their interface frames, 6 rows each: row of FLEX, its body, the body on the frame | place, point of the body, turn of
# its axes (9), how the frame moves and turns with the modal coordinates
TIE = _kind(40)
# points of these lines: body, pairs with the bodies of the points before it or -1 (6) | s
VIA = _kind(41)
KINDS = 42
# columns of META: counts of bodies, guides, velocity unknowns and rows, first row of the guides, 1 for the linear path
# table
BODIES, GUIDES, UNKNOWNS, ROWS, GUIDE_ROW, LINEAR = range(6)


class Arrays(NamedTuple):
    """Constants of a run: directories (first entry, rows, columns) and pools."""

    where_i: Integers  # (KINDS, 3)
    pool_i: Integers
    where_f: Integers  # (KINDS, 3)
    pool_f: Array


class Work(NamedTuple):
    """Scratch memory of one run, so that no kernel allocates. `row`: Phi, dPhi/dt, gamma and two spare lines;
    `vel`: forces and two spare lines; `power` (W): dissipated, drag, applied; `el`: see force_kernels."""

    A: Array  # (nb + 1, 3, 3)
    r: Array  # (nb + 1, 3)
    fn: Array  # (functions, 3) value, first and second derivative
    path: Array  # (ng, 3, 9) position and frame, d/dL, d2/dL2
    row: Array  # (5, m)
    gx: Array  # Jacobian values
    vel: Array  # (3, width) velocity lines
    el: Array  # (elements, 5)
    power: Array  # (3,)
    angle0: Array  # (angle elements,) unwrapped angles of the last accepted instant
    memory: Array  # what laws remember of the last accepted step
    z: Array  # (3, internal unknowns) see force_kernels
    z_step: Array  # (5,) how they are found, whether they could not be, what an accepted step says: see force_kernels
    law: Array  # (elements, 7) coordinate, rate and what the law says, see force_kernels; loads have none
    way: Array  # (elements, 18) what they act along
    coordinates: Array  # (wide laws, 3, 6) of these, their rates, and angles at the points of a line
    wide: Array  # (wide laws, ROWS, COLUMNS) what they say, see core.model.laws
    gauss: Array  # (8, 22) for its internal unknowns
    slopes: Array  # (6, 6) what it adds to the tangent in its coordinates
    levers: Array  # (2, 6, 6) how these move with the bodies
    products: Array  # (6, 6)
    Hd: Array  # (nb + 1, widest, widest) blocks, of smaller bodies in the first rows and columns
    Ho: Array  # (pairs + 1, widest, widest)
    lever: Array  # (3, 3, 6)
    tmp: Array  # (24, 3)
    place: Array  # (plain,) plain coordinates, arc lengths of the guides first
    block: Array  # as the numbers of BLOCK, those of flexible bodies as they are bent
    bent: Array  # (ties, 3 + 6 modes) where interface frames are and how they move, see flexible_kernels
    touch: Integers  # the directory of contacts, see contact_kernels; empty without any
    contact: Array  # and their numbers
    device: Array  # (cars, 7) what devices do to the cars and remember of them, see device_kernels


PHI, PHIDOT, GAMMA, ROW_A, ROW_B = 0, 1, 2, 3, 4
FORCE, VEL_A, VEL_B = 0, 1, 2


def pooled(tables_i: dict[int, Integers], tables_f: dict[int, Array]) -> Arrays:
    """Lay tables (rows, columns) by kind into pools."""

    def lay(tables: dict[int, Any], dtype: type) -> tuple[Integers, Any]:
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


def _table(where: Integers, pool: Any, kind: int) -> Any:
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
def path_slot(S):
    """First velocity slot of the speeds along paths."""
    a = S.where_i[META, 0]
    return S.pool_i[a + UNKNOWNS] - S.pool_i[a + GUIDES]


@kernel
def sizes(S):
    """Numbers of bodies, guides, velocity unknowns and rows."""
    a = S.where_i[META, 0]
    return S.pool_i[a + BODIES], S.pool_i[a + GUIDES], S.pool_i[a + UNKNOWNS], S.pool_i[a + ROWS]
