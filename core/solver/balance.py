"""What is out of balance in a pose at rest, and the step that follows it: what the ways to come to rest share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array, Integers
from ..multibody.arrays import BODY, FORCE, GCOL, GROW, META, PHI, Work, int_line, reals
from ..multibody.compile import State, System
from ..multibody.constraint_kernels import constraints
from ..multibody.device_kernels import ACTIVE
from ..multibody.force_kernels import AT_REST, Z_NOW, forces
from ..multibody.tangent_kernels import tangent
from .assemble import HOLD, leading_guides
from .carried import Carried
from .kkt import move
from .ldl import EPSILON, Factor, factorise, scatter, solve_parts

LARGEST_MOVE = 0.05  # m or rad a step
FIRST_TAU = 0.01  # s
CLOSED = 1e-10  # m or rad


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


class Pose:
    """A pose in which the balance is looked at: r (nb + 1, 3) m, p (nb + 1, 4), path (plain,) m, lam (m,)."""

    def __init__(self, r: Array, p: Array, path: Array, lam: Array) -> None:
        self.r, self.p, self.path, self.lam = r, p, path, lam

    def copy(self) -> Pose:
        return Pose(self.r.copy(), self.p.copy(), self.path.copy(), self.lam.copy())


class Balance:
    """Forces, moments and open constraints of a system that is to come to rest from a state.

    Guides keep their arc lengths; devices do nothing. W: its scratch memory; motion: of the train that carries it,
    under the loads of which it comes to rest against the train. each: every guide is held at its place; otherwise, and
    in a train that moves, the first of each row of coupled cars.
    """

    def __init__(
        self, system: System, X: Factor, W: Work, state: State, motion: Carried | None, each: bool
    ) -> None:
        S, layout = system.arrays, system.layout
        self.system, self.factor, self.work, self.time, self.motion = system, X, W, state.time, motion
        W.device[:, ACTIVE] = 0.0
        W.z_step[0] = AT_REST
        self.rows = int_line(S, GROW), int_line(S, GCOL)
        self._row = np.repeat(np.arange(system.rows), np.diff(self.rows[0]))
        self.mass = float(reals(S, BODY)[:, 0].sum())
        self.weight = float(np.linalg.norm(reals(S, META)[0])) * self.mass
        alone = each and motion is None
        self.held: Integers = np.arange(len(system.guides)) if alone else leading_guides(system)
        self.rest, self.holding = layout.line(), np.zeros(len(system.guides))
        self.dx, self.dlam = layout.line(), np.zeros(system.rows)
        self._Hs, self._E = np.zeros(len(system.guides)), np.zeros(system.rows)

    def at(self, pose: Pose) -> Array:
        """Forces and moments (nu,) that are missing for the balance in a pose; along held paths none is."""
        S, W, system, nu = self.system.arrays, self.work, self.system, self.system.coordinates
        u, load = self.rest, np.zeros(nu)
        constraints(S, W, self.time, pose.r, pose.p, pose.path)
        if self.motion is not None:
            u, a = self.motion.lines(system, pose.r, pose.p)
            load = system.mass_times(a[:nu])
        forces(S, W, u, pose.lam)
        found: Array = W.vel[FORCE, :nu] - load + self.pull(pose.lam)
        held = system.layout.paths.start + self.held
        self.holding = np.zeros(len(system.guides))
        self.holding[self.held] = -found[held]
        found[held] = 0.0
        return found

    def pull(self, lam: Array) -> Array:
        """What constraints do (nu,) with multipliers lam, by the Jacobian as the work has it now."""
        width, nu = self.system.layout.width, self.system.coordinates
        made: Array = np.bincount(self.rows[1], self.work.gx * lam[self._row], width)[:nu]
        return made

    @property
    def open_by(self) -> float:
        """How far (m or rad) constraints are open in the last pose."""
        return float(np.max(np.abs(self.work.row[PHI]), initial=0.0))

    def factorise(self, lam: Array, tau: float) -> bool:
        """Factorise the equations of a step of tau (s) from the last pose."""
        W, X = self.work, self.factor
        tangent(self.system.arrays, W, self.rest, lam, 1.0 / tau**2, 0.0, 1.0, self._Hs)
        # holding a path coordinate: a stiff diagonal in place of its missing inertia
        self._Hs[self.held] = HOLD * self.mass
        scatter(X, *self.rows, W.gx, W.Hd, W.Ho, self._Hs, self._E, EPSILON)
        return bool(factorise(X))

    def solve(self, missing: Array) -> float:
        """The step (dx, dlam) for what is missing, with what was factorised; returns its size (m or rad)."""
        nu = self.system.coordinates
        solve_parts(self.factor, nu, missing, self.work.row[PHI], self.dx, self.dlam)
        return float(np.max(np.abs(self.dx[:nu]), initial=0.0))

    def moved(self, pose: Pose, share: float) -> Pose:
        """Where a share of the step leads."""
        to = pose.copy()
        move(self.system.arrays, pose.r, pose.p, pose.path, share * self.dx, to.r, to.p, to.path)
        to.lam += share * self.dlam
        return to

    def found(
        self, pose: Pose, steps: int, unbalanced: float, went: float, memory: Array | None = None
    ) -> Equilibrium:
        """The equilibrium in a pose, the last that was looked at."""
        still = self.system.layout.line()
        state = State(self.time, pose.r, pose.p, pose.path, still, memory=memory)
        return Equilibrium(state, pose.lam, steps, unbalanced, went, self.holding, self.work.z[Z_NOW].copy())
