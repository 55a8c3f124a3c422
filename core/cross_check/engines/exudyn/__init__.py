"""exudyn (J. Gerstmayr, University of Innsbruck): rigid bodies with Euler parameters, redundant coordinates,
constraints at position level, generalised alpha with a fixed step.

Joints are its generic joint, ball and distance; springs its connectors, with our laws as functions of their coordinates
where they are not linear; bodies on a curve are held by constraints of its coordinates (see `paths`).
"""

from __future__ import annotations

from .engine import ENGINE

__all__ = ["ENGINE"]
