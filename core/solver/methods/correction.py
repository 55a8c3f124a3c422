"""Direct correction of positions and velocities that violate their constraints (Yu & Chen 2000; Spicka 2020, eqs.
3.95 and 3.100).

The change d of the pose (m, and rad in body axes) is the smallest one with G d = -Phi, that of the velocities the
smallest with G du = -dPhi/dt. What "smallest" means is the weight: "mass" takes the kinetic size d.M d, as assembling
does, so that a light wheel gives way to a heavy car; "none" counts metres and radians alike, the pseudo-inverse
G^T (G G^T)^-1 of the documents (there over Euler parameters in place of rotation vectors).
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...jit.decorators import inner, kernel
from ...multibody.arrays import (
    GCOL,
    GROW,
    PHI,
    PHIDOT,
    ROW_A,
    SIZE,
    VEL_A,
    int_line,
    sizes,
)
from ...multibody.constraint_kernels import constraints, jacobian_times, velocity_residual
from ...multibody.mass_kernels import subtract_mass
from ...multibody.tangent_kernels import tangent
from ...project.scenario import SolverSettings
from ..kkt import SWEEPS, add_solution, move
from ..ldl import EPSILON, factorise, scatter

NOTHING, CORRECTED, LOST = 0, 1, 2
MAX_ITERATIONS = 10  # Newton steps for the positions of one instant


class Correction(NamedTuple):
    """When and how to correct: 1 for on, violations allowed (m or rad; m/s or rad/s), 1 for weight "mass"."""

    on: int
    position: float
    velocity: float
    by_mass: int


class Change(NamedTuple):
    """A change of velocities or of the pose d (width,), and its multipliers lam (m,)."""

    d: Any
    lam: Any


def correction_of(settings: SolverSettings) -> Correction:
    """The correction that settings ask for."""
    s = settings
    on = s.stabilisation in ("correction", "baumgarte_and_correction")
    return Correction(
        int(on), s.correction_tolerance, s.correction_velocity_tolerance, int(s.correction_weight == "mass")
    )


@inner
def largest(x):
    """Largest magnitude in x (n,); not a number when there is one that is none."""
    most = 0.0
    for k in range(x.shape[0]):
        if math.isnan(x[k]):
            return x[k]
        most = max(most, abs(x[k]))
    return most


@inner
def _smallest_change(S, W, X, spare, u, by_mass, line, out):
    """out.d (width,) of smallest weight with G d = -W.row[line], at the pose of the last `constraints`."""
    nb, _, nu, m = sizes(S)
    g_row, g_col, d, lam, Hs = int_line(S, GROW), int_line(S, GCOL), out.d, out.lam, spare.Hs
    lam[:] = 0.0
    d[:] = 0.0
    tangent(S, W, u, lam, 1.0, 0.0, 0.0, Hs)
    if not by_mass:
        size = int_line(S, SIZE)
        for b in range(nb):
            for c in range(size[b]):
                W.Hd[b, c, c] = 1.0
        Hs[:] = 1.0
    scatter(X, g_row, g_col, W.gx, W.Hd, W.Ho, Hs, spare.E, EPSILON)
    if not factorise(X):
        return False
    f, row = W.vel[VEL_A], W.row[ROW_A]
    for _ in range(SWEEPS):  # further sweeps remove what the regularisation of implied rows leaves over
        jacobian_times(g_row, g_col, W.gx, d, row)
        for q in range(m):
            row[q] += W.row[line, q]
        for k in range(nu):
            f[k] = 0.0 if by_mass else -d[k]
        if by_mass:
            subtract_mass(S, W.block, d, f)
        add_solution(S, W, X, d, lam)
    return True


@kernel
def correct(S, W, X, spare, how, t, state, change):
    """Correct a state (see `rates.Moving`) at t in place where its violations exceed what `how` allows.

    spare, change: scratch. Returns NOTHING, CORRECTED, or LOST when the positions do not come together.
    """
    _, _, nu, _ = sizes(S)
    r, p, L, u = state.r, state.p, state.L, state.u
    constraints(S, W, t, r, p, L)
    out = NOTHING
    for k in range(MAX_ITERATIONS + 1):
        if largest(W.row[PHI]) <= how.position:
            break
        if k == MAX_ITERATIONS or not _smallest_change(S, W, X, spare, u, how.by_mass, PHI, change):
            return LOST
        move(S, r, p, L, change.d, r, p, L)
        constraints(S, W, t, r, p, L)
        out = CORRECTED
    velocity_residual(S, W, u, W.row[PHIDOT])
    if not largest(W.row[PHIDOT]) <= how.velocity:
        if not _smallest_change(S, W, X, spare, u, how.by_mass, PHIDOT, change):
            return LOST
        for k in range(nu):
            u[k] += change.d[k]
        out = CORRECTED
    return out
