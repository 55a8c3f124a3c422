"""The ride of a point, or of a train as points, along a built track."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..base.arrays import Array
from ..base.sentence import say
from ..project.point_settings import PointRideSettings
from ..track.build import BuiltTrack
from ..track.device_spans import DeviceSpan, device_spans
from ..track.devices import Device
from . import course_kernel as course
from .result import (
    DeviceInterval,
    EventKind,
    PointLedger,
    PointRide,
    PointStatus,
    RideEvent,
)
from .start import StartSpeed
from .table_ride import ride_tables, start_inside, start_speed
from .tables import UNIT_G, LineTables, line_tables, rider_rows

EARTH = (0.0, 0.0, -9.81)  # m/s^2
STEP = 0.25  # m, widest interval of a precise ride
SPACING = 1.0  # m, between the samples of a preview
TURNS = 20  # turning points after which a precise ride gives up
PREVIEW_TURNS = 2
STATUS: dict[int, PointStatus] = {
    course.ARRIVED: "arrived",
    course.STALLED: "stalled",
    course.LEFT: "left",
    course.CAUGHT: "caught",
    course.STOPPED: "stopped",
    course.TIME_OVER: "time_over",
    course.SWINGS: "swings",
}


def loads(rider: Array, speed: Array, acceleration: Array, g: float) -> tuple[Array, Array, Array]:
    """Loads (n, 3) g on the heartline and on the rails and the roll rate (n,) rad/s.

    rider (n, 12) from the tables; speed (n,) m/s and acceleration (n,) m/s^2 of s; g m/s^2. An accelerometer feels
    (h'' v^2 + h' dv/dt - gravity) / g.
    """
    unit = g if g > 0.0 else UNIT_G
    v2, rate = (speed * speed)[:, None], acceleration[:, None]
    upright = rider[:, 6:9] * (g / unit)
    felt = (rider[:, 3:6] * v2 + rider[:, 0:3] * rate) / unit + upright
    rail = upright.copy()
    rail[:, 0] += acceleration / unit
    rail[:, 1:] += rider[:, 9:11] * v2 / unit
    return felt, rail, rider[:, 11] * speed


def _per_second(values: Array, time: Array) -> Array:
    """Rate of change (n, 3) of values over time by differences of second order."""
    if len(time) < 3:
        return np.zeros_like(values)
    rate: Array = np.gradient(values, time, axis=0)
    return rate


def _ledger(samples: Array, tables: LineTables, potential: Array, mass: float) -> PointLedger:
    return PointLedger(
        kinetic=mass * (samples[:, course.ENERGY] - potential),
        potential=mass * potential,
        friction=mass * samples[:, course.LOST],
        drag=mass * samples[:, course.DRAGGED],
        driven=mass * samples[:, course.DRIVEN],
    )


def _intervals(samples: Array, spans: Sequence[DeviceSpan], mass: float) -> tuple[DeviceInterval, ...]:
    """Stays on devices: runs of samples with the same device, each up to the sample that ends it."""
    device = samples[:, course.AT_DEVICE].astype(np.int64)
    borders = np.concatenate([[0], np.flatnonzero(np.diff(device)) + 1, [len(device)]])
    stays = []
    for a, b in pairwise(borders):
        if device[a] < 0:
            continue
        first, last = samples[a], samples[min(b, len(samples) - 1)]
        span = spans[device[a]]
        stays.append(
            DeviceInterval(
                span.device.name,
                span.device.kind,
                float(first[course.TIME]),
                float(last[course.TIME]),
                float(first[course.PLACE]),
                float(last[course.PLACE]),
                float(first[course.RATE]),
                float(last[course.RATE]),
                mass * float(last[course.DRIVEN] - first[course.DRIVEN]),
            )
        )
    return tuple(stays)


_WHERE = " at s = {s:.1f m} in section '{section}'"
_ENDED = {
    "turned": f"The train reverses{_WHERE} and rolls the other way.",
    "released": f"The train is released{_WHERE}{{by}}.",
    "stalled": f"The train stalls{_WHERE}.",
    "left": f"The train rolls back off the start of the track{_WHERE}.",
    "caught": f"The train rolls back{_WHERE} and is caught{{by}}.",
    "stopped": f"The train is held{_WHERE}{{by}}.",
    "arrived": "The train goes the whole way.",
    "time_over": f"The ride is cut off after its longest time{_WHERE}.",
    "swings": f"The train swings to and fro and comes to rest about{_WHERE}.",
}


def _sentence(kind: str, position: float, section: str, device: str) -> str:
    by = say(" by '{device}'", device=device) if device else ""
    return say(_ENDED[kind], s=position, section=section, by=by)


def _events(
    built: BuiltTrack, end: int, samples: Array, found: Array, spans: Sequence[DeviceSpan]
) -> tuple[tuple[RideEvent, ...], str]:
    """Events of a ride and the sentence about its end."""

    def event(kind: EventKind, s: float, time: float, device: int) -> RideEvent:
        position = float(built.centreline.wrap(s)[0])
        section = built.section_at(position)
        name = spans[device].device.name if device >= 0 else ""
        return RideEvent(kind, s, position, time, section, name, _sentence(kind, position, section, name))

    messages = [
        event("turned" if what == course.TURNED else "released", float(s), float(t), int(d))
        for what, s, t, d in found
    ]
    last = samples[-1]
    s, time, device = float(last[course.PLACE]), float(last[course.TIME]), int(last[course.AT_DEVICE])
    status = STATUS[end]
    if status == "stalled" or status == "left" or status == "caught" or status == "stopped":
        messages.append(event(status, s, time, device))
        return tuple(messages), messages[-1].message
    position = float(built.centreline.wrap(s)[0])
    return tuple(messages), _sentence(status, position, built.section_at(position), "")


def _result(
    built: BuiltTrack,
    settings: PointRideSettings,
    tables: LineTables,
    spans: tuple[DeviceSpan, ...],
    start: StartSpeed,
    outcome: tuple[int, Array, Array],
) -> PointRide:
    end, samples, found = outcome
    node = samples[:, course.NODE].astype(np.int64)
    on_grid = node >= 0
    row = tables.row.ravel()[node]
    position = built.centreline.wrap(samples[:, course.PLACE])
    rider = tables.rider[row]
    off = np.flatnonzero(~on_grid)
    if len(off):
        rider[off] = rider_rows(built, tables.law, position[off], tables.upward)
    speed, rate = samples[:, course.RATE], samples[:, course.CHANGE]
    pace = np.linalg.norm(rider[:, 0:3], axis=1) if settings.line == "heartline" else 1.0
    if settings.seat != 0.0:
        rider = rider_rows(built, tables.law, samples[:, course.PLACE] + settings.seat, tables.upward)
    felt, rail, roll_rate = loads(rider, speed, rate, tables.g)
    time = samples[:, course.TIME]
    potential = samples[:, course.ENERGY] - samples[:, course.KINETIC]
    events, message = _events(built, end, samples, found, spans)
    return PointRide(
        status=STATUS[end],
        message=message,
        start=start,
        s=samples[:, course.PLACE],
        place=position,
        time=time,
        speed=speed,
        line_speed=speed * pace,
        acceleration=rate,
        g=felt,
        rail_g=rail,
        roll_rate=roll_rate,
        jerk=_per_second(felt, time),
        energy=_ledger(samples, tables, potential, settings.mass),
        device=samples[:, course.AT_DEVICE].astype(np.int64),
        spans=spans,
        intervals=_intervals(samples, spans, settings.mass),
        events=events,
    )


def _ride_on(
    built: BuiltTrack,
    settings: PointRideSettings,
    devices: Sequence[Device] | None,
    gravity: Sequence[float],
    widest: float,
    exact: bool,
) -> PointRide:
    spans = device_spans(built.track.devices if devices is None else devices, built.sections)
    start_inside(built, settings)
    tables = line_tables(built, settings, spans, gravity, widest, exact)
    start = start_speed(tables, built, settings, spans)
    outcome = ride_tables(tables, built, settings, spans, TURNS if exact else PREVIEW_TURNS, start.speed)
    return _result(built, settings, tables, spans, start, outcome)


def ride_point(
    built: BuiltTrack,
    settings: PointRideSettings | None = None,
    devices: Sequence[Device] | None = None,
    *,
    gravity: Sequence[float] = EARTH,
    step: float = STEP,
) -> PointRide:
    """Ride a built track as a point or a train of points, precisely.

    Parameters
    ----------
    built
        The track.
    settings
        Start, losses and points of the train; None takes the defaults.
    devices
        None takes those of the track.
    gravity
        (3,) m/s^2, in the world.
    step
        m, the widest interval; there are knots at every border of the curve's polynomials besides.

    Returns
    -------
    The ride. Stalls and rollbacks end up in its `events`; they are no errors.

    Raises
    ------
    InputError
        For a device or a point of the heartline on a missing section, overlapping devices, a start position off an
        open track.

    Notes
    -----
    Along the track the energy is integrated with order 8 (Gauss collocation); near standstill the ride goes on in
    time with an error of 1e-12 a step. Source: balance of energy, E = v^2/2 + g (y + mu s), dE/dt = -R v^3.
    """
    return _ride_on(built, settings or PointRideSettings(), devices, gravity, step, True)


def preview_ride(
    built: BuiltTrack,
    settings: PointRideSettings | None = None,
    devices: Sequence[Device] | None = None,
    *,
    gravity: Sequence[float] = EARTH,
    spacing: float = SPACING,
) -> PointRide:
    """The same ride as `ride_point`, coarser, for a track that is being dragged: of order 4.

    Parameters
    ----------
    built
        The track; `build_track(track, ride=False)` is enough.
    settings, devices, gravity
        As of `ride_point`.
    spacing
        m, of the intervals.

    Returns
    -------
    The ride; a rollback is followed over two turning points at most.

    Raises
    ------
    InputError
        As `ride_point`.
    """
    return _ride_on(built, settings or PointRideSettings(), devices, gravity, 2.0 * spacing, False)
