"""Impacts in no time of two bodies without friction, to hold contacts against (Spicka 2020, eqs. 5.4 to 5.10).

Compression ends when the points of contact do not approach any more; restitution adds `share` of its impulse (Poisson).
Without friction the relative speed after it is `share` of that before (Newton), the work of restitution share^2 of that
of compression (Stronge): all three are one. The document prints 1 for plastic and 0 for elastic; it is the other
way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridewright.core.base.arrays import Array


@dataclass(frozen=True)
class Free:
    """A free body in world axes: mass kg, inertia (3, 3) kg m^2, centre m, velocity m/s, angular velocity rad/s."""

    mass: float
    inertia: Array
    centre: Array
    velocity: Array
    spin: Array

    def at(self, point: Array) -> Array:
        return self.velocity + np.cross(self.spin, point - self.centre)

    def easy(self, point: Array, n: Array) -> float:
        """Change of the normal speed of a point by an impulse of one along n there (1/kg)."""
        lever = np.cross(point - self.centre, n)
        return 1.0 / self.mass + float(lever @ np.linalg.solve(self.inertia, lever))

    def pushed(self, point: Array, impulse: Array) -> Free:
        turn = np.linalg.solve(self.inertia, np.cross(point - self.centre, impulse))
        return Free(
            self.mass, self.inertia, self.centre, self.velocity + impulse / self.mass, self.spin + turn
        )


def impact(
    first: Free, second: Free | None, point: Array, n: Array, share: float
) -> tuple[Free, Free | None, Array]:
    """Both bodies after an impact at a point, the normal n pointing to the first (None: the ground); and impulse of
    compression and restitution (N s), works of both (J)."""
    ease = first.easy(point, n) + (second.easy(point, n) if second else 0.0)
    approach = float((first.at(point) - (second.at(point) if second else 0.0)) @ n)
    compression = -approach / ease
    restitution = share * compression
    whole = (compression + restitution) * n
    # work of an impulse that changes a speed evenly: its mean speed times it
    works = 0.5 * approach * compression, 0.5 * share * -approach * restitution
    other = second.pushed(point, -whole) if second else None
    return first.pushed(point, whole), other, np.array([compression, restitution, *works])
