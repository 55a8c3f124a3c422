"""Laws of force elements as another engine asks for them: from our tables, with its coordinates and rates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..base.arrays import Array
from ..model.laws import COLUMNS, INTERNAL, ROWS, ZD, D, F, Z
from .curves import evaluator
from .law_kernel import NUMBER, say_law
from .model import Element

Three = tuple[float, float, float]
ROUNDS = 30
CLOSE = 1e-12  # of the internal unknowns, or of one


class ScalarLaw:
    """The load of an element by its coordinate (m or rad, from its origin), rate and time.

    What a law remembers, and its internal unknowns, are those of the last accepted step: `accept`, to be called after
    each, takes what was asked for last.
    """

    def __init__(self, element: Element) -> None:
        use = element.use
        self.law = use.law
        self.p = np.array(use.parameters, dtype=np.float64)
        self.memory = np.array(use.memory or (0.0,) * use.law.memory, dtype=np.float64)
        self.of_time = None if use.function is None else evaluator(use.function)
        self.inner = WideLaw(element) if use.law.wide else None
        self.last = (0.0, 0.0, 0.0)

    @property
    def remembers(self) -> bool:
        """Whether accepted steps must be told."""
        return self.law.remember is not None or (self.inner is not None and self.inner.remembers)

    def __call__(self, x: float, v: float, t: float) -> float:
        if self.inner is not None:
            return self.inner([x], [v], t)[0]
        s = 0.0 if self.of_time is None else self.of_time(t)
        self.last = x, v, s
        return float(self.law.evaluate(self.p, x, v, self.memory, s)[0])

    def accept(self) -> None:
        """The step that was computed last is accepted."""
        if self.inner is not None:
            self.inner.accept()
            return
        x, v, s = self.last
        self.law.remember(self.p, x, v, self.memory, s)


class WideLaw:
    """A law of several coordinates, or with internal unknowns: of one, or of three or six, (displacements and) rotation
    vector of the second body or frame against the first, rates of the displacements and angular velocity, all in the
    axes of the first.

    Returns the loads that draw the second back: forces (N) along the displacements and the moment (N m). Internal
    unknowns z are found from R(z, z') = 0 by Newton's method, with z' from those of the two accepted steps before: a
    backward difference of second order, for steps of any size.
    """

    def __init__(self, element: Element) -> None:
        law = element.use.law
        self.number = NUMBER[id(law)]
        self.p = np.array(element.use.parameters, dtype=np.float64)
        self.algebraic = law.algebraic or element.use.algebraic
        self.out = np.zeros((ROWS, COLUMNS))
        self.none = np.zeros(0)
        self.z = np.zeros(law.internal) if not len(element.inner) else np.array(element.inner, dtype=float)
        self.zdot = np.zeros(law.internal)
        self.known = [(0.0, self.z.copy())]  # of the accepted steps, the last one first
        self.time = 0.0
        self.said: tuple[float, ...] = ()  # by coordinate, as outputs have it

    @property
    def remembers(self) -> bool:
        """Whether accepted steps must be told."""
        return len(self.z) > 0

    def accept(self) -> None:
        """The step that was computed last is accepted."""
        if self.time > self.known[0][0]:
            self.known = [(self.time, self.z.copy()), self.known[0]]

    def __call__(self, x: Sequence[float], v: Sequence[float], t: float) -> list[float]:
        n, x_, v_ = len(x), np.array(x), np.array(v)
        if len(self.z):
            self._find(x_, v_, t)
        else:
            self._ask(x_, v_)
        elastic, damping = self.out[:n, F].tolist(), self.out[:n, D].tolist()
        self.said = tuple(a + b for a, b in zip(elastic, damping, strict=True))
        if n >= 3:
            elastic[n - 3 :] = _as_gradient(x[n - 3 :], elastic[n - 3 :])
        return [a + b for a, b in zip(elastic, damping, strict=True)]

    def _ask(self, x: Array, v: Array) -> None:
        say_law(self.number, self.p, x, v, self.z, self.zdot, self.none, 0.0, self.out)

    def _find(self, x: Array, v: Array, t: float) -> None:
        """The internal unknowns at an instant, and what the law says with them."""
        (last, z1), nz = self.known[0], len(self.z)
        h, self.time = t - last, t
        given = h <= 1e-12 and not self.algebraic
        if h <= 1e-12:
            self.z[:] = z1
        slope, rest = self._difference(h)
        for _ in range(ROUNDS):
            if not given:
                self.zdot[:] = 0.0 if self.algebraic or h <= 1e-12 else slope * self.z + rest
            self._ask(x, v)
            rows = self.out[INTERNAL : INTERNAL + nz]
            by_z, by_rate = rows[:, Z : Z + nz], rows[:, ZD : ZD + nz]
            matrix = by_rate if given else by_z + (0.0 if h <= 1e-12 else slope) * by_rate
            try:
                change = -np.linalg.solve(matrix, rows[:, F])
            except np.linalg.LinAlgError:  # what nothing holds stays where it is
                change = -np.linalg.lstsq(matrix, rows[:, F], rcond=1e-12)[0]
            if given:
                self.zdot += change
            else:
                self.z += change
            if np.abs(change).max() <= CLOSE * (1.0 + np.abs(self.zdot if given else self.z).max()):
                return

    def _difference(self, h: float) -> tuple[float, Array]:
        """z' = slope z + rest over a step h (s) from the last accepted one."""
        t1, z1 = self.known[0]
        if h <= 1e-12:
            return 0.0, 0.0 * z1
        if len(self.known) == 1:
            return 1.0 / h, -z1 / h
        t2, z2 = self.known[1]
        ratio = h / (t1 - t2)
        slope = (1.0 + 2.0 * ratio) / (1.0 + ratio) / h
        return slope, -(1.0 + ratio) / h * z1 + ratio**2 / (1.0 + ratio) / h * z2


def _as_gradient(q: Sequence[float], f: list[float]) -> Three:
    """The moment whose work on a turning is that of f on the rotation vector q: T^-T f with
    T^-1 = 1 - q~/2 + (1 - (|q|/2) cot(|q|/2)) / |q|^2 q~ q~."""
    angle = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2])
    c = 1.0 / 12.0 if angle < 1e-4 else (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / angle**2
    x, y, z = q[1] * f[2] - q[2] * f[1], q[2] * f[0] - q[0] * f[2], q[0] * f[1] - q[1] * f[0]
    return (
        f[0] + 0.5 * x + c * (q[1] * z - q[2] * y),
        f[1] + 0.5 * y + c * (q[2] * x - q[0] * z),
        f[2] + 0.5 * z + c * (q[0] * y - q[1] * x),
    )
