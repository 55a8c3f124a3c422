"""What the profile can draw over the arc length: the shape of the track and what the point ride feels on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...core.base.arrays import Array
from ...core.pointmass.columns import LONGEST_GAP, in_track_order
from ...core.pointmass.result import PointRide
from ...core.track.build import BuiltTrack


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

    Rows of nan stand where the line breaks: where no train comes between two places where it does.
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
    position, sample = in_track_order(ride, built.length, built.centreline.closed)
    jerk = np.sqrt(np.einsum("ij,ij->i", ride.jerk[sample], ride.jerk[sample]))
    g = ride.g[sample]
    rows = np.stack([position, ride.speed[sample], *g.T, ride.roll_rate[sample], jerk])
    breaks = np.flatnonzero(np.diff(position) > LONGEST_GAP) + 1
    return RideCurves(*np.insert(rows, breaks, np.nan, axis=1))
