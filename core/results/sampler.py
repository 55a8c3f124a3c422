"""Stored states at any instants in between.

Between stored instants positions and velocities follow the cubics through both ends with their rates, accelerations
the derivative of the velocity cubic: continuous everywhere and exact at the solver's own instants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ..base.arrays import Array, Integers
from ..base.frames import from_rotation_vector, multiply
from .results import AT_ONCE, States


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


def between(stored: Array, times: Array) -> tuple[Integers, Array, Array]:
    """Which of stored instants (n,) s is before each of others (m,) s, the time (m,) s to the next one, and the part
    (m,) of it that is gone: none within a jump, where there is nothing in between."""
    k = np.clip(np.searchsorted(stored, times, side="right") - 1, 0, len(stored) - 2)
    h = stored[k + 1] - stored[k]
    x = np.clip((times - stored[k]) / h, 0.0, 1.0)
    return k, h, np.where(at_once(h), np.floor(x), x)


def at_once(steps: Array) -> NDArray[np.bool_]:
    """Which of steps (n,) s are no time but a jump of a load, with a row before and one behind it."""
    return steps < 2.0 * AT_ONCE


def _jumps(stored: Array, times: Array, every: float) -> Iterator[Jump]:
    """The jumps among stored instants (n,) s that are nearer than half of `every` (s) to others (m,) s."""
    for row in np.flatnonzero(at_once(np.diff(stored))).tolist():
        at = stored[row + 1]
        first, last = np.searchsorted(times, (at - 0.5 * every, at + 0.5 * every))
        for k in range(first, last):
            gone = (times[k] - at) / every + 0.5
            yield Jump(k, row, gone if times[k] < at else gone - 1.0)


class Cubic(NamedTuple):
    """Matrices (m, 2 c) from values and below them rates at stored instants to the integral of the cubic through both
    since the stored instant before, to the cubic and to its slope."""

    integral: csr_array
    value: csr_array
    slope: csr_array


class Jump(NamedTuple):
    """A jump of loads beside a sample: number of the sample, stored instant before the jump, and how much of the jump
    is to be added to what the sample reads."""

    sample: int
    row: int
    share: float


class Sampler:
    """Stored states read at any instants in between.

    every (s): how far the instants are apart that are read, of signals that filters and criteria take for even ones.
    What jumps counts by the part of the sample's own time, half of it to either side, in which it had jumped, so that
    no criterion hangs on whether an instant is just before a jump or just behind it. None: each for itself.
    """

    def __init__(self, states: States, times: Array, every: float | None = None) -> None:
        self.states, self.single = states, len(states.time) < 2
        self.jumps = [] if every is None else list(_jumps(states.time, times, every))
        self.k, self.h, self.x = (
            (np.zeros(len(times), dtype=np.int64), np.ones(len(times)), np.zeros(len(times)))
            if self.single
            else between(states.time, times)
        )
        self.next = self.k if self.single else self.k + 1

    def scalar(self, values: Array, rates: Array) -> Array:
        """A stored quantity (n, q) with its stored rate, cubic in between."""
        return np.asarray(self._cubic.value @ self._ends([values], [rates]))

    def body(self, b: int) -> Motion:
        """Motion of body number b."""
        s, cubic = self.states, self._cubic
        v, a = s.velocity[:, b], s.acceleration[:, b]
        w, dw = s.angular_velocity[:, b], s.angular_acceleration[:, b]
        ends = self._ends([s.position[:, b], v, w], [v, a, dw])
        position, velocity, omega = np.split(cubic.value @ ends, 3, axis=1)
        acceleration, domega = np.split(cubic.slope @ ends[:, 3:], 2, axis=1)
        self._jump(acceleration, a)
        self._jump(domega, dw)
        turn = cubic.integral @ ends[:, 6:]
        orientation = multiply(s.orientation[self.k, b], from_rotation_vector(turn))
        return Motion(position, orientation, velocity, omega, acceleration, domega)

    def linear(self, values: Array) -> Array:
        """A stored quantity (n, q) without a stored rate, straight in between."""
        x = self.x[:, None]
        out = np.asarray((1.0 - x) * values[self.k] + x * values[self.next])
        self._jump(out, values)
        return out

    def _jump(self, read: Array, stored: Array) -> None:
        """Let what is read (m, q) of what is stored (n, q) jump as `every` has it."""
        for jump in self.jumps:
            read[jump.sample] += jump.share * (stored[jump.row + 1] - stored[jump.row])

    @cached_property
    def _read(self) -> slice:
        """The stored instants that are read."""
        return slice(int(self.k.min()), int(self.next.max()) + 1) if len(self.k) else slice(0, 0)

    def _ends(self, values: list[Array], rates: list[Array]) -> Array:
        """Values (n, q) beside one another, of the instants that are read, and below them their rates (2 c, q)."""
        return np.block([[one[self._read] for one in values], [one[self._read] for one in rates]])

    @cached_property
    def _cubic(self) -> Cubic:
        """What the values and rates at both ends of its step count in each sample."""
        count = self._read.stop - self._read.start
        first, last = self.k - self._read.start, self.next - self._read.start
        places = np.stack([first, last, first + count, last + count], axis=1).ravel()
        bounds, shape = np.arange(0, 4 * len(self.x) + 1, 4), (len(self.x), 2 * count)
        shares = np.empty((3, len(self.x), 4))  # in the integral, the value and the slope
        for k, end in enumerate(np.eye(4)[:, :, None] * np.ones_like(self.x)):
            shares[:, :, k] = hermite(self.x, self.h, *end)
        return Cubic(*(csr_array((share.ravel(), places, bounds), shape=shape) for share in shares))
