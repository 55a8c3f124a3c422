"""The ride of points as a value: what happened along the track, in order of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..base.arrays import Array, Integers
from ..track.device_spans import DeviceSpan
from .start import StartSpeed

PointStatus = Literal["arrived", "stalled", "left", "caught", "stopped", "time_over", "swings"]
EventKind = Literal["turned", "released", "stalled", "left", "caught", "stopped"]


@dataclass(frozen=True)
class RideEvent:
    """Something worth telling: what, where (s m, running on over laps; place m on the track), when (s), the section
    and device there ("" without), and a sentence for the person."""

    kind: EventKind
    s: float
    place: float
    time: float
    section: str
    device: str
    message: str


@dataclass(frozen=True)
class DeviceInterval:
    """A stay of the train on a device: name, kind, times (s), places (m, as `PointRide.s`), speeds (m/s) at both
    ends, and the work (J) the device did on the train, negative for a brake."""

    device: str
    kind: str
    time_in: float
    time_out: float
    s_in: float
    s_out: float
    speed_in: float
    speed_out: float
    work: float


@dataclass(frozen=True)
class PointLedger:
    """Energies (J) of the whole train over the samples, (n,) each.

    kinetic; potential, zero at the height of the origin; friction and drag: lost up to now; driven: work of the devices
    up to now; residual: what is missing in the balance against the first sample.
    """

    kinetic: Array
    potential: Array
    friction: Array
    drag: Array
    driven: Array

    @property
    def residual(self) -> Array:
        mechanical = self.kinetic + self.potential
        missing: Array = mechanical - mechanical[0] + self.friction + self.drag - self.driven
        return missing


@dataclass(frozen=True)
class PointRide:
    """A ride of points, sample by sample in the order of time.

    status, message: how it ended, in a word and a sentence; start: how fast it began, and why. s (n,) m: arc length of
    the middle of the train on the centreline, running on over laps; place (n,) m: the same inside [0, length]; time
    (n,) s; speed (n,) m/s = ds/dt, negative when rolling back; line_speed (n,) m/s: of the middle on its line
    (heartline or rail); acceleration (n,) m/s^2: d2s/dt2. g (n, 3): what an accelerometer on the heartline over the
    middle of the train feels, in g, along forward, left and up of the canted track frame (Gx, Gy, Gz; at rest on level
    track 0, 0, 1); rail_g (n, 3): the same on the centreline; roll_rate (n,) rad/s: turn rate of the track frame about
    the tangent; jerk (n, 3) g/s: rate of change of g. energy: ledger; device (n,): index into `spans` or -1; spans: the
    devices; intervals: stays on devices; events: turning points, stalls and the like.
    """

    status: PointStatus
    message: str
    start: StartSpeed
    s: Array
    place: Array
    time: Array
    speed: Array
    line_speed: Array
    acceleration: Array
    g: Array
    rail_g: Array
    roll_rate: Array
    jerk: Array
    energy: PointLedger
    device: Integers
    spans: tuple[DeviceSpan, ...]
    intervals: tuple[DeviceInterval, ...]
    events: tuple[RideEvent, ...]

    def __repr__(self) -> str:
        return f"PointRide({self.status}, {len(self.s)} samples, {self.time[-1]:.6g} s, {self.s[-1]:.6g} m)"

    @property
    def arrived(self) -> bool:
        """Whether the train went the whole way."""
        return self.status == "arrived"

    def forward(self) -> slice:
        """The samples up to the first turning point or the end: s grows (or falls) all along."""
        turns = np.flatnonzero(np.diff(np.sign(np.diff(self.s))[np.diff(self.s) != 0.0]) != 0.0)
        if not len(turns):
            return slice(0, len(self.s))
        moving = np.flatnonzero(np.diff(self.s) != 0.0)
        return slice(0, int(moving[turns[0]]) + 2)

    def at(self, position: float) -> int:
        """Index of the sample of the first passage nearest to a position (m) of the track."""
        return int(np.argmin(np.abs(self.place[self.forward()] - position)))
