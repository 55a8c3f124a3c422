"""Advance a form of the equations of motion: Runge-Kutta at a fixed step, or scipy's solvers with error control.

scipy's solvers in turn: RK23 (Bogacki & Shampine 1989), RK45 (Dormand & Prince 1980), DOP853 (Hairer, Norsett &
Wanner 1993), Radau IIA of order 5 and BDF of orders 1 to 5 (Hairer & Wanner 1996; Shampine & Reichelt 1997), both
implicit with differenced Jacobians, and LSODA, which switches between Adams and BDF (Petzold 1983). On the same base
class: Rosenbrock's method, the trapezoidal rule and TR-BDF2 (see stiff).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.integrate import BDF, DOP853, LSODA, RK23, RK45, Radau

from ...base.arrays import Array
from ...project.scenario import SolverSettings
from .. import integration
from ..integration import Log, Memory
from ..scheme import Limits
from ..written_step import write_log
from .event_landing import Landing, Stepper
from .fixed import MIN_RATE
from .state_vector import Equations
from .stiff import Rosenbrock23, Trapezoid, TrBdf2
from .tableaux import tableau

SOLVERS: dict[str, Any] = {
    "adaptive_rk23": RK23,
    "adaptive_rk45": RK45,
    "adaptive_dop853": DOP853,
    "adaptive_lsoda": LSODA,
    "adaptive_radau": Radau,
    "adaptive_bdf": BDF,
    "adaptive_rosenbrock23": Rosenbrock23,
    "adaptive_trapezoid": Trapezoid,
    "adaptive_tr_bdf2": TrBdf2,
}


class RungeKutta:
    """An explicit Runge-Kutta method at a fixed step (s)."""

    def __init__(
        self, equations: Equations, y: Array, t_end: float, method: str, step: float, t: float
    ) -> None:
        self.equations, self.table, self.h, self.t_end = equations, tableau(method), step, t_end
        self.t, self.y = t, y
        self.before = t, y
        self.rest = 0.0  # what landing has left of a step
        self.stages = np.zeros((self.table.shape[1], len(y)))

    def step(self) -> None:
        """Take one step, or what landing has left of one; the last one ends at the end time."""
        left, h = self.t_end - self.t, self.rest or self.h
        self.before, self.rest = (self.t, self.y), 0.0
        self._take(h if left > h * (1.0 + 1e-9) else left)

    def land(self, t: float) -> None:
        """Take the last step again, to a time in it; the next one takes the rest."""
        end = self.t + self.rest
        self.t, self.y = self.before
        self._take(t - self.t)
        self.rest = end - self.t

    def _take(self, h: float) -> None:
        n = len(self.stages)
        for q in range(n):
            y = self.y + h * self.table[q, :q] @ self.stages[:q]
            self.stages[q] = self.equations.rates(self.t + h * float(self.table[q].sum()), y)
        self.y = self.y + h * self.table[n] @ self.stages
        self.t += h

    def restart(self, y: Array) -> None:
        """Go on from y."""
        self.y = y


class Scipy:
    """One of scipy's OdeSolver classes, or of ours on its base (see stiff)."""

    def __init__(
        self, equations: Equations, y: Array, t_end: float, settings: SolverSettings, t: float
    ) -> None:
        self.equations, self.t_end, self.settings = equations, t_end, settings
        self.solver = self._new(t, y, None)
        self.t, self.y = t, y

    def _new(self, t: float, y: Array, first_step: float | None) -> Any:
        s = self.settings
        kind = SOLVERS[s.method]
        return kind(
            self.equations.rates, t, y, self.t_end, max_step=s.max_step, rtol=s.relative_tolerance,
            atol=s.absolute_tolerance, first_step=first_step,
        )  # fmt: skip

    def step(self) -> None:
        """Take one accepted step. Raises ArithmeticError when none is found."""
        with (
            warnings.catch_warnings(),
            np.errstate(divide="ignore"),
        ):  # BDF divides by an error that can be zero
            warnings.simplefilter("ignore", UserWarning)
            self.solver.step()
        if self.solver.status == "failed":
            raise ArithmeticError("the step got too small")
        self.t, self.y = float(self.solver.t), self.solver.y

    def land(self, t: float) -> None:
        """Go back to a time in the last step, on the solver's own interpolation."""
        self.t, self.y = t, np.asarray(self.solver.dense_output()(t))

    def restart(self, y: Array) -> None:
        """Begin again from y, where the method allows with the step it had."""
        size = getattr(self.solver, "h_abs", None)
        left = self.t_end - self.t
        if left > 0.0:
            self.solver = self._new(self.t, y, None if size is None else min(float(size), left))
        self.y = y


class Driver:
    """Advances a stepper in slices; logs at most at the sample rate or MIN_RATE, and where a step landed."""

    def __init__(
        self,
        equations: Equations,
        stepper: Stepper,
        Y: Memory,
        P: Limits,
        landing: Landing,
        sample_rate: float,
    ) -> None:
        self.equations, self.stepper, self.Y, self.P = equations, stepper, Y, P
        self.landing, self.interval = landing, 1.0 / max(sample_rate, MIN_RATE)
        self.logged = float(Y.clock[integration.TIME])

    def advance(self, log: Log, max_steps: int) -> int:
        """Take up to max_steps steps; return codes as genalpha.advance."""
        t_end = self.P.t_end
        for _ in range(max_steps):
            if t_end - self.stepper.t <= 1e-12 * max(1.0, t_end):
                return integration.FINISHED
            if self.Y.counts[integration.LOGGED] >= len(log.t):
                return integration.FULL
            try:
                over = self._step(log)
            except ArithmeticError:
                return integration.STEP_TOO_SMALL
            if self.landing.engine.work.z_step[3] > 0.0:
                return integration.PASSED
            if over:
                return integration.PATH_END
            if self.landing.engine.work.z_step[4] > 0.0:
                return integration.RUNNING
        return integration.RUNNING

    def _step(self, log: Log) -> bool:
        Y, stepper, equations, landing = self.Y, self.stepper, self.equations, self.landing
        landed, over = False, False
        stepper.step()
        if landing.on:
            landed, over = landing.land(equations, stepper)
        t = stepper.t
        y, other = equations.settle(t, stepper.y)
        Y.counts[integration.ACCEPTED] += 1
        done = self.P.t_end - t <= 1e-12 * max(1.0, self.P.t_end)
        due = over or landed or done or t - self.logged >= self.interval * (1.0 - 1e-9)
        if landing.on or due:
            equations.show(t, y)
        due = due or landing.engine.work.z_step[3] > 0.0
        if landing.on:
            landing.begin(t)
        Y.clock[integration.TIME] = t
        if due:
            engine = landing.engine
            write_log(engine.system.arrays, engine.work, Y, log, True)
            self.logged = t
        if other or landed:
            stepper.restart(y)
        Y.counts[integration.ITERATIONS] = equations.calls
        return over
