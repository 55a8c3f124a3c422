"""A ride over the tables of a line, and the speed it starts with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..base.errors import InputError
from ..project.point_settings import PointRideSettings
from ..track.build import BuiltTrack
from ..track.device_law import NO_DEVICE, device_row
from ..track.devices import BlockBrake, DeviceSpan, Launch, TrimBrake
from . import course_kernel as course
from .ride_kernels import new_work
from .tables import LineTables

Array = NDArray[np.float64]

FASTEST = 150.0  # m/s
HALVINGS = 50
TRIES = 14
CLOSE = {True: 1e-9, False: 1e-4}  # m/s at the top, exactly and in a preview
LEAST_RISE = 0.5  # m; with less ahead the start is the highest place


def device_table(spans: Sequence[DeviceSpan], settings: PointRideSettings, g: float) -> Array:
    """Numbers of the devices and the ride for the kernels (d + 1, 12), the last row without a device; g m/s^2."""
    rows = [device_row(span.device, settings.mass) for span in spans]
    ride = [g, settings.mu, settings.drag, float(settings.friction == "load")]
    return np.array([row + ride for row in [*rows, [float(NO_DEVICE)] + [0.0] * 7]])


def start_inside(built: BuiltTrack, settings: PointRideSettings) -> float:
    """The start position (m) inside [0, length]. Raises InputError when it is off an open track."""
    if built.centreline.closed:
        return float(np.mod(settings.start, built.length))
    if not 0.0 <= settings.start <= built.length:
        raise InputError(
            f"The point ride starts at s = {settings.start:g} m, but the track reaches from 0 to {built.length:.2f} m;"
            " change the start position."
        )
    return settings.start


def ride_tables(
    tables: LineTables,
    built: BuiltTrack,
    settings: PointRideSettings,
    spans: Sequence[DeviceSpan],
    turns: int,
    speed: float,
) -> tuple[int, Array, Array]:
    """End, samples (n, 11) and events (m, 4) of a ride that starts with `speed` (m/s), as `course_kernel`; turns: so
    many are followed."""
    rule = tables.rule
    exact = rule.exact
    intervals, nodes = tables.s.shape
    room = intervals * (settings.laps + turns + 1) * (1 if exact else nodes - 1) + 200
    samples, events = np.empty((room, 11)), np.empty((200, 4))
    line = course.Course(
        tables.s, tables.motion, tables.load, tables.device, device_table(spans, settings, tables.g), rule.table,
        start_inside(built, settings), settings.laps, built.centreline.closed, settings.duration, turns, not exact,
        rule.rough, rule.tolerance,
    )  # fmt: skip
    work = new_work(line.rule.shape[1], line.devices)
    end, n, m = course.ride_course(line, speed, samples, events, work)
    kept = samples[:n]
    if n > 1:  # a border of phases may be written twice
        kept = kept[np.append(np.diff(kept[:, course.TIME]) > 0.0, True)]
    return end, kept, events[:m]


def start_speed(
    tables: LineTables, built: BuiltTrack, settings: PointRideSettings, spans: Sequence[DeviceSpan]
) -> float:
    """The speed (m/s) a ride starts with: the one given, else that of the station, lift or tyres it starts on (0 on a
    launch), else the one that leads over the highest place at `top_speed`, as for the multibody run.

    Where nothing ahead is LEAST_RISE higher that is `top_speed` itself. Raises InputError when there is none: on a
    brake, before a device that sets the speed on the way to the top.
    """
    if settings.speed is not None:
        return settings.speed
    start = start_inside(built, settings)
    on = next((span.device for span in spans if span.s0 <= start <= span.s1), None)
    if isinstance(on, TrimBrake | BlockBrake):
        raise InputError(
            f"The ride starts on the brake '{on.name}', which gives the train no speed; give a start speed, or start"
            " elsewhere."
        )
    if on is not None:
        return 0.0 if isinstance(on, Launch) else on.speed
    return speed_for_top(tables, built, settings, spans)


def speed_for_top(
    tables: LineTables,
    built: BuiltTrack,
    settings: PointRideSettings,
    spans: Sequence[DeviceSpan],
) -> float:
    """The start speed (m/s) with which the train comes to the highest place ahead at `top_speed`.

    Raises InputError when no speed from 0 to 150 m/s does it.
    """
    start = start_inside(built, settings)
    ends = np.append(tables.s[:, 0], tables.s[-1, -1])
    height = np.append(tables.motion[:, 0, 0], tables.motion[-1, -1, 0])
    closed = built.centreline.closed
    ahead = np.flatnonzero((ends >= start - 1e-9) | closed)
    gone = np.mod(ends[ahead] - start, built.length) if closed else ends[ahead] - start
    top = int(np.argmax(height[ahead]))
    place = start + float(gone[top])
    rise = float(height[ahead][top] - np.interp(start, ends, height))
    wanted = settings.top_speed
    if rise < LEAST_RISE:
        return wanted

    def at_top(speed: float) -> float | None:
        """Speed at the highest place; None when the train does not come there."""
        _, samples, _ = ride_tables(tables, built, settings, spans, 0, speed)
        there = np.flatnonzero(np.abs(samples[:, course.PLACE] - place) < 1e-6)
        return float(samples[there[0], course.RATE]) if len(there) else None

    # what is missing in energy at the top, given back at the start: losses hardly depend on it
    speed = float(np.sqrt(wanted**2 + 2.0 * tables.g * max(rise, 0.0)))
    for _ in range(TRIES):
        came = at_top(speed)
        if came is not None and abs(came - wanted) < CLOSE[tables.rule.exact]:
            return speed
        missing = 0.1 * speed**2 + 0.25 * wanted**2 if came is None else wanted**2 - came**2
        speed = float(np.sqrt(max(speed**2 + missing, 0.0)))
    low, high = 0.0, FASTEST
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        came = at_top(middle)
        low, high = (middle, high) if came is None or came < wanted else (low, middle)
    came = at_top(high)
    if came is None or abs(came - wanted) > 1e-6:
        raise InputError(
            f"No start speed takes the train over its highest place, s = {place:.1f} m, at {wanted:g} m/s;"
            " look at the devices on the way there."
        )
    return high
