"""The saddle-point system of a compiled System: pattern, elimination order, consistent accelerations, projections."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotate_by_vector_kernel, rotation_matrix
from ..jit.decorators import inner, kernel
from ..multibody.acceleration_kernels import acceleration_rhs
from ..multibody.arrays import (
    E_PATH,
    FORCE,
    GAMMA,
    GCOL,
    GROW,
    PAIR,
    PHI,
    PHIDOT,
    PLAIN,
    ROW_A,
    ROW_B,
    SLOT,
    VEL_A,
    VEL_B,
    Work,
    count,
    int_line,
    ints,
    sizes,
)
from ..multibody.compile import System
from ..multibody.constraint_kernels import constraints, jacobian_times, velocity_residual
from ..multibody.force_kernels import forces
from ..multibody.layout import TURN
from ..multibody.mass_kernels import subtract_mass
from ..multibody.tangent_kernels import tangent
from .ldl import (
    EPSILON,
    Factor,
    factorise,
    scatter,
    solve_parts,
    symbolic,
)
from .ordering import Entries, Pattern, elimination_order

SWEEPS = 3
MAX_SWEEPS = 40  # light bodies that carry heavy ones take more than SWEEPS, and so does rolling resistance
STANDSTILL = 1e-11  # relative change of the accelerations at which the multipliers are updated no more


def pattern_of(system: System) -> Pattern:
    """What couples with what in the saddle-point matrix of a system."""
    S = system.arrays
    return Pattern(
        layout=system.layout,
        pairs=tuple((int(i), int(j)) for i, j in ints(S, PAIR)),
        g_row=int_line(S, GROW),
        g_col=int_line(S, GCOL),
        groups=_row_groups(system),
    )


def _row_groups(system: System) -> tuple[tuple[int, int], ...]:
    """Rows of one joint that lie side by side, as (first, end) ranges."""
    out = []
    for group in system.groups:
        rows = sorted(group.rows)
        start = None
        for q, row in enumerate(rows):
            if start is None:
                start = row
            if q + 1 == len(rows) or rows[q + 1] != row + 1:
                out.append((start, row + 1))
                start = None
    return tuple(out)


def dense_jacobian(system: System, work: Work) -> Array:
    """G (rows, coordinates) from the values of the last `constraints` call."""
    g_row, g_col = int_line(system.arrays, GROW), int_line(system.arrays, GCOL)
    G = system.layout.line(system.rows)
    np.add.at(G, (np.repeat(np.arange(system.rows), np.diff(g_row)), g_col), work.gx)
    return G[:, : system.coordinates]


def representative_matrix(system: System, step: float = 0.005) -> Entries:
    """K near the start pose, slightly turned at random so that no entry vanishes by symmetry."""
    S, W = system.arrays, system.new_work()
    layout, nb, ng = system.layout, system.bodies, len(system.guides)
    nu, rest = layout.coordinates, layout.line()
    noise = np.random.default_rng(7)
    p = system.start.p.copy()
    for b in range(nb):
        x, y, z = 0.07 * noise.standard_normal(3)
        rotate_by_vector_kernel(system.start.p[b], x, y, z, p[b])
    W.A[:-1] = rotation_matrix(p[:-1])
    constraints(S, W, system.start.time, system.start.r, p, system.start.path)
    forces(S, W, rest, np.zeros(system.rows))
    Hs = np.zeros(ng)
    lam = np.zeros(system.rows)
    tangent(S, W, rest, lam, 1.0 / step**2, 1.0 / step, 1.0, Hs)
    pattern = pattern_of(system)
    own, shared = pattern.own(), pattern.shared()
    row, column = pattern.jacobian()
    joined, scale = column < nu, step**2  # brings rows to the size of the body blocks
    parts = (
        (own.i, own.j, W.Hd[own.block, own.row, own.column]),
        (shared.i, shared.j, W.Ho[shared.block, shared.row, shared.column]),
        (row[joined], column[joined], -W.gx[joined] / scale),
    )
    return Entries(*(np.concatenate([part[k] for part in parts]) for k in range(3)))


def new_factor(system: System) -> Factor:
    """Elimination order and storage for the saddle-point matrix of a system."""
    pattern = pattern_of(system)
    return symbolic(pattern, elimination_order(pattern, representative_matrix(system)))


class Form(NamedTuple):
    """How constraints enter the equations of motion: feedback alpha and beta (1/s), penalty factor or 0, and how often
    they are solved for a state, at least (without penalty) or at most."""

    alpha: float
    beta: float
    penalty: float
    passes: int


PLAIN_FORM = Form(0.0, 0.0, 0.0, SWEEPS)  # eq. 2.10: accelerations that satisfy the constraints


@kernel
def consistent_acceleration(S, W, X, E, Hs, u, form, udot, lam):
    """Accelerations and multipliers at the pose of the last `constraints` in a form of the equations.

    [M -G^T; G 0][u_dot; lam] = [f; gamma - 2 alpha dPhi/dt - beta^2 Phi] (Viegas 2016, eq. 2.15; alpha = beta
    = 0 gives eq. 2.10) is solved `passes` times, each time for what was left before. With penalty 0 a tiny E stands
    in the lower right corner, and a few passes (SWEEPS) give rows that others imply the multipliers of smallest size
    (proximal iteration); further ones, up to MAX_SWEEPS, follow until the accelerations stand still.
    With a penalty P that corner is 1 / P: one pass is the penalty method, each further one an update of the multipliers
    of the augmented Lagrangian, until the accelerations stand still (Bayo, Garcia de Jalon & Serna 1988). Rolling
    resistance, which depends on lam, is that of the pass before: with it the penalty method takes further passes, too.
    udot (width,), lam (m,) in: a guess, out: the solution. E (m,), Hs (ng,): scratch. Returns success.
    """
    _, _, nu, m = sizes(S)
    alpha, beta, penalty, passes = form.alpha, form.beta, form.penalty, form.passes
    g_row, g_col = int_line(S, GROW), int_line(S, GCOL)
    velocity_residual(S, W, u, W.row[PHIDOT])
    acceleration_rhs(S, W, u)
    forces(S, W, u, lam)
    tangent(S, W, u, lam, 1.0, 0.0, 0.0, Hs)
    scatter(X, g_row, g_col, W.gx, W.Hd, W.Ho, Hs, E, EPSILON)
    if penalty > 0.0:
        own = X.at_first[4]
        for row in range(m):
            X.D[-1 - X.at[own + row]] += E[row] - 1.0 / penalty
    if not factorise(X):
        return False
    udot[:] = 0.0
    lam[:] = 0.0
    f, r = W.vel[VEL_A], W.row[ROW_A]
    rolling, alone = count(S, E_PATH) > 0, penalty > 0.0 and passes == 1
    most = max(passes, MAX_SWEEPS) if penalty == 0.0 or (alone and rolling) else passes
    least, before = passes if penalty == 0.0 else 1, math.inf
    for sweep in range(most):
        if rolling and sweep > 0:
            forces(S, W, u, lam)
        jacobian_times(g_row, g_col, W.gx, udot, r)
        for row in range(m):
            if alone:  # what the penalty leaves open stays open
                r[row] += lam[row] / penalty
            r[row] += 2.0 * alpha * W.row[PHIDOT, row] + beta * beta * W.row[PHI, row] - W.row[GAMMA, row]
        for k in range(nu):
            f[k] = W.vel[FORCE, k]
        subtract_mass(S, W.block, udot, f)
        change, size = add_solution(S, W, X, udot, lam)
        if sweep + 1 >= least and (change <= STANDSTILL * max(1.0, size) or change > before):
            break
        before = change
    return True


@inner
def add_solution(S, W, X, d, lam):
    """Add to d (width,) and lam (m,) what solves the factorised system for the right-hand side W.vel[VEL_A] + G^T lam,
    W.row[ROW_A]. Returns the largest change of d and its size afterwards."""
    _, _, nu, m = sizes(S)
    f = W.vel[VEL_A]
    add_constraint_force(int_line(S, GROW), int_line(S, GCOL), W.gx, lam, f)
    solve_parts(X, nu, f, W.row[ROW_A], W.vel[VEL_B], W.row[ROW_B])
    change, size = 0.0, 0.0
    for k in range(nu):
        d[k] += W.vel[VEL_B, k]
        change, size = max(change, abs(W.vel[VEL_B, k])), max(size, abs(d[k]))
    for row in range(m):
        lam[row] += W.row[ROW_B, row]
    return change, size


@inner
def add_constraint_force(g_row, g_col, gx, lam, out):
    """out (width,) += G^T lam."""
    for row in range(g_row.shape[0] - 1):
        x = lam[row]
        if x != 0.0:
            for q in range(g_row[row], g_row[row + 1]):
                out[g_col[q]] += gx[q] * x


@kernel
def move(S, r, p, L, dx, r_out, p_out, L_out):
    """Move a pose by a line dx: positions and plain coordinates added, orientations turned by a vector in body axes."""
    at, plain = int_line(S, SLOT), int_line(S, PLAIN)
    for b in range(at.shape[0] - 1):
        q, w = at[b], at[b] + TURN
        for c in range(3):
            r_out[b, c] = r[b, c] + dx[q + c]
        rotate_by_vector_kernel(p[b], dx[w], dx[w + 1], dx[w + 2], p_out[b])
    for k in range(plain.shape[0]):
        L_out[k] = L[k] + dx[plain[k]]
