"""What an integration keeps between calls, whichever method takes its steps: state, log, and what they return.

The numbers below name lines and entries of the arrays in `Memory`.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

from ..base.arrays import Array, Integers
from ..jit.decorators import inner
from .multistep import Past

RUNNING, FINISHED, STEP_TOO_SMALL, FULL, PATH_END, JUMPED, PASSED = 0, 1, 2, 3, 4, 5, 6
MARGIN = 0.02  # share of a step; events closer to its ends are not worth a step of their own
TOUCHES = 24  # tries at most to end where surfaces touch
LANDINGS = 4  # more tries at most to end at the border of an internal unknown

# lines of Memory.v: present and end of step. ACC is u_dot without gyroscopic parts. MOMENTUM is u, and
# START and KEPT are what u1 and d1 have from the start of the step, rotational slots times J and in world axes; REST
# and BASE are what a1 - a0, in body axes, and the pose increment have from there
U, UDOT, DEV, U1, UDOT1, DX, DP, RES, DU, PUSH, FORCE0, CHANGE = range(12)
ACC, ACC1, ACC_BEFORE, MOMENTUM, START, KEPT, REST, BASE = range(12, 20)
# lines of Memory.l (row-sized)
LAM, LAM1, ROW, DLAM, REG, MU, TURN, CLOSE, LAM_BEFORE, PAST = range(10)  # from PAST on SECANTS lines
# lines of Memory.g (sized as the Jacobian)
AT_START, IN_FACTOR = range(2)
Z_DEV, Z_RATE_BEFORE = 2, 3  # lines of Memory.z behind Z_NOW and Z_RATE, which are as in Work.z
# lines of Memory.clock, Memory.counts and Memory.form
TIME, STEP, STEP_BEFORE, ERROR, FACTOR_STEP, TAKEN, BY_TWO, BY_FOUR = range(8)
ACCEPTED, REJECTED, ITERATIONS, FACTORS, HAS_FACTOR, LOGGED, FREE, WORN, FOURTH, WAIT, AFRESH = range(11)


class Places(NamedTuple):
    """Where what is written down of a step is found: rows of each joint and guide (nr, width), -1 padded, its body and
    the point there (body axes); first and end row of the guides, first row of outputs of contacts; numbers of
    W.memory; for every body (nb + 1,) which of the heads it is that contacts may touch, or -1."""

    rows: Integers
    bodies: Integers
    points: Array
    borders: Integers
    memory: Integers
    heads: Integers
    others: int  # 1 where elements other than contacts remember something or have unknowns of their own
    jumps: int  # 1 where they remember something, by which their load may jump


class Memory(NamedTuple):
    """State of an integration between calls; all arrays change in place. Pairs (2, ...) hold the pose at the
    start and at the end of the step."""

    clock: Array  # (8,) time, step to try, step before, error of the last, step of the factorisation, step under way;
    # error by second and fourth order
    counts: Integers  # (11,) FOURTH: the step under way is one of order 4; WAIT: so many are not to be; AFRESH: it
    # is as the first one, which needs no deviation
    form: Array  # (8,) coefficients of the step under way, see scheme
    r: Array  # (2, nb + 1, 3)
    p: Array  # (2, nb + 1, 4)
    L: Array  # (2, plain)
    A: Array  # (nb + 1, 3, 3) axes of the bodies at the start of the step
    v: Array  # (20, width)
    l: Array  # (PAST + SECANTS, m)
    g: Array  # (2, Jacobian entries) Jacobian at the start of the step, and that of the factorisation
    Hs: Array  # (ng,)
    euler: Array  # (nb, 6) of the bodies, see momentum
    held: Integers  # (nb,) 1 for bodies with constraints
    weight: Array  # (width,) what errors of a step count in each slot, see weights
    el_weight: Array  # (elements,) and of each output row of force elements
    el: Array  # (elements, 5) force elements at the start of the step
    slope: Array  # (elements, then elastic coordinates) means of their second derivatives over the last step
    load: Array  # (2, then flexible bodies) N and N m, the largest force and moment on a body so far, and most bent
    z: Array  # (4, internal unknowns) at the start of the step, rates, deviation of these (as DEV), rates before
    memory: Array  # what laws remember: Work.memory itself
    block: Array  # Work.block at the start of the step
    places: Places
    past: Past


class Log(NamedTuple):
    """Accepted steps, one row each, with what results keep of them."""

    t: Array
    r: Array
    p: Array
    L: Array
    u: Array
    udot: Array
    z: Array
    memory: Array  # see contacts.kept_memory
    reactions: Array  # (n, joints and guides, 6)
    load: Array  # (n, elements)
    length: Array  # (n, elements)
    heads: Array  # (n, touched heads, 6) see contact_sums
    drive: Array  # (n, cars) forces of devices
    energy: Array  # (n, 5) kinetic, potential, elastic, and in contacts: of normal forces, of bristles
    power: Array  # (n, 4) dissipated, drag, applied and devices, drivers
    off: Array  # (n, 3) violations of joints, guides, velocity


@inner
def copy(source, target):
    """target <- source, both one-dimensional."""
    for k in range(source.shape[0]):
        target[k] = source[k]


@inner
def copy_rows(source, target):
    """target <- source, both (rows, columns)."""
    for k in range(source.shape[0]):
        for c in range(source.shape[1]):
            target[k, c] = source[k, c]
