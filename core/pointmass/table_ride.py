"""A ride over the tables of a line, and the speed it starts with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..base.where import Where
from ..project.point_settings import PointRideSettings
from ..track.build import BuiltTrack
from ..track.device_spans import DeviceSpan, first_drive
from ..track.devices import device_row, kind_of
from ..track.devices.law import WIDTH
from . import course_kernel as course
from .grips import cars_of, grips
from .ride_kernels import new_work
from .start import StartSpeed
from .tables import SAME_PLACE, LineTables

FASTEST = 150.0  # m/s
HALVINGS = 50
TRIES = 14
CLOSE = {True: 1e-9, False: 1e-4}  # m/s at the top, exactly and in a preview
MIN_RISE = 0.5  # m; with less ahead the start is the highest place


def start_inside(built: BuiltTrack, settings: PointRideSettings) -> float:
    """The start position (m) inside [0, length]. Raises InputError when it is off an open track."""
    if built.centreline.closed:
        return float(np.mod(settings.start, built.length))
    if not 0.0 <= settings.start <= built.length:
        raise InputError(
            say(
                "The point ride starts at s = {s:g m}, but the track reaches from 0 to {length:.2f m}; change the start"
                " position.",
                s=settings.start, length=built.length,
            ),
            Where(("scenario",)),
        )  # fmt: skip
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
    ride = np.array([tables.g, settings.mu, settings.drag, float(settings.friction == "load")])
    devices = np.array([device_row(span.device, settings.mass) for span in spans]).reshape(-1, WIDTH)
    line = course.Course(
        tables.s, tables.motion, tables.load, *tables.grips, ride, devices, rule.table,
        start_inside(built, settings), settings.laps, built.centreline.closed, settings.duration, turns, not exact,
        rule.rough, rule.tolerance,
    )  # fmt: skip
    work = new_work(line.rule.shape[1], len(devices))
    end, n, m = course.ride_course(line, speed, samples, events, work)
    kept = samples[:n]
    if n > 1:  # a border of phases may be written twice
        kept = kept[np.append(np.diff(kept[:, course.TIME]) > 0.0, True)]
    return end, kept, events[:m]


def first_car(settings: PointRideSettings) -> float:
    """How far ahead of the middle of the train (m) its first car is, which devices take hold of first."""
    return max(car.ahead for car in cars_of(settings))


def start_speed(
    tables: LineTables, built: BuiltTrack, settings: PointRideSettings, spans: Sequence[DeviceSpan]
) -> StartSpeed:
    """The speed a ride starts with: the one given, else that of the station, lift or tyres it starts on (0 on a
    launch), else the one that leads over the highest place at `top_speed`, as for the multibody run.

    Where nothing ahead is MIN_RISE higher that is `top_speed` itself. Raises InputError when there is none: on a
    brake, or where a brake on the way takes too much.
    """
    if settings.speed is not None:
        return StartSpeed(settings.speed, "given")
    start = start_inside(built, settings)
    position = float(built.centreline.wrap(start + first_car(settings))[0])
    on = next((span.device for span in spans if span.s0 <= position <= span.s1), None)
    given = None if on is None else kind_of(on).gives(on)
    if on is not None and given is None:
        raise InputError(
            f"The ride starts on the brake '{on.name}', which gives the train no speed; give a start speed, or start"
            " elsewhere."
        )
    if on is not None and given is not None:
        return StartSpeed(given, "device", on.name)
    return speed_for_top(tables, built, settings, spans)


def speed_for_top(
    tables: LineTables,
    built: BuiltTrack,
    settings: PointRideSettings,
    spans: Sequence[DeviceSpan],
) -> StartSpeed:
    """The start speed with which the train comes to the highest place ahead at `top_speed`.

    The way ahead ends where a lift, a launch, tyres or a block brake begin: what they give the train does not depend on
    the start, it only has to come there. Raises InputError when no speed from 0 to 150 m/s does it.
    """
    start, wanted = start_inside(built, settings), settings.top_speed
    ends = np.append(tables.s[:, 0], tables.s[-1, -1])
    height = np.append(tables.motion[:, 0, 0], tables.motion[-1, -1, 0])
    closed = built.centreline.closed
    gone = ends - start
    if closed:
        gone = np.mod(gone + SAME_PLACE, built.length) - SAME_PLACE
    drive = first_drive(spans, start, built.length, closed)
    if drive is not None:  # it has hold of the first cars before the middle of the train comes to it
        spans = [span for span in spans if span is not drive[0]]
        knots = np.append(tables.s[:, 0], tables.s[-1, -1])
        tables = replace(tables, grips=grips(spans, settings, knots, closed))
    way = np.inf if drive is None else drive[1]
    ahead = np.flatnonzero((gone >= -SAME_PLACE) & (gone <= way + SAME_PLACE))
    top = int(ahead[np.argmax(height[ahead])])
    higher = float(height[gone >= -SAME_PLACE].max() - height[top]) > MIN_RISE
    taken_on = drive[0].device.name if drive is not None and higher else ""

    def speed_at(position: float, speed: float) -> float | None:
        """Speed at a place of the way for a start speed; None when the train does not come there."""
        _, samples, _ = ride_tables(tables, built, settings, spans, 0, speed)
        there = np.flatnonzero(np.abs(samples[:, course.PLACE] - position) < 1e-6)
        return float(samples[there[0], course.RATE]) if len(there) else None

    goal = start + float(gone[top])
    rise = float(height[top] - np.interp(start, ends, height))
    if rise < MIN_RISE:
        if drive is None or speed_at(start + way, wanted) is not None:
            return StartSpeed(wanted, "level", taken_on, top_speed=wanted)
        if speed_at(goal, wanted) is not None:
            goal = start + way
    speed = _speed_for(lambda speed: speed_at(goal, speed), wanted, rise, tables.g, CLOSE[tables.rule.exact])
    if speed is None:
        raise InputError(
            say(
                "No start speed takes the train over its highest place, s = {s:.1f m}, at {speed:g m/s}; look at the"
                " devices on the way there.",
                s=goal, speed=wanted,
            ),
            Where(s=goal),
        )  # fmt: skip
    return StartSpeed(speed, "top", taken_on, float(built.centreline.wrap(goal)[0]), wanted)


def _speed_for(
    reached: Callable[[float], float | None], wanted: float, rise: float, g: float, close: float
) -> float | None:
    """The start speed (m/s) with which `reached` gives the wanted one, rise (m) higher; None: there is none."""
    # what is missing in energy there, given back at the start: losses hardly depend on it
    speed = float(np.sqrt(wanted**2 + 2.0 * g * max(rise, 0.0)))
    for _ in range(TRIES):
        came = reached(speed)
        if came is not None and abs(came - wanted) < close:
            return speed
        missing = 0.1 * speed**2 + 0.25 * wanted**2 if came is None else wanted**2 - came**2
        speed = float(np.sqrt(max(speed**2 + missing, 0.0)))
    low, high = 0.0, FASTEST
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        came = reached(middle)
        low, high = (middle, high) if came is None or came < wanted else (low, middle)
    came = reached(high)
    return None if came is None or abs(came - wanted) > 1e-6 else high
