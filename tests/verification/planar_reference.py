"""Independent solutions of planar linkages in angles, made for comparison only.

Every point of a planar linkage is a sum of turning arrows c exp(i w.q) with whole-number vectors w over the angles
q, so that first and second derivatives are exact. Loops are closed by constraints on the acceleration level, solved
with the Lagrangian equations and integrated by an explicit method of order 8 at tight tolerance. Shares no code and
no coordinates with the program (Cartesian bodies, Euler parameters).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

Arrow = tuple[complex, tuple[int, ...]]


@dataclass(frozen=True)
class Point:
    """A fixed part and turning arrows (m)."""

    arrows: tuple[Arrow, ...]
    fixed: complex = 0.0

    def at(self, q: np.ndarray) -> complex:
        return self.fixed + sum(c * np.exp(1j * np.dot(w, q)) for c, w in self.arrows)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        return sum(1j * c * np.exp(1j * np.dot(w, q)) * np.asarray(w, dtype=float) for c, w in self.arrows)

    def bias(self, q: np.ndarray, qd: np.ndarray) -> complex:
        """The acceleration that is left when all angular accelerations are zero."""
        return sum(-c * np.exp(1j * np.dot(w, q)) * np.dot(w, qd) ** 2 for c, w in self.arrows)


@dataclass(frozen=True)
class Linkage:
    """Bodies (mass kg, moment kg m^2, centre, angle as a vector over q), loops, forces, gravity (m/s^2, complex).

    Each loop point stays at zero, each level point at height (imaginary part) zero.
    """

    bodies: tuple[tuple[float, float, Point, tuple[int, ...]], ...]
    loops: tuple[Point, ...] = ()
    levels: tuple[Point, ...] = ()
    gravity: complex = -9.81j
    generalised_force: Callable[[np.ndarray, np.ndarray], np.ndarray] = field(
        default=lambda q, qd: np.zeros_like(q)
    )

    def acceleration(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Angular accelerations at angles q and rates qd."""
        n = len(q)
        M, f = np.zeros((n, n)), np.array(self.generalised_force(q, qd), dtype=float)
        for mass, moment, centre, turn in self.bodies:
            J, w = centre.jacobian(q), np.asarray(turn, dtype=float)
            M += mass * np.real(np.outer(np.conj(J), J)) + moment * np.outer(w, w)
            f += mass * np.real(np.conj(J) * (self.gravity - centre.bias(q, qd)))
        closed = [(p.jacobian(q), p.bias(q, qd)) for p in self.loops]
        level = [(p.jacobian(q), p.bias(q, qd)) for p in self.levels]
        rows = [J.real for J, _ in closed] + [J.imag for J, _ in (*closed, *level)]
        if not rows:
            return np.linalg.solve(M, f)
        G = np.vstack(rows)
        b = -np.array([c.real for _, c in closed] + [c.imag for _, c in (*closed, *level)])
        m = len(b)
        K = np.block([[M, G.T], [G, np.zeros((m, m))]])
        return np.linalg.solve(K, np.concatenate([f, b]))[:n]

    def solve(self, q0: np.ndarray, qd0: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Angles and rates (n_times, n) at rising times (s) that begin at or after 0."""
        n = len(q0)

        def rhs(_: float, y: np.ndarray) -> np.ndarray:
            return np.concatenate([y[n:], self.acceleration(y[:n], y[n:])])

        end = float(times[-1])
        out = solve_ivp(
            rhs, (0.0, end), np.concatenate([q0, qd0]), "DOP853", dense_output=True, rtol=1e-12, atol=1e-13
        )
        y = out.sol(np.asarray(times)).T
        return y[:, :n], y[:, n:]
