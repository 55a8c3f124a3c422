"""What a ride of points does in each section: speeds, time, and the largest and smallest loads with their places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..track.build import BuiltTrack, SectionSpan
from .columns import in_track_order
from .result import PointRide

AT_BORDER = 1e-6  # m
STRAIGHT = 1e-5  # 1/m, a curvature below this is none


@dataclass(frozen=True)
class Extreme:
    """A value and the place s (m) on the track where it occurs."""

    value: float
    s: float


@dataclass(frozen=True)
class SectionFigures:
    """A section in the first passage of a ride.

    s0, s1, length (m); entry_speed, exit_speed (m/s), None where the train did not come; time (s) spent up to the exit
    or to where it turned; max_speed (m/s); max_gx .. min_gz (g, heartline), roll_rate (rad/s, largest amount) with
    their places, None when the train never came.
    """

    name: str
    s0: float
    s1: float
    length: float
    entry_speed: float | None
    exit_speed: float | None
    time: float | None
    max_speed: Extreme | None = None
    max_gx: Extreme | None = None
    min_gx: Extreme | None = None
    max_gy: Extreme | None = None
    min_gy: Extreme | None = None
    max_gz: Extreme | None = None
    min_gz: Extreme | None = None
    roll_rate: Extreme | None = None

    @property
    def worst(self) -> Extreme | None:
        """The load (g) furthest from standing still, 1 Gz: what a person looks at first."""
        found = [x for x in (self.max_gx, self.min_gx, self.max_gy, self.min_gy) if x is not None]
        found += [x for x in (self.max_gz, self.min_gz) if x is not None]
        upright = {id(self.max_gz), id(self.min_gz)}
        return max(found, key=lambda x: abs(x.value - (id(x) in upright)), default=None)


def _extreme(values: Array, position: Array, largest: bool) -> Extreme:
    k = int(np.argmax(values) if largest else np.argmin(values))
    return Extreme(float(values[k]), float(position[k]))


def _border_speed(speed: Array, position: Array, border: float, period: float) -> float | None:
    """Speed at the first sample at a border; period (m) > 0: places 0 and period are one."""
    gap = np.abs(position - border)
    if period > 0.0:
        gap = np.minimum(gap, np.abs(gap - period))
    at = np.flatnonzero(gap < AT_BORDER)
    return float(speed[at[0]]) if len(at) else None


def _figures(built: BuiltTrack, span: SectionSpan, ride: PointRide, first: slice) -> SectionFigures:
    position, speed, g = ride.place[first], ride.speed[first], ride.g[first]
    length = span.s1 - span.s0
    inside = (position >= span.s0 - AT_BORDER) & (position <= span.s1 + AT_BORDER)
    middle = built.centreline.wrap(0.5 * (ride.s[first][1:] + ride.s[first][:-1]))
    step = np.diff(ride.time[first])[(middle > span.s0) & (middle < span.s1)]
    if not len(step):
        return SectionFigures(span.name, span.s0, span.s1, length, None, None, None)
    period = built.length if built.centreline.closed else 0.0
    at = position[inside]
    turn = ride.roll_rate[first][inside]
    k = int(np.argmax(np.abs(turn)))
    return SectionFigures(
        span.name,
        span.s0,
        span.s1,
        length,
        _border_speed(speed, position, span.s0, period),
        _border_speed(speed, position, span.s1, period),
        float(step.sum()),
        max_speed=_extreme(speed[inside], at, True),
        max_gx=_extreme(g[inside, 0], at, True),
        min_gx=_extreme(g[inside, 0], at, False),
        max_gy=_extreme(g[inside, 1], at, True),
        min_gy=_extreme(g[inside, 1], at, False),
        max_gz=_extreme(g[inside, 2], at, True),
        min_gz=_extreme(g[inside, 2], at, False),
        roll_rate=Extreme(float(turn[k]), float(at[k])),
    )


def section_figures(
    built: BuiltTrack, ride: PointRide, only: str | None = None
) -> tuple[SectionFigures, ...]:
    """Figures of the sections of a track from the first passage of a ride over it.

    Parameters
    ----------
    built
        The track.
    ride
        Over `built`; of several laps the first is taken.
    only
        The name of the one section that is asked for; None for all.

    Returns
    -------
    One row a section, in their order. Borders of sections are places of samples, so speeds there are those of the ride
    itself.
    """
    first = ride.forward()
    if built.centreline.closed:
        lap = np.flatnonzero(np.abs(ride.s[first] - ride.s[0]) <= built.length + AT_BORDER)
        first = slice(0, int(lap[-1]) + 1)
    spans = (span for span in built.sections if only in (None, span.name))
    return tuple(_figures(built, span, ride, first) for span in spans)


@dataclass(frozen=True)
class Station:
    """A place s (m) of a track: radius (m) of its centreline there, None where it is straight; speed (m/s) of a ride
    and its loads gx, gy, gz (g, heartline) at the first passage, None where the train did not come."""

    s: float
    radius: float | None
    speed: float | None = None
    gx: float | None = None
    gy: float | None = None
    gz: float | None = None


def stations(built: BuiltTrack, ride: PointRide | None, name: str) -> tuple[Station, ...]:
    """Entry, middle and exit of a section; () for a name the track does not have. ride: None where none is known.

    At its ends the radius is that within the section.
    """
    span = next((span for span in built.sections if span.name == name), None)
    if span is None:
        return ()
    line = built.centreline
    at = np.array([span.s0, 0.5 * (span.s0 + span.s1), span.s1])
    bends = [float(np.linalg.norm(line.state(s, from_left=s == span.s1).curve[0, 2])) for s in at.tolist()]
    felt = np.full((3, 4), np.nan)
    if ride is not None:
        position, sample = in_track_order(ride, line.length, line.closed)
        columns = np.column_stack([ride.speed, ride.g])[sample]
        if len(position) > 1:
            felt = np.stack(
                [np.interp(at, position, c, left=np.nan, right=np.nan) for c in columns.T], axis=1
            )
    return tuple(
        Station(s, None if bend < STRAIGHT else 1.0 / bend, *(None if np.isnan(v) else float(v) for v in row))
        for s, bend, row in zip(at.tolist(), bends, felt, strict=True)
    )
