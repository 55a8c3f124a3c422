"""Adams' method with error control: variable order, variable step, one correction a step (PECE).

The method of Shampine & Gordon 1975, behind Matlab's ode113, in the notation of Hairer, Norsett & Wanner 1993, section
III.5: the polynomial through the last rates of change is kept as modified divided differences Phi, so that a change of
step costs nothing but new coefficients. Predict with order k (Adams-Bashforth), Evaluate, Correct with order k + 1
(Adams-Moulton), Evaluate: two evaluations a step whatever the order.
"""

from __future__ import annotations

import math

import numpy as np

from ...base.arrays import Array
from ...project.scenario import SolverSettings
from .state_vector import Equations

HIGHEST = 12  # order of the predictor; the result has one more
AIM = 0.5  # of the tolerance: a step is kept when its error lies between this and 1
SHORTEST, LONGEST = 0.5, 2.0  # factors from step to step


def moulton_coefficients(count: int) -> Array:
    """Coefficients of the Adams-Moulton formulas in backward differences (count,): 1, -1/2, -1/12, -1/24, ...

    Of their generating function -x / log(1 - x) (Hairer, Norsett & Wanner 1993, eq. III.1.10).
    """
    found = np.zeros(count)
    for j in range(count):
        found[j] = (j == 0) - sum(found[i] / (j + 1 - i) for i in range(j))
    return found


MOULTON = moulton_coefficients(HIGHEST + 2)


def coefficients(nodes: Array, t: float, order: int) -> tuple[Array, Array]:
    """beta (order + 1,), as far as there are nodes, and g (order + 1,) of a step to time t (s).

    nodes: times (s) of the last rates, the newest first, at least `order` of them. With
    Phi*_j = beta_j Phi_j the prediction is y + h sum_{j < order} g_j Phi*_j (Hairer et al. 1993, eqs. III.5.7-5.11).
    """
    h = t - nodes[0]
    beta = np.ones(min(order + 1, len(nodes)))
    for j in range(1, len(beta)):
        beta[j] = beta[j - 1] * (t - nodes[j - 1]) / (nodes[0] - nodes[j])
    row = 1.0 / np.arange(1.0, order + 2.0)  # the integrals c_{j,q}, q = 1, 2, ...
    g = np.ones(order + 1)
    for j in range(order):
        row = row[:-1] - row[1:] * (h / (t - nodes[j]))
        g[j + 1] = row[0]
    return beta, g


class Adams:
    """Steps of (t, y) with error control; `restart` begins at order 1 from another y at the same t."""

    def __init__(
        self, equations: Equations, y: Array, t_end: float, settings: SolverSettings, t: float
    ) -> None:
        self.equations, self.t_end, self.t = equations, t_end, t
        self.rtol, self.atol, self.longest = (
            settings.relative_tolerance, settings.absolute_tolerance, settings.max_step,
        )  # fmt: skip
        self.y, self.h, self.order = y, 0.0, 1
        self._begin()
        self.before = vars(self).copy()

    def restart(self, y: Array) -> None:
        """Begin again from y at order 1."""
        self.y = y
        self._begin()

    def step(self) -> None:
        """Take one accepted step. Raises ArithmeticError when none is found."""
        self.before = {**vars(self), "before": {}}
        self._step()

    def land(self, t: float) -> None:
        """Take the last step again, to a time in it."""
        known = self.before
        vars(self).update(known)
        self.t_end = t
        while self.t < t:
            self._step()
        self.before, self.t_end = known, known["t_end"]

    def _step(self) -> None:
        refused = 0
        while True:
            left = self.t_end - self.t
            h = min(self.h, self.longest, left)
            if h <= 16.0 * np.spacing(max(abs(self.t), abs(self.t_end))) and h < left:
                raise ArithmeticError("the step got too small")
            t = self.t_end if h >= left else self.t + h
            if self._attempt(t):
                return
            refused += 1
            self.rising = False
            self.order = max(1, self.order - 1) if refused < 3 else 1
            self.h = h * SHORTEST

    # -- parts

    def _begin(self) -> None:
        rate = np.array(self.equations.rates(self.t, self.y))
        self.nodes = np.array([self.t])  # times of the rates behind Phi, newest first
        self.phi = rate[None, :]  # modified divided differences of the rates
        self.order, self.even, self.rising = 1, 0, True
        slope = self._size(rate, self.y, self.y)
        self.h = min(self.longest, 0.25 * math.sqrt(AIM / slope) if slope > 0.0 else self.longest)
        self.last = 0.0

    def _size(self, error: Array, a: Array, b: Array) -> float:
        """Root mean square of an error (n,) in units of the tolerance."""
        scale = self.atol + self.rtol * np.maximum(np.abs(a), np.abs(b))
        return float(np.sqrt(np.mean((error / scale) ** 2)))

    def _attempt(self, t: float) -> bool:
        """Predict, evaluate, correct, judge; evaluate again and keep the step when it is good enough."""
        k, h = self.order, t - self.t
        beta, g = coefficients(self.nodes, t, k)
        starred = beta[:, None] * self.phi[: len(beta)]
        predicted = self.y + h * (g[:k] @ starred[:k])
        fresh = self._differences(self.equations.rates(t, predicted), starred, k)
        y = predicted + h * g[k] * fresh[k]
        errors = {
            j: self._size(h * (g[j] - g[j - 1]) * fresh[j], self.y, y) for j in (k, k - 1, k - 2) if j >= 1
        }
        if not np.all(np.isfinite(y)) or not errors[k] <= 1.0:
            return False
        final = self._differences(self.equations.rates(t, y), starred, len(starred))
        self.even = self.even + 1 if math.isclose(h, self.last, rel_tol=1e-9) else 0
        self.t, self.y, self.last = t, y, h
        self.nodes = np.concatenate([[t], self.nodes])[: HIGHEST + 2]
        self.phi = final[: HIGHEST + 2]
        self._choose(errors, h)
        return True

    @staticmethod
    def _differences(rate: Array, starred: Array, count: int) -> Array:
        """Phi_0 .. Phi_count (count + 1, n) at the new time from the rate (n,) there and Phi* at the old."""
        found = np.empty((count + 1, len(rate)))
        found[0] = rate
        for j in range(count):
            found[j + 1] = found[j] - starred[j]
        return found

    def _choose(self, errors: dict[int, float], h: float) -> None:
        """Order and length of the next step (Shampine & Gordon 1975, chapter 7)."""
        k = self.order
        error = errors[k]
        below = max((errors[j] for j in errors if j < k), default=math.inf)
        if self.rising:  # the start: order and step grow together until the error has something to say
            if k >= HIGHEST or below <= error or 2.0 ** (k + 1) * error > AIM:
                self.rising = False
            else:
                self.order, self.h = k + 1, LONGEST * h
                return
        if k > 1 and below <= error:
            self.order, error = k - 1, errors[k - 1]
        elif k < HIGHEST and self.even > k and len(self.phi) > k + 1:
            above = self._size(h * MOULTON[k + 1] * self.phi[k + 1], self.y, self.y)
            if above < error and (k == 1 or error < errors[k - 1]):
                self.order, error = k + 1, above
        power = 1.0 / (self.order + 1)
        if 2.0 ** (self.order + 1) * error <= AIM:
            self.h = LONGEST * h
        elif error <= AIM:
            self.h = h
        else:
            self.h = h * max(SHORTEST, min(0.9, (AIM / error) ** power))
