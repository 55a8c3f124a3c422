"""What results keep of an accepted step, written down as it is accepted: the motion, and what forces, energies and
violations are read off the work that it was found with.

Laws stand as they act from that instant on, with what is remembered of it and with the multipliers that are written.
Where that may be another load than the one the step was found with, it is found anew. An instant at which a load jumps
has two rows: as the step was found, and as what follows is known (`engine.restart`).
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from ..jit.decorators import inner, kernel
from ..multibody.arrays import (
    BODY,
    FLEX,
    GCOL,
    GROW,
    META,
    PHI,
    PHIDOT,
    ROW_A,
    SLOT,
    count,
    int_line,
    reals,
    sizes,
)
from ..multibody.compile import System
from ..multibody.constraint_kernels import jacobian_times, velocity_residual
from ..multibody.contact_sums import contact_sums
from ..multibody.device_kernels import FORCE_ON_CAR
from ..multibody.flexible_kernels import flexible_energy
from ..multibody.force_kernels import Z_NOW, forces
from ..multibody.layout import TURN
from ..multibody.mass_kernels import block_energy
from ..results.spilled import longer, release
from .contacts import kept_memory, touched_heads
from .integration import LAM, LOGGED, TIME, UDOT, Log, Places, U, copy, copy_rows

SLICE = 64  # accepted steps between two looks at a run
MIN_SLICES, PIECE = 4, 1 << 22  # by which a log grows: slices, bytes


def places_of(system: System) -> Places:
    """Where in the work of a system stands what is written down of a step."""
    joints = (*system.joints, *system.guides)
    group_of = {g.name: g for g in system.groups if g.what in ("joint", "guide")}
    width = max((len(g.rows) for g in system.groups), default=1)
    rows = np.full((len(joints), max(width, 1)), -1, dtype=np.int64)
    for k, place in enumerate(joints):
        own = group_of[place.name].rows
        rows[k, : len(own)] = own
    firsts = system.layout.first_row
    # rows of contacts, by twos, come last
    first = min((c.first for c in system.connectors if c.geometry == "gap"), default=len(system.elements))
    heads = np.full(system.bodies + 1, -1, dtype=np.int64)
    for k, body in enumerate(touched_heads(system).values()):
        heads[body] = k
    return Places(
        rows=rows,
        bodies=np.array([p.body for p in joints], dtype=np.int64),
        points=np.array([p.point for p in joints], dtype=np.float64).reshape(-1, 3),
        borders=np.array([firsts["guides"], firsts["arcs"], first], dtype=np.int64),
        memory=kept_memory(system),
        heads=heads,
        others=int(others_remember(system)),
        jumps=_jumps(system),
    )


def _jumps(system: System) -> int:
    """1 where laws other than those of contacts remember something, by which their load may jump."""
    return int(any(c.geometry != "gap" and c.memory[1] > c.memory[0] for c in system.connectors))


def others_remember(system: System) -> bool:
    """Whether laws other than those of contacts remember, or have unknowns of their own."""
    return any(
        c.geometry != "gap" and (c.memory[1] > c.memory[0] or c.internal[1] > c.internal[0])
        for c in system.connectors
    )


def new_log(system: System, rows: int) -> Log:
    """An empty log of accepted steps.

    Parameters
    ----------
    system
        Whose states it takes.
    rows
        How many steps it has room for.

    Returns
    -------
    Arrays of zeros, an axis of `rows` first.
    """
    nb, layout, ne = system.bodies, system.layout, len(system.elements)
    return Log(
        t=np.zeros(rows),
        r=np.zeros((rows, nb + 1, 3)),
        p=np.zeros((rows, nb + 1, 4)),
        L=np.zeros((rows, len(layout.plain))),
        u=layout.line(rows),
        udot=layout.line(rows),
        z=np.zeros((rows, layout.internal)),
        memory=np.zeros((rows, len(kept_memory(system)))),
        reactions=np.zeros((rows, len(system.joints) + len(system.guides), 6)),
        load=np.zeros((rows, ne)),
        length=np.zeros((rows, ne)),
        heads=np.zeros((rows, len(touched_heads(system)), 6)),
        drive=np.zeros((rows, len(system.device_cars))),
        energy=np.zeros((rows, 5)),
        power=np.zeros((rows, 4)),
        off=np.zeros((rows, 3)),
    )


def roomy_log(system: System) -> Log:
    """An empty log with room for a short run; see `grow`."""
    return new_log(system, 1 + _jumps(system) + _piece(new_log(system, 1)))


def grow(log: Log) -> Log:
    """The same log with room for more rows, in a file from now on if there is a place for one."""
    release(*log)
    return Log(*longer(log, len(log.t) + _piece(log)))


def _piece(log: Log) -> int:
    """Rows by which a log grows: whole slices, so that a run is looked at after the same steps however it grows."""
    per_row = sum(a[:1].nbytes for a in log)
    return SLICE * max(MIN_SLICES, PIECE // (SLICE * per_row))


@inner
def _reaction(g_row, g_col, gx, A, rows, base, point, lam, out):
    """Force and moment (world, at the point) that constraint rows put on the body with slots at base: out (6,)."""
    out[:] = 0.0
    m0, m1, m2 = 0.0, 0.0, 0.0
    for q in range(rows.shape[0]):
        row = rows[q]
        if row < 0:
            break
        for k in range(g_row[row], g_row[row + 1]):
            c = g_col[k] - base
            if 0 <= c < 3:
                out[c] += gx[k] * lam[row]
            elif c == 3:
                m0 += gx[k] * lam[row]
            elif c == 4:
                m1 += gx[k] * lam[row]
            elif c == 5:
                m2 += gx[k] * lam[row]
    # moment about the joint point: the body-fixed force moment less that of the force at the lever from the centre
    f0 = A[0, 0] * out[0] + A[1, 0] * out[1] + A[2, 0] * out[2]
    f1 = A[0, 1] * out[0] + A[1, 1] * out[1] + A[2, 1] * out[2]
    f2 = A[0, 2] * out[0] + A[1, 2] * out[1] + A[2, 2] * out[2]
    m0 -= point[1] * f2 - point[2] * f1
    m1 -= point[2] * f0 - point[0] * f2
    m2 -= point[0] * f1 - point[1] * f0
    for c in range(3):
        out[3 + c] = A[c, 0] * m0 + A[c, 1] * m1 + A[c, 2] * m2


@inner
def _energies(S, W, u, first, energy):
    """Kinetic and potential energy, and what is stored in elastic elements and, from a row of outputs on, in normal
    forces and friction of contacts."""
    nb, _, _, _ = sizes(S)
    at, gravity, body = int_line(S, SLOT), reals(S, META)[0], reals(S, BODY)
    energy[:] = 0.0
    for b in range(nb):
        v, w = u[at[b] :], u[at[b] + TURN :]
        for c in range(3):
            energy[0] += 0.5 * body[b, 0] * v[c] ** 2
            energy[0] += 0.5 * body[b, 1 + c] * w[c] ** 2
            energy[1] -= body[b, 0] * gravity[c] * W.r[b, c]
    energy[0] += block_energy(S, W.block, u)
    for k in range(W.el.shape[0]):
        energy[2 if k < first else 3 + (k - first) % 2] += W.el[k, 3]
    if count(S, FLEX) > 0:
        energy[2] += flexible_energy(S, W)


@kernel
def write_forces(S, W, places, u, lam, log, q):
    """Write what acts at an instant into row q of a log, as the last `constraints` and `forces` left it in W."""
    _, _, _, m = sizes(S)
    at, g_row, g_col = int_line(S, SLOT), int_line(S, GROW), int_line(S, GCOL)
    for k in range(places.memory.shape[0]):
        log.memory[q, k] = W.memory[places.memory[k]]
    for k in range(places.rows.shape[0]):
        b = places.bodies[k]
        _reaction(
            g_row, g_col, W.gx, W.A[b], places.rows[k], at[b], places.points[k], lam, log.reactions[q, k]
        )
    for k in range(W.el.shape[0]):
        log.length[q, k], log.load[q, k] = W.el[k, 0], W.el[k, 2]
    if log.heads.shape[1] > 0:
        contact_sums(W.touch, W.contact, W.A, W.r, places.heads, W.tmp, log.heads[q])
    for k in range(log.drive.shape[1]):
        log.drive[q, k] = W.device[k, FORCE_ON_CAR]
    _energies(S, W, u, places.borders[2], log.energy[q])
    power, off, own = log.power[q], log.off[q], W.row[ROW_A]
    for c in range(3):
        power[c] = W.power[c]
    velocity_residual(S, W, u, W.row[PHIDOT])
    jacobian_times(g_row, g_col, W.gx, u, own)
    power[3] = 0.0
    off[:] = 0.0
    for row in range(m):
        power[3] += lam[row] * (own[row] - W.row[PHIDOT, row])
        side = 1 if places.borders[0] <= row < places.borders[1] else 0
        off[side] = max(off[side], abs(W.row[PHI, row]))
        off[2] = max(off[2], abs(W.row[PHIDOT, row]))


@kernel
def write_log(S, W, Y, log, anew):
    """Append the present state to a log.

    Parameters
    ----------
    S, W
        Tables and memory of the system, the latter as the `constraints` and `forces` of the state left it.
    Y
        The integration, whose count of rows goes up by one.
    log
        With room for a row.
    anew
        Whether to find forces anew, with what is remembered now.
    """
    if anew:
        W.z_step[0] = 0.0
        copy(Y.z[Z_NOW], W.z[Z_NOW])
        forces(S, W, Y.v[U], Y.l[LAM])
    q = Y.counts[LOGGED]
    Y.counts[LOGGED] += 1
    log.t[q] = Y.clock[TIME]
    copy_rows(Y.r[0], log.r[q])
    copy_rows(Y.p[0], log.p[q])
    copy(Y.L[0], log.L[q])
    copy(Y.v[U], log.u[q])
    copy(Y.v[UDOT], log.udot[q])
    copy(Y.z[Z_NOW], log.z[q])
    write_forces(S, W, Y.places, Y.v[U], Y.l[LAM], log, q)
