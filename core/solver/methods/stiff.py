"""One-step methods for stiff equations with error control: Rosenbrock's 2(3), the trapezoidal rule, and TR-BDF2.

They stand on scipy's documented base class of solvers. In Matlab they are called ode23s, ode23t and ode23tb.
  Rosenbrock23  W-method of order 2 with an error estimate of order 3, one factorisation a step and no iterations; of
                second order however wrong the Jacobian is (Shampine & Reichelt 1997, section 3.1)
  Trapezoid     of order 2, without damping; the error from divided differences of the rates (Shampine, Reichelt &
                Kierzenka 1999, section 4)
  TrBdf2        trapezoidal rule to t + (2 - sqrt 2) h, then BDF2, as a diagonally implicit method: order 2, and stiff
                motion dies out (Bank and others 1985; Hosea & Shampine 1996, with their error estimate of order 3)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import DenseOutput, OdeSolver
from scipy.linalg import lu_factor, lu_solve

from ...base.arrays import Array

SAFETY, MIN_CHANGE, MAX_CHANGE = 0.9, 0.2, 4.0  # of the change of a step
ITERATIONS = 8
CLOSE = 0.01  # of the tolerance, for the iterations
NUDGE = math.sqrt(np.finfo(float).eps)


class _Hermite(DenseOutput):
    """The cubic through both ends of a step with their rates."""

    def __init__(
        self, ends: tuple[float, float], values: tuple[Array, Array], rates: tuple[Array, Array]
    ) -> None:
        super().__init__(*ends)
        self.values, self.rates = values, rates

    def _call_impl(self, t: float) -> Array:
        h = self.t - self.t_old
        x, (y0, y1) = (t - self.t_old) / h, self.values
        v0, v1, rise = h * self.rates[0], h * self.rates[1], y1 - y0
        return np.asarray(y0 + x * (v0 + x * (3.0 * rise - 2.0 * v0 - v1 + x * (v0 + v1 - 2.0 * rise))))


class _OneStep(OdeSolver):
    """What they share: size of the steps, Jacobian by differences, dense output."""

    def __init__(
        self, fun: Callable[[float, Array], Array], t0: float, y0: Array, t_bound: float, max_step: float = np.inf,
        rtol: float = 1e-3, atol: float = 1e-6, first_step: float | None = None, **_: Any,
    ) -> None:  # fmt: skip
        super().__init__(fun, t0, y0, t_bound, False)
        self.max_step, self.rtol, self.atol = max_step, rtol, atol
        self.f = self.fun(self.t, self.y)
        self.before: tuple[float, Array] | None = None  # the step before and the rates at its start
        rate = self._size(self.f, self.y)
        start = 0.01 * min(1.0, self._size(self.y, self.y) / rate) if rate > 0.0 else 1e-4
        self.h_abs = first_step or min(max(start * rtol ** (1.0 / 3.0), 1e-8), max_step)

    def _size(self, x: Array, *around: Array) -> float:
        scale = self.atol + self.rtol * np.max(np.abs(around), axis=0)
        return float(np.sqrt(np.mean((x / scale) ** 2)))

    def _jacobian(self) -> Array:
        """df/dy (n, n) by differences."""
        out, here = np.empty((self.n, self.n)), self.fun(self.t, self.y)  # not what iterations have left
        for k in range(self.n):
            y = self.y.copy()
            y[k] += NUDGE * max(abs(y[k]), 1e-3)
            out[:, k] = (self.fun(self.t, y) - here) / (y[k] - self.y[k])
        return out

    def _step_impl(self) -> tuple[bool, str | None]:
        least = 10.0 * np.spacing(max(self.t, 1e-6))
        h, jacobian, rejected = min(self.h_abs, self.max_step), self._jacobian(), False
        while True:
            if h < least:
                return False, self.TOO_SMALL_STEP
            left = self.t_bound - self.t
            h = left if h > left * (1.0 - 1e-9) else h
            try:
                found = self._attempt(h, jacobian)
            except ArithmeticError:
                found = None
            error = math.inf if found is None else found[2]
            if error <= 1.0:
                break
            rejected = True
            h *= 0.25 if error == math.inf else max(MIN_CHANGE, SAFETY * error ** (-1.0 / 3.0))
        assert found is not None
        grow = min(1.0 if rejected else MAX_CHANGE, SAFETY * max(error, 1e-10) ** (-1.0 / 3.0))
        self.before, self.ends = (h, self.f), (self.y, self.f)
        self.y, self.f, _ = found
        self.t = self.t_bound if h == left else self.t + h
        self.h_abs = min(h * grow, self.max_step)
        return True, None

    def _attempt(self, h: float, jacobian: Array) -> tuple[Array, Array, float] | None:
        """The state after a step h (s), its rates, and the error over what is allowed; None where nothing is found."""
        raise NotImplementedError

    def _dense_output_impl(self) -> DenseOutput:
        return _Hermite((self.t_old, self.t), (self.ends[0], self.y), (self.ends[1], self.f))

    def _implicit(self, t: float, known: Array, share: float, lu: Any, guess: Array) -> Array | None:
        """The root y of y = known + share f(t, y) by Newton's iterations with a kept factorisation; None for none."""
        y, size = guess, math.inf
        for _ in range(ITERATIONS):
            change = lu_solve(lu, known + share * self.fun(t, y) - y)
            y, last, size = y + change, size, self._size(change, self.y, y)
            if not math.isfinite(size) or size > 2.0 * last:
                return None
            if size <= CLOSE:
                return np.asarray(y)
        return None


class Rosenbrock23(_OneStep):
    """Rosenbrock's method of orders 2 and 3."""

    def _attempt(self, h: float, jacobian: Array) -> tuple[Array, Array, float] | None:
        d, e32 = 1.0 / (2.0 + math.sqrt(2.0)), 6.0 + math.sqrt(2.0)
        t, y, f0 = self.t, self.y, self.f
        lu = lu_factor(np.eye(self.n) - h * d * jacobian)
        later = max(NUDGE * h, 16.0 * float(np.spacing(t)))
        drift = h * d * (self.fun(t + later, y) - f0) / later
        k1 = lu_solve(lu, f0 + drift)
        f1 = self.fun(t + 0.5 * h, y + 0.5 * h * k1)
        k2 = lu_solve(lu, f1 - k1) + k1
        end = y + h * k2
        f2 = self.fun(t + h, end)
        k3 = lu_solve(lu, f2 - e32 * (k2 - f1) - 2.0 * (k1 - f0) + drift)
        return end, f2, self._size(h / 6.0 * (k1 - 2.0 * k2 + k3), y, end)


class Trapezoid(_OneStep):
    """The trapezoidal rule."""

    def _attempt(self, h: float, jacobian: Array) -> tuple[Array, Array, float] | None:
        t, y, f0 = self.t, self.y, self.f
        lu = lu_factor(np.eye(self.n) - 0.5 * h * jacobian)
        end = self._implicit(t + h, y + 0.5 * h * f0, 0.5 * h, lu, y + h * f0)
        if end is None:
            return None
        f1 = (end - y) / (
            0.5 * h
        ) - f0  # of stiff motion itself the equations say what is left of the iterations
        if self.before is None:  # of the first step, compared with Euler's
            missed = 0.5 * h * (f1 - f0)
        else:
            last, f_last = self.before
            third = 2.0 * ((f1 - f0) / h - (f0 - f_last) / last) / (h + last)
            missed = h**3 / 12.0 * third
        return end, f1, self._size(lu_solve(lu, missed), y, end)


class TrBdf2(_OneStep):
    """Trapezoidal rule and BDF2 in one step."""

    def _attempt(self, h: float, jacobian: Array) -> tuple[Array, Array, float] | None:
        part = 2.0 - math.sqrt(2.0)
        d, w = 0.5 * part, 0.25 * math.sqrt(2.0)
        t, y, f0 = self.t, self.y, self.f
        lu = lu_factor(np.eye(self.n) - h * d * jacobian)
        middle = self._implicit(t + part * h, y + h * d * f0, h * d, lu, y + part * h * f0)
        if middle is None:
            return None
        f1 = (middle - y) / (h * d) - f0
        end = self._implicit(t + h, y + h * w * (f0 + f1), h * d, lu, middle + (1.0 - part) * h * f1)
        if end is None:
            return None
        f2 = (end - y) / (h * d) - w / d * (f0 + f1)
        missed = h * ((w - (1.0 - w) / 3.0) * f0 + (w - (3.0 * w + 1.0) / 3.0) * f1 + (d - d / 3.0) * f2)
        return end, f2, self._size(lu_solve(lu, missed), y, end)
