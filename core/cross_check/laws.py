"""Scalar laws of force elements as another engine asks for them: from our tables, with its coordinate and rate."""

from __future__ import annotations

import numpy as np

from .curves import evaluator
from .model import Element


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
