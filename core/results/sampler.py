"""Stored states at any instants in between.

Between stored instants positions and velocities follow the cubics through both ends with their rates, accelerations
the derivative of the velocity cubic: continuous everywhere and exact at the solver's own instants.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.frames import from_rotation_vector, multiply
from .results import States


@dataclass(frozen=True)
class Motion:
    """A body on the sample grid: position (m,3) m, orientation (m,4), velocity m/s, angular velocity rad/s and
    acceleration rad/s^2 in body axes, acceleration m/s^2 of its centre of mass."""

    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    acceleration: Array
    angular_acceleration: Array


def along(x: Array, like: Array) -> Array:
    """x (m,) ready to be multiplied with values (m, ...)."""
    return x.reshape(-1, *([1] * (like.ndim - 1)))


def hermite(x: Array, h: Array, v0: Array, v1: Array, a0: Array, a1: Array) -> tuple[Array, Array, Array]:
    """Integral from the left end, value and derivative at x = t/h (m,) of the cubic with end values v and slopes a
    (m, ...) over h (m,)."""
    x, h = along(x, v0), along(h, v0)
    rise = v1 - v0
    c2 = 3.0 * rise - h * (2.0 * a0 + a1)
    c3 = -2.0 * rise + h * (a0 + a1)
    value = v0 + x * (h * a0 + x * (c2 + x * c3))
    integral = h * x * (v0 + x * (h * a0 / 2.0 + x * (c2 / 3.0 + x * c3 / 4.0)))
    slope = a0 + x * (2.0 * c2 + 3.0 * x * c3) / h
    return integral, value, slope


class Sampler:
    """Stored states read at any instants in between."""

    def __init__(self, states: States, times: Array) -> None:
        t = states.time
        k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, max(len(t) - 2, 0))
        self.states, self.k = states, k
        self.single = len(t) < 2
        self.h = np.ones(len(times)) if self.single else t[k + 1] - t[k]
        self.x = np.zeros(len(times)) if self.single else np.clip((times - t[k]) / self.h, 0.0, 1.0)
        self.next = k if self.single else k + 1

    def scalar(self, values: Array, rates: Array) -> Array:
        """A stored quantity (n, q) with its stored rate, cubic in between."""
        k, n = self.k, self.next
        return hermite(self.x, self.h, values[k], values[n], rates[k], rates[n])[1]

    def body(self, b: int) -> Motion:
        """Motion of body number b."""
        s, k, n = self.states, self.k, self.next
        v, a = s.velocity[:, b], s.acceleration[:, b]
        _, velocity, acceleration = hermite(self.x, self.h, v[k], v[n], a[k], a[n])
        _, position, _ = hermite(self.x, self.h, s.position[k, b], s.position[n, b], v[k], v[n])
        w, dw = s.angular_velocity[:, b], s.angular_acceleration[:, b]
        turn, omega, domega = hermite(self.x, self.h, w[k], w[n], dw[k], dw[n])
        orientation = multiply(s.orientation[k, b], from_rotation_vector(turn))
        return Motion(position, orientation, velocity, omega, acceleration, domega)

    def linear(self, values: Array) -> Array:
        """A stored quantity (n, q) without a stored rate, straight in between."""
        x = self.x[:, None]
        return np.asarray((1.0 - x) * values[self.k] + x * values[self.next])
