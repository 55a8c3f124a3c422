"""MuJoCo (Google DeepMind): trees of bodies in minimal coordinates, Runge-Kutta of fourth order.

It takes mechanisms whose joints make a tree. Closed loops, curves and prescribed motions it can only hold softly, by
constraints that give way: those are refused, because their error would be of another kind than that of a step.
"""

from __future__ import annotations

from .engine import ENGINE

__all__ = ["ENGINE"]
