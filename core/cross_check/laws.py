"""Laws of force elements as another engine asks for them: from our tables, with its coordinates and rates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..model.laws import COLUMNS, ROWS, D, F
from .curves import evaluator
from .model import Element

Three = tuple[float, float, float]


class ScalarLaw:
    """The load of an element by its coordinate (m or rad, from its origin), rate and time.

    What a law remembers is that of the last accepted step: `accept`, to be called after each, takes the coordinate and
    rate that were asked for last.
    """

    def __init__(self, element: Element) -> None:
        use = element.use
        self.law = use.law
        self.p = np.array(use.parameters, dtype=np.float64)
        self.memory = np.array(use.memory or (0.0,) * use.law.memory, dtype=np.float64)
        self.of_time = None if use.function is None else evaluator(use.function)
        self.last = (0.0, 0.0, 0.0)

    @property
    def remembers(self) -> bool:
        """Whether accepted steps must be told."""
        return self.law.remember is not None

    def __call__(self, x: float, v: float, t: float) -> float:
        s = 0.0 if self.of_time is None else self.of_time(t)
        self.last = x, v, s
        return float(self.law.evaluate(self.p, x, v, self.memory, s)[0])

    def accept(self) -> None:
        """The step that was computed last is accepted."""
        x, v, s = self.last
        self.law.remember(self.p, x, v, self.memory, s)


class TurnLaw:
    """The moment (N m) of an element in a ball by the rotation vector (rad) of the second body against the first and
    its angular velocity (rad/s), all in the axes of the first body: it turns the second one back."""

    def __init__(self, element: Element) -> None:
        self.law = element.use.law.evaluate
        self.p = np.array(element.use.parameters, dtype=np.float64)
        self.none = np.zeros(0)
        self.out = np.zeros((ROWS, COLUMNS))

    def __call__(self, q: Three, w: Sequence[float]) -> Three:
        self.out[:] = 0.0
        none = self.none
        self.law(self.p, np.array(q), np.array(w), none, none, none, 0.0, self.out)
        x, y, z = _as_gradient(q, self.out[0:3, F].tolist())
        a, b, c = self.out[0:3, D].tolist()
        return x + a, y + b, z + c


def _as_gradient(q: Three, f: list[float]) -> Three:
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
