"""Independent solution of rigid bodies in a chain of ball joints, made for comparison only.

Newton and Euler for every body with the joint forces as unknowns; positions follow from the orientations, so no
constraint is ever integrated. Rotation by unit quaternions, order 8 at tight tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation


@dataclass(frozen=True)
class Link:
    """A body: mass, principal moments, and the joints above and below it from its centre, in body axes."""

    mass: float
    inertia: tuple[float, float, float]
    above: tuple[float, float, float]
    below: tuple[float, float, float] = (0.0, 0.0, 0.0)


def _matrix(p: np.ndarray) -> np.ndarray:
    return Rotation.from_quat(p, scalar_first=True).as_matrix()


def _cross(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def _still(_: float) -> np.ndarray:
    return np.zeros(3)


@dataclass(frozen=True)
class BallChain:
    """Links from the top down under gravity (3,); the top joint accelerates by pivot_acceleration(t) (m/s^2)."""

    links: tuple[Link, ...]
    gravity: tuple[float, float, float]
    pivot_acceleration: Callable[[float], np.ndarray] = _still

    def _rates(self, t: float, y: np.ndarray) -> np.ndarray:
        n = len(self.links)
        p, w = y[: 4 * n].reshape(n, 4), y[4 * n :].reshape(n, 3)
        A = [_matrix(q) for q in p]
        # unknowns: n accelerations of the centres, n angular accelerations (body), n forces at the upper joints
        K, f = np.zeros((9 * n, 9 * n)), np.zeros(9 * n)
        for i, link in enumerate(self.links):
            c, a, h = 3 * i, 3 * (n + i), 3 * (2 * n + i)
            up, down, inertia = np.array(link.above), np.array(link.below), np.diag(link.inertia)
            K[c : c + 3, c : c + 3], K[c : c + 3, h : h + 3] = link.mass * np.eye(3), -np.eye(3)
            f[c : c + 3] = link.mass * np.array(self.gravity)
            K[a : a + 3, a : a + 3], K[a : a + 3, h : h + 3] = inertia, -_cross(up) @ A[i].T
            f[a : a + 3] = -np.cross(w[i], inertia @ w[i])
            if i + 1 < n:
                K[c : c + 3, h + 3 : h + 6], K[a : a + 3, h + 3 : h + 6] = np.eye(3), _cross(down) @ A[i].T
            # the upper joint point moves with the link above, or with the pivot
            K[h : h + 3, c : c + 3], K[h : h + 3, a : a + 3] = np.eye(3), -A[i] @ _cross(up)
            f[h : h + 3] = -A[i] @ np.cross(w[i], np.cross(w[i], up))
            if i == 0:
                f[h : h + 3] += self.pivot_acceleration(t)
            else:
                low = np.array(self.links[i - 1].below)
                K[h : h + 3, c - 3 : c] -= np.eye(3)
                K[h : h + 3, a - 3 : a] += A[i - 1] @ _cross(low)
                f[h : h + 3] += A[i - 1] @ np.cross(w[i - 1], np.cross(w[i - 1], low))
        wd = np.linalg.solve(K, f)[3 * n : 6 * n].reshape(n, 3)
        pd = np.empty((n, 4))
        pd[:, 0] = -0.5 * np.sum(p[:, 1:] * w, axis=1)
        pd[:, 1:] = 0.5 * (p[:, :1] * w + np.cross(p[:, 1:], w))
        return np.concatenate([pd.ravel(), wd.ravel()])

    def solve(self, p0: np.ndarray, w0: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Quaternions (n_times, links, 4), scalar first, and body rates (n_times, links, 3) at rising times (s)."""
        n = len(self.links)
        start = np.concatenate([np.ravel(p0), np.ravel(w0)])
        out = solve_ivp(
            self._rates, (0.0, float(times[-1])), start, "DOP853", dense_output=True, rtol=1e-12, atol=1e-12
        )
        y = out.sol(np.asarray(times)).T
        p = y[:, : 4 * n].reshape(-1, n, 4)
        return p / np.linalg.norm(p, axis=2, keepdims=True), y[:, 4 * n :].reshape(-1, n, 3)

    def centres(self, p: np.ndarray, pivot: np.ndarray) -> np.ndarray:
        """Centres of mass (n_times, links, 3) for quaternions (n_times, links, 4) and pivot places (..., 3)."""
        out = np.empty((*p.shape[:2], 3))
        joint = np.broadcast_to(pivot, (len(p), 3))
        for i, link in enumerate(self.links):
            A = Rotation.from_quat(p[:, i], scalar_first=True).as_matrix()
            out[:, i] = joint - A @ np.array(link.above)
            joint = out[:, i] + A @ np.array(link.below)
        return out
