"""The equations of motion as dy/dt = f(t, y) for solvers that only know vectors: all coordinates, constraints added.

A form of the equations offers `start(t)` -> y, `rates(t, y)` -> dy/dt, `settle(t, y)` after each accepted step ->
the y to go on from and whether it is another one, and `show(t, y)`, which writes the state into the run's memory.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ...base.arrays import Array
from ...multibody.device_kernels import keep_devices
from ...multibody.force_kernels import Z_NOW, keep_elements
from .. import integration
from ..engine import Engine
from ..integration import Memory
from .correction import CORRECTED, LOST, Change, correct, correction_of
from .fixed import FARTHEST
from .rates import Moving, Rates, Spare, flat_rates, form_of


class Equations(Protocol):
    """What a driver needs to know of a form of the equations of motion; `calls` counts evaluations."""

    calls: int

    def start(self, t: float) -> Array: ...
    def rates(self, t: float, y: Array) -> Array: ...
    def settle(self, t: float, y: Array) -> tuple[Array, bool]: ...
    def show(self, t: float, y: Array) -> None: ...


class FlatEquations:
    """y = (positions, Euler parameters, plain coordinates, velocities, internal unknowns), one behind the other.

    Raises ArithmeticError where the equations have no solution or a body has left all bounds.
    """

    def __init__(self, engine: Engine, memory: Memory) -> None:
        self.engine, self.memory = engine, memory
        self.form = form_of(engine.settings, 1.0)
        self.how = correction_of(engine.settings)
        nb, plain = engine.system.bodies, len(engine.system.layout.plain)
        self.parts = np.cumsum([3 * nb, 4 * nb, plain, engine.system.coordinates])
        self.rate_p = np.zeros((nb, 4))
        self.calls = 0

    def start(self, t: float) -> Array:
        """The present state of the memory."""
        Y, nu = self.memory, self.engine.system.coordinates
        return np.concatenate(
            [Y.r[0, :-1].ravel(), Y.p[0, :-1].ravel(), Y.L[0], Y.v[integration.U, :nu], Y.z[Z_NOW]]
        )

    def rates(self, t: float, y: Array) -> Array:
        """dy/dt."""
        Y, e = self.memory, self.engine
        self.calls += 1
        out = np.empty_like(y)
        if not np.all(np.abs(y) < FARTHEST):
            raise ArithmeticError("the state has left all bounds")
        ok = flat_rates(
            e.system.arrays, e.work, e.factor, Spare(Y.l[integration.REG], Y.Hs), self.form, t,
            np.ascontiguousarray(y), Moving(Y.r[1], Y.p[1], Y.L[1], Y.v[integration.U1]),
            Rates(self.rate_p, Y.v[integration.UDOT1], Y.l[integration.LAM1]), out,
        )  # fmt: skip
        if not ok:
            raise ArithmeticError("no accelerations")
        return out

    def settle(self, t: float, y: Array) -> tuple[Array, bool]:
        """Correct violations beyond tolerance, where the settings ask for it."""
        if not self.how.on:
            return y, False
        Y, e = self.memory, self.engine
        self._unpack(y)
        code = correct(
            e.system.arrays, e.work, e.factor, Spare(Y.l[integration.REG], Y.Hs), self.how, t,
            Moving(Y.r[0], Y.p[0], Y.L[0], Y.v[integration.U]), Change(Y.v[integration.DX], Y.l[integration.ROW]),
        )  # fmt: skip
        if code == LOST:
            raise ArithmeticError("the violated constraints cannot be met again")
        return (self.start(t), True) if code == CORRECTED else (y, False)

    def _unpack(self, y: Array) -> None:
        Y, nu = self.memory, self.engine.system.coordinates
        r, p, L, u, z = np.split(y, self.parts)
        Y.r[0, :-1] = r.reshape(-1, 3)
        p = p.reshape(-1, 4)
        Y.p[0, :-1] = p / np.linalg.norm(p, axis=1, keepdims=True)
        Y.L[0] = L
        Y.v[integration.U, :nu] = u
        Y.z[Z_NOW] = z

    def show(self, t: float, y: Array) -> None:
        """Write state, accelerations and multipliers at y into the memory."""
        self.rates(t, y)
        self._unpack(y)
        Y = self.memory
        Y.v[integration.UDOT] = Y.v[integration.UDOT1]
        Y.l[integration.LAM] = Y.l[integration.LAM1]
        S, W = self.engine.system.arrays, self.engine.work
        Y.z[Z_NOW] = W.z[Z_NOW]  # those without rates as their balance has them, not as integrated
        keep_elements(S, W)
        keep_devices(S, W, t, Y.v[integration.U])
