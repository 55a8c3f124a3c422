"""What the profile can draw over the arc length: the shape of the track and what the point ride feels on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.pointmass.result import PointRide
from ...core.track.build import BuiltTrack

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Quantity:
    """What one plot shows.

    name: attribute of TrackCurves or RideCurves; title; SI unit; ride: it comes from the point ride; robust: without
    rare peaks in the range; parts: names of several curves in one plot; axis: the rider axis that limits are for.
    """

    name: str
    title: str
    unit: str
    ride: bool = False
    robust: bool = False
    parts: tuple[str, ...] = ()
    axis: str = ""


QUANTITIES: Final = (
    Quantity("height", "Height", "m"),
    Quantity("cant", "Cant", "rad"),
    Quantity("curvature", "Curvature", "1/m"),
    Quantity("torsion", "Torsion", "1/m", robust=True),
    Quantity("cant_rate", "Cant rate", "rad/m", robust=True),
    Quantity("speed", "Speed", "m/s", ride=True),
    Quantity("loads", "Loads Gz, Gy, Gx", "g", ride=True, parts=("gz", "gy", "gx")),
    Quantity("gz", "Gz up", "g", ride=True, axis="gz"),
    Quantity("gy", "Gy left", "g", ride=True, axis="gy"),
    Quantity("gx", "Gx forward", "g", ride=True, axis="gx"),
    Quantity("roll_rate", "Roll rate", "rad/s", ride=True, robust=True),
    Quantity("jerk", "Jerk, magnitude", "g/s", ride=True, robust=True),
)
AT_FIRST: Final = "height,loads"
AXIS_NAMES: Final = {"gx": "Gx", "gy": "Gy", "gz": "Gz"}


@dataclass(frozen=True)
class RideCurves:
    """The first passage of a point ride over the track, in SI (n,): s, speed, gx, gy, gz (g), roll_rate, jerk (g/s).

    Rows of nan stand where the line breaks: at the place where a ride over a closed track began.
    """

    s: Array
    speed: Array
    gx: Array
    gy: Array
    gz: Array
    roll_rate: Array
    jerk: Array

    def at(self, name: str, s: float) -> float:
        """A quantity at arc length s (m); nan where the train does not come."""
        values: Array = getattr(self, name)
        good = np.isfinite(self.s)
        return float(np.interp(s, self.s[good], values[good], left=np.nan, right=np.nan))


def ride_curves(built: BuiltTrack, ride: PointRide) -> RideCurves:
    """The curves of a ride over `built`, in the order of the track."""
    first = ride.forward()
    if built.centreline.closed:
        lap = np.flatnonzero(np.abs(ride.s[first] - ride.s[0]) <= built.length + 1e-6)
        first = slice(0, int(lap[-1]) + 1)
    jerk = np.sqrt(np.einsum("ij,ij->i", ride.jerk[first], ride.jerk[first]))
    g = ride.g[first]
    rows = np.stack(
        [ride.place[first], ride.speed[first], g[:, 0], g[:, 1], g[:, 2], ride.roll_rate[first], jerk]
    )
    if len(rows[0]) > 1 and ride.s[first][-1] < ride.s[first][0]:
        rows = rows[:, ::-1]  # started backwards
    seam = np.flatnonzero(np.diff(rows[0]) < 0.0)
    if len(seam):
        k = int(seam[-1]) + 1
        rows = np.concatenate([rows[:, k:], np.full((len(rows), 1), np.nan), rows[:, :k]], axis=1)
    return RideCurves(*rows)
