"""A ball on a plane track, as in a first course of physics: gravity, damping, three energies.

After PhysLab's page on the roller coaster, with departures where that page is crude or misprinted: the force along the
track is -m g sin(angle) with the angle of the tangent instead of the slope k (its a = -g k / sqrt(1 + k^2) needs a sign
for paths that run back, and its vertical case a = -g is right only for paths that run up), the track is known exactly
instead of by chords, and the energy is a variable of its own, so that it neither grows nor fades by computing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from .plane_curve import PlaneCurve, nearest

LONGEST_STEP = 1e-3  # s
MAX_STEPS = 10_000_000  # of a run; they take about half a minute
MAX_STEPS_ON_SCREEN = 100_000  # between two pictures; beyond that the ball is shown less exactly
MAX_SAMPLES = 1_000_000
LARGEST = 1e6  # of gravity, damping, mass and speed in their units
TURN_IN_STEP = 0.03  # rad, the most the ball's direction may turn in one step
ROLLING = 1e-6  # of the speed scale squared: below this v is not taken from the energy

# Gauss' collocation with three stages, order 6 (Hairer, Lubich & Wanner 2006, Geometric numerical integration, II.1.3)
ROOT = np.sqrt(15.0)
GAUSS_A = np.array(
    [
        [5 / 36, 2 / 9 - ROOT / 15, 5 / 36 - ROOT / 30],
        [5 / 36 + ROOT / 24, 2 / 9, 5 / 36 - ROOT / 24],
        [5 / 36 + ROOT / 30, 2 / 9 + ROOT / 15, 5 / 36],
    ]
)
GAUSS_B = np.array([5 / 18, 4 / 9, 5 / 18])


@njit(cache=True, nogil=True)
def _height(s: float, knots: Array, coef: Array, closed: bool) -> tuple[float, float]:
    """Height y and its slope dy/ds at s; coef (m, 6, 2)."""
    length = knots[-1]
    at = s - length * np.floor(s / length) if closed else min(max(s, 0.0), length)
    low, high = 0, knots.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if at >= knots[middle]:
            low = middle
        else:
            high = middle
    h = at - knots[low]
    y, slope = 0.0, 0.0
    for power in range(5, -1, -1):
        slope = slope * h + y
        y = y * h + coef[low, power, 1]
    if not closed:
        y += (s - at) * slope
    return y, slope


@njit(cache=True, nogil=True)
def _steps(
    s: float, v: float, energy: float, h: float, count: int, every: int, g: float, damping: float, knots: Array,
    coef: Array, closed: bool, scale: float, out: Array,
) -> tuple[float, float, float]:  # fmt: skip
    """count steps of h seconds; writes s, v, energy over mass every so many steps into out (n, 3).

    damping (1/s) is b/m. After each step the speed is taken from the energy, unless the ball is nearly at rest.
    """
    rate, position, speed = np.empty(3), np.empty(3), np.empty(3)
    for n in range(count):
        _, slope = _height(s, knots, coef, closed)
        rate[:] = -g * slope - damping * v
        for _ in range(50):
            change = 0.0
            for i in range(3):
                dv, ds = 0.0, 0.0
                for j in range(3):
                    dv += GAUSS_A[i, j] * rate[j]
                speed[i] = v + h * dv
            for i in range(3):
                ds = 0.0
                for j in range(3):
                    ds += GAUSS_A[i, j] * speed[j]
                position[i] = s + h * ds
            for i in range(3):
                _, slope = _height(position[i], knots, coef, closed)
                new = -g * slope - damping * speed[i]
                change = max(change, abs(new - rate[i]))
                rate[i] = new
            if change <= 1e-14 * (abs(g) + damping * abs(v)):
                break
        for i in range(3):
            energy -= h * GAUSS_B[i] * damping * speed[i] * speed[i]
            s += h * GAUSS_B[i] * speed[i]
            v += h * GAUSS_B[i] * rate[i]
        y, _ = _height(s, knots, coef, closed)
        w = energy - g * y
        if w > ROLLING * scale:
            v = np.sqrt(2.0 * w) if v > 0.0 else -np.sqrt(2.0 * w)
        if (n + 1) % every == 0:
            row = (n + 1) // every - 1
            out[row, 0], out[row, 1], out[row, 2] = s, v, energy
    return s, v, energy


@dataclass(frozen=True)
class BallHistory:
    """The ball over time: time (n,) s; s (n,) m along the track, running on over rounds; v (n,) m/s along it; position
    (n, 2) m; kinetic, potential (0 at y = 0), total (n,) J."""

    time: Array
    s: Array
    v: Array
    position: Array
    kinetic: Array
    potential: Array
    total: Array


class Textbook:
    """A ball on a plane curve that can be put anywhere and stepped on.

    gravity (m/s^2), downward positive; damping b (N s/m): the force -b v; mass (kg).
    Deterministic: the same calls give the same numbers.
    """

    def __init__(
        self,
        curve: PlaneCurve,
        *,
        gravity: float = 9.81,
        damping: float = 0.0,
        mass: float = 1.0,
        s: float = 0.0,
        v: float = 0.0,
    ) -> None:
        self.curve = curve
        self.time = 0.0
        self.set_world(gravity=gravity, damping=damping, mass=mass)
        self.put(s, v)

    def set_world(self, *, gravity: float, damping: float, mass: float) -> None:
        """Change gravity, damping or mass; the ball keeps place and speed. Raises InputError for negative values and
        for such as no ball has."""
        if not (gravity >= 0.0 and damping >= 0.0 and mass > 0.0):
            raise InputError("Gravity and damping must not be negative, and the mass must be larger than 0.")
        if max(gravity, damping, mass, 1.0 / mass) > LARGEST:
            raise InputError(
                say(
                    "Gravity, damping and mass may be {largest:,.0f} at most, the mass"
                    " {largest_2:g kg} at least.",
                    largest=LARGEST,
                    largest_2=1.0 / LARGEST,
                )
            )
        self.gravity, self.damping, self.mass = float(gravity), float(damping), float(mass)
        if hasattr(self, "s"):
            self.put(self.s, self.v)

    def put(self, s: float, v: float = 0.0) -> None:
        """Put the ball at s (m) with speed v (m/s). Raises InputError for a place or speed that no ball has."""
        if not np.isfinite(s):
            raise InputError(say("The ball starts at {s:g m}; choose a place on the track.", s=s))
        if not abs(v) <= LARGEST:
            raise InputError(
                say(
                    "The ball starts with {v:g m/s}; choose {largest:,.0f m/s} at most.", v=v, largest=LARGEST
                )
            )
        self.s, self.v = float(s), float(v)
        height = _height(self.s, self.curve.s, self.curve.coef, self.curve.closed)[0]
        self._energy = 0.5 * v * v + self.gravity * height

    def drag_to(self, xy: Sequence[float]) -> None:
        """Put the ball at rest at the place of the track nearest to a point (x, y) m."""
        self.put(nearest(self.curve, xy))

    @property
    def position(self) -> tuple[float, float]:
        """Where the ball is, (x, y) m."""
        x, y = self.curve.evaluate(self.s)[0, 0]
        return float(x), float(y)

    @property
    def kinetic(self) -> float:
        """Kinetic energy m v^2 / 2 (J)."""
        return 0.5 * self.mass * self.v**2

    @property
    def potential(self) -> float:
        """Gravitational energy m g y (J)."""
        return self.mass * self.gravity * self.position[1]

    @property
    def total(self) -> float:
        """Kinetic and gravitational energy together (J)."""
        return self.kinetic + self.potential

    def _substeps(self, dt: float) -> int:
        """How many steps: short against the tightest turn at the speed the energy allows."""
        low = float(self.curve.coef[:, 0, 1].min())
        fastest = np.sqrt(max(2.0 * (self._energy - self.gravity * low), 1e-12))
        bend = float(np.abs(2.0 * self.curve.coef[:, 2]).max()) + 1e-9
        fading = (
            self.damping / self.mass
        )  # 1/s; the iteration of a step converges while it fades by less than all
        step = min(LONGEST_STEP, TURN_IN_STEP / (bend * fastest), 1.0 / max(fading, 1e-300))
        return max(1, int(np.ceil(dt / step - 1e-9)))

    def _advance(self, h: float, count: int, every: int) -> Array:
        out = np.empty((count // every, 3))
        scale = self.gravity * float(np.ptp(self.curve.coef[:, 0, 1])) + 1e-12
        self.s, self.v, self._energy = _steps(
            self.s, self.v, self._energy, h, count, every, self.gravity, self.damping / self.mass, self.curve.s,
            self.curve.coef, self.curve.closed, scale, out,
        )  # fmt: skip
        self.time += h * count
        return out

    def step(self, dt: float) -> None:
        """Go on by dt seconds."""
        if dt > 0.0:
            count = min(self._substeps(dt), MAX_STEPS_ON_SCREEN)
            self._advance(dt / count, count, count)

    def run(self, duration: float, rate: float = 100.0) -> BallHistory:
        """Go on by `duration` seconds and return what happened, `rate` times a second, the present state first.

        Raises InputError for more samples or steps than a machine should be given.
        """
        samples = max(1, round(duration * rate))
        if samples > MAX_SAMPLES:
            raise InputError(
                f"{duration:g} s at {rate:g} samples a second are {samples:,} samples; choose {MAX_SAMPLES:,} at most."
            )
        count = self._substeps(duration / samples)
        if count * samples > MAX_STEPS:
            raise InputError(
                f"The ball takes {float(count) * samples:.3g} steps, because it is fast where the curve is tight, or"
                f" braked hard; {MAX_STEPS:,} at most are taken. Choose a shorter duration, a lower speed,"
                " less damping or a wider curve."
            )
        start, first = self.time, np.array([[self.s, self.v, self._energy]])
        rows = np.vstack([first, self._advance(duration / samples / count, count * samples, count)])
        position = self.curve.evaluate(rows[:, 0])[:, 0]
        kinetic = np.asarray(0.5 * self.mass * rows[:, 1] ** 2, dtype=np.float64)
        potential = self.mass * self.gravity * position[:, 1]
        time = np.asarray(start + np.arange(samples + 1) * (duration / samples), dtype=np.float64)
        return BallHistory(time, rows[:, 0], rows[:, 1], position, kinetic, potential, kinetic + potential)
