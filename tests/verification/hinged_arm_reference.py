"""A slender arm with a mass at its end, hinged at the other, falling from the horizontal in a plane: two models of it
that are none of the program's. Angles rad from the horizontal, up positive; a positive moment bends the arm's end up.

`chain`: rigid links with springs of bending stiffness over length between them, exact in large turns; its error falls
with the square of the number of links. `tangent_frame`: bending that is linear in a frame tangent at the hinge, as
floating frames without geometric stiffening have it, by polynomials.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import polynomial
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

from ridewright.core.base.arrays import Array


@dataclass(frozen=True)
class HingedArm:
    """length m, line mass kg/m, bending stiffness N m^2, end mass kg, damping s (times stiffness), gravity m/s^2."""

    length: float
    line: float
    E_I: float
    end: float
    damping: float
    gravity: float = 9.81


def chain(arm: HingedArm, times: Array, links: int = 40) -> tuple[Array, Array]:
    """Angle of the line from hinge to end and moment (N m) at mid-length, at times (n,) s; an even number of links."""
    h = arm.length / links
    mass = arm.line * h
    # of the centre of link i: what link k moves, h for those before it, half of its own; mass matrix M cos(a_i - a_j)
    reach = h * (np.tri(links, k=-1) + 0.5 * np.eye(links))
    M = mass * reach.T @ reach + arm.end * h * h + mass * h * h / 12.0 * np.eye(links)
    pull = mass * reach.sum(axis=0) + arm.end * h
    joints = np.diff(np.eye(links), axis=0)  # turn at the joints between links
    K = arm.E_I / h * joints.T @ joints

    def rate(_: float, y: Array) -> Array:
        a, w = y[:links], y[links:]
        turn = a[:, None] - a
        torque = -(M * np.sin(turn)) @ w**2 - arm.gravity * pull * np.cos(a) - K @ (a + arm.damping * w)
        # of links about their centres there is no cosine to take: turn is 0 on the diagonal
        return np.concatenate([w, np.linalg.solve(M * np.cos(turn), torque)])

    found = solve_ivp(
        rate, (0.0, float(times[-1])), np.zeros(2 * links), "LSODA", times, rtol=1e-7, atol=1e-8
    )
    a = found.y[:links]
    angle = np.unwrap(np.arctan2(np.sin(a).sum(axis=0), np.cos(a).sum(axis=0)))
    return angle, arm.E_I / h * (a[links // 2] - a[links // 2 - 1])


def tangent_frame(arm: HingedArm, times: Array, count: int = 4) -> tuple[Array, Array]:
    """The same by bending that is linear in the frame tangent at the hinge, x^2 to x^(count + 1)."""
    shapes = [np.eye(count + 2)[k] for k in range(2, count + 2)]  # of x / length

    def integral(p: Array) -> float:
        return float(polynomial.polyval(1.0, polynomial.polyint(p)))

    def between(f: Array, g: Array) -> float:
        return arm.line * arm.length * integral(polynomial.polymul(f, g)) + arm.end * float(f.sum() * g.sum())

    curved = [polynomial.polyder(f, 2) for f in shapes]
    M = np.array([[between(f, g) for g in shapes] for f in shapes])
    K = np.array([[integral(polynomial.polymul(f, g)) for g in curved] for f in curved])
    K *= arm.E_I / arm.length**3
    along, one = np.array([0.0, arm.length]), np.ones(1)
    b = np.array([between(along, f) for f in shapes])
    c = np.array([between(one, f) for f in shapes])
    J, S = between(along, along), between(one, along)
    stiff, V = eigh(K, M)  # by its own modes, of mass 1
    b, c = V.T @ b, V.T @ c

    def rate(_: float, y: Array) -> Array:
        a, q, w, v = y[0], y[1 : count + 1], y[count + 1], y[count + 2 :]
        left = np.block([[np.array([[J + q @ q]]), b[None]], [b[:, None], np.eye(count)]])
        down = arm.gravity
        right = np.concatenate(
            [
                [-2.0 * w * (q @ v) - down * (S * np.cos(a) - c @ q * np.sin(a))],
                w * w * q - stiff * (q + arm.damping * v) - down * c * np.cos(a),
            ]
        )
        return np.concatenate([y[count + 1 :], np.linalg.solve(left, right)])

    found = solve_ivp(
        rate, (0.0, float(times[-1])), np.zeros(2 * count + 2), "Radau", times, rtol=1e-6, atol=1e-8
    )
    q = V @ found.y[1 : count + 1]
    angle = found.y[0] + np.arctan2(q.sum(axis=0), arm.length)
    bend = np.array([polynomial.polyval(0.5, f) for f in curved]) @ q
    return angle, arm.E_I / arm.length**2 * bend
