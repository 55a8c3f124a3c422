"""Pieces from which the example layouts are laid down one after another: straights, eased curves, hills, rolls,
loops.

The designed curve is the heartline, which runs `heart` metres above the rail plane along the vehicle's own up
axis; the control points written out lie on the rail plane. Along every piece the tangent t is an explicit
function of arc length s: heading psi about world z and pitch theta for most pieces, an angle in the rider's
own plane for loops. Next to t stands an unrolled carrier frame (left l0, up u0) and a roll angle rho,
positive towards the left (up leans left): u = cos(rho) u0 + sin(rho) l0, l = cos(rho) l0 - sin(rho) u0. The
cant of the track format is -rho while t is not inverted. Curvature is eased by quintic smoothsteps, so it is
C2 along the whole design; roll follows the move a track builder makes between the written cants (degree 7),
so that the rail plane is built as it is designed. SI units and radians; world z up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.interpolate import BPoly

from ridewright.core.base.arrays import Array

GRAVITY = 9.80665
STEP = 0.1  # spacing (m) of the dense design samples
SCREW_CANTS = 12  # written cants along a corkscrew
UP = np.array([0.0, 0.0, 1.0])


def eased_unit(q: Array, ramp: float) -> Array:
    """Fraction 0..1 gained at q in 0..1 by a rate that rises and falls over `ramp` (0..0.5) and is constant between."""
    x = np.clip(np.minimum(q, 1.0 - q) / ramp, 0.0, 1.0)
    tail = ramp * (2.5 * x**4 - 3.0 * x**5 + x**6)
    inner = np.clip(np.minimum(q, 1.0 - q) - ramp, 0.0, None)
    half = (tail + inner) / (1.0 - ramp)
    return np.where(q <= 0.5, half, 1.0 - half)


def eased_rate(q: Array, ramp: float) -> Array:
    """Rate of `eased_unit`, normalised to a plateau of 1."""
    x = np.clip(np.minimum(q, 1.0 - q) / ramp, 0.0, 1.0)
    return 10.0 * x**3 - 15.0 * x**4 + 6.0 * x**5


def smooth_through(x: Array, y: Array) -> BPoly:
    """Degree-7 pieces through (x, y): parabolic rates held to 1.8 times the smaller neighbouring slope, level ends.

    This is the move a track builder makes from written cant to written cant, so that what is designed is what is built.
    """
    slope, h = np.diff(y) / np.diff(x), np.diff(x)
    table = np.zeros((len(x), 4))
    table[:, 0] = y
    for k in range(1, len(x) - 1):
        left, right = slope[k - 1], slope[k]
        if left * right > 0.0:
            rate = (left * h[k] + right * h[k - 1]) / (h[k - 1] + h[k])
            most = 1.8 * min(abs(left), abs(right))
            table[k, 1:3] = (
                (rate, 2.0 * (right - left) / (h[k - 1] + h[k]))
                if abs(rate) <= most
                else (np.sign(rate) * most, 0.0)
            )
    return BPoly.from_derivatives(x, table)


BANK = smooth_through(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
HALF_KEYS = (0.0, 0.5, 1.0)
HALF = smooth_through(np.array(HALF_KEYS), np.array(HALF_KEYS))
ROLL_KEYS = (0.0, 0.25, 0.5, 0.75, 1.0)
ROLL = smooth_through(np.array(ROLL_KEYS), np.array([0.0, 0.17, 0.5, 0.83, 1.0]))


def roll_law(angle: float) -> tuple[BPoly, tuple[float, ...] | None]:
    """Law over q in 0..1 and places of the written cants of a roll; the more it turns, the more cants are written."""
    if abs(angle) < np.pi / 3.0:
        return BANK, (0.0,) if angle else None
    return (HALF, HALF_KEYS[:-1]) if abs(angle) < np.pi else (ROLL, ROLL_KEYS[:-1])


def level_frame(psi: Array, theta: Array) -> tuple[Array, Array, Array]:
    """Tangent, left and up (n,3) of the unrolled frame at heading psi and pitch theta (n,)."""
    cp, sp, ct, st = np.cos(psi), np.sin(psi), np.cos(theta), np.sin(theta)
    zero = np.zeros_like(psi)
    t = np.stack([ct * cp, ct * sp, st], axis=-1)
    left = np.stack([-sp, cp, zero], axis=-1)
    return t, left, np.cross(t, left)


def _arc_extreme(start: float, end: float, radius: float, ramp: float) -> float:
    """Height of the highest (pitching down) or lowest (pitching up) point of an eased arc above its beginning."""
    q = np.linspace(0.0, 1.0, 2001)
    length = abs(end - start) * radius / (1.0 - ramp)
    rise = cumulative_simpson(np.sin(start + (end - start) * eased_unit(q, ramp)), x=q * length, initial=0.0)
    return float(rise.max() if end < start else rise.min())


@dataclass(frozen=True)
class Piece:
    """One laid piece, sampled densely: station s (n,), heartline p (n,3), frame t, l, u (n,3).

    `keys`: places q in 0..1 (without the end) where the cant is written; in between the builder's smooth move is the
    design. None: the cant is constant and written at every point.
    """

    section: str
    straight: bool
    spacing: float
    s: Array
    p: Array
    t: Array
    l: Array
    u: Array
    keys: tuple[float, ...] | None


class Layout:
    """A growing chain of pieces; every method appends at the current end, with matching tangent and roll."""

    def __init__(self, heading: float, heart: float, speed: float, loss_per_metre: float) -> None:
        self.pieces: list[Piece] = []
        self.p = heart * UP
        self.psi, self.theta, self.rho, self.s = heading, 0.0, 0.0, 0.0
        self.heart, self.loss = heart, loss_per_metre
        self.energy = speed**2 + 2.0 * GRAVITY * heart
        self.name, self.spacing = "", 6.0

    def section(self, name: str, spacing: float = 6.0) -> None:
        """Start the section `name`; its control points stand about `spacing` apart."""
        self.name, self.spacing = name, spacing

    def height(self) -> float:
        """Height of the heartline above its start."""
        return float(self.p[2] - self.heart)

    def rail_length(self) -> float:
        """Length of the rail-plane centreline laid so far."""
        return sum(
            float(np.linalg.norm(np.diff(k.p - self.heart * k.u, axis=0), axis=1).sum()) for k in self.pieces
        )

    def speed_squared(self, s: Array, z: Array) -> Array:
        """Squared speed of a point mass on the heartline with a loss proportional to the distance travelled."""
        return self.energy - 2.0 * GRAVITY * z - self.loss * s

    def _lay(
        self,
        length: float,
        frame: Callable[[Array], tuple[Array, Array, Array]],
        roll: Callable[[Array], Array] | None,
        straight: bool = False,
        keys: tuple[float, ...] | None = None,
    ) -> None:
        n = max(4, int(np.ceil(length / STEP)))
        q = np.linspace(0.0, 1.0, n + 1)
        t, l0, u0 = frame(q)
        s = self.s + q * length
        p = self.p + cumulative_simpson(t, x=q * length, axis=0, initial=0.0)
        rho = self._aligned(s, p, t, l0, u0) if roll is None else roll(q)
        c, d = np.cos(rho)[:, None], np.sin(rho)[:, None]
        self.pieces.append(
            Piece(self.name, straight, self.spacing, s, p, t, c * l0 - d * u0, c * u0 + d * l0, keys)
        )
        self.p, self.s, self.rho = p[-1], float(s[-1]), float(rho[-1])

    def _aligned(self, s: Array, p: Array, t: Array, l0: Array, u0: Array) -> Array:
        """Roll that turns the vehicle's up axis into the felt force, counted on from the present roll."""
        felt = (
            self.speed_squared(s, p[:, 2])[:, None] * np.gradient(t, s, axis=0, edge_order=2) + GRAVITY * UP
        )
        angle = np.unwrap(np.arctan2(np.sum(felt * l0, axis=1), np.sum(felt * u0, axis=1)))
        angle -= angle[0]
        drift = angle[-1] - 2.0 * np.pi * np.round(angle[-1] / (2.0 * np.pi))
        return self.rho + angle - drift * np.linspace(0.0, 1.0, len(angle))

    def _onward(self) -> Callable[[Array], tuple[Array, Array, Array]]:
        """Frame of a straight heartline at the current heading and pitch."""
        psi, theta = self.psi, self.theta
        return lambda q: level_frame(np.full_like(q, psi), np.full_like(q, theta))

    def straight(self, length: float) -> None:
        """An exactly straight piece at the current heading, pitch and roll."""
        rho = self.rho
        self._lay(length, self._onward(), lambda q: np.full_like(q, rho), straight=bool(length >= 2.0))

    def roll(self, length: float, angle: float) -> None:
        """Roll by `angle` about a straight heartline."""
        rho, (law, keys) = self.rho, roll_law(angle)
        self._lay(length, self._onward(), lambda q: rho + angle * law(q), keys=keys)

    def turn(self, radius: float, angle: float, ramp: float, compensation: float) -> None:
        """Curve of `angle` (left positive) with eased ends `ramp` metres long, at constant pitch."""
        length = abs(angle) * radius / np.cos(self.theta) + ramp
        psi, theta, f = self.psi, self.theta, ramp / length
        if f > 0.5:
            raise ValueError(f"{self.name}: two ramps of {ramp} m do not fit into {length:.1f} m of curve")
        rho = self.rho
        middle = 0.5 * length
        v2 = float(self.speed_squared(np.array(self.s + middle), self.p[2] + middle * np.sin(theta)))
        felt_left = np.sign(angle) * v2 / (radius * GRAVITY)
        bank = compensation * np.arctan(felt_left)
        # two cants closer than 3 m would only pinch the roll: then one in the middle is written
        rise = f if (1.0 - 2.0 * f) * length > 3.0 else 0.5
        plateau = np.linspace(f, 1.0 - f, 2 + int(length / 60.0)) if rise < 0.5 else (0.5,)
        self._lay(
            length,
            lambda q: level_frame(psi + angle * eased_unit(q, f), np.full_like(q, theta)),
            lambda q: rho + bank * BANK(np.minimum(np.minimum(q, 1.0 - q) / rise, 1.0)),
            keys=(0.0, *plateau) if bank else None,
        )
        self.psi = psi + angle

    def pitch(self, to: float, radius: float, ramp: float = 0.4, roll: float = 0.0) -> None:
        """Eased arc in the vertical plane to the pitch `to`, smallest radius `radius`, rolling by `roll` meanwhile."""
        psi, theta, rho, (law, keys) = self.psi, self.theta, self.rho, roll_law(roll)
        length = abs(to - theta) * radius / (1.0 - ramp)
        self._lay(
            length,
            lambda q: level_frame(np.full_like(q, psi), theta + (to - theta) * eased_unit(q, ramp)),
            lambda q: rho + roll * law(q),
            keys=keys,
        )
        self.theta = to

    def arc(self, to: float, radius: float, extreme: float, ramp: float = 0.3, roll: float = 0.0) -> None:
        """Straight on, then an arc to the pitch `to` with its highest or lowest point `extreme` above the start."""
        turn_at = extreme - _arc_extreme(self.theta, to, radius, ramp)
        between = (turn_at - self.height()) / np.sin(self.theta)
        if between < 0.0:
            raise ValueError(f"{self.name}: the arcs leave {between:.1f} m of straight between them")
        if between > 1e-6:
            self.straight(between)
        self.pitch(to, radius, ramp, roll)

    def change_height(
        self,
        to: float,
        slope: float,
        radius_in: float,
        radius_out: float,
        ramp: float = 0.4,
        roll: float = 0.0,
    ) -> None:
        """From level over the pitch `slope` to level again, the heartline ending `to` above its start."""
        self.pitch(np.copysign(slope, to - self.height()), radius_in, ramp)
        self.arc(0.0, radius_out, to, ramp, roll)

    def pull(
        self,
        angle: float,
        bend_first: float,
        bend_last: float,
        diameter: float,
        shift: float = 0.0,
        bend_mid: float | None = None,
        ramp: float = 0.15,
    ) -> None:
        """Loop by `angle` (pi or 2 pi) in the rider's own plane, towards the rider's up, `diameter` across.

        The curvature runs from `bend_first` over `bend_mid` (for full loops) to `bend_last`; only their proportions
        matter. `shift` moves the end of a full loop that far to the left of its beginning.
        """
        q = np.linspace(0.0, 1.0, 4001)
        if bend_mid is None:
            log_bend = np.log(bend_first) + (np.log(bend_last) - np.log(bend_first)) * eased_unit(q, 0.5)
        else:
            log_bend = np.log(bend_first) + np.log(bend_mid / bend_first) * eased_rate(q, 0.5) ** 2
        bend = eased_rate(q, ramp) * np.exp(log_bend)
        gained = cumulative_simpson(bend, x=q, initial=0.0)
        turned = angle * gained / gained[-1]
        length = diameter / np.ptp(cumulative_simpson(np.sin(turned), x=q, initial=0.0))
        side = 0.0 if shift == 0.0 else shift / (length * np.trapezoid(eased_rate(q, 0.5), q))
        t0, l0, u0 = (a[0] for a in level_frame(np.array([self.psi]), np.array([self.theta])))
        rho = self.rho
        left, up = np.cos(rho) * l0 - np.sin(rho) * u0, np.cos(rho) * u0 + np.sin(rho) * l0

        def frame(x: Array) -> tuple[Array, Array, Array]:
            a, b = np.interp(x, q, turned)[:, None], (side * eased_rate(x, 0.5))[:, None]
            in_plane = np.cos(a) * t0 + np.sin(a) * up
            t = np.cos(b) * in_plane + np.sin(b) * left
            across = np.cos(b) * left - np.sin(b) * in_plane
            return t, across, np.cross(t, across)

        # near the vertical a builder carries the roll on by itself, so the ends (and the top) are enough there
        steep = np.abs(frame(q)[0][:, 2]).max() > 0.9
        keys = (
            ((0.0, 0.5) if angle > 1.5 * np.pi else (0.0,))
            if steep
            else tuple(np.linspace(0.0, 1.0, 14)[:-1])
        )
        self._lay(length, frame, lambda x: np.zeros_like(x), keys=keys)
        if angle < 1.5 * np.pi:
            self.psi, self.rho = self.psi + np.pi, np.pi - rho
        else:
            self.rho = rho

    def corkscrew(self, length: float, spread: float, side: float, ramp: float = 0.2) -> None:
        """Barrel roll to the left (side 1) or right (-1): the tangent runs once round a cone of half angle `spread`."""
        psi, theta = self.psi, self.theta

        def frame(q: Array) -> tuple[Array, Array, Array]:
            turn = 2.0 * np.pi * eased_unit(q, ramp)
            return level_frame(psi + side * spread * (1.0 - np.cos(turn)), theta + spread * np.sin(turn))

        self._lay(length, frame, None, keys=tuple(np.linspace(0.0, 1.0, SCREW_CANTS, endpoint=False)))
