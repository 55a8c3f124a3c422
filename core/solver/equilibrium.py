"""Static equilibrium: the pose in which springs and joints carry the weight, and the loads of a motion.

Pseudo-transient continuation (Kelley & Keyes 1998): implicit steps (M / tau^2 + K) d = F + G^T lam under G d = -Phi,
without velocity, tau growing as the unbalanced force shrinks. It follows the way the mechanism would settle, so it ends
in the stable equilibrium below the start pose, and free directions without force stay where they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..multibody.arrays import BODY, FORCE, GCOL, GROW, META, PHI, int_line, reals
from ..multibody.compile import State, System
from ..multibody.constraint_kernels import constraints
from ..multibody.device_kernels import ACTIVE
from ..multibody.force_kernels import AT_REST, Z_NOW, forces, keep_elements
from ..multibody.tangent_kernels import tangent
from .assemble import HOLD, leading_guides
from .carried import Carried
from .kkt import move
from .ldl import EPSILON, Factor, factorise, scatter, solve_parts

STEPS = 4000
LARGEST_MOVE = 0.05  # m or rad a step
FIRST_TAU, LAST_TAU = 0.01, 1e4  # s
PATIENCE, SHORTER = 20, 0.1  # steps in balance that do not close, and what becomes of tau
STILL = 1e-10  # m or rad a step


@dataclass(frozen=True)
class Equilibrium:
    """A pose at rest: state with zero velocities, multipliers (m,), steps taken, what is left of the force and
    moment balance (N, N m), how far the furthest point went (m or rad), and the force (ng,) N along its path with which
    each guide is held at its place, and the internal unknowns of elements there."""

    state: State
    lam: Array
    steps: int
    unbalanced: float
    moved: float
    holding: Array
    internal: Array


def static_equilibrium(
    system: System,
    X: Factor,
    state: State,
    *,
    motion: Carried | None = None,
    each: bool = True,
    tolerance: float = 1e-6,
    steps: int = STEPS,
) -> Equilibrium:
    """Settle a system from an assembled state under its forces at that state's time.

    motion: of the train that carries it: under the loads of that it comes to rest against the train. Guides keep their
    arc lengths (a train is held where it stands; devices do nothing); without `each`, and of a train that moves, one of
    each row of coupled cars: the others hang on their couplings, or their loads are in balance along the track.
    tolerance: allowed imbalance relative to the weight of the whole system; of what weighs less than 1 N, 1 N counts,
    once nothing moves any more.
    Raises InputError when it does not come to rest.
    """
    S, W = system.arrays, system.new_work()
    W.device[:, ACTIVE] = 0.0
    W.z_step[0] = AT_REST
    ng, nu, m, layout = len(system.guides), system.coordinates, system.rows, system.layout
    g_row, g_col = int_line(S, GROW), int_line(S, GCOL)
    row = np.repeat(np.arange(m), np.diff(g_row))
    r, p, path = state.r.copy(), state.p.copy(), state.path.copy()
    rest, lam, u, load = layout.line(), np.zeros(m), layout.line(), np.zeros(nu)
    dx, dlam, Hs, E = layout.line(), np.zeros(m), np.zeros(ng), np.zeros(m)
    mass = float(reals(S, BODY)[:, 0].sum())
    weight = float(np.linalg.norm(reals(S, META)[0])) * mass
    alone = each and motion is None
    held = layout.paths.start + (np.arange(ng) if alone else leading_guides(system))
    tau, before, moved, unbalanced, size, balanced = FIRST_TAU, np.inf, 0.0, np.inf, np.inf, 0
    for step in range(steps):
        constraints(S, W, state.time, r, p, path)
        if motion is not None:
            u, a = motion.lines(system, r, p)
            load = system.mass_times(a[:nu])
        forces(S, W, u, lam)
        keep_elements(S, W)
        balance = W.vel[FORCE, :nu] - load + np.bincount(g_col, W.gx * lam[row], layout.width)[:nu]
        holding = np.zeros(ng)
        holding[held - layout.paths.start] = -balance[held]
        balance[held] = 0.0  # a held train needs no balance along its path
        unbalanced = float(np.max(np.abs(balance), initial=0.0))
        open_by = float(np.max(np.abs(W.row[PHI]), initial=0.0))
        allowed = tolerance * max(weight, 1.0 if size <= STILL else 0.0)
        if unbalanced <= allowed and open_by <= 1e-10:
            found = State(state.time, r, p, path, layout.line())
            return Equilibrium(found, lam, step, unbalanced, moved, holding, W.z[Z_NOW].copy())
        # what stays in balance but does not close, since it still creeps, is closed without moving on
        balanced = balanced + 1 if unbalanced <= allowed else 0
        closing = balanced >= PATIENCE
        longer = SHORTER if closing else float(np.clip(before / max(unbalanced, 1e-300), 0.5, 2.0))
        tau = min(LAST_TAU, max(FIRST_TAU, tau * longer))
        before = unbalanced
        tangent(S, W, rest, lam, 1.0 / tau**2, 0.0, 1.0, Hs)
        # holding a path coordinate: a stiff diagonal in place of its missing inertia
        Hs[held - layout.paths.start] = HOLD * mass
        scatter(X, g_row, g_col, W.gx, W.Hd, W.Ho, Hs, E, EPSILON)
        if not factorise(X):
            break
        solve_parts(X, nu, balance * (not closing), W.row[PHI], dx, dlam)
        size = float(np.max(np.abs(dx[:nu]), initial=0.0))
        if not np.isfinite(size):
            break
        scale = min(1.0, LARGEST_MOVE / size) if size > 0.0 else 1.0
        if scale < 1.0:
            tau = max(FIRST_TAU, 0.7 * tau)
        move(S, r, p, path, scale * dx, r, p, path)
        lam += scale * dlam
        moved += scale * size
    raise InputError(
        f"The model does not come to rest under its weight (largest imbalance {unbalanced:.3g} N or N m);"
        " support what falls freely, and of what is pushed steadily take the modes at a time of its run (--time)."
    )
