"""Where an element begins: pose, curvature and roll rate the track has there, and offsets from the rail to a line
above it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...base.arrays import Array

STRAIGHT = 1e-9  # 1/m and rad/m that are nothing
LEVEL = 1e-6  # horizontal part of the tangent below which there is no heading


@dataclass(frozen=True)
class Entry:
    """The track at one place, as an element takes it over.

    position (3,) m; tangent, up (3,) unit, world. left_bend, up_bend (1/m): curvature towards left and up of the
    track; roll_rate (rad/m): turn of the canted frame about the tangent; left_slope, up_slope, roll_slope: their
    derivatives by arc length. gauge (m); gravity (m/s^2); where: what to call the place in a message.
    """

    position: Array
    tangent: Array
    up: Array
    left_bend: float = 0.0
    up_bend: float = 0.0
    roll_rate: float = 0.0
    left_slope: float = 0.0
    up_slope: float = 0.0
    roll_slope: float = 0.0
    gauge: float = 1.0
    gravity: float = 9.81
    where: str = ""

    @property
    def left(self) -> Array:
        return np.cross(self.up, self.tangent)

    @property
    def cant(self) -> float:
        """Angle from the horizontal left vector to left (rad); 0 where the tangent is vertical."""
        t = self.tangent
        flat = np.array([-t[1], t[0], 0.0])
        size = float(np.linalg.norm(flat))
        if size < LEVEL:
            return 0.0
        flat /= size
        return float(np.arctan2(self.left @ np.cross(t, flat), self.left @ flat))

    @property
    def pitch(self) -> float:
        """Angle of the tangent above the horizontal (rad)."""
        t = self.tangent
        return float(np.arctan2(t[2], np.hypot(t[0], t[1])))

    def offset(self, height: float) -> Entry:
        """The same place on the line `height` (m) above the rail plane, with its own tangent and rates.

        With p' = A t + B l for A = 1 - h k_up, B = -h w: k_up' = (A k_up + B w) / V^2, w' = w / V^2,
        k_left' = (A B' - B A' + k_left V^2) / V^3, V^2 = A^2 + B^2.
        """
        if height == 0.0:
            return self
        a, b = 1.0 - height * self.up_bend, -height * self.roll_rate
        a1, b1 = -height * self.up_slope, -height * self.roll_slope
        v = float(np.hypot(a, b))
        return replace(
            self,
            position=self.position + height * self.up,
            tangent=(a * self.tangent + b * self.left) / v,
            left_bend=(a * b1 - b * a1 + self.left_bend * v * v) / v**3,
            up_bend=(a * self.up_bend + b * self.roll_rate) / v**2,
            roll_rate=self.roll_rate / v**2,
        )

    @property
    def smooth(self) -> bool:
        """Whether the track is straight here and does not roll."""
        return max(abs(self.left_bend), abs(self.up_bend), abs(self.roll_rate)) < STRAIGHT

    @property
    def key(self) -> tuple[object, ...]:
        """All numbers, for remembering what was laid from here."""
        vectors = (self.position.tobytes(), self.tangent.tobytes(), self.up.tobytes())
        rates = (
            self.left_bend,
            self.up_bend,
            self.roll_rate,
            self.left_slope,
            self.up_slope,
            self.roll_slope,
        )
        return (*vectors, *rates, self.gauge, self.gravity)


def frame_from_angles(heading: float, pitch: float, cant: float) -> tuple[Array, Array]:
    """Tangent and up (3,) of a track with these angles (rad); heading from the x axis, cant as in ControlPoint."""
    cp, sp, ch, sh = np.cos(pitch), np.sin(pitch), np.cos(heading), np.sin(heading)
    t = np.array([cp * ch, cp * sh, sp])
    left, up = np.array([-sh, ch, 0.0]), np.array([-sp * ch, -sp * sh, cp])
    return t, np.cos(cant) * up - np.sin(cant) * left
